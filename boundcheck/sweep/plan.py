"""What a sweep asks: its works in order, each with a name and a key. A work is what shares runs: a problem, a seed, an arithmetic
and a method, for all claims and every M.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from boundcheck.arithmetic import arithmetic
from boundcheck.check.precision_ladder import AUTO
from boundcheck.library.catalogue import NotFound, rules
from boundcheck.library.declarations import smoothness_choices
from boundcheck.library.names import DATA_SUFFIXES, draw_problem, family_in, from_another_start
from boundcheck.library.references import claims, family, is_file, method, problem
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.report.provenance import code_hash, versions
from boundcheck.runs.trace import CHORDS
from boundcheck.store import PlannedWork
from boundcheck.suite.grid import GridSetting, GridWork
from boundcheck.suite.profiles import Profile
from boundcheck.sweep.spec import BadSpec, Sweep

_DATA = re.compile(r"data\((.+?)((?:,[^,=]*=[^,=]*)*)\)")  # FILE, then key=value


@dataclass(frozen=True)
class Reference:
    """A name with a file in it: what stands before the path, the path, and what comes after."""

    before: str
    path: str
    after: str

    def at(self, path: str) -> str:
        return f"{self.before}{path}{self.after}"


def reference(name: str) -> Reference | None:
    """The file in a name, if there is one."""
    if is_file(name):
        path, colon, wanted = name.rpartition(":") if ".py:" in name else (name, "", "")
        return Reference("", path, colon + wanted)
    if match := _DATA.fullmatch(name):
        return Reference("data(", match[1].strip(), f"{match[2]})")
    return Reference("", name, "") if name.lower().endswith(DATA_SUFFIXES) else None


def relocated(spec: Sweep, move: Callable[[str], str]) -> Sweep:
    """The same sweep with its files elsewhere."""

    def moved(name: str) -> str:
        found = reference(name)
        return name if found is None else found.at(move(found.path))

    claims, problems, methods = (tuple(map(moved, names)) for names in (spec.claims, spec.problems, spec.methods))
    return replace(spec, claims=claims, problems=problems, methods=methods)


def beside(spec: Sweep, folder: Path) -> Sweep:
    """The sweep as seen from here, when its file lies in `folder`."""
    return relocated(spec, lambda path: os.path.normpath(folder / path))


def digest(name: str) -> str:
    """Of the file in a name, and of what it imports from its folder; "" where there is no file."""
    found = reference(name)
    if found is None:
        return ""
    made = sha256()
    for path in _with_imports(Path(found.path)):
        made.update(f"{path.name}\0".encode() + path.read_bytes())
    return made.hexdigest()


def shipped(spec: Sweep) -> tuple[Sweep, dict[str, bytes]]:
    """The sweep with its files in numbered folders, and these files: for a machine that does not have them."""
    folders: dict[Path, int] = {}
    files: dict[str, bytes] = {}

    def move(name: str) -> str:
        path = Path(name)
        number = folders.setdefault(path.parent.resolve(), len(folders))
        for one in _with_imports(path):
            files[f"{number}/{one.relative_to(path.parent)}"] = one.read_bytes()
        return f"{number}/{path.name}"

    return relocated(spec, move), files


def _with_imports(path: Path) -> list[Path]:
    """A file and, of a Python file, those beside it that it imports, and that these do."""
    if not path.is_file():
        raise NotFound(f"no file {path}; files that a sweep names lie beside its own")
    found: dict[Path, None] = {path: None}
    todo = [path] if path.suffix == ".py" else []
    while todo:
        for name in _imported(todo.pop()):
            for one in _beside(path.parent, name):
                if one not in found:
                    found[one] = None
                    todo.append(one)
    return list(found)


def _imported(path: Path) -> Iterator[str]:
    """The first words of what a file imports. One that does not parse imports nothing: loading it says so."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _beside(folder: Path, name: str) -> list[Path]:
    """The module or package of this name in a folder."""
    if (folder / f"{name}.py").is_file():
        return [folder / f"{name}.py"]
    return sorted((folder / name).rglob("*.py")) if (folder / name / "__init__.py").is_file() else []


KIND = "sweep"
RATIONAL = "rational"
FEW = {1: 8, 2: 6}  # rational steps by dimension
FEWEST = 4
REMEMBERED = 4  # problems that were drawn: works that come one after the other ask for the same


@dataclass(frozen=True)
class Unit:
    """A work: names as they are written in the sweep."""

    problem: str
    seed: int
    arithmetic: str
    method: str

    def __str__(self) -> str:
        return f"{self.problem} seed {self.seed} [{self.arithmetic}] {self.method}"


class SweepPlan:
    """A sweep whose names have been found. Whatever is wrong with them is said here, before anything is run."""

    def __init__(self, spec: Sweep, folder: Path) -> None:
        self.spec, self.folder, here = spec, folder, beside(spec, folder)
        self.bounds = tuple(claims(here.claims))
        known = smoothness_choices(self.bounds)
        if unknown := [kind for kind in spec.smoothness if kind not in known]:
            raise BadSpec(f"smoothness has '{unknown[0]}'; M is bound to {', '.join(known)}")
        self.located = dict(zip(spec.problems, here.problems, strict=True))
        self.families = {name: found for name, at in self.located.items() if (found := _family(name, at)) is not None}
        self.fixed = {name: problem(at) for name, at in self.located.items() if name not in self.families}
        named = dict(zip(spec.methods, map(method, here.methods), strict=True))
        self.rules: dict[str, Rule] = named or dict(rules())
        self.files = {name: digest(at) for name, at in (*self.located.items(), *zip(spec.methods, here.methods, strict=True))}
        self.claim_files = [digest(name) for name in here.claims]
        self.drawn: dict[tuple[str, int], Problem] = {}
        for name in self.families:
            self._problem(name, spec.seeds[0])  # says what is wrong with how it is spelled
        for name in spec.arithmetic:
            if name != AUTO:
                arithmetic(name)
        _told_apart("problems", {name: one.name for name, one in self.fixed.items()})
        _told_apart("methods", {name: one.name for name, one in self.rules.items()})

    @cached_property
    def units(self) -> list[Unit]:
        """In the order in which they are done, and in which results are written."""
        methods = [*(self.rules if any(not b.is_about_chords for b in self.bounds) else ())]
        methods += [CHORDS] if any(b.is_about_chords for b in self.bounds) else []
        spec = self.spec
        return [Unit(*one) for one in product(spec.problems, spec.seeds, spec.arithmetic, methods)]

    @cached_property
    def planned(self) -> list[PlannedWork]:
        """Each with a key that other files of the user do not share."""
        found = []
        for unit in self.units:
            name = str(unit)
            files = f"{self.files.get(unit.problem, '')}\0{self.files.get(unit.method, '')}"
            found.append(PlannedWork(sha256(f"{name}\0{files}".encode()).hexdigest()[:32], KIND, name))
        return found

    @cached_property
    def same(self) -> dict[str, Any]:
        """What two sweeps share whose cells are the same where both have them."""
        return {
            "sweep": self.spec.the_rest(),
            "claims": {bound.id: bound.hash for bound in self.bounds},
            "files": self.claim_files,
            "versions": versions(),
            "code": code_hash(),
        }

    @cached_property
    def digest(self) -> str:
        """Of all keys."""
        return sha256("".join(work.key for work in self.planned).encode()).hexdigest()

    def work(self, unit: Unit) -> GridWork:
        """The work that a unit names: its problem is drawn when it is asked for."""
        on = self._problem(unit.problem, unit.seed)
        rule = None if unit.method == CHORDS else self.rules[unit.method]
        rules, chosen = () if rule is None else (rule,), bool(self.spec.methods)
        setting = GridSetting(on, unit.arithmetic, self._profile(on.dimension), rules, chosen=chosen, seed=unit.seed)
        return GridWork(setting, rule, self.bounds)

    def _problem(self, name: str, seed: int) -> Problem:
        if name in self.fixed:
            return from_another_start(self.fixed[name], seed)
        if (name, seed) not in self.drawn:
            while len(self.drawn) >= REMEMBERED:
                del self.drawn[next(iter(self.drawn))]
            self.drawn[name, seed] = self.families[name](seed)
        return self.drawn[name, seed]

    def _profile(self, dimension: int) -> Profile:
        spec = self.spec
        few = spec.rational_steps or min(spec.steps, FEW.get(dimension, FEWEST))
        return Profile(
            name=KIND,
            largest=dimension,
            steps=spec.steps,
            exact_steps={dimension: few},
            chords=spec.chords,
            method_steps=spec.method_steps,
            bits=spec.bits,
        )


def _family(name: str, at: str) -> Callable[[int], Problem] | None:
    """A family, of the library or of a file; one that is spelled with its seed is a problem like others."""
    found = family_in(name)
    if found is None:
        return family(at)
    return None if found.has_seed else lambda seed: draw_problem(found, name, seed)


def _told_apart(what: str, called: dict[str, str]) -> None:
    """Rows name problems and methods as these name themselves."""
    seen: dict[str, str] = {}
    for written, name in called.items():
        if seen.setdefault(name, written) != written:
            raise NotFound(f"{what} has '{seen[name]}' and '{written}', both called '{name}': rows could not tell them apart")
