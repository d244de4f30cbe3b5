"""The columns that claims read, computed from recorded arrays, each number with its error."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Scalars, Vectors
from boundcheck.evaluate.algebra import ArithmeticAlgebra
from boundcheck.evaluate.columns import LETTER, Column, entries, floor, lead
from boundcheck.evaluate.scans import RunningMean, mean_of_all, moving_means, shrinking_means
from boundcheck.evaluate.series import Series, Unknown
from boundcheck.language.interpreter import Interpreter
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Chord, Gap, Inner, Norm, Normsq, Scalar, Term, Value
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Point, Scaled, Vector
from boundcheck.runs.recorded.minimum import star
from boundcheck.runs.recorded.recording import Recorded
from boundcheck.runs.recorded.rounding import Descent, Errors

STATE = {"": frozenset({"x"})}  # a step ends at the next point
WITH_PROBLEM = "give problem=, whose oracles tell it"


class Columns:
    """Columns of one recorded run, made when they are asked for."""

    def __init__(self, run: Recorded, steps: Descent, errors: Errors, xp: Arithmetic, constants: dict[str, Any]) -> None:
        self.run, self.steps, self.errors, self.xp = run, steps, errors, xp
        self.star = star(run, errors)
        self.letters = {name: xp.scalar(value) for name, value in constants.items() if value is not None}
        self._made: dict[Column, Scalars] = {}

    def column(self, column: Column) -> Scalars:
        """The column, or NotInThisArithmetic with what the trace lacks for it."""
        if column not in self._made:
            count = self.run.steps + 1 - lead(column.formula, STATE)
            if count <= 0 or floor(column.formula, STATE) > self.run.steps:
                raise NotInThisArithmetic(f"the run is too short for {column}: it has {self.run.steps} steps")
            value = Stretch(self, 0, count, column.local).value(column.formula)
            if value.shape[-1:] not in ((), (1,), (count,)):
                raise LookupError(f"{column}: found {value.shape[-1]} entries where {count} were asked for")
            full = value if value.shape == (1, count) else value + self.xp.scalars(np.zeros((1, count)))
            self._made[column] = full
        return self._made[column]

    def window(self, column: Column, low: int, high: int) -> Scalars:
        return entries(self.xp, self.column(column), low, high)

    def series(self, formula: Scalar, letter: str, low: int, high: int) -> Scalars:
        try:
            made = Series(self.xp, self, self.letters).values(formula, letter, low, high)
        except Unknown as no:
            raise NotInThisArithmetic(str(no)) from None
        return made + self.xp.scalars(np.zeros((1, high - low)))


class Stretch(Interpreter[None, Scalars, Vectors]):
    """Entries n = low..high - 1. Local: x_n is the stored point, x_{n+1} its exact image.

    The difference of two points along a step is eta_n times a gradient, and its norms are read from there: a
    subtraction would lose digits.
    """

    def __init__(self, columns: Columns, low: int, high: int, local: bool) -> None:
        self.all, self.low, self.high, self.local = columns, low, high, local
        self.run, self.xp, self.errors = columns.run, columns.xp, columns.errors
        self.algebra = ArithmeticAlgebra(columns.xp)

    # -- numbers -------------------------------------------------------------------------------------------------------

    def value(self, leaf: Scalar) -> Scalars:
        return self.scalar(leaf, None)

    def read_term(self, node: Term, at: None) -> Scalars:
        return self.steps(node)

    def read_gap(self, node: Gap, at: None) -> Scalars:
        return self.gap(node.at)

    def read_value(self, node: Value, at: None) -> Scalars:
        return self.f(node.at)

    def read_norm(self, node: Norm, at: None) -> Scalars:
        known = self._step(node.of)
        return super().read_norm(node, at) if known is None else self.xp.abs(known[0]) * self.xp.norm(known[1])

    def read_normsq(self, node: Normsq, at: None) -> Scalars:
        return self.normsq(node.of)

    def read_inner(self, node: Inner, at: None) -> Scalars:
        return self.normsq(node.left) if node.left.key == node.right.key else super().read_inner(node, at)

    def read_chord(self, node: Chord, at: None) -> Scalars:
        return self.chord(node)

    def normsq(self, of: Vector) -> Scalars:
        known = self._step(of)
        return self.xp.normsq(self.vector(of)) if known is None else known[0] * known[0] * self.xp.normsq(known[1])

    def steps(self, node: Term) -> Scalars:
        if node.name != "eta" or node.run:
            raise NotInThisArithmetic(f"the trace has no {node.name}{' of the run ' + node.run if node.run else ''}")
        steps = self.all.steps
        if steps.eta is None:
            raise NotInThisArithmetic("the trace has no steps: give eta, or x and grad, which show them")
        at = self._where(node.index, len(steps.eta))
        return self.xp.scalars(steps.eta[None, at], 0.0 if steps.error is None else steps.error[None, at])

    def f(self, at: Vector) -> Scalars:
        if isinstance(at, Minimum):
            return self.least()
        if isinstance(at, Point) and self.run.problem is None:
            kind, where = self._place(at)
            sizes = None if self.run.grad is None else np.linalg.norm(self.run.grad, axis=-1)
            return self.xp.scalars(self.run.f[None, where], self.errors.of_values(kind, sizes)[None, where])
        if self.run.problem is None:
            what = "a mean of iterates" if isinstance(at, Mean) else str(at)
            raise NotInThisArithmetic(f"f at {what} was not recorded: {WITH_PROBLEM}")
        return self.run.problem.f(self.xp, self.vector(at))

    def least(self) -> Scalars:
        problem = self.run.problem
        if problem is not None and problem.minimiser is not None:
            known = problem.minimiser.at(self.xp)
            return self.xp.scalars([known.value], known.value_error)
        if self.run.f_star is None:
            raise NotInThisArithmetic("f* is not known: give f_star=, or estimate='f_star'")
        return self.xp.scalars([self.all.star.value], self.all.star.value_error)

    def gap(self, at: Vector) -> Scalars:
        problem = self.run.problem
        if problem is not None and problem.gap is not None:
            return problem.gap(self.xp, self.vector(at), self.vector(Grad(at)))
        return self.f(at) - self.least()

    def chord(self, leaf: Chord) -> Scalars:
        xp, problem = self.xp, self.run.problem
        across = Minus(leaf.end, leaf.start)
        if leaf.kind in ("A", "mu") and (problem is None or problem.chord is None):
            raise NotInThisArithmetic(f"{leaf.kind} along a chord is not in the trace: {WITH_PROBLEM}")
        gx, gy = self.vector(Grad(leaf.start)), self.vector(Grad(leaf.end))
        if leaf.kind == "D":
            return xp.scalar(2) * xp.norm(gy - gx) / self.value(Norm(across))
        d = self.vector(across)
        if leaf.kind == "H":
            if problem is not None and problem.bregman is not None:
                above = problem.bregman(xp, self.vector(leaf.start), d, gx, gy)
            else:
                above = self.f(leaf.end) - self.f(leaf.start) - xp.dot(gx, d)
            return xp.scalar(2) * xp.abs(above) / self.normsq(across)
        if problem is None or problem.chord is None:
            raise NotInThisArithmetic(f"{leaf.kind} is not a number of a chord; bind M to D, A, H or L")
        return problem.chord(xp, self.vector(leaf.start), d, gx, gy, "sup" if leaf.kind == "A" else "inf")

    # -- vectors -------------------------------------------------------------------------------------------------------

    def vector(self, node: Vector, at: None = None) -> Vectors:
        return super().vector(node, None)

    def read_point(self, node: Point, at: None) -> Vectors:
        kind, where = self._place(node)
        if self.run.x is None:
            raise NotInThisArithmetic(f"the trace has no iterates: {node} is not there")
        return self.xp.vectors(self.run.x[None, where], self.errors.of_points(kind)[None, where])

    def read_minimum(self, node: Minimum, at: None) -> Vectors:
        return self._star()

    def read_gradient(self, node: Grad, at: None) -> Vectors:
        return self._gradient(node.at)

    def read_mean(self, node: Mean, at: None) -> Vectors:
        return self._mean(node)

    def read_minus(self, node: Minus, at: None) -> Vectors:
        known = self._step(node)
        return super().read_minus(node, at) if known is None else self.xp.scale(*known)

    def read_scaled(self, node: Scaled, at: None) -> Vectors:
        return self.xp.scale(self.all.series(node.factor, LETTER, self.low, self.high), self.vector(node.of))

    def _star(self) -> Vectors:
        problem = self.run.problem
        if problem is not None and problem.minimiser is not None:
            known = problem.minimiser.at(self.xp)
            star = self.xp.vector(known.point)
            return self.xp.enlarge(star, known.radius) if known.radius else star
        if self.run.x_star is None:
            raise NotInThisArithmetic("x* is not known: give x_star=, or estimate='x_star'")
        return self.xp.vectors(self.all.star.point, self.all.star.radius)

    def _gradient(self, at: Vector) -> Vectors:
        if isinstance(at, Point) and self.run.grad is not None and self.run.problem is None:
            kind, where = self._place(at)
            return self.xp.vectors(self.run.grad[None, where], self.errors.of_gradients(kind)[None, where])
        if self.run.problem is None:
            what = "the trace has no gradients" if isinstance(at, Point) else f"the gradient at {at} was not recorded"
            raise NotInThisArithmetic(f"{what}: {WITH_PROBLEM if self.run.x is not None else 'give grad='}")
        return self.run.problem.grad(self.xp, self.vector(at))

    def _step(self, of: Vector) -> tuple[Scalars, Vectors] | None:
        """(s, g) with end - start = s g where x_{n+1} - x_n = -eta_n grad f(x_n): without the cancellation of a difference."""
        if not (self.all.steps.holds and isinstance(of, Minus)):
            return None
        end, start = of.left, of.right
        if not (isinstance(end, Point) and isinstance(start, Point)) or end.index is None or start.index is None:
            return None
        forward = end.index.offset - start.index.offset
        if abs(forward) != 1 or end.index.letter != start.index.letter or (start.name, end.name) != ("x", "x"):
            return None
        first = start if forward == 1 else end
        assert first.index is not None
        if first.index.letter is None:  # two points that stand still
            return None
        eta = self.steps(Term("eta", first.index))
        return (-eta if forward == 1 else eta), self.vector(Grad(first))

    def _mean(self, node: Mean) -> Vectors:
        low, high, count = node.low, node.high, self.high - self.low
        if LETTER in node.of.free | node.weight.free:
            raise NotInThisArithmetic(f"{node} reads {LETTER} inside: it is no mean from a fixed start")
        if low.letter is None and low.offset < 0:
            raise NotInThisArithmetic(f"{node} reads an entry {low.offset}; the first one is 0")

        def weights(low: int, high: int) -> Scalars:
            return self.all.series(node.weight, node.letter, low, high)

        def points(low: int, high: int) -> Vectors:
            zeros = self.xp.vectors(np.zeros((1, max(high - low, 1), self.dimension)))
            if high <= low:
                return zeros
            return Stretch(self.all, low, high, False).vector(put_index(node.of, node.letter, Index(LETTER))) + zeros

        given = (weights, {"point": points})
        if low.letter is None and high.letter is None:
            return mean_of_all(self.xp, low.offset, high.offset, *given)["point"]
        if high.letter is None:
            return shrinking_means(self.xp, self.low + low.offset, high.offset, count, *given)["point"]
        if low.letter is not None:
            return moving_means(self.xp, self.low + low.offset, self.low + high.offset, count, *given)["point"]
        return RunningMean(node, self.xp).means(self.low + high.offset, self.high + high.offset, *given)["point"]

    @property
    def dimension(self) -> int:
        if self.run.x is None:
            raise NotInThisArithmetic("the trace has no iterates: a mean of them is not there")
        return int(self.run.x.shape[-1])

    def _place(self, node: Point) -> tuple[str, slice]:
        if node.name != "x" or node.run or node.index is None:
            raise NotInThisArithmetic(f"the trace has the points x_0, x_1, ... of one run; {node} is none of them")
        kind = "path" if not self.local else "image" if node.index.offset else "exact"
        return kind, self._where(node.index, self.run.steps + 1)

    def _where(self, index: Index, length: int) -> slice:
        """The entries of a recorded array that an index reads here: all of them are there."""
        start = index.offset + (0 if index.letter is None else self.low)
        stop = start + (1 if index.letter is None else self.high - self.low)
        if start < 0 or stop > length:
            raise LookupError(f"entries {start}..{stop - 1} are asked for; the trace has {length} from 0 on")
        return slice(start, stop)
