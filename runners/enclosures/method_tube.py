"""A tube about the run of any method, in balls: its set is of all entries that a later step reads, points and numbers together.

Entries that a step sets are one map of these: y_k, then x_{k+1} from y_k. The map is evaluated at the stored entries, which are
its centre, and its Jacobian over the tube. What the rule chose (eta_k, and what it noted) is exactly what is stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.balls.ball import Ball
from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.derivatives.dual import Dual
from boundcheck.arithmetic.derivatives.dual_numbers import dense
from boundcheck.language.scalars import Chord, Term
from boundcheck.language.vectors import Point
from boundcheck.model.method import Method
from boundcheck.model.problem import Problem
from boundcheck.model.schedule import STEP_LETTER
from boundcheck.runners.enclosures.descent_tube import coordinates_apart
from boundcheck.runners.enclosures.tube import Jacobians, Tube
from boundcheck.runners.engine.leaf_values import Here
from boundcheck.runners.engine.method_run import Iteration, updates_at

Entry = tuple[str, int]
BETWEEN = ("A", "mu")  # chord numbers that are known to lie between two ends: their derivatives are not those of the ends


def has_derivatives(problem: Problem, method: Method) -> bool:
    """Can the map of a step be told from its derivatives?"""
    nodes = (node for update in (*method.first, *method.each) for node in update.to.walk())
    return problem.has_continuous_gradient and not any(isinstance(n, Chord) and n.kind in BETWEEN for n in nodes)


def carried_offsets(method: Method) -> dict[str, range]:
    """For each sequence that updates set, which entries a step k finds already there and reads, as offsets to k."""
    lowest: dict[str, int] = {}
    for update in method.each:
        for node in update.to.walk():
            if isinstance(node, Point | Term) and node.index is not None and node.index.letter == STEP_LETTER:
                lowest[node.name] = min(node.index.offset, lowest.get(node.name, 1))
    names = {update.name for update in (*method.first, *method.each)}
    return {n: range(low, 1 if n in method.state else 0) for n, low in sorted(lowest.items()) if n in names}


class MethodTube:
    """Radii of all entries of a run, one step after another."""

    def __init__(self, run: Iteration) -> None:
        assert isinstance(run.xp, Ball)
        self.run, self.problem, self.xp = run, run.problem, run.xp
        self.offsets = carried_offsets(run.method)
        self.radii: dict[Entry, float] = {("x", 0): run.start_error}
        self.rows: dict[Entry, slice] = {("x", 0): slice(0, self.problem.dimension)}
        self.tube = Tube.ball(run.start_error, self.problem.dimension)
        self.jacobians = Jacobians(self.xp.bits)
        self._letters: dict[int, dict[str, Any]] = {}

    def go(self, steps: int) -> MethodTube:
        with np.errstate(all="ignore"):
            for k in range(steps):
                self._advance(k)
        return self

    def _advance(self, k: int) -> None:
        set_now, image = self._image(k)
        for entry, where in set_now.items():
            self.radii[entry] = image.radius(where)
        self._carry(k + 1, set_now, image)

    def _carry(self, k: int, set_now: dict[Entry, slice], image: Tube) -> None:
        """The tube about what step k will find: of what was set now, and of what was carried here and stays."""
        known = image.beside(self.tube)
        places = {**{e: slice(w.start + len(image.q), w.stop + len(image.q)) for e, w in self.rows.items()}, **set_now}
        wanted = [(name, k + offset) for name, offsets in self.offsets.items() for offset in offsets]
        found = [entry for entry in wanted if entry in places]
        self.tube = known.rows([places[entry] for entry in found]).rounded()
        self.rows, place = {}, 0
        for entry in found:
            size = places[entry].stop - places[entry].start
            self.rows[entry] = slice(place, place + size)
            place += size

    # -- one step of the map ---------------------------------------------------------------------------------------------

    def _image(self, k: int) -> tuple[dict[Entry, slice], Tube]:
        """The entries that step k sets, with their coordinates, and the set that they are in."""
        places: dict[Entry, slice] = {}
        apart: list[Floats] = []
        place = 0
        for entry, value in self._step(k, self.xp, self._centre, self.run.enclosed).items():
            stored = np.asarray(self.run.entries[entry[0]][entry[1]], dtype=object).reshape(-1)
            apart.append(coordinates_apart(self.xp, self.xp.bare(value).reshape(-1), stored))
            places[entry] = slice(place, place + len(stored))
            place += len(stored)
        return places, self.tube.moved(*self._slope(k, place), np.concatenate(apart))

    def _slope(self, k: int, height: int) -> tuple[Floats, Floats]:
        """The Jacobian of all that step k sets, over the tube."""
        count = len(self.tube.q)
        if self.tube.is_point or not self.tube.is_bounded:
            return np.zeros((height, count)), np.full((height, count), np.inf)
        reach = self.tube.reach()

        def derivatives(xp: Dual) -> Any:
            values = self._step(k, xp, lambda entry: self._variable(xp, entry, reach), self._letters_in(xp))
            return np.concatenate([dense(v.tangent, (*v.value.shape, count)).reshape(-1, count) for v in values.values()])

        return self.jacobians.over(reach, derivatives)

    def _step(self, k: int, xp: Any, known: Any, letters: Any) -> dict[Entry, Any]:
        """What each update of step k gives, from what is known before it and from each other."""
        made: dict[Entry, Any] = {}

        def entry(name: str, index: int) -> Any:
            return made[name, index] if (name, index) in made else known((name, index))

        here = Here(self.problem, xp, k, entry, letters)
        for update in updates_at(self.run.method, k):
            made[update.name, here.at(update.index)] = here.value(self.run.read(update.to))
        return made

    def _centre(self, entry: Entry) -> Any:
        """A carried entry as it is stored; another, which is no part of the set, with its radius."""
        stored = self.run.enclosed_entry(*entry)
        r = 0.0 if entry in self.rows else self.radii.get(entry, 0.0)
        if not r:
            return stored
        bare = self.xp.bare(stored)
        return self.xp.vectors(bare, r) if _is_point(self.run, entry) else self.xp.scalars(bare, r)

    def _variable(self, xp: Dual, entry: Entry, reach: Floats) -> Any:
        stored = np.asarray(self.run.entries[entry[0]][entry[1]], dtype=object)
        if entry in self.rows:
            where = self.rows[entry]
            at = xp.variables(stored.reshape(-1), reach[where], where.start, len(reach))
            return at if stored.ndim else xp.coordinate(at, 0)
        r = self.radii.get(entry, 0.0)
        return xp.vectors(stored, r) if stored.ndim else xp.scalars(stored, r)

    def _letters_in(self, xp: Dual) -> dict[str, Any]:
        if xp.bits not in self._letters:
            self._letters[xp.bits] = {name: xp.scalar(value) for name, value in self.run.exact_letters.items()}
        return self._letters[xp.bits]


def _is_point(run: Iteration, entry: Entry) -> bool:
    return bool(np.ndim(run.entries[entry[0]][entry[1]]))
