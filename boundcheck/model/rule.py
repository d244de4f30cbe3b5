"""A step-size rule: a short formula that reads the past of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from boundcheck.arithmetic.base import Exact, Scalars
from boundcheck.language.relations import Relation
from boundcheck.model.formula_step import FormulaStep, formula_step
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import IsQuadratic, Problem
from boundcheck.model.run_view import RunView
from boundcheck.support.errors import Lacking as Lacking
from boundcheck.support.errors import RuleError as RuleError
from boundcheck.support.errors import RunEnds as RunEnds
from boundcheck.support.errors import WrongType

Written = TypeVar("Written", bound=Callable[..., Any])
Step = Callable[[RunView], Scalars]
DECLARED = ("follows", "needs", "parameters", "batched", "remembers", "methods", "records", "about")


@dataclass(frozen=True)
class GapStep:
    """factor (f - f*) / |grad f|^2, of these two numbers."""

    factor: float

    def __call__(self, gap: Scalars, normsq: Scalars) -> Scalars:
        return self.factor * gap / normsq


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A step-size rule: the formula of eta_i, a function of the run that returns the step, or both.

    `follows` is the formula as data: a theorem that assumes it is tried with this rule. Where it is explicit, eta[i] == what x_i
    and the problem's letters give, nothing else is needed: the step is that formula, in every arithmetic.

    >>> from boundcheck import Rule, run
    >>> from boundcheck.letters import L, eta, i
    >>> half = Rule(name="half", follows=(eta[i] == 1 / (2 * L)))
    >>> half.needs
    ('L',)
    >>> run("huber", half, steps=3)
    <Trace of huber (Convex, Differentiable, Smooth) by gradient descent in float64: half: 3 steps>

    `step(run)` returns eta_k from what the run knows at k: run.k, run.x, run.grad, run.gap, run.grad_normsq, run.L, ... It uses
    only + - * / and `run.xp`, so that it serves every arithmetic. Where no step exists it raises RunEnds.
    `parameters` are the letters that the rule fixes (gamma); `needs` what it asks of a problem ("L", "infimum", "minimiser",
    "quadratic"), read off the formula where that gives the step; `methods` the kinds of method whose steps it may choose;
    `records` the sequences of numbers that it notes beside its steps, by run.note(name, value). Every other field is a hint for
    the engine, which no rule needs.
    """

    name: str = ""
    follows: Relation | None = None
    step: Step = None  # type: ignore[assignment]  # by the formula, unless given
    parameters: Mapping[str, Exact] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    methods: tuple[str, ...] = (GRADIENT_DESCENT.kind,)
    records: tuple[str, ...] = ()
    about: str = ""

    # -- hints for the engine: what it may use to be faster, or to prove more. They change no step -------------------------
    # where its steps are explicit and `follows` does not say how: for runs that are not frozen
    formula: Relation | None = None
    implies: tuple[Relation, ...] = ()  # other formulas that its steps satisfy, exactly
    constant: bool = False  # the step never changes along a run
    # where the step reads nothing but f - f* and |grad f|^2: the same formula, of these two numbers in floating point
    numbers: Callable[[Scalars, Scalars], Scalars] | None = None
    # on a quadratic with Hessian B, where the step reads nothing but |g|^2, <g, Bg> and |Bg|^2: the same formula, of these three
    curvature: Callable[[Scalars, Scalars, Scalars], Scalars] | None = None
    remembers: bool = False  # keeps the whole past, not only the step before
    means: str = ""  # the rule of the library that it says it is, by its name
    # the same rule with steps smaller by a relative 2^-20, for claims that assume <= only: there eta = 1/M is a tie
    below: Rule | None = None

    def __post_init__(self) -> None:
        relation = self.follows if self.formula is None else self.formula
        if not self.name:
            object.__setattr__(self, "name", _text(relation))
        if relation is not None and not isinstance(relation, Relation):
            raise RuleError(f"rule '{self.name}' follows {relation!r:.60}; needs a formula, eta[i] == ...")
        if self.step is None or (isinstance(self.step, FormulaStep) and self.step.relation is not relation):
            self._derive(relation)

    def _derive(self, relation: Relation | None) -> None:
        """Fill in the step that follows from the formula, and what follows from it about the rule."""
        how = "give step=, a function of the run that returns the step"
        if relation is None:
            raise RuleError(f"rule '{self.name}' has neither a formula nor a step; write follows=(eta[i] == ...), or {how}")
        step = formula_step(relation, self.parameters)
        if isinstance(step, str):
            raise RuleError(f"rule '{self.name}' follows {relation}, {step}{'' if 'say its value' in step else '; ' + how}")
        object.__setattr__(self, "step", step)
        object.__setattr__(self, "needs", tuple(dict.fromkeys((*self.needs, *step.needs))))
        object.__setattr__(self, "constant", step.is_constant)
        if step.gap_factor is not None:
            object.__setattr__(self, "numbers", GapStep(float(step.gap_factor)))

    @property
    def has_own_name(self) -> bool:
        """Was it given a name? Else it is called by its formula."""
        return self.name != _text(self.follows if self.formula is None else self.formula)

    def missing(self, problem: Problem) -> str:
        """What the problem lacks for this rule, or ""."""
        if "L" in self.needs and problem.L is None:
            return f"rule '{self.name}' needs L; {problem.name} declares no smoothness constant"
        if "infimum" in self.needs and problem.infimum is None:
            return f"rule '{self.name}' needs f*; {problem.name} attains no minimum, and its infimum is not known"
        if "minimiser" in self.needs and problem.minimiser is None:
            return f"rule '{self.name}' needs x*; {problem.name} has no minimiser that is known"
        if "quadratic" in self.needs and not problem.has(IsQuadratic):
            return f"rule '{self.name}' needs a quadratic; {problem.name} is none"
        return ""


def _text(relation: object) -> str:
    """What a rule without a name is called by."""
    return str(relation.right if isinstance(relation, Relation) else "a rule")


class Declaration:
    """What `step_rule` says of a rule: a decorator of a function or class; a rule by itself, where its formula is explicit."""

    def __init__(self, said: Mapping[str, Any]) -> None:
        for name in said:
            if name not in DECLARED:
                raise WrongType(f"a rule declares {', '.join(DECLARED)}; found {name!r}")
        self.said = dict(said)

    def __call__(self, written: Written) -> Written:
        for name, value in self.said.items():
            setattr(written, name, value)
        return written


def step_rule(
    *,
    follows: Relation | str | None = None,
    needs: tuple[str, ...] = (),
    parameters: Mapping[str, Exact] | None = None,
    batched: bool = False,
    remembers: bool = True,
    **more: Any,
) -> Declaration:
    """Say above a function or class what it means to be; or make a rule of a formula alone.

    `follows`: a formula, or the name of a rule of the library. `needs`: what it asks of a problem. `batched`: it takes stacks of
    vectors. `remembers`: run.before goes all the way back. `methods`, `records` and `about` are those of a Rule.

    >>> from boundcheck import run, step_rule
    >>> @step_rule(follows="polyak(1/2)", needs=("infimum",))
    ... def half_polyak(run):
    ...     return run.gap / (2 * run.grad_normsq)
    >>> run("huber", half_polyak, steps=3)
    <Trace of huber (Convex, Differentiable, Smooth) by gradient descent in float64: half_polyak: 3 steps>
    """
    said: dict[str, Any] = {"follows": follows, "needs": needs, "parameters": parameters or {}}
    return Declaration(said | {"batched": batched, "remembers": remembers, **more})
