"""Strongly adapted steps: eta_k solves eta = 1 / M(x_k, x_k - eta grad f(x_k)), for M = D and M = A, by root finding.

With g = grad f(x) and g(eta) = grad f(x - eta g), every number along the ray is one of eta alone:

    eta D(x, x - eta g) = 2 |g(eta) - g| / |g|,  so  eta = 1/D  exactly when  |g(eta) - g| = |g| / 2;
    eta A(x, x - eta g) = eta sup over 0 < s <= eta of <g - g(s), g> / (s |g|^2), which never falls: A does not, in eta.

The equation printed as eq:zero-finding is another one. |g(eta) - g|^2 / 2 = |g(eta)|^2 / 2 - <g(eta), g> + |g|^2 / 2, so it
says |g(eta) - g| = sqrt(2) |g|, that is eta D = 2 sqrt(2): not even adapted. The display before it, |g(eta) - g| = 2 |g|, says
eta D = 4. The right constant is +3/8 |g|^2 in place of -1/2 |g|^2.

For convex f a root for D exists unless |g(eta) - g| < |g| / 2 for ever; then <g(eta), g> > |g|^2 / 2 for ever, and f falls
without end along the ray. For A one exists unless A = 0 for ever: f is linear along the ray. These are the alternatives (i) of
prop:existence-D and prop:existence-A; a run that meets one ends there, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.undefined import Undefined
from boundcheck.language.letters import A, D, eta, grad, i, inner, normsq, x
from boundcheck.language.scalars import Chord
from boundcheck.rule import Rule, RuleError
from boundcheck.runners.choosing import chosen, each
from boundcheck.runners.roots import Root, solve

JUMP = 2.0**-10  # of eta M, within what arithmetic can tell of eta: so much is no root


class Ray:
    """x - eta g from one point x of a run, and the gradient along it."""

    words = ""  # of the equation, for people
    otherwise = ""  # what it means that there is no root
    grows, wants_bracket = False, True

    def __init__(self, problem: Any, xp: Any, x: Any, g: Any) -> None:
        self.problem, self.xp, self.x, self.g = problem, xp, x, g
        self.square = xp.normsq(g)
        self._known: tuple[Any, Any] = (None, None)

    def gradient(self, eta: Any) -> Any:
        if self._known[0] is None or self._known[0] != eta:
            self._known = (eta, self.problem.grad(self.xp, self.x - self.g * eta))
        return self._known[1]

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
        return _short(root) if isinstance(root, Undefined) else a + (b - a) * (root - cross) / steep

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
        return 4 * self.xp.normsq(self.change(eta)) / self.square - 1

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
        return (self.xp.normsq(new) / 2 - self.xp.dot(new, self.g) - self.square / 2) / self.square

    def slope(self, eta: Any) -> Any:
        turned = self.curved(eta)
        return None if turned is None else -self.xp.dot(self.change(eta), turned) / self.square

    def eta_M(self, value: Any) -> float:
        return math.sqrt(max(8 * (float(value) + 1), 0.0))


class OneOverA(Ray):
    """value = eta A - 1, where A is the problem's own supremum over the chord."""

    words, otherwise = "eta = 1/A(x, x - eta grad f(x))", "alternative (i) of prop:existence-A"
    grows = True  # A does not fall as eta grows: it is a supremum over more and more

    def __init__(self, problem: Any, xp: Any, x: Any, g: Any) -> None:
        super().__init__(problem, xp, x, g)
        self._looked: tuple[Any, Any] = (None, None)

    def value(self, eta: Any) -> Any:
        if self._looked[0] is None or self._looked[0] != eta:
            self._looked = (eta, eta * self.sup(eta) - 1)
        return self._looked[1]

    def sup(self, eta: Any) -> Any:
        return self._number(self.problem.chord(self.xp, self.x, self.g * (-eta), self.g, self.gradient(eta), "sup"))

    def _number(self, value: Any) -> Any:
        return np.asarray(value, dtype=self.xp.dtype).reshape(-1)[0]

    def between(self, a: Any, b: Any) -> Any:
        """eta A is piecewise linear where f is piecewise quadratic; it is 0 at 0."""
        first, last = (-1 if end == 0 else self.value(end) for end in (a, b))
        return Undefined("eta*A does not change") if last == first else a - (b - a) * first / (last - first)

    def affine(self, a: Any, b: Any) -> bool:
        return False  # its guesses are rational anyway

    def guess(self) -> float:
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
        return self._number(self.problem.chord(self.xp, at, self.g * eta, self.gradient(eta), self.g, "sup"))


def _short(undefined: Undefined) -> Undefined:
    """The same without numbers that nobody reads."""
    why = undefined.reason
    return undefined if len(why) <= 80 else Undefined(f"{why.split('(')[0]} of a number with {len(why)} digits is not rational")


EQUATIONS: dict[str, type[Any]] = {"D": OneOverD, "A": OneOverA, "A-back": OneOverABack, "as printed": AsPrinted}


def strongly_adapted(kind: str = "D", *, back: bool = False) -> Rule:
    """eta_k = 1 / M(x_k, x_{k+1}) for M = D or M = A; `back`: 1 / A(x_{k+1}, x_k), which is another number.

    The first two note eta_lo and eta_hi, between which eta M goes from at most 1 to at least 1.
    """
    if kind not in ("D", "A"):
        raise RuleError(f"strongly adapted steps are found for D and for A; found {kind!r}")
    back = back and kind != "D"  # D is symmetric
    chord: Chord = {"D": D, "A": A}[kind](*((x[i + 1], x[i]) if back else (x[i], x[i + 1])))
    return Rule(
        name=f"1/{kind}-back" if back else f"1/{kind}",
        step=_each("A-back", lambda root: root.eta) if back else _noting(kind),
        follows=eta[i] == 1 / chord,
        records=() if back else ("eta_lo", "eta_hi"),
    )


def zero_finding_as_printed() -> Rule:
    """eta_k solves eq:zero-finding exactly as printed, so that one can see what it gives: eta D = 2 sqrt(2)."""
    g, new = grad(x[i]), grad(x[i + 1])
    return Rule(
        name="1/D-as-printed",
        step=_each("as printed", lambda root: root.eta),
        follows=normsq(new) / 2 - inner(new, g) - normsq(g) / 2 == 0,
    )


def bracket(run: Any, kind: str = "D") -> tuple[Any, Any]:
    """(eta_lo, eta_hi) with eta_lo M <= 1 <= eta_hi M as the run's arithmetic sees it: by continuity eta M = 1 between them.

    They are about 2^-12 apart, relative to them: so far that their errors do not hide on which side of 1 they are. In exact
    rationals they are 2^-40 apart, or both the root where that is rational.
    """
    return tuple(_each(kind, pick)(run) for pick in (lambda root: root.low, lambda root: root.high))  # type: ignore[return-value]


def _noting(kind: str) -> Callable[[Any], Any]:
    def step(run: Any) -> Any:
        roots = _roots(run, kind)
        run.note("eta_lo", chosen(run, [root if isinstance(root, Undefined) else root.low for root in roots]))
        run.note("eta_hi", chosen(run, [root if isinstance(root, Undefined) else root.high for root in roots]))
        return chosen(run, [root if isinstance(root, Undefined) else root.eta for root in roots])

    return step


def _each(kind: str, pick: Callable[[Root], Any]) -> Callable[[Any], Any]:
    def step(run: Any) -> Any:
        return chosen(run, [root if isinstance(root, Undefined) else pick(root) for root in _roots(run, kind)])

    return step


def _roots(run: Any, kind: str) -> list[Root | Undefined]:
    """For each run of the batch a root, or why there is none."""
    before = None if run.before is None else each(run.before.eta)
    points, gradients = (v if v.ndim == 2 else v[None] for v in (run.x, run.grad))
    with np.errstate(all="ignore"):
        return [
            _root(run, kind, point, g, None if before is None else before[n])
            for n, (point, g) in enumerate(zip(points, gradients, strict=True))
        ]


def _root(run: Any, kind: str, x: Any, g: Any, before: Any) -> Root | Undefined:
    if kind not in EQUATIONS:
        raise RuleError(f"a root is found for {', '.join(EQUATIONS)}; found {kind!r}")
    M = "A" if kind.startswith("A") else "D"
    if M == "A" and run.problem.chord is None:
        return Undefined(f"{run.problem.name} has no enclosure of A along a chord")
    ray = EQUATIONS[kind](run.problem, run.xp, x, g)
    if not ray.square > 0 or float(ray.square) == math.inf:
        return Undefined(f"|grad f(x_{run.k})|^2 is {float(ray.square)}")
    try:
        found = solve(ray, _guess(ray, before, run.L))
    except ZeroDivisionError:
        return Undefined(f"{ray.words} divides by zero")
    if isinstance(found, Root):
        return _no_jump(found, ray, M)
    if isinstance(found.value, Undefined) or not math.isfinite(float(found.value)):
        why = _short(found.value).reason if isinstance(found.value, Undefined) else f"its value is {float(found.value)}"
        return Undefined(f"{ray.words} is undefined at eta = {float(found.eta):.3g}: {why}")
    if not found.upwards:
        return Undefined(
            f"{ray.words} has no root down to eta = {float(found.eta):.3g}: the gradient is not continuous at x_{run.k}"
        )
    there = f"eta*{M} is only {ray.eta_M(found.value):.6g} there"
    return Undefined(f"{ray.words} meets no root up to eta = {float(found.eta):.3g} ({there}): {ray.otherwise}")


def _no_jump(found: Root, ray: Any, M: str) -> Root | Undefined:
    """A sign change may be a jump: A(x - eta g, x) has one where the curvature of f has, and rounding makes them near x*."""
    if not isinstance(found.eta, Undefined) and abs(ray.value(found.eta)) < ray.xp.lift(JUMP):
        return found
    below, above = (ray.eta_M(value) for value in found.ends)
    if isinstance(found.eta, Undefined) and above - below < JUMP:
        return found
    return Undefined(f"{ray.words} has no root: eta*{M} jumps from {below:.6g} to {above:.6g} at eta = {float(found.low):.6g}")


def _guess(ray: Any, before: Any, L: Any) -> float:
    """The root for the quadratic with the same Hessian; else the step before, 1/L, or 1."""
    for number in (ray.guess, lambda: float(before), lambda: 1 / float(L)):
        try:
            guess = float(number())
        except (TypeError, ZeroDivisionError, ValueError):
            continue
        if 0 < guess < math.inf and 2.0**-900 < guess < 2.0**900:
            return guess
    return 1.0
