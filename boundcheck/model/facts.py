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
    """h is M-Lipschitz: each of its subgradients has norm at most M."""

    M: Exact


@dataclass(frozen=True)
class QuadraticGrowth(Fact):
    """h grows at most as L/2 times the squared distance from its minimisers: h(x) - h* <= L/2 |x - x*|^2 (QG+)."""

    L: Exact


@dataclass(frozen=True)
class PolyakLojasiewicz(Fact):
    """|grad h(x)|^2 >= 2 mu (h(x) - h*)."""

    mu: Exact


@dataclass(frozen=True)
class RestrictedSecant(Fact):
    """<grad h(x), x - x*> >= mu |x - x*|^2 (RSI)."""

    mu: Exact


@dataclass(frozen=True)
class ErrorBound(Fact):
    """|grad h(x)| <= L |x - x*| (EB)."""

    L: Exact


@dataclass(frozen=True)
class BlockSmooth(Fact):
    """The gradient's block i is L_i-Lipschitz along the block i, for each block."""

    L: tuple[Exact, ...]


@dataclass(frozen=True)
class Indicator(Fact):
    """It is 0 on a closed convex set and infinite elsewhere: its subgradients are the normal vectors of the set."""


@dataclass(frozen=True)
class Diameter(Fact):
    """Any two points of the set are at most D apart."""

    D: Exact


@dataclass(frozen=True)
class Support(Fact):
    """It is the support function of a closed convex set: h(x) = sup <s, x> over s in the set."""


@dataclass(frozen=True)
class Monotone(Fact):
    """<A(x) - A(y), x - y> >= 0, and no larger operator has that (A is maximally monotone)."""


@dataclass(frozen=True)
class StronglyMonotone(Fact):
    """<A(x) - A(y), x - y> >= mu |x - y|^2."""

    mu: Exact


@dataclass(frozen=True)
class Cocoercive(Fact):
    """<A(x) - A(y), x - y> >= beta |A(x) - A(y)|^2."""

    beta: Exact


@dataclass(frozen=True)
class LipschitzOperator(Fact):
    """|A(x) - A(y)| <= L |x - y|."""

    L: Exact


@dataclass(frozen=True)
class Nonexpansive(Fact):
    """|T(x) - T(y)| <= |x - y|."""


@dataclass(frozen=True)
class NegativelyComonotone(Fact):
    """<A(x) - A(y), x - y> >= -rho |A(x) - A(y)|^2."""

    rho: Exact


@dataclass(frozen=True)
class Linear(Fact):
    """A is linear, and |A x| <= L |x|."""

    L: Exact


@dataclass(frozen=True)
class Symmetric(Fact):
    """A is linear and symmetric, with eigenvalues from mu to L."""

    mu: Exact
    L: Exact


@dataclass(frozen=True)
class SkewSymmetric(Fact):
    """A is linear, with <A x, y> = -<x, A y>, and |A x| <= L |x|."""

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
