"""What a relation demands of the data: numbers that are at most 0, and numbers that are 0.

Where the larger side is the smallest of several numbers, or the smaller side the largest, the relation is one for each of them.
"""

from __future__ import annotations

from boundcheck.gram.affine import Affine, NotModelled
from boundcheck.gram.algebra import GramAlgebra
from boundcheck.language.relations import Relation


def demanded(algebra: GramAlgebra, at_most_0: Affine, relation: Relation) -> tuple[list[Affine], list[Affine]]:
    """Return what is at most 0, and what is 0, where `at_most_0` is: a difference of the sides of an inequality."""
    below: list[Affine] = []
    equal: list[Affine] = []
    for piece in _pieces(algebra, at_most_0, relation):
        if (opposite := -piece) in below:
            below.remove(opposite)
            equal.append(piece)
        elif piece not in below and piece not in equal and opposite not in equal:
            below.append(piece)
    return below, equal


def _pieces(algebra: GramAlgebra, at_most_0: Affine, relation: Relation) -> list[Affine]:
    for symbol, c in at_most_0.terms.items():
        if symbol[0] == "T":
            sign, pieces = algebra.pieces[symbol[1]]
            if (c > 0) != (sign > 0):
                raise NotModelled(f"the hypothesis {relation} says that one of several numbers is small, not which")
            return [found for piece in pieces for found in _pieces(algebra, at_most_0.put(symbol, piece), relation)]
    return [at_most_0]
