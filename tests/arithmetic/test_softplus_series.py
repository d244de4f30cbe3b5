"""Sums of Bregman distances by Taylor's series: what is left out is small enough, and both ways enclose the truth."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic import softplus as series

from .truth import MP, encloses, fraction, mp

XP = arithmetic("float64")
REACHES = [*series.REACH.items()]


def distance(v: float, d: float) -> Fraction:
    with MP.workdps(400):
        start, step = mp(Fraction(v)), mp(Fraction(d))
        return fraction(MP.log1p(MP.exp(start + step)) - MP.log1p(MP.exp(start)) - step / (1 + MP.exp(-start)))


def way_back(v: float, d: float) -> Fraction:
    with MP.workdps(400):
        start, step = mp(Fraction(v)), mp(Fraction(d))
        slope = step / (1 + MP.exp(-start - step))
        return fraction(MP.log1p(MP.exp(start)) - MP.log1p(MP.exp(start + step)) + slope)


def stacks(size: float, count: int = 12, width: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Margins small, large and very large, and displacements up to `size` in the Euclidean norm; the first is 0."""
    rng = np.random.default_rng(5)
    v = rng.normal(size=(count, width)) * np.array([0.01, 1.0, 10.0, 80.0, 400.0])
    d = rng.uniform(-1, 1, size=(count, width))
    d *= size / np.linalg.norm(d, axis=-1)[:, None]
    d[0] = 0.0
    return v, d


def total(of, v: np.ndarray, d: np.ndarray) -> list[Fraction]:
    return [sum((of(p, q) for p, q in zip(a, b, strict=True)), Fraction(0)) for a, b in zip(v.tolist(), d.tolist(), strict=True)]


def test_the_polynomials_are_the_derivatives_of_log_1_plus_exp() -> None:
    for v in (-3.0, -0.5, 0.0, 1.25, 6.0):
        with MP.workdps(150):
            p = 1 / (1 + MP.exp(-MP.mpf(v)))
            q, t = p * (1 - p), 1 - 2 * p
            truth = MP.taylor(lambda z: MP.log(1 + MP.exp(z)), MP.mpf(v), 27)
            for m, a in enumerate(series.POLYNOMIALS):
                value = q * sum(c * q**j for j, c in enumerate(a)) * (t if m % 2 else 1) / MP.factorial(m + 2)
                assert abs(value - truth[m + 2]) <= MP.mpf(10) ** -25, m


@pytest.mark.parametrize(("terms", "reach"), REACHES)
def test_what_the_terms_leave_out_is_within_the_rest(terms: int, reach: float) -> None:
    """A polynomial on [0, 1/4] is at most the largest of its Bernstein coefficients there; e^h <= 1 / (1 - h). Exactly."""
    a = series.POLYNOMIALS[terms]
    n = len(a) - 1
    bernstein = [sum(Fraction(comb(j, i) * a[i], comb(n, i) * 4**i) for i in range(j + 1)) for j in range(n + 1)]
    h = Fraction(reach)
    rest = max(map(abs, bernstein)) * Fraction(terms + 1, factorial(terms + 2)) * h**terms / (1 - h)
    assert rest <= Fraction(series.REST)


@pytest.mark.parametrize("terms", list(series.REACH))
@pytest.mark.parametrize("share", [0.999, 0.3])
def test_both_ways_enclose_the_truth_however_many_terms(terms: int, share: float) -> None:
    v, d = stacks(series.REACH[terms] * share)
    start, step = XP.vectors(v), XP.vectors(d)
    there, back = XP.softplus_bregman_sum(start, step), XP.softplus_bregman_sum(start, step, back=True)
    encloses(there, total(distance, v, d))
    encloses(back, total(way_back, v, d))
    for made in (there, back):
        assert (made.rad <= 1e-11 * made.mid).all()
        assert made.mid[0] == made.rad[0] == 0.0


@pytest.mark.parametrize("terms", list(series.REACH))
def test_distances_from_one_point_enclose_the_truth_however_many_terms(terms: int) -> None:
    v, d = stacks(series.REACH[terms] * 0.999)
    made = XP.softplus_bregman_sum(XP.vectors(v[1]), XP.vectors(d))
    encloses(made, total(distance, np.broadcast_to(v[1], d.shape), d))
    assert (made.rad <= 1e-11 * made.mid).all()


@pytest.mark.parametrize(("few", "more"), list(pairwise(series.REACH)))
def test_too_few_terms_are_noticed(few: int, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Displacements that need the next number of terms, computed with this one."""
    v, d = np.array([[0.0], [-4.0], [0.5]]), np.full((3, 1), series.REACH[more] * 0.999)
    monkeypatch.setattr(series, "terms_within", lambda longest: few)
    monkeypatch.setattr(series, "VARYING", few)
    with pytest.raises(AssertionError, match="off by"):
        encloses(XP.softplus_bregman_sum(XP.vectors(v), XP.vectors(d)), total(distance, v, d))


def test_blocks_of_short_and_of_long_displacements_stand_side_by_side() -> None:
    """Wide rows, so that each block has few: some by the series, some by the general formula."""
    rng = np.random.default_rng(6)
    v, d = rng.normal(size=(40, 3000)), rng.normal(size=(40, 3000)) * np.repeat([1e-9, 1.0, 1e-4, 30.0], 10)[:, None]
    both = [XP.softplus_bregman_sum(XP.vectors(v), XP.vectors(d), back=back) for back in (False, True)]
    one_by_one = [
        [XP.softplus_bregman_sum(XP.vectors(a), XP.vectors(b), back=back) for a, b in zip(v, d, strict=True)]
        for back in (False, True)
    ]
    for whole, alone in zip(both, one_by_one, strict=True):
        for n, made in enumerate(alone):
            assert abs(whole.mid[n] - made.mid) <= whole.rad[n] + made.rad
            assert whole.rad[n] <= 1e-10 * whole.mid[n]
    assert XP.compare(both[0] + both[1], XP.scalars(np.zeros(40))).tolist() == [1] * 40


def test_margins_that_wait_give_what_margins_give_that_are_there() -> None:
    rng = np.random.default_rng(7)
    Z = XP.matrix(rng.normal(size=(280, 7)))
    x, step = rng.normal(size=(1, 150, 7)), rng.normal(size=(1, 150, 7)) * 1e-3
    waiting = [XP.matvec(Z, XP.vectors(part)) for part in (x, step)]
    there = [XP.matvec(Z, XP.vectors(part)) for part in (x, step)]
    assert all(margins.mid.shape == (1, 150, 280) for margins in there)
    for back in (False, True):
        a, b = XP.softplus_bregman_sum(*waiting, back=back), XP.softplus_bregman_sum(*there, back=back)
        assert all(margins.lazy for margins in waiting)
        assert (np.abs(a.mid - b.mid) <= 2e-14 * b.mid).all() and (a.rad > 0).all()


def test_what_is_no_number_is_undefined() -> None:
    v, d = np.zeros((3, 2)), np.full((3, 2), 1e-3)
    v[0, 0], d[1, 1] = np.nan, np.inf
    for back in (False, True):
        made = XP.softplus_bregman_sum(XP.vectors(v), XP.vectors(d), back=back)
        assert np.isinf(made.rad).tolist() == [True, True, False]
