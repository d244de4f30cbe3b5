"""Both sides of a claim against k, for a few telling cells and at no more points than a reader sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.report.content import Report, cell_key
from boundcheck.report.page.cells import DECIDED, VIOLATED, CellCode, Words, rounded

POINTS, CURVES, LONG = 50, 6, 8  # of a curve; of a claim; from which a run is worth looking at first
LETTERS = {Outcome.HOLDS: "h", Outcome.VIOLATED: "x", Outcome.UNDECIDED: "u", Outcome.VACUOUS: "v"}


def curves(report: Report, shown: Sequence[CellCode], words: Words) -> list[dict[str, Any]]:
    """Return the curves that the page draws for a claim, the most telling first."""
    return [_curve(report, one, words) for one in chosen(shown)]


def chosen(shown: Sequence[CellCode], limit: int = CURVES) -> list[CellCode]:
    """Return where it fails, the tightest long run, then the longest ones: one cell a problem, and no more than `limit`."""
    drawn = [one for one in shown if one.code in DECIDED and _is_curve(one.verdict)]
    failing = [one for one in drawn if one.code in VIOLATED]
    ranked = sorted(failing, key=lambda one: (one.code, -_length(one)))[:2]
    long = [one for one in drawn if one.code not in VIOLATED and _length(one) >= LONG]
    ranked += sorted(long, key=_ratio, reverse=True)[:1]
    ranked += sorted((one for one in drawn if one.verdict.cell.smoothness in ("", "D")), key=_length, reverse=True)
    first = {one.verdict.cell.problem: one for one in reversed([*ranked, *drawn])}
    return _each_once(one for one in [*ranked, *drawn] if first[one.verdict.cell.problem] is one)[:limit]


def _each_once(shown: Iterable[CellCode]) -> list[CellCode]:
    found: list[CellCode] = []
    for one in shown:
        if not any(one is known for known in found):
            found.append(one)
    return found


def _length(one: CellCode) -> int:
    return len(one.verdict.outcomes)


def _is_curve(verdict: Verdict) -> bool:
    at = verdict.tightest or verdict.violation
    if verdict.left is None or verdict.right is None or (at is not None and at.chord):
        return False
    return len(verdict.outcomes) > 1 and bool(np.isfinite(verdict.left).any() and np.isfinite(verdict.right).any())


def _ratio(one: CellCode) -> float:
    return one.verdict.tightest.ratio if one.verdict.tightest is not None else 0.0


def _curve(report: Report, one: CellCode, words: Words) -> dict[str, Any]:
    verdict = one.verdict
    assert verdict.left is not None and verdict.right is not None
    kept = thinned(verdict)
    classical = report.classical.get(cell_key(verdict.cell), ())
    sides = {"left": verdict.left, "right": verdict.right}
    if len(classical) == len(verdict.outcomes):
        sides["classical"] = np.asarray(classical, dtype=np.float64)
    cell = verdict.cell
    return {
        "at": words(str(cell)[len(cell.claim) + 4 :]),
        "in": words(cell.arithmetic),
        "code": one.code,
        "k": [int(n) + verdict.first_k for n in kept],
        "outcomes": "".join(LETTERS[Outcome(int(verdict.outcomes[n]))] for n in kept),
        **{name: [_number(side[n]) for n in kept] for name, side in sides.items()},
    }


def _number(value: Any) -> float | None:
    return rounded(float(value)) if np.isfinite(value) else None


def thinned(verdict: Verdict, points: int = POINTS) -> NDArray[np.int64]:
    """Return which k to keep: evenly on a logarithmic scale, with the first and last, the tightest, and the first that fails."""
    count = len(verdict.outcomes)
    if count <= points:
        return np.arange(count)
    marks = [m.k - verdict.first_k for m in (verdict.tightest, verdict.violation) if m is not None and not m.chord]
    failing = np.flatnonzero(verdict.outcomes == Outcome.VIOLATED)[:1]
    wanted = [n for n in (*marks, *failing, count - 1) if 0 <= n < count]
    spread = np.unique(np.geomspace(1, count, points - len(set(wanted))).astype(int) - 1)
    return np.unique(np.concatenate([spread, np.asarray(wanted, dtype=int)])).astype(np.int64)
