"""Arrays of exact numbers, wrapped so that they have no truth value and no order."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from boundcheck.arithmetic.guarded import Guarded
from boundcheck.arithmetic.plain import Array, PlainMatrix

ExactMatrix = PlainMatrix  # an exact product has no error, so its norms are not needed


class Numbers(Protocol):
    """What wrapped scalars ask of their plain namespace."""

    def scalars(self, values: Any, error: Any = 0.0) -> Array: ...

    def divide(self, a: Any, b: Any) -> Array: ...


class ExactScalars(Guarded):
    """An object array of exact numbers; `+ - * /` with each other and with int, float, Fraction. 1/0 is undefined, no error."""

    __slots__ = ("data", "numbers")

    def __init__(self, numbers: Numbers, data: Any) -> None:
        self.numbers = numbers
        self.data: Array = np.asarray(data, dtype=object)

    def _bare(self, other: Any) -> Array:
        if isinstance(other, ExactVectors):
            raise TypeError("use xp.scale(s, v) to multiply vectors by scalars")
        return other.data if isinstance(other, ExactScalars) else self.numbers.scalars(other)

    def _wrap(self, data: Any) -> ExactScalars:
        return ExactScalars(self.numbers, data)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def ndim(self) -> int:
        return self.data.ndim

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, key: Any) -> ExactScalars:
        return self._wrap(self.data[key])

    def __repr__(self) -> str:
        return f"ExactScalars({self.data})"

    def __neg__(self) -> ExactScalars:
        return self._wrap(-self.data)

    def __pos__(self) -> ExactScalars:
        return self

    def __add__(self, other: Any) -> ExactScalars:
        return self._wrap(self.data + self._bare(other))

    def __sub__(self, other: Any) -> ExactScalars:
        return self._wrap(self.data - self._bare(other))

    def __rsub__(self, other: Any) -> ExactScalars:
        return self._wrap(self._bare(other) - self.data)

    def __mul__(self, other: Any) -> ExactScalars:
        return self._wrap(self.data * self._bare(other))

    def __truediv__(self, other: Any) -> ExactScalars:
        return self._wrap(self.numbers.divide(self.data, self._bare(other)))

    def __rtruediv__(self, other: Any) -> ExactScalars:
        return self._wrap(self.numbers.divide(self._bare(other), self.data))

    __radd__ = __add__
    __rmul__ = __mul__


class ExactVectors(Guarded):
    """A stack of exact points."""

    __slots__ = ("data",)

    def __init__(self, data: Array) -> None:
        self.data = data

    @property
    def shape(self) -> tuple[int, ...]:
        """The stack's shape."""
        return self.data.shape[:-1]

    @property
    def dimension(self) -> int:
        return int(self.data.shape[-1])

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, key: Any) -> ExactVectors:
        keys = key if isinstance(key, tuple) else (key,)
        if any(part is Ellipsis for part in keys):
            keys = (*keys, slice(None))
        return ExactVectors(self.data[keys])

    def __repr__(self) -> str:
        return f"ExactVectors({self.data})"

    def __neg__(self) -> ExactVectors:
        return ExactVectors(-self.data)

    def __add__(self, other: ExactVectors) -> ExactVectors:
        return ExactVectors(self.data + self._other(other))

    def __sub__(self, other: ExactVectors) -> ExactVectors:
        return ExactVectors(self.data - self._other(other))

    def _other(self, other: ExactVectors) -> Array:
        if not isinstance(other, ExactVectors):
            raise TypeError(f"vectors add to vectors only; found {type(other).__name__}")
        if other.dimension != self.dimension:
            raise ValueError(f"vectors of R^{self.dimension} and R^{other.dimension} do not add")
        return other.data
