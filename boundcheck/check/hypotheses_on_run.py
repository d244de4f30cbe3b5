"""Hypotheses on a trace: how each came out, at each step or at each k."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic import compiled
from boundcheck.arithmetic.base import Arithmetic, Truth
from boundcheck.check.question import Question
from boundcheck.claims.hypotheses import AtEachStep, Follows, Hypothesis
from boundcheck.evaluate.algebra import truth
from boundcheck.evaluate.columns import LETTER
from boundcheck.evaluate.series import Series
from boundcheck.language.definition import decided
from boundcheck.language.normal_form import normal_form
from boundcheck.language.ranges import first_index
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Constant, Parameter
from boundcheck.language.tree import Index
from boundcheck.runs.trace import Trace

WINDOW = 4096  # entries at a time: their arrays stay in the cache
LEAST_WINDOW = 512  # however many runs there are
COMPILED_WINDOW = 8192  # one pass an operation, so that fewer, larger ones pay
NO, YES, UNKNOWN = (np.int8(truth) for truth in (Truth.NO, Truth.YES, Truth.UNKNOWN))
NEVER = np.iinfo(np.int64).max // 4
CLOSE = 2.0**-20  # an equality that inexact steps can only follow to this relative distance is not followed at all


def windows(start: int, end: int, runs: int = 1) -> Iterator[tuple[int, int]]:
    """Stretches of the index, shorter for many runs, so that memory depends on neither their number nor the length of a run."""
    length = max((COMPILED_WINDOW if compiled.wanted() else WINDOW) // runs, LEAST_WINDOW)
    return ((low, min(low + length, end)) for low in range(start, end, length))


@dataclass(frozen=True)
class Checked:
    """A hypothesis on a trace: its truth for each run at each index from `start` on.

    For what is undecided and for equations: how far apart the two sides may be, relatively.
    """

    hypothesis: Hypothesis
    relation: Relation
    start: int
    truths: NDArray[np.int8]
    distance: NDArray[np.float64]
    only_near: NDArray[np.bool_] | None = None  # where an equation was accepted though the steps are only near to its formula
    kept: dict[Any, Any] = field(default_factory=dict)  # what was found of it already, for all claims that share it
    unread: str = ""  # the entry that it reads wherever it is asked, and that no run has

    @property
    def at_steps(self) -> bool:
        """Is it about steps? With M = L, M_i <= L is about none."""
        return isinstance(self.hypothesis, AtEachStep) and bool(self.relation.free)

    def of(self, hypothesis: Hypothesis) -> Checked:
        """The same for another claim's hypothesis, which is the same relation."""
        if hypothesis is self.hypothesis:
            return self
        return replace(self, hypothesis=hypothesis)

    @property
    def everywhere(self) -> NDArray[np.bool_]:
        """For each run, whether it holds at every index."""
        if "everywhere" not in self.kept:
            self.kept["everywhere"] = self._everywhere()
        known: NDArray[np.bool_] = self.kept["everywhere"]
        return known

    def _everywhere(self) -> NDArray[np.bool_]:
        if self.truths.shape[1] and self.truths.strides[1] == 0:  # one number, repeated
            return np.asarray(self.truths[:, 0] == YES)
        return np.asarray((self.truths == YES).all(1))

    @property
    def firsts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each run, the first index at which it fails, and at which it is not known; NEVER where there is none."""
        if "firsts" not in self.kept:
            self.kept["firsts"] = tuple(self._first(value) for value in (NO, UNKNOWN))
        failed, unknown = self.kept["firsts"]
        return failed, unknown

    def _first(self, value: np.int8) -> NDArray[np.int64]:
        bad = self.truths == value
        return np.where(bad.any(1), (bad.argmax(1) if bad.shape[1] else 0) + self.start, NEVER)

    def masks(self, run: int) -> tuple[NDArray[np.bool_] | None, NDArray[np.bool_] | None]:
        """Where it fails in this run, and where it is not known; None for nowhere."""
        if ("masks", run) not in self.kept:
            found = []
            for value, first in zip((NO, UNKNOWN), self.firsts, strict=True):
                found.append(self.truths[run] == value if first[run] < NEVER else None)
            self.kept["masks", run] = tuple(found)
        failed, unknown = self.kept["masks", run]
        return failed, unknown

    def is_only_near(self, run: int) -> bool:
        return self.only_near is not None and bool(self.only_near[run].any())


def last_index(q: Question, trace: Trace, relations: Iterable[Relation], letter: str, default: int) -> int:
    """One past the last index at which everything that moves in the relations was recorded; `default` where nothing moves."""
    reads = [read for relation in relations for read in q.reads(relation, letter)]
    return min((trace.length(column) - top.offset for column, top in reads if top.letter is not None), default=default)


def unread_entry(q: Question, trace: Trace, relations: Iterable[Relation], letter: str) -> str:
    """An entry with a fixed index that the relations read and that no run has, such as eta_9 of a run of five steps; or ""."""
    for relation in relations:
        for column, top in q.reads(relation, letter):
            if top.letter is None and top.offset >= trace.length(column):
                return str(put_index(column.formula, LETTER, Index(None, top.offset)))
    return ""


def check_hypotheses(q: Question, trace: Trace, series: Series, first: int, end: int) -> list[Checked]:
    """All that are checked on the run, for a claim asked at k = first..end - 1."""
    return [
        _stepwise(h, r, q, trace, series)
        if isinstance(h, AtEachStep) and r.free
        else _at_each_k(h, r, q, trace, series, first, end)
        for h, r in q.hypotheses
    ]


def _at_each_k(h: Hypothesis, relation: Relation, q: Question, trace: Trace, series: Series, first: int, end: int) -> Checked:
    if end <= first:  # no k is asked
        none = np.zeros((len(trace.names), 0))
        return Checked(h, relation, first, none.astype(np.int8), none)
    name = (series.identity(relation), first, end, q.bound.for_all.letter, "at each k")
    if name not in series.kept:
        series.kept[name] = _look_at_each_k(h, relation, q, trace, series, first, end)
    known: Checked = series.kept[name]
    return known.of(h)


def _look_at_each_k(
    h: Hypothesis, relation: Relation, q: Question, trace: Trace, series: Series, first: int, end: int
) -> Checked:
    known = [exactly(relation, q, trace, run) for run in range(len(trace.names))]
    if None not in known:
        each = np.array([YES if holds else NO for holds in known], dtype=np.int8)
        shape = (len(each), end - first)
        return Checked(h, relation, first, np.broadcast_to(each[:, None], shape), np.broadcast_to(0.0, shape))
    left, right = (series.values(s, q.bound.for_all.letter, first, end) for s in (relation.left, relation.right))
    held = np.array(np.broadcast_to(truth(trace.xp.compare(left, right), relation.op), (len(trace.names), end - first)))
    apart = _apart(trace.xp, left, right, held != YES)
    held = _not_by_freezing(held, relation, q.bound.for_all.letter, first, end, series, trace)
    return Checked(h, relation, first, held, apart)


def exactly(relation: Relation, q: Question, trace: Trace, run: int) -> bool | None:
    """Whether a relation between letters holds for this run, by rational numbers; None where it reads anything else."""
    letters = {**q.about.constants, **dict(q.values), **{name: v[run] for name, v in trace.parameters.items()}}
    return _decided(relation, tuple((name, letters.get(name)) for name in _names(relation)))


@lru_cache(maxsize=4096)
def _names(relation: Relation) -> tuple[str, ...]:
    return tuple(dict.fromkeys(n.name for n in relation.walk() if isinstance(n, Parameter | Constant)))


@lru_cache(maxsize=4096)
def _decided(relation: Relation, letters: tuple[tuple[str, Any], ...]) -> bool | None:
    return decided(relation, dict(letters))


def _stepwise(h: AtEachStep, relation: Relation, q: Question, trace: Trace, series: Series) -> Checked:
    name = (series.identity(relation), type(h))
    if name not in series.kept:  # many claims share a hypothesis: it is looked at once
        series.kept[name] = _look(h, relation, q, trace, series)
    known: Checked = series.kept[name]
    return known.of(h)


@lru_cache(maxsize=4096)
def start_of(relation: Relation, letter: str) -> int:
    """The first index at which all that a hypothesis reads is there: a hypothesis on x_{i-1} begins at 1."""
    return first_index(relation, letter)


def steps_asked(relation: Relation, q: Question, trace: Trace) -> tuple[int, int]:
    """The first step at which a hypothesis about every step is asked, and one past the last: all, where it reads i alone."""
    letter = next(iter(relation.free))
    start = start_of(relation, letter)
    every = max(start + 1, int(trace.steps.max(initial=0)))
    return start, max(last_index(q, trace, [relation], letter, every), start)


def _look(h: AtEachStep, relation: Relation, q: Question, trace: Trace, series: Series) -> Checked:
    xp, runs, letter = trace.xp, len(trace.names), next(iter(relation.free))
    start, end = steps_asked(relation, q, trace)
    if unread := unread_entry(q, trace, [relation], letter):
        shape = (runs, end - start)
        return Checked(h, relation, start, np.full(shape, UNKNOWN), np.full(shape, np.inf), unread=unread)
    parts: list[tuple[Any, ...]] = [(np.zeros((runs, 0), np.int8), np.zeros((runs, 0)), np.zeros((runs, 0), bool))]
    follows = isinstance(h, Follows) and not xp.exact
    constructed = follows and by_construction(relation, q, trace)
    for low, high in windows(start, end, runs):
        left, right = (series.values(s, letter, low, high) for s in (relation.left, relation.right))
        held = np.array(np.broadcast_to(truth(xp.compare(left, right), relation.op), (runs, high - low)))
        if constructed:
            held = np.where(held == UNKNOWN, YES, held)
        apart = _apart(xp, left, right, (held != YES) | (follows and not constructed))
        near = np.zeros(held.shape, dtype=bool)
        held = held if follows else _not_by_freezing(held, relation, letter, low, high, series, trace)
        if follows and not constructed:
            near = np.where(held == UNKNOWN, apart <= CLOSE, (held == NO) & (apart <= xp.frozen_within))
            held = np.where(near, YES, held)
        parts.append((held, apart, near))
        series.forget()
    held, apart, near = (np.concatenate(column, 1) for column in zip(*parts, strict=True))
    return Checked(h, relation, start, held, apart, near)


def decided_by_freezing(
    series: Series, relation: Relation, letter: str, low: int, high: int, held: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Where a relation is decided for the recorded columns, and not for all columns that are as near as freezing moved them."""
    left, right = (series.widened.values(s, letter, low, high) for s in (relation.left, relation.right))
    wide = np.broadcast_to(truth(series.xp.compare(left, right), relation.op), held.shape)
    return np.asarray((held != UNKNOWN) & (wide != held))


def _not_by_freezing(
    held: NDArray[np.int8], relation: Relation, letter: str, low: int, high: int, series: Series, trace: Trace
) -> NDArray[np.int8]:
    """A hypothesis that fails by no more than steps were moved when they were frozen may hold for the rule itself.

    Steps are frozen downwards so that eta_i <= 1/L holds, as it does for the rule 1/L; that eta_i < 1/L holds is freezing alone.
    """
    doubtful = (held != UNKNOWN) if relation.op in ("<", ">") else (held == NO)
    if not trace.is_beside(series.local) or not doubtful.any():
        return held
    return np.where(doubtful & decided_by_freezing(series, relation, letter, low, high, held), UNKNOWN, held)


def _apart(xp: Arithmetic, left: Any, right: Any, where: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How far apart two sides may be, relative to them, where that is wanted."""
    return np.where(where, distance(xp, left, right), 0.0) if where.any() else np.zeros(where.shape)


def by_construction(relation: Relation, q: Question, trace: Trace) -> bool:
    """Were the steps of this run enclosed by this very formula?"""
    if not trace.follows:
        return False
    letters = {**dict(q.values), **{name: values[0] for name, values in trace.parameters.items()}}
    known = tuple(sorted((name, Fraction(value)) for name, value in letters.items()))
    return any(normal_form(relation, known) == normal_form(formula, known) for formula in trace.follows)


def distance(xp: Arithmetic, left: Any, right: Any) -> NDArray[np.float64]:
    """How far apart two sides may be, relative to them."""
    return xp.distance(left, right)


def slacks(checked: Checked, q: Question, trace: Trace, series: Series) -> NDArray[np.float64]:
    """For each run and index of a hypothesis, by how much it holds, relative to its sides; below 0 it fails by so much.

    Of an equation it is minus the distance of its sides; 0 where it is exact, or the steps were enclosed by it.
    """
    name = (series.identity(checked.relation), checked.start, checked.truths.shape, "slack")
    if name not in series.kept:
        series.kept[name] = _slacks(checked, q, trace.xp, series)
    known: NDArray[np.float64] = series.kept[name]
    return known


def _slacks(checked: Checked, q: Question, xp: Arithmetic, series: Series) -> NDArray[np.float64]:
    relation = checked.relation
    found: NDArray[np.float64] = np.full(checked.truths.shape, np.nan)
    if checked.unread:
        return found
    letter = next(iter(relation.free)) if checked.at_steps else q.bound.for_all.letter
    for low, high in windows(checked.start, checked.start + found.shape[1], len(found)):
        left, right = (series.values(s, letter, low, high) for s in (relation.left, relation.right))
        small, large = (right, left) if relation.op in (">=", ">") else (left, right)
        with np.errstate(all="ignore"):
            apart = xp.middle(large - small)
            apart = -np.abs(apart) if relation.op == "==" else apart
            size = np.maximum(np.abs(xp.middle(small)), np.abs(xp.middle(large)))
            found[:, low - checked.start : high - checked.start] = np.where(apart == 0, 0.0, apart / size)
    if relation.op != "==":
        return found
    near = np.zeros(found.shape, dtype=bool) if checked.only_near is None else checked.only_near
    return np.where((checked.truths == YES) & ~near, 0.0, found)
