"""Roots: a positive eta at which a number goes from below 0 to above it, in every arithmetic.

In floating point by SciPy: Newton's method where the slope is known, the secant method where it is not, and bracketing (TOMS
748) where those lead astray. At high precision by bracketed secants. In balls by secants from the root in float64: two or three
more gradients are enough for hundreds of bits. In exact rationals by guesses that are right when f is a
piecewise quadratic, each of them checked; there bisection gives the bracket.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from boundcheck.arithmetic.rationals import PlainRational
from boundcheck.arithmetic.undefined import Undefined

DOUBLINGS = 100  # how far from the first guess a sign change is looked for, up and down
WIDTH = 2.0**-12  # of a bracket, relative to its ends: wide enough that rounding does not hide on which side they are
EXACT_WIDTH = 2.0**-40  # in rationals, where nothing is hidden
SMALL, TINY = 2.0**-30, 2.0**-44  # a value at a root that is believed, and one at which nothing more is tried
NEAR = 2.0**-3  # a value at a guess from which secants may start
KNOWN = 2.0**-18  # a value that is believed where M itself is not known any better
FAR = 2.0**16  # farther from its guess Newton's method has left for somewhere else


class Equation(Protocol):
    """value(eta) is negative for small eta, and a root is where it reaches 0."""

    xp: Any
    grows: bool  # value + 1 grows at least as fast as eta: nobody needs to look on which side of a root it is
    wants_bracket: bool  # or the root alone is wanted
    power: int  # value + 1 is eta to that power, times a constant, were M constant

    def value(self, eta: Any) -> Any: ...

    def slope(self, eta: Any) -> Any:
        """Its derivative, or None where nobody knows it."""

    def between(self, a: Any, b: Any) -> Any:
        """The root, if the gradient of f is affine where a and b are. Undefined, and why, where that root is not rational."""

    def affine(self, a: Any, b: Any) -> bool:
        """Does the gradient look affine between a and b?"""

    def eta_M(self, value: Any) -> float:
        """eta M at that value: its root is eta / (eta M), were M constant."""

    def in_float64(self) -> Any:
        """The same equation in float64."""


@dataclass(frozen=True)
class RootBracket:
    """value(low) <= 0 <= value(high), and eta between them: a root, or `Undefined` where the arithmetic has none there."""

    low: Any
    eta: Any
    high: Any
    ends: tuple[Any, Any]  # value(low), value(high)


@dataclass(frozen=True)
class NoRoot:
    """No sign change: value keeps its sign up to `eta` (or down to it), or is no number there."""

    eta: Any
    value: Any
    upwards: bool = True


def solve(equation: Equation, guess: float) -> RootBracket | NoRoot:
    """A root near the guess, with a bracket around it."""
    xp = equation.xp
    if isinstance(xp, PlainRational):
        return _in_rationals(equation, xp.lift(2.0 ** round(math.log2(guess))))
    if xp.encloses and (near := _in_balls(equation, guess)) is not None:
        return near
    if xp.dtype is not object and (near := _near(equation, guess)) is not None:
        return near
    around = bracketed(equation, xp.lift(guess))
    if isinstance(around, NoRoot):
        return around
    eta = _secants(equation, *around) if xp.dtype is object else _toms748(equation, *around)
    return _around(equation, eta) or RootBracket(
        around[0], eta, around[1], (equation.value(around[0]), equation.value(around[1]))
    )


def bracketed(equation: Equation, guess: Any) -> tuple[Any, Any] | NoRoot:
    """Two numbers, one twice the other, with value <= 0 at the first and >= 0 at the second: by doubling, or by halving."""
    eta, value = guess, equation.value(guess)
    if isinstance(value, Undefined):
        return NoRoot(eta, value)
    if value <= 0:
        for _ in range(DOUBLINGS):
            value = equation.value(2 * eta)
            if value >= 0:
                return eta, 2 * eta
            if not value < 0:
                return NoRoot(2 * eta, value)
            eta = 2 * eta
        return NoRoot(eta, equation.value(eta))
    for _ in range(DOUBLINGS):
        if equation.value(eta / 2) <= 0:
            return eta / 2, eta
        eta = eta / 2
    return NoRoot(eta, equation.value(eta), upwards=False)


# -- floating point ------------------------------------------------------------------------------------------------------------


def _near(equation: Equation, guess: float) -> RootBracket | None:
    """A root by Newton's method from the guess, or by secants where there are no slopes; None unless it arrives at one."""
    try:
        eta = _secant(equation, guess) if equation.slope(guess) is None else _newton(equation, guess)
        arrived = guess / FAR < eta < guess * FAR and abs(equation.value(eta)) <= SMALL
    except (_Astray, ZeroDivisionError, OverflowError):
        return None
    return _around(equation, eta) if arrived else None


def _newton(equation: Equation, guess: float) -> float:
    from scipy.optimize import newton

    def slope(eta: float) -> Any:
        found = equation.slope(eta)
        if not 0 < abs(found) < math.inf:
            raise _Astray
        return found

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # that it stopped early: the value there will show it
        # a step below rtol is the last: what it leaves is of a higher order
        found = newton(equation.value, guess, slope, tol=5e-324, rtol=2.0**-42, maxiter=30, full_output=True, disp=False)
    return float(found[0])


def _secant(equation: Equation, guess: float) -> float:
    """Every value may cost a supremum over a chord. The second point is the root, were M constant; the last one was looked at."""
    eta, value = guess, equation.value(guess)
    other = eta / max(equation.eta_M(value), 2.0**-10)
    for _ in range(12):
        if abs(value) <= TINY or abs(other - eta) <= TINY * eta or not 0 < other < math.inf:
            break
        before, eta = (eta, value), other
        value = equation.value(eta)
        if value == before[1]:
            break
        other = eta - value * (eta - before[0]) / (value - before[1])
    return eta


class _Astray(ArithmeticError):
    """A slope of 0, or no number."""


def _around(equation: Equation, eta: Any) -> RootBracket | None:
    """A bracket about eta that holds a sign change, as narrow as WIDTH if that is enough; None where none does."""
    width = WIDTH / 2
    value = equation.value(eta)
    if not equation.wants_bracket and abs(value) <= SMALL:
        return RootBracket(eta, eta, eta, (value, value))
    if equation.grows and abs(value) <= SMALL:
        return RootBracket(eta - eta * width, eta, eta + eta * width, (value - width, value + width))
    while width < 1:
        low, high = eta - eta * width, eta + eta * width
        ends = (equation.value(low), equation.value(high))
        if ends[0] <= 0 <= ends[1]:
            return RootBracket(low, eta, high, ends)
        width *= 8
    return None


def _toms748(equation: Equation, low: Any, high: Any) -> Any:
    from scipy.optimize import toms748

    if equation.value(low) == 0 or equation.value(high) == 0:
        return low if equation.value(low) == 0 else high
    # an infinite value (a chord that ends in a kink) is as good as a large one: only its sign counts
    return toms748(lambda eta: min(equation.value(eta), 1e100), low, high, xtol=low * 2.0**-52, rtol=2.0**-50, maxiter=200)


# -- high precision ------------------------------------------------------------------------------------------------------------


def _secants(equation: Equation, low: Any, high: Any) -> Any:
    """Regula falsi that halves the value at an end which stays (Illinois), until no number is left between the ends."""
    below, above = equation.value(low), equation.value(high)
    stayed = 0
    for _ in range(400):
        eta = low if below == 0 else high if above == 0 else (low * above - high * below) / (above - below)
        eta = equation.xp.stored(eta)[()] if equation.xp.encloses else eta
        if not low < eta < high:
            return eta if eta in (low, high) else low
        value = equation.value(eta)
        if value == 0:
            return eta
        if value < 0:
            low, below, above = eta, value, above / 2 if stayed < 0 else above
            stayed = -1
        else:
            high, above, below = eta, value, below / 2 if stayed > 0 else below
            stayed = 1
    return eta


# -- balls ---------------------------------------------------------------------------------------------------------------------


def _in_balls(equation: Equation, guess: float) -> RootBracket | None:
    """A root near that of the same equation in float64, or near the guess where float64 has lost it."""
    best: RootBracket | None = None
    for start, slope, off in _starts(equation, guess):
        eta = _refined(equation, start, slope, off)
        if eta is not None and (found := _around(equation, eta)) is not None:
            if equation.grows or abs(equation.value(eta)) <= SMALL:
                return found
            best = best or found  # float64 may have led astray: another start may come nearer
    return best


def _starts(equation: Equation, guess: float) -> Iterator[tuple[float, float, float]]:
    """Where to begin, the slope of value there, and how far that may be off, relative to it."""
    rough = equation.in_float64()
    try:
        found = solve(rough, guess) if 0 < rough.square < math.inf else None
    except (ArithmeticError, ValueError):
        found = None
    if isinstance(found, RootBracket):
        eta, h = float(found.eta), float(found.eta) * WIDTH / 32
        slope = float((rough.value(eta + h) - rough.value(eta - h)) / (2 * h))
        if 0 < slope < math.inf:
            yield eta, slope, WIDTH
    yield guess, equation.power / guess, 1.0


def _refined(equation: Equation, start: float, slope: float, moved: float) -> Any:
    """Secants, until two moves together are below the precision, or values fall no more; None where they lead nowhere.

    After moves by relative d and e the next secant is off by about d e. So the last one needs no look.
    """
    xp = equation.xp
    goal = 2.0 ** (20 - xp.bits)
    eta = xp.lift(start)
    value = equation.value(eta)
    if not abs(value) <= NEAR:
        return None
    best, stalled = (abs(value), eta), 0
    other = xp.stored(eta - value / xp.lift(slope))[()]
    while value != 0 and other > 0:
        move = abs(float((other - eta) / eta))
        if move * moved <= goal:
            return other
        if not move <= NEAR:
            break
        before, eta, moved = (eta, value), other, move
        value = equation.value(eta)
        stalled = 0 if abs(value) < best[0] / 4 else stalled + 1
        best = min(best, (abs(value), eta), key=lambda pair: float(pair[0]))
        if stalled == 2:  # once may be the fault of the first slope, which float64 told
            break
        other = xp.stored(eta - value * (eta - before[0]) / (value - before[1]))[()]
    return best[1] if best[0] <= KNOWN else None


# -- exact rationals -----------------------------------------------------------------------------------------------------------


def _in_rationals(equation: Equation, guess: Any) -> RootBracket | NoRoot:
    """An exact root by guesses, and meanwhile a bracket by bisection: its ends stay short, so the numbers of a run do too.

    A guess goes through the two ends, or through two ends on one side: that finds a root at a knot, where pieces meet.
    """
    zero = guess * 0
    found = _exactly(equation, equation.between(zero, guess))
    if found is not None:
        return RootBracket(found, found, found, (zero, zero))
    around = bracketed(equation, guess)
    if isinstance(around, NoRoot):
        return around
    low, high = around
    left, right = low / 2, high * 2
    why = Undefined("")
    while high - low > low * equation.xp.lift(EXACT_WIDTH):
        for a, b in ((low, high), (left, low), (high, right)):
            guessed = equation.between(a, b)
            if (found := _exactly(equation, guessed)) is not None:
                return RootBracket(found, found, found, (zero, zero))
            if isinstance(guessed, Undefined) and not why.reason and equation.affine(low, high):
                why = guessed
        middle = (low + high) / 2
        value = equation.value(middle)
        if value == 0:
            return RootBracket(middle, middle, middle, (zero, zero))
        if value < 0:
            left, low = low, middle
        elif value > 0:
            high, right = middle, high
        else:
            why = value if isinstance(value, Undefined) else Undefined("the equation is undefined there")
            break
    if not why.reason:
        why = Undefined(f"no rational root was found near {float(low):.12g}")
    return RootBracket(low, why, high, (equation.value(low), equation.value(high)))


def _exactly(equation: Equation, eta: Any) -> Any:
    """eta if it is a positive rational and solves the equation exactly, else None."""
    return None if isinstance(eta, Undefined) or not eta > 0 or equation.value(eta) != 0 else eta
