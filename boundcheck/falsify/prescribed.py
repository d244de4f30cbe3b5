"""What a claim's JSON says of the steps: their equation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def step_formulas(claim: Mapping[str, Any]) -> dict[str, Any]:
    """For each run, the right side of an equation eta_i == ... among the hypotheses."""
    found: dict[str, Any] = {}
    for h in claim["given"]:
        for kind in ("follows", "at each step"):
            if kind in h and (formula := step_formula(h[kind])) is not None:
                found.setdefault(*formula)
    return found


def step_formula(relation: Any) -> tuple[str, Any] | None:
    """(run, right side) of eta_i == ...; None for another relation."""
    left = relation["left"]
    if relation["op"] != "==" or left["is"] != "Term" or left["name"] != "eta":
        return None
    return (left["run"], relation["right"]) if left["index"] == {"index": "#step", "plus": 0} else None


def looks_ahead(node: Any) -> bool:
    """Does a formula for step i read what comes after it? The number i + 1 is no entry."""
    if isinstance(node, dict):
        if node.get("is") == "IndexNumber":
            return False
        if node.get("index") == "#step" and node.get("plus", 0) > 0:
            return True
        return any(looks_ahead(part) for part in node.values())
    return isinstance(node, list) and any(looks_ahead(part) for part in node)


def steps_left_open(formula: Any) -> int:
    """How many of the first steps an explicit equation leaves open: those before it can be read, as with eta_0 / sqrt(i+1)."""
    if isinstance(formula, list):
        return max((steps_left_open(part) for part in formula), default=0)
    if not isinstance(formula, dict):
        return 0
    if formula.get("is") in ("Point", "Term") and (index := formula["index"]) is not None:
        if index["index"] is not None:
            return max(0, -int(index["plus"]))  # it looks so far back
        return int(index["plus"]) + int(formula["name"] == "eta")
    return max((steps_left_open(part) for part in formula.values()), default=0)
