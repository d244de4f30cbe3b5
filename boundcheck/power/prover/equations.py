"""An equation may hold by a method's own updates, or because a chain of equations ends in 0.

alpha_k and gamma_{k+1} are replaced by what the method makes them of; what is divided by is multiplied out, and the square of
a root is what it is the root of. If nothing is left of the difference of the sides, they agree wherever both have values.
A chain of equations that ends in 0 says that each of its formulas is 0, and so is every multiple of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import N, put_index, transform
from boundcheck.language.scalars import Reduce, Term
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean
from boundcheck.model.method import Method
from boundcheck.model.schedule import STEP_LETTER
from boundcheck.power.prover.facts import Facts
from boundcheck.power.prover.normal_form import Normaliser
from boundcheck.power.prover.polynomial import Poly, PowerProduct, multiply_products

ROUNDS, MANY = 24, 400  # replacements, and terms of a difference


def holds_by_updates(goal: Relation, method: Method, facts: Facts) -> bool:
    """Return whether the sides of an equation are the same once the method's numbers are put in."""
    if goal.op != "==" or any(isinstance(n, Reduce | Mean) or (isinstance(n, Term) and n.run) for n in goal.walk()):
        return False
    normal = Normaliser(facts)
    return _vanishes(normal(_substitute_updates(goal.left, method)) - normal(_substitute_updates(goal.right, method)), normal)


def _substitute_updates(node: N, method: Method) -> N:
    """Replace each entry by its update; one that `first` sets too at k + 1 and later only: at 0 it may be another number."""
    begins = {update.name for update in method.first}

    def change(n: Node) -> Node | None:
        if not isinstance(n, Term) or n.index.letter is None:
            return None
        for update in method.each:
            back = n.index.shift(-update.index.offset)
            if update.name == n.name and back.offset >= 0 and (update.index.offset == 1 or n.name not in begins):
                return transform(put_index(update.to, STEP_LETTER, back), change)
        return None

    return transform(node, change)


def _vanishes(poly: Poly, normal: Normaliser) -> bool:
    for _ in range(ROUNDS):
        if poly.is_zero or len(poly.terms) > MANY:
            break
        powers = [(name, e) for monomial in poly.terms for name, e in monomial]
        below = {name: e for name, e in sorted(powers, key=lambda pair: -pair[1]) if e < 0 and name in normal.sums}
        high = [name for name, e in powers if name in normal.roots and e >= normal.roots[name][0]]
        if below:
            name, e = next(iter(below.items()))
            poly = _substitute_power(poly * Poly.atom(name, -e), name, 1, normal.sums[name])
        elif high:
            poly = _substitute_power(poly, high[0], *normal.roots[high[0]])
        else:
            break
    return poly.is_zero


def _substitute_power(poly: Poly, name: str, degree: int, by: Poly) -> Poly:
    """Return the polynomial with `by` in the place of name^degree, as often as it is there."""
    made = Poly()
    for monomial, value in poly.terms.items():
        times_there = max(0, int(dict(monomial).get(name, Fraction(0)) // degree))
        taken: PowerProduct = ((name, Fraction(-times_there * degree)),)
        part = Poly({multiply_products(monomial, taken) if times_there else monomial: value})
        for _ in range(times_there):
            part = part * by
        made = made + part
    return made


def are_zero(goal: Relation, known: Sequence[Relation], normal: Normaliser) -> bool:
    """Return whether both sides of the goal are numbers times formulas that are 0 by what is known."""
    zeros = _zeros(known, normal)
    return all(_is_multiple(normal(side), zeros) for side in (goal.left, goal.right))


def _zeros(known: Sequence[Relation], normal: Normaliser) -> list[Poly]:
    """Return the formulas that are equal to 0, or to one that is."""
    equations = [(normal(r.left), normal(r.right)) for r in known if r.op == "=="]
    found = [Poly()]
    for _ in equations:  # each round finds one more, or none
        new = [b for pair in equations for a, b in (pair, pair[::-1]) if _is_multiple(a, found) and not _is_multiple(b, found)]
        if not new:
            break
        found += new
    return found


def _is_multiple(poly: Poly, zeros: Sequence[Poly]) -> bool:
    return poly.is_zero or any(
        (ratio := poly.monomial_ratio(zero)) is not None and not ratio[0] for zero in zeros if not zero.is_zero
    )
