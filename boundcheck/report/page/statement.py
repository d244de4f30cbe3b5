"""What a claim says: its formula, its range and its hypotheses, with what differs from another reading marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from boundcheck.claims.bound import PRINTED, PROVED, Bound
from boundcheck.claims.hypotheses import EXPONENTIAL_SEARCH, AtEachStep, Follows, Hypothesis, Once, Runs
from boundcheck.language.difference import differences
from boundcheck.language.mathml import mathml, mathml_lines
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Number
from boundcheck.language.tree import Index, Node
from boundcheck.report.page.inline_math import inline, told
from boundcheck.report.page.markup import Markup, join, tag

FACTS = {"Convex": "convex", "Differentiable": "differentiable", "TwiceDifferentiable": "twice differentiable"}
FACTS |= {"Smooth": "L-smooth", "StronglyConvex": "strongly convex", "IsQuadratic": "quadratic"}
WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
CHOICES = ("D", "A", "H", "L")  # of M: a claim for all of them is one about every M that the library knows


def compared(bound: Bound, readings: list[Bound]) -> Bound | None:
    """The reading that this one is shown against: the printed one; for it, the proved one, or the first other."""
    others = [b for b in readings if b.reading != bound.reading]
    wanted = (PRINTED,) if bound.reading != PRINTED else (PROVED,)
    return next(
        (b for b in others if b.reading in wanted), next((b for b in others if PRINTED in (b.reading, bound.reading)), None)
    )


def formula(bound: Bound, against: Bound | None = None) -> Markup:
    """The statement, in lines that break between terms."""
    shown = bound.states if against is None else differences(bound.states, against.states)[0]
    return tag("div", [Markup(f"{run} ") for run in mathml_lines(shown)], class_="formula")


def stated(bound: Bound, against: Bound | None = None) -> Markup:
    """Formula, for which function, for which k, given what, for which M; and what the paper does not print of it."""
    given = [tag("li", hypothesis(h), class_=_new(h, against)) for h in bound.hypotheses]
    return join(
        formula(bound, against),
        _function(bound, against),
        tag("p", _range(bound, against), ", given" if given else "", class_="range"),
        tag("ul", given, class_="given") if given else None,
        _allowed(bound, against),
        _added(bound),
    )


def _new(h: Hypothesis, against: Bound | None) -> str | None:
    return "differs" if against is not None and str(h) not in [str(other) for other in against.hypotheses] else None


def _function(bound: Bound, against: Bound | None) -> Markup | None:
    if not bound.function:
        return None
    other = against is not None and against.function != bound.function
    return tag("p", "for ", tag("span", inline(bound.function), class_="differs" if other else None), class_="range function")


def _range(bound: Bound, against: Bound | None) -> Markup:
    if bound.quantifier:
        other = against is not None and against.quantifier != bound.quantifier
        return tag("span", told(bound.quantifier), class_="differs" if other else None)
    if bound.is_about_chords:
        return join("for all ", _letter("x"), " and ", _letter("y"))
    start = bound.for_all
    written = mathml(Relation(">=", Index(start.letter).number(), Number(Fraction(start.start))))
    other = against is not None and (bool(against.quantifier) or (not against.is_about_chords and against.for_all != start))
    return tag("span", Markup("for all "), Markup(written), class_="differs" if other else None)


def _letter(name: str) -> Markup:
    return Markup(f"<math><mi>{name}</mi></math>")


def _allowed(bound: Bound, against: Bound | None) -> Markup | None:
    if not bound.reads_M:
        return None
    other = against is not None and against.reads_M and against.smoothness != bound.smoothness
    any_of = "any of " if len(bound.smoothness) > 1 else ""
    kinds = tag("span", any_of, _either(bound.smoothness), class_="differs" if other else None)
    left = [letter for letter in CHOICES if letter not in bound.smoothness]
    return tag("p", "where ", _letter("M"), " is ", kinds, join(", not ", _either(left)) if left else None, class_="range")


def _either(letters: Sequence[str]) -> Markup:
    """A, H or L."""
    return join([(" or " if n and n == len(letters) - 1 else ", " if n else "", _letter(name)) for n, name in enumerate(letters)])


def _added(bound: Bound) -> Markup | None:
    """What the paper does not print: a reader must not hold it against the paper, or for it."""
    if not bound.added:
        return None
    parts = [join("; " if n else "", told(one)) for n, one in enumerate(bound.added)]
    return tag("p", tag("strong", "Added to the print: "), parts, ".", class_="added")


def hypothesis(h: Hypothesis) -> Markup:
    """A hypothesis in words and formulas."""
    if isinstance(h, Follows):
        return join("the steps follow ", _inline(h.relation))
    if isinstance(h, AtEachStep):
        return join(_inline(h.relation), " at every step")
    if isinstance(h, Once):
        return _inline(h.relation)
    if isinstance(h, Runs):
        return _run(h) if len(h.roles) == 1 else _runs(h)
    return join(_letter("f"), f" is {FACTS.get(h.kind.__name__) or WORD.sub(' ', h.kind.__name__.removeprefix('Is')).lower()}")


def _run(h: Runs) -> Markup:
    updates = [*h.main.first, *h.main.each]
    return join([(", " if n else "", _inline(update.sets), " = ", _inline(update.to)) for n, update in enumerate(updates)])


def _runs(h: Runs) -> Markup:
    """Several runs from one start: those besides the first have a prime in formulas."""
    names = [join(_letter("x") if not role else Markup("<math><msup><mi>x</mi><mo>′</mo></msup></math>"), f" by {method.name}")
             for role, method in h.roles]  # fmt: skip
    told_ = join([("" if not n else " and " if n == len(names) - 1 else ", ", name) for n, name in enumerate(names)])
    steps = "the steps of exponential search" if h.steps == EXPONENTIAL_SEARCH else "the same steps"
    return join("runs from one start: ", told_, f", with {steps}")


def _inline(node: Node) -> Markup:
    return Markup(mathml(node))


def changes(bound: Bound, against: Bound) -> list[str]:
    """What differs, in words: statement, function, hypotheses, range, what M may be."""
    found = []
    if bound.states.key != against.states.key:
        found.append("the formula")
    if bound.function != against.function:
        found.append("the function")
    if [str(h) for h in bound.hypotheses] != [str(h) for h in against.hypotheses]:
        found.append("the hypotheses")
    if bound.for_all != against.for_all:
        found.append("the range of the index")
    if bound.quantifier != against.quantifier:
        found.append("the quantifier")
    if bound.reads_M and bound.smoothness != against.smoothness:
        found.append("what M may be")
    return found
