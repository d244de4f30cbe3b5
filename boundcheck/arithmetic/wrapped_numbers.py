"""An arithmetic whose every operation is the plain one, wrapped: exact rationals, and balls."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Exact, Guarded, Orders
from boundcheck.arithmetic.plain import Array


class WrappedNumbers(Protocol):
    """What wrapped numbers ask of their arithmetic: to make bare arrays of what they meet, and to apply an operation to these."""

    def bare(self, a: Any) -> Array: ...

    def apply(self, operation: Any, *arrays: Any) -> Any: ...

    @property
    def plain(self) -> Any: ...


class WrappedScalars(Guarded):
    """An object array of numbers; `+ - * /` with each other and with int, float, Fraction. 1/0 is undefined, no error."""

    __slots__ = ("data", "looked", "numbers")

    def __init__(self, numbers: WrappedNumbers, data: Any) -> None:
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

    def __init__(self, numbers: WrappedNumbers, data: Array, about: tuple[Array, Array] | None = None) -> None:
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


class WrappingArithmetic(Arithmetic):
    """A subclass gives `plain`, and says how numbers are made, enlarged and looked at."""

    def __repr__(self) -> str:
        return f"arithmetic({self.name!r})"

    def working(self) -> AbstractContextManager[None]:
        """Within it, bare arrays are computed as this arithmetic computes."""
        return nullcontext()

    def bare(self, a: Any) -> Array:
        if isinstance(a, WrappedScalars | WrappedVectors):
            return a.data
        with self.working():
            return np.asarray(self.plain.scalars(a))

    def apply(self, operation: Any, *arrays: Any) -> Any:
        with self.working():
            return operation(*arrays)

    def _scalars(self, operation: Any, *given: Any) -> WrappedScalars:
        return WrappedScalars(self, self.apply(operation, *(self.bare(a) for a in given)))

    def _vectors(self, operation: Any, *given: Any) -> WrappedVectors:
        return WrappedVectors(self, self.apply(operation, *(self.bare(a) for a in given)))

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalar(self, value: Exact) -> WrappedScalars:
        return WrappedScalars(self, self.apply(self.plain.lift, value))

    def vector(self, coordinates: Sequence[Exact]) -> WrappedVectors:
        made: WrappedVectors = self.vectors(list(coordinates))
        return made

    def matrix(self, rows: Any) -> Any:
        return self.apply(self.plain.matrix, rows)

    # -- scalars -------------------------------------------------------------------------------------------------
    def abs(self, a: Any) -> WrappedScalars:
        return self._scalars(np.abs, a)

    def sqrt(self, a: Any) -> WrappedScalars:
        return self._scalars(self.plain.sqrt, a)

    def exp(self, a: Any) -> WrappedScalars:
        return self._scalars(self.plain.exp, a)

    def log(self, a: Any) -> WrappedScalars:
        return self._scalars(self.plain.log, a)

    def power(self, a: Any, exponent: Fraction) -> WrappedScalars:
        return self._scalars(lambda base: self.plain.power(base, exponent), a)

    def minimum(self, a: Any, b: Any) -> WrappedScalars:
        return self._scalars(self.plain.minimum, a, b)

    def maximum(self, a: Any, b: Any) -> WrappedScalars:
        return self._scalars(self.plain.maximum, a, b)

    def choose(self, condition: Any, a: Any, b: Any) -> WrappedScalars:
        truths = np.asarray(condition)
        return self._scalars(lambda yes, no: self.plain.choose(truths, yes, no), a, b)

    def compare(self, a: Any, b: Any) -> Orders:
        return np.asarray(self.apply(self.plain.compare, self.bare(a), self.bare(b)), dtype=np.int8)

    def concatenate(self, parts: Sequence[Any]) -> WrappedScalars:
        return WrappedScalars(self, self.plain.concatenate([self.bare(part) for part in parts]))

    # -- scans ---------------------------------------------------------------------------------------------------
    def _scan(self, scan: Any, a: Any, carry: Any) -> WrappedScalars:
        start = None if carry is None else self.bare(carry)
        return self._scalars(lambda values: scan(values, start), a)

    def cumsum(self, a: Any, carry: Any = None) -> WrappedScalars:
        return self._scan(self.plain.cumsum, a, carry)

    def cumprod(self, a: Any, carry: Any = None) -> WrappedScalars:
        return self._scan(self.plain.cumprod, a, carry)

    def cummin(self, a: Any, carry: Any = None) -> WrappedScalars:
        return self._scan(self.plain.cummin, a, carry)

    def cummax(self, a: Any, carry: Any = None) -> WrappedScalars:
        return self._scan(self.plain.cummax, a, carry)

    def recurrence(self, a: Any, b: Any, carry: Any) -> WrappedScalars:
        return self._scalars(self.plain.recurrence, a, b, carry)

    # -- vectors -------------------------------------------------------------------------------------------------
    def scale(self, s: Any, v: WrappedVectors) -> WrappedVectors:
        return self._vectors(self.plain.scale, s, v)

    def hadamard(self, u: WrappedVectors, v: WrappedVectors) -> WrappedVectors:
        return self._vectors(np.multiply, u, v)

    def dot(self, u: WrappedVectors, v: WrappedVectors) -> WrappedScalars:
        return self._scalars(self.plain.dot, u, v)

    def normsq(self, v: WrappedVectors) -> WrappedScalars:
        return self._scalars(self.plain.normsq, v)

    def norm(self, v: WrappedVectors) -> WrappedScalars:
        return self._scalars(self.plain.norm, v)

    def matvec(self, matrix: Any, v: WrappedVectors) -> WrappedVectors:
        return WrappedVectors(self, self.apply(self.plain.matvec, matrix, v.data))

    def coordinate(self, v: WrappedVectors, j: int) -> WrappedScalars:
        return WrappedScalars(self, v.data[..., j])

    def from_coordinates(self, coordinates: Sequence[Any]) -> WrappedVectors:
        return WrappedVectors(self, self.plain.from_coordinates([self.bare(part) for part in coordinates]))

    def sigmoid(self, v: WrappedVectors) -> WrappedVectors:
        return self._vectors(self.plain.sigmoid, v)

    def softplus_sum(self, v: WrappedVectors) -> WrappedScalars:
        return self._scalars(self.plain.softplus_sum, v)

    def softplus_bregman_sum(self, v: WrappedVectors, d: WrappedVectors) -> WrappedScalars:
        return self._scalars(self.plain.softplus_bregman_sum, v, d)

    def cumsum_vectors(self, v: WrappedVectors, carry: WrappedVectors | None = None) -> WrappedVectors:
        start = None if carry is None else carry.data
        return self._vectors(lambda values: self.plain.cumsum_vectors(values, start), v)

    def concatenate_vectors(self, parts: Sequence[WrappedVectors]) -> WrappedVectors:
        return WrappedVectors(self, self.plain.concatenate_vectors([part.data for part in parts]))
