"""Arrays of number objects (fmpq, arb), wrapped so that they have no truth value and no order."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from boundcheck.arithmetic.guarded import Guarded
from boundcheck.arithmetic.plain import Array


class Numbers(Protocol):
    """What wrapped numbers ask of their arithmetic: to make bare arrays of what they meet, and to apply an operation to these."""

    def bare(self, a: Any) -> Array: ...

    def apply(self, operation: Any, *arrays: Any) -> Any: ...

    @property
    def plain(self) -> Any: ...


class WrappedScalars(Guarded):
    """An object array of numbers; `+ - * /` with each other and with int, float, Fraction. 1/0 is undefined, no error."""

    __slots__ = ("data", "looked", "numbers")

    def __init__(self, numbers: Numbers, data: Any) -> None:
        self.numbers = numbers
        self.data: Array = np.asarray(data, dtype=object)
        self.looked: Any = None  # the same in floating point, once somebody looked

    def _bare(self, other: Any) -> Array:
        if isinstance(other, WrappedVectors):
            raise TypeError("use xp.scale(s, v) to multiply vectors by scalars")
        return self.numbers.bare(other)

    def _made(self, operation: Any, *arrays: Array) -> WrappedScalars:
        return WrappedScalars(self.numbers, self.numbers.apply(operation, *arrays))

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def ndim(self) -> int:
        return self.data.ndim

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, key: Any) -> WrappedScalars:
        return WrappedScalars(self.numbers, self.data[key])

    def __repr__(self) -> str:
        return f"WrappedScalars({self.data})"

    def __neg__(self) -> WrappedScalars:
        return self._made(np.negative, self.data)

    def __pos__(self) -> WrappedScalars:
        return self

    def __add__(self, other: Any) -> WrappedScalars:
        return self._made(np.add, self.data, self._bare(other))

    def __sub__(self, other: Any) -> WrappedScalars:
        return self._made(np.subtract, self.data, self._bare(other))

    def __rsub__(self, other: Any) -> WrappedScalars:
        return self._made(np.subtract, self._bare(other), self.data)

    def __mul__(self, other: Any) -> WrappedScalars:
        return self._made(np.multiply, self.data, self._bare(other))

    def __truediv__(self, other: Any) -> WrappedScalars:
        return self._made(self.numbers.plain.divide, self.data, self._bare(other))

    def __rtruediv__(self, other: Any) -> WrappedScalars:
        return self._made(self.numbers.plain.divide, self._bare(other), self.data)

    __radd__ = __add__
    __rmul__ = __mul__


class WrappedVectors(Guarded):
    """A stack of points. `about`, where it is known: exact points and how far each coordinate may be from theirs."""

    __slots__ = ("about", "data", "numbers")

    def __init__(self, numbers: Numbers, data: Array, about: tuple[Array, Array] | None = None) -> None:
        self.numbers, self.data, self.about = numbers, data, about

    @property
    def shape(self) -> tuple[int, ...]:
        """The stack's shape."""
        return self.data.shape[:-1]

    @property
    def dimension(self) -> int:
        return int(self.data.shape[-1])

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, key: Any) -> WrappedVectors:
        keys = key if isinstance(key, tuple) else (key,)
        whole = (*keys, slice(None)) if any(part is Ellipsis for part in keys) else keys
        about = None if self.about is None else (self.about[0][whole], self.about[1][keys])
        return WrappedVectors(self.numbers, self.data[whole], about)

    def __repr__(self) -> str:
        return f"WrappedVectors({self.data})"

    def __neg__(self) -> WrappedVectors:
        return WrappedVectors(self.numbers, self.numbers.apply(np.negative, self.data))

    def __add__(self, other: WrappedVectors) -> WrappedVectors:
        return WrappedVectors(self.numbers, self.numbers.apply(np.add, self.data, self._other(other)))

    def __sub__(self, other: WrappedVectors) -> WrappedVectors:
        return WrappedVectors(self.numbers, self.numbers.apply(np.subtract, self.data, self._other(other)))

    def _other(self, other: WrappedVectors) -> Array:
        if not isinstance(other, WrappedVectors):
            raise TypeError(f"vectors add to vectors only; found {type(other).__name__}")
        if other.dimension != self.dimension:
            raise ValueError(f"vectors of R^{self.dimension} and R^{other.dimension} do not add")
        return other.data
