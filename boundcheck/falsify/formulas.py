"""What a formula of a claim's JSON means for many candidates at once, in floating point, by the plain definition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from boundcheck.falsify.functions import Floats, Functions
from boundcheck.verify import PARTS


class Unreadable(LookupError):
    """An entry that the run does not have (yet)."""


class Formulas:
    """Values of formulas, a lane a candidate: of the entries of its runs, the ends of its chord, its letters and constants."""

    def __init__(
        self, functions: Functions, smoothness: str, parameters: Mapping[str, Floats], ends: Mapping[str, Floats]
    ) -> None:
        self.f, self.M = functions, smoothness
        self.parameters, self.constants, self.ends = dict(parameters), functions.constants, dict(ends)
        self.role, self.limit = "", 0  # whose entries are read, and from how many steps
        self.entries: dict[tuple[str, str], dict[int, Any]] = {}
        self.made: dict[tuple[str, str, int], int] = {}  # at which step an entry was made
        self._known: dict[Any, Any] = {}

    def value(self, node: Any, at: Mapping[str, int]) -> Any:
        """The number (lanes,) or vector (lanes, d) that a formula means."""
        kind = node["is"]
        if kind in ("Reduce", "Mean"):
            return self._range(node, at)
        if kind in ("Point", "Term") and node["index"] is not None:
            return self._entry(node["run"] or self.role, node["name"], self._index(node["index"], at))
        if kind in ("Point", "IndexNumber"):
            return self.ends[node["name"]] if kind == "Point" else float(self._index(node["index"], at))
        if kind in ("Value", "Grad"):
            return self._oracle(kind, self.value(node["at"], at))
        parts = [self.value(node[part], at) for part in PARTS if part in node]
        return self._meaning(kind, node, parts)

    def _meaning(self, kind: str, node: Any, parts: list[Any]) -> Any:
        if kind in MEANING:
            return MEANING[kind](*parts)
        if kind == "Number":
            return _number(node["value"])
        if kind == "Power":
            return np.power(parts[0], _number(node["exponent"]))
        if kind == "Parameter":
            return self.parameters[node["name"]]
        if kind == "Constant":
            return self.constants[node["name"]]
        if kind == "Minimum":
            return self.ends["x*"]
        if node["kind"] == "M":  # a directional smoothness function is not negative
            found = self._chord(self.M, *parts)
            return np.where(found >= 0, found, np.nan)
        return self._chord(node["kind"], *parts)

    def _entry(self, role: str, name: str, index: int) -> Any:
        if self.made.get((role, name, index), self.limit) >= self.limit:
            raise Unreadable(name)
        return self.entries[role, name][index]

    def _index(self, index: Any, at: Mapping[str, int]) -> int:
        return int(index["plus"]) + (0 if index["index"] is None else at[index["index"]])

    def _oracle(self, kind: str, point: Floats) -> Any:
        key = (kind, id(point))
        if key not in self._known:  # the point is kept too, so that its id stays its own
            self._known[key] = (self.f.value(point) if kind == "Value" else self.f.grad(point)), point
        return self._known[key][0]

    def _range(self, node: Any, at: Mapping[str, int]) -> Any:
        low, high = self._index(node["low"], at), self._index(node["high"], at)
        here = [{**at, node["letter"]: n} for n in range(low, high + 1)]
        if node["is"] == "Mean":
            weights, points = ([self.value(node[part], place) for place in here] for part in ("weight", "of"))
            total = sum(w[:, None] * p if np.ndim(w) else w * p for w, p in zip(weights, points, strict=True))
            weight = sum(weights)
            return total / (weight[:, None] if np.ndim(weight) else weight)
        nothing = {"sum": 0.0, "prod": 1.0, "min": np.inf, "max": -np.inf}[node["kind"]]
        combine = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}[node["kind"]]
        total = nothing
        for place in here:
            value = self.value(node["body"], place)
            if node["where"] is not None:
                inside = node["where"]
                sides = (self.value(inside[side], place) for side in ("left", "right"))
                value = np.where(HOLDS[inside["op"]](*sides), value, nothing)
            total = combine(total, value)
        return total

    def _chord(self, kind: str, x: Floats, y: Floats) -> Floats:
        if kind == "L":
            return self.constants["L"]
        key = (kind, id(x), id(y))
        if key in self._known:
            found: Floats = self._known[key][0]
            return found
        d = y - x
        square = (d * d).sum(-1)
        if kind == "D":
            change = self._oracle("Grad", y) - self._oracle("Grad", x)
            made = 2 * np.sqrt((change * change).sum(-1) / square)
        elif kind == "H":
            rise = self._oracle("Value", y) - self._oracle("Value", x)
            made = 2 * np.abs(rise - (self._oracle("Grad", x) * d).sum(-1)) / square
        else:
            pick = np.fmax.reduce if kind == "A" else np.fmin.reduce
            made = pick(self.f.secants(x, y), 1)
        self._known[key] = made, x, y
        return np.asarray(made)


@cache
def _number(text: str) -> float:
    return float(Fraction(text))


def _times(factor: Any, vector: Floats) -> Floats:
    return np.asarray((factor[:, None] if np.ndim(factor) else factor) * vector)


HOLDS: dict[str, Callable[..., Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
}
MEANING: dict[str, Callable[..., Any]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "Div": np.divide,
    "Neg": lambda a: -a,
    "Abs": np.abs,
    "Normsq": lambda v: (v * v).sum(-1),
    "Norm": lambda v: np.sqrt((v * v).sum(-1)),
    "Inner": lambda u, v: (u * v).sum(-1),
    "Log": np.log,
    "Larger": np.maximum,
    "Smaller": np.minimum,
    "Plus": lambda u, v: u + v,
    "Minus": lambda u, v: u - v,
    "Scaled": _times,
}
