"""A part of a problem: a function, set or operator beside f, with the oracles that it can offer; and what solves the whole.

    Problem(
        name="lasso", f=..., facts={Convex(), Smooth(4)}, start=(3, 1),
        parts={"h": Part(facts={Convex(), Lipschitz(2)}, value=..., image=..., prox=...)},
        solutions=(Solved(point=(1, 0), images={"f": (-1, 1), "h": (1, -1)}),),
    )

Each oracle takes an arithmetic `xp` first, as those of a problem do, and one point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.support.errors import UserError

if TYPE_CHECKING:
    from boundcheck.model.problem import Fact

ORACLES = ("value", "image", "prox", "minimise_linear", "inverse")


@dataclass(frozen=True, kw_only=True)
class Part:
    """A function, set or operator that a problem has beside f.

    `image(xp, p)` is a subgradient, a normal vector, or the operator's value; `prox(xp, t, p)` the z with (p - z)/t among the
    images at z: a proximal point, a projection (with any t), a resolvent; `minimise_linear(xp, v)` a point of the set where
    <v, z> is least; `inverse(xp, w)` the z whose image is w, which mirror steps ask for. A finite sum has `components`, of which
    it is the mean.

    >>> from boundcheck import Convex, Part
    >>> Part(facts={Convex()}, value=lambda xp, p: xp.abs(xp.coordinate(p, 0))).offers("prox")
    False
    """

    facts: Set[Fact]
    value: Callable[[Any, Vectors], Scalars] | None = None
    image: Callable[[Any, Vectors], Vectors] | None = None
    prox: Callable[[Any, Any, Vectors], Vectors] | None = None
    minimise_linear: Callable[[Any, Vectors], Vectors] | None = None
    inverse: Callable[[Any, Vectors], Vectors] | None = None
    components: tuple[Part, ...] = ()
    about: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", frozenset(self.facts))
        if not self.components and all(getattr(self, name) is None for name in ORACLES):
            raise UserError(f"a part offers at least one oracle: {', '.join(ORACLES)}")

    def offers(self, oracle: str) -> bool:
        """Tell whether the part can be asked this. A finite sum can be asked what all of its components can."""
        if getattr(self, oracle) is not None:
            return True
        return oracle in ("value", "image") and bool(self.components) and all(one.offers(oracle) for one in self.components)

    def of_kind(self, kind: type[Fact]) -> list[Any]:
        """Its facts of a kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def with_facts(self, *more: Fact) -> Part:
        """Return the same part with further facts."""
        return replace(self, facts=frozenset({*self.facts, *more}))


@dataclass(frozen=True, kw_only=True)
class Solved:
    """A point that solves something, with the (sub)gradients, normal vectors and values of operators that add up to 0 there.

    An image that is not given is what the oracle answers. `radius`: how far the point may be from a true solution.

    >>> from boundcheck import Solved
    >>> Solved(point=[1], images={"f": [-1], "h": [1]}).radius
    0.0
    """

    point: Sequence[Exact]
    images: Mapping[str, Sequence[Exact]] = field(default_factory=dict)
    radius: float = 0.0
