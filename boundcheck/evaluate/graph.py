"""Formulas of many claims as one graph of operations: what two of them share is one node.

A node is an operation on earlier nodes, or what is given: a constant, an entry of a column, a column at k plus an offset. All
formulas are read at one index k. A sum, product, minimum or maximum is a scan over all k so far. Where some formula reads a scan
at k + 1, the scan runs ahead of k, by its `lead`; others read it further back. Offsets are part of a node.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from boundcheck.evaluate.columns import LEAVES, as_column
from boundcheck.evaluate.separate import Separated, separate
from boundcheck.evaluate.series import identity
from boundcheck.language.relations import Condition, Relation
from boundcheck.language.rewrite import put_index, transform
from boundcheck.language.scalars import (
    Abs,
    Add,
    Constant,
    Div,
    IndexNumber,
    Larger,
    Mul,
    Neg,
    Number,
    Parameter,
    Power,
    Reduce,
    Scalar,
    Smaller,
    Sub,
    Term,
    as_scalar,
)
from boundcheck.language.signs import is_never_negative

PAIRS = {Add: "add", Sub: "sub", Mul: "mul", Div: "div", Larger: "max", Smaller: "min"}
GIVEN = ("number", "letter", "entry")  # constants in k
VARIES = ("column", "index", "back", "from", "fill")
SCANS = {"sum": "cumsum", "prod": "cumprod", "min": "cummin", "max": "cummax"}


class Unplanned(ValueError):
    """The graph has no operation for this formula: it is evaluated as a series."""


class Node(NamedTuple):
    """An operation, the nodes that it reads, and what else it needs to know."""

    op: str
    of: tuple[int, ...]
    extra: Any = None


class Graph:
    """Nodes in an order in which they can be computed."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.constant: list[bool] = []
        self._known: dict[Node, int] = {}
        self.leads: dict[Any, int] = {}
        self.moved = False  # did a lead grow? Then what was read before must be read again

    def put(self, op: str, *of: int, extra: Any = None) -> int:
        """The node's number; the same for the same node. A product with 1 and a sum with 0 are no operations."""
        if op in ("add", "mul"):
            of = tuple(sorted(of))
            neutral = Node("number", (), 0 if op == "add" else 1)
            for one, other in (of, of[::-1]):
                if self.nodes[one] == neutral:
                    return other
        if op in ("min", "max") and not all(self.constant[n] for n in of):
            of = tuple(self.put("fill", n) if self.constant[n] else n for n in of)
        node = Node(op, of, extra)
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = len(self.nodes)
            self.nodes.append(node)
            varies = op in VARIES or op.startswith("cum") or op == "recur" or not all(self.constant[n] for n in of)
            self.constant.append(not varies)
        return known

    def number(self, value: Any) -> int:
        return self.put("number", extra=value)

    def lead(self, scan: Any, at: int) -> int:
        """How far ahead of k a scan runs, now that it is read at k + at."""
        if at > self.leads.setdefault(scan, at):
            self.leads[scan], self.moved = at, True
        return self.leads[scan]


class Reader:
    """Puts formulas into a graph: of questions with the same values of parameters, about stored points or exact images.

    `shift` and `floor` say where: the formula's letter is k + shift, and it is at least `floor`.
    """

    def __init__(self, graph: Graph, local: bool, values: Mapping[str, Any], per_run: frozenset[str]) -> None:
        self.graph, self.local, self.values, self.per_run = graph, local, values, per_run
        self._read: dict[Any, int] = {}

    def read(self, node: Scalar, letter: str, shift: int, floor: int) -> int:
        at = (identity(node), letter, shift, floor)
        found = self._read.get(at)
        if found is None:
            found = self._read[at] = self._put(node, letter, shift, floor)
        return found

    def _put(self, node: Scalar, letter: str, shift: int, floor: int) -> int:
        put = self.graph.put
        if (op := PAIRS.get(type(node))) is not None:
            left, right = (self.read(side, letter, shift, floor) for side in (node.left, node.right))  # type: ignore[attr-defined]
            return put(op, left, right)
        if isinstance(node, LEAVES):
            column, index = as_column(node, self.local)
            if index.letter is None:
                return put("entry", extra=(column, index.offset))
            if index.letter != letter:
                raise Unplanned(f"{node} is read at {index.letter}")
            return put("column", extra=(column, index.offset + shift))
        if isinstance(node, Number):
            return self.graph.number(node.value)
        if isinstance(node, Neg | Abs):
            return put("neg" if isinstance(node, Neg) else "abs", self.read(node.of, letter, shift, floor))
        if isinstance(node, Power):
            if node.exponent == 0 or (node.exponent.denominator > 1 and not self._is_surely_not_negative(node.base)):
                raise Unplanned(f"{node}: whether it is defined depends on what it is a power of")
            return self._power(self.read(node.base, letter, shift, floor), node.exponent)
        if isinstance(node, Parameter | Constant):
            chosen = node.name in self.values and node.name not in self.per_run
            return self.graph.number(self.values[node.name]) if chosen else put("letter", extra=node.name)
        if isinstance(node, IndexNumber):
            if node.index.letter is None:
                return self.graph.number(node.index.offset)
            if node.index.letter == letter:
                return put("index", extra=node.index.offset + shift)
        if isinstance(node, Reduce):
            return self._reduce(node, letter, shift, floor)
        raise Unplanned(f"{type(node).__name__} has no operation here")

    def _is_surely_not_negative(self, node: Scalar) -> bool:
        """As the formula says, with parameters as they are chosen; and steps of a run are positive numbers."""

        def known(n: Any) -> Scalar | None:
            if isinstance(n, Parameter) and n.name in self.values and n.name not in self.per_run:
                return as_scalar(self.values[n.name])
            return as_scalar(1) if isinstance(n, Term) and n.name == "eta" else None

        return is_never_negative(transform(node, known))

    def _power(self, base: int, exponent: Fraction) -> int:
        """Products by repeated squaring, then square roots."""
        put = self.graph.put
        if exponent < 0:
            return put("div", self.graph.number(1), self._power(base, -exponent))
        if exponent.denominator == 2:
            return self._power(put("sqrt", base), 2 * exponent)
        if exponent.denominator != 1:
            raise Unplanned(f"the power {exponent}")
        result, square, n = None, base, exponent.numerator
        while n:
            if n & 1:
                result = square if result is None else put("mul", result, square)
            n >>= 1
            if n:
                square = put("mul", square, square)
        return self.graph.number(1) if result is None else result

    # -- sums, products, minima and maxima: as in `series` ---------------------------------------------------------------

    def _reduce(self, node: Reduce, letter: str, shift: int, floor: int) -> int:
        inside = node.body.free | (node.where.free if node.where is not None else frozenset())
        if node.low.letter is not None:
            return self._short(node, letter, shift, floor)
        if node.high.letter != letter:
            raise Unplanned(f"{node} ends at {node.high}")
        if letter in inside:
            return self._coupled(node, letter, shift, floor)
        return self._prefix(node.kind, node.body, node.letter, node.low.offset, node.where, shift, floor, node.high.offset)

    def _short(self, node: Reduce, letter: str, shift: int, floor: int) -> int:
        if node.high.letter != node.low.letter or node.where is not None:
            raise Unplanned(f"{node} starts at {node.low} and ends at {node.high}")
        count = node.high.offset - node.low.offset + 1
        pieces = [put_index(node.body, node.letter, node.low.shift(n)) for n in range(count)]
        if not pieces:
            if node.kind in ("min", "max"):
                raise Unplanned(f"{node} is empty")
            return self.graph.number(0 if node.kind == "sum" else 1)
        result = self.read(pieces[0], letter, shift, floor)
        for piece in pieces[1:]:
            op = {"sum": "add", "prod": "mul"}.get(node.kind, node.kind)
            result = self.graph.put(op, result, self.read(piece, letter, shift, floor))
        return result

    def _prefix(
        self, kind: str, body: Scalar, letter: str, start: int, where: Condition | None, shift: int, floor: int, offset: int
    ) -> int:
        """The scan of a body from `start` on, read at `offset` from the letter."""
        if kind in ("min", "max") and (floor + offset < start or where is not None):
            raise Unplanned(f"the {kind} over a range that may be empty has no value")
        name = (kind, self._masked(kind, body, letter, where, 0, start), start)
        lead = self.graph.lead(name, shift + offset)
        inside = self._masked(kind, body, letter, where, lead, start)
        return self._back(self.graph.put(SCANS[kind], self._filled(inside), extra=start - lead), shift + offset - lead)

    def _masked(self, kind: str, body: Scalar, letter: str, where: Condition | None, shift: int, floor: int) -> int:
        """The body, with the neutral element where the condition fails."""
        value = self.read(body, letter, shift, floor)
        if where is None:
            return value
        if not isinstance(where, Relation):
            raise Unplanned(f"{where} is no relation")
        left, right = (self.read(side, letter, shift, floor) for side in (where.left, where.right))
        neutral = self.graph.number(1 if kind == "prod" else 0)
        return self.graph.put("choose", *(self._filled(n) for n in (left, right, value, neutral)), extra=where.op)

    def _filled(self, node: int) -> int:
        return self.graph.put("fill", node) if self.graph.constant[node] else node

    def _back(self, scan: int, by: int) -> int:
        return self.graph.put("back", scan, extra=by) if by else scan

    def _coupled(self, node: Reduce, letter: str, shift: int, floor: int) -> int:
        if node.kind != "sum":
            raise Unplanned(f"{node} depends on {letter} inside and out")
        total = self.graph.number(0)
        for term in separate(node.body, node.letter, letter):
            coefficient = self.read(term.coefficient, letter, shift, floor)
            total = self.graph.put("add", total, self.graph.put("mul", coefficient, self._linked(node, term, shift, floor)))
        return total

    def _linked(self, node: Reduce, term: Separated, shift: int, floor: int) -> int:
        """sum_{i<=k+c} b_i prod_{j=i+p..k+q} a_j, from u_n = a_n (u_{n-1} + b_{n-p})."""
        start, c, link, put = node.low.offset, node.high.offset, term.link, self.graph.put
        if link is None:
            return self._prefix("sum", term.inner, node.letter, start, node.where, shift, floor, c)
        p, q = link.low.offset, link.high.offset

        def a(at: int) -> int:
            return self._masked("prod", link.body, link.letter, link.where, at, 0)

        def b(at: int) -> int:
            return self._masked("sum", term.inner, node.letter, node.where, at, start)

        first, last = max(start + p, 0), min(q, c + p)
        lead = self.graph.lead(("recur", a(0), b(-p), first), shift + last)
        factor = self._filled(a(lead))
        result = self._back(
            put("recur", factor, self._filled(put("mul", factor, b(lead - p))), extra=first - lead), shift + last - lead
        )
        for n in range(last + 1, q + 1):  # factors beyond the last term's own
            result = put("mul", result, self._from(a(shift + n), 1, -shift - n, floor + n < 0))
        for n in range(q - p + 1, c + 1):  # last terms, whose product is empty
            result = put("add", result, self._from(b(shift + n), 0, start - shift - n, floor + n < start))
        return result

    def _from(self, value: int, before: int, first: int, needed: bool) -> int:
        """The value from k = first on, and a whole number before."""
        return self.graph.put("from", self._filled(value), extra=(first, before)) if needed else value
