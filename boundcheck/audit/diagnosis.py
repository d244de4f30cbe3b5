"""What is wrong with a rule, if anything: its steps beside the formula that it declares, or beside the nearest known rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from boundcheck.audit.declared_formula import by_equation, by_formula, explicit, with_numbers
from boundcheck.audit.inequality import InequalityCheck, tried
from boundcheck.audit.known_rules import Neighbour, beginning, neighbours, solved_form, with_letters_of
from boundcheck.audit.number_names import apart, names_apart, number_name, over, rounded_down
from boundcheck.audit.number_names import known as short_name
from boundcheck.audit.path import Path
from boundcheck.audit.path_reading import ReadablePath
from boundcheck.audit.patterns import FACTOR, Pattern, clipped, factor, ignored, single_precision
from boundcheck.audit.step_comparison import Comparison, StepDifference, finite, many
from boundcheck.language.canonical import canonical_step
from boundcheck.language.relations import Relation, links
from boundcheck.library.catalogue import bounds
from boundcheck.model.rule import Rule

FOLLOWS, INEQUALITY, OTHER_RULE, DEPARTS = "follows", "inequality fails", "another rule", "departs"
BEGINS = "begins otherwise"
UNLIKE, NOTHING = "no known rule", "nothing compared"
FEW = 4  # neighbours whose formulas are looked into


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """`sentence` stands at the top. `clean`: nothing is wrong as far as this was compared; in floating point throughout."""

    kind: str
    sentence: str
    clean: bool
    declared: bool  # against what the rule says of itself, not against a known rule
    against: str = ""
    compared: int = 0
    equal: int = 0
    problems: int = 0
    first: StepDifference | None = None
    constant: float | None = None
    nearest: Neighbour | None = None
    details: tuple[str, ...] = ()

    @property
    def is_known(self) -> Rule | None:
        """The library's rule that these steps are, all of them."""
        return self.nearest.rule if self.nearest is not None and self.nearest.found.agrees else None

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "sentence": self.sentence,
            "clean": self.clean,
            "declared": self.declared,
            "against": self.against or None,
            "compared": self.compared,
            "equal": self.equal,
            "problems": self.problems,
            "first": self.first.to_json() if self.first is not None else None,
            "constant": finite(self.constant) if self.constant is not None else None,
            "nearest": self.nearest.to_json() if self.nearest is not None else None,
            "details": list(self.details),
            "certified": False,
        }


def diagnose(rule: Rule, paths: Sequence[Path], *, horizon: int = 0) -> Diagnosis:
    """From the paths of a rule, whether its steps are what it declares; where it declares nothing, what they look like."""
    readings = [ReadablePath(path, horizon=horizon) for path in paths if path.steps]
    if not readings:
        return Diagnosis(kind=NOTHING, sentence="no step was made, so nothing is compared", clean=False, declared=False)
    if rule.follows is None:
        return _undeclared(rule, readings)
    relation = with_numbers(rule.follows, rule.parameters)
    return _inequality(relation, readings) if relation.op != "==" else _declared(rule, relation, readings)


def _declared(rule: Rule, relation: Relation, readings: Sequence[ReadablePath]) -> Diagnosis:
    formula = explicit(relation)
    found = by_equation(readings, relation) if formula is None else by_formula(readings, formula)
    made = partial(_made, found, declared=True, against=str(relation))
    if not found.count:
        return made(NOTHING, f"{relation} has no value on any path, so nothing is compared", clean=False)
    if found.agrees:
        if (begins := beginning(rule, readings)).first is not None:
            return _begins(made, begins, rule.means)
        if formula is not None and (single := single_precision(found, rule.means or str(relation))) is not None:
            return _by_pattern(made, single)
        said = f"its steps are what it declares, {rule.means or relation}: at all {found.where} compared (numerical)"
        return made(FOLLOWS, said, clean=True)
    asked = rule.means or str(relation)
    pattern = _pattern(formula, found, asked, readings)
    if pattern is not None and pattern.kind != FACTOR:
        return _by_pattern(made, pattern)
    known = neighbours(rule, readings)
    twin = next((one for one in known if one.found.agrees), None)
    if pattern is not None:
        told = "" if twin is None else f"; these are the steps of the known rule {_described(twin.rule)}"
        return replace(_by_pattern(made, pattern), sentence=pattern.sentence + told, nearest=twin)
    if twin is not None:
        return made(OTHER_RULE, f"its steps are those of {_described(twin.rule)}, not {asked}", nearest=twin, first=found.first)
    return _departs(made, found, asked, known)


def _begins(made: Any, begins: Comparison, asked: str) -> Diagnosis:
    """The formula is followed, but the steps that it does not give are not those of the rule that is named."""
    first = begins.first
    assert first is not None
    what, wanted = names_apart(first.found, first.wanted)
    sentence = f"it begins otherwise: {what} where {asked} has {wanted}, at {first}; from then on its steps are what it declares"
    told: Diagnosis = made(BEGINS, sentence, first=first)
    return told


def _departs(made: Any, found: Comparison, asked: str, known: Sequence[Neighbour]) -> Diagnosis:
    first = found.first
    assert first is not None
    share = f"equal at {found.equal} of {found.count} steps"
    what, wanted = apart(first.found, first.wanted)
    there = f"first at {first}: {what} where {wanted} is asked"
    low, high = float(found.ratios.min()), float(found.ratios.max())
    details = (f"found over asked is between {low:.4g} and {high:.4g}", *(one.line for one in known[:1]))
    sentence = f"its steps are not {asked}: {share}; {there}"
    near: Diagnosis = made(DEPARTS, sentence, first=first, nearest=known[0] if known else None, details=details)
    return near


def _pattern(formula: Any, found: Comparison, asked: str, readings: Sequence[ReadablePath]) -> Pattern | None:
    """Return the first that explains all steps: a factor that has a name, a changed formula, any other factor, a cap."""
    times = factor(found, asked)
    named = times if times is not None and times.constant is not None and short_name(times.constant) else None
    return (
        named
        or (ignored(formula, found, asked, partial(by_formula, readings)) if formula is not None else None)
        or times
        or (clipped(found, asked) if formula is not None else None)
    )


def _by_pattern(made: Any, pattern: Pattern) -> Diagnosis:
    told: Diagnosis = made(pattern.kind, pattern.sentence, first=pattern.first, constant=pattern.constant)
    return told


def _made(found: Comparison, kind: str, sentence: str, *, declared: bool, clean: bool = False, **more: Any) -> Diagnosis:
    counts: dict[str, Any] = {"compared": found.count, "equal": found.equal, "problems": len(found.used)}
    return Diagnosis(kind=kind, sentence=sentence, clean=clean, declared=declared, **counts, **more)


# -- an inequality ---------------------------------------------------------------------------------------------------------------


def _inequality(relation: Relation, readings: Sequence[ReadablePath]) -> Diagnosis:
    held = tried(readings, relation)
    told: dict[str, Any] = {"declared": True, "against": str(relation), "compared": held.asked, "equal": held.asked - held.failed}
    told |= {"problems": held.problems, "first": held.first, "constant": held.constant}
    if not held.asked:
        return Diagnosis(kind=NOTHING, sentence=f"{relation} has no value on any path", clean=False, **told)
    if held.failed:
        return Diagnosis(kind=INEQUALITY, sentence=_fails(relation, held), clean=False, **told)
    unsure = f", {held.undecided} of them within rounding" if held.undecided else ""
    said = f"its steps satisfy what it declares, {relation}: at all {held.asked} steps, on {many(held.problems, 'problem')}"
    return Diagnosis(kind=FOLLOWS, sentence=f"{said}{unsure} (numerical)", clean=True, **told)


def _fails(relation: Relation, held: InequalityCheck) -> str:
    first = held.first
    assert first is not None
    short = f"by {100 * held.short:.3g} % of the decrease that it asks for" if held.short == held.short else ""
    by = short or " against ".join(apart(first.found, first.wanted, 6))
    told = f"{relation} fails at {held.failed} of {held.asked} steps, first at {first} {by}"
    if held.constant is None or held.declared is None:
        return told
    declared = short_name(held.declared) or f"{held.declared:.4g}"
    if held.constant <= 0:
        return f"{told}; no positive constant in place of {declared} is satisfied by all steps"
    return f"{told}; the largest constant that all steps satisfy is {rounded_down(held.constant):.3g}, not {declared}"


# -- nothing declared -----------------------------------------------------------------------------------------------------------


def _undeclared(rule: Rule, readings: Sequence[ReadablePath]) -> Diagnosis:
    if fixed := _fixed(readings):
        return fixed
    known = neighbours(rule, readings)
    if not known:
        return Diagnosis(kind=UNLIKE, sentence="no known rule to compare it with", clean=True, declared=False)
    best = known[0]
    if best.found.agrees:
        said = f"its steps are those of {_described(best.rule)}: at all {best.found.where} compared (numerical)"
        return _made(best.found, FOLLOWS, said, declared=False, clean=True, nearest=best, against=best.rule.name)
    for one in known[:FEW]:
        pattern = _pattern(solved_form(one.rule), one.found, one.rule.name, with_letters_of(one.rule, readings))
        if pattern is not None:
            said = f"{one.line}; {pattern.sentence}"
            told: dict[str, Any] = {"declared": False, "nearest": one, "against": one.rule.name, "first": pattern.first}
            return _made(one.found, pattern.kind, said, constant=pattern.constant, **told)
    off = f"median relative difference {best.found.distance:.2g}"
    said = f"no known rule has these steps; {best.line} ({off})"
    return _made(best.found, UNLIKE, said, declared=False, clean=True, nearest=best, against=best.rule.name)


def _fixed(readings: Sequence[ReadablePath]) -> Diagnosis | None:
    """Return a step that never changes: the same number everywhere, or the same number over L."""
    import numpy as np

    if any(np.ptp(reading.eta) > 1e-12 * abs(reading.eta[0]) for reading in readings) or sum(r.steps for r in readings) < 2:
        return None
    steps = np.array([reading.eta[0] for reading in readings])
    L = [reading.path.problem.L for reading in readings]
    name = f"constant({number_name(float(steps[0]))})" if np.ptp(steps) <= 1e-12 * abs(steps[0]) else ""
    if not name and None not in L:
        products = steps * np.array([float(value) for value in L if value is not None])
        name = over(float(products[0]), "L") if np.ptp(products) <= 1e-9 * abs(products[0]) else ""
    said = f"its step never changes along a run{f': it is {name}' if name else ', and is another one for each problem'}"
    count = sum(reading.steps for reading in readings)
    told: dict[str, Any] = {"compared": count, "equal": count, "problems": len(readings)}
    return Diagnosis(kind=FOLLOWS, sentence=f"{said} (numerical)", clean=True, declared=False, against=name, **told)


def _described(rule: Rule) -> str:
    """1/D-as-printed, the root of eq:zero-finding as printed."""
    relation = rule.follows
    if relation is None or relation.op != "==" or explicit(relation) is not None:
        return rule.name
    text = canonical_step(relation)
    for bound in bounds():
        if any(canonical_step(link) == text for tree in bound.trees for link in links(tree)):
            return f"{rule.name}, the root of {bound.label} as {bound.reading}"
    return rule.name
