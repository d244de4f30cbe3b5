"""Scans carry sums, products, minima and means along a run in constant memory, and remember where they stopped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Scalars, Truth, Vectors
from boundcheck.evaluate.algebra import truth
from boundcheck.language.relations import Condition, Relation
from boundcheck.language.scalars import Add, Div, Mul, Neg, Reduce, Scalar, Sub, as_scalar
from boundcheck.language.tree import IndexError_
from boundcheck.language.vectors import Mean

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


@dataclass(frozen=True)
class Separated:
    """coefficient(k) * sum_i inner(i) * link(i, k), the link a product over j from i + c to k + c', or nothing."""

    coefficient: Scalar
    inner: Scalar
    link: Reduce | None


def separate(body: Scalar, letter: str, outer: str) -> list[Separated]:
    return [_sort(factors, letter, outer, body) for factors in _terms(body, letter, outer)]


def _mixed(node: Scalar, letter: str, outer: str) -> bool:
    return letter in node.free and outer in node.free


def _terms(node: Scalar, letter: str, outer: str) -> list[list[Scalar]]:
    """The node as a sum of products, opened only where i and k are mixed."""
    if not _mixed(node, letter, outer):
        return [[node]]
    if isinstance(node, Add):
        return _terms(node.left, letter, outer) + _terms(node.right, letter, outer)
    if isinstance(node, Sub):
        return _terms(node.left, letter, outer) + [[as_scalar(-1), *t] for t in _terms(node.right, letter, outer)]
    if isinstance(node, Neg):
        return [[as_scalar(-1), *t] for t in _terms(node.of, letter, outer)]
    if isinstance(node, Mul):
        return [a + b for a in _terms(node.left, letter, outer) for b in _terms(node.right, letter, outer)]
    if isinstance(node, Div):
        below = _terms(node.right, letter, outer)
        if len(below) == 1 and not any(_mixed(f, letter, outer) for f in below[0]):
            inverses = [1 / f for f in below[0]]
            return [t + inverses for t in _terms(node.left, letter, outer)]
    return [[node]]


def _sort(factors: list[Scalar], letter: str, outer: str, body: Scalar) -> Separated:
    coefficient, inner = as_scalar(1), as_scalar(1)
    link: Reduce | None = None
    for factor in factors:
        if letter not in factor.free:
            coefficient = coefficient * factor
        elif outer not in factor.free:
            inner = inner * factor
        elif link is None and _is_link(factor, letter, outer):
            assert isinstance(factor, Reduce)
            link = factor
        else:
            raise IndexError_(
                f"{factor} depends on both {letter} and {outer}, so the sum of {body} over {letter} would cost O(K^2); "
                f"write it as products of what depends on {letter}, what depends on {outer}, and prod_{{j={letter}+1..{outer}}}"
            )
    return Separated(coefficient, inner, link)


def _is_link(factor: Scalar, letter: str, outer: str) -> bool:
    if not isinstance(factor, Reduce) or factor.kind != "prod":
        return False
    inside = factor.body.free | (factor.where.free if factor.where is not None else frozenset())
    return factor.low.letter == letter and factor.high.letter == outer and inside <= {factor.letter}


Weights = Callable[[int, int], Scalars]
Parts = Mapping[str, Callable[[int, int], Vectors]]  # points, gradients: each at low..high - 1

OVER_NOTHING = "a mean over nothing"


class RunningMean:
    """sum_{i=low..n} w_i v_i / sum_{i=low..n} w_i for n in consecutive windows, from a fixed start."""

    def __init__(self, node: Mean, xp: Arithmetic) -> None:
        self.xp, self.start = xp, node.low.offset
        self.next = self.start
        self.above: dict[str, Any] = {}
        self.below: Any = None
        self._from = self.start
        self._latest: dict[str, Vectors] = {}  # the means at _from..next - 1

    def means(self, low: int, high: int, weights: Weights, parts: Parts) -> dict[str, Vectors]:
        """The means for n = low..high - 1 of each part, all with the same weights. Before the range begins all are undefined."""
        if high > self.next:
            self._extend(high, weights, parts)
        first = max(low, self.start)
        if high > first and not self._from <= first <= high <= self.next:
            raise LookupError(f"a mean is asked for at {low}..{high - 1}; a run has it at {self._from}..{self.next - 1} by now")
        found = {name: made[..., first - self._from : high - self._from] for name, made in self._latest.items()}
        return found if first == low else _before(self.xp, found, parts, min(first, high) - low, high <= first)

    def _extend(self, high: int, weights: Weights, parts: Parts) -> None:
        w = weights(self.next, high)
        total = self.xp.cumsum(w, self.below)
        for name, part in parts.items():
            sums = self.xp.cumsum_vectors(self.xp.scale(w, part(self.next, high)), self.above.get(name))
            self.above[name] = sums[..., -1:]
            self._latest[name] = self.xp.scale(self.xp.scalar(1) / total, sums)
        self.below = total[..., -1:]
        self._from, self.next = self.next, high


def _before(xp: Arithmetic, found: dict[str, Vectors], parts: Parts, count: int, alone: bool) -> dict[str, Vectors]:
    """Undefined means, `count` of them, before those that were found, or alone."""
    made = {name: undefined_means(xp, part, count) for name, part in parts.items()}
    return made if alone else {name: xp.concatenate_vectors([some, found[name]]) for name, some in made.items()}


def undefined_means(xp: Arithmetic, part: Callable[[int, int], Vectors], count: int) -> Vectors:
    """Vectors that are none: something of the right shape, times numbers that are none."""
    like = part(-1, -1)
    return xp.scale(xp.undefined((like.shape[0], count), OVER_NOTHING), like)


def mean_of_all(xp: Arithmetic, low: int, high: int, weights: Weights, parts: Parts) -> dict[str, Vectors]:
    """The one mean over i = low..high."""
    if high < low:
        return {name: undefined_means(xp, part, 1) for name, part in parts.items()}
    w = weights(low, high + 1)
    share = xp.scalar(1) / xp.cumsum(w)[..., -1:]
    return {name: xp.scale(share, xp.cumsum_vectors(xp.scale(w, part(low, high + 1)))[..., -1:]) for name, part in parts.items()}


def moving_means(xp: Arithmetic, low: int, high: int, count: int, weights: Weights, parts: Parts) -> dict[str, Vectors]:
    """The means over n + low..n + high, for `count` successive n from 0 on: as many terms in each."""
    if high < low:
        return {name: undefined_means(xp, part, count) for name, part in parts.items()}
    w, terms = weights(low, high + count), high - low + 1
    share = xp.scalar(1) / sum((w[..., n : n + count] for n in range(1, terms)), w[..., :count])
    made = {}
    for name, part in parts.items():
        weighed = xp.scale(w, part(low, high + count))
        made[name] = xp.scale(share, sum((weighed[..., n : n + count] for n in range(1, terms)), weighed[..., :count]))
    return made


def shrinking_means(xp: Arithmetic, low: int, high: int, count: int, weights: Weights, parts: Parts) -> dict[str, Vectors]:
    """The means over n..high for n = low..low + count - 1: fewer terms in each, and none beyond `high`."""
    some = max(min(high + 1 - low, count), 0)
    each = [mean_of_all(xp, low + n, high, weights, parts) for n in range(some)]
    if some < count:
        each.append({name: undefined_means(xp, part, count - some) for name, part in parts.items()})
    return {name: xp.concatenate_vectors([one[name] for one in each]) for name in parts}
