"""What is false is said to fail, and what is not known is not said to be tight."""

from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from math import isnan

import pytest

from boundcheck import Bound, Convex, Follows, GradientDescent, Smooth
from boundcheck.gram.affine import ZERO, Affine, NotModelled
from boundcheck.gram.solver import Solution, Unsolved
from boundcheck.letters import Delta, L, Min, Sum, delta, eta, f, i, k, x
from boundcheck.theorems.directional_smoothness.worst_cases import claim
from boundcheck.tightness.families import families
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.program import worst_ratio
from boundcheck.tightness.result import FAILS, WorstCase, improvable
from boundcheck.tightness.row import Row
from boundcheck.tightness.solving import Maximisation, Ratio, Unsettled, agreed, settle

pytestmark = pytest.mark.xdist_group("pepit")

TENTH_LESS = Fraction(9, 10)


def sharpened(family, k):
    row = next(iter(families()[family](k)))
    return replace(row, claim=row.claim.sharpened(TENTH_LESS)).solved()


@pytest.mark.parametrize("family", ["GD 1/L, exact rate", "adapted steps, average", "AGD, mu = M/10000"])
def test_a_tight_bound_made_a_tenth_smaller_fails(family):
    case = sharpened(family, 2)
    assert case.ratio == pytest.approx(1 / 0.9, rel=1e-3)
    assert case.verdict == FAILS and case.fails
    assert case.can_be_improved is None


def test_a_loose_bound_made_a_tenth_smaller_still_holds():
    assert sharpened("GD 1/L, classical rate", 2).can_be_improved is True


def test_false_statements_of_the_paper_fail():
    (printed,) = (row.solved() for row in families()["Polyak by its steps, as printed"](1))
    assert printed.ratio == pytest.approx(1.5, rel=1e-4) and printed.fails
    numbers = Numbers(steps=(0.4,), chords=(1.0,), parameters={"gamma": 1.25})
    assert worst_ratio(claim("thm:polyak@left-to-right"), 1, numbers).low == pytest.approx(15, rel=1e-3)


def test_a_program_without_a_bound_is_unknown():
    numbers = Numbers(steps=(1.0, 1.0), chords=(1.0, 1.0), mu=0.25)
    row = Row(name="AGD as printed", claim=claim("eq:sc-accelerated-rate@printed"), k=2, less=1, given=(("", numbers),), note="")
    case = row.solved()
    assert case.can_be_improved is None and isnan(case.worst) and not case.fails
    assert case.verdict == "unknown" and "unbounded" in case.note
    assert case.to_json()["worst"] is None and case.to_json()["ratio"] is None
    assert case.bound == pytest.approx(0.25)


def test_a_solver_that_fails_leaves_the_row_unknown(monkeypatch):
    def fails(_):
        raise Unsettled("the solver fails")

    monkeypatch.setattr(import_module("boundcheck.tightness.solving"), "settle", fails)
    (case,) = (row.solved() for row in families()["GD 1/L, exact rate"](1))
    assert case.verdict == "unknown" and case.bound == pytest.approx(1 / 6)


def answers(monkeypatch, *values):
    """The solver's answers, in the order of the units; None where it fails."""
    left = iter(values)

    def answer(_):
        if (value := next(left)) is None:
            raise Unsettled("the solver fails")
        return Ratio(value, value)

    monkeypatch.setattr(import_module("boundcheck.tightness.solving"), "settle", answer)
    return agreed(lambda times: None).high


def test_two_units_must_agree_and_the_larger_counts(monkeypatch):
    assert answers(monkeypatch, 0.8, 0.801) == 0.801
    assert answers(monkeypatch, 0.7375, 0.7494, 0.7499) == 0.7499
    assert answers(monkeypatch, None, 0.9, 0.9) == 0.9
    for values in ((0.7, 0.8, 0.9), (0.7, None, 0.9), (None, None, 0.9), (None, None, None)):
        with pytest.raises(Unsettled):
            answers(monkeypatch, *values)


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (0.9999, 1.0, False),
        (0.5, 0.5, True),
        (0.5, 1.0, None),
        (1.2, 1.2, None),
        (0.9969, 0.9969, True),
        (0.5, float("nan"), None),
    ],
)
def test_what_is_said_of_a_ratio(low, high, answer):
    assert improvable(low, high) is answer


def test_two_values_of_a_solver_that_disagree_settle_nothing(monkeypatch):
    one = Maximisation(objectives=((Affine(ZERO), ()),), below=(), equal=(), basis=0)

    def answers_with(found):
        monkeypatch.setattr(import_module("boundcheck.tightness.solving"), "maximise", lambda *_: found)
        return settle(one)

    assert answers_with(Solution(0.9, 0.9, True, {})) == Ratio(0.9, 0.9)
    with pytest.raises(Unsettled, match="do not agree"):
        answers_with(Solution(0.9, 1.0, True, {}))
    with pytest.raises(Unsettled):
        answers_with(Solution(0.9, float("nan"), True, {}))
    with pytest.raises(Unsettled, match="infeasible"):
        answers_with(Unsolved("PrimalInfeasible"))


def test_the_largest_of_several_objectives_counts(monkeypatch):
    left = iter((0.2, 0.9, 0.4))
    monkeypatch.setattr(
        import_module("boundcheck.tightness.solving"), "maximise", lambda *_: Solution(v := next(left), v, True, {})
    )
    assert settle(Maximisation(((Affine(ZERO), ()),) * 3, (), (), 0)) == Ratio(0.9, 0.9)


def test_numbers_that_break_a_hypothesis_are_refused():
    bound = claim("thm:polyak.strongly-adapted@printed")
    assert worst_ratio(bound, 1, Numbers(steps=(0.5,), chords=(2.0,))).low == pytest.approx(1, abs=0.003)
    with pytest.raises(NotModelled, match="hypothesis"):
        worst_ratio(bound, 1, Numbers(steps=(0.5,), chords=(1.0,)))
    with pytest.raises(NotModelled, match="hypothesis"):
        worst_ratio(claim("thm:polyak@printed"), 1, Numbers(steps=(1.0,), chords=(1.0,), parameters={"gamma": 2.5}))


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ("prop:sc-split-analysis@proved", r"mu\(x_i, x\*\)"),
        ("thm:polyak.strongly-adapted@order-of-eq-ad-4", "chord"),
    ],
)
def test_what_is_no_such_program_is_refused_and_not_guessed(label, why):
    numbers = Numbers(steps=(1.0, 1.0, 1.0), chords=(1.0, 1.0, 1.0), parameters={"gamma": 1.5})
    with pytest.raises(NotModelled, match=why):
        worst_ratio(claim(label), 2, numbers)


@pytest.mark.parametrize(
    ("states", "why"),
    [
        (delta[k] <= Min(L * Delta[i], i, 0, k), "minimum"),
        (Sum(delta[i], i, 0, k, where=delta[i] <= L * Delta[i]) <= L * Delta[0], "condition"),
        (delta[k] * Delta[k] <= L * Delta[0], r"product.*\(f\(x_k\)"),
        (delta[k] == L * Delta[0], "inequality"),
        (delta[k] <= L * Delta[0] + 1, "size of its own"),
        (delta[k] <= L * (Delta[0] - Delta[0]), "is 0"),
        (f(x[k]) <= L * Delta[0], "moves"),
    ],
)
def test_what_is_to_blame_is_named(states, why):
    rate = Bound(given=(Convex, Smooth, GradientDescent(), Follows(eta[i] == 1 / L)), states=states)
    with pytest.raises(NotModelled, match=why):
        worst_ratio(rate, 1, Numbers(L=1))


def test_steps_that_are_not_those_of_the_claims_own_formula_are_refused():
    rate = Bound(given=(Convex, Smooth, GradientDescent(), Follows(eta[i] == 1 / L)), states=delta[k] <= L * Delta[0])
    own, given = (worst_ratio(rate, 1, Numbers(L=2, **steps)).high for steps in ({}, {"steps": (0.5,)}))
    assert own == pytest.approx(given, rel=1e-6)
    with pytest.raises(NotModelled, match="formula gives 1/2"):
        worst_ratio(rate, 1, Numbers(L=2, steps=(1,)))


def test_steps_and_values_of_M_are_positive():
    for bad in ({"steps": (0.0,)}, {"steps": (1.0,), "chords": (-1.0,)}, {"steps": (1.0,), "path": "A"}):
        with pytest.raises(ValueError):
            Numbers(**bad)


def test_no_row_says_certified():
    case = WorstCase(claim="c", name="n", k=1, bound=1.0, worst=1.0, can_be_improved=False)
    assert "certified" not in case.verdict and case.to_json()["certified"] is False
