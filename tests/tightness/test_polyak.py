"""Polyak's step: between the worst steps that were tried and a relaxation over all of them."""

from dataclasses import replace

import pytest

from boundcheck.gram.affine import NotModelled
from boundcheck.theorems.directional_smoothness.polyak_relaxation import over_all_steps
from boundcheck.theorems.directional_smoothness.worst_cases import claim
from boundcheck.tightness.families import families
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.program import worst_ratio
from boundcheck.tightness.solving import Unsettled

pytestmark = pytest.mark.xdist_group("pepit")


def at(steps, M, gamma):
    return Numbers(steps=steps, chords=M, parameters={"gamma": gamma})


@pytest.mark.parametrize("gamma", [1.25, 1.5, 1.75])
def test_one_step_comes_to_gamma_times_2_minus_gamma_of_the_bound(gamma):
    shortest = 2 * (gamma - 1) / gamma
    reached = worst_ratio(claim("thm:polyak@printed"), 1, at((shortest,), (1.0,), gamma)).low
    assert reached == pytest.approx(gamma * (2 - gamma), rel=1e-4)
    assert over_all_steps(claim("thm:polyak@printed"), 1, (1.0,), gamma) == pytest.approx(gamma * (2 - gamma), rel=1e-4)


@pytest.mark.parametrize("k", [2, 3])
def test_the_relaxation_is_never_below_what_is_reached_and_shows_that_the_bound_can_be_improved(k):
    for row in families()["Polyak, gamma = 3/2"](k):
        case = row.solved()
        assert case.worst <= case.at_most * (1 + 1e-4) < 0.95 * case.bound
        assert case.can_be_improved is True


def test_the_relaxation_holds_for_steps_that_no_pattern_has():
    bound, M, gamma = claim("thm:polyak@printed"), (1.0, 0.7, 1.6), 1.5
    most = over_all_steps(bound, 3, M, gamma)
    for u in ((0.7, 0.9, 1.2), (1.3, 0.7, 0.8), (0.68, 1.1, 0.7)):
        steps = tuple(a / m for a, m in zip(u, M, strict=True))
        assert worst_ratio(bound, 3, at(steps, M, gamma)).low <= most * (1 + 1e-4)


def test_steps_that_are_too_short_for_any_run_are_unknown_and_not_loose():
    with pytest.raises(Unsettled):
        worst_ratio(claim("thm:polyak@printed"), 1, at((0.1,), (1.0,), 1.5))


def test_without_an_upper_bound_over_all_steps_nothing_is_said():
    def no_answer(*_):
        raise Unsettled("the solver fails")

    row = replace(next(families()["Polyak, gamma = 3/2"](2)), relaxation=no_answer)
    assert row.solved().can_be_improved is None


@pytest.mark.parametrize(
    ("label", "why"), [("thm:polyak.best@printed", "mean"), ("thm:polyak.strongly-adapted@printed", "Polyak's step")]
)
def test_the_relaxation_refuses_a_claim_that_it_is_not_for(label, why):
    with pytest.raises(NotModelled, match=why):
        over_all_steps(claim(label), 2, (1.0, 1.0), 1.5)
