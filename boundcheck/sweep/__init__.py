"""Sweeps: claims x problems x methods x M x seeds x arithmetic, on all cores or a cluster, kept as they finish: docs/sweep.md."""

from typing import Any

from boundcheck.sweep.spec import BadSpec, Sweep

__all__ = ["BadSpec", "Sweep", "Swept", "run"]


def __getattr__(name: str) -> Any:
    """What runs a sweep is loaded when it is used: a spec in a file needs none of it."""
    if name not in ("Swept", "run"):
        raise AttributeError(f"boundcheck.sweep has no '{name}'; it has {', '.join(__all__)}")
    from boundcheck.sweep import driver

    return getattr(driver, name)
