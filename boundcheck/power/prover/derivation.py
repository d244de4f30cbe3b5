"""A prover derives one relation from another, or from nothing, by the trees and by what a claim's hypotheses say."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import N, put_index, transform
from boundcheck.language.scalars import Chord, Reduce, Term
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean, Point
from boundcheck.model.method import Method
from boundcheck.model.schedule import STEP_LETTER
from boundcheck.power.prover.enclosure import is_defined_with, is_enclosed
from boundcheck.power.prover.facts import Facts
from boundcheck.power.prover.normal_form import Normaliser
from boundcheck.power.prover.order import at_least
from boundcheck.power.prover.polynomial import Poly, PowerProduct, multiply_products
from boundcheck.power.prover.sequences import KnownSlack, find_combination

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


LARGE = 80  # a goal with more nodes is no sum that is found soon
TRUE_ALONE = "it is true by itself: {}"


class Prover:
    """The prover knows these facts; `method` says what x_{k+1} is, and `rules` what the steps are."""

    def __init__(self, facts: Facts, method: Method | None, rules: Sequence[Relation] = ()) -> None:
        self.facts, self.rules = facts, [rule for rule in rules if _is_rule(rule)]
        self.method, updates = method, () if method is None else method.each
        self.update = next((u for u in updates if u.name == "x" and u.index.offset == 1), None)

    def prove_alone(self, goal: Relation) -> str:
        """Return why the relation is true of every run, or ""."""
        goal = goal.upward()
        for expanded in (False, True):
            normal = Normaliser(self.facts, expanded)
            slack = self._slack(goal, normal)
            if slack.is_zero:
                return "" if goal.op == "<" else TRUE_ALONE.format("both sides are the same")
            if goal.op != "==" and normal.is_nonnegative(slack, strictly=goal.op == "<"):
                return TRUE_ALONE.format("every term of the difference of its sides is nonnegative")
            if goal.op == "<=" and slack.is_square:
                return TRUE_ALONE.format("the difference of its sides is a square")
        if self.method is not None and holds_by_updates(goal, self.method, self.facts):
            return TRUE_ALONE.format("with what the method makes its numbers of, both sides are the same")
        if goal.op == "<=" and at_least(goal.right, goal.left, self.facts):
            return TRUE_ALONE.format("its right side is never below its left side")
        if goal.op != "==" and is_enclosed(goal.right, goal.left, self.facts, strictly=goal.op == "<"):
            return TRUE_ALONE.format("so are its sides with chords replaced by the constants that bound them")
        return ""

    def prove_from_sum(self, known: Sequence[Relation], goal: Relation) -> str:
        """Return why `goal` is true wherever all that is `known` is: a sum of some of it, each times what is not negative."""
        goal = goal.upward()
        if sum(1 for _ in goal.walk()) > LARGE:
            return ""
        if goal.op == "==":
            halves = [Relation("<=", *sides) for sides in ((goal.left, goal.right), (goal.right, goal.left))]
            both = all(self.prove_alone(half) or self.prove_from_sum(known, half) for half in halves)
            return "each side is at most the other" if both else ""
        modes = ((False, False), (True, False), (True, True)) if self.update or self.rules else ((False, False), (False, True))
        for unrolled, expanded in modes:
            normal = Normaliser(self.facts, expanded)
            change = self.substitute_rules if unrolled else _identity
            slacks = [(normal(change(r.right)) - normal(change(r.left)), r) for r in (k.upward() for k in known)]
            wanted = normal(change(goal.right)) - normal(change(goal.left))
            used = find_combination(wanted, goal.op == "<", [KnownSlack(slack, r.op, str(r)) for slack, r in slacks], normal)
            if used:
                return f"it is a sum of {', '.join(dict.fromkeys(used))}"
        return ""

    def prove_from(self, known: Relation, goal: Relation) -> str:
        """Return why `goal` is true wherever `known` is, or ""."""
        if known.key == goal.key:
            return "it says the same"
        if not is_defined_with(known, (goal,), self.facts):
            return ""
        known, goal = known.upward(), goal.upward()
        if goal.op == "==" and known.op != "==":
            return self._prove_equation(known, goal)
        for expanded in (False, True):
            if why := self._prove_by_difference(known, goal, Normaliser(self.facts, expanded)):
                return why
        if goal.op == "==" or (goal.op == "<" and known.op != "<"):
            return ""
        if at_least(known.left, goal.left, self.facts) and at_least(goal.right, known.right, self.facts):
            return "the smaller side is no larger, the larger side no smaller"
        return ""

    def _prove_equation(self, known: Relation, goal: Relation) -> str:
        """Return why a == b follows from a <= b, where a >= b is always so."""
        one, other = (Relation("<=", *sides) for sides in ((goal.left, goal.right), (goal.right, goal.left)))
        for first, second in ((one, other), (other, one)):
            if self.prove_from(known, first) and self.prove_alone(second):
                return "one side is never below the other, nor above it here"
        return ""

    def _prove_by_difference(self, known: Relation, goal: Relation, normal: Normaliser) -> str:
        a, b = self._slack(known, normal), self._slack(goal, normal)
        if (ratio := b.monomial_ratio(a)) is not None and normal.has_value(ratio[0]):
            sign, strict = normal.monomial_sign(*ratio), goal.op == "<"
            if goal.op == known.op == "==" or (sign >= 0 and goal.op == "<=") or (strict and known.op == "<" and sign > 0):
                return "its sides differ by the same, up to a factor"
        if goal.op == "==":
            same = _support(a) is not None and _support(a) == _support(b)
            return "a product is zero where a power of it is" if same else ""
        strictly = goal.op == "<" and known.op != "<"
        if normal.is_nonnegative(b - a, strictly):
            return "its sides are no closer: every term of what was added is nonnegative"
        return ""

    def _slack(self, relation: Relation, normal: Normaliser) -> Poly:
        """Return the larger side less the smaller, in normal form."""
        sides = (relation.right, relation.left)
        right, left = (self.unroll(side) if normal.expanded else side for side in sides)
        return normal(right) - normal(left)

    def unroll(self, node: N) -> N:
        """Return the formula with x_{k+1} replaced by what the method makes of x_k, but for the ends of chords."""
        if self.update is None:
            return node
        update = self.update

        def change(n: Node) -> Node | None:
            if isinstance(n, Chord):
                return n
            if not isinstance(n, Point) or n.name != "x" or n.index is None or n.index.letter is None or n.index.offset < 1:
                return None
            return transform(put_index(update.to, STEP_LETTER, n.index.shift(-1)), change)

        return transform(node, change)

    def substitute_rules(self, node: N) -> N:
        """Return the unrolled formula with each step replaced by what its rule says, but inside the names of chords."""

        def change(n: Node) -> Node | None:
            if isinstance(n, Chord):
                return n
            for rule in self.rules if isinstance(n, Term) else ():
                (letter,) = rule.left.free
                if isinstance(n, Term) and isinstance(rule.left, Term) and (n.name, n.run) == (rule.left.name, rule.left.run):
                    return self.unroll(put_index(rule.right, letter, n.index))
            return None

        return transform(self.unroll(node), change)


def _is_rule(relation: Relation) -> bool:
    """Return whether it is eta_i == ... with nothing on the right that has letters of its own."""
    left = relation.left
    plain = isinstance(left, Term) and left.name == "eta" and left.index.letter is not None and left.index.offset == 0
    return plain and not any(isinstance(n, Reduce | Mean) for n in relation.right.walk())


def _identity(node: N) -> N:
    return node


def _support(poly: Poly) -> tuple[str, ...] | None:
    """Return the atoms of a product of positive powers; None for anything else."""
    if poly.only_term is None or any(exponent < 0 for _, exponent in poly.only_term[0]):
        return None
    return tuple(name for name, _ in poly.only_term[0])
