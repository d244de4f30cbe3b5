"""Where the store and the table of a sweep are. What could not be written is refused before the work."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from boundcheck.library.catalogue import NotFound


@dataclass(frozen=True)
class Places:
    """No table where none is wanted, or none can be written."""

    store: Path
    out: Path | None


def places(spec: Path | None, store: Path, out: Path | None) -> Places:
    """These, if they can be written and are not one and the same, nor the sweep's own file."""
    for path, option in ((store, "--store"), (out, "--out")):
        if path is None:
            continue
        if option == "--out" and path.suffix != ".parquet":
            raise NotFound(f"{option} {path}: the table is Parquet; needs a name that ends with .parquet")
        if path.is_dir():
            raise NotFound(f"{path} is a directory; {option} needs a file")
        if not path.parent.is_dir():
            raise NotFound(f"{path} cannot be written, there is no folder {path.parent}; give another place with {option}")
        if not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
            raise NotFound(f"{path} cannot be written; give another place with {option}")
        same = [other for other in (spec, store if option == "--out" else None) if other is not None]
        if any(path.resolve() == other.resolve() for other in same):
            raise NotFound(f"{option} {path} is another file of this sweep; give another place")
    return Places(store, out)
