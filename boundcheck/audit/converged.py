"""Where a run is over: a formula that has no value there is no fault of the rule that computes it.

At the minimiser Polyak's step is 0/0, and where two gradients are equal so is Barzilai and Borwein's: whoever writes the formula
down need not survive that. A rule is blamed only for what it does while there is a step to choose.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.model.rule import Rule, RuleError, RunEnds

TINY = 2.0**-960  # of a sum of squares: products of smaller ones are lost


def answer(rule: Rule, run: Any) -> Any:
    """The rule's step. Where it has none because the run is over, the run ends and says so."""
    try:
        eta = rule.step(run)
    except RuleError as wrong:
        if isinstance(wrong.__cause__, ArithmeticError) or _domain(wrong.__cause__) or _returned_no_number(wrong):
            _end_if_over(run)
        raise
    if not _is_a_step(eta):
        _end_if_over(run)
    return eta


def _is_a_step(eta: Any) -> bool:
    try:
        return bool(0 < float(np.asarray(eta).reshape(-1)[0]) < math.inf)
    except (TypeError, ValueError, IndexError):
        return True  # not a number at all: the engine refuses it in its own words


def _domain(wrong: BaseException | None) -> bool:
    """The square root of a negative number, or the logarithm of 0."""
    return isinstance(wrong, ValueError) and "domain error" in str(wrong)


def _returned_no_number(wrong: RuleError) -> bool:
    """NaN, or an infinite step: what the guard of rules refuses."""
    words = ("nan", "inf", "-inf", "an infinite step")
    return wrong.__cause__ is None and any(f"returned {word}" in str(wrong) for word in words)


def _end_if_over(run: Any) -> None:
    if why := why_over(run):
        raise RunEnds(why)


def why_over(run: Any) -> str:
    """Why no formula of the gap, the gradient or its change need have a value at x_k; "" where there is a step to choose."""
    k, problem = run.k, run.problem
    with np.errstate(all="ignore"):
        x, g = (np.asarray(v, dtype=np.float64) for v in (run.x, run.grad))
        if not float(g @ g) > TINY:
            return f"the square of the gradient is too small for a float at x_{k}"
        if problem.infimum is not None and not float(problem.f(FLOAT64, x)) - float(problem.infimum) > 0:
            return f"f(x_{k}) - f* is too small to be told from 0"
        if problem.gap is not None and not float(problem.gap(FLOAT64, x, g)) > 0:
            return f"f(x_{k}) - f* is too small to be told from 0"
        if run.before is not None:
            if np.array_equal(x, run.before.x):
                return f"x_{k} is x_{k - 1}: the run does not move any more"
            if np.array_equal(g, run.before.grad):
                return f"the gradient at x_{k} is that at x_{k - 1}: a formula of its change has no value"
    return ""
