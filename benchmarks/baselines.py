"""What boundcheck is measured against, written for the purpose: code as anyone would write it from the paper, in plain NumPy.

- `bare_run`: gradient descent without checks;
- the functions of `CLAIMS`: both sides of a claim at every k, each sum, product and mean computed anew from its definition;
- `mpmath_*`: the same functions in mpmath, one dot product a row.

Nothing here imports boundcheck. tests/benchmarks compares every number with boundcheck's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any


@dataclass(frozen=True)
class Function:
    """f, its gradient and what is known of it, in float64."""

    f: Callable[[Array], float]
    grad: Callable[[Array], Array]
    start: Array
    xstar: Array
    fstar: float
    L: float


def quadratic(B: Array, start: Array, xstar: Array, L: float) -> Function:
    """(x - x*)' B (x - x*) / 2."""

    def f(x: Array) -> float:
        return float(0.5 * (x - xstar) @ (B @ (x - xstar)))

    return Function(f, lambda x: B @ (x - xstar), start, xstar, 0.0, L)


def logistic(Z: Array, start: Array, xstar: Array, fstar: float, L: float) -> Function:
    """The sum of log(1 + exp(z' x)) over the rows z."""
    return Function(
        lambda x: float(np.logaddexp(0.0, Z @ x).sum()),
        lambda x: Z.T @ (1.0 / (1.0 + np.exp(-(Z @ x)))),
        start,
        xstar,
        fstar,
        L,
    )


# -- the plain loop without checks -----------------------------------------------------------------------------------------


def bare_run(function: Function, steps: int, gamma: float | None = None) -> Array:
    """f along gradient descent: steps 1/L, or Polyak's with this gamma."""
    x = function.start.copy()
    values = np.empty(steps)
    eta = 1.0 / function.L
    for k in range(steps):
        values[k] = function.f(x)
        g = function.grad(x)
        if gamma is not None:
            eta = gamma * (values[k] - function.fstar) / (g @ g)
        x = x - eta * g
    return values


# -- the plain loop that computes every sum anew -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Recorded:
    """A run, as the checks below read it: x_0, ..., x_K and what belongs to each step i: eta_i, |grad f(x_i)|^2, M_i, mu_i."""

    function: Function
    x: Array
    gaps: Array  # f(x_i) - f*
    distances: Array  # |x_i - x*|^2
    eta: Array
    g2: Array
    D: Array  # D(x_i, x_{i+1}) = 2 |grad f(x_{i+1}) - grad f(x_i)| / |x_{i+1} - x_i|
    mu: Array  # mu(x_i, x*): on a quadratic the Rayleigh quotient of x_i - x*

    @property
    def steps(self) -> int:
        return len(self.eta)


def recorded_run(function: Function, steps: int, gamma: float | None = None) -> Recorded:
    x, eta, gaps = [function.start], [], []
    g = [function.grad(function.start)]
    for k in range(steps):
        gaps.append(function.f(x[k]) - function.fstar)
        eta.append(1.0 / function.L if gamma is None else gamma * gaps[k] / (g[k] @ g[k]))
        x.append(x[k] - eta[k] * g[k])
        g.append(function.grad(x[k + 1]))
    gaps.append(function.f(x[steps]) - function.fstar)
    points, slopes = np.array(x), np.array(g)
    away = points - function.xstar
    change, step = np.diff(slopes, axis=0), np.diff(points, axis=0)
    distances = (away**2).sum(axis=1)
    return Recorded(
        function,
        points,
        np.array(gaps),
        distances,
        np.array(eta),
        (slopes[:-1] ** 2).sum(axis=1),
        2 * np.linalg.norm(change, axis=1) / np.linalg.norm(step, axis=1),
        (away * slopes).sum(axis=1) / distances,
    )


Sides = tuple[Array, Array]


def convex_any_stepsize(run: Recorded, gamma: float | None = None) -> Sides:
    """prop:convex-any-stepsize: the mean of x_1, ..., x_{k+1} with weights eta_i."""
    left, right = np.empty(run.steps), np.empty(run.steps)
    for k in range(run.steps):
        eta, total = run.eta[: k + 1], run.eta[: k + 1].sum()
        left[k] = run.function.f(eta @ run.x[1 : k + 2] / total) - run.function.fstar
        errors = (eta**2 * (eta * run.D[: k + 1] - 1) * run.g2[: k + 1]).sum()
        right[k] = run.distances[0] / (2 * total) + errors / (2 * total)
    return left, right


def polyak(run: Recorded, gamma: float | None = None) -> Sides:
    """thm:polyak, for k = 1, 2, ...: the mean of x_0, ..., x_{k-1} with weights 1 / M_i."""
    assert gamma is not None
    left, right = np.empty(run.steps), np.empty(run.steps)
    c = gamma / ((2 - gamma) * (gamma - 1))
    for k in range(1, run.steps + 1):
        weights = 1 / run.D[:k]
        left[k - 1] = run.function.f(weights @ run.x[:k] / weights.sum()) - run.function.fstar
        right[k - 1] = c * run.distances[0] / (2 * weights.sum())
    return left, right


def sc_split_analysis(run: Recorded, gamma: float | None = None) -> Sides:
    """prop:sc-split-analysis as proved: good steps (eta_i < 2 / M_i) contract the gap, bad ones add to it."""
    left, right = np.empty(run.steps), np.empty(run.steps)
    for k in range(run.steps):
        eta, M = run.eta[: k + 1], run.D[: k + 1]
        excess, good = eta * M - 2, eta < 2 / M
        factors = np.where(good, 1 + eta * excess * run.mu[: k + 1], 1.0)
        later = np.append(np.cumprod(factors[:0:-1])[::-1], 1.0)  # the product over j = i+1, ..., k
        added = np.where(good, 0.0, later * eta * excess / 2 * run.g2[: k + 1])
        left[k], right[k] = run.gaps[k + 1], factors.prod() * run.gaps[0] + added.sum()
    return left, right


def sc_iterates_analysis(run: Recorded, gamma: float | None = None) -> Sides:
    """prop:sc-iterates-analysis as proved, on a quadratic, where mu(x*, x) = mu(x, x*)."""
    left, right = np.empty(run.steps), np.empty(run.steps)
    for k in range(run.steps):
        eta = run.eta[: k + 1]
        growth = 1 + run.mu[1 : k + 2] * eta
        factors = np.abs(1 - run.mu[: k + 1] * eta) / growth
        errors = (run.D[: k + 1] * eta**3 - eta**2) / growth * run.g2[: k + 1]
        later = np.append(np.cumprod(factors[:0:-1])[::-1], 1.0)
        left[k], right[k] = run.distances[k + 1], factors.prod() * run.distances[0] + (later * errors).sum()
    return left, right


# Claims by the id of the reading that is computed; with the Polyak steps that they need, or None for steps 1/L.
CLAIMS: dict[str, tuple[Callable[..., Sides], float | None]] = {
    "prop:convex-any-stepsize@printed": (convex_any_stepsize, None),
    "prop:sc-split-analysis@proved": (sc_split_analysis, None),
    "prop:sc-iterates-analysis@proved": (sc_iterates_analysis, None),
    "thm:polyak@printed": (polyak, 1.5),
}


# -- mpmath ------------------------------------------------------------------------------------------------------------------


def mpmath_quadratic(B: Array, xstar: Array, digits: int) -> tuple[Any, Callable[[list[Any]], tuple[Any, list[Any]]]]:
    """The context, and f with its gradient at a list of numbers."""
    context = _context(digits)
    rows = [[context.mpf(float(v)) for v in row] for row in B]
    centre = [context.mpf(float(v)) for v in xstar]

    def both(x: list[Any]) -> tuple[Any, list[Any]]:
        away = [a - b for a, b in zip(x, centre, strict=True)]
        g = [context.fdot(row, away) for row in rows]
        return context.fdot(away, g) / 2, g

    return context, both


def mpmath_logistic(Z: Array, digits: int) -> tuple[Any, Callable[[list[Any]], tuple[Any, list[Any]]]]:
    """As fast as mpmath goes: one exp a sample, shared by f and its gradient."""
    context = _context(digits)
    rows = [[context.mpf(float(v)) for v in row] for row in Z]
    columns = list(zip(*rows, strict=True))

    def both(x: list[Any]) -> tuple[Any, list[Any]]:
        z = [context.fdot(row, x) for row in rows]
        tails = [context.exp(-abs(v)) for v in z]
        f = context.fsum(context.log1p(t) + max(v, 0) for v, t in zip(z, tails, strict=True))
        s = [1 / (1 + t) if v >= 0 else t / (1 + t) for v, t in zip(z, tails, strict=True)]
        return f, [context.fdot(column, s) for column in columns]

    return context, both


def mpmath_run(both: Callable[[list[Any]], tuple[Any, list[Any]]], context: Any, start: Array, L: float, steps: int) -> list[Any]:
    """f along gradient descent with steps 1/L."""
    x, eta, values = [context.mpf(float(v)) for v in start], 1 / context.mpf(L), []
    for _ in range(steps):
        f, g = both(x)
        values.append(f)
        x = [a - eta * b for a, b in zip(x, g, strict=True)]
    return values


def _context(digits: int) -> Any:
    import mpmath

    context = mpmath.MPContext()
    context.dps = digits
    return context
