"""A second opinion: the framework's own verdict where the independent checker says that a claim fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from boundcheck.check.answer import answer
from boundcheck.check.question import needs, questions
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import from_function, runner
from boundcheck.library.names import rule_named
from boundcheck.suite.grid import experiment_for

EXACT = "rational"


def objection(bound: Bound, certificate: Mapping[str, Any]) -> str:
    """What the framework finds there in exact rationals, where that is HOLDS or VACUOUS; "" where it does not object.

    It cannot make chords between given points, a search for steps, steps that are not rational, sequences that a rule notes
    beside its steps, runs that go on where the gradient is 0, and functions that no problem is: there the checker alone decides.
    """
    if "chord" in certificate or bound.runs.searched:
        return ""
    roles = certificate["run"]["roles"]
    start, steps = roles[""]["start"], roles[""]["eta"]
    if not steps or None in steps or any(set(own) != {"start", "eta"} for own in roles.values()):
        return ""
    try:
        return _verdict_at(bound, certificate, start, steps)
    except ValueError:  # no such problem, or no such run in rationals
        return ""


def _verdict_at(bound: Bound, certificate: Mapping[str, Any], start: list[str], steps: list[str]) -> str:
    problem = from_function(
        certificate["function"], start=start, minimiser=certificate["minimiser"], constants=certificate["constants"]
    )
    letters = {name: (Fraction(value),) for name, value in certificate["parameters"].items()}
    tried = replace(bound, try_with={**bound.try_with, **letters})
    chosen = None if certificate["smoothness"] is None else (certificate["smoothness"],)
    (question,) = questions([tried], runner().about(problem), exact=True, smoothness=chosen)
    if question.out_of_place:
        return f"VACUOUS: {question.out_of_place}"
    experiment = experiment_for(question, rule_named(f"given({', '.join(steps)})"))
    columns = needs([question], experiment.method)
    trace = runner().trace(problem, experiment, steps=len(steps), count=1, columns=columns, xp=EXACT)
    assert trace is not None  # only an unfrozen run may not exist
    if int(trace.steps[0]) < len(steps):
        return ""
    (verdict,) = answer([question], trace)
    (k,) = certificate["at"].values()
    at = k - verdict.first_k
    if not 0 <= at < len(verdict.outcomes) or verdict.outcomes[at] in (Outcome.VIOLATED, Outcome.UNDECIDED):
        return ""
    return f"{Outcome(verdict.outcomes[at]).name} at {bound.for_all.letter} = {k}: {verdict.explain()}"
