"""Worst cases of claims about functions, sets and operators with names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Declared
from boundcheck.gram.affine import Affine, NotModelled, Quantity, Root, affine, normsq
from boundcheck.gram.algebra import Excluded
from boundcheck.gram.builder import alternatives
from boundcheck.gram.formulas import squared
from boundcheck.gram.named_reading import NamedProgram, NamedReading, NamedSetting, read_named
from boundcheck.language.relations import links
from boundcheck.library.function_classes import class_of
from boundcheck.tightness.numbers import ROUNDING, Numbers, exact
from boundcheck.tightness.solving import Maximisation, in_units


@dataclass(frozen=True)
class NamedRatioProgram:
    """The left side is maximised where the right side is at most 1; or, if the right side is a number, as it is."""

    program: NamedProgram  # whose objectives are the left side
    right: Affine
    is_of_squares: bool  # both sides are squares of the claim's own, which are norms

    @property
    def size(self) -> float:
        """The right side where |x_0 - x*|^2 is 1, or the number that it is."""
        start = normsq(self.program.start)
        found = float(self.right.constant) or max((float(self.right.terms.get(s, 0)) for s in start.terms), default=0.0) or 1.0
        return sqrt(found) if self.is_of_squares else found

    def in_units_of(self, unit: float) -> Maximisation:
        """Return the same with vectors that are gradients in another unit: the ratio is the same, but not the solver's error."""
        made, scale = self.program, in_units(self.program.are_gradients, unit)
        one = float(self.right.constant) if self.right.is_number else 1.0
        small = () if self.right.is_number else (self.right.plus(Affine(Fraction(-1))),)
        return Maximisation(
            objectives=tuple((scale(goal, one), tuple(map(scale, own))) for goal, own in made.objectives),
            below=tuple(map(scale, (*made.below, *small))),
            equal=tuple(map(scale, made.equal)),
            basis=made.basis,
            matrices=tuple(tuple(tuple(scale(entry, 1.0) for entry in row) for row in matrix) for matrix in made.matrices),
        )

    def words(self, numbers: Numbers) -> Iterator[str]:
        """The numbers in words."""
        yield from (
            f"{name} = {exact(number)}"
            for name, number in {**numbers.constants, "L": numbers.L, "mu": numbers.mu}.items()
            if number is not None
        )
        yield from (f"{name} = {exact(number)}" for name, number in numbers.parameters.items())

    @property
    def classes(self) -> str:
        """What is assumed of each name, in words."""
        return ", ".join(f"{name} {about.name}" for name, about in self.program.classes.items())


def is_read_by_names(bound: Bound) -> bool:
    """Tell whether a claim is read as one about names: it is one, or inequalities of two points are not all of the class of f."""
    if bound.is_beyond_f:
        return True
    about, left = class_of(h.kind for h in bound.hypotheses if isinstance(h, Declared))
    return about is not None and not left and about.has_more_than_pairs


def named_ratio_program(bound: Bound, k: int, numbers: Numbers) -> NamedRatioProgram:
    """Return the program of left / right at these numbers. NotModelled: there is none; the message says why."""
    relation = links(bound.states)[0].upward()
    if len(links(bound.states)) > 1 or relation.op not in ("<=", "<"):
        raise NotModelled(f"the claim is not one inequality <=: {bound.states}")
    setting = NamedSetting(
        k=k,
        steps=tuple(exact(step) for step in numbers.steps or numbers.free_steps),
        parameters={name: exact(number) for name, number in numbers.parameters.items()},
        constants={
            "L": exact(1 if numbers.L is None else numbers.L),
            "mu": exact(numbers.mu),
            **{name: exact(number) for name, number in numbers.constants.items()},
        },
        components=numbers.components,
        rounding=ROUNDING,
        descriptions=numbers.descriptions,
    )

    def sides(reading: NamedReading, letters: dict[str, int]) -> tuple[Quantity, Quantity]:
        return reading.scalar(relation.left, letters), reading.scalar(relation.right, letters)

    try:
        reading, (left, right) = read_named(bound, setting, sides)
        is_of_squares = isinstance(left, Root) or isinstance(right, Root)
        left, right = (squared(left), squared(right)) if is_of_squares else (affine(left), affine(right))
        made = reading.program(tuple(alternatives(reading.algebra, left)))
    except Excluded as wrong:
        raise NotModelled(str(wrong)) from None
    if any(symbol[0] == "T" for symbol in right.terms):
        raise NotModelled(f"the right side {relation.right} has a minimum or a maximum of quantities of the run")
    if right.is_number and right.constant <= 0:
        raise NotModelled(f"the right side {relation.right} is {right.constant}: there is no left / right")
    if not right.is_number and right.constant != 0:
        raise NotModelled(f"the right side {relation.right} is of no size of its own: a number is added")
    return NamedRatioProgram(made, right, is_of_squares)
