"""f(x) = sum of log(1 + exp(z_i' x)) in balls, as differences of values: each value costs one exponential a sample, and is kept.

A difference of values cancels. So values are computed at the centres of the points, which are exact, with as many more bits as
cancel; what the radii of the points add follows from the gradient. f is convex and its gradient is L-Lipschitz:

    |f(x) - f(c)| <= (|grad f(c)| + L rho) rho  for |x - c| <= rho,  and  |grad f(c)| <= L |c - x*|.

Where a difference comes out with fewer than half of the bits, nothing is said: the caller has forms without cancellation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import add, mul, sub
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.balls.ball import float_above
from boundcheck.arithmetic.balls.functions import ZERO, arb, lift, sigmoid, softplus_and_slopes, softplus_sum
from boundcheck.arithmetic.balls.plain import arb_mat, precision
from boundcheck.model.problem import Minimiser

NAMED = 3  # coordinates, at most
KEPT = 1100  # points: a chunk of a run, twice
NUMBERS = 300_000  # of them and their gradients, up to which more points are kept
SLACK = 24  # bits that a difference may lack before it is computed again with more
SPARE, WORD = 16, 64  # bits beyond those that cancel; precisions are whole words, which cost no more, so that values serve again
ROUNDED = 12  # bits: a step is frozen by eight, and a few roundings come with it
LARGEST = 2.0**400  # radii beyond it are of no use
GROWN = 1 + 2.0**-40  # more than a few roundings of a float64
TINY = 2.0**-1000
NARROW = 2.0**-40  # a radius


@dataclass
class Visited:
    """An exact point, f there computed with so many bits, and the gradient if somebody asked for it."""

    point: list[Any]
    bits: int
    value: Any
    gradient: list[Any] | None = None

    @cached_property
    def slope(self) -> float:
        """An upper bound of the length of the gradient."""
        return length(self.gradient or [])


Place = Visited | list[Any]  # an exact point: as it was visited, or as numbers


def _slope(place: Place, gradient: list[Any] | None = None) -> Any:
    """An upper bound of the length of the gradient at an exact point: as it was found there, or as it is given."""
    if isinstance(place, Visited) and place.gradient is not None:
        return place.slope
    return None if gradient is None else length(gradient)


class BallValues:
    """Values of f at exact points, each known to the bits that were asked for so far.

    Points are looked up by some coordinates to some bits. Of points that share these one is kept, the last: it may be taken for
    its neighbours too, with what the distance adds.
    """

    def __init__(self, Z: NDArray[np.float64], L: Any) -> None:
        self.rows = arb_mat(*Z.shape, [arb(float(v)) for v in Z.reshape(-1)])
        self.columns = self.rows.transpose()
        self.L = float_above(arb(float(L))) * GROWN
        self._every = -(-Z.shape[1] // NAMED)
        self._run = 0
        self._visited: dict[tuple[float, ...], Visited] = {}
        self._most = max(KEPT, NUMBERS // (2 * Z.shape[1]))  # a point and its gradient
        self._short = 0  # bits that the last gradient lost by being short, in f - f* as often again
        self._better = 0  # enough for the last difference
        self._lowest: dict[int, tuple[Any, list[Any]]] = {}  # f* and x*, by bits

    def in_run(self, run: int) -> BallValues:
        """The same, with nothing kept from other runs: how well a value is known does not depend on what was computed before."""
        if self._run != run:
            self._run, self._short, self._better = run, 0, 0
            self._visited.clear()
        return self

    def at(self, place: Place, bits: int, better: int = 0) -> Visited:
        """f at an exact point, computed with so many bits or more; with `better` bits if it is computed now."""
        if isinstance(place, Visited):
            if place.bits >= bits:
                return place
            place = place.point
        bits = max(bits, better)
        with precision(bits):
            known = Visited(place, bits, softplus_sum(self._margins(place)))
        self._keep(known)
        return known

    def both(self, point: list[Any], bits: int, digits: int) -> tuple[Any, list[Any]]:
        """f and its gradient over the points that the balls enclose, rounded to so many binary digits.

        At an exact point they have more than `bits` bits to begin with, as many more as the last gradient lost by being short,
        and are kept. Near one they are those at the middle, with what the distance adds: exponentials of exact numbers cost less.
        """
        if all(map(arb.is_exact, point)):
            known = self._with_gradient(point, whole(bits + SPARE + self._short))
            made = known.gradient or []
            size = max(map(abs, map(float, made)))
            self._short = min(max(-2 * math.frexp(size)[1], 0), 2 * bits) if 0 < size < math.inf else 0
            if known.bits <= digits:
                return known.value, made
            with precision(digits):
                return +known.value, [+number for number in made]
        middle, radius = centre(point)
        if not radius < NARROW:
            known = self._computed(point, bits, False)
            return known.value, known.gradient or []
        known = self._computed(middle, bits, True)
        with precision(digits):
            further = arb(0, self.L * radius * GROWN + TINY)
            return known.value + arb(0, about(known.slope, self.L, radius)), [number + further for number in known.gradient or []]

    def _with_gradient(self, point: list[Any], bits: int) -> Visited:
        """An exact point, visited with so many bits or more."""
        known = self._same(point)
        if known is None or known.gradient is None or known.bits < bits:
            known = self._computed(point, bits, True)
            self._keep(known)
        return known

    def _computed(self, point: list[Any], bits: int, narrow: bool) -> Visited:
        with precision(bits):
            margins = self._margins(point)
            value, slopes = softplus_and_slopes(margins, narrow=narrow)
            made = (self.columns * arb_mat(len(slopes), 1, slopes)).entries()
            if not all(map(arb.is_finite, made)):
                slopes = [slope if slope.is_finite() else sigmoid(a) for a, slope in zip(margins, slopes, strict=True)]
                made = (self.columns * arb_mat(len(slopes), 1, slopes)).entries()
        return Visited(point, bits, value, made)

    def _margins(self, point: list[Any]) -> list[Any]:
        made: list[Any] = (self.rows * arb_mat(len(point), 1, point)).entries()
        return made

    def _name(self, point: list[Any]) -> tuple[float, ...]:
        """Some coordinates as float64s, and what that leaves of the first: points differ in these, but for the last bits."""
        name = [float(number) for number in point[:: self._every]]
        return (*name, float(point[0] - arb(name[0])))

    def _near(self, point: list[Any]) -> Visited | None:
        """A point that was visited by the same name, perhaps this one."""
        return self._visited.get(self._name(point))

    def _same(self, point: list[Any]) -> Visited | None:
        """This very point, if it was visited."""
        known = self._near(point)
        return known if known is not None and known.point == point else None

    def _keep(self, known: Visited) -> None:
        if len(self._visited) >= self._most:
            del self._visited[next(iter(self._visited))]
        self._visited[self._name(known.point)] = known

    def difference(self, bits: int, plus: Place, minus: Any, less: Any, error: float) -> Any:
        """f(plus) - `minus` - `less`, within a further error, to about `bits` bits; None where it has fewer than half of them.

        `minus` is a place, or a ball that is known well enough.
        """
        working, better, before = bits, self._better, -1
        given = float(less.rad()) + error  # a difference that is known better than what it meets is known well enough
        while True:
            with precision(max(working + WORD, better)):
                first, other = self.at(plus, working, better), minus
                if not isinstance(minus, arb):
                    second = self.at(minus, working, better)
                    other, working = second.value, max(working, min(first.bits, second.bits))
                else:
                    working = max(working, first.bits)
                made = first.value - other
                left = made - less
            accuracy = int(left.rel_accuracy_bits())
            if accuracy >= bits - SLACK or float(made.rad()) <= given:
                break
            if working >= 5 * bits or accuracy <= before:  # what it is compared with is not known any better
                break
            before = accuracy
            self._better = working = min(whole(working + bits + SPARE - accuracy), 5 * bits)
        with precision(bits):
            made = left + arb(0, error) if error else +left
        return made if made.is_finite() and made.rel_accuracy_bits() >= bits // 2 else None

    def gap(self, bits: int, known: Minimiser, point: list[Any], radius: float) -> Any:
        """f at the centre less f*, and what the radius adds; None where too much cancels."""
        if not radius < LARGEST:
            return None
        if bits not in self._lowest:
            self._lowest[bits] = enclosed(known, bits)
        lowest, star = self._lowest[bits]
        here, error = self._same(point) or point, 0.0
        if radius:
            slope = _slope(here)
            if slope is None:  # |grad f(c)| <= L |c - x*|
                slope = self.L * (length(list(map(sub, point, star))) + known.radius)
            error = about(slope, self.L, radius)
        made = self.difference(bits, here, lowest, ZERO, error)
        return None if made is None else made if made >= 0 else made.nonnegative_part()

    def bregman(self, bits: int, point: list[Any], radius: float, d: list[Any], gx: list[Any], gy: list[Any]) -> Any:
        """f near x + d less f near x less <grad f(x), d>: where both points were visited, it costs no exponential at all.

        x is within the radius of an exact point, and x + d of what that point becomes.
        """
        with precision(bits + WORD):
            moved = list(map(add, point, d))
        known, reach = self._near(moved), 0.0
        end: Place | None = None
        if known is not None:  # the step came here, or back: x_k + (x_{k+1} - x_k) is x_{k+1} but for rounding
            away = length(list(map(sub, moved, known.point)))
            step = max([abs(float(number)) for number in d[:: self._every]])  # any bound would do
            if away <= step * 2.0 ** (ROUNDED - bits):
                end, reach = known, away
        if end is None:
            middle, reach = centre(moved)
            end = self._same(middle) or middle
        reach = (reach + radius) * GROWN
        if not radius + reach < LARGEST:
            return None
        here = self._same(point) or point
        error = about(_slope(here, gx), self.L, radius) if radius else 0.0
        error += about(_slope(end, gy), self.L, reach) if reach else 0.0
        along = sum(map(mul, gx, d), ZERO)
        return self.difference(bits, end, here, along, error) if along.is_finite() else None

    @staticmethod
    def each(xp: Any, quick: Callable[..., Any], slow: Callable[..., Any], *stacks: Any) -> Any:
        """`quick(centre, radius, *rest)` for each of the stacked points, and `slow(*stacks)` where it says nothing."""
        bare = [xp.bare(v) for v in stacks]
        shape = np.broadcast_shapes(*(v.shape for v in bare))
        found = np.empty(shape[:-1], dtype=object)
        with xp.working():
            centres = _centres(stacks[0], bare[0], shape)
            rest = [np.broadcast_to(v, shape).reshape(-1, shape[-1]).tolist() for v in bare[1:]]
            found.reshape(-1)[:] = [quick(*first, *others) for first, *others in zip(centres, *rest, strict=True)]
        missing = np.asarray(np.frompyfunc(lambda a: a is None, 1, 1)(found), dtype=bool)
        if missing.any():
            some = all(v.shape == shape for v in bare) and missing.ndim
            rest = xp.bare(slow(*(v[missing] for v in stacks) if some else stacks))
            found[missing] = rest if some else np.broadcast_to(rest, found.shape)[missing]
        return xp.scalars(found)


def whole(bits: int) -> int:
    """So many bits, in whole words."""
    return -(-bits // WORD) * WORD


def _centres(x: Any, bare: Any, shape: tuple[int, ...]) -> list[tuple[list[Any], float]]:
    """The middles of stacked points, and upper bounds of the distances to what they enclose."""
    about = getattr(x, "about", None)
    if about is None or bare.shape != shape:
        return [centre(row) for row in np.broadcast_to(bare, shape).reshape(-1, shape[-1]).tolist()]
    radii = about[1].reshape(-1) * (math.sqrt(shape[-1]) * GROWN)
    return list(zip(about[0].reshape(-1, shape[-1]).tolist(), np.where(radii == 0, 0.0, radii + TINY).tolist(), strict=True))


def centre(balls: list[Any]) -> tuple[list[Any], float]:
    """The middles of the coordinates, and an upper bound of the distance to what they enclose; inf if there is none."""
    if all(map(arb.is_exact, balls)):
        return balls, 0.0
    radius = _length(list(map(float, map(arb.rad, balls))))  # of a ball that is not finite, inf
    return (list(map(arb.mid, balls)) if radius < math.inf else balls), radius


def length(balls: list[Any]) -> float:
    """An upper bound of the Euclidean norm; inf where a ball is unbounded."""
    made = _length(list(map(float, map(arb.abs_upper, balls))))  # to the nearest float64, or to 0 below them all
    return 0.0 if made == TINY and all(map(arb.is_zero, balls)) else made


def _length(sizes: list[float]) -> float:
    """An upper bound of the norm of numbers that are not negative, each off by half a unit, or by an underflow."""
    total = sum([size * size for size in sizes])
    if 2.0**-900 < total < 2.0**900:  # squares that underflow are far less than what GROWN adds
        return math.sqrt(total) * GROWN + TINY
    return max(sizes, default=0.0) * len(sizes) * GROWN + TINY if math.isfinite(sum(sizes)) else math.inf


def about(slope: float, L: float, radius: float) -> float:
    """How far f may be from its value at a point where the gradient is no longer than `slope`, within the radius."""
    return ((slope + L * radius) * radius * GROWN + TINY) if radius else 0.0


def enclosed(known: Minimiser, bits: int) -> tuple[Any, list[Any]]:
    """f* and x*, as balls; the distance of x* from its ball is the minimiser's own radius."""
    with precision(6 * bits + WORD):
        return lift(Fraction(known.value)) + arb(0, known.value_error), [lift(Fraction(v)) for v in known.point]
