"""Worst cases over a whole class of functions: semidefinite programs of performance estimation, compared with the bounds."""
