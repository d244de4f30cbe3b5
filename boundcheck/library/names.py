"""Problems and methods by name; methods spelled with their numbers, polyak(9/8); problems that a family draws."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from fractions import Fraction

from boundcheck.library.catalogue import NotFound, find, from_data, needing, problems, rule_makers, rules
from boundcheck.library.families import drawn, spelled
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runs.experiment import CHORDS
from boundcheck.runs.runner import RuleMaker

_SPELLED = re.compile(r"([\w-]+)(?:\(([^()]*)\))?")  # without brackets: as it is where nobody says more
_DATA = re.compile(r"data\((.+)\)")
DATA_SUFFIXES = (".csv", ".libsvm", ".svm", ".data")


def problem_named(name: str) -> Problem:
    """A problem of the catalogue, of a family (power-law(dimension=30, seed=3)), or of a data file (FILE.csv, data(FILE, ..))."""
    known = problems()
    if name not in known:
        if name in needing():
            return needing()[name]()
        data = _DATA.fullmatch(name)
        if data or name.lower().endswith(DATA_SUFFIXES):
            return from_data(data[1] if data else name)
        if (family := spelled(name)) is not None:
            return drawn(family, name)
    made: Problem = find(name, known, "problem")()
    return made


def rule_named(name: str) -> Rule | None:
    """The rule of this name; `chords` is None: no run at all."""
    if name == CHORDS:
        return None
    known = {one.name: one for rule in rules().values() for one in (rule, rule.below) if one is not None}
    if name not in known and (spelled := _SPELLED.fullmatch(name)):
        make = rule_makers().get(spelled[1].replace("-", "_"))
        if make is not None:
            return _made(name, make, spelled[2] or "")
    return find(name, {**known, CHORDS: None}, "method")


def _made(name: str, make: RuleMaker, written: str) -> Rule:
    """The rule that a function of the runners makes from these numbers, or from the sequence of them."""
    try:
        numbers = [Fraction(n.strip()) for n in written.split(",") if n.strip()]
    except (ValueError, ZeroDivisionError):
        raise NotFound(f"no method '{name}'; needs numbers such as 3/2 between its brackets") from None
    first = next(iter(inspect.signature(make).parameters.values()), None)
    takes_sequence = first is not None and "Sequence" in str(first.annotation)
    try:
        made = make(numbers) if takes_sequence else make(*numbers)
    except (TypeError, ValueError) as wrong:
        raise NotFound(f"no method '{name}'; {wrong}") from None
    return replace(made, name=name) if takes_sequence else made  # a sequence is called by its numbers
