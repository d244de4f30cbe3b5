"""A step-size rule: a short formula that reads the past of a run, and the step that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from boundcheck.arithmetic.base import Exact, Scalars
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index, transform
from boundcheck.language.scalars import (
    Constant,
    Div,
    Gap,
    IndexNumber,
    Mul,
    Normsq,
    Number,
    Parameter,
    Reduce,
    Scalar,
    Sub,
    Term,
    Value,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Point, Vector
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import IsQuadratic, Problem
from boundcheck.model.run_view import RunView
from boundcheck.model.schedule import STEP_LETTER
from boundcheck.support.errors import Lacking as Lacking
from boundcheck.support.errors import RuleError as RuleError
from boundcheck.support.errors import RunEnds as RunEnds
from boundcheck.support.errors import WrongType

HORIZON = "K"


@dataclass(frozen=True, eq=False)
class FormulaStep:
    """The step of a rule by its formula, in whatever arithmetic the run is in."""

    relation: Relation  # as the rule has it
    formula: Scalar  # its right side at k, with the parameters as numbers

    def __call__(self, run: RunView) -> Scalars:
        """Return the step at this moment of a run."""
        return run.of_formula(self.formula)

    @property
    def needs(self) -> tuple[str, ...]:
        """What the formula asks of a problem: L, f* or x*."""
        nodes = list(self.formula.walk())
        values = [node for node in nodes if isinstance(node, Gap) or (isinstance(node, Value) and isinstance(node.at, Minimum))]
        points = sum(isinstance(node, Minimum) for node in nodes) - sum(isinstance(node, Value) for node in values)
        reads = {
            "L": any(isinstance(node, Constant) and node.name == "L" for node in nodes),
            "infimum": bool(values),
            "minimiser": points > 0,
        }
        return tuple(need for need, is_read in reads.items() if is_read)

    @property
    def is_constant(self) -> bool:
        """Is the step the same number at every step of a run?"""
        return not any(
            isinstance(node, Vector) or (isinstance(node, IndexNumber) and node.index.letter == STEP_LETTER)
            for node in self.formula.walk()
        )

    @property
    def gap_factor(self) -> Fraction | None:
        """The c of c (f(x_k) - f*) / |grad f(x_k)|^2, where the formula is that."""
        made = self.formula
        if not isinstance(made, Div) or not isinstance(made.right, Normsq) or not isinstance(made.right.of, Grad):
            return None
        factor, above = (made.left.left, made.left.right) if isinstance(made.left, Mul) else (Number(Fraction(1)), made.left)
        if not isinstance(factor, Number) or not isinstance(above, Gap):
            return None
        return factor.value if all(isinstance(at, Point) for at in (above.at, made.right.of.at)) else None


def why_not_explicit(relation: Relation) -> str:
    """Return what keeps a relation from giving eta_i out of x_i, or "" where it does."""
    step = relation.left
    if relation.op != "==" or not isinstance(step, Term) or step.name != "eta" or step.index.letter is None or step.index.offset:
        return "which is not eta[i] == a formula"
    for node in relation.right.walk():
        if isinstance(node, Term) or (isinstance(node, Point) and (node.name, node.index, node.run) != ("x", step.index, "")):
            return f"which reads {node}"
        if isinstance(node, Reduce | Mean):
            return f"which has a sum or a mean, {node}"
        for index in node.indices:
            if index.letter not in (step.index.letter, None, HORIZON):
                return f"which reads the index {index}"
    return ""


def why_not_of_the_past(relation: Relation) -> str:
    """Return what keeps a relation from giving eta_i out of x_0, ..., x_i and the steps before, or "" where it does."""
    step = relation.left
    if relation.op != "==" or not isinstance(step, Term) or step.name != "eta" or step.index.letter is None or step.index.offset:
        return "which is not eta[i] == a formula"
    for node in relation.right.walk():
        if isinstance(node, Reduce | Mean):
            return f"which has a sum or a mean, {node}"
        if isinstance(node, Term | Point) and (node.index is None or node.run or node.name not in ("x", "eta")):
            return f"which reads {node}"
        latest = -1 if isinstance(node, Term) else 0
        for index in node.indices:
            fits = index.letter == step.index.letter and (index.offset <= latest or isinstance(node, IndexNumber))
            if not fits and not (isinstance(node, IndexNumber) and index.letter in (None, HORIZON)):
                return f"which reads {node}"
    return ""


def past_formula_step(relation: Relation, parameters: Mapping[str, Exact]) -> FormulaStep:
    """Return the step that a formula of the run so far gives: to be asked where all that it reads is there."""
    return FormulaStep(relation, _of_step(relation, parameters))


def formula_step(relation: Relation, parameters: Mapping[str, Exact]) -> FormulaStep | str:
    """Return the step that an explicit formula gives; or, in words, why it gives none."""
    if why := why_not_explicit(relation):
        return why
    formula = _of_step(relation, parameters)
    if left := next((node.name for node in formula.walk() if isinstance(node, Parameter)), ""):
        return f'which reads {left}: say its value, parameters={{"{left}": 1}}'
    return FormulaStep(relation, formula)


def _of_step(relation: Relation, parameters: Mapping[str, Exact]) -> Scalar:
    """The right side at k, with the parameters as numbers."""
    assert isinstance(relation.left, Term) and relation.left.index.letter is not None

    def change(node: Node) -> Node | None:
        if isinstance(node, Parameter) and node.name in parameters:
            return Number(Fraction(parameters[node.name]))
        if isinstance(node, Sub) and isinstance(node.left, Value) and _is_least(node.right):  # f(p) - f*, without cancellation
            return Gap(transform(node.left.at, change))
        return None

    return transform(put_index(relation.right, relation.left.index.letter, Index(STEP_LETTER)), change)


def _is_least(node: Any) -> bool:
    return isinstance(node, Value) and isinstance(node.at, Minimum)


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
        if self.step is None or (
            isinstance(self.step, FormulaStep) and relation is not None and self.step.relation is not relation
        ):
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
