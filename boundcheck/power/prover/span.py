"""A span is an interval of real numbers with open or closed ends: what is known of a number's size and sign."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

End = tuple[Fraction | None, bool]  # an end of an interval (None: it has none), and whether it is open


@dataclass(frozen=True)
class Span:
    """The numbers between two ends; None is no end."""

    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False

    @property
    def is_nonnegative(self) -> bool:
        return self.low is not None and self.low >= 0

    @property
    def is_positive(self) -> bool:
        return self.low is not None and (self.low > 0 or (self.low == 0 and self.low_open))

    @property
    def sign(self) -> Span:
        """The numbers whose sign a number of this span can have."""
        low, high = self, -self
        least = Span(Fraction(0), None, True) if low.is_positive else Span(Fraction(0)) if low.is_nonnegative else ANY
        most = Span(Fraction(0), None, True) if high.is_positive else Span(Fraction(0)) if high.is_nonnegative else ANY
        return least & -most

    def contains(self, other: Span) -> bool:
        """Return whether every number of the other span is one of this one."""
        return self & other == other

    def __neg__(self) -> Span:
        flip = [None if end is None else -end for end in (self.high, self.low)]
        return Span(flip[0], flip[1], self.high_open, self.low_open)

    def __add__(self, other: Span) -> Span:
        low = None if self.low is None or other.low is None else self.low + other.low
        high = None if self.high is None or other.high is None else self.high + other.high
        return Span(low, high, self.low_open or other.low_open, self.high_open or other.high_open)

    def __mul__(self, other: Span) -> Span:
        """Return the exact product with a number; else the sign is kept, and of two that are not negative the most."""
        for a, b in ((self, other), (other, self)):
            if a.low is not None and a.low == a.high:
                return b.scale(a.low)
        if self.is_nonnegative and other.is_nonnegative:
            high = None if self.high is None or other.high is None else self.high * other.high
            return Span(
                Fraction(0), high, self.is_positive and other.is_positive, bool(high) and (self.high_open or other.high_open)
            )
        if (-self).is_nonnegative and (-other).is_nonnegative:
            return -self * -other
        if self.is_nonnegative and (-other).is_nonnegative:
            return -(self * -other)
        return -(-self * other) if (-self).is_nonnegative and other.is_nonnegative else ANY

    def scale(self, factor: Fraction) -> Span:
        if factor < 0:
            return (-self).scale(-factor)
        if factor == 0:
            return Span(Fraction(0), Fraction(0))
        low, high = (None if end is None else end * factor for end in (self.low, self.high))
        return Span(low, high, self.low_open, self.high_open)

    def inverse(self) -> Span:
        """Return the span of 1/a where it is defined: a is not 0."""
        if self.is_nonnegative:
            return POSITIVE
        return -POSITIVE if (-self).is_nonnegative else ANY

    def __pow__(self, exponent: Fraction) -> Span:
        if self.is_positive:
            return POSITIVE
        if exponent.denominator != 1 or exponent % 2 == 0:
            return NONNEGATIVE  # an even power, or a root, which is defined for numbers that are not negative
        if exponent < 0:
            return self.inverse()
        return NONNEGATIVE if self.is_nonnegative else -NONNEGATIVE if (-self).is_nonnegative else ANY

    def hull(self, other: Span) -> Span:
        """Return the smallest span that holds both."""
        low, low_open = _outer(self.low, self.low_open, other.low, other.low_open)
        a, b = -self, -other
        high, high_open = _outer(a.low, a.low_open, b.low, b.low_open)
        return Span(low, None if high is None else -high, low_open, high_open)

    def __and__(self, other: Span) -> Span:
        low, low_open = _inner(self.low, self.low_open, other.low, other.low_open)
        a, b = -self, -other
        high, high_open = _inner(a.low, a.low_open, b.low, b.low_open)
        return Span(low, None if high is None else -high, low_open, high_open)


def _outer(a: Fraction | None, a_open: bool, b: Fraction | None, b_open: bool) -> End:
    if a is None or b is None:
        return None, False
    return (a, a_open and b_open) if a == b else min((a, a_open), (b, b_open))


def _inner(a: Fraction | None, a_open: bool, b: Fraction | None, b_open: bool) -> End:
    if a is None or b is None:
        return (b, b_open) if a is None else (a, a_open)
    return (a, a_open or b_open) if a == b else max((a, a_open), (b, b_open))


ANY = Span()
NONNEGATIVE = Span(Fraction(0))
POSITIVE = Span(Fraction(0), None, True)
