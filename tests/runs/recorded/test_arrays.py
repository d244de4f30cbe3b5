"""Arrays that are a run get verdicts at every k; arrays that are none get one line."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck import Bound, Convex, Differentiable, GradientDescent, Outcome, Smooth, StronglyConvex, Trace, Verdict, check, run
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.claims.hypotheses import Follows
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import D, Delta, H, delta, eta, f, grad, i, k, normsq, x
from boundcheck.language.letters import L as smooth
from boundcheck.library.catalogue import find_bounds
from boundcheck.library.names import problem_named
from boundcheck.runs.recorded.recording import NotARun

from .runs import FACTS, MINIMUM, L, arrays

ANY_STEPS = "prop:convex-any-stepsize"
TOO_BOLD = Bound(given=(Convex, GradientDescent()), states=f(x[k + 1]) <= f(x[k]) - eta[k] / 2 * normsq(grad(x[k])))
NO_METHOD = Bound(given=(Convex,), states=f(x[k + 1]) <= f(x[k]))


def one(claim: Any, trace: Trace, smoothness: str = "D") -> Verdict:
    (verdict,) = check(claim, trace, smoothness=smoothness)
    return verdict


def trace(**changed: Any) -> Trace:
    return Trace.from_arrays(**{**arrays(), "facts": FACTS, **MINIMUM, **changed})


@pytest.mark.parametrize("kind", ["D", "H", "L"])
def test_gradient_descent_by_hand_has_a_verdict_at_every_k(kind: str) -> None:
    verdict = one(ANY_STEPS, trace(), kind)
    assert verdict.label == "HOLDS, numerical" and len(verdict.outcomes) == 40 and verdict.counts[Outcome.HOLDS] == 40
    assert verdict.left is not None and verdict.right is not None and (verdict.left < verdict.right).all()


def test_columns_are_what_their_definitions_say() -> None:
    run = arrays()
    made, d, g = trace(), np.diff(run["x"], axis=0), run["grad"]
    far = np.linalg.norm(d, axis=1)
    expected = {
        D(x[i], x[i + 1]): 2 * np.linalg.norm(np.diff(g, axis=0), axis=1) / far,
        H(x[i], x[i + 1]): 2 * np.abs(np.diff(run["f"]) - (g[:-1] * d).sum(1)) / far**2,
        normsq(grad(x[i])): (g * g).sum(1),
        Delta[i]: ((run["x"] - MINIMUM["x_star"]) ** 2).sum(1),
        eta[i]: run["eta"],
    }
    for formula, value in expected.items():
        column = as_column(formula)[0]
        entries = made.with_columns([column]).columns[column]
        near, room = made.xp.middle(entries)[0], made.xp.error(entries)[0]
        assert near.shape == value.shape, formula
        assert (np.abs(near - value) <= room + 1e-12 * np.abs(value)).all(), formula
        assert (room <= 1e-5 * np.abs(value)).all(), formula


@pytest.mark.parametrize("claim", [ANY_STEPS, "eq:local-descent-lemma", "prop:sc-split-analysis@first-k"])
def test_a_problem_gives_the_same_outcomes_as_boundchecks_own_run(claim: str) -> None:
    problem = problem_named("logistic-40x5")
    own = run(problem, "1/L", steps=12)
    points = [np.array([float(c) for c in problem.start])]
    step = 1 / float(problem.L)  # type: ignore[arg-type]
    for _ in range(12):
        points.append(points[-1] - step * np.asarray(problem.grad(FLOAT64, points[-1])))
    recorded = Trace.from_arrays(x=np.stack(points), problem=problem, eta=np.full(12, step))
    mine, theirs = check(claim, recorded), check(claim, own)
    assert [(v.cell.smoothness, v.outcome, len(v.outcomes)) for v in mine] == [
        (v.cell.smoothness, v.outcome, len(v.outcomes)) for v in theirs
    ]
    assert {"D", "A", "H", "L"} == {v.cell.smoothness for v in mine} and mine[0].outcome is Outcome.HOLDS
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(a.left, b.left, rtol=1e-6)
        np.testing.assert_allclose(a.right, b.right, rtol=1e-6)


def test_a_recorded_run_is_never_certified() -> None:
    for verdict in (*check(ANY_STEPS, trace()), *check(TOO_BOLD, trace(**arrays(scale=4)))):
        assert not verdict.certified and "certified" not in verdict.label


# -- claims that fail ---------------------------------------------------------------------------------------------------------


def test_a_step_that_is_too_long_violates_the_bound_and_the_verdict_says_how_to_certify_it() -> None:
    verdict = one(TOO_BOLD, trace(**arrays(scale=4)))
    assert verdict.label == "VIOLATED, numerical" and verdict.violation is not None
    assert "to certify it" in verdict.explain() and "--problem FILE.py:NAME" in verdict.explain()
    assert "--arithmetic auto" not in verdict.explain()  # nobody can compute a recorded run again


def test_the_sharpened_twin_of_a_bound_that_holds_goes_red() -> None:
    problem = problem_named("quadratic-2d")
    step = 1 / float(problem.L)  # type: ignore[arg-type]
    points = [np.array([float(c) for c in problem.start])]
    for _ in range(10):
        points.append(points[-1] - step * np.asarray(problem.grad(FLOAT64, points[-1])))
    made = Trace.from_arrays(x=np.stack(points), eta=step, problem=problem)
    (bound,) = find_bounds(ANY_STEPS)
    held = one(bound, made)
    assert held.outcome is Outcome.HOLDS and held.tightest is not None
    twin = one(bound.sharpened(Fraction(0.99 * held.tightest.ratio)), made)
    assert twin.label == "VIOLATED, numerical" and "--problem quadratic-2d" in twin.explain()


def test_the_mean_of_f_above_the_bound_is_no_violation_of_a_claim_about_f_at_the_mean() -> None:
    from boundcheck.language.letters import gap, mean

    sharp = Bound(given=(Convex, GradientDescent()), states=gap(mean(x[i], over=(i, 0, k))) <= delta[k])
    verdict = one(sharp, trace())
    assert verdict.outcome is Outcome.UNDECIDED and "f at the mean was not recorded" in verdict.reason
    assert verdict.counts[Outcome.VIOLATED] == 0


def test_the_mean_of_one_point_is_the_point() -> None:
    """The paper's slip of an index: at k = 1 the mean is x_0 alone, so that f at the mean was recorded after all."""
    problem = problem_named("steep-then-flat")
    points = np.array([[4.5], [31 / 8], [0.5]])
    slopes = np.asarray(problem.grad(FLOAT64, points))
    values = np.asarray(problem.f(FLOAT64, points))
    made = Trace.from_arrays(x=points, f=values, grad=slopes, facts=(Convex(), Differentiable()), x_star=[0.0], f_star=0.0)
    verdict = one("thm:polyak-alternate@printed", replace(made, parameters={"gamma": (Fraction(1),)}))
    assert verdict.label == "VIOLATED, numerical" and verdict.violation is not None and verdict.violation.k == 1
    assert verdict.violation.left.startswith("6.25")


def test_rounding_is_no_violation() -> None:
    """At a standstill f(x_{k+1}) < f(x_k) fails for the numbers stored, and not for the run."""
    strictly = Bound(given=(Convex, GradientDescent()), states=f(x[k + 1]) < f(x[k]))
    run = arrays(3000)
    assert (np.diff(run["f"]) >= 0).any()
    verdict = one(strictly, Trace.from_arrays(**run, facts=FACTS))
    assert verdict.counts[Outcome.VIOLATED] == 0 and verdict.counts[Outcome.UNDECIDED] > 0


# -- runs that are not gradient descent ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [{"momentum": 0.9}, {"decay": 0.1}], ids=["momentum", "weight decay"])
@pytest.mark.parametrize("seen", [True, False], ids=["steps given", "steps not given"])
def test_a_method_that_is_not_gradient_descent_is_vacuous_and_the_step_is_named(other: dict[str, float], seen: bool) -> None:
    run = arrays(**other)
    verdict = one(ANY_STEPS, trace(**(run if seen else {**run, "eta": None})))
    assert verdict.outcome is Outcome.VACUOUS
    whichever = "" if seen else ", for any eta"
    assert f"another method: step 1: x_2 is not x_1 - eta_1 grad f(x_1){whichever}, off by" in verdict.reason
    assert one(NO_METHOD, trace(**run)).exercised  # a claim about any points is still asked


def test_steps_are_seen_where_they_are_not_given() -> None:
    made = trace(eta=None)
    column = as_column(eta[i])[0]
    np.testing.assert_allclose(made.xp.middle(made.with_columns([column]).columns[column])[0], arrays()["eta"], rtol=1e-12)
    assert one(ANY_STEPS, made).outcome is Outcome.HOLDS


@pytest.mark.parametrize(("factor", "outcome"), [(1.0, Outcome.HOLDS), (1 + 1e-5, Outcome.VACUOUS), (0.9, Outcome.VACUOUS)])
def test_an_equality_is_not_failed_by_the_rounding_of_a_step_that_is_seen_in_a_move(factor: float, outcome: Outcome) -> None:
    """x_{k+1} - x_k is rounded, and so is what it shows of eta = 1/3: that is no other step; 1e-5 of it is."""
    points = [np.array([1.0, 2.0])]
    for _ in range(12):
        points.append(points[-1] - factor / 3 * (points[-1] * [3.0, 1.0]))
    x_ = np.array(points)
    grads = x_ * [3.0, 1.0]
    known = {"x": x_, "f": (x_ * grads).sum(-1) / 2, "grad": grads, "facts": (Convex(), Smooth(3))}
    made = Trace.from_arrays(**known, x_star=[0, 0], f_star=0)
    rate = Bound(given=(Convex, Smooth, GradientDescent(), Follows(eta[i] == 1 / smooth)), states=f(x[k + 1]) <= f(x[k]))
    verdict = one(rate, made)
    assert verdict.outcome is outcome, verdict.reason
    assert outcome is not Outcome.HOLDS or verdict.counts[Outcome.HOLDS] == 12


def test_a_step_that_no_move_shows_is_not_made_up() -> None:
    reads_steps = Bound(given=(Convex,), states=eta[k] > 0)
    verdict = one(reads_steps, trace(**{**arrays(momentum=0.9), "eta": None}))
    assert verdict.outcome is Outcome.VACUOUS and "the trace has no steps" in verdict.reason


def test_one_number_is_the_step_throughout() -> None:
    points = [np.array([1.0])]
    for _ in range(4):
        points.append(points[-1] - 0.5 * points[-1])
    stacked = np.stack(points)
    made = Trace.from_arrays(x=stacked, f=stacked[:, 0] ** 2 / 2, grad=stacked, eta=0.5, facts=(Convex(), Smooth(1)))
    assert made.method == "gradient descent" and made.recorded is not None and made.recorded.eta is not None
    assert made.recorded.eta.tolist() == [0.5] * 4


def _shuffled() -> dict[str, Any]:
    order = np.r_[0, np.random.default_rng(0).permutation(40) + 1]
    run = arrays()
    return {**run, **{name: run[name][order] for name in ("x", "f", "grad")}}


@pytest.mark.parametrize(
    "run", [_shuffled(), {**arrays(), "grad": 2 * arrays()["grad"]}], ids=["rows shuffled", "gradients of 2 f"]
)
def test_what_is_no_run_of_gradient_descent_is_not_taken_for_one(run: dict[str, Any]) -> None:
    verdict = one(ANY_STEPS, Trace.from_arrays(**run, facts=(Differentiable(),)))
    assert verdict.outcome is Outcome.VACUOUS
    try:
        convex = one(ANY_STEPS, Trace.from_arrays(**run, facts=(Convex(), Differentiable()), **MINIMUM))
    except NotARun as wrong:
        assert "the run contradicts it" in str(wrong) or "do not fit a convex function" in str(wrong)
    else:
        assert convex.outcome is Outcome.VACUOUS and "is not x_" in convex.reason


def test_another_method_by_name_is_nobodys_to_claim() -> None:
    verdict = one(ANY_STEPS, trace(method="Nesterov's method"))
    assert verdict.outcome is Outcome.VACUOUS and "Nesterov's method, as recorded (nobody checked it)" in verdict.reason


@pytest.mark.parametrize("bad", [0.0, -0.1])
def test_a_step_of_gradient_descent_is_positive(bad: float) -> None:
    run = arrays(5)
    run["eta"][2] = bad
    run["x"][3:] = run["x"][2] - bad * run["grad"][2]
    verdict = one(ANY_STEPS, Trace.from_arrays(**run, facts=(Differentiable(),)))
    assert verdict.outcome is Outcome.VACUOUS


# -- facts are held against the arrays --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"grad": lambda run: 2 * run["grad"], "facts": lambda run: (Convex(),)}, "f is declared convex"),
        ({"facts": lambda run: (Convex(), Smooth(L / 50))}, "f is declared smooth with L"),
        ({"facts": lambda run: (StronglyConvex(50.0),)}, "strongly convex with mu = 50"),
        ({"f_star": lambda run: 0.9 * run["f"][0]}, "is no minimum: f(x_"),
        ({"x_star": lambda run: MINIMUM["x_star"] + 1000 * run["grad"][0]}, "do not fit a convex function"),
        ({"x_star": lambda run: run["x"][0] + 1e-3}, "x_star is too near to x_0"),
    ],
    ids=["gradient", "L", "mu", "f*", "x* too far", "x* too near"],
)
def test_what_the_arrays_contradict_is_refused_in_one_line(changed: dict[str, Any], said: str) -> None:
    run = arrays()
    with pytest.raises(NotARun) as wrong:
        trace(**{name: change(run) for name, change in changed.items()})
    assert said in str(wrong.value) and "\n" not in str(wrong.value)


def test_arrays_of_another_function_are_not_the_problems() -> None:
    problem = problem_named("logistic-40x5")
    points = np.random.default_rng(0).standard_normal((3, problem.dimension))
    with pytest.raises(NotARun, match=r"grad\[0\] is not the gradient of logistic-40x5 at x\[0\]: off by"):
        Trace.from_arrays(x=points, grad=np.ones_like(points), problem=problem)
    with pytest.raises(NotARun, match=r"f\[0\] is not the value of logistic-40x5"):
        Trace.from_arrays(x=points, f=np.ones(3), problem=problem)


# -- what is unknown -----------------------------------------------------------------------------------------------------------


def test_without_iterates_claims_that_need_them_are_vacuous_and_the_others_are_asked() -> None:
    run = {**arrays(), "x": None}
    silent = one(TOO_BOLD, Trace.from_arrays(**run, facts=FACTS))
    assert silent.outcome is Outcome.VACUOUS and "the trace has no iterates" in silent.reason
    said = Trace.from_arrays(**run, facts=FACTS, method="gradient descent", f_star=MINIMUM["f_star"], x_star=MINIMUM["x_star"])
    needs_points = one(ANY_STEPS, said)
    assert needs_points.outcome is Outcome.VACUOUS and "the trace has no iterates: x_n is not there" in needs_points.reason
    asked = one(TOO_BOLD, said)
    assert asked.exercised and any("is the user's word" in note for note in asked.notes)


def test_without_gradients_gradient_descent_cannot_be_shown() -> None:
    verdict = one(ANY_STEPS, trace(grad=None))
    assert verdict.outcome is Outcome.VACUOUS and "the trace has no gradients" in verdict.reason


def test_advice_that_was_taken_or_would_not_help_is_not_given() -> None:
    bare = {"f": arrays()["f"], "eta": 0.1, "facts": FACTS}
    for more in ({}, {"method": "gradient descent"}):
        reason = one(TOO_BOLD, Trace.from_arrays(**bare, **more)).reason
        assert "the trace has no iterates and no gradients" in reason and "say method=" not in reason


def test_an_unknown_minimum_is_estimated_only_if_the_user_says_so() -> None:
    unknown = one(ANY_STEPS, trace(x_star=None, f_star=None))
    assert unknown.outcome is Outcome.VACUOUS and "needs a minimiser x*" in unknown.reason
    verdict = one(ANY_STEPS, trace(x_star=None, f_star=None, estimate=("f_star", "x_star")))
    assert verdict.outcome is Outcome.UNDECIDED and "the run does not bound f* and x*" in verdict.reason


def test_f_star_alone_serves_claims_about_gaps_only() -> None:
    gaps = Bound(given=(Convex, GradientDescent()), states=delta[k] <= delta[0] * 2)
    alone = trace(x_star=None)
    assert one(gaps, alone).outcome is Outcome.HOLDS
    verdict = one(ANY_STEPS, alone)
    assert verdict.outcome is Outcome.VACUOUS and "x* is not known: give x_star=" in verdict.reason


def test_smoothness_that_the_arrays_do_not_tell_is_vacuous() -> None:
    assert "A along a chord is not in the trace" in one(ANY_STEPS, trace(), "A").reason
    assert "needs Smooth" in one(ANY_STEPS, trace(facts=(Convex(), Differentiable())), "L").reason


# -- formats -------------------------------------------------------------------------------------------------------------------


def test_float32_is_judged_as_float32() -> None:
    run = {name: array.astype(np.float32) for name, array in arrays().items()}
    for n in range(40):
        run["x"][n + 1] = run["x"][n] - run["eta"][n] * run["grad"][n]
        from .runs import grad as gradient

        run["grad"][n + 1] = gradient(run["x"][n + 1].astype(np.float64)).astype(np.float32)
    from .runs import f as value

    run["f"] = np.array([value(p.astype(np.float64)) for p in run["x"]]).astype(np.float32)
    verdict = one(ANY_STEPS, Trace.from_arrays(**run, facts=FACTS, **MINIMUM))
    assert verdict.outcome is Outcome.HOLDS and any("6e-05" in note for note in verdict.notes)
    wide = {name: array.astype(np.float64) for name, array in run.items()}
    lost = one(ANY_STEPS, Trace.from_arrays(**wide, facts=(Convex(), Differentiable()), relative_error=1e-4, **MINIMUM))
    assert lost.outcome is Outcome.VACUOUS and "say precision='float32'" in lost.reason


GOOD = arrays(5)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"eta": np.ones(6)}, "eta has 6 entries; 6 points have 5 steps between them"),
        ({"x": GOOD["x"][:, 0]}, r"x has shape (6,); needs (K+1, d)"),
        ({"grad": GOOD["grad"][:-1]}, "grad has 5 rows and f 6 entries"),
        ({"grad": GOOD["grad"][:, :2]}, "x has shape (6, 4) and grad (6, 2)"),
        ({"f": np.where(np.arange(6) == 3, np.nan, GOOD["f"])}, "f[3] is nan; needs numbers"),
        ({"x": np.zeros((0, 4))}, "x is empty, of shape (0, 4)"),
        ({"f": None}, "the run has no values; give f"),
        ({"f": "many"}, "f is no array of numbers"),
        ({"x_star": np.zeros(3), "f_star": 0.0}, "x_star has 3 coordinates; the points have 4"),
        ({"x_star": MINIMUM["x_star"]}, "x_star is given without f_star"),
        ({"facts": (Smooth,)}, "the fact Smooth needs its constant, as in Smooth(2)"),
        ({"facts": ("convex",)}, "'convex' is no fact"),
        ({"estimate": "L"}, "'L' cannot be estimated"),
        ({"precision": "float8"}, "precision 'float8' is not known"),
        ({"x": GOOD["x"].astype(np.float16)}, "the arrays are in float16"),
    ],
)
def test_bad_arrays_get_one_clear_line(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(NotARun) as wrong:
        Trace.from_arrays(**{**GOOD, **changed})
    assert said in str(wrong.value) and "\n" not in str(wrong.value)


def test_a_run_that_stands_still_ends_there() -> None:
    run = arrays(5)
    run["grad"][3:] = 0
    made = Trace.from_arrays(**run, facts=(Differentiable(),))
    assert made.steps.tolist() == [3] and "gradient is exactly zero at k = 3" in made.ended[0]


def test_one_point_is_a_run_of_no_steps() -> None:
    run = {name: array[:1] for name, array in arrays(3).items() if name != "eta"}
    verdict = one(ANY_STEPS, Trace.from_arrays(**run, facts=FACTS, estimate=True))
    assert verdict.outcome is Outcome.VACUOUS and "too short" in verdict.reason
