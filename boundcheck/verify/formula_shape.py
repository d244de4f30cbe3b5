"""The shape of formulas: which nodes there are, which fields each has, and what a formula reads.

Every object has exactly its keys, of the right types: what this checker does not know it refuses to read. So each field of a
formula is one that `interpretation.py` gives a meaning to.
"""

from __future__ import annotations

from typing import Any

from .arithmetic import OPERATORS
from .budgets import MOST
from .fields import keys, rational, rationals, text, whole
from .refusals import need, need_object, shown

KINDS_OF_M = ("D", "A", "H", "L")
FACTS = ("Convex", "Differentiable", "Smooth", "StronglyConvex", "TwiceDifferentiable", "IsQuadratic")
FROM, TO = "p", "q"  # the points that the definition of a chord quantity is about
NUMBER, POINT = "number", "point"

# Of each node of a formula: whether it is a number or a point, and what its fields are.
NODES: dict[str, tuple[str, dict[str, str]]] = {
    "Number": (NUMBER, {"value": "rational"}),
    "IndexNumber": (NUMBER, {"index": "index"}),
    "Parameter": (NUMBER, {"name": "name", "dimension": "dimension", "latex": "text"}),
    "Constant": (NUMBER, {"name": "name", "dimension": "dimension", "latex": "text"}),
    "Term": (NUMBER, {"name": "name", "index": "index", "dimension": "dimension", "run": "text"}),
    "Value": (NUMBER, {"at": POINT}),
    "Inner": (NUMBER, {"left": POINT, "right": POINT}),
    "Norm": (NUMBER, {"of": POINT}),
    "Normsq": (NUMBER, {"of": POINT}),
    "Chord": (NUMBER, {"kind": "kind of chord", "start": POINT, "end": POINT}),
    "DeclaredChord": (NUMBER, {"quantity": "chord quantity", "start": POINT, "end": POINT}),
    "Add": (NUMBER, {"left": NUMBER, "right": NUMBER}),
    "Sub": (NUMBER, {"left": NUMBER, "right": NUMBER}),
    "Neg": (NUMBER, {"of": NUMBER}),
    "Mul": (NUMBER, {"left": NUMBER, "right": NUMBER}),
    "Div": (NUMBER, {"left": NUMBER, "right": NUMBER}),
    "Power": (NUMBER, {"base": NUMBER, "exponent": "rational"}),
    "Abs": (NUMBER, {"of": NUMBER}),
    "Log": (NUMBER, {"of": NUMBER}),
    "Exp": (NUMBER, {"of": NUMBER}),
    "Larger": (NUMBER, {"left": NUMBER, "right": NUMBER}),
    "Smaller": (NUMBER, {"left": NUMBER, "right": NUMBER}),
    "Reduce": (
        NUMBER,
        {"kind": "kind of range", "letter": "name", "low": "index", "high": "index", "body": NUMBER, "where": "condition"},
    ),
    "Point": (POINT, {"name": "name", "index": "index or null", "run": "text"}),
    "Minimum": (POINT, {}),
    "Grad": (POINT, {"at": POINT}),
    "Plus": (POINT, {"left": POINT, "right": POINT}),
    "Minus": (POINT, {"left": POINT, "right": POINT}),
    "Scaled": (POINT, {"factor": NUMBER, "of": POINT}),
    "Mean": (POINT, {"letter": "name", "low": "index", "high": "index", "of": POINT, "weight": NUMBER}),
}
BINDING = ("Reduce", "Mean", "Average", "PartsMean")  # the nodes that bind a letter
KNOW_THE_LETTER = ("body", "where", "of", "weight")  # the fields of a sum, or of a mean, in which its letter is bound


def check_index(data: Any, letters: frozenset[str]) -> None:
    """Raise ValueError unless it is an index: {"index": "k", "plus": 1} is k + 1, {"index": null, "plus": 3} is 3.

    The letter is one that is bound there: by the claim (k), by a sum, or by "at each step".
    """
    keys(data, ("index", "plus"), "an index")
    whole(data["plus"], -MOST, "an index")
    letter = data["index"]
    need(letter is None or isinstance(letter, str), f"the letter of an index must be text; found {shown(letter)}")
    need(letter is None or letter in letters, f"the letter {shown(letter)} is bound by nothing")


def check_quantity(data: Any) -> str:
    """Raise ValueError unless it is a chord quantity that a paper defines; return its name.

    {"quantity": "T", "latex": "T", "needs": [facts], "of": formula}: a number of the points p and q by a formula that reads f and
    its gradient there, numbers of that chord, and nothing of a run or of the file. It is complete: nothing else says what T is.
    """
    keys(data, ("quantity", "latex", "needs", "of"), "a chord quantity")
    name = text(data["quantity"], "the name of a chord quantity", empty=False)
    need(name not in ("M", "mu", *KINDS_OF_M), f"a chord quantity is called {shown(name)}, which has another meaning")
    text(data["latex"], "the latex of a chord quantity")
    needs = data["needs"]
    need(isinstance(needs, list) and all(fact in FACTS for fact in needs), f"what {shown(name)} needs is a list of facts")
    reads = Reading()
    reads.formula(data["of"], NUMBER, frozenset())
    alone = not (reads.parameters or reads.constants or reads.entries or reads.reads_M or reads.reads_minimum)
    need(alone and reads.ends <= {FROM, TO}, f"the definition of {shown(name)} reads more than f at its two points")
    need(not reads.quantities, f"the definition of {shown(name)} reads another quantity that is defined")
    return name


class Reading:
    """What formulas read, collected while their shape is checked: the file must give all of it, and nothing else."""

    nodes = NODES

    def __init__(self) -> None:
        self.parameters: set[str] = set()
        self.constants: set[str] = set()
        self.ends: set[str] = set()  # points without an index: ends of a chord
        self.entries: set[tuple[str, str, str]] = set()  # of runs: (number or point, run, name)
        self.quantities: dict[str, Any] = {}  # the chord quantities that are defined, by name
        self.reads_M = self.reads_minimum = False

    def formula(self, node: Any, sort: str, letters: frozenset[str]) -> None:
        """Raise ValueError unless the node, and all in it, are as `NODES` says, and it is a `sort`: a number or a point."""
        need_object(node, "a node of a formula")
        kind = node.get("is")
        need(isinstance(kind, str) and kind in self.nodes, f"{shown(kind)} is not a node of a formula")
        is_a, fields = self.nodes[kind]
        need(is_a == sort, f"a {kind} is a {is_a}; a {sort} is needed in its place")
        fields = self.written(kind, fields, node)
        keys(node, ("is", *fields), f"a {kind}")
        for name, declared in fields.items():
            known = letters
            if kind in BINDING and name in KNOW_THE_LETTER:
                known = letters | {text(node["letter"], "a letter", empty=False)}
            self._field(node[name], declared, known, f"the {name} of a {kind}")
        self._note(kind, node)

    def written(self, kind: str, fields: dict[str, str], node: Any) -> dict[str, str]:
        """Return the fields that this node must have: here all of its kind."""
        return fields

    def relation(self, data: Any, letters: frozenset[str]) -> None:
        """Raise ValueError unless it is a Relation: an operator between two numbers, and nothing more."""
        keys(data, ("is", "op", "left", "right"), "a relation")
        need(data["is"] == "Relation", f"needs a Relation; found {shown(data['is'])}")
        need(data["op"] != "->", "the claim is a limit: no finite run refutes it")
        need(data["op"] in OPERATORS, f"a relation is one of {' '.join(OPERATORS)}; found {shown(data['op'])}")
        self.formula(data["left"], NUMBER, letters)
        self.formula(data["right"], NUMBER, letters)

    def _field(self, data: Any, declared: str, letters: frozenset[str], what: str) -> None:
        if declared in (NUMBER, POINT):
            self.formula(data, declared, letters)
        elif declared == "rational":
            rational(data)
        elif declared == "index" or (declared == "index or null" and data is not None):
            check_index(data, letters)
        elif declared == "condition":
            if data is not None:
                self.relation(data, letters)
        elif declared == "name":
            text(data, what, empty=False)
        elif declared == "text":
            text(data, what)
        elif declared == "dimension":
            keys(data, ("f", "x"), what)
            rationals([data["f"], data["x"]])
        elif declared == "kind of range":
            need(data in ("sum", "prod", "min", "max"), f"{what} is one of sum prod min max; found {shown(data)}")
        elif declared == "kind of chord":
            need(data in ("M", "mu", *KINDS_OF_M), f"{what} is one of M D A H L mu; found {shown(data)}")
        elif declared == "chord quantity":
            self.quantity(data)

    def quantity(self, data: Any) -> None:
        """Raise ValueError unless it is a chord quantity, and the only one of its name."""
        name = check_quantity(data)
        need(self.quantities.setdefault(name, data) == data, f"two chord quantities are called {shown(name)}")

    def _note(self, kind: str, node: Any) -> None:
        """Note what this node itself reads."""
        if kind == "Parameter":
            self.parameters.add(node["name"])
        elif kind == "Constant":
            self.constants.add(node["name"])
        elif kind == "Minimum":
            self.reads_minimum = True
        elif kind == "Chord":
            self.reads_M = self.reads_M or node["kind"] == "M"
            if node["kind"] == "L":
                self.constants.add("L")
        elif kind == "Point" and node["index"] is None:
            need(node["run"] == "", "a point without an index is of no run")
            self.ends.add(node["name"])
        elif kind in ("Point", "Term"):
            self.entries.add((self.nodes[kind][0], node["run"], node["name"]))
