"""Runs of many candidates at once: each method's updates, with the steps that the claim prescribes or the lane's own."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.falsify.formulas import Formulas, Unreadable
from boundcheck.falsify.functions import Floats
from boundcheck.falsify.prescribed import MOST_HALVINGS, halvings, looks_ahead, step_formulas
from boundcheck.hypotheses import EXPONENTIAL_SEARCH
from boundcheck.verify import updates

NEARLY = 1e-12  # an equation or inequality that floating point misses by no more may hold
SCAN, NARROWINGS = np.geomspace(1e-2, 1e2, 17), 20  # where an implicit step is looked for, in units of 1/L


class Running(Formulas):
    """Formulas over the runs that a claim is about."""

    claim: Mapping[str, Any]

    @property
    def runs(self) -> Any:
        return next((h["runs"] for h in self.claim["given"] if "runs" in h), {"steps": "", "roles": []})

    def _make_runs(self, start: Floats, free: Floats, count: int) -> None:
        """Every entry of every run. Steps are those of the claim's equation where it has one, else the lane's own."""
        formulas = step_formulas(self.claim)
        if self.runs["steps"] == EXPONENTIAL_SEARCH:
            free, formulas = self._searched(start, count), {}
        for role in self.runs["roles"]:
            self.role, method = role["role"], role["method"]
            self._put("x", 0, start, -1)
            formula = formulas.get(self.role, formulas.get("") if self.runs["steps"] else None)
            for k in range(count):
                self.limit = k + 1
                self._put("eta", k, self._step(formula, method, free, k), k)
                self._update(method, k)
        self.role, self.limit = "", count

    def _put(self, name: str, index: int, value: Any, step: int) -> None:
        self.entries.setdefault((self.role, name), {})[index] = value
        self.made[self.role, name, index] = step

    def _update(self, method: Any, k: int) -> None:
        for update in updates(method, k):
            index = self._index(update["sets"]["index"], {"k": k})
            self._put(update["sets"]["name"], index, self.value(update["to"], {"k": k}), k)

    def _step(self, formula: Any, method: Any, free: Floats, k: int) -> Floats:
        if self.role and self.runs["steps"] == "the same steps":
            same: Floats = self.entries["", "eta"][k]
            return same
        if formula is None:
            return free[:, k] if free.ndim == 2 else free[int(bool(self.role)), :, k]
        self.limit = k + 1
        try:
            return np.broadcast_to(self.value(formula, {"#step": k}), (self.f.lanes,))
        except Unreadable:
            if not looks_ahead(formula):
                return free[:, k]  # the equation leaves this step open
        return self._root(formula, method, free[:, k], k)

    def _root(self, formula: Any, method: Any, hint: Floats, k: int) -> Floats:
        """A step that its equation allows: the hint, where it is one, else the nearest that a scan finds, or nan."""
        unit = 1 / self.constants["L"] if "L" in self.constants else np.ones(self.f.lanes)

        def excess(eta: Floats) -> Floats:
            self._put("eta", k, eta, k)
            self._update(method, k)
            return np.asarray(eta - self.value(formula, {"#step": k}))

        fits = np.abs(excess(hint)) <= NEARLY * hint
        given = np.where(fits, hint, self.value(formula, {"#step": k}))  # the root, where the equation does not look at the step
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
        """The steps that exponential search from eta0 returns for the two runs; N and the number of searches."""
        eta0 = self.parameters["eta0"]
        small = np.stack([self._is_small(eta0 * 0.5**m, start, count) for m in range(MOST_HALVINGS + 1)])
        found = [halvings(column.__getitem__) for column in small.T]
        low, high, seen = (np.array(column, float) for column in zip(*found, strict=True))
        self.parameters |= {"N": seen * count, "searches": seen}
        self.halvings = np.stack([low, high, seen], 1)
        return np.stack([np.repeat((eta0 * 0.5**m)[:, None], count, 1) for m in (low, high)])

    def _is_small(self, eta: Floats, x: Floats, count: int) -> NDArray[np.bool_]:
        """sum (eta M_i - 1) |grad f(x_i)|^2 <= 0, by one run of gradient descent."""
        total = np.zeros(self.f.lanes)
        for _ in range(count):
            g = self.f.grad(x)
            after = x - eta[:, None] * g
            total, x = total + (eta * self._chord(self.M, x, after) - 1) * (g * g).sum(-1), after
        return np.asarray(total <= 0)
