"""Tests of gradients, Hessians and secant slopes, by central differences at 50 digits and by dense samples of chords."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.model.problem import Problem
from boundcheck.testing.contract import Wrong
from boundcheck.testing.sample_points import FLOAT64, MP, lift, near, pairs, points, shown

H = 2.0**-50  # the error of a central difference is about its square
AXES = 40  # up to this dimension, differences are taken along each coordinate


def the_gradient_is_the_slope_of_f(problem: Problem) -> None:
    """Along random directions, and along each axis: a mistake in one coordinate is named."""
    _along_the_axes(problem)
    h = MP.scalar(H)
    for x, v in pairs(problem):
        u, w = lift(x, v / np.linalg.norm(v))
        difference = (problem.f(MP, u + MP.scale(h, w)) - problem.f(MP, u - MP.scale(h, w))) / (2 * h)
        slope = MP.dot(problem.grad(MP, u), w)
        where = f"<grad f(x), v> at x = {shown(x)} along v = {shown(v / np.linalg.norm(v))}"
        near(slope, difference, where, "correct grad, or f", tolerance=1e-12)


def _along_the_axes(problem: Problem) -> None:
    h = MP.scalar(H)
    for x in points(problem, 2, seed=5, at=(1.5, 0.3)):
        u, d = lift(x, np.eye(problem.dimension)[:AXES])
        steps = MP.scale(h, d)
        differences = (problem.f(MP, u + steps) - problem.f(MP, u - steps)) / (2 * h)
        g = problem.grad(MP, u)
        for j in range(len(d)):
            where = f"coordinate {j} of grad f at x = {shown(x)}"
            near(MP.coordinate(g, j), differences[j], where, f"correct coordinate {j} of grad, or f", tolerance=1e-12)


def the_hessian_is_the_slope_of_the_gradient(problem: Problem) -> None:
    """Both `hessian_vector` and the constant `hessian` of a quadratic."""
    h = MP.scalar(H)
    for x, v in pairs(problem, 3, seed=2):
        u, w = lift(x, v / np.linalg.norm(v))
        difference = problem.grad(MP, u + MP.scale(h, w)) - problem.grad(MP, u - MP.scale(h, w))
        slope = MP.scale(1 / (2 * h), difference)
        for name, product in _products(problem, u, w):
            off = MP.norm(product - slope)
            if not off <= 1e-8 * (1 + MP.norm(slope)):
                raise Wrong(
                    found=f"{name} times v off by {float(off):.3g} from the change of the gradient at x = {shown(x)}",
                    needed="the slope of grad along v",
                    do=f"correct {name}, or grad",
                )


def _products(problem: Problem, x: Any, v: Any) -> list[tuple[str, Any]]:
    made = [] if problem.hessian_vector is None else [("hessian_vector", problem.hessian_vector(MP, x, v))]
    return made if problem.hessian is None else [*made, ("hessian", MP.matvec(problem.hessian(MP), v))]


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
            where = f"from x = {shown(chords[i][0])} along d = {shown(chords[i][1])}"
            raise Wrong(
                found=f"chord {side} = {middle[i]} +- {error[i]:.3g} {where}",
                needed=f"{best[i]}, which samples of the chord reach",
                do="correct chord: the extreme over t in (0, 1] of <grad f(x + t d) - grad f(x), d> / (t |d|^2)",
            )


def _secant_slopes(problem: Problem, x: Any, d: Any, samples: int) -> Any:
    """At equally spaced t, at t that fall geometrically to 1e-12, and then closely around the largest and the smallest found."""
    x, d = lift(x, d)

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
