"""The plain namespace on a device: vectors and matrices are tensors there, numbers (one for each vector) are float64 on the host.

Methods run on it. In float32 the vectors are float32; sums over their coordinates are made in float64, so that a dot product
neither overflows nor loses more than float64 does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact
from boundcheck.arithmetic.plain import Array, PlainFloat64
from boundcheck.arithmetic.torch import softplus
from boundcheck.arithmetic.torch.array import OnDevice, to_device, torch


class TorchMatrix:
    """A constant matrix on a device. `columns` is its transpose: `v @ columns` is one product for a whole stack."""

    __slots__ = ("_transpose", "columns", "rows")

    def __init__(self, rows: Any, transpose: TorchMatrix | None = None) -> None:
        self.rows = rows.contiguous()
        self.columns = self.rows.T
        self._transpose = transpose

    @property
    def T(self) -> TorchMatrix:
        if self._transpose is None:
            self._transpose = TorchMatrix(self.rows.T, self)
        return self._transpose

    @property
    def shape(self) -> tuple[int, int]:
        return (self.rows.shape[0], self.rows.shape[1])


@contextmanager
def one_thread() -> Iterator[None]:
    """On the CPU one thread computes: these tensors are small, waiting for a second thread on a busy machine takes a thousand
    times longer than they do, and the order of a sum does not depend on the machine.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def full_products() -> Iterator[None]:
    """Products of float32 matrices in float32: no TF32 and no bfloat16 inside, whatever the program around asked for."""
    before = torch.get_float32_matmul_precision()
    if before == "highest":
        yield
        return
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


class PlainTorch(PlainFloat64):
    """Vectors on one device in one format. Numbers are as in plain float64."""

    def __init__(self, device: Any, format: Any) -> None:
        self.device, self.format = device, format

    def tensor(self, values: Any) -> Any:
        """Vectors as a tensor of this namespace; host numbers are rounded to its format."""
        return values.tensor if isinstance(values, OnDevice) else to_device(values, self.format, self.device)

    def vector(self, coordinates: Sequence[Exact]) -> Any:
        return self.vectors(list(coordinates))

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> Any:
        return OnDevice(self.tensor(self.scalars(coordinates)))

    def matrix(self, rows: Any) -> Any:
        if isinstance(rows, TorchMatrix):
            return rows
        made = self.scalars(rows)
        if made.ndim != 2:
            raise ValueError(f"a matrix needs rows and columns; found an array of shape {made.shape}")
        return TorchMatrix(self.tensor(made))

    # -- from vectors to vectors -----------------------------------------------------------------------------------
    def scale(self, s: Any, v: Any) -> Any:
        return OnDevice(self.tensor(np.asarray(s)[..., None]) * self.tensor(v))

    def hadamard(self, u: Any, v: Any) -> Any:
        return OnDevice(self.tensor(u) * self.tensor(v))

    def matvec(self, matrix: Any, v: Any) -> Any:
        with one_thread(), full_products():
            return OnDevice(self.tensor(v) @ matrix.columns)

    def sigmoid(self, v: Any) -> Any:
        return OnDevice(torch.reciprocal(torch.exp(-self.tensor(v)).add_(1.0)))

    def from_coordinates(self, coordinates: Sequence[Any]) -> Any:
        return OnDevice(self.tensor(np.stack(np.broadcast_arrays(*coordinates), axis=-1)))

    def cumsum_vectors(self, v: Any, carry: Any = None) -> Any:
        given = self.tensor(v)
        if carry is None:
            return OnDevice(torch.cumsum(given, dim=-2))
        return OnDevice(torch.cumsum(torch.cat([self.tensor(carry), given], dim=-2), dim=-2)[..., 1:, :])

    def concatenate_vectors(self, parts: Sequence[Any]) -> Any:
        return OnDevice(torch.cat([self.tensor(part) for part in parts], dim=-2))

    # -- from vectors to numbers -----------------------------------------------------------------------------------
    def dot(self, u: Any, v: Any) -> Any:
        return number((self.tensor(u).double() * self.tensor(v).double()).sum(-1))

    def coordinate(self, v: Any, j: int) -> Any:
        return number(v.tensor[..., j]) if isinstance(v, OnDevice) else v[..., j]

    def softplus_sum(self, v: Any) -> Any:
        return number(softplus.softplus(self.tensor(v)).sum(-1))

    def softplus_bregman_sum(self, v: Any, d: Any) -> Any:
        return number(softplus.bregman(self.tensor(v), self.tensor(d))[0].sum(-1))


def number(tensor: Any) -> Array | np.float64:
    """Numbers on the host, one for each vector; a single one bare, as NumPy has it."""
    made: Array | np.float64 = OnDevice(tensor).host()[()]
    return made
