"""Famous claims, false and true, as users would write them: each false one fails at an instance that fits on paper.

The files in history/ are claims for `boundcheck falsify FILE.py:NAME`. Here it is seen that they say what they should.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from pathlib import Path

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate, Ridges, RidgeTerm
from boundcheck.falsify.exact_check import ProvedFailure, draft, look
from boundcheck.falsify.shapes import PiecewiseShape, Side
from boundcheck.library.catalogue import bounds_in_file
from boundcheck.verify import Replay

HISTORY = Path(__file__).parent / "history"
FILES = sorted(HISTORY.glob("*.py"))


@cache
def claims() -> dict[str, Bound]:
    found = [bound for path in FILES for bound in bounds_in_file(str(path))]
    assert len({bound.label for bound in found}) == len(found)
    return {bound.label: bound for bound in found}


def side(*slopes_and_breaks: int | F | str) -> Side:
    """side(1, 3, 0): the slope of the gradient is 1 up to 3, then 0."""
    numbers = [F(n) for n in slopes_and_breaks]
    return Side(tuple(numbers[1::2]), tuple(numbers[::2]))


def line(right: Side, left: Side | None = None) -> Ridges:
    """A function of one variable, the same on both sides unless the left one is given."""
    return Ridges((RidgeTerm((F(1),), PiecewiseShape(left or right, right)),))


def quadratic(*curvatures: int | F | str) -> Ridges:
    """Half the sum of c_n x_n^2."""
    d = range(len(curvatures))
    return Ridges(
        tuple(RidgeTerm(tuple(F(m == n) for m in d), PiecewiseShape(side(c), side(c))) for n, c in enumerate(curvatures))
    )


def at(function: Ridges, start: str, steps: Iterable[int | F | str | None], k: int, **letters: int | F) -> Candidate:
    eta = tuple(None if step is None else F(step) for step in steps)
    parameters = tuple((name, F(value)) for name, value in letters.items())
    point = tuple(F(coordinate) for coordinate in start.split())
    return Candidate(function, k=k, start=point, chosen=(("", (("eta", eta),)),), parameters=parameters)


HUBER = line(side(1, 1, 0))
LESSARD_RECHT_PACKARD = line(side(25, 1, 1, 2, 25), side(25))  # f' is 25x, x + 24 from 1, 25x - 24 from 2
ONE_SIDED = line(side(1), side(1, F(1, 16), 0))  # x_1 = 0 at once, and momentum carries the run up a gentle slope
DOUBLE_WELL = line(side(-1, 2, 1))
STEEP_FLAT_STEEP = line(side(1, 1, F(1, 100), 5, 1))

FALSE = {
    "local_rate": at(line(side(25), side(1)), "1", ["1/9"] * 2, 2),
    "local_rate_up_to_a_factor": at(LESSARD_RECHT_PACKARD, "33/10", ["1/9"] * 14, 14),
    "local_rate_for_any_L_and_mu": at(LESSARD_RECHT_PACKARD, "33/10", [1] * 10, 10),
    "contracts_slightly_above": at(quadratic(1), "1", ["21/10"], 0),
    "descends_slightly_above": at(quadratic(1), "1", ["21/10"], 0),
    "too_much_momentum": at(ONE_SIDED, "1", [1] * 6, 6),
    "undamped": at(line(side(1), side(1, F(1, 4), 0)), "1", [1] * 3, 3),
    "backwards": at(HUBER, "10", [1] * 6, 6),
    "nesterov_descends": at(quadratic(1, "1/2"), "0 1", [1] * 6, 5),
    "bb_descends": at(line(side(10, 1, 1)), "3", ["1/12", 1], 1),
    "bb_descends_on_quadratics": at(quadratic(1, 4), "8 1", [1, "5/8"], 1),
    "comes_closer_up_to_three": at(HUBER, "10", ["57/2"], 0, gamma=3),
    "gd_rate_4k_plus_4": at(HUBER, "3", [1], 1),
    "contraction_of_a_longer_step": at(quadratic(1, 2), "1 0", ["1/2"], 1),
    "monotone_without_convexity": at(DOUBLE_WELL, "1", [1], 0),
    "last_by_values_too_fast": at(HUBER, "2", [1], 1),
    "adgd_bounded_without_slow_growth": at(STEEP_FLAT_STEEP, "151/25", ["1/2", "1/2", 50], 3),
}

# a true claim, where it comes near equality, and a factor with which it fails there
TRUE = {
    "gd_rate": (at(HUBER, "9", [1] * 4, 4), F(9, 10)),
    "nesterov_rate": (at(HUBER, "264", [1] * 30, 30), F(91, 100)),
    "local_rate_on_quadratics": (at(quadratic(25, 1), "1 0", ["1/9"] * 9, 9), F(7, 10)),
    "contracts_up_to_two_over_L": (at(quadratic(1), "1", [2] * 3, 2), F(9, 10)),
    "contraction": (at(quadratic(1, 2), "1 0", ["1/2"] * 4, 4), F(9, 10)),
    "comes_closer": (at(HUBER, "100", [199], 0, gamma=2), F(9, 10)),
    "monotone": (at(HUBER, "6", [1] * 4, 3), F(9, 10)),
    "last": (at(HUBER, "5", [1] * 4, 4), F(9, 10)),
    "last_by_values": (at(HUBER, "5", [1] * 4, 4), F(9, 10)),
    "best": (at(HUBER, "1", [1], 0), F(9, 10)),
    "adgd_bounded": (at(quadratic(1), "1", ["1/1000", "1/1000", None], 3), F(9, 10)),
}

OTHERS = {
    "Huber": line(side(1, 1, 0)),
    "Lessard, Recht and Packard": LESSARD_RECHT_PACKARD,
    "one-sided": ONE_SIDED,
    "strongly convex": line(side(1, 2, 3), side(2, 1, 1)),
    "quadratic": quadratic(1),
    "quadratic in the plane": quadratic(1, 3),
    "ridges": Ridges(
        (
            RidgeTerm((F(1), F(1)), PiecewiseShape(side(1, 1, 0), side(1))),
            RidgeTerm((F(1), F(-1)), PiecewiseShape(side(3), side(3))),
        )
    ),
}


def test_every_claim_of_the_files_is_here_once():
    assert {*FALSE} | {*TRUE} == {*claims()} and not {*FALSE} & {*TRUE}


@pytest.mark.parametrize("name", [*FALSE, *TRUE])
def test_it_is_well_formed(name):
    assert not claims()[name].lint()


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_fails_where_it_is_known_to(name):
    failure = look(claims()[name], FALSE[name])
    assert isinstance(failure, ProvedFailure) and failure.margin > 1e-3


def sides(bound: Bound, candidate: Candidate):
    """Both sides, where every hypothesis holds: whatever is not met is raised."""
    return Replay(draft(bound, candidate)).sides()


@pytest.mark.parametrize("name", TRUE)
def test_a_true_claim_holds_where_it_is_nearly_tight_and_fails_when_sharpened(name):
    bound, (candidate, factor) = claims()[name], TRUE[name]
    left, right = sides(bound, candidate)
    assert left <= right and look(bound, candidate) is None
    assert look(bound.sharpened(factor), candidate) is not None


@pytest.mark.parametrize("k", range(1, 6))
def test_the_rate_of_gradient_descent_is_exact_on_huber(k):
    left, right = sides(claims()["gd_rate"], at(HUBER, str(2 * k + 1), [1] * k, k))
    assert left == right


GRADIENT_NORMS = ("last", "last_by_values", "best", "monotone")
WITH_1_OVER_L = ("gd_rate", "nesterov_rate", *GRADIENT_NORMS, "contracts_up_to_two_over_L", "contraction")
STARTS = {1: ("1/2", "33/10", "-7", "40"), 2: ("1 0", "3 -2", "-5 7/3")}


@pytest.mark.parametrize(
    ("name", "problem"), [(n, p) for n in WITH_1_OVER_L for p, f in OTHERS.items() if f.mu or n != "contraction"]
)
def test_a_true_claim_with_steps_1_over_L_holds_elsewhere(name, problem):
    function, bound = OTHERS[problem], claims()[name]
    asked = [at(function, start, [1 / function.L] * (k + 1), k) for start in STARTS[function.dimension] for k in range(1, 7)]
    for candidate in asked:
        left, right = sides(bound, candidate)
        assert left <= right and look(bound, candidate) is None


@pytest.mark.parametrize("curvature", [1, 2, 9, "27/2", 24, 25])
def test_heavy_ball_has_its_rate_on_quadratics_from_the_first_step_on(curvature):
    bound = claims()["local_rate_on_quadratics"]
    for k in range(1, 20):
        left, right = sides(bound, at(quadratic(1, curvature, 25), "0 1 0", ["1/9"] * k, k))
        assert left <= right


def test_the_cycle_of_heavy_ball_breaks_its_rate_and_is_no_run_on_a_quadratic():
    cycle = FALSE["local_rate_up_to_a_factor"]
    assert look(claims()["local_rate"], cycle) is not None
    assert look(claims()["local_rate_on_quadratics"], cycle) is None


@pytest.mark.parametrize("name", [name for name in FALSE if name != "local_rate_for_any_L_and_mu"])  # its method has the step
def test_a_counterexample_needs_the_step_that_the_claim_gives(name):
    """With half the step at the end a claim that names its steps has no counterexample: its hypotheses are asked."""
    bound, candidate = claims()[name], FALSE[name]
    ((_, ((_, eta),)),) = candidate.chosen
    shorter = (("", (("eta", (*eta[:-1], eta[-1] / 2)),)),)
    assert look(bound, replace(candidate, chosen=shorter)) is None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_reads_like_a_users(path):
    """It imports boundcheck and fractions alone, and every claim survives its JSON."""
    heads = [words[1] for words in map(str.split, path.read_text().splitlines()) if words[:1] in (["from"], ["import"])]
    assert {head.split(".")[0] for head in heads} <= {"boundcheck", "fractions"}
    for bound in bounds_in_file(str(path)):
        assert Bound.from_json(bound.to_json()).hash == bound.hash
