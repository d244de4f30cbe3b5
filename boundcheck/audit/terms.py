"""A sum as its terms, and the number that each begins with."""

from __future__ import annotations

from fractions import Fraction

from boundcheck.language.scalars import Add, Div, Mul, Neg, Number, Power, Scalar, Sub, as_scalar


def signed_terms(formula: Scalar, sign: int = 1) -> list[tuple[int, Scalar]]:
    """a - (b - c) is +a, -b, +c."""
    if isinstance(formula, Add):
        return signed_terms(formula.left, sign) + signed_terms(formula.right, sign)
    if isinstance(formula, Sub):
        return signed_terms(formula.left, sign) + signed_terms(formula.right, -sign)
    if isinstance(formula, Neg):
        return signed_terms(formula.of, -sign)
    return [(sign, formula)]


def total(terms: list[Scalar]) -> Scalar:
    made = as_scalar(0) if not terms else terms[0]
    for term in terms[1:]:
        made = made + term
    return made


def coefficient(term: Scalar) -> Fraction:
    """The number in front of a product: 1/2 of eta/2 |g|^2."""
    if isinstance(term, Number):
        return term.value
    if isinstance(term, Mul):
        return coefficient(term.left) * coefficient(term.right)
    if isinstance(term, Div) and coefficient(term.right):
        return coefficient(term.left) / coefficient(term.right)
    if isinstance(term, Neg):
        return -coefficient(term.of)
    if isinstance(term, Power) and term.exponent.denominator == 1 and coefficient(term.base):
        return Fraction(coefficient(term.base) ** int(term.exponent))
    return Fraction(1)
