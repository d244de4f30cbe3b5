"""What the user names: claims, problems and methods, of the library or of a file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from boundcheck.bound import Bound
from boundcheck.named import problem_named, rule_named
from boundcheck.problem import Problem
from boundcheck.registry import NotFound, bounds, did_you_mean, find_bounds, lemma_of, load_file
from boundcheck.rule import Rule, RuleError, RunEnds


def claims(names: Sequence[str]) -> list[Bound]:
    """The claims of these names, each once; without a name, all of the library."""
    found = [bound for name in names for bound in find_bounds(name)] if names else list(bounds())
    if not found:
        raise NotFound("no claims are installed; give a file, as in FILE.py:NAME")
    unique: dict[str, Bound] = {}
    for bound in found:
        if unique.setdefault(bound.id, bound).hash != bound.hash:
            raise NotFound(f"two different claims are called '{bound.id}'; give each a label of its own: source=PAPER.at('...')")
    return list(unique.values())


def with_lemmas(found: Sequence[Bound]) -> list[Bound]:
    """The claims, and those through which any of them is refuted."""
    lemmas = [lemma for bound in found if (lemma := lemma_of(bound, found)) is not None]
    return list({bound.id: bound for bound in (*found, *lemmas)}.values())


def problem(name: str) -> Problem:
    """A problem of the catalogue or of a data file; or of FILE.py:NAME, itself or what a function without arguments returns."""
    if not is_file(name):
        return problem_named(name)
    value = _from_file(name, (Problem,), "problem (a Problem, or a function without arguments that returns one)")
    if isinstance(value, Problem):
        return value
    if not callable(value) or isinstance(value, type) or not _may_be_called(value, 0):
        raise NotFound(f"{name} is a {type(value).__name__}, not a problem: needs a Problem, or a function without arguments")
    try:
        returned = value()
    except Exception as wrong:
        raise NotFound(f"{name}() failed: {_said(wrong)}") from wrong
    if not isinstance(returned, Problem):
        raise NotFound(f"{name}() returned a {type(returned).__name__}, not a Problem")
    return returned


def method(name: str) -> Rule:
    """A step-size rule of the library, by name or spelled with its numbers, polyak(9/8); or of FILE.py:NAME.

    In a file it is a Rule, or a function of the run that returns a step.
    """
    if not is_file(name):
        found = rule_named(name)
        if found is None:
            raise NotFound("chords are no method to choose: claims about any x and y are tried on them anyway")
        return found
    value = _from_file(name, (Rule,), "method (a Rule, or a function of the run that returns a step)")
    if isinstance(value, Rule):
        return replace(value, step=guarded(value.name, value.step))
    if not callable(value) or isinstance(value, type) or not _may_be_called(value, 1):
        raise NotFound(f"{name} is a {type(value).__name__}, not a method: needs a Rule, or a function of one argument, the run")
    called = name.rpartition(":")[2]
    return Rule(name=called, step=guarded(called, value))


def guarded(name: str, step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A user's formula, with whatever is not a step refused in one line. Plain numbers are taken exactly."""

    def guard(run: Any) -> Any:
        import numpy as np

        where = f"at step {run.k} on {run.problem.name}"
        try:
            answer = _answer(step, run)
        except (RuleError, RunEnds):
            raise
        except SystemExit:
            raise RuleError(f"rule '{name}' ended the program {where}; a rule returns a step, or raises RunEnds") from None
        except Exception as wrong:
            floats = isinstance(wrong, TypeError | AttributeError) and run.xp.scalar(0).dtype == object
            hint = "; a formula that needs floats runs with --arithmetic float64" if floats else ""
            raise RuleError(f"rule '{name}' failed {where}: {_said(wrong)}{hint}") from wrong
        if isinstance(answer, int | float | Fraction | np.number) and not isinstance(answer, np.complexfloating):
            exact = answer if isinstance(answer, int | Fraction) else float(answer)
            if exact != exact or exact in (float("inf"), float("-inf")):
                raise RuleError(f"rule '{name}' returned {exact} {where}; a step is a positive number: check its formula")
            return run.xp.scalar(exact)
        try:
            steps = np.asarray(run.xp.scalars(answer) if run.xp.encloses else answer + run.xp.scalar(0))
        except Exception:
            steps = np.asarray("")
        if steps.dtype.kind not in "fO":
            raise RuleError(f"rule '{name}' returned {answer!r} {where}; a step is a positive number")
        if steps.shape not in ((), (1,), run.grad.shape[:-1]):
            raise RuleError(f"rule '{name}' returned an array of shape {steps.shape} {where}; a step is one number a run")
        if steps.dtype.kind == "f" and np.isinf(steps).any():
            raise RuleError(f"rule '{name}' returned an infinite step {where}; a step is a positive number: check its formula")
        return steps

    return guard


def _answer(step: Callable[[Any], Any], run: Any) -> Any:
    """The step; in balls from the same run in float64, where the formula knows no other numbers."""
    try:
        return step(run)
    except (TypeError, AttributeError):
        if not run.xp.encloses:
            raise
        return step(run.in_floats())


def is_file(name: str) -> bool:
    return name.endswith(".py") or ".py:" in name


def _from_file(name: str, kinds: tuple[type, ...], what: str) -> Any:
    path, _, wanted = name.rpartition(":") if ".py:" in name else (name, "", "")
    there = vars(load_file(Path(path)))
    if wanted in there and wanted:
        return there[wanted]
    found = [n for n, v in there.items() if isinstance(v, kinds)]
    if wanted:
        raise NotFound(f"{path} has no '{wanted}'{did_you_mean(wanted, [n for n in there if not n.startswith('_')])}")
    if len(found) != 1:
        raise NotFound(
            f"{path} has {len(found) or 'no'} {what}; name one, as in {Path(path).name}:{found[0] if found else 'NAME'}"
        )
    return there[found[0]]


def _may_be_called(function: Callable[..., Any], arguments: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * arguments)
    except (TypeError, ValueError):
        return False
    return True


def _said(wrong: Exception) -> str:
    return str(wrong) if isinstance(wrong, ValueError) and str(wrong) else f"{type(wrong).__name__}: {wrong}"
