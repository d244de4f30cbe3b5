"""Whether balls hold the truth: every oracle of a problem in balls, against 700 digits or exact rationals, at random points.

Each check raises `Outside`. The truth comes from the same formulas without rounding that matters, so this is a check of
enclosures; the formulas themselves are checked by boundcheck.testing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.arithmetic.base import NotInThisArithmetic
from boundcheck.model.problem import Problem

DIGITS = 700
TRUTH, SHORTER, EXACT = arithmetic(f"mp:{DIGITS}").plain, arithmetic("mp:120").plain, arithmetic("rational")
PRECISELY = Precision(3000)  # to compare with the truth: at fewer bits the truth itself would be rounded
GOLDEN = (5**0.5 - 1) / 2


class Outside(AssertionError):
    """An enclosure does not hold the truth."""


def pairs(problem: Problem, count: int, seed: int) -> Iterator[tuple[Any, Any]]:
    """Points at all distances from the minimiser, 1e-13 among them, and displacements of all sizes."""
    rng = np.random.default_rng([seed, problem.dimension, 5])
    middle = problem.minimiser.point if problem.minimiser else problem.start
    centre = np.array([float(value) for value in middle])
    for i in range(count):
        x = centre + (1.5, 1e-6, 6.0, 0.3, 1e-13)[i % 5] * rng.standard_normal(problem.dimension)
        yield x, (1.0, 0.1, 1e-8, 5.0, 1e-13, 30.0)[(i // 5 + i) % 6] * rng.standard_normal(problem.dimension)


def oracles(problem: Problem, xp: Any, x: Any, d: Any) -> dict[str, list[Any]]:
    """What the problem says at x and along d: scalars, and the coordinates of vectors."""
    gx, gy = problem.grad(xp, x), problem.grad(xp, x + d)
    made = {"f": [problem.f(xp, x)], "the gradient": _coordinates(problem, xp, gx)}
    if problem.gap is not None:
        made["the gap"] = [problem.gap(xp, x, gx)]
    if problem.bregman is not None:
        made["the Bregman difference"] = [problem.bregman(xp, x, d, gx, gy)]
    if problem.hessian_vector is not None:
        made["the Hessian times d"] = _coordinates(problem, xp, problem.hessian_vector(xp, x, d))
    return made


def _coordinates(problem: Problem, xp: Any, v: Any) -> list[Any]:
    return [xp.coordinate(v, j) for j in range(problem.dimension)]


def oracles_hold_the_truth(problem: Problem, xp: Any, *, count: int = 10, seed: int = 0) -> None:
    """At exact points."""
    for x, d in pairs(problem, count, seed):
        found = oracles(problem, xp, xp.vectors(x), xp.vectors(d))
        _compare(problem, found, oracles(problem, TRUTH, TRUTH.vectors(x), TRUTH.vectors(d)), x, d)


def balls_hold_the_truth_of_their_points(problem: Problem, xp: Any, *, count: int = 8, seed: int = 0) -> None:
    """At points known within radii from 1e-30 to 1e-3: the truth at random points inside, and at corners."""
    rng = np.random.default_rng([seed, problem.dimension, 6])
    for i, (x, d) in enumerate(pairs(problem, count, seed + 1)):
        radius, other = 10.0 ** -rng.uniform(3, 30), 10.0 ** -rng.uniform(3, 30)
        found = oracles(problem, xp, xp.vectors(x, np.float64(radius)), xp.vectors(d, np.float64(other)))
        for corner in (False, True):
            move, turn = (rng.uniform(-1, 1, problem.dimension) for _ in range(2))
            if corner:
                move, turn = np.sign(move), np.sign(turn)
            u = TRUTH.vectors(x) + TRUTH.scale(TRUTH.scalar(radius), TRUTH.vectors(move))
            v = TRUTH.vectors(d) + TRUTH.scale(TRUTH.scalar(other), TRUTH.vectors(turn))
            _compare(problem, found, oracles(problem, TRUTH, u, v), x, d)
            if problem.chord is not None and i % 4 == 0 and problem.dimension <= 6:
                _wide_chord(problem, xp, (x, radius), (d, other), u, v)


def _wide_chord(problem: Problem, xp: Any, start: Any, step: Any, u: Any, v: Any) -> None:
    x, d = xp.vectors(start[0], np.float64(start[1])), xp.vectors(step[0], np.float64(step[1]))
    gx, gy = problem.grad(xp, x), problem.grad(xp, x + d)
    for side in ("sup", "inf"):
        ball = problem.chord(xp, x, d, gx, gy, side).data[()]  # type: ignore[misc]
        _reaches(problem, ball, _slopes(problem, TRUTH, u, v, np.linspace(0, 1, 9)[1:]), side)


def chords_hold_the_truth(problem: Problem, xp: Any, *, count: int = 6, seed: int = 0, searched: int = 60) -> None:
    """Both extrema: exact where rationals know them; else no secant slope is beyond, and a search finds no other."""
    assert problem.chord is not None
    for x, d in pairs(problem, count, seed + 2):
        for side in ("sup", "inf"):
            u, v = xp.vectors(x), xp.vectors(d)
            ball = problem.chord(xp, u, v, problem.grad(xp, u), problem.grad(xp, u + v), side).data[()]
            if (known := _exact_chord(problem, x, d, side)) is not None:
                with PRECISELY:
                    inside = ball.contains(known)
                if not inside:
                    raise Outside(f"{problem.name}: chord {side} from {x[:2]} along {d[:2]} is {known}, outside {ball}")
                continue
            sign = 1 if side == "sup" else -1
            places = np.unique(np.r_[np.linspace(0, 1, 17)[1:], np.geomspace(1e-14, 1, 15), 1e-40])
            slopes = _slopes(problem, SHORTER, SHORTER.vectors(x), SHORTER.vectors(d), places)
            _reaches(problem, ball, slopes, side)
            best = max(range(len(places)), key=lambda i: sign * slopes[i])
            found = _searched(problem, x, d, sign, places, best, searched) if searched else slopes[best]
            if searched:
                within = _ball(found, 1e-30)
                if ball.is_finite() and not _overlap(ball, within):
                    raise Outside(
                        f"{problem.name}: chord {side} from {x[:2]} along {d[:2]}: the search finds {within}, not {ball}"
                    )


def _slopes(problem: Problem, xp: Any, x: Any, d: Any, at: Any) -> list[Any]:
    """Secant slopes of the gradient at t, from exact t."""
    here, length2 = problem.grad(xp, x), xp.normsq(d)
    made = []
    for t in at:
        t = xp.scalar(t) if isinstance(t, float | Fraction) else t
        made.append(xp.dot(problem.grad(xp, x + xp.scale(t, d)) - here, d) / (t * length2))
    return made


def _reaches(problem: Problem, ball: Any, slopes: list[Any], side: str) -> None:
    """No slope is above the sup, or below the inf; a slope at a small t has lost 80 of its digits."""
    for slope in slopes:
        truth = _ball(slope, 1e-35)
        with PRECISELY:
            above, below = ball.upper() >= truth.lower(), ball.lower() <= truth.upper()
        if ball.is_finite() and not (above if side == "sup" else below):
            raise Outside(f"{problem.name}: chord {side} {ball} is passed by a slope of {truth}")


def _searched(problem: Problem, x: Any, d: Any, sign: int, places: Any, best: int, rounds: int) -> Any:
    """The largest slope between the neighbours of the best place, by golden sections."""
    xp = SHORTER
    x, d = xp.vectors(x), xp.vectors(d)
    low, high = xp.scalar(float(places[max(best - 1, 0)])), xp.scalar(float(places[min(best + 1, len(places) - 1)]))
    golden = xp.scalar(GOLDEN)
    value = lambda t: sign * _slopes(problem, xp, x, d, [t])[0]  # noqa: E731
    a, b = high - golden * (high - low), low + golden * (high - low)
    at_a, at_b = value(a), value(b)
    for _ in range(rounds):
        if at_a >= at_b:
            high, b, at_b = b, a, at_a
            a = high - golden * (high - low)
            at_a = value(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + golden * (high - low)
            at_b = value(b)
    ends = [value(xp.scalar(float(places[i]))) for i in (best, len(places) - 1)]
    return sign * max(at_a, at_b, *ends)


def _exact_chord(problem: Problem, x: Any, d: Any, side: str) -> Any:
    if not problem.rational or problem.chord is None:
        return None
    u, v = EXACT.vectors([Fraction(float(c)) for c in x]), EXACT.vectors([Fraction(float(c)) for c in d])
    try:
        made = problem.chord(EXACT, u, v, problem.grad(EXACT, u), problem.grad(EXACT, u + v), side)
    except NotInThisArithmetic:
        return None
    return None if EXACT.reason(made) is not None else made.data[()]


def _compare(problem: Problem, found: dict[str, list[Any]], truth: dict[str, list[Any]], x: Any, d: Any) -> None:
    for what, balls in found.items():
        for ball, true in zip(balls, truth[what], strict=True):
            if not _holds(ball.data[()], true, what == "the gap"):
                raise Outside(f"{problem.name}: {what} at {x[:2]} along {d[:2]} is {_ball(true, 0.0)}, outside {ball}")


def _holds(ball: Any, true: Any, is_gap: bool) -> bool:
    """The truth is within 1e-600 of its size, or of the size of what it is a difference of; f* of data is known to 80 digits."""
    with PRECISELY:
        return _overlap(ball, _ball(true, 1e-300) + arb(0, 1e-80 if is_gap else 1e-300))


def _overlap(one: Any, other: Any) -> bool:
    with PRECISELY:
        return bool(one.overlaps(other))


def _ball(number: Any, relative: float) -> Any:
    """The ball about an mpf."""
    sign, mantissa, exponent, _ = np.asarray(number)[()]._mpf_
    with PRECISELY:
        exact = arb(fmpq(int(mantissa) * (-1) ** sign) * fmpq(2) ** exponent)
        return exact + arb(0, 1) * abs(exact) * arb(relative)
