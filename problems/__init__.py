"""Oracles to run methods on: one file a family, each its formula, its facts and its minimiser. `CATALOGUE` names instances."""

from boundcheck.problems.catalogue import CATALOGUE

__all__ = ["CATALOGUE"]
