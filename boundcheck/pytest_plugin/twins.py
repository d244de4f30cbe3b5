"""Sharpened twins: a claim with its right side a little below the best it was seen to reach must go red.

A checker has to show that it can say no.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from boundcheck.check.answer import answer
from boundcheck.check.question import Question
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.evaluate.columns import in_gaps
from boundcheck.language.relations import Chain, links
from boundcheck.pytest_plugin.session import SessionPlan
from boundcheck.suite.grid import GridCell

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
