"""What relations with a largest or smallest number demand, and classes that say what holds for each block of coordinates."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from boundcheck import BlockSmooth, Bound, By, Convex, Method, Smooth, Update
from boundcheck.gram.affine import Affine, NotModelled
from boundcheck.gram.algebra import GramAlgebra
from boundcheck.gram.demands import demanded
from boundcheck.letters import Constant, Delta, L, Max, Min, block, delta, grad, i, inner, j, k, n, normsq, x
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.program import worst_ratio
from boundcheck.tightness.solving import Unsettled

U, V = (Affine(F(0), {("F", number): F(1)}) for number in range(2))
RELATION = delta[i] <= 0


def test_the_largest_is_at_most_0_where_each_is():
    algebra = GramAlgebra()
    assert demanded(algebra, algebra.extreme([U, V], 1), RELATION) == ([U, V], [])


def test_an_absolute_value_that_is_at_most_0_is_an_equation():
    algebra = GramAlgebra()
    assert demanded(algebra, algebra.absolute(U), RELATION) == ([], [-U])


def test_one_of_several_is_no_demand():
    algebra = GramAlgebra()
    with pytest.raises(NotModelled, match="not which"):
        demanded(algebra, algebra.extreme([U, V], -1), RELATION)


def test_such_a_hypothesis_makes_the_worst_case_smaller():
    orthogonal = Max(abs(inner(grad(x[i + 1]), grad(x[j]))), j, 0, i) <= 0
    any_run = Bound(given=(Convex, Smooth), states=delta[k] <= L / 2 * Delta[0], for_all=k >= 1)
    this_run = Bound(given=(Convex, Smooth, orthogonal), states=any_run.states, for_all=k >= 1)
    numbers = Numbers(L=1, steps=(F(6, 5),))
    assert worst_ratio(this_run, 1, numbers).high < worst_ratio(any_run, 1, numbers).high - 0.01


def test_the_least_of_several_is_small_is_not_modelled():
    claim = Bound(given=(Convex, Smooth, Min(delta[j], j, 0, i) <= 0), states=delta[k] <= L / 2 * Delta[0], for_all=k >= 1)
    with pytest.raises(NotModelled, match="not which"):
        worst_ratio(claim, 1, Numbers(L=1))


L_1, L_2 = Constant("L_1"), Constant("L_2")


def step(part: int, of: Constant) -> Bound:
    method = Method(name="one block", each=(Update(x[k + 1], x[k] - 1 / of * block(grad(x[k]), part)),))
    descent = normsq(block(grad(x[k]), part)) <= 2 * of * (delta[k] - delta[k + 1])
    return Bound(given=(Convex, BlockSmooth, n == 2, By(method)), states=descent)


@pytest.mark.parametrize("claim", [step(1, L_1), step(2, L_2)], ids=["first", "second"])
def test_a_step_along_a_block_descends_as_that_block_allows(claim: Bound):
    assert worst_ratio(claim, 0, Numbers(constants={"L_1": 1, "L_2": 5})).high == pytest.approx(1, abs=1e-3)


def test_a_step_with_the_smoothness_of_another_block_does_not():
    with pytest.raises(Unsettled, match="unbounded"):
        worst_ratio(step(2, L_1), 0, Numbers(constants={"L_1": 1, "L_2": 5}))
