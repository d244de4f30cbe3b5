"""A claim's worst case over its class at fixed numbers: its left side, at most, where its right side is 1."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from boundcheck.claims.bound import Bound
from boundcheck.claims.lint.dimension import dimension
from boundcheck.gram.affine import Affine, NotModelled, Quantity, Root, affine, normsq, value
from boundcheck.gram.algebra import Excluded
from boundcheck.gram.builder import at_origin, read
from boundcheck.gram.formulas import squared
from boundcheck.gram.program import Program
from boundcheck.language.relations import Relation, links
from boundcheck.language.scalars import Dimension
from boundcheck.tightness.named import is_read_by_names, named_ratio_program
from boundcheck.tightness.numbers import ANY, ROUNDING, Numbers, exact
from boundcheck.tightness.path_reading import PathReading
from boundcheck.tightness.solving import NEAR_UNITS, Maximisation, Ratio, Unsettled, agreed, in_units

SMOOTHNESS_OF_A_PATH = {"any": ("D", "A", "H", "L"), "D": ("D",), "H": ("H",)}


def worst_ratio(bound: Bound, k: int, numbers: Numbers) -> Ratio:
    """Return left / right, at worst. NotModelled: it is no such program. Unsettled: no answer."""
    return worst(bound, k, numbers)[1]


def worst(bound: Bound, k: int, numbers: Numbers) -> tuple[float, Ratio]:
    """Return the right side of size 1, and left / right at worst."""
    if is_read_by_names(bound):
        named = named_ratio_program(bound, k, numbers)
        ratio = agreed(named.in_units_of, NEAR_UNITS)
        return named.size, ratio.root if named.is_of_squares else ratio
    made = ratio_program(bound, k, numbers)
    try:
        found = agreed(lambda times: made.in_units_of(times * numbers.middle))
    except Unsettled as wrong:
        wrong.right = made.size
        raise
    return made.size, found.root if made.is_of_squares else found


@dataclass(frozen=True)
class RatioProgram:
    """The left side is maximised where the right side is at most 1; or, if the right side is a number, as it is."""

    program: Program  # whose objectives are the left side
    right: Affine
    power: float  # the right side scales with f as f to this power
    is_of_squares: bool  # both sides are squares of the claim's own, which are norms

    @property
    def size(self) -> float:
        """The right side where f(x_0) - f* is 1 or, if it does not read that, where |x_0 - x*|^2 or |grad f(x_0)|^2 is."""
        found = float(self.right.constant) or next(filter(None, map(self._coefficient, self._sizes())), 1.0)
        return sqrt(found) if self.is_of_squares else found

    def _sizes(self) -> tuple[Affine, ...]:
        made = self.program
        if made.start not in made.points:
            return (normsq(made.start),)
        at = made.points.index(made.start)
        return value(at), normsq(made.start), normsq(made.gradients[at])

    def _coefficient(self, size: Affine) -> float:
        return max((float(self.right.terms.get(symbol, 0)) for symbol in size.terms), default=0.0)

    def in_units_of(self, unit: float) -> Maximisation:
        """Return the same for f divided by this curvature: the ratio is the same, but not the solver's error."""
        made, scale = self.program, in_units(self.program.are_gradients, unit, unit**self.power)
        one = float(self.right.constant) if self.right.is_number else unit**self.power
        small = [] if self.right.is_number else [self.right.plus(Affine(-one))]
        shared = [*made.curvature, *made.below, *made.bands, *small]
        return Maximisation(
            objectives=tuple((scale(goal, one), tuple(map(scale, own))) for goal, own in made.objectives),
            below=tuple(map(scale, shared)),
            equal=tuple(map(scale, (*made.equal, *made.equations, value(0)))),
            basis=made.basis,
        )


def ratio_program(bound: Bound, k: int, numbers: Numbers) -> RatioProgram:
    """Return the program of left / right at these numbers. NotModelled: there is none; the message says why."""
    relation = links(bound.states)[0].upward()
    if len(links(bound.states)) > 1 or relation.op not in ("<=", "<"):
        raise NotModelled(f"the claim is not one inequality <=: {bound.states}")
    if not bound.is_shift_invariant:
        raise NotModelled("the claim moves when f becomes f + C")
    if bound.reads_M and not set(bound.smoothness) & set(SMOOTHNESS_OF_A_PATH[numbers.path]):
        raise NotModelled(f"the claim is not about M = {numbers.path}, but about {' and '.join(bound.smoothness)}")

    def sides(reading: PathReading, letters: dict[str, int]) -> tuple[Quantity, Quantity]:
        return reading.scalar(relation.left, letters), reading.scalar(relation.right, letters)

    try:
        reading, (left, right) = read(PathReading, bound, numbers.setting(k), sides, numbers.least_steps)
        is_of_squares = isinstance(left, Root) or isinstance(right, Root)
        left, right = (squared(left), squared(right)) if is_of_squares else (affine(left), affine(right))
        made = reading.program(tuple(reading.alternatives(left)), is_strict=False)
    except Excluded as wrong:
        raise NotModelled(str(wrong)) from None
    _refuse_right(right, made, relation)
    _refuse_other_steps(numbers, made)
    return RatioProgram(made, at_origin(right), _power(relation) * (2 if is_of_squares else 1), is_of_squares)


def _refuse_right(right: Affine, made: Program, relation: Relation) -> None:
    """The right side must be one whose size may be fixed: a positive number, or homogeneous in a homogeneous program."""
    if any(symbol[0] == "T" for symbol in right.terms):
        raise NotModelled(f"the right side {relation.right} has a minimum or a maximum of quantities of the run")
    if right.is_number and right.constant <= 0:
        raise NotModelled(f"the right side {relation.right} is {right.constant}: there is no left / right")
    if not right.is_number and (right.constant != 0 or not made.is_homogeneous):
        raise NotModelled(f"the right side {relation.right} is of no size of its own: a number is added, or bounds the run")


def _refuse_other_steps(numbers: Numbers, made: Program) -> None:
    """Steps that are given must be those of the claim's own formula, where that gives numbers."""
    for n, own in enumerate(made.steps if made.has_own_steps and numbers.steps else ()):
        given = exact(numbers.steps[n % len(numbers.steps)])
        if abs(given - own) > ROUNDING * own:
            raise NotModelled(f"the hypothesis about the steps is false: eta_{n} is {given}, and its formula gives {own}")


def _power(relation: Relation) -> float:
    """Return how the sides scale with f, as a power of f; 0 where that is not one number."""
    found = dimension(relation.left) or dimension(relation.right)
    return float(found.f) if isinstance(found, Dimension) else 0.0


__all__ = ["ANY", "NotModelled", "Numbers", "RatioProgram", "ratio_program", "worst", "worst_ratio"]
