"""What is known of the numbers that a method carries along, by induction: alpha_k is from 0 to 1, lambda_k never grows.

Each sequence is first taken to lie where that would say most. What its first entry or its update does not keep is weakened, until
all that is left is kept by all: then it holds of every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from boundcheck.bound import Bound
from boundcheck.falsify.mutation.combine import Known, combined
from boundcheck.falsify.mutation.facts import Facts
from boundcheck.falsify.mutation.normal import Normal
from boundcheck.falsify.mutation.polynomial import Poly
from boundcheck.falsify.mutation.span import ANY, NONNEGATIVE, POSITIVE, Span
from boundcheck.hypotheses import AtEachStep, Once
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Add, Constant, Div, Mul, Number, Parameter, Power, Scalar, Sub, Term
from boundcheck.method import Update

GUESSES = (Span(Fraction(0), Fraction(1)), POSITIVE, NONNEGATIVE, ANY)
ONE = Poly.number(Fraction(1))


def with_sequences(facts: Facts, bound: Bound) -> Facts:
    """The facts with those about a method's own numbers, where the claim is about one run."""
    if bound.is_about_chords or len(bound.runs.roles) != 1:
        return facts
    method = bound.runs.main
    given = [h for h in bound.hypotheses if isinstance(h, AtEachStep | Once)]
    relations = [
        h.relation for h in given if not h.relation.free or (isinstance(h, AtEachStep) and _is_about_numbers(h.relation))
    ]
    names = {u.name for u in (*method.first, *method.each) if isinstance(u.sets, Term)} - {"eta"}
    guess = dict.fromkeys(names, 0)
    while True:
        known = replace(facts, sequences={name: GUESSES[n] for name, n in guess.items()})
        wrong = {u.name for u in (*method.first, *method.each) if u.name in names and not _keeps(u, known, relations)}
        if not wrong:
            break
        guess |= {name: guess[name] + 1 for name in wrong}
    return replace(known, falling=frozenset(u.name for u in method.each if u.name in names and _falls(u, known)))


def _keeps(update: Update, facts: Facts, relations: Sequence[Relation]) -> bool:
    """Does the update give a number where the sequence is taken to lie, if all before it do?"""
    assert isinstance(update.to, Scalar)
    wanted, found = facts.sequences[update.name], facts.span(update.to)
    for r in (relation.upward() for relation in relations):
        if r.right.key == update.sets.key and r.op in ("<", "<="):  # gamma_0 > 0
            low = facts.span(r.left)
            found = found & Span(low.low, None, low.low_open or r.op == "<") if low.low is not None else found
    if wanted.high == 1 and not (found.high is not None and found.high <= 1) and _is_at_most_1(update, facts, relations):
        found = found & Span(None, Fraction(1))
    return wanted.holds(found)


def _is_at_most_1(update: Update, facts: Facts, relations: Sequence[Relation]) -> bool:
    """c (p + sqrt(q)) <= 1, for then 1 >= c p and (1 - c p)^2 >= c^2 q."""
    to, normal = update.to, Normal(facts)
    if not (isinstance(to, Mul) and isinstance(to.right, Add) and _is_root(to.right.right) and facts.is_nonnegative(to.left)):
        return False
    root = to.right.right
    assert isinstance(root, Power)
    c, p, q = normal(to.left), normal(to.right.left), normal(root.base)
    rest = ONE - c * p
    known = [
        Known(normal(r.right) - normal(r.left), r.op, str(r))
        for r in (_at_the_step(relation, update).upward() for relation in relations)
    ]
    return all(
        normal.is_nonnegative(goal) or bool(combined(goal, False, known, normal)) for goal in (rest, rest * rest - c * c * q)
    )


def _is_about_numbers(relation: Relation) -> bool:
    """Does it read nothing but letters, and entries that a step has when it is made?"""
    nodes = [node for side in (relation.left, relation.right) for node in side.walk()]
    plain = all(isinstance(n, Add | Constant | Div | Mul | Number | Parameter | Sub | Term) for n in nodes)
    return plain and all(n.name == "eta" and n.index.offset == 0 for n in nodes if isinstance(n, Term))


def _is_root(node: Scalar) -> bool:
    return isinstance(node, Power) and node.exponent == Fraction(1, 2)


def _at_the_step(relation: Relation, update: Update) -> Relation:
    """A hypothesis about every step, at the step of the update."""
    letters = relation.free
    return put_index(relation, next(iter(letters)), update.index) if len(letters) == 1 else relation


def _falls(update: Update, facts: Facts) -> bool:
    """Is the next entry this one, which is not negative, times a number from 0 to 1?"""
    to = update.to
    if not isinstance(to, Mul) or not isinstance(update.sets, Term) or not facts.sequences[update.name].is_nonnegative:
        return False
    before = Term(update.name, update.index.shift(-1), update.sets.dimension)
    return to.right.key == before.key and GUESSES[0].holds(facts.span(to.left))
