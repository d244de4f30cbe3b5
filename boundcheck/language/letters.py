"""The letters of the field, to write claims with.

x[i], y[k], xstar                points            f(p), grad(p)                 oracles
h(p), grad(h, p), subgrad(h, p), prox(h, t, p), project(C, p), minimise_linear(C, v), A(p), resolvent(A, t, p)
                                 oracles of what has a name: h = Function("h"), C = ConvexSet("C"), A = Operator("A")
eta[i]                           steps             M(p, q), D, A, H, mu(p, q)    numbers of a chord
normsq(v), norm(v), inner(u, v)                    Sum, Prod, Min, Max           over (body, i, low, high)
any_number(gamma)                the range of a parameter that may be any real number
ChordQuantity("T", of=lambda p, q: ...)            a number of a chord that a paper defines; sup, inf along it
mean(x[i], weight=w, over=(i, low, high))          delta[i], Delta[i], M_[i], mu_[i], gap(p)   short names
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn, overload

from boundcheck.language.chords import ChordQuantity as ChordQuantity
from boundcheck.language.chords import inf as inf
from boundcheck.language.chords import sup as sup
from boundcheck.language.named import COMPONENTS, OBJECTIVE
from boundcheck.language.named import ConvexSet as ConvexSet
from boundcheck.language.named import Draws as Draws
from boundcheck.language.named import E as E
from boundcheck.language.named import Function as Function
from boundcheck.language.named import FunctionSum as FunctionSum
from boundcheck.language.named import Operator as Operator
from boundcheck.language.named import average as average
from boundcheck.language.named import block as block
from boundcheck.language.named import equal as equal
from boundcheck.language.named import grad as grad
from boundcheck.language.named import minimise_linear as minimise_linear
from boundcheck.language.named import pick as pick
from boundcheck.language.named import project as project
from boundcheck.language.named import prox as prox
from boundcheck.language.named import resolvent as resolvent
from boundcheck.language.named import subgrad as subgrad
from boundcheck.language.relations import Condition, Relation
from boundcheck.language.relations import any_number as any_number
from boundcheck.language.scalars import (
    CURVATURE,
    LENGTH,
    NONE,
    STEP,
    Chord,
    Constant,
    Dimension,
    Exp,
    Inner,
    Larger,
    Log,
    Norm,
    Normsq,
    Power,
    Scalar,
    ScalarLike,
    Smaller,
    Term,
    as_scalar,
    reduce_over,
)
from boundcheck.language.tree import Index, Part, as_index
from boundcheck.language.vectors import Mean, Minimum, Point, Vector

i, j, k, K = Index("i"), Index("j"), Index("k"), Index("K")


@dataclass(frozen=True)
class Points:
    """A sequence of points; `of("other")` is the same sequence in another run of the claim; phi[k, i] is one of several points.

    `dimension`: that of vectors which are no points, SLOPE for errors of gradients.
    """

    name: str
    run: str = ""
    dimension: Dimension = LENGTH

    def __getitem__(self, index: Index | int | tuple[Index | int, Part | int]) -> Point:
        step, part = index if isinstance(index, tuple) else (index, None)
        component = as_index(part) if isinstance(part, int) else part
        return Point(self.name, as_index(step), self.run, component, self.dimension)

    def of(self, run: str) -> Points:
        return Points(self.name, run, self.dimension)


@dataclass(frozen=True)
class Numbers:
    """A sequence of numbers that a run records."""

    name: str
    dimension: Dimension
    run: str = ""

    def __getitem__(self, index: Index | int) -> Term:
        return Term(self.name, as_index(index), self.dimension, self.run)

    def of(self, run: str) -> Numbers:
        return Numbers(self.name, self.dimension, run)


@dataclass(frozen=True)
class ChordFunction:
    """A number of a chord that problems compute in ways of their own. `needs`: the facts under which M may be bound to it."""

    kind: str
    needs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.kind

    @property
    def as_a_number(self) -> str:
        """What to write where the name alone was written for a number."""
        constant = "; the constant of strong convexity is mu_f" if self.kind == "mu" else ""
        return f"it belongs to two points: write {self.kind}(x[i], x[i + 1]){constant}"

    def __call__(self, start: Vector, end: Vector) -> Chord:
        return Chord(self.kind, start, end)

    def _refuse(self, other: object) -> NoReturn:
        raise TypeError(f"{self.kind} is not a scalar formula; {self.as_a_number}")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse


class _Short:
    """A short name for a formula at an index."""

    def __init__(self, formula: Callable[[Index], Scalar]) -> None:
        self._formula = formula

    def __getitem__(self, index: Index | int) -> Scalar:
        return self._formula(as_index(index))


x, y, v = Points("x"), Points("y"), Points("v")
xstar = Minimum()
eta = Numbers("eta", STEP)
eta_length = Numbers("eta", LENGTH)  # the step of normalized gradient descent is a length
L = Constant("L", CURVATURE)
mu_f = Constant("mu", CURVATURE, r"\mu")  # the strong convexity of f; mu(p, q) is that of a chord
n = Constant(COMPONENTS, NONE)  # how many components f has, or blocks a vector
M, mu = ChordFunction("M"), ChordFunction("mu")
D = ChordFunction("D", needs=("Convex", "Differentiable"))
A, H = ChordFunction("A", needs=("Differentiable",)), ChordFunction("H", needs=("Differentiable",))

f = Function(OBJECTIVE)

SMOOTHNESS = ("D", "A", "H", "L")  # what M may be bound to in a claim that does not say it


def inner(left: Vector, right: Vector) -> Inner:
    return Inner(left, right)


def norm(of: Vector) -> Norm:
    return Norm(of)


def normsq(of: Vector) -> Normsq:
    return Normsq(of)


def sqrt(of: ScalarLike) -> Scalar:
    return Power(as_scalar(of), Fraction(1, 2))


def exp(of: ScalarLike) -> Scalar:
    """e to the power of a number: exp(-k / 2), exp(-mu_f / L).

    >>> from boundcheck.letters import exp, k
    >>> exp(-k)
    exp(-k)
    """
    return Exp(as_scalar(of))


def log(of: ScalarLike) -> Scalar:
    return Log(as_scalar(of))


def larger(a: ScalarLike, b: ScalarLike) -> Scalar:
    return Larger(as_scalar(a), as_scalar(b))


def smaller(a: ScalarLike, b: ScalarLike) -> Scalar:
    return Smaller(as_scalar(a), as_scalar(b))


@overload
def Sum(body: Vector, letter: Index, low: Index | int, high: Index | int) -> Vector: ...
@overload
def Sum(body: ScalarLike, letter: Index, low: Index | int, high: Index | int, where: Condition | None = None) -> Scalar: ...
def Sum(
    body: Vector | ScalarLike, letter: Index, low: Index | int, high: Index | int, where: Condition | None = None
) -> Vector | Scalar:
    """The sum over a letter, both ends included. A sum of vectors is their number times their mean."""
    if not isinstance(body, Vector):
        return reduce_over("sum", body, letter, low, high, where)
    if where is not None:
        raise TypeError(f"a sum of vectors has no condition; found {where}")
    return (as_index(high).shift(1).number() - as_index(low)) * mean(body, over=(letter, low, high))


def Prod(body: ScalarLike, letter: Index, low: Index | int, high: Index | int, where: Condition | None = None) -> Scalar:
    return reduce_over("prod", body, letter, low, high, where)


def Min(body: ScalarLike, letter: Index, low: Index | int, high: Index | int) -> Scalar:
    return reduce_over("min", body, letter, low, high)


def Max(body: ScalarLike, letter: Index, low: Index | int, high: Index | int) -> Scalar:
    return reduce_over("max", body, letter, low, high)


def tends(what: ScalarLike, to: ScalarLike) -> Relation:
    """what -> to as the free index grows: a limit, which no finite run decides."""
    return Relation("->", as_scalar(what), as_scalar(to))


def mean(of: Vector, *, weight: ScalarLike = 1, over: tuple[Index, Index | int, Index | int]) -> Mean:
    letter, low, high = over
    if letter.letter is None or letter.offset:
        raise TypeError(f"a mean runs over a letter such as i; found {letter!r}")
    return Mean(of, as_scalar(weight), letter.letter, as_index(low), as_index(high))


def gap(at: Vector) -> Scalar:
    """f(p) - f(x*)."""
    return f(at) - f(xstar)


delta = _Short(lambda n: gap(x[n]))
Delta = _Short(lambda n: normsq(x[n] - xstar))
M_ = _Short(lambda n: M(x[n], x[n + 1]))
mu_ = _Short(lambda n: mu(x[n], xstar))
