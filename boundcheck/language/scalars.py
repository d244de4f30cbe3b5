"""Formulas whose value is a real number."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Union, overload

from boundcheck.language.tree import Index, Node, Part, as_index

if TYPE_CHECKING:
    from boundcheck.language.relations import Condition, Relation
    from boundcheck.language.vectors import Scaled, Vector


@dataclass(frozen=True)
class Dimension:
    """Powers of the units of f and of x: M is f/x^2, the step of gradient descent x^2/f."""

    f: Fraction = Fraction(0)
    x: Fraction = Fraction(0)

    def __mul__(self, other: Dimension) -> Dimension:
        return Dimension(self.f + other.f, self.x + other.x)

    def __pow__(self, power: Fraction) -> Dimension:
        return Dimension(self.f * power, self.x * power)

    def __str__(self) -> str:
        if self == NONE:
            return "a pure number"
        up = [_unit(n, p) for n, p in (("f", self.f), ("x", self.x)) if p > 0]
        down = [_unit(n, -p) for n, p in (("f", self.f), ("x", self.x)) if p < 0]
        below = " ".join(down) if len(down) < 2 else "(" + " ".join(down) + ")"
        return (" ".join(up) or "1") + (f"/{below}" if down else "")


def _unit(name: str, power: Fraction) -> str:
    return name if power == 1 else f"{name}^{power}"


NONE = Dimension()
VALUE = Dimension(Fraction(1), Fraction(0))
LENGTH = Dimension(Fraction(0), Fraction(1))
SLOPE = Dimension(Fraction(1), Fraction(-1))
CURVATURE = Dimension(Fraction(1), Fraction(-2))
STEP = Dimension(Fraction(-1), Fraction(2))


@dataclass(frozen=True, eq=False, repr=False)
class Scalar(Node):
    """A formula for a real number."""

    def __add__(self, other: ScalarLike) -> Scalar:
        return Add(self, as_scalar(other))

    def __radd__(self, other: ScalarLike) -> Scalar:
        return Add(as_scalar(other), self)

    def __sub__(self, other: ScalarLike) -> Scalar:
        return Sub(self, as_scalar(other))

    def __rsub__(self, other: ScalarLike) -> Scalar:
        return Sub(as_scalar(other), self)

    @overload
    def __mul__(self, other: Vector) -> Scaled: ...
    @overload
    def __mul__(self, other: ScalarLike) -> Scalar: ...
    def __mul__(self, other: Vector | ScalarLike) -> Scaled | Scalar:
        from boundcheck.language.vectors import Scaled, Vector

        return Scaled(self, other) if isinstance(other, Vector) else Mul(self, as_scalar(other))

    def __rmul__(self, other: ScalarLike) -> Scalar:
        return Mul(as_scalar(other), self)

    def __truediv__(self, other: ScalarLike) -> Scalar:
        return Div(self, as_scalar(other))

    def __rtruediv__(self, other: ScalarLike) -> Scalar:
        return Div(as_scalar(other), self)

    def __neg__(self) -> Scalar:
        return Neg(self)

    def __pow__(self, exponent: Exponent) -> Scalar:
        if isinstance(exponent, Index):
            if exponent.letter is None:
                return Power(self, Fraction(exponent.offset))
            return Reduce("prod", self, _fresh(self, exponent), Index(None, 1), exponent, None)
        if isinstance(exponent, Scalar):
            return _to_the_index(self, exponent)
        if isinstance(exponent, bool) or not isinstance(exponent, int | float | Fraction):
            raise TypeError(f"{self} to the power of {exponent!r}: {EXPONENTS}")
        return Power(self, Fraction(repr(exponent) if isinstance(exponent, float) else exponent))

    def __rpow__(self, base: ScalarLike) -> Scalar:
        return as_scalar(base) ** self

    def __abs__(self) -> Scalar:
        return Abs(self)

    def __le__(self, other: ScalarLike) -> Relation:
        return _relation("<=", self, other)

    def __lt__(self, other: ScalarLike) -> Relation:
        return _relation("<", self, other)

    def __ge__(self, other: ScalarLike) -> Relation:
        return _relation(">=", self, other)

    def __gt__(self, other: ScalarLike) -> Relation:
        return _relation(">", self, other)

    def __eq__(self, other: ScalarLike) -> Relation:  # type: ignore[override]
        return _relation("==", self, other)

    __hash__ = Node.__hash__


ScalarLike = Union["Scalar", Index, int, float, Fraction]  # what stands for a number in a formula
Exponent = Union["Scalar", int, float, Fraction, Index]
EXPONENTS = "an exponent is a number, or a multiple of one index plus a number, such as 2 * k + 1; exp(...) takes any number"


def _relation(op: str, left: Scalar, right: ScalarLike) -> Relation:
    from boundcheck.language.relations import Relation

    return Relation(op, left, as_scalar(right))


def _fresh(body: Node, exponent: Index) -> str:
    """A letter for the product that spells a power, used nowhere else in it."""
    taken = body.free | {exponent.letter}
    return next(letter for letter in ("p", "q", "r", "s") if letter not in taken)


def _to_the_index(base: Scalar, exponent: Scalar) -> Scalar:
    """base ** (a k + b) as a product of k times base ** a, times base ** b."""
    found = _linear(exponent)
    letters = [] if found is None else [letter for letter, factor in found.items() if letter is not None and factor]
    if found is None or len(letters) > 1:
        raise TypeError(f"{base} to the power of {exponent}: {EXPONENTS}")
    constant = found.get(None, Fraction(0))
    if not letters:
        return base**constant
    factor = found[letters[0]]
    if factor == 1 and constant.denominator == 1:
        return base ** Index(letters[0], int(constant))
    moving = (base if factor == 1 else base**factor) ** Index(letters[0])
    return moving if not constant else moving * (base if constant == 1 else base**constant)


def _linear(exponent: Scalar) -> dict[str | None, Fraction] | None:
    """The factor of each index in a sum of multiples of indices, and the number beside them (None); None for no such sum."""
    if isinstance(exponent, Number):
        return {None: exponent.value}
    if isinstance(exponent, IndexNumber):
        alone: dict[str | None, Fraction] = {None: Fraction(exponent.index.offset)}
        return alone if exponent.index.letter is None else {exponent.index.letter: Fraction(1), **alone}
    if isinstance(exponent, Neg):
        return _linear(Number(Fraction(-1)) * exponent.of)
    if not isinstance(exponent, Add | Sub | Mul | Div):
        return None
    left, right = _linear(exponent.left), _linear(exponent.right)
    if left is None or right is None:
        return None
    if isinstance(exponent, Add | Sub):
        sign = 1 if isinstance(exponent, Add) else -1
        return {name: left.get(name, Fraction(0)) + sign * right.get(name, Fraction(0)) for name in {**left, **right}}
    if isinstance(exponent, Mul):
        number, other = (left, right) if set(left) == {None} else (right, left)
        return {name: number[None] * factor for name, factor in other.items()} if set(number) == {None} else None
    divides = set(right) == {None} and right[None] != 0
    return {name: factor / right[None] for name, factor in left.items()} if divides else None


@dataclass(frozen=True, eq=False, repr=False)
class Number(Scalar):
    value: Fraction


@dataclass(frozen=True, eq=False, repr=False)
class IndexNumber(Scalar):
    """An index as a number."""

    index: Index


@dataclass(frozen=True, eq=False, repr=False)
class Parameter(Scalar):
    """A free number of a claim, such as gamma; its range is a hypothesis of the claim.

    >>> from boundcheck import Parameter
    >>> Parameter("gamma") < 2
    gamma < 2
    """

    name: str
    dimension: Dimension = NONE
    latex: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Constant(Scalar):
    """A number that the problem declares: L, mu, eps.

    >>> from boundcheck import Constant
    >>> Constant("eps") / 2
    eps/2
    """

    name: str
    dimension: Dimension = CURVATURE
    latex: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Term(Scalar):
    """Entry of a sequence of numbers that a run records: eta[i]. `run` names the run in claims over two of them."""

    name: str
    index: Index
    dimension: Dimension = STEP
    run: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Value(Scalar):
    """f at a point."""

    at: Vector


@dataclass(frozen=True, eq=False, repr=False)
class NamedValue(Scalar):
    """A function that is not f at a point, or one component of a function: h(p), f_i(p)."""

    at: Vector
    of: str
    part: Part | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Gap(Scalar):
    """f at a point less the minimum of f: what a claim that f + C does not move may read in place of f."""

    at: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Average(Scalar):
    """The mean of a number over all components: (1/n) sum_i a_i."""

    body: Scalar
    letter: str

    ranged = True

    @cached_property
    def free(self) -> frozenset[str]:
        return self.body.free - {self.letter}


@dataclass(frozen=True, eq=False, repr=False)
class Expectation(Scalar):
    """The mean of a number over all draws that it depends on."""

    of: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Inner(Scalar):
    left: Vector
    right: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Norm(Scalar):
    of: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Normsq(Scalar):
    of: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Chord(Scalar):
    """A number that belongs to an ordered pair of points: M, or D, A, H, L in its place, or mu."""

    kind: str
    start: Vector
    end: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Add(Scalar):
    left: Scalar
    right: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Sub(Scalar):
    left: Scalar
    right: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Neg(Scalar):
    of: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Mul(Scalar):
    left: Scalar
    right: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Div(Scalar):
    left: Scalar
    right: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Power(Scalar):
    base: Scalar
    exponent: Fraction


@dataclass(frozen=True, eq=False, repr=False)
class Abs(Scalar):
    of: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Log(Scalar):
    of: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Exp(Scalar):
    """e to the power of a number."""

    of: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Larger(Scalar):
    """The larger of two: a v b."""

    left: Scalar
    right: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Smaller(Scalar):
    left: Scalar
    right: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class Reduce(Scalar):
    """sum, prod, min or max of `body` over letter = low..high, both ends included, where a condition holds.

    An empty sum is 0 and an empty product 1.
    """

    kind: str
    body: Scalar
    letter: str
    low: Index
    high: Index
    where: Condition | None = None

    ranged = True

    @cached_property
    def free(self) -> frozenset[str]:
        inside = self.body.free | (self.where.free if self.where is not None else frozenset())
        bounds = {b.letter for b in (self.low, self.high) if b.letter is not None}
        return frozenset((inside - {self.letter}) | bounds)


def is_zero(node: Node) -> bool:
    """Return whether the formula is the number 0 itself, not one that comes to 0."""
    return isinstance(node, Number) and node.value == 0


def as_scalar(value: ScalarLike | str) -> Scalar:
    if isinstance(value, Scalar):
        return value
    if isinstance(value, Index):
        return IndexNumber(value)
    if isinstance(value, bool) or not isinstance(value, int | Fraction | float):
        advice = getattr(value, "as_a_number", "numbers, letters and oracles at points are")
        raise TypeError(f"{getattr(value, 'name', None) or repr(value)} is not a scalar formula; {advice}")
    if isinstance(value, float):
        value = Fraction(repr(value))  # 1.5 in a theorem file means 3/2, 0.1 means 1/10
    return Number(Fraction(value))


def reduce_over(
    kind: str, body: ScalarLike, letter: Index, low: Index | int, high: Index | int, where: Condition | None = None
) -> Scalar:
    if not isinstance(letter, Index) or letter.letter is None or letter.offset:
        raise TypeError(f"{kind} runs over a letter such as i; found {letter!r}")
    return Reduce(kind, as_scalar(body), letter.letter, as_index(low), as_index(high), where)
