"""Hypotheses of a claim. Those about the function are declared by the problem; those about the run are checked at each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from boundcheck.language.canonical import ANY_STEP, NotAClaim, at_any_step, canonical_json, from_json
from boundcheck.language.chords import ChordQuantity
from boundcheck.language.letters import A, D, H
from boundcheck.language.named import ConvexSet, Function, FunctionSum, Operator, subgrad
from boundcheck.language.relations import Relation, VectorEquation
from boundcheck.language.rewrite import put_index
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Minimum, Vector
from boundcheck.model import facts
from boundcheck.model.method import GRADIENT_DESCENT, Method
from boundcheck.model.problem import Fact, FactAbout
from boundcheck.model.step_search import StepSearch
from boundcheck.support.errors import UserError, WrongType

IN_WORDS = {
    "Convex": "convex",
    "Differentiable": "differentiable",
    "TwiceDifferentiable": "twice differentiable",
    "IsQuadratic": "a quadratic",
    "Smooth": "L-smooth",
    "StronglyConvex": "strongly convex",
}


@dataclass(frozen=True)
class Declared:
    """The problem declares this fact."""

    kind: type[Fact]

    def __str__(self) -> str:
        name = self.kind.__name__
        return f"f is {IN_WORDS.get(name, name)}"


THE_SAME_STEPS = "the same steps"


def is_search(steps: str) -> bool:
    """Do the steps come from a search, by what a claim's JSON says of them?"""
    return steps not in ("", THE_SAME_STEPS)


@dataclass(frozen=True)
class Runs:
    """The run is this method's. A claim over several runs from one start names a method for each role ("" is the main run),
    and where their steps come from: one rule for all (the same steps), or a search, by its name.

    >>> from boundcheck import GradientDescent, Runs
    >>> isinstance(GradientDescent(), Runs)
    True
    """

    roles: tuple[tuple[str, Method], ...]
    steps: str = ""
    apart: bool = False  # each run has a start of its own

    @classmethod
    def from_starts(cls, roles: Mapping[str, Method]) -> Runs:
        """Several runs, each from a start of its own, with the same steps: what contractions are about."""
        return replace(cls.together(roles, THE_SAME_STEPS), apart=True)

    @classmethod
    def together(cls, roles: Mapping[str, Method], steps: str | StepSearch) -> Runs:
        if steps != THE_SAME_STEPS and not isinstance(steps, StepSearch):
            raise UserError(f"several runs take '{THE_SAME_STEPS}', or those of a StepSearch; found {steps!r}")
        if next(iter(roles), None) != "" or len(roles) < 2:
            raise UserError(f'several runs are the main one, "", first, and at least one other; found {list(roles)}')
        if not isinstance(steps, StepSearch):
            return cls(tuple(roles.items()), steps)
        if tuple(roles) != steps.roles:
            raise UserError(f"{steps.name} ends with the runs {list(steps.roles)}; found {list(roles)}")
        return cls(tuple(roles.items()), steps.name)

    @property
    def searched(self) -> bool:
        """Are the steps found by a search, which tries them by runs of their own?"""
        return is_search(self.steps)

    @property
    def method(self) -> str:
        """What a trace of it is called."""
        if self.searched:
            return self.steps
        return " and ".join(method.name for _, method in self.roles)

    @property
    def main(self) -> Method:
        return self.roles[0][1]

    @property
    def kind(self) -> str:
        """Which rules may drive it: those whose `methods` name this."""
        return self.steps if self.searched else self.main.kind

    @property
    def state(self) -> frozenset[str]:
        """The sequences that carry from one step to the next."""
        return frozenset(name for _, method in self.roles for name in method.state)

    def to_json(self) -> dict[str, Any]:
        roles = [{"role": role, "method": method.to_json()} for role, method in self.roles]
        return {"steps": self.steps, "roles": roles, **({"apart": True} if self.apart else {})}

    @cached_property
    def surely_state(self) -> frozenset[str]:
        """Those that carry in every run that sets them: what one run sets anew at step k rests on that step."""
        anew = {update.name for _, method in self.roles for update in method.each if update.index.offset == 0}
        return self.state - anew

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Runs:
        roles = tuple((str(r["role"]), Method.from_json(r["method"])) for r in data["roles"])
        return cls(roles, str(data["steps"]), data.get("apart", False) is True)

    def __str__(self) -> str:
        if len(self.roles) == 1:
            return "; ".join(str(update) for update in (*self.main.first, *self.main.each))
        names = ", ".join(f"{role or 'x'} by {method.name}" for role, method in self.roles)
        steps = self.steps if self.steps == THE_SAME_STEPS else f"the steps of {self.steps}"
        return f"several runs from {'starts of their own' if self.apart else 'one start'}: {names}, with {steps}"


def By(method: Method) -> Runs:
    """One run of a method.

    >>> from boundcheck import By, Method, Update
    >>> from boundcheck.letters import eta, grad, k, x
    >>> descent = Method(name="descent", each=(Update(x[k + 1], x[k] - eta[k] * grad(x[k])),))
    >>> By(descent).main.name
    'descent'
    """
    return Runs((("", method),))


def GradientDescent() -> Runs:
    """x_{k+1} = x_k - eta_k grad f(x_k) at every step.

    >>> from boundcheck import GradientDescent
    >>> str(GradientDescent().main)
    'gradient descent: x_{k+1} = x_k - eta_k grad f(x_k)'
    """
    return By(GRADIENT_DESCENT)


@dataclass(frozen=True)
class AtEachStep:
    """A relation that must hold at every step i that the claim reads.

    >>> from boundcheck import AtEachStep
    >>> from boundcheck.letters import L, eta, i
    >>> str(AtEachStep(eta[i] <= 1 / L))
    'eta_i <= 1/L for every step'
    """

    relation: Relation

    def __str__(self) -> str:
        return f"{self.relation} for every step"


@dataclass(frozen=True)
class Follows(AtEachStep):
    """The step obeys a formula. In inexact arithmetic the steps are said to be within 2^-p of the rule: no more can be known.

    >>> from boundcheck import Follows
    >>> from boundcheck.letters import L, eta, i
    >>> str(Follows(eta[i] == 1 / L))
    'the steps follow eta_i == 1/L'
    """

    def __post_init__(self) -> None:
        if self.relation.op != "==":
            raise UserError(f"a rule is an equation, eta[i] == ...; found {self.relation}")

    def __str__(self) -> str:
        return f"the steps follow {self.relation}"


@dataclass(frozen=True)
class Once:
    """A relation between parameters and constants: gamma < 2.

    >>> from boundcheck import Once, Parameter
    >>> str(Once(Parameter("gamma") < 2))
    'gamma < 2'
    """

    relation: Relation

    def __str__(self) -> str:
        return str(self.relation)


@dataclass(frozen=True)
class Solution:
    """What x* is: the point at which a vector is 0, such as grad f(x*) + subgrad h(x*). Where nothing is said it minimises f.

    >>> from boundcheck import Solution
    >>> from boundcheck.letters import ConvexSet, grad, subgrad, xstar
    >>> print(Solution(grad(xstar) + subgrad(ConvexSet("C"), xstar)))
    x* solves grad f(x*) + subgrad C(x*) = 0
    """

    zero: Vector

    def __str__(self) -> str:
        return f"x* solves {self.zero} = 0"


def Minimises(objective: Function | FunctionSum) -> Solution:
    """x* minimises a sum of functions: the (sub)gradients that a run records there add up to 0.

    >>> from boundcheck import Minimises
    >>> from boundcheck.letters import Function, f
    >>> print(Minimises(f + Function("h")))
    x* solves grad f(x*) + subgrad h(x*) = 0
    """
    return Solution(objective.gradient(Minimum(), "subgradient"))


def ZeroOf(*operators: Operator | Function | ConvexSet) -> Solution:
    """x* is a zero of a sum of operators; a function stands for its subdifferential, a set for its normal cone.

    >>> from boundcheck import ZeroOf
    >>> from boundcheck.letters import ConvexSet, Operator
    >>> print(ZeroOf(Operator("A"), ConvexSet("C")))
    x* solves A(x*) + subgrad C(x*) = 0
    """
    images = [one(Minimum()) if isinstance(one, Operator) else subgrad(one, Minimum()) for one in operators]
    if not images:
        raise UserError("ZeroOf() names no operator; needs at least one, as in ZeroOf(A, B)")
    total = images[0]
    for image in images[1:]:
        total = total + image
    return Solution(total)


def FixedPointOf(operator: Operator) -> Solution:
    """x* is a fixed point: T(x*) = x*.

    >>> from boundcheck import FixedPointOf
    >>> from boundcheck.letters import LENGTH, Operator
    >>> print(FixedPointOf(Operator("T", LENGTH)))
    x* solves T(x*) - x* = 0
    """
    return Solution(operator(Minimum()) - Minimum())


@dataclass(frozen=True)
class SamePoint:
    """Two vectors are one: at every step that the claim reads, or once where no index is free.

    >>> from boundcheck import SamePoint
    >>> from boundcheck.letters import equal, i, x, y
    >>> print(SamePoint(equal(y[i], x[i])))
    y_i == x_i for every step
    """

    equation: VectorEquation

    def __str__(self) -> str:
        return f"{self.equation}" + (" for every step" if self.equation.free else "")


Hypothesis = Declared | FactAbout | Solution | SamePoint | Runs | AtEachStep | Once

NEEDED_FACTS = {"L": ("Smooth",), **{chord.kind: chord.needs for chord in (D, A, H)}}


def smoothness_needs(chosen: str | ChordQuantity) -> tuple[type[Fact], ...]:
    """The facts of f under which a choice of M may be a directional smoothness function."""
    names = NEEDED_FACTS.get(chosen, ()) if isinstance(chosen, str) else chosen.needs
    return tuple(FACTS[name] for name in names)


def as_hypothesis(given: Any) -> Hypothesis:
    """What may be written after `given=`: a fact (Convex), a relation (gamma < 2, eta[i] < 2 / M_[i]), or a hypothesis."""
    if isinstance(given, Declared | FactAbout | Solution | SamePoint | Runs | AtEachStep | Once):
        return given
    if isinstance(given, VectorEquation):
        return SamePoint(given)
    if isinstance(given, Relation):
        return AtEachStep(given) if given.free else Once(given)
    if isinstance(given, type) and issubclass(given, Fact):
        return Declared(given)
    if isinstance(given, Fact):
        return Declared(type(given))
    if isinstance(given, Method):
        raise WrongType(f"{given.name} is a method; write By(...) around it")
    raise WrongType(f"{given!r} is not a hypothesis; write a fact (Convex), a relation (gamma < 2) or GradientDescent()")


def hypothesis_json(h: Hypothesis) -> dict[str, Any]:
    if isinstance(h, Declared):
        return {"fact": h.kind.__name__}
    if isinstance(h, Runs):
        return {"runs": h.to_json()}
    if isinstance(h, FactAbout):
        return {"fact": h.kind.__name__, "about": h.name, "letters": dict(h.letters)}
    if isinstance(h, Solution):
        return {"solution": canonical_json(h.zero)}
    if isinstance(h, SamePoint):
        return {"same point": canonical_json(at_any_step(h.equation))}
    kind = "follows" if isinstance(h, Follows) else "at each step" if isinstance(h, AtEachStep) else "once"
    return {kind: canonical_json(at_any_step(h.relation))}


def hypothesis_from(data: Mapping[str, Any], letter: str) -> Hypothesis:
    """The hypothesis that `hypothesis_json` wrote, of a claim that is stated for all `letter`."""
    if set(data) == {"fact", "about", "letters"}:
        return FactAbout(FACTS[data["fact"]], str(data["about"]), tuple((str(a), str(b)) for a, b in data["letters"].items()))
    (kind, value), *more = data.items()
    if more:
        raise NotAClaim(f"a hypothesis has one key; found {sorted(data)}")
    if kind == "fact":
        return Declared(FACTS[value])
    if kind == "runs":
        return Runs.from_json(value)
    relation = from_json(value)
    if kind == "solution" and isinstance(relation, Vector):
        return Solution(relation)
    if kind == "same point" and isinstance(relation, VectorEquation):
        return SamePoint(relation)
    if not isinstance(relation, Relation) or kind not in RELATIONS:
        raise NotAClaim(f"a hypothesis '{kind}' of {value!r} is not known")
    return RELATIONS[kind](put_index(relation, ANY_STEP, Index(letter)) if kind == "once" else relation)


RELATIONS: dict[str, Callable[[Relation], Hypothesis]] = {"follows": Follows, "at each step": AtEachStep, "once": Once}
FACTS = facts.KINDS
