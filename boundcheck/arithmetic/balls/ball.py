"""Balls (python-flint's arb) at any number of bits: a decided comparison is a proof.

Precision is local: python-flint keeps one for the whole process, so every operation here sets it and puts it back, and threads
take turns (turns.py). An arb cannot be pickled; results that travel between processes are outcomes and text.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.balls.float_bounds import by_floats, far_apart, float_above, in_floats, norms, sizes
from boundcheck.arithmetic.balls.plain import PlainBall, Precision, arb, wider
from boundcheck.arithmetic.base import Floats, Orders
from boundcheck.arithmetic.wrapped_numbers import WrappedScalars, WrappedVectors, WrappingArithmetic

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
