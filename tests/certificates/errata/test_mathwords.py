"""Words with mathematics: no formula gets a capital letter, and nothing between dollars but a formula is let through."""

from __future__ import annotations

import pytest

from boundcheck.certificates.errata.math_words import is_formula, latex_words, markdown_words, parts, sentence
from boundcheck.library.catalogue import bounds

AS_THEY_ARE = ["f(x_0) with 1/eta_{k-1}^2", "eta_0 is too large", "N rounds are needed", "exp(-z) is positive", "x_{k-1} for x_k"]
AS_THEY_ARE += [
    "alpha_{k+1}^2 is missing",
    "gamma_0 for gamma",
    "f - f* is no number",
    "k >= 1 only",
    "$x$ is a point",
    "log k grows",
]


@pytest.mark.parametrize("words", AS_THEY_ARE)
def test_a_sentence_that_begins_with_mathematics_keeps_its_first_letter(words):
    assert sentence(words) == words + "."


@pytest.mark.parametrize("words", ["the sum ends at k", "a slip", "gradients differ", "sums to k", "etas are no word of ours"])
def test_other_sentences_get_a_capital_letter_and_a_full_stop(words):
    assert sentence(words) == words[0].upper() + words[1:] + "."
    assert sentence(sentence(words)) == sentence(words)


def test_no_reason_of_the_library_loses_a_small_letter_of_its_mathematics():
    for bound in bounds():
        told = sentence(bound.because)
        first = bound.because.split(" ")[0]
        if set(first) & set("_(^=*/") or (len(first) == 1 and first != "a"):
            assert told.startswith(first), bound.id


@pytest.mark.parametrize(
    "bad", [r"\input{x}", r"\write18{rm}", r"\def\x{1}", "a}", "{a", "a % b", "a & b", r"\href{a}{b}", r"\csname x"]
)
def test_what_is_no_formula_is_shown_as_it_is_written(bad):
    assert not is_formula(bad)
    assert [is_math for is_math, _ in parts(f"see ${bad}$")] == [False]
    assert "\\input" not in latex_words(f"${bad}$").replace(r"\textbackslash{}input", "")


def test_formulas_are_kept_in_both_and_words_are_escaped():
    text = r"for a_b & all $x^* < 1$, $\|x\|$"
    assert latex_words(text) == r"for a\_b \& all $x^* < 1$, $\|x\|$"
    assert markdown_words(text) == r"for a\_b &amp; all $x^\ast \lt 1$, $\Vert x\Vert$"


def test_every_formula_of_the_library_is_one():
    for bound in bounds():
        assert is_formula(bound.latex()), bound.id


def test_names_of_claims_become_links_outside_of_mathematics():
    link = {"eq:1": "[Equation (1)](#eq)"}.get
    assert markdown_words("by [eq:1] and [eq:2], $[eq:1]$", link) == r"by [Equation (1)](#eq) and \[eq:2\], $[eq:1]$"
