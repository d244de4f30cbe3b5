"""Worst cases over a whole class of functions: semidefinite programs of performance estimation, compared with the bounds."""

from boundcheck.tightness.result import WorstCase
from boundcheck.tightness.table import worst_cases

__all__ = ["WorstCase", "worst_cases"]
