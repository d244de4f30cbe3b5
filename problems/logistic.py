"""Logistic regression: f(x) = sum over the samples of log(1 + exp(-y_i <a_i, x>)), a sum and not a mean, without regularisation.

With the rows z_i = -y_i a_i: f(x) = sum of s(z_i' x) for s = log(1 + exp), grad f(x) = Z' s'(Z x), and s'' <= 1/4
gives L = lambda_max(Z'Z) / 4.
f(x + d) - f(x) - <grad f(x), d> is the sum of the same differences of s, at Z x along Z d: never negative, no cancellation.
f* is attained exactly when no direction v has Z v <= 0, Z v != 0 (the data are not separable); else the constant `infimum` is
inf f, where it is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.arithmetic.computation_lock import current_run
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.model.problem import Convex, Differentiable, Problem, Smooth, TwiceDifferentiable
from boundcheck.problems._numerics import eigenvalues
from boundcheck.problems._numerics.chord_quantities import PIECES, line_chord
from boundcheck.problems._numerics.line_chords import ball_chord, float_chord, is_ball, is_float64
from boundcheck.problems._numerics.line_functions import SoftplusBalls
from boundcheck.problems._numerics.logistic_walker import LogisticWalker, gradients, gradients_and_gaps
from boundcheck.problems._numerics.minimiser import Enclosure, Star, gradient_at, minimise
from boundcheck.problems._numerics.ray_margins import MarginsAlong
from boundcheck.problems._numerics.scalars import Constants, is_plain_ball
from boundcheck.problems._numerics.separation import separation
from boundcheck.support.errors import UserError

if TYPE_CHECKING:
    from boundcheck.problems._numerics.ball_values import BallValues

MANY = 16  # samples: with fewer, a stack of chords is quicker all at once


@dataclass(frozen=True)
class _Logistic:
    constants: Constants
    known: Enclosure | None
    star: Star | None
    norm: float  # the spectral norm of the matrix

    def f(self, xp: Any, x: Vectors) -> Scalars:
        return self._both(xp, x)[0] if is_plain_ball(xp) else xp.softplus_sum(self._margins(xp, x))

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        if is_plain_ball(xp):
            return self._both(xp, x)[1]
        return xp.matvec(self.constants.matrix(xp).T, xp.sigmoid(self._margins(xp, x)))

    def walker(self) -> LogisticWalker:
        """The same gradients, and gaps where there is a minimiser, for one float64 point after another."""
        Z = self.constants.matrix(FLOAT64)
        grad = gradients(Z.rows, Z.T.rows)
        if self.known is None:
            return LogisticWalker(grad)
        near = (self.constants.vector(FLOAT64, "centre"), self.constants.vector(FLOAT64, "gradient"), float(self.known.gap))
        return LogisticWalker(grad, gradients_and_gaps(Z.rows, Z.T.rows, *near, lambda x: self.gap(FLOAT64, x, None)))

    grad.walker = walker  # type: ignore[attr-defined]

    def _both(self, xp: Any, x: Vectors) -> tuple[Scalars, Vectors]:
        """f and its gradient in balls: one exponential a sample serves both."""

        def make() -> tuple[Scalars, Vectors]:
            points = xp.bare(x)
            rows = points.reshape(-1, points.shape[-1]).tolist()
            found = [self.values().both(point, xp.bits, xp.precision) for point in rows]
            values, gradients = np.empty(len(found), dtype=object), np.empty((len(found), points.shape[-1]), dtype=object)
            values[:] = [value for value, _ in found]
            for n, (_, gradient) in enumerate(found):
                gradients[n] = gradient
            return xp.scalars(values.reshape(points.shape[:-1])), xp.vectors(gradients.reshape(points.shape))

        return self.constants.of(x, "both", make)

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        """f(x) - f* = (f(c) - f*) + <grad f(c), x - c> + the Bregman difference at c, for a float64 point c next to x*.

        The first two are known to 80 digits, so the sum is accurate until x is as near to x* as float64 points are to each other.
        """
        assert self.known is not None and self.star is not None
        if is_plain_ball(xp):
            values, known = self.values(), self.star(xp.bits)
            return values.each(xp, partial(values.gap, xp.bits, known), lambda x: self._gap_without_cancellation(xp, x), x)
        if is_ball(xp):
            return self._gap_without_cancellation(xp, x)
        near, gradient, margins, least = self.constants.once(xp, "near x*", lambda: self._near_minimiser(xp))
        away = x - near
        return least + xp.dot(gradient, away) + xp.softplus_bregman_sum(margins, self._margins(xp, away))

    def _near_minimiser(self, xp: Any) -> tuple[Vectors, Vectors, Vectors, Scalars]:
        """The float64 point c next to x*, its gradient and margins, and f(c) - f*."""
        assert self.known is not None
        near = self.constants.vector(xp, "centre")
        gradient = xp.enlarge(self.constants.vector(xp, "gradient"), self.known.gradient_error)
        least = xp.scalar(self.known.gap) + xp.scalars(0.0, self.known.value_error)
        return near, gradient, xp.matvec(self.constants.matrix(xp), near), least

    def _gap_without_cancellation(self, xp: Any, x: Vectors) -> Scalars:
        """The gradient at x* is 0: a Bregman difference, as exact as x - x* is."""
        star, margins = self.constants.once(xp, "at x*", lambda: self._at_minimiser(xp))
        return xp.softplus_bregman_sum(margins, self._margins(xp, x - star))

    def values(self) -> BallValues:
        """f in balls: what it kept is shared by the formulas of a run."""

        def make() -> BallValues:
            from boundcheck.problems._numerics.ball_values import BallValues

            return BallValues(self.constants.array, self.norm**2 / 4)

        made: BallValues = self.constants.once(None, "values", make)
        return made.in_run(current_run())

    def _at_minimiser(self, xp: Any) -> tuple[Vectors, Vectors]:
        """x*, enclosed, and its margins."""
        assert self.star is not None
        known = self.star(xp.bits)
        star = xp.enlarge(xp.vector(known.point), known.radius)
        return star, self._margins(xp, star)

    gap.reads_gradient = False  # type: ignore[attr-defined]

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, *, back: bool = False) -> Scalars:
        if back:
            return xp.softplus_bregman_sum(self._margins(xp, x), self._margins(xp, d), back=True)

        def without_cancellation(x: Vectors, d: Vectors, *_: Vectors) -> Scalars:
            return xp.softplus_bregman_sum(self._margins(xp, x), self._margins(xp, d))

        if is_plain_ball(xp):
            values = self.values()
            return values.each(xp, partial(values.bregman, xp.bits), without_cancellation, x, d, gx, gy)
        return without_cancellation(x, d)

    bregman.goes_back = True  # type: ignore[attr-defined]

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        """|s''''| <= 1/8, so the fourth derivative along d is at most (sum of (z_i' d)^4) / 8."""
        z, w = self._margins(xp, x), self._margins(xp, d)
        length2 = xp.normsq(d)
        if is_ball(xp):
            return ball_chord(xp, side, SoftplusBalls, z, w) / length2
        if is_float64(xp) and self.constants.rows >= MANY:
            return float_chord(xp, side, z, w) / length2
        fourth = xp.normsq(xp.hadamard(w, w)) / 8

        def part(i: int) -> Vectors:
            return xp.scale(xp.scalar(Fraction(i, PIECES)), w)

        def there(i: int) -> Scalars:
            return xp.softplus_bregman_sum(z, part(i))

        def back(i: int) -> Scalars:
            return xp.softplus_bregman_sum(z + part(i), part(-i))

        return line_chord(xp, side, there=there, back=back, fourth=fourth) / length2

    def hessian_vector(self, xp: Any, x: Vectors, v: Vectors) -> Vectors:
        z, w = self._margins(xp, x), self._margins(xp, v)
        weights = xp.hadamard(xp.sigmoid(z), xp.sigmoid(-z))
        return xp.matvec(self.constants.matrix(xp).T, xp.hadamard(weights, w))

    def _margins(self, xp: Any, x: Vectors) -> Vectors:
        return self.constants.image(xp, x)

    def ray(self, x: NDArray[np.float64], g: NDArray[np.float64]) -> MarginsAlong:
        rows = self.constants.matrix(FLOAT64).rows
        return MarginsAlong(rows, self.norm, rows @ x, rows @ g)


def logistic(A: Any, y: Any, *, start: Sequence[Exact] | None = None, name: str = "logistic") -> Problem:
    """Logistic regression on samples A (one a row) with labels y of +1 and -1. The start is 0 unless given."""
    Z = _signed_rows(A, y, name)
    samples, features = Z.shape
    known, star, about, constants = _minimiser(Z)
    _, largest = eigenvalues.gram_bounds(Z)
    holder = _Logistic(
        Constants(matrix=Z, centre=known.centre if known else (), gradient=known.gradient if known else ()),
        known,
        star,
        math.sqrt(largest),
    )
    return Problem(
        name=name,
        dimension=features,
        f=holder.f,
        grad=holder.grad,
        gap=holder.gap if known else None,
        bregman=holder.bregman,
        chord=holder.chord,
        hessian_vector=holder.hessian_vector,
        ray=holder.ray,
        facts=frozenset({Convex(), Differentiable(), TwiceDifferentiable(), Smooth(largest / 4)}),
        start=tuple([0] * features if start is None else start),
        minimiser=star.standard if star else None,
        constants={**constants, "gram": largest},
        about=f"logistic regression, the sum over {samples} samples of {features} features; {about}",
    )


def one_feature_logistic(feature: Exact, pairs: int = 1, *, start: Exact = 3, name: str) -> Problem:
    """One feature in pairs of samples with opposite labels: f' = slope tanh(feature x / 2), where slope = pairs * feature."""
    if not feature > 0 or Fraction(float(feature)) != feature:
        raise UserError(f"{name}: found the feature {feature}; needs a positive number that a float64 holds exactly, such as 1/2")
    made = logistic([[feature]] * (2 * pairs), [1, -1] * pairs, start=[start], name=name)
    data = {"kind": "logistic pair"} if (feature, pairs) == (1, 1) else None
    return made.replace(constants={**made.constants, "gram": 2 * pairs * feature**2, "slope": pairs * feature}, data=data)


def synthetic_logistic(samples: int, features: int, *, seed: int = 0, flipped: float = 0.2, name: str | None = None) -> Problem:
    """Gaussian features, labels from a random hyperplane, a share of them flipped so that the data are not separable."""
    if samples < 1 or features < 1:
        raise UserError(f"synthetic_logistic: found {samples} samples of {features} features; needs at least one of each")
    rng = np.random.default_rng(seed)
    A = np.round(rng.standard_normal((samples, features)) * 1024) / 1024
    y = np.where(A @ rng.standard_normal(features) < 0, -1.0, 1.0)
    y[rng.random(samples) < flipped] *= -1
    return logistic(A, y, name=f"logistic-{samples}x{features}" if name is None else name)


def _signed_rows(A: Any, y: Any, name: str) -> NDArray[np.float64]:
    rows, labels = np.asarray(A, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if rows.ndim != 2 or 0 in rows.shape:
        raise UserError(f"{name}: found samples of shape {rows.shape}; needs a table with at least one row and one column")
    if labels.shape != rows.shape[:1]:
        raise UserError(f"{name}: found {rows.shape[0]} samples and labels of shape {labels.shape}; needs one label a sample")
    if not np.isfinite(rows).all():
        raise UserError(f"{name}: found NaN or infinity among the features; needs finite numbers: drop or impute those samples")
    if not np.isin(labels, (-1.0, 1.0)).all():
        raise UserError(f"{name}: found labels {sorted(set(labels.tolist()))[:4]}; needs +1 and -1: map your two classes to them")
    if not rows.any():
        raise UserError(f"{name}: every feature is 0, so f is constant; needs a feature that varies")
    return -labels[:, None] * rows


def _minimiser(Z: NDArray[np.float64]) -> tuple[Enclosure | None, Star | None, str, dict[str, Exact]]:
    known = minimise(Z)
    if known:
        star = Star(Z, list(range(Z.shape[1])), known, "the only one")
        return known, star, "not separable: its minimiser is enclosed by Newton-Kantorovich", {}
    columns = eigenvalues.independent_columns(Z)
    if len(columns) < Z.shape[1]:
        known = minimise(np.ascontiguousarray(Z[:, columns]))
        if known:
            star = Star(Z, columns, known, "the one that is 0 on dependent columns")
            return _widened(known, columns, Z), star, f"features have rank {len(columns)}", {}
    return None, None, *_why_no_minimiser(Z)


def _widened(known: Enclosure, columns: list[int], Z: NDArray[np.float64]) -> Enclosure:
    """The same minimiser among all columns: 0 on those that depend on the others."""
    point, centre = [Fraction(0)] * Z.shape[1], [0.0] * Z.shape[1]
    for k, j in enumerate(columns):
        point[j], centre[j] = known.point[k], known.centre[k]
    gradient, error = gradient_at(Z, centre)
    return replace(known, point=tuple(point), centre=tuple(centre), gradient=gradient, gradient_error=error)


def _why_no_minimiser(Z: NDArray[np.float64]) -> tuple[str, dict[str, Exact]]:
    """One line, and the infimum of f where it is known (to about 80 digits)."""
    found = separation(Z)
    if found is None:
        return "no minimiser was proved to exist, and no separating direction was found", {}
    if not found.proved:
        return "separable data: f* is not attained (by a linear program in floating point, not proved)", {}
    part = "" if found.separated == len(Z) else f", {found.separated} of {len(Z)} samples being separated from the rest"
    return f"separable data: f* is not attained{part}", {} if found.infimum is None else {"infimum": found.infimum}
