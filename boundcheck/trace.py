"""A trace: the columns that a run recorded, and what is known of the function and the method. A bound sees only this."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Arithmetic, Scalars
from boundcheck.evaluate.columns import Column
from boundcheck.language.relations import Relation
from boundcheck.problem import Fact


@dataclass(frozen=True, kw_only=True)
class About:
    """What a trace knows of its problem: name, facts, constants, and whether f attains its minimum."""

    problem: str
    facts: frozenset[Fact]
    constants: Mapping[str, Any]
    minimiser: str  # which one, or "" where there is none


@dataclass(frozen=True, kw_only=True)
class Trace:
    """One batch of runs. Each column has shape (runs, entries); run b made `steps[b]` steps and ended because of `ended[b]`."""

    xp: Arithmetic
    about: About
    method: str  # gradient descent, chords, ...
    names: tuple[str, ...]  # of the runs in the batch: the step-size rule
    steps: NDArray[np.int64]
    ended: tuple[str, ...]
    columns: Mapping[Column, Scalars] = field(repr=False)
    parameters: Mapping[str, tuple[Any, ...]] = field(
        default_factory=dict
    )  # letters that the methods fix: Polyak's gamma, one a run
    replay: Callable[[Iterable[Column]], Mapping[Column, Scalars]] | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    chord: Callable[[int], str] | None = None  # for chords: the two points of an entry
    moved: float = 0.0  # relatively, by how much freezing made steps smaller than the rule says
    follows: tuple[Relation, ...] = ()  # formulas that the steps satisfy by construction: they were not frozen
    refused: Mapping[str, str] = field(default_factory=dict)  # columns that this problem or arithmetic cannot give, and why

    def window(self, column: Column, low: int, high: int) -> Scalars:
        return self.columns[column][..., low:high]

    def length(self, column: Column) -> int:
        shape: tuple[int, ...] = self.columns[column].shape
        return shape[-1]

    def with_columns(self, wanted: Iterable[Column]) -> Trace:
        """This trace with columns that it lacks, by running again where that is possible."""
        missing = [column for column in dict.fromkeys(wanted) if column not in self.columns]
        if not missing or self.replay is None:
            return self
        from dataclasses import replace

        return replace(self, columns={**self.columns, **self.replay(missing)})
