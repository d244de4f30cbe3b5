"""Two implementations of the same programs agree: ours, and PEPit's on cvxpy."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

pytest.importorskip("PEPit")

from boundcheck.falsify.gram_search.worst import solve
from boundcheck.gram.program import Setting
from boundcheck.library.catalogue import find_bounds
from boundcheck.theorems.directional_smoothness.worst_cases import claim
from boundcheck.tightness.families import for_the_last_iterate
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.program import worst, worst_ratio

from .pepit_oracle import worst_by_pepit

pytestmark = pytest.mark.xdist_group("pepit")

TOLERANCE = 1e-4
M = (F(1), F(3), F(1, 2))


def adapted(k, path="any", times=1):
    return Numbers(steps=tuple(times / m for m in M[:k]), chords=M[:k], path=path)


def classical(label):
    return find_bounds(f"classical/{label}")[0]


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("label", ["gd.rate@printed", "gd.rate-2k@printed"])
def test_gradient_descent(label, k):
    numbers = Numbers(steps=(1,) * k, L=1)
    assert worst_ratio(classical(label), k, numbers).high == pytest.approx(
        worst_by_pepit(classical(label), k, numbers), rel=TOLERANCE
    )


@pytest.mark.parametrize("path", ["any", "H", "D"])
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("times", [F(1), F(1, 2), F(3, 2)])
def test_adapted_steps(path, k, times):
    average = claim("prop:convex-any-stepsize@printed")
    numbers = adapted(k, path, times)
    assert worst_ratio(average, k - 1, numbers).high == pytest.approx(worst_by_pepit(average, k - 1, numbers), rel=TOLERANCE)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_last_iterate(k):
    last = for_the_last_iterate(claim("prop:convex-any-stepsize@printed"))
    assert worst_ratio(last, k - 1, adapted(k)).high == pytest.approx(worst_by_pepit(last, k - 1, adapted(k)), rel=TOLERANCE)


@pytest.mark.parametrize(
    ("label", "k", "numbers"),
    [
        ("eq:convex-accelerated-rate@proved", 1, Numbers(steps=(1, 2), chords=(1, F(1, 2)), parameters={"alpha0": F(3, 4)})),
        ("eq:sc-accelerated-rate@proved", 2, Numbers(steps=(1,) * 3, chords=(1,) * 3, mu=F(1, 4))),
        ("thm:polyak.strongly-adapted@printed", 2, Numbers(steps=(1, 2), chords=(1, F(1, 2)), path="H")),
        ("thm:polyak@printed", 2, Numbers(steps=(F(4, 5),) * 2, chords=(1, 1), path="H", parameters={"gamma": F(3, 2)})),
        ("thm:polyak-alternate@proved", 2, Numbers(steps=(1,) * 2, parameters={"gamma": F(3, 2)})),
    ],
)
def test_claims_of_a_paper(label, k, numbers):
    assert worst_ratio(claim(label), k, numbers).high == pytest.approx(worst_by_pepit(claim(label), k, numbers), rel=TOLERANCE)


def test_a_strongly_convex_contraction():
    from boundcheck import Bound, Follows, GradientDescent, Smooth, StronglyConvex
    from boundcheck.letters import Delta, L, eta, i, k, mu_f

    given = (StronglyConvex, Smooth, GradientDescent(), Follows(eta[i] == 2 / (L + mu_f)))
    rate = Bound(given=given, states=Delta[k] <= (((L - mu_f) / (L + mu_f)) ** 2) ** k * Delta[0])
    numbers = Numbers(steps=(F(8, 5),) * 2, L=1, mu=F(1, 4))
    ours = worst_ratio(rate, 2, numbers).high
    assert ours == pytest.approx(worst_by_pepit(rate, 2, numbers), rel=TOLERANCE)
    assert ours == pytest.approx(1, rel=TOLERANCE)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_minimum_over_the_run(k):
    from boundcheck import Bound, Convex, Follows, GradientDescent, Smooth
    from boundcheck.letters import L, Min, delta, eta, grad, i, normsq, x
    from boundcheck.letters import k as last

    given = (Convex, Smooth, GradientDescent(), Follows(eta[i] == 1 / L))
    least = Bound(given=given, states=Min(normsq(grad(x[i])), i, 0, last) <= L * delta[0] / (last + 1))
    numbers = Numbers(steps=(1,) * k, L=1)
    assert worst_ratio(least, k, numbers).high == pytest.approx(worst_by_pepit(least, k, numbers), rel=TOLERANCE)


def by_the_search(bound, setting, right):
    """left at worst where Delta_0 = 1, by the program of the search: what left - right/100 comes to, with right/100 added."""
    small = F(1, 100)
    return solve(bound.sharpened(small), setting, sizes=("distance",)).value + float(small) * right


@pytest.mark.parametrize(
    ("label", "numbers"),
    [
        ("prop:convex-any-stepsize@printed", Numbers(steps=(1, F(1, 3)), chords=(1, 3), path="D")),
        ("thm:polyak.strongly-adapted@printed", Numbers(steps=(1, 2), chords=(1, F(1, 2)), path="H")),
        ("thm:polyak@printed", Numbers(steps=(F(4, 5),) * 2, chords=(1, 1), path="H", parameters={"gamma": F(3, 2)})),
    ],
)
def test_the_search_and_the_ratio_have_the_same_worst_case(label, numbers):
    k = 1 if label.startswith("prop") else 2
    setting = replace(numbers.setting(k), only_convex=True)
    assert isinstance(setting, Setting)
    right, ratio = worst(claim(label), k, numbers)
    assert ratio.low * right == pytest.approx(by_the_search(claim(label), setting, right), rel=1e-3)
