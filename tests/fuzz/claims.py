"""Random claims: every node of the language, fixed and moving indices, ranges, means, where-sets, hypotheses of each kind."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any

from boundcheck.language import letters as say
from boundcheck.language.letters import Max, Min, Prod, Sum, f, grad, i, inner, j, k, mean, norm, normsq, xstar
from boundcheck.language.relations import Chain, Relation
from boundcheck.language.scalars import (
    NONE,
    Abs,
    Chord,
    Constant,
    IndexNumber,
    Larger,
    Log,
    Neg,
    Number,
    Parameter,
    Power,
    Scalar,
    Smaller,
    Term,
    as_scalar,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Point, Vector

from .settings import Setting, rational
from .truth import EACH, FOLLOWS, ONCE, Claim

F = Fraction
OPS = ("<=", "<=", "<=", "<", ">=", ">=", ">", "==")
STARTS = (0, 0, 0, 0, 1, 1, 2, 5)
GAMMA = Parameter("gamma", NONE)
FACTS = ("Convex", "Differentiable", "Smooth", "StronglyConvex")


@dataclass
class Draw:
    """What formulas may read: sequences of the method, letters with the least value of each, and how wild indices are."""

    rng: Random
    points: list[tuple[str, str]]  # names and roles
    terms: list[tuple[str, str]]
    lows: dict[str, int]
    chord: bool = False
    wild: float = 0.03  # how often an index may be read before the first, or a mean be of nothing
    used: set[str] = field(default_factory=set)
    fixed: float = 0.12  # how often an index is fixed

    # -- indices ------------------------------------------------------------------------------------------------------------

    def index(self, least: int = 0) -> Index:
        """A moving index mostly; a fixed one else."""
        rng = self.rng
        if not self.lows or rng.random() < self.fixed:
            return Index(None, rng.choice((0, 0, 0, 1, 2, 3, 9 if rng.random() < 0.1 else 0)))
        letter = rng.choice(list(self.lows))
        offset = rng.choice((0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 5, -1, -1, -1, -1, -2, -2, -3))
        if rng.random() >= self.wild:
            offset = max(offset, least - self.lows[letter])
        return Index(letter, offset)

    def inside(self, letter: str, low: int) -> Draw:
        return replace(self, lows={**self.lows, letter: low})

    def alone(self, letter: str, low: int) -> Draw:
        """Nothing but the one letter: for what a run records one number for each index of."""
        return replace(self, lows={letter: low})

    def bounds(self, not_empty: bool) -> tuple[str, Index, Index, int]:
        """A letter and its range, and the least value that it takes."""
        rng = self.rng
        letter = next((c for c in ("i", "j", "m") if c not in self.lows), "i")
        if self.lows and rng.random() < 0.06:
            letter = rng.choice(list(self.lows))  # hides the one outside
        outer = list(self.lows)
        low = Index(None, rng.choice((0, 0, 0, 0, 1, 2, 5 if rng.random() < 0.2 else 0)))
        if outer and rng.random() < 0.25:
            name = rng.choice(outer)
            low = Index(name, max(rng.choice((-2, -1, 0, 1)), -self.lows[name]))
        high = Index(None, rng.choice((0, 1, 2, 3)))
        if outer and rng.random() < 0.85:
            name = low.letter if low.letter is not None and rng.random() < 0.7 else rng.choice(outer)
            high = Index(name, rng.choice((-2, -1, -1, 0, 0, 0, 0, 1)))
        value = self._least(low)
        if not_empty and rng.random() >= self.wild and self._least(high) < value:
            if high.letter is None or high.letter == low.letter:
                high = Index(high.letter, low.offset if high.letter == low.letter else value)
            else:
                high = Index(high.letter, value - self.lows[high.letter])
        return letter, low, high, value

    def _least(self, index: Index) -> int:
        return index.offset + (self.lows[index.letter] if index.letter is not None else 0)

    # -- points -------------------------------------------------------------------------------------------------------------

    def place(self) -> Vector:
        """A named point of the run, or an end of the chord."""
        if self.chord:
            return Point(self.rng.choice("xy"))
        name, role = self.rng.choice(self.points)
        return Point(name, self.index(), role)

    def narrow(self) -> Draw:
        """One letter or none, as a column has; sometimes as many as there are, beside fixed ones."""
        roll = self.rng.random()
        if roll < 0.12 or self.chord or not self.lows:
            return self
        if roll < 0.2:
            return replace(self, lows={})
        letter = self.rng.choice(list(self.lows))
        return replace(self, lows={letter: self.lows[letter]}, fixed=0.0)

    def vector(self, depth: int) -> Vector:
        rng, roll = self.rng, self.rng.random()
        if depth <= 0 or roll < 0.35:
            return rng.choices((self.place(), grad(self.place()), xstar), weights=(5, 3, 1))[0]
        if roll < 0.62:
            return self.vector(depth - 1) - self.vector(depth - 1)
        if roll < 0.72:
            return self.vector(depth - 1) + self.vector(depth - 1)
        if roll < 0.82:
            return self.factor() * self.vector(depth - 1)
        if roll < 0.95 and not self.chord:
            return self.mean(depth - 1)
        return grad(self.vector(depth - 1))

    def factor(self) -> Scalar:
        """What a vector may be multiplied by."""
        roll = self.rng.random()
        if roll < 0.5 or self.chord:
            return as_scalar(rational(self.rng))
        if roll < 0.85:
            return self.term()
        if roll < 0.93:
            return self.letter()
        return 1 / (self.index(0).number() + 1)

    def mean(self, depth: int) -> Vector:
        rng = self.rng
        letter, low, high, value = self.bounds(True)
        own = self.alone(letter, value)
        name, role = rng.choice(self.points)
        of: Vector = Point(name, own.index(), role)
        if rng.random() < 0.12:
            of = own.vector(depth)
        weights = (as_scalar(1), own.term(), own.leaf(1), Index(letter, rng.choice((1, 2))).number())
        weight = rng.choices(weights, weights=(5, 3, 1, 2))[0]
        return mean(of, weight=weight, over=(Index(letter), low, high))

    # -- numbers ------------------------------------------------------------------------------------------------------------

    def term(self) -> Scalar:
        if self.chord:
            return self.letter()
        name, role = self.rng.choice(self.terms)
        made = say.Numbers(name, NONE if name == "t" else say.STEP, role)[self.index()]
        return made

    def letter(self) -> Scalar:
        roll = self.rng.random()
        if roll < 0.5:
            return say.L
        if roll < 0.75:
            return say.mu_f
        self.used.add("gamma")
        return GAMMA

    def leaf(self, depth: int) -> Scalar:
        """Something that a run records: one number for each index."""
        rng, own = self.rng, self.narrow()
        roll = rng.random()
        if roll < 0.3:
            at = own.place() if rng.random() < 0.75 else own.vector(depth)
            return f(at)
        if roll < 0.42:
            return f(own.place()) - f(xstar)
        if roll < 0.6:
            return normsq(own.vector(depth))
        if roll < 0.66:
            return norm(own.vector(depth))
        if roll < 0.74:
            return inner(own.vector(depth), own.vector(depth))
        if roll < 0.9:
            return own.term()
        kinds = ("M", "M", "D", "H", "A", "mu")
        return Chord(rng.choice(kinds), own.place(), own.place() if rng.random() < 0.8 else xstar)

    def scalar(self, depth: int) -> Scalar:
        rng, roll = self.rng, self.rng.random()
        if depth <= 0 or roll < 0.3:
            return rng.choices(
                (self.leaf(1), as_scalar(rational(rng)), self.letter(), self._index_number()), weights=(10, 3, 1.5, 1.5)
            )[0]
        if roll < 0.62:
            a, b = self.scalar(depth - 1), self.scalar(depth - 1)
            return rng.choices((a + b, a - b, a * b, a / b), weights=(3, 3, 3, 2))[0]
        if roll < 0.66:
            exponents = (2, 2, 3, 0, -1, -2, F(1, 2), F(1, 2), F(-1, 2), F(1, 3), F(3, 2))
            return Power(self.scalar(depth - 1), F(rng.choice(exponents)))
        if roll < 0.7:
            one = self.scalar(depth - 1)
            return rng.choice((Abs(one), Neg(one), Log(one), Abs(one)))
        if roll < 0.76:
            a, b = self.scalar(depth - 1), self.scalar(depth - 1)
            return rng.choice((Larger, Smaller))(a, b)
        if roll < 0.78 and "k" in self.lows and not self.chord:
            return self.scalar(0) ** Index("k", rng.choice((0, 0, 1)))
        return self.reduced(depth - 1) if not self.chord else self.leaf(1)

    def _index_number(self) -> Scalar:
        if not self.lows or self.chord:
            return as_scalar(rational(self.rng))
        made = Index(self.rng.choice(list(self.lows)), self.rng.choice((0, 1, 1, 2, -3))).number()
        return made if self.rng.random() < 0.5 else 1 / made

    def reduced(self, depth: int) -> Scalar:
        rng = self.rng
        kind = rng.choices((Sum, Prod, Min, Max), weights=(6, 2, 2, 2))[0]
        letter, low, high, value = self.bounds(kind in (Min, Max))
        own = self.inside(letter, value) if rng.random() < 0.6 else self.alone(letter, value)
        body = own.scalar(depth) if rng.random() < 0.75 else own.leaf(1)
        if kind in (Sum, Prod) and rng.random() < 0.2:
            return kind(body, Index(letter), low, high, where=own.condition())
        return kind(body, Index(letter), low, high)

    def condition(self) -> Relation:
        a, b = self.scalar(0), self.scalar(1 if self.rng.random() < 0.3 else 0)
        return Relation(self.rng.choice(("<=", "<", ">=", ">", "==")), a, b)


def draw_claim(rng: Random, setting: Setting, kind: str = "") -> Claim:
    chord = kind == "chord"
    roles = setting.roles
    points = [(name, role) for role, m in roles.items() for name in _names(m, Point)]
    terms = [(name, role) for role, m in roles.items() for name in ("eta", *_names(m, Term))]
    horizon = not chord and rng.random() < 0.08
    start = 0 if chord else rng.choice([n for n in STARTS if n <= setting.steps or rng.random() < 0.02])
    own = Draw(rng, points, terms, {} if chord else {"K" if horizon else "k": start}, chord)
    states = _states(own)
    given: list[tuple[str, Relation]] = []
    if not chord:
        for _ in range(rng.choice((0, 0, 0, 1, 1, 1, 2))):
            given.append(_hypothesis(own, setting))
    facts = tuple(rng.sample(FACTS, rng.choice((0, 0, 1, 2))))
    trees: list[Node] = [states, *(r for _, r in given)]
    parameters: list[tuple[str, tuple[Fraction, ...]]] = []
    if any(isinstance(n, Parameter) for tree in trees for n in tree.walk()):
        parameters.append(("gamma", rng.choice(((F(1, 2),), (F(2),), (F(1, 3), F(1))))))
        given.insert(0, (ONCE, GAMMA > 0))
        if rng.random() < 0.4:
            given.append((ONCE, GAMMA <= rng.choice((1, 2))))
    for name, value in setting.parameters.items():
        parameters.append((name, (value,)))
        given.append((ONCE, Parameter(name) >= 0))
        given.append((ONCE, Parameter(name) <= 1))
    reads_M = any(isinstance(n, Chord) and n.kind == "M" for tree in trees for n in tree.walk())
    smoothness = tuple(rng.sample(("D", "A", "H", "L"), rng.choice((1, 1, 2)))) if reads_M else ()
    letter = "K" if horizon else "k"
    return Claim(states, tuple(given), facts, letter, start, tuple(parameters), smoothness, chord)


def _names(method: Any, kind: type) -> list[str]:
    known = {u.sets.name: type(u.sets) for u in (*method.first, *method.each)}
    return [name for name, own in known.items() if own is kind]


def _states(own: Draw) -> Relation | Chain:
    rng = own.rng
    left = own.scalar(rng.choice((0, 1, 1, 2, 2, 3)))
    roll = rng.random()
    if roll < 0.1:  # a tie, written in another way
        right = rng.choice((left, left + 0, 1 * left, (left + left) / 2, left + (as_scalar(1) - 1) * own.scalar(0)))
    elif roll < 0.2:  # a tie but for a little
        right = left + own.rng.choice((F(1, 10**6), F(-1, 10**6), F(1, 10**20), F(-1, 10**13)))
    else:
        right = own.scalar(rng.choice((0, 0, 1, 1, 2)))
    made = Relation(rng.choice(OPS), left, right)
    if not (_moves(made) or own.chord):
        return Relation(made.op, left + own.leaf(1), right)
    if rng.random() < 0.1:
        return Chain((made, Relation(rng.choice(OPS), right, own.scalar(1))))
    if rng.random() < 0.01:
        return Relation("->", left, right)
    return made


def _moves(relation: Relation) -> bool:
    return any(isinstance(n, Point | Term) for n in relation.walk())


def _hypothesis(claim: Draw, setting: Setting) -> tuple[str, Relation]:
    rng = claim.rng
    own = Draw(rng, claim.points, claim.terms, {"i": 0}, wild=0.1, used=claim.used)
    eta, x = say.eta, say.x
    c = rng.choice((F(1), F(1), F(2), F(1, 2)))
    if setting.over_L is not None and rng.random() < 0.25:
        return FOLLOWS, eta[i] == rng.choice((setting.over_L, setting.over_L, c)) / say.L
    at = max(rng.choice((0, 0, 1)), 0)
    simple = (
        (EACH, eta[i] <= c / say.L),
        (EACH, eta[i] <= c / say.L),
        (EACH, eta[i] > 0),
        (EACH, eta[i + 1] <= eta[i]),
        (EACH, f(x[i + 1]) <= f(x[i])),
        (EACH, Sum(eta[j], j, 0, i) <= 4 * c),
        (EACH, Sum(eta[j], j, at, i + 1) <= 6 * c),
        (EACH, Sum(eta[j - 1], j, 1 - at, i) <= 4 * c),
        (EACH, say.larger(eta[i], eta[rng.choice((0, 1, 9))]) <= c / say.L),
        (EACH, eta[i] * Chord("M", x[i], x[i + 1]) <= 2 * c),
        (EACH, IndexNumber(Index("i")) <= rng.choice((3, 20, 20))),
        (EACH, 1 / (i + 1) <= c),
        (EACH, f(mean(x[j], over=(j, 0, i))) <= f(x[0]) + c),
        (EACH, eta[i] >= eta[rng.choice((0, 2))]),
        (ONCE, eta[rng.choice((0, 1, 2, 9))] <= c / say.L),
        (ONCE, f(x[rng.choice((1, 2))]) <= f(x[0])),
        (ONCE, say.mu_f <= c * say.L),
        (EACH, normsq(grad(x[i])) >= rng.choice((F(0), F(1, 100)))),
    )
    if rng.random() < 0.75:
        return rng.choice(simple)
    made = Relation(rng.choice(OPS), own.scalar(rng.choice((0, 1))), own.scalar(rng.choice((0, 1))))
    return (EACH if made.free else ONCE), made


__all__ = ["Constant", "Draw", "Number", "draw_claim", "k"]
