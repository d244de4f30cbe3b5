"""Claims whose schedule depends on the horizon K: each K is a run of its own, and a verdict is about several K."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from boundcheck.check.verdict import Cost, Outcome, Verdict
from boundcheck.language.canonical import HORIZON
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.tree import Index
from boundcheck.model.method import Method, Update
from boundcheck.model.rule import FormulaStep, Rule
from boundcheck.runs.trace import Experiment

RANK = {Outcome.VACUOUS: 0, Outcome.HOLDS: 1, Outcome.UNDECIDED: 2, Outcome.VIOLATED: 3}  # what counts of several runs


def at_horizon(experiment: Experiment, steps: int) -> Experiment:
    """Return the experiment with the number of its steps in place of K, wherever its methods and its rule read that."""
    assert experiment.rule is not None and experiment.runs is not None
    roles = tuple((role, _method(method, steps)) for role, method in experiment.runs.roles)
    return replace(experiment, rule=_rule(experiment.rule, steps), runs=replace(experiment.runs, roles=roles))


def _method(method: Method, steps: int) -> Method:
    def put(updates: tuple[Update, ...]) -> tuple[Update, ...]:
        return tuple(replace(u, to=None if u.to is None else put_index(u.to, HORIZON, Index(None, steps))) for u in updates)

    return replace(method, first=put(method.first), each=put(method.each)) if _reads(method) else method


def _reads(method: Method) -> bool:
    return any(HORIZON in update.formula.free for update in (*method.first, *method.each))


def _rule(rule: Rule, steps: int) -> Rule:
    def put(relation: Relation | None) -> Relation | None:
        return None if relation is None else put_index(relation, HORIZON, Index(None, steps))

    if rule.follows is None or HORIZON not in rule.follows.free:
        return rule
    changed: dict[str, Any] = {"step": None} if isinstance(rule.step, FormulaStep) else {}
    return replace(rule, follows=put(rule.follows), formula=put(rule.formula), **changed)


def together(found: Sequence[Verdict], fixed: bool) -> Verdict:
    """Return the verdicts of runs of several lengths as one: at each k what most counts, with the run where it was found.

    `fixed`: the claim is about the last step of each run; else it is about every k of them, and a note tells the run.
    """
    asked = [verdict for verdict in found if len(verdict.outcomes)]
    if not asked:
        return found[-1]
    low = min(verdict.first_k for verdict in asked)
    high = max(verdict.first_k + len(verdict.outcomes) for verdict in asked)
    outcomes = np.full(high - low, Outcome.VACUOUS, dtype=np.int8)
    sides: dict[str, Any] = {name: np.full(high - low, np.nan) for name in ("left", "right", "residual")}
    for verdict in asked:
        for n, outcome in enumerate(verdict.outcomes.tolist()):
            at = verdict.first_k + n - low
            if RANK[Outcome(outcome)] < RANK[Outcome(int(outcomes[at]))]:
                continue
            outcomes[at] = outcome
            for name, values in sides.items():
                own = getattr(verdict, name)
                values[at] = np.nan if own is None else own[n]
    worst = max(asked, key=lambda verdict: (RANK[verdict.outcome], verdict.certified))
    bad = next((v for v in asked if v.violation is not None and v.certified == worst.certified), worst)
    tight = [verdict.tightest for verdict in asked if verdict.tightest is not None]
    decided = [verdict for verdict in asked if verdict.exercised]
    notes = [note for verdict in asked for note in verdict.notes]
    if bad.violation is not None and not fixed:
        notes.append(f"it fails in the run of K = {bad.first_k + len(bad.outcomes) - 1} steps")
    costs = [verdict.cost for verdict in asked if verdict.cost is not None]
    return replace(
        bad,
        first_k=low,
        outcomes=outcomes,
        certified=bad.certified if bad.violation is not None else all(verdict.certified for verdict in decided),
        near=bad.near if bad.violation is not None else any(verdict.near for verdict in asked),
        tied=any(verdict.tied for verdict in asked),
        width=max(verdict.width for verdict in asked),
        strays=any(verdict.strays for verdict in asked),
        reason="; ".join(dict.fromkeys(verdict.reason for verdict in asked if verdict.reason)),
        tightest=max(tight, key=lambda moment: moment.ratio) if tight else None,
        notes=tuple(dict.fromkeys(notes)),
        links=None,
        cost=Cost(costs[-1].tried, sum(cost.seconds for cost in costs)) if costs else None,
        **(sides if asked[0].left is not None else {}),
    )
