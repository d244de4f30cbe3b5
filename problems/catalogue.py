"""Standard instances, by name. Each is built when it is asked for.

Those of `NEEDING` need modules of an extra: they are in the catalogue where these are installed, and else say what to install.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from boundcheck.model.problem import Problem
from boundcheck.problems.cubic_quadratic import cubic_quadratic
from boundcheck.problems.data import FromKeel
from boundcheck.problems.log_sum_exp import log_sum_exp
from boundcheck.problems.logistic import logistic, one_feature_logistic, synthetic_logistic
from boundcheck.problems.nonconvex import nonconvex
from boundcheck.problems.piecewise import (
    asymmetric,
    dented,
    flat_bottom,
    huber,
    lowered,
    piecewise_quadratic,
    ramp,
    steep_then_flat,
    tilted,
)
from boundcheck.problems.power import power, quartic
from boundcheck.problems.quadratic import isotropic, power_law_quadratic, quadratic, random_quadratic, rank_deficient
from boundcheck.problems.ridge import ridge_2d, ridge_3d, slippery_floor
from boundcheck.problems.slope import slope
from boundcheck.problems.smooth_abs import smooth_abs
from boundcheck.problems.softplus import softplus
from boundcheck.problems.steepening import steepening
from boundcheck.problems.valley import valley

NEEDING: dict[str, FromKeel] = {
    "ionosphere": FromKeel("ionosphere", "ionosphere"),  # no minimiser: its first column separates some samples
    "ionosphere-attained": FromKeel("ionosphere", "ionosphere-attained", without=(1,)),
    "mammographic": FromKeel("mammographic", "mammographic"),
}


def _diagonal(name: str, curvatures: Sequence[int], start: Sequence[int]) -> Problem:
    rows = [[c if i == j else 0 for j in range(len(curvatures))] for i, c in enumerate(curvatures)]
    return quadratic(rows, start=start, name=name)


CATALOGUE: dict[str, Callable[[], Problem]] = {
    "parabola": lambda: isotropic(1, curvature=2, start=[1], name="parabola"),
    "quadratic-2d": lambda: quadratic([[1, 0], [0, 10]], start=[10, 1], name="quadratic-2d"),
    "quadratic-3d": lambda: random_quadratic(3, condition=20, seed=3, name="quadratic-3d"),
    "quadratic-30d": lambda: random_quadratic(30, condition=1000, seed=30, name="quadratic-30d"),
    "quadratic-2-3": lambda: _diagonal("quadratic-2-3", [2, 3], [3, 4]),
    "quadratic-4-5": lambda: _diagonal("quadratic-4-5", [4, 5], [5, 12]),
    "balanced-1-3": lambda: _diagonal("balanced-1-3", [1, 3], [3, 1]),
    "ill-conditioned-2d": lambda: _diagonal("ill-conditioned-2d", [1, 100], [100, 1]),
    "two-cycle-5d": lambda: _diagonal("two-cycle-5d", [1, 1, 1, 1, 7], [21, 14, 7, 7, 1]),
    "two-cycle-6d": lambda: _diagonal("two-cycle-6d", [1, 1, 1, 5, 5, 5], [115, 20, 5, 5, 2, 1]),
    "two-cycle-7d": lambda: _diagonal("two-cycle-7d", [1, 1, 1, 4, 4, 4, 4], [72, 24, 20, 3, 2, 1, 1]),
    "half-square": lambda: isotropic(1, curvature=1, start=[2], name="half-square"),
    "isotropic-3d": lambda: isotropic(3, curvature=3, start=[1, 2, 2], name="isotropic-3d"),
    "isotropic-4d": lambda: isotropic(4, curvature=2, start=[3, -1, 2, 1], name="isotropic-4d"),
    "rank-deficient-6d": lambda: rank_deficient(6, rank=3, seed=6, name="rank-deficient-6d"),
    "power-law-300d": lambda: power_law_quadratic(seed=0, name="power-law-300d"),
    "huber": lambda: huber(1, start=3),
    "long-huber": lambda: huber(1, start=20, name="long-huber"),
    "sharp-huber": lambda: huber(Fraction(1, 1000), start=3, name="sharp-huber"),
    "asymmetric": lambda: asymmetric(1, 4, start=-2),
    "flat-bottom": lambda: flat_bottom(1, start=4),
    "steep-then-flat": lambda: steep_then_flat(),
    "tilted": lambda: tilted(),
    "huber-lowered": lambda: lowered(huber(1, start=3), 5, name="huber-lowered"),
    "wall": lambda: piecewise_quadratic([-1, 0], [0, 0], left_slope=1, right_slope=100, start=-3, name="wall"),
    "steep-valley": lambda: piecewise_quadratic([-1], [-9], left_slope=1, right_slope=9, start=1, name="steep-valley"),
    "slippery-floor": slippery_floor,
    "ridge-2d": ridge_2d,
    "ridge-3d": ridge_3d,
    "smooth-abs": lambda: smooth_abs(Fraction(1, 2), start=3, name="smooth-abs"),
    "smooth-abs-9/40": lambda: smooth_abs(Fraction(9, 40), start=1, name="smooth-abs-9/40", rational=True),
    "smooth-abs-3/4": lambda: smooth_abs(Fraction(3, 4), start=1, name="smooth-abs-3/4", rational=True),
    "smooth-abs-5/12": lambda: smooth_abs(Fraction(5, 12), start=1, name="smooth-abs-5/12", rational=True),
    "smooth-abs-1/100": lambda: smooth_abs(Fraction(1, 100), start=3, name="smooth-abs-1/100"),
    "quartic": lambda: quartic(start=2),
    "abs-3/2": lambda: power(Fraction(3, 2), start=2, name="abs-3/2"),
    "figure-objective": lambda: cubic_quadratic(start=-2),
    "power-6": lambda: power(6, start=Fraction(3, 2), name="power-6"),
    "steepening": lambda: steepening(start=2),
    "valley": lambda: valley(1, start=3),
    "softplus": lambda: softplus(Fraction(1, 4), start=5),
    "log-sum-exp": lambda: log_sum_exp(
        [[1, 0], [-2, 2], [1, -3], [-1, -1]],
        weights=[Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 8)],
        xstar=[Fraction(1, 2), -1],
        start=[3, 1],
    ),
    "slope": lambda: slope(),
    "ramp": lambda: ramp(),
    "logistic-40x5": lambda: synthetic_logistic(40, 5, seed=40, name="logistic-40x5"),
    "logistic-280x34": lambda: synthetic_logistic(280, 34, seed=280, name="logistic-280x34"),
    "logistic-separable": lambda: logistic([[1, 2], [2, -1], [-1, -2], [-3, 1]], [1, 1, -1, -1], name="logistic-separable"),
    "logistic-1d": lambda: one_feature_logistic(1, name="logistic-1d"),
    "logistic-1d-wide": lambda: one_feature_logistic(Fraction(1, 2), name="logistic-1d-wide"),
    "logistic-1d-steep": lambda: one_feature_logistic(3, 2, start=1, name="logistic-1d-steep"),
    "dented": lambda: dented(),
    "nonconvex": lambda: nonconvex(start=2),
    **{name: make for name, make in NEEDING.items() if make.is_installed},
}

# made for a few claims, which name them; or much like another
SPECIAL = (
    *("quadratic-3d", "quadratic-30d", "softplus", "power-6", "valley", "ramp", "ridge-3d", "steepening", "mammographic"),
    *("quadratic-2-3", "quadratic-4-5", "balanced-1-3", "ill-conditioned-2d", "two-cycle-5d", "two-cycle-6d", "two-cycle-7d"),
    *("half-square", "isotropic-3d", "long-huber", "sharp-huber", "smooth-abs-3/4", "smooth-abs-5/12", "smooth-abs-1/100"),
    *("tilted", "huber-lowered", "wall", "steep-valley", "slippery-floor"),
    *("logistic-separable", "logistic-1d", "logistic-1d-wide", "logistic-1d-steep"),
)
# rational, and in floating point much like another
EXACT_ONLY = (
    *("parabola", "isotropic-4d", "asymmetric", "flat-bottom", "steep-then-flat", "smooth-abs-9/40", "figure-objective"),
    *("dented", "nonconvex"),
)
