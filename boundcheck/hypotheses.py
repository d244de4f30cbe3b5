"""Hypotheses of a claim. Those about the function are declared by the problem; those about the run are checked at each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boundcheck.language.letters import SMOOTHNESS
from boundcheck.language.relations import Relation
from boundcheck.problem import Convex, Differentiable, Fact, Smooth


@dataclass(frozen=True)
class Declared:
    """The problem declares this fact."""

    kind: type[Fact]

    def __str__(self) -> str:
        return {"Convex": "f is convex", "Differentiable": "f is differentiable", "Smooth": "f is L-smooth"}.get(
            self.kind.__name__, f"f is {self.kind.__name__}"
        )


@dataclass(frozen=True)
class GradientDescent:
    """x_{i+1} = x_i - eta_i grad f(x_i) at every step."""

    method = "gradient descent"

    def __str__(self) -> str:
        return "x_{i+1} = x_i - eta_i grad f(x_i)"


@dataclass(frozen=True)
class AtEachStep:
    """A relation that must hold at every step i that the claim reads."""

    relation: Relation

    def __str__(self) -> str:
        return f"{self.relation} for every step"


@dataclass(frozen=True)
class Follows(AtEachStep):
    """The step obeys a formula. In inexact arithmetic the steps are said to be within 2^-p of the rule: no more can be known."""

    def __post_init__(self) -> None:
        if self.relation.op != "==":
            raise ValueError(f"a rule is an equation, eta[i] == ...; found {self.relation}")

    def __str__(self) -> str:
        return f"the steps follow {self.relation}"


@dataclass(frozen=True)
class Once:
    """A relation between parameters and constants: gamma < 2."""

    relation: Relation

    def __str__(self) -> str:
        return str(self.relation)


Hypothesis = Declared | GradientDescent | AtEachStep | Once

# what makes each choice of M a directional smoothness function
SMOOTHNESS_NEEDS: dict[str, tuple[type[Fact], ...]] = {
    "D": (Convex, Differentiable),
    "A": (Differentiable,),
    "H": (Differentiable,),
    "L": (Smooth,),
}
assert set(SMOOTHNESS_NEEDS) == set(SMOOTHNESS)


def as_hypothesis(given: Any) -> Hypothesis:
    """What may be written after `given=`: a fact (Convex), a relation (gamma < 2, eta[i] < 2 / M_[i]), or a hypothesis."""
    if isinstance(given, Declared | GradientDescent | AtEachStep | Once):
        return given
    if isinstance(given, Relation):
        return AtEachStep(given) if given.free else Once(given)
    if isinstance(given, type) and issubclass(given, Fact):
        return Declared(given)
    if isinstance(given, Fact):
        return Declared(type(given))
    raise TypeError(f"{given!r} is not a hypothesis; write a fact (Convex), a relation (gamma < 2) or GradientDescent()")
