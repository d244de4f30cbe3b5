"""Asking a trace whether claims hold, at every k of every run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.check.hypotheses_on_run import UNKNOWN, check_hypotheses, decided_by_freezing, distance, slacks, windows
from boundcheck.check.question import Question, letters, questions
from boundcheck.check.verdict import Outcome, Verdict, not_evaluated, vacuous
from boundcheck.check.verdict_builder import VerdictBuilder, cell_of, end_of, entry
from boundcheck.claims.bound import Bound
from boundcheck.evaluate.algebra import truth
from boundcheck.evaluate.series import Series
from boundcheck.language.relations import Relation
from boundcheck.runs.trace import Trace

OUTCOMES = np.array([Outcome.VIOLATED, Outcome.HOLDS, Outcome.UNDECIDED], dtype=np.int8)  # by Truth: NO, YES, UNKNOWN

SHORT = 512  # k of a run whose sides are kept until they are told


def check(
    bounds: Iterable[Bound], trace: Trace, *, smoothness: Iterable[str] | None = None, sides: bool = False
) -> list[Verdict]:
    """The verdict of each claim, for each choice of M and parameters, on each run of the trace."""
    asked = list(questions(bounds, trace.about, exact=trace.xp.exact, fixed=trace.parameters, smoothness=smoothness))
    return answer(asked, trace, sides=sides)


def answer(asked: Sequence[Question], trace: Trace, *, sides: bool = False) -> list[Verdict]:
    """The verdicts of all questions, window by window: what several claims share is computed once for each window."""
    live = [q for q in asked if not q.out_of_place and not q.wrong_method(trace.method)]
    trace = trace.with_columns(c for q in live for c in q.columns)
    shared: dict[Any, Series] = {}
    reasons = [_why_not(q, trace) for q in asked]
    verdicts: list[list[Verdict] | Windowed | None] = [
        _unasked(q, trace, reason) for q, reason in zip(asked, reasons, strict=True)
    ]
    left = [n for n, v in enumerate(verdicts) if v is None]
    for n in left:
        verdicts[n] = Windowed(asked[n], trace, _series(asked[n], trace, shared), sides)
    open_ones = [v for v in verdicts if isinstance(v, Windowed)]
    for series in shared.values():
        series.forget()
        series.counting = True
    for low, high in windows(0, max((v.until for v in open_ones), default=0), len(trace.names)):
        for v in open_ones:
            v.feed(max(low, v.first), min(high, v.until))
        for series in shared.values():
            series.forget()
    return [one for v in verdicts for one in (v.verdicts() if isinstance(v, Windowed) else v or [])]


def _unasked(q: Question, trace: Trace, reason: str) -> list[Verdict] | None:
    """The verdicts of a question that cannot be asked of a trace; None where it can."""
    cells = [cell_of(q, trace, run) for run in range(len(trace.names))]
    if not q.out_of_place and (piece := _piece_to_blame(q, trace)):
        return [not_evaluated(cell, piece) for cell in cells]
    return [vacuous(cell, reason) for cell in cells] if reason else None


def _piece_to_blame(q: Question, trace: Trace) -> str:
    """The piece of a claim that no such run can evaluate, and why; "" where there is none, or the run is only too short."""
    if q.bound.is_beyond_f:
        return trace.blocked or next((trace.refused[str(c)] for c in q.columns if str(c) in trace.refused), "")
    if trace.recorded is not None or q.wrong_method(trace.method) or (bool((trace.steps == 0).all()) and all(trace.ended)):
        return ""
    refused = sorted(str(c) for c in q.columns if c not in trace.columns and str(c) in trace.refused)
    why = trace.refused[refused[0]] if refused else ""
    return "" if not why or why.startswith("the run is too short") else f"{refused[0]}: {why}"


def _why_not(q: Question, trace: Trace) -> str:
    """Why a question cannot be asked of this trace at all, or ""."""
    reason = q.out_of_place or q.wrong_method(trace.method)
    lacking = [] if reason else sorted(str(c) for c in q.columns if c not in trace.columns)
    if lacking:
        refused = trace.refused.get(lacking[0], "")
        never_began = bool((trace.steps == 0).all()) and all(trace.ended)
        reason = _too_short(trace, lacking[0]) if not refused or never_began else refused
    return reason


def _too_short(trace: Trace, column: str) -> str:
    """Why a column is not there though nobody refused it: no run got far enough, or it cannot be run again."""
    if all(trace.ended) and trace.replay is not None:
        return f"the run is too short for any k of the claim: {trace.ended[0]}"
    return f"the trace has no column {column} and cannot be replayed"


def _series(q: Question, trace: Trace, shared: dict[Any, Series]) -> Series:
    """One evaluator for all questions with the same letters, so that what they share is computed once."""
    key = (q.is_local, q.values, tuple(sorted(trace.parameters)))
    if key not in shared:
        per_run = {name: trace.xp.scalars(np.array(v, dtype=object)[:, None]) for name, v in trace.parameters.items()}
        shared[key] = Series(trace.xp, trace, letters(q, trace.xp, per_run), q.is_local)
    return shared[key]


class Windowed(VerdictBuilder):
    """A question whose formulas are evaluated window by window, as series."""

    def __init__(self, q: Question, trace: Trace, series: Series, sides: bool) -> None:
        super().__init__(q, trace, lambda: series, end_of(q, trace))
        self.beside = trace.is_beside(q.is_local)
        self.runs = len(trace.names)
        shape = (self.runs, self.end - self.first)
        self.outcomes = np.full(shape, Outcome.UNDECIDED, dtype=np.int8)  # until a comparison says more
        self.which, self.nearest = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=np.int8)
        self.widths = np.zeros(shape)
        self.ratios = np.full(shape, -np.inf)
        self.sides = np.full((len(q.relations), 2, *shape), np.nan) if sides else None
        self.checked = check_hypotheses(q, trace, series, self.first, self.end)
        self.slacks = [slacks(h, q, trace, series) for h in self.checked] if sides else []
        self.until = self.worth_asking()
        self._short: dict[Relation, tuple[int, Any, Any]] = {}  # both sides of each on a short run, from where on

    def feed(self, low: int, high: int) -> None:
        """Ask at k = low..high - 1."""
        if high <= low:
            return
        at = slice(low - self.first, high - self.first)
        for number, relation in enumerate(self.q.relations):
            left, right = (self.series.values(s, self.letter, low, high) for s in (relation.left, relation.right))
            if high - low <= SHORT:
                self._short[relation] = low, left, right
            held = truth(self.xp.compare(left, right), relation.op)
            if held.shape != (self.runs, high - low):
                held = np.broadcast_to(held, (self.runs, high - low))
            if self.beside:  # what only the freezing of steps or the rounding of points decides is not decided
                held = np.where(decided_by_freezing(self.series, relation, self.letter, low, high, held), UNKNOWN, held)
            if (held == UNKNOWN).any():
                apart = np.broadcast_to(distance(self.xp, left, right), held.shape)
                self.widths[:, at] = np.maximum(self.widths[:, at], np.where(held == UNKNOWN, apart, 0.0))
            if number == 0:
                self.outcomes[:, at] = OUTCOMES[held]
            else:
                worse = _worse(self.outcomes[:, at], OUTCOMES[held])
                self.which[:, at] = np.where(worse != self.outcomes[:, at], number, self.which[:, at])
                self.outcomes[:, at] = worse
            self._measure(number, relation, left, right, at)

    def _at(self, relation: Relation, letter: str, k: int, run: int) -> list[Any]:
        low, *sides = self._short.get(relation, (k + 1,))
        if not 0 <= k - low < SHORT or k >= self.until:
            return super()._at(relation, letter, k, run)
        return [entry(side, run, k - low) for side in sides]

    def _measure(self, number: int, relation: Relation, left: Any, right: Any, at: slice) -> None:
        """How near each k comes to equality, at least: the least that left/right can be.

        An equation in a chain is no bound: its ratio of 1 says nothing.
        """
        small, large = (right, left) if relation.op in (">=", ">") else (left, right)
        a, b = self.xp.middle(small), self.xp.middle(large)
        if self.sides is not None:
            self.sides[number, 0, :, at], self.sides[number, 1, :, at] = a, b
        if relation.op == "==" and any(r.op != "==" for r in self.q.relations):
            return
        with np.errstate(all="ignore"):
            least, spread = a - self.xp.error(small), self.xp.error(large)
            ratio = np.where(b - spread > 0, least / np.where(least > 0, b + spread, b - spread), -np.inf)
        better = np.isfinite(ratio) & (ratio > self.ratios[:, at])
        self.ratios[:, at] = np.where(better, ratio, self.ratios[:, at])
        self.nearest[:, at] = np.where(better, number, self.nearest[:, at])


def _worse(a: NDArray[np.int8], b: NDArray[np.int8]) -> NDArray[np.int8]:
    """Links of a chain together: violated if any is, else undecided if any is."""
    rank = np.array([0, 2, 1, 0], dtype=np.int8)
    return np.where(rank[b] > rank[a], b, a).astype(np.int8)
