"""A stretch of a run: points, gradients and steps, and how far the exact run may be from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Scalars, Vectors
from boundcheck.model.problem import Problem
from boundcheck.runners.enclosures.lipschitz import beside_start, spread, stretched


class Chunk:
    """Points first..first + n - 1 of a batch of gradient descents with their gradients, and the steps between them.

    `path` has the error of the whole trajectory; `exact` takes each stored point as exact, but for a start that was rounded;
    `image` is the exact image of the point before, known within the error of one step.
    """

    def __init__(self, problem: Problem, xp: Arithmetic, first: int, x: Any, g: Any, eta: Any, radius: Any) -> None:
        self.xp, self.first, self.count, self.runs = xp, first, x.shape[1], len(x)
        self.eta = xp.scalars(eta.copy())  # the run's buffer is written over; this column is kept
        if xp.exact:
            self._points = {"path": xp.vectors(x)}
            self._grads = {"path": xp.vectors(g)}
            self.radius = radius
            return
        n = eta.shape[1]
        exact = xp.vectors(x)
        self.stored = g
        formula = xp.vectors(g) if xp.plain.encloses else problem.grad(xp, exact)
        grad = xp.observed(g, formula)
        moved = xp.descended(exact[:, :n], self.eta, formula[:, :n])
        self.radii: Any = None
        if xp.certified:
            from boundcheck.runners.enclosures.descent_tube import DescentRadii, coordinates_apart
            from boundcheck.runners.enclosures.tube import lengths

            self.radii = radius if isinstance(radius, DescentRadii) else DescentRadii(problem, xp, radius)
            apart = coordinates_apart(xp, moved, x[:, 1:])
            self.step_error, self.radius = lengths(apart), self.radii.extend(first, x, eta, apart)
        else:
            self.step_error = xp.apart(moved, x[:, 1:])
            smooth = problem.L is not None or problem.local_smoothness is None
            self.radius = spread(problem, radius, eta, self.step_error, None if smooth else x)
        one_step = np.concatenate([np.zeros((len(x), 1)), self.step_error], axis=1)
        within: Callable[[Any, Any], Vectors] = xp.vectors if xp.certified else lambda x, radius: xp.enlarge(exact, radius)
        as_stored = np.zeros_like(one_step)
        if first == 0:
            beside_start(as_stored, one_step, self.radius)
        self._points = {"exact": within(x, as_stored), "image": within(x, one_step), "path": within(x, self.radius)}
        self._grads = {
            "exact": self._gradient(problem, grad, as_stored, "exact") if as_stored.any() else grad,
            "image": self._gradient(problem, grad, one_step, "image"),
            "path": self._gradient(problem, grad, self.radius, "path"),
        }

    def carried(self, index: int) -> Any:
        """What a chunk that begins with a point of this one must know of the error by then."""
        return self.radius if self.xp.exact else self.radius[:, index] if self.radii is None else self.radii

    def of(self, run: str) -> Chunk:
        if run:
            raise NotInThisArithmetic(f"the claim reads a second run, '{run}'; give it with run_together")
        return self

    def points(self, name: str, kind: str) -> Vectors:
        if name != "x":
            raise NotInThisArithmetic(f"gradient descent has no {name}")
        return self._points[kind]

    def grads(self, name: str, kind: str) -> Vectors:
        if name != "x":
            raise NotInThisArithmetic(f"gradient descent has no {name}")
        return self._grads[kind]

    def numbers(self, name: str) -> Scalars:
        if name != "eta":
            raise NotInThisArithmetic(f"gradient descent records no {name}")
        return self.eta

    def step_scale(self, kind: str) -> Scalars:
        """s_n with x_{n+1} - x_n = -s_n grad f(x_n)."""
        return self.eta

    def _gradient(self, problem: Problem, grad: Vectors, radius: Any, kind: str) -> Vectors:
        """The gradient within a radius of each stored point: L times the radius from the gradient there, or by the formula."""
        if problem.L is not None:
            return self.xp.enlarge(grad, stretched(radius, problem.L))
        formula = problem.grad(self.xp, self._points[kind])
        return formula if self.xp.plain.encloses else self.xp.observed(self.stored, formula)
