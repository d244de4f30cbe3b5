"""What every problem owes, as checks that raise `Wrong`: each can be given a planted mistake, and must then say so.

Values are compared at 50 digits, where a difference of 1e-35 is a mistake in a formula and not rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import autograd  # type: ignore[import-untyped]
import autograd.numpy as anp  # type: ignore[import-untyped]
import numpy as np
from autograd.tracer import getval  # type: ignore[import-untyped]

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.plain import PlainFloat64
from boundcheck.problem import Problem

MP = arithmetic("mp:50").plain
FLOAT64 = arithmetic("float64")


class Wrong(AssertionError):
    """The problem says something about itself that is not so."""


def points(problem: Problem, count: int = 4, *, seed: int = 0, at: tuple[float, ...] = (1e-6, 0.3, 1.5, 6.0)) -> np.ndarray:
    """Float64 points around the minimiser (or the start), at several distances, on all sides."""
    rng = np.random.default_rng([seed, problem.dimension])
    middle = problem.minimiser.point if problem.minimiser else problem.start
    centre = np.array([float(value) for value in middle])
    rows = [centre + at[i % len(at)] * rng.standard_normal(problem.dimension) for i in range(count)]
    return np.array(rows)


def pairs(problem: Problem, count: int = 8, *, seed: int = 0) -> Iterator[tuple[Any, Any]]:
    """Pairs (x, d): points, and displacements of all sizes."""
    rng = np.random.default_rng([seed, problem.dimension, 1])
    for i, x in enumerate(points(problem, count, seed=seed)):
        yield x, (1e-8, 0.1, 1.0, 5.0)[(i // 4 + i) % 4] * rng.standard_normal(problem.dimension)


def _lift(*rows: Any) -> tuple[Any, ...]:
    return tuple(MP.vectors(row) for row in rows)


def _near(found: Any, expected: Any, what: str, scale: Any = 1, tolerance: float = 1e-35) -> None:
    size = abs(scale) + abs(expected)
    if not abs(found - expected) <= tolerance * size:
        raise Wrong(f"{what}: found {MP.text(found)}, expected {MP.text(expected)}")


def the_gradient_is_the_slope_of_f(problem: Problem) -> None:
    """Central differences at 50 digits: their error is h^2, far below what a wrong formula would show."""
    h = MP.scalar(2.0**-50)
    for x, v in pairs(problem):
        x, v = _lift(x, v / np.linalg.norm(v))
        difference = (problem.f(MP, x + MP.scale(h, v)) - problem.f(MP, x - MP.scale(h, v))) / (2 * h)
        _near(difference, MP.dot(problem.grad(MP, x), v), "the slope of f", scale=1, tolerance=1e-12)


class _Autodiff(PlainFloat64):
    """float64 formulas that autograd can trace."""

    def abs(self, a: Any) -> Any:
        return anp.abs(a)

    def sqrt(self, a: Any) -> Any:
        return anp.sqrt(a)

    def minimum(self, a: Any, b: Any) -> Any:
        return anp.minimum(a, b)

    def maximum(self, a: Any, b: Any) -> Any:
        return anp.maximum(a, b)

    def choose(self, condition: Any, a: Any, b: Any) -> Any:
        return anp.where(np.asarray(condition) == 1, a, b)

    def compare(self, a: Any, b: Any) -> Any:
        return super().compare(_plain(a), _plain(b))

    def array(self, values: Any) -> Any:
        return values if hasattr(values, "_value") else super().array(values)

    def dot(self, u: Any, v: Any) -> Any:
        return anp.sum(u * v, axis=-1)

    def matvec(self, matrix: Any, v: Any) -> Any:
        return anp.dot(v, matrix.columns)

    def softplus_sum(self, v: Any) -> Any:
        return anp.sum(anp.logaddexp(0.0, v), axis=-1)

    def sigmoid(self, v: Any) -> Any:
        return 1 / (1 + anp.exp(-v))

    def from_coordinates(self, coordinates: Any) -> Any:
        return anp.stack(coordinates, axis=-1)


def _plain(a: Any) -> Any:
    while hasattr(a, "_value"):
        a = getval(a)
    return a


AUTODIFF = _Autodiff()


def the_gradient_agrees_with_autodiff(problem: Problem) -> None:
    plain = FLOAT64.plain
    slope = autograd.grad(lambda x: problem.f(AUTODIFF, x))
    for x in points(problem, seed=5):
        found, expected = problem.grad(plain, x), slope(x)
        if not np.linalg.norm(found - expected) <= 1e-10 * (1 + np.linalg.norm(expected)):
            raise Wrong(f"the gradient at {x[:3]}: found {found[:3]}, autodiff says {expected[:3]}")


def the_hessian_is_the_slope_of_the_gradient(problem: Problem) -> None:
    assert problem.hessian_vector is not None
    h = MP.scalar(2.0**-50)
    for x, v in pairs(problem, 3, seed=2):
        x, v = _lift(x, v / np.linalg.norm(v))
        difference = problem.grad(MP, x + MP.scale(h, v)) - problem.grad(MP, x - MP.scale(h, v))
        wanted = problem.hessian_vector(MP, x, v)
        off = MP.norm(MP.scale(1 / (2 * h), difference) - wanted)
        _near(off, MP.scalar(0), "the Hessian times a vector", scale=1 + MP.norm(wanted), tolerance=1e-8)


def f_is_convex(problem: Problem) -> None:
    """f at the middle of a chord is at most the mean of its ends, and the gradient is monotone."""
    for x, d in pairs(problem, 12, seed=3):
        x, d = _lift(x, d)
        y = x + d
        middle = problem.f(MP, x + MP.scale(MP.scalar(0.5), d))
        mean = (problem.f(MP, x) + problem.f(MP, y)) / 2
        if not middle <= mean + 1e-40 * (1 + abs(mean)):
            raise Wrong(f"convex: f at a middle is {MP.text(middle)}, above the mean {MP.text(mean)} of the ends")
        if not MP.dot(problem.grad(MP, y) - problem.grad(MP, x), d) >= -1e-45 * MP.norm(d):
            raise Wrong("convex: the gradient is not monotone")


def the_gradient_is_lipschitz(problem: Problem) -> None:
    """Along random displacements, and along those that the differences of the gradient lead to: the steepest direction, on a quadratic."""
    assert problem.L is not None
    for i, (x, d) in enumerate(pairs(problem, 12, seed=4)):
        x, d = _lift(x, d)
        for _ in range(1 if i else 12 if problem.dimension > 1 else 1):
            before, change = d, problem.grad(MP, x + d) - problem.grad(MP, x)
            d = MP.scale(MP.norm(d) / MP.norm(change), change) if i == 0 and problem.dimension > 1 else d
        steepness = MP.norm(change) / MP.norm(before)
        if not steepness <= MP.scalar(problem.L) * (1 + MP.scalar(1e-30)):
            raise Wrong(f"L = {float(problem.L)}: the gradient moves by {MP.text(steepness)} times the displacement")


def the_gradient_is_strongly_monotone(problem: Problem) -> None:
    for x, d in pairs(problem, 12, seed=6):
        x, d = _lift(x, d)
        curvature = MP.dot(problem.grad(MP, x + d) - problem.grad(MP, x), d) / MP.normsq(d)
        if not curvature >= MP.scalar(problem.mu) * (1 - MP.scalar(1e-30)):
            raise Wrong(f"mu = {float(problem.mu)}: a chord has curvature {MP.text(curvature)}")


def the_minimiser_minimises(problem: Problem) -> None:
    """The gradient is 0 there, f is f*, the gap is 0, and f is nowhere smaller."""
    assert problem.minimiser is not None
    x = MP.vector(problem.minimiser.point)
    value = MP.scalar(problem.minimiser.value)
    slack = 1e-40 + 100 * problem.minimiser.radius
    g = problem.grad(MP, x)
    if not MP.norm(g) <= slack:
        raise Wrong(f"the minimiser: the gradient there has norm {MP.text(MP.norm(g))}")
    _near(problem.f(MP, x), value, "f at the minimiser")
    if problem.gap is not None:
        _near(problem.gap(MP, x, g), MP.scalar(0), "the gap at the minimiser")
    for y in points(problem, 8, seed=7):
        if not problem.f(MP, MP.vectors(y)) >= value - 1e-40:
            raise Wrong("the minimiser: f is smaller elsewhere")


def the_gap_is_f_less_its_least_value(problem: Problem) -> None:
    assert problem.gap is not None and problem.minimiser is not None
    for x in points(problem, 6, seed=8):
        x = MP.vectors(x)
        _near(problem.gap(MP, x, problem.grad(MP, x)), problem.f(MP, x) - MP.scalar(problem.minimiser.value), "the gap")


def the_bregman_difference_is_its_definition(problem: Problem) -> None:
    assert problem.bregman is not None
    for x, d in pairs(problem, seed=9):
        x, d = _lift(x, d)
        y = x + d
        gx, gy = problem.grad(MP, x), problem.grad(MP, y)
        wanted = problem.f(MP, y) - problem.f(MP, x) - MP.dot(gx, d)
        # 50 digits less those that the definition itself loses by cancellation
        _near(problem.bregman(MP, x, d, gx, gy), wanted, "the Bregman difference", scale=1e-5 * abs(problem.f(MP, x)) + 1e-8)


def the_chord_quantities_enclose_dense_samples(problem: Problem, *, loose: float = 2e-3, count: int = 64, samples: int = 257) -> None:
    """In float64 with error bounds: the enclosure of the sup reaches above every secant slope, and is not far above the largest."""
    assert problem.chord is not None
    for x, d in pairs(problem, count, seed=10):
        bounded_x, bounded_d = FLOAT64.vectors(x), FLOAT64.vectors(d)
        gx, gy = problem.grad(FLOAT64, bounded_x), problem.grad(FLOAT64, bounded_x + bounded_d)
        slopes = _secant_slopes(problem, x, d, samples)
        for side, best in (("sup", max(slopes)), ("inf", min(slopes))):
            answer = problem.chord(FLOAT64, bounded_x, bounded_d, gx, gy, side)
            middle, error = float(FLOAT64.middle(answer)), float(FLOAT64.error(answer))
            if not error < np.inf:
                raise Wrong(f"chord {side} at x = {x[:2]}, d = {d[:2]}: no finite enclosure")
            outward = middle + error - best if side == "sup" else best - (middle - error)
            inward = middle - error - best if side == "sup" else best - (middle + error)
            spread = loose * (1 + abs(best))
            if not (outward >= -1e-14 * abs(best) and inward <= spread):
                raise Wrong(f"chord {side} at x = {x[:2]}, d = {d[:2]}: found {middle} +- {error}, samples reach {best}")


def _secant_slopes(problem: Problem, x: Any, d: Any, samples: int) -> list[float]:
    """At equally spaced t, and at t = 1/2, 1/4, ... down to 2^-60: much may happen at once."""
    x, d = _lift(x, d)
    t = MP.scalars(np.r_[np.arange(1, samples) / (samples - 1), 2.0 ** -np.arange(1, 61)])
    differences = problem.grad(MP, x + MP.scale(t, d + 0 * t[:, None])) - problem.grad(MP, x)
    return [float(value) for value in MP.dot(differences, d) / (t * MP.normsq(d))]


def float64_with_bounds_encloses_the_truth(problem: Problem) -> None:
    """f, gradient, gap and Bregman difference in float64 are within their own error bounds of 50 digits."""
    for x, d in pairs(problem, seed=11):
        for what, found, wanted in _oracles(problem, x, d):
            off = np.abs(np.asarray(MP.middle(MP.array(wanted) - MP.scalars(FLOAT64.middle(found)))))
            if not (off <= FLOAT64.error(found) * (1 + 1e-12)).all():
                raise Wrong(f"{what} in float64 at {x[:2]} is off by {off}, its bound says {FLOAT64.error(found)}")


def _oracles(problem: Problem, x: Any, d: Any) -> Iterator[tuple[str, Any, Any]]:
    answers = []
    for xp in (FLOAT64, MP):
        u, step = xp.vectors(x), xp.vectors(d)
        gx, gy = problem.grad(xp, u), problem.grad(xp, u + step)
        made = {"f": problem.f(xp, u), "|gradient|": xp.norm(gx)}
        if problem.gap is not None:
            made["the gap"] = problem.gap(xp, u, gx)
        if problem.bregman is not None:
            made["the Bregman difference"] = problem.bregman(xp, u, step, gx, gy)
        answers.append(made)
    for what, found in answers[0].items():
        yield what, found, answers[1][what]
