"""Rules that claims bring: the run that the hypotheses of a claim describe.

Where a hypothesis gives the steps by an explicit formula, or the method reads no step, nothing else is needed to make that run,
and no rule of the library has to be known. What the formula leaves free, its first steps, is a choice, and is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from boundcheck.arithmetic.base import Scalars
from boundcheck.claims.bound import Bound
from boundcheck.claims.free_steps import free_steps
from boundcheck.claims.hypotheses import AtEachStep
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Parameter, Term
from boundcheck.model.rule import Rule, past_formula_step, why_not_explicit, why_not_of_the_past
from boundcheck.model.run_view import RunView
from boundcheck.suite.objections import follows

NO_STEP = "no step size"
FIRST = Fraction(1, 1000)  # of a free step, where the problem declares no L


@lru_cache(maxsize=4096)
def own_rules(bound: Bound) -> tuple[Rule, ...]:
    """Return the rules that a claim's own hypotheses are, one for each choice of the parameters that they read."""
    if bound.is_about_chords or bound.untested or bound.is_beyond_f or bound.runs.searched:
        return ()
    kinds = (bound.runs.kind,)
    if not reads_steps(bound):
        return (Rule(name=NO_STEP, step=_one, methods=kinds, constant=True),)
    relation = step_formula(bound)
    if relation is None:
        return ()
    names = tuple(dict.fromkeys(node.name for node in relation.walk() if isinstance(node, Parameter)))
    made = []
    for values in product(*(bound.try_with[name] for name in names)):
        chosen = {name: Fraction(value) for name, value in zip(names, values, strict=True)}
        made.append(_rule(relation, chosen, kinds))
    return tuple(made)


def _rule(relation: Relation, chosen: Mapping[str, Fraction], kinds: tuple[str, ...]) -> Rule:
    letters = ", ".join(f"{name} = {value}" for name, value in chosen.items())
    name = f"{relation.right}" + (f" ({letters})" if letters else "")
    if not why_not_explicit(relation):
        return Rule(name=name, follows=relation, parameters=chosen, methods=kinds)
    first = free_steps(relation)
    step = _FreeAtFirst(past_formula_step(relation, chosen), first)
    return Rule(name=name, follows=relation, step=step, parameters=chosen, methods=kinds, remembers=True, needs=step.of.needs)


@dataclass(frozen=True, eq=False)
class _FreeAtFirst:
    """The step of a formula that reads the past: 1/L, or 1/1000, where there is none yet."""

    of: Any
    first: int

    def __call__(self, run: RunView) -> Scalars:
        if run.k >= self.first:
            return self.of(run)
        return run.xp.scalar(FIRST) if run.L is None else 1 / run.L


def _one(run: RunView) -> Scalars:
    """The step of a run whose method reads none."""
    return run.xp.scalar(1)


def step_formula(bound: Bound) -> Relation | None:
    """Return the first hypothesis that gives eta_i by what x_i and the run before it are; None where none does."""
    equations = (h.relation for h in bound.hypotheses if isinstance(h, AtEachStep))
    return next((relation for relation in equations if not why_not_of_the_past(relation)), None)


def reads_steps(bound: Bound) -> bool:
    """Return whether a claim or its method reads eta at all."""
    updates = [update.formula for _, method in bound.runs.roles for update in (*method.first, *method.each)]
    return any(isinstance(node, Term) and node.name == "eta" for tree in (*bound.trees, *updates) for node in tree.walk())


def rules_beside(bound: Bound, tried: Iterable[Rule]) -> list[Rule]:
    """Return a claim's own rules, where none of the rules that it is tried with is the same."""
    made = own_rules(bound)
    relation = step_formula(bound)
    mine = [rule for rule in tried if bound.runs.kind in rule.methods]
    if relation is None:
        return [] if mine else list(made)
    return [rule for rule in made if not any(follows(other, relation, rule.parameters) for other in mine)]
