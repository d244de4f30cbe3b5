"""A certificate in plain fractions, written apart from the checker and the framework: are its sides right, and the claim false?

It reads rational certificates of the kinds that the random ones are made of; Unreadable says that one is beyond it (logarithms,
roots that are not rational, tables). Every formula is a dictionary, every number a Fraction, every sum a loop.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from itertools import pairwise
from typing import Any

Data = dict[str, Any]
Point = tuple[Fraction, ...]
COMPARE = {"<": operator.lt, "<=": operator.le, "==": operator.eq, ">=": operator.ge, ">": operator.gt}
TWO_NUMBERS = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mul": operator.mul,
    "Div": operator.truediv,
    "Larger": max,
    "Smaller": min,
}


class Unreadable(Exception):
    """It is beyond plain fractions."""


class Outside(Exception):
    """An entry that the run does not have."""


def root(value: Fraction, q: int) -> Fraction:
    if value < 0 or q != 2:
        raise Unreadable
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if top * top != value.numerator or bottom * bottom != value.denominator:
        raise Unreadable
    return Fraction(top, bottom)


def dot(u: Point, v: Point) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def add(u: Point, v: Point, t: Fraction | int = 1) -> Point:
    return tuple(a + t * b for a, b in zip(u, v, strict=True))


class Pieces:
    """A piecewise quadratic by its segments: (left end, right end, gradient there, slope)."""

    def __init__(self, data: Data) -> None:
        if data["kind"] != "piecewise quadratic":
            raise Unreadable
        knots, gradients = ([Fraction(v) for v in data[name]] for name in ("knots", "gradients"))
        inner = [(a, b, g, (h - g) / (b - a)) for (a, g), (b, h) in pairwise(zip(knots, gradients, strict=True))]
        self.first, self.g0, self.s0 = knots[0], gradients[0], Fraction(data["left_slope"])
        self.segments = [*inner, (knots[-1], None, gradients[-1], Fraction(data["right_slope"]))]
        self.bends = knots
        place, value = (Fraction(v) for v in data["value_at"])
        self.shift = value - self._area(place)

    def _area(self, u: Fraction) -> Fraction:
        """The integral of the gradient from the first knot to u."""
        if u <= self.first:
            return self.g0 * (u - self.first) + self.s0 * (u - self.first) ** 2 / 2
        area = Fraction(0)
        for a, b, g, s in self.segments:
            end = u if b is None else min(u, b)
            if end > a:
                area += g * (end - a) + s * (end - a) ** 2 / 2
        return area

    def value(self, u: Fraction) -> Fraction:
        return self.shift + self._area(u)

    def slope(self, u: Fraction) -> Fraction:
        if u <= self.first:
            return self.g0 + self.s0 * (u - self.first)
        a, _, g, s = next(piece for piece in reversed(self.segments) if piece[0] <= u)
        return g + s * (u - a)


class Plain:
    """A certificate: its function, its runs, its formulas."""

    def __init__(self, data: Data) -> None:
        self.data, self.claim, f = data, data["claim"], data["function"]
        self.ridges: list[tuple[Point, Pieces]] = []
        self.matrix: list[Point] = []
        if f["kind"] == "quadratic":
            self.centre = tuple(Fraction(c) for c in f["minimiser"])
            self.matrix = [tuple(Fraction(c) for c in row) for row in f["matrix"]]
        elif f["kind"] == "ridge sum":
            self.ridges = [(tuple(Fraction(c) for c in t["direction"]), Pieces(t["function"])) for t in f["terms"]]
        else:
            self.ridges = [((Fraction(1),), Pieces(f))]
        self.runs: dict[tuple[str, str], dict[int, Any]] = {}

    def f(self, x: Point) -> Fraction:
        if self.matrix:
            r = add(x, self.centre, -1)
            return sum((r[i] * dot(row, r) for i, row in enumerate(self.matrix)), Fraction(0)) / 2
        return sum((phi.value(dot(a, x)) for a, phi in self.ridges), Fraction(0))

    def grad(self, x: Point) -> Point:
        if self.matrix:
            return tuple(dot(row, add(x, self.centre, -1)) for row in self.matrix)
        slopes = [phi.slope(dot(a, x)) for a, phi in self.ridges]
        return tuple(sum((s * a[i] for s, (a, _) in zip(slopes, self.ridges, strict=True)), Fraction(0)) for i in range(len(x)))

    def chord(self, kind: str, x: Point, y: Point) -> Fraction:
        d = add(y, x, -1)
        if kind == "L":
            return Fraction(self.data["constants"]["L"])
        if kind == "D":
            change = add(self.grad(y), self.grad(x), -1)
            return 2 * root(dot(change, change) / dot(d, d), 2)
        if kind == "H":
            return 2 * abs(self.f(y) - self.f(x) - dot(self.grad(x), d)) / dot(d, d)
        times = {Fraction(1)}
        for a, phi in self.ridges:
            times |= {(bend - dot(a, x)) / dot(a, d) for bend in phi.bends if dot(a, d)}
        here = self.grad(x)
        found = [dot(add(self.grad(add(x, d, t)), here, -1), d) / t / dot(d, d) for t in times if 0 < t <= 1]
        return max(found) if kind == "A" else min(found)

    def run(self) -> None:
        (runs,) = (h["runs"] for h in self.claim["given"] if "runs" in h)
        for entry in runs["roles"]:
            role, own = entry["role"], self.data["run"]["roles"][entry["role"]]
            if None in own["eta"]:
                raise Unreadable
            for name in set(own) - {"start"}:
                self.runs[role, name] = {k: Fraction(v) for k, v in enumerate(own[name])}
            self.runs[role, "x"] = {0: tuple(Fraction(c) for c in own["start"])}
            first = {u["sets"]["name"]: u for u in entry["method"]["first"]}
            for k in range(len(own["eta"])):
                todo = list(entry["method"]["each"])
                if k == 0:
                    todo = [first.get(u["sets"]["name"], u) if u["sets"]["index"]["plus"] == 0 else u for u in todo]
                    todo = [u for u in first.values() if u not in todo] + todo
                for update in todo:
                    place, name = update["sets"]["index"], update["sets"]["name"]
                    at = place["plus"] + (k if place["index"] else 0)
                    self.runs.setdefault((role, name), {})[at] = self.value(update["to"], {"k": k}, role)

    def value(self, node: Data, at: dict[str, int], role: str = "") -> Any:
        kind = node["is"]
        index = lambda i: i["plus"] + (0 if i["index"] is None else at[i["index"]])  # noqa: E731
        part = lambda name: self.value(node[name], at, role)  # noqa: E731
        if kind in TWO_NUMBERS:
            return TWO_NUMBERS[kind](part("left"), part("right"))
        if kind in ("Number", "Parameter", "Constant"):
            known = {"Number": node, "Parameter": self.data["parameters"], "Constant": self.data["constants"]}[kind]
            return Fraction(known["value" if kind == "Number" else node["name"]])
        if kind == "IndexNumber":
            return Fraction(index(node["index"]))
        if kind in ("Point", "Term") and node["index"] is not None:
            entries = self.runs[node["run"] or role, node["name"]]
            if index(node["index"]) not in entries:
                raise Outside
            return entries[index(node["index"])]
        if kind in ("Point", "Minimum"):
            found = self.data["minimiser"] if kind == "Minimum" else self.data["chord"][node["name"]]
            return tuple(Fraction(c) for c in found)
        if kind in ("Value", "Grad"):
            return (self.f if kind == "Value" else self.grad)(part("at"))
        if kind in ("Plus", "Minus"):
            return add(part("left"), part("right"), 1 if kind == "Plus" else -1)
        if kind == "Scaled":
            s = part("factor")
            return tuple(s * c for c in part("of"))
        if kind == "Inner":
            return dot(part("left"), part("right"))
        if kind in ("Normsq", "Norm"):
            v = part("of")
            return dot(v, v) if kind == "Normsq" else root(dot(v, v), 2)
        if kind == "Chord":
            return self.chord(self.data["smoothness"] if node["kind"] == "M" else node["kind"], part("start"), part("end"))
        if kind in ("Neg", "Abs"):
            return -part("of") if kind == "Neg" else abs(part("of"))
        if kind == "Power":
            exponent = Fraction(node["exponent"])
            base = part("base")
            base = base if exponent.denominator == 1 else root(base, exponent.denominator)
            return base**exponent.numerator
        if kind not in ("Reduce", "Mean"):
            raise Unreadable
        places = [{**at, node["letter"]: n} for n in range(index(node["low"]), index(node["high"]) + 1)]
        if kind == "Mean":
            weights = [self.value(node["weight"], p, role) for p in places]
            points = [self.value(node["of"], p, role) for p in places]
            return tuple(
                sum(w * q[i] for w, q in zip(weights, points, strict=True)) / sum(weights) for i in range(len(points[0]))
            )
        values = [self.value(node["body"], p, role) for p in places if node["where"] is None or self.true(node["where"], p)]
        return {"sum": lambda v: sum(v, Fraction(0)), "prod": math.prod, "min": min, "max": max}[node["kind"]](values)

    def true(self, relation: Data, at: dict[str, int]) -> bool:
        return bool(COMPARE[relation["op"]](self.value(relation["left"], at), self.value(relation["right"], at)))


def objection(data: Data) -> str:
    """What is wrong with an accepted certificate, or "". Unreadable where this cannot follow."""
    plain = Plain(data)
    if "run" in data:
        plain.run()
    at = data["at"]
    k = max(at.values(), default=0)
    steps = len(data["run"]["roles"][""]["eta"]) if "run" in data else 0
    for hypothesis in data["claim"]["given"]:
        ((kind, what),) = hypothesis.items()
        if kind in ("fact", "runs"):
            continue
        asked = 0
        for i in [k] if kind == "once" else range(steps + 12):
            try:
                if not plain.true(what, {**at, "#step": i}):
                    return f"a hypothesis is false at {i}: {what}"
            except Outside:
                continue
            asked += 1
        if not asked:
            return f"a hypothesis is asked nowhere: {what}"
    relation = data["claim"]["states"].get("links", [data["claim"]["states"]])[data["link"]]
    left, right = plain.value(relation["left"], at), plain.value(relation["right"], at)
    if [str(left), str(right)] != [data["left"], data["right"]]:
        return f"the sides are {left} and {right}; the certificate says {data['left']} and {data['right']}"
    return "the relation holds" if COMPARE[relation["op"]](left, right) else ""
