"""Powers: f(x) = |x|^p with p > 1. Convex and C^1; not L-smooth unless p = 2; C^2 for p >= 2 only.

f'(x) = p sign(x) |x|^(p-1), f''(x) = p (p-1) |x|^(p-2), f* = 0 at 0. With p = m/n in lowest terms, a = |x|^(1/n) and b =
|y|^(1/n), differences between points of one sign factor like polynomials in a and b, so no digits are lost:

    (f'(y) - f'(x)) / (y - x)    = p (sum of a^i b^(m-n-1-i)) / (sum of a^i b^(n-1-i))
    f(y) - f(x) - f'(x) (y - x)  = (b - a)^2 (sum of q_i b^i a^(m-2-i)) / n,    b - a = (|y| - |x|) / (sum of a^i b^(n-1-i))

where n r^m - m r^n + (m - n) = (r - 1)^2 (sum of q_i r^i), and every q_i >= 0. Between points of opposite signs nothing cancels.
For x^4 the second is d^2 (6 x^2 + 4 x d + d^2).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import Convex, Differentiable, Fact, Minimiser, Problem, Smooth, StronglyConvex, TwiceDifferentiable
from boundcheck.problems._numerics.chord_quantities import even_chord
from boundcheck.problems._numerics.line_chords import is_ball
from boundcheck.problems._numerics.scalars import as_fraction, is_less, nonzero_or_one
from boundcheck.support.errors import UserError

SHARP = 1100  # bits


class PowerFunction(Problem):
    """|x|^p, convex for p > 1, with its minimum 0 at 0."""

    p: Fraction
    dimension = 1
    minimiser = Minimiser(point=(0,))

    def f(self, xp: Any, x: Vectors) -> Scalars:
        return xp.power(xp.abs(xp.coordinate(x, 0)), self.p)

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        u = xp.coordinate(x, 0)
        size = xp.scalar(self.p) * xp.power(xp.abs(u), self.p - 1)
        return xp.from_coordinates([xp.choose(is_less(xp, u, u * 0), -size, size)])

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        return self.f(xp, x)

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
        if self.p == 4:
            return step * step * (6 * u * u + 4 * u * step + step * step)
        n = self.p.denominator
        v = u + step
        size, other = xp.abs(u), xp.abs(v)
        a, b = self._roots(xp, u, v)
        apart = step / nonzero_or_one(xp, _complete(xp, a, b, n - 1))  # b - a, or its negative
        same_sign = apart * apart * _homogeneous(xp, b, a, self._quotient) / n
        # |y|^p + |x|^(p-1) ((p - 1) |x| + p |y|)
        p = xp.scalar(self.p)
        opposite = xp.power(other, self.p) + xp.power(size, self.p - 1) * ((p - 1) * size + p * other)
        return xp.choose(is_less(xp, u * v, u * 0), opposite, same_sign)

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        """f'' has a peak at 0 for p < 2 (infinite: the sup from x = 0 is infinite) and a valley at 0 for p > 2.

        f is homogeneous, so the touching point is -kappa x with one kappa for all x, where
        kappa^(p-1) + 1 = (p - 1) kappa^(p-2) (kappa + 1); kappa = 1/2 for p = 4.
        """
        kappa = xp.scalar(_sharp_kappa(self.p) if is_ball(xp) else _kappa(self.p))
        with np.errstate(divide="ignore", invalid="ignore"):
            return even_chord(
                xp,
                xp.coordinate(x, 0),
                xp.coordinate(d, 0),
                side,
                slope=lambda u: xp.scalar(self.p * (self.p - 1)) * xp.power(xp.abs(u), self.p - 2),
                secant=lambda u, v: self._secant(xp, u, v),
                touch=lambda u: -(kappa * u),
                peak=self.p < 2,
            )

    def hessian_vector(self, xp: Any, x: Vectors, v: Vectors) -> Vectors:
        return xp.scale(xp.scalar(self.p * (self.p - 1)) * xp.power(xp.abs(xp.coordinate(x, 0)), self.p - 2), v)

    def local_smoothness(self, points: Any, radius: Any) -> Any:
        """f'' at the point of the ball farthest from 0, or nearest to 0 for p < 2 (infinite if 0 is in the ball); rounded up."""
        return np.vectorize(self._steepest, otypes=[np.float64])(points[..., 0], radius)

    def _steepest(self, point: float, radius: float) -> float:
        """In balls: no float64 power is trusted."""
        from flint import arb, fmpq

        from boundcheck.arithmetic.balls.plain import Precision

        p = fmpq(self.p.numerator, self.p.denominator)
        with Precision(64):
            place = abs(arb(point)) + arb(radius if p >= 2 else -radius)
            if p < 2 and not place > 0:
                return np.inf
            largest = float((arb(p * (p - 1)) * place ** arb(p - 2)).abs_upper())
        return largest * (1 + 2.0**-50) + 2.0**-1000 if largest >= 0 else np.inf  # NaN: not known

    def _secant(self, xp: Any, u: Scalars, v: Scalars) -> Scalars:
        m, n = self.p.numerator, self.p.denominator
        a, b = self._roots(xp, u, v)
        same_sign = _complete(xp, a, b, m - n - 1) / nonzero_or_one(xp, _complete(xp, a, b, n - 1))
        sizes = xp.power(xp.abs(u), self.p - 1) + xp.power(xp.abs(v), self.p - 1)
        opposite = sizes / nonzero_or_one(xp, xp.abs(u) + xp.abs(v))
        return xp.scalar(self.p) * xp.choose(is_less(xp, u * v, u * 0), opposite, same_sign)

    def _roots(self, xp: Any, u: Scalars, v: Scalars) -> tuple[Scalars, Scalars]:
        """|u|^(1/n) and |v|^(1/n)."""
        root = Fraction(1, self.p.denominator)
        return xp.power(xp.abs(u), root), xp.power(xp.abs(v), root)

    @cached_property
    def _quotient(self) -> tuple[int, ...]:
        """The q_i: n r^m - m r^n + (m - n), divided twice by r - 1. Lowest power first."""
        m, n = self.p.numerator, self.p.denominator
        coefficients = [0] * (m + 1)
        coefficients[m] += n
        coefficients[n] -= m
        coefficients[0] += m - n
        for _ in range(2):
            quotient = [0] * (len(coefficients) - 1)
            carry = 0
            for i in range(len(coefficients) - 1, 0, -1):
                carry += coefficients[i]
                quotient[i - 1] = carry
            coefficients = quotient
        return tuple(coefficients)


def power(p: Exact, *, start: Exact = 2, name: str | None = None) -> Problem:
    """|x|^p for a rational p > 1."""
    exponent = as_fraction(p, "power: p").limit_denominator(10**6)
    if exponent <= 1:
        raise UserError(f"power: found p = {p}; a differentiable convex |x|^p needs p > 1")
    if exponent.denominator > 12 or exponent.numerator > 60:
        raise UserError(
            f"power: found p = {exponent}; needs a simple fraction (numerator <= 60, denominator <= 12), such as 3/2 or 4"
        )
    facts: set[Fact] = {Convex(), Differentiable()}
    if exponent >= 2:
        facts.add(TwiceDifferentiable())
    if exponent == 2:
        facts |= {Smooth(2), StronglyConvex(2)}
    curvature = "unbounded far away" if exponent > 2 else "infinite at the minimiser" if exponent < 2 else "2 everywhere"
    lacks = ("hessian_vector",) if exponent < 2 else ("local_smoothness",) if exponent == 2 else ()
    unknown: dict[str, Any] = dict.fromkeys(lacks)
    return PowerFunction(
        name=f"abs-{exponent}" if name is None else name,
        p=exponent,
        **unknown,
        facts=frozenset(facts),
        start=(as_fraction(start, "power: the start"),),
        constants={"p": exponent},
        rational=exponent in (2, 4),  # for other p the touching point is irrational
        data={"kind": "power", "p": str(exponent)},
        about=f"|x|^p with p = {exponent}: curvature is {curvature}",
    )


def quartic(*, start: Exact = 2, name: str = "quartic") -> Problem:
    """x^4."""
    return power(4, start=start, name=name)


@cache
def _sharp_kappa(p: Fraction) -> Fraction:
    """The same guess to about a thousand digits, by Newton's method for r = kappa^(1/n), with p = m/n:

    r^a + r^b = (p - 1) (r^n + 1) r^c with a = m - n, b = 0, c = m - 2n, all times r^(2n - m) where that is positive.
    """
    from flint import arb

    from boundcheck.arithmetic.balls.plain import precision

    m, n = p.numerator, p.denominator
    lift = max(2 * n - m, 0)
    terms = [(m - n + lift, Fraction(1)), (lift, Fraction(1)), (m - n + lift, 1 - p), (m - 2 * n + lift, 1 - p)]
    with precision(SHARP):
        r = arb(float(_kappa(p)) ** (1 / n))
        for _ in range(8):
            value, slope = arb(0), arb(0)
            for power, weight in terms:
                factor = arb(weight.numerator) / weight.denominator
                value += factor * r**power
                slope += factor * power * r ** (power - 1) if power else 0
            r = (r - value / slope).mid()
        mantissa, exponent = (r**n).mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _complete(xp: Any, a: Scalars, b: Scalars, degree: int) -> Scalars:
    """The sum of a^i b^(degree - i), i = 0, ..., degree: (a^(degree+1) - b^(degree+1)) / (a - b)."""
    return _homogeneous(xp, a, b, (1,) * (degree + 1))


def _homogeneous(xp: Any, a: Scalars, b: Scalars, coefficients: tuple[int, ...]) -> Scalars:
    """The sum of c_i a^i b^(degree - i)."""
    degree = len(coefficients) - 1
    total = a * 0
    for i, coefficient in enumerate(coefficients):
        if coefficient:
            total = total + coefficient * xp.power(a, Fraction(i)) * xp.power(b, Fraction(degree - i))
    return total


def _kappa(p: Fraction) -> Exact:
    """kappa for this p: exact for p = 4, a float64 guess for the rest (the enclosure holds for any guess)."""
    if p in (2, 4):
        return Fraction(1, 2)
    q = float(p)
    low, high = 0.0, 1.0  # at a peak and at a valley alike the touching point is nearer to 0 than x
    for _ in range(60):
        kappa = (low + high) / 2
        inside = (kappa ** (q - 1) + 1 > (q - 1) * kappa ** (q - 2) * (kappa + 1)) == (q > 2)
        low, high = (kappa, high) if inside else (low, kappa)
    return (low + high) / 2
