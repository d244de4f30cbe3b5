"""Vectors of a run on a quadratic as multiples of a few: d_n = x_n - x*, g_n = B d_n, and w_n = g_{n+1} - g_n = -eta_n B g_n.

x_{n+1} - x_n = -eta_n g_n, and the gradient at x* + c g_n is c B g_n = -(c / eta_n) w_n. So the vectors of claims are sums
of multiples of d, g and w at n and n + 1, and their inner products are told by those of d, g and w.
"""

from __future__ import annotations

from dataclasses import dataclass

from boundcheck.language.scalars import Scalar, Term, as_scalar
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Grad, Minimum, Minus, Plus, Point, Scaled, Vector

ETA = Term("eta", Index("n"))
ONE = as_scalar(1)
KNOWN = {("d", "d"), ("d", "g"), ("g", "g"), ("g", "w"), ("w", "w")}  # at one n; and g_n with d_{n+1} and g_{n+1}


@dataclass(frozen=True)
class Multiple:
    """factor times d, g or w at n + offset; a factor of None is 1."""

    of: str
    offset: int
    factor: Scalar | None = None

    def times(self, factor: Scalar) -> Multiple:
        return Multiple(self.of, self.offset, factor if self.factor is None else factor * self.factor)


def told(u: Multiple, v: Multiple) -> bool:
    """Is the inner product of these two among those that a run records?"""
    if u.offset == v.offset:
        return (min(u.of, v.of), max(u.of, v.of)) in KNOWN
    first, second = (u, v) if u.offset < v.offset else (v, u)
    return (first.of, second.of) in (("g", "d"), ("g", "g"))


def form(vector: Vector) -> tuple[Multiple, ...] | None:
    """The vector as a sum of multiples; None where it is none that this file knows."""
    if isinstance(vector, Scaled):
        inside = form(vector.of)
        return None if inside is None else tuple(m.times(vector.factor) for m in inside)
    if isinstance(vector, Grad):
        return _gradient(vector.at)
    if isinstance(vector, Minus):
        return _difference(vector.left, vector.right)
    return None


def point(vector: Vector) -> int | None:
    """The offset of a point of the run from n: 0 or 1."""
    if isinstance(vector, Point) and vector.name == "x" and not vector.run and vector.index is not None:
        return vector.index.offset if vector.index.letter is not None and vector.index.offset in (0, 1) else None
    return None


def _gradient(at: Vector) -> tuple[Multiple, ...] | None:
    if (offset := point(at)) is not None:
        return (Multiple("g", offset),)
    if isinstance(at, Plus) and isinstance(at.left, Minimum):
        return _through(form(at.right))
    if isinstance(at, Minus) and point(at.left) == 0:
        moved = _through(form(at.right))
        return None if moved is None else (Multiple("g", 0), *(m.times(as_scalar(-1)) for m in moved))
    return None


def _through(inside: tuple[Multiple, ...] | None) -> tuple[Multiple, ...] | None:
    """B times a sum of multiples of g_n."""
    if inside is None or any((m.of, m.offset) != ("g", 0) for m in inside):
        return None
    return tuple(Multiple("w", 0, -(ONE if m.factor is None else m.factor) / ETA) for m in inside)


def _difference(left: Vector, right: Vector) -> tuple[Multiple, ...] | None:
    if isinstance(right, Minimum):
        return None if (offset := point(left)) is None else (Multiple("d", offset),)
    if point(left) is not None and point(right) is not None:
        if (point(left), point(right)) == (1, 0):
            return (Multiple("g", 0, -ETA),)
        return (Multiple("g", 0, ETA),) if (point(left), point(right)) == (0, 1) else None
    ends = form(left), form(right)
    if None in ends:
        return None
    a, b = ends
    assert a is not None and b is not None
    if a == (Multiple("g", 1),) and b == (Multiple("g", 0),):
        return (Multiple("w", 0),)
    if a == (Multiple("g", 0),) and b == (Multiple("g", 1),):
        return (Multiple("w", 0, as_scalar(-1)),)
    if len(b) == 1 and b[0] in a and b[0].factor is None:
        return tuple(m for m in a if m != b[0]) or None  # a vector that cancels is computed as it is written
    return None
