"""Quadratics: f(x) = (x - x*)' B (x - x*) / 2 + f*, with B symmetric and positive semidefinite.

The matrix as stored is the problem: a float64 entry is the dyadic rational that it stores. With g = B (x - x*):
f(x) - f* = <x - x*, g> / 2, f(x + d) - f(x) - <grad f(x), d> = <d, grad f(x + d) - grad f(x)> / 2, and the chord quantities
A = mu = <d, B d> / |d|^2 are the Rayleigh quotient of the displacement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import (
    Convex,
    Differentiable,
    Fact,
    IsQuadratic,
    Minimiser,
    Problem,
    Smooth,
    StronglyConvex,
    TwiceDifferentiable,
)
from boundcheck.problems._numerics import eigenvalues
from boundcheck.problems._numerics.scalars import Constants, as_fraction, digits, is_a_float
from boundcheck.support.errors import UserError

RATIONAL_UP_TO = 10  # beyond this dimension exact runs are too slow to be of use
EXACT_SOLVE_UP_TO = 60


@dataclass(frozen=True)
class _Quadratic:
    constants: Constants
    fstar: Exact

    def f(self, xp: Any, x: Vectors) -> Scalars:
        return self.gap(xp, x, self.grad(xp, x)) + xp.scalar(self.fstar)

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        return xp.matvec(self.constants.matrix(xp), x - self.constants.vector(xp, "xstar"))

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        return xp.dot(x - self.constants.vector(xp, "xstar"), g) / 2

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        return xp.dot(d, gy - gx) / 2

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        return xp.dot(d, gy - gx) / xp.normsq(d)

    def hessian_vector(self, xp: Any, x: Vectors, v: Vectors) -> Vectors:
        return xp.matvec(self.constants.matrix(xp), v)


def quadratic(
    B: Any,
    *,
    xstar: Sequence[Exact] | None = None,
    fstar: Exact = 0,
    name: str = "quadratic",
    start: Sequence[Exact] | None = None,
    about: str = "",
    which: str | None = None,
) -> Problem:
    """(x - x*)' B (x - x*) / 2 + f*, B exactly symmetric and positive semidefinite. Defaults: x* = 0, start x* + (1, ..., 1)."""
    rows = _checked(B, name)
    d = len(rows)
    low, high = _eigenvalue_bounds(rows, name)
    point = [Fraction(0)] * d if xstar is None else [as_fraction(value, f"{name}: a coordinate of x*") for value in xstar]
    if len(point) != d:
        raise UserError(f"{name}: B is {d} x {d} and x* has {len(point)} coordinates; give as many as B has rows")
    origin = (
        [value + 1 for value in point]
        if start is None
        else [as_fraction(value, f"{name}: a coordinate of the start") for value in start]
    )
    facts: set[Fact] = {Convex(), Differentiable(), TwiceDifferentiable(), IsQuadratic(), Smooth(high)}
    if low > 0:
        facts.add(StronglyConvex(low))
    if which is None:
        which = "the only one" if low > 0 else "the given centre x* (others, if B is singular, differ from it by B's null space)"
    holder = _Quadratic(Constants(matrix=rows, xstar=_compact(point)), fstar)
    return Problem(
        name=name,
        dimension=d,
        f=holder.f,
        grad=holder.grad,
        gap=holder.gap,
        bregman=holder.bregman,
        chord=holder.chord,
        hessian_vector=holder.hessian_vector,
        hessian=holder.constants.matrix,
        facts=frozenset(facts),
        start=_compact(origin),
        minimiser=Minimiser(point=_compact(point), value=fstar, which=which),
        rational=d <= RATIONAL_UP_TO,
        data=_data(rows, point) if d <= RATIONAL_UP_TO and fstar == 0 else None,
        about=about or f"a quadratic in {d} dimensions, curvature between {digits(low, 4)} and {digits(high, 4)}",
    )


def quadratic_from(B: Any, c: Sequence[Exact], *, name: str = "quadratic", start: Sequence[Exact] | None = None) -> Problem:
    """x' B x / 2 - c' x. Its minimiser solves B x = c, exactly in rationals; of many, the shortest. Default start: 0."""
    rows = _checked(B, name)
    right = [as_fraction(value, f"{name}: an entry of c") for value in c]
    if len(right) != len(rows):
        raise UserError(f"{name}: B is {len(rows)} x {len(rows)} and c has {len(right)} entries; give as many as B has rows")
    if len(rows) > EXACT_SOLVE_UP_TO:
        raise UserError(
            f"{name}: an exact solve needs dimension <= {EXACT_SOLVE_UP_TO}, found {len(rows)}; use quadratic(B, xstar=...)"
        )
    low, _ = _eigenvalue_bounds(rows, name)
    xstar = eigenvalues.least_norm_solution(_fractions(rows), right)
    if xstar is None:
        raise UserError(f"{name}: c is not in the range of B, so f is unbounded below; needs B x = c to have a solution")
    value = -sum((a * b for a, b in zip(right, xstar, strict=True)), Fraction(0)) / 2
    return quadratic(
        rows,
        xstar=xstar,
        fstar=value,
        name=name,
        start=[0] * len(rows) if start is None else start,
        which="the only one" if low > 0 else "the shortest one (others, if B is singular, differ from it by B's null space)",
    )


def random_quadratic(
    dimension: int,
    *,
    condition: float = 100.0,
    spectrum: Sequence[float] | None = None,
    seed: int = 0,
    name: str = "random quadratic",
) -> Problem:
    """B = Q diag(spectrum) Q' rounded to float64, Q a random orthogonal matrix; x* and the start are random too.

    Without a spectrum, the eigenvalues go geometrically from 1 / condition to 1.
    """
    if dimension < 1:
        raise UserError(f"{name}: found dimension {dimension}; needs at least 1")
    values = np.geomspace(1 / condition, 1.0, dimension) if spectrum is None else np.asarray(spectrum, dtype=np.float64)
    if values.shape != (dimension,):
        raise UserError(f"{name}: dimension {dimension} and {values.size} eigenvalues; give one for each dimension")
    rng = np.random.default_rng(seed)
    Q, R = np.linalg.qr(rng.standard_normal((dimension, dimension)))
    Q = Q * np.sign(np.diag(R))  # the uniform distribution on orthogonal matrices
    product = (Q * values) @ Q.T
    B = (product + product.T) / 2
    xstar = _short(rng.standard_normal(dimension))
    start = xstar + _short(rng.standard_normal(dimension))
    return quadratic(B, xstar=list(xstar), start=list(start), name=name)


def power_law_quadratic(
    *, alpha: float = 3.0, L: float = 1000.0, dimension: int = 300, seed: int = 0, name: str = "power-law quadratic"
) -> Problem:
    """Eigenvalues L i^(-alpha), i = 1, ..., d: the paper's figure with alpha = 3, L = 1000, d = 300.

    The paper says "power law with parameter 3", no more; this is the reading in which the spectrum itself is a power of the
    index.
    """
    return random_quadratic(dimension, spectrum=[L * i**-alpha for i in range(1, dimension + 1)], seed=seed, name=name)


def isotropic(dimension: int, *, curvature: Exact = 1, start: Sequence[Exact] | None = None, name: str = "isotropic") -> Problem:
    """curvature * |x|^2 / 2: every chord sees the same curvature, so the descent lemma is an equality."""
    rows = [[curvature if i == j else 0 for j in range(dimension)] for i in range(dimension)]
    return quadratic(rows, start=start, name=name)


def rank_deficient(dimension: int, *, rank: int, seed: int = 0, name: str = "rank-deficient") -> Problem:
    """B = G'G with a small integer G of the given rank: exactly singular and semidefinite, with an affine space of minimisers."""
    if not 1 <= rank < dimension:
        raise UserError(f"{name}: found rank {rank} in dimension {dimension}; needs 1 <= rank < dimension")
    rng = np.random.default_rng(seed)
    G = rng.integers(-3, 4, (rank, dimension))
    while np.linalg.matrix_rank(G) < rank:
        G = rng.integers(-3, 4, (rank, dimension))
    c = G.T @ rng.integers(-3, 4, rank)
    return quadratic_from((G.T @ G).tolist(), c.tolist(), start=rng.integers(-4, 5, dimension).tolist(), name=name)


def _short(values: Any) -> Any:
    """Rounded to multiples of 2^-10, so that sums of them are exact."""
    return np.round(values * 1024) / 1024


def _checked(B: Any, name: str) -> Any:
    """The entries of a square symmetric matrix: a float64 array where that holds them exactly, else rows of fractions."""
    if isinstance(B, np.ndarray) and B.dtype == np.float64:
        rows: Any = B
    else:
        rows = [[as_fraction(value, f"{name}: an entry of B") for value in row] for row in B]
    lengths = sorted({len(row) for row in rows})
    d = len(rows)
    if lengths != [d]:
        raise UserError(f"{name}: B has {d} rows of lengths {lengths}; needs a square matrix that is not empty")
    if not isinstance(rows, np.ndarray) and all(is_a_float(value) for row in rows for value in row):
        rows = np.array(rows, dtype=np.float64)
    if isinstance(rows, np.ndarray) and not np.isfinite(rows).all():
        raise UserError(f"{name}: found NaN or infinity in B; needs finite entries")
    for i, j in _asymmetric_entries(rows):
        raise UserError(
            f"{name}: B is not symmetric: B[{i}][{j}] = {_written(rows[i][j])} and B[{j}][{i}] = {_written(rows[j][i])}; "
            "needs a symmetric matrix: give (B + B.T) / 2"
        )
    return rows


def _asymmetric_entries(rows: Any) -> list[tuple[int, int]]:
    d = len(rows)
    if isinstance(rows, np.ndarray):
        return [(int(i), int(j)) for i, j in np.argwhere(rows != rows.T)]
    return [(i, j) for i in range(d) for j in range(i) if rows[i][j] != rows[j][i]]


def _written(value: Any) -> str:
    return repr(float(value)) if is_a_float(Fraction(value)) else digits(Fraction(value), 17)


def _data(rows: Any, point: Sequence[Fraction]) -> dict[str, Any]:
    """As docs/problems.md describes it: with f* = 0."""
    return {
        "kind": "quadratic",
        "matrix": [[str(value) for value in row] for row in _fractions(rows)],
        "minimiser": [str(value) for value in point],
    }


def _fractions(rows: Any) -> list[list[Fraction]]:
    return [[Fraction(value) for value in row] for row in (rows.tolist() if isinstance(rows, np.ndarray) else rows)]


def _eigenvalue_bounds(rows: Any, name: str) -> tuple[Exact, Exact]:
    """Proved bounds of the spectrum: exact for a diagonal matrix. Raises unless B is proved to be semidefinite."""
    d = len(rows)
    if _is_diagonal(rows):
        diagonal = [Fraction(rows[i][i]) for i in range(d)]
        if min(diagonal) < 0:
            raise _not_semidefinite(name, min(diagonal))
        return min(diagonal), max(diagonal)
    unit = eigenvalues.unit_of([[np.abs(rows).max()]] if isinstance(rows, np.ndarray) else rows)
    if unit == 1:
        exact, compact = isinstance(rows, np.ndarray), np.array(rows, dtype=np.float64)
    else:
        exact, compact = False, np.array([[float(value / unit) for value in row] for row in _fractions(rows)])
    # rounding fractions to float64 moves each eigenvalue by at most a unit of the size of the matrix
    moved = 0.0 if exact else 2 * eigenvalues.UNIT * float(np.linalg.norm(compact)) + eigenvalues.SMALLEST
    low, high = eigenvalues.bounds(compact)
    low, high = float(np.nextafter(low - moved, -np.inf)), float(np.nextafter(high + moved, np.inf))
    if low > 0:
        return _times(low, unit), _times(high, unit)
    if d <= EXACT_SOLVE_UP_TO and eigenvalues.is_positive_semidefinite(_fractions(rows)):
        return 0, _times(high, unit)
    raise _not_semidefinite(name, Fraction(float(np.linalg.eigvalsh(compact)[0])) * unit)


def _is_diagonal(rows: Any) -> bool:
    """Are all entries beside the diagonal 0, exactly?"""
    if isinstance(rows, np.ndarray):
        return not (rows[~np.eye(len(rows), dtype=bool)] != 0).any()
    return all(value == 0 for i, row in enumerate(rows) for j, value in enumerate(row) if i != j)


def _times(number: float, unit: Fraction) -> Exact:
    return number if unit == 1 else Fraction(number) * unit


def _not_semidefinite(name: str, smallest: Exact) -> ValueError:
    return ValueError(
        f"{name}: B is not proved positive semidefinite (smallest eigenvalue about {digits(smallest, 3)}); needs B = G'G, exactly"
    )


def _compact(values: Sequence[Fraction]) -> tuple[Exact, ...]:
    """The same numbers, as ints and floats where these are exact."""
    return tuple(int(v) if v.denominator == 1 else float(v) if is_a_float(v) else v for v in values)
