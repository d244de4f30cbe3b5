"""What a claim says: its formula, its range and its hypotheses, with what differs from another reading marked."""

from __future__ import annotations

from fractions import Fraction

from boundcheck.bound import PRINTED, PROVED, Bound
from boundcheck.hypotheses import AtEachStep, Declared, Follows, Hypothesis, Once, Runs
from boundcheck.language.difference import differences
from boundcheck.language.mathml import mathml, mathml_lines
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Number
from boundcheck.language.tree import Index, Node
from boundcheck.report.page.markup import Markup, join, tag

FACTS = {"Convex": "convex", "Differentiable": "differentiable", "TwiceDifferentiable": "twice differentiable"}
FACTS |= {"Smooth": "L-smooth", "StronglyConvex": "strongly convex", "IsQuadratic": "quadratic"}


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
    """Formula, for which k, and given what."""
    given = [tag("li", hypothesis(h), class_=_new(h, against)) for h in bound.hypotheses]
    return join(
        formula(bound, against),
        tag("p", "for ", _range(bound, against), ", given" if given else "", class_="range"),
        tag("ul", given, class_="given") if given else None,
        _allowed(bound, against),
    )


def _new(h: Hypothesis, against: Bound | None) -> str | None:
    return "differs" if against is not None and str(h) not in [str(other) for other in against.hypotheses] else None


def _range(bound: Bound, against: Bound | None) -> Markup:
    if bound.is_about_chords:
        return join("all ", _letter("x"), " and ", _letter("y"))
    start = bound.for_all
    written = mathml(Relation(">=", Index(start.letter).number(), Number(Fraction(start.start))))
    other = against is not None and not against.is_about_chords and against.for_all != start
    return tag("span", Markup("all "), Markup(written), class_="differs" if other else None)


def _letter(name: str) -> Markup:
    return Markup(f"<math><mi>{name}</mi></math>")


def _allowed(bound: Bound, against: Bound | None) -> Markup | None:
    if not bound.reads_M:
        return None
    other = against is not None and against.reads_M and against.smoothness != bound.smoothness
    kinds = tag("span", ", ".join(bound.smoothness), class_="differs" if other else None)
    return tag("p", "where ", _letter("M"), " is any of ", kinds, class_="range")


def hypothesis(h: Hypothesis) -> Markup:
    """A hypothesis in words and formulas."""
    if isinstance(h, Follows):
        return join("the steps follow ", _inline(h.relation))
    if isinstance(h, AtEachStep):
        return join(_inline(h.relation), " at every step")
    if isinstance(h, Once):
        return _inline(h.relation)
    if isinstance(h, Runs) and len(h.roles) == 1:
        updates = [*h.main.first, *h.main.each]
        return join([(", " if n else "", _inline(update.sets), " = ", _inline(update.to)) for n, update in enumerate(updates)])
    if isinstance(h, Declared):
        return join(_letter("f"), f" is {FACTS.get(h.kind.__name__, h.kind.__name__)}")
    return join(str(h))


def _inline(node: Node) -> Markup:
    return Markup(mathml(node))


def changes(bound: Bound, against: Bound) -> list[str]:
    """What differs, in words: statement, hypotheses, range, what M may be."""
    found = []
    if bound.states.key != against.states.key:
        found.append("the formula")
    if [str(h) for h in bound.hypotheses] != [str(h) for h in against.hypotheses]:
        found.append("the hypotheses")
    if bound.for_all != against.for_all:
        found.append("the range of the index")
    if bound.reads_M and bound.smoothness != against.smoothness:
        found.append("what M may be")
    return found
