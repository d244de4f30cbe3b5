"""A step-size rule: a short formula that reads the past of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from boundcheck.language.relations import Relation
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import IsQuadratic, Problem
from boundcheck.support.errors import Lacking as Lacking
from boundcheck.support.errors import RuleError as RuleError
from boundcheck.support.errors import RunEnds as RunEnds
from boundcheck.support.errors import WrongType

Written = TypeVar("Written", bound=Callable[..., Any])
DECLARED = ("follows", "needs", "parameters", "batched", "remembers", "methods", "records", "about")


@dataclass(frozen=True)
class GapStep:
    """factor (f - f*) / |grad f|^2, of these two numbers."""

    factor: float

    def __call__(self, gap: Any, normsq: Any) -> Any:
        return self.factor * gap / normsq


@dataclass(frozen=True, kw_only=True)
class Rule:
    """`step(run)` returns eta_k from what the run knows at k: run.k, run.x, run.grad, run.gap, run.grad_normsq, run.L, ...

    It must use only + - * / and `run.xp`, so that it serves every arithmetic. Where no step exists it raises RunEnds. `follows`
    is the formula as data, where it has one: a theorem that assumes that formula is tried with this rule. `parameters` are the
    letters that it fixes (gamma).
    """

    name: str
    step: Callable[[Any], Any]
    follows: Relation | None = None
    formula: Relation | None = None  # where its steps are explicit and `follows` does not say how: for runs that are not frozen
    implies: tuple[Relation, ...] = ()  # other formulas that its steps satisfy, exactly
    parameters: Mapping[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()  # "L", "infimum", "quadratic": what it asks of a problem
    methods: tuple[str, ...] = (GRADIENT_DESCENT.kind,)  # the kinds of method whose steps it may choose
    records: tuple[str, ...] = ()  # sequences of numbers that it notes beside its steps, by run.note(name, value)
    constant: bool = False  # the step never changes along a run
    # where the step reads nothing but f - f* and |grad f|^2: the same formula, of these two numbers in floating point
    numbers: Callable[[Any, Any], Any] | None = None
    # on a quadratic with Hessian B, where the step reads nothing but |g|^2, <g, Bg> and |Bg|^2: the same formula, of these three
    curvature: Callable[[Any, Any, Any], Any] | None = None
    remembers: bool = False  # keeps the whole past, not only the step before
    about: str = ""
    means: str = ""  # the rule of the library that it says it is, by its name
    # the same rule with steps smaller by a relative 2^-20, for claims that assume <= only: there eta = 1/M is a tie
    below: Rule | None = None

    def missing(self, problem: Problem) -> str:
        """What the problem lacks for this rule, or ""."""
        if "L" in self.needs and problem.L is None:
            return f"rule '{self.name}' needs L; {problem.name} declares no smoothness constant"
        if "infimum" in self.needs and problem.infimum is None:
            return f"rule '{self.name}' needs f*; {problem.name} attains no minimum, and its infimum is not known"
        if "quadratic" in self.needs and not problem.has(IsQuadratic):
            return f"rule '{self.name}' needs a quadratic; {problem.name} is none"
        return ""


def step_rule(
    *,
    follows: Relation | str | None = None,
    needs: tuple[str, ...] = (),
    parameters: Mapping[str, Any] | None = None,
    batched: bool = False,
    remembers: bool = True,
    **more: Any,
) -> Callable[[Written], Written]:
    """Says above a function or class what it means to be: `@step_rule(follows="polyak(1)", needs=("infimum",))`.

    `follows`: a formula, or the name of a rule of the library. `batched`: it takes stacks of vectors. `remembers`: run.before
    goes all the way back. `methods`, `records` and `about` are those of a Rule.
    """
    said: dict[str, Any] = {"follows": follows, "needs": needs, "parameters": parameters or {}}
    said |= {"batched": batched, "remembers": remembers, **more}
    for name in said:
        if name not in DECLARED:
            raise WrongType(f"a rule declares {', '.join(DECLARED)}; found {name!r}")

    def declare(written: Written) -> Written:
        for name, value in said.items():
            setattr(written, name, value)
        return written

    return declare
