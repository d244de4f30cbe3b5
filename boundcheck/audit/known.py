"""The rules of the library at the points of someone else's path: which steps would each have taken there?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from boundcheck.audit.reading import Floats, Reading
from boundcheck.language.ranges import reads
from boundcheck.language.relations import Relation
from boundcheck.library.catalogue import rules
from boundcheck.model.rule import Rule

MOMENTS = 25  # of a path at which rules are asked whose step is no plain formula: a count, and not a time


def rules_like(rule: Rule) -> list[Rule]:
    """The library's rules for the methods that this rule drives."""
    return [known for known in rules().values() if set(known.methods) & set(rule.methods) and known.name != rule.name]


def steps_of(known: Iterable[Rule], reading: Reading, moments: int = MOMENTS) -> dict[str, Floats]:
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
    """The equation of a rule's steps: the one that is solved for them, where there is one."""
    return rule.follows if rule.formula is None else rule.formula


def first_step(rule: Rule) -> int:
    """The first step that a rule's formula gives: those before it are the rule's own choice."""
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
