"""Step-size rules for accelerated methods: backtracking until a step is adapted."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from boundcheck.language.letters import Numbers, eta, k, mu_f, x, y
from boundcheck.language.scalars import CURVATURE, NONE, Chord
from boundcheck.language.vectors import Point
from boundcheck.model.rule import Rule, RunEnds

ACCELERATED = "accelerated"
alpha, gamma = Numbers("alpha", NONE), Numbers("gamma", CURVATURE)
SMALLEST = 2.0**-80
ALPHAS = [Fraction(n, d) for n, d in ((9, 10), (4, 5), (3, 4), (2, 3), (3, 5), (1, 2), (2, 5), (1, 3), (1, 4), (1, 5), (1, 6))]


def backtracking(kind: str = "H", start: str = "y") -> Rule:
    """The step halved until eta_k M(y_k, x_{k+1}) <= 1 for certain; `start="x"`: M(x_k, x_{k+1}) in its place.

    The first is halved from 1024 on, the others from twice the one before; below 2^-80 the run ends.

    In exact rationals alpha_k must be rational: it is chosen first, and gives
    eta_k = alpha_k^2 / ((1 - alpha_k) gamma_k + alpha_k mu).
    """
    begin: Point = (x if start == "x" else y)[k]
    adapted = eta[k] * Chord(kind, begin, x[k + 1]) <= 1

    def step(run: Any) -> Any:
        for candidate in _rational(run) if run.exact else _dyadic(run):
            if run.holds(adapted, candidate):
                return candidate
        raise RunEnds(f"no step tried at step {run.k} is adapted: {adapted} held for none")

    return Rule(
        name=f"backtracking-{kind}" + ("(x)" if start == "x" else ""),
        step=step,
        methods=(ACCELERATED,),
    )


def _dyadic(run: Any) -> Iterator[Any]:
    size = 2.0 * float(run.before.eta) if run.before is not None else 1024.0
    while size > SMALLEST:
        yield run.xp.scalar(size)
        size /= 2


def _rational(run: Any) -> Iterator[Any]:
    """Steps that come from a rational alpha_k where gamma_k is known by now, else simple ones."""
    gamma_k = _gamma(run)
    if gamma_k is None:
        yield from (run.xp.scalar(Fraction(2) ** n) for n in range(6, -10, -1))
        return
    mu = run.value(mu_f)
    for a in ALPHAS:
        below = run.xp.scalar(1 - a) * gamma_k + run.xp.scalar(a) * mu
        yield run.xp.scalar(a * a) / below


def _gamma(run: Any) -> Any:
    """gamma_k, where the method carries it or the step before gives it: gamma_k = alpha_{k-1}^2 / eta_{k-1}."""
    if run.has(gamma[k]):
        return run.value(gamma[k])
    return run.value(alpha[k - 1] ** 2 / eta[k - 1]) if run.has(alpha[k - 1]) else None
