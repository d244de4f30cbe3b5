"""A counterexample that a person can follow with pencil and paper: as a paragraph (`words`) or line by line (`steps`)."""

from boundcheck.certificates.walkthrough.lines import steps
from boundcheck.certificates.walkthrough.paragraph import said, words

__all__ = ["said", "steps", "words"]
