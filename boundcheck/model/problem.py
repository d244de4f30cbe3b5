"""A problem: a function f with its gradient, what is true of it, and a minimiser.

Formulas are written once against an arithmetic `xp` (see `boundcheck.arithmetic`), for a stack of points at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import MISSING, Field, dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.arithmetic.base import Exact, Floats, Matrix, Namespace, Scalars, Vectors
from boundcheck.language.named import ConvexSet, Function, Operator
from boundcheck.language.scalars import Constant
from boundcheck.model.oracles import ChordBounds, Gradient, HessianVector, LocalSmoothness
from boundcheck.model.part import Part, Solved
from boundcheck.support.errors import UserError, WrongType


class _FactKind(type):
    """A kind of facts: called with numbers it makes a fact, called with a name what a claim assumes of that: `Convex(h)`."""

    def __call__(cls, *given: Any, **named: Any) -> Any:
        if given and isinstance(given[0], Function | ConvexSet | Operator):
            return cls.of(*given, **named)  # type: ignore[attr-defined]
        return super().__call__(*given, **named)


@dataclass(frozen=True)
class Fact(metaclass=_FactKind):
    """Something true of a function. Equal facts are equal values: `Convex()`, `Smooth(Fraction(3))`.

    >>> from boundcheck import Fact, Smooth
    >>> issubclass(Smooth, Fact), Smooth(3) == Smooth(3)
    (True, True)
    """

    @classmethod
    def of(cls, named: Function | ConvexSet | Operator, **constants: Constant) -> FactAbout:
        """What a claim assumes of a named function, set or operator: Smooth.of(h), Smooth.of(h, L=Constant("L_1")).

        A constant that is not given is the fact's own letter with the name below: L_h.
        """
        own = [f.name for f in fields(cls)]
        if other := sorted(set(constants) - set(own)):
            raise UserError(f"{cls.__name__} has {', '.join(own) or 'no constants'}; found {other[0]}")
        letters = {name: constants[name].name if name in constants else f"{name}_{named.name}" for name in own}
        return FactAbout(cls, named.name, tuple(letters.items()))

    def __str__(self) -> str:
        return type(self).__name__


@dataclass(frozen=True)
class FactAbout:
    """A fact about a named function, set or operator, with the letters of its constants."""

    kind: type[Fact]
    name: str
    letters: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        known = ", ".join(f"{own} = {letter}" for own, letter in self.letters)
        return f"{self.name} is {self.kind.__name__}" + (f" with {known}" if known else "")


@dataclass(frozen=True)
class Convex(Fact):
    """f is convex on R^d.

    >>> from boundcheck import Convex
    >>> Convex()
    Convex()
    """


@dataclass(frozen=True)
class Differentiable(Fact):
    """f is differentiable on R^d (a convex differentiable f is C^1).

    >>> from boundcheck import Differentiable
    >>> Differentiable()
    Differentiable()
    """


@dataclass(frozen=True)
class TwiceDifferentiable(Fact):
    """f is C^2 on R^d.

    >>> from boundcheck import TwiceDifferentiable
    >>> TwiceDifferentiable()
    TwiceDifferentiable()
    """


@dataclass(frozen=True)
class IsQuadratic(Fact):
    """f(x) = (x - x*)' B (x - x*) / 2 + f*: the gradient is affine, so the gradient at a mean is the mean of the gradients.

    >>> from boundcheck import IsQuadratic
    >>> IsQuadratic()
    IsQuadratic()
    """


@dataclass(frozen=True)
class Smooth(Fact):
    """grad f is L-Lipschitz. The constant is an upper bound of the best one.

    >>> from boundcheck import Smooth
    >>> Smooth(4)
    Smooth(L=4)
    """

    L: Exact


@dataclass(frozen=True)
class StronglyConvex(Fact):
    """f - mu |x|^2 / 2 is convex. The constant is a lower bound of the best one.

    >>> from boundcheck import StronglyConvex
    >>> StronglyConvex(1)
    StronglyConvex(mu=1)
    """

    mu: Exact


def best_L(facts: Iterable[Fact]) -> Exact | None:
    """The smallest smoothness constant among these facts; None where none is declared."""
    return min((fact.L for fact in facts if isinstance(fact, Smooth)), default=None)


def best_mu(facts: Iterable[Fact]) -> Exact:
    """The largest strong convexity constant among these facts; 0 where none is declared."""
    return max((fact.mu for fact in facts if isinstance(fact, StronglyConvex)), default=Fraction(0))


@dataclass(frozen=True, kw_only=True)
class Minimiser:
    """A minimiser x* (any one; say which), where f attains f*. `radius`: how far the stored point may be from a true one.

    Where these are not exact, `refined(bits)` is the same minimiser, known to about so many bits.

    >>> from boundcheck import Minimiser
    >>> Minimiser(point=(0, 0)).value
    0
    """

    point: Sequence[Exact]
    value: Exact = 0
    radius: float = 0.0
    value_error: float = 0.0
    which: str = "the only one"
    refined: Callable[[int], Minimiser] | None = field(default=None, compare=False, repr=False)

    def at(self, xp: Any) -> Minimiser:
        """The same minimiser, known as well as the numbers of this arithmetic can say."""
        return self if self.refined is None else self.refined(getattr(xp, "bits", 0))


NEEDED = {
    "name": 'a word for the tables, name="bowl"',
    "f": "a function f(xp, x) of an arithmetic and a point",
    "facts": "what is true of f, facts={Convex(), Differentiable()}",
    "start": "a point, start=[2]",
}
UNSET: Any = object()  # a keyword that was not given


@dataclass(frozen=True, kw_only=True, init=False)
class Problem:
    """A function to minimise: f, what is true of it, and a start. Everything else follows from these by definition.

    It is a class whose methods take an arithmetic `xp` first; x, y, d, g are stacks of vectors, results are numbers or stacks:

    >>> from boundcheck import Convex, Minimiser, Problem, Smooth, run
    >>> class Bowl(Problem):
    ...     start = (3, 1)
    ...     facts = {Convex(), Smooth(4)}
    ...     minimiser = Minimiser(point=(0, 0))
    ...
    ...     def f(self, xp, x):
    ...         u, v = xp.coordinate(x, 0), xp.coordinate(x, 1)
    ...         return u * u + 2 * v * v
    >>> run(Bowl(), "1/L", steps=5)
    <Trace of Bowl (Convex, Smooth) by gradient descent in float64: 1/L: 5 steps>

    or the same by keywords, where a keyword goes before what the class says:

    >>> absolute = Problem(name="|x|", f=lambda xp, x: xp.abs(xp.coordinate(x, 0)), facts={Convex()}, start=[2])
    >>> absolute.dimension
    1

    What follows from f, by `boundcheck.model.oracles`: `grad(xp, x)`, by the chain rule in whatever arithmetic asks; then also
    `hessian_vector`, `local_smoothness` and `chord`, the last by branch and bound, where the facts say that the gradient is
    continuous. Where the problem can do better than the definition it has a method, or is given a function:
    `gap(xp, x, g)` is f(x) - f* without cancellation; `bregman(xp, x, d, gx, gy)` is f(x + d) - f(x) - <grad f(x), d> likewise;
    `local_smoothness(points, radius)` is an upper bound of the Lipschitz constant of the gradient on the ball about each point
    (float64 arrays in and out), for functions that are not L-smooth; `chord(xp, x, d, gx, gy, side)` is the sup (side "sup": A)
    or the inf (side "inf": mu) over t in (0, 1] of <grad f(x + t d) - grad f(x), d> / (t |d|^2), as an enclosure;
    `hessian_vector(xp, x, v)` is the Hessian at x times v;
    `hessian(xp)` is the constant Hessian of a quadratic, as a matrix;
    `ray(x, g)`, for float64 vectors, knows Delta(eta) = grad f(x - eta g) - grad f(x): `.square(eta)` is |Delta|^2, `.gram(eta)`
    the Gram matrix of Delta and its first two derivatives, `.third()` an upper bound of that of the third. It is what strongly
    adapted steps look at, and only saves time.
    """

    name: str
    dimension: int = 0  # that of the start, unless given
    f: Callable[[Namespace, Vectors], Scalars]
    grad: Callable[[Namespace, Vectors], Vectors]
    facts: Set[Fact]
    start: Sequence[Exact]
    minimiser: Minimiser | None = None
    # None where they are neither given nor derived. Their types leave that out: a class that has one as a method could not else
    # be checked by pyright.
    gap: Callable[[Namespace, Vectors, Vectors], Scalars] = None  # type: ignore[assignment]
    bregman: Callable[[Namespace, Vectors, Vectors, Vectors, Vectors], Scalars] = None  # type: ignore[assignment]
    chord: Callable[[Namespace, Vectors, Vectors, Vectors, Vectors, str], Scalars] = None  # type: ignore[assignment]
    hessian_vector: Callable[[Namespace, Vectors, Vectors], Vectors] = None  # type: ignore[assignment]
    hessian: Callable[[Namespace], Matrix] = None  # type: ignore[assignment]
    local_smoothness: Callable[[Floats, Any], Floats] = None  # type: ignore[assignment]
    ray: Callable[[Floats, Floats], Any] = None  # type: ignore[assignment]
    constants: Mapping[str, Exact] = field(default_factory=dict)
    rational: bool = False  # worth trying in exact rationals: the oracles are rational, or are so where a root is
    data: Mapping[str, Any] | None = None  # the function as JSON in exact numbers, for certificates: docs/problems.md
    about: str = ""
    notes: tuple[str, ...] = ()  # what every verdict on it must say
    # beside f, for claims about more than f: docs/problems.md
    parts: Mapping[str, Part] = field(default_factory=dict)  # what it has beside f, by name; "f" adds oracles to f itself
    components: tuple[Part, ...] = ()  # of which f is the mean
    solutions: tuple[Solved, ...] = ()  # what x* may be, by what is asked of it
    blocks: tuple[tuple[int, ...], ...] = ()  # the blocks of coordinates; each coordinate is one unless given

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str = UNSET,
            dimension: int = UNSET,
            f: Callable[[Namespace, Vectors], Scalars] = UNSET,
            grad: Callable[[Namespace, Vectors], Vectors] | None = UNSET,
            facts: Set[Fact] = UNSET,
            start: Sequence[Exact] = UNSET,
            minimiser: Minimiser | None = UNSET,
            gap: Callable[[Namespace, Vectors, Vectors], Scalars] | None = UNSET,
            bregman: Callable[[Namespace, Vectors, Vectors, Vectors, Vectors], Scalars] | None = UNSET,
            chord: Callable[[Namespace, Vectors, Vectors, Vectors, Vectors, str], Scalars] | None = UNSET,
            hessian_vector: Callable[[Namespace, Vectors, Vectors], Vectors] | None = UNSET,
            hessian: Callable[[Namespace], Matrix] | None = UNSET,
            local_smoothness: Callable[[Floats, Any], Floats] | None = UNSET,
            ray: Callable[[Floats, Floats], Any] | None = UNSET,
            constants: Mapping[str, Exact] = UNSET,
            rational: bool = UNSET,
            data: Mapping[str, Any] | None = UNSET,
            about: str = UNSET,
            notes: tuple[str, ...] = UNSET,
            parts: Mapping[str, Part] = UNSET,
            components: tuple[Part, ...] = UNSET,
            solutions: tuple[Solved, ...] = UNSET,
            blocks: tuple[tuple[int, ...], ...] = UNSET,
            **own: Any,  # what the class itself declares: pieces: Pieces
        ) -> None: ...

    else:

        def __init__(self, **given: Any) -> None:
            self._take(given)

    def _take(self, given: Mapping[str, Any]) -> None:
        """Each field as it is given, as the class has it, or as it is by default."""
        known = fields(Problem)
        own = {name for kind in type(self).__mro__ for name in vars(kind).get("__annotations__", ())}
        if other := sorted(set(given) - own):
            raise WrongType(f"a problem has no '{other[0]}'; it has {', '.join(one.name for one in known)}")
        for name in set(given) - {one.name for one in known}:
            object.__setattr__(self, name, given[name])
        for one in known:
            if one.name in given:
                object.__setattr__(self, one.name, given[one.name])
            elif not hasattr(type(self), one.name):
                self._set_default(one, given)
        self._finish()

    def _set_default(self, one: Field[Any], given: Mapping[str, Any]) -> None:
        beside_f = given.get("parts") or given.get("components") or getattr(type(self), "parts", None)
        if one.name in ("f", "facts") and beside_f and "f" not in given:
            f, facts = _mean_of(given.get("components", ()))
            object.__setattr__(self, one.name, f if one.name == "f" else facts)
        elif one.name == "grad" and given.get("components") and "f" not in given:
            object.__setattr__(self, "grad", _mean_gradient(given["components"]))
        elif one.default_factory is not MISSING:
            object.__setattr__(self, one.name, one.default_factory())
        elif one.name == "grad":
            object.__setattr__(self, "grad", None)  # derived from f
        elif one.name == "name" and type(self) is not Problem:
            object.__setattr__(self, "name", type(self).__name__)
        else:
            whose = "a problem" if type(self) is Problem else f"the problem {type(self).__name__}"
            raise WrongType(f"{whose} needs {one.name}: {NEEDED.get(one.name, 'give it')}")

    def replace(self, **changes: Any) -> Problem:
        """Return the same problem with other fields. What was derived from f follows the new f; what a class has stays as it is.

        >>> from boundcheck.library.names import problem_named
        >>> problem_named("huber").replace(name="huber far away", start=[100]).start
        [100]
        """
        own = {one.name: getattr(self, one.name) for one in fields(Problem)}
        return Problem(**{**own, **changes})

    def _finish(self) -> None:
        self._check_types()
        if not self.dimension:
            object.__setattr__(self, "dimension", len(self.start))
        if self.dimension < 1 or len(self.start) != self.dimension:
            raise UserError(
                f"problem '{self.name}' has dimension {self.dimension} and a start with {len(self.start)} coordinates; "
                "needs at least one coordinate, and as many in the start as in the dimension"
            )
        if self.minimiser is not None and len(self.minimiser.point) != self.dimension:
            raise UserError(
                f"problem '{self.name}' has dimension {self.dimension} and a minimiser with {len(self.minimiser.point)} "
                "coordinates; needs as many as the dimension"
            )
        self._derive()

    def _check_types(self) -> None:
        if not callable(self.f):
            raise ValueError(
                f"problem '{self.name}': f is {self.f!r:.40}; needs a function f(xp, x) of an arithmetic and a point"
            )
        if isinstance(self.facts, Fact):
            raise ValueError(f"problem '{self.name}': facts is one fact; needs a set of them: facts={{{self.facts}()}}")
        if other := [fact for fact in self.facts if not isinstance(fact, Fact)]:
            hint = f"; write {other[0].__name__}(...)" if isinstance(other[0], type) else ""
            raise ValueError(f"problem '{self.name}': found {other[0]!r:.60} among the facts; needs facts such as Convex(){hint}")
        object.__setattr__(self, "facts", frozenset(self.facts))
        for what, point in (("start", self.start), ("minimiser", () if self.minimiser is None else self.minimiser.point)):
            if bad := [c for c in point if isinstance(c, str | bytes | bool | complex) or c is None]:
                raise ValueError(f"problem '{self.name}': a coordinate of the {what} is {bad[0]!r}; needs int, float or Fraction")

    def _derive(self) -> None:
        """Fill in the oracles that follow from f; anew where f or grad is another one than they were derived from."""
        if self.grad is None or (isinstance(self.grad, Gradient) and self.grad.f != self.f):
            object.__setattr__(self, "grad", Gradient(self.f))
        if not self.has_continuous_gradient:
            return
        if isinstance(self.grad, Gradient):
            if self.hessian_vector is None or isinstance(self.hessian_vector, HessianVector):
                object.__setattr__(self, "hessian_vector", HessianVector(self.grad))
            if self.L is None and (self.local_smoothness is None or isinstance(self.local_smoothness, LocalSmoothness)):
                object.__setattr__(self, "local_smoothness", LocalSmoothness(self.grad))
            if self.chord is None or isinstance(self.chord, ChordBounds):
                object.__setattr__(self, "chord", ChordBounds(self.grad, self.has(IsQuadratic)))

    @property
    def has_f(self) -> bool:
        """Whether it has an f of its own. A problem of operators alone has f = 0."""
        return self.f is not nothing

    @property
    def has_continuous_gradient(self) -> bool:
        """Do the facts say that the gradient is continuous? A convex differentiable function is C^1."""
        return self.has(Smooth) or (self.has(Differentiable) and (self.has(Convex) or self.has(TwiceDifferentiable)))

    def has(self, kind: type[Fact]) -> bool:
        return any(isinstance(fact, kind) for fact in self.facts)

    @property
    def L(self) -> Exact | None:
        """The smoothness constant, where f is declared smooth."""
        return best_L(self.facts)

    @property
    def infimum(self) -> Exact | None:
        """inf f, where it is known: the minimum, or the constant "infimum" of a problem that does not attain it."""
        return self.minimiser.value if self.minimiser is not None else self.constants.get("infimum")

    @property
    def mu(self) -> Exact:
        """The strong convexity constant: 0 where none is declared."""
        return best_mu(self.facts)


def nothing(xp: Any, x: Vectors) -> Scalars:
    """The function 0: f of a problem that is about its parts alone."""
    return xp.dot(x, x) * 0


def _mean_of(components: Sequence[Part]) -> tuple[Callable[[Any, Vectors], Scalars], Set[Fact]]:
    """The mean of components, and the facts that all of them declare."""
    if not components:
        return nothing, frozenset()

    def mean(xp: Any, x: Vectors) -> Scalars:
        total = sum((one.value(xp, x) for one in components[1:]), components[0].value(xp, x))  # type: ignore[misc]
        return total / xp.scalar(len(components))

    return mean, facts_of_all(components)


def _mean_gradient(components: Sequence[Part]) -> Callable[[Any, Vectors], Vectors] | None:
    """The mean of the gradients of components; None where one has none, and it follows from f."""
    if any(one.image is None for one in components):
        return None

    def mean(xp: Any, x: Vectors) -> Vectors:
        total = components[0].image(xp, x)  # type: ignore[misc]
        for one in components[1:]:
            total = total + one.image(xp, x)  # type: ignore[misc]
        return xp.scale(xp.scalar(Fraction(1, len(components))), total)

    return mean


def facts_of_all(components: Sequence[Part]) -> frozenset[Fact]:
    """The facts that hold of every component: with the largest of their upper bounds, and the least of their lower bounds."""
    found: set[Fact] = set()
    for kind in {type(fact) for one in components for fact in one.facts}:
        each = [one.of_kind(kind) for one in components]
        if all(each):
            found.add(_weakest([facts[0] for facts in each]))
    return frozenset(found)


LOWER_BOUNDS = ("mu", "beta")  # constants that a weaker fact has smaller


def _weakest(facts: Sequence[Fact]) -> Fact:
    first, values = facts[0], {}
    for one in fields(type(first)):
        all_values = [getattr(fact, one.name) for fact in facts]
        values[one.name] = min(all_values) if one.name in LOWER_BOUNDS else max(all_values)
    return type(first)(**values)
