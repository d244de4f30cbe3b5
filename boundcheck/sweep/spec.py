"""What a sweep is: names and numbers, and nothing else. So it can be sent, hashed, and written as TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from boundcheck.language.letters import SMOOTHNESS
from boundcheck.library import declarations
from boundcheck.library.catalogue import NotFound, did_you_mean, first_few, from_file
from boundcheck.support.errors import UserError

Names = tuple[str, ...]
LARGEST_SEED = 2**32 - 1
MOST_SEEDS = 10**7  # the plan is in the memory
LEAST_BITS = 128
AXES = ("problems", "methods", "seeds", "arithmetic")  # along these a sweep may grow
LIMITS = ("time_limit",)  # these decide which works are finished, not what comes of them
HOUR = 3600.0
FIRST = {"smoothness": SMOOTHNESS[0], "arithmetic": "auto"}


class BadSpec(UserError):
    """A sweep that says something that it cannot mean."""


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Every claim on every problem by every method, for every M, seed and arithmetic that it can be asked for.

    A seed draws the problem of a family; of a problem that is fixed it draws the start: 0 is the problem's own. Without methods,
    the library's are tried as `check` tries them; without smoothness, every M that a claim is stated for.
    """

    claims: Names
    problems: Names
    methods: Names = ()
    smoothness: Names = ()
    seeds: tuple[int, ...] = (0,)
    arithmetic: Names = ("auto",)
    steps: int = 100  # of gradient descent, in inexact arithmetic
    method_steps: int = 25  # of other methods, in inexact arithmetic
    rational_steps: int | None = None  # else few, by the dimension: the numbers' size triples at each step
    chords: int = 200  # pairs of points, for claims about any two
    bits: int = 512  # the budget of `auto`
    iterates: bool = False  # keep both sides at each k
    time_limit: float = HOUR  # seconds that a work may take; inf: as long as it likes

    def __post_init__(self) -> None:
        for name in ("claims", "problems", "methods", "smoothness", "arithmetic"):
            object.__setattr__(self, name, _names(name, getattr(self, name)))
        object.__setattr__(self, "seeds", _seeds(self.seeds))
        for name, wanted in (("claims", "a claim"), ("problems", "a problem"), ("arithmetic", "an arithmetic")):
            if not getattr(self, name):
                raise BadSpec(f"{name} is empty; needs the name of {wanted}")
        for name in ("steps", "method_steps", "chords", "bits"):
            _count(name, getattr(self, name))
        if self.bits < LEAST_BITS:
            raise BadSpec(f"bits is {self.bits}; needs {LEAST_BITS} or more")
        if self.rational_steps is not None:
            _count("rational_steps", self.rational_steps)
        if not isinstance(self.iterates, bool):
            raise BadSpec(f"iterates is {self.iterates!r}; needs true or false")
        _limit(self.time_limit)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def the_rest(self) -> dict[str, Any]:
        """What is not an axis: where this differs, every cell does."""
        return {name: value for name, value in self.to_json().items() if name not in AXES + LIMITS}


def from_mapping(said: Mapping[str, Any]) -> Sweep:
    """The sweep that a TOML file spells."""
    known = [field.name for field in fields(Sweep)]
    for name in said:
        if name not in known:
            raise BadSpec(f"unknown key '{name}'{did_you_mean(name, known) or '; a sweep has ' + ', '.join(known)}")
    for name in ("claims", "problems"):
        if name not in said:
            raise BadSpec(f"no {name}; needs {name} = [...], a list of names")
    for name in ("methods", "smoothness"):
        if name in said and isinstance(said[name], list) and not said[name]:
            raise BadSpec(f"{name} is empty; leave it out to try all, or name some")
    return Sweep(**said)


def _names(what: str, given: Any) -> Names:
    if isinstance(given, str) or not isinstance(given, Sequence) or not all(isinstance(one, str) for one in given):
        raise BadSpec(f'{what} is {given!r:.60}; needs a list of names, such as {what} = ["{_example(what)}"]')
    if again := [one for n, one in enumerate(given) if one in given[:n]]:
        raise BadSpec(f"{what} names '{again[0]}' twice; once is enough")
    return tuple(given)


def _example(what: str) -> str:
    if what in FIRST:
        return FIRST[what]
    named = {"claims": declarations.example_claim, "problems": declarations.example_problem, "methods": declarations.example_rule}
    return named[what]("sweep")


def _seeds(given: Any) -> tuple[int, ...]:
    """A list of whole numbers, or from where how many."""
    if isinstance(given, Mapping):
        if set(given) != {"from", "count"} or not all(is_whole(value) for value in given.values()) or given["count"] < 1:
            raise BadSpec(f"seeds is {dict(given)!r:.60}; needs a list, or {{ from = 0, count = 100 }}")
        given = range(given["from"], given["from"] + given["count"])
    if isinstance(given, Sequence) and len(given) > MOST_SEEDS:  # before it is looked through
        raise BadSpec(f"seeds has {len(given)} numbers; a sweep takes {MOST_SEEDS} at most: make several")
    if isinstance(given, str) or not isinstance(given, Sequence) or not given or not all(map(is_whole, given)):
        raise BadSpec(f"seeds is {given!r:.60}; needs whole numbers: a list, or {{ from = 0, count = 100 }}")
    if wrong := [seed for seed in given if not 0 <= seed <= LARGEST_SEED]:
        raise BadSpec(f"seeds has {wrong[0]}; needs numbers from 0 to {LARGEST_SEED}")
    if len(set(given)) < len(given):
        raise BadSpec(f"seeds names {next(s for n, s in enumerate(given) if s in given[:n])} twice; once is enough")
    return tuple(given)


def _count(name: str, value: Any) -> None:
    if not is_whole(value) or value < 1:
        raise BadSpec(f"{name} is {value!r}; needs a whole number, 1 or more")


def _limit(value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise BadSpec(f"time_limit is {value!r}; needs a number of seconds, or inf for none")


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def read(name: str) -> tuple[Sweep, Path]:
    """The sweep, and its file. Files that it names lie beside it."""
    if name.endswith(".py") or ".py:" in name:
        path = Path(name.rpartition(":")[0] if ".py:" in name else name)
        found = from_file(name, Sweep, "sweep (a Sweep)")
        if len(found) > 1:
            raise NotFound(f"{path} has {first_few(found)}; name one, as in {path}:{next(iter(found))}")
        return next(iter(found.values())), path
    path = Path(name)
    if path.suffix != ".toml":
        raise NotFound(f"found '{name}'; needs a sweep in SPEC.toml, or a Sweep in SPEC.py")
    if not path.is_file():
        raise NotFound(
            f"{path} is a directory; needs a file" if path.is_dir() else f"no file {path}; docs/sweep.md has one to copy"
        )
    try:
        return from_mapping(tomllib.loads(path.read_text(encoding="utf-8"))), path
    except UnicodeDecodeError:
        raise BadSpec(f"{path} is not UTF-8 text; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as wrong:
        raise BadSpec(f"{path} is no TOML: {wrong}") from None
    except BadSpec as wrong:
        raise BadSpec(f"{path}: {wrong}") from None
