"""Which questions a plan can answer, and the plans themselves: kept, for the same claims are asked of many runs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from boundcheck.arithmetic.float64 import Float64
from boundcheck.asked import first_of
from boundcheck.evaluate.plan import Plan, Wanted
from boundcheck.hypotheses import AtEachStep, Follows, Hypothesis
from boundcheck.language.relations import Relation
from boundcheck.question import Form, Question
from boundcheck.stepwise import start_of, steps_asked, unread_entry
from boundcheck.trace import Trace

KEPT = 32  # plans, of as many different sets of claims
WORTH = 1024  # steps from which a plan is worth its making


def serves(trace: Trace) -> bool:
    """May a plan answer for this trace? Runs in float64 whose steps are the rule's own, long enough."""
    long_enough = bool(len(trace.steps)) and int(trace.steps.max()) >= WORTH
    return long_enough and type(trace.xp) is Float64 and trace.chord is None and not trace.moved


@dataclass(frozen=True, eq=False)
class Places:
    """Where the relations of a form are in a plan."""

    claims: tuple[int, ...]
    given: tuple[int, ...]

    @property
    def planned(self) -> bool:
        return min((*self.claims, *self.given), default=0) >= 0


@dataclass(frozen=True, eq=False)
class Prepared:
    """A plan for some questions, and where each of them is in it."""

    plan: Plan
    places: list[Places]
    forms: list[Form]  # kept, so that the plan is found again by who they are


_PREPARED: OrderedDict[Any, Prepared] = OrderedDict()


def prepared_for(asked: Sequence[Question], per_run: frozenset[str]) -> Prepared:
    """The plan for these questions: a known one, if they were asked before."""
    key = (per_run, tuple((id(q.form), q.values) for q in asked))
    found = _PREPARED.get(key)
    if found is None:
        wanted = [w for q in asked for w in _wanted(q)]
        plan = Plan(wanted, per_run)
        which, places = iter(plan.which.tolist()), []
        for q in asked:
            claims = tuple(next(which) for _ in q.relations)
            places.append(Places(claims, tuple(next(which) for _ in q.hypotheses)))
        found = _PREPARED[key] = Prepared(plan, places, [q.form for q in asked])
        if len(_PREPARED) > KEPT:
            _PREPARED.popitem(last=False)
    _PREPARED.move_to_end(key)
    return found


def _wanted(q: Question) -> list[Wanted]:
    letter, first = q.bound.for_all.letter, first_of(q)
    made = [Wanted(r, letter, first, q.is_local, q.values) for r in q.relations]
    for h, r in q.hypotheses:
        if about_steps(h, r):
            own = next(iter(r.free))
            made.append(Wanted(r, own, start_of(r, own), q.is_local, q.values, True, isinstance(h, Follows)))
        else:
            made.append(Wanted(r, letter, first, q.is_local, q.values, True))
    return made


def can_be_asked(q: Question, trace: Trace) -> bool:
    """Has every run of the trace what the question and its hypotheses read, at some k and some step? Else no plan answers it."""
    letter = q.bound.for_all.letter
    letters = [(r, letter) for r in q.relations] + [(r, next(iter(r.free), letter)) for _, r in q.hypotheses]
    if any(unread_entry(q, trace, [relation], own) for relation, own in letters):
        return False
    shortest = int(trace.steps.max() - trace.steps.min())
    asked = [steps_asked(r, q, trace) for h, r in q.hypotheses if about_steps(h, r)]
    return all(end - start > shortest for start, end in asked)


def about_steps(h: Hypothesis, r: Relation) -> bool:
    """Is it asked at each step? Else it is asked at each k, or once."""
    return isinstance(h, AtEachStep) and bool(r.free)
