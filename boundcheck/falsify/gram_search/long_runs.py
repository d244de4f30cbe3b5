"""Long runs in floating point on Huber's functions: a rate may be loose at the first k, which programs decide, and tight later.

f' has the slope 1 up to 1, and 0 or little after; the start is up to a million times as far. What is slow at last is slow here.
A claim that seems to fail is not said to be true. That none does says nothing.
"""

from __future__ import annotations

from itertools import islice, product

import numpy as np

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Declared
from boundcheck.falsify.exact_check import formula_of
from boundcheck.falsify.families import PIECEWISE
from boundcheck.falsify.lane_formulas import UnreadableEntry
from boundcheck.falsify.search_space import CONSTANT, FREE, Space
from boundcheck.model.problem import StronglyConvex

HUBER = PIECEWISE[1]  # the same on both sides of 0, with one break
SLOPES, STARTS, SIGMAS = (0.0, 0.001, 0.04), np.geomspace(1, 1e6, 49), (0.05, 0.5, 1.0, 1.5)
LATE = (40, 150)
LETTERS = 12  # choices of the parameters
CLEARLY = 1e-3  # of both sides together: more than rounding


def seems_to_fail_late(bound: Bound) -> bool:
    """Return whether such a run breaks the claim at some k later than those of programs."""
    if bound.is_about_chords or bound.runs.searched:
        return False
    is_strong = any(isinstance(h, Declared) and h.kind is StronglyConvex for h in bound.hypotheses)
    for M, k in product(bound.smoothness if bound.reads_M else ("",), LATE):
        space = Space(bound, M, HUBER, (k,), CONSTANT if formula_of(bound) is None else FREE)
        if space.is_implicit:
            return False
        own = len(space.grids) - 4 - len(space.letters)  # of a step, if it is chosen
        values = [[float(v) for v in bound.try_with.get(name, (1,))] for name in space.letters]
        parts = (SLOPES[is_strong:], STARTS, SIGMAS if own else (1.0,), list(islice(product(*values), LETTERS)))
        rows = [(1.0, slope, 1.0, start, *[sigma] * own, *letters) for slope, start, sigma, letters in product(*parts)]
        try:
            scores = space.batch(np.array(rows)).scores((k,))
        except UnreadableEntry:
            return False
        if any((one.feasible & (one.violation > CLEARLY)).any() for one in scores):
            return True
    return False
