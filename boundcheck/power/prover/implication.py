"""An implication says why a mutant of a claim is true if the claim is, by the trees and never by runs. "" says nothing of it.

A mutant is implied where, for each choice of M, its hypotheses give all of the claim's, its run has every step that the claim
reads, and each relation that it states follows from one of the claim's, or is true by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Follows, GradientDescent, Hypothesis, Once, smoothness_needs
from boundcheck.language.chords import ChordQuantity, spelled_out
from boundcheck.language.ranges import last_step
from boundcheck.language.relations import Relation, links
from boundcheck.language.rewrite import put_index, transform
from boundcheck.language.scalars import Chord, Constant, Normsq, Reduce, is_zero
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Point
from boundcheck.model.problem import Convex, Differentiable, Smooth, StronglyConvex
from boundcheck.power.mutant import Mutant, same_hypothesis
from boundcheck.power.prover.derivation import Prover, are_zero
from boundcheck.power.prover.enclosure import enclosing_goals, is_defined_with
from boundcheck.power.prover.facts import (
    Facts,
    at_any_index,
    facts_of,
    nonzero_gradients,
    nonzero_lengths,
    positive_divisors,
    relational_hypotheses,
)
from boundcheck.power.prover.normal_form import Normaliser
from boundcheck.power.prover.sequences import add_sequence_facts, has_no_run_where_zero
from boundcheck.power.prover.single_step import (
    at_steps_read,
    divides_by,
    divisors,
    is_about_one_step,
    lemmas,
    longer_chord_lemmas,
    nonzero_where_defined,
    says_gradient_is_nonzero,
)

SAME = "it says the same"


def why_implied(original: Bound, mutant: Mutant) -> str:
    """Return one line that says why the mutant is true if the original is; "" where that is not shown."""
    made = mutant.bound
    reasons = []
    for kind in kinds_of_M(made):
        reason = why_implied_for_kind(original, made, kind)
        if not reason:
            return ""
        reasons.append(reason)
    return "; ".join(dict.fromkeys(reasons))


def kinds_of_M(bound: Bound) -> tuple[str, ...]:
    """Return what M may be; "" alone for a claim that has none."""
    return bound.smoothness if bound.reads_M else ("",)


def why_implied_for_kind(original: Bound, mutant: Bound, kind: str) -> str:
    """Return why the mutant is true if the original is, where M is `kind`; "" where that is not shown."""
    if mutant.is_about_chords != original.is_about_chords or mutant.runs != original.runs:
        return ""
    if not original.reads_M or kind:
        return ImplicationCase(original, mutant, kind, kind).why() if kind in original.smoothness or not original.reads_M else ""
    return next((why for chosen in original.smoothness if (why := ImplicationCase(original, mutant, kind, chosen).why())), "")


class ImplicationCase:
    """The two claims with M chosen in each."""

    def __init__(self, original: Bound, mutant: Bound, kind: str, chosen: str) -> None:
        self.original, self.mutant, self.kind, self.chosen = original, mutant, kind, chosen
        self.least = _points_at_the_minimum(mutant)
        self.goals = self._links(mutant, kind)
        self.facts = add_sequence_facts(self._add_nonzero_facts(facts_of(mutant, kind)), mutant)
        if any(chord.kind == kind for chord in _chords(original)):
            self.facts = replace(self.facts, unshared_kind="")
        roles = mutant.runs.roles
        self.method = roles[0][1] if len(roles) == 1 and not mutant.is_about_chords else None
        self.rules = [self._bind_M(h.relation) for h in mutant.hypotheses if isinstance(h, Follows)] if len(roles) == 1 else []
        self.prover = Prover(self.facts, self.method, self.rules)

    def _add_nonzero_facts(self, facts: Facts) -> Facts:
        """Add what is not 0 because every goal reads certain chords: their lengths, and gradients up to the last step."""
        letter, state = self.mutant.for_all.letter, self.mutant.runs.state
        found: list[set[str]] = []
        for goal in self.goals:
            nodes = list(goal.walk())
            chords = [] if any(isinstance(n, Reduce | Mean) for n in nodes) else [n for n in nodes if isinstance(n, Chord)]
            last = [n for n in chords if last_step(n, letter, state) == last_step(goal, letter, state)]
            of_run = [text for n in last for text in nonzero_gradients(n)] if self.mutant.runs == GradientDescent() else []
            found.append({*of_run, *(text for n in chords for text in nonzero_lengths(n))})
        return replace(facts, nonzero=facts.nonzero | set.intersection(*found))

    def _links(self, bound: Bound, kind: str) -> list[Relation]:
        return [self._put_minimum(spelled_out(bound.with_M(link, kind))) for link in links(bound.states)]

    def _put_minimum(self, relation: Relation) -> Relation:
        """Put x* in the place of the points that the mutant's hypotheses say are x*."""
        if not self.least:
            return relation
        return transform(relation, lambda n: Minimum() if isinstance(n, Point) and n.key in self.least else None)

    def _bind_M(self, relation: Relation) -> Relation:
        return spelled_out(self.mutant.with_M(relation, self.kind))

    def why(self) -> str:
        alone = why_true_alone(self.mutant, self.kind)
        if all(alone):
            return alone[0]
        given = self._hypotheses_hold()
        if not given or not self._has_its_M():
            return ""
        reasons = [given] if given != SAME else []
        for goal, reason in zip(self.goals, alone, strict=True):
            found = reason or self._prove_from_original(goal)
            if not found:
                return ""
            reasons.append(found)
        return next((r for r in reasons if r != SAME), SAME)

    def _has_its_M(self) -> bool:
        """Return whether the mutant takes M of every chord that the original does: a negative A, as an example, is no M there."""
        is_declared = isinstance(self.original.chord(self.chosen), ChordQuantity)
        if not is_declared and (self.chosen != "A" or self.facts.convex):
            return True
        taken, asked = ({at_any_index(n) for n in _chords(b) if n.kind == "M"} for b in (self.mutant, self.original))
        return asked <= taken

    def why_goals_hold(self) -> tuple[str, ...]:
        """Return why each goal is true whatever the original says, or "" for it."""
        return tuple(self.prover.prove_alone(goal) or self._prove_by_lemmas(goal) for goal in self.goals)

    def _prove_by_lemmas(self, goal: Relation) -> str:
        assumed = list(self._usable_hypotheses(goal))
        longer = longer_chord_lemmas(goal, Normaliser(self.facts), self.prover.unroll)
        read = (goal, *assumed, *links(self.mutant.states))  # where M is L, the points of its chords are read there only
        known = (*assumed, *longer, *lemmas(read, self.facts, self.mutant.for_all.letter))
        facts = replace(self.facts, nonzero=self.facts.nonzero | set(nonzero_where_defined(goal, known, self.prover.rules)))
        prover = Prover(facts, self.method, self.rules)
        harder = [goal, *enclosing_goals(goal, facts)]  # each of them says as much as the goal, or more
        why = next(filter(None, (prover.prove_from_sum(known, one) for one in harder)), "")
        return f"without the claim: {why}" if why else ""

    def _prove_from_original(self, goal: Relation) -> str:
        for known in (*self._original_relations(), *self._usable_hypotheses(goal)):
            if why := self.prover.prove_from(known, goal):
                return why
        assumed = list(self._usable_hypotheses(goal))
        own = [known for known in self._original_relations() if is_defined_with(known, (goal, *assumed), self.facts)]
        if goal.op == "==" and are_zero(goal, own, Normaliser(self.facts)):
            return "both sides are 0 by the claim"
        if signs := frozenset(text for known in own for text in positive_divisors(known, self.facts)):
            prover = Prover(replace(self.facts, positive=self.facts.positive | signs), self.method, self.rules)
            if why := next(filter(None, (prover.prove_from(known, goal) for known in own)), ""):
                return f"{why}, for the claim says of a divisor that it is positive"
        more = lemmas((goal, *own, *assumed), self.facts, self.mutant.for_all.letter)
        return self.prover.prove_from_sum((*own, *assumed, *more), goal) if own else ""

    def _usable_hypotheses(self, goal: Relation) -> Iterable[Relation]:
        """Yield the hypotheses about every step, at each step of which the goal reads as much; and those about letters."""
        letter, state = self.mutant.for_all.letter, self.mutant.runs.state
        reach = last_step(goal, letter, state)
        for h in self.mutant.hypotheses:
            if isinstance(h, Once) and h.relation.free <= {letter}:
                yield self._bind_M(h.relation)
            elif isinstance(h, AtEachStep) and len(h.relation.free) == 1 and reach is not None:
                (own,) = h.relation.free
                for ahead in (0, 1):
                    there = put_index(self._bind_M(h.relation), own, Index(letter, ahead))
                    step = last_step(there, letter, state)
                    if step is not None and step <= reach:
                        yield there

    def _original_relations(self) -> Iterable[Relation]:
        """Yield the original's relations at k and k + 1, as far as the mutant's run has the steps that the original speaks of."""
        letter, state = self.mutant.for_all.letter, self.mutant.runs.state
        if letter != self.original.for_all.letter or self.mutant.for_all.start < self.original.for_all.start:
            return
        own, others = (
            max((step for r in links(b.states) if (step := last_step(r, letter, state)) is not None), default=-1)
            for b in (self.mutant, self.original)
        )
        only_at_k = self.mutant.has_fixed_horizon or any(
            isinstance(h, Once) and h.relation.free for h in self.original.hypotheses
        )
        for ahead in (0,) if only_at_k else (0, 1):
            if others + ahead <= own:
                yield from (put_index(link, letter, Index(letter, ahead)) for link in self._links(self.original, self.chosen))

    # -- hypotheses ----------------------------------------------------------------------------------------------------

    def _hypotheses_hold(self) -> str:
        """Return why every hypothesis of the original is given or follows, or ""."""
        reasons = []
        needed = (
            [Declared(fact) for fact in smoothness_needs(self.original.chord(self.chosen))] if self.chosen != self.kind else []
        )
        for h in (*self.original.hypotheses, *needed):
            if not any(same_hypothesis(h, own) for own in self.mutant.hypotheses):
                why = self._prove_fact(h) if isinstance(h, Declared) else self._prove_hypothesis(h)
                if not why:
                    return ""
                reasons.append(why)
        return "; ".join(reasons) or SAME

    def _prove_fact(self, h: Declared) -> str:
        if h.kind in self.facts.kinds:
            return f"{h} by the other hypotheses"
        nodes = self._nodes()
        if h.kind is Differentiable and any(isinstance(n, Grad | Chord) for n in nodes):
            return "f is differentiable, for the claim reads its gradient"
        if h.kind is StronglyConvex and Convex in self.facts.kinds and self.method and has_no_run_where_zero("mu", self.method):
            return "f is strongly convex, for where mu is 0 the method divides by zero"
        if h.kind is Smooth and any(isinstance(n, Constant) and n.name == "L" for n in nodes):
            return "f is L-smooth, for the claim reads its L"
        return ""

    def _nodes(self) -> list[Node]:
        trees: list[Node] = [*self.goals, *(self._bind_M(h.relation) for h in relational_hypotheses(self.mutant))]
        if not self.mutant.is_about_chords:
            trees += [update.to for _, method in self.mutant.runs.roles for update in (*method.first, *method.each)]
        return [n for tree in trees for n in tree.walk()]

    def _prove_hypothesis(self, h: Hypothesis) -> str:
        if not isinstance(h, AtEachStep | Once):
            return ""
        if self.mutant.runs == GradientDescent() and says_gradient_is_nonzero(h):
            return f"{h}: a run ends where its gradient is zero"
        wanted = spelled_out(self.original.with_M(h.relation, self.chosen))
        if is_defined_with(wanted, (), self.facts) and self.prover.prove_alone(wanted):
            return f"{h}: always so"
        for own in relational_hypotheses(self.mutant):
            if isinstance(own, type(h)) and own.relation.free == h.relation.free:
                given = self._bind_M(own.relation)
                if is_defined_with(wanted, (given,), self.facts) and (why := self.prover.prove_from(given, wanted)):
                    return f"the hypothesis {h} follows: {why}"
                if _is_closure(given, wanted) and self._divides_by(wanted):
                    return f"where {h} fails by equality, the claim divides by zero"
        if (
            isinstance(h, AtEachStep)
            and is_about_one_step(self.original)
            and is_about_one_step(self.mutant)
            and self._has_no_value_without(wanted)
        ):
            return f"where {h} fails, the claim divides by zero, and earlier steps have no part in it"
        return ""

    def _has_no_value_without(self, strict: Relation) -> bool:
        """Return, of X > 0, whether X is never negative, and divided by, at every step that a goal reads."""
        letter, state, normal = self.mutant.for_all.letter, self.mutant.runs.state, Normaliser(self.facts)
        if strict.upward().op != "<" or not is_zero(strict.upward().left) or len(strict.free) != 1:
            return False
        for goal in self.goals:
            for there in (r.upward() for r in at_steps_read(strict, goal, letter, state)):
                weak = Relation("<=", there.left, there.right)
                shown = self.facts.is_nonnegative(there.right) or self.prover.prove_alone(weak) or self._prove_by_lemmas(weak)
                if not shown or not divides_by((goal,), there.right, normal):
                    return False
        return True

    def _divides_by(self, strict: Relation) -> bool:
        """Return whether every relation of the mutant divides by the difference of these sides."""
        normal = Normaliser(self.facts)
        slack = normal(strict.right) - normal(strict.left)
        return not strict.free and all(
            any((r := normal(p).monomial_ratio(slack)) is not None and not r[0] for p in divisors(goal)) for goal in self.goals
        )


@lru_cache(maxsize=64)
def why_true_alone(mutant: Bound, kind: str) -> tuple[str, ...]:
    """Return why each relation of a claim is true of every run where M is `kind`, or ""."""
    return ImplicationCase(mutant, mutant, kind, kind).why_goals_hold()


def _chords(bound: Bound) -> list[Chord]:
    return [n for tree in bound.trees for n in tree.walk() if isinstance(n, Chord)]


def _points_at_the_minimum(bound: Bound) -> frozenset[object]:
    """Return the points of a chord of which a hypothesis says |p - x*|^2 == 0."""
    found = set()
    for h in bound.hypotheses if bound.is_about_chords else ():
        if isinstance(h, Once) and h.relation.op == "==" and is_zero(h.relation.right) and isinstance(h.relation.left, Normsq):
            step = h.relation.left.of
            if isinstance(step, Minus) and isinstance(step.left, Point) and isinstance(step.right, Minimum):
                found.add(step.left.key)
    return frozenset(found)


def _is_closure(weak: Relation, strict: Relation) -> bool:
    """Return whether the weak relation is a <= b where the strict one is a < b."""
    sides = [(r.left.key, r.right.key) for r in (weak, strict)]
    return strict.op in ("<", ">") and weak.op == f"{strict.op}=" and sides[0] == sides[1]
