"""Tests of the facts that a problem declares, its minimiser among them, on random pairs and along lines, at 50 digits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from boundcheck.model.problem import Convex, Problem
from boundcheck.testing.contract import FLOAT64, MP, Wrong, lift, lines, near, pairs, points, shown, span

GRID = 401
VANISHED, ROUNDING = 1e-4, 1e-8
ZOOMS, PIECES = 30, 16  # down to 16^-30 = 2^-120 of the first width; 50 digits are 166 bits


def steepest_pairs(problem: Problem, *, seed: int = 0) -> Iterator[tuple[Any, Any]]:
    """Yield pairs (x, d) of neighbours on lines where the gradient turns least, and where it turns most."""
    plain = FLOAT64.plain
    at = np.linspace(-1, 1, GRID)
    for x, v in lines(problem, seed=seed):
        rows = x + (span(problem) * at)[:, None] * v
        with np.errstate(all="ignore"):
            change = np.diff(problem.grad(plain, rows), axis=0)
            turned, moved = change @ v, np.linalg.norm(change, axis=1)
        for n in {int(np.nanargmin(turned)), int(np.nanargmax(moved))}:
            yield rows[n], rows[n + 1] - rows[n]


def jump_of_the_gradient(problem: Problem) -> tuple[float, Any] | None:
    """Return how much of the change of <grad f, v> along a line stays when one looks ever closer, and where; None for nothing."""
    return _jump(problem, lambda s, width: np.abs(np.diff(s)))


def jump_of_the_curvature(problem: Problem) -> tuple[float, Any] | None:
    """Return the same for the secant slopes of the gradient."""
    return _jump(problem, lambda s, width: np.abs(np.diff(s, 2)) / width)


def _jump(problem: Problem, jumps: Any) -> tuple[float, Any] | None:
    """Return the largest jump over neighbouring pieces.

    Then over those of the piece around it, and so on. A continuous one vanishes.
    """
    worst: tuple[float, Any] | None = None
    reach = span(problem)
    grid = np.linspace(-1.003 * reach, 0.997 * reach, GRID)  # beside the middle, where a formula may divide by zero
    for x, v in lines(problem, 2, seed=1):
        u, w = lift(x, v)
        with np.errstate(all="ignore"):
            s = problem.grad(FLOAT64.plain, x + grid[:, None] * v) @ v
            found = np.nan_to_num(jumps(s, grid[1] - grid[0]), nan=-1.0)
        first, smallest = found.max(), ROUNDING * np.abs(s).max() / max(1.0, reach)
        over = GRID - len(found)  # the pieces that a jump is over: one, or two
        low, width = MP.scalar(grid[int(found.argmax())]), MP.scalar(over * (grid[1] - grid[0])) / PIECES
        for _ in range(ZOOMS):
            t = low + width * MP.scalars(np.arange(PIECES + 1))
            found = jumps(MP.dot(problem.grad(MP, u + MP.scale(t, w[None])), w), width)
            n = int(np.argmax(found))
            if not found[n] > max(VANISHED * first, smallest):
                break
            low, width = low + n * width, over * width / PIECES
        else:
            if worst is None or found[n] / first > worst[0]:
                worst = (float(found[n] / first), x + float(low) * v)
    return worst


JUMP = 0.01  # of the first one: what is left of a jump at 2^-120 of its width is no slope


def f_is_convex(problem: Problem) -> None:
    """f at the middle of a chord is at most the mean of its ends, and the gradient is monotone."""
    do = "correct f and grad, or do not declare Convex"
    for row, step in chain(pairs(problem, 48, seed=3), steepest_pairs(problem)):
        x, d = lift(row, step)
        y = x + d
        middle = problem.f(MP, x + MP.scale(MP.scalar(0.5), d))
        mean = (problem.f(MP, x) + problem.f(MP, y)) / 2
        where = f"between x = {shown(row)} and x + {shown(step)}"
        if not middle <= mean + 1e-40 * (1 + abs(mean)):
            raise Wrong(found=f"f = {MP.text(middle)} in the middle {where}", needed=f"at most the mean {MP.text(mean)}", do=do)
        turned = MP.dot(problem.grad(MP, y) - problem.grad(MP, x), d)
        if not turned >= -1e-45 * MP.norm(d):
            raise Wrong(found=f"a gradient that turns by {MP.text(turned)} {where}", needed="at least 0", do=do)


def the_gradient_is_lipschitz(problem: Problem) -> None:
    """Along random displacements, and along one that follows the differences of the gradient towards the steepest direction."""
    assert problem.L is not None
    for i, (row, step) in enumerate(chain(pairs(problem, 12, seed=4), steepest_pairs(problem))):
        x, d = lift(row, step)
        change = problem.grad(MP, x + d) - problem.grad(MP, x)
        for _ in range(12 if i == 0 and problem.dimension > 1 and MP.norm(change) > 0 else 0):
            d = MP.scale(MP.norm(d) / MP.norm(change), change)
            change = problem.grad(MP, x + d) - problem.grad(MP, x)
        steepness = MP.norm(change) / MP.norm(d)
        if not steepness <= MP.scalar(problem.L) * (1 + MP.scalar(1e-30)):
            raise Wrong(
                found=f"a gradient that moves by {MP.text(steepness)} times the displacement at x = {shown(row)}",
                needed=f"at most L = {float(problem.L):.12g}",
                do="declare Smooth with a larger L, or not at all",
            )


def the_gradient_is_locally_lipschitz(problem: Problem) -> None:
    """Between any two points of a ball, the gradient moves by at most the bound for the ball times their distance."""
    assert problem.local_smoothness is not None
    rng = np.random.default_rng(13)
    for x in points(problem, 16, seed=13):
        radius = float(rng.uniform(0, 2) * np.linalg.norm(x))
        bound = float(problem.local_smoothness(x[None], np.array([radius]))[0])
        ends = x + radius * rng.uniform(-1, 1, (2, 40, problem.dimension)) / problem.dimension**0.5
        ends[:, 0], ends[0, 1] = x + radius / problem.dimension**0.5, x - radius / problem.dimension**0.5
        ends[1, 0] -= 1e-6 * radius
        u, v = lift(*ends)
        steepness = max(MP.norm(problem.grad(MP, u) - problem.grad(MP, v)) / MP.norm(u - v))
        if not steepness <= bound:
            raise Wrong(
                found=f"local_smoothness = {bound} on the ball of radius {radius:.6g} about {shown(x)}",
                needed=f"at least {MP.text(steepness)}, which is reached there",
                do="correct local_smoothness: an upper bound for every pair of points of the ball",
            )


def the_gradient_is_strongly_monotone(problem: Problem) -> None:
    for row, step in chain(pairs(problem, 12, seed=6), steepest_pairs(problem)):
        x, d = lift(row, step)
        curvature = MP.dot(problem.grad(MP, x + d) - problem.grad(MP, x), d) / MP.normsq(d)
        if not curvature >= MP.scalar(problem.mu) * (1 - MP.scalar(1e-30)):
            raise Wrong(
                found=f"a chord of curvature {MP.text(curvature)} at x = {shown(row)}",
                needed=f"at least mu = {float(problem.mu):.12g}",
                do="declare StronglyConvex with a smaller mu, or not at all",
            )


def the_gradient_is_affine(problem: Problem) -> None:
    """What IsQuadratic says: the gradient in the middle of a chord is the mean of those at its ends."""
    for row, step in pairs(problem, 8, seed=15):
        x, d = lift(row, step)
        ends = problem.grad(MP, x + d) + problem.grad(MP, x - d)
        off = MP.norm(ends - MP.scale(MP.scalar(2), problem.grad(MP, x)))
        if not off <= 1e-40 * (1 + MP.norm(ends)):
            raise Wrong(
                found=f"a gradient that is off the mean of its neighbours by {MP.text(off)} at x = {shown(row)}",
                needed="0: the gradient of a quadratic is affine",
                do="do not declare IsQuadratic, or correct grad",
            )


def the_gradient_is_continuous(problem: Problem) -> None:
    """What Differentiable says of a convex f, seen along lines."""
    if (jump := jump_of_the_gradient(problem)) is not None and jump[0] > JUMP:
        raise Wrong(
            found=f"a gradient that jumps near x = {shown(jump[1])}",
            needed="a continuous gradient: a convex differentiable f is C^1",
            do="do not declare Differentiable, or correct grad",
        )


def the_hessian_is_continuous(problem: Problem) -> None:
    """What TwiceDifferentiable says, seen along lines."""
    if (jump := jump_of_the_curvature(problem)) is not None and jump[0] > JUMP:
        raise Wrong(
            found=f"a slope of the gradient that jumps near x = {shown(jump[1])}",
            needed="a continuous Hessian",
            do="do not declare TwiceDifferentiable, or correct grad",
        )


def the_minimiser_minimises(problem: Problem) -> None:
    """The gradient is 0 there, f is f*, the gap is 0, and f is nowhere smaller."""
    assert problem.minimiser is not None
    x = MP.vector(problem.minimiser.point)
    value = MP.scalar(problem.minimiser.value)
    steepness = _steepness(problem, x)
    g = problem.grad(MP, x)
    slack = 1e-40 + 2 * steepness * problem.minimiser.radius
    if not MP.norm(g) <= slack:
        raise Wrong(
            found=f"a gradient of norm {MP.text(MP.norm(g))} at the minimiser",
            needed=f"0 (at most {float(slack):.3g} for its radius of {problem.minimiser.radius:.3g})",
            do="give the point in exact numbers (Fraction), or say in `radius` how far it may be from the true one",
        )
    off = problem.minimiser.value_error + float(steepness) * problem.minimiser.radius**2
    do = "correct the minimiser's `value` (f at it, 0 unless given), or its point"
    near(problem.f(MP, x), value, "f at the minimiser", do, scale=1 + off / 1e-35)
    if problem.gap is not None:
        near(problem.gap(MP, x, g), MP.scalar(0), "the gap at the minimiser", "correct gap", scale=1 + off / 1e-35)
    for y in (*points(problem, 24, seed=7), *(() if problem.has(Convex) else _down(problem))):
        there = problem.f(MP, MP.vectors(y))
        if not there >= value - 1e-40 - off:
            raise Wrong(
                found=f"f = {MP.text(there)} at x = {shown(y)}",
                needed=f"at least f* = {MP.text(value)}",
                do="give the point where f is least, or no minimiser at all",
            )


def _steepness(problem: Problem, x: Any) -> Any:
    """Return about the largest curvature at the minimiser: what its radius may do to the gradient."""
    assert problem.minimiser is not None
    if problem.minimiser.radius == 0:
        return MP.scalar(0)
    if problem.L is not None:
        return MP.scalar(problem.L)
    r = MP.scalar(problem.minimiser.radius)
    rng = np.random.default_rng([problem.dimension, 3])
    ways = rng.standard_normal((16, problem.dimension))
    (d,) = lift(ways / np.linalg.norm(ways, axis=1)[:, None])
    change = problem.grad(MP, x + MP.scale(r, d)) - problem.grad(MP, x)
    return 4 * problem.dimension**0.5 * max(MP.norm(change)) / r


def _down(problem: Problem) -> list[Any]:
    """Return where a few searches by steepest descent end: a minimiser of a function that is not convex may be a local one."""
    plain, found = FLOAT64.plain, []
    starts = [np.array([float(v) for v in problem.start]), *points(problem, 8, seed=17, at=(6.0, 20.0, 1.5))]
    for x in starts:
        value, length = float(problem.f(plain, x)), 1.0
        for _ in range(60):
            g = problem.grad(plain, x)
            step = x - length * g
            with np.errstate(all="ignore"):
                there = float(problem.f(plain, step))
            x, value, length = (step, there, 2 * length) if there < value else (x, value, length / 4)
        found.append(x)
    return found


def the_gap_is_f_less_its_least_value(problem: Problem) -> None:
    assert problem.gap is not None and problem.infimum is not None
    least = MP.scalar(problem.infimum)
    off = 0.0 if problem.minimiser is None else problem.minimiser.value_error / 1e-35
    for row in points(problem, 6, seed=8):
        x = MP.vectors(row)
        f = problem.f(MP, x)
        where = f"gap at x = {shown(row)}"
        near(problem.gap(MP, x, problem.grad(MP, x)), f - least, where, "correct gap: f(x) - f*", scale=1 + abs(f) + off)


def the_bregman_difference_is_its_definition(problem: Problem) -> None:
    assert problem.bregman is not None
    for row, step in pairs(problem, seed=9):
        x, d = lift(row, step)
        y = x + d
        gx, gy = problem.grad(MP, x), problem.grad(MP, y)
        wanted = problem.f(MP, y) - problem.f(MP, x) - MP.dot(gx, d)
        where = f"bregman at x = {shown(row)} along d = {shown(step)}"
        do = "correct bregman: f(x + d) - f(x) - <grad f(x), d>"
        # 50 digits less those that the definition itself loses by cancellation
        near(problem.bregman(MP, x, d, gx, gy), wanted, where, do, scale=1e-5 * abs(problem.f(MP, x)) + 1e-8)
