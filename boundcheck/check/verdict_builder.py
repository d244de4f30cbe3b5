"""What was found for one question, at each k, made into verdicts: with the words that say why, and where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Order, Scalars
from boundcheck.check.hypotheses_on_run import CLOSE, NEVER, UNKNOWN, YES, Checked, last_index, unread_entry
from boundcheck.check.question import Question
from boundcheck.check.verdict import FAILS_NEARBY, Cell, Moment, Outcome, Verdict
from boundcheck.claims.free_steps import said_of_free_steps
from boundcheck.claims.hypotheses import AtEachStep, Follows
from boundcheck.evaluate.series import Series
from boundcheck.language.ranges import last_step
from boundcheck.language.relations import Relation
from boundcheck.runs.trace import Trace

HOLDS, VIOLATED, UNDECIDED, VACUOUS, _ = (np.int8(outcome) for outcome in Outcome)
UNFROZEN = "a violation needs exact rationals, or a run enclosed with the formula's own steps"


def cell_of(q: Question, trace: Trace, run: int) -> Cell:
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


class VerdictBuilder:
    """A question on a trace."""

    outcomes: NDArray[np.int8]  # each row a run, each entry a k from `first` on
    which: NDArray[np.int8]  # the link of a chain that decided it,
    nearest: NDArray[np.int8]  # and the one that came nearest to equality
    widths: NDArray[np.float64]  # of what is undecided, relative: how far apart the two sides may be
    ratios: NDArray[np.float64]
    sides: NDArray[np.float64] | None = None
    slacks: list[NDArray[np.float64]]
    checked: list[Checked]

    def __init__(self, q: Question, trace: Trace, series: Callable[[], Series], end: int) -> None:
        self.q, self.trace, self._series = q, trace, series
        self.xp, self.letter = trace.xp, q.bound.for_all.letter
        self.first, self.end = first_of(q), end

    @property
    def series(self) -> Series:
        return self._series()

    # -- hypotheses -----------------------------------------------------------------------------------------------------

    def _reach(self, checked: Checked) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each run, the first k that a failed step, and that an undecided step, takes away.

        A step that the claim reads by a fixed index, as f(x_2) does the steps 0 and 1, takes away every k.
        """
        lag, fixed = self._lag(checked), self.q.form.last_fixed_step - self._reaches(checked)
        failed, unknown = (np.where(firsts <= fixed, 0, firsts + lag) for firsts in checked.firsts)
        return failed, unknown

    def _lag(self, checked: Checked) -> int:
        """How much later than a step the first k comes that rests on it."""
        return self._reaches(checked) - self.q.form.last_moving_step

    def _reaches(self, checked: Checked) -> int:
        """The latest step that a hypothesis at i reads, as an offset from i."""
        step = last_step(checked.relation, next(iter(checked.relation.free)), self.q.bound.runs.state)
        return 0 if step is None else step

    def _unasked(self, checked: Checked, run: int) -> bool:
        """Is this hypothesis about steps asked nowhere in this run, since the run is too short?"""
        return checked.at_steps and checked.truths.shape[1] <= int(self.trace.steps.max() - self.trace.steps[run])

    def worth_asking(self) -> int:
        """One past the last k that some run's hypotheses leave open: beyond it every verdict is VACUOUS or UNDECIDED anyway."""
        end = self.end
        for h in self.checked:
            if h.at_steps and not self.q.is_one_step:
                end = min(end, int(np.minimum(*self._reach(h)).max()))
        return max(end, self.first)

    # -- verdicts ------------------------------------------------------------------------------------------------------

    def verdicts(self) -> list[Verdict]:
        return [self._verdict(row) for row in range(len(self.outcomes))]

    def _verdict(self, row: int) -> Verdict:
        run = row
        outcomes, reasons, notes = self.outcomes[row].copy(), [], list(self.trace.notes)
        failing, keep = [h for h in self.checked if not h.everywhere[row]], self._kept(run)
        for h in failing:
            reasons += self._apply(h, row, outcomes, keep)
        for h in self.checked:
            reasons += self._apply_unasked(h, run, outcomes)
        for h in self.checked:
            notes += self._closeness(h, row)
        notes += said_of_free_steps(self.q.bound)
        near = self.xp.certified and any(h.is_only_near(row) for h in self.checked)
        outcomes, first_k, which = outcomes[keep], self.first + keep.start, self.which[row, keep]
        unfrozen = outcomes == VIOLATED if near else None
        if unfrozen is not None and unfrozen.any():
            outcomes[unfrozen] = UNDECIDED
            reasons.append(f"fails at k = {first_k + unfrozen.argmax()} {FAILS_NEARBY} that the claim assumes: {UNFROZEN}")
        undecided = outcomes == UNDECIDED
        some = bool(undecided.any())
        width = 0.0
        if some:
            at = int(undecided.argmax())
            width = self._width(row, keep, failing, undecided, unfrozen)
            own = undecided & (self.outcomes[row, keep] == UNDECIDED)  # by the claim itself, whatever hypotheses did elsewhere
            at = int(own.argmax()) if own.any() else at
            if not reasons or (own.any() and not (outcomes == HOLDS).any()):
                reasons.append(self._why_undecided(run, first_k + at, int(which[at])))
        if not len(outcomes) and not reasons:
            ended = self.trace.ended[run]
            reasons.append("the run is too short for any k of the claim" + (f": {ended}" if ended else ""))
        if not reasons and not self._every_k and len(outcomes) == 1 and first_k == 0:
            reasons.append("only k = 0 was reached, where nothing has happened yet: run more steps")
        return Verdict(
            cell=cell_of(self.q, self.trace, run),
            first_k=first_k if len(outcomes) else self.first,
            outcomes=outcomes,
            certified=self.xp.certified and not near and not self.trace.confidence,
            confidence=self.trace.confidence,
            tied=some and width <= self.xp.tie_within,
            width=width,
            near=near,
            strays=any(isinstance(h.hypothesis, Follows) and h.firsts[0][row] < NEVER for h in self.checked),
            reason="; ".join(dict.fromkeys(reasons)),
            violation=self._violation(row, keep, outcomes),
            tightest=self._tightest(row, keep, outcomes),
            notes=tuple(dict.fromkeys(notes)),
            every_k_counts=self._every_k,
            **self._with_sides(row, keep),
        )

    def _kept(self, run: int) -> slice:
        """The entries that belong to the run, which may be shorter than others."""
        count, steps = self.end - self.first, self.trace.steps
        if self.q.bound.is_about_chords or not self.q.form.moves:
            return slice(0, count)
        own = max(0, count - int(steps.max() - steps[run]))
        if self.q.bound.has_fixed_horizon:
            if self.q.horizon is not None and steps[run] != self.q.horizon:
                return slice(0, 0)  # its schedule was that of a longer run
            last = min(int(steps[run]) - self.first, own - 1)  # the last K that the run has all of
            return slice(last, last + 1) if last >= 0 else slice(0, 0)
        return slice(0, own)

    def _width(
        self, row: int, keep: slice, failing: list[Checked], undecided: NDArray[np.bool_], unfrozen: NDArray[np.bool_] | None
    ) -> float:
        """Of the widest enclosure that leaves a k undecided; unbounded where the claim's own steps may tell."""
        if unfrozen is not None and unfrozen.any():
            return np.inf
        widths = self._own_widths(row)
        for h in failing:
            if (theirs := self._widths(h, row)) is not None:
                widths = np.maximum(widths, theirs)
        return float(np.where(undecided, widths[keep], 0.0).max())

    def _own_widths(self, row: int) -> NDArray[np.float64]:
        """How far apart the sides of the claim itself may be, where it is undecided."""
        mine: NDArray[np.float64] = self.widths[row]
        return mine

    def _violation(self, row: int, keep: slice, outcomes: NDArray[np.int8]) -> Moment | None:
        """The first one."""
        violated = outcomes == VIOLATED
        if not violated.any():
            return None
        at = int(violated.argmax())
        number, ratio = int(self.which[row, keep][at]), float(self.ratios[row, keep][at])
        return self._moment(row, self.first + keep.start + at, number, ratio)

    def _tightest(self, row: int, keep: slice, outcomes: NDArray[np.int8]) -> Moment | None:
        ks = np.arange(self.first, self.end)[keep]
        held = np.where((outcomes == HOLDS) & ((ks >= 1) | self._every_k), self.ratios[row, keep], -np.inf)
        best = int(held.argmax()) if len(held) and np.isfinite(held.max()) else None
        if best is None:
            return None
        return self._moment(row, int(ks[best]), int(self.nearest[row, keep][best]), float(held[best]))

    def _with_sides(self, row: int, keep: slice) -> dict[str, Any]:
        """Both sides and the slack of the hypotheses at each k, if they were asked for."""
        if self.sides is None:
            return {}
        mine = self.sides[:, :, row, keep]
        links = mine.copy() if len(mine) > 1 else None
        return {"left": mine[0, 0], "right": mine[0, 1], "links": links, "residual": self._slack(row)[keep]}

    def _slack(self, row: int) -> NDArray[np.float64]:
        """At each k, the least relative slack of the hypotheses that it rests on: those about steps, at all steps so far."""
        least = np.full(self.end - self.first, np.nan)
        for h, found in zip(self.checked, self.slacks, strict=True):
            each, entries = found[row], np.arange(self.first, self.end) - h.start
            if h.at_steps and not self.q.is_one_step:
                fixed = self.q.form.last_fixed_step - self._reaches(h) - h.start
                each, entries = np.fmin.accumulate(each), np.minimum(np.maximum(entries - self._lag(h), fixed), len(each) - 1)
            known = (entries >= 0) & (entries < len(each))
            least[known] = np.fmin(least[known], each[entries[known]])
        return least

    @property
    def _every_k(self) -> bool:
        return self.q.bound.is_about_chords or self.q.bound.has_fixed_horizon or self.q.is_one_step or not self.q.form.moves

    def _apply(self, h: Checked, row: int, outcomes: NDArray[np.int8], keep: slice) -> list[str]:
        """Take away the k whose hypotheses failed (VACUOUS) or are not known (UNDECIDED); say why, if they are the run's own."""
        if not h.at_steps or self.q.is_one_step:
            begin = max(0, self.first - h.start)
            own = h.truths.shape[1] - (int(self.trace.steps.max() - self.trace.steps[row]) if h.at_steps else 0)
            failed, unknown = (None if m is None else m[begin : min(begin + len(outcomes), own)] for m in h.masks(row))
            for mask, there in ((unknown, UNDECIDED), (failed, VACUOUS)):
                if mask is not None:
                    _raise(outcomes[: len(mask)], mask.view(np.int8) * there)
            any_failed, any_unknown = (m is not None and bool(m[: keep.stop].any()) for m in (failed, unknown))
        else:
            from_failed, from_unknown = (max(0, int(first[row]) - self.first) for first in self._reach(h))
            last = min(keep.stop, len(outcomes))
            any_failed, any_unknown = from_failed < last, from_unknown < min(from_failed, last)
            _raise(outcomes[from_unknown:], UNDECIDED)
            outcomes[from_failed:] = VACUOUS
        told = [self._residual(h, row, 0, "fails")] if any_failed else []
        return [*told, self._residual(h, row, 1, "cannot be decided")] if any_unknown else told

    def _apply_unasked(self, h: Checked, run: int, outcomes: NDArray[np.int8]) -> list[str]:
        """A hypothesis that no step of the run lets be asked is not known: UNDECIDED, at each k that rests on a step."""
        if self.q.is_one_step or not self._unasked(h, run):
            return []
        begin = 0 if self.q.form.last_fixed_step >= 0 else max(0, -self.q.form.last_moving_step - self.first)
        _raise(outcomes[begin:], UNDECIDED)
        if begin >= len(outcomes):
            return []
        return [f"hypothesis {h.hypothesis} cannot be asked: the run is too short for it"]

    def _widths(self, h: Checked, row: int) -> NDArray[np.float64] | None:
        """For the k that a hypothesis leaves undecided, how far apart its two sides may be; None where it leaves none."""
        first = int(h.firsts[1][row])
        if first == NEVER:
            return None
        begin = max(0, int(self._reach(h)[1][row]) - self.first) if h.at_steps and not self.q.is_one_step else -1
        name = ("widths", row, begin, self.first, self.end)
        if name not in h.kept:  # for all claims that share it
            made = np.zeros(self.end - self.first)
            if begin >= 0:
                made[begin:] = h.distance[row, first - h.start]
            else:
                mine = np.where(h.truths[row] == UNKNOWN, h.distance[row], 0.0)[max(0, self.first - h.start) :][: len(made)]
                made[: len(mine)] = mine
            h.kept[name] = made
        known: NDArray[np.float64] = h.kept[name]
        return known

    def _residual(self, h: Checked, row: int, kind: int, verb: str) -> str:
        """In words: the first index at which it fails (kind 0) or is not known (kind 1), and both sides there."""
        at = int(h.firsts[kind][row])
        if h.unread:
            return f"hypothesis {h.hypothesis} cannot be decided: it reads {h.unread}, and the run is too short"
        left, right = self._hypothesis_texts(h, at, row)
        place = f"at step {at} " if h.at_steps else ""
        return f"hypothesis {h.hypothesis} {verb} {place}({left} against {right})"

    def _hypothesis_texts(self, h: Checked, at: int, run: int) -> list[str]:
        """Both sides at an index, in words: claims that share a hypothesis share them."""
        letter = next(iter(h.relation.free), self.letter)
        name = (self.series.identity(h.relation), letter, at, run, "texts")
        if name not in self.series.kept:
            self.series.kept[name] = [self.xp.text(side) for side in self._at(h.relation, letter, at, run)]
        known: list[str] = self.series.kept[name]
        return known

    def _closeness(self, h: Checked, row: int) -> list[str]:
        if not isinstance(h.hypothesis, Follows) or self.xp.exact or not h.distance.shape[1]:
            return []
        if ("closest", row) not in h.kept:
            near = h.distance[row][(h.truths[row] == YES) & (h.distance[row] <= CLOSE)]
            h.kept["closest", row] = float(near.max(initial=0.0))
        worst = h.kept["closest", row]
        return [f"steps within 2^{int(np.ceil(np.log2(worst)))} of the rule"] if worst > 0 else []

    def _moment(self, run: int, k: int, number: int, ratio: float) -> Moment:
        relation = self.q.relations[number]
        left, right = (self.xp.text(side) for side in self._at(relation, self.letter, k, run))
        chord = self.trace.chord(k) if self.trace.chord is not None else ""
        link = str(relation) if len(self.q.relations) > 1 else ""
        return Moment(k=k, left=left, right=right, ratio=ratio, link=link, chord=chord)

    def _why_undecided(self, run: int, k: int, number: int) -> str:
        sides = self._at(self.q.relations[number], self.letter, k, run)
        for side in sides:
            if why := self.xp.reason(side):
                return f"k = {k}: {why}"
        left, right = (self.xp.text(side) for side in sides)
        if (self.xp.compare(*sides) == Order.UNKNOWN).any():
            return f"k = {k}: {left} and {right} cannot be told apart"
        return (
            f"k = {k}: {left} and {right} are as near as the {'freezing of steps' if self.trace.moved else 'rounding of points'}"
        )

    def _at(self, relation: Relation, letter: str, k: int, run: int) -> list[Any]:
        """Both sides at one index of one run."""
        return [entry(self.series.values(side, letter, k, k + 1), run, 0) for side in (relation.left, relation.right)]


def _raise(outcomes: NDArray[np.int8], to: Any) -> None:
    """UNDECIDED takes the place of what was decided, VACUOUS of either: an outcome is at least this."""
    np.maximum(outcomes, to, out=outcomes)


def entry(value: Scalars, run: int, at: int) -> Scalars:
    """One entry of a window, of one run; what does not move, or is the same for all runs, has one entry only."""
    shape = value.shape
    if len(shape) == 2:
        return value[min(run, shape[0] - 1), min(at, shape[1] - 1)]
    return value[min(at, shape[0] - 1)] if shape else value


def first_of(q: Question) -> int:
    """The first k at which a question is asked."""
    return 0 if q.bound.is_about_chords else q.bound.for_all.start


def end_of(q: Question, trace: Trace) -> int:
    """One past the last k at which all that it reads was recorded; where k is read as a number only, one past the last step."""
    at_k = [*q.relations, *(r for h, r in q.hypotheses if not isinstance(h, AtEachStep) or not r.free)]
    first, letter = first_of(q), q.bound.for_all.letter
    if unread_entry(q, trace, at_k, letter):
        return first
    every = int(trace.steps.max(initial=0)) + 1 if q.form.moves else first + 1
    return max(last_index(q, trace, at_k, letter, every), first)
