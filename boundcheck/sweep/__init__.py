"""Sweeps: claims x problems x methods x M x seeds x arithmetic, on all cores or a cluster, kept as they finish: docs/sweep.md."""

from boundcheck.sweep.spec import BadSpec, Sweep

__all__ = ["BadSpec", "Sweep"]
