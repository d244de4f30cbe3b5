"""Formulas as quotients of polynomials, by the rules of fractions alone.

The variables are the pieces that these rules do not open: oracles, steps, roots, minima, products, and sums of what they cannot
take apart. Two formulas with the same quotient are equal wherever both have a value, whatever numbers their pieces stand for; the
converse does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Add, Div, IndexNumber, Mul, Neg, Number, Power, Reduce, Scalar, Sub
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean

Monomial = tuple[tuple[Any, int], ...]  # variables with their powers, sorted by what they are called
Polynomial = dict[Monomial, Fraction]
ONE: Monomial = ()
MOST_ENDS = 8  # terms that a sum has more or less than another
MOST_TERMS = 2000  # beyond it an identity is given up: nothing that people write is near


class TooLong(Exception):
    """A polynomial has more terms than anybody would write."""


def plus(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    total = dict(a)
    for monomial, factor in b.items():
        total[monomial] = total.get(monomial, Fraction(0)) + sign * factor
    return {monomial: factor for monomial, factor in total.items() if factor}


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > MOST_TERMS:
        raise TooLong
    total: Polynomial = {}
    for m, p in a.items():
        for n, q in b.items():
            product = _product((m, n))
            total[product] = total.get(product, Fraction(0)) + p * q
    return {monomial: factor for monomial, factor in total.items() if factor}


def _product(monomials: Iterable[Monomial]) -> Monomial:
    powers: dict[Any, int] = {}
    for monomial in monomials:
        for variable, power in monomial:
            powers[variable] = powers.get(variable, 0) + power
    return tuple(sorted(((v, p) for v, p in powers.items() if p), key=repr))


def constant(value: Fraction | int) -> Polynomial:
    return {ONE: Fraction(value)} if value else {}


class Quotients:
    """Writes formulas as quotients of polynomials. Letters of sums are renamed: over i or over j, it is the same sum."""

    def __init__(self, lowest: Mapping[str, int] | None = None) -> None:
        self.lowest = lowest or {}  # the smallest value of each letter that is free; 0 where it is not said
        self.natural: set[str] = set()  # letters of sums that are never negative

    def quotient(self, node: Scalar) -> tuple[Polynomial, Polynomial]:
        if isinstance(node, Number):
            return constant(node.value), constant(1)
        if isinstance(node, IndexNumber):
            return self._index(node.index), constant(1)
        if isinstance(node, Neg):
            above, below = self.quotient(node.of)
            return times(constant(-1), above), below
        if isinstance(node, Add | Sub | Mul | Div):
            (a, b), (c, d) = (self.quotient(side) for side in (node.left, node.right))
            if isinstance(node, Mul):
                return times(a, c), times(b, d)
            if isinstance(node, Div):
                return reduced(times(a, d), times(b, c))
            sign = 1 if isinstance(node, Add) else -1
            return (plus(a, c, sign), b) if b == d else (plus(times(a, d), times(c, b), sign), times(b, d))
        if isinstance(node, Power) and node.exponent.denominator == 1 and abs(node.exponent) <= 8:
            return self._power(node)
        if isinstance(node, Reduce) and node.kind == "sum":
            return self._sum(node)
        return self.piece(node)

    def piece(self, node: Scalar) -> tuple[Polynomial, Polynomial]:
        """A piece that is not opened, as a variable."""
        return self.variable(node), constant(1)

    def _index(self, index: Index) -> Polynomial:
        moving: Polynomial = {} if index.letter is None else {((("index", index.letter), 1),): Fraction(1)}
        return plus(moving, constant(index.offset))

    def _power(self, node: Power) -> tuple[Polynomial, Polynomial]:
        above, below = self.quotient(node.base)
        if node.exponent < 0:
            above, below = below, above
        made = constant(1), constant(1)
        for _ in range(abs(int(node.exponent))):
            made = times(made[0], above), times(made[1], below)
        return made

    def variable(self, node: Node) -> Polynomial:
        return {((self.name(node), 1),): Fraction(1)}

    def name(self, node: Node) -> Any:
        """What two pieces share if they are the same formula but for the letters of their sums and means."""
        if isinstance(node, Reduce | Mean):
            letter = letter_of(node)
            inside = tuple(self.name(put_index(c, node.letter, Index(letter))) for c in node.children)
            kind = node.kind if isinstance(node, Reduce) else "mean"
            return (kind, inside, _ends(node), len(inside))
        if not any(isinstance(n, Reduce | Mean) for n in node.walk()):
            return node.key
        plain = tuple(str(getattr(node, n)) for n in ("op", "kind", "exponent") if hasattr(node, n))
        return (type(node).__name__, plain, tuple(self.name(c) for c in node.children))

    def _sum(self, node: Reduce) -> tuple[Polynomial, Polynomial]:
        """A sum of a sum is opened, and what does not depend on its letter is taken out of it."""
        letter = letter_of(node)
        renamed = replace(
            node,
            body=put_index(node.body, node.letter, Index(letter)),
            where=None if node.where is None else put_index(node.where, node.letter, Index(letter)),
            letter=letter,
        )
        if node.low.offset >= 0 and self._is_natural(node.low.letter):
            self.natural.add(letter)
        above, below = self.quotient(renamed.body)
        fixed, moving = (below, ()) if not mentions(below, letter) else (constant(1), _frozen(below))
        condition = None if renamed.where is None else self.name(renamed.where)
        total: Polynomial = {}
        for monomial, factor in above.items():
            outside = tuple(part for part in monomial if not _reads(part[0], letter))
            inside = tuple(part for part in monomial if _reads(part[0], letter))
            if not inside and not moving and condition is None and (count := self._count(node)) is not None:
                each = times({outside: factor}, count)
            else:
                each = times({outside: factor}, self._opened(node, inside, moving, condition, letter))
            total = plus(total, each)
        return total, fixed

    def _opened(self, node: Reduce, inside: Monomial, moving: Any, condition: Any, letter: str) -> Polynomial:
        """The sum of one term. Over a range from a number to k + c it is the sum over 0..k - 1 and the terms at its ends.

        So sums telescope: that of g_i - g_{i-1} over i = 1..k is g_k - g_0. Only where no range is shorter than empty.
        """
        low, high, ends, total = node.low, node.high, _ends(node), dict[Monomial, Fraction]()
        least = self.lowest.get(high.letter or "", 0)
        by_index = _has_index(inside, letter)  # the letter as a number is no entry that a shift could move
        if low.letter is None and high.letter is not None and not by_index and not moving and condition is None:
            first = min((o for v, _ in inside for o in _offsets(v, letter)), default=0)
            start, end = low.offset + first, high.offset + first
            fits = abs(start) <= MOST_ENDS and abs(end) <= MOST_ENDS and self._is_natural(high.letter)
            if fits and least + end >= start - 1 and least + end >= -1 and start >= 0:
                inside = _at(inside, letter, Index(letter, -first))
                for n in range(start):
                    total = plus(total, {_at(inside, letter, Index(None, n)): Fraction(1)}, -1)
                for n in range(min(end + 1, 0), max(end + 1, 0)):
                    total = plus(total, {_at(inside, letter, Index(high.letter, n)): Fraction(1)}, 1 if end >= 0 else -1)
                ends = ((None, 0), (high.letter, -1))
        name = ("sum", *_lettered((inside, moving, condition), letter), ends)
        return plus(total, {((name, 1),): Fraction(1)})

    def _count(self, node: Reduce) -> Polynomial | None:
        """How many terms a sum has, where its range is never shorter than empty: from 0, or 1, to k."""
        low, high = node.low, node.high
        if low.letter == high.letter:
            return constant(max(0, high.offset - low.offset + 1))
        if low.letter is None and high.offset - low.offset + 1 >= 0 and self._is_natural(high.letter):
            return self._index(high.shift(1 - low.offset))
        return None

    def _is_natural(self, letter: str | None) -> bool:
        """Is a letter known to be 0 or more? Those of a claim are; that of a sum, where its range begins so."""
        return letter is None or not letter.startswith("#") or letter in self.natural


def letter_of(node: Reduce | Mean) -> str:
    """The letter that a sum or a mean is read with: by how many stand in it, so that equal ones have the same one anywhere."""
    return f"#{_height(node)}"


def _height(node: Node) -> int:
    inside = max((_height(child) for child in node.children), default=0)
    return inside + isinstance(node, Reduce | Mean)


def _ends(node: Reduce | Mean) -> tuple[Any, ...]:
    return ((node.low.letter, node.low.offset), (node.high.letter, node.high.offset))


def _frozen(polynomial: Polynomial) -> tuple[Any, ...]:
    return tuple(sorted(polynomial.items(), key=repr))


def mentions(polynomial: Polynomial, letter: str) -> bool:
    return any(_reads(variable, letter) for monomial in polynomial for variable, _ in monomial)


def _lettered(names: tuple[Any, ...], letter: str) -> tuple[Any, ...]:
    """What a sum that was opened has inside, with the letter that `letter_of` would give to it alone."""
    others = [int(part[1:]) for part in _leaves(names) if isinstance(part, str) and part.startswith("#") and part != letter]
    return _renamed(names, letter, f"#{max(others, default=0) + 1}")  # type: ignore[no-any-return]


def _leaves(name: Any) -> Iterator[Any]:
    if isinstance(name, tuple):
        for part in name:
            yield from _leaves(part)
    else:
        yield name


def _renamed(name: Any, old: str, new: str) -> Any:
    return tuple(_renamed(part, old, new) for part in name) if isinstance(name, tuple) else new if name == old else name


def _reads(name: Any, letter: str) -> bool:
    """Does the name of a variable mention the letter? Letters that sums bind have names of their own."""
    return any(part == letter for part in _leaves(name))


def reduced(above: Polynomial, below: Polynomial) -> tuple[Polynomial, Polynomial]:
    """A quotient by one term as a polynomial with negative powers; any other as it is."""
    if len(below) != 1:
        return above, below
    ((monomial, factor),) = below.items()
    inverse: Monomial = tuple((variable, -power) for variable, power in monomial)
    return {_product((m, inverse)): c / factor for m, c in above.items()}, constant(1)


# -- sums over ranges that differ at their ends ---------------------------------------------------------------------------------


def _shifted(name: Any, letter: str, to: str | None, by: int) -> Any:
    """The name of a piece with `letter` + n in it replaced by `to` + n + by."""
    if isinstance(name, tuple):
        if len(name) == 2 and name[0] == letter and isinstance(name[1], int):
            return (to, name[1] + by)
        return tuple(_shifted(part, letter, to, by) for part in name)
    return name


def _offsets(name: Any, letter: str) -> Iterator[int]:
    if isinstance(name, tuple):
        if len(name) == 2 and name[0] == letter and isinstance(name[1], int):
            yield name[1]
        for part in name:
            yield from _offsets(part, letter)


def _has_index(name: Any, letter: str) -> bool:
    return isinstance(name, tuple) and (name == ("index", letter) or any(_has_index(part, letter) for part in name))


def _at(inside: Monomial, letter: str, index: Index) -> Monomial:
    """A term of a sum at an index."""
    return _product([tuple((_shifted(v, letter, index.letter, index.offset), power) for v, power in inside)])
