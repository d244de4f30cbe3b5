"""Piecewise quadratics in balls: one by one on their own pieces, against the formulas over all pieces, and planted mistakes."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.arithmetic.derivatives.dual import dual
from boundcheck.problems import CATALOGUE, piecewise, ridge
from boundcheck.problems._numerics import ball_pieces, pieces
from boundcheck.problems._numerics.ball_pieces import BallPieces
from boundcheck.problems._numerics.pieces import Pieces, shape

BALL = arithmetic("ball:128")
EXACT = arithmetic("rational")
PRECISELY = Precision(3000)  # to compare with the truth
FORMULAS = ("value", "gradient", "difference", "rise", "slope")
THIRD = Fraction(1, 3)


def drawn() -> Pieces:
    """Five pieces, one flat, one falling, and a knot that no ball holds exactly."""
    return shape([-1, THIRD, 2, 3], [-2, THIRD, THIRD, 0], 1, 5, "drawn", convex=False).around(Fraction(-1))


class Worse(AssertionError):
    """Two enclosures of one number that do not meet, or one more than twice as wide as it was."""


def places(pieces: Pieces, seed: int) -> Iterator[tuple[Any, Any]]:
    """u and a step: exact, thin and wide balls, exact knots, and ends at knots."""
    rng = np.random.default_rng(seed)
    knots = [float(knot) for knot in pieces.knots]
    for _ in range(150):
        at_knot, to_knot = rng.random(2) < 0.3
        u = rng.choice(knots) if at_knot else rng.uniform(-4, 6)
        step = rng.choice(knots) - u if to_knot else rng.standard_normal() * rng.choice([4.0, 1.0, 1e-9])
        radii = [rng.choice([0.0, 1e-30, 1e-12, 0.01, 0.7]) for _ in range(2)]
        yield arb(u, radii[0]), arb(step, radii[1])


def generic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Balls take the way of all other numbers."""
    for module in (pieces, ridge, piecewise):
        monkeypatch.setattr(module, "is_plain_ball", lambda xp: False)


def one(xp: Any, answer: Any) -> Any:
    return xp.bare(answer)[()]


def compare(new: Any, old: Any) -> None:
    """The old one may be undefined; rounding may differ by some units in the last place."""
    if not old.is_finite():
        return
    with BALL.working():
        last_places = arb(2) ** -120 * (1 + abs(old).upper())
        if not (new.is_finite() and new.overlaps(old) and new.rad() <= 2 * old.rad() + last_places):
            raise Worse(f"{new} in place of {old}")


def formulas_agree(monkeypatch: pytest.MonkeyPatch, xp: Any, names: tuple[str, ...] = FORMULAS) -> None:
    pieces = drawn()
    for seed in range(2):
        for u, step in places(pieces, seed):
            for name in names:
                given = [xp.scalars(a) for a in ([u] if name in ("value", "gradient") else [u, step])]
                with xp.working():
                    new = one(xp, getattr(pieces, name)(xp, *given))
                    with monkeypatch.context() as patched:
                        generic(patched)
                        old = one(xp, getattr(pieces, name)(xp, *given))
                compare(new, old)


@pytest.mark.parametrize("xp", [BALL, BALL.plain], ids=["wrapped", "bare"])
def test_each_formula_is_no_wider_than_over_all_pieces(monkeypatch: pytest.MonkeyPatch, xp: Any) -> None:
    formulas_agree(monkeypatch, xp)


@pytest.mark.parametrize("name", ["ridge-2d", "ridge-3d", "steep-then-flat", "dented"])
def test_each_oracle_is_no_wider_than_over_all_pieces(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    problem, rng = CATALOGUE[name](), np.random.default_rng(3)
    assert problem.gap is not None and problem.bregman is not None and problem.chord is not None

    def all_oracles(x: Any, d: Any) -> list[Any]:
        gx, gy = problem.grad(BALL, x), problem.grad(BALL, x + d)
        chords = [problem.chord(BALL, x, d, gx, gy, side) for side in ("sup", "inf")]  # type: ignore[misc]
        scalars = [problem.f(BALL, x), problem.gap(BALL, x, gx), problem.bregman(BALL, x, d, gx, gy)]  # type: ignore[misc]
        return [one(BALL, a) for a in (*scalars, *(BALL.coordinate(gx, j) for j in range(problem.dimension)), *chords)]

    for i in range(24):
        x = np.round(rng.standard_normal(problem.dimension) * 3 * (2 if i % 2 else 64)) / (2 if i % 2 else 64)
        d = rng.standard_normal(problem.dimension) * (4.0, 0.1)[i % 2]
        radius = np.float64((0.0, 1e-25, 1e-3)[i % 3])
        balls = BALL.vectors(x, radius), BALL.vectors(d, radius / 2)
        new = all_oracles(*balls)
        with monkeypatch.context() as patched:
            generic(patched)
            old = all_oracles(*balls)
        for a, b in zip(new, old, strict=True):
            compare(a, b)


@pytest.mark.parametrize("name", FORMULAS)
def test_balls_hold_what_rationals_say_of_their_points(name: str) -> None:
    holds_rationals(name)


def holds_rationals(name: str) -> None:
    pieces, rng = drawn(), np.random.default_rng(5)
    balls = pieces.in_balls(BALL)
    for u, step in places(pieces, 7):
        with BALL.working():
            found = getattr(balls, name)(*([u] if name in ("value", "gradient") else [u, step]))
        if not found.is_finite():
            continue
        for side in (-1.0, 1.0, rng.uniform(-1, 1)):
            point, way = (
                Fraction(float(a.mid())) + Fraction(side) * Fraction(float(a.rad())) * Fraction(9, 10) for a in (u, step)
            )
            given = [EXACT.scalar(a) for a in ([point] if name in ("value", "gradient") else [point, way])]
            true = EXACT.bare(getattr(pieces, name)(EXACT, *given))[()]
            with PRECISELY:
                holds = found.overlaps(arb(true))
            if not holds:
                raise Worse(f"{name} at {point} along {way} is {true}, outside {found}")


@pytest.mark.parametrize("name", ["ridge-2d", "ridge-3d", "steep-then-flat", "dented"])
def test_chords_from_balls_over_knots_hold_what_rationals_say(name: str) -> None:
    assert chords_hold_rationals(name) >= 20


def chords_hold_rationals(name: str) -> int:
    """From balls about whole numbers, where the knots are, to random points inside: how many were bounded."""
    problem, rng, bounded = CATALOGUE[name](), np.random.default_rng(11), 0
    assert problem.chord is not None
    for i in range(40):
        x, d = (
            rng.integers(-3, 5, problem.dimension).astype(float),
            rng.choice([1.0, 4.0]) * rng.standard_normal(problem.dimension),
        )
        radius, side = (0.0, 2.0**-40, 0.125)[i % 3], ("sup", "inf")[i % 2]
        ball = one(BALL, chord(problem, BALL, BALL.vectors(x, np.float64(radius)), BALL.vectors(d, np.float64(radius / 8)), side))
        bounded += ball.is_finite()
        for _ in range(6):
            point, way = (v + r * np.round(rng.uniform(-1, 1, v.size) * 8) / 8 for v, r in ((x, radius), (d, 0.0)))
            true = one(EXACT, chord(problem, EXACT, *(EXACT.vectors([Fraction(c) for c in v]) for v in (point, way)), side))
            with PRECISELY:
                if ball.is_finite() and not ball.overlaps(arb(true)):
                    raise Worse(f"{name}: chord {side} from {point} along {way} is {float(arb(true))}, outside {ball}")
    return bounded


def chord(problem: Any, xp: Any, x: Any, d: Any, side: str) -> Any:
    return problem.chord(xp, x, d, problem.grad(xp, x), problem.grad(xp, x + d), side)


def test_stacks_broadcast_and_keep_their_shape() -> None:
    pieces = drawn()
    u, step = BALL.scalars(np.linspace(-3, 4, 6).reshape(3, 2)), BALL.scalar(Fraction(5, 2))
    made = pieces.difference(BALL, u, step)
    assert made.shape == (3, 2)
    assert made.data[2, 1].overlaps(one(BALL, pieces.difference(BALL, u[2, 1], step)))


def test_what_is_not_finite_is_undefined() -> None:
    balls, one_ball = drawn().in_balls(BALL), arb(1)
    for bad in (arb.nan(), arb("inf"), arb(0, float("inf"))):
        assert not balls.value(bad).is_finite() and not balls.gradient(bad).is_finite()
        for formula in (balls.difference, balls.rise, balls.slope):
            assert not formula(bad, one_ball).is_finite() and not formula(one_ball, bad).is_finite()


def test_precision_is_that_of_the_arithmetic() -> None:
    pieces, wide = drawn(), arithmetic("ball:512")
    for xp, most in ((BALL, 2.0**-115), (wide, 2.0**-490)):
        made = one(xp, pieces.value(xp, xp.scalar(Fraction(7, 5))))
        assert 0 < float(made.rad()) < most
    assert float(one(BALL, pieces.value(BALL, BALL.scalar(Fraction(7, 5)))).rad()) > 2.0**-140


def test_derivatives_take_the_way_over_all_pieces() -> None:
    xp = dual(128)
    assert not pieces.is_plain_ball(xp)
    with xp.working():
        x = xp.variables(np.array([arb(1), arb(3)], dtype=object), np.zeros(2), 0, 2)
        assert CATALOGUE["ridge-2d"]().grad(xp, x).tangent is not None


def test_a_problem_that_was_used_in_balls_travels() -> None:
    problem = CATALOGUE["ridge-2d"]()
    x = BALL.vectors([1.5, 2.5])
    before = problem.f(BALL, x)
    assert one(BALL, pickle.loads(pickle.dumps(problem)).f(BALL, x)).overlaps(one(BALL, before))


# -- what must be rejected -------------------------------------------------------------------------------------------------


def only_the_first_piece(self: BallPieces, u: Any, formula: Callable[[Any, int], Any]) -> Any:
    return formula(u, self._around(u)[0])


def middles(self: BallPieces, u: Any) -> tuple[int, int]:
    """Looks at middles only, where balls are wide."""
    j = sum(1 for knot in self.knots if float(u) >= float(knot))
    return j, j


@pytest.mark.parametrize(
    ("method", "mutant", "noticed"),
    [("_united", only_the_first_piece, "value"), ("_around", middles, "difference"), ("_around", middles, "rise")],
)
def test_a_ball_over_a_knot_that_forgets_a_piece_is_noticed(
    monkeypatch: pytest.MonkeyPatch, method: str, mutant: Any, noticed: str
) -> None:
    monkeypatch.setattr(BallPieces, method, mutant)
    with pytest.raises(Worse):
        holds_rationals(noticed)


def test_chords_that_pass_over_knots_inside_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ball_pieces, "_outside", lambda way, step: True)
    for name in ("ridge-2d", "dented"):
        with pytest.raises(Worse):
            chords_hold_rationals(name)


def test_a_width_of_three_times_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = BallPieces.gradient
    monkeypatch.setattr(BallPieces, "gradient", lambda self, u: honest(self, u) + arb(0, 1) * 2 * honest(self, u).rad())
    with pytest.raises(Worse):
        formulas_agree(monkeypatch, BALL, ("gradient",))
