"""One run on a quadratic in NumPy, told by inner products: the loops that write d = x - x* and g = B d into buffers.

`ByPoints` keeps x as any run does. `ByDisplacements` keeps d alone, so that the points are x* + d, exactly: for rules that read
nothing but inner products. With a constant step it makes a stretch at once: with M = I - eta B, the rows M d, ..., M^m d give
the next m by one product with M^m. How far each row is from a step off the row before is measured afterwards.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from boundcheck.runners.engine.run_ends import why_over
from boundcheck.runners.engine.run_view import RunView

NUMBERS = 32_768  # in a buffer, so that it stays in the cache beside the matrix


class Buffers:
    """The first row is where the next steps begin; E has the steps."""

    def __init__(self, steps: int, x: Any, star: Any, g: Any) -> None:
        self.length = max(16, min(512, NUMBERS // x.size, steps))
        self.both = np.empty((self.length + 1, 2, *x.shape))
        self.D, self.G, self.E = self.both[:, 0], self.both[:, 1], np.empty((self.length, len(x)))
        self.D[0], self.G[0] = x - star, g

    def turn(self, made: int) -> None:
        """The row after so many steps becomes the first."""
        self.both[0] = self.both[made]


SHORT = 16  # steps of a stretch from which it is worth making
WORTH = 10  # steps of a run for each coordinate, from which powers of a matrix are worth their making
SHRINKS = 1 / 16  # of |d|^2 along a stretch, at most: rounding errors are of the size of its first row


def serves(run: Any) -> bool:
    """May it go through points of its own? It is one run, of a rule that reads no point."""
    return len(run.ended) == 1 and (run.rules[0].constant or run.rules[0].numbers is not None)


class _SingleDescent:
    """What both have in common: the rule is asked in Python, where its step is no number that a formula gives."""

    measured = False  # are steps to be measured, since they were not made one by one?

    def __init__(self, run: Any, B: Any, star: Any, buffers: Buffers) -> None:
        self.run, self.B, self.product, self.star = run, B, B.dot, star
        self.buffers, self.step = buffers, np.empty(len(B))
        self.rows = [(both, *both) for both in buffers.both[:, :, 0]]
        self.eta: Any = None
        self.past: RunView | None = None

    def point(self, d: Any) -> Any:
        return self.star + d

    def ask(self, k: int, d: Any, g: Any) -> Any:
        square = g.dot(g)
        if not 0 < square < np.inf:
            self.run.end(0, k, why_over(float(np.abs(g).sum()), k))
            return None
        self.past = self.run.ask_alone(k, self.point(d), g.copy(), self.past, grad_normsq=square, gap=d.dot(g) / 2)
        return self.past.eta


class ByPoints(_SingleDescent):
    """Any rule. One that never changes its step is asked once."""

    def __init__(self, run: Any, B: Any, star: Any, buffers: Buffers, x: Any) -> None:
        super().__init__(run, B, star, buffers)
        self.x = x[0].copy()

    def point(self, d: Any) -> Any:
        return self.x.copy()

    def go(self, first: int, count: int) -> int:
        """Up to `count` steps into the buffers; fewer where the rule ends the run."""
        rule, product, star, x, step = self.run.rules[0], self.product, self.star, self.x, self.step
        multiply, subtract, numbers, rows, etas = np.multiply, np.subtract, rule.numbers, self.rows, self.buffers.E
        (_, d, g), eta = rows[0], self.eta
        for n in range(count):
            if eta is None or not rule.constant:
                if numbers is not None:
                    eta = numbers(d.dot(g) / 2, g.dot(g))
                if numbers is None or not 0 < eta < np.inf:
                    eta = self.ask(first + n, d, g)
                    if eta is None:
                        return n
            etas[n] = eta
            multiply(g, eta, step)
            subtract(x, step, x)
            _, d, g = rows[n + 1]
            subtract(x, star, d)
            product(d, g)
        self.eta = eta
        return count


class ByDisplacements(_SingleDescent):
    """Rules that read inner products, or nothing."""

    def __init__(self, run: Any, B: Any, star: Any, buffers: Buffers) -> None:
        super().__init__(run, B, star, buffers)
        self._powers: list[Any] = []
        self._block: Any = None  # the rows of the last stretch, where it was good to its end
        # steps to make one by one before a stretch is tried (again)
        self._singly = 0 if run.total >= WORTH * len(B) else run.total

    def go(self, first: int, count: int) -> int:
        """Up to `count` steps into the buffers; fewer where the run ends, or where a stretch is at its end."""
        rule = self.run.rules[0]
        if not rule.constant:
            return self._by_formula(first, count)
        if self.eta is None:
            self.eta = self.ask(first, *self.rows[0][1:])
            if self.eta is None:
                return 0
        if self._singly <= 0:
            made = self._stretch(count)
            self.measured = made >= SHORT
            if self.measured:
                self.buffers.E[:made] = self.eta
                return made
            self._singly = 16 * SHORT
        count = min(count, self._singly)
        self._singly -= count
        return self._by_one_step(count)

    def _by_one_step(self, count: int) -> int:
        product, step, rows, eta = self.product, self.step, self.rows, self.eta
        self.measured = False
        self.buffers.E[:count] = eta
        _, d, g = rows[0]
        for n in range(count):
            np.multiply(g, eta, step)
            _, after, g = rows[n + 1]
            np.subtract(d, step, after)
            product(after, g)
            d = after
        return count

    def _by_formula(self, first: int, count: int) -> int:
        product, step, rows, etas = self.product, self.step, self.rows, []
        multiply, subtract, numbers = np.multiply, np.subtract, self.run.rules[0].numbers
        both, d, g = rows[0]
        for n in range(count):
            dg, gg = both.dot(g).tolist()
            eta = numbers(dg / 2, gg) if gg > 0 else math.nan
            if not 0 < eta < math.inf:
                eta = self.ask(first + n, d, g)
                if eta is None:
                    break
            etas.append(eta)
            multiply(g, eta, step)
            before = d
            both, d, g = rows[n + 1]
            subtract(before, step, d)
            product(d, g)
        self.buffers.E[: len(etas), 0] = etas
        return len(etas)

    def _stretch(self, count: int) -> int:
        """Rows 1, 2, ... at once; how many are good, for |d| is still of the size that it began with."""
        D, G = self.buffers.D[:, 0], self.buffers.G[:, 0]
        self._block = self._first_block(D[0]) if self._block is None else np.dot(self._block, self._powers[-1])
        squares = np.vecdot(self._block, self._block)
        good = (squares >= SHRINKS * squares[0]) & (squares * SHRINKS <= squares[0])
        all_good = bool(good.all())
        made = min(count, len(good) if all_good else int(good.argmin()))
        if made >= SHORT:
            D[1 : made + 1] = self._block[:made]
            G[1 : made + 1] = np.dot(self._block[:made], self.B)  # B is symmetric
        if not all_good:
            self._block = None
        return made

    def _first_block(self, d: Any) -> Any:
        """Rows by doubling: with M, M^2, M^4, ...; the last power leads from this block to the next."""
        if not self._powers:
            self._powers.append(np.eye(len(self.B)) - self.eta * self.B)
            while 2 ** (len(self._powers)) <= self.buffers.length:
                self._powers.append(np.dot(self._powers[-1], self._powers[-1]))
        block = np.dot(d, self._powers[0])[None]
        for power in self._powers[:-1]:
            block = np.concatenate([block, np.dot(block, power)])
        return block
