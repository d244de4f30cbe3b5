"""The numbers that a method carries along are known by induction: alpha_k is from 0 to 1, lambda_k never grows.

Each sequence is first taken to lie where that would say most. What its first entry or its update does not keep is weakened, until
all that is left is kept by all: then it holds of every run.
Where a constant is 0 a method may divide by zero in its first step: then no run has that constant, and nothing is claimed of one.

A formula is nonnegative if it is a sum of others that are, each times something nonnegative: a search finds such sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Add, Constant, Div, Mul, Neg, Number, Parameter, Power, Scalar, Sub, Term
from boundcheck.model.method import Method, Update
from boundcheck.power.prover.facts import Facts, relational_hypotheses
from boundcheck.power.prover.normal_form import Normaliser
from boundcheck.power.prover.polynomial import Poly, PowerProduct, multiply_products, raise_product
from boundcheck.power.prover.span import ANY, NONNEGATIVE, POSITIVE, Span

DEEP, WIDE, LOOKS = 4, 4, 40  # how many are added, how many are tried at a place, how many sums are looked at
LONG, ATOMS = 20, 5  # how long a sum and a factor may be


@dataclass(frozen=True)
class KnownSlack:
    """A formula that is >= 0, > 0 or == 0."""

    slack: Poly
    op: str
    why: str


def find_combination(goal: Poly, strictly: bool, known: Sequence[KnownSlack], normal: Normaliser) -> list[str]:
    """Return why goal >= 0 (or > 0): the reasons of what was added up; [] where no sum is found.

    A term that may be negative is taken away by a multiple of something known that has the same term; this is repeated.
    """
    usable = [k for k in known if not k.slack.is_zero and len(k.slack.terms) <= LONG]
    return _Search(normal, usable).run(goal, strictly, DEEP, [])


@dataclass(frozen=True)
class _Step:
    """The rest of a goal once a multiple of something known is taken away."""

    rest: Poly
    strictly: bool
    why: str
    cost: tuple[int, Fraction, int]


class _Search:
    def __init__(self, normal: Normaliser, known: Sequence[KnownSlack]) -> None:
        self.normal, self.known, self.left, self.seen = normal, known, LOOKS, set[str]()

    def run(self, goal: Poly, strictly: bool, deep: int, used: list[str]) -> list[str]:
        bad = [term for term in goal.terms.items() if self.normal.monomial_sign(*term) < 0]
        if not bad:
            return used if used and (not strictly or self.normal.is_nonnegative(goal, True)) else []
        self.left -= 1
        if deep == 0 or self.left < 0 or len(goal.terms) > LONG or (name := f"{deep}{strictly}{goal.name}") in self.seen:
            return []
        self.seen.add(name)
        for step in sorted(self._steps(goal, strictly, bad[0]), key=lambda step: step.cost)[:WIDE]:
            if found := self.run(step.rest, step.strictly, deep - 1, [*used, step.why]):
                return found
        return []

    def _cost(self, rest: Poly, factor: PowerProduct) -> tuple[int, Fraction, int]:
        """Return a cost: the fewer terms may be negative the better, then the simpler the factor."""
        bad = sum(self.normal.monomial_sign(*term) < 0 for term in rest.terms.items())
        return bad, sum((e if e > 0 else -4 * e for _, e in factor), Fraction(0)), len(rest.terms)

    def _steps(self, goal: Poly, strictly: bool, bad: tuple[PowerProduct, Fraction]) -> Iterable[_Step]:
        monomial, value = bad
        for k in self.known:
            for own, number in k.slack.terms.items():
                factor, ratio = multiply_products(monomial, raise_product(own, Fraction(-1))), value / number
                if len(factor) > ATOMS or not self.normal.has_value(factor):
                    continue
                sign = self.normal.monomial_sign(factor, ratio)
                if k.op == "==" or sign >= 0:
                    rest = goal - k.slack * Poly({factor: ratio})
                    yield _Step(rest, strictly and not (k.op == "<" and sign > 0), k.why, self._cost(rest, factor))


GUESSES = (Span(Fraction(0), Fraction(1)), POSITIVE, NONNEGATIVE, ANY)
ONE = Poly.number(Fraction(1))
FixedEntries = dict[tuple[str, int], Fraction]  # entries of a run that do not depend on f or on the steps


def add_sequence_facts(facts: Facts, bound: Bound) -> Facts:
    """Return the facts with those about a method's own numbers, where the claim is about one run."""
    if bound.is_about_chords or len(bound.runs.roles) != 1:
        return facts
    method = bound.runs.main
    relations = [
        h.relation
        for h in relational_hypotheses(bound)
        if not h.relation.free or (isinstance(h, AtEachStep) and _is_about_numbers(h.relation))
    ]
    names = {u.name for u in (*method.first, *method.each) if isinstance(u.sets, Term)} - {"eta"}
    guess = dict.fromkeys(names, 0)
    while True:
        known = replace(facts, sequences={name: GUESSES[n] for name, n in guess.items()})
        wrong = {u.name for u in (*method.first, *method.each) if u.name in names and not _keeps_guess(u, known, relations)}
        if not wrong:
            break
        guess |= {name: guess[name] + 1 for name in wrong}
    return replace(known, nonincreasing=frozenset(u.name for u in method.each if u.name in names and _never_grows(u, known)))


def _keeps_guess(update: Update, facts: Facts, relations: Sequence[Relation]) -> bool:
    """Return whether the update gives a number where the sequence is taken to lie, if all before it do."""
    assert isinstance(update.to, Scalar)
    wanted, found = facts.sequences[update.name], facts.span(update.to)
    for r in (relation.upward() for relation in relations):
        if r.right.key == update.sets.key and r.op in ("<", "<="):  # gamma_0 > 0
            low = facts.span(r.left)
            found = found & Span(low.low, None, low.low_open or r.op == "<") if low.low is not None else found
    if wanted.high == 1 and not (found.high is not None and found.high <= 1) and _is_at_most_1(update, facts, relations):
        found = found & Span(None, Fraction(1))
    return wanted.contains(found)


def _is_at_most_1(update: Update, facts: Facts, relations: Sequence[Relation]) -> bool:
    """Return whether c (p + sqrt(q)) <= 1, by 1 >= c p and (1 - c p)^2 >= c^2 q."""
    to, normal = update.to, Normaliser(facts)
    if not (isinstance(to, Mul) and isinstance(to.right, Add) and _is_root(to.right.right) and facts.is_nonnegative(to.left)):
        return False
    root = to.right.right
    assert isinstance(root, Power)
    c, p, q = normal(to.left), normal(to.right.left), normal(root.base)
    rest = ONE - c * p
    known = [
        KnownSlack(normal(r.right) - normal(r.left), r.op, str(r))
        for r in (_at_the_step(relation, update).upward() for relation in relations)
    ]
    return all(
        normal.is_nonnegative(goal) or bool(find_combination(goal, False, known, normal))
        for goal in (rest, rest * rest - c * c * q)
    )


def _is_about_numbers(relation: Relation) -> bool:
    """Return whether it reads nothing but letters, and entries that a step has when it is made."""
    nodes = [node for side in (relation.left, relation.right) for node in side.walk()]
    plain = all(isinstance(n, Add | Constant | Div | Mul | Number | Parameter | Sub | Term) for n in nodes)
    return plain and all(n.name == "eta" and n.index.offset == 0 for n in nodes if isinstance(n, Term))


def _is_root(node: Scalar) -> bool:
    return isinstance(node, Power) and node.exponent == Fraction(1, 2)


def _at_the_step(relation: Relation, update: Update) -> Relation:
    """Return a hypothesis about every step, at the step of the update."""
    letters = relation.free
    return put_index(relation, next(iter(letters)), update.index) if len(letters) == 1 else relation


def _never_grows(update: Update, facts: Facts) -> bool:
    """Return whether the next entry is this one, which is not negative, times a number from 0 to 1."""
    to = update.to
    if not isinstance(to, Mul) or not isinstance(update.sets, Term) or not facts.sequences[update.name].is_nonnegative:
        return False
    before = Term(update.name, update.index.shift(-1), update.sets.dimension)
    return to.right.key == before.key and GUESSES[0].contains(facts.span(to.left))


# -- the first step, where a constant is 0 ---------------------------------------------------------------------------------


def has_no_run_where_zero(name: str, method: Method) -> bool:
    """Return whether the first step divides by what is 0 where the constant is."""
    known: FixedEntries = {}
    begun = {update.name for update in method.first}
    each = [u for u in method.each if not (u.index.offset == 0 and u.name in begun)]
    return any(_divides_by_zero(update, name, known) for update in (*method.first, *each))


def _divides_by_zero(update: Update, name: str, known: FixedEntries) -> bool:
    """Make the update at step 0, as far as its number is known, and return whether it divides by zero."""
    if any(isinstance(node, Div) and _value(node.right, name, known) == 0 for node in update.to.walk()):
        return True
    found = _value(update.to, name, known) if isinstance(update.to, Scalar) else None
    if found is not None:
        known[update.name, update.index.offset] = found
    return False


def _value(node: Scalar, name: str, known: FixedEntries) -> Fraction | None:
    """Return what a formula of step 0 is where the constant is 0; None where it depends on more."""
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Constant):
        return Fraction(0) if node.name == name else None
    if isinstance(node, Term):
        return known.get((node.name, node.index.offset)) if not node.run else None
    if isinstance(node, Neg | Power):
        base = _value(node.of if isinstance(node, Neg) else node.base, name, known)
        if isinstance(node, Neg):
            return None if base is None else -base
        return Fraction(0) if base == 0 and node.exponent > 0 else None
    if not isinstance(node, Add | Sub | Mul | Div):
        return None
    left, right = _value(node.left, name, known), _value(node.right, name, known)
    if (isinstance(node, Mul) and 0 in (left, right)) or (isinstance(node, Div) and left == 0):
        return Fraction(0)
    if left is None or right is None:
        return None
    if isinstance(node, Add | Sub):
        return left + right if isinstance(node, Add) else left - right
    return left * right if isinstance(node, Mul) else left / right
