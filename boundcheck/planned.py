"""Questions answered by a plan: verdicts alone, in float64, of long runs. Hypotheses first, then the claims that they leave open.

What is found is what `check` finds window by window; only the way is shorter. What a plan cannot do is left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Truth
from boundcheck.arithmetic.float64 import Float64
from boundcheck.arithmetic.scalars import BoundedScalars
from boundcheck.asked import Asked, end_of, first_of
from boundcheck.evaluate.plan import Asking, Plan, Room
from boundcheck.evaluate.series import Series, Unknown
from boundcheck.hypotheses import Follows, Hypothesis
from boundcheck.language.relations import Relation
from boundcheck.plans import Places, about_steps, prepared_for
from boundcheck.question import Question
from boundcheck.stepwise import CLOSE, Checked, by_construction, exactly, steps_asked
from boundcheck.trace import Trace
from boundcheck.verdict import Outcome, Verdict

YES, NO = np.int8(Truth.YES), np.int8(Truth.NO)
HOLDS, VIOLATED, UNDECIDED = np.int8(Outcome.HOLDS), np.int8(Outcome.VIOLATED), np.int8(Outcome.UNDECIDED)


def answer_by_plan(asked: Sequence[Question], trace: Trace, series: Callable[[Question], Series]) -> list[list[Verdict] | None]:
    """For each question its verdicts, a run each; None for one that no plan can answer."""
    prepared = prepared_for(asked, frozenset(trace.parameters))
    mine = [_placed(q, places, trace) for q, places in zip(asked, prepared.places, strict=True) if places.planned]
    length = max(int(trace.steps.max()) + 1, *(where.end for one in mine for where in (one.at, *one.given)), 1)
    room = Room(prepared.plan, length)
    found: list[list[Verdict]] = [[] for _ in mine]
    for run in range(len(trace.names)):
        one = _OneRun(prepared.plan, trace, run, room)
        for verdicts, verdict in zip(found, one.verdicts(mine, series), strict=True):
            verdicts.append(verdict)
        room.answers.clear()
    room.leave()
    rest = iter(found)
    return [next(rest) if places.planned else None for places in prepared.places]


@dataclass(frozen=True)
class _Range:
    first: int
    end: int


@dataclass(frozen=True)
class _Placed:
    """A question with the places of its relations in the plan: where it is asked, and where each of its hypotheses is."""

    q: Question
    places: Places
    at: _Range
    given: tuple[_Range, ...]


def _placed(q: Question, places: Places, trace: Trace) -> _Placed:
    at = _Range(first_of(q), end_of(q, trace))
    return _Placed(q, places, at, tuple(_Range(*steps_asked(r, q, trace)) if about_steps(h, r) else at for h, r in q.hypotheses))


class _OneRun:
    """One run of a trace, and what the plan finds of it."""

    def __init__(self, plan: Plan, trace: Trace, run: int, room: Room) -> None:
        self.plan, self.trace, self.run, self.answers = plan, trace, run, room.answers
        self.asking = Asking(room, self._given, self._column)
        assert isinstance(trace.xp, Float64)
        self.format = trace.xp.format
        self._checked: dict[Any, Checked] = {}

    def _given(self, kind: str, what: Any) -> tuple[float, float]:
        xp = self.trace.xp
        if kind == "number":
            return _lifted(what)
        if kind == "entry":
            column, index = what
            mids, radii = self._column(column)
            return (float(mids[index]), float(radii[index])) if 0 <= index < len(mids) else (0.0, np.inf)
        fixed = self.trace.parameters.get(what)
        value = self.trace.about.constants.get(what) if fixed is None else fixed[self.run]
        if value is None:
            raise Unknown(f"{what} has no value here")
        made = xp.scalar(value)
        return float(made.mid), float(made.rad)

    def _column(self, column: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        values = self.trace.columns[column]
        row = min(self.run, values.shape[0] - 1)
        return values.mid[row], values.rad[row]

    def verdicts(self, mine: Sequence[_Placed], series: Callable[[Question], Series]) -> list[Verdict]:
        self._ask_hypotheses(mine)
        made = []
        asked, ranges = np.zeros(self.plan.relations, dtype=bool), self.answers.ranges
        for placed in mine:
            q, at = placed.q, placed.at
            one = Planned(placed, self.trace, lambda q=q: series(q), self)  # type: ignore[misc]
            made.append(one)
            if one.until > at.first:
                for place in placed.places.claims:
                    low, high = ranges[place].tolist() if asked[place] else (at.first, one.until)
                    self.answers.each[place] |= one.at_each_k or (low, high) != (at.first, one.until)
                    asked[place], ranges[place] = True, (min(low, at.first), max(high, one.until))
        self.asking.ask(asked)
        counts = self.answers.counts.tolist()
        return [one.verdict(counts) for one in made]

    def _ask_hypotheses(self, mine: Sequence[_Placed]) -> None:
        asked, ranges = np.zeros(self.plan.relations, dtype=bool), self.answers.ranges
        for one in mine:
            self.answers.each[list(one.places.given)] = True
            for place, where in zip(one.places.given, one.given, strict=True):
                low, high = (0, 1) if self.plan.constant[place] else (where.first, where.end)
                if asked[place]:  # others ask it too, elsewhere
                    low, high = min(low, ranges[place, 0]), max(high, ranges[place, 1])
                asked[place], ranges[place] = True, (low, high)
        self.asking.ask(asked)

    # -- hypotheses ------------------------------------------------------------------------------------------------------

    def checked(self, one: _Placed) -> list[Checked]:
        """Those that do not hold everywhere, and those that steps follow a formula.

        How far apart the sides are is read where it is not known whether they hold; elsewhere it is what an earlier run left.
        """
        found = []
        for (h, r), place, where in zip(one.q.hypotheses, one.places.given, one.given, strict=True):
            steps = about_steps(h, r)
            name = (place, where, steps, isinstance(h, Follows))
            known = self._checked.get(name)
            if known is None:
                known = self._look(h, r, place, where) if steps else self._look_at_each_k(h, r, one.q, place, where)
                self._checked[name] = known
                known.kept["place"] = place
            if isinstance(h, Follows) or not known.everywhere[0]:
                found.append(known.of(h))
        return found

    def _look(self, h: Hypothesis, r: Relation, place: int, where: _Range) -> Checked:
        low, high = where.first, where.end
        follows = isinstance(h, Follows)
        if not follows and not self.answers.counts[place, :, 0].any():
            return Checked(h, r, low, _all(YES, high - low), _all(0.0, high - low))
        at = np.zeros(high - low, dtype=np.intp) if self.plan.constant[place] else slice(low, high)
        held, apart = _truths(self.answers.outcomes[place, at]), self.answers.widths[place, at]
        if not follows:
            return Checked(h, r, low, held[None], apart[None])
        if by_construction(r, self.trace):
            held[held == Truth.UNKNOWN] = Truth.YES
            return Checked(h, r, low, held[None], np.where(held == Truth.YES, 0.0, apart)[None])
        within = self.trace.xp.frozen_within
        near = np.where(held == Truth.UNKNOWN, apart <= CLOSE, (held == Truth.NO) & (apart <= within))
        return Checked(h, r, low, np.where(near, YES, held)[None], apart[None], near[None])

    def _look_at_each_k(self, h: Hypothesis, r: Relation, q: Question, place: int, at: _Range) -> Checked:
        count = max(0, at.end - at.first)
        holds = exactly(r, q, self.trace, self.run)
        if holds is not None:
            return Checked(h, r, at.first, _all(YES if holds else NO, count), _all(0.0, count))
        if not count or not self.answers.counts[place, :, 0].any():
            return Checked(h, r, at.first, _all(YES, count), _all(0.0, count))
        outcomes, widths = self.answers.outcomes[place], self.answers.widths[place]
        if self.plan.constant[place]:
            held = np.broadcast_to(_truths(outcomes[:1]), (1, count))
            return Checked(h, r, at.first, held, np.broadcast_to(widths[0], (1, count)))
        return Checked(h, r, at.first, _truths(outcomes[at.first : at.end])[None], widths[None, at.first : at.end])

    def sides(self, place: int, k: int) -> list[Any] | None:
        """Both sides of a relation at this k, where they were kept."""
        for kind in (0, 1):
            count, first = self.answers.counts[place, kind]
            if count and (first == k or self.plan.constant[place]):
                a, ra, b, rb = self.answers.sides[place, kind]
                format = self.format
                return [BoundedScalars(format, a, ra), BoundedScalars(format, b, rb)]
        return None


class Planned(Asked):
    """A question on one run, answered by a plan."""

    def __init__(self, placed: _Placed, trace: Trace, series: Callable[[], Series], one: _OneRun) -> None:
        q, places, at = placed.q, placed.places, placed.at
        super().__init__(q, trace, series, at.end)
        self.one, self.places, self.first_run = one, places, one.run
        self.checked = one.checked(placed)
        self.until = self.worth_asking() if at.end > at.first else at.first
        failing = not all(h.everywhere[0] for h in self.checked)
        cut = q.bound.has_fixed_horizon or int(trace.steps[one.run]) < int(trace.steps.max())
        self.at_each_k = failing or cut or len(places.claims) > 1  # is it to be known where it is undecided?

    def verdict(self, counts: list[Any]) -> Verdict:
        """The verdict, now that the claims were asked and their counts are known."""
        places, count = self.places.claims, self.end - self.first
        self.ratios, self.which = _all(-np.inf, count), _all(np.int8(0), count)
        troubled = [n for n, p in enumerate(places) if counts[p][0][0] or counts[p][1][0]] if self.until > self.first else []
        self.troubled = troubled
        self.may_fail = any(counts[places[n]][0][0] for n in troubled)
        self.undecided = any(counts[places[n]][1][0] for n in troubled)
        self.outcomes = self._link(troubled[0])[None] if troubled else _all(HOLDS, count)
        if len(places) > 1 and troubled:
            self._chain()
        if self.until < self.end:  # what was not compared is not decided
            self.outcomes = self.outcomes.copy()
            self.outcomes[:, self.until - self.first :] = UNDECIDED
        return self._verdict(0)

    def _link(self, number: int) -> NDArray[np.int8]:
        return self.one.answers.outcomes[self.places.claims[number], self.first : self.end]

    def _chain(self) -> None:
        """Links of a chain together: violated if any is, else undecided if any is."""
        outcomes, which = np.zeros((2, 1, self.end - self.first), dtype=np.int8)
        for number in self.troubled:
            link = self._link(number)
            worse = ((link == VIOLATED) & (outcomes[0] != VIOLATED)) | ((link == UNDECIDED) & (outcomes[0] == HOLDS))
            np.copyto(outcomes[0], link, where=worse)
            np.copyto(which[0], np.int8(number), where=worse)
        self.outcomes, self.which = outcomes, which

    def _width(self, row: int, keep: slice, failing: list[Checked], undecided: Any, unfrozen: Any) -> float:
        if self.at_each_k or self.one.answers.each[self.places.claims[0]]:
            return super()._width(row, keep, failing, undecided, unfrozen)
        return float(self.one.answers.widest[self.places.claims[0]])

    def _own_widths(self, row: int) -> NDArray[np.float64]:
        """Those of the k asked: later ones are undecided by a hypothesis."""
        found = np.zeros(self.end - self.first)
        mine = found[: self.until - self.first]
        for number in self.troubled:
            widths = self.one.answers.widths[self.places.claims[number], self.first : self.until]
            np.maximum(mine, widths, out=mine, where=self._link(number)[: len(mine)] == UNDECIDED)
        return found

    def _at(self, relation: Relation, letter: str, k: int, run: int) -> list[Any]:
        for mine, place in zip(self.q.relations, self.places.claims, strict=True):
            if mine is relation and (known := self.one.sides(place, k)) is not None:
                return known
        return super()._at(relation, letter, k, run)

    def _hypothesis_texts(self, h: Checked, at: int, run: int) -> list[str]:
        """Both sides in words, from what the plan kept of them; claims that share a hypothesis share them."""
        if ("texts", at) not in h.kept:
            sides = self.one.sides(h.kept["place"], at)
            if sides is None:
                sides = self._at(h.relation, next(iter(h.relation.free), self.letter), at, run)
            h.kept["texts", at] = [self.xp.text(side) for side in sides]
        known: list[str] = h.kept["texts", at]
        return known


def _truths(outcomes: NDArray[np.int8]) -> NDArray[np.int8]:
    """HOLDS, VIOLATED, UNDECIDED are YES, NO, UNKNOWN: of 0, 1, 2 the first two change places."""
    return np.bitwise_xor(outcomes, (outcomes < UNDECIDED).view(np.int8))


@lru_cache(maxsize=4096)
def _lifted(value: Any) -> tuple[float, float]:
    made = Float64().scalar(value)
    return float(made.mid), float(made.rad)


@lru_cache(maxsize=256, typed=True)  # an outcome 0 is no distance 0.0
def _all(value: Any, count: int) -> NDArray[Any]:
    """One value for every entry of a run, in the memory of one."""
    return np.broadcast_to(value, (1, count))
