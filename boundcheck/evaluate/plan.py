"""Plans: the relations of many claims as one program, made once and kept for the next run that is asked the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic import compiled
from boundcheck.evaluate.columns import Column
from boundcheck.evaluate.graph import Graph, Reader, Unplanned
from boundcheck.evaluate.numpy_machine import Numpy
from boundcheck.evaluate.program import Compared, Part, Program
from boundcheck.language.relations import Relation
from boundcheck.language.tree import IndexError_

NUMPY_BLOCK = 10_240
MOST_KEPT = 2**27  # bytes of memory that wait for the next run
MACHINES = 4  # bound to one memory
Numbers = tuple[float, float]  # a middle and a radius
Row = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Wanted:
    """A relation to be asked at letter = floor, floor + 1, ...; with the values that its question gives to parameters."""

    relation: Relation
    letter: str
    floor: int
    local: bool
    values: tuple[tuple[str, Any], ...]
    assumed: bool = False  # is it a hypothesis? It is asked before the claims are
    distances: bool = False  # how far apart are its sides? Wanted everywhere, not only where it does not hold


class Answers:
    """What one run says to the relations of a plan: a row each, over k, in memory that is given. It serves run after run.

    Outcomes are 0 where the relation holds, 1 where it fails, 2 where that is not known. `counts` has how often it fails, and
    the first k of that; then the same of what is not known. `sides` has both sides there: middle, radius, middle, radius.
    `widths` are how far apart they may be, relatively, where that is not known: for hypotheses and those of `each`; `widest` is
    the most of it, for all.
    """

    def __init__(self, relations: int, length: int, outcomes: NDArray[np.int8], widths: NDArray[np.float64]) -> None:
        self.outcomes, self.widths = outcomes.reshape(relations, length), widths.reshape(relations, length)
        self.outcomes[:] = 0
        self.each = np.zeros(relations, dtype=bool)
        self.widest = np.zeros(relations)
        self.counts = np.zeros((relations, 2, 2), dtype=np.int64)
        self.sides = np.zeros((relations, 2, 4))
        self.ranges = np.zeros((relations, 2), dtype=np.int64)

    def clear(self) -> None:
        for row in np.flatnonzero(self.counts[:, :, 0].any(1)):
            self.outcomes[row] = 0
        self.counts[:], self.widest[:], self.each[:] = 0, 0.0, False


class Plan:
    """A program for some relations; `which` has the place of each of them in it, or -1 for what no plan can do."""

    def __init__(self, wanted: Sequence[Wanted], per_run: frozenset[str]) -> None:
        graph = Graph()
        graph.moved = True
        while graph.moved:  # again with longer leads, until none grows
            graph.moved = False
            readers: dict[Any, Reader] = {}
            places: dict[Compared, int] = {}
            self.which = np.array([self._place(w, graph, readers, places, per_run) for w in wanted], dtype=np.int64)
        self.graph, self.compared = graph, list(places)
        self.constant = np.array([graph.constant[r.left] and graph.constant[r.right] for r in places], dtype=bool)

    def _place(
        self, w: Wanted, graph: Graph, readers: dict[Any, Reader], places: dict[Compared, int], per_run: frozenset[str]
    ) -> int:
        with_values = (w.local, w.values)
        if with_values not in readers:
            readers[with_values] = Reader(graph, w.local, dict(w.values), per_run)
        try:
            left, right = (readers[with_values].read(s, w.letter, 0, w.floor) for s in (w.relation.left, w.relation.right))
        except (Unplanned, IndexError_):
            return -1
        return places.setdefault(Compared(left, right, w.relation.op, w.assumed, w.distances), len(places))

    @property
    def relations(self) -> int:
        return len(self.compared)

    @cached_property
    def compiled(self) -> Program:
        """For the compiled machine: short blocks, which stay in the cache."""
        return Program(self.graph, self.compared)

    @cached_property
    def in_numpy(self) -> Program:
        """For NumPy: long blocks, for each operation has its price."""
        return Program(self.graph, self.compared, NUMPY_BLOCK, NUMPY_BLOCK)


class Room:
    """A place for the program of a plan and for its answers, in a memory that is given back afterwards."""

    def __init__(self, plan: Plan, length: int) -> None:
        self.program = program = plan.compiled if compiled.wanted() else plan.in_numpy
        size, answers = program.layout.size, len(program.relations) * length
        self.memory = Memory.taken(2 * size + answers + -(-answers // 8))
        buffer = self.memory.buffer
        self.M, self.R = buffer[:size], buffer[size : 2 * size]
        rest = buffer[2 * size :]
        self.answers = Answers(len(program.relations), length, rest[answers:].view(np.int8)[:answers], rest[:answers])
        self.machine = self.memory.machine(program, self.M, self.R)

    def leave(self) -> None:
        """Nothing that was answered may be read any more."""
        self.memory.leave()


class Memory:
    """Numbers for one program at a time. To get them fresh from the system takes as long as to use them, so one memory is kept.

    Machines whose instructions are bound to its addresses are kept with it.
    """

    def __init__(self, size: int) -> None:
        self.buffer = np.empty(size)
        self.machines: list[Any] = []

    @classmethod
    def taken(cls, size: int) -> Memory:
        """The one that is kept, if nobody has it and it is large enough; else a new one."""
        with suppress(IndexError):
            kept = _KEPT.pop()  # whoever comes first: no two threads get the same
            if kept.buffer.size >= size:
                return kept
        return cls(size)

    def leave(self) -> None:
        if self.buffer.nbytes <= MOST_KEPT:
            _KEPT[:] = [self]

    def machine(self, program: Program, M: Any, R: Any) -> Any:
        for machine in self.machines:
            if machine.program is program:
                return machine
        made = (Compiled if program.block < program.stretch else Numpy)(program, M, R)
        self.machines = [*self.machines[1 - MACHINES :], made]
        return made


_KEPT: list[Memory] = []


class Asking:
    """A plan at work on one run: its constants are computed once, then relations can be asked, some after others."""

    def __init__(self, room: Room, given: Callable[[str, Any], Numbers], column: Callable[[Column], Row]) -> None:
        self.room, self.program = room, room.program
        for address, (kind, what) in zip(self.program.inputs, self.program.layout.inputs, strict=True):
            room.M[address], room.R[address] = given(kind, what)
        room.machine.begin([column(c) for c in self.program.layout.columns])

    def ask(self, asked: NDArray[np.bool_]) -> None:
        """Answer these relations, each at the k of its range."""
        program, answers = self.program, self.room.answers
        needed = program.needed(asked)
        program.begin(self.room.M, self.room.R)
        end = int(answers.ranges[asked, 1].max(initial=0))
        if end > answers.outcomes.shape[1]:  # compiled code would write past it
            raise IndexError(f"{end} answers are asked for, and there is room for {answers.outcomes.shape[1]}")
        for low, high in program.stretches(end):
            self.room.machine.advance(needed, low, high, answers)


class Compiled:
    """The machine of `machine`, for one memory."""

    def __init__(self, program: Program, M: Any, R: Any) -> None:
        from boundcheck.evaluate import machine

        self.program, self.M, self.R, self.code = program, M, R, machine

    def begin(self, columns: list[Row]) -> None:
        """A run begins: its columns are these, and its constants are in memory."""
        self.columns = columns
        self.code.constants(self.program.constants, self.M, self.R)
        self.program.fill(self.M, self.R)

    def advance(self, needed: Part, low: int, high: int, answers: Answers) -> None:
        layout, found = self.program.layout, (answers.ranges, answers.outcomes, answers.widths, answers.counts, answers.sides)
        for column in needed.columns:
            _load(self.M, self.R, self.program.rows[column], low - layout.before, high + layout.after, *self.columns[column])
        more = (answers.widest, answers.each)
        self.code.advance(self.program.code, needed.instructions, low, high, layout.first, self.M, self.R, *found, *more)


def _load(M: Any, R: Any, address: int, low: int, high: int, mids: Any, radii: Any) -> None:
    """The entries low..high - 1 of a column; unknown where it has none."""
    first, last = max(low, 0), min(high, len(mids))
    if low < first or last < high:
        M[address : address + high - low], R[address : address + high - low] = 0.0, np.inf
    if first < last:
        M[address + first - low : address + last - low] = mids[first:last]
        R[address + first - low : address + last - low] = radii[first:last]
