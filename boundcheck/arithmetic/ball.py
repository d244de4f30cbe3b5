"""Balls (python-flint's arb) at any number of bits: a decided comparison is a proof.

Precision is local: python-flint keeps one for the whole process, so every operation here sets it and puts it back. Use processes,
not threads. An arb cannot be pickled; results that travel between processes are outcomes and text.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.plain_ball import PlainBall, Precision, each, wider
from boundcheck.arithmetic.wrapped import WrappedScalars, WrappedVectors
from boundcheck.arithmetic.wrapping import WrappingArithmetic

SMALLEST = 2.0**-1000  # radii are handed out as float64, and never rounded down


def float_above(a: Any) -> float:
    """A float64 that is no smaller than |a|."""
    if not a.is_finite():
        return float("inf")
    return 0.0 if a.is_zero() else float(a.abs_upper()) * (1 + 2.0**-50) + SMALLEST


_radii = each(lambda a: float_above(a.rad()) if a.is_finite() else np.inf)
_above = each(float_above)


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

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalars(self, values: Any, error: Any = 0.0) -> WrappedScalars:
        return WrappedScalars(self, self.apply(wider, self.bare(values), error))

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> WrappedVectors:
        """Each coordinate moves by at most the radius."""
        made = self.bare(coordinates)
        if not made.ndim:
            raise ValueError("vectors need coordinates along the last axis; found a single number")
        return WrappedVectors(self, self.apply(self.plain.enlarge, made, radius))

    def observed(self, plain: Any, formula: WrappedVectors) -> WrappedVectors:
        """A run in balls computes an enclosure itself."""
        return self.vectors(plain)

    def enlarge(self, v: WrappedVectors, radius: Any) -> WrappedVectors:
        return WrappedVectors(self, self.apply(self.plain.enlarge, v.data, radius))

    def radius(self, v: WrappedVectors) -> Floats:
        return _norms(np.asarray(_radii(v.data), dtype=np.float64))

    def apart(self, v: WrappedVectors, stored: Any) -> Floats:
        return _norms(np.asarray(_above(self.apply(np.subtract, v.data, stored)), dtype=np.float64))

    # -- looking -------------------------------------------------------------------------------------------------
    def middle(self, a: Any) -> Floats:
        return np.asarray(self.plain.middle(self.bare(a)))

    def error(self, a: Any) -> Floats:
        return np.asarray(_radii(self.bare(a)), dtype=np.float64)

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


def _norms(sizes: Floats) -> Floats:
    """Upper bounds of Euclidean norms along the last axis."""
    largest = sizes.max(-1, initial=0.0)
    scale = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
    with np.errstate(all="ignore"):
        made = np.sqrt(((sizes / scale[..., None]) ** 2).sum(-1)) * scale * (1 + (sizes.shape[-1] + 8) * 2.0**-52)
    return np.where(np.isfinite(largest), np.where(largest > 0, made + SMALLEST, 0.0), np.inf)
