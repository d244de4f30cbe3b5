"""Formulas as MathML, and where two of them differ."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from boundcheck.claims.bound import PRINTED, PROVED, Bound
from boundcheck.language.difference import differences
from boundcheck.language.letters import L, Max, Prod, Sum, eta, f, grad, i, inner, j, k, log, norm, normsq, sqrt, x, xstar
from boundcheck.language.mathml import MARKED, mathml, mathml_lines
from boundcheck.language.relations import Relation, chain
from boundcheck.language.scalars import Parameter
from boundcheck.language.symbols import NotASymbol, symbol
from boundcheck.language.tree import Node
from boundcheck.library.catalogue import bounds, find_bounds

LIBRARY = bounds()
TWO, ONE = {"mfrac", "msup", "msub", "munder"}, {"msqrt"}
KNOWN = TWO | ONE | {"math", "mrow", "mi", "mo", "mn", "msubsup", "munderover", "mspace", "mtable", "mtr", "mtd"}
a, b, c = eta[0], eta[1], eta[2]


def tree(text: str) -> ET.Element:
    return ET.fromstring(text)


def seen(text: str) -> str:
    """What a reader sees, on one line."""
    return "".join(tree(text).itertext()).replace("\u2061", "").replace("\u2062", "").replace(" ", "")


def assert_well_formed(text: str) -> None:
    """Every element is known, and has as many parts as it must."""
    for element in tree(text).iter():
        assert element.tag in KNOWN, element.tag
        parts = len(element)
        assert parts == 2 or element.tag not in TWO, f"{element.tag} has {parts} parts in {text}"
        assert parts == 3 or element.tag not in ("msubsup", "munderover"), f"{element.tag} has {parts} parts in {text}"
        if element.tag in ("mi", "mo", "mn"):
            assert not parts and element.text, f"an empty {element.tag} in {text}"
        elif element.tag not in ("mspace",):
            assert parts and not (element.text or "").strip(), f"loose text '{element.text}' in {text}"
        assert not (element.tail or "").strip(), f"loose text '{element.tail}' in {text}"


@pytest.mark.parametrize("bound", LIBRARY, ids=lambda b: b.id)
def test_every_formula_of_the_library_is_well_formed(bound: Bound) -> None:
    trees = [bound.states, *(h.relation for h in bound.hypotheses if hasattr(h, "relation"))]
    for node in trees:
        assert_well_formed(mathml(node))
        for line in mathml_lines(node):
            assert_well_formed(line)


def test_a_malformed_formula_is_seen() -> None:
    for wrong in ("<math><mfrac><mi>x</mi></mfrac></math>", "<math>x</math>", "<math><mi></mi></math>", "<math><b>x</b></math>"):
        with pytest.raises(AssertionError):
            assert_well_formed(wrong)


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (a * (b + c), "η0(η1+η2)"),
        (a - (b - c), "η0−(η1−η2)"),
        (-(a + b), "−(η0+η1)"),
        ((a + b) ** 2, "(η0+η1)2"),
        ((a / b) ** 2, "(η0η1)2"),
        (sqrt(a + b), "η0+η1"),
        (a * 2, "η0·2"),
        (Sum(eta[i], i, 0, k - 1), "∑i=0k−1ηi"),
        (Sum(eta[i], i, 0, k) ** 2, "(∑i=0kηi)2"),
        (Max(abs(eta[i] - 1), i, 0, k), "max0≤i≤k|ηi−1|"),
        (Prod(1 - eta[j] * L, j, i + 1, k), "∏j=i+1k(1−ηjL)"),
        (inner(grad(x[k]), x[k] - xstar), "⟨∇f(xk),xk−x*⟩"),
        (norm(x[k] - xstar), "‖xk−x*‖2"),
        (normsq(grad(x[k])), "‖∇f(xk)‖22"),
        (log(log(a)), "loglogη0"),
        (1 / (k + 1), "1k+1"),
        (f(x[k]) <= f(x[0]), "f(xk)≤f(x0)"),
        (Parameter("eta_min", latex=r"\eta_{\min}") * a, "ηminη0"),
    ],
)
def test_what_is_seen(formula: Node, shown: str) -> None:
    assert seen(mathml(formula)) == shown
    assert_well_formed(mathml(formula))


def test_the_names_of_symbols() -> None:
    assert symbol(r"\gamma_0'") == "<msubsup><mi>γ</mi><mn>0</mn><mo>′</mo></msubsup>"
    assert seen("<math>" + symbol(r"\lambda_{\max}(A^\top A)") + "</math>") == "λmax(A⊤A)"
    for wrong in (r"\frac{1}{2}", "{x", "x}", "x_"):
        with pytest.raises(NotASymbol):
            symbol(wrong)


def test_names_from_outside_are_escaped() -> None:
    assert "<b>" not in mathml(Parameter("<b>") * a)


def test_lines_break_before_relations_and_outer_signs_and_lose_nothing() -> None:
    statement = f(x[k + 1]) - f(xstar) <= a * (b + c) - b / c
    lines = [seen(line) for line in mathml_lines(statement)]
    assert lines == ["f(xk+1)", "−f(x*)", "≤η0(η1+η2)", "−η1η2"]
    whole = chain(a, "<=", b, "==", c)
    assert [seen(line) for line in mathml_lines(whole)] == ["η0", "≤η1", "=η2"]


def marked(one: Node, other: Node) -> tuple[list[str], list[str]]:
    """What is marked in each of two formulas."""
    places = differences(one, other)
    return tuple(  # type: ignore[return-value]
        ["".join(e.itertext()) for e in tree(mathml(shown)).iter() if e.get("class") == MARKED] for shown in places
    )


@pytest.mark.parametrize(
    ("one", "other", "here", "there"),
    [
        (a <= b, a <= b, [], []),
        (a <= b, a <= c, ["1"], ["2"]),
        (a <= b, a < b, ["≤"], ["<"]),
        (a <= Sum(eta[i], i, 0, k), a <= Sum(eta[i], i, 0, k - 1), ["k"], ["k−1"]),
        (a + b <= c, a + b + c <= c, [], ["η2"]),
        (a + c <= c, a + c <= c + c, [], ["η2"]),  # one object in three places
        (a - b <= c, a + b <= c, ["η1"], ["η1"]),
        (a * b <= c, a * b * L <= c, [], ["L"]),
        (a / b <= c, a / (2 * b) <= c, [], ["2"]),
        (a <= sqrt(b), a <= log(b), ["η1"], ["log\u2061η1"]),
        (chain(a, "<=", b), chain(a, "<", b), ["≤"], ["<"]),
    ],
)
def test_the_smallest_piece_that_differs_is_marked(one: Node, other: Node, here: list[str], there: list[str]) -> None:
    assert marked(one, other) == (here, there)


def test_marks_of_the_paper() -> None:
    printed, proved = find_bounds("thm:polyak-alternate")
    assert marked(printed.states, proved.states) == (["k"], ["k−1"])


@pytest.mark.parametrize("proved", [b for b in LIBRARY if b.reading == PROVED], ids=lambda b: b.id)
def test_a_mark_is_there_exactly_where_two_readings_differ(proved: Bound) -> None:
    printed = next((b for b in LIBRARY if b.source == proved.source and b.reading == PRINTED), None)
    if printed is None:
        return
    here, there = marked(printed.states, proved.states)
    assert bool(here or there) == (printed.states.key != proved.states.key)


def test_a_marked_formula_reads_the_same() -> None:
    one, other = Relation("<=", a, b + c), Relation("<", a, b + c + 1)
    shown, _ = differences(one, other)
    assert seen(mathml(shown)) == seen(mathml(one))
