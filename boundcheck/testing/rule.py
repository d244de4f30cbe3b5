"""`check_rule`: a step-size rule as people write it, put to the test on several problems."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Truth
from boundcheck.language.scalars import Number, Parameter
from boundcheck.library.catalogue import problems as known_problems
from boundcheck.library.declarations import rule_battery
from boundcheck.library.user_rules import as_rule
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.support.processes import Died, TimeUp
from boundcheck.support.processes.time_limit import limited
from boundcheck.testing.contract import Check, ContractFinding, Wrong, collected, concluded
from boundcheck.testing.rule_runs import STEPS, RuleRuns, Steps, without_infimum, without_L

A_RULE = "a Rule or the name of one, a function of one argument, the run, or a class with step(self, run)"
SMALL, FEW = 2, 4  # in slow arithmetics: the largest dimension, the number of steps
ROOTS = 1e-11  # relative: a rule that solves an equation does so this well
SECONDS = 10.0  # of computing, for the first steps on one problem
NEAR = 1e-6  # relative: rounding grows along a run, a mistake is larger


def check_rule(rule: Any, *, problems: Sequence[Problem] | None = None, raise_error: bool = True) -> list[ContractFinding]:
    """Everything that is wrong with a step-size rule, at once: raised as one ContractError, or returned with raise_error=False.

    A rule is a Rule or the name of one, a function of the run, or a class or object with `step(run)`. It is tried on problems of
    the catalogue, or on those given. That nothing is found is no proof.
    """
    if problems is None:
        problems = [known_problems()[name]() for name in rule_battery() if name in known_problems()]
    try:
        whole = as_rule(rule)
    except ValueError as wrong:
        found = [ContractFinding(check="it is a rule", found=_no_rule(rule, str(wrong)), needed=A_RULE, do="see docs/rules.md")]
        return concluded(f"rule {rule!r:.60}", found, raise_error)
    tried = RuleRuns(replace(whole, constant=False), tuple(problems))  # asked at every step, whatever it says
    if found := collected([it_comes_to_an_end], tried):  # nothing more can be asked of it here
        return concluded(f"rule '{tried.rule.name}'", found, raise_error)
    found = collected([it_has_steps], tried)
    # a rule without steps has nothing to compare; but where it has some, what it needs may be why it has none elsewhere
    more = collected([needs_are_declared] if found else _checks(whole), tried)
    found += [finding for finding in more if finding.found not in {known.found for known in found}]
    return concluded(f"rule '{tried.rule.name}'", found, raise_error)


def _no_rule(given: Any, said: str) -> str:
    """Return what was found in place of a rule, without the need that the finding says."""
    if not isinstance(given, str) and not callable(getattr(given, "step", given)):
        return f"{given!r:.60}, of type {type(given).__name__}"
    return re.split("[:;] needs ", said)[0]


def _checks(rule: Rule) -> Iterator[Check]:
    """Yield those that this rule gives reason for."""
    yield needs_are_declared
    yield a_fresh_run_has_the_same_steps
    yield runs_alone_and_in_a_batch_agree
    yield other_arithmetics_give_the_same_steps
    if rule.constant:
        yield a_constant_rule_never_changes_its_step
    if rule.follows is not None:
        yield the_steps_follow_the_declared_formula


def it_comes_to_an_end(tried: RuleRuns) -> None:
    """In a process of its own, so that a rule which loops for ever, or ends the program, ends nothing else."""
    for problem in tried.suited:
        try:
            made = limited(partial(_ends, tried, problem), SECONDS)
        except TimeUp:
            found = f"no {STEPS} steps on {problem.name} in {SECONDS:g} s of computing"
            raise Wrong(found=found, needed="a rule that comes to an end", do="give its loop a limit") from None
        except Died as how:
            found = f"the program ended {how} on {problem.name}"
            raise Wrong(
                found=found, needed="a rule that returns a step", do="end no process in it, and look for a crash"
            ) from None
        if made is not None:
            tried.fresh[problem.name] = made


def _ends(tried: RuleRuns, problem: Problem) -> Steps | None:
    with suppress(Exception):  # other checks say what was raised
        return tried.steps(problem)
    return None


def it_has_steps(tried: RuleRuns) -> None:
    """A positive, finite number at each step of each run, and the run left as it was."""
    failed = {problem.name: made.error for problem in tried.suited if (made := tried.known(problem)).error}
    if failed:
        first = next(iter(failed.values()))
        more = f" (and on {len(failed) - 1} more of {len(tried.suited)} problems)" if len(failed) > 1 else ""
        raise Wrong(found=f"{first}{more}", needed="one positive number a step, and nothing changed", do="correct the formula")
    if not any(made.rows and made.rows[0] for problem in tried.suited for made in [tried.known(problem)]):
        names = ", ".join(problem.name for problem in tried.problems)
        raise Wrong(found=f"not one step on {names}", needed="steps on some of them", do="give problems= on which it has steps")


def needs_are_declared(tried: RuleRuns) -> None:
    """Without L, or without f*, the rule either says that it needs it or has steps all the same; and it asks for nothing more."""
    for need, strip in (("L", without_L), ("infimum", without_infimum)):
        declared = need in tried.rule.needs
        bare = replace(tried.rule, needs=tuple(other for other in tried.rule.needs if other != need))
        for problem in tried.suited:
            if (problem.L if need == "L" else problem.infimum) is None or tried.known(problem).error:
                continue
            made = tried.steps(strip(problem), rule=bare)
            if made.error and not declared:
                raise Wrong(found=made.error, needed="what it reads to be declared", do=f'declare needs=("{need}",)')
            if declared and not made.error and made == tried.known(problem):
                raise Wrong(
                    found=f'needs=("{need}",), and the same steps on {problem.name} without it',
                    needed="no more than it reads",
                    do=f'leave "{need}" out of needs',
                )


def a_fresh_run_has_the_same_steps(tried: RuleRuns) -> None:
    """On one problem twice, with another run between; with the same random seeds, with others, and in a fresh process."""
    state = random.getstate(), np.random.get_state()
    try:
        first, again, drawn = ([_seeded(tried, problem, seed) for problem in tried.suited] for seed in (0, 0, 1))
    finally:
        random.setstate(state[0])
        np.random.set_state(state[1])
    for problem, one, other in zip(tried.suited, first, again, strict=True):
        if one != other:
            raise Wrong(
                found=f"{_difference(one, other)} in a second run on {problem.name}",
                needed="the same steps from the same start",
                do="keep state in a class with step(self, run), which is made anew for every run, and draw no random numbers",
            )
    for problem, one, other in zip(tried.suited, first, drawn, strict=True):
        if one != other:
            raise Wrong(
                found=f"{_difference(one, other)} on {problem.name} when random numbers are seeded otherwise",
                needed="a step that is decided by the run",
                do="draw no random numbers, or from a generator with a fixed seed that is made anew for every run",
            )

    for problem, one in zip(tried.suited, first, strict=True):
        alone = tried.fresh.get(problem.name, one)
        if not one.error and not alone.error and not all(map(_close, alone.rows, one.rows)):
            raise Wrong(
                found=f"{_difference(alone, one)} on {problem.name} after runs on other problems",
                needed="the steps of a process in which nothing else was run",
                do="keep nothing in the module or in the class: state goes into self, which is made anew for every run",
            )


def _seeded(tried: RuleRuns, problem: Problem, seed: int) -> Steps:
    random.seed(seed)
    np.random.seed(seed)
    return tried.steps(problem)


def _difference(one: Steps, other: Steps) -> str:
    if one.error or other.error:
        return other.error or f"steps where there was: {one.error}"
    for row, again in zip(one.rows, other.rows, strict=True):
        for k, (a, b) in enumerate(zip(row, again, strict=False)):
            if a != b:
                return f"eta_{k} = {b:.12g} after {a:.12g}"
    return f"{len(other.rows[0])} steps after {len(one.rows[0])}"


def runs_alone_and_in_a_batch_agree(tried: RuleRuns) -> None:
    """Three starts at once, as the engine runs them, and one by one."""
    if tried.method.name != "gradient descent":
        return  # other methods run alone
    for problem in tried.suited:
        start = np.array([float(value) for value in problem.start])
        starts = [list(start), list(0.5 * start), list(start + 0.25)]
        together = tried.steps(problem, starts=starts)
        alone = [tried.steps(problem, starts=[one]) for one in starts]
        if error := together.error or next((one.error for one in alone if one.error), ""):
            where = "in a batch of three starts" if together.error else "alone"
            raise Wrong(found=f"{error} {where}", needed="steps", do="read vectors of shape (runs, d), or do not declare batched")
        for one, row in zip(alone, together.rows, strict=True):
            if not _close(one.rows[0], row):
                raise Wrong(
                    found=f"{_difference(one, Steps((row,)))} in a batch on {problem.name}",
                    needed="the same steps as alone",
                    do="keep each run of a batch to itself (sums over the last axis only), or do not declare batched",
                )


def _close(one: Sequence[float], other: Sequence[float]) -> bool:
    """As far as both go: rounding may end one of them earlier, at the minimiser."""
    return all(abs(a - b) <= NEAR * abs(a) for a, b in zip(one, other, strict=False))


def other_arithmetics_give_the_same_steps(tried: RuleRuns) -> None:
    """High precision and balls: a rule that knows floats only is asked in floats, or says that it needs them.

    A division by zero ends a run there, where float64 goes on with infinity.
    """
    small = [problem for problem in tried.suited if problem.dimension <= SMALL] or tried.suited
    for xp in ("mp:30", "ball:128"):
        far = []
        for problem in small:
            made = tried.steps(problem, xp=xp, count=FEW)
            if made.error and not any(words in made.error for words in ("needs floats", "ZeroDivisionError")):
                do = "compute with + - * / and run.xp: run.xp.sqrt, run.xp.dot, run.xp.minimum"
                raise Wrong(found=f"{made.error} in {xp}", needed="steps in every arithmetic", do=do)
            plain = tried.steps(problem, count=FEW)
            if not made.error and not _close(plain.rows[0], made.rows[0]):
                far.append((problem, plain, made))
        if 2 * len(far) > len(small):  # one may be a tie of a search that rounding decides
            problem, plain, made = far[0]
            raise Wrong(
                found=f"{_difference(plain, made)} in {xp}, on {problem.name}",
                needed="the same steps in every arithmetic",
                do="do not look at run.xp to choose a formula, and take constants by run.xp.scalar",
            )


def a_constant_rule_never_changes_its_step(tried: RuleRuns) -> None:
    """The engine asks a rule that says so only once."""
    for problem in tried.suited:
        made = tried.known(problem)
        if not made.error and len(set(made.rows[0])) > 1:
            a, b = sorted(set(made.rows[0]))[:2]
            raise Wrong(found=f"steps {a:.12g} and {b:.12g} on {problem.name}", needed="one step", do="declare constant=False")


def the_steps_follow_the_declared_formula(tried: RuleRuns) -> None:
    """In float64 with error bounds: a difference that these cannot explain is one of the formula, a cap or an epsilon."""
    rule = tried.rule
    assert rule.follows is not None
    unknown = sorted({node.name for node in rule.follows.walk() if isinstance(node, Parameter)} - set(rule.parameters))
    if unknown:
        raise Wrong(
            found=f"follows {rule.follows} with no value of {', '.join(unknown)}",
            needed="a value for every parameter of the formula",
            do=f'declare parameters={{"{unknown[0]}": ...}}',
        )
    is_root = isinstance(rule.follows.right, Number) and rule.follows.right.value == 0  # near 0 nothing is near relatively
    asked, reason = 0, "it never has steps enough"
    for problem in tried.suited:
        checked = tried.formula(problem)
        if isinstance(checked, str):
            reason = checked
            continue
        asked += int((checked.truths != Truth.UNKNOWN).sum()) if not is_root else checked.truths.size
        if (wrong := np.flatnonzero((checked.truths[0] == Truth.NO) & (checked.distance[0] > ROOTS))).size:
            at = int(wrong[0])
            raise Wrong(
                found=f"a step {at + checked.start} on {problem.name} that is off by a relative {checked.distance[0, at]:.3g}",
                needed=f"{rule.follows} at every step",
                do="correct the formula that it follows, or its step: a cap, a clip and an epsilon are part of the formula",
            )
    if not asked:
        raise Wrong(
            found=f"no step within {STEPS} at which {rule.follows} could be told: {reason}",
            needed="a formula that runs can show",
            do="give problems= on which it can be told, or leave follows out",
        )
