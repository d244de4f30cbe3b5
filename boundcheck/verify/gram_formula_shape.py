"""The shape of formulas about named functions, sets and operators, which certificates of the kind "gram" may carry.

They have the nodes of `formula_shape.py`, but for numbers of chords, and those of named oracles. A field that says what is usual
(that a point has no component, that it is a length) is left out.
"""

from __future__ import annotations

from typing import Any

from .fields import keys, rationals, text
from .formula_shape import NODES, NUMBER, POINT, Reading, check_index
from .refusals import need, shown

OBJECTIVE = "f"  # the function that formulas are about which name none
COUNT = "n"  # the constant that is the number of its components, or of the blocks of a vector
HORIZON = "K"  # the letter of the last index of a claim, which a schedule of steps may read
LENGTH, SLOPE = {"f": "0", "x": "1"}, {"f": "1", "x": "-1"}

GRAM_NODES: dict[str, tuple[str, dict[str, str]]] = {
    **{name: shape for name, shape in NODES.items() if name not in ("Chord", "DeclaredChord")},
    "Point": (POINT, {**NODES["Point"][1], "part": "part", "dimension": "dimension"}),
    "NamedValue": (NUMBER, {"at": POINT, "of": "name", "part": "part"}),
    "Average": (NUMBER, {"body": NUMBER, "letter": "name"}),
    "Expectation": (NUMBER, {"of": NUMBER}),
    "Image": (POINT, {"at": POINT, "of": "name", "kind": "kind of image", "part": "part", "dimension": "dimension"}),
    "Prox": (POINT, {"at": POINT, "step": NUMBER, "of": "name", "kind": "kind of prox", "part": "part"}),
    "LinearMinimum": (POINT, {"towards": POINT, "of": "name"}),
    "Pick": (POINT, {"part": "part", "drawn": "part", "then": POINT, "otherwise": POINT}),
    "PartsMean": (POINT, {"of": POINT, "letter": "name"}),
}
USUAL: dict[str, dict[str, Any]] = {  # fields that are left out where they are so
    "Point": {"part": None, "dimension": LENGTH},
    "Image": {"part": None, "dimension": SLOPE},
    "Prox": {"part": None},
    "NamedValue": {"part": None},
}
WORDS = {"kind of image": ("gradient", "subgradient", "operator"), "kind of prox": ("prox", "resolvent", "project")}


class GramReading(Reading):
    """What formulas read, named oracles among it."""

    nodes = GRAM_NODES

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, set[str]] = {}  # of oracles, and how each is read: by its value, gradient, image, prox, ...
        self.in_parts: set[str] = set()  # the names of which components are read
        self.draws: set[str] = set()
        self.reads_components = False

    def written(self, kind: str, fields: dict[str, str], node: Any) -> dict[str, str]:
        """Return the fields that this node must have: those that say what is usual are left out."""
        usual = USUAL.get(kind, {})
        for name, value in usual.items():
            need(name not in node or node[name] != value, f"a {kind} does not say the usual {name}")
        return {name: declared for name, declared in fields.items() if name in node or name not in usual}

    def vector_equation(self, data: Any, letters: frozenset[str]) -> None:
        """Raise ValueError unless it is a VectorEquation between two points."""
        keys(data, ("is", "left", "right"), "a vector equation")
        need(data["is"] == "VectorEquation", f"needs a VectorEquation; found {shown(data['is'])}")
        self.formula(data["left"], POINT, letters)
        self.formula(data["right"], POINT, letters)

    def _field(self, data: Any, declared: str, letters: frozenset[str], what: str) -> None:
        if declared == "part":
            self.part(data, letters)
        elif declared in WORDS:
            need(data in WORDS[declared], f"{what} is one of {' '.join(WORDS[declared])}; found {shown(data)}")
        elif declared == "dimension":
            keys(data, ("f", "x"), what)
            rationals([data["f"], data["x"]])
        else:
            super()._field(data, declared, letters, what)

    def part(self, data: Any, letters: frozenset[str]) -> None:
        """Check which component is meant: an index, or the one that is drawn at a step, {"draw": "j", "at": index}."""
        self.reads_components = True
        if isinstance(data, dict) and "draw" in data:
            keys(data, ("draw", "at"), "a draw")
            self.draws.add(text(data["draw"], "the name of draws", empty=False))
            check_index(data["at"], letters)
        else:
            check_index(data, letters)

    def _note(self, kind: str, node: Any) -> None:
        super()._note(kind, node)
        self.reads_components = self.reads_components or kind in ("Average", "PartsMean")
        if kind in ("Value", "Grad"):
            self.names.setdefault(OBJECTIVE, set()).add("gradient" if kind == "Grad" else "value")
        elif kind in ("NamedValue", "Image", "Prox", "LinearMinimum"):
            how = node["kind"] if kind in ("Image", "Prox") else "value" if kind == "NamedValue" else "normal"
            self.names.setdefault(node["of"], set()).add(how)
            if "part" in node:
                self.in_parts.add(node["of"])
        need(kind != "Point" or node["index"] is not None or "part" not in node, "a point without an index has no component")

    def join(self, other: GramReading) -> None:
        """Add what other formulas read, but entries and ends, which are of their own run."""
        self.parameters |= other.parameters
        self.constants |= other.constants
        self.reads_minimum = self.reads_minimum or other.reads_minimum
        self.in_parts |= other.in_parts
        self.draws |= other.draws
        self.reads_components = self.reads_components or other.reads_components
        for name, hows in other.names.items():
            self.names.setdefault(name, set()).update(hows)


__all__ = ["COUNT", "GRAM_NODES", "HORIZON", "LENGTH", "OBJECTIVE", "SLOPE", "GramReading"]
