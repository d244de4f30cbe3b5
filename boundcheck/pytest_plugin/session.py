"""The plan of a session: where each claim and its sharpened twin are tried, and the runs, each made once for all claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from boundcheck.check.answer import answer
from boundcheck.check.question import Question
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.evaluate.columns import in_gaps
from boundcheck.language.relations import Chain, links
from boundcheck.library.catalogue import lemma_of
from boundcheck.library.names import problem_named, rule_named
from boundcheck.model.rule import RuleError
from boundcheck.pytest_plugin.options import Options
from boundcheck.runs.trace import CHORDS
from boundcheck.suite.grid import GridCell, GridSetting, RunKey, settings, works
from boundcheck.suite.instances import cells_on
from boundcheck.suite.objections import why_not_asked
from boundcheck.suite.profiles import PROFILES
from boundcheck.support.processes.pool import in_processes


class CouldNotRun(Exception):
    """The method gave up on this problem: what it said."""


class SessionPlan:
    """Claims are added as files are collected; runs are made when the first of their verdicts is wanted."""

    def __init__(self, chosen: Options) -> None:
        self.chosen = chosen
        self._cells: dict[RunKey, list[GridCell]] = {}
        self._of: dict[Bound, list[GridCell]] = {}  # by claim
        self._claims: list[Bound] = []
        self._verdicts: dict[RunKey, dict[GridCell, Verdict] | CouldNotRun] = {}
        self._ahead: dict[RunKey, Callable[[], list[Verdict] | CouldNotRun]] = {}
        self._wanted: set[Bound] | None = None

    @cached_property
    def settings(self) -> list[GridSetting]:
        chosen = self.chosen
        named = [rule for rule in map(rule_named, chosen.methods) if rule is not None] if chosen.methods else None
        return settings(
            PROFILES[chosen.profile],
            only_problems=[problem_named(name) for name in chosen.problems] if chosen.problems else None,
            only_rules=named,
            in_arithmetic=chosen.arithmetic,
        )

    @property
    def tries_chords(self) -> bool:
        return not self.chosen.methods or CHORDS in self.chosen.methods

    def add(self, bounds: Iterable[Bound]) -> None:
        """Ask where each claim can be tried."""
        new = [bound for bound in bounds if bound not in self._of]
        self._claims += new
        for bound in new:
            self._of[bound] = []
        for work in works(self.settings, new):
            if work.rule is not None or self.tries_chords:
                self._keep(work.cells())
        if not self.chosen.narrowed:
            self._keep(cell for bound in new for at in bound.try_on for cell in cells_on(bound, at))

    def _keep(self, cells: Iterable[GridCell]) -> None:
        for cell in cells:
            self._cells.setdefault(cell.run, []).append(cell)
            self._of[cell.bound].append(cell)

    def knows(self, bound: Bound) -> bool:
        return bound in self._of

    def of(self, bound: Bound) -> Sequence[GridCell]:
        return self._of[bound]

    def want_only(self, bounds: Iterable[Bound]) -> None:
        """The claims of the items that were selected: runs record what these need, and no more."""
        self._wanted = {bound for bound in self._with_lemmas(bounds)}

    def _with_lemmas(self, bounds: Iterable[Bound]) -> list[Bound]:
        """Claims that are refuted through another need that one's verdicts too."""
        found = list(bounds)
        lemmas = [lemma for bound in found if (lemma := self.lemma(bound)) is not None]
        self.add(lemmas)
        return found + lemmas

    def lemma(self, bound: Bound) -> Bound | None:
        return lemma_of(bound, self._claims)

    @contextmanager
    def ahead(self, wanted: Iterable[GridCell], jobs: int) -> Iterator[None]:
        """The runs of these cells are made by several processes, in this order, while the session asks for their verdicts."""
        runs = list(dict.fromkeys(cell.run for cell in wanted))
        with in_processes([partial(self._make, run) for run in runs], jobs) as results:
            self._ahead = dict(zip(runs, results, strict=True))
            try:
                yield
            finally:
                self._ahead = {}

    def verdict(self, cell: GridCell) -> Verdict:
        """The verdict on a cell. The first question about a run makes the run and answers all of them."""
        if cell.run not in self._verdicts:
            found = self._ahead.pop(cell.run, partial(self._make, cell.run))()
            asked = self._asked(cell.run)
            self._verdicts[cell.run] = (
                found if isinstance(found, CouldNotRun) else {w: v for w, v in zip(asked, found, strict=True)}
            )
        answers = self._verdicts[cell.run]
        if isinstance(answers, CouldNotRun):
            raise answers
        return answers[cell]

    def _asked(self, run: RunKey) -> list[GridCell]:
        return [w for w in self._cells[run] if self._wanted is None or w.bound in self._wanted]

    def _make(self, run: RunKey) -> list[Verdict] | CouldNotRun:
        asked = self._asked(run)
        try:
            return asked[0].setting.answers(asked[0].experiment, [w.question for w in asked])
        except RuleError as wrong:
            return CouldNotRun(str(wrong))

    def verdicts(self, bound: Bound) -> Iterator[tuple[GridCell, Verdict]]:
        """The verdicts on all cells of a claim, but those whose method gave up."""
        for cell in self.of(bound):
            try:
                yield cell, self.verdict(cell)
            except CouldNotRun:
                continue

    def why_not_tried(self, bound: Bound) -> str:
        """Why no problem and method of the suite suits this claim."""
        return why_not_asked(bound, self.settings)


PART = Fraction(99, 100)
ENOUGH = 10  # cells to look at for a claim whose right side is never positive

Held = list[tuple[GridCell, Verdict]]


@dataclass(frozen=True, kw_only=True)
class Best:
    """The cell, and its k, at which a claim came nearest to equality, and the factor that is too much for it there."""

    where: GridCell
    k: int
    ratio: float
    factor: Fraction


def held(plan: SessionPlan, bound: Bound) -> Held:
    return [(where, verdict) for where, verdict in plan.verdicts(bound) if verdict.outcome is Outcome.HOLDS]


def sharpest(cells: Held) -> Best | None:
    """Of the cells that hold, the one with the largest left/right at k >= 1; certified before numerical."""
    found = [(where, v.tightest, v.certified) for where, v in cells if v.tightest is not None and v.tightest.ratio > 0]
    if not found:
        return next((best for where, v in cells[:ENOUGH] if (best := _below_zero(where, v.cell.arithmetic))), None)
    where, moment, _ = max(found, key=lambda row: (row[1].ratio, row[2]))
    return Best(where=where, k=moment.k, ratio=moment.ratio, factor=PART * Fraction(moment.ratio))


def _below_zero(where: GridCell, arithmetic: str) -> Best | None:
    """Where both sides are negative, a larger factor asks for more: the least left/right, over 0.99."""
    (again,) = answer([where.question], where.setting.trace(where.experiment, [where.question], arithmetic), sides=True)
    left, right = again.left, again.right
    if left is None or right is None:
        return None
    with np.errstate(all="ignore"):
        ratios = np.where((again.outcomes == Outcome.HOLDS) & (right < 0), left / right, np.inf)
    at = int(ratios.argmin()) if len(ratios) else 0
    if not len(ratios) or not np.isfinite(ratios[at]):
        return None
    return Best(where=where, k=again.first_k + at, ratio=float(ratios[at]), factor=Fraction(float(ratios[at])) / PART)


def sharpen(best: Best) -> tuple[Question, Verdict]:
    """Ask the twin of the same run."""
    question = twin_of(best.where, best.factor)
    (verdict,) = best.where.setting.answers(best.where.experiment, [question])
    return question, verdict


def twin_of(where: GridCell, factor: Fraction) -> Question:
    """The same question of the sharpened claim. f is read as f - f* where the claim allows it: scaled, it no longer would."""
    q, bound = where.question, where.bound
    if q.about.minimiser and bound.is_shift_invariant:
        gaps = tuple(in_gaps(link) for link in links(bound.states))
        bound = replace(bound, states=Chain(gaps) if isinstance(bound.states, Chain) else gaps[0])
    return Question(bound.sharpened(factor), q.smoothness, q.values, q.about, q.exact)
