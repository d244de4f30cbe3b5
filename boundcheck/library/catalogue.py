"""Finds problems, rules, runners and claims through entry points, by type. Nobody registers anything by hand."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from boundcheck.claims.bound import NOWHERE, USER, Bound
from boundcheck.library.entry_points import Offer, attempted, merged, offers, tell
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runs.runner import RuleMaker, Runner
from boundcheck.support.errors import NotFound as NotFound
from boundcheck.support.errors import UnknownName as UnknownName
from boundcheck.support.errors import error_with_place, error_words, line_in, remember_folder

NEAR = 0.6  # of 1: how alike two names are, for one to be the other misspelt
Found = TypeVar("Found")
SHOWN = 6  # names of a catalogue, where all would be too many
PAGES = {"problem": "docs/problems.md", "method": "docs/rules.md"}  # where all names of a kind are


def _modules(group: str) -> list[ModuleType]:
    return [offer.module for offer in offers(group)]


def _of_type(module: ModuleType, kind: type) -> list[Any]:
    """The values of a type at the top of a module, each once."""
    found: list[Any] = []
    for value in vars(module).values():
        if isinstance(value, kind) and not any(value is known for known in found):
            found.append(value)
    return found


@cache
def problems() -> dict[str, Callable[[], Problem]]:
    """Every problem of the catalogues, by name, built when called (once). A module without a CATALOGUE offers its Problems."""
    return merged("problem", ((offer.package, _catalogue(offer)) for offer in offers("boundcheck.problems")))


def _catalogue(offer: Offer) -> dict[str, Callable[[], Problem]]:
    given = getattr(offer.module, "CATALOGUE", None)
    if given is None:
        return {problem.name: partial(_itself, problem) for problem in _of_type(offer.module, Problem)}
    return {name: cache(partial(_built, offer.package, name, make)) for name, make in given.items()}


def _itself(problem: Problem) -> Problem:
    return problem


def _built(package: str, name: str, make: Callable[[], Problem]) -> Problem:
    try:
        return make()
    except ValueError:
        raise
    except Exception as wrong:
        raise NotFound(f"problem '{name}' of the package '{package}' cannot be built: {error_with_place(wrong)}") from wrong


@cache
def problems_with_parts() -> dict[str, Callable[[], Problem]]:
    """The problems for claims about more than f, by name: `WITH_PARTS` of the problems; built when called (once)."""
    return {
        name: cache(partial(_built, offer.package, name, make))
        for offer in offers("boundcheck.problems")
        for name, make in getattr(offer.module, "WITH_PARTS", {}).items()
    }


@cache
def special_problems() -> frozenset[str]:
    """Problems made for a few claims, which name them: everyday checks leave them out."""
    return frozenset(name for module in _modules("boundcheck.problems") for name in getattr(module, "SPECIAL", ()))


@cache
def exact_only_problems() -> frozenset[str]:
    """Rational problems whose floating-point runs show nothing which those of others do not."""
    return frozenset(name for module in _modules("boundcheck.problems") for name in getattr(module, "EXACT_ONLY", ()))


@cache
def needing() -> dict[str, Callable[[], Problem]]:
    """Problems that need an extra, by name: building one without it says what to install."""
    return {name: make for module in _modules("boundcheck.problems") for name, make in getattr(module, "NEEDING", {}).items()}


def from_data(written: str) -> Problem:
    """The problem of a data file: FILE.csv, or FILE.csv, label=NAME, seed=N, split=no."""
    for module in _modules("boundcheck.problems"):
        if hasattr(module, "DATA_FILE"):
            made: Problem = module.DATA_FILE(written)
            return made
    raise NotFound("no problems are installed that read data files; install boundcheck itself, with its own problems")


def from_function(data: Mapping[str, Any], **chosen: Any) -> Problem:
    """The problem of a certificate's function, from its data: `start`, and what else `FROM_FUNCTION` of the problems takes."""
    for module in _modules("boundcheck.problems"):
        if hasattr(module, "FROM_FUNCTION"):
            made: Problem = module.FROM_FUNCTION(data, **chosen)
            return made
    raise NotFound("no problems are installed that read a function's data; install boundcheck itself, with its own problems")


@cache
def rules() -> dict[str, Rule]:
    """Every step-size rule, by name. A module without RULES offers its Rules."""
    return merged("rule", ((offer.package, _rules_of(offer.module)) for offer in offers("boundcheck.methods")))


def _rules_of(module: ModuleType) -> dict[str, Rule]:
    given = getattr(module, "RULES", None)
    return {rule.name: rule for rule in (_of_type(module, Rule) if given is None else given)}


@cache
def everyday_rules() -> dict[str, tuple[str, ...]]:
    """For a kind of method, the rules that are enough to try a claim with that names no formula for the steps."""
    return {kind: names for module in _modules("boundcheck.methods") for kind, names in getattr(module, "EVERYDAY", {}).items()}


@cache
def runner() -> Runner:
    """The package that executes optimizers: the first module of an entry point that has every function of `Runner`."""
    for module in _modules("boundcheck.methods"):
        if isinstance(module, Runner):
            return module
    raise NotFound("no runner is installed; install boundcheck itself, with its own runners")


@cache
def rule_makers() -> dict[str, RuleMaker]:
    """The functions that make a rule from numbers, by the name that stands before the brackets: polyak in polyak(3/2)."""
    return merged("maker of rules", ((o.package, dict(getattr(o.module, "MAKERS", {}))) for o in offers("boundcheck.methods")))


def _bounds_in(module: ModuleType) -> list[Bound]:
    found = [_called(name, value) for name, value in vars(module).items() if isinstance(value, Bound)]
    for info in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if not info.name.startswith(("_", "test_", "conftest")):
            found += _bounds_in(importlib.import_module(f"{module.__name__}.{info.name}"))
    return found


def _called(name: str, bound: Bound) -> Bound:
    """A claim without a source is called after its name in the file."""
    return replace(bound, source=USER.at(name)) if bound.source == NOWHERE else bound


_GIVEN: list[ModuleType] = []  # packages and files of claims that a command was given: see `also`


@contextmanager
def also(paper: ModuleType) -> Iterator[None]:
    """As long as this lasts, a package or file of claims that nobody installed counts among the papers, as their first."""
    _GIVEN.insert(0, paper)
    _forget_papers()
    try:
        yield
    finally:
        _GIVEN.remove(paper)
        _forget_papers()


def _forget_papers() -> None:
    papers.cache_clear()
    bounds.cache_clear()


@cache
def papers() -> tuple[ModuleType, ...]:
    """The packages of claims, one a paper: what a command was given, and the installed ones whose claims can be imported.

    An installed paper with other claims of the same ids is left out: what was given stands in its place.
    """
    mine = {bound.id: bound.hash for paper in _GIVEN for bound in bounds_of(paper)}
    installed = [offer.module for offer in offers("boundcheck.theorems") if _is_usable(offer)]
    kept = (m for m in installed if not mine or all(mine.get(b.id, b.hash) == b.hash for b in bounds_of(m)))
    return (*_GIVEN, *kept)


def papers_of(chosen: Iterable[Bound]) -> tuple[ModuleType, ...]:
    """The papers that these claims are of: what a command was given, or those among the installed ones."""
    wanted = {bound.id for bound in chosen}
    return tuple(paper for paper in _GIVEN or papers() if any(bound.id in wanted for bound in bounds_of(paper)))


def is_given(bound: Bound) -> bool:
    """Is it a claim of what a command was given, rather than of an installed paper?"""
    return any(claim.id == bound.id for paper in _GIVEN for claim in bounds_of(paper))


def beside(paper: ModuleType, name: str) -> Traversable:
    """A file or folder that is kept beside the claims of a paper: inside its package, or in the folder of its FILE.py."""
    return files(paper).joinpath(name) if hasattr(paper, "__path__") else folder_of(paper) / name


def folder_of(paper: ModuleType) -> Path:
    """The folder of a paper's claims."""
    if hasattr(paper, "__path__"):
        return Path(next(iter(paper.__path__)))
    return Path(paper.__file__ or "").resolve().parent


def _is_usable(offer: Offer) -> bool:
    if not hasattr(offer.module, "__path__"):
        tell(f"{offer.module.__name__} of the package '{offer.package}' is no folder with __init__.py; its claims are left out")
        return False
    return attempted(offer.package, partial(bounds_of, offer.module)) is not None


@cache
def bounds_of(paper: ModuleType) -> tuple[Bound, ...]:
    """The claims of one paper, in the order in which it states them: those of its SECTIONS, or of the package itself."""
    unique: dict[str, Bound] = {}
    for bound in all_bounds_in(paper):
        unique.setdefault(bound.id, bound)
    return tuple(unique.values())


def all_bounds_in(paper: ModuleType) -> list[Bound]:
    """The claims of one paper in its order, each as often as its modules hold it."""
    sections = getattr(paper, "SECTIONS", None)
    modules = [paper] if sections is None else [importlib.import_module(f"{paper.__name__}.{name}") for name in sections]
    return [bound for module in modules for bound in _bounds_in(module)]


@cache
def bounds() -> tuple[Bound, ...]:
    """Every claim of the library, in the order in which the papers state them."""
    given = [("what was given", {b.id: b for b in bounds_of(paper)}) for paper in _GIVEN]
    parts = [(o.package, {b.id: b for b in bounds_of(o.module)}) for o in offers("boundcheck.theorems") if o.module in papers()]
    return tuple(merged("claim", [*given, *parts], same=lambda one, other: one.hash == other.hash).values())


def find_bounds(name: str, among: Iterable[Bound] | None = None) -> list[Bound]:
    """The claims that a name means: an id, a label with or without a reading, all of a paper, or FILE.py[:NAME]."""
    if ".py" in name and (name.endswith(".py") or ".py:" in name):
        return bounds_in_file(name)
    library = list(bounds() if among is None else among)
    bare = name.split("/", 1)[-1]
    exact = [b for b in library if name in (b.id, b.id.split("@")[0], b.label, f"{b.label}@{b.reading}")]
    if exact:
        return exact
    if of_paper := [b for b in library if b.source.paper.name == name]:
        return of_paper
    candidates = sorted({b.label for b in library} | {f"{b.label}@{b.reading}" for b in library})
    raise NotFound(f"no claim '{name}'{did_you_mean(bare, candidates) or '; `boundcheck list` shows them all'}")


def lemma_of(bound: Bound, beside: Iterable[Bound] = ()) -> Bound | None:
    """The claim through which a false limit or existence claim is refuted: one beside it, or of the library."""
    if bound.refuted_through is None:
        return None
    known = {claim.id: claim for claim in (*bounds(), *beside) if claim.source.paper.name == bound.source.paper.name}
    found = find_bounds(f"{bound.source.paper.name}/{bound.refuted_through.lemma}", known.values())
    if len(found) > 1:
        raise NotFound(f"{bound.id} is refuted through '{bound.refuted_through.lemma}', which has several readings; name one")
    return found[0]


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(candidates), n=1, cutoff=NEAR)
    return f"; did you mean '{near[0]}'?" if near else ""


def first_few(names: Iterable[str]) -> str:
    """Names in a row: a few of them, where there are many."""
    known = list(names)
    return ", ".join(known if len(known) <= SHOWN + 1 else [*known[:SHOWN], "..."])


def find(name: str, among: Mapping[str, Found], what: str) -> Found:
    """One entry of a catalogue, or one clear line."""
    if name in among:
        return among[name]
    page = f"{PAGES[what]} lists them all" if what in PAGES else ""
    if hint := did_you_mean(name, among):
        raise UnknownName(f"no {what} '{name}'{hint}{page and f' {page}'}")
    raise UnknownName(f"no {what} '{name}'; there are {first_few(among)}{page and f'; {page}'}")


def load_file(path: Path) -> ModuleType:
    """A user's file as a module of its own, beside whatever else is called so. While it loads, it may import its neighbours."""
    if not path.is_file():
        found = f"{path} is a directory" if path.is_dir() else f"no file {path}"
        raise NotFound(f"{found}; give the path of a Python file, as in FILE.py:NAME")
    name = f"_boundcheck_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise NotFound(f"{path} cannot be imported; it must be a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    remember_folder(path.resolve().parent)
    try:
        with _neighbours_first(path.resolve().parent):
            spec.loader.exec_module(module)
    except UnicodeDecodeError:
        raise NotFound(f"{path} is not UTF-8 text; save it as UTF-8") from None
    except SyntaxError as wrong:
        line = f":{wrong.lineno}" if wrong.lineno else ""
        raise NotFound(f"{path}{line}: syntax error: {wrong.msg}") from None
    except SystemExit:
        raise NotFound(f"{path} ends the program while it is imported; put that behind if __name__ == '__main__'") from None
    except RecursionError:
        raise NotFound(f"{path} is nested or calls itself too deeply for Python; write it shorter") from None
    except Exception as wrong:
        at = line_in(wrong, path)
        raise NotFound(f"{path}{'' if at is None else f':{at}'}: {error_words(wrong)}") from None
    return module


@contextmanager
def _neighbours_first(folder: Path) -> Iterator[None]:
    """While a user's file loads, `import problems` means the one beside it; afterwards everything is as it was."""
    mine = {entry.stem for entry in folder.iterdir() if entry.suffix == ".py"} - {"boundcheck"}
    path, hidden = list(sys.path), {name: sys.modules.pop(name) for name in mine & set(sys.modules)}
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - before:
            if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == folder:
                del sys.modules[name]
        sys.modules.update(hidden)


def is_empty(path: Path) -> bool:
    """Is there nothing in a file?"""
    return not path.read_bytes().strip()


def from_file(name: str, kind: type | tuple[type, ...], what: str) -> dict[str, Any]:
    """The values of a type in FILE.py, or the one that FILE.py:NAME names."""
    path, _, wanted = name.rpartition(":") if ".py:" in name else (name, "", "")
    module = load_file(Path(path))
    found = {n: v for n, v in vars(module).items() if isinstance(v, kind)}
    if not found and is_empty(Path(path)):
        raise NotFound(f"{path} is empty; write a {what} at module level")
    if not wanted:
        if not found:
            raise NotFound(f"{path} has no {what}; write one at module level")
        return found
    if wanted not in found:
        if hasattr(module, wanted):
            raise NotFound(f"{path}:{wanted} is not a {what}: found type {type(getattr(module, wanted)).__name__}")
        there = f"; it has {first_few(found)}" if found else f" and no {what} at all"
        raise NotFound(f"{path} has no '{wanted}'{did_you_mean(wanted, found) or there}")
    return {wanted: found[wanted]}


def bounds_in_file(name: str) -> list[Bound]:
    """A user's claims. One without a source is called after its name in the file."""
    found = from_file(name, Bound, "claim (a Bound)")
    for called, bound in found.items():
        try:
            str(bound.hash)
        except (TypeError, AttributeError, RecursionError) as wrong:
            path = name.rpartition(":")[0] if ".py:" in name else name
            raise NotFound(f"{path}:{called} cannot be read as a claim ({error_words(wrong)}); look at its fields") from None
    return [_called(name, bound) for name, bound in found.items()]
