"""From a numerical worst case to finite data in exact fractions that some function of the class has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from boundcheck.falsify.candidate import InterpolationData
from boundcheck.falsify.shapes import Vector
from boundcheck.gram.affine import ZERO, Affine, Combination, Symbol, value
from boundcheck.gram.program import Objective, Program
from boundcheck.gram.solver import Solution, maximise
from boundcheck.model.function_classes import FUNCTION_CLASSES

ONE, NEGATIVE = Fraction(1), Fraction(-1)
SLACK = Affine(ZERO, {("T", -1): ONE})
FINEST, GRIDS = 10**7, (2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096, 10**5)  # denominators of coordinates
ROUNDS, LEAST_SLACK = 3, 1e-8


@dataclass(frozen=True)
class Data:
    """Exact data, and where the vectors of the basis are."""

    function: InterpolationData
    basis: tuple[Vector, ...]

    def vector(self, combination: Combination) -> Vector:
        return _vector(combination, self.basis)


def exact_data(program: Program, objective: Objective, size: Affine, worst: float) -> Iterator[Data]:
    """Yield data in the fewest dimensions and with the smallest denominators that keep a part of the violation."""
    if program.L is None or not program.is_convex or not program.is_exact or program.function_class not in FUNCTION_CLASSES:
        return
    if (gram := _roomy(program, objective, size, worst)) is None:
        return
    for dimension in range(1, program.basis + 1):
        rows = _coordinates(gram, dimension)
        if _rounded(program, objective, rows, FINEST) is not None:
            yield from filter(None, (_rounded(program, objective, rows, grid) for grid in (*GRIDS, FINEST)))
            return


def _roomy(program: Program, objective: Objective, size: Affine, worst: float) -> NDArray[np.float64] | None:
    """Return a Gram matrix of low rank with half of the violation, where no inequality is tight (log-det heuristic)."""
    goal, own = objective
    enough = Affine(Fraction(worst / 2)).plus(goal, NEGATIVE)
    equal = [*program.equal, *program.equations, value(0)]
    fixed = [*own, enough, size]
    loose = [*program.curvature, *program.below]
    found = maximise(SLACK, [*fixed, SLACK.plus(Affine(NEGATIVE)), *(a.plus(SLACK) for a in loose)], equal, program.basis)
    if not isinstance(found, Solution) or found.value < LEAST_SLACK:
        return None
    below = [*fixed, *(a.plus(Affine(Fraction(found.value / 2))) for a in loose)]
    gram = found.gram(program.basis)
    for _ in range(ROUNDS):
        weights = np.linalg.inv(gram + 1e-4 * np.trace(gram) * np.eye(program.basis))
        weights /= np.abs(weights).max()
        terms: dict[Symbol, float] = {
            ("G", i, j): -float(weights[i, j]) * (1 if i == j else 2) for j in range(program.basis) for i in range(j + 1)
        }
        lower = maximise(Affine(ZERO, terms), below, equal, program.basis)
        if not isinstance(lower, Solution):
            break
        gram = lower.gram(program.basis)
    return gram


def _coordinates(gram: NDArray[np.float64], dimension: int) -> NDArray[np.float64]:
    """Return rows with these inner products, nearly.

    Turned so that the first row has one coordinate, the second two, and so on.
    """
    numbers, vectors = np.linalg.eigh(gram)
    rows = vectors[:, -dimension:] * np.sqrt(np.maximum(numbers[-dimension:], 0))
    triangle: NDArray[np.float64] = np.linalg.qr(rows.T)[1].T
    signs = np.sign(triangle[np.argmax(np.abs(triangle) > 1e-6, axis=0), range(dimension)])
    return triangle * np.where(signs == 0, 1, signs)


def _rounded(program: Program, objective: Objective, rows: NDArray[np.float64], grid: int) -> Data | None:
    basis = [tuple(Fraction(round(c * grid), grid) for c in row) for row in rows.tolist()]
    _make_pairs_exact(program, basis)
    gram: dict[Symbol, Fraction] = {("G", i, j): _dot(basis[i], basis[j]) for j in range(len(basis)) for i in range(j + 1)}
    equal = [(_known(a, gram), True) for a in (value(0), *program.equal)]
    equal += [(_known(program.equation(pair), gram), False) for pair in program.pairs if pair.kind == "H"]
    if (solved := _eliminated(equal)) is None:
        return None
    goal, own = objective
    loose = [_put(_known(a, gram), solved) for a in (*program.curvature, *program.below)]
    fixed = [_put(_known(a, gram), solved) for a in (Affine(ZERO).plus(goal, NEGATIVE).plus(SLACK), *own)]
    found = maximise(SLACK, [SLACK.plus(Affine(NEGATIVE)), *fixed, *(a.plus(SLACK) for a in loose)], (), 0)
    if not isinstance(found, Solution) or found.value < LEAST_SLACK:
        return None
    fine = 2 ** ceil(log2(4 / found.value))
    count = range(len(program.points))
    symbols: dict[Symbol, Fraction] = {("F", n): Fraction(round(found.symbols.get(("F", n), 0.0) * fine), fine) for n in count}
    symbols |= {symbol: Fraction(formula.at(symbols)) for symbol, formula in solved}
    if any(a.at(symbols) > 0 for a in loose):
        return None
    values = [symbols["F", n] for n in count]
    points, gradients = (tuple(_vector(c, basis) for c in part) for part in (program.points, program.gradients))
    assert program.L is not None
    function = InterpolationData(points, gradients, tuple(values), program.L, program.mu, program.least)
    return Data(function, tuple(basis))


def _make_pairs_exact(program: Program, basis: list[Vector]) -> None:
    """Turn gradients so that D of each pair is exactly its number: |g' - g| is that of M (x' - x) / 2, mirrored where needed."""
    done: set[int] = set()
    for pair in program.pairs:
        g, h = program.gradients[pair.start], program.gradients[pair.end]
        free = next(iter(h)) if len(h) == 1 and all(c == 1 for c in h.values()) else -1
        moved = {i for end in (pair.start, pair.end) for i in program.points[end]} | {*g}
        if pair.kind == "D" and free not in {-1, *done, *moved}:
            here = _vector(g, basis)
            ends = [_vector(program.points[end], basis) for end in (pair.start, pair.end)]
            along = tuple(pair.is_ / 2 * (b - a) for a, b in zip(*ends, strict=True))
            wanted = tuple(b - a for a, b in zip(here, basis[free], strict=True))
            rise = min((along, _mirrored(along, wanted)), key=lambda v: _dot(*[tuple(map(Fraction.__sub__, v, wanted))] * 2))
            basis[free] = tuple(map(Fraction.__add__, here, rise))
        done |= {free, *moved}


def _mirrored(v: Vector, onto: Vector) -> Vector:
    """v mirrored to near `onto`: its length is exactly the same."""
    w = tuple(b - a for a, b in zip(v, onto, strict=True))
    twice = 2 * _dot(w, v) / length if (length := _dot(w, w)) else ZERO
    return tuple(a - twice * b for a, b in zip(v, w, strict=True))


def _eliminated(equal: Sequence[tuple[Affine, bool]]) -> list[tuple[Symbol, Affine]] | None:
    """Return values of f by formulas of the others that make these 0 exactly.

    One that the rest rules out is left, unless it must be.
    """
    solved: list[tuple[Symbol, Affine]] = []
    for row, must_be in equal:
        rest = _put(row, solved)
        if rest.terms:
            symbol = max(rest.terms)
            formula = rest.put(symbol, Affine(ZERO)).scaled(-1 / rest.terms[symbol])
            solved = [(s, a.put(symbol, formula)) for s, a in solved] + [(symbol, formula)]
        elif must_be and rest.constant:
            return None
    return solved


def _put(a: Affine, solved: Sequence[tuple[Symbol, Affine]]) -> Affine:
    for symbol, formula in solved:
        a = a.put(symbol, formula)
    return a


def _known(a: Affine, gram: dict[Symbol, Fraction]) -> Affine:
    """With the Gram matrix put in."""
    constant = a.constant + sum((c * gram[s] for s, c in a.terms.items() if s[0] == "G"), ZERO)
    return Affine(constant, {s: c for s, c in a.terms.items() if s[0] != "G"})


def _vector(combination: Combination, basis: Sequence[Vector]) -> Vector:
    parts = [(Fraction(c), basis[i]) for i, c in combination.items()]
    return tuple(sum((c * v[n] for c, v in parts), ZERO) for n in range(len(basis[0])))


def _dot(u: Vector, v: Vector) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), ZERO)
