"""Formulas as people read them: text, and LaTeX of exactly the tree that is checked."""

from __future__ import annotations

import re

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.language.latex import latex
from boundcheck.language.letters import (
    M_,
    D,
    L,
    Max,
    Min,
    Prod,
    Sum,
    eta,
    f,
    grad,
    i,
    inner,
    j,
    k,
    larger,
    log,
    norm,
    sqrt,
    x,
    xstar,
)
from boundcheck.language.scalars import Parameter
from boundcheck.library.catalogue import bounds, find_bounds

LIBRARY = bounds()
eps = Parameter("eps", latex=r"\epsilon")


def one(label: str) -> Bound:
    (found,) = find_bounds(label)
    return found


HARD = {
    "prop:sc-split-analysis@proved": (
        "f(x_{k+1}) - f(x*) <= (prod_{i=0..k, eta_i < 2/M(x_i, x_{i+1})} (1 + eta_i (eta_i M(x_i, x_{i+1}) - "
        "2) mu(x_i, x*))) (f(x_0) - f(x*)) + sum_{i=0..k, eta_i >= 2/M(x_i, x_{i+1})} (prod_{j=i+1..k, eta_j "
        "< 2/M(x_j, x_{j+1})} (1 + eta_j (eta_j M(x_j, x_{j+1}) - 2) mu(x_j, x*))) eta_i (eta_i M(x_i, x_{i+1"
        "}) - 2)/2 |grad f(x_i)|^2"
    ),
    "prop:sc-iterates-analysis@printed": (
        "|x_k - x*|^2 <= (prod_{i=0..k} |1 - mu(x_i, x*) eta_i|/(1 + mu(x_{i+1}, x*) eta_i)) |x_0 - x*|^2 + s"
        "um_{i=0..k} (prod_{j=i+1..k} |1 - mu(x_j, x*) eta_j|/(1 + mu(x_{j+1}, x*) eta_j)) (M(x_i, x_{i+1}) e"
        "ta_i^3 - eta_i^2)/(1 + mu(x_{i+1}, x*) eta_i) |grad f(x_i)|^2"
    ),
    "prop:convex-any-stepsize@printed": (
        "f(mean_{i=0..k}[x_{i+1} with weights eta_i]) - f(x*) <= |x_0 - x*|^2/(2 sum_{i=0..k} eta_i) + (sum_{"
        "i=0..k} eta_i^2 (eta_i M(x_i, x_{i+1}) - 1) |grad f(x_i)|^2)/(2 sum_{i=0..k} eta_i)"
    ),
    "thm:polyak@printed": (
        "f(mean_{i=0..k-1}[x_i with weights 1/M(x_i, x_{i+1})]) - f(x*) <= gamma/((2 - gamma) (gamma - 1)) |x"
        "_0 - x*|^2/(2 sum_{i=0..k-1} 1/M(x_i, x_{i+1}))"
    ),
    "thm:ngd@printed": (
        "min_{i=0..k-1} f(x_i) - f(x*) <= (|x_0 - x*|^2 + sum_{i=0..k-1} eta_i^2)/(2 k^2) (f(x_0)/eta_0^2 - f"
        "(x*)/eta_{k-1}^2) + (|x_0 - x*|^2 + sum_{i=0..k-1} eta_i^2)/(2 k) sum_{i=0..k-1} D(x_i, x_{i+1})/k"
    ),
}


@pytest.mark.parametrize(("label", "golden"), HARD.items())
def test_the_hard_claims_read_as_the_paper_prints_them(label: str, golden: str) -> None:
    assert str(one(label).states) == golden


HARD_LATEX = {
    "prop:sc-split-analysis@proved": (
        r"f(x_{k+1}) - f(x^{*}) \leq \left( \prod_{0 \leq i \leq k,\; \eta_{i} < \frac{2}{M(x_{i}, x_{i+1})}} "
        r"\left( 1 + \eta_{i} \left( \eta_{i} M(x_{i}, x_{i+1}) - 2 \right) \mu(x_{i}, x^{*}) \right) \right) "
        r"\left( f(x_{0}) - f(x^{*}) \right) + \sum_{0 \leq i \leq k,\; \eta_{i} \geq \frac{2}{M(x_{i}, x_{i+1"
        r"})}} \left( \prod_{i+1 \leq j \leq k,\; \eta_{j} < \frac{2}{M(x_{j}, x_{j+1})}} \left( 1 + \eta_{j} "
        r"\left( \eta_{j} M(x_{j}, x_{j+1}) - 2 \right) \mu(x_{j}, x^{*}) \right) \right) \frac{\eta_{i} \left"
        r"( \eta_{i} M(x_{i}, x_{i+1}) - 2 \right)}{2} \left\| \nabla f(x_{i}) \right\|_2^2"
    ),
    "prop:sc-iterates-analysis@printed": (
        r"\left\| x_{k} - x^{*} \right\|_2^2 \leq \left( \prod_{i=0}^{k} \frac{\left| 1 - \mu(x_{i}, x^{*}) \e"
        r"ta_{i} \right|}{1 + \mu(x_{i+1}, x^{*}) \eta_{i}} \right) \left\| x_{0} - x^{*} \right\|_2^2 + \sum_"
        r"{i=0}^{k} \left( \prod_{j=i+1}^{k} \frac{\left| 1 - \mu(x_{j}, x^{*}) \eta_{j} \right|}{1 + \mu(x_{j"
        r"+1}, x^{*}) \eta_{j}} \right) \frac{M(x_{i}, x_{i+1}) \eta_{i}^{3} - \eta_{i}^{2}}{1 + \mu(x_{i+1}, "
        r"x^{*}) \eta_{i}} \left\| \nabla f(x_{i}) \right\|_2^2"
    ),
    "prop:convex-any-stepsize@printed": (
        r"f(\frac{\sum_{i=0}^{k} \eta_{i}\, x_{i+1}}{\sum_{i=0}^{k} \eta_{i}}) - f(x^{*}) \leq \frac{\left\| x"
        r"_{0} - x^{*} \right\|_2^2}{2 \sum_{i=0}^{k} \eta_{i}} + \frac{\sum_{i=0}^{k} \eta_{i}^{2} \left( \et"
        r"a_{i} M(x_{i}, x_{i+1}) - 1 \right) \left\| \nabla f(x_{i}) \right\|_2^2}{2 \sum_{i=0}^{k} \eta_{i}}"
    ),
    "thm:polyak@printed": (
        r"f(\frac{\sum_{i=0}^{k-1} \frac{1}{M(x_{i}, x_{i+1})}\, x_{i}}{\sum_{i=0}^{k-1} \frac{1}{M(x_{i}, x_{"
        r"i+1})}}) - f(x^{*}) \leq \frac{\frac{\gamma}{\left( 2 - \gamma \right) \left( \gamma - 1 \right)} \l"
        r"eft\| x_{0} - x^{*} \right\|_2^2}{2 \sum_{i=0}^{k-1} \frac{1}{M(x_{i}, x_{i+1})}}"
    ),
    "thm:ngd@printed": (
        r"\min_{0 \leq i \leq k-1} f(x_{i}) - f(x^{*}) \leq \frac{\left\| x_{0} - x^{*} \right\|_2^2 + \sum_{i"
        r"=0}^{k-1} \eta_{i}^{2}}{2 k^{2}} \left( \frac{f(x_{0})}{\eta_{0}^{2}} - \frac{f(x^{*})}{\eta_{k-1}^{"
        r"2}} \right) + \frac{\left\| x_{0} - x^{*} \right\|_2^2 + \sum_{i=0}^{k-1} \eta_{i}^{2}}{2 k} \sum_{i"
        r"=0}^{k-1} \frac{D(x_{i}, x_{i+1})}{k}"
    ),
}


@pytest.mark.parametrize(("label", "golden"), HARD_LATEX.items())
def test_the_latex_of_the_hard_claims_is_what_it_was(label: str, golden: str) -> None:
    assert one(label).latex() == golden


def assert_well_formed(text: str) -> None:
    depth = 0
    for char in re.sub(r"\\[{}|]", "", text):
        depth += {"{": 1, "}": -1}.get(char, 0)
        assert depth >= 0, text
    assert depth == 0, text
    open_ = 0
    for side in re.findall(r"\\(left|right)(?![a-z])", text):
        open_ += 1 if side == "left" else -1
        assert open_ >= 0, text
    assert open_ == 0, text
    for pair in re.findall(r"\\(?:left|right)(?![a-z])\s*(\\[a-z]+|\\.|.)", text):
        assert pair in ("(", ")", r"\|", "|", r"\langle", r"\rangle", r"\{", r"\}"), (pair, text)
    assert "__" not in text
    assert not re.search(r"\^\{[^{}]*\}\s*\^", text), f"a double superscript does not compile: {text}"
    assert not re.search(r"_2\^2\^", text), f"a double superscript does not compile: {text}"


@pytest.mark.parametrize("bound", LIBRARY, ids=lambda b: b.id)
def test_the_latex_of_every_claim_is_well_formed(bound: Bound) -> None:
    assert_well_formed(bound.latex())
    for hypothesis in bound.hypotheses:
        if (relation := getattr(hypothesis, "relation", None)) is not None:
            assert_well_formed(latex(relation))


a, b, c = eta[0], eta[1], eta[2]

BRACKETS = [
    (a * (b + c), "eta_0 (eta_1 + eta_2)"),
    (a * b + c, "eta_0 eta_1 + eta_2"),
    (a - (b - c), "eta_0 - (eta_1 - eta_2)"),
    (a - b - c, "eta_0 - eta_1 - eta_2"),
    (a - (-b), "eta_0 - (-eta_1)"),
    (-(a + b), "-(eta_0 + eta_1)"),
    (a / (b * c), "eta_0/(eta_1 eta_2)"),
    (a / b * c, "eta_0/eta_1 eta_2"),
    (a * (b / c), "eta_0 eta_1/eta_2"),
    (a / b / c, "eta_0/eta_1/eta_2"),
    (a / (b / c), "eta_0/(eta_1/eta_2)"),
    ((a + b) / c, "(eta_0 + eta_1)/eta_2"),
    ((a + b) ** 2, "(eta_0 + eta_1)^2"),
    ((a**2) ** 3, "(eta_0^2)^3"),
    (a**-1, "eta_0^(-1)"),
    (sqrt(a + b), "sqrt(eta_0 + eta_1)"),
    (Sum(eta[i], i, 0, k) * a, "(sum_{i=0..k} eta_i) eta_0"),
    (a * Sum(eta[i], i, 0, k), "eta_0 sum_{i=0..k} eta_i"),
    (Sum(eta[i], i, 0, k) + a, "sum_{i=0..k} eta_i + eta_0"),
    (Sum(eta[i] + 1, i, 0, k), "sum_{i=0..k} (eta_i + 1)"),
    (Sum(eta[i], i, 0, k) / k, "(sum_{i=0..k} eta_i)/k"),
    (1 / Sum(eta[i], i, 0, k), "1/(sum_{i=0..k} eta_i)"),
    (Sum(eta[i], i, 0, k) ** 2, "(sum_{i=0..k} eta_i)^2"),
    (log(log(a)), "log log eta_0"),
    (log(a * b), "log (eta_0 eta_1)"),
    (log(a) * b, "(log eta_0) eta_1"),
    (log(log(a) + b), "log (log eta_0 + eta_1)"),
    (a * log(b), "eta_0 log eta_1"),
    (larger(a, 1), "max(eta_0, 1)"),
    (Min(f(x[i]), i, 0, k) - f(xstar), "min_{i=0..k} f(x_i) - f(x*)"),
    (Max(abs(eta[i] - 1), i, 0, k), "max_{i=0..k} |eta_i - 1|"),
    (inner(grad(x[k]), x[k] - xstar), "<grad f(x_k), x_k - x*>"),
    (norm(x[k] - (x[0] - xstar)), "|x_k - (x_0 - x*)|"),
    (norm(-(x[k] - xstar)), "|-(x_k - x*)|"),
    ((-a) * b, "(-eta_0) eta_1"),
    (a * -2, "eta_0 (-2)"),
    (Prod(1 - eta[j] * L, j, i + 1, k), "prod_{j=i+1..k} (1 - eta_j L)"),
    ((k + 1) * a, "(k+1) eta_0"),
    (1 / (k + 1), "1/(k+1)"),
]


@pytest.mark.parametrize(("formula", "shown"), BRACKETS, ids=[shown for _, shown in BRACKETS])
def test_text_has_the_brackets_that_the_tree_needs(formula: object, shown: str) -> None:
    assert str(formula) == shown


@pytest.mark.parametrize("formula", [formula for formula, _ in BRACKETS], ids=[shown for _, shown in BRACKETS])
def test_latex_of_every_operator_is_well_formed(formula: object) -> None:
    assert_well_formed(latex(formula))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (a * (b + c), r"\eta_{0} \left( \eta_{1} + \eta_{2} \right)"),
        ((a / b) ** 2, r"\left( \frac{\eta_{0}}{\eta_{1}} \right)^{2}"),
        (Sum(eta[i], i, 0, k - 1), r"\sum_{i=0}^{k-1} \eta_{i}"),
        (norm(x[k] - xstar) ** 2, r"\left\| x_{k} - x^{*} \right\|_2^{2}"),
        (eps * D(x[k], xstar), r"\epsilon D(x_{k}, x^{*})"),
        (2 * eps, r"2 \epsilon"),
        (a * 2, r"\eta_{0} \cdot 2"),
        (
            Prod(eta[i] * M_[i], i, 0, k, where=eta[i] < 2 / M_[i]),
            r"\prod_{0 \leq i \leq k,\; \eta_{i} < \frac{2}{M(x_{i}, x_{i+1})}} \eta_{i} M(x_{i}, x_{i+1})",
        ),
    ],
)
def test_latex_of_small_formulas(formula: object, shown: str) -> None:
    assert latex(formula) == shown  # type: ignore[arg-type]
