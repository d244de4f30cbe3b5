"""A step-size rule: a short formula that reads the past of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from boundcheck.language.relations import Relation
from boundcheck.method import GRADIENT_DESCENT
from boundcheck.problem import IsQuadratic, Problem


class RuleError(ValueError):
    """A rule returned something that is not a step."""


class RunEnds(Exception):
    """A rule has no step here, and not by its own fault: the run ends, and its trace says why."""


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
    remembers: bool = False  # keeps the whole past, not only the step before
    about: str = ""
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
