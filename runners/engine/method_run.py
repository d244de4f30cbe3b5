"""One run of any method, by reading its updates step after step. Gradient descent has an engine of its own, which is faster."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Exact, Order, Truth
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.claims.lint.shift import moves
from boundcheck.evaluate.algebra import truth
from boundcheck.evaluate.columns import in_gaps
from boundcheck.evaluate.widened_columns import LANDED
from boundcheck.language.relations import Relation
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Vector
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError, RunEnds
from boundcheck.runners.engine.leaf_values import Here
from boundcheck.runners.engine.run_ends import too_small, why_over, why_refused, why_stop
from boundcheck.runners.engine.run_view import RunView

Sequences = dict[str, dict[int, Any]]


class Iteration:
    """The entries of every sequence of one run, in the plain namespace: points are bare arrays (d,), numbers bare numbers."""

    def __init__(
        self, problem: Problem, method: Method, rule: Rule, start: Any, xp: Arithmetic, letters: Mapping[str, Exact]
    ) -> None:
        self._gradient_size = 0.0  # of the point before
        self.problem, self.method, self.rule, self.xp = problem, method, rule, xp
        self.plain = xp.plain
        self.exact_letters = letters
        self.enclosed = {name: xp.scalar(value) for name, value in letters.items()}
        with xp.working():
            self.letters = {name: self.plain.scalar(value) for name, value in letters.items()}
            self.entries: Sequences = {"x": {0: self.plain.stored(np.asarray(self.plain.vector(start)))}}
            self.L = None if problem.L is None else self.plain.scalar(problem.L)
        self.start_error = float(xp.apart(xp.vectors([list(start)]), self.entries["x"][0][None])[0])
        self.steps, self.ended, self.moved = 0, "", 0.0

    def go(self, steps: int) -> Iteration:
        past: RunView | None = None
        with np.errstate(all="ignore"), self.xp.working():
            for k in range(steps):
                if self._over(k):
                    break
                try:
                    past = self._step(k, past, steps)
                except RunEnds as why:
                    self.ended = str(why)
                except ZeroDivisionError:
                    self.ended = f"a division by zero at step {k}"
                if self.ended:
                    break
                self.steps = k + 1
            else:
                self._over(steps)
        return self

    def _step(self, k: int, before: RunView | None, steps: int) -> RunView:
        x = self.entries["x"][k]
        past = RunView(self.problem, self.plain, k, x, self.problem.grad(self.plain, x), before, self.L, steps, self)
        if before is not None and not self.rule.remembers:
            before.forget()
        eta = self.rule.step(past)
        past.eta = self._accepted(eta, past)
        if not self.ended:
            if set(past.noted) != set(self.rule.records):
                raise RuleError(
                    f"rule '{self.rule.name}' noted {sorted(past.noted)} at step {k}; it records {sorted(self.rule.records)}"
                )
            self._set(past.noted, k)
            self.advance(k, past.eta)
            self._refuse_another_formula(k, eta)
            self._refuse_undefined(k)
        return past

    def _refuse_another_formula(self, k: int, eta: Any) -> None:
        """Where steps are by a formula, and not what the rule says, the rule must say the same."""
        for update in self.method.each:
            if update.name == "eta":
                formula = np.asarray(self.value(k, update.to), dtype=self.plain.dtype).reshape(-1)
                said = np.asarray(eta, dtype=self.plain.dtype).reshape(-1)
                if np.isin(self.plain.compare(formula, said), (Order.LESS, Order.GREATER)).any():
                    raise RuleError(f"rule '{self.rule.name}' does not follow {update.sets} == {update.to} at step {k}")

    def _accepted(self, eta: Any, past: RunView) -> Any:
        said = np.asarray(eta, dtype=self.plain.dtype).reshape(-1)
        eta = self.plain.frozen(said)
        self.moved = max(self.moved, self.plain.moved_by(said, eta))
        if len(eta) != 1:
            raise RuleError(f"rule '{self.rule.name}' returned {len(eta)} numbers at step {past.k}; needs one")
        step = eta[0]
        if isinstance(step, Undefined) or not (0 < step and (self.xp.exact or step < np.inf)):
            self.ended = why_refused(self.rule, past.k, step, past.grad, past.x, self.problem, self.xp)
        return step

    def advance(self, k: int, eta: Any) -> None:
        """Make step k with this eta. A rule may try several: each overwrites what the one before set."""
        self._set({"eta": eta}, k)
        here = Here(self.problem, self.plain, k, self._entry, self.letters)
        for update in updates_at(self.method, k):
            value = here.value(self.read(update.to))
            bare = self.plain.stored(np.asarray(value, dtype=self.plain.dtype))
            is_point = isinstance(update.to, Vector)
            self.entries.setdefault(update.name, {})[here.at(update.index)] = bare if is_point else bare.reshape(-1)[0]
            here = Here(self.problem, self.plain, k, self._entry, self.letters)

    def read(self, formula: Node) -> Node:
        """The formula as it is computed: f as f - f*, where there is a minimiser and that is the same."""
        return formula if self.problem.minimiser is None else _in_gaps(formula)

    def _entry(self, name: str, index: int) -> Any:
        try:
            return self.entries[name][index]
        except KeyError:
            raise RuleError(f"{self.method.name} reads {name}_{index}, which nothing has set; give it in `first`") from None

    def _set(self, numbers: Mapping[str, Any], k: int) -> None:
        for name, value in numbers.items():
            bare = self.plain.stored(np.asarray(value, dtype=self.plain.dtype))
            self.entries.setdefault(name, {})[k] = bare.reshape(-1)[0]

    # -- for rules that try steps ----------------------------------------------------------------------------------------

    def value(self, k: int, formula: Node) -> Any:
        """A formula at step k, as the plain run computes it."""
        return Here(self.problem, self.plain, k, self._entry, self.letters).value(self.read(formula))

    def holds(self, k: int, relation: Relation) -> bool:
        """Does a relation certainly hold at step k, for the stored points?"""
        here = Here(self.problem, self.xp, k, self.enclosed_entry, self.enclosed)
        left, right = (here.value(self.read(side)) for side in (relation.left, relation.right))
        return bool((truth(self.xp.compare(left, right), relation.op) == Truth.YES).all())

    def defined(self, k: int) -> bool:
        """Did every entry of this step come out as a number?"""
        return not any(isinstance(entry, Undefined) for entry in self._newest(k))

    def enclosed_entry(self, name: str, index: int) -> Any:
        stored = self._entry(name, index)
        if isinstance(stored, np.ndarray) and stored.ndim:
            return self.xp.vectors(stored[None, None])
        return self.xp.scalars(np.asarray(stored, dtype=self.plain.dtype).reshape(1, 1))

    # -- endings -----------------------------------------------------------------------------------------------------------

    def _newest(self, k: int) -> list[Any]:
        found: list[Any] = []
        for entries in self.entries.values():
            for index in (k, k + 1):
                if index in entries:
                    found += np.asarray(entries[index], dtype=self.plain.dtype).reshape(-1).tolist()
        return found

    def _refuse_undefined(self, k: int) -> None:
        for entry in self._newest(k):
            if isinstance(entry, Undefined):
                self.ended = f"step {k} is not rational: {entry.reason}"
            elif self.plain.dtype != object and not np.isfinite(entry):
                self.ended = f"the run left the floating-point numbers at step {k}"

    def _over(self, k: int) -> bool:
        """A zero gradient ends a method that knows nothing but x; others may pass through a minimiser."""
        x = self.entries["x"][k]
        g = self.problem.grad(self.plain, x)
        if not np.any(g != 0):
            if k == 0 or self.method.forgets:
                exactly = not self.plain.encloses or all(entry == 0 for entry in g)
                self.ended = why_over(0, k) if exactly else too_small(k, self.xp)
        elif self.xp.exact:
            self.ended = why_stop(x, g, k)
        elif self._may_have_landed(g):
            self.ended = too_small(k, self.xp)
        return bool(self.ended)

    def _may_have_landed(self, g: Any) -> bool:
        """Whether exact steps by a formula may have ended the run here: in balls they come within rounding of x* in one step."""
        by_formula = self.xp.certified and self.method.forgets and any(update.name == "eta" for update in self.method.each)
        if not by_formula:
            return False
        before, self._gradient_size = self._gradient_size, max((abs(float(entry)) for entry in g), default=0.0)
        return self._gradient_size <= LANDED * self.xp.frozen_within**2 * before


@lru_cache(maxsize=1000)  # the few formulas that methods and rules have, each rewritten once
def _in_gaps(formula: Node) -> Node:
    return formula if moves(formula) else in_gaps(formula)


def updates_at(method: Method, k: int) -> list[Update]:
    """What is set at step k, in order: at step 0, entries of `first` come before the rest or in place of an update."""
    if k:
        return list(method.each)
    given = {update.name: update for update in method.first}
    replaced = {u.name for u in method.each if u.index.offset == 0 and u.name in given}
    before = [update for update in method.first if update.name not in replaced]
    own = [update for update in method.each if update.name == "eta"]  # steps by a formula come before what reads them
    rest = [update for update in method.each if update not in own]
    return own + before + [given[u.name] if u.index.offset == 0 and u.name in replaced else u for u in rest]
