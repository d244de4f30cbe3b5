"""What the user names: claims, problems and methods, of the library or of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import signature
from os.path import exists
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from boundcheck.arithmetic import NotInThisArithmetic, arithmetic
from boundcheck.claims.bound import Bound
from boundcheck.language.chords import ChordQuantity
from boundcheck.library.catalogue import (
    NotFound,
    UnknownName,
    bounds,
    did_you_mean,
    find_bounds,
    first_few,
    from_file,
    is_empty,
    lemma_of,
    load_file,
)
from boundcheck.library.declarations import chord_quantities, example_problem, example_rule, refuse_unknown_smoothness
from boundcheck.library.names import problem_named, rule_named
from boundcheck.library.user_rules import as_rule, could_be_a_rule, may_be_called
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Declaration, Rule, RuleError
from boundcheck.support.errors import error_with_place, error_words, users_place

FORMULAS = "write f with + - * / and xp.abs, sqrt, exp, log, power, ... (docs/problems.md): u * u, not u**2, and nothing of NumPy"


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


def names_in_files(names: Iterable[str]) -> dict[str, str]:
    """Return, for the id of each claim in files, the FILE.py:NAME that is this claim alone."""
    each = (name if ".py:" in name else f"{name}:{called}" for name in names for called in from_file(name, Bound, "claim"))
    return {bound.id: reference for reference in each for bound in find_bounds(reference)}


def one_claim(name: str) -> Bound:
    """The claim that a name means; where it means several, an error that lists them."""
    found = claims((name,))
    if len(found) == 1:
        return found[0]
    if is_file(name):
        there = list(from_file(name, Bound, "claim"))
        raise NotFound(f"{name} has {len(found)} claims: {', '.join(there)}; name one, as in {name}:{there[0]}")
    readings = [f"{bound.label}@{bound.reading}" for bound in found]
    raise NotFound(f"'{name}' has {len(found)} readings: {', '.join(readings)}; name one")


def smoothness_of(name: str) -> str | ChordQuantity:
    """What M is to be: a number of the chord that a paper declares, or L, or a chord quantity of a file."""
    if is_file(name):
        there = from_file(name, ChordQuantity, "chord quantity")
        if len(there) > 1:
            raise NotFound(f"{name} has several chord quantities: {', '.join(there)}; name one, as in {name}:{next(iter(there))}")
        (quantity,) = there.values()
        return quantity  # type: ignore[no-any-return]
    refuse_unknown_smoothness([name])
    declared = chord_quantities().get(name)
    return declared if isinstance(declared, ChordQuantity) else name


def with_lemmas(found: Sequence[Bound]) -> list[Bound]:
    """The claims, and those through which any of them is refuted."""
    lemmas = [lemma for bound in found if (lemma := lemma_of(bound, found)) is not None]
    return list({bound.id: bound for bound in (*found, *lemmas)}.values())


def problem(name: str) -> Problem:
    """A problem of the catalogue or of a data file; or of FILE.py:NAME, itself or what a function without arguments returns."""
    if not is_file(name):
        return _of_the_library(name, problem_named, f"a problem, such as {example_problem('check')}")
    name, value = _from_file(
        name, Problem, _could_be_a_problem, "problem", "a Problem, or a function without arguments that returns one"
    )
    if isinstance(value, Problem):
        return _answers(name, value)
    is_class = isinstance(value, type) and issubclass(value, Problem)
    if not callable(value) or (isinstance(value, type) and not is_class) or not may_be_called(value, 0):
        raise NotFound(
            f"{name} is not a problem: found type {type(value).__name__}; needs a Problem, or a function without arguments"
        )
    try:
        returned = value()
    except Exception as wrong:
        raise NotFound(f"{name}() failed: {error_with_place(wrong)}") from wrong
    if not isinstance(returned, Problem):
        raise NotFound(f"{name}() returned a {type(returned).__name__}, not a Problem")
    return _answers(name, returned)


def _answers(name: str, made: Problem) -> Problem:
    """A user's problem whose f and grad, asked once at the start, return numbers and a point; else one line says what they do."""
    xp = arithmetic("float64")
    try:
        x = xp.vectors([list(made.start)])
        value, slope = made.f(xp, x), made.grad(xp, x)
    except NotInThisArithmetic:
        return made
    except Exception as wrong:
        at = users_place(wrong)
        hint = f"; {FORMULAS}" if isinstance(wrong, TypeError | AttributeError) else ""
        raise NotFound(
            f"{at or name}: {error_words(wrong)}; f and grad were asked at the start {list(made.start)!r:.40}{hint}"
        ) from wrong
    for which, answer, kind in (("f", value, "a number"), ("grad", slope, "a point")):
        if answer is None or isinstance(answer, str | list | tuple | dict) or callable(answer):
            hint = ": did you forget `return`?" if answer is None else ""
            raise NotFound(f"{name}: {which} returned {answer!r:.40}; needs {kind} for each point{hint}")
    if getattr(slope, "dimension", None) != made.dimension:
        found = f"of R^{slope.dimension}" if hasattr(slope, "dimension") else f"as {type(slope).__name__}"
        raise NotFound(f"{name}: grad returned vectors {found}; needs one of R^{made.dimension} for each point")
    return made


def family(name: str) -> Callable[[int], Problem] | None:
    """A family of FILE.py:NAME: a function of the seed that returns a problem. None for whatever else a name means."""
    if not is_file(name):
        return None
    name, value = _from_file(
        name, Problem, _could_be_a_problem, "problem", "a Problem, or a function without arguments that returns one"
    )
    if not isinstance(value, FunctionType) or list(signature(value).parameters) != ["seed"]:
        return None

    def drawn(seed: int) -> Problem:
        try:
            returned = value(seed)
        except Exception as wrong:
            raise NotFound(f"{name}({seed}) failed: {error_with_place(wrong)}") from wrong
        if not isinstance(returned, Problem):
            raise NotFound(f"{name}({seed}) returned a {type(returned).__name__}, not a Problem")
        return returned

    return drawn


def _could_be_a_problem(value: Any) -> bool:
    if isinstance(value, type):
        return issubclass(value, Problem) and value is not Problem and may_be_called(value, 0)
    return isinstance(value, Problem) or (isinstance(value, FunctionType) and may_be_called(value, 0))


def method(name: str) -> Rule:
    """A step-size rule of the library, by name or spelled with its numbers, polyak(9/8); or of FILE.py:NAME.

    In a file it is a Rule, a function of the run that returns a step, or a class or object with step(run).
    """
    if not is_file(name):
        found = _of_the_library(name, rule_named, f"a rule, such as {example_rule('audit')}")
        if found is None:
            raise NotFound("chords are no method to choose: claims about any x and y are tried on them anyway")
        return found
    name, value = _from_file(
        name, (Rule, Declaration), could_be_a_rule, "rule", "a Rule, or a function of the run that returns a step"
    )
    path, _, called = name.rpartition(":")
    try:
        return as_rule(value, "" if isinstance(value, Rule) and value.has_own_name else called)
    except RuleError as wrong:
        raise NotFound(f"{path}{':' if str(wrong).startswith(called) else ': '}{wrong}") from wrong


def is_file(name: str) -> bool:
    return name.endswith(".py") or ".py:" in name


Found = TypeVar("Found")


def _of_the_library(name: str, named: Callable[[str], Found], what: str) -> Found:
    """What the library calls so. What is no name at all, but like a place, is told how a place is written."""
    try:
        return named(name)
    except UnknownName:
        if not name.strip() or ":" in name or exists(name) or exists(f"{name}.py"):
            raise NotFound(f"found '{name}'; needs FILE.py:NAME, or the name of {what}") from None
        raise


def _from_file(
    name: str, kind: type | tuple[type, ...], could_be: Callable[[Any], bool], what: str, needs: str
) -> tuple[str, Any]:
    """FILE.py:NAME and what it holds. Without a NAME: the only one of its kind, or the only one that could be meant."""
    path, _, wanted = name.rpartition(":") if ".py:" in name else (name, "", "")
    module = load_file(Path(path))
    there = {n: v for n, v in vars(module).items() if not n.startswith("__")}
    if wanted in there:
        return name, there[wanted]
    if is_empty(Path(path)):
        raise NotFound(f"{path} is empty; write {needs}, or let `boundcheck new {what} NAME` write one to start from")
    # what a file imports is not meant, but for a value of the kind itself
    own = {n: v for n, v in there.items() if isinstance(v, kind) or getattr(v, "__module__", None) == module.__name__}
    could = [n for n, v in own.items() if could_be(v) and not n.startswith("_")]
    if not could:
        missing = f"no '{wanted}', and no {what}" if wanted else f"no {what}"
        raise NotFound(f"{path} has {missing}; write {needs}")
    if wanted:
        raise NotFound(f"{path} has no '{wanted}'{did_you_mean(wanted, could) or f'; it has {first_few(could)}'}")
    sure = [n for n in could if isinstance(own[n], kind)]
    if len(sure) == 1 or len(could) == 1:
        chosen = (sure if len(sure) == 1 else could)[0]
        return f"{path}:{chosen}", own[chosen]
    raise NotFound(f"{path} has {first_few(could)}; name one, as in {path}:{could[0]}")
