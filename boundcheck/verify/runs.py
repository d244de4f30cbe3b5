"""The runs: every entry, from the start and the chosen steps, by the updates of the methods.

A file gives where a run starts, its steps eta, and other numbers that no update sets. At step k the method's updates are made in
order. A step that is null is computed from the equation that the claim says the steps follow; it is then a ball.
"""

from __future__ import annotations

from typing import Any

from flint import arb

from .arithmetic import ZERO, holds
from .budgets import Vector, sized
from .claim_shape import SAME_STEPS, SEARCH, STEP
from .fields import rationals
from .interpretation import Interpretation
from .refusals import must, need, shown
from .step_search import check_search

Chosen = dict[str, dict[str, Vector]]  # by role: the start, eta, and other sequences of numbers


class Runs:
    """The runs of a certificate. When they are made, their entries are in the interpretation."""

    def __init__(self, claim: Any, data: Any, meaning: Interpretation) -> None:
        found = [hypothesis["runs"] for hypothesis in claim["given"] if "runs" in hypothesis]
        need(len(found) == 1, "the claim does not say which method it is about")
        (self.named,) = found
        self.meaning = meaning
        chosen: Chosen = {
            role: {name: rationals(values, holes=name == "eta") for name, values in own.items()}
            for role, own in data["roles"].items()
        }
        self.steps = len(chosen[""]["eta"])
        self.open = {k for k, eta in enumerate(chosen[""]["eta"]) if eta is None}  # the steps that are null
        self.rule = self._rule(claim, chosen)  # the equation that gives them
        self.is_searched = self.named["steps"] == SEARCH
        self._check_the_same(chosen)
        if self.is_searched:
            given = [chosen[entry["role"]]["eta"] for entry in self.named["roles"]]
            check_search(meaning, given, chosen[""]["start"])
        for entry in self.named["roles"]:
            self._make(entry["role"], entry["method"], chosen[entry["role"]])
        meaning.role = ""

    def _check_the_same(self, chosen: Chosen) -> None:
        """All runs have one start; and the same steps, where the claim says so."""
        compared = list(chosen.values()) if self.named["steps"] == SAME_STEPS else [own["start"] for own in chosen.values()]
        good = all(one == compared[0] for one in compared)
        must(good, "the runs must have one start, and the same steps where the claim says so")

    def _rule(self, claim: Any, chosen: Chosen) -> Any:
        """Return the equation eta_i == ... that steps follow which are null, of the only run; {} where none is null."""
        if not self.open:
            need(all(eta is not None for own in chosen.values() for eta in own["eta"]), "only steps of the main run may be null")
            return {}
        rules = [hypothesis["follows"] for hypothesis in claim["given"] if "follows" in hypothesis]
        good = len(rules) == 1 and len(chosen) == 1 and rules[0]["op"] == "==" and _is_the_step(rules[0]["left"])
        need(good, "steps that are null need one run, and an equation eta_i == ... that they follow")
        return rules[0]

    def _make(self, role: str, method: Any, own: dict[str, Vector]) -> None:
        """Make one run, step by step."""
        meaning = self.meaning
        meaning.role, start = role, own.pop("start")
        good = len(start) == meaning.f.dimension and all(len(values) == self.steps for values in own.values())
        need(good, "a run has parts of other lengths")
        for name, values in own.items():
            meaning.entries[role, name] = dict(enumerate(values))
        meaning.entries[role, "x"] = {0: start}
        eta = meaning.entries[role, "eta"]
        for k in range(self.steps):
            if k in self.open:
                eta[k] = sized(arb(meaning.value(self.rule["right"], {STEP: k})))
            must(holds(">", eta[k], ZERO), "a step must be positive")
            for update in updates(method, k):
                name, index = update["sets"]["name"], meaning.index(update["sets"]["index"], {"k": k})
                need(name not in own, f"{shown(name)} is set by the method: a run does not choose it")
                meaning.entries.setdefault((role, name), {})[index] = meaning.value(update["to"], {"k": k})


def _is_the_step(node: Any) -> bool:
    """Tell whether a formula is eta_i, at the step i of a hypothesis, of the main run."""
    is_eta = node["is"] == "Term" and node["name"] == "eta" and node["run"] == ""
    return bool(is_eta and node["index"] == {"index": STEP, "plus": 0})


def updates(method: Any, k: int) -> list[Any]:
    """Return the updates of step k, in order.

    At step 0 those of `first` are made too: one that sets the entry of an update of `each`, y[0] for y[k], is made in its place,
    the others before all.
    """
    first = {} if k else {update["sets"]["name"]: update for update in method["first"]}
    at_k = {update["sets"]["name"] for update in method["each"] if update["sets"]["index"]["plus"] == 0}
    replaced = at_k & set(first)
    before = [update for name, update in first.items() if name not in replaced]
    each = [first[update["sets"]["name"]] if update["sets"]["name"] in replaced else update for update in method["each"]]
    return before + each
