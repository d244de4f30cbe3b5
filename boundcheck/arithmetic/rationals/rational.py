"""Exact rationals (python-flint's fmpq). A decided comparison is a proof, and equalities can be proved.

What is not rational (sqrt 2) or not defined (1/0) becomes `Undefined`, which remembers why and compares UNKNOWN.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Floats, NotInThisArithmetic
from boundcheck.arithmetic.rationals.plain import PlainRational, each
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.arithmetic.wrapped_numbers import WrappedScalars, WrappedVectors, WrappingArithmetic


class Rational(WrappingArithmetic):
    """Every operation is exact."""

    name = "rational"
    certified = True
    exact = True

    def __init__(self) -> None:
        self.plain: PlainRational = PlainRational()

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalars(self, values: Any, error: Any = 0.0) -> WrappedScalars:
        _needs_no_error(error, "scalars")
        return WrappedScalars(self, self.bare(values))

    def undefined(self, shape: tuple[int, ...], reason: str) -> WrappedScalars:
        made = np.empty(shape, dtype=object)
        made.reshape(-1)[:] = [Undefined(reason)] * made.size
        return WrappedScalars(self, made)

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> WrappedVectors:
        _needs_no_error(radius, "vectors")
        return WrappedVectors(self, self.plain.vectors(coordinates))

    def observed(self, plain: Any, formula: WrappedVectors) -> WrappedVectors:
        """An exact run computes the formula itself."""
        return self.vectors(plain)

    def enlarge(self, v: WrappedVectors, radius: Any) -> WrappedVectors:
        _needs_no_error(radius, "vectors")
        return v

    def radius(self, v: WrappedVectors) -> Floats:
        return np.zeros(v.shape)

    def apart(self, v: WrappedVectors, stored: Any) -> Floats:
        return np.zeros(v.shape)

    # -- looking -------------------------------------------------------------------------------------------------
    def middle(self, a: Any) -> Floats:
        return np.asarray(self.plain.middle(self.bare(a)))

    def error(self, a: Any) -> Floats:
        undefined = each(lambda entry: isinstance(entry, Undefined))(self.bare(a)).astype(bool)
        return np.where(undefined, np.inf, 0.0)

    def text(self, a: Any) -> str:
        """The fraction itself, or its leading digits where it is too long to read."""
        number = self.bare(a)[()]
        written = str(number)
        if isinstance(number, Undefined) or len(written) <= LONGEST:
            return written
        return f"{_leading(number)} (a fraction of {len(written)} digits)"

    def reason(self, a: Any) -> str | None:
        return next((entry.reason for entry in self.bare(a).reshape(-1) if isinstance(entry, Undefined)), None)


def _leading(number: Any) -> str:
    """Twelve digits, also of a number that no float64 comes near."""
    bits = abs(int(number.p).bit_length() - int(number.q).bit_length())
    if bits < 1000:
        return f"{int(number.p) / int(number.q):.12g}"
    with localcontext() as context:
        context.prec = 12
        return f"{Decimal(int(number.p)) / Decimal(int(number.q)):.11e}"


LONGEST = 60  # characters of a fraction that people are shown whole


def _needs_no_error(error: Any, what: str) -> None:
    if np.any(np.asarray(error) != 0):
        found = np.max(np.abs(error))
        raise NotInThisArithmetic(f"rational arithmetic has exact {what}; found an error of {found}, needs 0: use mp:50")
