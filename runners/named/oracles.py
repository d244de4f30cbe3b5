"""What the parts of a problem answer in a run, and what the run records of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from boundcheck.check.casting import f_as_part
from boundcheck.language.named import OBJECTIVE
from boundcheck.model.facts import Indicator
from boundcheck.model.part import Part, Solved
from boundcheck.model.problem import Problem
from boundcheck.runners.named.vectors import Located, Name, scaled
from boundcheck.support.errors import UserError


class NotEvaluated(UserError):
    """A piece of a claim has no value in a run: which one, and why."""


class Oracles:
    """The parts of a problem in one plain namespace. Vectors are bare arrays (d,), numbers are bare."""

    def __init__(self, problem: Problem, xp: Any) -> None:
        self.problem, self.xp = problem, xp
        self.parts: Mapping[str, Part] = {**problem.parts, OBJECTIVE: f_as_part(problem)}

    def part(self, name: Name) -> Part:
        """The function, set or operator of this name; of a finite sum one component, counted round from 1."""
        own = self.parts.get(name[0])
        if own is None:
            raise NotEvaluated(f"{name[0]} is no part of {self.problem.name}")
        if name[1] is None:
            return own
        if not own.components:
            raise NotEvaluated(f"{name[0]} of {self.problem.name} has no components")
        return own.components[(name[1] - 1) % len(own.components)]

    def _oracle(self, name: Name, oracle: str, words: str) -> Any:
        found = getattr(self.part(name), oracle)
        if found is None:
            shown = name[0] if name[1] is None else f"{name[0]}_{name[1]}"
            raise NotEvaluated(f"{self.problem.name} does not offer {words} of {shown}")
        return found

    def value(self, name: Name, at: Located) -> Any:
        """The value of a function; of a finite sum the mean of its components'."""
        part = self.part(name)
        if part.value is None and part.components:
            return self._mean([self.value((name[0], i), at) for i in range(1, len(part.components) + 1)])
        if name in at.images and part.of_kind(Indicator):
            return self.xp.scalar(0)  # the run found the point in the set
        return self._oracle(name, "value", "the value")(self.xp, at.at)

    def image(self, name: Name, at: Located) -> Located:
        """What the run recorded there, or else what the oracle answers, which is recorded from then on."""
        if name not in at.images:
            at.images[name] = self._image(name, at)
        return at.images[name]

    def _image(self, name: Name, at: Located) -> Located:
        part = self.part(name)
        if part.components and name[1] is None:
            return Located(self._mean([self.image((name[0], i), at).at for i in range(1, len(part.components) + 1)]))
        return Located(self._oracle(name, "image", "a (sub)gradient or image")(self.xp, at.at))

    def _mean(self, each: list[Any]) -> Any:
        return sum(each[1:], each[0]) / self.xp.scalar(len(each))

    def prox(self, name: Name, step: Any, at: Located) -> Located:
        """The z with (p - z)/t among the images at z, which is the one that the run records there."""
        made = Located(self._oracle(name, "prox", "the prox, projection or resolvent")(self.xp, step, at.at))
        made.images[name] = Located(scaled(self.xp, self.xp.scalar(1) / step, at.at - made.at))
        return made

    def linear_minimum(self, name: Name, towards: Located) -> Located:
        """A point of a set that minimises <v, z>: -v is normal there."""
        made = Located(self._oracle(name, "minimise_linear", "the linear minimisation")(self.xp, towards.at))
        made.images[name] = Located(-towards.at)
        return made

    def inverse(self, name: Name, image: Located) -> Located:
        """The point whose image this is."""
        made = Located(self._oracle(name, "inverse", "the inverse of the gradient")(self.xp, image.at))
        made.images[name] = image
        return made

    def solved(self, solution: Solved) -> Located:
        """A solution as a point of the run, with its images."""
        made = Located(self.vector(solution.point, solution.radius))
        for name, image in solution.images.items():
            made.images[name, None] = Located(self.vector(image, solution.radius))
        return made

    def vector(self, coordinates: Any, radius: float = 0.0) -> Any:
        """A vector of exact numbers, each known up to the radius."""
        made = np.asarray(self.xp.vector(list(coordinates)))
        return self.xp.enlarge(made, radius) if radius else made
