"""Constant matrices with the norms that error bounds need, computed once."""

from __future__ import annotations

import numpy as np

from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.bounded.storage import FLOOR, Format, U
from boundcheck.arithmetic.plain import PlainMatrix


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
