"""A(x, y) and mu(x, y) by looking: the largest and smallest mean curvature on the chord, over many t and then between the best.

phi(t) = <grad f(x + t d) - grad f(x), d> / (t |d|^2) for t in (0, 1], d = y - x. The best point of a grid and its neighbours
bracket an extremum, which finer and finer grids narrow. phi(0) is taken at t = 2^-150. Where f has kinks the grid goes far
towards 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from .numbers import number

NEAR_ZERO = Fraction(1, 2**150)
INSIDE = 7  # points of a finer grid between the neighbours of the best
SMOOTH_WIDTH, KINK_WIDTH = Fraction(1, 10**8), Fraction(1, 10**14)  # phi is off by the square of the first, or by the second

Phi = Callable[[Sequence[Any]], list[Any]]  # many t at once


def grid(smooth: bool) -> list[Fraction]:
    if smooth:
        return [NEAR_ZERO, *(Fraction(n, 10) for n in range(1, 11))]
    small = {Fraction(m, 4 * 2**n) for n in range(36) for m in (3, 4)}
    return sorted({NEAR_ZERO, *(Fraction(n, 24) for n in range(1, 25)), *small})


def extreme(phi: Phi, *, sup: bool, smooth: bool) -> Any:
    """The sup or inf of phi on (0, 1]."""

    def values(places: Sequence[Any]) -> list[Any]:
        return [(v if sup else -v).mid() for v in phi(places)]

    places = [number(t) for t in grid(smooth)]
    found = values(places)
    best = found.index(max(found))
    if found.count(found[best]) < len(found) and not _falls_from_end(values, places, found, best):
        found.append(_narrowed(values, places[max(best - 1, 0)], places[min(best + 1, len(places) - 1)], smooth))
    return max(found) if sup else -max(found)


def _falls_from_end(values: Callable[..., list[Any]], places: list[Any], found: list[Any], best: int) -> bool:
    """Is the best an end of the chord, and phi smaller just inside?"""
    if best == len(places) - 1:
        return bool(values([number(1 - Fraction(1, 10**9))])[0] < found[best])
    return best == 0 and bool(values([number(Fraction(1, 10**15))])[0] < found[0])


def _narrowed(values: Callable[..., list[Any]], low: Any, high: Any, smooth: bool) -> Any:
    width = number(SMOOTH_WIDTH if smooth else KINK_WIDTH)
    top = None
    while (high - low) > width * high:
        places = [(low + (high - low) * n / (INSIDE + 1)).mid() for n in range(INSIDE + 2)]
        found = values(places)
        best = found.index(max(found))
        top = found[best] if top is None else max(top, found[best])
        low, high = places[max(best - 1, 0)], places[min(best + 1, INSIDE + 1)]
    return top
