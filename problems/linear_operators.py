"""Affine operators x -> M (x - c): monotone, rotations, games, and negatively comonotone ones. Resolvents are exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Exact, Vectors
from boundcheck.model import facts
from boundcheck.model.part import Part
from boundcheck.model.problem import Fact
from boundcheck.problems.proximal import away, coordinates, exact


@dataclass(frozen=True)
class LinearMap:
    """M (x - c)."""

    rows: tuple[tuple[Fraction, ...], ...]
    centre: tuple[Fraction, ...]

    def image(self, xp: Any, x: Vectors) -> Vectors:
        each = coordinates(xp, away(xp, x, self.centre), len(self.centre))
        return xp.from_coordinates([_dot(xp, row, each) for row in self.rows])

    def resolvent(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        """(I + t M)(z - c) = p - c, by elimination."""
        d = len(self.centre)
        right = coordinates(xp, away(xp, p, self.centre), d)
        rows = [[t * xp.scalar(self.rows[i][j]) + (1 if i == j else 0) for j in range(d)] for i in range(d)]
        return away(xp, xp.from_coordinates(_solved(rows, right)), [-c for c in self.centre])

    def inverse(self, xp: Any, w: Vectors) -> Vectors:
        """M (z - c) = w."""
        d = len(self.centre)
        rows = [[xp.scalar(self.rows[i][j]) for j in range(d)] for i in range(d)]
        return away(xp, xp.from_coordinates(_solved(rows, coordinates(xp, w, d))), [-c for c in self.centre])


def _dot(xp: Any, row: Sequence[Fraction], each: Sequence[Any]) -> Any:
    terms = [xp.scalar(a) * c for a, c in zip(row, each, strict=True)]
    return sum(terms[1:], terms[0])


def _solved(rows: list[list[Any]], right: list[Any]) -> list[Any]:
    """The solution of a linear system whose leading minors are not 0, as those of I + t M for a monotone M."""
    d, rows, right = len(right), [list(row) for row in rows], list(right)
    for k in range(d):
        for i in range(k + 1, d):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
            right[i] = right[i] - factor * right[k]
    made: list[Any] = [None] * d
    for i in reversed(range(d)):
        left = right[i]
        for j in range(i + 1, d):
            left = left - rows[i][j] * made[j]
        made[i] = left / rows[i][i]
    return made


def operator(rows: Sequence[Sequence[Exact]], claims: Sequence[Fact], centre: Sequence[Exact] | None = None) -> Part:
    """The part x -> M (x - c), with what is true of it."""
    holder = LinearMap(tuple(exact(row) for row in rows), exact(centre or [0] * len(rows)))
    return Part(facts=frozenset(claims), image=holder.image, prox=holder.resolvent, about="an affine operator")


def turned(mu: Exact, s: Exact, centre: Sequence[Exact] | None = None) -> Part:
    """mu I + s J in the plane, J a quarter turn: <A d, d> = mu |d|^2 and |A d|^2 = (mu^2 + s^2) |d|^2."""
    mu, s = Fraction(mu), Fraction(s)
    size = mu * mu + s * s
    known: list[Fact] = [facts.LipschitzOperator(abs(mu) + abs(s) if mu else abs(s))]
    if mu >= 0:
        known.append(facts.Monotone())
    if mu > 0:
        known += [facts.StronglyMonotone(mu), facts.Cocoercive(mu / size)]
    if mu < 0:
        known.append(facts.NegativelyComonotone(-mu / size))
    if mu == 0 and not any(centre or ()):
        known += [facts.SkewSymmetric(abs(s)), facts.Linear(abs(s))]
    return operator([[mu, -s], [s, mu]], known, centre)


def multiple(c: Exact, dimension: int = 1) -> Part:
    """c I."""
    c = Fraction(c)
    known: list[Fact] = [
        facts.LipschitzOperator(abs(c)),
        facts.Linear(abs(c)),
        facts.Symmetric(min(c, Fraction(0)), max(c, Fraction(0))),
    ]
    if c > 0:
        known += [facts.Monotone(), facts.StronglyMonotone(c), facts.Cocoercive(1 / c)]
    if c < 0:
        known.append(facts.NegativelyComonotone(-1 / c))
    return operator([[c if i == j else 0 for j in range(dimension)] for i in range(dimension)], known)


def rotation(cosine: Exact, sine: Exact, centre: Sequence[Exact] = (0, 0)) -> Part:
    """The rotation about a centre, which it leaves where it is: nonexpansive, and no gradient."""
    rows = [[cosine, -Fraction(sine)], [sine, cosine]]
    holder = LinearMap(tuple(exact(row) for row in rows), exact(centre))
    known: list[Fact] = [facts.Nonexpansive(), facts.LipschitzOperator(1)]
    if not any(centre):
        known.append(facts.Linear(1))
    return Part(facts=frozenset(known), image=Shifted(holder).image, about="a rotation")


@dataclass(frozen=True)
class Shifted:
    """c + M (x - c)."""

    linear: LinearMap

    def image(self, xp: Any, x: Vectors) -> Vectors:
        return away(xp, self.linear.image(xp, x), [-c for c in self.linear.centre])
