"""Tests of one formula in many arithmetics: float64 within its own error bounds, balls around the truth, rationals exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.base import NotInThisArithmetic
from boundcheck.model.problem import Problem
from boundcheck.testing.contract import FLOAT64, MP, Wrong, fraction, pairs, shown

XP = "compute with the functions of `xp` only: a bare float, math.sqrt or numpy function loses the enclosure"


def oracles(problem: Problem, xp: Any, x: Any, d: Any) -> Iterator[tuple[str, Any]]:
    """Yield what the problem says at x and along d, as scalars."""
    gx, gy = problem.grad(xp, x), problem.grad(xp, x + d)
    yield "f", problem.f(xp, x)
    yield "<gradient, d>", xp.dot(gx, d)
    if problem.gap is not None:
        yield "the gap", problem.gap(xp, x, gx)
    if problem.bregman is not None:
        yield "the Bregman difference", problem.bregman(xp, x, d, gx, gy)
    if problem.hessian_vector is not None:
        yield "<Hessian d, d>", xp.dot(problem.hessian_vector(xp, x, d), d)


def float64_with_bounds_encloses_the_truth(problem: Problem) -> None:
    """f, gradient, gap and Bregman difference in float64 are within their own error bounds of 50 digits."""
    for x, d in pairs(problem, seed=11):
        truth = dict(oracles(problem, MP, MP.vectors(x), MP.vectors(d)))
        for what, found in oracles(problem, FLOAT64, FLOAT64.vectors(x), FLOAT64.vectors(d)):
            off = np.abs(np.asarray(MP.middle(MP.array(truth[what]) - MP.scalars(FLOAT64.middle(found)))))
            if not (off <= FLOAT64.error(found) * (1 + 1e-12)).all():
                raise Wrong(
                    found=f"{what} in float64 at x = {shown(x)} off by {float(off):.3g}",
                    needed=f"at most its own error bound, {float(FLOAT64.error(found)):.3g}",
                    do=XP,
                )


def balls_hold_the_truth(problem: Problem) -> None:
    """The same in balls of 128 bits, which certify."""
    xp = arithmetic("ball:128")
    for x, d in pairs(problem, seed=16):
        truth = dict(oracles(problem, MP, MP.vectors(x), MP.vectors(d)))
        for what, found in oracles(problem, xp, xp.vectors(x), xp.vectors(d)):
            apart = found - xp.scalar(fraction(truth[what]))  # holds 0
            off, slack = np.abs(np.asarray(xp.middle(apart))), 1e-40 * float(abs(truth[what]) + abs(truth["f"]))
            if not (off <= xp.error(apart) + slack).all():
                raise Wrong(
                    found=f"{what} in ball:128 at x = {shown(x)} off by {float(off):.3g}",
                    needed=f"at most its radius, {float(xp.error(found)):.3g}",
                    do=XP,
                )


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
            told = (FLOAT64.error(value) < np.inf) & (FLOAT64.error(wide[what]) < np.inf)  # an infinite radius holds everything
            for k in np.flatnonzero(told & ~(off <= FLOAT64.error(value))):
                ball = f"the ball of radius {radius[k]:.3g} about x = {shown(x[k])}"
                raise Wrong(
                    found=f"{what} on {ball} without its value at + {shown(direction[k])}",
                    needed="an enclosure of the values at all points of the ball",
                    do=XP,
                )


def _answers(problem: Problem, x: Any, d: Any) -> Iterator[tuple[str, Any]]:
    yield from oracles(problem, FLOAT64, x, d)
    if problem.chord is not None:
        gx, gy = problem.grad(FLOAT64, x), problem.grad(FLOAT64, x + d)
        for side in ("sup", "inf"):
            yield f"chord {side}", problem.chord(FLOAT64, x, d, gx, gy, side)


def exact_rationals_agree(problem: Problem) -> None:
    """Where every number is rational, rationals and 50 digits say the same. A root may be irrational here and there."""
    exact, decided = arithmetic("rational"), 0
    for x, d in pairs(problem, seed=12):
        truth = dict(oracles(problem, MP, MP.vectors(x), MP.vectors(d)))
        for what, found in _in_rationals(problem, exact, x, d):
            if exact.reason(found) is not None:
                continue
            decided += 1
            off = abs(MP.scalar(Fraction(str(found.data[()]))) - truth[what])
            if not off <= 1e-35 * (abs(truth[what]) + abs(truth["f"]) + MP.scalar(1e-8)):
                raise Wrong(found=f"{what} in rationals at x = {shown(x)} off by {float(off):.3g}", needed="0", do=XP)
    start = exact.vector(problem.start)
    reason = exact.reason(problem.f(exact, start)) or exact.reason(exact.dot(problem.grad(exact, start), start))
    if not decided and reason is not None:
        raise Wrong(
            found=f"rational=True, and nothing rational at the start either: {reason}",
            needed="oracles that are rational at some points",
            do="declare rational=False",
        )


def _in_rationals(problem: Problem, exact: Any, x: Any, d: Any) -> list[tuple[str, Any]]:
    try:
        return list(oracles(problem, exact, exact.vectors(x), exact.vectors(d)))
    except NotInThisArithmetic as no:
        raise Wrong(found=f"rational=True, and {no}", needed="oracles that are rational", do="declare rational=False") from no
