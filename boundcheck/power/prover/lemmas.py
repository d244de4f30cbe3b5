"""What is true of any two points, in one line each: what the chords and the constants that a claim reads are there for.

always    |f(y) - f(x) - <grad f(x), y - x>| = H/2 |y - x|^2, and without the bars it is between mu(x,y)/2 and A/2 |y - x|^2
L-smooth  it is at most L/2 |y - x|^2, and |grad f(x) - grad f(y)| <= L |y - x|
convex    it is at least mu/2 |y - x|^2 (mu = 0 at the least) and at most D/2 |y - x|^2
eps       whoever has it is sqrt(|x - x*|^2 + eps^2), with the slope 1: f(x) - f* >= |x - x*| - eps
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
from boundcheck.power.prover.normal_form import Normal
from boundcheck.power.prover.polynomial import Poly

MANY = 5  # points, of which pairs are looked at
HALF, TWO, ZERO = Number(Fraction(1, 2)), Number(Fraction(2)), Number(Fraction(0))


def lemmas(read: Iterable[Relation], facts: Facts, letter: str) -> list[Relation]:
    """Of the points that these relations read outside their sums, what holds of each two that have to do with each other."""
    nodes = [node for relation in read for node in relation.walk()]
    if Differentiable not in facts.kinds and not any(isinstance(n, Grad | Chord) for n in nodes):
        return []
    points: dict[object, Point | Minimum] = {}
    for n in nodes:
        if isinstance(n, Point | Minimum) and n.free <= {letter}:
            points.setdefault(n.key, n)
    chords = {(n.kind, n.start.key, n.end.key) for n in nodes if isinstance(n, Chord)}
    reads_mu = any(isinstance(n, Constant) and n.name == "mu" for n in nodes)
    found = list(_of_smooth_abs(points.values(), nodes))
    for p, q in permutations(points.values(), 2) if len(points) <= MANY else ():
        kinds = {kind for kind, start, end in chords if (start, end) == (p.key, q.key)}
        if kinds or _are_neighbours(p, q):
            found += _of(p, q, kinds, facts, reads_mu)
    return found


def _of_smooth_abs(points: Iterable[Point | Minimum], nodes: Iterable[Node]) -> Iterable[Relation]:
    """sqrt(r^2 + eps^2) - eps >= r - eps, at each point, where eps is read."""
    constants = {n.name: n for n in nodes if isinstance(n, Constant)}
    if "eps" in constants:
        slope: Scalar = constants.get("slope", Number(Fraction(1)))
        for p in points:
            if not isinstance(p, Minimum):
                above = Sub(Norm(Minus(p, Minimum())), constants["eps"])
                yield Relation("<=", Mul(slope, above), Sub(Value(p), Value(Minimum())))


def _are_neighbours(p: Point | Minimum, q: Point | Minimum) -> bool:
    """A minimum and another point, two ends of a chord, or a point and the next?"""
    if isinstance(p, Minimum) or isinstance(q, Minimum) or p.index is None or q.index is None:
        return True
    return p.index in (q.index, q.index.shift(1), q.index.shift(-1))


def _of(p: Vector, q: Vector, read: set[str], facts: Facts, reads_mu: bool) -> Iterable[Relation]:
    """`read`: the numbers of this chord that are read, which have values then."""
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


def of_longer_chords(goal: Relation, normal: Normal, unrolled: Callable[[Vector], Vector]) -> Iterable[Relation]:
    """A never falls as a chord is made longer from its start: it is the largest of what it sees on the way."""
    chords = {n.key: n for n in goal.walk() if isinstance(n, Chord) and n.kind == "A"}
    for short, long in permutations(chords.values(), 2):
        ways = [normal.combination(Minus(unrolled(c.end), unrolled(c.start))) for c in (short, long)]
        if short.start.key == long.start.key and (ratio := _times(*ways)) is not None and ratio >= 1:
            yield Relation("<=", short, long)


def _times(a: Mapping[str, Poly], b: Mapping[str, Poly]) -> Fraction | None:
    """The number whose product with a is b, of two vectors; None: there is none."""
    if not a or a.keys() != b.keys():
        return None
    ratios = {b[name].over(a[name]) for name in a}
    (first, *more) = ratios
    return first[1] if first is not None and not more and not first[0] else None
