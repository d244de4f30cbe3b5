"""Log-sum-exp: f(x) = log of the sum of w_i exp(<a_i, x - x*>), with weights w_i > 0 that sum to 1 and sum of w_i a_i = 0.

This is log sum exp(A x - b) with b_i = <a_i, x*> - log w_i. The gradient at x* is the sum of w_i a_i = 0, so x* is exactly a
minimiser, and f* = log 1 = 0. With p_i the share of term i at x: grad f = sum of p_i a_i, and f'' is the covariance of the a_i
under p. A variable in an interval of length R has variance at most R^2 / 4, so L = max |a_i - a_j|^2 / 4.

The terms are added one after another, with s = log(1 + exp): l_k = l_(k-1) + s(v_k), v_k = z_k - l_(k-1), where z_k is the k-th
exponent; r_k = s'(v_k) is the share of the k-th among the first k. Along a step that moves z_k by w_k, the cumulant c_k of the
first k and their Bregman difference B_k, both per share, follow with delta = w_k - c_(k-1) and b = the Bregman difference of s
at v_k along delta:

    c_k = c_(k-1) + r_k delta + b,      B_k = (1 - r_k) B_(k-1) + b,

terms that are never negative: no cancellation. f(x) - f* is the Bregman difference at x* along x - x*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import Convex, Differentiable, Minimiser, Problem, Smooth, TwiceDifferentiable
from boundcheck.problems._numerics import eigenvalues
from boundcheck.problems._numerics.chord_quantities import from_stack, line_chord, parts_of
from boundcheck.problems._numerics.line_chords import ball_chord, is_ball
from boundcheck.problems._numerics.line_functions import ByFormula, above, end_of
from boundcheck.problems._numerics.scalars import Constants, as_fraction
from boundcheck.support.errors import UserError


@dataclass(frozen=True)
class _LogSumExp:
    constants: Constants  # the a_i, row by row, and x*
    weights: tuple[Fraction, ...]

    def f(self, xp: Any, x: Vectors) -> Scalars:
        last, steps = self._added(xp, self._exponents(xp, x))
        return last + xp.softplus_sum(xp.from_coordinates([steps[-1]])) if steps else last

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        return xp.matvec(self.constants.matrix(xp).T, xp.from_coordinates(self._shares(xp, x)))

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        away = self._along(xp, x - self.constants.vector(xp, "xstar"))
        zero = away[0] * 0
        _, steps = self._added(xp, [zero + xp.log(xp.scalar(weight)) for weight in self.weights])
        return self._difference(xp, steps, away)

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        _, steps = self._added(xp, self._exponents(xp, x))
        return self._difference(xp, steps, self._along(xp, d))

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        """The fourth derivative along d is the fourth cumulant of a variable with a range R.

        It is m_4 - 3 m_2^2 with m_2^2 <= m_4 <= R^4 / 12 and m_2 <= R^2 / 4: at most R^4 / 12, and at least -2 m_2^2 >= -R^4 / 8.
        """
        if is_ball(xp):
            products = xp.matvec(self.constants.matrix(xp), d)
            return ball_chord(xp, side, _line, xp.from_coordinates(self._exponents(xp, x)), products) / xp.normsq(d)
        steps = self._along(xp, d)
        low = high = steps[0]
        for step in steps[1:]:
            low, high = xp.minimum(low, step), xp.maximum(high, step)
        square = (high - low) * (high - low)
        exponents, parts = self._exponents(xp, x), [parts_of(xp, step) for step in steps]
        here = [z + part * 0 for z, part in zip(exponents, parts, strict=True)]
        ends = [z + part for z, part in zip(exponents, parts, strict=True)]
        there = self._difference(xp, self._added(xp, here)[1], parts)
        back = self._difference(xp, self._added(xp, ends)[1], [-part for part in parts])
        fourth = square * square / 8
        return line_chord(xp, side, there=from_stack(there), back=from_stack(back), fourth=fourth) / xp.normsq(d)

    def hessian_vector(self, xp: Any, x: Vectors, v: Vectors) -> Vectors:
        shares, along = self._shares(xp, x), self._along(xp, v)
        mean = _total(p * w for p, w in zip(shares, along, strict=True))
        weighted = [p * (w - mean) for p, w in zip(shares, along, strict=True)]
        return xp.matvec(self.constants.matrix(xp).T, xp.from_coordinates(weighted))

    def _along(self, xp: Any, d: Vectors) -> list[Scalars]:
        """<a_i, d> for each i."""
        products = xp.matvec(self.constants.matrix(xp), d)
        return [xp.coordinate(products, i) for i in range(len(self.weights))]

    def _exponents(self, xp: Any, x: Vectors) -> list[Scalars]:
        along = self._along(xp, x - self.constants.vector(xp, "xstar"))
        return [z + xp.log(xp.scalar(weight)) for z, weight in zip(along, self.weights, strict=True)]

    def _added(self, xp: Any, z: list[Scalars]) -> tuple[Scalars, list[Scalars]]:
        """l before the last term, and v_2, v_3, ..."""
        total, steps = z[0], [z[1] - z[0]]
        for exponent in z[2:]:
            total = total + xp.softplus_sum(xp.from_coordinates([steps[-1]]))
            steps.append(exponent - total)
        return total, steps

    def _shares(self, xp: Any, x: Vectors) -> list[Scalars]:
        """p_k = r_k times the product of 1 - r_j over the later j."""
        _, steps = self._added(xp, self._exponents(xp, x))
        later, shares = steps[0] * 0 + 1, []
        for v in reversed(steps):
            shares.append(_sigmoid(xp, v) * later)
            later = _sigmoid(xp, -v) * later
        return [later, *reversed(shares)]

    def _difference(self, xp: Any, steps: list[Scalars], along: list[Scalars]) -> Scalars:
        cumulant, difference = along[0], along[0] * 0
        for v, w in zip(steps, along[1:], strict=True):
            delta = w - cumulant
            b = xp.softplus_bregman_sum(xp.from_coordinates([v]), xp.from_coordinates([delta]))
            cumulant = cumulant + _sigmoid(xp, v) * delta + b
            difference = _sigmoid(xp, -v) * difference + b
        return difference


def log_sum_exp(
    A: Sequence[Sequence[Exact]],
    *,
    weights: Sequence[Exact] | None = None,
    xstar: Sequence[Exact] | None = None,
    start: Sequence[Exact],
    name: str = "log-sum-exp",
) -> Problem:
    """log of the sum of w_i exp(<a_i, x - x*>), the a_i being the rows of A. Defaults: equal weights, x* = 0."""
    rows = [[as_fraction(value, f"{name}: an entry of A") for value in row] for row in A]
    d = len(rows[0]) if rows else 0
    if len(rows) < 2 or not d or any(len(row) != d for row in rows):
        raise UserError(f"{name}: found rows of lengths {[len(row) for row in rows]}; needs at least two of one positive length")
    shares = [Fraction(1, len(rows))] * len(rows) if weights is None else [as_fraction(w, f"{name}: a weight") for w in weights]
    if len(shares) != len(rows) or min(shares) <= 0 or sum(shares) != 1:
        raise UserError(f"{name}: found weights {', '.join(map(str, shares))}; needs one a row, all positive, with the sum 1")
    mean = [_total(w * value for w, value in zip(shares, column, strict=True)) for column in zip(*rows, strict=True)]
    if any(mean):
        raise UserError(
            f"{name}: the weighted mean of the rows is ({', '.join(map(str, mean))}), so x* is no minimiser; "
            "needs 0: take it off each row"
        )
    point = [Fraction(0)] * d if xstar is None else [as_fraction(value, f"{name}: a coordinate of x*") for value in xstar]
    if len(point) != d:
        raise UserError(f"{name}: the rows have length {d} and x* has {len(point)} coordinates; needs as many")
    spread = max(sum(((p - q) ** 2 for p, q in zip(a, b, strict=True)), Fraction(0)) for a in rows for b in rows)
    if spread == 0:
        raise UserError(f"{name}: every row is 0, so f is constant; needs rows that differ")
    only = len(eigenvalues.independent_columns(rows)) == d
    holder = _LogSumExp(Constants(matrix=rows, xstar=point), tuple(shares))
    return Problem(
        name=name,
        dimension=d,
        f=holder.f,
        grad=holder.grad,
        gap=holder.gap,
        bregman=holder.bregman,
        chord=holder.chord,
        hessian_vector=holder.hessian_vector,
        facts=frozenset({Convex(), Differentiable(), TwiceDifferentiable(), Smooth(spread / 4)}),
        start=tuple(as_fraction(value, f"{name}: a coordinate of the start") for value in start),
        minimiser=Minimiser(point=tuple(point), which="the only one" if only else "x*, and what the rows do not see added to it"),
        about=f"log-sum-exp of {len(rows)} terms in {d} dimensions: nearly piecewise linear far away, f* = 0",
    )


def _line(z: list[Any], w: list[Any]) -> ByFormula:
    """phi(t) = log of the sum of exp(z_i + t w_i), in balls.

    With shares p_i and v_i = w_i less their mean, phi'(t) - phi'(0) is the sum of p_i v_i (e^(t v_i) - 1) over the sum of
    p_i e^(t v_i): no cancellation. The second to fourth derivatives are cumulants of a variable with a range R: with moments m_k
    about the mean, |m_3| <= R m_2, m_2^2 <= m_4 <= R^2 m_2 and m_2 <= R^2 / 4, so |m_4 - 3 m_2^2| <= R^2 m_2 and <= R^4 / 8.
    """
    shares = _quotients([(a - z[0]).exp() for a in z])
    widest = [(a - b).abs_upper() for a in w for b in w]
    end = end_of(widest)
    v = [_total(p * (a - b) for p, b in zip(shares, w, strict=True)) / end for a in w]
    reach = max(above(gap / end) for gap in widest)

    def exactly(t: Any) -> tuple[Any, Any, Any]:
        grown = [p * (t * b).exp() for p, b in zip(shares, v, strict=True)]
        there = _quotients(grown)
        mean = _total(p * b for p, b in zip(there, v, strict=True))
        squares = [p * (b - mean) * (b - mean) for p, b in zip(there, v, strict=True)]
        second, third = _total(squares), _total(square * (b - mean) for square, b in zip(squares, v, strict=True))
        if t.is_zero():
            return second, second, third
        rise = _total(p * b * (t * b).expm1() for p, b in zip(shares, v, strict=True))
        return rise / _total(grown) / t, second, third

    return ByFormula(exactly, end=end, reach=reach, fourth=reach**4 / 8)


def _quotients(terms: list[Any]) -> list[Any]:
    total = _total(terms)
    return [term / total for term in terms]


def _sigmoid(xp: Any, v: Scalars) -> Scalars:
    return xp.coordinate(xp.sigmoid(xp.from_coordinates([v])), 0)


def _total(terms: Any) -> Any:
    first, *rest = terms
    for term in rest:
        first = first + term
    return first
