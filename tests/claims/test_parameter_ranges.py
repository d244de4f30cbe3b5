"""The range of a parameter is a hypothesis: a claim without one is refused, and what counts as one is decided here."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import boundcheck
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import By, Follows, GradientDescent, Runs
from boundcheck.claims.parameters import range_of, with_ranges
from boundcheck.language.letters import K, L, any_number, delta, eta, grad, i, k, normsq, x, y
from boundcheck.language.relations import Interval, Relation, interval
from boundcheck.language.scalars import Parameter
from boundcheck.model.method import GRADIENT_DESCENT, Method, Update
from boundcheck.model.step_search import StepSearch

gamma, other = Parameter("gamma"), Parameter("other")
POLYAK = Follows(eta[i] == gamma * delta[i] / normsq(grad(x[i])))
HEAVY = Method(name="heavy", first=(Update(y[0], x[0]),), each=(Update(x[k + 1], gamma * x[k] - eta[k] * grad(x[k])),))


def claim(*given: Any, **more: Any) -> Bound:
    chosen: dict[str, Any] = {"states": eta[k] <= gamma, "try_with": {"gamma": (1,), "other": (1,)}, **more}
    return Bound(given=given, **chosen)


@pytest.mark.parametrize("given", [(), (POLYAK,), (gamma**2 == 2 * gamma,), (gamma * eta[i] == 1,), (other > 0,)])
def test_a_parameter_without_a_range_is_refused_in_one_line(given: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="no range") as told:
        claim(*given)
    (line,) = str(told.value).splitlines()
    assert line == (
        "claim: the parameter gamma has no range; add a hypothesis such as gamma > 0 or gamma < 2 to given, "
        "or any_number(gamma) if it may be any real number"
    )


@pytest.mark.parametrize(
    "given",
    [
        *[
            (gamma > 0,),
            (0 < gamma, gamma < 2),
            (gamma == Fraction(3, 2),),
            (L == gamma,),
            (gamma <= eta[0],),
            (eta[i] < gamma / L,),
        ],
        *[(any_number(gamma),), (POLYAK, gamma < 2), (gamma < other, other < 1)],
    ],
)
def test_an_inequality_or_an_equation_for_it_alone_is_a_range(given: tuple[Any, ...]) -> None:
    assert "gamma" in claim(*given).parameters


def test_a_parameter_of_the_method_alone_needs_a_range_too() -> None:
    with pytest.raises(ValueError, match="the parameter gamma has no range"):
        claim(By(HEAVY), states=eta[k] <= 1)
    claim(By(HEAVY), gamma > 0, states=eta[k] <= 1)


def test_what_exponential_search_counts_needs_no_range_and_where_it_begins_does() -> None:
    runs = Runs.together({"": GRADIENT_DESCENT, "prime": GRADIENT_DESCENT}, steps=StepSearch("exponential search", ("", "prime")))
    tried = {"N": (1,), "eta0": (1,)}
    Bound(given=(runs,), states=Parameter("N") >= 1, for_all=K >= 1, try_with=tried)
    with pytest.raises(ValueError, match="the parameter N has no range"):
        Bound(given=(GradientDescent(),), states=Parameter("N") >= 1, for_all=K >= 1, try_with=tried)
    with pytest.raises(ValueError, match="the parameter eta0 has no range"):
        Bound(given=(runs,), states=Parameter("N") <= Parameter("eta0"), for_all=K >= 1, try_with=tried)


def test_any_number_is_a_relation_of_the_language_and_said_of_parameters_alone() -> None:
    assert boundcheck.any_number is any_number
    made = claim(any_number(gamma))
    assert str(made.hypotheses[0]) == "gamma^2 >= 0"
    assert Bound.from_json(made.to_json()).hash == made.hash
    with pytest.raises(TypeError, match="any_number is said of a parameter"):
        any_number(2)  # type: ignore[arg-type]


def test_a_claim_of_others_without_a_range_is_refused_when_it_is_read() -> None:
    data = claim(any_number(gamma)).to_json()
    with pytest.raises(ValueError, match="the parameter gamma has no range"):
        Bound.from_json({**data, "given": []})


@pytest.mark.parametrize(
    ("relations", "expected"),
    [
        ((), Interval()),
        ((gamma > 1, gamma < 2), Interval(Fraction(1), Fraction(2))),
        ((0 <= gamma, 2 * gamma - 1 <= 5), Interval(Fraction(0), Fraction(3), has_low=True, has_high=True)),
        ((-gamma < 1, gamma > -3), Interval(low=Fraction(-1))),
        ((gamma >= 1, gamma > 1), Interval(low=Fraction(1))),
        ((gamma > 1, gamma >= 1), Interval(low=Fraction(1))),
        ((1 - gamma / 2 > 0,), Interval(high=Fraction(2))),
        ((gamma == 3,), Interval(Fraction(3), Fraction(3), has_low=True, has_high=True)),
        ((gamma * gamma < 2, gamma < other, gamma < L, gamma <= eta[0], 1 / gamma < 2, any_number(gamma)), Interval()),
        ((gamma - gamma < 1,), Interval()),
    ],
)
def test_the_interval_of_a_parameter_is_read_off_relations_with_numbers(
    relations: tuple[Relation, ...], expected: Interval
) -> None:
    assert interval("gamma", relations) == expected


@pytest.mark.parametrize(
    ("made", "inside", "outside"),
    [
        (lambda: Interval(Fraction(0), Fraction(1)), ["1/2"], ["0", "1", "-1", "2"]),
        (lambda: Interval(Fraction(0), Fraction(1), True, True), ["0", "1"], ["-1/1000", "1001/1000"]),
        (lambda: Interval(low=Fraction(0), has_low=True), ["0", "1000"], ["-1"]),
        (lambda: Interval(), ["-5", "0"], []),
    ],
)
def test_ends_belong_to_an_interval_where_it_says_so(made: Callable[[], Interval], inside: list[str], outside: list[str]) -> None:
    assert all(Fraction(v) in made() for v in inside)
    assert not any(Fraction(v) in made() for v in outside)


def test_a_letter_that_lost_its_range_may_be_any_number() -> None:
    bound = claim(gamma > 0, gamma < other, other < 1)
    kept = with_ranges((gamma, other), bound.hypotheses[2:])
    assert [str(h) for h in kept] == ["other < 1", "gamma^2 >= 0"]
    assert range_of("other", kept) == Interval(high=Fraction(1)) and range_of("gamma", kept) == Interval()
