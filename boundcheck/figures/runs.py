"""Runs as numbers to draw, and both sides of claims along them: middles in float64, so no verdict comes from here.

Numbers are read at the stored points, and chord numbers between a stored point and its exact image: between two enclosed points
of the trajectory they would have no digits left after some tens of steps. Near x* they have none anyhow, since gradients are
differences of rounded numbers there. The error bounds show where that begins, and a run is drawn no further.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Exact
from boundcheck.check.question import Question, letters, questions
from boundcheck.claims.bound import Bound
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.evaluate.series import Series
from boundcheck.language.letters import eta, f, i, x
from boundcheck.language.scalars import Chord, Gap, Scalar
from boundcheck.library.catalogue import find_bounds, runner
from boundcheck.library.declarations import chord_quantities
from boundcheck.library.names import rule_named
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runs.trace import About, Trace
from boundcheck.support.errors import UserError

Floats = NDArray[np.float64]
Claim = tuple[Bound, str]  # with what M is
HEIGHT = "height"
KNOWN = 2.0**-7  # relative error below which a number is drawn


@dataclass(frozen=True)
class FigureRun:
    """Gaps f(x_k) - f* at 0, ..., K; steps and chord numbers M(x_k, x_{k+1}) at 0, ..., K - 1; why there are no more of them."""

    trace: Trace
    row: int  # of the trace
    gap: Floats
    eta: Floats
    chords: dict[str, Floats]
    ended: str

    @property
    def steps(self) -> int:
        return len(self.gap) - 1


def claim_named(name: str, smoothness: str = "") -> Claim:
    """Return a claim of the library by its id, with what M is."""
    (bound,) = find_bounds(name)
    return bound, smoothness


def run_once(problem: Problem, rule: Rule | str, **asked: Any) -> FigureRun:
    """Return one run: see `run_all`."""
    return run_all(problem, [rule], **asked)[0]


def run_all(
    problem: Problem,
    rules: Sequence[Rule | str],
    *,
    steps: int,
    chords: Sequence[str] = (),
    claims: Sequence[Claim] = (),
    start: Sequence[Exact] | None = None,
    known: float = KNOWN,
) -> list[FigureRun]:
    """Gradient descent with each rule, on a problem whose infimum is known, recording what the sides of these claims read.

    `known`: the relative error up to which numbers are taken; infinite, rounding or not.
    """
    chosen = [found for rule in rules if (found := rule_named(rule) if isinstance(rule, str) else rule) is not None]
    if problem.infimum is None:
        raise UserError(f"{problem.name} has no known infimum, and f(x) - f* is what is drawn; choose other data")
    wanted = _columns(problem, chords)
    about, fixed = runner().about(problem), {name for rule in chosen for name in rule.parameters}
    asked = [_question(claim, about, fixed) for claim in claims]
    more = {_own(column) for one in asked for column, _ in one.reads(one.relations[0], one.bound.for_all.letter)}
    starts = None if start is None else [start]
    trace: Trace = runner().run(problem, chosen, steps=steps, columns={*wanted.values(), *more}, starts=starts)
    infimum = 0.0 if problem.minimiser is not None else float(problem.infimum)
    return [_run(trace, row, wanted, infimum, known) for row in range(len(chosen))]


def _columns(problem: Problem, chords: Sequence[str]) -> dict[str, Column]:
    height: Scalar = Gap(x[i]) if problem.minimiser is not None else f(x[i])
    length: Scalar = eta[i]
    known = chord_quantities()
    read = {kind: as_column(known[kind](x[i], x[i + 1]), local=True)[0] for kind in chords}
    return {HEIGHT: as_column(height, local=True)[0], "eta": as_column(length)[0], **read}


def _run(trace: Trace, row: int, wanted: Mapping[str, Column], infimum: float, known: float) -> FigureRun:
    made = int(trace.steps[row])
    read = {word: np.asarray(trace.xp.middle(trace.columns[column]))[row] for word, column in wanted.items()}
    read[HEIGHT] = read[HEIGHT] - infimum
    have = {word: _known(read[word], np.asarray(trace.xp.error(trace.columns[c]))[row], known) for word, c in wanted.items()}
    count = max(0, min(made, have.pop(HEIGHT) - 1, *have.values()))
    why = trace.ended[row] if count == made else f"rounding decides the numbers of step {count}"
    return FigureRun(
        trace, row, read.pop(HEIGHT)[: count + 1], read.pop("eta")[:count], {w: v[:count] for w, v in read.items()}, why
    )


def _known(middles: Floats, errors: Floats, limit: float) -> int:
    """Return how many numbers, from the first on, have digits."""
    with np.errstate(invalid="ignore"):
        lost = ~(errors <= limit * np.abs(middles))
    return int(lost.argmax()) if lost.any() else len(lost)


def _own(column: Column) -> Column:
    """Return the same numbers, read at stored points."""
    return as_column(column.formula, local=True)[0] if isinstance(column.formula, Chord | Gap) else column


def _question(claim: Claim, about: About, fixed: Iterable[str]) -> Question:
    """f at a mean is read as the mean of f (Jensen), which is not smaller, and which is what proofs bound."""
    bound, smoothness = claim
    (asked,) = questions([bound], about, exact=False, fixed=fixed, smoothness=(smoothness,) if smoothness else None)
    if asked.out_of_place:
        raise UserError(f"{bound.id}: {asked.out_of_place}")
    return asked.through_jensen() or asked


class _Middles:
    """The columns of a run as bare numbers, as long as the run is drawn."""

    def __init__(self, run: FigureRun, columns: Iterable[Column]) -> None:
        self.xp, row = run.trace.xp, slice(run.row, run.row + 1)
        whole = run.trace.with_columns(map(_own, columns))
        self.columns = {column: np.asarray(self.xp.middle(whole.columns[_own(column)]))[row] for column in columns}
        self.cut = int(run.trace.steps.max()) - run.steps

    def length(self, column: Column) -> int:
        return int(self.columns[column].shape[1]) - self.cut

    def window(self, column: Column, low: int, high: int) -> Any:
        return self.xp.scalars(self.columns[column][:, low:high])


def sides(claim: Claim, run: FigureRun) -> tuple[NDArray[np.int64], Floats, Floats]:
    """k, and the left and right side of a claim there. Hypotheses are not looked at: the caller runs the rule of the claim."""
    trace, bound = run.trace, claim[0]
    asked = _question(claim, trace.about, trace.parameters)
    relation, letter, first = asked.relations[0], bound.for_all.letter, bound.for_all.start
    reads = asked.reads(relation, letter)
    middles = _Middles(run, [column for column, _ in reads])
    per_run = {name: trace.xp.scalar(v[run.row]) for name, v in trace.parameters.items()}
    series = Series(trace.xp, middles, letters(asked, trace.xp, per_run))
    end = min(middles.length(column) - top.offset for column, top in reads if top.letter is not None)
    with np.errstate(all="ignore"):
        values = [np.asarray(trace.xp.middle(series.values(s, letter, first, end)))[0] for s in (relation.left, relation.right)]
    left, right = (np.broadcast_to(value, (end - first,)) for value in values)
    return np.arange(first, end), left, right
