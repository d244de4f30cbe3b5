"""Asking claims of one problem and one method."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boundcheck.arithmetic import arithmetic
from boundcheck.check.answer import answer
from boundcheck.check.question import needs, questions
from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound, Instance
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runners import about, chords, run
from boundcheck.suite.instances import try_instance


def ask(
    bounds: Iterable[Bound],
    problem: Problem,
    rule: Rule | None,
    steps: int,
    xp: str = "rational",
    smoothness: Sequence[str] | None = None,
) -> list[Verdict]:
    """Verdicts of all choices of M; rule None: on chords, `steps` of them."""
    fixed = () if rule is None else rule.parameters
    asked = list(questions(bounds, about(problem), exact=arithmetic(xp).exact, fixed=fixed, smoothness=smoothness))
    if rule is None:
        trace = chords(problem, columns=needs(asked, "chords"), count=steps, xp=xp)
    else:
        trace = run(problem, rule, steps=steps, columns=needs(asked, "gradient descent"), xp=xp)
    return answer(asked, trace)


def on_instance(bound: Bound, at: Instance | None = None) -> Verdict:
    at = at or bound.refuted_by
    assert at is not None
    return try_instance(bound, at).verdict
