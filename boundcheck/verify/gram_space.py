"""The Gram space: vectors as combinations of a basis of which the file gives the inner products.

A positive semidefinite matrix G is the Gram matrix of some vectors of some R^d, and only such a matrix is. So where elimination
(L D L^T, exactly) shows that G is semidefinite, there are vectors b_1, ..., b_n with <b_i, b_j> = G_ij, and all that a claim says
of combinations of them is a number of G. Two combinations are one vector if and only if their difference has length 0.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mat

from .arithmetic import ZERO, definite, minus
from .budgets import DIMENSION, Number, Vector, sized, spend
from .fields import rationals
from .refusals import must, need

BASIS = 150  # vectors of a basis, at most


class GramSpace:
    """All combinations of vectors with a given Gram matrix. A vector is the list of its coefficients."""

    def __init__(self, data: Any) -> None:
        need(isinstance(data, list) and 0 < len(data) <= min(BASIS, DIMENSION), f"a Gram matrix has 1 to {BASIS} rows")
        self.dimension = len(data)
        self.rows = [rationals(row, self.dimension) for row in data]
        symmetric = all(self.rows[i][j] == self.rows[j][i] for i in range(self.dimension) for j in range(i))
        need(symmetric, "a Gram matrix is symmetric")
        self._matrix = fmpq_mat(self.rows)

    def check_that_it_exists(self) -> None:
        """Raise NotRefuted unless the matrix is positive semidefinite, so that some vectors have these inner products."""
        must(definite([list(row) for row in self.rows]), "the Gram matrix is not positive semidefinite: no vectors have it")

    def inner(self, u: Vector, v: Vector) -> fmpq:
        """Return the inner product of two combinations."""
        spend(self.dimension)
        left, right = fmpq_mat([u]), fmpq_mat([[c] for c in v])
        return sized((left * self._matrix * right)[0, 0])  # type: ignore[no-any-return]

    def square(self, u: Vector) -> fmpq:
        """Return the squared length."""
        return self.inner(u, u)

    def same(self, u: Vector, v: Vector) -> bool:
        """Tell whether two combinations are one vector."""
        return bool(u == v or self.square(minus(u, v)) == 0)

    def zero(self) -> Vector:
        """Return the vector 0."""
        return [ZERO] * self.dimension


def is_exact(vector: Vector) -> bool:
    """Tell whether every coefficient is a fraction: of balls it is not known whether two vectors are one."""
    return all(isinstance(c, fmpq) for c in vector)


def is_fraction(number: Number) -> bool:
    """Tell whether a number is exact."""
    return isinstance(number, fmpq)
