"""Sums whose body depends on the outer index too, made into one-pass recurrences.

In sum_{i<=k} b_i prod_{j=i+1..k} a_j the product depends on both i and k. Written as terms (what depends on k alone) x (what
depends on i alone) x (such products), each term is a recurrence s <- a s + b; anything else would cost O(K^2) and is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from boundcheck.language.scalars import Add, Div, Mul, Neg, Reduce, Scalar, Sub, as_scalar
from boundcheck.language.tree import IndexError_


@dataclass(frozen=True)
class Separated:
    """coefficient(k) * sum_i inner(i) * link(i, k), the link a product over j from i + c to k + c', or nothing."""

    coefficient: Scalar
    inner: Scalar
    link: Reduce | None


def separate(body: Scalar, letter: str, outer: str) -> list[Separated]:
    return [_sort(factors, letter, outer, body) for factors in _terms(body, letter, outer)]


def _mixed(node: Scalar, letter: str, outer: str) -> bool:
    return letter in node.free and outer in node.free


def _terms(node: Scalar, letter: str, outer: str) -> list[list[Scalar]]:
    """The node as a sum of products, opened only where i and k are mixed."""
    if not _mixed(node, letter, outer):
        return [[node]]
    if isinstance(node, Add):
        return _terms(node.left, letter, outer) + _terms(node.right, letter, outer)
    if isinstance(node, Sub):
        return _terms(node.left, letter, outer) + [[as_scalar(-1), *t] for t in _terms(node.right, letter, outer)]
    if isinstance(node, Neg):
        return [[as_scalar(-1), *t] for t in _terms(node.of, letter, outer)]
    if isinstance(node, Mul):
        return [a + b for a in _terms(node.left, letter, outer) for b in _terms(node.right, letter, outer)]
    if isinstance(node, Div):
        below = _terms(node.right, letter, outer)
        if len(below) == 1 and not any(_mixed(f, letter, outer) for f in below[0]):
            inverses = [1 / f for f in below[0]]
            return [t + inverses for t in _terms(node.left, letter, outer)]
    return [[node]]


def _sort(factors: list[Scalar], letter: str, outer: str, body: Scalar) -> Separated:
    coefficient, inner = as_scalar(1), as_scalar(1)
    link: Reduce | None = None
    for factor in factors:
        if letter not in factor.free:
            coefficient = coefficient * factor
        elif outer not in factor.free:
            inner = inner * factor
        elif link is None and _is_link(factor, letter, outer):
            assert isinstance(factor, Reduce)
            link = factor
        else:
            raise IndexError_(
                f"{factor} depends on both {letter} and {outer}, so the sum of {body} over {letter} would cost O(K^2); "
                f"write it as products of what depends on {letter}, what depends on {outer}, and prod_{{j={letter}+1..{outer}}}"
            )
    return Separated(coefficient, inner, link)


def _is_link(factor: Scalar, letter: str, outer: str) -> bool:
    if not isinstance(factor, Reduce) or factor.kind != "prod":
        return False
    inside = factor.body.free | (factor.where.free if factor.where is not None else frozenset())
    return factor.low.letter == letter and factor.high.letter == outer and inside <= {factor.letter}
