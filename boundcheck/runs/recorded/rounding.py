"""How far recorded numbers may be from those of the exact run: assumed, since nobody knows how they were computed.

A value is taken to be within `relative_error` of |f(x_k)| + |f(x_0)|, a gradient within as much of |g_k| + |g_0| + l |x_k|. The
exact gradient descent with the same steps drifts from the recorded points: by what each step is off, times what later steps make
of it. That needs a Lipschitz constant l of the gradient: L where it is declared, else the largest that the run itself shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.model.problem import Convex
from boundcheck.runs.recorded.descent import Descent
from boundcheck.runs.recorded.recording import Recorded
from boundcheck.runs.recorded.validate import Floats

GROWN = 1 + 1e-12  # these sums round too


@dataclass(frozen=True)
class Errors:
    """Absolute errors: of values and gradients at stored points; of points, by one step and along the path."""

    value: Floats
    gradient: Floats
    one_step: Floats
    path: Floats
    bend: float  # a Lipschitz constant of the gradient

    def of_points(self, kind: str) -> Floats:
        return {"exact": np.zeros(len(self.path)), "image": self.one_step, "path": self.path}[kind]

    def of_gradients(self, kind: str) -> Floats:
        return (self.gradient + self.bend * self.of_points(kind)) * GROWN

    def of_values(self, kind: str, sizes: Floats | None) -> Floats:
        """f moves by the gradient's size times the radius, and half the bend times its square."""
        radius = self.of_points(kind)
        if sizes is None:
            return np.where(radius > 0, np.inf, self.value)
        return (self.value + (sizes + self.gradient) * radius + self.bend * radius**2 / 2) * GROWN


def errors(run: Recorded, steps: Descent, xp: Arithmetic) -> Errors:
    sizes = None if run.grad is None else np.linalg.norm(run.grad, axis=-1)
    bend = lipschitz(run)
    relative = run.relative_error
    value = relative * (np.abs(run.f) + abs(run.f[0]))
    if run.problem is not None and run.x is not None:
        gradient = np.asarray(xp.radius(run.problem.grad(xp, xp.vectors(run.x))))
        if run.grad is not None:
            gradient = gradient + np.linalg.norm(run.grad - np.asarray(run.problem.grad(FLOAT64, run.x)), axis=-1)
    elif sizes is None:
        gradient = np.full(run.steps + 1, np.inf)
    else:
        drift = 0.0 if run.x is None else bend * np.linalg.norm(run.x, axis=-1)
        gradient = relative * (sizes + sizes[0] + drift)
    eta = np.zeros(run.steps) if steps.eta is None else np.abs(steps.eta)
    one = (steps.residual + eta * gradient[:-1]) * GROWN if steps.holds else np.zeros(run.steps)
    one_step = np.concatenate([[0.0], one])
    return Errors(value, gradient, one_step, _drift(run, eta, one, bend), bend)


def lipschitz(run: Recorded) -> float:
    """L, or the largest ratio of changes of gradient and point that the run shows."""
    if run.L is not None:
        return float(run.L) * GROWN
    if run.grad is None or run.x is None:
        return 0.0
    with np.errstate(all="ignore"):
        seen = np.linalg.norm(np.diff(run.grad, axis=0), axis=-1) / np.linalg.norm(np.diff(run.x, axis=0), axis=-1)
    return float(np.max(seen[np.isfinite(seen)], initial=0.0))


def _drift(run: Recorded, eta: Floats, one: Floats, bend: float) -> Floats:
    """r <- Lip r + the error of a step; a gradient step on a convex function is max(|1 - eta mu|, |1 - eta l|)-Lipschitz."""
    convex = any(isinstance(fact, Convex) for fact in run.facts)
    with np.errstate(all="ignore"):
        factor = np.maximum(np.abs(1 - eta * float(run.mu)), np.abs(1 - eta * bend)) + 1e-15 if convex else 1 + eta * bend
        radius: list[Any] = [0.0]
        for n in range(run.steps):
            radius.append((factor[n] * radius[-1] + one[n]) * GROWN)
    return np.array(radius)
