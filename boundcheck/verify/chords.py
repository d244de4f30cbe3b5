"""Chords: how smooth and how curved f is from x to y, by the definitions of D, H, A and mu.

    D = 2 |grad f(y) - grad f(x)| / |y - x|                               of convex functions only: see hypotheses.py
    H = 2 |f(y) - f(x) - <grad f(x), y - x>| / |y - x|^2
    A, mu = largest, least <grad f(x + t d) - grad f(x), d> / (t |d|^2)   over 0 < t <= 1, with d = y - x

A claim may define a number of its own, T of the points p and q: its formula is in the file, and `interpretation.py` computes it.

A chord of length 0 has none of them: they divide by 0, which is undefined.
"""

from __future__ import annotations

from .arithmetic import HALF, ZERO, dot, holds, largest, minus, power, smallest
from .budgets import Number, Vector
from .functions import Function
from .interpolation import Interpolation
from .refusals import must, need, shown


def chord_quantity(kind: str, f: Function | Interpolation, x: Vector, y: Vector) -> Number:
    """Return D, H, A or mu of the chord from x to y."""
    d = minus(y, x)
    if kind == "D":
        change = minus(f.grad(y), f.grad(x))
        return 2 * power(dot(change, change) / dot(d, d), HALF)
    if kind == "H":
        return 2 * abs(f.value(y) - f.value(x) - dot(f.grad(x), d)) / dot(d, d)
    need(kind in ("A", "mu"), f"the chord has no {shown(kind)}")
    secants = f.secants(x, y)
    return largest(secants) if kind == "A" else smallest(secants)


def check_directional_smoothness(kind: str, value: Number) -> None:
    """Raise NotRefuted where M is A, and A is below 0 on a chord: a directional smoothness function is nowhere negative."""
    good = kind != "A" or holds(">=", value, ZERO)
    must(good, "A is negative on a chord: it is no directional smoothness function of this f")


def check_quadratic_bound(name: str, value: Number, f: Function | Interpolation, x: Vector, y: Vector) -> None:
    """Raise NotRefuted unless M, a number that the claim defines, is one of a directional smoothness function on this chord.

    That is M >= 0 and f(y) <= f(x) + <grad f(x), y - x> + M/2 |y - x|^2. Nobody is believed that it is so: it is computed. Where
    it is so on the chords that a claim reads, some directional smoothness function has these values, and refutes the claim.
    """
    d = minus(y, x)
    above = f.value(y) - f.value(x) - dot(f.grad(x), d)
    good = holds(">=", value, ZERO) and holds("<=", above, value * dot(d, d) / 2)
    must(good, f"{name} is no directional smoothness function of this f: on a chord f is above its parabola")
