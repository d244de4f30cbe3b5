"""A question: a bound with M and its parameters chosen, ready to be asked of a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Hypothesis, Once, Runs, SamePoint, smoothness_needs
from boundcheck.evaluate.algebra import is_never_negative
from boundcheck.evaluate.columns import Column, in_gaps, is_one_step, put_inside, reads
from boundcheck.language.canonical import HORIZON
from boundcheck.language.chords import spelled_out
from boundcheck.language.letters import H, f, grad, inner, normsq
from boundcheck.language.named import OBJECTIVE
from boundcheck.language.ranges import highest_fixed, last_step
from boundcheck.language.relations import Relation, links
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Chord, Constant, Gap, Number, Reduce, Scalar, Sub, Term
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean, Minimum, Point, Vector
from boundcheck.model.problem import Convex, FactAbout
from boundcheck.runs.trace import About
from boundcheck.support.pickling import PickledByFields

NEGATIVE, DECLARED, DECLARED_CONVEX = "may be negative", "declared", "declared, of a convex function"
DOUBTS: dict[str, Callable[[Chord], tuple[Relation, ...]]] = {  # what is asked of M on a chord
    NEGATIVE: lambda M: (M >= 0,),
    DECLARED: lambda M: (M >= 0, _curvature(M.start, M.end) <= M * normsq(M.end - M.start)),
    DECLARED_CONVEX: lambda M: (M >= H(M.start, M.end),),  # the same, where f is on or above its tangents
}
JENSEN = "decided through Jensen's inequality: the mean of f bounds f at the mean"


FORMS = 20_000  # forms that are kept: those of all claims of a library, and of a search's last candidates


@dataclass(frozen=True, eq=False)
class Form(PickledByFields):
    """A bound with M chosen, as its formulas are read: all that does not depend on the problem. Questions share it."""

    bound: Bound
    smoothness: str
    gaps: bool  # f is read as f - f*, where that is the same
    exact: bool  # exact arithmetic: the trajectory has no error, so one-step claims need no columns of their own
    by_jensen: bool  # f(mean) read as the mean of f, which is larger for convex f: a bound on it is a bound on f(mean)
    doubtful: str  # why M may be no directional smoothness function of f, which is then asked on each chord: see DOUBTS
    inside: tuple[
        tuple[str, Any], ...
    ] = ()  # parameters that stand in vectors, with their values: runs record what comes of them
    horizon: int | None = None  # the K that a schedule reads

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        bound = tuple(self._bind(link) for link in links(self.bound.states))
        if not self.by_jensen:
            return bound
        return tuple(relation if (stronger := jensen(relation)) is None else stronger for relation in bound)

    @cached_property
    def hypotheses(self) -> tuple[tuple[Hypothesis, Relation], ...]:
        """Those that are checked on the run."""
        given = tuple(
            (h, self._at_horizon(self._bind(h.relation))) for h in self.bound.hypotheses if isinstance(h, AtEachStep | Once)
        )
        given += tuple((h, h.relation) for h in map(as_relation, self.bound.hypotheses) if h is not None)
        return (*given, *((h, self.bound_rule(h.relation)) for h in (self._admissible() if self.doubtful else ())))

    def _at_horizon(self, relation: Relation) -> Relation:
        """A schedule with the number of steps in place of K."""
        if self.horizon is None or len(relation.free) < 2:
            return relation
        return put_index(relation, HORIZON, Index(None, self.horizon))

    def _admissible(self) -> Iterator[AtEachStep | Once]:
        """What a directional smoothness function satisfies, on each chord that the claim reads."""
        chords = {n.key: n for tree in self.bound.trees for n in tree.walk() if isinstance(n, Chord) and n.kind == "M"}
        for chord in chords.values():
            for relation in DOUBTS[self.doubtful](chord):
                relation = in_gaps(relation) if self.gaps else relation
                yield AtEachStep(relation) if relation.free else Once(relation)

    @cached_property
    def rules(self) -> tuple[Relation, ...]:
        """The formulas that the steps must follow, with M chosen."""
        return tuple(self.bound_rule(relation) for relation in self.bound.rules)

    def bound_rule(self, relation: Relation) -> Relation:
        """A formula for the steps with M chosen, as written."""
        return spelled_out(self.bound.with_M(relation, self.smoothness))

    def _bind(self, relation: Relation) -> Relation:
        bound = put_inside(self.bound_rule(relation), dict(self.inside))
        return in_gaps(bound) if self.gaps and self.bound.does_not_move(relation) else bound

    @cached_property
    def _trees(self) -> list[Node]:
        trees: list[Node] = [*self.relations, *(r for _, r in self.hypotheses)]
        if not self.bound.is_about_chords:
            trees += [update.formula for _, method in self.bound.runs.roles for update in (*method.first, *method.each)]
        return trees

    @cached_property
    def reads_minimum(self) -> bool:
        return any(isinstance(n, Minimum) for tree in self._trees for n in tree.walk())

    @cached_property
    def constants(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(n.name for tree in self._trees for n in tree.walk() if isinstance(n, Constant)))

    @cached_property
    def is_one_step(self) -> bool:
        """One step from any point: what other steps did is nothing to it."""
        if self.bound.is_about_chords or self.bound.has_fixed_horizon or self.bound.for_all.start > 0:
            return False  # a claim about x_1, x_2, ... is not one about every point that could be x_0
        if not all(method.forgets for _, method in self.bound.runs.roles):
            return False  # not every y, v or gamma could stand beside every x
        if any(
            isinstance(n, Point | Term) and n.index is not None
            for h, r in self.hypotheses
            if isinstance(h, Once)
            for n in r.walk()
        ):
            return False  # it assumes something of one place of the run
        steps = [is_one_step(r, next(iter(r.free), "i")) for h, r in self.hypotheses if isinstance(h, AtEachStep)]
        return all(is_one_step(r, self.bound.for_all.letter) for r in self.relations) and all(steps)

    @cached_property
    def moves(self) -> bool:
        """Does what it says depend on k? Else it is asked once: f(x_2) <= f(x_0)."""
        once = [relation for h, relation in self.hypotheses if isinstance(h, Once)]
        return any(relation.free for relation in (*self.relations, *once))

    @cached_property
    def last_moving_step(self) -> int:
        """The latest step on which the claim at k rests, as an offset from k: those before x_k at least."""
        letter, state = self.bound.for_all.letter, self.bound.runs.surely_state
        found = [last_step(relation, letter, state) for relation in self.relations]
        return max([-1, *(step for step in found if step is not None)])

    @cached_property
    def last_fixed_step(self) -> int:
        """The latest step that the claim reads by a fixed index: f(x_2) rests on the steps 0 and 1. -1 where there is none."""
        state = self.bound.runs.surely_state
        reads = [read for relation in self.relations for read in highest_fixed(relation).items()]
        return max([-1, *(index - (name in state) for (kind, name), index in reads if kind in (Term, Point))])

    @cached_property
    def is_local(self) -> bool:
        """Asked of each stored point and its exact image, so that earlier errors do not matter. Exact runs have none."""
        if self.bound.is_beyond_f:
            return False
        return self.is_one_step and not self.exact and all(method.is_one_map for _, method in self.bound.runs.roles)

    @cached_property
    def columns(self) -> frozenset[Column]:
        letter = self.bound.for_all.letter
        wanted = {c for r in self.relations for c, _ in reads(r, letter, self.is_local)}
        wanted |= {c for _, r in self.hypotheses for c, _ in reads(r, next(iter(r.free), letter), self.is_local)}
        return frozenset(wanted)

    @cached_property
    def reads(self) -> dict[tuple[Relation, str], list[tuple[Column, Index]]]:
        """The columns that each of its relations reads, each with the largest index: filled as they are asked for."""
        return {}


@lru_cache(maxsize=FORMS)
def form_of(
    bound: Bound,
    smoothness: str,
    gaps: bool,
    exact: bool,
    by_jensen: bool,
    doubtful: str,
    inside: tuple[tuple[str, Any], ...],
    horizon: int | None = None,
) -> Form:
    """Return the form that all questions about a claim which are put so share, worked out once."""
    return Form(bound, smoothness, gaps, exact, by_jensen, doubtful, inside, horizon)


@dataclass(frozen=True, eq=False)
class Question(PickledByFields):
    """`values` are for the parameters that the method does not fix itself (Polyak's gamma is the method's)."""

    bound: Bound
    smoothness: str
    values: tuple[tuple[str, Any], ...]
    about: About
    exact: bool
    by_jensen: bool = False
    horizon: int | None = None  # how many steps the run has, where the schedule depends on it

    @cached_property
    def form(self) -> Form:
        inside = tuple((name, value) for name, value in self.values if name in self.bound.inside_vectors)
        gaps = bool(self.about.minimiser) and not self.bound.is_beyond_f
        how = (self.smoothness, gaps, self.exact, self.by_jensen, self._doubt, inside, self.horizon)
        return form_of(self.bound, *how)

    @property
    def _doubt(self) -> str:
        """Why M may be no directional smoothness function of this function, or ""."""
        if not isinstance(self.bound.chord(self.smoothness), str):
            return DECLARED_CONVEX if self._is_convex else DECLARED
        return NEGATIVE if self.smoothness == "A" and not self._is_convex else ""

    @property
    def _is_convex(self) -> bool:
        return any(isinstance(fact, Convex) for fact in self.about.facts)

    @property
    def relations(self) -> tuple[Relation, ...]:
        return self.form.relations

    @property
    def hypotheses(self) -> tuple[tuple[Hypothesis, Relation], ...]:
        return self.form.hypotheses

    @property
    def is_local(self) -> bool:
        return self.form.is_local

    @property
    def is_one_step(self) -> bool:
        return self.form.is_one_step

    @property
    def is_equation(self) -> bool:
        """Does it state equations or limits only? In inexact arithmetic these can fail, but never hold."""
        return all(relation.op in ("==", "->") for relation in self.relations)

    @property
    def columns(self) -> frozenset[Column]:
        return self.form.columns

    def reads(self, relation: Relation, letter: str) -> list[tuple[Column, Index]]:
        """The columns that one of its relations reads, each with the largest index."""
        known = self.form.reads.get((relation, letter))
        if known is None:
            known = self.form.reads[relation, letter] = list(reads(relation, letter, self.is_local))
        return known

    @cached_property
    def out_of_place(self) -> str:
        """Why the claim says nothing about this function, or "" where it may."""
        if self.bound.is_beyond_f:
            return self._out_of_place_beyond_f
        kinds = {type(fact) for fact in self.about.facts}
        needed = [h.kind for h in self.bound.hypotheses if isinstance(h, Declared)]
        needed += smoothness_needs(self.bound.chord(self.smoothness))
        for kind in needed:
            if not any(issubclass(k, kind) for k in kinds):
                have = ", ".join(sorted(k.__name__ for k in kinds))
                return f"needs {kind.__name__}; {self.about.problem} declares {have or 'nothing'}"
        if not self.about.minimiser and self.form.reads_minimum:
            return f"needs a minimiser x*; {self.about.problem} gives none"
        for name in self.form.constants:
            if self.about.constants.get(name) is None:
                return f"needs the constant {name}; {self.about.problem} declares none"
        return ""

    @property
    def _out_of_place_beyond_f(self) -> str:
        """Why a claim about more than f says nothing about the parts of this problem, or ""."""
        if self.about.parts is None:
            return "is about more than f and its gradient; check it on a problem, by name, not on a run of gradient descent"
        for h in self.bound.hypotheses:
            if isinstance(h, Declared | FactAbout):
                name = h.name if isinstance(h, FactAbout) else OBJECTIVE
                if not any(isinstance(fact, h.kind) for fact in self.about.parts.get(name, ())):
                    return f"needs {name} to be {h.kind.__name__}; {self.about.problem} does not say so"
        for name in self.form.constants:
            if self.about.constants.get(name) is None:
                return f"needs the constant {name}; {self.about.problem} declares none"
        return ""

    def wrong_method(self, method: str) -> str:
        wanted = "chords" if self.bound.is_about_chords else None
        for h in self.bound.hypotheses:
            if isinstance(h, Runs):
                wanted = h.method
        if wanted is not None and method != wanted:
            return f"needs {wanted}; the run is {method}"
        return "" if wanted or method != "chords" else "needs a run; these are chords"

    def through_jensen(self) -> Question | None:
        """A question that needs no mean of points, and whose HOLDS is this one's too; None where there is none."""
        if not self._is_convex or all(jensen(r) is None for r in self.relations):
            return None
        return replace(self, by_jensen=True)


def as_relation(hypothesis: Hypothesis) -> AtEachStep | Once | None:
    """That two vectors are one, as a relation between numbers, which a run can be asked; None for other hypotheses."""
    if not isinstance(hypothesis, SamePoint):
        return None
    relation = normsq(hypothesis.equation.left - hypothesis.equation.right) <= 0
    return AtEachStep(relation) if relation.free else Once(relation)


def _curvature(start: Vector, end: Vector) -> Scalar:
    """Twice how far f at the end is above the tangent at the start."""
    return 2 * (f(end) - f(start) - inner(grad(start), end - start))


def jensen(relation: Relation) -> Relation | None:
    """f(mean) - f* <= R made stronger: mean of (f - f*) <= R. None where the relation is not of this form.

    Jensen's inequality is about weights that are not negative: a mean with others is left as it is.
    """
    left = relation.left
    if isinstance(left, Sub) and isinstance(left.right, Number) and left.right.value == 0:
        left = left.left
    if relation.op not in ("<=", "<") or not isinstance(left, Gap) or not isinstance(left.at, Mean):
        return None
    m = left.at
    first = {m.letter: m.low.offset} if m.low.letter is None else {}
    if not is_never_negative(m.weight, descent=True, lowest=first):
        return None
    above, below = (Reduce("sum", body, m.letter, m.low, m.high) for body in (m.weight * Gap(m.of), m.weight))
    return Relation(relation.op, above / below, relation.right)


def questions(
    bounds: Iterable[Bound], about: About, *, exact: bool, fixed: Iterable[str] = (), smoothness: Iterable[str] | None = None
) -> Iterator[Question]:
    """Every choice of M, and of the parameters that the method does not fix."""
    fixed = set(fixed)
    for bound in bounds:
        kinds = ("",) if not bound.reads_M else tuple(m for m in bound.smoothness if smoothness is None or m in set(smoothness))
        free = {name: values for name, values in bound.try_with.items() if name not in fixed and name in bound.parameters}
        for kind, chosen in product(kinds, product(*free.values())):
            yield Question(bound, kind, tuple(zip(free, chosen, strict=True)), about, exact)


def needs(asked: Iterable[Question], method: str) -> frozenset[Column]:
    """The columns that a run must record to answer these questions."""
    return frozenset(c for q in asked if not q.out_of_place and not q.wrong_method(method) for c in q.columns)


def letters(question: Question, xp: Any, per_run: Mapping[str, Any]) -> dict[str, Any]:
    """Values of the parameters and constants, in an arithmetic."""
    constants = {name: xp.scalar(value) for name, value in question.about.constants.items() if value is not None}
    chosen = {name: xp.scalar(value) for name, value in question.values}
    return {**constants, **chosen, **per_run}
