"""What a problem says of its parts, put to the test: each prox keeps its inclusion, each fact its inequalities, x* solves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.base import Order
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.check.casting import f_as_part, implied
from boundcheck.evaluate.algebra import ArithmeticAlgebra
from boundcheck.language.interpreter import Interpreter, index_at
from boundcheck.language.named import OBJECTIVE
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Constant, Gap, Value
from boundcheck.language.vectors import Grad, Image, Minimum, Point
from boundcheck.library.function_classes import known_to
from boundcheck.model.facts import Indicator, Nonexpansive
from boundcheck.model.function_classes import FunctionClass
from boundcheck.model.part import Part
from boundcheck.model.problem import Fact, Problem, Smooth
from boundcheck.testing.contract import Wrong

NEARLY = 1e-30  # of numbers of 50 digits
STEPS = (Fraction(1, 2), Fraction(3, 2))
At = Mapping[str, int]
Row = tuple[Any, Any, Any]  # a point, the image there, and the value or None


class Parts:
    """The parts of a problem, with the data that their oracles give at some points."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.xp = arithmetic("rational" if problem.rational else "mp:50").plain
        own = {name: part for name, part in problem.parts.items() if name != OBJECTIVE}
        self.parts: dict[str, Part] = {**own, **({OBJECTIVE: f_as_part(problem)} if problem.has_f else {})}
        for n, component in enumerate(problem.components, 1):
            self.parts[f"{OBJECTIVE}[{n}]"] = component

    def points(self, count: int = 5) -> list[Any]:
        """Points on all sides of the start."""
        rng = np.random.default_rng(self.problem.dimension)
        rows = rng.integers(-12, 13, (count, self.problem.dimension))
        return [self.xp.vector([Fraction(int(c), 4) for c in row]) for row in rows]

    def data(self, name: str) -> list[Row]:
        """Points of a part with an image: those of the prox, of the oracle where every point has one, and of solutions."""
        part, xp, found = self.parts[name], self.xp, []
        is_a_set = bool(part.of_kind(Indicator))
        for p in self.points():
            if part.prox is not None:
                near = [(t, part.prox(xp, xp.scalar(t), p)) for t in STEPS]
                found += [(z, xp.scale(xp.scalar(1 / t), p - z), self._value(part, z, is_a_set)) for t, z in near]
            if part.image is not None and not is_a_set:
                found.append((p, part.image(xp, p), self._value(part, p, False)))
        for solution in self.problem.solutions:
            if name in solution.images:
                z = xp.vector(list(solution.point))
                found.append((z, xp.vector(list(solution.images[name])), self._value(part, z, is_a_set)))
        return found

    def _value(self, part: Part, at: Any, is_a_set: bool) -> Any:
        if is_a_set:
            return self.xp.scalar(0)
        return None if part.value is None else part.value(self.xp, at)

    def zero(self, vector: Any) -> bool:
        """Whether a vector is 0, up to rounding."""
        return all(self.small(c) for c in np.asarray(vector, dtype=object).reshape(-1))

    def small(self, number: Any) -> bool:
        """Whether a number is 0, up to rounding."""
        if isinstance(number, Undefined):
            return False
        exact = self.problem.rational
        return bool(number == 0) if exact else bool(abs(number) <= NEARLY)


class ClassFormula(Interpreter[At, Any, Any]):
    """An inequality of a class of functions, on data."""

    def __init__(self, xp: Any, rows: list[Row], constants: Mapping[str, Any], least: Row | None) -> None:
        self.xp, self.rows, self.constants, self.least, self.algebra = xp, rows, constants, least, ArithmeticAlgebra(xp)

    def _row(self, node: Any, at: At) -> Row:
        if isinstance(node, Minimum):
            assert self.least is not None
            return self.least
        assert isinstance(node, Point) and node.index is not None
        return self.rows[index_at(node.index, at)]

    def read_point(self, node: Point, at: At) -> Any:
        return self._row(node, at)[0]

    def read_minimum(self, node: Minimum, at: At) -> Any:
        return self._row(node, at)[0]

    def read_gradient(self, node: Grad, at: At) -> Any:
        return self._row(node.at, at)[1]

    def read_image(self, node: Image, at: At) -> Any:
        return self._row(node.at, at)[1]

    def read_value(self, node: Value, at: At) -> Any:
        return self._row(node.at, at)[2]

    def read_gap(self, node: Gap, at: At) -> Any:
        return self._row(node.at, at)[2] - self._row(Minimum(), at)[2]

    def read_constant(self, node: Constant, at: At) -> Any:
        return self.constants[node.name]


def each_part_keeps_its_facts(problem: Problem) -> None:
    """The inequalities of every class to which a part belongs by its facts hold between the data of its oracles."""
    made = Parts(problem)
    for name, part in made.parts.items():
        facts = implied(frozenset(part.facts))
        rows, least = made.data(name), _least(made, name)
        for one in _classes(facts, rows, least):
            reader = ClassFormula(made.xp, rows, _constants(made.xp, facts, one), least)
            for relation in one.interpolation:
                for at in _pairs(relation, len(rows)):
                    _refuse(made, name, one, relation, reader, at)


def _least(made: Parts, name: str) -> Row | None:
    problem = made.problem
    if name != OBJECTIVE or problem.minimiser is None or problem.minimiser.radius:
        return None
    z = made.xp.vector(list(problem.minimiser.point))
    return z, z * 0, problem.f(made.xp, z)


def _classes(facts: frozenset[Fact], rows: list[Row], least: Row | None) -> Iterator[FunctionClass]:
    kinds = frozenset(type(fact) for fact in facts)
    for one in known_to(kinds):
        reads_values = any(isinstance(n, Value | Gap) for relation in one.interpolation for n in relation.walk())
        if not one.facts or not one.kinds <= kinds or (one.reads_minimum and least is None):
            continue
        if not (reads_values and any(row[2] is None for row in rows)):
            yield one


def _constants(xp: Any, facts: frozenset[Fact], one: FunctionClass) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for fact in facts:
        if type(fact) in one.kinds:
            for own in vars(fact):
                value = getattr(fact, own)
                if not isinstance(value, tuple):
                    found[own] = xp.scalar(value)
    return found


def _pairs(relation: Relation, count: int) -> Iterator[At]:
    both = "j" in relation.free
    for i in range(count):
        for j in range(count) if both else (i,):
            if not both or i != j:
                yield {"i": i, "j": j}


def _refuse(made: Parts, name: str, one: FunctionClass, relation: Relation, reader: ClassFormula, at: At) -> None:
    try:
        left, right = reader.scalar(relation.left, at), reader.scalar(relation.right, at)
    except ZeroDivisionError:
        return  # the class has mu < L
    apart = left - right
    if made.small(np.asarray(apart, dtype=object).reshape(-1)[0]):
        return
    order = int(np.asarray(made.xp.compare(left, right)).reshape(-1)[0])
    wanted = {"<=": Order.LESS, ">=": Order.GREATER}.get(relation.op)
    if order != wanted:
        raise Wrong(
            found=f"{made.xp.text(left)} against {made.xp.text(right)} in {relation} for {name}",
            needed=f"{relation.op}, as for {one.name}",
            do="correct the facts, or the oracles and the subgradients of solutions",
        )


def each_prox_keeps_its_inclusion(problem: Problem) -> None:
    """(p - z)/t is the image at z = prox(t, p), where there is one image; the z of an inverse has that image."""
    made = Parts(problem)
    for name, part in made.parts.items():
        xp = made.xp
        for p in made.points():
            if part.prox is not None and part.image is not None and _has_one_image(part):
                for t in STEPS:
                    z = part.prox(xp, xp.scalar(t), p)
                    _same(made, xp.scale(xp.scalar(t), part.image(xp, z)), p - z, f"(p - z)/t at z = prox of {name}", "the image")
            if part.inverse is not None and part.image is not None:
                _same(made, part.image(xp, part.inverse(xp, p)), p, f"the image of {name} at its inverse", "the vector given")
            if part.of_kind(Indicator) and part.prox is not None:
                z = part.prox(xp, xp.scalar(1), p)
                _same(made, part.prox(xp, xp.scalar(1), z), z, f"the projection on {name} of a point of it", "the point itself")


def _has_one_image(part: Part) -> bool:
    """Whether there is one image at each point: of smooth functions, and of operators."""
    return bool(part.of_kind(Smooth)) or part.value is None


def _same(made: Parts, found: Any, needed: Any, what: str, words: str) -> None:
    if not made.zero(found - needed):
        raise Wrong(found=f"{what}: {found}", needed=f"{words}: {needed}", do="correct the prox, or the image")


def linear_minima_are_least(problem: Problem) -> None:
    """<v, z> is no more at minimise_linear(v) than at projections on the set, and the point is in the set."""
    made = Parts(problem)
    for name, part in made.parts.items():
        if part.minimise_linear is None or part.prox is None:
            continue
        xp, points = made.xp, made.points()
        for v in points:
            if made.zero(v):
                continue
            z = part.minimise_linear(xp, v)
            if any(isinstance(c, Undefined) for c in np.asarray(z, dtype=object).reshape(-1)):
                continue
            _same(made, part.prox(xp, xp.scalar(1), z), z, f"the projection on {name} of its linear minimum", "the point itself")
            for p in points:
                other = xp.dot(v, part.prox(xp, xp.scalar(1), p) - z)
                if other < 0 and not made.small(other):
                    raise Wrong(found=f"{other} below the minimum on {name}", needed="a minimum", do="correct minimise_linear")


def solutions_solve(problem: Problem) -> None:
    """The images of a solution add up to 0, and are what the oracles answer where there is one image; T leaves it where it is."""
    made = Parts(problem)
    for solution in problem.solutions:
        xp = made.xp
        point, total = xp.vector(list(solution.point)), None
        for name, image in solution.images.items():
            if name not in made.parts:
                raise Wrong(found=f"an image of {name} in a solution", needed="a part of this name", do="name the part")
            part, vector = made.parts[name], xp.vector(list(image))
            if part.image is not None and _has_one_image(part) and not solution.radius:
                _same(made, part.image(xp, point), vector, f"the image of {name} at x*", "that of the solution")
            if part.of_kind(Nonexpansive):
                _same(made, vector, point, f"{name}(x*)", "x*")
            else:
                total = vector if total is None else total + vector
        if total is not None and not solution.radius and not made.zero(total):
            raise Wrong(found=f"{total}, the sum of the images at x*", needed="0", do="correct the solution")
