"""The first steps of a rule that says which rule of the library it is: those that the formula does not give, adgd(1/10)'s 1/10.

A formula that reads eta_{i-2} says nothing of steps 0 and 1. The rule that is named does, and its word is what is declared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from boundcheck.audit.compared import Comparison, beside
from boundcheck.audit.known import first_step
from boundcheck.audit.reading import Floats, Reading
from boundcheck.library.names import rule_named
from boundcheck.model.rule import Rule, RunEnds


def beginning(rule: Rule, readings: Sequence[Reading]) -> Comparison:
    """The steps before the formula's first beside those of the named rule; no step at all where no rule is named."""
    named = rule_named(rule.means) if rule.means else None
    if named is None or not (count := first_step(named)):
        return Comparison(())
    free = 0 if "(" in rule.means else 1  # a rule that is named without its numbers leaves the first step open
    return beside(readings, [_asked(named, reading, free, count) for reading in readings])


def _asked(named: Rule, reading: Reading, low: int, high: int) -> Floats | None:
    """What the named rule answers at these moments of the path, NaN at others."""
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
