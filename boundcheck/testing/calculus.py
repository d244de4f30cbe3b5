"""Is the gradient the slope of f, and the Hessian that of the gradient? By central differences at 50 digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.model.problem import Problem
from boundcheck.testing.finding import Wrong
from boundcheck.testing.places import MP, lift, near, pairs, points, shown

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
