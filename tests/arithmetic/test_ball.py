"""Balls: every operation encloses the truth, and one that forgets a radius is caught."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

import flint
import numpy as np
import pytest

from boundcheck.arithmetic import Order, Truth, arithmetic
from boundcheck.arithmetic.balls.ball import Ball
from boundcheck.arithmetic.balls.plain import BallMatrix
from boundcheck.arithmetic.wrapped_numbers import WrappedScalars

from .ball_truth import BITS, MP, as_vectors, balls, by_mpmath, encloses, exact, fraction, mp, rows

XP = arithmetic("ball:128")
WIDE = arithmetic("ball:40")  # few bits, so that rounding is seen
SLACK = Fraction(1, 2 ** (BITS - 200))  # what the truth itself is off by
TWO = Fraction(2)
NAN = float("nan")


class OnlyMiddles(Ball):
    """A planted mistake: every operation forgets the radius of its result."""

    def apply(self, operation, *arrays):
        made = super().apply(operation, *arrays)
        return made if isinstance(made, BallMatrix) else self.plain.stored(made)


def _defined(condition, function):
    """A truth that is None where the condition fails."""
    return lambda *values: function(*values) if condition(*values) else None


def _sigmoid(x):
    tail = MP.exp(-abs(x))
    return (1 if x >= 0 else tail) / (1 + tail)


def _softplus(x):
    return max(x, 0) + MP.log1p(MP.exp(-abs(x)))


def _nonnegative(x):
    return x >= 0


# the operation, its truth, how many numbers it takes, the largest exponent tried, and the least share of finite results
ONE_BY_ONE = {
    "+": (lambda xp, a, b: a + b, lambda x, y: x + y, 2, 300, 1.0),
    "-": (lambda xp, a, b: a - b, lambda x, y: x - y, 2, 300, 1.0),
    "*": (lambda xp, a, b: a * b, lambda x, y: x * y, 2, 300, 1.0),
    "/": (lambda xp, a, b: a / b, _defined(lambda x, y: y != 0, lambda x, y: x / y), 2, 300, 0.6),
    "negative": (lambda xp, a: -a, lambda x: -x, 1, 300, 1.0),
    "a number minus": (lambda xp, a: 3 - a, lambda x: 3 - x, 1, 300, 1.0),
    "a number over": (lambda xp, a: Fraction(1, 3) / a, _defined(lambda x: x != 0, lambda x: Fraction(1, 3) / x), 1, 300, 0.6),
    "abs": (lambda xp, a: xp.abs(a), abs, 1, 300, 1.0),
    "sqrt": (lambda xp, a: xp.sqrt(a), _defined(_nonnegative, by_mpmath(MP.sqrt)), 1, 300, 0.4),
    "exp": (lambda xp, a: xp.exp(a), by_mpmath(MP.exp), 1, 10, 1.0),
    "log": (lambda xp, a: xp.log(a), _defined(lambda x: x > 0, by_mpmath(MP.log)), 1, 300, 0.3),
    "minimum": (lambda xp, a, b: xp.minimum(a, b), min, 2, 300, 1.0),
    "maximum": (lambda xp, a, b: xp.maximum(a, b), max, 2, 300, 1.0),
    "hull, first": (lambda xp, a, b: xp.choose(np.full(a.shape, Truth.UNKNOWN), a, b), lambda x, y: x, 2, 300, 1.0),
    "hull, second": (lambda xp, a, b: xp.choose(np.full(a.shape, Truth.UNKNOWN), a, b), lambda x, y: y, 2, 300, 1.0),
    "chosen": (lambda xp, a, b: xp.choose(np.full(a.shape, Truth.YES), a, b) * 1, lambda x, y: x, 2, 300, 1.0),
    "not chosen": (lambda xp, a, b: xp.choose(np.full(a.shape, Truth.NO), a, b) * 1, lambda x, y: y, 2, 300, 1.0),
    "sigmoid": (lambda xp, a: xp.coordinate(xp.sigmoid(xp.from_coordinates([a])), 0), by_mpmath(_sigmoid), 1, 12, 1.0),
    "softplus": (lambda xp, a: xp.softplus_sum(xp.from_coordinates([a])), by_mpmath(_softplus), 1, 12, 1.0),
    **{
        f"power {e}": (
            lambda xp, a, e=e: xp.power(a, e),
            _defined(
                lambda x, e=e: (x >= 0 or e.denominator == 1) and (x != 0 or e >= 0),
                lambda x, e=e: x**e.numerator if e.denominator == 1 else fraction(MP.root(mp(x), e.denominator) ** e.numerator),
            ),
            1,
            60,
            0.3,
        )
        for e in map(Fraction, ("0", "1", "2", "5", "-1", "-3", "1/2", "3/2", "-1/2", "1/3", "5/3", "-2/7"))
    },
}


def check_one_by_one(xp, name, seed):
    operation, truth, inputs, largest, share = ONE_BY_ONE[name]
    given, inside = zip(*(balls(Ball(xp.bits), seed + n, largest=largest) for n in range(inputs)), strict=True)
    result = operation(xp, *(WrappedScalars(xp, a.data) for a in given))
    assert result.shape == given[0].shape
    truths = [truth(*values) for values in zip(*inside, strict=True)]
    # a ball that reaches where the function is undefined is cut there, as sqrt and roots do
    cut = name == "sqrt" or "/" in name.partition(" ")[2]
    number = result.data.reshape(-1)
    truths = [exact(a.mid()) if t is None and cut and a.is_finite() else t for t, a in zip(truths, number, strict=True)]
    assert encloses(result, truths, SLACK) >= share


@pytest.mark.parametrize("xp", [XP, WIDE], ids=lambda xp: xp.name)
@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_an_operation_encloses_the_truth(xp, name):
    check_one_by_one(xp, name, 100)


@pytest.mark.parametrize("name", sorted(set(ONE_BY_ONE) - {"power 0"}))
def test_an_operation_that_takes_middles_only_is_caught(name):
    with pytest.raises(AssertionError, match="misses"):
        check_one_by_one(OnlyMiddles(40), name, 100)


@pytest.mark.parametrize("name", ["+", "*", "/", "sqrt", "exp", "log", "sigmoid", "softplus", "power 5/3"])
def test_a_result_of_exact_numbers_is_nearly_as_good_as_its_bits(name):
    operation, _, inputs, _, _ = ONE_BY_ONE[name]
    values = np.array([0.3, 7.0, 1e-9, 123.25])
    result = operation(XP, *[XP.scalars(values)] * inputs)
    assert (XP.error(result) <= 2.0**-123 * np.abs(XP.middle(result))).all()


def test_square_roots_and_roots_of_balls_about_zero_are_those_of_the_part_that_is_not_negative():
    about = XP.scalars([0.0, 1.0, -3.0], [1.0, 1.0, 1.0])
    for power in (Fraction(1, 2), Fraction(1, 3)):
        result = XP.power(about, power)
        assert encloses(result[:2], [Fraction(0), Fraction(0)]) == 1 and encloses(result[:2], [Fraction(1), Fraction(1)]) == 1
        assert XP.middle(result)[:2].max() < 1.3 and np.isnan(XP.middle(result)[2])


def test_a_sigmoid_and_a_softplus_have_ends_however_wide_or_far_their_argument():
    v = XP.vectors(np.array([[0.0], [1e300], [-1e300], [300.0]]), np.array([100.0, 1.0, 0.0, 1e4]))
    values = XP.coordinate(XP.sigmoid(v), 0).data
    ends = [flint.arb(end) for end in (0.5, 1, 0, 1)]
    assert all((value - end).abs_lower() < 1e-40 for value, end in zip(values, ends, strict=True))
    assert all(value > -1e-8 and value < 1 + 1e-8 for value in values) and values[1] > 1 - 1e-9 and values[2] < 1e-9
    assert np.isfinite(XP.error(XP.softplus_sum(v))).all()


# -- scans -----------------------------------------------------------------------------------------------------------------------

SCANS = {"cumsum": lambda s, t: s + t, "cumprod": lambda s, t: s * t, "cummin": min, "cummax": max}


def check_scan(xp, which):
    shape, d = (4, 30), 30
    a, x = balls(Ball(xp.bits), 200, shape, largest=20)
    truth = [value for row in rows(x, d) for value in accumulate(row, SCANS[which])]
    scan, given = getattr(xp, which), WrappedScalars(xp, a.data)
    assert encloses(scan(given), truth) == 1
    first = scan(given[:, :11])
    cut = xp.concatenate([first, scan(given[:, 11:], first[:, -1:])])
    assert encloses(cut, truth) == 1


def check_recurrence(xp):
    shape, d = (3, 25), 25
    (a, x), (b, y), (s, z) = (balls(Ball(xp.bits), seed, size, largest=6) for seed, size in ((1, shape), (2, shape), (3, (3, 1))))
    truth = []
    for p, q, start in zip(rows(x, d), rows(y, d), z, strict=True):
        for factor, term in zip(p, q, strict=True):
            start = factor * start + term
            truth.append(start)
    assert encloses(xp.recurrence(*(WrappedScalars(xp, part.data) for part in (a, b, s))), truth) == 1


@pytest.mark.parametrize("xp", [XP, WIDE], ids=lambda xp: xp.name)
def test_a_scan_encloses_the_exact_one_wherever_it_is_cut(xp):
    for which in SCANS:
        check_scan(xp, which)
    check_recurrence(xp)


@pytest.mark.parametrize("check", [*SCANS, "recurrence"])
def test_a_scan_of_middles_is_caught(check):
    with pytest.raises(AssertionError, match="misses"):
        check_recurrence(OnlyMiddles(40)) if check == "recurrence" else check_scan(OnlyMiddles(40), check)


def test_a_scan_starts_nowhere_but_at_its_carry_and_may_be_long():
    halves = XP.scalars(np.full(2000, 0.5))
    assert exact(XP.cumprod(halves).data[-1]) == TWO**-2000
    assert XP.compare(XP.cumprod(halves, XP.scalars([0.0])), 0).tolist() == [Order.EQUAL] * 2000
    assert np.isnan(XP.middle(XP.cumsum(XP.scalars([1.0, NAN, 1.0])))).tolist() == [False, True, True]
    assert np.isnan(XP.middle(XP.cummin(XP.scalars([1.0, NAN, 1.0])))).tolist() == [False, True, True]


# -- vectors ---------------------------------------------------------------------------------------------------------------------

D = 4


def stacks(xp, seeds, shape=(2, 5), largest=40):
    for seed in seeds:
        a, x = balls(Ball(xp.bits), seed, (*shape, D), largest=largest)
        yield as_vectors(xp, a), rows(x, D)


def flat(points):
    return [c for point in points for c in point]


class Coordinates:
    """Vectors as `encloses` reads them."""

    def __init__(self, v):
        self.data = v.data


def check_vectors(xp, which):
    (u, x), (v, y) = stacks(xp, (300, 301))
    s, c = balls(Ball(xp.bits), 302, (2, 5), largest=40)
    s = WrappedScalars(xp, s.data)
    table = [[Fraction(int(n), 7) for n in row] for row in np.random.default_rng(3).integers(-9, 10, (3, D))]
    pairs = list(zip(x, y, strict=True))

    def image(point):
        return [sum((m * p for m, p in zip(row, point, strict=True)), Fraction(0)) for row in table]

    def back(point):
        return [sum((row[j] * p for row, p in zip(table, point, strict=True)), Fraction(0)) for j in range(D)]

    cases = {
        "+": lambda: (u + v, [[p + q for p, q in zip(a, b, strict=True)] for a, b in pairs]),
        "-": lambda: (u - v, [[p - q for p, q in zip(a, b, strict=True)] for a, b in pairs]),
        "negative": lambda: (-u, [[-p for p in a] for a in x]),
        "scale": lambda: (xp.scale(s, u), [[t * p for p in a] for t, a in zip(c, x, strict=True)]),
        "scale by a number": lambda: (xp.scale(Fraction(1, 3), u), [[p / 3 for p in a] for a in x]),
        "hadamard": lambda: (xp.hadamard(u, v), [[p * q for p, q in zip(a, b, strict=True)] for a, b in pairs]),
        "matvec": lambda: (xp.matvec(xp.matrix(table), u), [image(a) for a in x]),
        "transpose": lambda: (xp.matvec(xp.matrix(table).T, xp.matvec(xp.matrix(table), u)), [back(image(a)) for a in x]),
        "cumsum": lambda: (xp.cumsum_vectors(u, v[:, :1]), _sums(x, y)),
        "end to end": lambda: (
            xp.scale(1, xp.concatenate_vectors([u, v[:, 1:]])),
            [*x[:5], *y[1:5], *x[5:], *y[6:]],
        ),
        "coordinates": lambda: (xp.scale(1, xp.from_coordinates([xp.coordinate(u, j) for j in range(D)])), x),
        "dot": lambda: (xp.dot(u, v), [[sum(p * q for p, q in zip(a, b, strict=True))] for a, b in pairs]),
        "normsq": lambda: (xp.normsq(u), [[sum(p * p for p in a)] for a in x]),
        "norm": lambda: (xp.norm(u), [[fraction(MP.sqrt(mp(sum(p * p for p in a))))] for a in x]),
    }
    result, truths = cases[which]()
    assert encloses(Coordinates(result), flat(truths), SLACK) == 1


def _sums(x, y):
    made = []
    for half in range(2):
        last = y[5 * half]
        for point in x[5 * half : 5 * half + 5]:
            last = [p + q for p, q in zip(last, point, strict=True)]
            made.append(last)
    return made


VECTORS = [
    "+",
    "-",
    "negative",
    "scale",
    "scale by a number",
    "hadamard",
    "matvec",
    "transpose",
    "cumsum",
    "end to end",
    "coordinates",
    "dot",
    "normsq",
    "norm",
]


@pytest.mark.parametrize("xp", [XP, WIDE], ids=lambda xp: xp.name)
@pytest.mark.parametrize("which", VECTORS)
def test_an_operation_of_stacks_of_vectors_encloses_the_exact_points(xp, which):
    check_vectors(xp, which)


@pytest.mark.parametrize("which", VECTORS)
def test_an_operation_of_vectors_that_takes_middles_only_is_caught(which):
    with pytest.raises(AssertionError, match="misses"):
        check_vectors(OnlyMiddles(40), which)


def test_a_norm_of_a_ball_about_zero_is_not_undefined():
    v = XP.vectors(np.zeros((1, 3)), [2.0**-50])
    assert np.isfinite(XP.error(XP.norm(v))).all() and XP.compare(XP.normsq(v), -(2.0**-140)).tolist() == [Order.GREATER]


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="does not take vectors of R\\^2"):
        XP.matvec(XP.matrix([[1, 2, 3]]), XP.vector([1, 2]))
    with pytest.raises(ValueError, match=r"R\^2 and R\^3 do not add"):
        XP.vector([1, 2]) + XP.vector([1, 2, 3])
    with pytest.raises(ValueError, match="rows and columns"):
        XP.matrix([1, 2])


# -- the logistic functions ------------------------------------------------------------------------------------------------------


def bregman(v, d):
    with MP.workprec(BITS + 3000):
        v, d = mp(v), mp(d)
        return fraction(MP.log1p(MP.exp(v + d)) - MP.log1p(MP.exp(v)) - d / (1 + MP.exp(-v)))


SHIFTS = [TWO**-300, TWO**-200, TWO**-129, TWO**-127, TWO**-100, Fraction(1, 10**5), Fraction(1, 8), 1, 29, 31, 700, 1600]
BASES = [0, TWO**-300, Fraction(1, 3), -5, 40, 800, -800]


@pytest.mark.parametrize("xp", [XP, arithmetic("ball:53")], ids=lambda xp: xp.name)
@pytest.mark.parametrize("sign", [-1, 1])
def test_the_bregman_distance_of_softplus_has_all_its_bits_for_every_size(xp, sign):
    pairs = [(Fraction(v), sign * Fraction(d)) for v in BASES for d in SHIFTS]
    v, d = (XP.vectors(np.array([[c] for c in column], dtype=object)) for column in zip(*pairs, strict=True))
    v, d = (xp.vectors(XP.plain.stored(part.data)) for part in (v, d))
    result = xp.softplus_bregman_sum(v, d)
    truths = [bregman(exact(p), exact(q)) for p, q in zip(v.data[:, 0], d.data[:, 0], strict=True)]
    assert encloses(result, truths, SLACK) == 1
    for number, truth in zip(result.data, truths, strict=True):
        assert number >= 0 and exact(number.rad()) <= truth * TWO ** (8 - xp.bits)


@pytest.mark.parametrize("blur", [TWO**-100, TWO**-10, Fraction(1, 2), 2])
def test_the_bregman_distance_is_enclosed_for_balls(blur):
    rng = np.random.default_rng(7)
    v, d = rng.normal(size=(8, 3)) * [1, 10, 100], rng.normal(size=(8, 3)) * [2.0**-60, 0.1, 20]
    rv, rd = np.full(8, float(blur)), np.abs(d).min(-1) * float(blur)
    balls_v, balls_d = XP.vectors(v, rv), XP.vectors(d, rd)
    result = XP.softplus_bregman_sum(balls_v, balls_d)
    for end in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        truths = []
        for p, q in zip(balls_v.data, balls_d.data, strict=True):
            at = [[exact(a.mid()) + side * exact(a.rad()) for a in part] for part, side in ((p, end[0]), (q, end[1]))]
            truths.append(sum((bregman(*pair) for pair in zip(*at, strict=True)), Fraction(0)))
        assert encloses(result, truths, SLACK) == 1
    assert all(number > 0 or number.contains(0) for number in result.data)


def test_a_mutant_bregman_distance_is_caught():
    mutant = OnlyMiddles(53)
    result = mutant.softplus_bregman_sum(XP.vectors([[0.3]], 0.01), XP.vectors([[1.0]]))
    with pytest.raises(AssertionError, match="misses"):
        encloses(result, [bregman(Fraction(0.3), Fraction(1))], SLACK)


def test_no_shift_is_no_distance_unless_the_base_is_undefined():
    v = XP.vectors(np.array([[1.0], [NAN]]))
    result = XP.softplus_bregman_sum(v, XP.vectors(np.zeros((2, 1))))
    assert XP.compare(result, 0).tolist() == [Order.EQUAL, Order.UNKNOWN]
