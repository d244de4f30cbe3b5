"""A program leaves out vectors of its basis that no formula reads: the answer is the same, and they are 0 in it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from boundcheck.gram.affine import Affine, normsq
from boundcheck.gram.solver import Solution, maximise

pytest.importorskip("clarabel")
ONE = Fraction(1)


def test_vectors_that_nothing_reads_are_left_out():
    first, last = {0: ONE}, {3: ONE}
    both = {0: ONE, 3: ONE}
    small = [normsq(v).plus(Affine(ONE), Fraction(-1)) for v in (first, last)]
    found = maximise(normsq(both), small, [], basis=4)
    assert isinstance(found, Solution)
    assert found.value == pytest.approx(4, rel=1e-6)
    gram = found.gram(4)
    assert gram.shape == (4, 4)
    assert not gram[1:3].any()
    assert gram[0, 3] == pytest.approx(1, rel=1e-6)
