"""A sweep from its file: SPEC.toml, or SPEC.py with a Sweep at the top."""

from __future__ import annotations

import tomllib
from pathlib import Path

from boundcheck.library.catalogue import NotFound, first_few, from_file
from boundcheck.sweep.spec import BadSpec, Sweep, from_mapping


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
