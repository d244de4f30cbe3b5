"""What a rule hands back: a step for each run of its batch, or why there is none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.model.rule import RuleError, RunEnds


def chosen(run: Any, steps: list[Any]) -> Any:
    """One number for each run. A run alone without a step ends here; in a batch its entry is undefined, and says why."""
    if len(steps) == 1:
        if isinstance(steps[0], Undefined):
            raise RunEnds(f"no step at step {run.k}: {steps[0].reason}")
        return run.xp.array(steps[0])[()]
    made = np.empty(len(steps), dtype=object)
    made[:] = steps
    return made if any(isinstance(step, Undefined) for step in steps) else made.astype(run.xp.dtype)


def each(xp: Any, numbers: Any) -> list[Any]:
    """One number a run, as a list. Of balls the middles: a rule chooses, it proves nothing, and middles have an order."""
    return list(np.atleast_1d(np.asarray(xp.stored(numbers))))


def positive(value: Exact, what: str) -> Fraction:
    """A positive number, exactly as given."""
    try:
        number = Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise RuleError(f"{what} is a positive number; found {value!r}") from None
    if number <= 0:
        raise RuleError(f"{what} is a positive number; found {value}")
    return number
