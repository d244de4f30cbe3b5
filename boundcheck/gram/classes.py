"""The inequalities of a class of functions, for the points, gradients and values of finite data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from types import MappingProxyType

from boundcheck.gram.affine import ZERO, Affine, Combination, NotModelled, Number, Quantity, affine, combine, inner, value
from boundcheck.gram.algebra import NEGATIVE, ONE, Excluded
from boundcheck.gram.formulas import At, GramFormulas
from boundcheck.language.definition import decided
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Parameter, as_scalar
from boundcheck.language.vectors import Block, Grad, Image, Minimum, Point, Vector
from boundcheck.model.function_classes import FunctionClass

Constants = tuple[tuple[str, Fraction], ...]
X_I, G_I, X_J, G_J, X_STAR, G_STAR, X_L, G_L, B_I, B_J = range(10)  # the basis in which a formula of a class is read
ROW_ORDER = (G_J, G_I, X_I, X_J, X_STAR, G_STAR, X_L, G_L, B_I, B_J)  # B: a block of G
BY_LETTER = {"i": (X_I, G_I), "j": (X_J, G_J), "l": (X_L, G_L)}
IN_BLOCKS = {G_I: B_I, G_J: B_J}
I, J, STAR, THIRD = range(4)  # the points at which it may read f
FREE = "U"  # begins the symbols of numbers that are free
NONE_FREE: Mapping[str, Affine] = MappingProxyType({})


@dataclass(frozen=True)
class PairForm:
    """A formula of a class as a quadratic form in the vectors of the basis, and a linear one in f there: at most 0, or 0."""

    constant: Number
    rows: tuple[tuple[int, tuple[tuple[int, Number], ...]], ...]  # <the vector of this number, the combination of those>
    values: tuple[tuple[int, Number], ...]
    is_equation: bool
    is_about_pairs: bool
    reads_least: bool
    free: tuple[tuple[str, Number], ...] = ()  # numbers that are free, for each two or three points anew

    def at(self, vectors: Sequence[Combination], values: Sequence[int], free: Mapping[str, Affine] = NONE_FREE) -> Affine:
        """Return the number for these vectors, in the order of the basis, these points, of which f is read, and free numbers."""
        total = Affine(self.constant)
        for left, row in self.rows:
            total = total.plus(inner(vectors[left], combine((c, vectors[right]) for right, c in row)))
        for n, c in self.values:
            total = total.plus(value(values[n]), c)
        for name, c in self.free:
            total = total.plus(free[name], c)
        return total


Frozen = tuple[tuple[tuple[int, Number], ...], ...]
Inequalities = tuple[tuple[Affine, ...], tuple[Affine, ...]]


def inequalities(
    about: FunctionClass,
    constants: Mapping[str, Fraction],
    points: Sequence[Combination],
    gradients: Sequence[Combination],
    least: int | None,
) -> Inequalities:
    """Return what is at most 0, and what is 0, for these data of a function of the class. Excluded: there is no such class.

    `least` is the point of the data that is x*, None where the claim does not speak of it.
    """
    known = tuple(sorted((name, constants[name]) for name in about.reads if name in constants))
    if missing := sorted(about.reads - {name for name, _ in known}):
        raise NotModelled(f"the class '{about.name}' needs the constant {missing[0]}, which has no value")
    return _inequalities(about, known, _frozen(points), _frozen(gradients), least)


def _frozen(vectors: Sequence[Combination]) -> Frozen:
    return tuple(tuple(vector.items()) for vector in vectors)


@lru_cache(maxsize=256)
def _inequalities(
    about: FunctionClass, constants: Constants, points: Frozen, gradients: Frozen, least: int | None
) -> Inequalities:
    """Programs with other M_i, parameters and relations share it."""
    x, g = tuple(map(dict, points)), tuple(map(dict, gradients))
    star = {} if least is None else x[least]
    below: list[Affine] = []
    equal: list[Affine] = []
    for form in forms(about, constants, least is not None):
        places = permutations(range(len(x)), 2) if form.is_about_pairs else ((n, n) for n in range(len(x)))
        for i, j in places:
            if form.reads_least and least in (i, j):
                continue
            found = form.at((x[i], g[i], x[j], g[j], star, {}), (i, j, -1 if least is None else least))
            (equal if form.is_equation else below).append(found)
    return tuple(below), tuple(equal)


@lru_cache(maxsize=256)
def forms(about: FunctionClass, constants: Constants, has_least: bool) -> tuple[PairForm, ...]:
    """Return the formulas of a class at these constants. Excluded: they are not constants of such a class."""
    known = dict(constants)
    for condition in about.where:
        if decided(condition, known) is False:
            raise Excluded(f"{condition} is false: there is no {about.name} function with these constants")
    read = _of_two_points(known)
    formulas = (*about.interpolation, *(about.with_minimum if has_least else ()))
    try:
        return tuple(_form(read, formula) for formula in formulas)
    except ZeroDivisionError:
        raise Excluded(f"a formula of the class '{about.name}' divides by 0 with these constants") from None


def _of_two_points(constants: Mapping[str, Fraction]) -> _OfTwoPoints:
    return _OfTwoPoints(M="", constants=constants, parameters={}, chords=(), reads_least=True, is_convex=False, with_A=False)


@lru_cache(maxsize=256)
def semidefinite_forms(about: FunctionClass, constants: Constants) -> tuple[PairForm, ...]:
    """Return the numbers of two points, a_ij, that make positive semidefinite matrices."""
    read = _of_two_points(dict(constants))
    return tuple(_form(read, Relation("<=", formula, as_scalar(0))) for formula in about.semidefinite)


@lru_cache(maxsize=256)
def matrix_forms(about: FunctionClass, constants: Constants, points: int) -> tuple[tuple[tuple[PairForm, ...], ...], ...]:
    """Return the matrices of any two points, or of any three, each positive semidefinite."""
    read = _of_two_points(dict(constants))
    return tuple(
        tuple(tuple(_form(read, Relation("<=", entry, as_scalar(0))) for entry in row) for row in matrix)
        for matrix in (about.of_pairs if points == 2 else about.of_triples)
    )


@lru_cache(maxsize=256)
def block_forms(about: FunctionClass, constants: Constants) -> tuple[PairForm, ...]:
    """Return the formulas of a class that are about one block, at the constants of that block."""
    read = _of_two_points(dict(constants))
    return tuple(_form(read, formula) for formula in about.by_block)


def _form(read: _OfTwoPoints, formula: Relation) -> PairForm:
    relation = formula.upward()
    found = affine(read.scalar(relation.left, {})).plus(affine(read.scalar(relation.right, {})), NEGATIVE)
    if any(symbol[0] == "T" for symbol in found.terms):
        raise NotModelled(f"{formula} has a minimum or a maximum; write an inequality for each")
    rows = []
    left = {symbol: c for symbol, c in found.terms.items() if symbol[0] == "G"}
    for a in ROW_ORDER:
        row = {s: c for s, c in left.items() if a in s[1:]}
        if row:
            rows.append((a, tuple((s[2] if s[1] == a else s[1], c) for s, c in row.items())))
        left = {s: c for s, c in left.items() if s not in row}
    values = tuple((symbol[1], c) for symbol, c in found.terms.items() if symbol[0] == "F")
    return PairForm(
        constant=found.constant,
        rows=tuple(rows),
        values=values,
        is_equation=relation.op == "==",
        is_about_pairs="j" in formula.free and "i" in formula.free,
        reads_least=any(isinstance(node, Minimum) for node in formula.walk()),
        free=tuple((symbol[1], c) for symbol, c in found.terms.items() if symbol[0] == FREE),
    )


class _OfTwoPoints(GramFormulas):
    """Reads a formula of a class: x[i], x[j] and x[l] are any points of the data, or one if i alone is there."""

    def read_point(self, node: Point, at: At) -> Combination:
        return {self._of(node)[0]: ONE}

    def read_minimum(self, node: Minimum, at: At) -> Combination:
        return {X_STAR: ONE}

    def read_gradient(self, node: Grad, at: At) -> Combination:
        return {} if isinstance(node.at, Minimum) else {self._of(node.at)[1]: ONE}

    def read_image(self, node: Image, at: At) -> Combination:
        return {G_STAR if isinstance(node.at, Minimum) else self._of(node.at)[1]: ONE}

    def read_parameter(self, node: Parameter, at: At) -> Quantity:
        return Affine(ZERO, {(FREE, node.name): ONE})

    def read_block(self, node: Block, at: At) -> Combination:
        return {IN_BLOCKS[n]: c for n, c in self.vector(node.whole, at).items()}

    def oracle(self, point: Combination) -> int:
        return {X_I: I, X_J: J, X_STAR: STAR, X_L: THIRD}[next(iter(point))]

    @staticmethod
    def _of(node: Vector) -> tuple[int, int]:
        """Return a point in the basis, and the gradient there."""
        assert isinstance(node, Point) and node.index is not None and node.index.letter is not None
        return BY_LETTER[node.index.letter]
