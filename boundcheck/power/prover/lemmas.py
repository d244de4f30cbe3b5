"""Lemmas are true of any two points of a function, and are why a claim reads the chords and constants that it reads.

always    |f(y) - f(x) - <grad f(x), y - x>| = H/2 |y - x|^2, and without the bars it is between mu(x,y)/2 and A/2 |y - x|^2
L-smooth  it is at most L/2 |y - x|^2, and |grad f(x) - grad f(y)| <= L |y - x|
convex    it is at least mu/2 |y - x|^2 (mu = 0 at the least) and at most D/2 |y - x|^2
eps       a function with it is sqrt(|x - x*|^2 + eps^2), with the slope 1: f(x) - f* >= |x - x*| - eps
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import permutations

from boundcheck.language.letters import L
from boundcheck.language.letters import mu_f as MU
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Add, Chord, Constant, Inner, Mul, Norm, Normsq, Number, Power, Scalar, Sub, Value
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Minimum, Minus, Point, Vector
from boundcheck.model.problem import Differentiable, Smooth
from boundcheck.power.prover.facts import Facts
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
