"""A class of functions as data: its facts, its constants, and the inequalities that hold between any two points of its functions.

    FunctionClass(
        name="convex",
        facts=(Convex,),
        interpolation=(f(x[i]) >= f(x[j]) + inner(grad(x[j]), x[i] - x[j]),),
    )

A formula with x[i] and x[j] is about every two points of the data, x* among them, whose gradient is 0; one with x[i] alone is
about every point. Where the formulas read xstar, the class is one of functions with a minimiser.

Who knows the inequalities knows the class: a Gram program asks for finite data that keep them. If they are sufficient too, which
is what makes them interpolation conditions, some function of the class has each such data, and a worst case is exact; else it
is an upper bound.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field

from boundcheck.language.letters import L, f, grad, i, inner, j, mu_f, normsq, x, xstar
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import SLOPE, Constant, Gap, Inner, Norm, Normsq, Parameter, Scalar, Value
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Image, Minimum, Point
from boundcheck.model.facts import ErrorBound, Lipschitz, RestrictedSecant
from boundcheck.model.problem import Convex, Differentiable, Fact, Smooth, StronglyConvex
from boundcheck.support.errors import UserError, WrongType

LETTERS = {"i", "j"}
BLOCK = Index("b")  # of coordinates, in the formulas `by_block`
OF_VECTORS = (Value, Gap, Inner, Norm, Normsq, Grad)
LEAST = f(x[i]) >= f(xstar)
SymmetricMatrix = tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True, eq=False)
class FunctionClass:
    """What every function satisfies of which the problem declares all of `facts`.

    `constants` are those that the formulas read; `where` says for which values of them there is such a class: mu < L.
    `with_minimum` holds besides where the claim speaks of x* or f*.

    >>> from boundcheck import Convex, FunctionClass
    >>> from boundcheck.letters import f, grad, i, inner, j, x
    >>> below = f(x[j]) >= f(x[i]) + inner(grad(x[i]), x[j] - x[i])
    >>> FunctionClass(name="convex functions", facts=(Convex,), interpolation=(below,)).is_sufficient
    True
    """

    name: str
    facts: tuple[type[Fact], ...]
    interpolation: tuple[Relation, ...]
    constants: tuple[Constant, ...] = ()
    where: tuple[Relation, ...] = ()
    with_minimum: tuple[Relation, ...] = (LEAST,)
    semidefinite: tuple[Scalar, ...] = ()  # numbers a_ij of every two points x[i], x[j] that are a positive semidefinite matrix
    of_pairs: tuple[SymmetricMatrix, ...] = ()  # matrices of any two points, each positive semidefinite
    of_triples: tuple[SymmetricMatrix, ...] = ()  # matrices of any three points x[i], x[j], x[l] that are not all one
    free: tuple[Parameter, ...] = ()  # numbers in these that are free, for each two or three points anew
    by_block: tuple[Relation, ...] = ()  # of each block b: block(grad(x[i]), b), with its own constants: L_1, L_2, ... for L
    is_sufficient: bool = True  # do data that satisfy all this belong to some function of the class?
    kinds: frozenset[type[Fact]] = field(init=False, repr=False)  # the facts, and those that follow from them

    def __post_init__(self) -> None:
        for kind in self.facts:
            if not (isinstance(kind, type) and issubclass(kind, Fact)):
                raise WrongType(f"the class '{self.name}': facts are subclasses of Fact, such as Convex; found {kind!r}")
        for name in ("interpolation", "with_minimum", "where", "semidefinite", "of_pairs", "of_triples", "free", "by_block"):
            if not isinstance(getattr(self, name), tuple):
                raise WrongType(f"the class '{self.name}': {name} is a tuple of formulas; found {getattr(self, name)!r}")
        known = {constant.name for constant in self.constants}
        for formula in (*self.interpolation, *self.with_minimum):
            self._refuse_formula(formula)
        for formula in self.by_block:
            self._refuse_formula(formula, {*LETTERS, str(BLOCK)})
        formulas = (*self.interpolation, *self.with_minimum, *self.where, *self.by_block)
        trees: tuple[Node, ...] = (*formulas, *self.semidefinite, *self._entries)
        for tree in trees:
            if unknown := sorted({n.name for n in tree.walk() if isinstance(n, Constant)} - known):
                raise UserError(f"the class '{self.name}' reads {unknown[0]} in {tree}; list it in its constants")
        object.__setattr__(self, "kinds", with_implied(self.facts))

    def _refuse_formula(self, formula: Relation, letters: Set[str] = LETTERS) -> None:
        """Such a formula is about points x[i] and x[j] of the data, x*, and f and its gradient there."""
        if not isinstance(formula, Relation) or formula.op not in ("<=", ">=", "=="):
            raise WrongType(f"the class '{self.name}': {formula} is not a formula with <=, >= or ==")
        if not formula.free <= letters or not formula.free:
            raise UserError(f"the class '{self.name}': {formula} is about x[i] and x[j], or x[i] alone; use these letters")
        for node in formula.walk():
            if isinstance(node, Point) and not _is_a_point_of_the_data(node):
                raise UserError(f"the class '{self.name}' reads {node} in {formula}; it knows x[i], x[j] and xstar")
            if isinstance(node, Grad | Value | Gap) and not isinstance(node.at, Point | Minimum):
                raise UserError(f"the class '{self.name}' reads {node} in {formula}; f is asked at x[i], x[j] and xstar")

    @property
    def _entries(self) -> tuple[Scalar, ...]:
        return tuple(entry for matrix in (*self.of_pairs, *self.of_triples) for row in matrix for entry in row)

    @property
    def has_more_than_pairs(self) -> bool:
        """Tell whether it is known by more than inequalities of two points: by semidefinite matrices, or by blocks."""
        return bool(self.semidefinite or self.of_pairs or self.of_triples or self.by_block)

    @property
    def reads_minimum(self) -> bool:
        """Tell whether its inequalities speak of x* or f*, so that each of its functions has a minimiser."""
        formulas = (*self.interpolation, *self.semidefinite, *self._entries)
        return any(isinstance(n, Minimum | Gap) for formula in formulas for n in formula.walk())

    @property
    def reads_image_of_minimum(self) -> bool:
        """Tell whether its inequalities speak of an operator's value at the x* of the claim."""
        return any(isinstance(n, Image) and isinstance(n.at, Minimum) for formula in self.interpolation for n in formula.walk())

    @property
    def reads(self) -> frozenset[str]:
        """The names of its constants."""
        return frozenset(constant.name for constant in self.constants)

    def joined(self, other: FunctionClass) -> FunctionClass:
        """Return the functions that belong to both; what both satisfy need not be sufficient for that."""
        constants = {constant.name: constant for constant in (*self.constants, *other.constants)}
        return FunctionClass(
            name=f"{self.name} and {other.name}",
            facts=(*self.facts, *other.facts),
            interpolation=(*self.interpolation, *other.interpolation),
            constants=tuple(constants.values()),
            where=(*self.where, *other.where),
            with_minimum=tuple(dict.fromkeys((*self.with_minimum, *other.with_minimum))),
            semidefinite=(*self.semidefinite, *other.semidefinite),
            of_pairs=(*self.of_pairs, *other.of_pairs),
            of_triples=(*self.of_triples, *other.of_triples),
            free=tuple({number.name: number for number in (*self.free, *other.free)}.values()),
            by_block=(*self.by_block, *other.by_block),
            is_sufficient=False,
        )

    def __str__(self) -> str:
        return self.name


def with_implied(facts: tuple[type[Fact], ...]) -> frozenset[type[Fact]]:
    """Return the facts with those that follow from them: what is strongly convex is convex. Differentiability is no condition."""
    found = {*facts, *((Convex,) if StronglyConvex in facts else ())}
    return frozenset(found - {Differentiable})


def _is_a_point_of_the_data(node: Node) -> bool:
    return isinstance(node, Point) and node.name == "x" and not node.run and node.index in (i, j)


M_f = Constant("M", SLOPE)  # the Lipschitz constant of f; M(p, q) is a number of a chord
_d, _change = x[i] - x[j], grad(x[i]) - grad(x[j])
_tangent = f(x[j]) + inner(grad(x[j]), _d)
_bent = normsq(_change) / L + mu_f * normsq(_d) - 2 * mu_f / L * inner(_change, _d)

ANY_FUNCTION = FunctionClass(name="any function", facts=(), interpolation=())
CONVEX = FunctionClass(name="convex", facts=(Convex,), interpolation=(f(x[i]) >= _tangent,), with_minimum=())
STRONGLY_CONVEX = FunctionClass(
    name="mu-strongly convex",
    facts=(StronglyConvex,),
    constants=(mu_f,),
    interpolation=(f(x[i]) >= _tangent + mu_f / 2 * normsq(_d),),
    with_minimum=(),
)
SMOOTH = FunctionClass(
    name="L-smooth",
    facts=(Smooth,),
    constants=(L,),
    interpolation=(f(x[i]) >= _tangent + normsq(_change) / (4 * L) - L / 4 * normsq(_d) + inner(_change, _d) / 2,),
    with_minimum=(f(x[i]) >= f(xstar) + normsq(grad(x[i])) / (2 * L),),  # f* <= f(x - grad f(x)/L)
)
SMOOTH_CONVEX = FunctionClass(
    name="L-smooth and convex",
    facts=(Convex, Smooth),
    constants=(L,),
    interpolation=(f(x[i]) >= _tangent + normsq(_change) / (2 * L),),
    with_minimum=(),
)
SMOOTH_STRONGLY_CONVEX = FunctionClass(
    name="L-smooth and mu-strongly convex",
    facts=(StronglyConvex, Smooth),
    constants=(L, mu_f),
    interpolation=(f(x[i]) >= _tangent + _bent / (2 * (1 - mu_f / L)),),
    where=(mu_f < L,),
    with_minimum=(),
)
LIPSCHITZ_CONVEX = FunctionClass(
    name="convex and M-Lipschitz",
    facts=(Convex, Lipschitz),
    constants=(M_f,),
    interpolation=(f(x[i]) >= _tangent, normsq(grad(x[i])) <= M_f**2),
    with_minimum=(),
)
RESTRICTED_SECANT = FunctionClass(
    name="with a mu-restricted secant inequality and an L-error bound",
    facts=(RestrictedSecant, ErrorBound),
    constants=(L, mu_f),
    interpolation=(
        inner(grad(x[i]), x[i] - xstar) >= mu_f * normsq(x[i] - xstar),
        normsq(grad(x[i])) <= L**2 * normsq(x[i] - xstar),
    ),
    where=(mu_f <= L,),
)
FUNCTION_CLASSES = (
    ANY_FUNCTION,
    CONVEX,
    STRONGLY_CONVEX,
    SMOOTH,
    SMOOTH_CONVEX,
    SMOOTH_STRONGLY_CONVEX,
    LIPSCHITZ_CONVEX,
    RESTRICTED_SECANT,
)


def function_class(
    facts: frozenset[type[Fact]], known: tuple[FunctionClass, ...] = FUNCTION_CLASSES
) -> tuple[FunctionClass | None, tuple[type[Fact], ...]]:
    """Return the class of the functions with all of these facts, and the facts that no known class is about.

    Where no class has them all, it is that of the largest classes that have some of them, joined.
    """
    wanted = with_implied(tuple(sorted(facts, key=lambda kind: kind.__name__)))
    inside = [one for one in known if one.kinds <= wanted]
    largest = [one for one in inside if not any(one.kinds < other.kinds for other in inside)]
    left = wanted.difference(*(one.kinds for one in largest))
    found: FunctionClass | None = None
    for one in largest:
        found = one if found is None else found.joined(one)
    return found, tuple(sorted(left, key=lambda kind: kind.__name__))
