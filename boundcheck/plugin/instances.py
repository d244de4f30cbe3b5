"""Refutations: the instance that a false claim carries must still refute it."""

from __future__ import annotations

from dataclasses import replace

from boundcheck.arithmetic import arithmetic
from boundcheck.bound import Bound, Instance
from boundcheck.check import answer
from boundcheck.named import problem_named, rule_named
from boundcheck.plugin.plan import Where, trace
from boundcheck.question import questions
from boundcheck.registry import runner
from boundcheck.suite import PROFILES, Setting
from boundcheck.verdict import Outcome, Verdict


def refute(bound: Bound, at: Instance) -> tuple[Where, Verdict]:
    """The claim on its instance: a violated cell where there is one, else the first."""
    problem, rule = problem_named(at.problem), rule_named(at.method)
    quick = PROFILES["quick"]
    steps = replace(quick, steps=at.steps, exact_steps={problem.dimension: at.steps}, chords=max(at.steps, quick.chords))
    setting = Setting(problem, at.arithmetic, steps, () if rule is None else (rule,))
    chosen = replace(bound, try_with={**bound.try_with, **{name: (value,) for name, value in at.parameters.items()}})
    asked = list(
        questions(
            [chosen],
            runner().about(problem),
            exact=arithmetic(at.arithmetic).exact,
            fixed=() if rule is None else rule.parameters,
            smoothness=(at.smoothness,) if at.smoothness else None,
        )
    )
    if not asked:
        raise ValueError(f"refuted_by has M = {at.smoothness}; the claim is stated for {', '.join(bound.smoothness)}")
    found = list(zip(asked, answer(asked, trace(setting, rule, asked)), strict=True))
    question, verdict = min(found, key=lambda pair: pair[1].outcome is not Outcome.VIOLATED)
    return Where(setting, rule, question), verdict
