"""What `boundcheck paper TARGET` is given: FILE.py, a folder that is a package, or the dotted name of one. Nobody installs it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from boundcheck.library.catalogue import (
    NotFound,
    all_bounds_in,
    also,
    bounds,
    did_you_mean,
    folder_of,
    is_empty,
    load_file,
    papers,
)
from boundcheck.support.errors import error_words, remember_folder

NEEDS = "the name of a paper, FILE.py, a folder with __init__.py, or the dotted name of a package that can be imported"


def is_claims_file(name: str) -> bool:
    """Does a name look like FILE.py?"""
    return name.endswith(".py") or ".py:" in name


@contextmanager
def given_paper(name: str) -> Iterator[ModuleType]:
    """The module of a TARGET, which counts among the papers as long as this lasts; afterwards everything is as it was."""
    with ExitStack() as stack:
        if Path(name).is_dir():
            if (installed := _installed(Path(name))) is not None:
                yield installed
                return
            module = stack.enter_context(_folder(name))
        else:
            module = _file(name) if is_claims_file(name) else stack.enter_context(_dotted(name))
        if hasattr(module, "__path__") and (installed := _installed(folder_of(module))) is not None:
            yield installed
            return
        _refuse_claims(name, module)
        stack.enter_context(also(module))
        yield module


def _installed(folder: Path) -> ModuleType | None:
    """The installed paper whose claims are in a folder, whatever name the folder could be imported by."""
    return next((paper for paper in papers() if folder_of(paper).resolve() == folder.resolve()), None)


def _file(name: str) -> ModuleType:
    path = Path(name)
    if not name.endswith(".py"):
        file = name.rpartition(":")[0]
        raise NotFound(f"found '{name}'; a report is about all claims of a file: give {file}, or `boundcheck check {name}`")
    if not path.is_file() and path.parent.is_dir() and not path.is_dir():
        near = did_you_mean(name, [str(other) for other in path.parent.glob("*.py")])
        raise NotFound(f"no file {name}{near or '; give ' + NEEDS}")
    return load_file(path)


@contextmanager
def _folder(name: str) -> Iterator[ModuleType]:
    """The package in a folder, imported by the name that it has beside its parents: examples/adgd is adgd."""
    folder = Path(name).resolve()
    if not (folder / "__init__.py").is_file():
        inside = sorted(path.name for path in folder.glob("*.py"))
        instead = f", or give one of its files, such as {Path(name, inside[0])}" if inside else ""
        raise NotFound(f"{name} is a folder without __init__.py; add that file, which may be empty{instead}")
    top = folder
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    parts = folder.relative_to(top.parent).parts
    if bad := next((part for part in parts if not part.isidentifier()), None):
        raise NotFound(f"{name} cannot be imported: '{bad}' is no Python name; rename that folder, as in {bad.replace('-', '_')}")
    known = sys.modules.get(parts[0])
    theirs = [Path(path).resolve() for path in getattr(known, "__path__", ())]
    if parts[0] in sys.stdlib_module_names or (known is not None and top not in theirs):
        raise NotFound(f"{name} would be imported as '{parts[0]}', which is another module; rename the folder {top.name}")
    with _importing(top.parent, first=True):
        yield _imported(".".join(parts), folder, name)


@contextmanager
def _dotted(name: str) -> Iterator[ModuleType]:
    """A package or module that can be imported, from here or from where Python finds it."""
    with _importing(Path.cwd(), first=False):
        spec = None
        if all(part.isidentifier() for part in name.split(".")):
            try:
                spec = importlib.util.find_spec(name)
            except ModuleNotFoundError:
                pass  # one of its parents is not there
            except (Exception, SystemExit) as wrong:
                raise NotFound(f"{name}: {error_words(wrong)}") from None
        if spec is None:
            raise NotFound(_unknown(name))
        places = spec.submodule_search_locations or [str(Path(spec.origin or "").parent)]
        yield _imported(name, Path(next(iter(places))).resolve(), name)


def _unknown(name: str) -> str:
    names = {bound.source.paper.name for bound in bounds()}
    if "/" in name or "\\" in name:
        path = Path(name)
        there = [str(other) for other in path.parent.iterdir()] if path.parent.is_dir() else []
        return f"no file or folder {name}{did_you_mean(name, there) or '; give ' + NEEDS}"
    hint = did_you_mean(name, names) or f"; there are {', '.join(sorted(names))}; or give FILE.py, a folder or a package"
    return f"no paper '{name}'{hint}"


@contextmanager
def _importing(folder: Path, *, first: bool) -> Iterator[None]:
    """As long as this lasts, what is in a folder can be imported; what was imported from there is forgotten afterwards."""
    path, before = list(sys.path), set(sys.modules)
    sys.path.insert(0 if first else len(sys.path), str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            where = [file] if file else list(getattr(sys.modules[name], "__path__", ()))
            if any(Path(one).resolve().is_relative_to(folder.resolve()) for one in where) and not _is_installed(where):
                del sys.modules[name]


def _is_installed(where: list[str]) -> bool:
    return any("site-packages" in Path(one).parts for one in where)


def _imported(dotted: str, folder: Path, shown: str) -> ModuleType:
    """The module, with every module that holds its claims; what goes wrong in one of them is told by file and line."""
    for inside in (folder, *(path for path in folder.rglob("*") if path.is_dir() and (path / "__init__.py").is_file())):
        remember_folder(inside)
    try:
        module = importlib.import_module(dotted)
        all_bounds_in(module)
        return module
    except NotFound:
        raise
    except UnicodeDecodeError:
        raise NotFound(f"{shown}: a file is not UTF-8 text; save it as UTF-8") from None
    except SyntaxError as wrong:
        raise NotFound(f"{_shorter(wrong.filename, folder, shown)}:{wrong.lineno or 1}: syntax error: {wrong.msg}") from None
    except SystemExit:
        raise NotFound(f"{shown} ends the program while it is imported; put that behind if __name__ == '__main__'") from None
    except RecursionError:
        raise NotFound(f"{shown} is nested or calls itself too deeply for Python; write it shorter") from None
    except Exception as wrong:
        frames = [frame for frame in extract_tb(wrong.__traceback__) if Path(frame.filename).is_relative_to(folder)]
        at = f"{_shorter(frames[-1].filename, folder, shown)}:{frames[-1].lineno}" if frames else shown
        raise NotFound(f"{at}: {error_words(wrong)}") from None


def _shorter(file: str | None, folder: Path, shown: str) -> str:
    """A file of the package by the name that the user gave it."""
    path = Path(file or folder)
    if not path.is_relative_to(folder):
        return str(path)
    return str(Path(shown) / path.relative_to(folder)) if Path(shown).is_dir() else str(path.relative_to(folder.parent))


def _refuse_claims(name: str, module: ModuleType) -> None:
    """A TARGET without claims, with one that cannot be read, or with two different ones of one id."""
    found = all_bounds_in(module)
    if not found:
        empty = module.__file__ is not None and is_empty(Path(module.__file__)) and is_claims_file(name)
        lacks = "is empty" if empty else "has no claim (a Bound)"
        raise NotFound(f"{name} {lacks}; write one at module level: docs/claims.md shows how")
    hashes: dict[str, str] = {}
    for bound in found:
        try:
            mine = str(bound.hash)
        except (TypeError, AttributeError, RecursionError) as wrong:
            raise NotFound(
                f"{name}: {bound.label} cannot be read as a claim ({error_words(wrong)}); look at its fields"
            ) from None
        if hashes.setdefault(bound.id, mine) != mine:
            raise NotFound(
                f"{name}: two different claims are called '{bound.id}'; give each a label of its own: source=PAPER.at('...')"
            )
