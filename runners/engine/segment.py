"""A stretch of a run as the recorder reads it: points that move or stand still, gradients and steps, and the order of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Scalars, Vectors
from boundcheck.evaluate.columns import Column, as_column, floor
from boundcheck.evaluate.scans import mean_of_all
from boundcheck.evaluate.series import Unknown
from boundcheck.language.ranges import leaves
from boundcheck.language.rewrite import transform
from boundcheck.language.scalars import Reduce, Scalar, Term, as_scalar
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean, Point, Scaled
from boundcheck.model.problem import Problem
from boundcheck.runners.enclosures.lipschitz import beside_start, spread, stretched
from boundcheck.runners.engine.run_history import History, Together

if TYPE_CHECKING:
    from boundcheck.runners.engine.recorder import Recorder


class Chunk:
    """Points first..first + n - 1 of a batch of gradient descents with their gradients, and the steps between them.

    `path` has the error of the whole trajectory; `exact` takes each stored point as exact, but for a start that was rounded;
    `image` is the exact image of the point before, known within the error of one step.
    """

    def __init__(self, problem: Problem, xp: Arithmetic, first: int, x: Any, g: Any, eta: Any, radius: Any) -> None:
        self.xp, self.first, self.count, self.runs = xp, first, x.shape[1], len(x)
        self.eta = xp.scalars(eta.copy())  # the run's buffer is written over; this column is kept
        if xp.exact:
            self._points = {"path": xp.vectors(x)}
            self._grads = {"path": xp.vectors(g)}
            self.radius = radius
            return
        n = eta.shape[1]
        exact = xp.vectors(x)
        self.stored = g
        formula = xp.vectors(g) if xp.plain.encloses else problem.grad(xp, exact)
        grad = xp.observed(g, formula)
        moved = xp.descended(exact[:, :n], self.eta, formula[:, :n])
        self.radii: Any = None
        if xp.certified:
            from boundcheck.runners.enclosures.descent_tube import DescentRadii, coordinates_apart
            from boundcheck.runners.enclosures.tube import lengths

            self.radii = radius if isinstance(radius, DescentRadii) else DescentRadii(problem, xp, radius)
            apart = coordinates_apart(xp, moved, x[:, 1:])
            self.step_error, self.radius = lengths(apart), self.radii.extend(first, x, eta, apart)
        else:
            self.step_error = xp.apart(moved, x[:, 1:])
            smooth = problem.L is not None or problem.local_smoothness is None
            self.radius = spread(problem, radius, eta, self.step_error, None if smooth else x)
        one_step = np.concatenate([np.zeros((len(x), 1)), self.step_error], axis=1)
        within: Callable[[Any, Any], Vectors] = xp.vectors if xp.certified else lambda x, radius: xp.enlarge(exact, radius)
        as_stored = np.zeros_like(one_step)
        if first == 0:
            beside_start(as_stored, one_step, self.radius)
        self._points = {"exact": within(x, as_stored), "image": within(x, one_step), "path": within(x, self.radius)}
        self._grads = {
            "exact": self._gradient(problem, grad, as_stored, "exact") if as_stored.any() else grad,
            "image": self._gradient(problem, grad, one_step, "image"),
            "path": self._gradient(problem, grad, self.radius, "path"),
        }

    def carried(self, index: int) -> Any:
        """What a chunk that begins with a point of this one must know of the error by then."""
        return self.radius if self.xp.exact else self.radius[:, index] if self.radii is None else self.radii

    def of(self, run: str) -> Chunk:
        if run:
            raise NotInThisArithmetic(f"the claim reads a second run, '{run}'; give it with run_together")
        return self

    def points(self, name: str, kind: str) -> Vectors:
        if name != "x":
            raise NotInThisArithmetic(f"gradient descent has no {name}")
        return self._points[kind]

    def grads(self, name: str, kind: str) -> Vectors:
        if name != "x":
            raise NotInThisArithmetic(f"gradient descent has no {name}")
        return self._grads[kind]

    def numbers(self, name: str) -> Scalars:
        if name != "eta":
            raise NotInThisArithmetic(f"gradient descent records no {name}")
        return self.eta

    def step_scale(self, kind: str) -> Scalars:
        """s_n with x_{n+1} - x_n = -s_n grad f(x_n)."""
        return self.eta

    def _gradient(self, problem: Problem, grad: Vectors, radius: Any, kind: str) -> Vectors:
        """The gradient within a radius of each stored point: L times the radius from the gradient there, or by the formula."""
        if problem.L is not None:
            return self.xp.enlarge(grad, stretched(radius, problem.L))
        formula = problem.grad(self.xp, self._points[kind])
        return formula if self.xp.plain.encloses else self.xp.observed(self.stored, formula)


Stretch = Chunk | History | Together


def cut(known: Scalars | Vectors, start: int, stop: int, what: str) -> Any:
    """Entries start..stop - 1 of what a stretch of a run has. All of them must be there: nothing wraps, and none is left out."""
    if start < 0 or stop > known.shape[-1]:
        raise LookupError(f"{what}: entries {start}..{stop - 1} are asked for; there are {known.shape[-1]} from 0 on")
    return known[..., start:stop]


class FixedVectors:
    """The vectors at constant indices that some formulas read."""

    def __init__(self, xp: Arithmetic, formulas: Iterable[Scalar], states: Mapping[str, frozenset[str]]) -> None:
        self.xp = xp
        nodes: dict[Any, Node] = {n.key: n for formula in formulas for n in formula.walk()}
        self._points = [n for n in nodes.values() if isinstance(n, Point) and n.index is not None and n.index.letter is None]
        still = [n for n in nodes.values() if isinstance(n, Mean) and n.low.letter is None and n.high.letter is None]
        self._still = {n: floor(n, states) for n in still if not n.free}
        self._kept: dict[Any, Any] = {}

    def look_at_points(self, chunk: Stretch) -> None:
        """Keep the points that come by in this chunk."""
        for point in self._points:
            assert point.index is not None
            if chunk.first <= point.index.offset < chunk.first + chunk.count:
                for what in ("points", "grads"):
                    with suppress(NotInThisArithmetic, LookupError):  # it is not there: whoever reads it is told
                        self.point(what, point, chunk)

    def look_at_means(self, recorder: Recorder, chunk: Stretch) -> None:
        """Keep the means of points that came by, once their weights are recorded."""
        for mean, last in self._still.items():
            if last < chunk.first + chunk.count and mean.key not in self._kept:
                with suppress(NotInThisArithmetic, Unknown):
                    self.means(mean, recorder, chunk)

    def point(self, what: str, node: Point, chunk: Stretch) -> Vectors:
        assert node.index is not None
        name = (what, node.key)
        if name not in self._kept:
            at = node.index.offset - chunk.first
            known = getattr(chunk.of(node.run), what)(node.name, "path")
            made = cut(known, at, at + 1, str(node))
            self._kept[name] = self.xp.concatenate_vectors([made])  # a copy: the run's buffers are written over
        return self._kept[name]

    def means(self, node: Mean, recorder: Recorder, chunk: Stretch) -> dict[str, Vectors]:
        if node.key not in self._kept:
            given = recorder.weights_and_parts(node, chunk)
            self._kept[node.key] = mean_of_all(self.xp, node.low.offset, node.high.offset, *given)
        made: dict[str, Vectors] = self._kept[node.key]
        return made


def with_weights(wanted: Iterable[Column]) -> set[Column]:
    """The columns, and those that the weights of their means and the factors of their vectors read."""
    found: set[Column] = set()
    left = set(wanted)
    while left:
        found |= left
        left = {read for column in left for read in column_reads(column)} - found
    return found


def column_reads(column: Column) -> set[Column]:
    """The columns that the weights of means and the factors of vectors of this one read."""
    inside = list(column.formula.walk())
    numbers = [n.weight for n in inside if isinstance(n, Mean)] + [n.factor for n in inside if isinstance(n, Scaled)]
    return {as_column(leaf)[0] for number in numbers for leaf in leaves(number)}


def without_weights(formula: Scalar) -> Scalar:
    """The formula with every mean that weighs by the steps taken plainly."""

    def change(node: Node) -> Node | None:
        if not isinstance(node, Mean) or not isinstance(node.weight, Term) or node.weight.name != "eta" or node.weight.run:
            return None
        return Mean(node.of, as_scalar(1), node.letter, node.low, node.high)

    return transform(formula, change)


def only_offset(formula: Scalar, states: Mapping[str, frozenset[str]]) -> int | None:
    """The offset of the one point that a formula reads, beside x*; None where it reads several, or a mean, or a step.

    Or a point of a sequence that ends before the others do, so that it is not there in all of a stretch.
    """
    if any(isinstance(n, Mean | Term | Reduce) for n in formula.walk()):
        return None
    found = {(n.name, n.run, n.index) for n in formula.walk() if isinstance(n, Point)}
    if len(found) != 1:
        return None
    name, run, index = found.pop()
    return None if index is None or index.letter is None or name not in states.get(run, frozenset()) else index.offset


def ordered(wanted: Iterable[Column]) -> list[Column]:
    """Columns that others weigh or scale with come before those that read them; steps before numbers of points."""
    ranks: dict[Column, int] = {}

    def rank(column: Column) -> int:
        if column not in ranks:
            own = 0 if isinstance(column.formula, Term) else 1
            ranks[column] = max([own, *(rank(read) + 1 for read in column_reads(column))])
        return ranks[column]

    return sorted(set(wanted), key=lambda c: (rank(c), str(c), c.local))
