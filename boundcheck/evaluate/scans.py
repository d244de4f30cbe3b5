"""Scans that remember where they stopped: prefix sums, products, minima, and the recurrence behind nested products."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from boundcheck.arithmetic.base import Scalars, Truth
from boundcheck.evaluate.truth import truth
from boundcheck.language.relations import Condition, Relation
from boundcheck.language.scalars import Scalar
from boundcheck.language.tree import IndexError_

if TYPE_CHECKING:
    from boundcheck.evaluate.series import Series


class Scan(Protocol):
    def window(self, low: int, high: int) -> Scalars: ...


@dataclass(frozen=True)
class Fold:
    """What is summed or multiplied: a body over a letter from `start` on, where a condition holds."""

    kind: str
    body: Scalar
    letter: str
    start: int
    where: Condition | None

    def masked(self, series: Series, low: int, high: int) -> Scalars:
        """The body, with the neutral element where the condition fails or the range has not begun."""
        neutral = series.xp.scalar(1 if self.kind == "prod" else 0)
        first = max(low, self.start)
        if first >= high:
            return _filled(series, neutral, high - low)
        value = series.values(self.body, self.letter, first, high)
        if self.where is not None:
            if self.kind in ("min", "max"):
                raise IndexError_(f"a {self.kind} over a set of steps that may be empty has no value")
            assert isinstance(self.where, Relation)
            value = _chosen(series, self.where, self.letter, first, high, value, neutral)
        value = _filled(series, value, high - first)
        return value if first == low else series.xp.concatenate([_filled(series, neutral, first - low, value), value])


def _chosen(series: Series, where: Relation, letter: str, low: int, high: int, value: Scalars, neutral: Scalars) -> Scalars:
    """The value where the condition holds, and the neutral element where it fails; undefined where the condition is undefined."""
    xp = series.xp
    left, right = (series.values(side, letter, low, high) for side in (where.left, where.right))
    holds = truth(xp.compare(left, right), where.op)
    chosen = xp.choose(holds, value, neutral)
    if not (holds == Truth.UNKNOWN).any():
        return chosen
    with np.errstate(all="ignore"):
        known = np.isfinite(xp.middle(left)) & np.isfinite(xp.middle(right)) & np.isfinite(xp.error(left) + xp.error(right))
    lost = (holds == Truth.UNKNOWN) & ~known
    if not lost.any():
        return chosen
    return xp.choose(
        np.where(lost, Truth.NO, Truth.YES).astype(np.int8), chosen, xp.undefined((), "a condition that is undefined")
    )


def _filled(series: Series, value: Any, length: int, like: Any = None) -> Any:
    """`value` with its last axis of the given length, and the leading axes of `like`."""
    zeros = series.xp.scalars(np.zeros((*(like.shape[:-1] if like is not None else ()), length)))
    return value + zeros if value.shape[-1:] != (length,) or like is not None else value


class _Grown(ABC):
    """A series computed so far, from index `start` on, in pieces."""

    def __init__(self, series: Series, start: int) -> None:
        self.series, self.start, self.end = series, start, start
        self.pieces: list[tuple[int, int, Any]] = []
        self.carry: Any = None

    @abstractmethod
    def extend(self, low: int, high: int) -> Scalars:
        """The series at low..high - 1, going on from the carry."""

    @abstractmethod
    def empty(self) -> int:
        """The value before the range begins."""

    def window(self, low: int, high: int) -> Scalars:
        if high > self.end:
            piece = self.extend(self.end, high)
            self.carry = piece[..., -1:]
            self.pieces.append((self.end, high, piece))
            self.end = high
        found = [part[..., max(low, a) - a : min(high, b) - a] for a, b, part in self.pieces if a < high and b > low]
        if low < self.start:
            before = self.series.xp.scalar(self.empty())
            found.insert(0, _filled(self.series, before, min(high, self.start) - low, found[0] if found else None))
        return found[0] if len(found) == 1 else self.series.xp.concatenate(found)


class Prefix(_Grown):
    """sum, prod, min or max of a body over start..n, for each n."""

    def __init__(self, series: Series, fold: Fold) -> None:
        super().__init__(series, fold.start)
        self.fold = fold

    def empty(self) -> int:
        if self.fold.kind in ("min", "max"):
            raise IndexError_(f"the {self.fold.kind} of {self.fold.body} over an empty range has no value")
        return 1 if self.fold.kind == "prod" else 0

    def extend(self, low: int, high: int) -> Scalars:
        xp = self.series.xp
        scan = {"sum": xp.cumsum, "prod": xp.cumprod, "min": xp.cummin, "max": xp.cummax}[self.fold.kind]
        return scan(*_alike(self.series, self.fold.masked(self.series, low, high), self.carry))


class Recurrence(_Grown):
    """u_n = a_n (u_{n-1} + b_{n-p}): the sum over i <= n - p of b_i times the product of a from i + p to n."""

    def __init__(self, series: Series, a: Fold, b: Fold, p: int) -> None:
        super().__init__(series, max(b.start + p, 0))
        self.a, self.b, self.p = a, b, p

    def empty(self) -> int:
        return 0

    def extend(self, low: int, high: int) -> Scalars:
        a = self.a.masked(self.series, low, high)
        b = self.b.masked(self.series, low - self.p, high - self.p)
        carry = self.series.xp.scalars(np.zeros(1)) if self.carry is None else self.carry
        terms, carry = _alike(self.series, a * b, carry)
        return self.series.xp.recurrence(a, terms, carry)


def _alike(series: Series, values: Scalars, carry: Scalars | None) -> tuple[Scalars, Scalars | None]:
    """Values and a carry with the same axes before the last: a window before a range begins has fewer than others."""
    if carry is None or values.shape[:-1] == carry.shape[:-1]:
        return values, carry
    before = np.broadcast_shapes(values.shape[:-1], carry.shape[:-1])
    zeros = series.xp.scalars(np.zeros((*before, 1)))
    return values + zeros, carry + zeros
