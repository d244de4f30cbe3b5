"""Comparison of a path with the library's rules at the same points: the nearest rule, and the first steps of the declared one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.audit.declared_formula import by_formula, explicit
from boundcheck.audit.path_reading import Floats, ReadablePath
from boundcheck.audit.step_comparison import Comparison, beside
from boundcheck.language.ranges import reads
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Scalar
from boundcheck.library.catalogue import rules
from boundcheck.library.names import rule_named
from boundcheck.model.rule import Rule, RunEnds

MOMENTS = 25  # of a path at which rules are asked whose step is no plain formula: a count, and not a time


def rules_like(rule: Rule) -> list[Rule]:
    """Return the library's rules for the methods that this rule drives."""
    return [known for known in rules().values() if set(known.methods) & set(rule.methods) and known.name != rule.name]


def steps_of(known: Iterable[Rule], reading: ReadablePath, moments: int = MOMENTS) -> dict[str, Floats]:
    """For each rule its step at the first moments of the path, NaN where it has none. The past that they see is the path's."""
    usable = [rule for rule in known if not rule.missing(reading.path.problem) and reading.method.kind in rule.methods]
    found = {rule.name: np.full(reading.steps, np.nan) for rule in usable}

    def look(run: Any) -> None:
        for rule in usable if run.k < moments else ():
            if run.k >= first_step(rule):
                found[rule.name][run.k] = _step(rule, run)

    if usable and reading.steps:
        reading.again(look)
    return found


def written(rule: Rule) -> Relation | None:
    """Return the equation of a rule's steps: the one that is solved for them, where there is one."""
    return rule.follows if rule.formula is None else rule.formula


def first_step(rule: Rule) -> int:
    """Return the first step that a rule's formula gives: those before it are the rule's own choice."""
    relation = written(rule)
    if relation is None or not relation.free:
        return 0
    (letter, *_) = sorted(relation.free)
    return max([0, *(-lowest for _, lowest in reads(relation, {letter: 0}))])


def _step(rule: Rule, run: Any) -> float:
    try:
        with np.errstate(all="ignore"):
            return float(np.asarray(rule.step(run)).reshape(-1)[0])
    except Exception:  # no step here: whatever the reason, there is nothing to compare with
        return float("nan")


def beginning(rule: Rule, readings: Sequence[ReadablePath]) -> Comparison:
    """Return the steps before the formula's first beside those of the named rule; no step at all where no rule is named."""
    named = rule_named(rule.means) if rule.means else None
    if named is None or not (count := first_step(named)):
        return Comparison(())
    free = 0 if "(" in rule.means else 1  # a rule that is named without its numbers leaves the first step open
    return beside(readings, [_asked(named, reading, free, count) for reading in readings])


def _asked(named: Rule, reading: ReadablePath, low: int, high: int) -> Floats | None:
    """Return what the named rule answers at these moments of the path, NaN at others."""
    found = np.full(reading.steps, np.nan)
    if low >= min(high, reading.steps) or named.missing(reading.path.problem):
        return None

    def look(run: Any) -> None:
        if low <= run.k < high:
            try:
                found[run.k] = float(np.asarray(named.step(run)).reshape(-1)[0])
            except (RunEnds, ArithmeticError, TypeError, ValueError):
                return  # it has no step here: nothing to compare with

    reading.again(look)
    return found


WIDELY = 0.5  # a rule that can be asked on fewer of the steps than this is no description of them


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A known rule at the same points."""

    rule: Rule
    found: Comparison

    @property
    def line(self) -> str:
        return f"nearest known rule: {self.rule.name}, equal at {self.found.equal} of {self.found.count} steps"

    def to_json(self) -> dict[str, object]:
        median = self.found.distance if np.isfinite(self.found.distance) else None
        return {
            "rule": self.rule.name,
            "equal": self.found.equal,
            "compared": self.found.count,
            "median_relative_difference": median,
            "problems": len(self.found.used),
        }


def neighbours(rule: Rule, readings: Sequence[ReadablePath]) -> list[Neighbour]:
    """Return all rules of the library that could be asked, the nearest first: by the share of equal steps, then by the median."""
    known = rules_like(rule)
    solved = {one.name: formula for one in known if (formula := solved_form(one)) is not None}
    asked = [one for one in known if one.name not in solved]
    for reading in readings:
        reading.prepare(solved[one.name] for one in known if one.name in solved and not one.missing(reading.path.problem))
    steps = [steps_of(asked, reading) for reading in readings]
    found = []
    for one in known:
        if one.name in solved:
            found.append(Neighbour(one, by_formula(with_letters_of(one, readings), solved[one.name])))
        else:
            found.append(Neighbour(one, beside(readings, [each.get(one.name) for each in steps])))
    totals = {True: sum(r.steps for r in readings), False: sum(min(r.steps, MOMENTS) for r in readings)}
    some = (one for one in found if one.found.count > 1)
    return sorted(some, key=lambda one: _order(one.found, totals[one.rule.name in solved]))


def _order(found: Comparison, total: int) -> tuple[bool, float, float]:
    return found.count < WIDELY * total, -found.equal / found.count, found.distance


def solved_form(rule: Rule) -> Scalar | None:
    """Return the rule's own formula, where its equation is solved for the step."""
    relation = written(rule)
    return None if relation is None or relation.op != "==" else explicit(relation)


def with_letters_of(rule: Rule, readings: Sequence[ReadablePath]) -> list[ReadablePath]:
    """Return the paths on which a rule could run, read with its parameters."""
    return [reading.with_letters(rule.parameters) for reading in readings if not rule.missing(reading.path.problem)]
