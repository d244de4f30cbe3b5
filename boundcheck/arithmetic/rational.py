"""Exact rationals (python-flint's fmpq). A decided comparison is a proof, and equalities can be proved.

What is not rational (sqrt 2) or not defined (1/0) becomes `Undefined`, which remembers why and compares UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Exact, Floats, NotInThisArithmetic, Orders, Truth
from boundcheck.arithmetic.exact import ExactMatrix, ExactScalars, ExactVectors
from boundcheck.arithmetic.plain import Array, PlainMatrix
from boundcheck.arithmetic.plain_rational import PlainRational, each, lift
from boundcheck.arithmetic.undefined import Undefined


def _choose(truth: int, a: Any, b: Any) -> Any:
    """Exact arithmetic has no hull: an unknown condition leaves a number only if both are the same."""
    if truth == Truth.UNKNOWN:
        same = not isinstance(a, Undefined) and not isinstance(b, Undefined) and a == b
        return a if same else Undefined("a condition that is not decided")
    return a if truth == Truth.YES else b


class Rational(Arithmetic):
    """Every operation is the plain one, wrapped so that results have no truth value and no order."""

    name = "rational"
    certified = True
    exact = True

    def __init__(self) -> None:
        self.plain: PlainRational = PlainRational()

    def __repr__(self) -> str:
        return "arithmetic('rational')"

    def _bare(self, a: Any) -> Array:
        return a.data if isinstance(a, ExactScalars) else self.plain.scalars(a)

    def _wrap(self, data: Any) -> ExactScalars:
        return ExactScalars(self.plain, data)

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalar(self, value: Exact) -> ExactScalars:
        return self._wrap(lift(value))

    def scalars(self, values: Any, error: Any = 0.0) -> ExactScalars:
        _needs_no_error(error, "scalars")
        return self._wrap(self._bare(values))

    def vector(self, coordinates: Sequence[Exact]) -> ExactVectors:
        return ExactVectors(self.plain.vector(coordinates))

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> ExactVectors:
        _needs_no_error(radius, "vectors")
        return ExactVectors(self.plain.vectors(coordinates))

    def matrix(self, rows: Any) -> ExactMatrix:
        return rows if isinstance(rows, ExactMatrix | PlainMatrix) else self.plain.matrix(rows)

    # -- scalars -------------------------------------------------------------------------------------------------
    def abs(self, a: Any) -> ExactScalars:
        return self._wrap(np.abs(self._bare(a)))

    def sqrt(self, a: Any) -> ExactScalars:
        return self._wrap(self.plain.sqrt(self._bare(a)))

    def exp(self, a: Any) -> ExactScalars:
        return self._wrap(self.plain.exp(self._bare(a)))

    def log(self, a: Any) -> ExactScalars:
        return self._wrap(self.plain.log(self._bare(a)))

    def power(self, a: Any, exponent: Fraction) -> ExactScalars:
        return self._wrap(self.plain.power(self._bare(a), exponent))

    def minimum(self, a: Any, b: Any) -> ExactScalars:
        return self._wrap(self.plain.minimum(self._bare(a), self._bare(b)))

    def maximum(self, a: Any, b: Any) -> ExactScalars:
        return self._wrap(self.plain.maximum(self._bare(a), self._bare(b)))

    def choose(self, condition: Any, a: Any, b: Any) -> ExactScalars:
        return self._wrap(each(_choose, 3)(np.asarray(condition), self._bare(a), self._bare(b)))

    def compare(self, a: Any, b: Any) -> Orders:
        return self.plain.compare(self._bare(a), self._bare(b))

    def concatenate(self, parts: Sequence[Any]) -> ExactScalars:
        return self._wrap(self.plain.concatenate([self._bare(part) for part in parts]))

    # -- scans ---------------------------------------------------------------------------------------------------
    def _carry(self, carry: Any) -> Any:
        return None if carry is None else self._bare(carry)

    def cumsum(self, a: Any, carry: Any = None) -> ExactScalars:
        return self._wrap(self.plain.cumsum(self._bare(a), self._carry(carry)))

    def cumprod(self, a: Any, carry: Any = None) -> ExactScalars:
        return self._wrap(self.plain.cumprod(self._bare(a), self._carry(carry)))

    def cummin(self, a: Any, carry: Any = None) -> ExactScalars:
        return self._wrap(self.plain.cummin(self._bare(a), self._carry(carry)))

    def cummax(self, a: Any, carry: Any = None) -> ExactScalars:
        return self._wrap(self.plain.cummax(self._bare(a), self._carry(carry)))

    def recurrence(self, a: Any, b: Any, carry: Any) -> ExactScalars:
        return self._wrap(self.plain.recurrence(self._bare(a), self._bare(b), self._bare(carry)))

    # -- vectors -------------------------------------------------------------------------------------------------
    def scale(self, s: Any, v: ExactVectors) -> ExactVectors:
        return ExactVectors(self.plain.scale(self._bare(s), v.data))

    def dot(self, u: ExactVectors, v: ExactVectors) -> ExactScalars:
        return self._wrap(self.plain.dot(u.data, v.data))

    def normsq(self, v: ExactVectors) -> ExactScalars:
        return self.dot(v, v)

    def norm(self, v: ExactVectors) -> ExactScalars:
        return self.sqrt(self.dot(v, v))

    def matvec(self, matrix: ExactMatrix, v: ExactVectors) -> ExactVectors:
        return ExactVectors(self.plain.matvec(matrix, v.data))

    def coordinate(self, v: ExactVectors, j: int) -> ExactScalars:
        return self._wrap(v.data[..., j])

    def from_coordinates(self, coordinates: Sequence[Any]) -> ExactVectors:
        return ExactVectors(self.plain.from_coordinates([self._bare(part) for part in coordinates]))

    def sigmoid(self, v: ExactVectors) -> ExactVectors:
        return ExactVectors(self.plain.sigmoid(v.data))

    def softplus_sum(self, v: ExactVectors) -> ExactScalars:
        return self._wrap(self.plain.softplus_sum(v.data))

    def softplus_bregman_sum(self, v: ExactVectors, d: ExactVectors) -> ExactScalars:
        return self._wrap(self.plain.softplus_bregman_sum(v.data, d.data))

    def cumsum_vectors(self, v: ExactVectors, carry: ExactVectors | None = None) -> ExactVectors:
        return ExactVectors(self.plain.cumsum_vectors(v.data, None if carry is None else carry.data))

    def concatenate_vectors(self, parts: Sequence[ExactVectors]) -> ExactVectors:
        return ExactVectors(self.plain.concatenate_vectors([part.data for part in parts]))

    def observed(self, plain: Any, formula: ExactVectors) -> ExactVectors:
        """An exact run computes the formula itself."""
        return ExactVectors(self.plain.vectors(plain))

    def enlarge(self, v: ExactVectors, radius: Any) -> ExactVectors:
        _needs_no_error(radius, "vectors")
        return v

    def radius(self, v: ExactVectors) -> Floats:
        return np.zeros(v.shape)

    # -- looking -------------------------------------------------------------------------------------------------
    def middle(self, a: Any) -> Floats:
        return np.asarray(self.plain.middle(self._bare(a)))

    def error(self, a: Any) -> Floats:
        undefined = each(lambda entry: isinstance(entry, Undefined))(self._bare(a)).astype(bool)
        return np.where(undefined, np.inf, 0.0)

    def text(self, a: Any) -> str:
        """The fraction itself, or its leading digits where it is too long to read."""
        number = self._bare(a)[()]
        written = str(number)
        if isinstance(number, Undefined) or len(written) <= LONGEST:
            return written
        return f"{float(number):.12g} (a fraction of {len(written)} digits)"

    def reason(self, a: Any) -> str | None:
        return next((entry.reason for entry in self._bare(a).reshape(-1) if isinstance(entry, Undefined)), None)


LONGEST = 60  # characters of a fraction that people are shown whole


def _needs_no_error(error: Any, what: str) -> None:
    if np.any(np.asarray(error) != 0):
        found = np.max(np.abs(error))
        raise NotInThisArithmetic(f"rational arithmetic has exact {what}; found an error of {found}, needs 0: use mp:50")
