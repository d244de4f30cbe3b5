"""Several runs of a rule in one process show whether it chooses the same steps again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boundcheck.audit.number_names import apart
from boundcheck.audit.path import Path, driven_by
from boundcheck.audit.supervised_run import ObservedRun, watch
from boundcheck.model.rule import Rule
from boundcheck.support.processes import Died, TimeUp
from boundcheck.support.processes.time_limit import limited

STEPS, PROBLEMS, SECONDS = 30, 6, 10.0
SAME = 1e-9  # relative: a library may add in another order


def not_deterministic(rule: Rule, paths: Sequence[Path], *, horizon: int) -> str:
    """Return how the steps of two runs differ.

    "" if they are the same, or cannot be had. `horizon`: the steps that runs are to have.
    """
    chosen = _spread(sorted((path for path in paths if path.steps), key=lambda path: path.problem.dimension))
    for order in (chosen, chosen[::-1]):
        line = [*order, *order[:1]]
        try:
            found = limited(lambda line=line: [_again(rule, path, horizon) for path in line], SECONDS)  # type: ignore[misc]
        except (TimeUp, Died):
            continue
        for n, (path, again) in enumerate(zip(line, found, strict=True)):
            if said := _differs(path, again, line[:n]):
                return said
    return ""


def _spread(paths: Sequence[Path]) -> list[Path]:
    """Return a few of them, small problems and large ones."""
    if len(paths) <= PROBLEMS:
        return list(paths)
    return [paths[round(n * (len(paths) - 1) / (PROBLEMS - 1))] for n in range(PROBLEMS)]


def _again(rule: Rule, path: Path, horizon: int) -> ObservedRun:
    """Return what the rule answers at the points of its path."""
    most = min(STEPS, path.steps)
    seconds = SECONDS / (PROBLEMS + 1)
    more = {"seconds": seconds, "trusted": True, "most": most, "along": path.eta}
    return watch(path.problem, rule, driven_by(rule), steps=horizon, **more)  # type: ignore[arg-type]


def _differs(path: Path, again: ObservedRun, earlier: Sequence[Path]) -> str:
    after = f", the second after a run on {earlier[-1].problem.name}" if earlier else ""
    common = min(len(path.eta), len(again.eta))
    differs = ~np.isclose(path.eta[:common], again.eta[:common], rtol=SAME, atol=0.0)
    if differs.any():
        k = int(differs.argmax())
        one, other = apart(path.eta[k], again.eta[k])
        return f"two runs on {path.problem.name} have different steps, {one} and {other} at step {k}{after}"
    if again.error and common < min(STEPS, path.steps):
        return f"of two runs on {path.problem.name} one has no step {common}{after}: {again.error}"
    return ""
