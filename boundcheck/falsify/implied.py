"""Why a mutant of a claim is true if the claim is: shown from the trees, never from runs. "" says nothing of the mutant.

A mutant is implied where, for each choice of M, its hypotheses give all of the claim's, its run has every step that the claim
reads, and each relation that it states follows from one of the claim's, or is true by itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from boundcheck.bound import Bound
from boundcheck.falsify.defined import is_defined_with
from boundcheck.falsify.facts import facts_of
from boundcheck.falsify.follows import Prover
from boundcheck.falsify.mutants import Mutant, same_hypothesis
from boundcheck.falsify.normal import Normal
from boundcheck.hypotheses import AtEachStep, Declared, Hypothesis, Once
from boundcheck.language.relations import Relation, links
from boundcheck.language.rewrite import bind_smoothness, put_index
from boundcheck.language.scalars import Chord, Constant, Div, Mul, Power, Reduce, Scalar
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean
from boundcheck.lint.horizon import last_step
from boundcheck.problem import Differentiable, Smooth

SAME = "it says the same"


def implied_by(original: Bound, mutant: Mutant) -> str:
    """One line that says why the mutant is true if the original is; "" where that is not shown."""
    made = mutant.bound
    if made.is_about_chords != original.is_about_chords or made.runs != original.runs:
        return ""
    reasons = []
    for kind in made.smoothness if made.reads_M else ("",):
        reason = _Case(original, made, kind).why()
        if not reason:
            return ""
        reasons.append(reason)
    return "; ".join(dict.fromkeys(reasons))


class _Case:
    """The two claims with M chosen."""

    def __init__(self, original: Bound, mutant: Bound, kind: str) -> None:
        self.original, self.mutant, self.kind = original, mutant, kind
        self.facts = facts_of(mutant, kind)
        roles = mutant.runs.roles
        self.prover = Prover(self.facts, roles[0][1] if len(roles) == 1 and not mutant.is_about_chords else None)
        self.goals = self._links(mutant)

    def _links(self, bound: Bound) -> list[Relation]:
        return [self._bound(link) for link in links(bound.states)]

    def _bound(self, relation: Relation) -> Relation:
        return bind_smoothness(relation, self.kind) if self.kind else relation

    def why(self) -> str:
        alone = [self.prover.alone(goal) for goal in self.goals]
        if all(alone):
            return alone[0]
        given = self._hypotheses_hold()
        if not given:
            return ""
        reasons = [given] if given != SAME else []
        for goal, reason in zip(self.goals, alone, strict=True):
            found = reason or self._from_any(goal)
            if not found:
                return ""
            reasons.append(found)
        return next((r for r in reasons if r != SAME), SAME)

    def _from_any(self, goal: Relation) -> str:
        for known in (*self._known(), *self._assumed(goal)):
            if why := self.prover.from_known(known, goal):
                return why
        return ""

    def _assumed(self, goal: Relation) -> Iterable[Relation]:
        """Hypotheses about every step, at the step k that the goal reads."""
        letter, state = self.mutant.for_all.letter, self.mutant.runs.state
        reach = last_step(goal, letter, state)
        for h in self.mutant.hypotheses:
            if isinstance(h, AtEachStep) and len(h.relation.free) == 1 and reach is not None:
                (own,) = h.relation.free
                at_k = put_index(self._bound(h.relation), own, Index(letter))
                step = last_step(at_k, letter, state)
                if step is not None and step <= reach:
                    yield at_k

    def _known(self) -> Iterable[Relation]:
        """The original's relations at k and at k + 1, as far as the mutant's run has the steps that the original speaks of."""
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
                yield from (put_index(link, letter, Index(letter, ahead)) for link in self._links(self.original))

    # -- hypotheses ----------------------------------------------------------------------------------------------------

    def _hypotheses_hold(self) -> str:
        """Why every hypothesis of the original is given or follows, or ""."""
        reasons = []
        for h in self.original.hypotheses:
            if not any(same_hypothesis(h, own) for own in self.mutant.hypotheses):
                why = self._fact(h) if isinstance(h, Declared) else self._relation(h)
                if not why:
                    return ""
                reasons.append(why)
        return "; ".join(reasons) or SAME

    def _fact(self, h: Declared) -> str:
        if h.kind in self.facts.kinds:
            return f"{h} by the other hypotheses"
        nodes = self._nodes()
        if h.kind is Differentiable and any(isinstance(n, Grad | Chord) for n in nodes):
            return "f is differentiable, for the claim reads its gradient"
        if h.kind is Smooth and any(isinstance(n, Constant) and n.name == "L" for n in nodes):
            return "f is L-smooth, for the claim reads its L"
        return ""

    def _nodes(self) -> list[Node]:
        trees: list[Node] = [*self.goals, *(self._bound(h.relation) for h in _relations(self.mutant))]
        if not self.mutant.is_about_chords:
            trees += [update.to for _, method in self.mutant.runs.roles for update in (*method.first, *method.each)]
        return [n for tree in trees for n in tree.walk()]

    def _relation(self, h: Hypothesis) -> str:
        if not isinstance(h, AtEachStep | Once):
            return ""
        wanted = self._bound(h.relation)
        if is_defined_with(wanted, (), self.facts) and self.prover.alone(wanted):
            return f"{h}: always so"
        for own in _relations(self.mutant):
            if isinstance(own, type(h)) and own.relation.free == h.relation.free:
                given = self._bound(own.relation)
                if is_defined_with(wanted, (given,), self.facts) and (why := self.prover.from_known(given, wanted)):
                    return f"the hypothesis {h} follows: {why}"
                if _is_closure(given, wanted) and self._divides_by(wanted):
                    return f"where {h} fails by equality, the claim divides by zero"
        return ""

    def _divides_by(self, strict: Relation) -> bool:
        """Does every relation of the mutant divide by the difference of these sides?"""
        normal = Normal(self.facts)
        slack = normal(strict.right) - normal(strict.left)
        return not strict.free and all(
            any((r := normal(p).over(slack)) is not None and not r[0] for p in _divisors(goal)) for goal in self.goals
        )


def _relations(bound: Bound) -> list[AtEachStep | Once]:
    return [h for h in bound.hypotheses if isinstance(h, AtEachStep | Once)]


def _is_closure(weak: Relation, strict: Relation) -> bool:
    """a <= b for a < b?"""
    sides = [(r.left.key, r.right.key) for r in (weak, strict)]
    return strict.op in ("<", ">") and weak.op == f"{strict.op}=" and sides[0] == sides[1]


def _divisors(relation: Relation) -> Iterable[Scalar]:
    """What it divides by whatever k is: sums may be empty."""
    left: list[Node] = [relation]
    while left:
        node = left.pop()
        left += [] if isinstance(node, Reduce | Mean) else node.children
        if isinstance(node, Div):
            yield from _factors(node.right)


def _factors(node: Scalar) -> Iterable[Scalar]:
    if isinstance(node, Mul):
        yield from _factors(node.left)
        yield from _factors(node.right)
    elif isinstance(node, Power) and node.exponent > 0:
        yield from _factors(node.base)
    else:
        yield node
