"""What every problem owes, as checks that raise `Wrong`: each can be given a planted mistake, and must then say so.

Values are compared at 50 digits, where a difference of 1e-35 is a mistake in a formula and not rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import autograd
import autograd.numpy as anp
import numpy as np
from autograd.tracer import getval

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
    for x, d in pairs(problem, 48, seed=3):
        x, d = _lift(x, d)
        y = x + d
        middle = problem.f(MP, x + MP.scale(MP.scalar(0.5), d))
        mean = (problem.f(MP, x) + problem.f(MP, y)) / 2
        if not middle <= mean + 1e-40 * (1 + abs(mean)):
            raise Wrong(f"convex: f at a middle is {MP.text(middle)}, above the mean {MP.text(mean)} of the ends")
        if not MP.dot(problem.grad(MP, y) - problem.grad(MP, x), d) >= -1e-45 * MP.norm(d):
            raise Wrong("convex: the gradient is not monotone")


def the_gradient_is_lipschitz(problem: Problem) -> None:
    """Along random displacements, and along one that follows the differences of the gradient towards the steepest direction."""
    assert problem.L is not None
    for i, (x, d) in enumerate(pairs(problem, 12, seed=4)):
        x, d = _lift(x, d)
        change = problem.grad(MP, x + d) - problem.grad(MP, x)
        for _ in range(12 if i == 0 and problem.dimension > 1 else 0):
            d = MP.scale(MP.norm(d) / MP.norm(change), change)
            change = problem.grad(MP, x + d) - problem.grad(MP, x)
        steepness = MP.norm(change) / MP.norm(d)
        if not steepness <= MP.scalar(problem.L) * (1 + MP.scalar(1e-30)):
            raise Wrong(f"L = {float(problem.L)}: the gradient moves by {MP.text(steepness)} times the displacement")


def the_gradient_is_locally_lipschitz(problem: Problem) -> None:
    """Between any two points of a ball, the gradient moves by at most the bound for the ball times their distance."""
    assert problem.local_smoothness is not None
    rng = np.random.default_rng(13)
    for x in points(problem, 16, seed=13):
        radius = float(rng.uniform(0, 2) * np.linalg.norm(x))
        bound = float(problem.local_smoothness(x[None], np.array([radius]))[0])
        ends = x + radius * rng.uniform(-1, 1, (2, 40, problem.dimension)) / problem.dimension**0.5
        ends[:, 0], ends[0, 1] = x + radius, x - radius
        ends[1, 0] -= 1e-6 * radius
        u, v = _lift(*ends)
        steepness = MP.norm(problem.grad(MP, u) - problem.grad(MP, v)) / MP.norm(u - v)
        if not max(steepness) <= bound:
            raise Wrong(
                f"local smoothness: {bound} on the ball of radius {radius} about {x}, samples reach {MP.text(max(steepness))}"
            )


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


def the_chord_quantities_enclose_dense_samples(
    problem: Problem, *, loose: float = 2e-3, count: int = 40, samples: int = 65
) -> None:
    """In float64 with error bounds: the enclosure of the sup reaches above every secant slope, and is near the largest."""
    assert problem.chord is not None
    chords = list(pairs(problem, count, seed=10))
    x, d = (FLOAT64.vectors(np.array(rows)) for rows in zip(*chords, strict=True))
    gx, gy = problem.grad(FLOAT64, x), problem.grad(FLOAT64, x + d)
    slopes = [_secant_slopes(problem, *chord, samples) for chord in chords]
    for side, best in (("sup", np.array([row.max() for row in slopes])), ("inf", np.array([row.min() for row in slopes]))):
        answer = problem.chord(FLOAT64, x, d, gx, gy, side)
        middle, error = FLOAT64.middle(answer), FLOAT64.error(answer)
        sign = 1 if side == "sup" else -1
        reaches = sign * (middle - best) + error >= -1e-14 * np.abs(best)
        is_near = sign * (middle - best) - error <= loose * (1 + np.abs(best))
        for i in np.flatnonzero(~(np.isfinite(error) & reaches & is_near)):
            where = f"x = {chords[i][0][:2]}, d = {chords[i][1][:2]}"
            raise Wrong(f"chord {side} at {where}: found {middle[i]} +- {error[i]}, samples reach {best[i]}")


def _secant_slopes(problem: Problem, x: Any, d: Any, samples: int) -> Any:
    """At equally spaced t, at t that fall geometrically to 1e-12, and then closely around the largest and the smallest found."""
    x, d = _lift(x, d)

    def slopes(at: Any) -> Any:
        t = MP.scalars(at)
        differences = problem.grad(MP, x + MP.scale(t, d + 0 * t[:, None])) - problem.grad(MP, x)
        return MP.middle(MP.dot(differences, d) / (t * MP.normsq(d)))

    at = np.unique(np.r_[np.linspace(0, 1, samples)[1:], np.geomspace(1e-12, 1, samples)])
    found = slopes(at)
    for _ in range(2):
        ends = [(at[max(i - 1, 0)], at[min(i + 1, len(at) - 1)]) for i in (found.argmax(), found.argmin())]
        more = np.concatenate([np.linspace(low, high, 17) for low, high in ends])
        at, order = np.unique(np.r_[at, more], return_index=True)
        found = np.r_[found, slopes(more)][order]
    return found


def float64_with_bounds_encloses_the_truth(problem: Problem) -> None:
    """f, gradient, gap and Bregman difference in float64 are within their own error bounds of 50 digits."""
    for x, d in pairs(problem, seed=11):
        for what, found, wanted in _oracles(problem, x, d):
            off = np.abs(np.asarray(MP.middle(MP.array(wanted) - MP.scalars(FLOAT64.middle(found)))))
            if not (off <= FLOAT64.error(found) * (1 + 1e-12)).all():
                raise Wrong(f"{what} in float64 at {x[:2]} is off by {off}, its bound says {FLOAT64.error(found)}")


def enclosures_of_a_ball_hold_for_its_points(problem: Problem) -> None:
    """Every oracle at a ball, knots and 0 inside it or not, encloses what it gives at single points of the ball."""
    rng = np.random.default_rng(14)
    x, d = (np.array(rows) for rows in zip(*pairs(problem, 24, seed=14), strict=True))
    radius = np.abs(rng.standard_normal(24)) * 0.3 * np.linalg.norm(x, axis=1)
    wide = dict(_answers(problem, FLOAT64.vectors(x, radius), FLOAT64.vectors(d)))
    for _ in range(4):
        direction = rng.standard_normal(x.shape)
        direction *= (radius * rng.uniform(0, 0.999, 24) / np.linalg.norm(direction, axis=1))[:, None]
        for what, value in _answers(problem, FLOAT64.vectors(x + direction), FLOAT64.vectors(d)):
            off = abs(FLOAT64.middle(value) - FLOAT64.middle(wide[what])) - FLOAT64.error(wide[what])
            for k in np.flatnonzero((FLOAT64.error(value) < np.inf) & ~(off <= FLOAT64.error(value))):
                raise Wrong(
                    f"{what} on the ball of radius {radius[k]} about {x[k][:2]} leaves out its value at + {direction[k][:2]}"
                )


def _answers(problem: Problem, x: Any, d: Any) -> Iterator[tuple[str, Any]]:
    xp = FLOAT64
    gx, gy = problem.grad(xp, x), problem.grad(xp, x + d)
    yield "f", problem.f(xp, x)
    yield "<gradient, d>", xp.dot(gx, d)
    if problem.gap is not None:
        yield "the gap", problem.gap(xp, x, gx)
    if problem.bregman is not None:
        yield "the Bregman difference", problem.bregman(xp, x, d, gx, gy)
    if problem.chord is not None:
        for side in ("sup", "inf"):
            yield f"chord {side}", problem.chord(xp, x, d, gx, gy, side)


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
