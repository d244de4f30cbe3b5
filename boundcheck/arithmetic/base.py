"""What every arithmetic offers: one small array namespace, and the only place where numbers are compared.

A formula is written once against `xp` and serves float64, high precision, rationals, and whatever is added later.

- **Scalars** are arrays of reals, the last axis running over the index of a run. `+ - * /`, unary minus, slicing.
- **Vectors** are stacks of points of R^d. `+ -`, unary minus, slicing of the stack; `xp.scale(s, v)` multiplies each by a scalar.

Neither has a truth value or an order: `xp.compare` is the only comparison, and it may answer UNKNOWN.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import IntEnum
from fractions import Fraction
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from boundcheck.support.errors import NotInThisArithmetic as NotInThisArithmetic


class Guarded:
    """A computed number is an enclosure or may be undefined: `if a < b` would be a guess, so it is an error."""

    __slots__ = ()
    __array_ufunc__ = None  # so that `ndarray + guarded` asks the guarded side

    def _no_order(self, other: Any) -> NoReturn:
        raise TypeError("computed numbers have no order and no equality of their own; use xp.compare(a, b)")

    __lt__ = __le__ = __gt__ = __ge__ = _no_order
    __eq__ = __ne__ = _no_order
    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> NoReturn:
        raise TypeError("computed numbers have no truth value; use xp.compare(a, b)")

    def __float__(self) -> NoReturn:
        raise TypeError("a computed number is not a float; use xp.middle(a) to look at it")

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("a computed number is not a NumPy array; use xp.middle(a) to look at it")


Exact = int | float | Fraction  # a number that names one real: a float64 is the dyadic rational that it stores
Orders = NDArray[np.int8]
Floats = NDArray[np.float64]
Scalars = Any  # each arithmetic has its own array type; formulas must not look inside
Vectors = Any
Matrix = Any


class Order(IntEnum):
    """How two reals compare. UNKNOWN: the arithmetic cannot tell, NaN and infinity included."""

    LESS = -1
    EQUAL = 0
    GREATER = 1
    UNKNOWN = 2


class Truth(IntEnum):
    """A three-valued condition, for `choose`."""

    NO = 0
    YES = 1
    UNKNOWN = 2


class Namespace(Protocol):
    """The operations that a formula may use: what every arithmetic offers, and its plain numbers without error bounds too.

    Results are the arrays of the arithmetic (Scalars, Vectors), which add, subtract, multiply and divide by themselves.
    """

    def scalar(self, value: Exact, /) -> Scalars:
        """Return a single number."""

    def vector(self, coordinates: Sequence[Exact], /) -> Vectors:
        """Return one point."""

    def matrix(self, rows: Any, /) -> Matrix:
        """Return a constant matrix."""

    def abs(self, a: Scalars, /) -> Scalars:
        """Return |a|."""

    def sqrt(self, a: Scalars, /) -> Scalars:
        """Return the square root of a."""

    def exp(self, a: Scalars, /) -> Scalars:
        """Return e^a."""

    def log(self, a: Scalars, /) -> Scalars:
        """Return the natural logarithm of a."""

    def power(self, a: Scalars, exponent: Fraction, /) -> Scalars:
        """Return a power with a rational exponent."""

    def minimum(self, a: Scalars, b: Scalars, /) -> Scalars:
        """Return the smaller of two."""

    def maximum(self, a: Scalars, b: Scalars, /) -> Scalars:
        """Return the larger of two."""

    def choose(self, condition: NDArray[np.int8], a: Scalars, b: Scalars, /) -> Scalars:
        """Return a where a Truth is YES, and b where it is NO."""

    def compare(self, a: Scalars, b: Scalars, /) -> Orders:
        """Return the Order of a and b."""

    def scale(self, s: Scalars, v: Vectors, /) -> Vectors:
        """Return s v."""

    def hadamard(self, u: Vectors, v: Vectors, /) -> Vectors:
        """Return the product coordinate by coordinate."""

    def dot(self, u: Vectors, v: Vectors, /) -> Scalars:
        """Return the inner product."""

    def normsq(self, v: Vectors, /) -> Scalars:
        """Return |v|^2."""

    def norm(self, v: Vectors, /) -> Scalars:
        """Return |v|."""

    def matvec(self, matrix: Matrix, v: Vectors, /) -> Vectors:
        """Return a matrix times a vector."""

    def coordinate(self, v: Vectors, j: int, /) -> Scalars:
        """Return one coordinate."""

    def from_coordinates(self, coordinates: Sequence[Scalars], /) -> Vectors:
        """Return the vector with these coordinates."""

    def sigmoid(self, v: Vectors, /) -> Vectors:
        """Return 1 / (1 + exp(-v)), coordinate by coordinate."""

    def softplus_sum(self, v: Vectors, /) -> Scalars:
        """Return the sum over coordinates of log(1 + exp(v))."""

    def softplus_bregman_sum(self, v: Vectors, d: Vectors, /) -> Scalars:
        """Return the sum over coordinates of s(v + d) - s(v) - s'(v) d for s = log(1 + exp)."""


class Arithmetic(ABC):
    """One way to compute with reals. `certified` says whether a decided comparison is a proof."""

    name: str
    certified: bool
    exact: bool  # no rounding at all: equalities can be proved

    # how far frozen steps may be from their formula, relatively, where the arithmetic is fine enough to tell them apart
    frozen_within: float = 0.0
    # two numbers that agree relatively to this, in enclosures so narrow, are a tie: more bits would not tell them apart
    tie_within: float = 0.0

    # the same namespace without error bounds, on bare NumPy arrays (stack shape, or stack shape + (d,)): to run methods with
    plain: Any

    # -- making numbers ------------------------------------------------------------------------------------------
    @abstractmethod
    def scalar(self, value: Exact) -> Scalars:
        """A single number, shape (): exact where the arithmetic can hold it, enclosed where it cannot."""

    @abstractmethod
    def scalars(self, values: Any, error: Any = 0.0) -> Scalars:
        """An array of numbers from exact numbers or from this arithmetic's plain array, with absolute errors."""

    @abstractmethod
    def vector(self, coordinates: Sequence[Exact]) -> Vectors:
        """One point, stack shape ()."""

    @abstractmethod
    def vectors(self, coordinates: Any, radius: Any = 0.0) -> Vectors:
        """A stack of points from a plain array (..., d), each known within a Euclidean radius (an array of the stack's shape)."""

    @abstractmethod
    def matrix(self, rows: Any) -> Matrix:
        """A constant matrix, with the norms that error bounds need computed once. `.T` is its transpose."""

    def undefined(self, shape: tuple[int, ...], reason: str) -> Scalars:
        """Numbers that are none, whatever is done with them. An arithmetic may forget the reason."""
        return self.scalars(np.full(shape, np.nan))

    # -- scalars -------------------------------------------------------------------------------------------------
    @abstractmethod
    def abs(self, a: Scalars) -> Scalars: ...

    @abstractmethod
    def sqrt(self, a: Scalars) -> Scalars:
        """Rationals: exact for perfect squares, undefined (NaN-like, compares UNKNOWN) for the rest."""

    @abstractmethod
    def exp(self, a: Scalars) -> Scalars: ...

    @abstractmethod
    def log(self, a: Scalars) -> Scalars: ...

    @abstractmethod
    def power(self, a: Scalars, exponent: Fraction) -> Scalars: ...

    @abstractmethod
    def minimum(self, a: Scalars, b: Scalars) -> Scalars: ...

    @abstractmethod
    def maximum(self, a: Scalars, b: Scalars) -> Scalars: ...

    @abstractmethod
    def choose(self, condition: NDArray[np.int8], a: Scalars, b: Scalars) -> Scalars:
        """a where the Truth is YES, b where NO; where UNKNOWN, the smallest enclosure of both."""

    @abstractmethod
    def compare(self, a: Scalars, b: Scalars) -> Orders: ...

    def distance(self, a: Scalars, b: Scalars) -> Floats:
        """How far apart two numbers may be, relative to them; inf where nothing is known."""
        size = np.maximum(np.abs(self.middle(a)), np.abs(self.middle(b)))
        with np.errstate(all="ignore"):
            difference = a - b
            relative = (np.abs(self.middle(difference)) + self.error(difference)) / size
        return np.where(np.isfinite(relative), relative, np.inf)

    @abstractmethod
    def concatenate(self, parts: Sequence[Scalars]) -> Scalars:
        """Along the last axis."""

    # -- scans along the last axis, each started from a carry of shape (..., 1) or None -----------------------------
    @abstractmethod
    def cumsum(self, a: Scalars, carry: Scalars | None = None) -> Scalars: ...

    @abstractmethod
    def cumprod(self, a: Scalars, carry: Scalars | None = None) -> Scalars: ...

    @abstractmethod
    def cummin(self, a: Scalars, carry: Scalars | None = None) -> Scalars: ...

    @abstractmethod
    def cummax(self, a: Scalars, carry: Scalars | None = None) -> Scalars: ...

    @abstractmethod
    def recurrence(self, a: Scalars, b: Scalars, carry: Scalars) -> Scalars:
        """s_n = a_n s_{n-1} + b_n."""

    # -- vectors -------------------------------------------------------------------------------------------------
    @abstractmethod
    def scale(self, s: Scalars, v: Vectors) -> Vectors: ...

    @abstractmethod
    def hadamard(self, u: Vectors, v: Vectors) -> Vectors:
        """The product coordinate by coordinate."""

    @abstractmethod
    def dot(self, u: Vectors, v: Vectors) -> Scalars: ...

    @abstractmethod
    def normsq(self, v: Vectors) -> Scalars: ...

    @abstractmethod
    def norm(self, v: Vectors) -> Scalars: ...

    @abstractmethod
    def matvec(self, matrix: Matrix, v: Vectors) -> Vectors:
        """Matrix times each vector. The product itself may be put off until someone looks at it: `observed` never does."""

    @abstractmethod
    def coordinate(self, v: Vectors, j: int) -> Scalars: ...

    @abstractmethod
    def from_coordinates(self, coordinates: Sequence[Scalars]) -> Vectors:
        """The vectors with these coordinates."""

    @abstractmethod
    def sigmoid(self, v: Vectors) -> Vectors:
        """1 / (1 + exp(-v)), coordinate by coordinate."""

    @abstractmethod
    def softplus_sum(self, v: Vectors) -> Scalars:
        """Sum over coordinates of log(1 + exp(v))."""

    @abstractmethod
    def softplus_bregman_sum(self, v: Vectors, d: Vectors) -> Scalars:
        """Sum over coordinates of s(v + d) - s(v) - s'(v) d for s = log(1 + exp), without cancellation. Never negative."""

    @abstractmethod
    def cumsum_vectors(self, v: Vectors, carry: Vectors | None = None) -> Vectors:
        """Along the last stack axis; the carry has length 1 there."""

    @abstractmethod
    def concatenate_vectors(self, parts: Sequence[Vectors]) -> Vectors:
        """Along the last stack axis."""

    @abstractmethod
    def observed(self, plain: Any, formula: Vectors) -> Vectors:
        """The plain array that a run computed, with the error that `formula` has for any order of evaluation."""

    @abstractmethod
    def enlarge(self, v: Vectors, radius: Any) -> Vectors:
        """The same points known only within a further Euclidean radius (float array of the stack's shape)."""

    @abstractmethod
    def radius(self, v: Vectors) -> Floats:
        """The Euclidean radius of each (upper bound, float64); zeros in exact arithmetic."""

    @abstractmethod
    def apart(self, v: Vectors, stored: Any) -> Floats:
        """Upper bounds of the distance from stored points (a plain array) to the points that `v` encloses.

        `stored` came from the same formula in the plain namespace, in any order of evaluation.
        """

    def working(self) -> AbstractContextManager[None]:
        """While this is entered, bare arrays of the plain namespace are computed as this arithmetic computes."""
        return nullcontext()

    def running(self) -> AbstractContextManager[None]:
        """While this is entered, a run makes its points: as `working`, or with more bits, so that rounding them is no loss."""
        return self.working()

    def descended(self, x: Vectors, eta: Scalars, g: Vectors) -> Vectors:
        """x - eta g for stored points x, known as well as a run makes points."""
        return x - self.scale(eta, g)

    def sharing(self) -> AbstractContextManager[None]:
        """While this is entered, middles of vectors computed from the same stored arrays are computed once.

        The same points are enclosed with several radii (the trajectory's, one step's): only the radii differ. Stored arrays
        must not change meanwhile.
        """
        return nullcontext()

    # -- looking, for people ---------------------------------------------------------------------------------------
    @abstractmethod
    def middle(self, a: Scalars) -> Floats:
        """The nearest float64 of each, for display, plots and ratios. Never for a verdict."""

    @abstractmethod
    def error(self, a: Scalars) -> Floats:
        """An upper bound of the absolute error of each; zeros in exact arithmetic, inf where undefined."""

    @abstractmethod
    def text(self, a: Scalars) -> str:
        """One number (shape ()) as people read it: 3/7, or 0.428571428571 +- 2e-17."""

    def reason(self, a: Scalars) -> str | None:
        """Why the first undefined entry is undefined; None where every entry is a number, or nothing is known."""
        return None
