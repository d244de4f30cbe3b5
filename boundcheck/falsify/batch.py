"""A claim on many candidates at once, in floating point: how far it is from failing at each, and whether its hypotheses hold.

What it finds is a hint; `exact.look` decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boundcheck.falsify.claim_trees import ClaimTrees, Demand
from boundcheck.falsify.functions import Floats, Functions
from boundcheck.falsify.running import NEARLY, Running
from boundcheck.language.interpreter import index_at, places
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Reduce, Term
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean, Point


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
    """How far `left op right` is from holding, between -1 and 1: positive where it fails."""
    with np.errstate(all="ignore"):
        apart = (left - right) / (np.abs(left) + np.abs(right))
    apart = np.where(left == right, 0.0, apart)
    if op in (">", ">="):
        apart = -apart
    return np.abs(apart) if op == "==" else apart


class Batch(Running):
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
    ) -> None:
        super().__init__(claim, functions, smoothness, parameters or {}, ends or {})
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
        """How many steps the claim at k reads, its hypotheses with it; None where the run is too short."""
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
        """Has the run every entry that a formula or relation reads?"""
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
