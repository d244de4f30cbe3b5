"""The rankings of a run as data: what `boundcheck rank --json` prints, and the page shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from boundcheck.check.precision_ladder import AUTO
from boundcheck.claims.bound import Bound
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.report.ranking import Entry, Ranking, rank

KINDS = ("directional", "classical")


def ranked(
    problem: Problem, rule: Rule, bounds: Iterable[Bound], k: int, *, arithmetic: str = AUTO, one_step: bool = False
) -> list[Ranking]:
    """The rankings of a run of k steps that have something to show."""
    return [r for r in rank(problem, rule, bounds, steps=k, arithmetic=arithmetic) if one_step or shown(r, False)]


def run_data(problem: Problem, rule: Rule, found: Iterable[Ranking], k: int, *, one_step: bool = False) -> dict[str, Any]:
    return {"problem": problem.name, "method": rule.name, "k": k, "rankings": [as_data(r, k, one_step) for r in found]}


def place(ranking: Ranking, k: int) -> int:
    """The last n up to k at which some claim says something."""
    return min(k, ranking.last())


def shown(ranking: Ranking, one_step: bool, k: int = 10**9) -> list[Entry]:
    return [entry for entry in ranking.at(place(ranking, k)) if one_step or not entry.one_step]


def gain(entries: list[Entry], n: int) -> float | None:
    """The smallest directional right side over the smallest classical one."""
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


def _of(entry: Entry) -> dict[str, Any]:
    return {
        "claim": entry.claim,
        "smoothness": entry.cell.smoothness or None,
        "parameters": dict(entry.cell.parameters),
        "kind": entry.kind,
        "one_step": entry.one_step,
    }


def _finite(value: float) -> float | None:
    return float(value) if abs(value) < float("inf") else None
