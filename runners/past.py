"""What a step-size rule sees: the run up to now. Everything is computed when it is first asked for."""

from __future__ import annotations

from typing import Any

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Term
from boundcheck.language.tree import Node
from boundcheck.problem import Problem
from boundcheck.rule import RuleError


class Past:
    """The rows of a batch that one rule drives, at step k. Numbers have shape (rows,), vectors (rows, d); alone, () and (d,)."""

    def __init__(
        self,
        problem: Problem,
        xp: Any,
        k: int,
        x: Any,
        grad: Any,
        before: Past | None,
        L: Any = None,
        steps: int = 0,
        iteration: Any = None,
    ) -> None:
        self.L, self.steps, self._iteration = L, steps, iteration  # steps: the horizon K
        self.problem, self.xp, self.k, self.x, self.grad, self.before = problem, xp, k, x, grad, before
        self.eta: Any = None  # the step taken here, once the rule has chosen it
        self.noted: dict[str, Any] = {}

    def forget(self) -> Past:
        """This moment without what came before it: a rule sees one step back unless it asks for more."""
        self.before = None
        return self

    def in_floats(self) -> Past:
        """The same moment in float64, for a formula that knows no other numbers: the step it chooses is frozen anyway."""
        x, grad, eta = (None if v is None else self.xp.middle(v) for v in (self.x, self.grad, self.eta))
        before = None if self.before is None else self.before.in_floats()
        L = None if self.L is None else float(self.problem.L)
        made = Past(self.problem, FLOAT64, self.k, x, grad, before, L, self.steps)
        made.eta = eta
        return made

    def __getattr__(self, name: str) -> Any:
        """grad_normsq, f and gap = f(x) - f*, computed when first asked for and kept."""
        if name == "grad_normsq":
            made = self.xp.normsq(self.grad)
        elif name == "f":
            made = self.problem.f(self.xp, self.x)
        elif name == "gap":
            made = self._gap()
        else:
            raise AttributeError(
                f"a run has no '{name}'; a rule may read k, steps, x, grad, grad_normsq, f, gap, L, eta, before, xp, "
                "hessian_times(v), value(formula)"
            )
        self.__dict__[name] = made
        return made

    def _gap(self) -> Any:
        if self.problem.gap is not None:
            return self.problem.gap(self.xp, self.x, self.grad)
        if self.problem.infimum is None:
            raise RuleError(f"the rule reads f(x) - f*; {self.problem.name} attains no minimum, and its infimum is not known")
        return self.f - self.xp.scalar(self.problem.infimum)

    def note(self, name: str, value: Any) -> None:
        """Record a number beside the step: one of the rule's `records`."""
        if name in ("x", "eta"):
            raise RuleError(f"a rule notes numbers of its own; '{name}' is the run's")
        self.noted[name] = value

    def value(self, formula: Node) -> Any:
        """An entry of the run, or any formula of entries, at step k: gamma[k], alpha[k - 1]."""
        return self._entries().value(self.k, formula)

    def has(self, entry: Term) -> bool:
        """Is this entry of the run known by now?"""
        return self.k + entry.index.offset in self._entries().entries.get(entry.name, {})

    @property
    def exact(self) -> bool:
        """Is the run in exact rationals?"""
        return bool(self._entries().xp.exact)

    def holds(self, relation: Relation, eta: Any) -> bool:
        """Would this relation certainly hold at step k, if the step were eta? False also where the step gives no number."""
        run = self._entries()
        run.advance(self.k, eta)
        return bool(run.defined(self.k) and run.holds(self.k, relation))

    def _entries(self) -> Any:
        """The run as a method makes it; a batch of gradient descents keeps no entries to look at."""
        if self._iteration is None:
            raise RuleError(
                "gradient descent in a batch has no entries to try steps with; read run.x, run.grad, run.f and run.gap"
            )
        return self._iteration

    def hessian_times(self, v: Any) -> Any:
        if self.problem.hessian_vector is None:
            raise RuleError(f"the rule multiplies by the Hessian; {self.problem.name} offers no Hessian-vector product")
        return self.problem.hessian_vector(self.xp, self.x, v)
