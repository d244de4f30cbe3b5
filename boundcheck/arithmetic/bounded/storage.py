"""Where a bounded arithmetic keeps its middles, the float64 facts that make radii safe, and matrices with their norms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Exact, Floats
from boundcheck.arithmetic.plain import Plain, PlainMatrix

Mids = NDArray[Any]

U = 2.0**-53
INFLATE = 1.0 + 32 * U
DEFLATE = 1.0 - 32 * U
FLOOR = 2.0**-1000
SAFE = 1e-140
LARGEST = 1e308  # a lower bound of a size never needs to be larger


class Format(ABC):
    """How middles are stored, and how far one rounded operation can be off: relatively at most `u`.

    Elementary functions are within 8 u (4 units in the last place).
    """

    u: float
    plain: Plain
    shared: dict[Any, Any] | None = None

    def once(self, what: str, make: Callable[[], Any], *arrays: Any) -> Any:
        """`make()`, computed once for the same stored arrays while middles are shared (see `Arithmetic.sharing`).

        Arrays are told apart by where their numbers lie; the memo holds on to them, so that no place is used again meanwhile.
        """
        if self.shared is None:
            return make()
        places = [(a.__array_interface__["data"][0], a.shape, a.strides) if isinstance(a, np.ndarray) else a for a in arrays]
        key = (what, *places)
        found = self.shared.get(key)
        if found is None:
            found = self.shared[key] = (make(), arrays)
        return found[0]

    @property
    def small(self) -> float:
        """Below this size, u times the size is below the floor, and may underflow."""
        return FLOOR / self.u

    @abstractmethod
    def lift(self, value: Exact) -> tuple[Any, float]:
        """The stored number nearest to an exact one, and a bound of the difference: 0 where it is exact."""

    @abstractmethod
    def floats(self, mids: Any) -> Floats:
        """The nearest float64 of each: relatively within u, absolutely within 2^-1074; beyond the range, infinite."""

    @abstractmethod
    def size(self, mids: Any) -> Floats:
        """An upper bound of each absolute value, 0 only for zero."""

    @abstractmethod
    def bregman(self, v: Mids, d: Mids) -> tuple[Mids, Floats]:
        """s(v + d) - s(v) - s'(v) d for s = log(1 + exp), coordinate by coordinate, with absolute errors."""

    def bregman_sum(self, v: Any, d: Any, *, back: bool) -> tuple[Mids, Floats]:
        """The sum of these over the coordinates of the middles of vectors v and d, with absolute errors.

        `back`: of the same differences from v + d to v.
        """
        start, way = (v.mid + d.mid, -d.mid) if back else (v.mid, d.mid)

        def summed() -> tuple[Mids, Floats]:
            values, errors = self.bregman(start, way)
            return np.asarray(values.sum(-1)), np.asarray(errors.sum(-1))

        total, error = self.once("bregman", summed, start, way)
        size, n = self.size(total), d.dimension
        moved = 2 * self.u * self.size(start).max(-1) * size if back else 0.0  # v + d rounds, and s' changes no faster than s
        return total, np.asarray(error * (1 + n * U) + self.gamma(n) * size + moved)

    @abstractmethod
    def scan(self, a: Mids, b: Mids, carry: Mids) -> Mids:
        """Approximately s_n = a_n s_{n-1} + b_n: the caller bounds the error by the residual."""

    def gamma(self, n: int) -> float:
        """A sum of n products, in any order, is relatively off by at most this times the sum of absolute values."""
        return n * self.u / (1 - n * self.u) * INFLATE

    def norms(self, mids: Mids) -> Floats:
        """Upper bounds of Euclidean norms along the last axis, without loss to overflow or underflow of the squares."""
        return upper_norms(self.size(mids))


def upper_norms(sizes: Floats, squares: Floats | None = None) -> Floats:
    """Upper bounds of Euclidean norms along the last axis. Squares that leave the safe range are scaled first."""
    if squares is None:
        squares = np.asarray(np.einsum("...i,...i->...", sizes, sizes))
    unsafe = ~((squares > 1e-280) & (squares < 1e300))
    growth = 1.0 + (sizes.shape[-1] + 32) * U
    norms = np.asarray(np.sqrt(squares) * growth)
    if unsafe.any() and sizes.shape[-1]:
        rows = np.abs(sizes[unsafe])
        largest = rows.max(axis=-1)
        scale = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
        scaled = np.sqrt(((rows / scale[:, None]) ** 2).sum(axis=-1)) * scale * growth
        norms[unsafe] = np.where(largest > 0, scaled + FLOOR, largest)
    return norms


def finished(radius: Any) -> Floats:
    """The radius, inflated against its own rounding; infinite where anything was NaN."""
    radius = np.asarray(radius * INFLATE)
    if not np.isfinite(radius.sum()):
        radius = np.where(np.isnan(radius), np.inf, radius)
    return cast(Floats, radius)


def far_from_underflow(format: Format, sizes: Floats) -> bool:
    """Are all these sizes so large that no floor is needed beside u times them? For float64 only.

    A product that underflows loses 2^-1074, and a quotient by a number of such a size 2^-1074 / `SAFE`. The inflation of the
    term u |size| is more: of its 32 u, 12 u are left over, and 12 u^2 `SAFE` is 10^-171.
    """
    return format.u == U and sizes.size > 0 and bool(sizes.min() > SAFE)


def floor_where(*factors: Any) -> Floats:
    """FLOOR where all factors (upper bounds of sizes) are nonzero: elsewhere the product is exactly zero. NaN is nonzero."""
    nonzero: Any = factors[0] != 0
    for factor in factors[1:]:
        nonzero = nonzero & (factor != 0)
    return np.where(nonzero, FLOOR, 0.0)


class BoundedMatrix:
    """A matrix A, stored rounded. In the spectral norm: `norm` >= |A|, `size` >= | |A| |, `error` >= |A - stored|."""

    __slots__ = ("_transpose", "error", "norm", "plain", "size")

    def __init__(self, format: Format, plain: PlainMatrix, error: float = 0.0) -> None:
        self.plain = plain
        self.error = error
        self._transpose: BoundedMatrix | None = None
        with np.errstate(all="ignore"):
            sizes = format.size(plain.rows)
            self.size = _up(min(_size(sizes), spectral(sizes)) + error)
            self.norm = _up(min(self.size, spectral(format.floats(plain.rows)) + _up(self.size * 4 * U) + error))

    @property
    def T(self) -> BoundedMatrix:
        """The transpose has the same norms."""
        if self._transpose is None:
            turned = object.__new__(BoundedMatrix)
            turned.plain, turned.error, turned.norm, turned.size = self.plain.T, self.error, self.norm, self.size
            turned._transpose = self
            self._transpose = turned
        return self._transpose

    @property
    def shape(self) -> tuple[int, int]:
        return self.plain.shape


def _up(value: float) -> float:
    """Away from zero by more than a few roundings."""
    return float(value) * (1 + 64 * U) if np.isfinite(value) else float("inf")


def _size(sizes: Floats) -> float:
    """An upper bound of the spectral norm of a nonnegative matrix: Frobenius, or the root of row sum times column sum."""
    if not sizes.size or not sizes.any():
        return 0.0
    growth = 1 + (sizes.size + 8) * U
    top = float(sizes.max())
    scaled = sizes / top
    frobenius = float(np.sqrt((scaled**2).sum()))
    mixed = float(np.sqrt(scaled.sum(0).max() * scaled.sum(1).max()))
    return _up(min(frobenius, mixed) * growth * top + FLOOR)


def spectral(rows: Floats) -> float:
    """An upper bound of the spectral norm by repeated squaring: |C|^2 = |C^2| for symmetric C, and |C| <= its Frobenius norm.

    C = A'A (the smaller of A'A and AA'). A computed product of n-by-n matrices is off by at most n u / (1 - n u) times the
    product of the Frobenius norms, and this is added at each squaring.
    """
    if not rows.size or not rows.any() or not np.isfinite(rows).all():
        return 0.0 if rows.size and not rows.any() else float("inf")
    top = float(np.abs(rows).max())
    a = rows / top  # relative error u in each entry, and |a| <= 1
    gram = a.T @ a if a.shape[0] >= a.shape[1] else a @ a.T
    slack = _up((max(a.shape) + 8) * 2 * U * float((a**2).sum()))
    slacks = [slack]
    scales = [1.0]
    for _ in range(5):
        gram = (gram + gram.T) / 2
        frobenius = float(np.sqrt((gram**2).sum()))
        if frobenius == 0.0:
            return float("inf")
        scale = 2.0 ** float(np.ceil(np.log2(frobenius)))
        gram = gram / scale
        scales.append(scale)
        slacks.append(_up((gram.shape[0] + 8) * 4 * U))
        gram = gram @ gram
    bound = _up(float(np.sqrt((gram**2).sum())) * (1 + gram.size * U))
    for scale, slack in zip(reversed(scales[1:]), reversed(slacks[1:]), strict=True):
        bound = _up(float(np.sqrt(bound + slack)) * scale)
    return _up(float(np.sqrt(bound + slacks[0])) * top)
