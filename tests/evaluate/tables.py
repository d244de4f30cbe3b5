"""Random columns, and a formula's value on them by the one-pass evaluation and by the plain definition."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic import arithmetic
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.evaluate.series import Series
from boundcheck.language.definition import Definition
from boundcheck.language.scalars import Constant, Parameter, Scalar
from boundcheck.language.tree import Node

RATIONAL = arithmetic("rational")


class Table:
    """Columns of small random rationals for a batch of runs, made when first read; some entries repeat, none is 0."""

    def __init__(self, seed: int = 0, runs: int = 1, length: int = 40) -> None:
        self.seed, self.runs, self.length = seed, runs, length
        self.values: dict[Column, list[list[Fraction]]] = {}
        self.windows = 0
        self.letters = {
            "gamma": Fraction(3, 2),
            "c": Fraction(2),
            "eta_min": Fraction(1, 3),
            "N": Fraction(7),
            "L": Fraction(5),
            "mu": Fraction(1, 2),
        }
        self.letters |= {"eps": Fraction(1, 4), "slope": Fraction(3), "t": Fraction(199, 100)}

    def rows(self, column: Column) -> list[list[Fraction]]:
        if column not in self.values:
            generator = random.Random(f"{self.seed} {column}")
            self.values[column] = [
                [Fraction(generator.randint(1, 9), generator.randint(1, 4)) for _ in range(self.length)] for _ in range(self.runs)
            ]
        return self.values[column]

    def window(self, column: Column, low: int, high: int) -> Any:
        assert low >= 0, f"{column} is read at {low}"
        assert high <= self.length
        self.windows += 1
        cut = np.empty((self.runs, high - low), dtype=object)
        for row, values in zip(cut, self.rows(column), strict=True):
            row[:] = values[low:high]
        return RATIONAL.scalars(cut)

    def leaf(self, node: Node, run: int) -> Fraction:
        if isinstance(node, Parameter | Constant):
            return self.letters.setdefault(node.name, Fraction(len(self.letters), 3))
        assert isinstance(node, Scalar)
        column, index = as_column(node)
        return self.rows(column)[run][index.offset]


def one_pass(formula: Scalar, table: Table, ks: range, cuts: Iterable[int] = (), letter: str = "k") -> list[list[Fraction]]:
    """The formula for every k, in windows that end at `cuts`; one row for each run."""
    series = Series(RATIONAL, table, {name: RATIONAL.scalar(value) for name, value in table.letters.items()})
    ends = [*sorted(set(cuts) & set(ks)), ks.stop]
    rows: list[list[Fraction]] = [[] for _ in range(table.runs)]
    low = ks.start
    for high in ends:
        if high > low:
            data = np.broadcast_to(series.values(formula, letter, low, high).data, (table.runs, high - low))
            for row, values in zip(rows, data, strict=True):
                row += [Fraction(int(v.p), int(v.q)) for v in values]
            series.forget()
            low = high
    return rows


def by_definition(formula: Scalar, table: Table, ks: range, letter: str = "k") -> list[list[Fraction]]:
    rows = []
    for run in range(table.runs):
        definition = Definition(lambda node, run=run: table.leaf(node, run), {}, Fraction)  # type: ignore[misc]
        rows.append([definition.value(formula, {letter: n}) for n in ks])
    return rows


CUTS: Sequence[tuple[int, ...]] = ((), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), (3, 4, 9), (7,))
