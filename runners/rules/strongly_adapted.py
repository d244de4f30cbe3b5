"""Strongly adapted steps: eta_k solves eta = 1 / M(x_k, x_k - eta grad f(x_k)), for M = D and M = A, by root finding.

The equations stand in `roots.rays`.

For convex f a root for D exists unless |g(eta) - g| < |g| / 2 for ever; then <g(eta), g> > |g|^2 / 2 for ever, and f falls
without end along the ray. For A one exists unless A = 0 for ever: f is linear along the ray. These are the alternatives (i) of
prop:existence-D and prop:existence-A; a run that meets one ends there, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.language.letters import A, D, eta, grad, i, inner, normsq, x
from boundcheck.language.scalars import Chord
from boundcheck.model.rule import Rule, RuleError
from boundcheck.runners.roots.rays import EQUATIONS, short
from boundcheck.runners.roots.solve import RootBracket, solve
from boundcheck.runners.roots.warm_start import warm_root
from boundcheck.runners.rules.step_values import chosen, each

JUMP = 2.0**-10  # of eta M, within what arithmetic can tell of eta: so much is no root
BELOW = 1 - 2.0**-20
SQUARES = (2.0**-800, 2.0**800)  # lengths of gradients whose squares, and the products of those, are plain numbers


def strongly_adapted(kind: str = "D", *, back: bool = False) -> Rule:
    """eta_k = 1 / M(x_k, x_{k+1}) for M = D or M = A; `back`: 1 / A(x_{k+1}, x_k), which is another number.

    The first two note eta_lo and eta_hi, between which eta M goes from at most 1 to at least 1.
    """
    if kind not in ("D", "A"):
        raise RuleError(f"strongly adapted steps are found for D and for A; found {kind!r}")
    back = back and kind != "D"  # D is symmetric
    chord: Chord = {"D": D, "A": A}[kind](*((x[i + 1], x[i]) if back else (x[i], x[i + 1])))
    name = f"1/{kind}-back" if back else f"1/{kind}"
    return Rule(
        name=name,
        step=_each("A-back", lambda root: root.eta) if back else _noting(kind),
        follows=eta[i] == 1 / chord,
        records=() if back else ("eta_lo", "eta_hi"),
        below=Rule(name=f"{name}(1-2^-20)", step=_below("A-back" if back else kind)),
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
    return tuple(_each(kind, pick)(run) for pick in (lambda root: root.low, lambda root: root.high))


def _noting(kind: str) -> Callable[[Any], Any]:
    def step(run: Any) -> Any:
        if kind == "D" and (eta := _warm(run)) is not None:
            return np.float64(eta)
        roots = _roots(run, kind)
        run.note("eta_lo", chosen(run, [root if isinstance(root, Undefined) else root.low for root in roots]))
        run.note("eta_hi", chosen(run, [root if isinstance(root, Undefined) else root.high for root in roots]))
        return chosen(run, [root if isinstance(root, Undefined) else root.eta for root in roots])

    return step


def _warm(run: Any) -> float | None:
    """The step of a run alone in float64 by `warm_root`, where nobody records the bracket; None where that cannot tell."""
    ray = run.problem.ray
    if ray is None or run.xp is not FLOAT64 or run.keeps_notes or run.x.ndim != 1:
        return None
    square = float(run.grad @ run.grad)
    if not SQUARES[0] < square < SQUARES[1]:
        return None
    with np.errstate(all="ignore"):
        along = ray(run.x, run.grad)
        if run.before is not None and run.before.eta is not None:
            guess = float(run.before.eta)
        else:  # the root for the quadratic with the same Hessian
            steep = along.gram(0.0)[1][1]
            guess = math.sqrt(square / steep) / 2 if steep > 0 else math.inf
        return warm_root(along, square, guess, run.L) if 0 < guess < math.inf else None


def _each(kind: str, pick: Callable[[RootBracket], Any]) -> Callable[[Any], Any]:
    def step(run: Any) -> Any:
        return chosen(run, [root if isinstance(root, Undefined) else pick(root) for root in _roots(run, kind)])

    return step


def _below(kind: str) -> Callable[[Any], Any]:
    """The step less 2^-20 of it. Where the root is not rational, the lower end of its bracket will do."""

    def step(run: Any) -> Any:
        def smaller(root: RootBracket) -> Any:
            return (root.low if isinstance(root.eta, Undefined) else root.eta) * run.xp.lift(BELOW)

        return _each(kind, smaller)(run)

    return step


def _roots(run: Any, kind: str) -> list[RootBracket | Undefined]:
    """For each run of the batch a root, or why there is none."""
    before = None if run.before is None else each(run.xp, run.before.eta)
    points, gradients = (v if v.ndim == 2 else v[None] for v in (run.x, run.grad))
    with np.errstate(all="ignore"):
        return [
            _root(run, kind, point, g, None if before is None else before[n])
            for n, (point, g) in enumerate(zip(points, gradients, strict=True))
        ]


def _root(run: Any, kind: str, x: Any, g: Any, before: Any) -> RootBracket | Undefined:
    if kind not in EQUATIONS:
        raise RuleError(f"a root is found for {', '.join(EQUATIONS)}; found {kind!r}")
    M = "A" if kind.startswith("A") else "D"
    if M == "A" and run.problem.chord is None:
        return Undefined(f"{run.problem.name} has no enclosure of A along a chord")
    ray = EQUATIONS[kind](run.problem, run.xp, x, g)
    if not ray.square > 0 or float(ray.square) == math.inf:
        return Undefined(f"|grad f(x_{run.k})|^2 is {float(ray.square)}")
    try:
        found = solve(ray, _guess(kind, ray, before, run.L))
    except ZeroDivisionError:
        return Undefined(f"{ray.words} divides by zero")
    if isinstance(found, RootBracket):
        return _no_jump(found, ray, M)
    if isinstance(found.value, Undefined) or not math.isfinite(float(found.value)):
        why = short(found.value).reason if isinstance(found.value, Undefined) else f"its value is {float(found.value)}"
        return Undefined(f"{ray.words} is undefined at eta = {float(found.eta):.3g}: {why}")
    if not found.upwards:
        return Undefined(
            f"{ray.words} has no root down to eta = {float(found.eta):.3g}: the gradient is not continuous at x_{run.k}"
        )
    there = f"eta*{M} is only {ray.eta_M(found.value):.6g} there"
    return Undefined(f"{ray.words} meets no root up to eta = {float(found.eta):.3g} ({there}): {ray.otherwise}")


def _no_jump(found: RootBracket, ray: Any, M: str) -> RootBracket | Undefined:
    """A sign change may be a jump: A(x - eta g, x) has one where the curvature of f has, and rounding makes them near x*."""
    if not isinstance(found.eta, Undefined) and abs(ray.value(found.eta)) < ray.xp.lift(JUMP):
        return found
    below, above = (ray.eta_M(value) for value in found.ends)
    if isinstance(found.eta, Undefined) and above - below < JUMP:
        return found
    return Undefined(f"{ray.words} has no root: eta*{M} jumps from {below:.6g} to {above:.6g} at eta = {float(found.low):.6g}")


def _guess(kind: str, ray: Any, before: Any, L: Any) -> float:
    """The root for the quadratic with the same Hessian; else the step before, 1/L, or 1."""
    for number in (_scaled(kind, ray).guess, lambda: float(before), lambda: 1 / float(L)):
        try:
            guess = float(number())
        except (TypeError, ZeroDivisionError, ValueError):
            continue
        if 0 < guess < math.inf and 2.0**-900 < guess < 2.0**900:
            return guess
    return 1.0


def _scaled(kind: str, ray: Any) -> Any:
    """A ray in balls in float64, with a gradient of length 1: that root does not depend on the length, which may be tiny."""
    xp = ray.xp
    if not xp.encloses:
        return ray
    return EQUATIONS[kind](ray.problem, FLOAT64, xp.middle(ray.x), xp.middle(ray.g / xp.sqrt(ray.square)))
