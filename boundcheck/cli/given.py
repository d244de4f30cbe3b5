"""What the user names: claims, problems and methods, of the library or of a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boundcheck.bound import Bound
from boundcheck.guarding import said
from boundcheck.named import problem_named, rule_named
from boundcheck.problem import Problem
from boundcheck.registry import NotFound, bounds, did_you_mean, find_bounds, lemma_of, load_file
from boundcheck.rule import Rule, RuleError
from boundcheck.written import as_rule, may_be_called


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
    if not callable(value) or isinstance(value, type) or not may_be_called(value, 0):
        raise NotFound(f"{name} is a {type(value).__name__}, not a problem: needs a Problem, or a function without arguments")
    try:
        returned = value()
    except Exception as wrong:
        raise NotFound(f"{name}() failed: {said(wrong)}") from wrong
    if not isinstance(returned, Problem):
        raise NotFound(f"{name}() returned a {type(returned).__name__}, not a Problem")
    return returned


def method(name: str) -> Rule:
    """A step-size rule of the library, by name or spelled with its numbers, polyak(9/8); or of FILE.py:NAME.

    In a file it is a Rule, a function of the run that returns a step, or a class or object with step(run).
    """
    if not is_file(name):
        found = rule_named(name)
        if found is None:
            raise NotFound("chords are no method to choose: claims about any x and y are tried on them anyway")
        return found
    value = _from_file(name, (Rule,), "method (a Rule, or a function of the run that returns a step)")
    path, _, called = name.rpartition(":")
    try:
        return as_rule(value, "" if isinstance(value, Rule) else called)
    except RuleError as wrong:
        raise NotFound(f"{path}{':' if str(wrong).startswith(called) else ': '}{wrong}") from wrong


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
