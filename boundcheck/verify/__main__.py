"""The door: `python boundcheck/verify FILE...` runs this folder by itself, `python -m boundcheck.verify FILE...` the package."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path


def package() -> str:
    """Return the name of the package that this file is of; where the folder is run by itself, make it one."""
    if __package__:
        return __package__
    folder, name = Path(__file__).resolve().parent, "independent_checker"
    sys.path[:] = [entry for entry in sys.path if not entry or Path(entry).resolve() != folder]  # its files shadow nothing
    spec = spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
    assert spec is not None and spec.loader is not None
    sys.modules[name] = made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return name


if __name__ == "__main__":
    sys.exit(import_module(f"{package()}.command").main(sys.argv[1:]))
