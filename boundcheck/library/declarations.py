"""The names that problems, methods and papers declare for the framework, which has none of its own: batteries, rivals, examples.

Each declaration is a constant at the top of the module that an entry point names; a package without it declares nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.language.chords import ChordQuantity
from boundcheck.language.letters import ChordFunction
from boundcheck.library.catalogue import bounds, find, papers, problems, rules
from boundcheck.library.entry_points import offers
from boundcheck.model.step_search import Halving
from boundcheck.support.errors import UnknownName

CONSTANT = "L"  # of the class of functions: no paper declares it
PROBLEMS, METHODS = "boundcheck.problems", "boundcheck.methods"
Names = tuple[str, ...]


@dataclass(frozen=True)
class Audited:
    """A rule that a paper's report audits: what it is held against ("" for its own formula), and on which problems."""

    rule: str
    follows: str
    problems: Names


def audit_battery() -> dict[str, Names]:
    """The problems on which a rule is audited, by what they are there to show: `AUDIT_BATTERY` of the problems."""
    made: dict[str, Names] = {}
    for groups in _said(PROBLEMS, "AUDIT_BATTERY"):
        for group, names in groups.items():
            made[group] = (*made.get(group, ()), *names)
    return made


def raced_problems() -> Names:
    """The problems of the battery on which an audited rule races against known ones: `RACES` of the problems."""
    return _names(PROBLEMS, "RACES")


def rule_battery() -> Names:
    """The problems on which `check_rule` tries a rule: `RULE_BATTERY` of the problems."""
    return _names(PROBLEMS, "RULE_BATTERY")


def rivals() -> Names:
    """The rules that everybody knows, against which an audited one races: `RIVALS` of the methods."""
    return _names(METHODS, "RIVALS")


def measured_rules() -> Names:
    """The rules whose steps `boundcheck steps` measures where nobody names one: `MEASURED` of the methods."""
    return _names(METHODS, "MEASURED")


def step_searches() -> dict[str, Halving]:
    """The searches for the steps of several runs, by the names that claims give them: `SEARCHES` of the methods."""
    return {name: halving for searches in _said(METHODS, "SEARCHES") for name, halving in searches.items()}


def step_search(name: str) -> Halving:
    """The search of this name."""
    return find(name, step_searches(), "search for steps")


def audited_rules() -> tuple[Audited, ...]:
    """The rules that a report audits: `AUDITED` of the papers, a dictionary from rules to what each follows, on `AUDITED_ON`."""
    found: dict[str, Audited] = {}
    for paper in papers():
        for rule, follows in getattr(paper, "AUDITED", {}).items():
            found.setdefault(rule, Audited(rule, follows, tuple(getattr(paper, "AUDITED_ON", ()))))
    return tuple(found.values())


def chord_quantities() -> dict[str, ChordFunction | ChordQuantity]:
    """What M may be bound to besides the constant L, by name: `SMOOTHNESS` of the papers, the first paper's first."""
    found: dict[str, ChordFunction | ChordQuantity] = {}
    for paper in papers():
        for quantity in getattr(paper, "SMOOTHNESS", ()):
            found.setdefault(quantity.name, quantity)
    return found


def smoothness_choices(bounds: Iterable[Bound] = ()) -> Names:
    """The names of all that M may be bound to: what papers declare, the constant L, and what these claims bring."""
    return tuple(dict.fromkeys((*chord_quantities(), CONSTANT, *(kind for bound in bounds for kind in bound.smoothness))))


def refuse_unknown_smoothness(chosen: Iterable[str], bounds: Iterable[Bound] = ()) -> None:
    """Raise UnknownName where M is to be bound to something that no paper and none of these claims declares."""
    known = smoothness_choices(bounds)
    for kind in chosen:
        if kind not in known:
            raise UnknownName(f"M is bound to {', '.join(known[:-1])} or {known[-1]}; found '{kind}'")


def ranked_runs() -> tuple[tuple[str, str], ...]:
    """The runs on which a report ranks the bounds, a problem and a method each: `RANKED` of the papers."""
    return tuple(dict.fromkeys(run for paper in papers() for run in getattr(paper, "RANKED", ())))


def worst_case_families() -> dict[str, Any]:
    """The families of worst cases, by name: `FAMILIES` of the module of each paper that its `WORST_CASES` names."""
    modules = (f"{paper.__name__}.{paper.WORST_CASES}" for paper in papers() if hasattr(paper, "WORST_CASES"))
    return {name: rows for module in modules for name, rows in import_module(module).FAMILIES.items()}


def example_claim(command: str) -> str:
    """The claim that help names where it shows how a command is called: `EXAMPLE_CLAIMS` of the papers, else the first claim."""
    said = (getattr(paper, "EXAMPLE_CLAIMS", {}) for paper in papers())
    return _example(said, command) or next((bound.label for bound in bounds()), "LABEL")


def example_problem(command: str) -> str:
    """The problem that help names as an example: `EXAMPLE_PROBLEMS` of the problems, else the first one."""
    return _example(_said(PROBLEMS, "EXAMPLE_PROBLEMS"), command) or next(iter(problems()), "PROBLEM")


def example_rule(command: str) -> str:
    """The rule that help names as an example: `EXAMPLE_RULES` of the methods, else the first one."""
    return _example(_said(METHODS, "EXAMPLE_RULES"), command) or next(iter(rules()), "RULE")


def _said(group: str, name: str) -> Iterator[Any]:
    """The values of a constant in the modules that declare it."""
    return (getattr(offer.module, name) for offer in offers(group) if hasattr(offer.module, name))


def _names(group: str, name: str) -> Names:
    return tuple(dict.fromkeys(one for names in _said(group, name) for one in names))


def _example(said: Iterator[Any], command: str) -> str:
    return next((str(examples[command]) for examples in said if command in examples), "")
