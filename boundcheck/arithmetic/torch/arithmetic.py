"""PyTorch as an arithmetic: points on the CPU or a GPU in float64 or float32, with running error bounds. Never a certificate.

Whatever has coordinates is a tensor on the device: points, gradients, matrices, margins. Numbers, one for each point (values,
norms, dot products, radii), are float64 on the host, by the code that float64 itself uses: they are few, they are looked at and
compared one by one, and on a device each look would wait for it. Sound if the device's elementary functions are within 4 units
in the last place, as is assumed of float64 (measured in tests/arithmetic/torch).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.bounded.arithmetic import BoundedArithmetic
from boundcheck.arithmetic.bounded.scalars import BoundedScalars
from boundcheck.arithmetic.bounded.storage import BoundedMatrix, finished
from boundcheck.arithmetic.plain import PlainMatrix
from boundcheck.arithmetic.torch import vectors as on_device
from boundcheck.arithmetic.torch.array import OnDevice, torch
from boundcheck.arithmetic.torch.format import TINY, TorchFormat
from boundcheck.arithmetic.torch.plain import TorchMatrix, one_thread
from boundcheck.arithmetic.torch.vectors import TorchVectors


class Torch(BoundedArithmetic):
    """Points on one device in one format; numbers as in float64."""

    format: TorchFormat

    def __init__(self, name: str, device: str, digits: str) -> None:
        super().__init__(name, TorchFormat(device, digits))
        self.plain = self.format.vectors

    @contextmanager
    def working(self) -> Iterator[None]:
        with one_thread():
            yield

    @contextmanager
    def sharing(self) -> Iterator[None]:
        with one_thread(), super().sharing():
            yield

    # -- making points -------------------------------------------------------------------------------------------
    def vectors(self, coordinates: Any, radius: Any = 0.0) -> TorchVectors:
        made = BoundedScalars.of(self.format, coordinates)
        if not made.ndim:
            raise ValueError("vectors need coordinates along the last axis; found a single number")
        mid, rounding = self.format.stored(made.mid)
        with np.errstate(all="ignore"):
            missing = self.format.host_norms(made.rad) + rounding + np.asarray(radius, dtype=np.float64)
            return TorchVectors(self.format, mid, finished(missing))

    def matrix(self, rows: Any) -> BoundedMatrix:
        if isinstance(rows, BoundedMatrix):
            return rows
        made = BoundedScalars.of(self.format, OnDevice(rows.rows).host() if isinstance(rows, TorchMatrix) else rows)
        stored = self.plain.matrix(made.mid)
        back = OnDevice(stored.rows).host()
        with np.errstate(all="ignore"):
            error = float(self.format.host_norms((made.rad + np.abs(made.mid - back)).reshape(-1)))
        bounded = BoundedMatrix(self.format, PlainMatrix(back), error)
        bounded.plain = stored
        return bounded

    def from_coordinates(self, coordinates: Sequence[Any]) -> TorchVectors:
        given = [self._of(part) for part in coordinates]
        mids = np.stack(np.broadcast_arrays(*(part.mid for part in given)), axis=-1)
        radii = np.stack(np.broadcast_arrays(*(part.rad for part in given)), axis=-1)
        return on_device.from_numbers(self.format, mids, radii)

    def observed(self, plain: Any, formula: Any) -> TorchVectors:
        mid, rounding = self.format.stored(plain)
        if mid.shape[-1] != formula.dimension:
            raise ValueError(f"observed vectors of R^{mid.shape[-1]}; the formula gives R^{formula.dimension}")
        return TorchVectors(self.format, mid, finished(formula.rad + rounding))

    # -- points from points --------------------------------------------------------------------------------------
    def scale(self, s: Any, v: Any) -> TorchVectors:
        return on_device.scale(self._of(s), v)

    def hadamard(self, u: Any, v: Any) -> TorchVectors:
        return on_device.hadamard(u, v)

    def matvec(self, matrix: BoundedMatrix, v: Any) -> TorchVectors:
        return on_device.matvec(matrix, v)

    def sigmoid(self, v: Any) -> TorchVectors:
        return on_device.sigmoid(v)

    def cumsum_vectors(self, v: Any, carry: Any = None) -> TorchVectors:
        return on_device.cumsum(v) if carry is None else on_device.cumsum(on_device.concatenate([carry, v]))[..., 1:]

    def concatenate_vectors(self, parts: Sequence[Any]) -> TorchVectors:
        return on_device.concatenate(parts)

    def enlarge(self, v: Any, radius: Any) -> TorchVectors:
        return on_device.enlarge(v, radius)

    def radius(self, v: Any) -> Floats:
        return np.asarray(v.rad)


def why_not(name: str, device: str, digits: str) -> str:
    """Why this arithmetic cannot be had here, in one line, or ""."""
    if device.startswith("cuda"):
        if not torch.cuda.is_available():
            return f"arithmetic '{name}': no CUDA device is here; use {name.replace(device, 'cpu', 1)}"
        found = torch.cuda.device_count()
        if int(device.partition(":")[2] or 0) >= found:
            return f"arithmetic '{name}': there are {found} CUDA devices here, counted from 0; use a smaller number"
    smallest = torch.tensor(TINY[digits], dtype=getattr(torch, digits), device=device)
    if not bool(smallest / 2 != 0):
        return f"arithmetic '{name}' needs sums that underflow gradually; call torch.set_flush_denormal(False) first"
    return ""
