"""Semidefinite programs: the worst case over a class of functions, for fixed steps."""
