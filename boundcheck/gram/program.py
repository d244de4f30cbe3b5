"""A semidefinite program of performance estimation: the numbers that fix it, and what it maximises where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from boundcheck.gram.affine import Affine, Combination, inner, minus, normsq, value
from boundcheck.gram.algebra import NEGATIVE, ONE
from boundcheck.gram.formulas import Pair
from boundcheck.model.function_classes import FunctionClass


@dataclass(frozen=True)
class Setting:
    """The numbers that make a claim a semidefinite program. D and H from x_n to x_{n+1} are `chords` in turn; so are others."""

    k: int = 1
    smoothness: str = ""
    link: int = 0
    steps: tuple[Fraction, ...] = (ONE,)  # in turn
    chords: tuple[Fraction, ...] = (ONE,)
    parameters: tuple[tuple[str, Fraction], ...] = ()
    L: Fraction = ONE
    mu: Fraction = Fraction(1, 4)
    bent: Fraction | None = Fraction(8)  # L where the claim knows none; None: no bound on the curvature
    only_convex: bool = True  # also where the claim does not ask for it
    constants: tuple[tuple[str, Fraction], ...] = ()  # others than L and mu, which a class of functions has
    with_A: bool = False  # A of a chord as a number that bounds what it must: no data say what it is


Objective = tuple[Affine, tuple[Affine, ...]]  # what is maximised, and the bounds (<= 0) of its own variables


@dataclass(frozen=True)
class Program:
    """Maximise one of `objectives` over G and F, where `curvature` and `below` are <= 0 and `equal` and `pairs` hold."""

    points: tuple[Combination, ...]
    gradients: tuple[Combination, ...]
    are_gradients: tuple[bool, ...]  # the vectors of the basis; the others are differences of points
    least: int | None  # which point is x*
    start: Combination
    names: Mapping[str, Combination]  # the points of a chord
    roles: tuple[str, ...]
    steps: tuple[Fraction, ...]
    function_class: FunctionClass
    L: Fraction | None
    mu: Fraction
    curvature: tuple[Affine, ...]  # what every function of the class satisfies
    below: tuple[Affine, ...]
    equal: tuple[Affine, ...]
    pairs: tuple[Pair, ...]
    is_convex: bool
    objectives: tuple[Objective, ...]
    is_movable: bool  # the claim reads differences of points only
    is_strict: bool
    is_whole_class: bool  # every function that the claim is about is in the class
    knows_L: bool  # the claim is about L-smooth functions
    knows_mu: bool
    has_own_steps: bool  # a formula of the claim gives the steps as numbers

    @property
    def basis(self) -> int:
        return len(self.are_gradients)

    @property
    def is_exact(self) -> bool:
        """Are the points combinations with rational coefficients?"""
        return all(isinstance(c, Fraction) for vector in (*self.points, *self.gradients) for c in vector.values())

    @property
    def is_homogeneous(self) -> bool:
        """Does scaling f and x together change nothing? Then 1 is as good a size as any."""
        parts = [*self.curvature, *self.below, *self.equal, *(a for o, own in self.objectives for a in (o, *own))]
        return all(part.constant == 0 for part in parts)

    @property
    def reads(self) -> dict[str, bool]:
        """Which numbers of a setting the program depends on."""
        return {"steps": bool(self.steps) and not self.has_own_steps, "chords": bool(self.pairs), "mu": self.knows_mu}

    @property
    def equations(self) -> list[Affine]:
        """== 0: what the chosen numbers of chords say. Without convexity H leaves a sign open: see `bands`."""
        return [self.equation(p) for p in self.pairs if p.kind == "D" or (p.kind == "H" and self.is_convex)]

    @property
    def bands(self) -> list[Affine]:
        """<= 0: of a function that is not convex, -M <= 2 (f' - f - <g, x' - x>)/|x' - x|^2 <= M. H is one of the two ends.

        A is at least what is in the middle, and at least <g' - g, x' - x>/|x' - x|^2. Any M is at least what is in the middle.
        """
        found = []
        for pair in self.pairs:
            above, d = self.equation(pair), minus(self.points[pair.end], self.points[pair.start])
            if pair.kind == "A":
                turn = inner(minus(self.gradients[pair.end], self.gradients[pair.start]), d)
                found += [above, turn.plus(normsq(d), -pair.is_)]
            elif pair.kind == "any":
                found.append(above)
            elif pair.kind == "H" and not self.is_convex:
                found += [above, above.scaled(NEGATIVE).plus(normsq(d), -2 * pair.is_)]
        return found

    def equation(self, pair: Pair) -> Affine:
        """== 0 where D: 4 |g' - g|^2 = M^2 |x' - x|^2, H: 2 (f' - f - <g, x' - x>) = M |x' - x|^2."""
        d, g = minus(self.points[pair.end], self.points[pair.start]), self.gradients[pair.start]
        if pair.kind == "D":
            return normsq(minus(self.gradients[pair.end], g)).scaled(4 * ONE).plus(normsq(d), -(pair.is_**2))
        rise = value(pair.end).plus(value(pair.start), NEGATIVE).plus(inner(g, d), NEGATIVE)
        return rise.scaled(2 * ONE).plus(normsq(d), -pair.is_)
