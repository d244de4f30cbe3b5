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
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import Convex
from boundcheck.runs.recorded.recording import Flags, Floats, Recorded

ROUNDED = 16.0  # units of the format that x_k - eta_k g_k may be off, of the sizes of what is added up


@dataclass(frozen=True)
class Descent:
    """The steps (given, or seen in the moves), how far each move is from -eta g, and what the method is: its name, or why not."""

    eta: Floats | None
    residual: Floats  # Euclidean, one a step
    method: str
    notes: tuple[str, ...] = ()
    error: Floats | None = None  # of each step that is seen in the moves, absolute; None where the steps were given

    @property
    def holds(self) -> bool:
        return self.method == GRADIENT_DESCENT.name


def descent(run: Recorded) -> Descent:
    none = np.zeros(run.steps)
    said = run.method
    if said and said != GRADIENT_DESCENT.name:
        return Descent(run.eta, none, f"{said}, as recorded (nobody checked it)")
    if run.doubt:
        return Descent(run.eta, none, f"another method: {run.doubt}")
    lacking = [what for what, given in (("iterates", run.x), ("gradients", run.grad)) if given is None]
    a_word_would_do = lacking == ["iterates"] and run.eta is not None
    if a_word_would_do and run.eta is not None and said:
        wrong = _bad_step(run.eta)
        return Descent(run.eta, none, wrong or said, (f"the trace has no iterates: that it is {said} is the user's word",))
    if lacking:
        word = f"; say method='{GRADIENT_DESCENT.name}' if you know it" if a_word_would_do else ""
        return Descent(run.eta, none, f"not shown to be that: the trace has no {' and no '.join(lacking)}{word}")
    eta, residual, why = _seen(run)
    error = None if why or eta is None or run.eta is not None else _inferred_within(run, eta)
    return Descent(run.eta if why else eta, residual, why or GRADIENT_DESCENT.name, error=error)


def _inferred_within(run: Recorded, eta: Floats) -> Floats:
    """How far a step that is seen in a move may be from the one that was taken: the rounding of the move along g, over |g|^2."""
    if run.x is None or run.grad is None:
        return np.zeros(run.steps)
    g = run.grad[:-1]
    allowed = _allowed(run, run.x, g, eta)
    with np.errstate(all="ignore"):
        seen = (allowed * np.abs(g)).sum(-1) / (g * g).sum(-1)
    computed = 4 * (g.shape[-1] + 4) * np.finfo(np.float64).eps * np.abs(eta)
    return np.asarray(np.where(np.isfinite(seen), seen, np.abs(eta)) + computed)


def _allowed(run: Recorded, x: Floats, g: Floats, eta: Floats) -> Floats:
    """How far rounding may take x_{k+1} from x_k - eta_k g_k, coordinate by coordinate."""
    allowed = ROUNDED * run.unit * (np.abs(x[1:]) + np.abs(x[:-1]) + np.abs(eta[:, None] * g)) + np.finfo(np.float64).tiny
    if run.problem is not None and run.grad is not None:  # a gradient that is computed again rounds otherwise
        sizes = np.linalg.norm(run.grad, axis=-1)
        allowed = allowed + (np.abs(eta) * run.relative_error * (sizes[:-1] + sizes[0]))[:, None]
    return np.asarray(allowed)


def _seen(run: Recorded) -> tuple[Floats | None, Floats, str]:
    """The steps, the residuals x_{k+1} - (x_k - eta_k g_k), and the first step that is not gradient descent's."""
    if run.x is None or run.grad is None:
        return run.eta, np.zeros(run.steps), ""
    x, g = run.x, run.grad[:-1]
    moves = x[1:] - x[:-1]
    with np.errstate(all="ignore"):
        eta = -(moves * g).sum(-1) / (g * g).sum(-1) if run.eta is None else run.eta
        eta = np.where(np.isfinite(eta), eta, 0.0)
    off = moves + eta[:, None] * g
    allowed = _allowed(run, x, g, eta)
    residual = np.linalg.norm(off, axis=-1)
    strays = np.asarray((np.abs(off) > allowed).any(-1))
    moved = np.linalg.norm(moves, axis=-1)
    if wrong := _bad_step(eta, strays):
        return eta, residual, wrong
    if not strays.any():
        return eta, residual, ""
    n = int(strays.argmax())
    room = float(np.linalg.norm(allowed[n]))
    along = ", for any eta" if run.eta is None else ""
    formula = f"step {n}: x_{n + 1} is not x_{n} - eta_{n} grad f(x_{n}){along}"
    seen = f", off by {residual[n]:.3g} on a move of {moved[n]:.3g}, where rounding allows {room:.1g}"
    coarse = run.precision == "float64" and bool((np.abs(off) <= allowed * 2.0**29).all())
    hint = "; if it was computed in float32, say precision='float32'" if coarse else ""
    return eta, residual, f"another method: {formula}{seen}{hint}"


def _bad_step(eta: Floats, strays: Flags | None = None) -> str:
    """A step of gradient descent is a positive number."""
    bad = ~(eta > 0) if strays is None else ~(eta > 0) & ~strays
    if not bad.any() or (strays is not None and strays.any() and int(strays.argmax()) < int(bad.argmax())):
        return ""
    n = int(bad.argmax())
    return f"another method: step {n} has eta = {eta[n]:.3g}; a step of gradient descent is a positive number"


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
