"""Words with $mathematics$ as HTML: what we write is typeset, what is not known stays as written, and nothing becomes markup."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from markupsafe import Markup

from boundcheck.library.catalogue import bounds
from boundcheck.report.page.inline_math import NotKnown, inline, mathml_of, told
from boundcheck.report.page.markup import capital, prose

from .reports import HOSTILE


def read(latex: str) -> ET.Element:
    return ET.fromstring(str(inline(latex)))


@pytest.mark.parametrize(
    ("latex", "seen"),
    [
        (r"\eta_k \leq \frac{2}{M_k}", "ηk≤2Mk"),
        (r"\sum_{i=0}^{k-1} \eta_i \delta_i", "∑i=0k−1ηiδi"),
        (r"\|\nabla f(x_i)\|_2^2", "‖∇f(xi)‖22"),
        (r"\left\langle a, b \right\rangle", "⟨a,b⟩"),
        (r"f(x) = \sqrt{x^2 + \epsilon^2}", "f(x)=x2+ϵ2"),
        (r"\min_{0 \leq i < k} f(x_i) - f(x^*)", "min0≤i<kf(xi)−f(x*)"),
        (r"\{0, \ldots, k\}", "{0,…,k}"),
        (r"\mathcal{O}(1/\sqrt{k}) \text{ for all } k", "𝒪(1/k) for all k"),
        (r"\bigl( \tfrac12 \bigr)^{10}", "(12)10"),
        (r"\bar{x}_k, f'(x), \mathbb{R}^d, \operatorname{diag}(1, 2)", "x¯k,f′(x),ℝd,diag(1,2)"),
    ],
)
def test_what_we_write_is_typeset(latex: str, seen: str) -> None:
    made = read(latex)
    assert made.tag == "math"
    assert "".join(made.itertext()) == seen


def test_an_exponent_without_brackets_is_one_sign() -> None:
    assert [e.text for e in read(r"\frac12").iter("mn")] == ["1", "2"]
    assert "".join(read("x^10").find(".//msup").itertext()) == "x1"  # type: ignore[union-attr]


def test_a_sign_in_front_of_a_number_has_no_space_around_it() -> None:
    assert [e.get("form") for e in read("f(-1) - 2 = -x").iter("mo") if e.text == "−"] == ["prefix", None, "prefix"]


@pytest.mark.parametrize(
    "latex",
    [
        r"\input{secrets}",
        r"\frac{1}",
        "a}",
        "{a",
        r"\left( a",
        "x_0_1",
        "a & b",
        "_",
        r"\mathbb{K}",
        "{" * 99,
        r"\sqrt",
        ""[:0] + "^",
    ],
)
def test_what_is_not_known_stays_as_it_is_written(latex: str) -> None:
    with pytest.raises(NotKnown):
        mathml_of(latex)
    assert ET.fromstring(str(inline(latex))).tag == "code"
    assert "".join(ET.fromstring(str(inline(latex))).itertext()) == latex


@pytest.mark.parametrize("hostile", [HOSTILE, f"${HOSTILE}$", rf"$\text{{{HOSTILE}}}$", f"[{HOSTILE}] $x$", "$<b>$ <script>"])
def test_nothing_becomes_markup(hostile: str) -> None:
    made = str(told(hostile, lambda name: None))
    assert "<script" not in made and "<img" not in made
    ET.fromstring(f"<p>{made}</p>")


def test_claims_in_square_brackets_are_links_and_other_brackets_are_not() -> None:
    def link(name: str):
        return Markup("<a>{}</a>").format(name) if ":" in name else None

    assert told("by [eq:1@proved], for $i$ in [k]", link).count("<a>") == 1
    assert "in [k]" in told("by [eq:1@proved], for $i$ in [k]", link)
    assert told("no [eq:1] link here") == "no [eq:1] link here"


def test_a_price_is_no_formula() -> None:
    assert told(r"it costs \$5 and \$6, $x$ times").startswith("it costs $5 and $6, <math>")


def test_every_text_of_the_library_is_typeset() -> None:
    texts = [text for b in bounds() for text in (b.quantifier, *b.added, *b.proof_sketch)]
    unknown = [text for text in texts if "<code>" in told(text)]
    unknown += [b.function for b in bounds() if b.function and "<code>" in inline(b.function)]
    assert unknown == []


def test_a_heading_never_makes_a_capital_of_a_letter_of_a_formula() -> None:
    words = ["f(x_0) with it", "eta_0 is small", "n rounds", "$x$ is", "the step", "a step"]
    assert [capital(text) for text in words] == [*words[:4], "The step", "A step"]


def test_labels_are_not_made_greek_and_letters_after_a_fraction_bar_are_lowered() -> None:
    assert "lemma:lambda-convergence" in prose("lemma:lambda-convergence, lemma:agd-equivalence.gamma")
    assert prose("1/eta_k") == "1/<i>η</i><sub>k</sub>"
    assert prose("x_10") == "<i>x</i><sub>10</sub>"
    assert prose("f(x(prime)_i)") == "f(<i>x′</i><sub>i</sub>)"
