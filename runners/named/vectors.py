"""A vector of a run, with the images that the run recorded there, and the algebra of such vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boundcheck.arithmetic.undefined import Undefined
from boundcheck.evaluate.algebra import ArithmeticAlgebra

Name = tuple[str, int | None]  # of a function, set or operator, and which component


@dataclass(eq=False)
class Located:
    """Coordinates, and the subgradients, normal vectors or values of operators that the run recorded at this very point."""

    at: Any  # a bare array (d,)
    images: dict[Name, Located] = field(default_factory=dict)

    def __add__(self, other: Located) -> Located:
        return Located(self.at + other.at)

    def __sub__(self, other: Located) -> Located:
        return Located(self.at - other.at)


def scaled(xp: Any, factor: Any, of: Any) -> Any:
    """A number times a bare vector; where the number is undefined, each coordinate is."""
    bare = np.asarray(factor, dtype=object).reshape(-1)[0]
    if isinstance(bare, Undefined):
        made = np.empty(np.shape(of), dtype=object)
        made[:] = [bare] * made.size
        return made
    return xp.scale(factor, of)


class LocatedAlgebra(ArithmeticAlgebra):
    """The algebra of a plain namespace, for vectors that carry images."""

    def scale(self, factor: Any, of: Located) -> Located:
        return Located(scaled(self.xp, factor, of.at))

    def inner(self, left: Located, right: Located) -> Any:
        return self.xp.dot(left.at, right.at)

    def norm(self, of: Located) -> Any:
        return self.xp.norm(of.at)

    def normsq(self, of: Located) -> Any:
        return self.xp.normsq(of.at)
