"""Two implementations of the same programs agree: PEPit's, and our own affine layer with Clarabel."""

from fractions import Fraction

import pytest

from boundcheck.falsify.gram_search.strategy import solve
from boundcheck.gram.program import Setting
from boundcheck.tightness.families import claim, for_the_last_iterate
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.program import program, worst, worst_ratio

from .second import adapted_worst

pytestmark = pytest.mark.xdist_group("pepit")

TOLERANCE = 1e-3  # suprema that are not attained: each solver stops short of them in its own way
M = (Fraction(1), Fraction(3), Fraction(1, 2))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_adapted_steps_on_any_M(k):
    values = tuple(map(float, M[:k]))
    numbers = Numbers(steps=tuple(1 / m for m in values), chords=values)
    average, right = claim("prop:convex-any-stepsize@printed"), 1 / (2 * sum(1 / m for m in values))
    ours = adapted_worst(M[:k], average=True), adapted_worst(M[:k], average=False)
    theirs = [worst_ratio(bound, k - 1, numbers).low * right for bound in (average, for_the_last_iterate(average))]
    assert theirs == pytest.approx(ours, rel=TOLERANCE)


def by_our_own_layer(bound, setting, right):
    """left at worst where Delta_0 = 1: what left - right/100 comes to, with right/100 added again."""
    small = Fraction(1, 100)
    return solve(bound.sharpened(small), setting, sizes=("distance",)).value + float(small) * right


SETTINGS = {
    "gd.rate-2k@printed": (Setting(k=3), Numbers(steps=(1.0,) * 3, L=1.0)),
    "prop:convex-any-stepsize@printed": (
        Setting(k=1, smoothness="D", steps=(Fraction(1), Fraction(1, 3)), chords=(Fraction(1), Fraction(3)), bent=None),
        Numbers(steps=(1.0, 1 / 3), chords=(1.0, 3.0), path="D"),
    ),
    "thm:polyak.strongly-adapted@printed": (
        Setting(k=2, smoothness="H", chords=(Fraction(1), Fraction(1, 2)), bent=None),
        Numbers(steps=(1.0, 2.0), chords=(1.0, 0.5), path="H"),
    ),
    "thm:polyak@printed": (
        Setting(
            k=2,
            smoothness="H",
            steps=(Fraction(4, 5),),
            chords=(Fraction(1),),
            parameters=(("gamma", Fraction(3, 2)),),
            bent=None,
        ),
        Numbers(steps=(0.8, 0.8), chords=(1.0, 1.0), path="H", parameters={"gamma": 1.5}),
    ),
}


@pytest.mark.parametrize("label", SETTINGS)
def test_claims_of_the_library(label):
    setting, numbers = SETTINGS[label]
    bound = claim(label, "classical" if label.startswith("gd") else "directional-smoothness")
    right, ratio = worst(bound, setting.k, numbers)
    assert ratio.low * right == pytest.approx(by_our_own_layer(bound, setting, right), rel=TOLERANCE)


def test_constraints_as_one_matrix_change_nothing():
    bound, numbers = (
        claim("eq:convex-accelerated-rate@proved"),
        Numbers(steps=(1.0, 2.0), chords=(1.0, 0.5), parameters={"alpha0": 0.75}),
    )
    stacked = worst_ratio(bound, 1, numbers)
    plain = program(bound, 1, numbers)[0].solve(wrapper="cvxpy", solver="CLARABEL", verbose=0)
    assert stacked.high == pytest.approx(plain, rel=1e-5)
