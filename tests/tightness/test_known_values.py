"""Worst cases with a known closed form, and what the paper's bounds come to."""

from math import sqrt

import pytest

from boundcheck.theorems.directional_smoothness.worst_cases import ALL, claim, of_a_path
from boundcheck.tightness.families import families, for_the_last_iterate
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.program import ratio_program, worst_ratio

pytestmark = pytest.mark.xdist_group("pepit")

SMALL = (1, 2, 3)


def cases(family, k):
    return [row.solved() for row in families()[family](k)]


@pytest.mark.parametrize("k", SMALL)
def test_gradient_descent_with_steps_1_over_L_is_as_slow_as_L_over_4k_plus_2(k):
    (exact,) = cases("GD 1/L, exact rate", k)
    assert exact.worst == pytest.approx(1 / (4 * k + 2), rel=1e-4)
    assert exact.bound == pytest.approx(1 / (4 * k + 2), rel=1e-12)
    assert exact.can_be_improved is False
    (classical,) = cases("GD 1/L, classical rate", k)
    assert classical.bound == pytest.approx(1 / (2 * k), rel=1e-12)
    assert classical.worst == pytest.approx(exact.worst, rel=1e-4)
    assert classical.can_be_improved is True


@pytest.mark.parametrize("k", SMALL)
def test_the_averaged_bound_of_strongly_adapted_steps_is_tight_whatever_the_values_of_M(k):
    found = cases("adapted steps, average", k)
    assert [case.given.split(",")[0] for case in found] == [sequence.words for sequence in ALL]
    for case, sequence in zip(found, ALL, strict=True):
        assert case.bound == pytest.approx(1 / (2 * sum(1 / m for m in sequence.values(k))), rel=1e-12)
        assert case.ratio == pytest.approx(1, abs=0.003)
        assert case.can_be_improved is False


def test_the_last_iterate_is_strictly_better_from_two_steps_on():
    assert all(case.can_be_improved is False for case in cases("adapted steps, last", 1))
    for k in (2, 3):
        assert all(case.can_be_improved is True and case.ratio < 0.81 for case in cases("adapted steps, last", k))
    assert cases("adapted steps, last", 2)[0].worst == pytest.approx((3 - sqrt(5)) / 4, rel=1e-4)


def test_steps_that_are_not_1_over_M_have_tight_bounds_too():
    for family in ("steps 1/(2M), average", "steps 3/(2M), average"):
        assert all(case.can_be_improved is False for case in cases(family, 2))


def test_the_bound_is_tight_for_H_and_loose_for_D():
    assert all(case.can_be_improved is False for case in cases("adapted steps, average, M = H", 2))
    (first, *_) = cases("adapted steps, average, M = D", 1)
    assert first.worst == pytest.approx(2 - sqrt(3), rel=1e-4)
    assert first.can_be_improved is True


def test_the_linear_rate_of_AGD_is_tight_for_one_step_and_nearly_so_for_small_mu():
    assert all(case.can_be_improved is False for case in cases("AGD, mu = M/4", 1))
    assert all(case.can_be_improved is True for case in cases("AGD, mu = M/4", 2))
    assert all(case.can_be_improved is False for case in cases("AGD, mu = M/10000", 2))
    assert all(case.can_be_improved is True for case in cases("AGD, convex", 2))


def test_a_path_has_its_own_values():
    M = of_a_path(10)
    assert len(M) == 10 and M[0] == 1 and len(set(M)) == 10


def test_steps_that_differ_a_thousandfold_cost_little_accuracy():
    short, long = (worst(tuple(0.25**n for n in range(k))) for k in (5, 8))
    assert 0.8224 < long < short < 0.8232


def worst(M):
    bound = for_the_last_iterate(claim("prop:convex-any-stepsize@printed"))
    return worst_ratio(bound, len(M) - 1, Numbers(steps=tuple(1 / m for m in M), chords=M)).high


def test_the_unit_of_f_changes_the_bound_and_no_ratio():
    bound = claim("prop:convex-any-stepsize@printed")
    made = [ratio_program(bound, 1, Numbers(steps=(1 / s, 2 / s), chords=(s, s / 2))) for s in (1.0, 7.0)]
    assert [one.size for one in made] == pytest.approx([1 / 6, 7 / 6])
