"""How tight the claims are, measured on the runs that were made: docs/tightness.md says what each number means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.language.relations import Chain, links
from boundcheck.report.classical import classical_curves, share
from boundcheck.report.content import Key, Slack, Tightness
from boundcheck.report.slack import Spot, best, counted, slacks
from boundcheck.suite.tally import place

EQUATIONS = ("==", "->")


def tightness(
    bounds: Iterable[Bound],
    verdicts: Mapping[str, Sequence[Verdict]],
    *,
    library: Sequence[Bound] = (),
    curves: Mapping[Key, Sequence[float]] | None = None,
) -> dict[str, Tightness]:
    """By claim id, for each claim with an inequality and some k that counts. Verdicts without sides say nothing but of chains.

    `curves` are the classical right sides (`classical_curves`), worked out here with the `library` where they are not given.
    """
    chosen = [b for b in bounds if any(link.op not in EQUATIONS for link in links(b.states))]
    curves = classical_curves(chosen, verdicts, library) if curves is None else curves
    suprema = {b.id: found for b in chosen if (found := _suprema(b, verdicts.get(b.id, ())))}
    spots = {b.id: _spot(suprema[b.id]) for b in chosen if b.id in suprema and not b.is_refuted}
    lost = slacks(chosen, spots, verdicts)
    return {b.id: _measured(b, verdicts[b.id], suprema[b.id], lost.get(b.id, ()), curves) for b in chosen if b.id in suprema}


Suprema = list[tuple[float, str, Verdict]]


def _suprema(bound: Bound, verdicts: Sequence[Verdict]) -> Suprema:
    """Return the largest ratio of each cell, where, and the cell's verdict."""
    found = ((best(verdict, isinstance(bound.states, Chain)), verdict) for verdict in verdicts)
    return [(*ratio, verdict) for ratio, verdict in found if ratio is not None]


def _measured(
    bound: Bound, verdicts: Sequence[Verdict], suprema: Suprema, lost: tuple[Slack, ...], curves: Mapping[Key, Sequence[float]]
) -> Tightness:
    supremum, where, verdict = max(suprema, key=lambda row: row[0])
    (left, right), fitted = rates(bound, verdicts)
    return Tightness(
        claim=bound.id,
        supremum=supremum,
        where=f"{place(verdict.cell)}, {where}",
        median=float(np.median([ratio for ratio, *_ in suprema])),
        left_exponent=left.exponent,
        right_exponent=right.exponent,
        left_factor=left.factor,
        right_factor=right.factor,
        fitted=fitted,
        slack=lost,
        classical=share(verdicts, curves),
    )


def rates(bound: Bound, verdicts: Sequence[Verdict]) -> tuple[tuple[Rate, Rate], str]:
    """Return the rates of both sides on the longest run in which the claim holds, and which that is.

    Of several as long, the one whose left side falls least from the first k that counts to the last: nearest to the worst case.
    """
    runs = [(v, counted(v)) for v in verdicts if v.outcome is Outcome.HOLDS and v.left is not None and v.right is not None]
    if isinstance(bound.states, Chain) or bound.is_about_chords or bound.has_fixed_horizon or not runs:
        return (NONE, NONE), ""
    longest = max(np.count_nonzero(good) for _, good in runs)
    verdict, good = max(((v, g) for v, g in runs if np.count_nonzero(g) == longest), key=lambda run: _kept(*run))
    ks = verdict.first_k + np.arange(len(verdict.outcomes))
    found = tuple(rate(ks[good], np.asarray(side)[good]) for side in (verdict.left, verdict.right))
    return (found[0], found[1]), "" if found == (NONE, NONE) else place(verdict.cell)


def _kept(verdict: Verdict, good: NDArray[np.bool_]) -> float:
    """Return what the left side's last number is of its first; -1 where that cannot be said."""
    left = np.asarray(verdict.left)[good]
    return float(left[-1] / left[0]) if len(left) and left[0] > 0 and left[-1] > 0 else -1.0


def _spot(suprema: Suprema) -> Spot:
    """Return the cell where the claim is tightest, of those where it holds; else where it fails most."""
    held = [row for row in suprema if row[2].outcome is Outcome.HOLDS] or suprema
    _, _, verdict = max(held, key=lambda row: row[0])
    return Spot(verdict.cell, verdict.first_k + len(verdict.outcomes) + 1)


# -- rates -------------------------------------------------------------------------------------------------------------


SHORTEST = 16  # numbers: fewer tell nothing of a rate
TAIL = 4  # the fit is to k from K/4 on, in two halves: K/4 to K/2, and K/2 to K
FITS = 0.99  # R^2, at least
AGREE = 0.15  # relatively, by how much the slopes of the two halves may differ
FLAT = 0.05  # of an exponent, or of log(largest/smallest): less is no rate


@dataclass(frozen=True)
class Rate:
    """y ~ k^exponent, or y ~ factor^k; neither where both are None."""

    exponent: float | None = None
    factor: float | None = None


NONE = Rate()


def rate(ks: NDArray[np.int64], values: NDArray[np.float64]) -> Rate:
    """The rate of positive numbers over k. A power and a geometric rate are told apart by their slopes in the halves of the tail.

    A power has the same slope of log y over log k in both; a geometric one the same slope of log y over k, and then the other
    slope doubles. Each must fit all of the tail (R^2) too. What does both or neither well is called neither.
    """
    known = np.isfinite(values) & (values > 0) & (ks >= 1)
    if np.count_nonzero(known) < SHORTEST:
        return NONE
    k, y = ks[known].astype(float), np.log(values[known])
    late = k >= k[-1] / TAIL
    k, y = k[late], y[late]
    if len(k) < SHORTEST // 2 or np.ptp(y) < FLAT:
        return NONE
    power, geometric = _slope(np.log(k), y, k), _slope(k, y, k)
    if power is not None and geometric is not None:
        return NONE
    if power is not None:
        return Rate(exponent=power) if abs(power) >= FLAT else NONE
    return NONE if geometric is None else Rate(factor=float(np.exp(geometric)))


def _slope(x: NDArray[np.float64], y: NDArray[np.float64], k: NDArray[np.float64]) -> float | None:
    """Return the slope of y over x, by least squares; None unless the line fits, and each half has the same slope."""
    slope, fit = _line(x, y)
    early = k <= k[-1] / 2
    if fit < FITS or min(np.count_nonzero(early), np.count_nonzero(~early)) < 3:
        return None
    (first, _), (second, _) = _line(x[early], y[early]), _line(x[~early], y[~early])
    return slope if abs(first - second) <= AGREE * abs(slope) else None


def _line(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """Return the slope of the line of least squares, and R^2."""
    u, v = x - x.mean(), y - y.mean()
    slope = float(u @ v / (u @ u))
    rest, whole = v - slope * u, float(v @ v)
    return slope, 1 - float(rest @ rest) / whole if whole > 0 else 0.0
