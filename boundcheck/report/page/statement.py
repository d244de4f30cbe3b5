"""What a claim says, with what differs from another reading marked; its proof; and the paper's own words beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup, escape

from boundcheck.claims.bound import PRINTED, PROVED, Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Follows, Hypothesis, Once, Runs
from boundcheck.claims.latex_source.quotation import Quotation
from boundcheck.language.difference import differences
from boundcheck.language.letters import SMOOTHNESS
from boundcheck.language.mathml import mathml, mathml_lines
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Number
from boundcheck.language.tree import Index, Node
from boundcheck.report.content import Report
from boundcheck.report.page.inline_math import Link, inline, told
from boundcheck.report.page.paper_index import name

FACTS = {"Convex": "convex", "Differentiable": "differentiable", "TwiceDifferentiable": "twice differentiable"}
FACTS |= {"Smooth": "L-smooth", "StronglyConvex": "strongly convex", "IsQuadratic": "quadratic"}
WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
F, X = Markup("<math><mi>f</mi></math>"), Markup("<math><mi>x</mi></math>")
X_PRIME = Markup("<math><msup><mi>x</mi><mo>′</mo></msup></math>")
LINK = Markup('<a href="#claim={}" title="{}, {}">{}</a>')


def compared(bound: Bound, readings: list[Bound]) -> Bound | None:
    """Return the reading that this one is shown against: the printed one; for it, the proved one, or the first other."""
    others = [b for b in readings if b.reading != bound.reading]
    wanted = (PRINTED,) if bound.reading != PRINTED else (PROVED,)
    return next(
        (b for b in others if b.reading in wanted), next((b for b in others if PRINTED in (b.reading, bound.reading)), None)
    )


@dataclass(frozen=True)
class StatementPart:
    """Words of a statement, and whether they differ from those of the other reading."""

    words: Markup
    differs: bool


@dataclass(frozen=True)
class Statement:
    """A claim as it is shown. The formula is in runs between which a line may break; a claim about all x and y has no range."""

    formula: list[Markup]
    function: StatementPart | None
    range: StatementPart | None
    given: list[StatementPart]
    kinds: tuple[str, ...]  # what M may be, where the claim reads it
    kinds_differ: bool
    excluded: list[str]  # what M may not be
    definitions: list[Markup]  # of the chord quantities that the claim defines
    added: tuple[str, ...]  # what the paper does not print: a reader must not hold it against the paper, or for it


def statement(bound: Bound, against: Bound | None = None) -> Statement:
    """Return formula, function, range of k, hypotheses and choices of M of a claim, compared with another reading."""
    states = bound.states if against is None else differences(bound.states, against.states)[0]
    others = [str(h) for h in against.hypotheses] if against is not None else None
    kinds = bound.smoothness if bound.reads_M else ()
    return Statement(
        formula=[Markup(run) for run in mathml_lines(states)],
        function=StatementPart(inline(bound.function), against is not None and against.function != bound.function)
        if bound.function
        else None,
        range=_range(bound, against),
        given=[StatementPart(hypothesis(h), others is not None and str(h) not in others) for h in bound.hypotheses],
        kinds=kinds,
        kinds_differ=against is not None and against.reads_M and against.smoothness != kinds,
        excluded=[letter for letter in SMOOTHNESS if letter not in kinds],
        definitions=[_math(quantity.equation) for quantity in bound.declared_chords],
        added=bound.added,
    )


def _range(bound: Bound, against: Bound | None) -> StatementPart | None:
    if bound.quantifier:
        return StatementPart(told(bound.quantifier), against is not None and against.quantifier != bound.quantifier)
    if bound.is_about_chords:
        return None
    start = bound.for_all
    written = _math(Relation(">=", Index(start.letter).number(), Number(Fraction(start.start))))
    other = against is not None and (bool(against.quantifier) or (not against.is_about_chords and against.for_all != start))
    return StatementPart("for all " + written, other)


def hypothesis(h: Hypothesis) -> Markup:
    """Return a hypothesis in words and formulas."""
    if isinstance(h, Follows):
        return "the steps follow " + _math(h.relation)
    if isinstance(h, AtEachStep):
        return _math(h.relation) + " at every step"
    if isinstance(h, Once):
        return _math(h.relation)
    if isinstance(h, Runs):
        return _run(h) if len(h.roles) == 1 else _runs(h)
    if not isinstance(h, Declared):
        return Markup(escape(str(h)))
    kind = h.kind.__name__
    return F + f" is {FACTS.get(kind) or WORD.sub(' ', kind.removeprefix('Is')).lower()}"


def _run(h: Runs) -> Markup:
    updates = [*h.main.first, *h.main.each]
    return Markup(", ").join(_math(update.sets) + " = " + _math(update.to) for update in updates)


def _runs(h: Runs) -> Markup:
    """Several runs from one start: those besides the first have a prime in formulas."""
    *names, last = [(X_PRIME if role else X) + f" by {method.name}" for role, method in h.roles]
    steps = f"the steps of {h.steps}" if h.searched else h.steps
    return "runs from one start: " + Markup(", ").join(names) + " and " + last + f", with {steps}"


def _math(node: Node) -> Markup:
    return Markup(mathml(node))


def changes(bound: Bound, against: Bound) -> list[str]:
    """Return what differs, in words: statement, function, hypotheses, range, what M may be."""
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


def quotation(report: Report, bound: Bound) -> Quotation | None:
    """Return what the source says at the place of a printed claim; None for any other claim, and without --source."""
    return report.quotations.get(bound.id) if bound.reading == PRINTED else None


def proof(report: Report, bound: Bound) -> list[Markup]:
    """Return the lines of a claim's proof sketch, with the claims that they name as links."""
    link = links(report, bound)
    return [told(line, link) for line in bound.proof_sketch]


def links(report: Report, about: Bound) -> Link:
    """Return what makes links of [label@reading], claims of the same paper; [label] is the proved or else the printed reading."""
    known = {b.id: b for b in report.bounds}

    def link(text: str) -> Markup | None:
        label, _, reading = text.partition("@")
        wanted = [reading] if reading else [PROVED, PRINTED, *(b.reading for b in report.bounds if b.label == label)]
        for one in wanted:
            found = known.get(f"{about.source.paper.name}/{label}@{one}")
            if found is not None:
                shown = f"{name(found)} as corrected" if found.reading == PROVED else name(found)
                return LINK.format(found.id, found.label, found.reading, shown)
        return Markup("<code>{}</code>").format(text) if ":" in text or "@" in text else None

    return link
