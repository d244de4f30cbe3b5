"""Which bound says most: the claims about one quantity on one run by how small their right sides are, and who wins where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.check.precision_ladder import AUTO
from boundcheck.check.verdict import Cell, Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.evaluate.columns import is_one_step
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import mentions
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.report.classical import Quantity, is_classical, quantity
from boundcheck.report.slack import all_proof_steps
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES


@dataclass(frozen=True, eq=False)
class RankedBound:
    """A claim on the run: its right side for each n, nan where it says nothing."""

    claim: str
    cell: Cell
    kind: str  # directional: it reads M = D, A or H; classical: the constant L; other
    one_step: bool  # it bounds a step by the one before, and needs to know that
    right: NDArray[np.float64]
    certified: bool

    @property
    def name(self) -> str:
        letters = [f"M={self.cell.smoothness}"] if self.cell.smoothness else []
        letters += [f"{name}={value}" for name, value in self.cell.parameters]
        return self.claim + (f" ({', '.join(letters)})" if letters else "")


@dataclass(frozen=True, eq=False)
class Ranking:
    """The claims about one quantity on one run."""

    quantity: str
    method: str  # gradient descent, ...: whose run
    left: NDArray[np.float64]  # for each n
    entries: tuple[RankedBound, ...]

    def at(self, n: int) -> list[RankedBound]:
        """Return those that say something there, the smallest right side first; ties by name."""
        known = [e for e in self.entries if n < len(e.right) and np.isfinite(e.right[n])]
        return sorted(known, key=lambda e: (e.right[n], e.name))

    def last(self, among: Sequence[RankedBound] | None = None) -> int:
        """Return the last n at which some claim says something."""
        known = [np.flatnonzero(np.isfinite(e.right)) for e in (self.entries if among is None else among)]
        return max((int(at[-1]) for at in known if len(at)), default=0)

    def winners(self) -> list[tuple[int, int, RankedBound]]:
        """Who has the smallest right side from which n to which, of the claims that are not about one step: the crossovers."""
        lasting = [e for e in self.entries if not e.one_step]
        best = [(n, found) for n in range(1, self.last() + 1) if (found := next((e for e in self.at(n) if e in lasting), None))]
        spans = [list(group) for _, group in groupby(best, key=lambda row: row[1])]
        return [(span[0][0], span[-1][0], span[0][1]) for span in spans]


def rank(problem: Problem, rule: Rule, bounds: Iterable[Bound], *, steps: int = 100, arithmetic: str = AUTO) -> list[Ranking]:
    """Return every quantity that at least two claims bound on this run: the one that most claims are about first.

    A claim counts at the k where it is seen to hold. Claims that fail on the run, or are known to be false, are left out, and
    so are steps of proofs.
    """
    known = {bound.id: (bound, what) for bound, what in _bounding(bounds)}
    profile = replace(PROFILES["quick"], steps=steps, method_steps=steps, exact_steps={problem.dimension: steps})
    setting = GridSetting(problem, arithmetic, profile, (rule,))
    found: dict[Any, list[tuple[Verdict, Bound, Quantity]]] = {}
    for experiment, asked in setting.experiments([bound for bound, _ in known.values()], rule):
        for verdict in setting.answers(experiment, asked, sides=True):
            bound, what = known[verdict.cell.claim]
            if (
                verdict.outcome is Outcome.HOLDS and verdict.left is not None
            ):  # a rule a little below is taken for the rule itself
                found.setdefault((what.key, experiment.key[1:]), []).append((verdict, bound, what))
    made = [_ranking(rows) for rows in found.values()]
    return sorted((r for r in made if len(r.entries) > 1), key=lambda r: (-len(r.entries), r.quantity))


def _bounding(bounds: Iterable[Bound]) -> Iterator[tuple[Bound, Quantity]]:
    """The claims that may be compared, each with what it bounds: their run is the rule's own, and they do not bound M itself."""
    inside = all_proof_steps()
    for bound in bounds:
        what, alone = quantity(bound), len(bound.runs.roles) == 1 and not bound.runs.searched
        if what is None or not alone or bound.is_refuted or bound.id in inside or not isinstance(bound.states, Relation):
            continue
        if not mentions(bound.states.upward().left, "M"):
            yield bound, what


def _ranking(rows: Sequence[tuple[Verdict, Bound, Quantity]]) -> Ranking:
    entries = [_entry(verdict, bound, what) for verdict, bound, what in rows]
    lefts = [_by_n(verdict, what, verdict.left) for verdict, _, what in rows]
    length = max(len(left) for left in lefts)
    left = np.full(length, np.nan)
    for one in lefts:
        left[: len(one)] = np.where(np.isnan(left[: len(one)]), one, left[: len(one)])
    return Ranking(rows[0][2].text, rows[0][1].runs.main.kind, left, tuple(e for e in entries if np.isfinite(e.right).any()))


def _entry(verdict: Verdict, bound: Bound, what: Quantity) -> RankedBound:
    kind = "classical" if is_classical(bound) or verdict.cell.smoothness == "L" else "directional" if bound.reads_M else "other"
    one_step = is_one_step(bound.states, bound.for_all.letter)
    return RankedBound(bound.id, verdict.cell, kind, one_step, _by_n(verdict, what, verdict.right), verdict.certified)


def _by_n(verdict: Verdict, what: Quantity, side: Any) -> NDArray[np.float64]:
    """Return a side for n = 0, 1, ..., where the claim holds."""
    made = np.full(verdict.first_k + len(verdict.outcomes) + what.later, np.nan)
    good = verdict.outcomes == Outcome.HOLDS
    start = verdict.first_k + what.later
    made[start : start + len(good)] = np.where(good, side, np.nan)
    return made


# -- as data -----------------------------------------------------------------------------------------------------------


KINDS = ("directional", "classical")


def ranked(
    problem: Problem, rule: Rule, bounds: Iterable[Bound], k: int, *, arithmetic: str = AUTO, one_step: bool = False
) -> list[Ranking]:
    """Return the rankings of a run of k steps that have something to show."""
    return [r for r in rank(problem, rule, bounds, steps=k, arithmetic=arithmetic) if one_step or shown(r, False)]


def run_data(problem: Problem, rule: Rule, found: Iterable[Ranking], k: int, *, one_step: bool = False) -> dict[str, Any]:
    return {"problem": problem.name, "method": rule.name, "k": k, "rankings": [as_data(r, k, one_step) for r in found]}


def place(ranking: Ranking, k: int) -> int:
    """Return the last n up to k at which some claim says something."""
    return min(k, ranking.last())


def shown(ranking: Ranking, one_step: bool, k: int = 10**9) -> list[RankedBound]:
    return [entry for entry in ranking.at(place(ranking, k)) if one_step or not entry.one_step]


def gain(entries: list[RankedBound], n: int) -> float | None:
    """Return the smallest directional right side over the smallest classical one."""
    best = {kind: min((e.right[n] for e in entries if e.kind == kind and not e.one_step), default=None) for kind in KINDS}
    ours, theirs = (best[kind] for kind in KINDS)
    return None if ours is None or theirs is None or theirs <= 0 else float(ours / theirs)


def as_data(ranking: Ranking, k: int, one_step: bool) -> dict[str, Any]:
    n, entries = place(ranking, k), shown(ranking, one_step, k)
    return {
        "quantity": ranking.quantity,
        "run": ranking.method,
        "n": n,
        "left": _finite(ranking.left[n]) if n < len(ranking.left) else None,
        "bounds": [{**_of(entry), "right": float(entry.right[n]), "certified": entry.certified} for entry in entries],
        "winners": [{"from": first, "to": last, **_of(entry)} for first, last, entry in ranking.winners()],
        "directional_over_classical": gain(entries, n),
    }


def _of(entry: RankedBound) -> dict[str, Any]:
    return {
        "claim": entry.claim,
        "smoothness": entry.cell.smoothness or None,
        "parameters": dict(entry.cell.parameters),
        "kind": entry.kind,
        "one_step": entry.one_step,
    }


def _finite(value: float) -> float | None:
    return float(value) if abs(value) < float("inf") else None
