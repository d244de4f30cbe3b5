"""Shrinking keeps what was proved: the claim still fails, with a margin, at something simpler. A search found found.json."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from boundcheck.falsify.candidate import Candidate, InterpolationData, Ridges, RidgeTerm, steps_of
from boundcheck.falsify.certificate_io import candidate_from, certificate_of
from boundcheck.falsify.exact_check import look
from boundcheck.falsify.shapes import PiecewiseShape, Side
from boundcheck.falsify.shrinking.complexity import complexity, groups, plainness, simpler, size
from boundcheck.falsify.shrinking.function_moves import fewer_data, rounder_data
from boundcheck.falsify.shrinking.shrink import least_margin, prescribes, settled, shrink
from boundcheck.language.scalars import NONE
from boundcheck.library.catalogue import bounds

FOUND = json.loads((Path(__file__).parent / "found.json").read_text(encoding="utf-8"))
CLAIMS = {bound.id: bound for bound in bounds()}
NAMES = [f"{n} {row['claim'].split('/')[1]}" for n, row in enumerate(FOUND)]
QUICK = ("thm:ngd", "eq:10", "thm:exponential-search-gd.count", "sec:introduction.rayleigh", "path-smoothness.at-most-D", "eq:n6")


def claim(name):
    return CLAIMS[f"directional-smoothness/{name}@printed"]


def found(name):
    return candidate_from(next(row for row in FOUND if row["claim"] == claim(name).id))


def F(*texts):
    return tuple(map(Fraction, texts))


def parabola(slope):
    return PiecewiseShape(Side((), F(slope)), Side((), F(slope)))


def cost(bound, candidate):
    return complexity(candidate, steps_chosen=prescribes(bound) == "")


def digits(number):
    return max(len(str(abs(number.numerator))), len(str(number.denominator)))


ROWS = [
    pytest.param(row, id=name, marks=[] if n % 3 == 0 else pytest.mark.slow)
    for n, (row, name) in enumerate(zip(FOUND, NAMES, strict=True))
]


@pytest.mark.parametrize("row", ROWS)
def test_a_shrunk_candidate_is_simpler_still_fails_and_certifies(row):
    bound, given = CLAIMS[row["claim"]], candidate_from(row)
    before = look(bound, given)
    made = shrink(bound, given, seconds=5)
    after = look(bound, made)
    assert after is not None and after.margin >= least_margin(before.margin)
    assert cost(bound, made) <= cost(bound, given)
    assert made.k <= given.k and made.dimension <= given.dimension
    if made.dimension == 1:
        assert max(digits(n) for group in groups(made, NONE) for n in group.numbers) <= 3
    assert certificate_of(bound, made)["hash"] == bound.hash


@pytest.mark.parametrize("name", QUICK)
def test_shrinking_twice_gives_the_same_and_shrinking_again_changes_nothing(name):
    made = shrink(claim(name), found(name), seconds=60)
    assert shrink(claim(name), found(name), seconds=60) == made
    assert shrink(claim(name), made, seconds=60) == made


def test_what_does_not_fail_is_refused():
    bound, given = claim("thm:ngd"), found("thm:ngd")
    holding = replace(given, start=tuple(c / 1000 for c in given.start))
    assert look(bound, holding) is None
    with pytest.raises(ValueError, match="not proved to fail"):
        shrink(bound, holding)


def test_a_proved_claim_is_refused_wherever_its_printed_reading_fails():
    given = found("thm:polyak-alternate")
    with pytest.raises(ValueError, match="not proved to fail"):
        shrink(CLAIMS["directional-smoothness/thm:polyak-alternate@proved"], given)


def test_no_time_gives_the_candidate_back():
    assert shrink(claim("thm:ngd"), found("thm:ngd"), seconds=0) == found("thm:ngd")


def test_no_k_below_the_first_is_tried():
    bound, given = claim("thm:exponential-search-gd.case-1"), found("thm:exponential-search-gd.case-1")
    assert given.k == 2 and shrink(bound, given).k == 1
    assert shrink(bound, given, first_k=2).k == 2


def test_a_ridge_in_two_dimensions_becomes_a_function_of_one_variable():
    rows = [row for row in FOUND if len(row.get("run", {"roles": {"": {"start": []}}})["roles"][""]["start"]) > 1]
    row = next(row for row in rows if "sc-iterates-analysis" in row["claim"])
    made = shrink(CLAIMS[row["claim"]], candidate_from(row))
    assert made.function == Ridges((RidgeTerm(F("1"), parabola("1")),)) and (made.start, steps_of(made)) == (F("1"), F("1/2"))


def test_a_function_around_another_point_is_moved_to_0():
    bound = claim("prop:sc-split-analysis")
    given = found("prop:sc-split-analysis")
    away = replace(
        given, function=replace(given.function, centre=F("17/3"), shift=Fraction(5)), start=(given.start[0] + Fraction(17, 3),)
    )
    assert look(bound, away) is not None
    assert shrink(bound, away) == shrink(bound, given)


def test_a_margin_is_kept_and_a_small_one_does_not_shrink_to_nothing():
    assert [least_margin(m) for m in (0.5, 0.01, 0.005, 0.0005, 0.0)] == [0.01, 0.01, 0.001, 0.0005, 0.0]


def test_a_letter_below_1_stays_below_1():
    made = shrink(claim("lemma:lambda-convergence.range"), found("lemma:lambda-convergence.range"))
    assert all(0 < value < 1 for _, value in made.parameters)


def test_steps_that_a_claim_prescribes_are_found_again():
    bound, given = claim("sec:introduction.rayleigh"), found("sec:introduction.rayleigh")
    changed = replace(given, function=Ridges((RidgeTerm(F("1"), parabola("3")),)))
    assert prescribes(bound) == "root" and steps_of(settled(bound, changed)[-1]) == F("1/3")
    bound, given = claim("eq:10"), found("eq:10")
    changed = replace(given, function=Ridges((RidgeTerm(F("1"), parabola("3")),)), parameters=(("gamma", Fraction(3, 2)),))
    assert prescribes(bound) == "formula" and steps_of(settled(bound, changed)[0]) == F("1/4")
    bound, given = claim("thm:exponential-search-gd.rounds"), found("thm:exponential-search-gd.rounds")
    changed = replace(given, function=Ridges((RidgeTerm(F("1"), parabola("1")),)), start=F("1"), smoothness="H", parameters=())
    assert prescribes(bound) == "search" and settled(bound, changed) == []
    changed = replace(changed, parameters=(("eta0", Fraction(4)), ("searches", Fraction(0))))
    (made,) = settled(bound, changed)
    assert [steps for _, ((_, steps),) in made.chosen] == [F("1"), F("2")] and dict(made.parameters)["searches"] == 3


def data_of_a_parabola():
    at = (F("0", "0"), F("355/113", "0"), F("2", "0"))
    data = InterpolationData(at, at, (*F("0"), Fraction(355, 113) ** 2 / 2, *F("2")), Fraction(2), least=0)
    return Candidate(data, 0, start=at[1], chosen=(("", (("eta", F("1")),)),))


def test_data_become_few_and_round_and_in_one_dimension_a_function():
    bound, given = claim("prop:existence-D.h-not-positive"), data_of_a_parabola()
    (rounded, *_) = rounder_data(bound, given)
    assert look(bound, given) is not None and rounded.start == F("3", "0") and rounded.function.points[1] == F("3", "0")
    assert {len(c.function.points) for c in fewer_data(given)} == {2, 3} and {c.dimension for c in fewer_data(given)} == {1, 2}
    assert shrink(bound, given).function == Ridges((RidgeTerm(F("1"), parabola("1")),))


def test_simpler_numbers_come_simplest_first_and_are_all_simpler():
    number = Fraction(355, 113)
    values = simpler(number)
    assert values[:4] == [0, 1, -1, 2] and Fraction(22, 7) in values and Fraction(3) in values
    assert all(plainness(v) < plainness(number) for v in values)
    assert [plainness(v) for v in values] == sorted(plainness(v) for v in values)
    assert [size(Fraction(t)) for t in ("0", "1", "-1", "2", "1/2", "100")] == [0, 1, 2, 2, 4, 7]
    assert simpler(Fraction(0)) == []


def test_the_order_of_complexity():
    def at(function, *, k=1, steps=("1", "1")):
        return complexity(
            Candidate(function, k, start=(Fraction(1),) * function.dimension, chosen=(("", (("eta", F(*steps)),)),))
        )

    one = Ridges((RidgeTerm(F("1"), parabola("1")),))
    bent = Ridges((RidgeTerm(F("1"), PiecewiseShape(Side((), F("1")), Side(F("1"), F("1", "0")))),))
    flat = Ridges((RidgeTerm(F("1", "0"), parabola("1")),))
    ranked = [
        at(one),
        at(one, steps=("2", "2")),
        at(one, steps=("1", "2")),
        at(bent),
        at(one, steps=("1",) * 3),
        at(one, k=2),
        at(flat),
    ]
    assert ranked == sorted(ranked) and len(set(ranked)) == len(ranked)
