"""The equations of strongly adapted steps along the ray x - eta grad f(x), as numbers of eta alone.

With g = grad f(x) and g(eta) = grad f(x - eta g), every number along the ray is one of eta alone:

    eta D(x, x - eta g) = 2 |g(eta) - g| / |g|,  so  eta = 1/D  exactly when  |g(eta) - g| = |g| / 2;
    eta A(x, x - eta g) = eta sup over 0 < s <= eta of <g - g(s), g> / (s |g|^2), which never falls: A does not, in eta.

The equation printed as eq:zero-finding is another one. |g(eta) - g|^2 / 2 = |g(eta)|^2 / 2 - <g(eta), g> + |g|^2 / 2, so it
says |g(eta) - g| = sqrt(2) |g|, that is eta D = 2 sqrt(2): not even adapted. The display before it, |g(eta) - g| = 2 |g|, says
eta D = 4. The right constant is +3/8 |g|^2 in place of -1/2 |g|^2.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Self

import numpy as np

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.arithmetic.undefined import Undefined


class Ray:
    """x - eta g from one point x of a run, and the gradient along it.

    In balls all of these are middles, and so is the value of the equation: the step is frozen to one number anyway, and what a
    claim assumes of it is checked for that number.
    """

    words = ""  # of the equation, for people
    otherwise = ""  # what it means that there is no root
    grows, wants_bracket = False, True
    power = 2

    def __init__(self, problem: Any, xp: Any, x: Any, g: Any) -> None:
        self.problem, self.xp, self.x, self.g = problem, xp, xp.stored(x), xp.stored(g)
        self.square = self.number(xp.normsq(self.g))
        self._known: tuple[Any, Any] = (None, None)

    def gradient(self, eta: Any) -> Any:
        if self._known[0] is None or self._known[0] != eta:
            self._known = (eta, self.xp.stored(self.problem.grad(self.xp, self.x - self.g * eta)))
        return self._known[1]

    def number(self, value: Any) -> Any:
        return np.asarray(self.xp.stored(value), dtype=self.xp.dtype).reshape(-1)[0]

    def in_float64(self) -> Self:
        """The same equation, rounded."""
        return type(self)(self.problem, FLOAT64, *(self.xp.middle(v) for v in (self.x, self.g)))

    def change(self, eta: Any) -> Any:
        return self.gradient(eta) - self.g

    def curved(self, eta: Any) -> Any:
        """The Hessian at x - eta g times g; None where the problem has no such product."""
        if self.problem.hessian_vector is None:
            return None
        return self.problem.hessian_vector(self.xp, self.x - self.g * eta, self.g)

    def slope(self, eta: Any) -> Any:
        return None

    def affine(self, a: Any, b: Any) -> bool:
        middle = self.change((a + b) / 2)
        return bool(((self.change(a) + self.change(b)) / 2 == middle).all())

    def eta_M(self, value: Any) -> float:
        """eta M, from the value of the equation."""
        raise NotImplementedError


class _ChangeOfGradient(Ray):
    """|g(eta) - g|^2 = share |g|^2."""

    share = Fraction(1, 4)

    def between(self, a: Any, b: Any) -> Any:
        """On the line through g(a) - g and g(b) - g: the later point of the right length, by the quadratic formula."""
        xp = self.xp
        first = self.change(a)
        along = self.change(b) - first
        steep, cross = xp.normsq(along), xp.dot(first, along)
        if steep == 0 or isinstance(steep, Undefined):
            return Undefined("the gradient does not change")
        under = cross * cross - steep * (xp.normsq(first) - self.square * xp.lift(self.share))
        root = xp.sqrt(under)[()]
        return short(root) if isinstance(root, Undefined) else a + (b - a) * (root - cross) / steep

    def guess(self) -> float:
        """The root of the quadratic with the Hessian at x."""
        turned = self.curved(0)
        if turned is None:
            return math.nan
        g, turned = (self.xp.middle(v) for v in (self.g, turned))
        return float(np.sqrt(float(self.share)) * np.linalg.norm(g) / np.linalg.norm(turned))


class OneOverD(_ChangeOfGradient):
    """value = (eta D)^2 - 1 = 4 |g(eta) - g|^2 / |g|^2 - 1."""

    words, otherwise = "eta = 1/D(x, x - eta grad f(x))", "alternative (i) of prop:existence-D"

    def value(self, eta: Any) -> Any:
        return self.number(4 * self.xp.normsq(self.change(eta)) / self.square - 1)

    def slope(self, eta: Any) -> Any:
        turned = self.curved(eta)
        return None if turned is None else -8 * self.xp.dot(self.change(eta), turned) / self.square

    def eta_M(self, value: Any) -> float:
        return math.sqrt(max(float(value) + 1, 0.0))


class AsPrinted(_ChangeOfGradient):
    """value = (|g(eta)|^2 / 2 - <g(eta), g> - |g|^2 / 2) / |g|^2: eq:zero-finding, letter by letter, over |g|^2."""

    words, otherwise = (
        "eq:zero-finding as printed",
        "its left side stays below 0: the gradient never changes by sqrt(2) |grad f(x)|",
    )
    share = Fraction(2)

    def value(self, eta: Any) -> Any:
        new = self.gradient(eta)
        return self.number((self.xp.normsq(new) / 2 - self.xp.dot(new, self.g) - self.square / 2) / self.square)

    def slope(self, eta: Any) -> Any:
        turned = self.curved(eta)
        return None if turned is None else -self.xp.dot(self.change(eta), turned) / self.square

    def eta_M(self, value: Any) -> float:
        return math.sqrt(max(8 * (float(value) + 1), 0.0))


class OneOverA(Ray):
    """value = eta A - 1, where A is the problem's own supremum over the chord."""

    words, otherwise = "eta = 1/A(x, x - eta grad f(x))", "alternative (i) of prop:existence-A"
    grows = True  # A does not fall as eta grows: it is a supremum over more and more
    power = 1

    def __init__(self, problem: Any, xp: Any, x: Any, g: Any) -> None:
        super().__init__(problem, xp, x, g)
        self._looked: tuple[Any, Any] = (None, None)

    def value(self, eta: Any) -> Any:
        if self._looked[0] is None or self._looked[0] != eta:
            self._looked = (eta, self.number(eta * self.sup(eta) - 1))
        return self._looked[1]

    def sup(self, eta: Any) -> Any:
        return self.number(self.problem.chord(self.xp, self.x, self.g * (-eta), self.g, self.gradient(eta), "sup"))

    def between(self, a: Any, b: Any) -> Any:
        """eta A is piecewise linear where f is piecewise quadratic; it is 0 at 0."""
        first, last = (-1 if end == 0 else self.value(end) for end in (a, b))
        return Undefined("eta*A does not change") if last == first else a - (b - a) * first / (last - first)

    def affine(self, a: Any, b: Any) -> bool:
        return False  # its guesses are rational anyway

    def guess(self: Ray) -> float:
        turned = self.curved(0)
        return math.nan if turned is None else float(self.square) / float(self.xp.dot(self.g, turned))

    def eta_M(self, value: Any) -> float:
        return float(value) + 1


class OneOverABack(OneOverA):
    """The chord from the new point to the old one: A(x - eta g, x). A is not symmetric."""

    words, otherwise = "eta = 1/A(x - eta grad f(x), x)", "there may be none: prop:existence-A is about A(x, x - eta grad f(x))"

    grows, wants_bracket = False, False

    def sup(self, eta: Any) -> Any:
        at = self.x - self.g * eta
        return self.number(self.problem.chord(self.xp, at, self.g * eta, self.gradient(eta), self.g, "sup"))


def short(undefined: Undefined) -> Undefined:
    """The same without numbers that nobody reads."""
    why = undefined.reason
    return undefined if len(why) <= 80 else Undefined(f"{why.split('(')[0]} of a number with {len(why)} digits is not rational")


EQUATIONS: dict[str, type[Any]] = {"D": OneOverD, "A": OneOverA, "A-back": OneOverABack, "as printed": AsPrinted}
