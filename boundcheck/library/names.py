"""Problems and methods by name; methods spelled with their numbers, polyak(9/8); problems that a family draws."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from boundcheck.library.catalogue import (
    NotFound,
    did_you_mean,
    find,
    from_data,
    needing,
    problems,
    problems_with_parts,
    rule_makers,
    rules,
)
from boundcheck.library.entry_points import offers
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runs.runner import RuleMaker
from boundcheck.runs.trace import CHORDS
from boundcheck.support.errors import error_with_place

_FAMILY = re.compile(r"([\w-]+)\(([^()]*)\)")
GRAIN = 2**16  # coordinates are multiples of 1 / GRAIN: exact in every arithmetic, and short in rationals


@cache
def families() -> dict[str, Callable[..., Problem]]:
    """Functions that draw a problem, by name: `FAMILIES` of the problems. Each takes `seed` and `name`, and what else it says."""
    modules = [offer.module for offer in offers("boundcheck.problems")]
    return {name: make for module in modules for name, make in getattr(module, "FAMILIES", {}).items()}


@dataclass(frozen=True)
class Family:
    """A family of problems with what was chosen of it."""

    name: str
    chosen: tuple[tuple[str, int | float], ...]

    @property
    def has_seed(self) -> bool:
        return any(name == "seed" for name, _ in self.chosen)


def family_in(name: str) -> Family | None:
    """The family that a name spells; None where it spells none."""
    match = _FAMILY.fullmatch(name.strip())
    if match is None or match[1] not in families():
        return None
    takes = [p for p in inspect.signature(families()[match[1]]).parameters if p not in ("name", "spectrum")]
    chosen: dict[str, int | float] = {}
    for part in filter(None, (part.strip() for part in match[2].split(","))):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or key not in takes:
            hint = did_you_mean(key, takes) or f"; it takes {', '.join(takes)}"
            raise NotFound(f"problem '{name}': found '{part}'{hint}")
        chosen[key] = _number(name, part, value)
    return Family(match[1], tuple(chosen.items()))


def _number(name: str, part: str, value: str) -> int | float:
    try:
        return int(value) if value.lstrip("-").isdigit() else float(Fraction(value))
    except (ValueError, ZeroDivisionError):
        raise NotFound(f"problem '{name}': found '{part}'; needs a number, such as 3 or 1/2") from None


def draw_problem(family: Family, name: str, seed: int | None = None) -> Problem:
    """The problem of a family, called `name`: with this seed, where the family was not given one."""
    chosen: dict[str, Any] = dict(family.chosen) if seed is None else {**dict(family.chosen), "seed": seed}
    make = families()[family.name]
    try:
        inspect.signature(make).bind(name=name, **chosen)
    except TypeError as wrong:
        raise NotFound(f"problem '{name}': {wrong}") from None
    try:
        return make(name=name, **chosen)
    except ValueError as wrong:
        raise NotFound(f"{wrong}") from None
    except Exception as wrong:
        raise NotFound(f"problem '{name}' cannot be drawn: {error_with_place(wrong)}") from wrong


def draw_from_family(family: str, **chosen: Any) -> Problem:
    """Return a problem that a family draws, by the family's name: each says what it takes, such as dimension and seed."""
    made: Problem = find(family, families(), "family of problems")(**chosen)
    return made


def from_another_start(problem: Problem, seed: int) -> Problem:
    """The same problem from a start that the seed draws; 0 is the problem's own.

    It is normal about the minimiser (where there is none, about the start), about as far from it as the problem's own start is
    and no nearer than 1, in multiples of 2^-16: so a rational problem stays rational.
    """
    if seed == 0:
        return problem
    own = np.array([float(c) for c in problem.start])
    centre = own if problem.minimiser is None else np.array([float(c) for c in problem.minimiser.point])
    size = max(1.0, float(np.linalg.norm(own - centre)))
    generator = np.random.default_rng(seed)
    while True:
        point = centre + generator.standard_normal(problem.dimension) * (size / np.sqrt(problem.dimension))
        start = [Fraction(round(c * GRAIN), GRAIN) for c in point.tolist()]
        if problem.minimiser is None or any(a != b for a, b in zip(start, problem.minimiser.point, strict=True)):
            return problem.replace(start=start)


_SPELLED = re.compile(r"([\w-]+)(?:\(([^()]*)\))?")  # without brackets: as it is where nobody says more
_DATA = re.compile(r"data\((.+)\)")
DATA_SUFFIXES = (".csv", ".libsvm", ".svm", ".data")


def problem_named(name: str) -> Problem:
    """A problem of the catalogue, of a family (power-law(dimension=30, seed=3)), or of a data file (FILE.csv, data(FILE, ..))."""
    known = {**problems(), **{n: p for n, p in problems_with_parts().items() if n not in problems()}}
    if name not in known:
        if name in needing():
            return needing()[name]()
        data = _DATA.fullmatch(name)
        if data or name.lower().endswith(DATA_SUFFIXES):
            return from_data(data[1] if data else name)
        if (family := family_in(name)) is not None:
            return draw_problem(family, name)
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
