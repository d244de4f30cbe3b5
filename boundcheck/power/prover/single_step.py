"""A claim about the step at hand of gradient descent needs no earlier step: a run may as well begin there.

Of a hypothesis about every step only what it says of the steps that such a claim reads is needed. Where X is not negative and the
claim divides by X, X > 0 need not be said: where it fails the claim has no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, GradientDescent, Once
from boundcheck.language.ranges import last_step
from boundcheck.language.relations import Relation, links
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import (
    Chord,
    Div,
    Gap,
    IndexNumber,
    Mul,
    Norm,
    Normsq,
    Power,
    Reduce,
    Scalar,
    Sub,
    Term,
    Value,
    is_zero,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Point
from boundcheck.power.prover.facts import at_any_index, relational_hypotheses
from boundcheck.power.prover.normal_form import Normaliser
from boundcheck.power.prover.polynomial import Poly


def is_about_one_step(bound: Bound) -> bool:
    """Return whether the claim and its hypotheses read nothing before the step at hand, and not its number."""
    if bound.is_about_chords or bound.runs != GradientDescent() or bound.for_all.start != 0:
        return False
    given = [h.relation for h in relational_hypotheses(bound)]
    return all(_begins_here(relation) for relation in (*links(bound.states), *given))


def _begins_here(relation: Relation) -> bool:
    nodes = list(relation.walk())
    entries = [n.index for n in nodes if isinstance(n, Point | Term)]
    if any(isinstance(n, Reduce | Mean | IndexNumber) for n in nodes) or len(relation.free) > 1:
        return False
    return all(index is not None and index.letter is not None and index.offset >= 0 for index in entries)


def at_steps_read(relation: Relation, goal: Relation, letter: str, state: frozenset[str]) -> Iterator[Relation]:
    """Yield a hypothesis about every step, at each step from the one at hand to the last that the goal reads."""
    (own,) = relation.free
    reach = last_step(goal, letter, state)
    for ahead in range((-1 if reach is None else reach) + 1):
        there = put_index(relation, own, Index(letter, ahead))
        step = last_step(there, letter, state)
        if step is not None and reach is not None and step <= reach:
            yield there


def divides_by(goals: Sequence[Relation], node: Scalar, normal: Normaliser) -> bool:
    """Return whether every goal divides by a power of the number."""
    atoms = _atoms(normal(node))
    return atoms is not None and all(any(_atoms(normal(p)) == atoms for p in divisors(goal)) for goal in goals)


def _atoms(poly: Poly) -> frozenset[str] | None:
    """Return the atoms of a product of positive powers: it is 0 where one of them is."""
    if poly.only_term is None or any(exponent <= 0 for _, exponent in poly.only_term[0]):
        return None
    return frozenset(name for name, _ in poly.only_term[0])


def divisors(relation: Relation) -> Iterator[Scalar]:
    """Yield what it divides by whatever k is: sums may be empty. Where D is not 0 the gradients differ."""
    left: list[Node] = [relation]
    while left:
        node = left.pop()
        left += [] if isinstance(node, Reduce | Mean) else node.children
        for factor in _factors(node.right) if isinstance(node, Div) else ():
            yield factor
            if isinstance(factor, Chord) and factor.kind == "D":
                yield Norm(Minus(Grad(factor.end), Grad(factor.start)))


def nonzero_where_defined(goal: Relation, known: Sequence[Relation], rules: Sequence[Relation] = ()) -> Iterator[str]:
    """Yield what is not 0 where the goal has a value, as a text for any step, if nothing reads it at another.

    That is what it divides by; and, since a step that it reads is positive, the factors that a rule makes this step of.
    """
    entries = {(at_any_index(n), n.key) for r in (goal, *known) for n in r.walk() if isinstance(n, Scalar)}
    for node in (*divisors(goal), *_step_factors(goal, rules)):
        text = at_any_index(node)
        if all(key == node.key for own, key in entries if own == text):
            yield text


def _step_factors(goal: Relation, rules: Sequence[Relation]) -> Iterator[Scalar]:
    for rule in rules:
        for step in goal.walk():
            if (
                isinstance(step, Term)
                and isinstance(rule.left, Term)
                and (step.name, step.run) == (rule.left.name, rule.left.run)
            ):
                (letter,) = rule.left.free
                yield from _numerator_factors(put_index(rule.right, letter, step.index))


def _numerator_factors(node: Scalar) -> Iterator[Scalar]:
    """Yield the factors of a product, or of what is divided. f(x) - f* is the gap at x."""
    if isinstance(node, Div):
        yield from _numerator_factors(node.left)
        return
    for factor in _factors(node):
        yield factor
        if isinstance(factor, Sub) and isinstance(factor.left, Value) and factor.right.key == Value(Minimum()).key:
            yield Gap(factor.left.at)


def _factors(node: Scalar) -> Iterator[Scalar]:
    if isinstance(node, Mul):
        yield from _factors(node.left)
        yield from _factors(node.right)
    elif isinstance(node, Power) and node.exponent > 0:
        yield from _factors(node.base)
    else:
        yield node


def says_gradient_is_nonzero(h: AtEachStep | Once) -> bool:
    """Return whether it is |grad f(x_i)|^2 > 0, of the point that step i begins with."""
    if not isinstance(h, AtEachStep) or h.relation.op not in ("<", ">"):
        return False
    large, small = (h.relation.left, h.relation.right) if h.relation.op == ">" else (h.relation.right, h.relation.left)
    if not (is_zero(small) and isinstance(large, Norm | Normsq) and isinstance(large.of, Grad)):
        return False
    point = large.of.at
    return isinstance(point, Point) and point.name == "x" and point.index is not None and point.index.offset == 0
