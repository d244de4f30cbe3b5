"""Exponential search: a claim may be about the two runs with which it ends, so it is made again, to the same steps.

From the step eta0 the search tries eta0 / 2^m, by runs of n steps of gradient descent with that one step. Small enough is a
step eta with  sum of (eta M(x_k, x_k+1) - 1) |grad f(x_k)|^2 <= 0. The exponents m = 0, 2, 0, 4, 0, 8, ... are tried until one
is small enough; then the interval is halved until its ends are neighbours. The first run of the claim has the step that is
small enough, the second the one above it that is not (both the first, where eta0 is small enough).
"""

from __future__ import annotations

from .arithmetic import HALF, ONE, ZERO, along, dot, holds
from .budgets import Number, Vector, sized
from .interpretation import Interpretation
from .refusals import must

ROUNDS = 10  # 2^10 halvings at most


def is_small(meaning: Interpretation, eta: Number, start: Vector, steps: int) -> bool:
    """Decide whether a step is small enough, by one run of gradient descent."""
    x, found = start, ZERO
    for _ in range(steps):
        gradient = meaning.f.grad(x)
        after = along(x, -eta, gradient)
        excess = eta * meaning.chord("M", x, after) - ONE
        found, x = sized(found + excess * dot(gradient, gradient)), after
    return holds("<=", found, ZERO)


class Search:
    """The tests of steps, and how many were made."""

    def __init__(self, meaning: Interpretation, start: Vector, steps: int) -> None:
        self.meaning, self.start, self.steps = meaning, start, steps
        self.tests = 0

    def eta(self, m: int) -> Number:
        """Return eta0 / 2^m."""
        return self.meaning.parameters["eta0"] * HALF**m

    def is_small(self, m: int) -> bool:
        """Decide whether eta0 / 2^m is small enough, and count it."""
        self.tests += 1
        return is_small(self.meaning, self.eta(m), self.start, self.steps)

    def ends(self) -> tuple[int, int]:
        """Return the exponents of the step that is returned, and of the step above it."""
        low = self._first_that_is_small()
        high = 0
        while low - high > 1:
            middle = (low + high) // 2
            if self.is_small(middle):
                low = middle
            else:
                high = middle
        return low, high

    def _first_that_is_small(self) -> int:
        for r in range(1, ROUNDS + 1):
            for m in (0, 2**r):
                if self.is_small(m):
                    return m
        raise ValueError(f"exponential search finds no step within 2^-{2**ROUNDS} eta0")


def check_search(meaning: Interpretation, runs: list[Vector], start: Vector) -> None:
    """Raise NotRefuted unless the steps of both runs, and the counts that the file gives, are those of the search."""
    n = len(runs[0])
    search = Search(meaning, start, n)
    low, high = search.ends()
    counts = {"N": search.tests * n, "searches": search.tests}
    good = runs == [[search.eta(low)] * n, [search.eta(high)] * n]
    good = good and all(meaning.parameters.get(name, count) == count for name, count in counts.items())
    must(good, f"exponential search returns {search.eta(low)} and {search.eta(high)}, and counts {counts}")
