"""Enclosures on a device contain the truth: the tests of float64 asked of torch, and what float32 has of its own."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from boundcheck.arithmetic import Order, arithmetic
from boundcheck.arithmetic.torch import vectors as on_device
from tests.arithmetic import test_scalars, test_scans, test_vectors
from tests.arithmetic.test_vectors import MP, bregman, near, product
from tests.arithmetic.truth import encloses, fraction, mp

from .places import BOTH, FLOAT32, FLOAT64


def single(xp, seed, count=30, d=6, blur=1e-5, size=1.0):
    """A stack of balls whose middles float32 holds exactly, and one exact point inside each."""
    rng = np.random.default_rng(seed)
    mids = (rng.normal(size=(count, d)) * size).astype(np.float32).astype(np.float64)
    rads = np.where(rng.random(count) < 0.3, 0.0, np.linalg.norm(mids, axis=-1) * blur)
    truths = []
    for row, r in zip(mids.tolist(), rads.tolist(), strict=True):
        point = [Fraction(c) for c in row]
        point[0] += Fraction(3, 5) * Fraction(r)
        point[1] -= Fraction(4, 5) * Fraction(r)
        truths.append(point)
    return xp.vectors(mids, rads), truths


@pytest.mark.parametrize("name", FLOAT64)
@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e-160, 1e140])
def test_points_of_every_size_are_enclosed_as_in_float64(name, scale):
    test_vectors.test_sums_scalings_and_products_enclose_the_exact_points(name, scale)
    test_vectors.test_dot_products_and_norms_enclose_the_exact_ones(name, scale)


@pytest.mark.parametrize("name", FLOAT64)
def test_the_logistic_functions_are_enclosed_as_in_float64(name):
    test_vectors.test_the_logistic_functions_enclose_their_values(name)
    test_vectors.test_a_sigmoid_of_a_product_that_waits_encloses_its_value(name)
    test_vectors.test_the_bregman_distance_moves_with_its_base_point(name)


@pytest.mark.parametrize("name", FLOAT64)
@pytest.mark.parametrize("size", [1e-160, 1e-30, 1e-12, 0.05, 0.124, 0.126, 3.0, 40.0, 600.0])
def test_the_bregman_distance_of_softplus_has_no_cancellation(name, size):
    for blur in (0.0, 1e-6):
        test_vectors.test_the_bregman_distance_of_softplus_is_enclosed_without_cancellation(name, size, blur)


@pytest.mark.parametrize("name", BOTH)
def test_numbers_and_scans_are_enclosed_as_in_float64(name):
    for sign in test_scalars.OPERATIONS:
        test_scalars.test_an_operation_encloses_the_exact_result(name, sign)
    for which in ("sqrt", "exp", "log"):
        test_scalars.test_a_function_encloses_its_value(name, which)
    test_scalars.test_a_decided_comparison_is_true_of_every_pair_of_numbers_in_the_balls(name)
    test_scans.test_a_recurrence_encloses_growth_and_decay(name, 0.9, 1.1, True)


@pytest.mark.parametrize("name", FLOAT32)
@pytest.mark.parametrize("size", [1.0, 1e-30, 1e-38, 1e-44, 1e15])
def test_float32_points_of_every_size_are_enclosed(name, size):
    xp, rng = arithmetic(name), np.random.default_rng(41)
    (u, x), (v, y) = single(xp, 42, size=size), single(xp, 43, size=size)
    near(u + v, [[p + q for p, q in zip(a, b, strict=True)] for a, b in zip(x, y, strict=True)])
    near(u - v, [[p - q for p, q in zip(a, b, strict=True)] for a, b in zip(x, y, strict=True)])
    near(xp.hadamard(u, v), [[p * q for p, q in zip(a, b, strict=True)] for a, b in zip(x, y, strict=True)])
    for reach in (1.0, 1e-12, 1e-40, 1e20):
        s = rng.normal(size=len(x)) * reach
        near(xp.scale(xp.scalars(s), u), [[Fraction(c) * p for p in a] for c, a in zip(s.tolist(), x, strict=True)])
    rows = [[Fraction(int(c), 7) for c in row] for row in rng.integers(-9, 10, (4, 6))]
    matrix = xp.matrix(rows)
    near(xp.matvec(matrix, u), [product(rows, a) for a in x])
    columns = [list(column) for column in zip(*rows, strict=True)]
    apart = [[p - q for p, q in zip(product(rows, a), product(rows, b), strict=True)] for a, b in zip(x, y, strict=True)]
    near(xp.matvec(matrix.T, xp.matvec(matrix, u) - xp.matvec(matrix, v)), [product(columns, z) for z in apart])
    near(xp.cumsum_vectors(u, v[:1]), test_vectors._running([y[0], *x])[1:])
    near(xp.from_coordinates([xp.coordinate(u, j) * Fraction(1, 3) for j in range(6)]), [[p / 3 for p in a] for a in x])
    encloses(xp.dot(u, v), [sum(p * q for p, q in zip(a, b, strict=True)) for a, b in zip(x, y, strict=True)])
    encloses(xp.norm(u), [fraction(MP.sqrt(mp(sum(p * p for p in a)))) for a in x])
    assert np.isfinite(xp.radius(u + v)).all()


@pytest.mark.parametrize("name", FLOAT32)
@pytest.mark.parametrize("size", [1e-12, 0.5, 20.0, 120.0])
def test_float32_logistic_functions_are_enclosed(name, size):
    xp = arithmetic(name)
    (u, x), (v, y) = single(xp, 44, d=4, size=size), single(xp, 45, d=4, size=0.3)
    near(xp.sigmoid(u), [[fraction(1 / (1 + MP.exp(-mp(p)))) for p in a] for a in x])
    encloses(xp.softplus_sum(u), [fraction(sum(MP.log1p(MP.exp(mp(p))) for p in a)) for a in x])
    truths = [fraction(sum(bregman(p, q) for p, q in zip(a, b, strict=True))) for a, b in zip(x, y, strict=True)]
    encloses(xp.softplus_bregman_sum(u, v), truths)


@pytest.mark.parametrize("name", FLOAT32)
def test_a_float64_point_is_known_in_float32_within_its_rounding(name):
    xp = arithmetic(name)
    third, half = xp.vectors([[1 / 3, 1e-50], [0.5, 0.25]])[0], xp.vectors([[1 / 3, 0.0], [0.5, 0.25]])[1]
    assert 1e-9 < xp.radius(third) < 2e-8 and xp.radius(half) == 0
    near(xp.vectors([[1 / 3, 1e-50]]), [[Fraction(1 / 3), Fraction(1e-50)]])


@pytest.mark.parametrize("name", FLOAT32)
def test_what_leaves_float32_is_unknown(name):
    xp = arithmetic(name)
    v = xp.vectors([[1e30, 1e30]])
    matrix = xp.matrix([[1e20, 0], [0, 1]])
    unknown = [xp.scale(1e20, v), xp.scale(1e39, xp.vectors([[1e-30, 0]])), xp.matvec(matrix, v), xp.vectors([[1e300, 1.0]])]
    unknown += [xp.from_coordinates([xp.scalars([1e39])]), xp.scale(1e-20, xp.matvec(matrix, v)), xp.hadamard(v, v)]
    unknown += [xp.cumsum_vectors(xp.vectors(np.full((40, 1), 3e37)))[-1:]]
    assert all(np.isinf(xp.radius(made)).all() for made in unknown)


@pytest.mark.parametrize("name", BOTH)
def test_an_exact_zero_stays_exact(name):
    xp = arithmetic(name)
    v = xp.vectors([[0.5, 3.0]])
    for zero in (v - v, xp.scale(0, v), xp.matvec(xp.matrix([[1, 2]]), v - v), xp.from_coordinates([xp.scalars([0])])):
        assert xp.radius(zero).tolist() == [0] and xp.compare(xp.normsq(zero), 0).tolist() == [Order.EQUAL]


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_point_that_is_not_finite_has_no_finite_radius(name, bad):
    xp = arithmetic(name)
    v = xp.vectors(np.array([[bad, 1.0], [1.0, 2.0]]))
    results = [v, v + v, xp.scale(0, v), xp.sigmoid(v), xp.matvec(xp.matrix(np.eye(2)), v), xp.hadamard(v, v), xp.enlarge(v, 1.0)]
    for result in results:
        assert np.isinf(xp.radius(result)[0]) and np.isfinite(xp.radius(result)[1])
    for scalar in (xp.dot(v, v), xp.norm(v), xp.softplus_sum(v), xp.softplus_bregman_sum(v, v), xp.coordinate(v, 0)):
        assert np.isinf(xp.error(scalar)[0])


def points_are_enclosed(name):
    if "float32" in name:
        test_float32_points_of_every_size_are_enclosed(name, 1.0)
    else:
        test_points_of_every_size_are_enclosed_as_in_float64(name, 1.0)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("forgotten", ["unit", "entry"])
def test_a_format_that_forgets_its_rounding_is_caught(name, forgotten, monkeypatch):
    xp = arithmetic(name)
    if forgotten == "entry" and not xp.format.entry:
        pytest.skip("float64 rounds no number on its way to the device")
    monkeypatch.setattr(xp.format, forgotten, 0.0)
    with pytest.raises(AssertionError):
        points_are_enclosed(name)


@pytest.mark.parametrize("name", BOTH)
def test_a_radius_forced_to_zero_is_caught(name, monkeypatch):
    monkeypatch.setattr(on_device.TorchFormat, "limited", lambda self, radius, *sizes: np.zeros(np.shape(radius)))
    with pytest.raises(AssertionError):
        points_are_enclosed(name)
