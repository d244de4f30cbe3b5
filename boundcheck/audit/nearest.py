"""The rule of the library that is nearest to someone's steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boundcheck.audit.compared import Comparison, beside
from boundcheck.audit.declared_formula import by_formula, explicit
from boundcheck.audit.known import MOMENTS, rules_like, steps_of, written
from boundcheck.audit.reading import Reading
from boundcheck.language.scalars import Scalar
from boundcheck.model.rule import Rule

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


def neighbours(rule: Rule, readings: Sequence[Reading]) -> list[Neighbour]:
    """All rules of the library that could be asked, the nearest first: by the share of equal steps, then by the median."""
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
    """The rule's own formula, where its equation is solved for the step."""
    relation = written(rule)
    return None if relation is None or relation.op != "==" else explicit(relation)


def with_letters_of(rule: Rule, readings: Sequence[Reading]) -> list[Reading]:
    """The paths on which a rule could run, read with its parameters."""
    return [reading.with_letters(rule.parameters) for reading in readings if not rule.missing(reading.path.problem)]
