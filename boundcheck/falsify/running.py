"""Runs of many candidates at once: each method's updates, with the steps that the claim prescribes or the lane's own."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from boundcheck.claims.hypotheses import is_search
from boundcheck.falsify.claim_trees import ClaimTrees, RoleRun, StepEquation
from boundcheck.falsify.formulas import Formulas, Unreadable
from boundcheck.falsify.functions import Floats, Functions
from boundcheck.language.interpreter import index_at
from boundcheck.language.scalars import Scalar
from boundcheck.library.declarations import step_search
from boundcheck.model.step_search import COUNTED, FIRST_STEP

MOST_HALVINGS = 16  # of eta0, by a search: a candidate whose step is smaller does not count
NEARLY = 1e-12  # an equation or inequality that floating point misses by no more may hold
SCAN, NARROWINGS = np.geomspace(1e-2, 1e2, 17), 20  # where an implicit step is looked for, in units of 1/L


class Running(Formulas):
    """Formulas over the runs that a claim is about."""

    def __init__(
        self,
        claim: ClaimTrees,
        functions: Functions,
        smoothness: str,
        parameters: Mapping[str, Floats],
        ends: Mapping[str, Floats],
    ) -> None:
        super().__init__(functions, smoothness, parameters, ends)
        self.claim = claim

    def _make_runs(self, start: Floats, free: Floats, count: int) -> None:
        """Every entry of every run. Steps are those of the claim's equation where it has one, else the lane's own."""
        equations = self.claim.equations
        if is_search(self.claim.steps):
            free, equations = self._searched(start, count), {}
        for run in self.claim.runs:
            self.role = run.role
            self.put("x", 0, start, -1)
            equation = equations.get(self.role, equations.get("") if self.claim.steps else None)
            for k in range(count):
                self.limit = k + 1
                self.put("eta", k, self._step(equation, run, free, k), k)
                self._update(run, k)
        self.role, self.limit = "", count

    def _update(self, run: RoleRun, k: int) -> None:
        at = {"k": k}
        for update in run.later if k else run.at_first:
            self.put(update.name, index_at(update.index, at), self.value(update.to, at), k)

    def _step(self, equation: StepEquation | None, run: RoleRun, free: Floats, k: int) -> Floats:
        if self.role and self.claim.steps == "the same steps":
            same: Floats = self.entries["", "eta"][k]
            return same
        if equation is None:
            return free[:, k] if free.ndim == 2 else free[int(bool(self.role)), :, k]
        self.limit = k + 1
        try:
            return np.broadcast_to(self.scalar(equation.formula, {"#step": k}), (self.f.lanes,))
        except Unreadable:
            if not equation.looks_ahead:
                return free[:, k]  # the equation leaves this step open
        return self._root(equation.formula, run, free[:, k], k)

    def _root(self, formula: Scalar, run: RoleRun, hint: Floats, k: int) -> Floats:
        """A step that its equation allows: the hint, where it is one, else the nearest that a scan finds, or nan."""
        unit = 1 / self.constants["L"] if "L" in self.constants else np.ones(self.f.lanes)

        def excess(eta: Floats) -> Floats:
            self.put("eta", k, eta, k)
            self._update(run, k)
            return np.asarray(eta - self.scalar(formula, {"#step": k}))

        fits = np.abs(excess(hint)) <= NEARLY * hint
        given = np.where(fits, hint, self.scalar(formula, {"#step": k}))  # the root, where the equation does not look at the step
        if (np.isnan(given) | (np.abs(excess(given)) <= NEARLY * given)).all():
            return given
        low, high, far = unit * np.nan, unit * np.nan, np.full(self.f.lanes, np.inf)
        before = excess(unit * SCAN[0])
        for last, scale in pairwise(SCAN):
            here = excess(unit * scale)
            away = np.abs(np.log(unit * scale / hint))
            nearer = (before * here <= 0) & (away < far)
            low, high = np.where(nearer, unit * last, low), np.where(nearer, unit * scale, high)
            far, before = np.where(nearer, away, far), here
        below, above = excess(low), excess(high)
        root = high
        for _ in range(NARROWINGS):  # the Illinois form of the rule of false position
            root = np.where(above == below, high, high - above * (high - low) / (above - below))
            here = excess(root)
            crosses = here * above < 0
            low, below = np.where(crosses, high, low), np.where(crosses, above, below / 2)
            high, above = root, here
        return np.where(fits, hint, root)

    def _searched(self, start: Floats, count: int) -> Floats:
        """The steps that the search from eta0 returns for the two runs; what it counts. It tests steps as certificates do."""
        eta0, halving = self.parameters[FIRST_STEP], step_search(self.claim.steps)
        small = np.stack([self._is_small(eta0 * 0.5**m, start, count) for m in range(MOST_HALVINGS + 1)])
        found = [halving(column.__getitem__, MOST_HALVINGS) for column in small.T]
        low, high, seen = (np.array(column, float) for column in zip(*found, strict=True))
        self.parameters |= dict(zip(COUNTED, (seen * count, seen), strict=True))
        self.halvings = np.stack([low, high, seen], 1)
        return np.stack([np.repeat((eta0 * 0.5**m)[:, None], count, 1) for m in (low, high)])

    def _is_small(self, eta: Floats, x: Floats, count: int) -> NDArray[np.bool_]:
        """sum (eta M_i - 1) |grad f(x_i)|^2 <= 0, by one run of gradient descent."""
        total, mark = np.zeros(self.f.lanes), self.new_mark()
        for _ in range(count):
            g, next_mark = self.gradient(x, mark), self.new_mark()
            after = x - eta[:, None] * g
            total = total + (eta * self.chord(self.M, x, after, mark, next_mark) - 1) * (g * g).sum(-1)
            x, mark = after, next_mark
        return np.asarray(total <= 0)
