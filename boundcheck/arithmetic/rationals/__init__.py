"""Exact rationals by python-flint: a decided comparison is a proof, and equalities can be proved."""
