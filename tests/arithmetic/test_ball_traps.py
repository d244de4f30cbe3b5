"""Balls: comparisons never guess, nothing looks at a middle by accident, and precision stays where it belongs."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from fractions import Fraction

import flint
import numpy as np
import pytest

from boundcheck.arithmetic import Order, Truth, arithmetic
from boundcheck.arithmetic.balls.ball import float_above
from boundcheck.arithmetic.wrapped_numbers import WrappedScalars

from .ball_truth import balls, encloses, exact, mp
from .test_ball import NAN, ONE_BY_ONE, TWO, XP, D, stacks

# -- comparisons -----------------------------------------------------------------------------------------------------------------


def test_a_comparison_never_decides_wrongly_and_equal_is_for_exact_equals_only():
    (a, x), (b, y) = balls(XP, 400, 2000, 6), balls(XP, 401, 2000, 6)
    order = XP.compare(a, b)
    for n, (p, q) in enumerate(zip(x, y, strict=True)):
        if order[n] != Order.UNKNOWN:
            assert (p > q) - (p < q) == order[n]
        if order[n] == Order.EQUAL:
            assert a.data[n].is_exact() and b.data[n].is_exact()
    assert {int(found) for found in order} >= {-1, 1, 2}
    wide = a[[not number.is_exact() for number in a.data]]
    assert set(XP.compare(wide, wide).tolist()) == {Order.UNKNOWN}
    assert XP.compare(XP.scalar(Fraction(1, 3)), XP.scalar(Fraction(1, 3))) == Order.UNKNOWN
    assert XP.compare(XP.scalar(Fraction(3, 8)), XP.scalar(0.375)) == Order.EQUAL


def test_balls_that_touch_are_not_decided():
    a, b = XP.scalars([1.0], [0.5]), XP.scalars([2.0], [0.5])
    assert XP.compare(a, b).tolist() == [Order.UNKNOWN]
    assert XP.compare(a, 1.75).tolist() == [Order.LESS] and XP.compare(a, 0.25).tolist() == [Order.GREATER]


def test_what_is_not_finite_is_unknown():
    bad = [XP.scalars([NAN]), XP.scalars([math.inf]), 1 / XP.scalars([0]), XP.log(XP.scalars([0])), XP.exp(XP.scalars([1e300]))]
    bad += [XP.scalars([1.0], [math.inf]), XP.scalars([1.0], [NAN]), XP.sqrt(XP.scalars([-1]))]
    bad += [XP.choose(np.array([Truth.UNKNOWN]), XP.scalars([1]), XP.scalars([NAN])), XP.minimum(XP.scalars([NAN]), 1)]
    for number in bad:
        assert XP.compare(number, 0).tolist() == XP.compare(0, number).tolist() == [Order.UNKNOWN]
        assert XP.compare(number, number).tolist() == [Order.UNKNOWN]
        assert XP.error(number).tolist() == [math.inf] and "unbounded" in XP.reason(number)
        assert np.isnan(XP.middle(number)).all() and XP.text(number[0]) == "undefined"
    assert XP.error(WrappedScalars(XP, np.array([flint.arb.pos_inf()], dtype=object))).tolist() == [math.inf]


def test_the_plain_namespace_compares_and_chooses_with_numbers_too():
    plain = XP.plain
    assert plain.compare(plain.scalars([1, 2]), 1).tolist() == [Order.EQUAL, Order.GREATER]
    assert plain.choose(np.array([Truth.YES, Truth.NO]), 3, plain.scalars([1, 2]))[0] == 3


# -- radii -----------------------------------------------------------------------------------------------------------------------


def test_a_radius_moves_every_coordinate_by_as_much():
    rng = np.random.default_rng(8)
    mids, radius = rng.normal(size=(6, 3)), np.array([0.0, 1e-300, 2.0**-100, 1e-9, 1.0, 1e200])
    for v in (XP.vectors(mids, radius), XP.enlarge(XP.vectors(mids), radius)):
        for point, ball, r in zip(mids, v.data, radius.tolist(), strict=True):
            for j in range(3):
                for side in (-1, 1):
                    assert encloses(WrappedScalars(XP, ball[j]), [Fraction(point[j]) + side * Fraction(r)]) == 1
        assert (XP.radius(v) >= np.sqrt(3) * radius * (1 - 1e-15)).all() and (XP.radius(v) <= 1.8 * radius + 1e-37).all()
    assert XP.radius(XP.vectors(mids)).tolist() == [0.0] * 6
    assert np.isinf(XP.radius(XP.vectors(mids, math.inf))).all() and np.isinf(XP.radius(XP.vectors([[NAN, 1.0]]))).all()
    grown = XP.radius(XP.enlarge(XP.vectors(mids, 1.0), 1.0))
    assert (grown >= 2 * np.sqrt(3) * (1 - 1e-15)).all()


def test_a_radius_as_float64_is_never_rounded_down():
    for exponent in (-3000, -1074, -1022, -1000, -300, 0, 300, 1000, 1023, 5000):
        number = flint.arb(2) ** exponent * 3
        with arithmetic("ball:200").working():
            third = number / 9
        for a in (number, -number, third, third.rad()):
            above = float_above(a)
            assert above == math.inf or Fraction(above) >= exact(a.abs_upper())
    assert float_above(flint.arb(0)) == 0 and float_above(flint.arb.nan()) == math.inf


def test_apart_is_at_least_the_distance_of_every_enclosed_point():
    (u, x), (v, _) = stacks(XP, (500, 501), largest=200)
    stored = XP.plain.stored(v.data)
    found = XP.apart(u, stored).reshape(-1)
    for n, (point, at) in enumerate(zip(x, stored.reshape(-1, D), strict=True)):
        off = sum((p - exact(q)) ** 2 for p, q in zip(point, at, strict=True))
        assert found[n] == math.inf or off <= Fraction(float(found[n])) ** 2
    same = XP.vectors(stored)
    assert XP.apart(same, stored).tolist() == np.zeros((2, 5)).tolist()
    assert np.isinf(XP.apart(XP.vectors(np.full((1, 2), NAN)), XP.plain.vectors([[1.0, 1.0]]))).all()


def test_what_a_run_stores_is_the_exact_middle():
    third = XP.vectors([[Fraction(1, 3), Fraction(1, 4)]], 0.125)
    stored = XP.plain.stored(third.data)
    assert all(number.is_exact() for number in stored.reshape(-1))
    assert XP.apart(third, stored)[0] >= 0.125 and XP.observed(stored, third).data[0, 0] == stored[0, 0]


def test_text_is_short_and_says_the_radius():
    assert XP.text(XP.scalar(0.5)) == "0.5" and XP.text(XP.scalar(0)) == "0"
    assert XP.text(XP.scalar(Fraction(1, 3))).startswith("0.333333333333 +- ")
    assert "e-1234" in XP.text(XP.power(XP.scalar(10), Fraction(-1234)))


# -- what python-flint would do --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "look",
    [
        bool,
        float,
        int,
        sorted,
        lambda a: max(a[0], a[1]),
        lambda a: np.maximum(a, a),
        lambda a: np.clip(a, 0, 1),
        np.sort,
        np.asarray,
        lambda a: np.asarray(a, dtype=float),
        lambda a: np.zeros(2).__setitem__(0, a[0]),
        lambda a: math.sqrt(a[0]),
        lambda a: a[0] ** 2,
        lambda a: mp(Fraction(1)) + a[0],
        lambda a: not (a[0] <= a[1]),
        lambda a: a[0] == a[1],
    ],
)
def test_nothing_looks_at_a_middle_by_accident(look):
    with pytest.raises((TypeError, ValueError)):  # NumPy makes the one of the other
        look(XP.scalars([1.0, 2.0], [5.0, 5.0]))


def test_a_square_and_an_even_power_of_a_ball_about_zero_are_numbers():
    about = XP.scalars([0.0], [1.0])
    for square in (about * about, XP.power(about, Fraction(2)), XP.normsq(XP.from_coordinates([about]))):
        assert encloses(square, [Fraction(1)]) == 1 and encloses(square, [Fraction(0)]) == 1


@pytest.mark.parametrize("kind", [np.float32, np.int64, np.int8, np.float64, int, Fraction, bool])
def test_numbers_of_every_kind_enter(kind):
    assert XP.compare(XP.scalar(kind(1)), 1) == Order.EQUAL
    assert XP.compare(XP.scalars([kind(1), kind(0)]), XP.scalars([1, 0])).tolist() == [0, 0]
    with pytest.raises(TypeError, match="int, float and Fraction"):
        XP.scalar("1")


# -- precision -------------------------------------------------------------------------------------------------------------------


@pytest.fixture(params=[53, 31, 777])
def before(request):
    """Somebody else's precision, which must be as it was after each operation."""
    kept, flint.ctx.prec = flint.ctx.prec, request.param
    yield request.param
    assert flint.ctx.prec == request.param
    flint.ctx.prec = kept


def test_every_operation_puts_the_precision_back_and_has_its_own(before):
    a = XP.scalars([Fraction(1, 3), Fraction(2, 7)])
    for name, (operation, _, inputs, _, _) in ONE_BY_ONE.items():
        result = operation(XP, *[a] * inputs)
        assert flint.ctx.prec == before, name
        assert name.startswith("hull") or (XP.error(result) < 2.0**-118).all(), name
    v = XP.vectors([[Fraction(1, 3), 2], [1, Fraction(1, 7)]])
    results = [XP.dot(v, v), XP.norm(v), XP.softplus_sum(v), XP.softplus_bregman_sum(v, v), XP.scalar(Fraction(1, 3))]
    image = XP.matvec(XP.matrix([[Fraction(1, 3), 1]]), v)
    results += [XP.coordinate(u, 0) for u in (v + v, XP.sigmoid(v), XP.hadamard(v, v), image)]
    for result in results:
        assert (XP.error(result) < 2.0**-118).all() and flint.ctx.prec == before


def test_an_exception_puts_the_precision_back_too(before):
    with pytest.raises(ZeroDivisionError):
        XP.apply(lambda a: 1 // 0, XP.scalar(1).data)
    assert flint.ctx.prec == before
    with pytest.raises(TypeError):
        XP.scalars(["one"])
    with pytest.raises(KeyError), XP.working(), arithmetic("ball:512").working():
        raise KeyError
    assert flint.ctx.prec == before


def test_two_arithmetics_interleaved_keep_their_own_precision(before):
    low, high = arithmetic("ball:64"), arithmetic("ball:1024")
    a, b = low.scalar(Fraction(1, 3)), high.scalar(Fraction(1, 3))
    for _ in range(5):
        a, b = a * 3 / 3, b * 3 / 3
        assert 2.0**-70 < low.error(a) < 2.0**-58 and high.error(b) < 1e-300
    with low.working():
        assert flint.ctx.prec == 64
        with high.working(), low.working(), high.working():
            assert flint.ctx.prec == 1024
            assert low.error(low.sqrt(low.scalar(2))) > 2.0**-70
        assert flint.ctx.prec == 64
        assert high.error(high.sqrt(high.scalar(2))) < 1e-300


def test_numbers_that_enter_the_plain_namespace_have_all_bits_whatever_the_context_says(before):
    """Problems keep their constants: those lifted outside of `working` must not spoil the runs inside it."""
    plain = arithmetic("ball:640").plain
    for number in (plain.lift(Fraction(1, 3)), plain.matrix([[Fraction(1, 3)]]).mat[0, 0], plain.vector([Fraction(1, 3)])[0]):
        assert exact(number.rad()) < TWO**-639


# -- pickles and processes -------------------------------------------------------------------------------------------------------


def test_a_pickled_arithmetic_is_the_same_object():
    for name in ("ball:128", "ball:300"):
        assert pickle.loads(pickle.dumps(arithmetic(name))) is arithmetic(name)


def test_a_number_is_not_pickled_by_accident():
    with pytest.raises(TypeError):
        pickle.dumps(XP.scalar(1))


def test_a_problem_and_a_verdict_used_in_balls_pickle_without_a_ball():
    problem, verdict = _asked("ball:128")
    assert pickle.loads(pickle.dumps(verdict)).outcome is verdict.outcome
    stored = pickle.dumps(problem)
    assert b"arb" not in stored and b"flint" not in stored and b"arb" not in pickle.dumps(verdict)
    assert pickle.loads(stored).name == problem.name


def _asked(name):
    from boundcheck.check.answer import check
    from boundcheck.claims.bound import Bound
    from boundcheck.claims.hypotheses import GradientDescent
    from boundcheck.language.letters import f, k, x
    from boundcheck.library.catalogue import problems
    from boundcheck.runners import over_L, run

    problem = problems()["logistic-40x5"]()
    falls = Bound(given=(GradientDescent(),), states=f(x[k + 1]) <= f(x[k]))
    (verdict,) = check([falls], run(problem, over_L(1), steps=3, xp=name))
    return problem, verdict


ELSEWHERE = """
import pickle, sys
import flint
from boundcheck.arithmetic import arithmetic
from boundcheck.claims.bound import Bound
from boundcheck.check.answer import check
from boundcheck.language.letters import f, k, x
from boundcheck.library.catalogue import problems
from boundcheck.runners import over_L, run

xp = arithmetic(sys.argv[1])
(verdict,) = check([Bound(states=f(x[k + 1]) <= f(x[k]))], run(problems()["quadratic-3d"](), over_L(1), steps=3, xp=xp))
sys.stdout.buffer.write(pickle.dumps((xp, flint.ctx.prec, verdict, float(xp.error(xp.scalar(1) / 3)))))
"""


@pytest.mark.parametrize("bits", [64, 256])
def test_a_process_has_its_own_precision_and_sends_verdicts(bits):
    sent = subprocess.run([sys.executable, "-c", ELSEWHERE, f"ball:{bits}"], capture_output=True, check=True).stdout
    xp, precision, verdict, error = pickle.loads(sent)
    assert xp is arithmetic(f"ball:{bits}") and precision == 53
    assert verdict.outcome.name == "HOLDS" and verdict.cell.arithmetic == xp.name
    assert 2.0 ** (-bits - 4) < error < 2.0 ** (-bits + 1)
