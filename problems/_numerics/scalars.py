"""What several families share: three-valued conditions, hulls, and constant data lifted once for each arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from decimal import Decimal, localcontext
from fractions import Fraction
from numbers import Rational
from typing import Any, TypeVar

import numpy as np

from boundcheck.arithmetic.base import Exact, Guarded, Matrix, Order, Scalars, Truth, Vectors
from boundcheck.support.errors import UserError

Made = TypeVar("Made")


def is_less(xp: Any, a: Scalars, b: Scalars) -> Any:
    """The Truth of a < b."""
    return _truth(xp.compare(a, b), Order.LESS, Order.LESS)


def is_at_most(xp: Any, a: Scalars, b: Scalars) -> Any:
    """The Truth of a <= b."""
    return _truth(xp.compare(a, b), Order.LESS, Order.EQUAL)


def both(p: Any, q: Any) -> Any:
    """The Truth of p and q: NO as soon as one is."""
    no = (np.asarray(p) == Truth.NO) | (np.asarray(q) == Truth.NO)
    yes = (np.asarray(p) == Truth.YES) & (np.asarray(q) == Truth.YES)
    return np.where(no, Truth.NO, np.where(yes, Truth.YES, Truth.UNKNOWN)).astype(np.int8)


def hull(xp: Any, one_end: Scalars, other_end: Scalars) -> Scalars:
    """A number between the two ends. Bare floats hold no enclosure: there it is `other_end`, so give the better guess last."""
    return xp.choose(np.full(np.shape(xp.compare(one_end, other_end)), Truth.UNKNOWN, dtype=np.int8), one_end, other_end)


def nonzero_or_one(xp: Any, a: Scalars) -> Scalars:
    """a, and 1 where a is exactly 0: a divisor for quotients that are then not used."""
    return xp.choose(_truth(xp.compare(a, a * 0), Order.EQUAL, Order.EQUAL), a * 0 + 1, a)


def _truth(order: Any, yes: Order, also: Order) -> Any:
    unknown = np.asarray(order) == Order.UNKNOWN
    holds = (np.asarray(order) == yes) | (np.asarray(order) == also)
    return np.where(unknown, Truth.UNKNOWN, np.where(holds, Truth.YES, Truth.NO)).astype(np.int8)


def as_fraction(value: Any, what: str) -> Fraction:
    """The real that a number names, exactly."""
    number = value.item() if isinstance(value, np.generic) else value
    if isinstance(number, Rational) and not isinstance(number, bool):
        return Fraction(number)
    if isinstance(number, float) and math.isfinite(number):
        return Fraction(number)
    raise UserError(f"{what} is {value!r}; needs a finite int, float or Fraction")


def is_plain_ball(xp: Any) -> bool:
    """Whether numbers are balls, wrapped or bare, and nothing more: those that carry derivatives take the other way."""
    return getattr(xp, "bits", None) is not None and not hasattr(xp, "variables")


def is_a_float(value: Fraction) -> bool:
    """Does a float64 hold this fraction exactly?"""
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False


def digits(value: Exact, count: int) -> str:
    """The leading digits of a number, for people; also of one that no float64 comes near."""
    exact = Fraction(value)
    if exact == 0 or Fraction(1, 10**300) < abs(exact) < 10**300:
        return f"{float(exact):.{count}g}"
    with localcontext() as context:
        context.prec = count
        return f"{Decimal(exact.numerator) / Decimal(exact.denominator):.{count - 1}e}"


KEPT = 32


class Constants:
    """Exact vectors and a matrix that formulas use at every call, lifted once for each arithmetic (and again after a pickle)."""

    def __init__(self, *, matrix: Any = None, **vectors: Sequence[Exact]) -> None:
        self._matrix = matrix
        self._vectors = vectors
        self._lifted: dict[Any, Any] = {}
        self._images: list[tuple[Any, str, Any]] = []

    @property
    def array(self) -> Any:
        """The matrix as it was given."""
        return self._matrix

    @property
    def rows(self) -> int:
        """How many rows the matrix has."""
        return len(self._matrix)

    def matrix(self, xp: Any) -> Matrix:
        return self.once(xp, "", lambda: xp.matrix(self._matrix))

    def vector(self, xp: Any, name: str) -> Vectors:
        return self.once(xp, name, lambda: xp.vector(self._vectors[name]))

    def image(self, xp: Any, v: Vectors) -> Vectors:
        """The matrix times each vector. Several formulas ask for that of the same points: the last few are kept.

        Only of numbers that nobody can change: a bare array may be written over.
        """
        return self.of(v, "image", lambda: xp.matvec(self.matrix(xp), v))

    def of(self, v: Vectors, what: str, make: Callable[[], Made]) -> Made:
        """What `make` gives for these points, kept while it is among the last few."""
        if not isinstance(v, Guarded):
            return make()
        for known, name, image in self._images:
            if known is v and name == what:
                kept: Made = image
                return kept
        made = make()
        self._images = [(v, what, made), *self._images[:2]]
        return made

    def once(self, xp: Any, name: str, make: Callable[[], Made]) -> Made:
        """What `make` gives, made once for each arithmetic."""
        key = (xp, name)
        if key not in self._lifted:
            if len(self._lifted) >= KEPT:
                del self._lifted[next(iter(self._lifted))]
            with getattr(xp, "running", nullcontext)():  # bits of xp, not those of whoever asks first
                self._lifted[key] = make()
        lifted: Made = self._lifted[key]
        return lifted

    def __getstate__(self) -> dict[str, Any]:
        return {"_matrix": self._matrix, "_vectors": self._vectors, "_lifted": {}, "_images": []}
