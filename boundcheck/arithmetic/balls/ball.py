"""Balls (python-flint's arb) at any number of bits, where a decided comparison is a proof, and balls in floating point."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.balls.plain import PlainBall, Precision, arb, wider
from boundcheck.arithmetic.base import Floats, Order, Orders
from boundcheck.arithmetic.wrapped_numbers import WrappedScalars, WrappedVectors, WrappingArithmetic

SMALLEST = 2.0**-1000  # radii are handed out as float64, and never rounded down
GROWN = 1 + 2.0**-50
FAR = 2.0**-10  # a relative distance beyond which nobody asks for more than a few digits of it


def float_above(a: Any) -> float:
    """A float64 that is no smaller than |a|."""
    if not a.is_finite():
        return float("inf")
    return 0.0 if a.is_zero() else float(a.abs_upper()) * GROWN + SMALLEST


def sizes(balls: Any) -> Floats:
    """The same for an array, or for one ball."""
    given = np.asarray(balls, dtype=object)
    made, each = np.empty(given.shape), given.reshape(-1).tolist()
    flat = made.reshape(-1)
    flat[:] = list(map(float, map(arb.abs_upper, each)))
    _grow(flat, each)
    return made


def _grow(sizes: Floats, balls: Any) -> None:
    """Sizes of balls that came as the nearest float64, no longer too small: 0 where a ball is 0, inf where it is unbounded."""
    unclear = np.flatnonzero(~(sizes > 0))  # below all floats, or NaN
    with np.errstate(all="ignore"):
        sizes *= GROWN
        sizes += SMALLEST
    for n in unclear.tolist():
        sizes[n] = float_above(balls[n])


def in_floats(balls: NDArray[Any]) -> tuple[Floats, Floats]:
    """Middles, to the nearest float64, and upper bounds of the radii: NaN and inf where a ball is unbounded."""
    middles = balls.astype(np.float64)
    if all(map(arb.is_exact, balls.reshape(-1).tolist())):
        radii = np.zeros(balls.shape)
    else:
        widths = np.asarray(_widths(balls), dtype=object)
        radii = widths.astype(np.float64)
        _grow(radii.reshape(-1), widths.reshape(-1))
    if not (np.isfinite(middles) & np.isfinite(radii)).all():
        unbounded = ~np.asarray(_bounded(balls), dtype=bool)
        middles[unbounded], radii[unbounded] = np.nan, np.inf
    return middles, radii


_widths, _bounded = np.frompyfunc(arb.rad, 1, 1), np.frompyfunc(arb.is_finite, 1, 1)


def norms(sizes: Floats) -> Floats:
    """Upper bounds of Euclidean norms along the last axis."""
    largest = sizes.max(-1, initial=0.0)
    scale = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
    with np.errstate(all="ignore"):
        made = np.sqrt(((sizes / scale[..., None]) ** 2).sum(-1)) * scale * (1 + (sizes.shape[-1] + 8) * 2.0**-52)
    return np.where(np.isfinite(largest), np.where(largest > 0, made + SMALLEST, 0.0), np.inf)


def _reach(a: tuple[Floats, Floats]) -> Floats:
    """How far what a ball encloses may be from the middle as a float64, which is off by half a unit, or by an underflow."""
    return a[1] + np.abs(a[0]) * 2.0**-52 + SMALLEST


def by_floats(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> tuple[Orders, NDArray[np.bool_]]:
    """LESS and GREATER where the middles are further apart than the two reach; and where they are not.

    The sum of the two and the difference have a few roundings each, a relative 2^-50 of either.
    """
    with np.errstate(all="ignore"):
        difference = b[0] - a[0]
        reach = (_reach(a) + _reach(b)) * (1 + 2.0**-40)
        less, greater = difference > reach, -difference > reach
    orders = np.where(less, np.int8(Order.LESS), np.int8(Order.GREATER))
    return orders, ~((less | greater) & np.isfinite(difference))


def far_apart(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> Floats:
    """How far apart two balls may be, relative to the larger middle, if they are surely FAR apart; else NaN."""
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(a[0]), np.abs(b[0]))
        difference, reach = np.abs(b[0] - a[0]), _reach(a) + _reach(b)
        apart = (difference + reach) / size
        return np.where((difference - reach > FAR * size) & np.isfinite(apart), apart, np.nan)


__all__ = ["Ball", "float_above"]


class Ball(WrappingArithmetic):
    """Enclosures of `bits` bits."""

    certified = True
    exact = False

    def __init__(self, bits: int) -> None:
        self.name, self.bits = f"ball:{bits}", bits
        self.frozen_within, self.tie_within = 2.0 ** -min(bits // 2, 1000), 2.0 ** -min(bits * 3 // 4, 1000)
        self.plain: PlainBall = PlainBall(bits)

    def __reduce__(self) -> Any:
        from boundcheck.arithmetic import arithmetic

        return arithmetic, (self.name,)

    def working(self) -> Precision:
        return self.plain.working()

    def running(self) -> Precision:
        return self.plain.running()

    @property
    def precision(self) -> int:
        return self.bits

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalars(self, values: Any, error: Any = 0.0) -> WrappedScalars:
        return WrappedScalars(self, self.apply(wider, self.bare(values), error))

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> WrappedVectors:
        """Each coordinate moves by at most the radius. Points are known to a word more than other numbers."""
        with self.running():
            wrapped = isinstance(coordinates, WrappedScalars | WrappedVectors)
            made = coordinates.data if wrapped else np.asarray(self.plain.scalars(coordinates))
            if not made.ndim:
                raise ValueError("vectors need coordinates along the last axis; found a single number")
            enlarged = self.plain.enlarge(made, radius)
            if enlarged is made or not all(map(arb.is_exact, made.reshape(-1).tolist())):
                return WrappedVectors(self, enlarged)
            radii = np.broadcast_to(np.abs(np.asarray(radius, dtype=np.float64)), enlarged.shape[:-1])
            return WrappedVectors(self, enlarged, (np.broadcast_to(made, enlarged.shape), radii))

    def descended(self, x: WrappedVectors, eta: WrappedScalars, g: WrappedVectors) -> WrappedVectors:
        with self.running():
            return WrappedVectors(self, x.data - self.plain.scale(eta.data, g.data))

    def observed(self, plain: Any, formula: WrappedVectors) -> WrappedVectors:
        """A run in balls computes an enclosure itself."""
        return self.vectors(plain)

    def enlarge(self, v: WrappedVectors, radius: Any) -> WrappedVectors:
        with self.running():
            return WrappedVectors(self, self.plain.enlarge(v.data, radius))

    def radius(self, v: WrappedVectors) -> Floats:
        return norms(in_floats(v.data)[1])

    def apart(self, v: WrappedVectors, stored: Any) -> Floats:
        return norms(sizes(self.apply(np.subtract, v.data, stored)))

    # -- comparing -----------------------------------------------------------------------------------------------
    def compare(self, a: Any, b: Any) -> Orders:
        """By the middles and radii in floating point where that is enough; ball by ball for the rest."""
        orders, unclear = by_floats(self._looked(a), self._looked(b))
        if unclear.any():
            balls = (np.broadcast_to(self.bare(numbers), orders.shape)[unclear] for numbers in (a, b))
            orders[unclear] = self.apply(self.plain.compare, *balls)
        return orders

    def distance(self, a: Any, b: Any) -> Floats:
        """To a few digits where the two are far apart."""
        apart = far_apart(self._looked(a), self._looked(b))
        near = np.isnan(apart)
        if near.all():
            return super().distance(a, b)
        if near.any():
            balls = [np.broadcast_to(self.bare(numbers), apart.shape)[near] for numbers in (a, b)]
            apart[near] = super().distance(*(WrappedScalars(self, each) for each in balls))
        return apart

    # -- looking -------------------------------------------------------------------------------------------------
    def _looked(self, a: Any) -> tuple[Floats, Floats]:
        """Middles and radii, looked up once for each array."""
        if not isinstance(a, WrappedScalars):
            return in_floats(self.bare(a))
        if a.looked is None:
            a.looked = in_floats(a.data)
            for floats in a.looked:
                floats.flags.writeable = False
        made: tuple[Floats, Floats] = a.looked
        return made

    def middle(self, a: Any) -> Floats:
        return self._looked(a)[0]

    def error(self, a: Any) -> Floats:
        return self._looked(a)[1]

    def text(self, a: Any) -> str:
        """Twelve digits, and the radius."""
        number: Any = self.bare(a)[()]
        if not number.is_finite():
            return "undefined"
        middle, radius = number.mid(), number.rad()
        shown = f"{float(middle):.12g}" if middle == 0 or abs(float(middle)) > 1e-300 else middle.str(12, radius=False)
        return shown if number.is_exact() else f"{shown} +- {radius.str(1, radius=False)}"

    def reason(self, a: Any) -> str | None:
        if all(number.is_finite() for number in self.bare(a).reshape(-1)):
            return None
        return "the enclosure is unbounded: a division, root or logarithm that may be undefined"
