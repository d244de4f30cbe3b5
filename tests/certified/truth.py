"""The truth: a run, and both sides of a claim, by the plain definitions at 1300 bits.

Gradient descent, normalized gradient descent and Nesterov's forms are iterated as written, with the steps that the run under test
took (exact dyadic rationals). Nothing is enclosed, nothing is shortened: f - f* is a difference, every sum is added up anew, x*
is refined by Newton's method. Of a problem, only its formulas for f and its gradient are read, and the point that it calls x*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from boundcheck.language.definition import Definition, UndefinedValue
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Chord, Constant, Gap, Inner, Norm, Normsq, Parameter, Scalar, Term, Value
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Plus, Point, Scaled, Vector
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import IsQuadratic, Problem, TwiceDifferentiable

from .chord_extremes import extreme
from .numbers import NUMBERS, number, power, settled, working

CHORD_BITS = 500  # of a search along a chord: the ends are known to more, and the answer to 12 digits
STATIONARY = Fraction(1, 2**900)  # a gradient of this size is 0 but for rounding
Entries = dict[tuple[str, str, int | None], Any]  # (run, name, index): a vector or a number


class Oracle:
    """f and its gradient at any point, and x*."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def f(self, x: Any) -> Any:
        return _one(self.problem.f(NUMBERS, x))

    def grad(self, x: Any) -> Any:
        return settled(np.asarray(self.problem.grad(NUMBERS, x), dtype=object).reshape(-1))

    @cached_property
    def xstar(self) -> Any:
        """The point that the problem gives, if it is exact; else what Newton's method makes of it."""
        minimiser = self.problem.minimiser
        assert minimiser is not None
        x = settled(minimiser.point)
        if not minimiser.radius:
            return x
        inverse = [[number(float(c)) for c in row] for row in np.linalg.inv(self._slopes(x))]
        for _ in range(400):
            g = self.grad(x)
            if max(abs(c) for c in g).mid() < number(Fraction(1, 2**1200)):
                return x
            x = settled([c - _dot(row, g) for c, row in zip(x, inverse, strict=True)])
        raise ArithmeticError(f"Newton's method did not converge on {self.problem.name}")

    @cached_property
    def fstar(self) -> Any:
        return self.f(self.xstar)

    def _slopes(self, x: Any) -> Any:
        """The Hessian by differences, good to 20 digits, in float64."""
        h, g, columns = number(Fraction(1, 2**100)), self.grad(x), []
        for j in range(len(x)):
            moved = x.copy()
            moved[j] = moved[j] + h
            columns.append([float(((a - b) / h).mid()) for a, b in zip(self.grad(moved), g, strict=True)])
        return np.array(columns).T

    def curvature(self, kind: str, x: Any, y: Any) -> Any:
        """D, H, A or mu of the ordered pair (x, y), as the paper defines them."""
        d = y - x
        square = _dot(d, d)
        if kind == "D":
            across = self.grad(y) - self.grad(x)
            return 2 * _dot(across, across).sqrt() / square.sqrt()
        if kind == "H":
            return 2 * abs(self.f(y) - self.f(x) - _dot(self.grad(x), d)) / square
        start = self.grad(x)

        def phi(places: Sequence[Any]) -> list[Any]:
            points = np.stack([settled(x + t * d) for t in places])
            grads = np.asarray(self.problem.grad(NUMBERS, points), dtype=object)
            return [_dot(g - start, d) / (t * square) for t, g in zip(places, grads, strict=True)]

        if self.problem.has(IsQuadratic):
            return phi([number(1)])[0]
        with working(CHORD_BITS):
            return extreme(phi, sup=kind == "A", smooth=self.problem.has(TwiceDifferentiable) and self.problem.dimension > 1)


class _Remembering(Definition):
    """The definition, each formula worked out once at each index."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.known: dict[Any, Any] = {}

    def value(self, node: Scalar, at: Mapping[str, int]) -> Any:
        name = (id(node), tuple(sorted((letter, at[letter]) for letter in node.free)))
        if name not in self.known:
            self.known[name] = (super().value(node, at), node)  # the node too: its id must stay its own
        return self.known[name][0]

    def holds(self, relation: Relation, at: Mapping[str, int]) -> bool:
        left, right = (number(self.value(side, at)) for side in (relation.left, relation.right))
        return {"<=": left <= right, "<": left < right, ">=": left >= right, ">": left > right, "==": left == right}[relation.op]


class Truth:
    """Values of formulas on what is known: `entries` of runs (and of chords, whose points have no index) and letters."""

    def __init__(self, oracle: Oracle, entries: Entries, letters: Mapping[str, Any], smoothness: str = "") -> None:
        self.oracle, self.entries, self.smoothness = oracle, entries, smoothness
        self.letters = {name: number(_exact(value)) for name, value in letters.items() if value is not None}
        self.definition = _Remembering(self._leaf, {"log": lambda v: v.log().mid(), "power": power}, number)
        self._vectors: dict[Any, Any] = {}
        self._shared: dict[Any, Any] = {}  # what depends on the points alone: gradients, values, chords

    def value(self, formula: Scalar, at: Mapping[str, int]) -> Any:
        try:
            return number(self.definition.value(formula, at))
        except UndefinedValue:
            return number(0) / 0

    def sides(self, relation: Relation, letter: str, k: int) -> tuple[Any, Any]:
        """Both sides of a relation at k, the smaller first: a <= b for a <= b and for b >= a."""
        left, right = (self.value(side, {letter: k}) for side in (relation.left, relation.right))
        return (right, left) if relation.op in (">=", ">") else (left, right)

    def with_smoothness(self, smoothness: str) -> Truth:
        """The same points and letters, with another M."""
        again = Truth(self.oracle, self.entries, {}, smoothness)
        again.letters, again._shared = self.letters, self._shared
        return again

    # -- leaves ----------------------------------------------------------------------------------------------------------

    def _leaf(self, node: Node) -> Any:
        if isinstance(node, Parameter | Constant):
            return self.letters[node.name]
        if isinstance(node, Term):
            return self.entries[node.run, node.name, node.index.offset]
        if isinstance(node, Value):
            return self._f(node.at)
        if isinstance(node, Gap):
            return self._f(node.at) - self.oracle.fstar
        if isinstance(node, Inner):
            return _dot(self.vector(node.left), self.vector(node.right))
        if isinstance(node, Normsq):
            return _dot(self.vector(node.of), self.vector(node.of))
        if isinstance(node, Norm):
            return _dot(self.vector(node.of), self.vector(node.of)).sqrt()
        assert isinstance(node, Chord), node
        return self._chord(node)

    def _chord(self, node: Chord) -> Any:
        kind = self.smoothness if node.kind == "M" else node.kind
        if kind == "L":
            return self.letters["L"]
        ends = node.start, node.end
        return self._once(
            ends, ("chord", kind, *(p.key for p in ends)), lambda: self.oracle.curvature(kind, *(self.vector(p) for p in ends))
        )

    def _f(self, at: Vector) -> Any:
        return self._once((at,), ("f", at.key), lambda: self.oracle.f(self.vector(at)))

    def _once(self, of: tuple[Vector, ...], name: Any, make: Callable[[], Any]) -> Any:
        """Points of the run are the same whatever M is; means may weigh them with it."""
        known = self._shared if all(isinstance(p, Point | Minimum) for p in of) else self._vectors
        if name not in known:
            known[name] = make()
        return known[name]

    def vector(self, node: Vector) -> Any:
        inside = node.at if isinstance(node, Grad) else node
        return self._once((inside,), node.key, lambda: settled(self._vector(node)))

    def _vector(self, node: Vector) -> Any:
        if isinstance(node, Point):
            return self.entries[node.run, node.name, None if node.index is None else node.index.offset]
        if isinstance(node, Minimum):
            return self.oracle.xstar
        if isinstance(node, Grad):
            return self.oracle.grad(self.vector(node.at))
        if isinstance(node, Plus):
            return self.vector(node.left) + self.vector(node.right)
        if isinstance(node, Minus):
            return self.vector(node.left) - self.vector(node.right)
        if isinstance(node, Scaled):
            return self.value(node.factor, {}) * self.vector(node.of)
        assert isinstance(node, Mean), node
        indices = range(node.low.offset, node.high.offset + 1)
        weights = [self.value(node.weight, {node.letter: n}) for n in indices]
        points = [self.vector(put_index(node.of, node.letter, Index(None, n))) for n in indices]
        return sum(w * p for w, p in zip(weights, points, strict=True)) / sum(weights)


def iterate(
    oracle: Oracle,
    method: Method,
    start: Any,
    steps: Sequence[Fraction],
    letters: Mapping[str, Any],
    *,
    first: int = 0,
    run: str = "",
    records: Mapping[str, Sequence[Fraction]] | None = None,
    formula: Relation | None = None,
) -> Entries:
    """The entries of a run of a method from x_first = start, with these steps and the other numbers that its rule recorded.

    A formula, eta_i == ..., takes the place of the numbers of the steps: only how many there are matters then.
    """
    entries: Entries = {("", "x", first): settled(start)}
    for n, eta in enumerate(steps, first):
        here = Truth(oracle, entries, letters)
        if all(abs(slope) < number(STATIONARY) for slope in here.vector(Grad(Point("x", Index(None, n))))):
            break  # the run is at a minimiser: what comes after is rounding
        entries["", "eta", n] = number(eta) if formula is None else here.value(formula.right, dict.fromkeys(formula.free, n))
        for name, values in (records or {}).items():
            entries["", name, n] = number(values[n])
        for update in _updates(method, n):
            index = update.index.offset + (n if update.index.letter is not None else 0)
            to = put_index(update.to, "k", Index(None, n))
            entries["", update.name, index] = here.vector(to) if isinstance(to, Vector) else here.value(to, {})
    return {(run, name, index): value for (_, name, index), value in entries.items()}


def _updates(method: Method, n: int) -> list[Update]:
    """At step 0, an entry of `first` stands in for the update that would set it, or comes before all of them."""
    if n:
        return list(method.each)
    first = {update.name: update for update in method.first}
    instead = {update.name for update in method.each if update.index.offset == 0} & set(first)
    return [u for u in method.first if u.name not in instead] + [first[u.name] if u.name in instead else u for u in method.each]


def _one(value: Any) -> Any:
    return number(np.asarray(value, dtype=object).reshape(-1)[0])


def _dot(u: Any, v: Any) -> Any:
    return number(sum((a * b for a, b in zip(u, v, strict=True)), number(0)))


def _exact(value: Any) -> Any:
    return value if isinstance(value, int | Fraction) else Fraction(value)
