"""Why a run ends before its last step."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb

from boundcheck.arithmetic.base import Arithmetic, Order
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError

HARDLY = 2.0**-8  # the share of a gradient that may be error before it says nothing
SMALLEST = 1e-280  # of a sum of squares in float64: of smaller ones, parts may be lost
LOST = 5e-324  # in place of a sum that is 0 though its vector is not
LARGEST = 20_000  # bits of a denominator in exact rationals; beyond it a step takes seconds and the next one minutes


def why_over(total: float, k: int) -> str:
    return f"the gradient is exactly zero at x_{k}" if total == 0 else f"the run left the floating-point numbers at step {k}"


def why_over_by_squares(dd: float, gg: float, g: Any, k: int, own: bool) -> str:
    """Why a run that is told by inner products ends at x_k, or "".

    `own`: it knows its points by x - x*, and so comes nearer to x* than squares of float64 can say: it ends before that.
    """
    if own and min(dd, gg) <= SMALLEST and np.any(g != 0):
        return f"squares are too small for a float at x_{k}"
    return "" if LOST < gg < np.inf else why_over(float(np.abs(g).sum()), k)


def told_from_0(squares: Any, vectors: Any) -> Any:
    """Sums of squares, 0 only for vectors that are 0: `LOST` where all squares underflowed."""
    if not squares.all():
        squares[(squares == 0) & vectors.any(-1)] = LOST
    return squares


def too_small(k: int, xp: Arithmetic) -> str:
    return f"the gradient at x_{k} is too small to be told from 0 in {xp.name}"


def why_stop(x: Any, g: Any, k: int) -> str:
    """Why a run in rationals or at high precision cannot go on from x_k, or ""."""
    entries = [*x, *g]
    kinds = set(map(type, entries))
    if Undefined in kinds:
        reason = next(entry.reason for entry in entries if isinstance(entry, Undefined))
        return f"x_{k} or its gradient is not rational: {reason}"
    if all(entry == 0 for entry in g):
        return f"the gradient is exactly zero at x_{k}"
    if all([hasattr(kind, "is_finite") for kind in kinds]):
        return "" if all([entry.is_finite() for entry in entries]) else f"x_{k} or its gradient is not a number"
    size = max(entry.q.bit_length() if hasattr(entry, "q") else 0 for entry in x)
    return f"the numbers have {size} bits at x_{k}, more than {LARGEST}" if size > LARGEST else ""


def why_refused(rule: Rule, k: int, step: Any, grad: Any, x: Any, problem: Problem, xp: Arithmetic, gap: Any = None) -> str:
    """Why a run ends where its rule returned no positive number; where the run is not over, the rule is at fault."""
    total = float(np.abs(grad).sum()) if grad.dtype != object else 1.0
    if isinstance(step, Undefined):
        return f"rule '{rule.name}' has no step at step {k}: {step.reason}"
    if total == 0 or not np.isfinite(total) or step == np.inf:
        return why_over(total, k)
    square = float(np.dot(grad, grad)) if grad.dtype != object else 1.0
    if square == np.inf or (square == 0 and np.isnan(step)):
        return f"the square of the gradient is too {'large' if square else 'small'} for a float at x_{k}"
    told = gap is None or gap > 0
    if "infimum" in rule.needs and (not told or _is_not_told_from_0(step) or not _gap_is_positive(x, problem, xp)):
        return f"f(x_{k}) - f* is too small to be told from 0"
    if xp.plain.encloses and _is_hardly_known(xp.vectors(grad[None]), xp):
        return too_small(k, xp)
    raise RuleError(
        f"rule '{rule.name}' returned {step} at step {k} on {problem.name}; a step is a positive number: check its formula"
    )


def _is_not_told_from_0(step: Any) -> bool:
    """Is it a ball about 0, as what was made of a gap that is hardly known?"""
    return isinstance(step, arb) and step.is_finite() and not step.is_zero() and step.contains(0)


def _is_hardly_known(grad: Any, xp: Any) -> bool:
    """Is an enclosed gradient not told from 0, or to so few bits that what a rule makes of it (B g, say) may be 0?"""
    square = xp.normsq(grad)
    positive = (xp.compare(square, xp.scalar(0)) == Order.GREATER).all()
    return not positive or bool((xp.radius(grad) > HARDLY * np.sqrt(xp.middle(square))).any())


def _gap_is_positive(x: Any, problem: Problem, xp: Arithmetic) -> bool:
    at = xp.vectors(x[None])
    if problem.minimiser is None:
        return True
    if problem.gap is None:
        known = problem.minimiser.at(xp)
        gap = problem.f(xp, at) - xp.scalars([known.value], known.value_error)
    else:
        gap = problem.gap(xp, at, problem.grad(xp, at))
    return bool((xp.compare(gap, xp.scalar(0)) == Order.GREATER).all())
