"""A counterexample as a short script of plain fractions."""

from boundcheck.script.writing import script

__all__ = ["script"]
