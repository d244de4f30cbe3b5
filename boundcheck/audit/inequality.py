"""A rule that declares an inequality, such as Armijo's: where it fails, by how much, and with which constant it would not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boundcheck.audit.declared_formula import coefficient, signed_terms, total
from boundcheck.audit.path_reading import NOT_READ, Floats, ReadablePath
from boundcheck.audit.step_comparison import StepDifference
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Gap, Scalar, Term, Value

SHARP = 0.01  # a ratio with more noise than this tells no constant


@dataclass(frozen=True)
class InequalityCheck:
    """Counts over all paths; `constant` is the largest that all steps satisfy in place of `declared`."""

    asked: int
    failed: int
    undecided: int
    problems: int
    first: StepDifference | None = None  # its numbers are the two sides
    short: float = 0.0  # there, the share of what is asked that is missing
    declared: float | None = None
    constant: float | None = None


def tried(readings: Sequence[ReadablePath], relation: Relation) -> InequalityCheck:
    """Return the inequality at each step of each path, failures told from rounding."""
    relation = relation.upward()
    term, rest = _split(relation)
    asked = failed = undecided = 0
    places: list[tuple[StepDifference, float]] = []
    problems, least = set(), np.inf
    for reading in readings:
        sides = _sides(reading, relation)
        if sides is None:
            continue
        low, high, noise = sides
        with np.errstate(all="ignore"):
            bad, unsure = low - high > noise, np.abs(low - high) <= noise
        defined = np.isfinite(low) & np.isfinite(high)
        bad, unsure = bad & defined, unsure & defined
        asked, failed, undecided = asked + int(defined.sum()), failed + int(bad.sum()), undecided + int(unsure.sum())
        problems |= {reading.name} if defined.any() else set()
        ratio = _ratio(reading, term, rest)
        least = min(least, np.nanmin(np.where(np.isnan(ratio), np.inf, ratio), initial=np.inf))
        if bad.any():
            at = int(bad.argmax())
            short = 1 - float(ratio[at]) if np.isfinite(ratio[at]) else float("nan")
            places.append((StepDifference(reading.name, at, float(low[at]), float(high[at])), short))
    first, short = min(places, key=lambda one: one[0].step, default=(None, 0.0))
    declared = float(coefficient(term)) if term is not None else None
    constant = declared * float(least) if declared is not None and np.isfinite(least) else None
    return InequalityCheck(asked, failed, undecided, len(problems), first, short, declared, constant)


def _sides(reading: ReadablePath, relation: Relation) -> tuple[Floats, Floats, Floats] | None:
    try:
        left, right = reading.values(relation.left), reading.values(relation.right)
    except NOT_READ:
        return None
    return left.value, right.value, left.error + right.error + _of_values(reading, relation)


def _of_values(reading: ReadablePath, relation: Relation) -> Floats:
    """What rounding makes of f(x_i) and f(x_{i+1}), where the inequality reads them: whoever tests it in floats sees no more."""
    if not any(isinstance(node, Value | Gap) for node in relation.walk()):
        return np.zeros(reading.steps)
    return np.asarray(reading.noise_of_f[:-1] + reading.noise_of_f[1:])


def _split(relation: Relation) -> tuple[Scalar | None, Scalar | None]:
    """Of left <= right, the one term that is taken off the right side and reads the step, and all the others."""
    terms = signed_terms(relation.right - relation.left)
    steps = [n for n, (sign, term) in enumerate(terms) if sign < 0 and _reads_step(term)]
    if len(steps) != 1:
        return None, None
    plus = total([term for sign, term in terms if sign > 0])
    minus = [term for n, (sign, term) in enumerate(terms) if sign < 0 and n != steps[0]]
    return terms[steps[0]][1], plus - total(minus) if minus else plus


def _reads_step(term: Scalar) -> bool:
    return any(isinstance(node, Term) and node.name == "eta" for node in term.walk())


def _ratio(reading: ReadablePath, term: Scalar | None, rest: Scalar | None) -> Floats:
    """Return how many times the term fits into the rest; NaN where rounding hides it."""
    none = np.full(reading.steps, np.nan)
    if term is None or rest is None:
        return none
    try:
        above, below = reading.values(rest), reading.values(term)
    except NOT_READ:
        return none
    with np.errstate(all="ignore"):
        sharp = (above.error <= SHARP * np.abs(above.value)) & (below.error <= SHARP * below.value)
        return np.asarray(np.where(sharp, above.value / below.value, np.nan))
