"""A claim about the step at hand of gradient descent needs no earlier step: a run may as well begin there.

Of a hypothesis about every step only what it says of the steps that such a claim reads is needed. Where X is not negative and the
claim divides by X, X > 0 need not be said: where it fails the claim has no value.

Lemmas are true of any two points of a function, and are why a claim reads the chords and constants that it reads.

always    |f(y) - f(x) - <grad f(x), y - x>| = H/2 |y - x|^2, and without the bars it is between mu(x,y)/2 and A/2 |y - x|^2
L-smooth  it is at most L/2 |y - x|^2, and |grad f(x) - grad f(y)| <= L |y - x|
convex    it is at least mu/2 |y - x|^2 (mu = 0 at the least) and at most D/2 |y - x|^2
eps       a function with it is sqrt(|x - x*|^2 + eps^2), with the slope 1: f(x) - f* >= |x - x*| - eps
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, GradientDescent, Once
from boundcheck.language.letters import L
from boundcheck.language.letters import mu_f as MU
from boundcheck.language.ranges import last_step
from boundcheck.language.relations import Relation, links
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import (
    Add,
    Chord,
    Constant,
    Div,
    Gap,
    IndexNumber,
    Inner,
    Mul,
    Norm,
    Normsq,
    Number,
    Power,
    Reduce,
    Scalar,
    Sub,
    Term,
    Value,
    is_zero,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Point, Vector
from boundcheck.model.problem import Differentiable, Smooth
from boundcheck.power.prover.facts import Facts, at_any_index, relational_hypotheses
from boundcheck.power.prover.normal_form import Normaliser
from boundcheck.power.prover.polynomial import Poly

MANY = 5  # points, of which pairs are looked at
HALF, TWO, ZERO = Number(Fraction(1, 2)), Number(Fraction(2)), Number(Fraction(0))


def lemmas(read: Iterable[Relation], facts: Facts, letter: str) -> list[Relation]:
    """Return what holds of each two neighbouring points, of those that these relations read outside their sums."""
    nodes = [node for relation in read for node in relation.walk()]
    if Differentiable not in facts.kinds and not any(isinstance(n, Grad | Chord) for n in nodes):
        return []
    points: dict[object, Point | Minimum] = {}
    for n in nodes:
        if isinstance(n, Point | Minimum) and n.free <= {letter}:
            points.setdefault(n.key, n)
    chords = {(n.kind, n.start.key, n.end.key) for n in nodes if isinstance(n, Chord)}
    reads_mu = any(isinstance(n, Constant) and n.name == "mu" for n in nodes)
    found = list(_smooth_abs_lemmas(points.values(), nodes))
    for p, q in permutations(points.values(), 2) if len(points) <= MANY else ():
        kinds = {kind for kind, start, end in chords if (start, end) == (p.key, q.key)}
        if kinds or _are_neighbours(p, q):
            found += _pair_lemmas(p, q, kinds, facts, reads_mu)
    return found


def _smooth_abs_lemmas(points: Iterable[Point | Minimum], nodes: Iterable[Node]) -> Iterable[Relation]:
    """Yield sqrt(r^2 + eps^2) - eps >= r - eps, at each point, where eps is read."""
    constants = {n.name: n for n in nodes if isinstance(n, Constant)}
    if "eps" in constants:
        slope: Scalar = constants.get("slope", Number(Fraction(1)))
        for p in points:
            if not isinstance(p, Minimum):
                above = Sub(Norm(Minus(p, Minimum())), constants["eps"])
                yield Relation("<=", Mul(slope, above), Sub(Value(p), Value(Minimum())))


def _are_neighbours(p: Point | Minimum, q: Point | Minimum) -> bool:
    """Return whether they are a minimum and another point, two ends of a chord, or a point and the next."""
    if isinstance(p, Minimum) or isinstance(q, Minimum) or p.index is None or q.index is None:
        return True
    return p.index in (q.index, q.index.shift(1), q.index.shift(-1))


def _pair_lemmas(p: Vector, q: Vector, read: set[str], facts: Facts, reads_mu: bool) -> Iterable[Relation]:
    """Yield what holds of two points. `read` has the numbers of this chord that are read: they have values then."""
    step = Minus(q, p)
    line: Scalar = Add(Value(p), Inner(Grad(p), step))
    bend, turn = Minus(Grad(q), Grad(p)), Inner(Minus(Grad(q), Grad(p)), step)

    def parabola(curvature: Scalar) -> Scalar:
        return Add(line, Mul(Mul(HALF, curvature), Normsq(step)))

    if facts.convex:
        yield Relation("<=", line, Value(q))
        if reads_mu:
            yield Relation("<=", parabola(MU), Value(q))
            yield Relation("<=", Mul(MU, Normsq(step)), turn)
            yield Relation("<=", Mul(Power(MU, Fraction(2)), Normsq(step)), Normsq(bend))
        if "D" in read:
            yield Relation("<=", Value(q), parabola(Chord("D", p, q)))
    if "D" in read:
        yield Relation("==", Mul(TWO, Norm(bend)), Mul(Chord("D", p, q), Norm(step)))
    if Smooth in facts.kinds:
        yield Relation("<=", Value(q), parabola(L))
        yield Relation("<=", Normsq(bend), Mul(Power(L, Fraction(2)), Normsq(step)))
    if "H" in read:
        yield Relation("==" if facts.convex else "<=", Value(q), parabola(Chord("H", p, q)))
    if "A" in read:
        yield Relation("<=", Value(q), parabola(Chord("A", p, q)))
        yield Relation("<=", turn, Mul(Chord("A", p, q), Normsq(step)))
    if "mu" in read:
        yield Relation("<=", parabola(Chord("mu", p, q)), Value(q))
        yield Relation("<=", Mul(Chord("mu", p, q), Normsq(step)), turn)


def longer_chord_lemmas(goal: Relation, normal: Normaliser, unrolled: Callable[[Vector], Vector]) -> Iterable[Relation]:
    """Yield that A does not fall as a chord is made longer from its start: it is the largest of what it sees on the way."""
    chords = {n.key: n for n in goal.walk() if isinstance(n, Chord) and n.kind == "A"}
    for short, long in permutations(chords.values(), 2):
        ways = [normal.combination(Minus(unrolled(c.end), unrolled(c.start))) for c in (short, long)]
        if short.start.key == long.start.key and (ratio := _vector_ratio(*ways)) is not None and ratio >= 1:
            yield Relation("<=", short, long)


def _vector_ratio(a: Mapping[str, Poly], b: Mapping[str, Poly]) -> Fraction | None:
    """Return the number whose product with a is b, of two vectors; None where there is none."""
    if not a or a.keys() != b.keys():
        return None
    ratios = {b[name].monomial_ratio(a[name]) for name in a}
    (first, *more) = ratios
    return first[1] if first is not None and not more and not first[0] else None


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
