"""What the proofs support holds, certified, on convex piecewise quadratics with random rational data."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import accumulate

import pytest

from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import bounds, find_bounds, problems
from boundcheck.model.problem import Problem
from boundcheck.problems.piecewise import piecewise_quadratic
from boundcheck.runners import given, over_L, polyak
from boundcheck.suite.objections import may_follow

from .asking import ask

GAMMAS = (Fraction(5, 4), Fraction(3, 2), Fraction(7, 4))
POLYAK = [b for label in ("prop:polyak", "thm:polyak@printed", "thm:polyak.best") for b in find_bounds(label)]


@pytest.mark.parametrize("name", ["huber", "asymmetric", "steep-then-flat"])
@pytest.mark.parametrize("gamma", GAMMAS, ids=str)
def test_the_polyak_theorem_and_its_proposition_hold_certified(name: str, gamma: Fraction) -> None:
    reached = 0
    for verdict in ask(POLYAK, problems()[name](), polyak(gamma), 8):
        assert verdict.label == "HOLDS, certified", f"{verdict.cell}: {verdict.explain()}"
        assert verdict.counts[Outcome.HOLDS] == len(verdict.outcomes)
        reached = max(reached, verdict.first_k + len(verdict.outcomes) - 1)
    assert reached >= 4


@pytest.mark.parametrize("label", ["prop:polyak", "thm:polyak@printed"])
def test_a_right_side_sharpened_below_the_tightest_ratio_is_violated(label: str) -> None:
    (bound,) = find_bounds(label)
    best = None
    for verdict in ask([bound], problems()["steep-then-flat"](), polyak(Fraction(3, 2)), 8, smoothness=["H"]):
        best = verdict.tightest
    assert best is not None
    twin = bound.sharpened(Fraction(99, 100) * Fraction(best.ratio))
    (red,) = ask([twin], problems()["steep-then-flat"](), polyak(Fraction(3, 2)), 8, smoothness=["H"])
    assert red.label == "VIOLATED, certified"
    assert red.violation is not None
    assert red.violation.k == best.k


def random_problem(seed: int) -> Problem:
    """One to four knots, slopes from 0 to 6, a minimiser inside or outside them, a start on either side."""
    r = random.Random(seed)
    count = r.randint(1, 4)
    knots = [Fraction(r.randint(-8, 0), 2)]
    for _ in range(count - 1):
        knots.append(knots[-1] + Fraction(r.randint(1, 4), 2))
    slopes = [Fraction(r.choice((0, 1, 1, 2, 6)), r.choice((1, 2))) for _ in range(count - 1)]
    rises = [s * (b - a) for s, a, b in zip(slopes, knots, knots[1:], strict=False)]
    climbs = [Fraction(0), *accumulate(rises)]
    shift = -climbs[r.randrange(count)] - Fraction(r.randint(-1, 2), 3)
    return piecewise_quadratic(
        knots,
        [c + shift for c in climbs],
        left_slope=Fraction(r.randint(1, 3), 2),
        right_slope=Fraction(r.randint(1, 8), 2),
        name=f"random-{seed}",
        start=Fraction(r.choice((-1, 1)) * r.randint(18, 26), 2),
    )


REFUTED = {b.id for b in bounds() if b.refuted_by is not None}
SOUND: list[Bound] = [b for b in bounds() if b.id not in REFUTED and not b.untested]


def applicable(rule: object, problem: Problem) -> list[Bound]:
    from boundcheck.check.question import questions
    from boundcheck.runners import about

    fixed = getattr(rule, "parameters", ())
    chosen = []
    for bound in SOUND:
        if bound.is_about_chords:
            continue
        asked = list(questions([bound], about(problem), exact=True, fixed=fixed))
        if any(not q.out_of_place and may_follow(rule, q) for q in asked):  # type: ignore[arg-type]
            chosen.append(bound)
    return chosen


@pytest.mark.parametrize("seed", range(30))
def test_no_sound_reading_is_violated_on_a_random_convex_piecewise_quadratic(seed: int) -> None:
    problem = random_problem(seed)
    r = random.Random(1000 + seed)
    assert problem.L is not None
    any_steps = given([Fraction(r.randint(1, 12), 4) / Fraction(problem.L) for _ in range(5)], name="any")
    decided = 0
    for rule in (any_steps, (polyak(r.choice(GAMMAS)), polyak(1), over_L(1))[seed % 3]):
        for verdict in ask(applicable(rule, problem), problem, rule, 5):
            assert verdict.counts[Outcome.VIOLATED] == 0, f"{verdict.cell}: {verdict.explain()}"
            decided += verdict.counts[Outcome.HOLDS]
    assert decided > 50


@pytest.mark.parametrize("seed", range(0, 30, 3))
def test_no_sound_claim_about_chords_is_violated_on_a_random_convex_piecewise_quadratic(seed: int) -> None:
    problem = random_problem(seed)
    chosen = [b for b in SOUND if b.is_about_chords]
    verdicts = ask(chosen, problem, None, 170)
    assert len(verdicts) > 10
    for verdict in verdicts:
        assert verdict.counts[Outcome.VIOLATED] == 0, f"{verdict.cell}: {verdict.explain()}"


def test_a_checker_that_says_yes_to_all_would_fail_here() -> None:
    """On the same random functions the refuted readings are caught again and again."""
    caught = set()
    refuted = [b for b in bounds() if b.id in REFUTED and not b.is_about_chords]
    for seed in range(6):
        problem = random_problem(seed)
        for rule in (over_L(1), polyak(Fraction(3, 2))):
            for verdict in ask(refuted, problem, rule, 4):
                if verdict.outcome is Outcome.VIOLATED:
                    caught.add(verdict.cell.claim)
    assert len(caught) >= 4, caught
