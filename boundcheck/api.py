"""What a notebook uses: run, check, falsify, verify, sweep and tightness, with claims, problems and rules by name or as objects.

What only some of them need is loaded when it is called: `run` and `check` do not wait for the falsifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from numbers import Integral, Number, Rational
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.arithmetic.computation_lock import in_turn
from boundcheck.check.answer import answer
from boundcheck.check.question import JENSEN, Question, questions
from boundcheck.check.verdict import TO_CERTIFY, Outcome, Verdict
from boundcheck.check.verdicts import Verdicts
from boundcheck.claims.bound import Bound
from boundcheck.language.scalars import Gap
from boundcheck.language.vectors import Mean, Minimum
from boundcheck.library.catalogue import NotFound, find_bounds, runner
from boundcheck.library.declarations import example_claim, refuse_unknown_smoothness
from boundcheck.library.names import problem_named
from boundcheck.library.user_rules import as_rule
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.runs.trace import Trace
from boundcheck.support.errors import UserError, WrongType

if TYPE_CHECKING:
    from boundcheck.certificates.verification import Verification
    from boundcheck.falsify.counterexample import Counterexample, NoCounterexample
    from boundcheck.sweep.driver import Swept
    from boundcheck.sweep.spec import Sweep
    from boundcheck.tightness.numbers import Exact
    from boundcheck.tightness.result import WorstCase

MEANS = "the mean of f does not settle it (Jensen), and f at the mean was not recorded: give problem="
Claims = str | Bound | Iterable[str | Bound]


@in_turn
def run(problem: Problem | str, rule: Any, *, steps: int = 100, start: Any = None, arithmetic: str = "float64") -> Trace:
    """Gradient descent on a problem with a step-size rule: a name, a Rule, or a function of the run that returns a step.

    In float64 its verdicts are numerical; `arithmetic="ball:256"`, or "rational" where the problem is, certifies.

    >>> from boundcheck import run
    >>> trace = run("huber", "1/(2L)", steps=10)
    >>> int(trace.steps[0])
    10
    """
    on = problem_named(problem) if isinstance(problem, str) else problem
    if not isinstance(on, Problem):
        raise NotFound(f"{on!r} is no problem; needs a Problem, or the name of one")
    starts = None if start is None else [_point(start)]
    made: Trace = runner().run(on, _rule(rule), steps=_count(steps), starts=starts, xp=arithmetic)
    return made


def _rule(given: Any) -> Rule:
    if not isinstance(given, str) and not callable(getattr(given, "step", given)):
        kind = type(given).__name__
        example = f", such as `lambda run: {given!r}`" if isinstance(given, Number) else ""
        raise RuleError(
            f"{given!r:.60} is {'an' if kind[0] in 'aeiou' else 'a'} {kind}, no rule; "
            f"needs the name of a rule, a Rule, or a function of the run{example}"
        )
    return as_rule(given)


def _count(steps: Any) -> int:
    if not isinstance(steps, Integral) or isinstance(steps, bool):
        raise WrongType(f"steps={steps!r} is a {type(steps).__name__}; needs a whole number of steps, such as steps=100")
    return int(steps)


def _point(start: Any) -> list[Any]:
    """The coordinates of a start: finite numbers, exact ones left as they are."""
    try:
        coordinates = list(start)
        bad = next(
            (n for n, c in enumerate(coordinates) if isinstance(c, str) or not (isinstance(c, Rational) or isfinite(c))), None
        )
    except (TypeError, ValueError, RuntimeError):
        raise WrongType(f"start={start!r:.60} is no point; needs a list of numbers, one a coordinate") from None
    if bad is not None:
        raise UserError(f"start[{bad}] is {coordinates[bad]!r}; needs a finite number")
    return coordinates


@in_turn
def check(
    claims: Claims,
    trace: Trace | Problem | str,
    *,
    smoothness: str | Iterable[str] | None = None,
    steps: int | None = None,
    arithmetic: str = "auto",
) -> Verdicts:
    """The verdict of each claim on each run of a trace, with both sides at every k. A claim is a Bound, or the name of one.

    A claim about more than f, such as one of proximal gradient steps, says by itself what is run: it is checked on a problem, or
    the name of one, for `steps` steps (10, or fewer where paths of draws are many), certified unless another arithmetic is named.

    `smoothness` chooses what M is bound to, by name: D, A, H, L, or a chord quantity that a claim declares. All that the claim
    allows where it is not given.

    >>> from boundcheck import check, run
    >>> check("classical/gd.descent", run("huber", "1/L", steps=10)).outcome.name
    'HOLDS'
    """
    if isinstance(trace, Problem | str):
        return _on_a_problem(as_bounds(claims), trace, steps, arithmetic)
    if not isinstance(trace, Trace):
        raise NotFound(f"{trace!r} is no trace; make one with run(...), watch(...).trace() or Trace.from_arrays(...)")
    kinds = (smoothness,) if isinstance(smoothness, str) else None if smoothness is None else tuple(smoothness)
    bounds = as_bounds(claims)
    refuse_unknown_smoothness(kinds or (), bounds)
    asked = [q for bound in bounds for q in _questions(bound, trace, kinds)]
    found = answer(asked, trace, sides=True)
    if trace.recorded is None:
        return Verdicts(tuple(found))
    assert len(trace.names) == 1  # so that there is one verdict a question
    return Verdicts(tuple(_of_recorded(q, verdict, trace) for q, verdict in zip(asked, found, strict=True)))


def _on_a_problem(bounds: list[Bound], on: Problem | str, steps: int | None, arithmetic: str) -> Verdicts:
    """The verdicts of claims about more than f on the runs that they describe."""
    from boundcheck.suite.grid import chosen_settings, works
    from boundcheck.suite.named_grid import why_not_on

    problem = problem_named(on) if isinstance(on, str) else on
    for bound in bounds:
        if not bound.is_beyond_f:
            raise NotFound(f"{bound.id} is about f alone: check it on a run, check({bound.id!r}, run({problem.name!r}, '1/L'))")
        if reason := why_not_on(bound, problem):
            raise NotFound(f"{bound.id} {reason}")
    chosen = chosen_settings("full", [problem], (), None if arithmetic == "auto" else arithmetic, steps)
    return Verdicts(tuple(v for work in works(chosen, bounds) for v in work.verdicts(sides=True)))


def _questions(bound: Bound, trace: Trace, smoothness: tuple[str, ...] | None) -> Iterable[Question]:
    """A claim that reads no x* or f* is not read in gaps f - f* where f* is estimated: an unknown number would come in."""
    estimated = trace.recorded is not None and bool(trace.recorded.estimated)
    about = replace(trace.about, minimiser="") if estimated and not _reads_minimum(bound) else trace.about
    found = questions([bound], about, exact=trace.xp.exact, fixed=trace.parameters, smoothness=smoothness)
    steps = int(trace.steps.max())
    return [replace(q, horizon=steps) for q in found] if bound.schedule_reads_horizon else found


def as_bounds(claims: Claims) -> list[Bound]:
    given = list(claims) if isinstance(claims, Iterable) and not isinstance(claims, str | Bound) else [claims]
    found = [bound for claim in given for bound in (find_bounds(claim) if isinstance(claim, str) else [claim])]
    if wrong := [bound for bound in found if not isinstance(bound, Bound)]:
        raise NotFound(f"{wrong[0]!r} is no claim; needs a Bound, or the name of one, such as '{example_claim('check')}'")
    return list(dict.fromkeys(found))  # claims are the same where they are one object


# -- the searches and the checker ----------------------------------------------------------------------------------------


def falsify(
    claim: str | Bound, *, budget: float = 60.0, seed: int = 0, jobs: int | None = None, shrink: bool = True
) -> Counterexample | NoCounterexample:
    """Look for a counterexample to one claim for `budget` seconds; make it simple (`shrink`), and certify it.

    The claim is a Bound, the name of one, or FILE.py:NAME. What is found depends on the seed, not on the number of processes
    (`jobs`; all cores unless given). A NoCounterexample is false in an `if`, says what was tried, and is not a proof.

    >>> from boundcheck import Bound, Convex, GradientDescent, falsify
    >>> from boundcheck.letters import delta, k
    >>> wrong = Bound(given=(Convex, GradientDescent()), states=delta[k + 1] <= delta[k])  # no limit on the steps
    >>> found = falsify(wrong, budget=60, jobs=1)
    >>> bool(found), found.dimension
    (True, 1)
    """
    from boundcheck.falsify.counterexample import Hunt, counterexample_of, no_counterexample_of, refuse_what_cannot_be_searched
    from boundcheck.library.references import one_claim
    from boundcheck.support.processes.pool import cores

    bound = one_claim(claim) if isinstance(claim, str) else claim
    if not isinstance(bound, Bound):
        raise NotFound(f"{claim!r:.60} is no claim; needs a Bound, or the name of one, such as '{example_claim('falsify')}'")
    if isinstance(budget, bool) or not isinstance(budget, int | float) or not 0 < budget < float("inf"):
        raise NotFound(f"budget is a number of seconds above 0; found {budget!r}")
    if not _is_whole(seed) or seed < 0:
        raise NotFound(f"seed is a whole number, 0 or more; found {seed!r}")
    refuse_what_cannot_be_searched(bound)
    hunt = Hunt(bound, budget, int(seed), cores() if jobs is None else _processes(jobs), shrink)
    found = hunt.run()
    return no_counterexample_of(hunt) if found is None else counterexample_of(hunt, found)


def _is_whole(number: object) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool)


def _processes(jobs: int) -> int:
    if not _is_whole(jobs) or jobs < 1:
        raise NotFound(f"jobs is a number of processes, 1 or more; found {jobs!r}")
    return int(jobs)


def verify(certificate: str | PathLike[str] | Mapping[str, Any], *, seconds: float | None = None) -> Verification:
    """Does a certificate refute the claim that it carries, and is that claim the library's? A file, or its content as a dict.

    Nothing of the framework is used to decide the first. `seconds` is the time for it, 60 unless given.

    >>> from boundcheck import verify
    >>> verify("nowhere.json").why
    'there is no such file'
    """
    from boundcheck.certificates.verification import verification

    return verification(certificate, seconds)


def sweep(
    spec: Sweep | str | PathLike[str],
    *,
    store: str | PathLike[str] | None = None,
    out: str | PathLike[str] | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    time_limit: float | None = None,
    retry_failed: bool = False,
    fresh: bool = False,
) -> Swept:
    """Check every claim of a grid on every problem by every method, and keep each finished cell in a store.

    `spec` is a Sweep, or a .toml or .py file of one (docs/sweep.md). After an interrupt, the same call does the rest.

    >>> from boundcheck import sweep
    >>> from boundcheck.sweep import Sweep
    >>> spec = Sweep(claims=("classical/gd.descent",), problems=("huber",), methods=("1/L",), steps=5)
    >>> sweep(spec, store="docs-example.sqlite", jobs=1).failed
    0
    """
    from boundcheck.sweep.driver import run as run_sweep

    return run_sweep(
        Path(spec) if isinstance(spec, PathLike) else spec,
        store=None if store is None else Path(store),
        out=None if out is None else Path(out),
        jobs=jobs,
        cluster=cluster,
        time_limit=time_limit,
        retry_failed=retry_failed,
        fresh=fresh,
    )


def tightness(
    claim: str | Bound | Iterable[str] = (),
    *,
    k: int | Iterable[int] = 10,
    jobs: int | None = None,
    L: Exact | None = None,
    mu: Exact | None = None,
    steps: Sequence[Exact] = (),
    chords: Sequence[Exact] = (),
    path: str = "any",
    parameters: Mapping[str, Exact] | None = None,
) -> list[WorstCase]:
    """Bounds against the worst case over their whole class of functions: which of them can be improved.

    `claim` is a `Bound`, or "FILE.py:NAME": a row for each k of its own, with the steps that its formula gives where they are
    numbers, else `steps` in turn (1/L, or 1/M_i unless given). `chords` are the values of M on the path (1), which `path` says
    to be any M, "D" or "H"; `parameters` are those of the claim (the first of try_with), and constants of its class beside L (1)
    and mu (L/4). NotModelled, a UserError: the claim is not such a program; the message names the piece to blame.

    Else `claim` names families of the table (docs/worstcase.md), or how their names begin; all unless given. `k` is the largest
    number of steps, or the numbers themselves. The worst cases are a solver's, and not certified. Needs the extra `pep`.

    >>> from boundcheck import tightness
    >>> [row.verdict for row in tightness("GD 1/L", k=1, jobs=1)][:1]
    ["cannot be improved (within the solver's 0.3 %)"]
    """
    from boundcheck.library.references import is_file, one_claim
    from boundcheck.tightness.any_claim import Choice, rows_of
    from boundcheck.tightness.table import all_of, worst_cases

    ks = range(1, k + 1) if isinstance(k, int) else list(k)
    if not ks:
        raise NotFound(f"k is a number of steps, 1 or more; found {k!r}")
    processes = None if jobs is None else _processes(jobs)
    if isinstance(claim, str) and is_file(claim):
        claim = one_claim(claim)
    if isinstance(claim, Bound):
        choice = Choice(L=L, mu=mu, steps=steps, chords=chords, path=path, numbers=parameters or {})
        return all_of(rows_of(claim, ks, choice), jobs=processes)
    return worst_cases(ks, only=(claim,) if isinstance(claim, str) else tuple(claim), jobs=processes)


# -- runs that boundcheck did not make ----------------------------------------------------------------------------------


def _of_recorded(q: Question, verdict: Verdict, trace: Trace) -> Verdict:
    """A verdict on recorded numbers: f at a mean through Jensen's inequality; and why an estimate leaves something open."""
    recorded = trace.recorded
    assert recorded is not None
    if not len(verdict.outcomes) and recorded.problem is None and (stronger := q.through_jensen()) is not None:
        (through,) = answer([stronger], trace, sides=True)
        verdict = _short_of_violated(through, MEANS, but_at=_of_one_point(q))
        verdict = replace(verdict, notes=(*verdict.notes, JENSEN)) if len(verdict.outcomes) else verdict
    if recorded.estimated and _reads_minimum(q.bound) and verdict.counts[Outcome.UNDECIDED]:
        why = trace.unknown or "x* and f* are known within the radii of the note"
        verdict = replace(verdict, reason="; ".join(filter(None, (why, verdict.reason))))
    if verdict.outcome is Outcome.VIOLATED:
        verdict = replace(verdict, notes=(*verdict.notes, _how_to_certify(q, trace)))
    return verdict


def _reads_minimum(bound: Bound) -> bool:
    """Does what it states or assumes, or its method, read x* or f*?"""
    trees = [*bound.trees, *(update.to for _, method in bound.runs.roles for update in (*method.first, *method.each))]
    return any(isinstance(node, Minimum | Gap) for tree in trees for node in tree.walk())


def _of_one_point(q: Question) -> int | None:
    """The k at which every mean of a claim is of one point, so that f at the mean is the mean of f."""
    means = {n.low.offset - n.high.offset for relation in q.relations for n in relation.walk() if isinstance(n, Mean)}
    return means.pop() if len(means) == 1 else None


def _short_of_violated(verdict: Verdict, why: str, but_at: int | None = None) -> Verdict:
    """The same with UNDECIDED in place of VIOLATED: what fails there is not the claim itself."""
    ks = verdict.first_k + np.arange(len(verdict.outcomes))
    bad = (verdict.outcomes == Outcome.VIOLATED) & (ks != but_at)
    if not bad.any():
        return verdict
    outcomes = np.where(bad, np.int8(Outcome.UNDECIDED), verdict.outcomes)
    at = verdict.first_k + int(bad.argmax())
    reason = "; ".join(part for part in (verdict.reason, f"k = {at}: {why}") if part)
    kept = verdict.violation if (outcomes == Outcome.VIOLATED).any() else None  # the first k of all, where it is
    return replace(verdict, outcomes=outcomes, reason=reason, violation=kept)


def _how_to_certify(q: Question, trace: Trace) -> str:
    recorded = trace.recorded
    named = recorded is not None and recorded.problem is not None
    problem = f"--problem {trace.about.problem}" if named else "with f written as a problem, --problem FILE.py:NAME"
    command = f"boundcheck check {q.bound.id} {problem} --method RULE"
    return f"a recorded run is numerical; {TO_CERTIFY}, run the rule of these steps in boundcheck: {command}"
