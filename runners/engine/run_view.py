"""What a step-size rule sees: the run up to now. Everything is computed when it is first asked for."""

from __future__ import annotations

from typing import Any

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Term
from boundcheck.language.tree import Node
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Lacking, RuleError


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
        self.kept: dict[str, Any] = {} if before is None else before.kept  # what a rule with state keeps along this run
        self._alone: list[Past] = []
        self._floats: Past | None = None

    def forget(self) -> Past:
        """This moment without what came before it: a rule sees one step back unless it asks for more."""
        self.before = None
        for one in (*self._alone, *(() if self._floats is None else (self._floats,))):
            one.forget()
        return self

    def alone(self) -> list[Past]:
        """For each run of the batch the same moment, as if it ran alone: numbers are (), vectors (d,)."""
        if not self._alone:
            back = [None] * len(self.x) if self.before is None else self.before.alone()
            if self.before is not None:
                for one, eta in zip(back, self.before.eta, strict=True):
                    one.eta = eta  # type: ignore[union-attr]
            self._alone = [
                Past(self.problem, self.xp, self.k, x, grad, before, self.L, self.steps, self._iteration)
                for x, grad, before in zip(self.x, self.grad, back, strict=True)
            ]
        return self._alone

    def in_floats(self) -> Past:
        """The same moment in float64, for a formula that knows no other numbers: the step it chooses is frozen anyway."""
        chain, here = [], self
        while here._floats is None:
            chain.append(here)
            if here.before is None:
                break
            here = here.before
        for here in reversed(chain):
            x, grad = (self.xp.middle(v) for v in (here.x, here.grad))
            before = None if here.before is None else here.before._floats
            L = None if here.L is None else float(here.problem.L)  # type: ignore[arg-type]
            here._floats = Past(here.problem, FLOAT64, here.k, x, grad, before, L, here.steps)
            here._floats.kept = here.kept
            if before is not None:
                before.eta = self.xp.middle(here.before.eta)  # type: ignore[union-attr]
        assert self._floats is not None
        return self._floats

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
                f"a run has no '{name}'; a rule may read k, steps, x, grad, grad_normsq, f, f_star, gap, L, before, history, xp, "
                "f_at(x), grad_at(x), hessian_times(v), value(formula)"
            )
        self.__dict__[name] = made
        return made

    def _gap(self) -> Any:
        if self.problem.gap is not None:
            return self.problem.gap(self.xp, self.x, self.grad)
        if self.problem.infimum is None:
            raise Lacking(f"the rule reads f(x) - f*; {self.problem.name} attains no minimum, and its infimum is not known")
        return self.f - self.xp.scalar(self.problem.infimum)

    @property
    def f_star(self) -> Any:
        """inf f: the minimum, or what f tends to. Where a problem knows f(x) - f* better than as a difference, gap does."""
        if self.problem.infimum is None:
            raise Lacking(f"the rule reads f*; {self.problem.name} attains no minimum, and its infimum is not known")
        return self.xp.scalar(self.problem.infimum)

    def f_at(self, x: Any) -> Any:
        """f at a trial point."""
        return self.problem.f(self.xp, x)

    def grad_at(self, x: Any) -> Any:
        """The gradient at a trial point."""
        return self.problem.grad(self.xp, x)

    @property
    def history(self) -> list[Past]:
        """The moments 0, 1, ..., k - 1, each with its x, grad, f, eta: for a rule that declares remembers=True."""
        found: list[Past] = []
        here = self.before
        while here is not None:
            found.append(here)
            here = here.before
        if len(found) != self.k:
            raise RuleError("run.history is kept for a rule that declares remembers=True")
        return found[::-1]

    def note(self, name: str, value: Any) -> None:
        """Record a number beside the step: one of the rule's `records`."""
        if name in ("x", "eta"):
            raise RuleError(f"a rule notes numbers of its own; '{name}' is the run's")
        self.noted[name] = value

    @property
    def keeps_notes(self) -> bool:
        """Does someone read what is noted? A batch of gradient descents does not."""
        return self._iteration is not None

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
            raise Lacking(f"the rule multiplies by the Hessian; {self.problem.name} offers no Hessian-vector product")
        return self.problem.hessian_vector(self.xp, self.x, v)
