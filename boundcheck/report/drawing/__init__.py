"""The picture of a counterexample: its iterates on the function."""

from boundcheck.report.drawing.picture import picture

__all__ = ["picture"]
