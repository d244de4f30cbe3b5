"""The meaning of formulas: their value by the definition, every sum added up anew, from what a certificate gives.

What is undefined stays undefined: a division by 0, a root of a negative number, the least of no numbers, an entry that the run
does not have. It raises ZeroDivisionError, NotRefuted or NoEntry, and nothing follows from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq

from .arithmetic import (
    dot,
    exponential,
    holds,
    largest,
    logarithm,
    minus,
    norm,
    plus,
    power,
    product,
    scaled,
    smallest,
    total,
)
from .budgets import MOST, Number, Vector, sized, spend
from .chords import check_directional_smoothness, check_quadratic_bound, chord_quantity
from .fields import rational, whole
from .formula_shape import FROM, TO
from .functions import Function
from .interpolation import Interpolation
from .refusals import NoEntry, need, shown

Place = dict[str, int]  # the values of letters: k, the letters of sums, the step of a hypothesis

# The meaning of a node from the values of its parts, where it needs nothing else.
OPERATIONS: dict[str, Callable[..., Any]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "Neg": lambda a: -a,
    "Abs": abs,
    "Log": logarithm,
    "Exp": exponential,
    "Larger": lambda a, b: largest([a, b]),
    "Smaller": lambda a, b: smallest([a, b]),
    "Inner": dot,
    "Normsq": lambda v: dot(v, v),
    "Norm": norm,
    "Plus": plus,
    "Minus": minus,
    "Scaled": scaled,
}
PARTS = ("factor", "left", "right", "of")  # the fields of these nodes that are formulas, in the order of the arguments
FOLDS: dict[str, Callable[[Vector], Number]] = {"sum": total, "prod": product, "min": smallest, "max": largest}


class Interpretation:
    """What the letters of a claim stand for in one certificate, and so what each of its formulas means.

    `entries` are those of the runs, by role and name, then by index; `runs.py` makes them. `ends` are the points without an
    index: the ends of a chord, and x*.
    """

    def __init__(
        self,
        f: Function | Interpolation,
        M: Any,
        parameters: dict[str, Number],
        constants: dict[str, Number],
        ends: dict[str, Vector],
    ) -> None:
        self.f, self.M = f, M
        self.parameters, self.constants, self.ends = parameters, constants, ends
        self.entries: dict[tuple[str, str], dict[int, Any]] = {}
        self.role = ""  # whose run a formula reads that names none: inside a method, the run that it makes
        self.always: Place = {}  # the value of K, which a schedule of steps may read anywhere
        self.steps_read = 0  # how many steps of the runs have been read so far

    def value(self, node: Any, at: Place) -> Any:
        """Return the value of a formula, a number or a point; `at` has the values of its letters."""
        kind = node["is"]
        if kind in ("Point", "Term"):
            return self._entry(node, at)  # it was computed before
        if kind in OPERATIONS:
            found = OPERATIONS[kind](*[self.value(node[part], at) for part in PARTS if part in node])
        else:
            found = LEAVES[kind](self, node, at)
        return found if isinstance(found, list) else sized(found)

    def is_true(self, relation: Any, at: Place) -> bool:
        """Decide a relation between two formulas."""
        return holds(relation["op"], self.value(relation["left"], at), self.value(relation["right"], at))

    def chord(self, kind: str, x: Vector, y: Vector) -> Number:
        """Return D, H, A, L or mu of the chord from x to y; M is the one of them that the file names."""
        meant = self.M if kind == "M" else kind
        if isinstance(meant, dict):  # as the claim defines it
            defined = self.defined(meant, x, y)
            check_quadratic_bound(shown(meant["quantity"]), defined, self.f, x, y)
            return defined
        if meant == "L":
            return self.constants["L"]
        found = chord_quantity(meant, self.f, x, y)
        if kind == "M":
            check_directional_smoothness(meant, found)
        return found

    def defined(self, quantity: Any, x: Vector, y: Vector) -> Number:
        """Return a number of the chord from x to y by the definition that the claim gives of it, which is about p and q."""
        around, self.ends = self.ends, {FROM: x, TO: y}
        try:
            return self.value(quantity["of"], {})
        finally:
            self.ends = around

    def index(self, index: Any, at: Place) -> int:
        """Return the number that an index stands for: k + 1 is {"index": "k", "plus": 1}."""
        letter = index["index"]
        known = 0 if letter is None else at[letter] if letter in at else self.always[letter]
        return whole(index["plus"], -MOST, "an index") + known

    def _number(self, node: Any, at: Place) -> Number:
        return rational(node["value"])

    def _index_number(self, node: Any, at: Place) -> Number:
        return fmpq(self.index(node["index"], at))

    def _parameter(self, node: Any, at: Place) -> Number:
        return self.parameters[node["name"]]

    def _constant(self, node: Any, at: Place) -> Number:
        return self.constants[node["name"]]

    def _minimum(self, node: Any, at: Place) -> Vector:
        return self.ends["x*"]

    def _entry(self, node: Any, at: Place) -> Any:
        """An entry of a run, x_k or eta_k; without an index, an end of the chord."""
        if node["index"] is None:
            return self.ends[node["name"]]
        index = self.index(node["index"], at)
        entries = self.entries[node["run"] or self.role, node["name"]]
        if index not in entries:
            raise NoEntry(f"{shown(node['name'])} at {index} is read, and the run has no such entry")
        is_number = node["is"] == "Term"
        self.steps_read = max(self.steps_read, index + is_number)  # x_k needs k steps; eta_k is of the step after them
        spend(1)
        entry = entries[index]
        need(entry is not None, f"{shown(node['name'])} at {index} is read before the equation that it follows gives it")
        return entry

    def _power(self, node: Any, at: Place) -> Number:
        return power(self.value(node["base"], at), rational(node["exponent"]))

    def _value_of_f(self, node: Any, at: Place) -> Number:
        return self.f.value(self.value(node["at"], at))

    def _gradient(self, node: Any, at: Place) -> Vector:
        return self.f.grad(self.value(node["at"], at))

    def _chord(self, node: Any, at: Place) -> Number:
        return self.chord(node["kind"], self.value(node["start"], at), self.value(node["end"], at))

    def _declared_chord(self, node: Any, at: Place) -> Number:
        return self.defined(node["quantity"], self.value(node["start"], at), self.value(node["end"], at))

    def _places(self, node: Any, at: Place) -> list[Place]:
        """The places of a sum, one for each value of its letter."""
        low, high = self.index(node["low"], at), self.index(node["high"], at)
        spend(max(0, high + 1 - low))
        return [{**at, node["letter"]: n} for n in range(low, high + 1)]

    def _reduce(self, node: Any, at: Place) -> Number:
        """A sum, product, minimum or maximum, where its condition is true. An undefined condition makes all undefined."""
        places = self._places(node, at)
        if node["where"] is not None:
            places = [place for place in places if self.is_true(node["where"], place)]
        return FOLDS[node["kind"]]([self.value(node["body"], place) for place in places])

    def _mean(self, node: Any, at: Place) -> Vector:
        """A mean of points with weights. The sum of no weights is 0, and the division undefined."""
        places = self._places(node, at)
        weights = [self.value(node["weight"], place) for place in places]
        points = [self.value(node["of"], place) for place in places]
        whole_weight = total(weights)
        return [sized(dot(weights, [point[i] for point in points]) / whole_weight) for i in range(self.f.dimension)]


LEAVES: dict[str, Callable[[Interpretation, Any, Place], Any]] = {  # of the others, which need more
    "Number": Interpretation._number,
    "IndexNumber": Interpretation._index_number,
    "Parameter": Interpretation._parameter,
    "Constant": Interpretation._constant,
    "Minimum": Interpretation._minimum,
    "Power": Interpretation._power,
    "Value": Interpretation._value_of_f,
    "Grad": Interpretation._gradient,
    "Chord": Interpretation._chord,
    "DeclaredChord": Interpretation._declared_chord,
    "Reduce": Interpretation._reduce,
    "Mean": Interpretation._mean,
}
