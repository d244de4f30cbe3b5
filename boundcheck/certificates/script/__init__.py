"""A counterexample as a short script of plain fractions."""

from boundcheck.certificates.script.writing import script

__all__ = ["script"]
