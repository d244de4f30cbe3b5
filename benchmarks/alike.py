"""A problem of boundcheck as the plain functions of `baselines`: the same matrix, start and minimiser, in float64."""

from __future__ import annotations

import numpy as np
from baselines import Function, logistic, quadratic

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.model.problem import Problem


def as_function(problem: Problem) -> Function:
    """A quadratic from its Hessian; logistic regression from its margins, which the gradient's owner keeps."""
    assert problem.minimiser is not None and problem.L is not None and problem.start is not None
    start, xstar = FLOAT64.vector(problem.start), FLOAT64.vector(problem.minimiser.point)
    if problem.hessian is not None:
        return quadratic(np.ascontiguousarray(problem.hessian(FLOAT64).rows), start, xstar, float(problem.L))
    Z = margins(problem)
    return logistic(Z, start, xstar, float(problem.minimiser.value), float(problem.L))


def margins(problem: Problem) -> np.ndarray:
    """Z of logistic regression, f = sum of log(1 + exp(Z x))."""
    return np.array(problem.grad.__self__.constants._matrix, dtype=np.float64)  # type: ignore[attr-defined]
