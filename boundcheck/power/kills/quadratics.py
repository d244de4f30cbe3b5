"""Quadratics that no search hits: those whose first step, by a rule such as 1/A, is just what a hypothesis wants it to be.

With the eigenvalues 1, 3/2, 3 and the gradient (1, 4, 3), exact line search begins with 2/(mu + L) though all three take part;
with 1, 5, 11 and (4, 1, 1) the rule 1/D does. With 1, 3, 3 and (1, 1, 0) only the extremes take part.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Once
from boundcheck.falsify.families import PARABOLAS
from boundcheck.falsify.shapes import Vector
from boundcheck.falsify.space import FREE, MOVED, Space, follows_implicitly
from boundcheck.falsify.strategies import Found, Looker
from boundcheck.language.scalars import Term

THREE = PARABOLAS[-1]  # in three dimensions
KS = (1, 2)
OF_TWO, OF_THREE, OF_ENDS = ("1", "3/2", "3"), ("1", "5", "11"), ("1", "3", "3")
KNOWN = ((OF_TWO, ("1", "4", "3")), (OF_THREE, ("4", "1", "1")), (OF_ENDS, ("1", "1", "0")))  # eigenvalues, gradient at x_0
LATER = Fraction(1, 2)  # steps after the first, in units of 1/L, where they are free


def found_on_quadratics(bound: Bound) -> Found | None:
    """Where a claim whose steps are roots, or whose hypotheses fix the first by an equation, fails on one of these."""
    if bound.is_about_chords or bound.parameters or bound.runs.searched:
        return None
    if not follows_implicitly(bound) and not any(_fixes_a_step(h) for h in bound.hypotheses):
        return None
    for kind, form in product(bound.smoothness if bound.reads_M else ("",), (FREE, MOVED)):
        looker = Looker(space := Space(bound, kind, THREE, KS, form))
        looker.scores(np.array([[float(v) for v in row] for row in _rows(space)]), rough=False)
        if looker.found is not None:
            return looker.found
    return None


def _fixes_a_step(hypothesis: object) -> bool:
    if not isinstance(hypothesis, Once) or hypothesis.relation.op != "==":
        return False
    return isinstance(hypothesis.relation.left, Term) and hypothesis.relation.left.name == "eta"


def _rows(space: Space) -> Iterator[Vector]:
    for eigenvalues, gradient in KNOWN:
        bent, slope = (tuple(map(Fraction, numbers)) for numbers in (eigenvalues, gradient))
        centre = Fraction(space.moved)
        start = tuple(centre + g / b for g, b in zip(slope, bent, strict=True))
        moves = (*[centre] * THREE.dimension, Fraction(0)) if space.moved else ()
        first = 2 * max(bent) / (max(bent) + min(bent))
        steps = len(space.grids) - len(bent) - len(start) - len(moves)
        yield (*bent, *start, *((first, *[LATER] * steps)[:steps]), *moves)
