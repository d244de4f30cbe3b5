"""Gradient descent on quadratics in their eigenbasis: many problems and many rules as one array program, in float64.

With B = Q diag(lambda) Q' and c = Q'(x - x*), a step is c <- (1 - eta lambda) c, coordinate by coordinate: no product with a
matrix is left. All that the rules and the figures read are moments m_j = sum of lambda^j c^2:

    f(x) - f* = m_1 / 2,   |g|^2 = m_2,   <g, B g> = m_3,   |B g|^2 = m_4,
    A(x_k, x_{k+1}) = m_3 / m_2 and D(x_k, x_{k+1}) = 2 sqrt(m_4 / m_2), whatever the step.

Every m_j is a sum of numbers that are not negative, so nothing cancels. Coordinates die out one after another; those below
`TINY` are set to 0, since numbers below 1e-308 would make each operation many times slower. Their squares are below 1e-280.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic import compiled
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.model.problem import IsQuadratic, Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.runners.quadratics import eigenbasis_compiled as fast
from boundcheck.support.errors import UserError

Floats = NDArray[np.float64]
TINY = 1e-140
STRETCH = 2048  # steps of compiled code from one word of progress to the next
EVERY = 16  # steps from one look for tiny coordinates to the next
MOMENTS = 4
SPELLED = re.compile(r"polyak\(([\d/]+)\)")


@dataclass(frozen=True, kw_only=True)
class EigenbasisDescents:
    """The runs of each problem (first axis) with each rule (second): gaps at 0, ..., K, and what the K steps met.

    A run that has reached the minimiser exactly stays there; D, A and eta are NaN from then on.
    """

    rules: tuple[str, ...]
    gap: Floats  # (problems, rules, K + 1)
    D: Floats  # (problems, rules, K), as the next two
    A: Floats
    eta: Floats


class Moments(NamedTuple):
    """The moments of one rule's runs, one number a problem, and the problems' L."""

    m1: Floats
    m2: Floats
    m3: Floats
    m4: Floats
    L: Floats


def over_L(m: Moments) -> Floats:
    return 1 / m.L


def over_A(m: Moments) -> Floats:
    """Cauchy's step, |g|^2 / <g, B g>."""
    return m.m2 / m.m3


def over_D(m: Moments) -> Floats:
    """|g| / (2 |B g|): the root of |g+ - g| = |g| / 2."""
    return np.sqrt(m.m2 / m.m4) / 2


def as_printed(m: Moments) -> Floats:
    """sqrt(2) |g| / |B g|: the root of eq:zero-finding as printed, |g+ - g| = sqrt(2) |g|."""
    return np.sqrt(2 * (m.m2 / m.m4))


@dataclass(frozen=True)
class PolyakStep:
    """gamma (f - f*) / |g|^2."""

    gamma: float

    def __call__(self, m: Moments) -> Floats:
        return self.gamma * (m.m1 / 2) / m.m2


FORMULAS: dict[str, Callable[[Moments], Floats]] = {
    "1/L": over_L,
    "1/A": over_A,
    "cauchy": over_A,
    "1/D": over_D,
    "dai-yang": over_D,
    "1/D-as-printed": as_printed,
}


def formula_of(rule: Rule | str) -> Callable[[Moments], Floats]:
    """What a rule is on a quadratic, in moments."""
    name = rule if isinstance(rule, str) else rule.name
    if spelled := SPELLED.fullmatch(name):
        return PolyakStep(float(Fraction(spelled[1])))
    if name not in FORMULAS:
        raise RuleError(f"rule '{name}' has no formula in the eigenbasis; those that have are {', '.join(FORMULAS)}, polyak(c)")
    return FORMULAS[name]


def decomposed(problem: Problem) -> tuple[Floats, Floats]:
    """Eigenvalues, ascending, and the coordinates of x_0 - x* along their eigenvectors."""
    if not problem.has(IsQuadratic) or problem.hessian is None or problem.minimiser is None:
        raise UserError(f"{problem.name} is no quadratic with a known Hessian and minimiser; the eigenbasis needs one")
    values, vectors = np.linalg.eigh(problem.hessian(FLOAT64).rows)
    away = FLOAT64.vector(problem.start) - FLOAT64.vector(problem.minimiser.point)
    return np.maximum(values, 0.0), vectors.T @ away


def in_eigenbasis(
    problems: Sequence[Problem],
    rules: Sequence[Rule | str],
    *,
    steps: int,
    progress: Callable[[int], Any] = lambda done: None,
    tiny: float = TINY,
) -> EigenbasisDescents:
    """Gradient descent on each quadratic with each rule, all at once. `progress` hears how many steps are done."""
    if not problems or not rules or steps < 0 or len({p.dimension for p in problems}) > 1:
        raise UserError(
            f"the eigenbasis needs problems of one dimension, rules, and 0 steps or more; found {len(problems)} problems "
            f"of dimensions {sorted({p.dimension for p in problems})}, {len(rules)} rules, {steps} steps"
        )
    formulas = [formula_of(rule) for rule in rules]
    values, starts = (np.stack(parts) for parts in zip(*(decomposed(p) for p in problems), strict=True))
    L = np.array([math.nan if p.L is None else float(p.L) for p in problems])
    return _descend(values, starts, L, formulas, [r if isinstance(r, str) else r.name for r in rules], steps, progress, tiny)


def _descend(
    values: Floats,
    starts: Floats,
    L: Floats,
    formulas: Sequence[Callable[[Moments], Floats]],
    names: Sequence[str],
    steps: int,
    progress: Callable[[int], Any],
    tiny: float,
) -> EigenbasisDescents:
    if compiled.wanted() and all(isinstance(f, PolyakStep) or f in COMPILED for f in formulas):
        moments, eta = _compiled(values, starts, L, formulas, steps, progress, tiny)
        return _told(moments, eta, names)
    problems = len(values)
    powers = np.stack([values**j for j in range(1, MOMENTS + 1)], axis=-1)
    c = np.repeat(starts[:, None, :], len(formulas), axis=1)
    squares, factors = np.empty_like(c), np.empty_like(c)
    affine = np.stack([np.ones_like(values), -values], axis=1)
    steps_and_one = np.ones((problems, len(formulas), 2))  # (1, eta) times affine is 1 - eta lambda
    moments = np.empty((steps + 1, problems, len(formulas), MOMENTS))
    eta = np.empty((steps, problems, len(formulas)))
    with np.errstate(all="ignore"):
        for k in range(steps + 1):
            if k % EVERY == 0:
                np.multiply(c, np.abs(c) >= tiny, out=c)
                progress(k)
            np.multiply(c, c, out=squares)
            now = np.matmul(squares, powers, out=moments[k])
            if k == steps:
                break
            for n, formula in enumerate(formulas):
                eta[k, :, n] = formula(Moments(now[:, n, 0], now[:, n, 1], now[:, n, 2], now[:, n, 3], L))
            steps_and_one[..., 1] = np.where(np.isfinite(eta[k]), eta[k], 0.0)  # a zero gradient ends a run: it stays there
            c *= np.matmul(steps_and_one, affine, out=factors)
        progress(steps)
    return _told(moments, eta, names)


COMPILED: dict[Callable[[Moments], Floats], int] = {
    over_L: fast.OVER_L,
    over_A: fast.OVER_A,
    over_D: fast.OVER_D,
    as_printed: fast.AS_PRINTED,
}


def _compiled(
    values: Floats,
    starts: Floats,
    L: Floats,
    formulas: Sequence[Callable[[Moments], Floats]],
    steps: int,
    progress: Callable[[int], Any],
    tiny: float,
) -> tuple[Floats, Floats]:
    """The same loop in compiled code, some thousand steps at a time."""
    codes = np.array([fast.POLYAK if isinstance(f, PolyakStep) else COMPILED[f] for f in formulas])
    gammas = np.array([f.gamma if isinstance(f, PolyakStep) else 0.0 for f in formulas])
    c = np.repeat(starts[:, None, :], len(formulas), axis=1)
    moments = np.empty((steps + 1, *c.shape[:2], MOMENTS))
    eta, before = np.empty((steps + 1, *c.shape[:2])), np.zeros(c.shape[:2])
    for first in range(0, steps + 1, STRETCH):
        progress(first)
        part = slice(first, first + STRETCH)
        fast.compiled()(values, c, before, L, codes, gammas, first, tiny, EVERY, moments[part], eta[part])
    progress(steps)
    return moments, eta[:steps]


def _told(moments: Floats, eta: Floats, names: Sequence[str]) -> EigenbasisDescents:
    with np.errstate(all="ignore"):
        m1, m2, m3, m4 = (np.moveaxis(moments[..., j], 0, -1) for j in range(MOMENTS))
        D, A = 2 * np.sqrt(m4[..., :-1] / m2[..., :-1]), m3[..., :-1] / m2[..., :-1]
    return EigenbasisDescents(rules=tuple(names), gap=m1 / 2, D=D, A=A, eta=np.moveaxis(eta, 0, -1))
