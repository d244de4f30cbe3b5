"""Many candidates at once in floating point: their runs, how far the claim is from failing, and whether its hypotheses hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from boundcheck.claims.hypotheses import is_search
from boundcheck.falsify.lane_formulas import NEARLY, LaneFormulas, UnreadableEntry
from boundcheck.falsify.lane_functions import ClaimTrees, Demand, Floats, Functions, RoleRun, StepEquation
from boundcheck.language.canonical import HORIZON
from boundcheck.language.interpreter import index_at, places
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Reduce, Scalar, Term
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean, Point
from boundcheck.library.declarations import step_search
from boundcheck.model.step_search import COUNTED, FIRST_STEP

MOST_HALVINGS = 16  # of eta0, by a search: a candidate whose step is smaller does not count
SCAN, NARROWINGS = np.geomspace(1e-2, 1e2, 17), 20  # where an implicit step is looked for, in units of 1/L


class LaneRuns(LaneFormulas):
    """Formulas over the runs that a claim is about."""

    def __init__(
        self,
        claim: ClaimTrees,
        functions: Functions,
        smoothness: str,
        parameters: Mapping[str, Floats],
        ends: Mapping[str, Floats],
    ) -> None:
        super().__init__(functions, claim.chosen(smoothness), parameters, ends)
        self.claim = claim
        self.horizon: dict[str, int] = {}  # the value of K, which a schedule may read

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
            return np.broadcast_to(self.scalar(equation.formula, {"#step": k, **self.horizon}), (self.f.lanes,))
        except UnreadableEntry:
            if not equation.looks_ahead:
                return free[:, k]  # the equation leaves this step open
        return self._root(equation.formula, run, free[:, k], k)

    def _root(self, formula: Scalar, run: RoleRun, hint: Floats, k: int) -> Floats:
        """Return a step that its equation allows: the hint, where it is one, else the nearest that a scan finds, or nan."""
        unit = 1 / self.constants["L"] if "L" in self.constants else np.ones(self.f.lanes)

        def excess(eta: Floats) -> Floats:
            self.put("eta", k, eta, k)
            self._update(run, k)
            return np.asarray(eta - self.scalar(formula, {"#step": k, **self.horizon}))

        fits = np.abs(excess(hint)) <= NEARLY * hint
        given = np.where(
            fits, hint, self.scalar(formula, {"#step": k, **self.horizon})
        )  # the root, where the equation does not look at the step
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
        """Return the steps that the search from eta0 returns for the two runs.

        What it counts. It tests steps as certificates do.
        """
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


@dataclass(frozen=True)
class Scores:
    """For each lane: how far the claim fails at k (positive: it does), left over right, and whether every hypothesis holds."""

    k: int
    link: int
    steps: int  # that the claim at k reads
    op: str
    violation: Floats
    ratio: Floats
    slack: Floats  # of the tightest hypothesis: negative where one fails

    @property
    def feasible(self) -> NDArray[np.bool_]:
        return np.asarray((self.slack >= -NEARLY) & np.isfinite(self.violation))

    @property
    def fails(self) -> NDArray[np.bool_]:
        """Where the claim seems to fail: what is strict fails at equality too."""
        return self.feasible & (self.violation > (-NEARLY if self.op in ("<", ">") else 1e-9))


def normalised(op: str, left: Floats, right: Floats) -> Floats:
    """Return how far `left op right` is from holding, between -1 and 1: positive where it fails."""
    with np.errstate(all="ignore"):
        apart = (left - right) / (np.abs(left) + np.abs(right))
    apart = np.where(left == right, 0.0, apart)
    if op in (">", ">="):
        apart = -apart
    return np.abs(apart) if op == "==" else apart


class LaneBatch(LaneRuns):
    """One claim with M chosen, on lanes of functions, starts, steps and parameters.

    `room` is by how much the functions satisfy what the claim demands of them: negative where they may not.
    """

    def __init__(
        self,
        claim: ClaimTrees,
        functions: Functions,
        *,
        smoothness: str = "",
        parameters: Mapping[str, Floats] | None = None,
        ends: Mapping[str, Floats] | None = None,
        start: Floats | None = None,
        free: Floats | None = None,
        count: int = 0,
        room: Floats | float = np.inf,
        k: int = 0,
    ) -> None:
        super().__init__(claim, functions, smoothness, parameters or {}, ends or {})
        self.horizon = {HORIZON: k} if claim.letter == HORIZON else {}
        self.room, self.limit = room, count
        self._slack: dict[tuple[int, int], Floats] = {}  # of each demand, at each step
        if start is not None and free is not None:
            with np.errstate(all="ignore"):
                self._make_runs(start, free, count)

    def scores(self, ks: Sequence[int]) -> list[Scores]:
        """For each k and each relation of the claim, with the fewest steps that it can be read from."""
        found = []
        with np.errstate(all="ignore"):
            for k in ks:
                steps = self.fewest_steps(k)
                if steps is None:
                    continue
                self.limit = steps
                slack = self._least_slack(k)
                at = {self.claim.letter: k}
                for number, link in enumerate(self.claim.links):
                    if link.op == "->":
                        continue
                    left, right = (np.broadcast_to(self.scalar(side, at), (self.f.lanes,)) for side in (link.left, link.right))
                    small, large = (right, left) if link.op in (">", ">=") else (left, right)
                    ratio = np.where(large > 0, small / large, -np.inf)
                    found.append(Scores(k, number, steps, link.op, normalised(link.op, left, right), ratio, slack))
        return found

    def fewest_steps(self, k: int) -> int | None:
        """Return how many steps the claim at k reads, its hypotheses with it; None where the run is too short."""
        most = max(self.made.values(), default=-1) + 1
        letter = self.claim.letter
        for self.limit in range(max(k, min(1, most)), most + 1):
            if all(self._is_readable(link, {letter: k}) for link in self.claim.links) and all(
                any(self._is_readable(demand.relation, {letter: k, "#step": i}) for i in self._asked_at(demand, k))
                for demand in self.claim.demands
            ):
                return self.limit
        return None

    def _is_readable(self, node: Node, at: Mapping[str, int]) -> bool:
        """Return whether the run has every entry that a formula or relation reads."""
        if isinstance(node, Point | Term) and node.index is not None:
            entry = (node.run or self.role, node.name, index_at(node.index, at))
            return self.made.get(entry, self.limit) < self.limit
        if isinstance(node, Reduce | Mean):
            return all(self._is_readable(part, place) for place in places(node, at) for part in node.children)
        return all(self._is_readable(part, at) for part in node.children)

    def _asked_at(self, demand: Demand, k: int) -> Sequence[int]:
        return [k] if demand.is_once else range(self.limit + 2)

    def _least_slack(self, k: int) -> Floats:
        """By how much the tightest hypothesis holds at the steps that the run has."""
        slack = np.broadcast_to(self.room, (self.f.lanes,))
        for number, demand in enumerate(self.claim.demands):
            for i in self._asked_at(demand, k):
                if self._is_readable(demand.relation, at := {self.claim.letter: k, "#step": i}):
                    if (number, i) not in self._slack:
                        self._slack[number, i] = self._held(demand.relation, at)
                    slack = np.minimum(slack, self._slack[number, i])
        for (_, name), own in self.entries.items():
            for n, eta in own.items() if name == "eta" else ():
                slack = np.where(eta > 0, slack, -2.0) if n < self.limit else slack
        return slack

    def _held(self, relation: Relation, at: Mapping[str, int]) -> Floats:
        sides = (np.asarray(self.scalar(side, at), float) for side in (relation.left, relation.right))
        left, right = np.broadcast_arrays(*sides)
        slack = -normalised(relation.op, left, right)
        if relation.op in ("<", ">"):
            slack = np.where(slack > NEARLY, slack, np.minimum(slack, -2 * NEARLY))
        if relation.op == "==":
            slack = np.where(slack > -1e-9, 0.0, slack)
        return np.where(np.isnan(slack), -2.0, slack)
