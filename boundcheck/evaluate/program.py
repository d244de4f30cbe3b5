"""A straight-line program for the relations of many claims: what a window costs is its operations, and nothing else.

Numbers live in one memory, middles and radii: constants first, then the columns of a stretch of the run, then registers of one
block each. A register is used again when nobody reads it any more; a scan keeps its own, after the end of the block before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boundcheck.evaluate.columns import Column
from boundcheck.evaluate.graph import Graph

BLOCK = 512  # entries of a register: all of them together stay in the second-level cache
STRETCH = 4096  # entries of the columns that are in memory at a time

# operations, as machine and tables number them; V: a series, C: a constant
NAMES = (
    *("add", "add_c", "sub", "sub_from_c", "mul", "mul_c", "div", "div_c", "div_into_c", "neg", "abs", "sqrt", "min", "max"),
    *("choose", "index", "from", "cumsum", "cumprod", "cummin", "cummax", "recur", "compare"),
)
CODE = {name: number for number, name in enumerate(NAMES)}
RELATIONS = {"<=": 0, "<": 1, "==": 2, ">=": 3, ">": 4, "->": 5}
OP, OUT, RESULT, EXTRA, MORE, A, B, C, D = (
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    9,
    11,
)  # of an instruction; an operand is an address, and whether it moves
WIDTH = 13
PARTS = 64  # of a program, that are kept


@dataclass(frozen=True)
class Compared:
    """A relation of the program: two nodes, how they are to compare, is it a hypothesis, are distances wanted everywhere?"""

    left: int
    right: int
    op: str
    assumed: bool = False
    distances: bool = False


@dataclass(frozen=True)
class Layout:
    """Where things are: `rows` are the columns, `inputs` the constants that are given, both as nodes of the graph."""

    before: int  # how far back columns are read, at most,
    after: int  # and how far ahead
    first: int  # the first k, so that every scan begins
    columns: tuple[Column, ...]
    inputs: tuple[tuple[str, Any], ...]
    size: int  # of the whole memory


class Part(NamedTuple):
    """Some instructions of a program, and the columns that they read, by number."""

    instructions: NDArray[np.bool_]
    columns: list[int]


class Program:
    """Instructions for the constants, once a run, and for each block; from a graph and the relations asked of it."""

    def __init__(self, graph: Graph, relations: Sequence[Compared], block: int = BLOCK, stretch: int = STRETCH) -> None:
        self.graph, self.relations, self.block, self.stretch = graph, relations, block, stretch
        self.order = _needed(graph, [n for r in relations for n in (r.left, r.right)])
        nodes = [graph.nodes[n] for n in self.order]
        offsets = [n.extra[1] for n in nodes if n.op == "column"]
        ahead = [n.extra for n in nodes if n.op.startswith("cum") or n.op == "recur"]
        self._address: dict[int, int] = {}
        self._moves: dict[int, int] = {}
        self._places = 0
        inputs = [n for n in self.order if graph.nodes[n].op in ("number", "letter", "entry")]
        for n in self.order:
            if graph.constant[n]:
                self._address[n] = self._take(1)
        self.numbers = self._places  # how many: they are the first in memory
        first = min([0, *ahead])
        before, after = max([0, *(-o for o in offsets)]), max([0, *offsets])
        columns = tuple(dict.fromkeys(n.extra[0] for n in nodes if n.op == "column"))
        rows = {column: self._take(before + self.stretch + after) + before for column in columns}  # NumPy reads its own
        self.rows_of_constants = self._encode_constants()
        self.constants = np.array(self.rows_of_constants, dtype=np.int64).reshape(-1, WIDTH)
        self.fills: list[tuple[int, int]] = []
        self.starts: list[tuple[int, int, float]] = []  # registers that hold something before the first block
        self._encode(rows)
        self.layout = Layout(
            before, after, first, columns, tuple((graph.nodes[n].op, graph.nodes[n].extra) for n in inputs), self._places
        )
        self.inputs = [self._address[n] for n in inputs]
        self.rows = [rows[column] - before for column in columns]  # where the columns of a stretch begin

    def _take(self, length: int) -> int:
        address = self._places
        self._places += length
        return address

    def _encode_constants(self) -> list[list[int]]:
        made = []
        for n in self.order:
            node = self.graph.nodes[n]
            if self.graph.constant[n] and node.of:
                made.append(self._instruction(node.op, self._address[n], -1, 0, 0, node.of))
        return made

    def _instruction(self, op: str, out: int, result: int, extra: int, more: int, of: Sequence[int]) -> list[int]:
        row = [CODE[op], out, result, extra, more, *(0 for _ in range(WIDTH - A))]
        for place, n in zip((A, B, C, D), of, strict=False):
            back = self.graph.nodes[n]
            row[place] = self._address[n] if back.op != "back" else self._address[back.of[0]] + back.extra
            row[place + 1] = self._moves.get(n, 0)
        return row

    def _encode(self, rows: dict[Column, int]) -> None:
        """Registers, by when each is read last, and the instructions."""
        graph = self.graph
        made: list[list[int]] = []
        made_by: dict[int, int] = {}
        last, halo = self._lives()
        free: list[int] = []
        ends: dict[int, list[int]] = {}
        for n, at in last.items():
            ends.setdefault(at, []).append(n)
        roots: dict[int, list[int]] = {}
        position = {n: at for at, n in enumerate(self.order)}
        for number, r in enumerate(self.relations):
            roots.setdefault(max(position[r.left], position[r.right]), []).append(number)
        depends = []
        for at, n in enumerate(self.order):
            node = graph.nodes[n]
            if node.op == "column":
                self._address[n], self._moves[n] = rows[node.extra[0]] + node.extra[1], 1
            elif node.op == "fill":
                self._address[n] = self._take(self.block)
                self.fills.append((self._address[n], self._address[node.of[0]]))
            elif not graph.constant[n] and node.op != "back":
                op, of, extra, more = _chosen(graph, n)
                if op in ("cumsum", "cumprod", "cummin", "cummax", "recur"):
                    more = halo.get(n, 1)
                    self._address[n] = self._take(more + self.block) + more
                    self.starts.append((self._address[n] - more, more, 1.0 if op == "cumprod" else 0.0))
                else:
                    self._address[n] = free.pop() if free else self._take(self.block)
                made_by[n] = len(made)
                made.append(self._instruction(op, self._address[n], -1, extra, more, of))
                depends.append(of)
            for number in roots.get(at, ()):
                r = self.relations[number]
                sides = [self._vector(side) for side in (r.left, r.right)]
                row = self._instruction("compare", 0, number, RELATIONS[r.op], int(r.distances), ())
                for place, (address, moves) in zip((A, B), sides, strict=True):
                    row[place], row[place + 1] = address, moves
                made.append(row)
                depends.append((r.left, r.right))
            free.extend(self._address[n] for n in ends.get(at, ()) if n in made_by and n not in halo)
        self.code, self.rows_of_code = np.array(made, dtype=np.int64).reshape(-1, WIDTH), made
        self.depends = np.full((len(made), 4), -1, dtype=np.int64)
        for at, of in enumerate(depends):
            for place, n in enumerate(of):
                n = graph.nodes[n].of[0] if graph.nodes[n].op == "back" else n
                self.depends[at, place] = made_by.get(n, -1)

    def _vector(self, n: int) -> tuple[int, int]:
        """Where a side of a relation is; a constant is spread over a register of its own."""
        if self.graph.constant[n]:
            if n not in self._spread:
                self._spread[n] = self._take(self.block)
                self.fills.append((self._spread[n], self._address[n]))
            return self._spread[n], 0
        node = self.graph.nodes[n]
        address = self._address[n] if node.op != "back" else self._address[node.of[0]] + node.extra
        return address, self._moves.get(n, 0)

    @cached_property
    def _spread(self) -> dict[int, int]:
        return {}

    def _lives(self) -> tuple[dict[int, int], dict[int, int]]:
        """When each node is read last; and of scans, how much of the block before is kept."""
        graph = self.graph
        last: dict[int, int] = {}
        halo: dict[int, int] = {}
        position = {n: at for at, n in enumerate(self.order)}

        def reads(n: int, at: int) -> None:
            node = graph.nodes[n]
            back = 0
            if node.op == "back":
                n, back = node.of[0], -node.extra
            if graph.nodes[n].op.startswith("cum") or graph.nodes[n].op == "recur":
                halo[n] = max(halo.get(n, 1), back)
            last[n] = max(last.get(n, 0), at)

        for n in self.order:
            if graph.nodes[n].op != "back":
                for of in graph.nodes[n].of:
                    reads(of, position[n])
        for r in self.relations:
            at = max(position[r.left], position[r.right])
            reads(r.left, at)
            reads(r.right, at)
        return last, halo

    def fill(self, M: NDArray[np.float64], R: NDArray[np.float64]) -> None:
        """Spread the constants that are read as series."""
        for to, address in self.fills:
            M[to : to + self.block], R[to : to + self.block] = M[address], R[address]

    def begin(self, M: NDArray[np.float64], R: NDArray[np.float64]) -> None:
        """What stands before the first block of a scan."""
        for address, length, value in self.starts:
            M[address : address + length], R[address : address + length] = value, 0.0

    def stretches(self, end: int) -> list[tuple[int, int]]:
        """From the first k to the end, each a whole number of blocks but the last; where a stretch is one block, alike."""
        first, step = self.layout.first, self.stretch
        if self.block == self.stretch and end > first:
            step = -(-(end - first) // -(-(end - first) // step))
        return [(low, min(low + step, end)) for low in range(first, end, step)]

    @cached_property
    def columns_read(self) -> list[tuple[int, int, int]]:
        """The columns that are read: from which address, at which offset from k, and the number of the column."""
        nodes = [(n, self.graph.nodes[n]) for n in self.order]
        number = {column: at for at, column in enumerate(self.layout.columns)}
        return [(self._address[n], node.extra[1], number[node.extra[0]]) for n, node in nodes if node.op == "column"]

    def needed(self, asked: NDArray[np.bool_]) -> Part:
        """The part without which the relations asked have no answer."""
        key = asked.tobytes()
        if key not in self._parts:
            if len(self._parts) >= PARTS:
                self._parts.clear()
            self._parts[key] = self._needed(asked)
        return self._parts[key]

    @cached_property
    def _parts(self) -> dict[bytes, Part]:
        return {}

    def _needed(self, asked: NDArray[np.bool_]) -> Part:
        wanted = np.zeros(len(self.code) + 1, dtype=bool)
        for at in range(len(self.code) - 1, -1, -1):
            result = self.code[at, RESULT]
            if result >= 0:
                wanted[at] = asked[result]
            if wanted[at]:
                wanted[self.depends[at]] = True  # -1 is the spare entry at the end
        mine = self.code[wanted[:-1]]
        read = {int(address) for at in (A, B, C, D) for address in mine[mine[:, at + 1] == 1, at]}
        return Part(wanted[:-1], sorted({column for address, _, column in self.columns_read if address in read}))


def _chosen(graph: Graph, n: int) -> tuple[str, tuple[int, ...], int, int]:
    """The operation for these operands (a constant has its own), its operands, and two whole numbers."""
    op, of, extra = graph.nodes[n]
    if op in ("add", "mul", "sub", "div"):
        left, right = of
        if graph.constant[right]:
            return "add_c" if op == "sub" else op + "_c", of, 0, int(op == "sub")  # a - c is a + (-c)
        if graph.constant[left]:
            return {"add": "add_c", "mul": "mul_c", "sub": "sub_from_c", "div": "div_into_c"}[op], (right, left), 0, 0
        return op, of, 0, 0
    if op == "choose":
        return op, of, RELATIONS[extra], 0
    if op == "from":
        return op, of, *extra
    return op, of, extra or 0, 0


def _needed(graph: Graph, roots: Sequence[int]) -> list[int]:
    """The nodes under these, each after those that it reads, and near to where it is read first."""
    order: list[int] = []
    seen: set[int] = set()
    for root in roots:
        stack = [(root, False)]
        while stack:
            n, done = stack.pop()
            if done:
                order.append(n)
            elif n not in seen:
                seen.add(n)
                stack.append((n, True))
                stack.extend((of, False) for of in reversed(graph.nodes[n].of) if of not in seen)
    return order
