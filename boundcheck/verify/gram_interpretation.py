"""The meaning of formulas in a Gram space: vectors are combinations of a basis, and oracles give what the file's rows say.

Entries of the runs are computed when they are read, by the method's updates. Where an update reads what it sets, or an equation
says what a point satisfies, the file gives candidates for the point, and the first that satisfies the equation is the entry.

An expectation is the mean over all draws that a number depends on: where a draw is read that is not decided yet, the number is
computed for each component in turn, and what was computed before on that path is computed anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq

from .arithmetic import power, scaled, total
from .budgets import Number, Vector, sized, spend
from .fields import rational, rationals
from .gram_formula_shape import HORIZON, OBJECTIVE
from .gram_space import GramSpace
from .interpretation import Interpretation, Place
from .oracle_rows import Name, Oracles
from .refusals import NoEntry, NotRefuted, must, need, shown
from .runs import updates

HALF = fmpq(1, 2)
Key = tuple[str, str, int, int | None]  # run, name, index, component
Draw = tuple[str, int]  # its name and its step


class Undrawn(Exception):
    """A formula reads a draw that is not decided on this path."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw


class GramInterpretation(Interpretation):
    """What the letters of a claim stand for in one certificate of the kind gram, and so what its formulas mean."""

    def __init__(self, data: Any, space: GramSpace, oracles: Oracles, at: Place) -> None:
        parameters = {name: rational(value) for name, value in data["parameters"].items()}
        points = dict(data.get("chord", {}))
        ends = {name: rationals(point) for name, point in points.items()}
        super().__init__(None, None, parameters, oracles.constants, ends)  # type: ignore[arg-type]
        self.space, self.oracles = space, oracles
        self.components = data["components"]
        self.least = None if data["minimiser"] is None else rationals(data["minimiser"])
        self.horizon = max(at.values(), default=0)
        self.path: dict[Draw, int] = {}
        self.made: dict[Key, Any] = {}  # the entries that were computed on this path
        self.open: set[Key] = set()  # those that are being computed
        self._read_runs(data)

    def _read_runs(self, data: Any) -> None:
        """Read what the file says of the runs: starts, steps, what is free, and candidates for what equations define."""
        self.roles = data["run"]["roles"] if "run" in data else {}
        self.steps = min((len(own["eta"]) for own in self.roles.values()), default=0)
        self.given: dict[Key, Any] = {}
        for role, own in self.roles.items():
            self.given[role, "x", 0, None] = rationals(own["start"])
            self.given |= {(role, "eta", n, None): rational(eta) for n, eta in enumerate(own["eta"])}
        for entry in data["free"]:
            is_number = isinstance(entry["is"], str)
            self.given[_key(entry)] = rational(entry["is"]) if is_number else rationals(entry["is"])
        self.solved = {_key(entry): [rationals(point) for point in entry["points"]] for entry in data["solved"]}
        named = next((hypothesis["runs"] for hypothesis in data["claim"]["given"] if "runs" in hypothesis), None)
        self.methods = {} if named is None else {entry["role"]: entry["method"] for entry in named["roles"]}

    def value(self, node: Any, at: Place) -> Any:
        """Return the value of a formula, a number or a vector; `at` has the values of its letters."""
        kind = node["is"]
        if kind not in GRAM:
            return super().value(node, at)
        found = GRAM[kind](self, node, at)
        return found if isinstance(found, list) else sized(found)

    def index(self, index: Any, at: Place) -> int:
        """Return the number that an index stands for; K is the last index of the claim, where nothing else is called so."""
        return super().index(index, {HORIZON: self.horizon, **at})

    # -- entries ---------------------------------------------------------------------------------------------------------

    def _entry(self, node: Any, at: Place) -> Any:
        if node["index"] is None:
            return self.ends[node["name"]]
        part = None if "part" not in node else self.part(node["part"], at)
        return self.entry((node["run"] or self.role, node["name"], self.index(node["index"], at), part))

    def entry(self, key: Key) -> Any:
        """Return an entry of a run: what the file gives, or what the update that sets it comes to."""
        spend(1)
        if key in self.given:
            return self.given[key]
        if key not in self.made:
            update, at = self._update_of(key)
            need(key not in self.open, f"{shown(key[1])} at {key[2]} is read before it is set")
            role, self.role = self.role, key[0]
            self.open.add(key)
            try:
                self.made[key] = self.value(update["to"], at) if key not in self.solved else self._solution(key, update, at)
            finally:
                self.role = role
                self.open.discard(key)
        return self.made[key]

    def _update_of(self, key: Key) -> tuple[Any, Place]:
        """Return the update that sets an entry, and where it is read; NoEntry where the run has no such step."""
        role, name, index, part = key
        if part is None and 0 <= index <= self.horizon and (update := backward(self.methods[role], name, index, self.horizon)):
            return update, {"k": index}
        for step in (index, index - 1):
            for update in updates(self.methods[role], step) if 0 <= step < self.steps else []:
                target = update["sets"]
                sets = target["index"]["plus"] + (0 if target["index"]["index"] is None else step)
                component = target.get("part")
                if target["name"] == name and sets == index and (part is None) == (component is None):
                    must(part is None or 1 <= part <= self.components, f"{shown(name)} has no component {part}")
                    of_part: dict[str, Any] = {} if component is None else {component["index"]: part}
                    return update, {"k": step, **of_part}
        raise NoEntry(f"{shown(name)} at {index} is read, and the run has no such entry")

    def _solution(self, key: Key, update: Any, at: Place) -> Vector:
        """Return the first of the file's points that satisfies the equation of an update."""
        equation = update.get("such_that") or {"left": update["sets"], "right": update["to"]}
        before, is_one = dict(self.made), False
        for point in self.solved[key]:
            self.made[key] = point
            try:
                is_one = self.space.same(self.value(equation["left"], at), self.value(equation["right"], at))
            except NotRefuted:
                pass  # a row that this point would need is not there
            finally:
                if not is_one:
                    self.made = dict(before)
            if is_one:
                return point
        raise NotRefuted(f"no point of the file satisfies the equation of {shown(key[1])} at {key[2]}")

    # -- chance ----------------------------------------------------------------------------------------------------------

    def part(self, part: Any, at: Place) -> int:
        """Return which component is meant."""
        if "draw" not in part:
            return self.index(part, at)
        draw = (part["draw"], self.index(part["at"], at))
        if draw not in self.path:
            raise Undrawn(draw)
        return self.path[draw]

    def _expectation(self, node: Any, at: Place) -> Number:
        """The mean over all draws, whatever is decided where it stands."""
        path, made, opened = self.path, self.made, self.open
        self.path, self.made, self.open = {}, {}, set()
        try:
            return self._mean_over_draws(node["of"], at)
        finally:
            self.path, self.made, self.open = path, made, opened

    def _mean_over_draws(self, node: Any, at: Place) -> Number:
        try:
            return self.value(node, at)
        except Undrawn as undrawn:
            draw = undrawn.draw
        path, made = self.path, self.made
        found = []
        for component in range(1, self.components + 1):
            self.path, self.made = {**path, draw: component}, dict(made)
            found.append(self._mean_over_draws(node, at))
        self.path, self.made = path, made
        return total(found) / len(found)

    def _pick(self, node: Any, at: Place) -> Vector:
        same = self.part(node["part"], at) == self.part(node["drawn"], at)
        return self.value(node["then" if same else "otherwise"], at)  # type: ignore[no-any-return]

    def _average(self, node: Any, at: Place) -> Number:
        """The mean of a number over all components."""
        places = [{**at, node["letter"]: n} for n in range(1, self.components + 1)]
        return total(self.value(node["body"], place) for place in places) / self.components

    def _parts_mean(self, node: Any, at: Place) -> Vector:
        """The mean of a vector over all components."""
        return self.mean([self.value(node["of"], {**at, node["letter"]: n}) for n in range(1, self.components + 1)])

    def mean(self, vectors: list[Vector]) -> Vector:
        """Return the mean of vectors."""
        return [total(column) / len(vectors) for column in zip(*vectors, strict=True)]

    # -- oracles ---------------------------------------------------------------------------------------------------------

    def _name(self, node: Any, at: Place) -> Name:
        return node["of"], None if "part" not in node else self.part(node["part"], at)

    def _names_of_f(self) -> list[Name]:
        """f, or the components that it is the mean of."""
        if OBJECTIVE not in self.oracles.claim.reads.in_parts:
            return [(OBJECTIVE, None)]
        return [(OBJECTIVE, n) for n in range(1, self.components + 1)]

    def _names(self, node: Any, at: Place) -> list[Name]:
        name = self._name(node, at)
        if name[0] == OBJECTIVE and name[1] is not None:
            must(1 <= name[1] <= self.components, f"f has no component {name[1]}")
        return self._names_of_f() if name == (OBJECTIVE, None) else [name]

    def _value_of_f(self, node: Any, at: Place) -> Number:
        x = self.value(node["at"], at)
        names = self._names(node, at) if "of" in node else self._names_of_f()
        return total(self.oracles.value(name, x) for name in names) / len(names)

    def _gradient(self, node: Any, at: Place) -> Vector:
        x = self.value(node["at"], at)
        return self.gradient(self._names(node, at) if "of" in node else self._names_of_f(), x)

    def gradient(self, names: list[Name], x: Vector) -> Vector:
        """Return the gradient, or the mean of those of several components."""
        return self.mean([self.oracles.image(name, x) for name in names])

    def gradient_of_f(self, x: Vector) -> Vector:
        """Return the gradient of f."""
        return self.gradient(self._names_of_f(), x)

    def _prox(self, node: Any, at: Place) -> Vector:
        step, point = self.value(node["step"], at), self.value(node["at"], at)
        return self.oracles.prox(self._name(node, at), step, point)

    def _linear_minimum(self, node: Any, at: Place) -> Vector:
        return self.oracles.linear_minimum((node["of"], None), self.value(node["towards"], at))

    # -- vectors ---------------------------------------------------------------------------------------------------------

    def _minimum(self, node: Any, at: Place) -> Vector:
        must(self.least is not None, "the file has no minimiser")
        return self.least  # type: ignore[return-value]

    def _inner(self, node: Any, at: Place) -> Number:
        return self.space.inner(self.value(node["left"], at), self.value(node["right"], at))

    def _normsq(self, node: Any, at: Place) -> Number:
        return self.space.square(self.value(node["of"], at))

    def _norm(self, node: Any, at: Place) -> Number:
        return power(self._normsq(node, at), HALF)

    def _scaled(self, node: Any, at: Place) -> Vector:
        factor = self.value(node["factor"], at)
        must(isinstance(factor, fmpq), "a vector is scaled by a number that is not rational")
        return scaled(factor, self.value(node["of"], at))

    def _weighted_mean(self, node: Any, at: Place) -> Vector:
        places = self._places(node, at)
        weights = [self.value(node["weight"], place) for place in places]
        must(all(isinstance(weight, fmpq) for weight in weights), "a mean of points has weights that are not rational")
        points = [scaled(weight, self.value(node["of"], place)) for weight, place in zip(weights, places, strict=True)]
        whole = total(weights)
        return [sized(total(column) / whole) for column in zip(*points, strict=True)]

    # -- relations -------------------------------------------------------------------------------------------------------

    def are_one(self, equation: Any, at: Place) -> bool:
        """Decide an equation between vectors."""
        return self.space.same(self.value(equation["left"], at), self.value(equation["right"], at))


def backward(method: Any, name: str, index: int, horizon: int) -> Any:
    """Return the update of a number that runs backwards from K: at K its own, at 0 its own where there is one; None of others."""
    mine = [update for update in method.get("backwards", []) if update["sets"]["name"] == name]
    by_letter = {update["sets"]["index"]["index"]: update for update in mine}
    at_end = by_letter.get(HORIZON) if index == horizon else None
    return at_end or (by_letter.get(None) if index == 0 else None) or by_letter.get("k")


def _key(entry: Any) -> Key:
    return entry["run"], entry["name"], entry["index"], entry["part"]


GRAM: dict[str, Callable[[GramInterpretation, Any, Place], Any]] = {  # the nodes that have a meaning of their own here
    "Minimum": GramInterpretation._minimum,
    "Grad": GramInterpretation._gradient,
    "Value": GramInterpretation._value_of_f,
    "Inner": GramInterpretation._inner,
    "Norm": GramInterpretation._norm,
    "Normsq": GramInterpretation._normsq,
    "Scaled": GramInterpretation._scaled,
    "Mean": GramInterpretation._weighted_mean,
    "NamedValue": GramInterpretation._value_of_f,
    "Image": GramInterpretation._gradient,
    "Prox": GramInterpretation._prox,
    "LinearMinimum": GramInterpretation._linear_minimum,
    "Pick": GramInterpretation._pick,
    "Average": GramInterpretation._average,
    "PartsMean": GramInterpretation._parts_mean,
    "Expectation": GramInterpretation._expectation,
}
