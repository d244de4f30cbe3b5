"""The worst case of a claim at fixed numbers, and the exact counterexample that it rounds to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate, Steps
from boundcheck.falsify.exact_check import look
from boundcheck.falsify.gram_search.rationalise import exact_data
from boundcheck.gram.affine import Affine, Combination, normsq, value
from boundcheck.gram.builder import program
from boundcheck.gram.program import Objective, Program, Setting
from boundcheck.gram.solver import Solution, maximise

ONE = Fraction(1)
TOLERANCE = 1e-5  # a worst case below this, of size 1, is none
SIZES = ("distance", "all")  # what is at most 1, in the order in which they are tried; "gap" and "gradient" are known too


class NoAnswer(ArithmeticError):
    """The solver did not settle the program."""


@dataclass(frozen=True)
class Worst:
    """The worst case of left - right (or its opposite, of >=) where the instance has size 1, in floating point."""

    bound: Bound
    setting: Setting
    program: Program
    objective: Objective
    size: Affine  # <= 0: what keeps the instance small
    value: float
    most: float  # no instance does worse, up to the solver's tolerance
    is_settled: bool  # the solver kept that tolerance
    points: NDArray[np.float64]
    gradients: NDArray[np.float64]
    values: NDArray[np.float64]


def solve(bound: Bound, at: Setting, made: Program | None = None, sizes: Sequence[str] = SIZES) -> Worst | None:
    """Return the worst case, by the first size that bounds it.

    None: no instance has these numbers. NotModelled: none can be asked.
    """
    made, best = made or program(bound, at), None
    for objective in made.objectives:
        found = _worst(bound, at, made, objective, sizes)
        if found is not None and (best is None or found.most > best.most):
            best = found
    return best


def _worst(bound: Bound, at: Setting, made: Program, objective: Objective, sizes: Sequence[str]) -> Worst | None:
    goal, own = objective
    equal = [*made.equal, *made.equations, value(0)]
    for size in filter(None, (_size(made, name) for name in sizes)):
        found = maximise(goal, [*made.curvature, *made.below, *made.bands, *own, size], equal, made.basis)
        if isinstance(found, Solution):
            rows = _rows(found.gram(made.basis))
            points, gradients = (_place(part, rows) for part in (made.points, made.gradients))
            values = np.array([found.symbols.get(("F", n), 0.0) for n in range(len(made.points))])
            return Worst(bound, at, made, objective, size, found.value, found.most, found.is_settled, points, gradients, values)
        if found.is_infeasible:
            return None
    raise NoAnswer("no size bounds the program, or the solver fails")


def _size(made: Program, name: str) -> Affine | None:
    """<= 0 for |x_0 - x*|^2, f(x_0) - f*, |grad f(x_0)|^2 or the squares of all vectors together at most 1."""
    at = made.points.index(made.start) if made.start in made.points else None
    if name == "distance" and made.least is not None and made.start:
        return normsq(made.start).plus(Affine(-ONE))
    if name == "gap" and made.least is not None and at is not None:
        return value(at).plus(value(made.least), -ONE).plus(Affine(-ONE))
    if name == "gradient" and at is not None:
        return normsq(made.gradients[at]).plus(Affine(-ONE))
    squares = {("G", i, i): ONE for i in range(made.basis)}
    return Affine(-ONE, squares) if name == "all" else None


def _rows(gram: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the vectors of the basis, in as many dimensions as the matrix has rank."""
    numbers, vectors = np.linalg.eigh(gram)
    keep = numbers > 1e-6 * max(numbers.max(initial=0.0), 1e-12)
    rows: NDArray[np.float64] = vectors[:, keep] * np.sqrt(numbers[keep])
    return rows


def _place(vectors: Sequence[Combination], rows: NDArray[np.float64]) -> NDArray[np.float64]:
    combined = np.zeros((len(vectors), len(rows)))
    for n, vector in enumerate(vectors):
        for i, c in vector.items():
            combined[n, i] = float(c)
    placed: NDArray[np.float64] = combined @ rows
    return placed


def exact(worst: Worst) -> Iterator[Candidate]:
    """Yield candidates in fractions, the simplest first: their data can be interpolated, exactly. `look` has not seen them."""
    made, at = worst.program, worst.setting
    if worst.value < TOLERANCE:
        return
    for data in exact_data(made, worst.objective, worst.size, worst.value):
        steps: Steps = made.steps
        yield Candidate(
            function=data.function,
            k=at.k,
            smoothness=at.smoothness,
            parameters=at.parameters,
            link=at.link,
            start=data.vector(made.start),
            chosen=tuple((role, (("eta", steps),)) for role in made.roles),
            chord=tuple((name, data.vector(point)) for name, point in made.names.items()),
        )


def candidate(worst: Worst) -> Candidate | None:
    """Return the simplest of them at which the claim fails, proved by the checker."""
    return next((found for found in exact(worst) if look(worst.bound, found) is not None), None)
