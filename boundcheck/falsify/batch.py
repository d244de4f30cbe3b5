"""A claim on many candidates at once, in floating point: the runs, the hypotheses and both sides, by the plain definition.

What it finds is a hint; `exact.look` decides. It reads the claim's JSON, as the independent checker does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.falsify.functions import Floats, Functions

PARTS = ("factor", "base", "left", "right", "of", "at", "start", "end")
NEARLY = 1e-12  # an inequality that floating point misses by no more may hold
SCAN, NARROWINGS = np.geomspace(1e-2, 1e2, 17), 20  # where an implicit step is looked for, in units of 1/L
EXPONENTIAL_SEARCH, MOST_HALVINGS = "exponential search", 16


class Unreadable(LookupError):
    """An entry that the run does not have (yet)."""


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


class Batch:
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
        self.claim, self.f, self.M, self.room = claim, functions, smoothness, room
        self.parameters, self.constants = dict(parameters or {}), functions.constants
        self.ends, self.role, self.limit = dict(ends or {}), "", count
        self.entries: dict[tuple[str, str], dict[int, Any]] = {}
        self.made: dict[tuple[str, str, int], int] = {}  # at which step an entry was made
        self._known: dict[Any, Any] = {}
        self._slack: dict[tuple[int, int], Any] = {}
        self.links = claim["states"].get("links", [claim["states"]])
        self.runs: Any = next((h["runs"] for h in claim["given"] if "runs" in h), {"steps": "", "roles": []})
        if start is not None and free is not None:
            with np.errstate(all="ignore"):
                self._make_runs(start, free, count)

    # -- formulas --------------------------------------------------------------------------------------------------------

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
            return _power(parts[0], _number(node["exponent"]))
        if kind == "Parameter":
            return self.parameters[node["name"]]
        if kind == "Constant":
            return self.constants[node["name"]]
        if kind == "Minimum":
            return self.ends["x*"]
        return self._chord(self.M if node["kind"] == "M" else node["kind"], *parts)

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

    # -- runs ------------------------------------------------------------------------------------------------------------

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

    # -- scores ----------------------------------------------------------------------------------------------------------

    def scores(self, ks: Sequence[int]) -> list[Scores]:
        """For each k and each relation of the claim, with the fewest steps that it can be read from."""
        found = []
        with np.errstate(all="ignore"):
            for k in ks:
                steps = self._fewest_steps(k)
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

    def _fewest_steps(self, k: int) -> int | None:
        """How many steps the claim at k reads, its hypotheses with it; None where the run is too short."""
        most = max(self.made.values(), default=-1) + 1
        for self.limit in range(min(1, most), most + 1):
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


def halvings(is_small: Callable[[int], Any]) -> tuple[int, int, int]:
    """How often exponential search halves eta0 for the step that it returns and for eta_hi, and how many runs it makes."""
    seen, low, high = 0, -1, 0
    for rounds in range(1, MOST_HALVINGS.bit_length()):
        for m in (0, 2**rounds):
            seen += 1
            if low < 0 and is_small(m):
                low = m
                break
        if low >= 0:
            break
    while low - high > 1:
        seen, middle = seen + 1, (low + high) // 2
        low, high = (middle, high) if is_small(middle) else (low, middle)
    return low, high, seen


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
    """Does a formula for step i read what comes after it?"""
    if isinstance(node, dict):
        if node.get("index") == "#step" and node.get("plus", 0) > 0:
            return True
        return any(looks_ahead(part) for part in node.values())
    return isinstance(node, list) and any(looks_ahead(part) for part in node)


def updates(method: Any, k: int) -> list[Any]:
    """What is set at step k. At step 0, `first` comes before the rest, or in the place of an update of the same entry."""
    first = {} if k else {u["sets"]["name"]: u for u in method["first"]}
    same = {u["sets"]["name"] for u in method["each"] if u["sets"]["index"]["plus"] == 0} & {*first}
    each = [first[name] if (name := u["sets"]["name"]) in same else u for u in method["each"]]
    return [u for name, u in first.items() if name not in same] + each


@cache
def _number(text: str) -> float:
    return float(Fraction(text))


def _power(base: Any, exponent: float) -> Any:
    return np.power(base, exponent)


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
