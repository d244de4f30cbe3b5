"""Vector operations enclose the truth within a Euclidean radius, and products with a matrix wait until someone looks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.bounded.storage import spectral
from boundcheck.arithmetic.plain import PlainMatrix

from .truth import MP, encloses, fraction, mp, numbers

ROUNDED = ["float64", "mp:30"]


def points(xp, seed, count=40, d=6, blur=1e-9, scale=1.0):
    """A stack of balls in R^d, and one exact point inside each (a Pythagorean direction, so that it is exact)."""
    rng = np.random.default_rng(seed)
    mids = numbers(rng, count * d, wild=False).reshape(count, d) * scale
    rads = np.where(rng.random(count) < 0.3, 0.0, np.linalg.norm(mids, axis=-1) * blur * rng.random(count))
    truths = []
    for row, r in zip(mids.tolist(), rads.tolist(), strict=True):
        i, j = rng.choice(d, 2, replace=False)
        point = [Fraction(c) for c in row]
        point[i] += Fraction(3, 5) * Fraction(r)
        point[j] -= Fraction(4, 5) * Fraction(r)
        truths.append(point)
    return xp.vectors(mids, rads), truths


def near(result, truths):
    """Each true point lies within its radius of the middle."""
    assert len(result.mid) == len(truths)
    for mid, radius, truth in zip(result.mid, result.rad, truths, strict=True):
        off = sum((fraction(m) - t) ** 2 for m, t in zip(mid, truth, strict=True))
        assert not np.isfinite(radius) or off <= Fraction(float(radius)) ** 2


def product(rows, v):
    return [sum((p * q for p, q in zip(row, v, strict=True)), Fraction(0)) for row in rows]


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e-160, 1e140])
def test_sums_scalings_and_products_enclose_the_exact_points(name, scale):
    xp, rng = arithmetic(name), np.random.default_rng(21)
    u, x = points(xp, 22, scale=scale)
    v, y = points(xp, 23, scale=scale)
    near(u + v, [[p + q for p, q in zip(a, b, strict=True)] for a, b in zip(x, y, strict=True)])
    near(u - v, [[p - q for p, q in zip(a, b, strict=True)] for a, b in zip(x, y, strict=True)])
    near(-u, [[-p for p in a] for a in x])
    s = rng.normal(size=40)
    factors = [Fraction(c) + Fraction(1e-7) for c in s.tolist()]
    near(xp.scale(xp.scalars(s, 1e-7), u), [[c * p for p in a] for c, a in zip(factors, x, strict=True)])
    rows = [[Fraction(int(c), 7) for c in row] for row in rng.integers(-9, 10, (4, 6))]
    matrix = xp.matrix(rows)
    image = xp.matvec(matrix, u)
    near(image, [product(rows, a) for a in x])
    back = xp.matvec(matrix.T, xp.matvec(matrix, u) + image)
    columns = [list(column) for column in zip(*rows, strict=True)]
    near(back, [[2 * p for p in product(columns, product(rows, a))] for a in x])
    near(xp.cumsum_vectors(u, v[:1]), _running([y[0], *x])[1:])
    near(xp.from_coordinates([xp.coordinate(u, j) for j in range(6)]), x)


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e-160, 1e140])
@pytest.mark.parametrize("blur", [1e-9, 0.5, 3.0])
def test_a_product_coordinate_by_coordinate_encloses_the_exact_one(name, scale, blur):
    xp = arithmetic(name)
    u, x = points(xp, 41, scale=scale, blur=blur)
    v, y = points(xp, 42, scale=scale, blur=blur)
    truths = [[p * q for p, q in zip(a, b, strict=True)] for a, b in zip(x, y, strict=True)]
    result = xp.hadamard(u, v)
    near(result, truths)
    assert np.isfinite(result.rad).mean() > 0.5
    if scale == 1.0 and blur == 1e-9:
        assert (result.rad <= 1e-8 * u.size * v.size).all()
    matrix = xp.matrix(np.eye(6))
    near(xp.hadamard(xp.matvec(matrix, u), xp.matvec(matrix, v)), truths)  # of products that wait
    near(xp.hadamard(u, v[:1]), [[p * q for p, q in zip(a, y[0], strict=True)] for a in x])
    exact = xp.hadamard(xp.vectors(u.mid), xp.vectors(v.mid))
    if scale == 1.0:
        with pytest.raises(AssertionError):
            near(exact, truths)  # a radius that forgets those of its factors


def test_a_product_coordinate_by_coordinate_needs_one_dimension():
    xp = arithmetic("float64")
    with pytest.raises(ValueError, match=r"R\^2 and R\^3 have no product coordinate by coordinate"):
        xp.hadamard(xp.vector([1, 2]), xp.vector([1, 2, 3]))


def _running(rows):
    made = [rows[0]]
    for row in rows[1:]:
        made.append([p + q for p, q in zip(made[-1], row, strict=True)])
    return made


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e-160, 1e140])
def test_dot_products_and_norms_enclose_the_exact_ones(name, scale):
    xp = arithmetic(name)
    u, x = points(xp, 24, scale=scale)
    v, y = points(xp, 25, scale=scale)
    encloses(xp.dot(u, v), [sum(p * q for p, q in zip(a, b, strict=True)) for a, b in zip(x, y, strict=True)])
    squares = [sum(p * p for p in a) for a in x]
    encloses(xp.normsq(u), squares)
    result = xp.norm(u)
    encloses(result, [fraction(MP.sqrt(mp(t))) for t in squares])
    assert np.isfinite(result.rad).all() and (result.rad <= 1e-6 * xp.middle(result) + 1e-301).all()
    encloses(xp.coordinate(u, 2), [a[2] for a in x])


@pytest.mark.parametrize("name", ROUNDED)
def test_the_logistic_functions_enclose_their_values(name):
    xp = arithmetic(name)
    u, x = points(xp, 26, scale=1e-3)
    near(xp.sigmoid(u), [[fraction(1 / (1 + MP.exp(-mp(p)))) for p in a] for a in x])
    encloses(xp.softplus_sum(u), [fraction(sum(MP.log1p(MP.exp(mp(p))) if p < 300 else mp(p) for p in a)) for a in x])


def bregman(v, d):
    v, d = mp(v), mp(d)
    with MP.workdps(900):
        end, start = MP.log1p(MP.exp(v + d)), MP.log1p(MP.exp(v))
        return end - start - d / (1 + MP.exp(-v))


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("size", [1e-160, 1e-30, 1e-12, 1e-5, 0.05, 0.124, 0.126, 0.5, 3.0, 40.0, 600.0])
@pytest.mark.parametrize("blur", [0.0, 1e-6])
def test_the_bregman_distance_of_softplus_is_enclosed_without_cancellation(name, size, blur):
    xp, rng = arithmetic(name), np.random.default_rng(27)
    v = rng.normal(size=(30, 3)) * np.array([0.5, 5.0, 40.0])
    d = rng.uniform(-1, 1, size=(30, 3)) * size
    d[0] = 0.0
    rv, rd = blur, blur * np.linalg.norm(d, axis=-1)
    result = xp.softplus_bregman_sum(xp.vectors(v, rv), xp.vectors(d, rd))
    truths = []
    for p, q, r in zip(v.tolist(), d.tolist(), rd.tolist(), strict=True):
        p, q = [Fraction(c) for c in p], [Fraction(c) for c in q]
        p[0] += Fraction(3, 5) * Fraction(rv)
        p[1] -= Fraction(4, 5) * Fraction(rv)
        q[0] -= Fraction(3, 5) * Fraction(r)
        q[2] += Fraction(4, 5) * Fraction(r)
        truths.append(fraction(sum(bregman(a, b) for a, b in zip(p, q, strict=True))))
    encloses(result, truths)
    assert (xp.middle(result) >= 0).all()
    if size >= 1e-30 and not blur:
        assert (result.rad <= 1e-11 * xp.middle(result)).all()


def test_a_product_is_not_computed_to_observe_what_a_run_computed():
    xp, rng = arithmetic("float64"), np.random.default_rng(28)
    rows = rng.normal(size=(280, 34))
    matrix, targets, x = xp.matrix(rows), xp.vectors(rng.random((1, 280))), rng.normal(size=(16, 34))

    class Poisoned(PlainMatrix):
        @property
        def columns(self):
            raise AssertionError("the product was computed")

        @columns.setter
        def columns(self, value):
            pass

    matrix.plain = Poisoned(rows)
    turned = matrix.T
    turned.plain = Poisoned(rows.T)
    formula = xp.scale(Fraction(1, 280), xp.matvec(turned, xp.sigmoid(xp.matvec(matrix, xp.vectors(x))) - targets))[2:]
    plain = (1 / (1 + np.exp(-(x @ rows.T))) - targets.mid) @ rows / 280
    gradient = xp.observed(-plain[2:], xp.enlarge(-formula, 0.0))
    assert (gradient.mid == -plain[2:]).all() and (xp.radius(gradient) < 1e-11).all() and formula.lazy
    with pytest.raises(AssertionError, match="the product was computed"):
        xp.normsq(formula)


def test_an_observed_gradient_is_within_its_radius_of_the_exact_one():
    xp, rng = arithmetic("float64"), np.random.default_rng(29)
    rows, x = rng.normal(size=(12, 5)), rng.normal(size=(8, 5))
    matrix = xp.matrix(rows)
    formula = xp.matvec(matrix.T, xp.matvec(matrix, xp.vectors(x)))
    exact = [[Fraction(c) for c in row] for row in rows.tolist()]
    turned = [list(column) for column in zip(*exact, strict=True)]
    truths = [product(turned, product(exact, [Fraction(c) for c in row])) for row in x.tolist()]
    near(xp.observed((x @ rows.T) @ rows, formula), truths)
    one_by_one = np.array([sum((rows[i] * sum(rows[i] * p) for i in range(12)), np.zeros(5)) for p in x])
    near(xp.observed(one_by_one, formula), truths)
    assert (xp.radius(formula) < 1e-12 * np.linalg.norm(x, axis=-1) * 100).all()


@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (40, 7), (7, 40), (60, 60)])
@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200])
def test_the_spectral_norm_is_bounded_from_above_within_a_fifth(shape, scale):
    rows = np.random.default_rng(30).normal(size=shape)
    true = np.linalg.norm(rows, 2)
    assert true * (1 + 1e-13) >= true and true * (1 - 1e-12) <= spectral(rows * scale) / scale <= 1.2 * true
    assert spectral(np.eye(8) * 3) >= 3


def test_a_stack_of_products_is_one_product_of_matrices():
    plain, rng = arithmetic("float64").plain, np.random.default_rng(31)
    rows, x = rng.normal(size=(4, 6)), rng.normal(size=(3, 6))
    matrix = plain.matrix(rows)
    assert isinstance(matrix, PlainMatrix) and np.array_equal(plain.matvec(matrix, x), x @ rows.T)
    assert np.allclose(plain.matvec(matrix.T, plain.matvec(matrix, x[0])), rows.T @ (rows @ x[0]))
    assert matrix.T.T is matrix


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_point_that_is_not_finite_has_no_finite_radius(bad):
    xp = arithmetic("float64")
    v = xp.vectors(np.array([[bad, 1.0], [1.0, 2.0]]))
    results = [v, v + v, xp.scale(0, v), xp.sigmoid(v), xp.matvec(xp.matrix(np.eye(2)), v)]
    for result in results:
        assert np.isinf(xp.radius(result)[0]) and np.isfinite(xp.radius(result)[1])
    for scalar in (xp.dot(v, v), xp.norm(v), xp.softplus_sum(v), xp.softplus_bregman_sum(v, v), xp.coordinate(v, 0)):
        assert np.isinf(xp.error(scalar)[0])


@pytest.mark.parametrize("name", ROUNDED)
def test_a_sigmoid_of_a_product_that_waits_encloses_its_value(name):
    xp = arithmetic(name)
    u, x = points(xp, 33, scale=1e-12)
    waiting = xp.sigmoid(xp.matvec(xp.matrix(np.eye(6)), u))
    assert waiting.lazy
    near(waiting, [[fraction(1 / (1 + MP.exp(-mp(p)))) for p in a] for a in x])


@pytest.mark.parametrize("name", ROUNDED)
def test_the_bregman_distance_moves_with_its_base_point(name):
    xp = arithmetic(name)
    result = xp.softplus_bregman_sum(xp.vectors([[1.25]], 2.0**-10), xp.vectors([[1.0]]))
    for end in (-1, 1):
        encloses(result, [fraction(bregman(Fraction(5, 4) + Fraction(end, 1024), Fraction(1)))])
