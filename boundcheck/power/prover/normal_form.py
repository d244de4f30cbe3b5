"""The normal form of a formula: a polynomial over what cannot be taken apart.

f(x) is read as (f(x) - f*) + f*, so that gaps show. A norm is the root of its square; |u - v| and |v - u| are one atom, and so
are D(x, y) and D(y, x). Expanded, squares of sums are multiplied out to inner products, so that identities show.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from boundcheck.language.canonical import canonical
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import (
    Abs,
    Add,
    Chord,
    Div,
    Gap,
    IndexNumber,
    Inner,
    Larger,
    Mul,
    Neg,
    Norm,
    Normsq,
    Number,
    Power,
    Reduce,
    Scalar,
    Smaller,
    Sub,
    Value,
)
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Plus, Point, Scaled, Vector
from boundcheck.model.problem import IsQuadratic
from boundcheck.power.prover.facts import Facts
from boundcheck.power.prover.polynomial import Poly, PowerProduct, raise_product
from boundcheck.power.prover.span import Span

LEAST = Value(Minimum())
MOST = 6  # the largest power that is multiplied out
VectorTerms = dict[str, Poly]  # a vector: its coefficients, by the names of points and gradients


class Normaliser:
    """The maker of normal forms under the same facts; it remembers the formula that each atom stands for."""

    def __init__(self, facts: Facts, expanded: bool = False) -> None:
        self.facts, self.expanded = facts, expanded
        self.meaning: dict[str, tuple[Scalar, Facts]] = {}  # of each atom, with the facts where it stands
        self.spans: dict[str, Span] = {}
        self.signs: dict[tuple[PowerProduct, bool], float] = {}  # of each product, times a number that is positive or is not
        self.leaves: dict[str, Vector] = {}  # of each name in a combination
        self.sums: dict[str, Poly] = {}  # what an atom that is divided by is
        self.roots: dict[str, tuple[int, Poly]] = {}  # of each atom that is a root: which, and of what

    def __call__(self, node: Scalar) -> Poly:
        return self._scalar(node, self.facts)

    def combination(self, node: Vector) -> VectorTerms:
        """Return the coefficients of a vector."""
        return self._vector(node, self.facts)

    def is_nonnegative(self, poly: Poly, strictly: bool = False) -> bool:
        """Return whether every term, whatever the atoms are, is at least 0 (and one of them more)."""
        signs = [self.monomial_sign(m, value) for m, value in poly.terms.items()]
        return all(s >= 0 for s in signs) and (not strictly or any(s > 0 for s in signs))

    def monomial_sign(self, monomial: PowerProduct, value: Fraction) -> float:
        """Return 1 for a positive term, 0 for one that is at least 0, -1 for one that is not known to be."""
        known = self.signs.get((monomial, value > 0))
        if known is None:
            product = self.facts.span(Number(value))
            for name, exponent in monomial:
                product = product * (self._span(name) ** exponent)
            known = self.signs[monomial, value > 0] = 1 if product.is_positive else 0 if product.is_nonnegative else -1
        return known

    def _span(self, name: str) -> Span:
        if name not in self.spans:
            node, facts = self.meaning[name]
            self.spans[name] = facts.span(node)
        return self.spans[name]

    def has_value(self, monomial: PowerProduct) -> bool:
        """Return whether nothing that the product divides by is ever 0."""
        below = [self._span(name) for name, exponent in monomial if exponent < 0]
        return all(span.is_positive or (-span).is_positive for span in below)

    def _atom(self, name: str, node: Scalar, facts: Facts, exponent: Fraction = Fraction(1)) -> Poly:
        self.meaning.setdefault(name, (node, facts))
        return Poly.atom(name, exponent)

    # -- numbers -------------------------------------------------------------------------------------------------------

    def _scalar(self, node: Scalar, facts: Facts) -> Poly:
        if isinstance(node, Number):
            return Poly.number(node.value)
        if isinstance(node, IndexNumber):
            offset = Poly.number(Fraction(node.index.offset))
            if node.index.letter is None:
                return offset
            return self._atom(node.index.letter, IndexNumber(Index(node.index.letter)), facts) + offset
        if isinstance(node, Add):
            return self._scalar(node.left, facts) + self._scalar(node.right, facts)
        if isinstance(node, Sub):
            return self._scalar(node.left, facts) - self._scalar(node.right, facts)
        if isinstance(node, Neg):
            return -self._scalar(node.of, facts)
        if isinstance(node, Mul):
            return self._scalar(node.left, facts) * self._scalar(node.right, facts)
        if isinstance(node, Div):
            return self._scalar(node.left, facts) * self._power_of(node.right, Fraction(-1), facts)
        if isinstance(node, Power):
            return self._power_of(node.base, node.exponent, facts)
        return self._unlike_a_polynomial(node, facts)

    def _power_of(self, base: Scalar, exponent: Fraction, facts: Facts) -> Poly:
        poly = self._scalar(base, facts)
        if poly.only_term == ((), Fraction(1)):
            return poly
        if exponent.denominator == 1 and 0 < exponent <= MOST:
            made = Poly.number(Fraction(1))
            for _ in range(int(exponent)):
                made = made * poly
            return made
        if exponent.denominator == 1 and poly.only_term is not None:
            monomial, value = poly.only_term
            return Poly({raise_product(monomial, exponent): value**exponent.numerator})
        if exponent.denominator == 1 and not poly.is_zero:
            common = poly.content
            unit = poly * Poly({raise_product(common, Fraction(-1)): 1 / poly.leading_coefficient})
            scale = Poly({raise_product(common, exponent): poly.leading_coefficient**exponent.numerator})
            self.sums[unit.name] = unit
            rest: Scalar = Mul(Number(1 / poly.leading_coefficient), base)
            for name, e in common:
                rest = Mul(rest, Power(self.meaning[name][0], -e))
            return scale * self._atom(unit.name, rest, facts, exponent)
        root, name = Power(base, Fraction(1, exponent.denominator)), f"root{exponent.denominator}{poly.name}"
        self.roots[name] = exponent.denominator, poly
        return self._atom(name, root, facts, Fraction(exponent.numerator))

    def _unlike_a_polynomial(self, node: Scalar, facts: Facts) -> Poly:
        if isinstance(node, Value | Gap):
            return self._value(node, facts)
        if isinstance(node, Normsq):
            return self._product(node.of, node.of, facts)
        if isinstance(node, Inner):
            return self._product(node.left, node.right, facts)
        if isinstance(node, Norm):
            return self._length(self._vector(node.of, facts), node, facts)
        if isinstance(node, Chord):
            return self._chord(node, facts)
        if isinstance(node, Reduce):
            return self._reduce(node, facts)
        if isinstance(node, Abs):
            poly = self._scalar(node.of, facts)
            if facts.is_nonnegative(node.of) or self.is_nonnegative(poly):
                return poly
            positive = poly if poly.is_zero or poly.leading_coefficient > 0 else -poly
            return self._atom(f"abs{positive.name}", node, facts)
        if isinstance(node, Larger | Smaller):
            sides = sorted(self._scalar(side, facts).name for side in (node.left, node.right))
            return self._atom(f"{type(node).__name__}{sides}", node, facts)
        return self._atom(canonical(node), node, facts)

    def _value(self, node: Value | Gap, facts: Facts) -> Poly:
        least = self._atom("f*", LEAST, facts) if isinstance(node, Value) else Poly()
        if isinstance(node.at, Minimum):
            return least
        return self._atom(f"gap{self._vector_name(self._vector(node.at, facts))}", Gap(node.at), facts) + least

    def _chord(self, node: Chord, facts: Facts) -> Poly:
        ends = [self._vector_name(self._vector(end, facts)) for end in (node.start, node.end)]
        if node.kind == "D" or IsQuadratic in facts.kinds:
            ends.sort()
        same = node.kind in ("A", "H", "mu") and IsQuadratic in facts.kinds and facts.convex
        return self._atom(f"{'A' if same else node.kind}{ends}", node, facts)

    # -- vectors -------------------------------------------------------------------------------------------------------

    def _vector(self, node: Vector, facts: Facts) -> VectorTerms:
        if isinstance(node, Plus | Minus):
            left, right = self._vector(node.left, facts), self._vector(node.right, facts)
            sign = Fraction(1 if isinstance(node, Plus) else -1)
            made = {n: left.get(n, Poly()) + right.get(n, Poly()).scale(sign) for n in {**left, **right}}
            return {n: c for n, c in made.items() if not c.is_zero}
        if isinstance(node, Scaled):
            factor = self._scalar(node.factor, facts)
            made = {n: factor * c for n, c in self._vector(node.of, facts).items()}
            return {n: c for n, c in made.items() if not c.is_zero}
        if isinstance(node, Grad):
            if isinstance(node.at, Minimum):
                return {}
            at = self._vector(node.at, facts)
            spread = self._quadratic_gradient(at) if IsQuadratic in facts.kinds else None
            return self._leaf(f"grad{self._vector_name(at)}", node) if spread is None else spread
        if isinstance(node, Mean):
            inside, of, weight = self._open_sum(node, facts, node.of, node.weight)
            weights = self._scalar(weight, inside)
            one = weights if weights.is_zero else weights.scale(1 / weights.leading_coefficient)  # a mean has no unit of weight
            parts = f"{self._vector_name(self._vector(of, inside))}{one.name}"
            return self._leaf(f"mean[{node.low}..{node.high}]{parts}", node)
        return self._leaf(canonical(node), node)

    def _quadratic_gradient(self, at: VectorTerms) -> VectorTerms | None:
        """Return the gradient of a quadratic at p + c w: grad f(p) + c times its Hessian times w. None: not of a point."""
        one = Poly.number(Fraction(1))
        points = {name: c for name, c in at.items() if isinstance(self.leaves[name], Mean | Minimum | Point)}
        if len(at) == 1 or not (sum(points.values(), Poly()) - one).is_zero:
            return None
        made: VectorTerms = {}
        for name, c in at.items():
            leaf = self.leaves[name]
            if not isinstance(leaf, Minimum):
                there, word = (leaf, "grad") if name in points else (Plus(Minimum(), leaf), "hess")
                made |= {own: c for own in self._leaf(f"{word}{self._vector_name({name: one})}", Grad(there))}
        return made

    def _leaf(self, name: str, node: Vector) -> VectorTerms:
        self.leaves.setdefault(name, node)
        return {name: Poly.number(Fraction(1))}

    @staticmethod
    def _vector_name(vector: VectorTerms) -> str:
        return "{" + ", ".join(f"{name}:{vector[name].name}" for name in sorted(vector)) + "}"

    def _length(self, vector: VectorTerms, node: Norm, facts: Facts) -> Poly:
        """Return |v|, where v is taken up to a number or a factor of known sign."""
        if not vector:
            return Poly()
        first = vector[min(vector)]
        common, scale = Poly.number(Fraction(1)), Fraction(1)
        if len(vector) == 1 and first.only_term is not None and self.monomial_sign(first.only_term[0], Fraction(1)) >= 0:
            common, scale = Poly({first.only_term[0]: Fraction(1)}), first.only_term[1]
            vector, node = {name: Poly.number(Fraction(1)) for name in vector}, Norm(self.leaves[min(vector)])
        else:
            scale = first.leading_coefficient
            vector = {name: c.scale(1 / scale) for name, c in vector.items()}
        return common.scale(abs(scale)) * self._atom(f"norm{self._vector_name(vector)}", node, facts)

    def _product(self, left: Vector, right: Vector, facts: Facts) -> Poly:
        a, b = self._vector(left, facts), self._vector(right, facts)
        if not a or not b:
            return Poly()
        if not self.expanded:
            if self._vector_name(a) == self._vector_name(b):
                length = self._length(a, Norm(left), facts)
                return length * length
            return self._inner(a, b, facts)
        made = Poly()
        for u, x in a.items():
            for v, y in b.items():
                made = made + x * y * self._pair(u, v, facts)
        return made

    def _inner(self, a: VectorTerms, b: VectorTerms, facts: Facts) -> Poly:
        """Return <a, b>, with what can be taken out of each; of one vector, its square."""
        (x, u), (y, v) = (self._direction(vector) for vector in (a, b))
        if self._vector_name(u) == self._vector_name(v):
            node = Norm(self.leaves[min(u)] if len(u) == 1 else Minimum())
            length = self._length(u, node, facts)
            return x * y * length * length
        return x * y * self._inner_atom(self._vector_name(u), self._vector_name(v), Inner(Minimum(), Grad(Minimum())), facts)

    @staticmethod
    def _direction(vector: VectorTerms) -> tuple[Poly, VectorTerms]:
        """Return a factor and what it multiplies: one leaf alone, or a combination with a first coefficient of 1."""
        first = vector[min(vector)]
        if len(vector) == 1:
            return first, {name: Poly.number(Fraction(1)) for name in vector}
        return Poly.number(first.leading_coefficient), {
            name: c.scale(1 / first.leading_coefficient) for name, c in vector.items()
        }

    def _pair(self, u: str, v: str, facts: Facts) -> Poly:
        if u == v:
            one = {u: Poly.number(Fraction(1))}
            return self._atom(f"norm{self._vector_name(one)}", Norm(self.leaves[u]), facts, Fraction(2))
        return self._inner_atom(u, v, Inner(Minimum(), Grad(Minimum())), facts)

    def _inner_atom(self, u: str, v: str, node: Scalar, facts: Facts) -> Poly:
        return self._atom(f"<{', '.join(sorted((u, v)))}>", node, facts)

    # -- sums ----------------------------------------------------------------------------------------------------------

    def _open_sum(self, node: Reduce | Mean, facts: Facts, *parts: Any) -> tuple[Any, ...]:
        """Return the facts inside a sum and its parts there, its letter called by its depth."""
        letter = f"@{len(facts.lows)}"
        inside = facts.with_letter(letter, facts.lowest_value(node.low))
        return (inside, *(put_index(part, node.letter, Index(letter)) for part in parts))

    def _reduce(self, node: Reduce, facts: Facts) -> Poly:
        inside, body = self._open_sum(node, facts, node.body)
        poly = self._scalar(body, inside)
        letter = f"@{len(facts.lows)}"
        where = "" if node.where is None else canonical(put_index(node.where, node.letter, Index(letter)))
        place = f"{node.kind}[{node.low}..{node.high}]{where}"
        if node.kind != "sum":
            return self._atom(f"{place}{poly.name}", node, facts)
        made = Poly()
        for monomial, value in poly.terms.items():
            outside = tuple((n, e) for n, e in monomial if letter not in n)
            own = tuple((n, e) for n, e in monomial if letter in n)
            made = made + Poly({outside: value}) * self._sum_atom(node, place, own, inside, facts)
        return made

    def _sum_atom(self, node: Reduce, place: str, own: PowerProduct, inside: Facts, facts: Facts) -> Poly:
        """Return the sum of one product of atoms, as an atom; of 1, how many there are."""
        if not own and node.where is None and facts.is_never_empty(replace(node, high=node.high.shift(1))):
            return self._scalar(Sub(IndexNumber(node.high.shift(1)), IndexNumber(node.low)), facts)
        body: Scalar = Number(Fraction(1))
        for name, exponent in own:
            body = Mul(body, Power(self.meaning[name][0], exponent))
        letter = f"@{len(facts.lows)}"
        where = None if node.where is None else put_index(node.where, node.letter, Index(letter))
        one = Poly({own: Fraction(1)}).name
        return self._atom(f"{place}{one}", Reduce("sum", body, letter, node.low, node.high, where), facts)
