"""Standard instances, by name. Each is built when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from boundcheck.problem import Problem
from boundcheck.problems.cubic_quadratic import cubic_quadratic
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.problems.nonconvex import nonconvex
from boundcheck.problems.piecewise import asymmetric, dented, flat_bottom, huber, steep_then_flat
from boundcheck.problems.power import power, quartic
from boundcheck.problems.quadratic import isotropic, power_law_quadratic, quadratic, random_quadratic, rank_deficient
from boundcheck.problems.smooth_abs import smooth_abs

CATALOGUE: dict[str, Callable[[], Problem]] = {
    "parabola": lambda: isotropic(1, curvature=2, start=[1], name="parabola"),
    "quadratic-2d": lambda: quadratic([[1, 0], [0, 10]], start=[10, 1], name="quadratic-2d"),
    "quadratic-3d": lambda: random_quadratic(3, condition=20, seed=3, name="quadratic-3d"),
    "quadratic-30d": lambda: random_quadratic(30, condition=1000, seed=30, name="quadratic-30d"),
    "isotropic-4d": lambda: isotropic(4, curvature=2, start=[3, -1, 2, 1], name="isotropic-4d"),
    "rank-deficient-6d": lambda: rank_deficient(6, rank=3, seed=6, name="rank-deficient-6d"),
    "power-law-300d": lambda: power_law_quadratic(seed=0, name="power-law-300d"),
    "huber": lambda: huber(1, start=3),
    "asymmetric": lambda: asymmetric(1, 4, start=-2),
    "flat-bottom": lambda: flat_bottom(1, start=4),
    "steep-then-flat": lambda: steep_then_flat(),
    "smooth-abs": lambda: smooth_abs(Fraction(1, 2), start=3, name="smooth-abs"),
    "smooth-abs-9/40": lambda: smooth_abs(Fraction(9, 40), start=1, name="smooth-abs-9/40", rational=True),
    "quartic": lambda: quartic(start=2),
    "abs-3/2": lambda: power(Fraction(3, 2), start=2, name="abs-3/2"),
    "figure-objective": lambda: cubic_quadratic(start=-2),
    "logistic-40x5": lambda: synthetic_logistic(40, 5, seed=40, name="logistic-40x5"),
    "logistic-280x34": lambda: synthetic_logistic(280, 34, seed=280, name="logistic-280x34"),
    "dented": lambda: dented(),
    "nonconvex": lambda: nonconvex(start=2),
}
