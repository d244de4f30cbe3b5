"""Comparisons near the critical constant.

A claim a <= b on a run is critical at k with the factor c = a_k / b_k: a <= c b is an equality there. The claim a <= c (1 + m) b
is asked of the run for small m of both signs. At every k looked at, the truth says whether it holds; what is compared with it is
the verdict of the framework. Only k that are near critical are counted: |a_k / (factor b_k) - 1| <= 0.31.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any

from boundcheck.check.question import Question
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Once
from boundcheck.evaluate.columns import in_gaps
from boundcheck.language.relations import Relation, links
from boundcheck.language.scalars import Chord
from boundcheck.runs.trace import Experiment, Trace
from boundcheck.suite.grid import GridSetting

from .numbers import fraction, number, working
from .runs import TrueRun

MARGINS = tuple(sign * Fraction(m) for m in ("0.3", "1e-2", "1e-4", "1e-7", "1e-10") for sign in (1, -1))
NEAR, CLEAR = Fraction("0.31"), Fraction("5e-11")
SMALLEST_GAP = Fraction("1e-34")
LONGEST_SEARCH = 30  # steps of a run whose every chord is searched for A or mu
DIGITS = 45  # of a factor: it is a rational within 1e-40 of the number meant

Decide = Callable[[GridSetting, Experiment, Sequence[Question]], list[tuple[Verdict, Trace]]]


@dataclass(frozen=True)
class Comparison:
    """One verdict at one k beside the truth: margin > 0 says that the claim is true there."""

    claim: str
    problem: str
    rule: str
    smoothness: str
    k: int
    margin: float
    true: bool
    outcome: Outcome
    certified: bool
    arithmetic: str
    gap: float  # f(x_k) - f*; NaN on chords
    tie: bool = False  # undecided, and a hypothesis is an exact equality: no enclosure decides it
    withheld: bool = False  # fails, for steps that are only near to the formula which the claim assumes: no verdict on it is due
    reason: str = ""

    @property
    def wrong(self) -> bool:
        return self.outcome is (Outcome.VIOLATED if self.true else Outcome.HOLDS)


@dataclass
class Tally:
    """What came of many comparisons. Vacuous ones say nothing and are not counted; nor are exact equalities left undecided."""

    comparisons: list[Comparison] = field(default_factory=list)
    vacuous: int = 0
    ties: int = 0
    withheld: int = 0

    def add(self, found: Iterable[Comparison]) -> None:
        for c in found:
            if c.outcome is Outcome.VACUOUS:
                self.vacuous += 1
            elif c.withheld:
                self.withheld += 1
            elif c.tie:
                self.ties += 1
            else:
                self.comparisons.append(c)

    @property
    def wrong(self) -> list[Comparison]:
        return [c for c in self.comparisons if c.wrong]

    @property
    def undecided(self) -> list[Comparison]:
        return [c for c in self.comparisons if c.outcome is Outcome.UNDECIDED]

    @property
    def share_undecided(self) -> float:
        return len(self.undecided) / max(len(self.comparisons), 1)

    def __str__(self) -> str:
        found = self.comparisons
        several = ", ".join(f"{len({getattr(c, name) for c in found})} {name}s" for name in ("claim", "problem", "rule"))
        deep = ", ".join(f"{sum(c.gap < least for c in found)} with gap < {least:g}" for least in (1e-8, 1e-16, 1e-28))
        sizes = ", ".join(f"{sum(0.5 < abs(c.margin) / m < 1.5 for c in found)} at {m:g}" for m in (1e-2, 1e-4, 1e-7, 1e-10))
        by = Counter(c.arithmetic for c in found if c.outcome is not Outcome.UNDECIDED)
        decided = ", ".join(f"{count} in {name}" for name, count in by.most_common())
        return (
            f"{len(found)} comparisons ({several}; {deep}; {sizes}): {len(self.wrong)} wrong, {len(self.undecided)} undecided "
            f"({100 * self.share_undecided:.2f} %); decided {decided}; besides {self.ties} exact ties, "
            f"{self.withheld} withheld for steps near a formula, {self.vacuous} vacuous"
        )


def claims_of(q: Question) -> list[Question]:
    """Each inequality that the claim states, alone; f is read as f - f* where that is the same, since scaled it would not be."""
    made = []
    for link in links(q.bound.states):
        if link.op not in ("<=", "<", ">=", ">"):
            continue
        read = in_gaps(link) if q.about.minimiser and q.bound.does_not_move(link) else link
        made.append(_asking(q, replace(q.bound, states=read)))
    return made


def scaled(q: Question, factor: Fraction) -> Question:
    return _asking(q, q.bound.sharpened(factor))


def _asking(q: Question, bound: Bound) -> Question:
    """The same question of another claim, which is read as it is written: nobody need find out whether f + C moves it."""
    conditions = [h.relation for h in q.bound.hypotheses if isinstance(h, AtEachStep | Once)]
    bound.__dict__["_stays"] = {bound.states: False, **{r: q.bound.does_not_move(r) for r in conditions}}
    return Question(bound, q.smoothness, q.values, q.about, q.exact)


def relation_of(q: Question) -> Relation:
    relation = q.bound.states
    assert isinstance(relation, Relation)
    return relation


def reads_chords(q: Question) -> bool:
    """Does it read A or mu, whose truth is found by search?"""
    kinds = {n.kind if n.kind != "M" else q.smoothness for n in q.bound.states.walk() if isinstance(n, Chord)}
    return bool(kinds & {"A", "mu"})


def spread(low: int, high: int, count: int) -> list[int]:
    """At most `count` whole numbers from low to high - 1: the first ones, then further and further apart, then the last."""
    if high <= low:
        return []
    wanted = [0, 1, 2, 5, 10, 20, 35, 60, 100, 150, 220, 300, 450, 700, 1000, 1500, 2200, 3200]
    inside = [low + n for n in wanted if low + n < high - 1]
    step = max(1, -(-len(inside) // max(count - 1, 1)))
    return sorted({*inside[::step], high - 1})


def _sides(run: TrueRun, q: Question, at: int) -> tuple[Any, Any] | None:
    try:
        made = run.sides(q, relation_of(q), q.bound.for_all.letter, at)
    except (ZeroDivisionError, KeyError):
        return None
    return made if all(side.is_finite() for side in made) else None


def _ratio(sides: tuple[Any, Any] | None) -> Fraction | None:
    """c_k, where both sides are numbers of one sign."""
    if sides is None:
        return None
    a, b = sides
    if a == 0 or b == 0 or (a > 0) != (b > 0) or abs(a) < number(Fraction(1, 10**150)):
        return None
    c = fraction((a / b).mid())
    return c if Fraction(1, 10**60) < c < 10**60 else None


def _short(value: Fraction) -> Fraction:
    """A decimal of 45 digits."""
    scale = DIGITS - len(str(value.numerator // value.denominator)) if value >= 1 else DIGITS + _zeros(value)
    return Fraction(round(value * 10**scale), 10**scale)


def _zeros(value: Fraction) -> int:
    return len(str(value.denominator // value.numerator))


class Comparing:
    """One experiment: its claims, scaled by factors near critical, and what is said of them beside the truth."""

    def __init__(
        self, setting: GridSetting, experiment: Experiment, decide: Decide, *, ks: int = 8, nominal: int = 1, seed: Any = 0
    ) -> None:
        self.setting, self.experiment, self.decide = setting, experiment, decide
        self.ks, self.nominal, self.random = ks, nominal, Random(repr(seed))
        self.runs: list[tuple[Trace, TrueRun]] = []

    def run_of(self, trace: Trace) -> TrueRun:
        """The truth of a trace, made once for each."""
        for known, run in self.runs:
            if known is trace:
                return run
        self.runs.append((trace, TrueRun(self.setting.problem, self.experiment, trace, self.setting.profile.chords)))
        return self.runs[-1][1]

    def compare(self, asked: Sequence[Question]) -> Iterator[Comparison]:
        with working():
            meant: list[tuple[Question, list[int]]] = []
            for q, (verdict, trace) in zip(asked, self.decide(self.setting, self.experiment, asked), strict=True):
                run = self.run_of(trace)
                places = self._places(q, verdict, run)
                ratios = {at: c for at in places if (c := _ratio(_sides(run, q, at))) is not None}
                for at in self._picked(sorted(ratios)):
                    meant += [(scaled(q, _short(ratios[at] * (1 + m))), places) for m in MARGINS]
            answers = self.decide(self.setting, self.experiment, [q for q, _ in meant]) if meant else []
            for (q, places), (verdict, trace) in zip(meant, answers, strict=True):
                yield from self._compared(q, places, verdict, self.run_of(trace))

    def _places(self, q: Question, verdict: Verdict, run: TrueRun) -> list[int]:
        """Some of the k that the hypotheses leave, far from one another, as long as the gap is not below 1e-34."""
        open_ones = [verdict.first_k + n for n, o in enumerate(verdict.outcomes) if o != Outcome.VACUOUS]
        if q.bound.is_about_chords or q.bound.has_fixed_horizon:
            return [open_ones[n] for n in spread(0, len(open_ones), self.ks)]
        if run.searches and not q.is_local and reads_chords(q):
            open_ones = [k for k in open_ones if k <= LONGEST_SEARCH]
        return [open_ones[n] for n in spread(0, len(open_ones), self.ks) if run.gap(open_ones[n]) > SMALLEST_GAP]

    def _picked(self, places: list[int]) -> list[int]:
        """The last k, where little is left of the gap, or any of them."""
        if not places:
            return []
        last = [places[-1]] if self.random.random() < 0.6 else []
        return list(dict.fromkeys([*last, *self.random.sample(places, len(places))]))[: self.nominal]

    def _compared(self, q: Question, places: list[int], verdict: Verdict, run: TrueRun) -> Iterator[Comparison]:
        for at in places:
            n, sides = at - verdict.first_k, _sides(run, q, at)
            ratio = _ratio(sides)
            if sides is None or ratio is None or not 0 <= n < len(verdict.outcomes) or not CLEAR <= abs(ratio - 1) <= NEAR:
                continue
            outcome, true = Outcome(int(verdict.outcomes[n])), bool(sides[0] <= sides[1])
            yield Comparison(
                claim=q.bound.id.rsplit("*", 1)[0],
                problem=self.setting.problem.name,
                rule=verdict.cell.method,
                smoothness=q.smoothness,
                k=at,
                margin=float(1 - ratio),
                true=true,
                outcome=outcome,
                certified=verdict.certified,
                arithmetic=run.trace.xp.name,
                gap=float("nan") if q.bound.is_about_chords else float(run.gap(at)),
                tie=outcome is Outcome.UNDECIDED and verdict.reason.startswith("hypothesis") and run.has_tie(q, at),
                withheld=outcome is Outcome.UNDECIDED and verdict.near and not true,
                reason=verdict.reason,
            )
