"""Functions of one variable, in exact numbers: piecewise quadratics that are C^1, and a few closed forms.

Their data are those that a certificate carries.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class Side:
    """One side of 0: the slope of phi' up to the first break, between breaks, and after the last. Distances from 0."""

    breaks: Vector
    slopes: Vector

    def __post_init__(self) -> None:
        if len(self.slopes) != len(self.breaks) + 1 or list(self.breaks) != sorted({b for b in self.breaks if b > 0}):
            raise ValueError(f"a side has positive breaks that increase, and one slope more; found {self}")

    @property
    def rises(self) -> Vector:
        """How far phi' has risen at each break."""
        ends = (Fraction(0), *self.breaks)
        return tuple(accumulate(s * (b - a) for a, b, s in zip(ends, self.breaks, self.slopes, strict=False)))

    @property
    def is_nowhere_negative(self) -> bool:
        """Of phi with phi(0) = phi'(0) = 0: at no break, nor where phi' is 0, and it does not fall for ever."""
        value, rise, last = Fraction(0), Fraction(0), self.slopes[-1]
        widths = [b - a for a, b in pairwise((Fraction(0), *self.breaks))]
        for width, slope in zip((*widths, None), self.slopes, strict=True):
            dip = -rise / slope if rise < 0 < slope else Fraction(0)
            if value < 0 or ((width is None or dip < width) and value + rise * dip / 2 < 0):
                return False
            if width is not None:
                value, rise = value + width * (rise + slope * width / 2), rise + slope * width
        return last > 0 or (last == 0 and rise >= 0)


@dataclass(frozen=True)
class PiecewiseShape:
    """A C^1 piecewise quadratic of one variable: phi(0) = 0, and phi'(0) is `tilt`."""

    left: Side
    right: Side
    tilt: Fraction = Fraction(0)

    @property
    def slopes(self) -> Vector:
        return (*self.left.slopes, *self.right.slopes)

    @property
    def low(self) -> Fraction:
        return min(self.slopes)

    @property
    def high(self) -> Fraction:
        return max(self.slopes)

    @property
    def is_quadratic(self) -> bool:
        return self.low == self.high

    @property
    def is_least_at_0(self) -> bool:
        """Return whether phi'(0) = 0 and phi is nowhere negative."""
        return self.tilt == 0 and all(side.is_nowhere_negative for side in (self.left, self.right))

    @property
    def size(self) -> int:
        """How many pieces there are."""
        return len(self.left.breaks) + len(self.right.breaks) + 1 + (self.left.slopes[0] != self.right.slopes[0])

    def data(self, shift: Fraction = Fraction(0), at: Fraction = Fraction(0)) -> dict[str, Any]:
        """Return what a certificate carries, of phi(u - at) + shift."""
        left = [(-b, self.tilt - rise) for b, rise in zip(self.left.breaks, self.left.rises, strict=True)]
        right = [(b, self.tilt + rise) for b, rise in zip(self.right.breaks, self.right.rises, strict=True)]
        bends_at_0 = self.left.slopes[0] != self.right.slopes[0] or not (left or right)
        knots = [*reversed(left), *([(Fraction(0), self.tilt)] if bends_at_0 else []), *right]
        return {
            "kind": "piecewise quadratic",
            "knots": [str(at + knot) for knot, _ in knots],
            "gradients": [str(gradient) for _, gradient in knots],
            "left_slope": str(self.left.slopes[-1]),
            "right_slope": str(self.right.slopes[-1]),
            "value_at": [str(at), str(shift)],
        }


@dataclass(frozen=True)
class ClosedForm:
    """phi of a closed form: `smooth abs` (eps), `power` (p: |u|^p), `logistic pair`. Not always rational: balls decide."""

    kind: str
    number: Fraction = Fraction(0)

    @property
    def low(self) -> Fraction:
        return Fraction(0)

    @property
    def high(self) -> Fraction | None:
        if self.kind == "smooth abs":
            return 1 / self.number
        return Fraction(1, 2) if self.kind == "logistic pair" else None

    @property
    def is_quadratic(self) -> bool:
        return False

    @property
    def is_least_at_0(self) -> bool:
        return True

    @property
    def size(self) -> int:
        return 3

    def data(self, shift: Fraction = Fraction(0), at: Fraction = Fraction(0)) -> dict[str, Any]:
        if shift or at:
            raise ValueError(f"{self.kind} is not moved")
        letter = {"smooth abs": "eps", "power": "p"}.get(self.kind)
        return {"kind": self.kind, **({letter: str(self.number)} if letter else {})}


Shape = PiecewiseShape | ClosedForm
