"""Functions, sets and operators with names, beside f: h(p), grad(h, p), prox(h, t, p), project(C, p), A(p).

h, C, A = Function("h"), ConvexSet("C"), Operator("A")
F = f + h                       # F(p) is f(p) + h(p), grad(F, p) is grad(f, p) + subgrad(h, p)
f + C, C(p)                     # a set in a sum stands for its indicator, which is 0 on it: C(x[0]) == 0 says that x_0 is in C
f[i], f[j[k]], f[3]             # components of a finite sum f = (1/n) sum f_i: one of them, the one drawn at step k, the third
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import overload

from boundcheck.language.relations import VectorEquation
from boundcheck.language.scalars import (
    LENGTH,
    SLOPE,
    Average,
    Dimension,
    Expectation,
    NamedValue,
    Scalar,
    ScalarLike,
    Value,
    as_scalar,
)
from boundcheck.language.tree import Draw, Index, Part, as_index
from boundcheck.language.vectors import (
    Block,
    Grad,
    Image,
    LinearMinimum,
    PartsMean,
    Pick,
    Prox,
    Scaled,
    Vector,
)

OBJECTIVE = "f"  # the function that a claim is about where it names none
COMPONENTS = "n"  # the constant that is the number of its components, or of the blocks of a vector


def _part(value: Part | int) -> Part:
    return value if isinstance(value, Draw) else as_index(value)


@dataclass(frozen=True)
class Function:
    """A function by its name; with `part`, one component of it, or the function of one round."""

    name: str
    part: Part | None = None

    def __call__(self, at: Vector) -> Scalar:
        return Value(at) if self.is_objective else NamedValue(at, self.name, self.part)

    @property
    def is_objective(self) -> bool:
        """Whether it is f itself."""
        return self.name == OBJECTIVE and self.part is None

    def __getitem__(self, part: Part | int) -> Function:
        return replace(self, part=_part(part))

    def gradient(self, at: Vector, kind: str = "gradient") -> Vector:
        """The gradient at a point, or the subgradient that a run records there."""
        return Grad(at) if self.is_objective else Image(at, self.name, kind, self.part)

    def __add__(self, other: Summand) -> FunctionSum:
        return FunctionSum(((Fraction(1), self),)) + other

    def __sub__(self, other: Function | FunctionSum) -> FunctionSum:
        return FunctionSum(((Fraction(1), self),)) - other

    def __rmul__(self, factor: ScalarLike) -> FunctionSum:
        return FunctionSum(((factor, self),))

    def __truediv__(self, divisor: ScalarLike) -> FunctionSum:
        return FunctionSum(((1 / as_scalar(divisor), self),))

    def __str__(self) -> str:
        return self.name if self.part is None else f"{self.name}[{self.part}]"


@dataclass(frozen=True)
class FunctionSum:
    """A combination of functions: f + h, f1 - f2, (d + f)/L."""

    terms: tuple[tuple[ScalarLike, Function | ConvexSet], ...]

    def __call__(self, at: Vector) -> Scalar:
        parts = [fn(at) if _is_one(factor) else as_scalar(factor) * fn(at) for factor, fn in self.terms]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def gradient(self, at: Vector, kind: str = "gradient") -> Vector:
        """The sum of the gradients, or of the subgradients that a run records."""
        total: Vector | None = None
        for factor, fn in self.terms:
            own = fn.gradient(at, kind)
            own = own if _is_one(factor) else Scaled(as_scalar(factor), own)
            total = own if total is None else total + own
        assert total is not None
        return total

    def __add__(self, other: Summand) -> FunctionSum:
        return FunctionSum((*self.terms, *_terms(other)))

    def __sub__(self, other: Function | FunctionSum) -> FunctionSum:
        return FunctionSum((*self.terms, *((-as_scalar(factor), fn) for factor, fn in _terms(other))))

    def __rmul__(self, factor: ScalarLike) -> FunctionSum:
        return FunctionSum(tuple((as_scalar(factor) * as_scalar(own), fn) for own, fn in self.terms))

    def __truediv__(self, divisor: ScalarLike) -> FunctionSum:
        return FunctionSum(tuple((as_scalar(own) / as_scalar(divisor), fn) for own, fn in self.terms))


def _is_one(factor: ScalarLike) -> bool:
    return isinstance(factor, Fraction) and factor == 1


def _terms(of: Summand) -> tuple[tuple[ScalarLike, Function | ConvexSet], ...]:
    return of.terms if isinstance(of, FunctionSum) else ((Fraction(1), of),)


@dataclass(frozen=True)
class ConvexSet:
    """A closed convex set by its name. C(p) is its indicator: 0 where p is in C, and infinite elsewhere."""

    name: str

    def __call__(self, at: Vector) -> Scalar:
        return NamedValue(at, self.name)

    def gradient(self, at: Vector, kind: str = "subgradient") -> Vector:
        """A vector normal to the set at a point."""
        return Image(at, self.name, "subgradient")

    def __add__(self, other: Summand) -> FunctionSum:
        return FunctionSum(((Fraction(1), self),)) + other

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Operator:
    """An operator by its name. Its values have the dimension of a gradient, or LENGTH where it maps points to points."""

    name: str
    dimension: Dimension = SLOPE
    part: Part | None = None

    def __call__(self, at: Vector) -> Vector:
        return Image(at, self.name, "operator", self.part, self.dimension)

    def __getitem__(self, part: Part | int) -> Operator:
        return replace(self, part=_part(part))

    @property
    def T(self) -> Adjoint:
        """The adjoint of a linear operator: <A(p), u> = <p, A.T(u)>."""
        return Adjoint(self)

    def __str__(self) -> str:
        return self.name if self.part is None else f"{self.name}[{self.part}]"


@dataclass(frozen=True)
class Adjoint:
    """The adjoint of a linear operator. Its values have the dimension of a gradient, unless another is said."""

    of: Operator
    dimension: Dimension = SLOPE

    def __call__(self, at: Vector) -> Vector:
        return Image(at, self.of.name, "adjoint", self.of.part, self.dimension)


Named = Function | ConvexSet | Operator
Summand = Function | ConvexSet | FunctionSum


@dataclass(frozen=True)
class Draws:
    """The index of a component, drawn uniformly and independently at each step: j = Draws("j"), f[j[k]]."""

    name: str

    def __getitem__(self, step: Index | int) -> Draw:
        return Draw(self.name, as_index(step))


@overload
def grad(of: Vector) -> Grad: ...
@overload
def grad(of: Function | FunctionSum, at: Vector) -> Vector: ...
def grad(of: Vector | Function | FunctionSum, at: Vector | None = None) -> Vector:
    """grad(p) is the gradient of f, grad(h, p) that of h."""
    if isinstance(of, Function | FunctionSum):
        if at is None:
            raise TypeError(f"grad({of}) has no point; write grad({of}, x[k])")
        return of.gradient(at)
    if at is not None:
        raise TypeError(f"grad(h, p) takes a function first; found {of}")
    return Grad(of)


def subgrad(of: Function | FunctionSum | ConvexSet, at: Vector) -> Vector:
    """The subgradient at a point, or the vector normal to a set there, that a run records."""
    return of.gradient(at, "subgradient")


def prox(of: Function, step: ScalarLike, at: Vector) -> Prox:
    """The point z that minimises h(z) + |z - p|^2 / (2 t)."""
    return Prox(at, as_scalar(step), of.name, "prox", of.part)


def project(on: ConvexSet, at: Vector) -> Prox:
    """The nearest point of a set."""
    return Prox(at, as_scalar(1), on.name, "project")


def resolvent(of: Operator, step: ScalarLike, at: Vector) -> Prox:
    """The point z with z + t A(z) = p."""
    return Prox(at, as_scalar(step), of.name, "resolvent", of.part)


def minimise_linear(on: ConvexSet, towards: Vector) -> LinearMinimum:
    """A point of a set that minimises <v, z>."""
    return LinearMinimum(towards, on.name)


def block(of: Vector, part: Part | int) -> Block:
    """One block of coordinates of a vector, the others 0."""
    return Block(of, _part(part))


def pick(part: Part | int, drawn: Part | int, then: Vector, otherwise: Vector) -> Pick:
    """`then` for the component that was drawn, `otherwise` for the others."""
    return Pick(_part(part), _part(drawn), then, otherwise)


@overload
def average(letter: Index, of: Vector) -> PartsMean: ...
@overload
def average(letter: Index, of: Scalar) -> Average: ...
def average(letter: Index, of: Vector | Scalar) -> PartsMean | Average:
    """The mean over all components: average(i, f[i](x)) is (1/n) sum_i f_i(x)."""
    if letter.letter is None or letter.offset:
        raise TypeError(f"a mean over components runs over a letter such as i; found {letter}")
    return PartsMean(of, letter.letter) if isinstance(of, Vector) else Average(of, letter.letter)


def E(of: ScalarLike) -> Expectation:
    """The expectation over all draws."""
    return Expectation(as_scalar(of))


def equal(left: Vector, right: Vector) -> VectorEquation:
    """The statement that two vectors are one: equal(y[k + 1], x[k] - eta[k] * grad(x[k]))."""
    return VectorEquation(left, right)


__all__ = [
    "LENGTH",
    "SLOPE",
    "ConvexSet",
    "Draws",
    "E",
    "Function",
    "Operator",
    "average",
    "block",
    "equal",
    "grad",
    "minimise_linear",
    "pick",
    "project",
    "prox",
    "resolvent",
    "subgrad",
]
