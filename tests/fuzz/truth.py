"""What a claim's outcome at each k may be on a run, by the plain definition; and the judgement of an outcome that was given.

A statement at k rests on steps: those that made the entries which it reads. HOLDS and VIOLATED need a statement that is defined,
and every hypothesis true at each step i whose own entries lie within those steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from boundcheck.language.relations import Chain, Relation
from boundcheck.language.scalars import Chord, IndexNumber, Reduce, Term
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean, Point

from .enclosures import Between, Undefined, Unknown, holds, inexact
from .functions import Vector
from .meaning import Meaning, is_hollow, reads
from .runs import Run, forgets

TRUE, FALSE, UNDEFINED, UNKNOWN = "true", "false", "undefined", "unknown"
EACH, FOLLOWS, ONCE = "each", "follows", "once"


@dataclass(frozen=True)
class Claim:
    """A claim as the fuzzer draws it. `given` has pairs: each, follows or once, and a relation. `facts` are names of facts."""

    states: Relation | Chain
    given: tuple[tuple[str, Relation], ...] = ()
    facts: tuple[str, ...] = ()
    letter: str = "k"
    start: int = 0
    parameters: tuple[tuple[str, tuple[Fraction, ...]], ...] = ()
    smoothness: tuple[str, ...] = ()
    about_chords: bool = False

    @property
    def relations(self) -> tuple[Relation, ...]:
        return self.states.links if isinstance(self.states, Chain) else (self.states,)

    @property
    def trees(self) -> list[Node]:
        return [*self.relations, *(r for _, r in self.given)]


@dataclass
class Asked:
    """A hypothesis at one step, or once: its truth, and the last step that its moving entries rest on (None: it has none)."""

    status: str
    top: int | None
    readable: bool  # does the run have every entry that moves with the step?
    exact: bool = True


@dataclass
class Truth:
    """A claim with its letters chosen, on one run or on one chord."""

    claim: Claim
    run: Run
    methods: Mapping[str, Any]
    letters: Mapping[str, Fraction]
    smoothness: str = ""
    chord: Mapping[str, Vector] | None = None
    _at: dict[int, tuple[str, bool]] = field(default_factory=dict)

    @cached_property
    def meaning(self) -> Meaning:
        made = Meaning(self.run.function, self.run.entries, self.letters, self.smoothness, self.chord)
        made.values, made.grads = self.run.values, self.run.grads  # of the entries, for all claims
        return made

    # -- the statement ----------------------------------------------------------------------------------------------------

    def at(self, k: int) -> str:
        return self._looked(k)[0]

    def link(self, k: int, number: int) -> str:
        """One relation of a chain at k."""
        return self._look((self.claim.relations[number],), {self.claim.letter: k})[0]

    def exact(self, k: int) -> bool:
        """Did only fractions appear in it?"""
        return self._looked(k)[1]

    def _looked(self, k: int) -> tuple[str, bool]:
        if k not in self._at:
            self._at[k] = self._look(self.claim.relations, {self.claim.letter: k})
        return self._at[k]

    def _look(self, relations: tuple[Relation, ...], at: Mapping[str, int]) -> tuple[str, bool]:
        """One link that is false makes a chain false; else one that is undefined makes it undefined."""
        before, found = inexact[0], set()
        for relation in relations:
            try:
                left, right = self.meaning.value(relation.left, at), self.meaning.value(relation.right, at)
                if relation.op == "->":
                    raise Unknown("a limit")
                found.add(TRUE if holds(relation.op, left, right) else FALSE)
            except Undefined:
                found.add(UNDEFINED)
            except Unknown:
                found.add(UNKNOWN)
        worst = next(s for s in (FALSE, UNDEFINED, UNKNOWN, TRUE) if s in found)
        return worst, inexact[0] == before

    def sides(self, k: int) -> list[tuple[Any, Any]]:
        """Both sides of each relation; for people."""
        shown = []
        for relation in self.claim.relations:
            pair = []
            for side in (relation.left, relation.right):
                try:
                    value = self.meaning.value(side, {self.claim.letter: k})
                    pair.append(float(value.low) if isinstance(value, Between) else value)
                except (Undefined, Unknown) as why:
                    pair.append(str(why))
            shown.append(tuple(pair))
        return shown

    def margin(self, k: int) -> float:
        """How far apart the sides are, relative to them, in the relation that is nearest to a tie; 0 where they are equal."""
        least = 1.0
        for relation in self.claim.relations:
            left, right = (self.meaning.value(side, {self.claim.letter: k}) for side in (relation.left, relation.right))
            a, b = (v.low if isinstance(v, Between) else v for v in (left, right))
            size = abs(a) + abs(b)
            least = min(least, float(abs(a - b) / size) if size else 0.0)
        return least

    def _entries(self, k: int) -> list[Any]:
        letter = self.claim.letter
        return [e for r in self.claim.relations for e, _ in reads(r, {letter: k}, frozenset({letter}), self.smoothness)]

    def top(self, k: int) -> int:
        """The last step that the statement at k rests on; -1 for none."""
        return max([-1, *(self.run.rests_on(e) for e in self._entries(k))])

    def is_within(self, k: int, run: Run | None = None) -> bool:
        """Is every entry that is written in the statement, where-sets left aside, one of the run (or of another)?"""
        return all((run or self.run).has(e) for e in self._entries(k))

    # -- the hypotheses -----------------------------------------------------------------------------------------------------

    @cached_property
    def hypotheses(self) -> list[list[Asked]]:
        """Each hypothesis about steps, at i = 0, 1, ... to beyond the end of the run."""
        found = []
        for kind, relation in self.claim.given:
            if kind != ONCE and relation.free:
                found.append([self._asked(relation, i) for i in range(self.run.steps + 4)])
        return found

    def _asked(self, relation: Relation, i: int) -> Asked:
        (letter,) = relation.free
        at = {letter: i}
        moving = [e for e, moves in reads(relation, at, frozenset({letter}), self.smoothness) if moves]
        readable = all(self.run.has(e) for e in moving)
        reached = reads(relation, at, frozenset({letter}), self.smoothness, empty=True)
        top = max((self.run.rests_on(e) for e, moves in reached if moves), default=None)
        status, exact = self._look((relation,), at) if readable else (UNDEFINED, True)
        return Asked(status, top, readable, exact)

    def once(self, k: int) -> list[str]:
        return [status for status, _ in self._once(k)]

    def _once(self, k: int) -> list[tuple[str, bool]]:
        at = {self.claim.letter: k}
        return [self._look((r,), at) for kind, r in self.claim.given if kind == ONCE or not r.free]

    def of_whole_run(self, k: int) -> list[str]:
        """Every hypothesis that a counterexample at k must satisfy: at the steps of its run alone."""
        steps = [
            h for each in self.hypotheses for i, h in enumerate(each) if h.readable and (h.top is not None or i < self.run.steps)
        ]
        return [h.status for h in steps] + self.once(k)

    @cached_property
    def is_one_step(self) -> bool:
        """One step from any point: what other steps did is nothing to it."""
        c = self.claim
        if c.about_chords or c.letter == "K" or c.start > 0 or not all(forgets(m) for m in self.methods.values()):
            return False
        for kind, relation in c.given:
            own = next(iter(relation.free), "i")
            if kind == ONCE or not relation.free:
                if any(isinstance(n, Point | Term) and n.index is not None for n in relation.walk()):
                    return False
            elif not self._reads_one_step(relation, own):
                return False
        return all(self._reads_one_step(r, c.letter) for r in c.relations)

    def _reads_one_step(self, relation: Relation, letter: str) -> bool:
        """Does it read x_k, x_{k+1} and eta_k only? With M = L, M(x_0, x*) is a number, and reads no point."""
        left: list[Node] = [relation]
        while left:
            n = left.pop()
            if isinstance(n, Chord) and n.kind == "M" and self.smoothness == "L":
                continue
            if isinstance(n, Reduce | Mean | IndexNumber):
                return False
            for index in n.indices:
                if index.letter != letter or not 0 <= index.offset <= (1 if isinstance(n, Point) else 0):
                    return False
            left.extend(n.children)
        return True

    def demanded(self, k: int) -> list[Asked]:
        """What the statement at k needs of the hypotheses about steps."""
        top = self.top(k)
        found = []
        for each in self.hypotheses:
            some = [k] if self.is_one_step else range(len(each))
            for i in some:
                h = each[i] if i < len(each) else None
                if h is not None and h.readable and (h.top <= top if h.top is not None else i <= top):
                    found.append(h)
            if top >= 0 and not any(h.readable for h in each):  # it can be asked nowhere
                found.append(Asked(UNDEFINED, None, False))
        return found

    # -- judgement ------------------------------------------------------------------------------------------------------------

    def judge(self, outcome: str, k: int, *, exact: bool) -> str:
        """What is wrong with an outcome at k, or "". `exact`: it was computed in rationals, which must decide."""
        if not self.claim.about_chords and k < self.claim.start:
            return f"an outcome at k = {k}, below the first"
        status = self.at(k)
        needed = [h.status for h in self.demanded(k)] + self.once(k)
        if outcome in ("HOLDS", "VIOLATED"):
            if any(r.op == "->" for r in self.claim.relations):
                return f"{outcome} of a limit"
            if status == UNDEFINED:
                return f"{outcome} of a statement that is undefined"
            if status in (TRUE, FALSE) and (status == TRUE) != (outcome == "HOLDS"):
                return f"{outcome} of a statement that is {status}"
            if FALSE in needed:
                return f"{outcome} where a hypothesis is false"
            if UNDEFINED in needed:
                return f"{outcome} where a hypothesis is undefined or cannot be read"
            return ""
        every = [h.status for each in self.hypotheses for h in each if h.readable] + self.once(k)
        if outcome == "VACUOUS":
            return "" if FALSE in every or UNKNOWN in every else "VACUOUS though no hypothesis is false"
        asked = all(all(h.readable for h in each[: k + 1]) and all(h.exact for h in each) for each in self.hypotheses)
        decidable = exact and status in (TRUE, FALSE) and self.exact(k) and asked and set(every) <= {TRUE}
        decidable = (
            decidable
            and all(exact for _, exact in self._once(k))
            and self.is_within(k)
            and bool(self._entries(k))
            and k <= self.run.steps
        )
        if decidable and not self._is_hollow(k):  # the body of an empty sum may be undefined, and is computed with the others
            return f"UNDECIDED in rationals of a statement that is {status}"
        return ""

    def _is_hollow(self, k: int) -> bool:
        """Whether the statement at k, or a hypothesis at a step up to k, has a sum over nothing."""
        given = [(relation, {letter: n}) for _, relation in self.claim.given for letter in relation.free for n in range(k + 1)]
        return any(is_hollow(r, at) for r, at in [*((r, {self.claim.letter: k}) for r in self.claim.relations), *given])
