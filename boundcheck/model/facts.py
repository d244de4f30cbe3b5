"""Facts about named functions, sets and operators: the classes that a claim may assume of h, C or A, beside what it assumes of f.

    given=(Convex(h), Smooth(f), Indicator(C), Monotone(A))

A fact about f alone is written without a name, as ever: `Convex`, `Smooth`. What members of a class satisfy is in
`function_classes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from boundcheck.arithmetic.base import Exact
from boundcheck.language.scalars import CURVATURE, LENGTH, NONE, SLOPE, Dimension
from boundcheck.model.problem import Fact


@dataclass(frozen=True)
class Lipschitz(Fact):
    """h is M-Lipschitz: each of its subgradients has norm at most M.

    >>> from boundcheck import Lipschitz
    >>> from boundcheck.letters import Function
    >>> Lipschitz(Function("h"))
    h is Lipschitz with M = M_h
    """

    M: Exact


@dataclass(frozen=True)
class QuadraticGrowth(Fact):
    """h grows at most as L/2 times the squared distance from its minimisers: h(x) - h* <= L/2 |x - x*|^2 (QG+).

    >>> from boundcheck import QuadraticGrowth
    >>> from boundcheck.letters import Function
    >>> QuadraticGrowth(Function("h"))
    h is QuadraticGrowth with L = L_h
    """

    L: Exact


@dataclass(frozen=True)
class PolyakLojasiewicz(Fact):
    """|grad h(x)|^2 >= 2 mu (h(x) - h*).

    >>> from boundcheck import PolyakLojasiewicz
    >>> from boundcheck.letters import Function
    >>> PolyakLojasiewicz(Function("h"))
    h is PolyakLojasiewicz with mu = mu_h
    """

    mu: Exact


@dataclass(frozen=True)
class RestrictedSecant(Fact):
    """<grad h(x), x - x*> >= mu |x - x*|^2 (RSI).

    >>> from boundcheck import RestrictedSecant
    >>> from boundcheck.letters import Function
    >>> RestrictedSecant(Function("h"))
    h is RestrictedSecant with mu = mu_h
    """

    mu: Exact


@dataclass(frozen=True)
class ErrorBound(Fact):
    """|grad h(x)| <= L |x - x*| (EB).

    >>> from boundcheck import ErrorBound
    >>> from boundcheck.letters import Function
    >>> ErrorBound(Function("h"))
    h is ErrorBound with L = L_h
    """

    L: Exact


@dataclass(frozen=True)
class BlockSmooth(Fact):
    """The gradient's block i is L_i-Lipschitz along the block i, for each block.

    >>> from boundcheck import BlockSmooth
    >>> from boundcheck.letters import Function
    >>> BlockSmooth(Function("h"))
    h is BlockSmooth with L = L_h
    """

    L: tuple[Exact, ...]


@dataclass(frozen=True)
class Indicator(Fact):
    """It is 0 on a closed convex set and infinite elsewhere: its subgradients are the normal vectors of the set.

    >>> from boundcheck import Indicator
    >>> from boundcheck.letters import ConvexSet
    >>> Indicator(ConvexSet("C"))
    C is Indicator
    """


@dataclass(frozen=True)
class Diameter(Fact):
    """Any two points of the set are at most D apart.

    >>> from boundcheck import Diameter
    >>> from boundcheck.letters import ConvexSet
    >>> Diameter(ConvexSet("C"))
    C is Diameter with D = D_C
    """

    D: Exact


@dataclass(frozen=True)
class Support(Fact):
    """It is the support function of a closed convex set: h(x) = sup <s, x> over s in the set.

    >>> from boundcheck import Support
    >>> from boundcheck.letters import Function
    >>> Support(Function("h"))
    h is Support
    """


@dataclass(frozen=True)
class Monotone(Fact):
    """<A(x) - A(y), x - y> >= 0, and no larger operator has that (A is maximally monotone).

    >>> from boundcheck import Monotone
    >>> from boundcheck.letters import Operator
    >>> Monotone(Operator("A"))
    A is Monotone
    """


@dataclass(frozen=True)
class StronglyMonotone(Fact):
    """<A(x) - A(y), x - y> >= mu |x - y|^2.

    >>> from boundcheck import StronglyMonotone
    >>> from boundcheck.letters import Operator
    >>> StronglyMonotone(Operator("A"))
    A is StronglyMonotone with mu = mu_A
    """

    mu: Exact


@dataclass(frozen=True)
class Cocoercive(Fact):
    """<A(x) - A(y), x - y> >= beta |A(x) - A(y)|^2.

    >>> from boundcheck import Cocoercive
    >>> from boundcheck.letters import Operator
    >>> Cocoercive(Operator("A"))
    A is Cocoercive with beta = beta_A
    """

    beta: Exact


@dataclass(frozen=True)
class LipschitzOperator(Fact):
    """|A(x) - A(y)| <= L |x - y|.

    >>> from boundcheck import LipschitzOperator
    >>> from boundcheck.letters import Operator
    >>> LipschitzOperator(Operator("A"))
    A is LipschitzOperator with L = L_A
    """

    L: Exact


@dataclass(frozen=True)
class Nonexpansive(Fact):
    """|T(x) - T(y)| <= |x - y|.

    >>> from boundcheck import Nonexpansive
    >>> from boundcheck.letters import Operator
    >>> Nonexpansive(Operator("A"))
    A is Nonexpansive
    """


@dataclass(frozen=True)
class ShortestDisplacement(Fact):
    """No displacement p - T(p) is shorter than that at x*: x* need not be a fixed point, and T need not have any.

    >>> from boundcheck import ShortestDisplacement
    >>> from boundcheck.letters import Operator
    >>> ShortestDisplacement(Operator("T"))
    T is ShortestDisplacement
    """


@dataclass(frozen=True)
class NegativelyComonotone(Fact):
    """<A(x) - A(y), x - y> >= -rho |A(x) - A(y)|^2.

    >>> from boundcheck import NegativelyComonotone
    >>> from boundcheck.letters import Operator
    >>> NegativelyComonotone(Operator("A"))
    A is NegativelyComonotone with rho = rho_A
    """

    rho: Exact


@dataclass(frozen=True)
class Linear(Fact):
    """A is linear, and |A x| <= L |x|.

    >>> from boundcheck import Linear
    >>> from boundcheck.letters import Operator
    >>> Linear(Operator("A"))
    A is Linear with L = L_A
    """

    L: Exact


@dataclass(frozen=True)
class Symmetric(Fact):
    """A is linear and symmetric, with eigenvalues from mu to L.

    >>> from boundcheck import Symmetric
    >>> from boundcheck.letters import Operator
    >>> Symmetric(Operator("A"))
    A is Symmetric with mu = mu_A, L = L_A
    """

    mu: Exact
    L: Exact


@dataclass(frozen=True)
class SkewSymmetric(Fact):
    """A is linear, with <A x, y> = -<x, A y>, and |A x| <= L |x|.

    >>> from boundcheck import SkewSymmetric
    >>> from boundcheck.letters import Operator
    >>> SkewSymmetric(Operator("A"))
    A is SkewSymmetric with L = L_A
    """

    L: Exact


# The dimensions of constants that are no curvatures.
DIMENSIONS: Mapping[tuple[str, str], Dimension] = {
    ("Lipschitz", "M"): SLOPE,
    ("Diameter", "D"): LENGTH,
    ("Cocoercive", "beta"): CURVATURE ** Fraction(-1),
    ("NegativelyComonotone", "rho"): CURVATURE ** Fraction(-1),
    ("Linear", "L"): NONE,
    ("Symmetric", "mu"): NONE,
    ("Symmetric", "L"): NONE,
    ("SkewSymmetric", "L"): NONE,
}

KINDS: Mapping[str, type[Fact]] = {kind.__name__: kind for kind in Fact.__subclasses__()}


def dimension_of(kind: type[Fact], constant: str) -> Dimension:
    """The dimension of a constant of a fact."""
    return DIMENSIONS.get((kind.__name__, constant), CURVATURE)
