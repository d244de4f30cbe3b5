"""How points are stored on a device, and how far one rounded operation on them can be off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.bounded.storage import FLOOR, INFLATE, Format, U, finished, upper_norms
from boundcheck.arithmetic.float64 import Float64Format
from boundcheck.arithmetic.torch.array import OnDevice, torch
from boundcheck.arithmetic.torch.plain import PlainTorch
from boundcheck.arithmetic.torch.softplus import bregman

UNITS = {"float64": U, "float32": 2.0**-24 * (1 + 2.0**-10)}
TINY = {"float64": 2.0**-1022, "float32": 2.0**-126}  # below it, a product may be lost
LARGEST = {"float64": np.inf, "float32": 3e38}  # sizes are float64: there an overflow of float32 has to be looked for


class TorchFormat(Float64Format):
    """Numbers are float64 on the host, with its u. Points are tensors on `device` in float64 or float32, with `unit`."""

    def __init__(self, device: str, digits: str) -> None:
        self.device, self.digits = device, digits
        self.unit = UNITS[digits]
        self.entry = 0.0 if digits == "float64" else self.unit  # a float64 from the host is rounded to the format
        self.tiny, self.largest = TINY[digits], LARGEST[digits]
        self.vectors = PlainTorch(torch.device(device), getattr(torch, digits))

    def sums(self, n: int) -> float:
        """A sum of n products of coordinates, in any order, is relatively off by at most this."""
        return n * self.unit / (1 - n * self.unit) * INFLATE if n * self.unit < 0.5 else np.inf

    def floor(self, count: int, *factors: Any) -> Floats:
        """What `count` products can lose to underflow, gradual or not, where all factors (sizes) are nonzero."""
        nonzero: Any = True
        for factor in factors:
            nonzero = nonzero & (factor != 0)
        return np.where(nonzero, max(FLOOR, 4 * count * self.tiny), 0.0)

    def limited(self, radius: Any, *sizes: Any) -> Floats:
        """The radius, inflated against its own rounding; infinite where a size on the way may be beyond the format."""
        made = finished(radius)
        for size in sizes:
            made = np.where(size < self.largest, made, np.inf)
        return made

    def norms(self, mids: Any) -> Floats:
        """Upper bounds of Euclidean norms of points on the device."""
        squares = self.once("dot", lambda: self.vectors.dot(mids, mids), mids, mids)
        safe = np.all((squares > 1e-280) & (squares < 1e300))
        return upper_norms(mids if safe else mids.host(), squares)

    def host_norms(self, mids: Any) -> Floats:
        """Upper bounds of Euclidean norms of coordinates on the host; infinite where anything is NaN."""
        return finished(upper_norms(np.abs(mids))) if np.any(mids) else np.zeros(mids.shape[:-1])

    def stored(self, mids: Any) -> tuple[Any, Floats]:
        """Given points on the device, and how far their rounding to the format moved each: nothing in float64."""
        if isinstance(mids, OnDevice):
            return mids, np.zeros(mids.shape[:-1])

        def upload() -> tuple[Any, Floats]:
            made = OnDevice(self.vectors.tensor(mids))
            with np.errstate(all="ignore"):
                return made, self.host_norms(mids - made.host()) if self.entry else np.zeros(mids.shape[:-1])

        found: tuple[Any, Floats] = self.once("stored", upload, mids)
        return found

    def bregman(self, v: Any, d: Any) -> tuple[Any, Any]:
        """On the device, in float64. Only sums of it are looked at."""
        value, error = bregman(self.vectors.tensor(v), self.vectors.tensor(d))
        return _Summed(value), _Summed(error)

    def bregman_sum(self, v: Any, d: Any, *, back: bool) -> tuple[Any, Floats]:
        """Whole stacks at a time."""
        return Format.bregman_sum(self, v, d, back=back)

    def once(self, what: str, make: Callable[[], Any], *arrays: Any) -> Any:
        """As on the host; arrays on the device too are told apart by where their numbers lie."""
        if self.shared is None or not any(isinstance(a, OnDevice) for a in arrays):
            return super().once(what, make, *arrays)
        key = (what, *(_place(a) for a in arrays))
        found = self.shared.get(key)
        if found is None:
            found = self.shared[key] = (make(), arrays)  # holding the arrays keeps their places their own
        return found[0]


def _place(a: Any) -> Any:
    if isinstance(a, OnDevice):
        return a.place()
    return (a.__array_interface__["data"][0], a.shape, a.strides) if isinstance(a, np.ndarray) else a


class _Summed:
    """Numbers on the device of which the host wants sums over coordinates."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor

    def sum(self, axis: int) -> Floats:
        return OnDevice(self.tensor.sum(axis)).host()
