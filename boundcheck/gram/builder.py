"""A claim at fixed k, steps and numbers M_i as a semidefinite program over Gram matrices (performance estimation)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, TypeVar

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Follows, Once, Runs, is_search
from boundcheck.gram.affine import ZERO, Affine, Combination, NotModelled, Number, affine
from boundcheck.gram.algebra import NEGATIVE, ONE, Excluded, GramAlgebra, Undefined
from boundcheck.gram.classes import inequalities
from boundcheck.gram.demands import demanded
from boundcheck.gram.formulas import COMPARE, ORIGIN, UNKNOWN, At, GramFormulas, Missing
from boundcheck.gram.program import Objective, Program, Setting
from boundcheck.language.canonical import HORIZON
from boundcheck.language.interpreter import index_at
from boundcheck.language.relations import Relation, links
from boundcheck.language.scalars import Constant, Div, Gap, Mul, Scalar, Term
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Minimum, Vector
from boundcheck.library.function_classes import class_of
from boundcheck.model.function_classes import ANY_FUNCTION, FunctionClass, function_class
from boundcheck.model.problem import Convex, Differentiable, Fact, Smooth, StronglyConvex
from boundcheck.model.schedule import STEP_LETTER

MOST_CHOICES = 16
CURVATURE_FACTS = frozenset((Convex, Differentiable, Smooth, StronglyConvex))  # the search may add to these, for its certificates
SIGN = {"<": ONE, "<=": ONE, "==": ZERO, ">": NEGATIVE, ">=": NEGATIVE}  # of left - right, where the relation is false
SAME = 1e-9  # numbers that are nearer than this are one, rounded
LATER_STEPS = 3  # how many lengths of a run are tried, from k steps on


def program(bound: Bound, at: Setting) -> Program:
    """Return the program of left - right. NotModelled: the claim does not fit. Excluded: these numbers break a hypothesis."""
    if not bound.is_shift_invariant:
        raise NotModelled("the claim moves when f becomes f + C")
    relation = links(bound.states)[at.link]
    if relation.op == "->":
        raise NotModelled("the claim is a limit")
    reading, (left_less_right,) = read(Reading, bound, at, lambda made, k: (made.difference(relation, k),))
    signs = (ONE, NEGATIVE) if relation.op == "==" else (SIGN[relation.op],)
    objectives = tuple(o for sign in signs for o in reading.alternatives(left_less_right.scaled(sign)))
    return reading.program(objectives, is_strict=relation.op in ("<", ">"))


R = TypeVar("R", bound="Reading")


def read(
    kind: type[R], bound: Bound, at: Setting, sides: Callable[[R, dict[str, int]], tuple[Any, ...]], fewest: int = 0
) -> tuple[R, tuple[Any, ...]]:
    """Return what was read of the claim, and `sides` of it, for the shortest run that has all that is read.

    `fewest` is the least number of steps of the run, where that is more than k.
    """
    first = 0 if bound.is_about_chords else max(at.k, fewest)
    for steps in range(first, first + LATER_STEPS):
        reading = _begun(kind, bound, at)
        try:
            letters = reading.run_and_hypotheses(at, steps)
            return reading, sides(reading, letters)
        except Missing:
            continue
        except KeyError as lacking:
            raise NotModelled(f"{lacking.args[0]} is not known here") from None
        except ZeroDivisionError:
            raise Undefined("a division by 0") from None
    raise NotModelled("the claim reads more of the run than two steps after k")


@dataclass(frozen=True)
class _Facts:
    """What a claim reads and is given, as far as its class of functions depends on it."""

    kinds: frozenset[type[Fact]]
    reads_least: bool
    reads_L: bool
    reads_mu: bool


@lru_cache(maxsize=64)
def _facts(bound: Bound) -> _Facts:
    trees: list[Node] = [*bound.trees]
    for hypothesis in bound.hypotheses:
        if isinstance(hypothesis, Runs):
            trees += [u.formula for _, method in hypothesis.roles for u in (*method.first, *method.each)]
    nodes = [node for tree in trees for node in tree.walk()]
    names = {node.name for node in nodes if isinstance(node, Constant)}
    return _Facts(
        kinds=frozenset(h.kind for h in bound.hypotheses if isinstance(h, Declared)),
        reads_least=any(isinstance(node, Minimum | Gap) for node in nodes),
        reads_L="L" in names,
        reads_mu="mu" in names,
    )


def _begun(kind: type[R], bound: Bound, at: Setting) -> R:
    """Return a reading of the class of functions that the claim is about, with nothing of the claim read yet."""
    facts = _facts(bound)
    has_own_class = not facts.kinds <= CURVATURE_FACTS
    own = _of_facts(facts.kinds) if has_own_class else ANY_FUNCTION
    has_mu = StronglyConvex in facts.kinds or facts.reads_mu or "mu" in own.reads
    is_given = bool(facts.kinds & {Convex, StronglyConvex}) or at.smoothness == "D"
    is_given = is_given or (has_mu and not has_own_class)  # who has a mu is convex, unless a class says otherwise
    is_convex = is_given or (at.only_convex and not has_own_class)
    knows_L = Smooth in facts.kinds or facts.reads_L or "L" in own.reads
    has_L = knows_L or at.smoothness == "L"
    L = at.L if has_L else None if has_own_class else at.bent
    mu = at.mu if has_mu else ZERO if is_convex or L is None else -L
    if (L is not None and mu >= L and not has_own_class) or (StronglyConvex in facts.kinds and mu == 0):
        raise Excluded("mu is not less than L, or 0")
    if not has_own_class:
        own = _of_the_framework(is_convex, L is not None, has_mu and mu > 0)
    if other := [h for h in bound.hypotheses if not isinstance(h, Declared | Runs | AtEachStep | Once)]:
        raise NotModelled(f"the hypothesis that {other[0]} is not known here")
    reading = kind(
        bound=bound,
        function_class=own,
        L=L,
        mu=mu,
        is_whole_class=is_given or not is_convex,
        knows_L=knows_L,
        M=at.smoothness,
        constants={**dict(at.constants), "L": L if has_L else None, "mu": mu if has_mu else None},
        parameters=dict(at.parameters),
        chords=at.chords,
        reads_least=facts.reads_least or own.reads_minimum,
        is_convex=is_convex,
        with_A=at.with_A,
    )
    if reading.reads_least:
        reading.oracle({ORIGIN: ONE})
    return reading


def _of_facts(kinds: frozenset[type[Fact]]) -> FunctionClass:
    """Return the class of functions with these facts."""
    found, left = class_of(kinds)
    if left or found is None:
        raise NotModelled(f"{left[0].__name__} is not a class that finite data can be interpolated in")
    if found.has_more_than_pairs:
        raise NotModelled(f"the class '{found}' is known by more than inequalities of two points")
    return found


@lru_cache
def _of_the_framework(is_convex: bool, is_smooth: bool, is_strong: bool) -> FunctionClass:
    facts: dict[type[Fact], bool] = {Convex: is_convex, Smooth: is_smooth, StronglyConvex: is_strong}
    found, _ = function_class(frozenset(kind for kind, holds in facts.items() if holds))
    assert found is not None
    return found


@dataclass(kw_only=True)
class Reading(GramFormulas):
    """A claim, and what its run and its hypotheses demand."""

    bound: Bound
    function_class: FunctionClass
    L: Fraction | None
    mu: Fraction
    is_whole_class: bool
    knows_L: bool

    def __post_init__(self) -> None:
        super().__post_init__()
        self.below: list[Affine] = []
        self.equal: list[Affine] = []
        self.has_own_steps = False

    def run_and_hypotheses(self, at: Setting, steps: int) -> dict[str, int]:
        """Read the run and what is demanded of it, and return the letters of the claim with their values."""
        letters = {} if self.bound.is_about_chords else {self.bound.for_all.letter: at.k}
        if not self.bound.is_about_chords:
            self.run(at, steps, letters)
        for hypothesis in self.bound.hypotheses:
            if isinstance(hypothesis, Once):
                self.demand_here(hypothesis.relation, [*letters.values(), 0][0], letters)
            elif isinstance(hypothesis, AtEachStep):
                self.demand_at(hypothesis.relation, letters, range(steps + 2))
        return letters

    def program(self, objectives: tuple[Objective, ...], *, is_strict: bool) -> Program:
        """Return the program with these objectives, for what has been read."""
        points, gradients = tuple(map(_from_origin, self.points)), tuple(self.gradients)
        least = 0 if self.reads_least else None
        constants = {**self.constants, "L": self.L, "mu": self.mu}
        known = {name: c for name, c in constants.items() if c is not None}
        curvature, equations = inequalities(self.function_class, known, points, gradients, least)
        return Program(
            points=points,
            gradients=gradients,
            are_gradients=tuple(self.are_gradients),
            least=least,
            start=_from_origin(self.entries.get(("", "x"), {0: {}})[0]),
            names={name: _from_origin(point) for name, point in self.names.items()},
            roles=tuple(role for role, name in self.entries if name == "eta"),
            steps=tuple(eta.constant for eta in self.entries.get(("", "eta"), {}).values()),
            function_class=self.function_class,
            L=self.L,
            mu=self.mu,
            curvature=curvature,
            below=tuple(map(at_origin, self.below)),
            equal=(*map(at_origin, self.equal), *equations),
            pairs=tuple(self.pairs.values()),
            is_convex=self.is_convex,
            objectives=tuple((at_origin(o), tuple(map(at_origin, own))) for o, own in objectives),
            is_movable=self._is_movable(objectives),
            is_strict=is_strict,
            is_whole_class=self.is_whole_class,
            knows_L=self.knows_L,
            knows_mu=self.constants["mu"] is not None,
            has_own_steps=self.has_own_steps,
        )

    def _is_movable(self, objectives: tuple[Objective, ...]) -> bool:
        """Does nothing change when all points are moved together? Else the program is about x* = 0 only."""
        read = [*self.below, *self.equal, *(a for o, own in objectives for a in (o, *own))]
        moved: list[Number] = [c for a in read for symbol, c in a.terms.items() if symbol[0] == "G" and ORIGIN in symbol]
        moved += [point.get(ORIGIN, ZERO) - ONE for point in self.points]
        return all(-SAME < c < SAME for c in moved)

    # -- the run -------------------------------------------------------------------------------------------------------

    def run(self, at: Setting, steps: int, letters: At) -> None:
        """Compute every entry of every run, by the methods' updates."""
        runs = self.bound.runs
        if is_search(runs.steps):
            raise NotModelled(f"{runs.steps} chooses its steps from the run")
        if runs.apart:
            raise NotModelled("the runs have starts of their own")
        rules = [h.relation for h in self.bound.hypotheses if isinstance(h, Follows)]
        start = self.anywhere()
        for self.role, method in runs.roles:
            if method.free:
                raise NotModelled(f"{method.free[0]} is free in {method.name}")
            self.entries[self.role, "x"], self.entries[self.role, "eta"] = {0: start}, {}
            for update in method.first_numbers:
                assert isinstance(update.to, Scalar)
                self.entries[self.role, update.name] = {0: self.scalar(update.to, {})}
            for n in range(steps):
                named = next(filter(None, (self.by_rule(rule, n, letters) for rule in rules)), None)
                self.has_own_steps = named is not None
                self.entries[self.role, "eta"][n] = named or Affine(at.steps[n % len(at.steps)])
                here = {STEP_LETTER: n}
                for update in method.updates_at(n):
                    if update.is_implicit:
                        raise NotModelled(f"the update {update} reads what it sets")
                    to = self.vector(update.to, here) if isinstance(update.to, Vector) else self.scalar(update.to, here)
                    self.entries.setdefault((self.role, update.name), {})[index_at(update.index, here)] = to
        self.role = ""

    def by_rule(self, rule: Relation, n: int, letters: At) -> Affine | None:
        """Return the step that the claim's own formula gives, where it is a number; None where it reads what is not yet known."""
        step = step_letter(rule)
        left = rule.left
        if not isinstance(left, Term) or left.name != "eta" or left.index.letter != step or left.index.offset or step is None:
            return None
        x, at = self.entries[self.role, "x"], {**letters, step: n}
        x[n + 1] = UNKNOWN
        try:
            if self.multiplied_out(rule, at) is not rule:
                return None
            found = affine(self.scalar(rule.right, at))
        except Missing:
            return None
        finally:
            del x[n + 1]
        if any(-1 in symbol for symbol in found.terms):
            return None
        if not found.is_number:
            raise NotModelled(f"the steps follow {rule}, a formula of the run, not fixed numbers")
        return self.exact_step(found, rule)

    def exact_step(self, found: Affine, rule: Relation) -> Affine:
        """Return a step that a formula gives as a number. NotModelled: it is no fraction."""
        if not isinstance(found.constant, Fraction):
            raise NotModelled(f"the steps follow {rule}, which is no fraction here")
        return found

    def multiplied_out(self, rule: Relation, at: At) -> Relation:
        """Return eta == a/b as eta b == a, where b is a quantity of the run: affine too, for a step that is a fixed number."""
        whole = rule.right
        if rule.op != "==" or not isinstance(whole, Div) or affine(self.scalar(whole.right, at)).is_number:
            return rule
        return Relation("==", Mul(rule.left, whole.right), whole.left)

    # -- hypotheses ----------------------------------------------------------------------------------------------------

    def demand_at(self, relation: Relation, letters: At, steps: Iterable[int]) -> None:
        """Demand a hypothesis at each of these steps that the run has."""
        for n in steps:
            pairs = dict(self.pairs)
            try:
                self.demand_here(relation, n, letters)
            except Missing:
                self.pairs = pairs

    def demand_here(self, relation: Relation, n: int, letters: At) -> None:
        """Demand a hypothesis at one place. Missing: it reads more than the run has."""
        step = step_letter(relation)
        at = {**letters, step: n} if step is not None else letters
        self.demand(self.difference(self.multiplied_out(relation, at), at), relation)

    def demand(self, difference: Affine, relation: Relation) -> None:
        """Demand that left - right is what the relation says: check a number, and keep the rest for the program."""
        op = relation.op
        if difference.is_number:
            if not self.is_rounded(difference.constant, op) and not COMPARE[op](difference.constant, 0):
                raise Excluded(f"the hypothesis {relation} is false with these steps or parameters")
        elif op != "==":
            below, equal = demanded(self.algebra, difference.scaled(SIGN[op]), relation)
            self.below += below
            self.equal += equal
        elif any(symbol[0] == "T" for symbol in difference.terms):
            raise NotModelled(f"the hypothesis {relation} has a minimum or a maximum of quantities of the run")
        else:
            self.equal.append(difference)

    def is_rounded(self, difference: Number, op: str) -> bool:
        """Tell whether two numbers that a hypothesis equates differ by rounding only."""
        return op == "==" and isinstance(difference, float) and abs(difference) < 1e-12

    def alternatives(self, objective: Affine) -> list[Objective]:
        """Return the objectives that a difference stands for."""
        return alternatives(self.algebra, objective)


def alternatives(algebra: GramAlgebra, objective: Affine) -> list[Objective]:
    """A minimum that is maximised is a variable below its pieces; of a maximum each piece is an objective of its own."""
    bounds: list[Affine] = []
    to_choose = []
    for symbol, c in objective.terms.items():
        if symbol[0] == "T":
            sign, pieces = algebra.pieces[symbol[1]]
            if any(s[0] == "T" for piece in pieces for s in piece.terms):
                raise NotModelled("a minimum or a maximum inside another")
            if (c > 0) == (sign < 0):
                variable = Affine(ZERO, {symbol: ONE})
                bounds += [variable.plus(piece, NEGATIVE).scaled(Fraction(-sign)) for piece in pieces]
            else:
                to_choose.append((symbol, pieces))
    choices = list(product(*(pieces for _, pieces in to_choose)))
    if len(choices) > MOST_CHOICES:
        raise NotModelled("too many maxima to choose from")
    made = []
    for choice in choices:
        chosen = objective
        for (symbol, _), piece in zip(to_choose, choice, strict=True):
            chosen = chosen.put(symbol, piece)
        made.append((chosen, tuple(bounds)))
    return made


def step_letter(relation: Relation) -> str | None:
    """Return the letter of the step at which a hypothesis is asked."""
    free = sorted(relation.free - {HORIZON}) or sorted(relation.free)
    return free[0] if len(free) == 1 else None


def _from_origin(point: Combination) -> Combination:
    return {i: c for i, c in point.items() if i != ORIGIN}


def at_origin(a: Affine) -> Affine:
    """Return the number where the origin, x* or the first point, is 0."""
    return Affine(a.constant, {s: c for s, c in a.terms.items() if s[0] != "G" or ORIGIN not in s})
