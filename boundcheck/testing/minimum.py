"""The minimiser, f less its least value, and the Bregman difference: what a problem says beside f and its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.model.problem import Convex, Problem
from boundcheck.testing.contract import Wrong
from boundcheck.testing.sample_points import FLOAT64, MP, lift, near, pairs, points, shown


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
