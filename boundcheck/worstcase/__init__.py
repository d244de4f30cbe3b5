"""Worst cases over a whole class of functions: semidefinite programs of performance estimation, compared with the bounds."""

from boundcheck.worstcase.result import WorstCase
from boundcheck.worstcase.table import worst_cases

__all__ = ["WorstCase", "worst_cases"]
