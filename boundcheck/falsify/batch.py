"""A claim on many candidates at once, in floating point: how far it is from failing at each, and whether its hypotheses hold.

What it finds is a hint; `exact.look` decides. It reads the claim's JSON, as the independent checker does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.falsify.functions import Floats, Functions
from boundcheck.falsify.prescribed import looks_ahead, step_formula
from boundcheck.falsify.running import NEARLY, Running
from boundcheck.verify import PARTS


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
        claim: Mapping[str, Any],
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
        super().__init__(functions, smoothness, parameters or {}, ends or {})
        self.claim, self.room, self.limit = claim, room, count
        self._slack: dict[tuple[int, int], Any] = {}
        self.links = claim["states"].get("links", [claim["states"]])
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
                for number, link in enumerate(self.links):
                    if link["op"] == "->":
                        continue
                    at = {self._letter: k}
                    left, right = (np.broadcast_to(self.value(link[s], at), (self.f.lanes,)) for s in ("left", "right"))
                    small, large = (right, left) if link["op"] in (">", ">=") else (left, right)
                    ratio = np.where(large > 0, small / large, -np.inf)
                    found.append(Scores(k, number, steps, link["op"], normalised(link["op"], left, right), ratio, slack))
        return found

    def fewest_steps(self, k: int) -> int | None:
        """How many steps the claim at k reads, its hypotheses with it; None where the run is too short."""
        most = max(self.made.values(), default=-1) + 1
        for self.limit in range(max(k, min(1, most)), most + 1):
            if all(self._is_readable(link, {self._letter: k}) for link in self.links) and all(
                any(self._is_readable(what, {self._letter: k, "#step": i}) for i in self._asked_at(kind, k))
                for kind, what in self._conditions
            ):
                return self.limit
        return None

    def _is_readable(self, node: Any, at: Mapping[str, int]) -> bool:
        """Has the run every entry that a formula or relation reads?"""
        if node.get("is") in ("Point", "Term") and node["index"] is not None:
            role, index = node["run"] or self.role, self._index(node["index"], at)
            return self.made.get((role, node["name"], index), self.limit) < self.limit
        if node.get("is") in ("Reduce", "Mean"):
            low, high = self._index(node["low"], at), self._index(node["high"], at)
            inside = [node[part] for part in ("body", "weight", "of", "where") if node.get(part) is not None]
            return all(self._is_readable(part, {**at, node["letter"]: n}) for n in range(low, high + 1) for part in inside)
        return all(self._is_readable(node[part], at) for part in PARTS if part in node)

    @property
    def _letter(self) -> str:
        return str(self.claim["for_all"]["letter"])

    @property
    def _conditions(self) -> list[tuple[str, Any]]:
        """The hypotheses that are relations. A step that an equation gave obeys it."""
        asked = [item for h in self.claim["given"] for item in h.items() if item[0] not in ("fact", "runs")]
        formulas = [(kind, what, step_formula(what) if kind != "once" else None) for kind, what in asked]
        return [(kind, what) for kind, what, f in formulas if f is None or f[0] or looks_ahead(f[1])]

    def _asked_at(self, kind: str, k: int) -> Sequence[int]:
        return [k] if kind == "once" else range(self.limit + 2)

    def _least_slack(self, k: int) -> Floats:
        """By how much the tightest hypothesis holds at the steps that the run has."""
        slack = np.broadcast_to(self.room, (self.f.lanes,))
        for kind, what in self._conditions:
            for i in self._asked_at(kind, k):
                if self._is_readable(what, at := {self._letter: k, "#step": i}):
                    key = (id(what), i) if kind != "once" else (id(what), k)
                    if key not in self._slack:
                        self._slack[key] = self._held(what, at)
                    slack = np.minimum(slack, self._slack[key])
        for (_, name), own in self.entries.items():
            for n, eta in own.items() if name == "eta" else ():
                slack = np.where(eta > 0, slack, -2.0) if n < self.limit else slack
        return slack

    def _held(self, relation: Any, at: Mapping[str, int]) -> Any:
        left, right = (self.value(relation[side], at) for side in ("left", "right"))
        left, right = np.broadcast_arrays(np.asarray(left, float), np.asarray(right, float))
        slack = -normalised(relation["op"], left, right)
        if relation["op"] in ("<", ">"):
            slack = np.where(slack > NEARLY, slack, np.minimum(slack, -2 * NEARLY))
        if relation["op"] == "==":
            slack = np.where(slack > -1e-9, 0.0, slack)
        return np.where(np.isnan(slack), -2.0, slack)
