"""Runs on a quadratic together, where some rule reads B g: one product with the matrix a step serves steps and gradients.

B g is computed for all runs. It tells the steps, and the next gradients: g_{n+1} = g_n - eta_n B g_n, beside
d_{n+1} = d_n - eta_n g_n. The points of these runs are x* + d_n, exactly. What rounding does to g piles up, so g is computed
afresh, as B d, before the pile is worth a quarter of what a product may be off by. With e_n = |g_n - B d_n|, |B| <= L and b_n
for what was computed of B g_n,

    e_{n+1} <= e_n + L |d_{n+1} - d_n + eta_n g_n| + eta_n |b_n - B g_n| + u (eta_n |b_n| + |g_{n+1}|):

each is bounded by norms, which are recorded.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from boundcheck.runners.engine.run_ends import SMALLEST, told_from_0, why_over_by_squares
from boundcheck.runners.engine.run_view import RunView

MOST = 64  # steps from one fresh gradient to the next, at most
SHARE = 0.25  # of the bound of a fresh gradient's error, that may pile up
ROWS = 8  # runs at a time, at most: steps are chosen one by one


def serves(run: Any) -> bool:
    """Is it a small batch of rules that read inner products only, and does one of them read B g?"""
    told = all(rule.constant or rule.numbers is not None or rule.curvature is not None for rule in run.rules)
    return told and 1 < len(run.ended) <= ROWS and any(rule.curvature is not None for rule in run.rules)


class _Moment:
    """d, g and b = B g of all runs at one n, in one block of memory."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.all = np.zeros((3, *shape))
        self.d, self.g, self.b = self.all
        self.d_and_g, self.g_and_b = self.all[:2], self.all[1:]


class Carried:
    """The loop, and what it records: numbers of points along the first axis, runs along the last."""

    def __init__(self, run: Any, steps: int, x: Any, g: Any, B: Any, star: Any, *, across: bool) -> None:
        self.run, self.B, self.star = run, B, star
        self.slots = _Moment(x.shape), _Moment(x.shape)
        self.slots[0].d[:], self.slots[0].g[:] = x - star, g
        self.moved = np.empty((2, *x.shape))
        self.squares, self.mixed = np.empty((steps + 2, 3, len(x))), np.empty((steps + 2, 2, len(x)))
        self.across = np.empty((steps + 1, 2, len(x))) if across else None  # g_n with d_{n+1} and with g_{n+1}
        self.eta, self.fresh = np.ones((steps + 1, len(x))), np.zeros(steps + 2, dtype=bool)
        self.fresh[0], self.columns = True, self.eta[:, :, None]
        self.asking = list(enumerate(zip(run.rules, run.rows, strict=True)))
        self.pasts: list[RunView | None] = [None] * len(run.rules)
        self.chosen = [1.0] * len(x)
        hessian = run.problem.hessian(run.xp)
        self.least = hessian.norm / ((x.shape[1] + 2) * hessian.size)  # |B| u |d| over the bound for a product with d
        self.left = 0

    def go(self, steps: int) -> int:
        """Up to so many steps; fewer where all runs end."""
        for k in range(steps):
            now, after = self.slots[k % 2], self.slots[1 - k % 2]
            self._look(k, now)
            if not self._choose(k, now):
                return k
            self._move(k, now, after, self.left == 0)
        return steps

    def finish(self, made: int) -> None:
        """B g at the last point, and a step past it: no column reads the point that it leads to."""
        now, after = self.slots[made % 2], self.slots[1 - made % 2]
        self._look(made, now)
        self._watch(made, now, *self.squares[made, :2].tolist())
        told_from_0(self.squares[made], now.all)
        last = self.eta[made - 1] if made else np.ones(self.eta.shape[1])
        self.eta[made] = np.where((last > 0) & (last < np.inf), last, 1.0)
        self._move(made, now, after, True)
        self._look(made + 1, after)

    def _look(self, k: int, now: _Moment) -> None:
        now.g.dot(self.B, now.b)  # B is symmetric
        np.vecdot(now.all, now.all, self.squares[k])
        np.vecdot(now.d_and_g, now.g_and_b, self.mixed[k])

    def _move(self, k: int, now: _Moment, after: _Moment, afresh: bool) -> None:
        np.multiply(now.g_and_b, self.columns[k], self.moved)
        np.subtract(now.d_and_g, self.moved, after.d_and_g)
        self.left -= 1
        if afresh:
            after.d.dot(self.B, after.g)
            self.fresh[k + 1], self.left = True, self._steps_to_come(k)
        if self.across is not None:
            np.vecdot(now.g, after.d_and_g, self.across[k])

    def _steps_to_come(self, k: int) -> int:
        """How many gradients to carry: over the bound for a product, a step adds its length over |d|, and a little."""
        dd, gg, _ = self.squares[k].tolist()
        each = zip(self.chosen, gg, dd, self.run.ended, strict=True)
        added = [self.least + eta * math.sqrt(g / d) for eta, g, d, over in each if not over and d > 0]
        return min(MOST, int(SHARE / max(added))) if added else 0

    def _watch(self, k: int, now: _Moment, dd: list[float], gg: list[float]) -> None:
        """End runs at a gradient that is zero, no number, or too small."""
        for row, (away, square) in enumerate(zip(dd, gg, strict=True)):
            if not (away > SMALLEST < square < math.inf) and not self.run.ended[row]:
                told_from_0(self.squares[k], now.all)
                self.run.end(row, k, why_over_by_squares(away, square, now.g[row], k, True))

    def _choose(self, k: int, now: _Moment) -> bool:
        """The steps of this moment; False where every run has ended."""
        run, chosen = self.run, self.chosen
        (dd, gg, bb), (dg, gb) = self.squares[k].tolist(), self.mixed[k].tolist()
        self._watch(k, now, dd, gg)
        settled = []
        for number, (rule, rows) in self.asking:
            if not self._by_formula(rule, rows, gg, bb, dg, gb):
                chosen[rows] = run.ask(number, self.pasts, k, self.star + now.d[rows], now.g[rows].copy()).tolist()
                if rule.constant and not any(run.ended[rows]):
                    settled.append(number)
        if settled:
            self.asking = [(number, both) for number, both in self.asking if number not in settled]
        self.eta[k] = chosen
        return bool(run.running)

    def _by_formula(self, rule: Any, rows: slice, gg: Any, bb: Any, dg: Any, gb: Any) -> bool:
        """Steps from inner products; False where the rule has to be asked in Python."""
        if rule.numbers is None and rule.curvature is None:
            return False
        for row in range(rows.start, rows.stop):
            if self.run.ended[row]:
                self.chosen[row] = 1.0  # it goes on idly beside the others
                continue
            try:
                eta = rule.numbers(dg[row] / 2, gg[row]) if rule.numbers else rule.curvature(gg[row], gb[row], bb[row])
            except (ZeroDivisionError, OverflowError):
                return False
            if not 0 < eta < math.inf:
                return False
            self.chosen[row] = eta
        return True


def piled(start: Any, added: Any, fresh: Any) -> Any:
    """Errors e_n: those of fresh gradients where they are fresh, else e_{n-1} plus what step n - 1 added; one row a run."""
    count = start.shape[1]
    sums = np.concatenate([np.zeros((len(start), 1)), np.add.accumulate(added, axis=1)], axis=1)[:, :count]
    last = np.maximum.accumulate(np.where(fresh[:count], np.arange(count), 0))
    rounding = (4 * count + 8) * 2.0**-53 * sums  # of the sums and of their difference
    total = np.where(fresh[:count], start, (start[:, last] + (sums - sums[:, last]) + rounding) * (1 + 2.0**-40))
    return np.where(np.isnan(total), np.inf, total)
