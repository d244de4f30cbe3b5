"""Pictures: a counterexample with its iterates on the function, and both sides of a claim against k."""

from boundcheck.report.drawing.curves import curves
from boundcheck.report.drawing.picture import picture

__all__ = ["curves", "picture"]
