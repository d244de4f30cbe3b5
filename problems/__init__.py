"""Oracles to run methods on: one file a family, each a formula, its facts and its minimiser. `CATALOGUE` has standard instances."""

from boundcheck.problems.catalogue import CATALOGUE

__all__ = ["CATALOGUE"]
