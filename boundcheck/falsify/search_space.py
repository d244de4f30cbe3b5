"""The space of a search: a claim with M chosen, a family of functions, and what may vary. A point of it is a row of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate
from typing import Any

import numpy as np

from boundcheck.claims.bound import Bound
from boundcheck.claims.parameters import range_of
from boundcheck.falsify.candidate import Candidate, Steps
from boundcheck.falsify.exact_check import (
    FINEST,
    formula_of,
    looks_ahead,
    reads,
    steps_left_open,
    with_exact_roots,
    with_exact_steps,
)
from boundcheck.falsify.families import FunctionFamily
from boundcheck.falsify.lane_batch import LaneBatch
from boundcheck.falsify.lane_functions import Floats, PieceFunctions, trees_of
from boundcheck.falsify.shapes import Vector
from boundcheck.language.relations import Interval
from boundcheck.language.scalars import STEP
from boundcheck.language.vectors import Point
from boundcheck.model.step_search import COUNTED, FIRST_STEP

PLAIN = tuple(map(Fraction, ("1/10", "1/4", "1/2", "3/4", "1", "5/4", "3/2", "7/4", "2", "3", "4")))
FAR = tuple(map(Fraction, ("-100", "-4", "-2", "-1", "-1/2", "-1/10", "0", "1/1000", "10", "100")))
SEARCH_FROM = tuple(map(Fraction, ("1/2", "1", "3/2", "7/4", "2", "3", "4", "27/4", "8", "16")))  # eta_0 of a search
NEAR = (Fraction(1, 1000), Fraction(1, 20))  # of the width of a range, or of 1: how far inside an end


def values(bound: Bound, name: str) -> tuple[Fraction, ...]:
    """Plain numbers, negative, tiny and large ones, those of `try_with`, the ends and what is just inside: all that are allowed.

    Hypotheses about several letters, or about the run, may still exclude some; a candidate that breaks one does not count.
    """
    allowed = range_of(name, bound.hypotheses)
    plain = SEARCH_FROM if name == FIRST_STEP else PLAIN
    tried = tuple(Fraction(v) for v in bound.try_with.get(name, ()))
    kept = {v for v in (*plain, *FAR, *tried, *_ends(allowed)) if v in allowed}
    return tuple(sorted(kept or tried or plain))


def _ends(allowed: Interval) -> list[Fraction]:
    """Return the ends of a range and what is just inside them."""
    low, high = allowed.low, allowed.high
    width = high - low if low is not None and high is not None else Fraction(1)
    inside = [width * near for near in (Fraction(0), *NEAR)]
    return [*(low + step for step in inside if low is not None), *(high - step for step in inside if high is not None)]


STARTS = tuple(map(Fraction, ("-10", "-5", "-4", "-3", "-2", "-1", "-1/2", "1/2", "1", "2", "3", "4", "5", "10")))
SIGMAS = tuple(map(Fraction, ("1/20", "1/10", "1/4", "1/2", "3/4", "1", "1", "5/4", "3/2", "19/10", "2", "3", "4", "10", "25")))
LENGTHS = tuple(map(Fraction, ("1/20", "1/10", "1/4", "1/2", "3/4", "1", "1", "3/2", "2", "4")))
MOVES = tuple(map(Fraction, ("-3", "-1", "0", "1", "2", "5")))


def follows_implicitly(bound: Bound) -> bool:
    """Return whether steps are the roots of an equation that reads what comes after them."""
    formula = formula_of(bound)
    return formula is not None and looks_ahead(formula)


FREE, CONSTANT, MOVED = "free", "constant", "moved"
SCALED = {  # other units of f and of x
    "1000 f(x)": (Fraction(1000), Fraction(1)),
    "f(x)/1000": (Fraction(1, 1000), Fraction(1)),
    "f(x/100)": (Fraction(1), Fraction(100)),
    "f(100 x)": (Fraction(1), Fraction(1, 100)),
}


class Space:
    """`ks` are where the claim is asked. Steps are FREE or CONSTANT; a function may be MOVED: f(x - c) + C.

    Or SCALED, in other units of f and x: a true claim does not notice that either.

    A row has the numbers of the function, then the start or chord, the steps, the letters, the move.
    """

    def __init__(self, bound: Bound, smoothness: str, family: FunctionFamily, ks: Sequence[int], form: str = FREE) -> None:
        self.bound, self.smoothness, self.ks = bound, smoothness, tuple(ks)
        self.family = replace(family, units=SCALED[form]) if form in SCALED else family
        self.constant, self.moved = form == CONSTANT, form == MOVED
        self.claim = trees_of(bound)
        self.searches = bound.runs.searched and not bound.is_about_chords
        self.count = 0 if bound.is_about_chords else max(self.ks) + (1 if self.searches else 2)
        points = {n.name for tree in bound.trees for n in tree.walk() if isinstance(n, Point) and n.index is None}
        self.points = tuple(sorted(points)) if bound.is_about_chords else ()
        self.letters = tuple(name for name in bound.parameters if not (self.searches and name in (*COUNTED, FIRST_STEP)))
        self.letters += (FIRST_STEP,) if self.searches else ()
        if self.searches:  # the search makes just as many steps as the claim reads
            self.count = self.batch(np.ones((1, len(self.grids)))).fewest_steps(self.ks[0]) or self.count

    @cached_property
    def formula(self) -> Any:
        return formula_of(self.bound)

    @property
    def is_implicit(self) -> bool:
        return follows_implicitly(self.bound)

    @cached_property
    def grids(self) -> list[Vector]:
        """For each number of a row, the values to choose from."""
        places, unit = len(self.points) or 1, self.family.units[1]
        steps = SIGMAS if self._in_units else tuple(unit * length for length in LENGTHS)
        starts = (*STARTS[: len(STARTS) // 2], *[Fraction(0)] * 3, *STARTS[len(STARTS) // 2 :]) if self.points else STARTS
        starts = tuple(unit * start for start in starts)
        return [
            *self.family.grids,
            *[starts] * (places * self.family.dimension),
            *[steps] * self._own,
            *(values(self.bound, name) for name in self.letters),
            *[MOVES] * self._moves,
        ]

    @property
    def _moves(self) -> int:
        """The numbers that move a function: its centre, and what is added to it."""
        return self.family.dimension + 1 if self.moved else 0

    @property
    def _own(self) -> int:
        """How many steps are chosen: an equation for them leaves only its first ones open."""
        if self.searches:
            return 0
        if self.formula is not None and not self.is_implicit:
            return min(self.count, steps_left_open(self.formula))
        return min(self.count, 1) if self.constant else self.count

    @cached_property
    def _in_units(self) -> bool:
        """Return whether steps are chosen in units of 1/L. Those of normalized gradient descent are lengths."""
        return self.bound.runs.main.step_dimension == STEP and self.family.closed != "power"

    @cached_property
    def _parts(self) -> list[slice]:
        places = len(self.points) or 1
        sizes = [len(self.family.grids), places * self.family.dimension, self._own, len(self.letters), self._moves]
        ends = list(accumulate(sizes))
        return [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]

    def column(self, letter: str) -> int:
        """Return where a row has the value of a letter."""
        return int(self._parts[3].start) + self.letters.index(letter)

    def rows(self, z: Floats) -> Floats:
        """Return rows from points of the unit cube: each number goes through its values, and all between them."""
        columns = [np.interp(z[:, n], np.linspace(0, 1, len(grid)), self._floats[n]) for n, grid in enumerate(self.grids)]
        return np.stack(columns, 1)

    def choose(self, rng: np.random.Generator, lanes: int) -> Floats:
        """Return rows of the listed values."""
        return np.stack([rng.choice(values, lanes) for values in self._floats], 1)

    @cached_property
    def _floats(self) -> list[Floats]:
        return [np.array([float(v) for v in grid]) for grid in self.grids]

    def batch(self, theta: Floats) -> LaneBatch:
        """Return the claim on these rows, in floating point."""
        shape, places, steps, letters, moves = (theta[:, part] for part in self._parts)
        functions = self.family.functions(shape)
        if self.moved and isinstance(functions, PieceFunctions):
            functions.centre, functions.shift = moves[:, :-1], moves[:, -1]
        d = self.family.dimension
        ends = {name: places[:, n * d : (n + 1) * d] for n, name in enumerate(self.points)}
        with np.errstate(all="ignore"):  # a candidate with L = 0 has no step in units of 1/L
            unit = 1 / functions.constants["L"][:, None] if self._in_units else 1.0
            free = None if self.points else self._free(steps * unit)
        return LaneBatch(
            self.claim,
            functions,
            smoothness=self.smoothness,
            parameters={name: letters[:, n] for n, name in enumerate(self.letters)},
            ends={**ends, "x*": functions.centre + np.zeros((len(theta), d))},
            start=None if self.points else places,
            free=free,
            count=self.count,
            k=max(self.ks, default=0),
            room=functions.least if reads(self.bound)[1] else np.inf,
        )

    def _free(self, steps: Floats) -> Floats:
        """Return a column a step: the one that is constant, or those that are chosen; nan for those that an equation gives."""
        if self.constant and self._own:
            return np.broadcast_to(steps, (len(steps), self.count))
        return np.concatenate([steps, np.full((len(steps), self.count - self._own), np.nan)], 1)

    def candidates(self, rows: Sequence[Vector], k: int, link: int, steps: int) -> Iterator[Candidate | None]:
        """Yield rows in exact numbers, one after another; None for one that makes no function or run."""
        floats = self.batch(np.array([[float(v) for v in row] for row in rows])) if self.searches or self.is_implicit else None
        for lane, row in enumerate(rows):
            yield self._candidate(row, k, link, steps, floats, lane)

    def _candidate(self, theta: Vector, k: int, link: int, steps: int, floats: LaneBatch | None, lane: int) -> Candidate | None:
        """`floats`: the row in floating point, a lane of a batch, where steps are found there."""
        shape, places, free, letters, moves = (theta[part] for part in self._parts)
        try:
            function = self.family.function(shape)
            if self.moved:
                function = replace(function, centre=moves[:-1], shift=moves[-1])
        except ValueError:
            return None
        d, chosen = self.family.dimension, dict(zip(self.letters, letters, strict=True))
        base = partial(Candidate, function=function, k=k, smoothness=self.smoothness, link=link)
        if self.points:
            chord = tuple((name, places[n * d : (n + 1) * d]) for n, name in enumerate(self.points))
            return base(parameters=tuple(chosen.items()), chord=chord)
        unit = Fraction(1)
        if self._in_units:
            if not function.L:
                return None
            unit = 1 / function.L
        sigmas = free * steps if self.constant else free[:steps]
        own: Steps = tuple(sigma * unit for sigma in sigmas)
        own += (Fraction(1),) * (steps - len(own))  # an equation gives these
        roles = [role for role, _ in self.bound.runs.roles]
        if self.searches and floats is not None:
            low, high, seen = (int(v) for v in floats.halvings[lane])
            if low < 0:
                return None
            counted = dict(zip(COUNTED, (Fraction(seen * steps), Fraction(seen)), strict=True))
            chosen |= {name: value for name, value in counted.items() if name in self.bound.parameters}
            each = [chosen[FIRST_STEP] / 2**m for m in (low, high)]
            runs = tuple((role, (("eta", (eta,) * steps),)) for role, eta in zip(roles, each, strict=True))
            return base(parameters=tuple(chosen.items()), start=places, chosen=runs)
        if floats is not None:
            found = [float(floats.entries["", "eta"][n][lane]) for n in range(steps)]
            if not np.isfinite(found).all():
                return None
            own = tuple(Fraction(eta).limit_denominator(FINEST) for eta in found)
        runs = tuple((role, (("eta", own),)) for role in roles)
        whole = base(parameters=tuple(chosen.items()), start=places, chosen=runs)
        if self.formula is None:
            return whole
        return with_exact_roots(self.bound, whole) if self.is_implicit else with_exact_steps(self.bound, whole)
