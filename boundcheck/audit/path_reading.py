"""Evaluation of formulas at the points of a path: each number has the share of it that rounding may have made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.audit.path import Path, driven_by
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.evaluate.series import Series, Unknown
from boundcheck.language.letters import f as value_of
from boundcheck.language.letters import norm, x
from boundcheck.language.ranges import leaves, reads
from boundcheck.language.rewrite import put_index, transform
from boundcheck.language.scalars import Gap, IndexNumber, Number, Reduce, Scalar, Term, Value, as_scalar
from boundcheck.language.tree import Index, IndexError_, Node
from boundcheck.language.vectors import Mean, Minimum, Point
from boundcheck.library.catalogue import runner
from boundcheck.model.method import Method
from boundcheck.model.rule import Rule
from boundcheck.runs.trace import Trace

Floats = NDArray[np.float64]
HORIZON, EPS = "K", 2.0**-52
ROUNDED = 8.0  # units of float64 that a value of f may be off
NOT_READ = (LookupError, Unknown, IndexError_)


class UnreadableFormula(LookupError):
    """A formula that has no value on this path, and why."""


@dataclass(frozen=True)
class Values:
    """One number a step, NaN where there is none; `error` is absolute."""

    value: Floats
    error: Floats


class ReadablePath:
    """The path of a rule, made once more with the same steps whenever a formula reads something new of it."""

    def __init__(self, path: Path, *, horizon: int = 0, parameters: Mapping[str, Any] | None = None) -> None:
        self.path, self.steps, self.horizon = path, path.steps, horizon or path.steps
        self.eta: Floats = np.asarray(path.eta, dtype=np.float64)
        self.parameters = dict(path.rule.parameters) if parameters is None else dict(parameters)
        self._columns: dict[Column, Any] = dict(path.trace.columns) if path.trace is not None else {}
        self._refused: dict[str, str] = {}
        self._trace: Trace | None = None

    def with_letters(self, parameters: Mapping[str, Any]) -> ReadablePath:
        """Return the same path with other values of the parameters: what was recorded of it is shared."""
        made = copy(self)
        made.parameters = dict(parameters)
        return made

    @property
    def name(self) -> str:
        return self.path.problem.name

    def values(self, formula: Scalar) -> Values:
        """Return the formula at each step of the path. What no step can read raises Unread."""
        if not self.steps:
            raise UnreadableFormula(f"no step was made on {self.name}")
        letter, local, shift, moved, parts = self._taken_apart(formula)
        self._record({column for column, _ in parts})
        low = max([0, *(-lowest for _, lowest in reads(moved, {letter: 0}))])
        high = min([self.steps - shift, *(self._length(c) - index.offset for c, index in parts if index.letter is not None)])
        value, error = np.full(self.steps, np.nan), np.full(self.steps, np.inf)
        if high > low:
            with np.errstate(all="ignore"):
                made = Series(self.trace.xp, self, self._letters, local).values(moved, letter, low, high)
                value[low + shift : high + shift] = np.ravel(np.broadcast_to(self.trace.xp.middle(made), (1, high - low)))
                error[low + shift : high + shift] = np.ravel(np.broadcast_to(self.trace.xp.error(made), (1, high - low)))
        return Values(np.where(np.isfinite(error), value, np.nan), error)

    def prepare(self, formulas: Iterable[Scalar]) -> None:
        """Record what all these formulas read, in one go."""
        columns: set[Column] = set()
        for formula in formulas:
            with suppress(*NOT_READ):
                columns |= {column for column, _ in self._taken_apart(formula)[-1]}
        self._record(columns)

    def _taken_apart(self, formula: Scalar) -> tuple[str, bool, int, Scalar, list[tuple[Column, Index]]]:
        """Its letter; is it about one step; by how much it is moved; the moved formula, and the columns that it reads."""
        formula = self._at_horizon(formula)
        letter = next(iter(sorted(formula.free)), "i")
        if len(formula.free) > 1:
            raise UnreadableFormula(f"{formula} has several free letters; a rule is a formula of one step")
        local, shift = _place(formula)
        moved = put_index(formula, letter, Index(letter, shift))
        return letter, local, shift, moved, [as_column(leaf, local) for leaf in leaves(moved)]

    @cached_property
    def sizes(self) -> Floats:
        """|x_k| at each step."""
        return self.values(as_scalar(1) * norm(x[Index("i")])).value

    @cached_property
    def noise(self) -> Floats:
        """For each step, what rounding of the points alone makes of a difference of two of them, relatively."""
        sizes = self.sizes
        with np.errstate(all="ignore"):  # a step of 1e308 is infinitely far
            moved = self.eta * (1 if self.is_normalized else self.path.grad_norm[: self.steps])
            before = np.concatenate([moved[:1], moved[:-1]])
            found = 64 * EPS * (1 + sizes / np.minimum(moved, before))
        return np.where(np.isfinite(found), found, np.inf)

    @cached_property
    def noise_of_f(self) -> Floats:
        """For each point x_0..x_K, what rounding may make of f there: of its own size, and of the terms that it is a sum of."""
        own = ROUNDED * EPS * np.abs(self.path.f[: self.steps + 1])
        try:
            error = self.values(as_scalar(1) * value_of(x[Index("i")])).error
        except NOT_READ:
            return np.asarray(own)
        error = np.concatenate([error, error[-1:]])
        return np.asarray(own + np.where(np.isfinite(error), error, 0.0))

    @property
    def is_normalized(self) -> bool:
        return self.method.kind == "normalized"

    @cached_property
    def method(self) -> Method:
        return driven_by(self.path.rule)

    def again(self, step: Callable[[Any], Any], columns: Iterable[Column] = ()) -> Trace:
        """Return the same path, with `step(run)` called at each of its moments; what it returns is not used."""

        def same(run: Any) -> Any:
            step(run)
            run.noted.clear()
            return run.xp.scalar(float(self.eta[run.k]))

        rule = Rule(name=self.path.rule.name, step=same, methods=(self.method.kind,), remembers=True)
        made: Trace = runner().run(self.path.problem, rule, steps=self.steps, columns=columns, method=self.method)
        return made

    # -- as a series reads it --------------------------------------------------------------------------------------------

    @property
    def trace(self) -> Trace:
        if self._trace is None:
            self._record(())
        assert self._trace is not None
        return self._trace

    def _record(self, wanted: Iterable[Column]) -> None:
        missing = {column for column in wanted if column not in self._columns and str(column) not in self._refused}
        missing = {column for column in missing if not _is_step(column)}  # steps are those of the path
        if self.path.problem.minimiser is None:
            missing = {column for column in missing if not any(isinstance(n, Minimum | Gap) for n in column.formula.walk())}
        if self._trace is None:
            missing.add(as_column(norm(x[Index("i")]))[0])
        if not missing:
            return
        self._trace = self.again(lambda run: None, missing)
        self._columns.update(self._trace.columns)
        self._refused.update(self._trace.refused)

    def _length(self, column: Column) -> int:
        formula = column.formula
        if isinstance(formula, Term) and _is_step(column):
            return self.steps - formula.index.offset
        if column in self._columns:
            return min(int(self._columns[column].shape[-1]), self.steps + 1)
        return self.steps + 1

    def window(self, column: Column, low: int, high: int) -> Any:
        formula, xp = column.formula, self.trace.xp
        if isinstance(formula, Term) and _is_step(column):
            first = low + formula.index.offset
            before = np.full(max(0, -first), np.nan)  # there is no step before the first
            return xp.scalars(np.concatenate([before, self.eta[max(0, first) : high + formula.index.offset]])[None])
        if column in self._columns:
            return self._columns[column][..., low:high]
        problem = self.path.problem
        if isinstance(formula, Value) and isinstance(formula.at, Minimum) and problem.infimum is not None:
            return xp.scalars(np.full((1, high - low), float(problem.infimum)))
        if isinstance(formula, Gap) and isinstance(formula.at, Point) and self.path.gap is not None:
            assert formula.at.index is not None
            at = slice(low + formula.at.index.offset, high + formula.at.index.offset)
            return xp.scalars(self.path.gap[None, at], 8 * EPS * np.abs(self.path.f[None, at]))
        raise UnreadableFormula(self._refused.get(str(column), f"{column} is not known on {self.name}"))

    @property
    def _letters(self) -> dict[str, Any]:
        xp, constants = self.trace.xp, self.trace.about.constants
        known = {**constants, **self.parameters}
        return {name: xp.scalar(value) for name, value in known.items() if value is not None}

    def _at_horizon(self, formula: Scalar) -> Scalar:
        def change(node: Node) -> Node | None:
            if isinstance(node, IndexNumber) and node.index.letter == HORIZON:
                return Number(as_scalar(self.horizon + node.index.offset).value)  # type: ignore[attr-defined]
            return None

        return transform(formula, change)


def _is_step(column: Column) -> bool:
    return isinstance(column.formula, Term) and column.formula.name == "eta"


def _place(formula: Scalar) -> tuple[bool, int]:
    """Return whether a chord is of one step, from a point to the next, and by how much its first point is later than x_i."""
    offsets = {index.offset for node in formula.walk() if isinstance(node, Point) for index in node.indices if index.letter}
    sums = any(isinstance(node, Reduce | Mean) for node in formula.walk())
    if sums or not offsets or max(offsets) - min(offsets) > 1:
        return False, 0
    return True, max(0, -min(offsets))
