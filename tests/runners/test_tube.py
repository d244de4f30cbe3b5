"""Enclosed trajectories in balls: the exact run, here one at 2000 bits with the same steps, is within every radius."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.derivatives.dual import dual
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import Delta, eta, k, normsq, x
from boundcheck.language.scalars import Gap
from boundcheck.library.catalogue import problems
from boundcheck.model.method import GRADIENT_DESCENT, Method
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.problems._numerics.scalars import is_less
from boundcheck.problems.quadratic import quadratic
from boundcheck.problems.smooth_abs import smooth_abs
from boundcheck.runners import backtracking, bb_long, cauchy, constant, given, over_L, polyak, run, strongly_adapted
from boundcheck.runners.enclosures import descent_tube, tube
from boundcheck.runners.enclosures.method_tube import MethodTube
from boundcheck.runners.enclosures.tube import Jacobians, Tube
from boundcheck.runners.engine import batch
from boundcheck.runners.engine.descent import about
from boundcheck.runners.engine.exact_steps import with_own_steps
from boundcheck.runners.engine.method_run import Iteration
from boundcheck.runners.engine.run_history import History
from boundcheck.runners.engine.run_view import RunView
from boundcheck.runners.engine.segment import Chunk
from tests.runners.methods import ESTIMATING, HEAVY_BALL, MOMENTUM, NORMALIZED, PRINTED

PRECISE = "ball:2000"
COLUMNS = [as_column(leaf)[0] for leaf in (Gap(x[k]), eta[k], normsq(x[k + 1] - x[k]), Delta[k])]


def descend(problem: Problem, rule: Rule, steps: int, xp: Any) -> tuple[Any, Any, Any]:
    """Stored points, gradients and steps of one gradient descent."""
    plain = xp.plain
    with xp.working():
        at = plain.stored(plain.vector(problem.start))[None]
        points, grads, etas = [at], [problem.grad(plain, at)], []
        L = None if problem.L is None else plain.scalar(problem.L)
        for n in range(steps):
            step = np.empty(1, dtype=object)
            step[:] = plain.stored(plain.array(rule.step(RunView(problem, plain, n, at, grads[-1], None, L, steps))))
            at = plain.stored(at - plain.scale(step, grads[-1]))
            etas.append(step)
            points.append(at)
            grads.append(problem.grad(plain, at))
    return np.stack(points, 1), np.stack(grads, 1), np.stack(etas, 1)


def distance(a: Any, b: Any) -> float:
    """An upper bound of the distance of two stored or enclosed entries."""
    with arithmetic(PRECISE).working():  # type: ignore[attr-defined]
        pairs = zip(np.asarray(a, dtype=object).reshape(-1), np.asarray(b, dtype=object).reshape(-1), strict=True)
        return float(sum(((p - q) * (p - q) for p, q in pairs), flint.arb(0)).sqrt().abs_upper())


def outside_of_descent(problem: Problem, rule: Rule, steps: int, bits: int, cut: int | None = None) -> tuple[int, Any]:
    """At how many points the exact descent with the same steps is outside, and the radii. `cut`: in two chunks that overlap."""
    xp = arithmetic(f"ball:{bits}")
    X, G, E = descend(problem, rule, steps, xp)
    with np.errstate(all="ignore"):
        if cut is None:
            radii = Chunk(problem, xp, 0, X, G, E, np.zeros(1)).radius[0]
        else:
            before = Chunk(problem, xp, 0, X[:, : cut + 1], G[:, : cut + 1], E[:, :cut], np.zeros(1))
            low = cut - 3
            after = Chunk(problem, xp, low, X[:, low:], G[:, low:], E[:, low:], before.carried(low))
            assert (after.radius[0, :4] == before.radius[0, low:]).all()
            radii = np.concatenate([before.radius[0, :low], after.radius[0]])
    precise = arithmetic(PRECISE)
    with precise.working():
        at, outside = X[0, 0], 0
        for n in range(steps + 1):
            outside += distance(at, X[0, n]) > radii[n]
            at = at - E[0, n] * problem.grad(precise.plain, at) if n < steps else at
    return outside, radii


def iterate(problem: Problem, method: Method, rule: Rule, steps: int, xp: str, **letters: Any) -> Iteration:
    known = {**{n: v for n, v in about(problem).constants.items() if v is not None}, **letters}
    return Iteration(problem, method, rule, problem.start, arithmetic(xp), known).go(steps)


def outside_of_method(problem: Problem, method: Method, rule: Rule, steps: int, bits: int) -> tuple[int, MethodTube]:
    """At how many entries of all sequences the run with 2000 bits and the same steps is outside."""
    stored = iterate(problem, method, rule, steps, f"ball:{bits}", alpha0=Fraction(1, 2))
    made = MethodTube(stored).go(stored.steps)
    taken = [stored.entries["eta"][n] for n in range(stored.steps)]
    again = Rule(name="the same steps", step=lambda run: taken[run.k])
    truth = Iteration(problem, method, again, problem.start, arithmetic(PRECISE), stored.exact_letters)
    truth.entries["x"][0] = stored.entries["x"][0]
    truth.go(stored.steps)
    far = (distance(stored.entries[name][n], truth.entries[name][n]) > r for (name, n), r in made.radii.items())
    return sum(far), made


LONG = [
    ("logistic-40x5", polyak(Fraction(19, 10)), 60),
    ("logistic-1d", polyak(Fraction(3, 2)), 8),
    ("quadratic-3d", polyak(Fraction(3, 2)), 100),
    ("quadratic-3d", cauchy(), 100),
    ("two-cycle-5d", polyak(Fraction(19, 10)), 60),
    ("log-sum-exp", polyak(Fraction(3, 2)), 80),
    ("smooth-abs", polyak(1), 60),
    ("ridge-3d", polyak(Fraction(3, 2)), 60),
    ("steep-then-flat", polyak(Fraction(7, 4)), 30),
    ("quartic", polyak(Fraction(3, 2)), 60),
    ("steepening", polyak(Fraction(3, 2)), 30),
    ("dented", constant(Fraction(1, 3)), 60),
    ("nonconvex", constant(Fraction(1, 3)), 60),
    ("quadratic-2d", constant(Fraction(1, 3)), 60),
]


@pytest.mark.parametrize(("name", "rule", "steps"), LONG, ids=[f"{n}, {r.name}" for n, r, _ in LONG])
def test_descents_with_long_steps_are_within_their_radii(name: str, rule: Rule, steps: int) -> None:
    outside, radii = outside_of_descent(problems()[name](), rule, steps, 128)
    assert outside == 0 and np.isfinite(radii).all()


def test_chunks_that_overlap_go_on_from_the_same_radii() -> None:
    problem, rule = problems()["quadratic-3d"](), polyak(Fraction(3, 2))
    whole, once = outside_of_descent(problem, rule, 40, 128)
    parts, twice = outside_of_descent(problem, rule, 40, 128, cut=20)
    assert whole == parts == 0 and (once == twice).all()


def test_radii_stay_near_rounding_where_steps_are_longer_than_two_over_L() -> None:
    problem = problems()["logistic-40x5"]()
    xp = arithmetic("ball:256")
    X, G, E = descend(problem, polyak(Fraction(3, 2)), 220, xp)
    radii = Chunk(problem, xp, 0, X, G, E, np.zeros(1)).radius[0]
    longest = max(float(step) for step in E[0]) * float(problem.L or 0)
    assert longest > 2.1 and radii.max() < 2.0**-240


WHOLE = [
    ("logistic-40x5", strongly_adapted("A"), 20),
    ("log-sum-exp", strongly_adapted("D"), 20),
    ("logistic-40x5", polyak(Fraction(19, 10)), 60),
    ("quartic", polyak(Fraction(3, 2)), 60),
    ("dented", constant(Fraction(1, 3)), 60),
]


@pytest.mark.parametrize(("name", "rule", "steps"), WHOLE, ids=[f"{n}, {r.name}" for n, r, _ in WHOLE])
def test_columns_of_a_run_in_several_chunks_hold_those_of_the_exact_run(
    name: str, rule: Rule, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "CHUNK", 16)
    problem = problems()[name]()
    trace = run(problem, rule, steps=steps, columns=COLUMNS, xp="ball:128")
    taken = trace.columns[COLUMNS[1]].data[0]
    again = Rule(name="the same steps", step=lambda run: taken[run.k])
    truth = run(problem, again, steps=len(taken), columns=COLUMNS, xp=PRECISE)
    for column in COLUMNS:
        for ball, number in zip(trace.columns[column].data[0], truth.columns[column].data[0], strict=True):
            assert ball.overlaps(number) and float(ball.rad()) < 2.0**-90


METHODS = [
    (NORMALIZED, "logistic-40x5", given([Fraction(1, n + 3) for n in range(80)]), 80),
    (NORMALIZED, "quadratic-2d", given([Fraction(1, n + 3) for n in range(60)]), 60),
    (HEAVY_BALL, "logistic-40x5", over_L(1), 60),
    (HEAVY_BALL, "asymmetric", over_L(1), 60),
    (MOMENTUM, "logistic-40x5", over_L(1), 60),
    (MOMENTUM, "huber", over_L(1), 60),
    (PRINTED, "quadratic-3d", over_L(1), 80),
    (ESTIMATING, "quadratic-3d", over_L(1), 80),
    (ESTIMATING, "two-cycle-5d", backtracking(), 20),
]


@pytest.mark.parametrize(("method", "name", "rule", "steps"), METHODS, ids=[f"{m.name}, {n}" for m, n, _, _ in METHODS])
def test_every_entry_of_a_method_is_within_its_radius(method: Method, name: str, rule: Rule, steps: int) -> None:
    outside, made = outside_of_method(problems()[name](), method, rule, steps, 128)
    assert outside == 0 and len(made.radii) > steps and all(np.isfinite(r) for r in made.radii.values())
    history = History(made.run, made.run.steps)
    handed = float(history.xp.radius(history.points("x", "path"))[0, -1])
    assert handed <= made.radii["x", made.run.steps] * 2 * np.sqrt(history.problem.dimension)  # a box about the ball, no more


def test_an_accelerated_method_loses_few_bits_in_many_steps() -> None:
    """Evaluated from enclosures alone it would lose one and more a step."""
    stored = iterate(problems()["logistic-40x5"](), MOMENTUM, over_L(1), 200, "ball:256", alpha0=Fraction(1, 2))
    history = History(stored, stored.steps)
    assert float(np.max(history.xp.radius(history.points("x", "path")))) < 2.0**-240


def test_short_steps_by_the_updates_of_a_method_add_their_errors_only() -> None:
    """A Lipschitz constant of 1 is enough: no tube, and nothing is lost to a box about a ball."""
    stored = iterate(problems()["logistic-40x5"](), GRADIENT_DESCENT, over_L(1), 200, "ball:128")
    history = History(stored, stored.steps)
    assert history._is_tame and float(np.max(history.xp.radius(history.points("x", "path")))) < 2.0**-112


# -- mistakes that must be seen ------------------------------------------------------------------------------------------


def stretched() -> tuple[Problem, Rule]:
    """Errors in one direction double, and more, at each step."""
    problem = quadratic([[3, 1], [1, 2]], xstar=[Fraction(1, 3), Fraction(1, 7)], start=[1, 2], name="stretched")
    return problem, constant(Fraction(9, 10))


def unstable() -> tuple[Problem, Method, Rule]:
    """The same by the updates of heavy ball, with a step that is too long for it."""
    problem, _ = stretched()
    return problem, HEAVY_BALL, constant(Fraction(9, 10))


def shrunk(over: Callable[..., Any]) -> Callable[..., Any]:
    def mutant(*arguments: Any) -> Any:
        slope, error = over(*arguments)
        return slope * 0.9, error

    return mutant


def test_a_jacobian_that_is_too_small_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Jacobians, "over", shrunk(Jacobians.over))
    assert outside_of_method(*unstable(), 100, 128)[0] > 50
    problem, rule = stretched()
    monkeypatch.setattr(descent_tube, "grown", lambda factor, r, error: np.inf)  # the tube alone
    assert outside_of_descent(problem, rule, 100, 128)[0] > 50


def test_an_error_of_the_step_that_is_left_out_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Tube.moved
    monkeypatch.setattr(Tube, "moved", lambda self, slope, error, e: kept(self, slope, error, e * 0))
    problem, rule = stretched()
    assert outside_of_descent(problem, rule, 100, 128)[0] > 50
    assert outside_of_method(problems()["quadratic-3d"](), MOMENTUM, over_L(1), 40, 128)[0] > 20


def test_a_set_that_does_not_grow_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tube, "moved", lambda self, slope, error, e: Tube(self.L, self.q + e))
    monkeypatch.setattr(descent_tube, "grown", lambda factor, r, error: np.inf)
    problem, rule = stretched()
    assert outside_of_descent(problem, rule, 100, 128)[0] > 50


def test_the_same_without_a_mistake_is_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descent_tube, "grown", lambda factor, r, error: np.inf)
    problem, rule = stretched()
    assert outside_of_descent(problem, rule, 100, 128)[0] == 0
    assert outside_of_method(*unstable(), 100, 128)[0] == 0


# -- the parts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2.0**-300, 1.0, 2.0**-900])
def test_a_tube_holds_the_images_of_its_points(size: float) -> None:
    """Points of the set, moved by matrices within the error, are in the image: no farther in any direction than it reaches."""
    rng = np.random.default_rng(3)
    start = Tube(rng.standard_normal((3, 3)) * size, rng.random(3) * size / 8)
    slope, error, e = rng.standard_normal((4, 3)), rng.random((4, 3)) / 64, rng.random(4) * size / 16
    image = start.moved(slope, error, e)
    whole = image.rounded()
    for _ in range(100):
        s = rng.standard_normal(3)
        s /= np.linalg.norm(s) * (1 + 1e-12)
        u = start.L @ s + start.q * rng.choice([-1, 1], 3)
        moved = (slope + error * rng.choice([-1, 1], (4, 3))) @ u + e * rng.choice([-1, 1], 4)
        assert (np.abs(moved) <= whole.reach() * (1 + 1e-12)).all() and np.linalg.norm(moved / size) <= whole.radius() / size
        assert np.linalg.norm(moved / size) <= image.radius() / size * (1 + 1e-12)
        for direction in rng.standard_normal((20, 4)):
            support = np.linalg.norm(direction @ (whole.L / size)) + np.abs(direction) @ (whole.q / size)
            assert direction @ (moved / size) <= support * (1 + 1e-12)


def test_the_spectral_norm_is_bounded_from_above_and_not_by_much() -> None:
    rng = np.random.default_rng(5)
    for shape in ((1, 1), (3, 5), (34, 34), (5, 69)):
        matrix = rng.standard_normal(shape) * 2.0**-400
        exact = np.linalg.norm(matrix * 2.0**400, 2) * 2.0**-400
        assert exact <= tube.spectral(matrix) <= 1.4 * exact


def test_a_jacobian_that_may_be_infinite_makes_the_radius_infinite() -> None:
    """|x|^(3/2) has no second derivative at 0: after a step to within rounding of 0 nothing is known of the next."""
    to_zero = Rule(name="to 0", step=lambda run: run.x[..., 0] / run.grad[..., 0])
    _, radii = outside_of_descent(problems()["abs-3/2"](), to_zero, 2, 128)
    assert 0 < radii[1] < 2.0**-120 and radii[2] == np.inf
    assert Tube.ball(1.0, 2).moved(np.eye(2), np.full((2, 2), np.inf), np.zeros(2)).radius() == np.inf


LARGE = ("power-law", "ionosphere", "mammo", "logistic-280")


def test_a_gradient_that_jumps_has_no_jacobian() -> None:
    """Derivatives on both sides of a jump say nothing of the jump: |x| / 3 has the derivatives 0 and 0."""

    def jump(xp: Any, at: Any) -> Any:
        u, third = xp.coordinate(at, 0), xp.scalar(Fraction(1, 3))
        return xp.from_coordinates([xp.choose(is_less(xp, u, u * 0), -third, third) + u * 0])

    problem = replace(smooth_abs(0), grad=jump)
    assert not problem.has_continuous_gradient
    _, radii = outside_of_descent(problem, constant(Fraction(1, 3)), 3, 128)
    assert 0 < radii[1] < 2.0**-120 and radii[2] == np.inf


def test_a_jacobian_takes_more_bits_where_the_gradient_is_small() -> None:
    """Near the minimiser 64 bits of x say nothing of the direction of the gradient."""
    steps = [4 * Fraction(3, 4) ** n for n in range(240)]
    outside, made = outside_of_method(problems()["quadratic-3d"](), NORMALIZED, given(steps), 240, 256)
    assert outside == 0 and made.jacobians.bits > 64 and made.radii["x", 240] < 2.0**-150


@pytest.mark.parametrize("width", [2.0**-40, 0.5])
@pytest.mark.parametrize("name", sorted(n for n in problems() if not n.startswith(LARGE)))
def test_differences_of_gradients_are_in_the_enclosed_jacobian(name: str, width: float) -> None:
    problem, xp = problems()[name](), dual(64)
    rng = np.random.default_rng(1)
    d = problem.dimension
    with xp.working():
        centre = np.array([float(c) for c in problem.start])
        slopes = problem.grad(xp, xp.variables(xp.plain.vectors(centre), np.full(d, width), 0, d)).tangent
        for _ in range(8):
            a, b = (xp.plain.vectors(centre + width * rng.uniform(-1, 1, d)) for _ in range(2))
            rise = problem.grad(xp.plain, b) - problem.grad(xp.plain, a)
            assert all((r - (row * (b - a)).sum()).contains(0) for r, row in zip(rise, slopes, strict=True))


# -- unfrozen steps ------------------------------------------------------------------------------------------------------


POLYAK = polyak(Fraction(3, 2))


@pytest.mark.parametrize(
    ("name", "rule"),
    [(name, POLYAK) for name in ("quadratic-2d", "quadratic-2-3", "two-cycle-5d", "steep-then-flat", "huber")]
    + [(name, rule) for name in ("quadratic-2d", "quadratic-4-5") for rule in (cauchy(), over_L(1))],
)
def test_the_exact_run_in_rationals_is_within_the_unfrozen_run(name: str, rule: Rule) -> None:
    problem = problems()[name]()
    enclosed = run(problem, rule, steps=6, columns=COLUMNS, xp="ball:128", unfrozen=True)
    exact = run(problem, rule, steps=6, columns=COLUMNS, xp="rational")
    with arithmetic(PRECISE).working():  # type: ignore[attr-defined]
        for column in COLUMNS:
            for ball, number in zip(enclosed.columns[column].data[0], exact.columns[column].data[0], strict=True):
                assert ball.contains(flint.arb(number)) and float(ball.rad()) < 2.0**-90


def test_a_frozen_polyak_step_is_not_the_exact_one_and_the_unfrozen_may_be() -> None:
    problem, rule = problems()["quadratic-2d"](), polyak(1)
    frozen = run(problem, rule, steps=6, columns=COLUMNS, xp="ball:128")
    unfrozen = run(problem, rule, steps=6, columns=COLUMNS, xp="ball:128", unfrozen=True)
    assert frozen.follows == () and unfrozen.follows == (rule.follows,)
    assert frozen.xp.error(frozen.columns[COLUMNS[1]]).max() == 0 < unfrozen.xp.error(unfrozen.columns[COLUMNS[1]]).min()


def test_more_bits_buy_more_unfrozen_steps() -> None:
    problem = problems()["quadratic-3d"]()
    wide, narrow = (
        run(problem, polyak(Fraction(3, 2)), steps=100, columns=COLUMNS, xp=f"ball:{bits}", unfrozen=True) for bits in (64, 256)
    )
    errors = [trace.xp.error(trace.columns[COLUMNS[0]])[0] for trace in (wide, narrow)]
    assert errors[0][-1] > 1e-3 or not np.isfinite(errors[0][-1])
    assert errors[1][-1] < 2.0**-100


def test_the_unfrozen_image_of_a_stored_point_has_the_exact_step_there() -> None:
    problem, rule = problems()["logistic-40x5"](), polyak(1)
    stored = iterate(problem, with_own_steps(GRADIENT_DESCENT, rule), rule, 10, "ball:128", gamma=Fraction(1))
    history = History(stored, stored.steps)
    images = history.points("x", "image").data[0]
    with arithmetic(PRECISE).working():  # type: ignore[attr-defined]
        plain = arithmetic(PRECISE).plain
        for n in range(10):
            at = stored.entries["x"][n]
            g = problem.grad(plain, at)
            truth = at - problem.gap(plain, at, g) / plain.normsq(g) * g  # type: ignore[misc]
            assert all(ball.overlaps(number) for ball, number in zip(images[n + 1], truth, strict=True))
            assert max(float(ball.rad()) for ball in images[n + 1]) < 2.0**-100


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (strongly_adapted("D"), "reads x_{i\\+1}"),
        (bb_long(), "reads x_{i-1}"),
        (constant(1), "follows no formula"),
    ],
)
def test_a_rule_whose_formula_is_not_of_one_point_stays_frozen(rule: Rule, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        run(problems()["quadratic-2d"](), rule, steps=3, xp="ball:128", unfrozen=True)
