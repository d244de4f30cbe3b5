"""Families of functions to search in, from the simplest on: which of them a claim's hypotheses allow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest

import numpy as np

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Declared, smoothness_needs
from boundcheck.falsify.candidate import Ridges, RidgeTerm
from boundcheck.falsify.exact_check import reads
from boundcheck.falsify.lane_functions import ClosedFunctions, Floats, Functions, PieceFunctions
from boundcheck.falsify.shapes import ClosedForm, PiecewiseShape, Side, Vector
from boundcheck.language.chords import ChordQuantity
from boundcheck.language.scalars import Chord
from boundcheck.model.problem import Convex, IsQuadratic, Smooth, StronglyConvex, TwiceDifferentiable


def _numbers(*written: str | int) -> Vector:
    return tuple(Fraction(n) for n in written)


# Values to choose from, simple ones more often. Between them every value is possible.
FLAT_OR_BENT = _numbers(0, 0, "1/10", "1/4", "1/2", 1, 1, 2, 4, 10, 25)
BENT = _numbers("1/25", "1/10", "1/4", "1/2", 1, 1, 2, 4, 10, 25)
EITHER_WAY = _numbers(-4, -1, "-1/2", "-1/4", 0, "1/4", "1/2", 1, 2, 4)
GAPS = _numbers("1/20", "1/10", "1/4", "1/2", 1, 1, 2, 4, 10)
TILTS = _numbers(-2, -1, "-1/2", 0, "1/2", 1, 2)
EPS = _numbers("1/10", "9/40", "1/4", "1/2", "3/4", 1, "4/3", 2)
EXPONENTS = _numbers("5/4", "4/3", "3/2", "5/3", 3, 4)

LEAST = {"smooth abs": 0, "power": 1}  # numbers of closed forms are above these

LINE = ((Fraction(1),),)
AXES = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
TURNED = ((Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5)))
SLANTED = (*AXES, (Fraction(1), Fraction(1)))
CORNER = tuple(tuple(Fraction(int(i == j)) for j in range(3)) for i in range(3))
SLANTED_3D = (*CORNER, (Fraction(1), Fraction(1), Fraction(1)))


@dataclass(frozen=True)
class FunctionFamily:
    """Sums of ridges along these directions, each with so many breaks on either side of 0; or one closed form."""

    name: str
    directions: tuple[Vector, ...] = LINE
    breaks: int = 0
    mirrored: bool = False  # the same on both sides of 0
    closed: str = ""
    slopes: Vector = FLAT_OR_BENT
    tilted: bool = False
    units: tuple[Fraction, Fraction] = (Fraction(1), Fraction(1))  # of f and of x, in which its numbers are chosen

    @property
    def dimension(self) -> int:
        return len(self.directions[0])

    @property
    def grids(self) -> list[Vector]:
        """For each number that makes a function of the family, the values to choose from."""
        if self.closed:
            return [{"smooth abs": EPS, "power": EXPONENTS}.get(self.closed, _numbers(1))]
        f, x = self.units
        slopes, gaps, tilts = (
            tuple(v * unit for v in values) for values, unit in ((self.slopes, f / x**2), (GAPS, x), (TILTS, f / x))
        )
        side = [*[slopes] * (self.breaks + 1), *[gaps] * self.breaks]
        own = [*side, *([] if self.mirrored else side), *([tilts] if self.tilted else [])]
        return own * len(self.directions)

    def functions(self, theta: Floats) -> Functions:
        """Return one function a row."""
        if self.closed:
            return ClosedFunctions(self.closed, theta[:, 0])
        lanes, ridges, m = len(theta), len(self.directions), self.breaks
        rows = theta.reshape(lanes, ridges, -1)
        sides = rows[:, :, : 2 * m + 1], rows[:, :, : 2 * m + 1] if self.mirrored else rows[:, :, 2 * m + 1 : 4 * m + 2]
        right, left = sides
        slopes = np.stack([left[..., : m + 1], right[..., : m + 1]], 2)
        breaks = np.cumsum(np.stack([left[..., m + 1 :], right[..., m + 1 :]], 2), -1)
        directions = np.broadcast_to(np.array(self.directions, float), (lanes, ridges, self.dimension))
        return PieceFunctions(directions, breaks, slopes, rows[..., -1] if self.tilted else np.zeros((lanes, ridges)))

    def function(self, theta: Vector) -> Ridges:
        """Return the same in exact numbers."""
        if self.closed:
            number = Fraction(0) if self.closed == "logistic pair" else theta[0]
            if number <= LEAST.get(self.closed, -1):
                raise ValueError(f"{self.closed} needs a larger number than {number}")
            return Ridges((RidgeTerm(LINE[0], ClosedForm(self.closed, number)),))
        each = len(theta) // len(self.directions)
        return Ridges(tuple(RidgeTerm(a, self._pieces(theta[n * each : (n + 1) * each])) for n, a in enumerate(self.directions)))

    def _pieces(self, own: Vector) -> PiecewiseShape:
        m = self.breaks
        right, left = (_side(part, m) for part in (own, own if self.mirrored else own[2 * m + 1 :]))
        return PiecewiseShape(left, right, own[-1] if self.tilted else Fraction(0))


def _side(numbers: Vector, m: int) -> Side:
    """From slopes and gaps: a break that changes nothing is left out."""
    slopes, gaps = numbers[: m + 1], numbers[m + 1 : 2 * m + 1]
    kept, breaks, at = [slopes[0]], [], Fraction(0)
    for gap, slope in zip(gaps, slopes[1:], strict=True):
        at += gap
        if slope != kept[-1]:
            breaks.append(at)
            kept.append(slope)
    return Side(tuple(breaks), tuple(kept))


PARABOLAS = (
    FunctionFamily("parabola", mirrored=True),
    FunctionFamily("quadratic in two dimensions", AXES, mirrored=True),
    FunctionFamily("turned quadratic", TURNED, mirrored=True),
    FunctionFamily("quadratic in three dimensions", CORNER, mirrored=True),
)
PIECEWISE = (
    FunctionFamily("two parabolas"),
    FunctionFamily("mirrored, one break", breaks=1, mirrored=True),
    FunctionFamily("one break on each side", breaks=1),
    FunctionFamily("two breaks on each side", breaks=2),
    FunctionFamily("mirrored ridges along the axes", AXES, 1, mirrored=True),
    FunctionFamily("slanted ridges", SLANTED, 1),
    FunctionFamily("three breaks on each side", breaks=3),
    FunctionFamily("turned ridges", TURNED, 2),
    FunctionFamily("ridges in three dimensions", SLANTED_3D, 1),
)
# Up, down and up again: the least that leaves 0 a minimum.
DENTED = (FunctionFamily("mirrored, two breaks", breaks=2, mirrored=True),)
CLOSED = (
    FunctionFamily("sqrt(x^2 + eps^2)", closed="smooth abs"),
    FunctionFamily("softplus(x) + softplus(-x)", closed="logistic pair"),
    FunctionFamily("|x|^p", closed="power"),
)


def families(bound: Bound, smoothness: str) -> list[FunctionFamily]:
    """Return those whose functions satisfy what the claim demands of the function, simplest first."""
    facts = {h.kind for h in bound.hypotheses if isinstance(h, Declared)}
    constants, reads_least = reads(bound)
    chosen = bound.chord(smoothness)
    facts |= set(smoothness_needs(chosen))
    trees = [*bound.trees, *([chosen.formula] if isinstance(chosen, ChordQuantity) else [])]
    kinds = {node.kind for tree in trees for node in tree.walk() if isinstance(node, Chord)} | {smoothness}
    named = constants - {"L", "mu"}
    smooth = Smooth in facts or "L" in constants
    if named and kinds & {"A", "mu"}:
        return []
    if named:
        return [family for family in CLOSED if named <= _constants(family) and not (smooth and family.closed == "power")]
    found = list(PARABOLAS) if IsQuadratic in facts else [PARABOLAS[0], *PIECEWISE[:3], PARABOLAS[2], *PIECEWISE[3:]]
    if TwiceDifferentiable in facts:
        found = list(PARABOLAS)
    if StronglyConvex in facts:
        found = [replace(family, slopes=BENT) for family in found]
    elif IsQuadratic not in facts and not kinds & {"A", "mu"}:
        found += [family for family in CLOSED if not (smooth and family.closed == "power")]
    if not reads_least and StronglyConvex not in facts:
        found += [replace(family, name=f"{family.name}, tilted", tilted=True) for family in found if not family.closed]
    if not facts & {Convex, StronglyConvex} and "mu" not in constants:  # who has a mu is convex
        usable = [*DENTED, *found] if reads_least else found
        usable = [f for f in usable if not f.closed and (not reads_least or (f.breaks > 1 and f.dimension == 1))]
        bent = [replace(f, name=f"{f.name}, not convex", slopes=EITHER_WAY) for f in usable]
        found = [family for pair in zip_longest(found, bent) for family in pair if family is not None]
    return found


def _constants(family: FunctionFamily) -> set[str]:
    return {"smooth abs": {"eps", "slope"}, "logistic pair": {"slope", "gram"}}.get(family.closed, set())
