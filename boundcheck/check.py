"""Asking a trace whether claims hold, at every k of every run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Truth
from boundcheck.bound import Bound
from boundcheck.evaluate.series import Series, truth
from boundcheck.hypotheses import AtEachStep, Follows
from boundcheck.language.relations import Relation
from boundcheck.lint.horizon import last_step
from boundcheck.question import Question, letters, questions
from boundcheck.stepwise import CLOSE, Checked, check_hypotheses, distance, last_index, slacks, windows
from boundcheck.trace import Trace
from boundcheck.verdict import FAILS_NEARBY, Cell, Moment, Outcome, Verdict, vacuous

OUTCOMES = np.array([Outcome.VIOLATED, Outcome.HOLDS, Outcome.UNDECIDED], dtype=np.int8)  # by Truth: NO, YES, UNKNOWN
NOWHERE = np.zeros(0, dtype=np.int64)
NEVER = np.iinfo(np.int64).max // 4
UNFROZEN = "a violation needs exact rationals, or a run enclosed with the formula's own steps"


def check(
    bounds: Iterable[Bound], trace: Trace, *, smoothness: Iterable[str] | None = None, sides: bool = False
) -> list[Verdict]:
    """The verdict of each claim, for each choice of M and parameters, on each run of the trace."""
    asked = list(questions(bounds, trace.about, exact=trace.xp.exact, fixed=trace.parameters, smoothness=smoothness))
    return answer(asked, trace, sides=sides)


def answer(asked: Sequence[Question], trace: Trace, *, sides: bool = False, tightness: bool = True) -> list[Verdict]:
    """The verdicts of all questions, window by window: what several claims share is computed once for each window."""
    live = [q for q in asked if not q.out_of_place and not q.wrong_method(trace.method)]
    trace = trace.with_columns(c for q in live for c in q.columns)
    shared: dict[Any, Series] = {}
    verdicts: list[list[Verdict] | _Asked] = []
    for q in asked:
        reason = q.out_of_place or q.wrong_method(trace.method)
        lacking = [] if reason else sorted(str(c) for c in q.columns if c not in trace.columns)
        if lacking:
            reason = trace.refused.get(lacking[0], "") or _too_short(trace, lacking[0])
        if reason:
            verdicts.append([vacuous(_cell(q, trace, run), reason) for run in range(len(trace.names))])
        else:
            verdicts.append(_Asked(q, trace, _series(q, trace, shared), sides, tightness))
    open_ones = [v for v in verdicts if isinstance(v, _Asked)]
    for series in shared.values():
        series.forget()
        series.counting = True
    for low, high in windows(0, max((v.until for v in open_ones), default=0), len(trace.names)):
        for v in open_ones:
            v.feed(max(low, v.first), min(high, v.until))
        for series in shared.values():
            series.forget()
    return [found for v in verdicts for found in (v.verdicts() if isinstance(v, _Asked) else v)]


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


def _cell(q: Question, trace: Trace, run: int) -> Cell:
    parameters = dict(q.values) | {name: values[run] for name, values in trace.parameters.items() if name in q.bound.parameters}
    return Cell(
        claim=q.bound.id,
        problem=trace.about.problem,
        method=trace.names[run],
        arithmetic=trace.xp.name,
        smoothness=q.smoothness,
        parameters=tuple((name, str(value)) for name, value in sorted(parameters.items())),
        run=run,
    )


class _Asked:
    def __init__(self, q: Question, trace: Trace, series: Series, sides: bool, tightness: bool) -> None:
        self.q, self.trace, self.series, self.tightness = q, trace, series, tightness or sides
        self.xp, self.letter = trace.xp, q.bound.for_all.letter
        self.runs = len(trace.names)
        self.first = 0 if q.bound.is_about_chords else q.bound.for_all.start
        at_k = [*q.relations, *(r for h, r in q.hypotheses if not isinstance(h, AtEachStep) or not r.free)]
        self.end = max(last_index(q, trace, at_k, self.letter, self.first + 1), self.first)
        shape = (self.runs, self.end - self.first)
        self.outcomes = np.full(shape, Outcome.HOLDS, dtype=np.int8)
        self.which, self.nearest = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=np.int8)  # which link of a chain
        self.widths = np.zeros(shape)  # of what is undecided, relative: how far apart the two sides may be
        self.undecided = False  # is there any?
        self.ratios = np.full(shape, -np.inf) if self.tightness else np.broadcast_to(-np.inf, shape)
        self.sides = np.full((len(q.relations), 2, *shape), np.nan) if sides else None
        self.checked = check_hypotheses(q, trace, series, self.first, self.end)
        self.slacks = [slacks(h, q, trace, series) for h in self.checked] if sides else []
        self.until = self._worth_asking()

    # -- hypotheses -----------------------------------------------------------------------------------------------------

    def _reach(self, checked: Checked) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each run, the first k that a failed step, and that an undecided step, takes away."""
        lag, firsts = self._lag(checked), []
        for value in (Truth.NO, Truth.UNKNOWN):
            bad = checked.truths == value
            first = bad.argmax(1) if bad.shape[1] else 0
            index = np.where(bad.any(1), first + checked.start + lag, NEVER)
            firsts.append(index)
        return firsts[0], firsts[1]

    def _lag(self, checked: Checked) -> int:
        """How much later than a step the first k comes that rests on it."""
        letter = next(iter(checked.relation.free))
        state = self.q.bound.runs.state
        claim = max(-1, *(s for r in self.q.relations for s in (last_step(r, self.letter, state),) if s is not None), -1)
        step = last_step(checked.relation, letter, state)
        return (0 if step is None else step) - claim

    def _worth_asking(self) -> int:
        """One past the last k that some run's hypotheses leave open: beyond it every verdict is VACUOUS or UNDECIDED anyway."""
        end = self.end
        for h in self.checked:
            if h.at_steps and not self.q.is_one_step:
                end = min(end, int(np.minimum(*self._reach(h)).max()))
        return max(end, self.first)

    # -- verdicts ------------------------------------------------------------------------------------------------------

    def feed(self, low: int, high: int) -> None:
        """Ask at k = low..high - 1."""
        if high <= low:
            return
        at = slice(low - self.first, high - self.first)
        for number, relation in enumerate(self.q.relations):
            left, right = (self.series.values(s, self.letter, low, high) for s in (relation.left, relation.right))
            if not self.tightness and not self.trace.moved and self.xp.surely(left, relation.op, right):
                continue  # it holds at all of them, as the outcomes have it already
            held = np.broadcast_to(truth(self.xp.compare(left, right), relation.op), (self.runs, high - low))
            if self.trace.moved or (held == Truth.UNKNOWN).any():
                apart = np.broadcast_to(distance(self.xp, left, right), held.shape)
                if self.trace.moved:  # what only the freezing of steps decides is not decided
                    held = np.where((apart > 0) & (apart <= self.xp.frozen_within), np.int8(Truth.UNKNOWN), held)
                self.undecided = True
                self.widths[:, at] = np.maximum(self.widths[:, at], np.where(held == Truth.UNKNOWN, apart, 0.0))
            if number == 0:
                self.outcomes[:, at] = OUTCOMES[held]
            else:
                worse = _worse(self.outcomes[:, at], OUTCOMES[held])
                self.which[:, at] = np.where(worse != self.outcomes[:, at], number, self.which[:, at])
                self.outcomes[:, at] = worse
            if self.tightness:
                self._measure(number, relation, left, right, at)

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

    def verdicts(self) -> list[Verdict]:
        return [self._verdict(run) for run in range(self.runs)]

    def _verdict(self, run: int) -> Verdict:
        outcomes, ratios, which, nearest = self.outcomes[run].copy(), self.ratios[run], self.which[run], self.nearest[run]
        ks = np.arange(self.first, self.end)
        reasons: list[str] = []
        notes = list(self.trace.notes)
        failing = [h for h in self.checked if not h.everywhere[run]]
        for h in failing:
            reasons += self._apply(h, run, ks, outcomes)
        for h in self.checked:
            notes += self._closeness(h, run)
        near = self.xp.certified and any(h.is_only_near(run) for h in self.checked)
        widths = self.widths[run]
        for h in failing:
            widths = np.maximum(widths, self._widths(h, run, ks))
        keep = (
            slice(None)
            if self.q.bound.is_about_chords
            else slice(0, max(0, len(ks) - int(self.trace.steps.max() - self.trace.steps[run])))
        )
        if self.q.bound.has_fixed_horizon:
            last = min(int(self.trace.steps[run]), self.end - 1) - self.first  # the last K that the run has all of
            keep = slice(max(0, last), max(0, last) + 1)
        outcomes, ratios, ks, which, nearest = outcomes[keep], ratios[keep], ks[keep], which[keep], nearest[keep]
        widths = widths[keep]
        if near and (outcomes == Outcome.VIOLATED).any():
            at = int(ks[(outcomes == Outcome.VIOLATED).argmax()])
            widths = np.where(outcomes == Outcome.VIOLATED, np.inf, widths)  # the claim's own steps may tell
            outcomes[outcomes == Outcome.VIOLATED] = Outcome.UNDECIDED
            reasons.append(f"fails at k = {at} {FAILS_NEARBY} that the claim assumes: {UNFROZEN}")
        undecided = np.flatnonzero(outcomes == Outcome.UNDECIDED) if self.undecided or failing or near else NOWHERE
        if len(undecided) and not reasons:
            reasons.append(self._why_undecided(run, int(ks[undecided[0]]), int(which[undecided[0]])))
        if not len(ks) and not reasons:
            ended = self.trace.ended[run]
            reasons.append("the run is too short for any k of the claim" + (f": {ended}" if ended else ""))
        if not reasons and not self._every_k and len(ks) == 1 and ks[0] == 0:
            reasons.append("only k = 0 was reached, where nothing has happened yet: run more steps")
        violated = np.flatnonzero(outcomes == Outcome.VIOLATED)
        best, held = None, ratios
        if self.tightness:
            held = np.where((outcomes == Outcome.HOLDS) & ((ks >= 1) | self._every_k), ratios, -np.inf)
            best = int(held.argmax()) if len(held) and np.isfinite(held.max()) else None
        return Verdict(
            cell=_cell(self.q, self.trace, run),
            first_k=int(ks[0]) if len(ks) else self.first,
            outcomes=outcomes,
            certified=self.xp.certified and not near,
            tied=bool(len(undecided)) and bool((widths[undecided] <= self.xp.tie_within).all()),
            width=float(widths[undecided].max(initial=0.0)),
            near=near,
            strays=any(isinstance(h.hypothesis, Follows) and bool((h.truths[run] == Truth.NO).any()) for h in self.checked),
            reason="; ".join(dict.fromkeys(reasons)),
            violation=self._moment(run, int(ks[violated[0]]), int(which[violated[0]]), float(ratios[violated[0]]))
            if len(violated)
            else None,
            tightest=self._moment(run, int(ks[best]), int(nearest[best]), float(held[best])) if best is not None else None,
            notes=tuple(dict.fromkeys(notes)),
            every_k_counts=self._every_k,
            **self._with_sides(run, keep),
        )

    def _with_sides(self, run: int, keep: slice) -> dict[str, Any]:
        """Both sides and the slack of the hypotheses at each k, if they were asked for."""
        if self.sides is None:
            return {}
        mine = self.sides[:, :, run, keep]
        links = mine.copy() if len(mine) > 1 else None
        return {"left": mine[0, 0], "right": mine[0, 1], "links": links, "residual": self._slack(run)[keep]}

    def _slack(self, run: int) -> NDArray[np.float64]:
        """At each k, the least relative slack of the hypotheses that it rests on: those about steps, at all steps so far."""
        least = np.full(self.end - self.first, np.nan)
        for h, found in zip(self.checked, self.slacks, strict=True):
            each, entries = found[run], np.arange(self.first, self.end) - h.start
            if h.at_steps and not self.q.is_one_step:
                each, entries = np.fmin.accumulate(each), np.minimum(entries - self._lag(h), len(each) - 1)
            known = (entries >= 0) & (entries < len(each))
            least[known] = np.fmin(least[known], each[entries[known]])
        return least

    @property
    def _every_k(self) -> bool:
        return self.q.bound.is_about_chords or self.q.bound.has_fixed_horizon or self.q.is_one_step

    def _apply(self, h: Checked, run: int, ks: NDArray[np.int64], outcomes: NDArray[np.int8]) -> list[str]:
        """Take away the k whose hypotheses failed (VACUOUS) or are not known (UNDECIDED); say why."""
        if not h.at_steps or self.q.is_one_step:
            truths = np.full(len(ks), Truth.YES, dtype=np.int8)
            mine = h.truths[run, max(0, self.first - h.start) :][: len(ks)]
            truths[: len(mine)] = mine
            failed, unknown = truths == Truth.NO, truths == Truth.UNKNOWN
        else:
            first_failed, first_unknown = self._reach(h)
            failed, unknown = ks >= first_failed[run], ks >= first_unknown[run]
        outcomes[unknown & (outcomes != Outcome.VACUOUS)] = Outcome.UNDECIDED
        outcomes[failed] = Outcome.VACUOUS
        reasons = []
        if failed.any():
            reasons.append(self._residual(h, run, Truth.NO, "fails"))
        elif unknown.any():
            reasons.append(self._residual(h, run, Truth.UNKNOWN, "cannot be decided"))
        return reasons

    def _widths(self, h: Checked, run: int, ks: NDArray[np.int64]) -> NDArray[np.float64]:
        """For the k that a hypothesis leaves undecided, how far apart its two sides may be."""
        unknown, made = h.truths[run] == Truth.UNKNOWN, np.zeros(len(ks))
        if not unknown.any():
            return made
        if h.at_steps and not self.q.is_one_step:
            return np.where(ks >= self._reach(h)[1][run], h.distance[run, unknown.argmax()], 0.0)
        mine = np.where(unknown, h.distance[run], 0.0)[max(0, self.first - h.start) :][: len(ks)]
        made[: len(mine)] = mine
        return made

    def _residual(self, h: Checked, run: int, value: Truth, verb: str) -> str:
        at = int((h.truths[run] == value).argmax()) + h.start
        letter = next(iter(h.relation.free), self.letter)
        name = (self.series.identity(h.relation), letter, at, run, "texts")
        if name not in self.series.kept:
            self.series.kept[name] = [self._text(side, letter, at, run) for side in (h.relation.left, h.relation.right)]
        left, right = self.series.kept[name]
        place = f"at step {at} " if h.at_steps else ""
        return f"hypothesis {h.hypothesis} {verb} {place}({left} against {right})"

    def _closeness(self, h: Checked, run: int) -> list[str]:
        if not isinstance(h.hypothesis, Follows) or self.xp.exact or not h.distance.shape[1]:
            return []
        near = h.distance[run][(h.truths[run] == Truth.YES) & (h.distance[run] <= CLOSE)]
        worst = float(near.max(initial=0.0))
        return [f"steps within 2^{int(np.ceil(np.log2(worst)))} of the rule"] if worst > 0 else []

    def _moment(self, run: int, k: int, number: int, ratio: float) -> Moment:
        relation = self.q.relations[number]
        left, right = (self._text(side, self.letter, k, run) for side in (relation.left, relation.right))
        chord = self.trace.chord(k) if self.trace.chord is not None else ""
        link = str(relation) if len(self.q.relations) > 1 else ""
        return Moment(k=k, left=left, right=right, ratio=ratio, link=link, chord=chord)

    def _why_undecided(self, run: int, k: int, number: int) -> str:
        relation = self.q.relations[number]
        for side in (relation.left, relation.right):
            if why := self.xp.reason(self._at(side, self.letter, k, run)):
                return f"k = {k}: {why}"
        m = self._moment(run, k, number, 0.0)
        return f"k = {k}: {m.left} and {m.right} cannot be told apart"

    def _at(self, side: Any, letter: str, k: int, run: int) -> Any:
        value = self.series.values(side, letter, k, k + 1)
        shape = value.shape
        return (
            value[(min(run, shape[0] - 1) if len(shape) == 2 else slice(None), 0)]
            if len(shape) == 2
            else (value[0] if shape else value)
        )

    def _text(self, side: Any, letter: str, k: int, run: int) -> str:
        return self.xp.text(self._at(side, letter, k, run))


def _worse(a: NDArray[np.int8], b: NDArray[np.int8]) -> NDArray[np.int8]:
    """Links of a chain together: violated if any is, else undecided if any is."""
    rank = np.array([0, 2, 1, 0], dtype=np.int8)
    return np.where(rank[b] > rank[a], b, a).astype(np.int8)
