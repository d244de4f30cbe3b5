"""A Gram program in fractions: over the vectors that it reads, with equations that are solved exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from boundcheck.gram.affine import ZERO, Affine, Combination, Symbol
from boundcheck.gram.solver import Matrix

Vector = tuple[Fraction, ...]


class NotRational(ArithmeticError):
    """A coefficient of the program is no fraction: the root of a number that is no square."""


@dataclass(frozen=True)
class ExactProgram:
    """`goal` > 0 where `below` <= 0, `equal` == 0 and `matrices` and G are semidefinite; G is of `size` vectors.

    `basis` has, for each vector of the claim's program, its coefficients in those that are left here.
    """

    size: int
    basis: Mapping[int, Mapping[int, Fraction]]
    goal: Affine
    below: tuple[Affine, ...]
    equal: tuple[Affine, ...]
    matrices: tuple[Matrix, ...]

    @property
    def entries(self) -> list[Symbol]:
        """The entries of G on and above the diagonal."""
        return [("G", i, j) for j in range(self.size) for i in range(j + 1)]

    def vector(self, combination: Combination) -> Vector:
        """Return a vector of the claim's program in the basis of this one."""
        found = [ZERO] * self.size
        for i, c in combination.items():
            for n, own in self.basis[i].items():
                found[n] += _fraction(c) * own
        return tuple(found)

    def within(self, kernel: NDArray[np.float64]) -> ExactProgram | None:
        """Return the program in which combinations of the basis, the rows of `kernel`, are 0; None if they are not rational."""
        rows = _echelon(kernel)
        if rows is None:
            return None
        gone = {next(i for i, c in enumerate(row) if c): row for row in rows}
        left = [i for i in range(self.size) if i not in gone]
        new: dict[int, dict[int, Fraction]] = {i: {n: Fraction(1)} for n, i in enumerate(left)}
        for pivot, row in gone.items():
            new[pivot] = {left.index(i): -c for i, c in enumerate(row) if c and i != pivot}
        return self.in_basis(new, len(left))

    def in_basis(self, new: Mapping[int, Mapping[int, Fraction]], size: int) -> ExactProgram:
        """Return the same program with each vector of the basis put as a combination of `size` others."""

        def put(a: Affine) -> Affine:
            terms: dict[Symbol, Any] = {}
            for symbol, c in a.terms.items():
                if symbol[0] != "G":
                    terms[symbol] = terms.get(symbol, ZERO) + _fraction(c)
                    continue
                for p, u in new[symbol[1]].items():
                    for q, v in new[symbol[2]].items():
                        own = ("G", min(p, q), max(p, q))
                        terms[own] = terms.get(own, ZERO) + _fraction(c) * u * v
            return Affine(_fraction(a.constant), {s: c for s, c in terms.items() if c})

        def through(own: Mapping[int, Fraction]) -> dict[int, Fraction]:
            made: dict[int, Fraction] = {}
            for i, c in own.items():
                for n, d in new[i].items():
                    made[n] = made.get(n, ZERO) + c * d
            return made

        return replace(
            self,
            size=size,
            basis={i: through(own) for i, own in self.basis.items()},
            goal=put(self.goal),
            below=tuple(map(put, self.below)),
            equal=tuple(map(put, self.equal)),
            matrices=tuple(tuple(tuple(map(put, row)) for row in matrix) for matrix in self.matrices),
        )


def exact_program(
    goal: Affine, below: Iterable[Affine], equal: Iterable[Affine], matrices: Iterable[Matrix], used: Iterable[int]
) -> ExactProgram:
    """Return the program in fractions over the vectors that are used. NotRational: it has other numbers."""
    order = sorted(set(used))
    identity = {i: {i: Fraction(1)} for i in order}
    whole = ExactProgram(len(order), identity, goal, tuple(below), tuple(equal), tuple(matrices))
    return whole.in_basis({i: {n: Fraction(1)} for n, i in enumerate(order)}, len(order))


def _fraction(number: Any) -> Fraction:
    if not isinstance(number, Fraction | int):
        raise NotRational(f"{number} is not rational")
    return Fraction(number)


def _echelon(kernel: NDArray[np.float64]) -> list[list[Fraction]] | None:
    """Rows that span the same, in echelon form with simple fractions; None where the numbers are not near such."""
    rows = kernel.copy()
    done = 0
    for column in range(rows.shape[1]):
        if done == len(rows):
            break
        best = done + int(np.argmax(np.abs(rows[done:, column])))
        if abs(rows[best, column]) < 1e-3:
            continue
        rows[[done, best]] = rows[[best, done]]
        rows[done] /= rows[done, column]
        for other in range(len(rows)):
            if other != done:
                rows[other] -= rows[other, column] * rows[done]
        done += 1
    simple = [[Fraction(c).limit_denominator(100) for c in row] for row in rows.tolist()]
    near = all(
        abs(float(a) - b) < 1e-4 for row, own in zip(simple, rows.tolist(), strict=True) for a, b in zip(row, own, strict=True)
    )
    return simple if near and done == len(rows) else None


class Equations:
    """Linear equations in G and F, solved exactly: some of the numbers by formulas of the others, which are free."""

    def __init__(self, equal: Sequence[Affine], symbols: Sequence[Symbol]) -> None:
        self.symbols = list(symbols)
        column = {s: n for n, s in enumerate(self.symbols)}
        self.pivots: dict[int, list[tuple[int, Fraction]]] = {}
        self.constants: dict[int, Fraction] = {}
        self.is_solvable = True
        rows = [[fmpq(0)] * (len(column) + 1) for _ in equal]
        for row, a in zip(rows, equal, strict=True):
            for s, c in a.terms.items():
                row[column[s]] = fmpq(Fraction(c).numerator, Fraction(c).denominator)
            row[-1] = fmpq(-Fraction(a.constant).numerator, Fraction(a.constant).denominator)
        if not rows:
            return
        reduced, rank = fmpq_mat(rows).rref()
        for r in range(rank):
            line = [reduced[r, c] for c in range(len(column) + 1)]
            pivot = next(n for n, c in enumerate(line) if c != 0)
            if pivot == len(column):
                self.is_solvable = False
                return
            self.pivots[pivot] = [(n, -_of(c)) for n, c in enumerate(line[:-1]) if c != 0 and n != pivot]
            self.constants[pivot] = _of(line[-1])

    def solved(self, near: Mapping[Symbol, float], denominator: int) -> dict[Symbol, Fraction]:
        """Return numbers near these that satisfy every equation: the free ones are rounded."""
        free = {
            n: Fraction(round(near.get(s, 0.0) * denominator), denominator)
            for n, s in enumerate(self.symbols)
            if n not in self.pivots
        }
        found = dict(free)
        for pivot, terms in self.pivots.items():
            found[pivot] = self.constants[pivot] + sum((c * free[n] for n, c in terms), ZERO)
        return {s: found[n] for n, s in enumerate(self.symbols)}


def _of(number: Any) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def is_semidefinite(matrix: Sequence[Sequence[Fraction]]) -> bool:
    """Decide whether a symmetric matrix of fractions is positive semidefinite, by elimination."""
    rows = [[fmpq(c.numerator, c.denominator) for c in row] for row in matrix]
    while rows:
        (pivot, *row), *rest = rows
        if pivot < 0 or (pivot == 0 and any(row)):
            return False
        rows = [[a - r[0] / pivot * b for a, b in zip(r[1:], row, strict=True)] if pivot else r[1:] for r in rest]
    return True
