"""An audit as data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.audit.behaviour import KINDS
from boundcheck.runs.trace_views import pandas
from boundcheck.support.errors import UserError

if TYPE_CHECKING:
    from boundcheck.audit.audit import Audit

TABLES = ("behaviour", "theorems", "cells", "comparison")


def frame(audit: Audit, table: str) -> Any:
    """One of TABLES."""
    if table not in TABLES:
        raise UserError(f"an audit has no table '{table}'; it has {', '.join(TABLES)}")
    if table == "cells":
        from boundcheck.check.verdicts import Verdicts

        return Verdicts(audit.checked.verdicts).to_pandas()
    rows = {"behaviour": _behaviour, "theorems": _theorems, "comparison": _comparison}[table](audit)
    return pandas().DataFrame(rows)


def _behaviour(audit: Audit) -> list[dict[str, Any]]:
    rows = []
    for one in audit.behaviours:
        row = {name: value for name, value in one.to_json().items() if name != "adapted"}
        for kind in KINDS:
            found = one.adapted[kind]
            for name in ("at_most_1", "below_2", "low", "high"):
                row[f"eta {kind} {name}"] = None if found is None else getattr(found, name)
        rows.append(row)
    return rows


def _theorems(audit: Audit) -> list[dict[str, Any]]:
    kept = ("id", "title", "main", "outcome", "applies", "certified", "grade", "cells", "reason")
    rows = []
    for one in audit.checked.theorems:
        said, best = one.to_json(), one.tightest
        ratio = best.tightest.ratio if best is not None and best.tightest is not None else None
        rows.append({**{name: said[name] for name in kept}, "tightest": ratio, "M": " ".join(one.smoothness)})
    return rows


def _comparison(audit: Audit) -> list[dict[str, Any]]:
    return [
        {
            "problem": race.problem,
            "rule": lane.rule,
            "goal": goal,
            "k": None if at is None else at.k,
            "calls": None if at is None else at.total,
            "why": lane.why,
        }
        for race in audit.races
        for lane in race.lanes
        for goal, at in lane.reached.items()
    ]
