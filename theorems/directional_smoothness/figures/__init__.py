"""The paper's figures, computed again with the rules as they should be. `boundcheck figure` lists and makes them."""

from boundcheck.theorems.directional_smoothness.figures.logistic_comparison import logistic_comparison
from boundcheck.theorems.directional_smoothness.figures.quadratic_bound import quadratic_bound
from boundcheck.theorems.directional_smoothness.figures.quadratics import quadratics
from boundcheck.theorems.directional_smoothness.figures.rate_comparison import rate_comparison

__all__ = ["rate_comparison", "quadratic_bound", "quadratics", "logistic_comparison"]
