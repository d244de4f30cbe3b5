"""A falsifier's candidate becomes a certificate: written whole, accepted by the checker, agreed to by the framework."""

from __future__ import annotations

import contextlib
import io
from dataclasses import replace
from fractions import Fraction as F
from importlib import import_module
from typing import Any

import pytest

from boundcheck.certificates.script import script
from boundcheck.certificates.walkthrough import steps
from boundcheck.certificates.write import NotCertified, kept
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.falsify import certificate_io
from boundcheck.falsify.candidate import Candidate, InterpolationData, Ridges, RidgeTerm
from boundcheck.falsify.certificate_io import certificate_of, objection
from boundcheck.falsify.shapes import ClosedForm, PiecewiseShape, Side
from boundcheck.language.letters import Delta, L, delta, eta, f, grad, i, k, normsq, x
from boundcheck.language.vectors import Point
from boundcheck.library.catalogue import bounds
from boundcheck.model.problem import Convex, Differentiable, Smooth

from .making import certificate, claim, code

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

ONE, ZERO = F(1), F(0)
HUBER = PiecewiseShape(Side((ONE,), (ONE, ZERO)), Side((ONE,), (ONE, ZERO)))
STEPPED = (Convex, Smooth, GradientDescent(), eta[i] * L <= 1)
TOO_FAST = Bound(given=STEPPED, states=delta[k] <= L * Delta[0] / (4 * k + 3))  # true with 4 k + 2
TRUE = Bound(given=STEPPED, states=f(x[k + 1]) <= f(x[k]))
DESCENT = Bound(
    given=(Convex, Differentiable, GradientDescent()), states=f(x[k + 1]) <= f(x[k]) - eta[k] / 2 * normsq(grad(x[k]))
)


def run(function: Any, start: tuple[F, ...], etas: tuple[F, ...], at: int) -> Candidate:
    return Candidate(function=function, k=at, start=start, chosen=(("", (("eta", etas),)),))


def plain(shape: Any) -> Ridges:
    return Ridges((RidgeTerm((ONE,), shape),))


def table() -> InterpolationData:
    points, gradients = ((F(1),), (F(2, 3),), (ZERO,)), ((F(1, 3),), (F(1, 3),), (ZERO,))
    return InterpolationData(points, gradients, (F(5, 18), F(1, 6), ZERO), L=ONE, least=2)


WIDE = PiecewiseShape(Side((), (ONE,)), Side((F(1, 3),), (ONE, ZERO)))
CANDIDATES: dict[str, tuple[Bound, Candidate]] = {
    "piecewise": (TOO_FAST, run(plain(WIDE), (ONE,), (ONE,), 1)),
    "two ridges": (
        TOO_FAST,
        run(Ridges((RidgeTerm((ONE, ZERO), WIDE), RidgeTerm((ZERO, ONE), WIDE)), shift=F(3)), (ONE, ONE), (ONE,), 1),
    ),
    "a ridge in one dimension": (TOO_FAST, run(Ridges((RidgeTerm((F(2),), WIDE),)), (F(1, 2),), (F(1, 4),), 1)),
    "interpolation": (TOO_FAST, run(table(), (ONE,), (ONE,), 1)),
    "power": (DESCENT, run(plain(ClosedForm("power", F(3, 2))), (F(1, 4),), (F(5, 3),), 0)),
    "a whole power": (DESCENT, run(plain(ClosedForm("power", F(3))), (ONE,), (ONE,), 0)),
    "a power that is not rational": (DESCENT, run(plain(ClosedForm("power", F(4, 3))), (F(1, 4),), (F(5, 3),), 0)),
    "smooth abs": (DESCENT, run(plain(ClosedForm("smooth abs", F(9, 40))), (F(1, 4),), (F(2),), 0)),
    "logistic pair": (DESCENT, run(plain(ClosedForm("logistic pair")), (F(1, 4),), (F(20),), 0)),
    "closed ridges": (
        DESCENT,
        run(
            Ridges((RidgeTerm((ONE, ZERO), ClosedForm("power", F(3))), RidgeTerm((ONE, ONE), ClosedForm("logistic pair")))),
            (ONE, ONE),
            (ONE,),
            0,
        ),
    ),
}


@pytest.mark.parametrize("name", CANDIDATES)
def test_a_candidate_becomes_a_certificate_that_the_checker_accepts(name, tmp_path):
    bound, candidate = CANDIDATES[name]
    made = certificate_of(bound, candidate)
    assert code(made, tmp_path, seal=False) == verify.REFUTES
    assert "So it is false" in made["words"] and list(made)[-1] == "seal"


@pytest.mark.parametrize("name", CANDIDATES)
def test_its_script_runs_and_shows_the_same_sides(name):
    bound, candidate = CANDIDATES[name]
    made = certificate_of(bound, candidate)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(script(bound, made), name, "exec"), {})
    shown, last = out.getvalue().splitlines()[:-1], out.getvalue().splitlines()[-1]
    _, left, _, right = " ".join(shown).split()
    assert last.startswith("the claim fails here")
    for given, printed in ((made["left"], left), (made["right"], right)):
        low, high = (F(given),) * 2 if isinstance(given, str) else map(F, given)
        assert float(low) - 1e-9 <= float(F(printed)) <= float(high) + 1e-9


def test_a_script_of_a_table_that_no_function_has_stops():
    bound, candidate = CANDIDATES["interpolation"]
    made = certificate_of(bound, candidate)
    made["function"]["values"][1] = "1/5"
    with pytest.raises(AssertionError):
        exec(script(bound, made), {})


@pytest.mark.parametrize("name", CANDIDATES)
def test_its_walk_through_is_numbered_and_ends_with_what_is_false(name):
    bound, candidate = CANDIDATES[name]
    told = steps(bound, certificate_of(bound, candidate))
    assert [line.split(".")[0] for line in told] == [str(n + 1) for n in range(len(told))]
    assert "which is false" in told[-1] and any("Start: x_0" in line for line in told)


def test_a_candidate_that_does_not_refute_makes_no_certificate():
    with pytest.raises(NotCertified, match="the claim holds there: left 0, right 1/7"):
        certificate_of(TOO_FAST, run(plain(HUBER), (ONE,), (ONE,), 1))
    with pytest.raises(NotCertified, match="no constant L"):
        certificate_of(TOO_FAST, run(plain(ClosedForm("power", F(3))), (ONE,), (ONE,), 1))
    with pytest.raises(NotCertified, match="a hypothesis of the claim is false"):
        certificate_of(TOO_FAST, run(plain(WIDE), (ONE,), (F(3),), 1))
    broken = replace(table(), values=(F(5, 18), F(1, 5), ZERO))
    with pytest.raises(NotCertified, match="no L-smooth"):
        certificate_of(TOO_FAST, run(broken, (ONE,), (ONE,), 1))


# -- the framework's opinion ---------------------------------------------------------------------------------------------------


def test_the_framework_agrees_with_every_certificate_that_is_kept():
    known = {bound.id: bound for bound in bounds()}
    assert {name: found for name, data in kept().items() if (found := objection(known[name], data))} == {}


def test_the_framework_objects_where_the_claim_holds_or_says_nothing():
    data = certificate_of(*CANDIDATES["piecewise"])
    assert "HOLDS at k = 0" in objection(TRUE, {**data, "at": {"k": 0}})
    too_long = {**data, "run": {"roles": {"": {"start": ["1"], "eta": ["3"]}}}}
    assert "VACUOUS at k = 1" in objection(TOO_FAST, too_long)
    bent = {**data["function"], "left_slope": "-1"}
    assert objection(Bound(given=(Convex, GradientDescent()), states=f(x[k]) <= 0), {**data, "function": bent, "minimiser": None})
    assert objection(TOO_FAST, data) == ""


def test_where_the_framework_cannot_make_the_run_the_checker_alone_decides():
    assert objection(TOO_FAST, certificate_of(*CANDIDATES["interpolation"])) == ""
    data = certificate_of(*CANDIDATES["piecewise"])
    assert objection(TRUE, {**data, "run": {"roles": {"": {"start": ["1"], "eta": [None]}}}, "at": {"k": 0}}) == ""
    chord = Bound(given=(Convex,), states=f(Point("x")) <= 0)
    made = certificate_of(chord, Candidate(function=plain(HUBER), k=0, chord=(("x", (F(3),)),)))
    assert made["left"] == "5/2"


def test_a_framework_that_objects_stops_the_certificate_and_both_are_quoted(monkeypatch):
    monkeypatch.setattr(certificate_io, "objection", lambda bound, made: "HOLDS at k = 1: all is well")
    with pytest.raises(NotCertified, match="finds left 1/6, right 1/7; the framework says HOLDS at k = 1"):
        certificate_of(*CANDIDATES["piecewise"])


# -- lines ---------------------------------------------------------------------------------------------------------------------


def test_each_line_shows_its_arithmetic():
    name = "thm:polyak-alternate@printed"
    told = " ".join(steps(claim(name), certificate(name)))
    for piece in (
        "x_1 = x_0 - eta_0 f'(x_0) = 9/2 - 1/16*10 = 31/8, where f(x_1) = 27/8, f'(x_1) = 1.",
        "eta_1 == gamma (f(x_1) - f(x*))/|f'(x_1)|^2. Here 27/8 == 1*(27/8 - 0)/|1|^2: true.",
        "1/((2 - 1)*(1/16 + 27/8))*|9/2 - 0|^2 = 324/55",
        "The claim says 25/4 <= 324/55, which is false (6.25 against 5.89091).",
        "f'' between 0 and 18",
    ):
        assert piece in told


def test_points_of_two_dimensions_and_numbers_that_are_not_rational_are_shown_whole():
    told = " ".join(steps(CANDIDATES["closed ridges"][0], certificate_of(*CANDIDATES["closed ridges"])))
    assert "= (about -2.7615942, about 0.23840584), where f(x_1) = about 23.738515, grad f(x_1) = (about -23.73071" in told
    told = " ".join(steps(TOO_FAST, certificate_of(*CANDIDATES["interpolation"])))
    assert "Right side: L |x_0 - x*|^2/(4 k + 3) = 1*|1 - 0|^2/(4*1 + 3) = 1/7." in told
    assert "by the 6 inequalities between its points" in told


def test_every_kept_certificate_has_a_walk_through():
    known = {bound.id: bound for bound in bounds()}
    for name, data in kept().items():
        told = steps(known[name], data)
        assert "which is false" in told[-1] and not any("#" in line for line in told), name


def test_the_words_of_a_table_give_its_rows():
    told = certificate_of(*CANDIDATES["interpolation"])["words"]
    assert "convex and 1-smooth function with value 5/18, gradient 1/3 at 1; value 1/6" in told
