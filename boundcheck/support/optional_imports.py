"""Libraries that only some uses need: imported when they are used, and one clear line where they are not installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from boundcheck.support.errors import NotInstalled as NotInstalled


def extra(module: str, *, what: str, extra: str) -> Any:
    """The module; or what needs it and what to install."""
    try:
        return import_module(module)
    except ImportError:
        library = module.partition(".")[0]
        raise NotInstalled(f"{what} needs {library}, which is not installed: pip install 'boundcheck[{extra}]'") from None
