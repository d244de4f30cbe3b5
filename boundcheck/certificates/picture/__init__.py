"""The picture of a counterexample: its iterates on the function."""

from boundcheck.certificates.picture.picture import picture

__all__ = ["picture"]
