"""Arrays that stay on a device: PyTorch tensors that NumPy's own operations keep where they are.

Runs and formulas are written with NumPy arrays. An `OnDevice` array answers NumPy's sums and products on its device, so vectors
stay there through a whole formula; whatever NumPy asks beyond that (a comparison, a buffer to be filled) gets float64 numbers on
the host. A number that meets it from the host is rounded to the tensor's format first, once.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

torch: Any = import_module("torch")  # typed as Any, so that the type checker says the same with and without PyTorch

# what is computed on the device; both operands are tensors of the same format by then
_ON_DEVICE: dict[Any, Any] = {
    np.add: torch.add,
    np.subtract: torch.subtract,
    np.multiply: torch.multiply,
    np.true_divide: torch.divide,
    np.negative: torch.negative,
    np.absolute: torch.abs,
}


class OnDevice(NDArrayOperatorsMixin):
    """A stack of vectors on a device. To the host it looks like an array of float64, which holds a float32 exactly."""

    __slots__ = ("tensor",)
    __hash__ = None  # type: ignore[assignment]
    dtype = np.dtype(np.float64)

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.tensor.shape)

    @property
    def ndim(self) -> int:
        return int(self.tensor.ndim)

    def __len__(self) -> int:
        return len(self.tensor)

    def __float__(self) -> float:
        return float(self.tensor)

    def __repr__(self) -> str:
        return f"OnDevice({self.host()}, {self.tensor.dtype}, {self.tensor.device})"

    def __getitem__(self, key: Any) -> OnDevice:
        keys = key if isinstance(key, tuple) else (key,)
        there = tuple(torch.as_tensor(k, device=self.tensor.device) if isinstance(k, np.ndarray | list) else k for k in keys)
        return OnDevice(self.tensor[there])

    def host(self) -> NDArray[np.float64]:
        """A copy on the host, in float64: exact."""
        made = self.tensor.detach().to(device="cpu", dtype=torch.float64, copy=True)
        return np.asarray(made.numpy())

    def copy(self) -> OnDevice:
        return OnDevice(self.tensor.clone())

    def place(self) -> tuple[Any, ...]:
        """Where its numbers lie: equal for two arrays of the same numbers, while both live."""
        return (self.tensor.data_ptr(), self.tensor.shape, self.tensor.stride())

    # -- what NumPy asks -----------------------------------------------------------------------------------------
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.host() if dtype is None else self.host().astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__" and ufunc in _ON_DEVICE and not options:
            return OnDevice(_ON_DEVICE[ufunc](*(self._there(given) for given in inputs)))
        return getattr(ufunc, method)(*(_here(given) for given in inputs), **options)

    def __array_function__(self, function: Any, kinds: Any, given: Any, options: Any) -> Any:
        """Only vectors end to end stay on the device; the rest of NumPy works on the host."""
        if function is np.concatenate and all(isinstance(part, OnDevice) for part in given[0]):
            return OnDevice(torch.cat([part.tensor for part in given[0]], dim=options.get("axis", 0)))
        return function(*(_here(part) for part in given), **{name: _here(part) for name, part in options.items()})

    def _there(self, value: Any) -> Any:
        return value.tensor if isinstance(value, OnDevice) else to_device(value, self.tensor.dtype, self.tensor.device)


def to_device(values: Any, dtype: Any, device: Any) -> Any:
    """A copy of host numbers as a tensor, each rounded to the nearest of its format."""
    return torch.tensor(np.asarray(values, dtype=np.float64)).to(dtype=dtype).to(device=device)


def _here(value: Any) -> Any:
    if isinstance(value, OnDevice):
        return value.host()
    return type(value)(_here(part) for part in value) if type(value) in (list, tuple) else value
