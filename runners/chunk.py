"""A stretch of a run: points, gradients and steps, and how far the exact run may be from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Scalars, Vectors
from boundcheck.problem import Convex, Problem


class Chunk:
    """Points first..first + n - 1 of a batch of gradient descents with their gradients, and the steps between them.

    `path` has the error of the whole trajectory; `exact` takes each stored point as exact; `image` is the exact image of the
    point before, known within the error of one step.
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
        moved = exact[:, :n] - xp.scale(self.eta, formula[:, :n])
        self.step_error = xp.apart(moved, x[:, 1:])
        smooth = problem.L is not None or problem.local_smoothness is None
        self.radius = spread(problem, radius, eta, self.step_error, None if smooth else x.astype(np.float64))
        one_step = np.concatenate([np.zeros((len(x), 1)), self.step_error], axis=1)
        self._points = {"exact": exact, "image": xp.vectors(x, one_step), "path": xp.vectors(x, self.radius)}
        self._grads = {
            "exact": grad,
            "image": self._gradient(problem, grad, one_step, "image"),
            "path": self._gradient(problem, grad, self.radius, "path"),
        }

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
            return self.xp.enlarge(grad, radius * (float(problem.L) * (1 + 1e-15)))
        return self.xp.observed(self.stored, problem.grad(self.xp, self._points[kind]))


def spread(problem: Problem, start: Any, eta: Any, errors: Any, points: Any) -> Any:
    """How far the exact run may be from the stored one: r <- Lip * r + the error of one step.

    `points` are needed where f is not L-smooth.
    """
    radius = np.zeros((len(eta), eta.shape[1] + 1))
    radius[:, 0] = start
    L, steps = problem.L, np.abs(eta.astype(np.float64))
    local = problem.local_smoothness if points is not None else None
    with np.errstate(all="ignore"):
        for b in range(len(eta)):
            r, found = float(radius[b, 0]), []
            factors = lipschitz(problem, float(L), steps[b]).tolist() if L is not None else []
            for j, error in enumerate(errors[b].tolist()):
                if factors:
                    factor = factors[j]
                elif local is not None and np.isfinite(r):
                    factor = float(lipschitz(problem, float(np.max(local(points[b, j], r))), steps[b, j : j + 1])[0])
                else:
                    factor = np.inf
                r = (factor * r + error) * (1 + 1e-12) if r > 0 else error
                found.append(r)
            radius[b, 1:] = found
    return radius


def lipschitz(problem: Problem, L: float, eta: Any) -> Any:
    """A Lipschitz constant of x - eta grad f(x): for convex f, max(|1 - eta mu|, |1 - eta L|); in general 1 + eta L."""
    if not problem.has(Convex):
        return 1 + eta * L
    rounding = 1e-15 * (1 + eta * L)  # of L, mu and the products, where 1 - eta L cancels
    return np.maximum(np.abs(1 - eta * float(problem.mu)), np.abs(1 - eta * L)) + rounding
