"""A second opinion on gradients: autograd through the same formulas in float64."""

from __future__ import annotations

from typing import Any

import autograd
import autograd.numpy as anp
import numpy as np
from autograd.tracer import getval

from boundcheck.arithmetic.plain import FLOAT64, PlainFloat64
from boundcheck.model.problem import Problem
from boundcheck.testing.contract import Wrong, points, shown


class _Autodiff(PlainFloat64):
    """float64 formulas that autograd can trace."""

    def abs(self, a: Any) -> Any:
        return anp.abs(a)

    def sqrt(self, a: Any) -> Any:
        return anp.sqrt(a)

    def minimum(self, a: Any, b: Any) -> Any:
        return anp.minimum(a, b)

    def maximum(self, a: Any, b: Any) -> Any:
        return anp.maximum(a, b)

    def choose(self, condition: Any, a: Any, b: Any) -> Any:
        return anp.where(np.asarray(condition) == 1, a, b)

    def compare(self, a: Any, b: Any) -> Any:
        return super().compare(_plain(a), _plain(b))

    def array(self, values: Any) -> Any:
        return values if hasattr(values, "_value") else super().array(values)

    def dot(self, u: Any, v: Any) -> Any:
        return anp.sum(u * v, axis=-1)

    def matvec(self, matrix: Any, v: Any) -> Any:
        return anp.dot(v, matrix.columns)

    def softplus_sum(self, v: Any) -> Any:
        return anp.sum(anp.logaddexp(0.0, v), axis=-1)

    def sigmoid(self, v: Any) -> Any:
        return 1 / (1 + anp.exp(-v))

    def from_coordinates(self, coordinates: Any) -> Any:
        return anp.stack(coordinates, axis=-1)


def _plain(a: Any) -> Any:
    while hasattr(a, "_value"):
        a = getval(a)
    return a


AUTODIFF = _Autodiff()


def the_gradient_agrees_with_autodiff(problem: Problem) -> None:
    slope = autograd.grad(lambda x: problem.f(AUTODIFF, x))
    for x in points(problem, seed=5):
        found, expected = problem.grad(FLOAT64, x), slope(x)
        if not np.linalg.norm(found - expected) <= 1e-10 * (1 + np.linalg.norm(expected)):
            raise Wrong(found=f"the gradient {shown(found)} at x = {shown(x)}", needed=shown(expected), do="correct grad")
