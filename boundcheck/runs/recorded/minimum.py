"""Where x* and f* may be, from what was recorded and declared: enclosures that hold for every minimum which the data allow.

For a mu-strongly convex f, with g = grad f(x): <g, x - x*> >= mu |x - x*|^2, so x* is within |g| / (2 mu) of x - g / (2 mu); and
f* >= f(x) - |g|^2 / (2 mu). For an L-smooth f: f* <= f(x) - |g|^2 / (2 L), and f* >= f(x) - L |x - x*|^2 / 2. For a convex f the
tangent at x lies below f* at x*. Without strong convexity the best value bounds f* from above only, and x* may be anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boundcheck.model.problem import Convex
from boundcheck.runs.recorded.recording import Floats, NotARun, Recorded
from boundcheck.runs.recorded.rounding import Errors

ROUNDING = 1e-12  # relative, of the sums below
NAMES = {"f_star": "f*", "x_star": "x*"}


@dataclass(frozen=True)
class MinimumEnclosure:
    """f* within `value_error` of `value`, x* within `radius` of `point`; infinite where nothing bounds it."""

    value: float
    value_error: float
    point: Floats | None
    radius: float

    def open(self, run: Recorded) -> str:
        """What the data leave open of the estimates, and what would bound it; "" where they are bounded."""
        errors = {"f_star": self.value_error, "x_star": self.radius}
        names = [NAMES[name] for name in run.estimated if not np.isfinite(errors[name])]
        if not names:
            return ""
        best = f", f* is any number up to {self.value:.6g}" if "f*" in names else ""
        where = ", x* any point" if "x*" in names else ""
        advice = "declare StronglyConvex(mu), with which the gradients bound them, or give x_star= and f_star="
        return f"the run does not bound {' and '.join(names)}{best}{where}: {advice}"

    def note(self, run: Recorded) -> str:
        """Within what the estimates are known; "" where nothing is estimated."""
        if not run.estimated or self.open(run):
            return self.open(run)
        told = {
            "f_star": f"f* within {self.value_error:.3g} of {self.value:.6g}",
            "x_star": f"x* within a radius of {self.radius:.3g}",
        }
        known = ", ".join(told[name] for name in run.estimated)
        return f"estimated from the gradients and mu: {known}; what this hides is undecided"


def star(run: Recorded, errors: Errors) -> MinimumEnclosure:
    """The enclosures of a run's f* and x*; of what the user gave, as good as it was given."""
    value = np.nan if run.f_star is None else run.f_star
    given = MinimumEnclosure(value, run.relative_error * abs(value), run.x_star, 0.0)
    if not run.estimated:
        return given
    with np.errstate(all="ignore"):
        point, radius = _near(run, errors) if "x_star" in run.estimated else (run.x_star, 0.0)
        if "f_star" not in run.estimated:
            return MinimumEnclosure(given.value, given.value_error, point, radius)
        low, high = _between(run, errors)
    if low > high:
        raise NotARun(f"what is declared contradicts the run: f* would be at least {low:.6g} and at most {high:.6g}")
    if not np.isfinite(low):
        return MinimumEnclosure(high, np.inf, point, radius)
    return MinimumEnclosure((low + high) / 2, abs(high - low) / 2 + ROUNDING * (abs(low) + abs(high)), point, radius)


def _sizes(run: Recorded, errors: Errors) -> tuple[Floats, Floats]:
    """The least and the largest that each gradient's norm may be."""
    if run.grad is None:
        return np.zeros(len(run.f)), np.full(len(run.f), np.inf)
    sizes = np.linalg.norm(run.grad, axis=-1)
    least: Floats = np.maximum(sizes - errors.gradient, 0.0) * (1 - ROUNDING)
    most: Floats = (sizes + errors.gradient) * (1 + ROUNDING)
    return least, most


def _near(run: Recorded, errors: Errors) -> tuple[Floats, float]:
    """A centre and a radius of a ball that contains x*."""
    assert run.x is not None
    mu = float(run.mu)
    best = run.x[run.best]
    if not mu > 0:
        return best, np.inf
    if "f_star" not in run.estimated and run.f_star is not None:  # mu/2 |x - x*|^2 <= f(x) - f*
        above = run.f + errors.value - run.f_star * (1 - np.sign(run.f_star) * run.relative_error)
        far = np.sqrt(np.maximum(above, 0.0) * 2 / mu) * (1 + ROUNDING) + ROUNDING * np.linalg.norm(run.x, axis=-1)
        return run.x[int(far.argmin())], float(far.min())
    if run.grad is None:
        return best, np.inf
    _, most = _sizes(run, errors)
    n = int(most.argmin())
    centre = run.x[n] - run.grad[n] / (2 * mu)
    radius = (most[n] + errors.gradient[n]) / (2 * mu) * (1 + ROUNDING) + ROUNDING * float(np.linalg.norm(centre))
    return centre, float(radius)


def _between(run: Recorded, errors: Errors) -> tuple[float, float]:
    """The least and the largest that f* may be."""
    least, most = _sizes(run, errors)
    mu, smooth = float(run.mu), None if run.L is None else float(run.L)
    below = run.f - errors.value
    high = run.f + errors.value - (0.0 if not smooth else least**2 / (2 * smooth))
    lows = [np.full(len(run.f), -np.inf)]
    if mu > 0:
        lows.append(below - most**2 / (2 * mu))
    if "x_star" not in run.estimated and run.x_star is not None and run.x is not None:
        across = run.x_star - run.x
        far = np.linalg.norm(across, axis=-1) * (1 + ROUNDING)
        if smooth is not None:
            lows.append(below - smooth / 2 * far**2)
        if run.grad is not None and any(isinstance(fact, Convex) for fact in run.facts):
            lows.append(below + (run.grad * across).sum(-1) - (errors.gradient + ROUNDING * most) * far)
    low = float(np.nanmax(np.concatenate(lows)))
    top = float(np.nanmin(high))
    return low - ROUNDING * abs(low), top + ROUNDING * abs(top)
