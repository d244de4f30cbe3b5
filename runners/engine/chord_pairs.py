"""Chords: pairs of points to try claims about any x and y on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from boundcheck.arithmetic import Arithmetic, arithmetic
from boundcheck.arithmetic.base import NotInThisArithmetic, Scalars, Vectors
from boundcheck.arithmetic.computation_lock import begin_run, in_turn
from boundcheck.evaluate.columns import Column
from boundcheck.evaluate.series import Series, Unknown
from boundcheck.language.scalars import Scalar
from boundcheck.language.vectors import Mean, Point, Vector
from boundcheck.model.problem import Problem
from boundcheck.runners.engine.descent import about
from boundcheck.runners.engine.leaf_values import Leaves
from boundcheck.runs.trace import Trace

GRID = [Fraction(n, 2) for n in (-8, -6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8)]


def pairs(problem: Problem, count: int, seed: int) -> tuple[Any, Any]:
    """Small rationals first (every pair of a grid, in one dimension), then seeded random pairs at several scales about x*."""
    d = problem.dimension
    found: list[tuple[list[Fraction], list[Fraction]]] = []
    if d == 1:
        found = [([a], [b]) for a, b in product(GRID, GRID) if a != b]
    generator = np.random.default_rng(seed)
    start = np.array([float(c) for c in problem.start])
    centre = np.array([float(c) for c in problem.minimiser.point]) if problem.minimiser is not None else start
    size = max(1.0, float(np.linalg.norm(start - centre)))
    while len(found) < count:
        scale = size * 2.0 ** -generator.integers(0, 8)
        base = centre + generator.standard_normal(d) * size
        x, y = base, base + generator.standard_normal(d) * scale
        found.append(([_dyadic(c) for c in x], [_dyadic(c) for c in y]))
    return [a for a, _ in found], [b for _, b in found]


def _dyadic(value: float) -> Fraction:
    """A short dyadic rational nearby: exact in every arithmetic, and small enough to stay so."""
    return Fraction(round(value * 2**16), 2**16)


def _written(point: Sequence[Fraction]) -> str:
    """A point as people read it, shortened where it is long."""
    shown = [str(c) for c in point[:4]]
    return shown[0] if len(point) == 1 else f"({', '.join(shown)}{', ...' if len(point) > 4 else ''})"


class _Pairs:
    """The place where leaves of chord claims are read: x and y are the two ends."""

    def __init__(self, problem: Problem, xp: Arithmetic, x: Any, y: Any, letters: dict[str, Any]) -> None:
        self.problem, self.xp, self.letters = problem, xp, letters
        self.points = {
            name: xp.vectors(np.stack([np.asarray(xp.plain.vector(p)) for p in side])[None])
            for name, side in (("x", x), ("y", y))
        }

    def point(self, node: Point) -> Vectors:
        return self.points[node.name]

    def gradient(self, node: Point) -> Vectors:
        return self.problem.grad(self.xp, self.point(node))

    def step(self, start: Vector, end: Vector) -> tuple[Scalars, Point] | None:
        return None

    def mean(self, node: Mean) -> Vectors:
        raise NotInThisArithmetic("a mean belongs to a run, not to a chord")

    def mean_gradient(self, node: Mean) -> Vectors | None:
        return None

    def number(self, node: Scalar) -> Scalars:
        return Series(self.xp, _Nothing(), self.letters).values(node, "k", 0, 1)


class _Nothing:
    """A source without columns: factors inside chord claims are constants."""

    def window(self, column: Column, low: int, high: int) -> Scalars:
        raise NotInThisArithmetic(f"{column} inside a vector of a chord claim")


@in_turn
def chords(
    problem: Problem, *, columns: Iterable[Column], count: int = 200, xp: Arithmetic | str = "float64", seed: int = 0
) -> Trace:
    """Columns of numbers for `count` pairs of points."""
    begin_run()
    xp = arithmetic(xp) if isinstance(xp, str) else xp
    x, y = pairs(problem, count, seed)
    letters = {name: xp.scalar(value) for name, value in about(problem).constants.items() if value is not None}
    leaves = Leaves(problem, xp, _Pairs(problem, xp, x, y, letters))
    found: dict[Column, Scalars] = {}
    refused: dict[str, str] = {}
    for column in sorted(set(columns), key=str):
        try:
            value = leaves.value(column.formula)
        except (NotInThisArithmetic, Unknown) as no:
            refused[str(column)] = str(no)
            continue
        found[column] = value + xp.scalars(np.zeros((1, len(x)))) if value.shape != (1, len(x)) else value
    return Trace(
        xp=xp,
        about=about(problem),
        method="chords",
        names=("chords",),
        steps=np.array([len(x)]),
        ended=("",),
        columns=found,
        refused=refused,
        chord=lambda n: f"x = {_written(x[n])}, y = {_written(y[n])}",
        replay=lambda missing: dict(chords(problem, columns=missing, count=count, xp=xp, seed=seed).columns),
    )
