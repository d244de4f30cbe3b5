"""The oracle: worst cases by PEPit, on cvxpy. It reads a claim's formulas with PEPit's points and expressions, on its own.

Nothing of boundcheck/gram is used: points, gradients, classes of functions and the program are PEPit's.
"""

from __future__ import annotations

import warnings
from typing import Any

import PEPit
from PEPit.expression import Expression
from PEPit.functions import ConvexFunction, SmoothConvexFunction, SmoothStronglyConvexFunction, StronglyConvexFunction
from PEPit.point import Point as PEPitPoint

from boundcheck import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Once
from boundcheck.language.definition import Definition
from boundcheck.language.interpreter import places
from boundcheck.language.relations import Relation, links
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Chord, Constant, Div, Gap, Inner, Normsq, Parameter, Reduce, Scalar, Term, Value
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Plus, Point, Scaled, Vector
from boundcheck.model.method import Method
from boundcheck.model.schedule import STEP_LETTER
from boundcheck.tightness.numbers import Numbers, exact

ROUNDING = 1e-9  # by which steps may miss the formula that they follow


def worst_by_pepit(bound: Bound, k: int, numbers: Numbers) -> float:
    """left / right at worst: the left side, at most, where the right side is 1."""
    problem = PEPit.PEP()
    reading = _Reading(_function(problem, bound, numbers), problem.set_initial_point(), numbers)
    reading.run(bound.runs.main)
    relation, at = links(bound.states)[0].upward(), {bound.for_all.letter: k}
    whole, right = relation.left, reading.value(relation.right, at)
    for hypothesis in bound.hypotheses:
        if isinstance(hypothesis, AtEachStep | Once):
            letter = next(iter(hypothesis.relation.free), "i")
            steps = [at] if isinstance(hypothesis, Once) else [{letter: n} for n in range(len(numbers.steps))]
            for place in steps:
                _demand(problem, reading, hypothesis.relation, place)
    for n, (start, end) in reading.chords.items():
        _on_the_path(problem, reading, start, end, float(exact(numbers.chords[n])))
    problem.set_initial_condition(right <= 1.0)
    is_least = isinstance(whole, Reduce) and whole.kind == "min"
    for left in [reading.value(whole.body, place) for place in places(whole, at)] if is_least else [reading.value(whole, at)]:
        problem.set_performance_metric(left)  # the least of several counts
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of cvxpy, which says that it is inaccurate
        return float(problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0))


def _function(problem: Any, bound: Bound, numbers: Numbers) -> Any:
    """PEPit's function of the claim's class, with its minimiser at the origin and its least value 0."""
    facts = {h.kind.__name__ for h in bound.hypotheses if isinstance(h, Declared)}
    mu = float(exact(numbers.mu)) if "StronglyConvex" in facts else 0.0
    if "Smooth" in facts:
        L = float(exact(numbers.L or 1))
        kind, constants = (SmoothStronglyConvexFunction, {"mu": mu, "L": L}) if mu else (SmoothConvexFunction, {"L": L})
    else:
        kind, constants = (StronglyConvexFunction, {"mu": mu}) if mu else (ConvexFunction, {})
    f = problem.declare_function(kind, reuse_gradient=True, **constants)
    origin = PEPitPoint(is_leaf=False, decomposition_dict={})
    f.add_point((origin, origin, Expression(is_leaf=False, decomposition_dict={})))
    return f


def _demand(problem: Any, reading: _Reading, relation: Relation, at: dict[str, int]) -> None:
    """A hypothesis: checked where it is about numbers, a constraint where it is about the run. eta = a/b is eta b = a."""
    left, whole = reading.value(relation.left, at), relation.right
    over = reading.value(whole.right, at) if isinstance(whole, Div) else 1.0
    if isinstance(whole, Div) and not isinstance(over, float):
        left, right = left * over, reading.value(whole.left, at)
    else:
        right = reading.value(whole, at)
    if isinstance(left, float) and isinstance(right, float):
        slack = ROUNDING * max(abs(left), abs(right))
        good = {"<=": left <= right + slack, ">=": left >= right - slack, "==": abs(left - right) <= slack}
        assert good.get(relation.op, left < right if relation.op == "<" else left > right)
    else:
        left, right = (right, left) if relation.op in (">=", ">") else (left, right)
        problem.add_constraint(left == right if relation.op == "==" else left <= right)


def _on_the_path(problem: Any, reading: _Reading, start: Any, end: Any, M: float) -> None:
    """What M means for the chord: at most (any M), or equal to (H), the quadratic; or the change of the gradient (D)."""
    f, d = reading.f, end - start
    g = f.gradient(start)
    if reading.numbers.path == "D":
        problem.add_constraint(4 / M * (f.gradient(end) - g) ** 2 == M * d**2)
        return
    rise, most = f.value(end) - f.value(start) - g * d, M / 2 * d**2
    problem.add_constraint(rise <= most if reading.numbers.path == "any" else rise == most)


class _Reading:
    """A run of a method on PEPit's function `f`, whose least value is 0 at the origin."""

    def __init__(self, f: Any, start: Any, numbers: Numbers) -> None:
        self.f, self.numbers = f, numbers
        self.least = PEPitPoint(is_leaf=False, decomposition_dict={})
        self.entries: dict[tuple[str, int], Any] = {("x", 0): start}
        self.chords: dict[int, tuple[Any, Any]] = {}  # of step i: the ends of the chord whose M is chords[i]
        self._formulas = Definition(self._leaf, {"power": lambda base, exponent: float(base) ** float(exponent)}, float)

    def run(self, method: Method) -> None:
        """Every entry, by the method's own updates."""
        for n, step in enumerate(self.numbers.steps):
            self.entries["eta", n] = float(exact(step))
            first = {} if n else {update.name: update for update in method.first}
            same = {update.name for update in method.each if update.index.offset == 0}
            for update in [*(u for name, u in first.items() if name not in same), *method.each]:
                update = first.get(update.name, update) if update.index.letter and not update.index.offset else update
                to = put_index(update.to, STEP_LETTER, Index(None, n))
                where = update.index.offset + (n if update.index.letter else 0)
                self.entries[update.name, where] = self.vector(to) if isinstance(to, Vector) else self.value(to, {})

    def value(self, formula: Scalar, at: dict[str, int]) -> Any:
        """A number, or a PEPit expression."""
        return self._formulas.value(formula, at)

    def vector(self, node: Vector) -> Any:
        if isinstance(node, Point):
            assert node.index is not None
            return self.entries[node.name, node.index.offset]
        if isinstance(node, Minimum):
            return self.least
        if isinstance(node, Grad):
            return self.f.gradient(self.vector(node.at))
        if isinstance(node, Plus):
            return self.vector(node.left) + self.vector(node.right)
        if isinstance(node, Minus):
            return self.vector(node.left) - self.vector(node.right)
        if isinstance(node, Scaled):
            return self.value(node.factor, {}) * self.vector(node.of)
        assert isinstance(node, Mean)
        places = [Index(None, n) for n in range(node.low.offset, node.high.offset + 1)]
        weights = [self.value(put_index(node.weight, node.letter, place), {}) for place in places]
        mean = self.least
        for weight, place in zip(weights, places, strict=True):
            mean = mean + (weight / sum(weights)) * self.vector(put_index(node.of, node.letter, place))
        return mean

    def _leaf(self, node: Node) -> Any:
        if isinstance(node, Term):
            return self.entries[node.name, node.index.offset]
        if isinstance(node, Value | Gap):
            return self.f.value(self.vector(node.at))
        if isinstance(node, Inner):
            return self.vector(node.left) * self.vector(node.right)
        if isinstance(node, Normsq):
            return self.vector(node.of) ** 2
        if isinstance(node, Chord):
            assert isinstance(node.start, Point) and node.start.index is not None
            n = node.start.index.offset
            self.chords[n] = self.vector(node.start), self.vector(node.end)
            return float(exact(self.numbers.chords[n]))
        if isinstance(node, Parameter):
            return float(exact(self.numbers.parameters[node.name]))
        assert isinstance(node, Constant)
        return float(exact({"L": self.numbers.L or 1, "mu": self.numbers.mu}[node.name]))
