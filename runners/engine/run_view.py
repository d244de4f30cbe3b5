"""What a step-size rule sees: the run up to now. Everything is computed when it is first asked for."""

from __future__ import annotations

from typing import Any, NoReturn

from boundcheck.arithmetic.base import Scalars
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Constant, Gap, Normsq, Parameter, Scalar, Term, Value
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Minimum, Point
from boundcheck.model.problem import Problem
from boundcheck.model.rule import HORIZON, Lacking, RuleError
from boundcheck.runners.engine.leaf_values import Here


class RunView:
    """The rows of a batch that one rule drives, at step k. Numbers have shape (rows,), vectors (rows, d); alone, () and (d,)."""

    def __init__(
        self,
        problem: Problem,
        xp: Any,
        k: int,
        x: Any,
        grad: Any,
        before: RunView | None,
        L: Any = None,
        steps: int = 0,
        iteration: Any = None,
    ) -> None:
        self.L, self.steps, self._iteration = L, steps, iteration  # steps: the horizon K
        self.problem, self.xp, self.k, self.x, self.grad, self.before = problem, xp, k, x, grad, before
        self.eta: Any = None  # the step taken here, once the rule has chosen it
        self.noted: dict[str, Any] = {}
        self.kept: dict[str, Any] = {} if before is None else before.kept  # what a rule with state keeps along this run
        self._known: dict[str, Any] = {}  # grad_normsq, f and gap, once they are computed
        self._alone: list[RunView] = []
        self._floats: RunView | None = None

    def forget(self) -> RunView:
        """This moment without what came before it: a rule sees one step back unless it asks for more."""
        self.before = None
        for one in (*self._alone, *(() if self._floats is None else (self._floats,))):
            one.forget()
        return self

    def alone(self) -> list[RunView]:
        """For each run of the batch the same moment, as if it ran alone: numbers are (), vectors (d,)."""
        if not self._alone:
            back = [None] * len(self.x) if self.before is None else self.before.alone()
            if self.before is not None:
                for one, eta in zip(back, self.before.eta, strict=True):
                    one.eta = eta  # type: ignore[union-attr]
            self._alone = [
                RunView(self.problem, self.xp, self.k, x, grad, before, self.L, self.steps, self._iteration)
                for x, grad, before in zip(self.x, self.grad, back, strict=True)
            ]
        return self._alone

    def in_floats(self) -> RunView:
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
            here._floats = RunView(here.problem, FLOAT64, here.k, x, grad, before, L, here.steps)
            here._floats.kept = here.kept
            if before is not None:
                before.eta = self.xp.middle(here.before.eta)  # type: ignore[union-attr]
        assert self._floats is not None
        return self._floats

    @property
    def grad_normsq(self) -> Scalars:
        """The square of the norm of the gradient, computed once."""
        if "grad_normsq" not in self._known:
            self._known["grad_normsq"] = self.xp.normsq(self.grad)
        return self._known["grad_normsq"]

    @property
    def f(self) -> Scalars:
        """The value of f at x_k, computed once."""
        if "f" not in self._known:
            self._known["f"] = self.problem.f(self.xp, self.x)
        return self._known["f"]

    @property
    def gap(self) -> Scalars:
        """The difference f(x_k) - f*, computed once."""
        if "gap" not in self._known:
            self._known["gap"] = self._gap()
        return self._known["gap"]

    def know(self, **numbers: Scalars) -> None:
        """Take grad_normsq, f or gap from who has computed them already."""
        self._known.update(numbers)

    def known(self, name: str) -> Scalars | None:
        """Return grad_normsq, f or gap where it was computed, and None where nobody has read it."""
        return self._known.get(name)

    def __getattr__(self, name: str) -> NoReturn:
        if name in ("grad_normsq", "f", "gap"):  # an oracle that computes it failed by an AttributeError of its own
            getattr(type(self), name).fget(self)
        raise AttributeError(
            f"a run has no '{name}'; a rule may read k, steps, x, grad, grad_normsq, f, f_star, gap, L, before, history, xp, "
            "f_at(x), grad_at(x), hessian_times(v), value(formula)"
        )

    def of_formula(self, formula: Scalar) -> Scalars:
        """The value of a formula that reads x_k, letters of the problem and numbers."""
        return FormulaOfRun(self).number(formula)

    def _gap(self) -> Scalars:
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
    def history(self) -> list[RunView]:
        """The moments 0, 1, ..., k - 1, each with its x, grad, f, eta: for a rule that declares remembers=True."""
        found: list[RunView] = []
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


class FormulaOfRun(Here):
    """A formula of the run so far, read from the moment k of a run or of a batch: what the run knows is not computed again."""

    def __init__(self, moment: RunView) -> None:
        self.moment = moment
        super().__init__(moment.problem, moment.xp, moment.k, self._entry, {})

    def _entry(self, name: str, index: int) -> Any:
        there = self._moment(index)
        return there.x if name == "x" else there.eta

    def _moment(self, index: int) -> RunView:
        """The moment of an entry, this one or one before."""
        here = self.moment
        while here.k > index and here.before is not None:
            here = here.before
        if here.k != index:
            raise RuleError(f"the formula of the rule reads the entry {index} at step {self.k}, which a rule does not see there")
        return here

    def _moment_of(self, at: Point) -> RunView:
        assert at.index is not None
        return self._moment(self.at(at.index))

    def at(self, index: Index) -> int:
        return index.offset + self.moment.steps if index.letter == HORIZON else super().at(index)

    def gradient(self, node: Point) -> Any:
        return self._moment_of(node).grad

    def read_value(self, node: Scalar, at: None) -> Any:
        assert isinstance(node, Value)
        if isinstance(node.at, Minimum):
            return self.moment.f_star
        return self._moment_of(node.at).f if isinstance(node.at, Point) else super().read_leaf(node, at)

    def read_gap(self, node: Scalar, at: None) -> Any:
        assert isinstance(node, Gap)
        return self._moment_of(node.at).gap if isinstance(node.at, Point) else super().read_leaf(node, at)

    def read_normsq(self, node: Scalar, at: None) -> Any:
        assert isinstance(node, Normsq)
        if isinstance(node.of, Grad) and isinstance(node.of.at, Point):
            return self._moment_of(node.of.at).grad_normsq
        return super().read_leaf(node, at)

    def read_letter(self, node: Parameter | Constant, at: None) -> Any:
        problem = self.problem
        value = {"L": problem.L, "mu": problem.mu, **problem.constants}.get(node.name)
        if value is None:
            raise Lacking(f"the formula of the rule reads {node.name}; {problem.name} does not declare it")
        return self.moment.L if node.name == "L" and self.moment.L is not None else self.xp.scalar(value)

    read_parameter = read_constant = read_letter
