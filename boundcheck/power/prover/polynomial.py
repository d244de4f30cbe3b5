"""The normal form in which claims are compared is a polynomial with rational coefficients over atoms with rational exponents."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

PowerProduct = tuple[tuple[str, Fraction], ...]  # atoms by name, sorted, each with its exponent
ONE: PowerProduct = ()


@dataclass(frozen=True)
class Poly:
    """The sum of monomials, none with the coefficient 0."""

    terms: dict[PowerProduct, Fraction] = field(default_factory=dict)

    @classmethod
    def number(cls, value: Fraction) -> Poly:
        return cls({ONE: value} if value else {})

    @classmethod
    def atom(cls, name: str, exponent: Fraction = Fraction(1)) -> Poly:
        return cls({((name, exponent),): Fraction(1)})

    @property
    def is_zero(self) -> bool:
        return not self.terms

    @property
    def only_term(self) -> tuple[PowerProduct, Fraction] | None:
        """The one term that it is, if it is one."""
        return next(iter(self.terms.items())) if len(self.terms) == 1 else None

    @property
    def leading_coefficient(self) -> Fraction:
        """The coefficient of the first monomial in order of names."""
        return self.terms[min(self.terms)]

    @property
    def name(self) -> str:
        """The one text for each polynomial."""
        shown = ("*".join(f"{a}^{e}" if e != 1 else a for a, e in m) for m in sorted(self.terms))
        return "(" + " + ".join(f"{self.terms[m]}.{t}" for m, t in zip(sorted(self.terms), shown, strict=True)) + ")"

    @property
    def content(self) -> PowerProduct:
        """The largest product of atoms that divides every term."""
        first, *more = (dict(monomial) for monomial in self.terms)
        shared = {n: min(e, *(m[n] for m in more)) if more else e for n, e in first.items() if all(n in m for m in more)}
        return tuple(sorted(shared.items()))

    @property
    def is_square(self) -> bool:
        """Whether it is (a - b)^2, with products a and b, or such a square and more of a^2 and b^2."""
        if len(self.terms) != 3:
            return False
        for middle, c in self.terms.items():
            (m, x), (n, y) = (term for term in self.terms.items() if term[0] != middle)
            even = all(e.denominator == 1 and e % 2 == 0 for _, e in (*m, *n))
            if even and min(x, y) > 0 and multiply_products(m, n) == raise_product(middle, Fraction(2)) and c**2 <= 4 * x * y:
                return True
        return False

    def __add__(self, other: Poly) -> Poly:
        made = dict(self.terms)
        for monomial, value in other.terms.items():
            made[monomial] = made.get(monomial, Fraction(0)) + value
        return Poly({m: v for m, v in made.items() if v})

    def __neg__(self) -> Poly:
        return self.scale(Fraction(-1))

    def __sub__(self, other: Poly) -> Poly:
        return self + -other

    def __mul__(self, other: Poly) -> Poly:
        made: dict[PowerProduct, Fraction] = {}
        for a, x in self.terms.items():
            for b, y in other.terms.items():
                m = multiply_products(a, b)
                made[m] = made.get(m, Fraction(0)) + x * y
        return Poly({m: v for m, v in made.items() if v})

    def scale(self, factor: Fraction) -> Poly:
        return Poly({m: v * factor for m, v in self.terms.items()} if factor else {})

    def monomial_ratio(self, other: Poly) -> tuple[PowerProduct, Fraction] | None:
        """The monomial and the number whose product with `other` this is, if there are such."""
        if self.is_zero or len(self.terms) != len(other.terms):
            return None
        for (b, y), (a, x) in ((next(iter(other.terms.items())), own) for own in self.terms.items()):
            factor, ratio = multiply_products(a, raise_product(b, Fraction(-1))), x / y
            if (other * Poly({factor: ratio})).terms == self.terms:
                return factor, ratio
        return None


def multiply_products(a: PowerProduct, b: PowerProduct) -> PowerProduct:
    made = dict(a)
    for name, exponent in b:
        made[name] = made.get(name, Fraction(0)) + exponent
    return tuple(sorted((name, e) for name, e in made.items() if e))


def raise_product(a: PowerProduct, exponent: Fraction) -> PowerProduct:
    return tuple((name, e * exponent) for name, e in a)
