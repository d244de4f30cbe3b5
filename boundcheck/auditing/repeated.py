"""Does a rule choose the same steps again? Two runs on one problem, in one process: nothing may go from one to the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boundcheck.auditing.driven import driven_by
from boundcheck.auditing.paths import Path
from boundcheck.auditing.watched import Floats, watch
from boundcheck.limited import Died, TimeUp, limited
from boundcheck.rule import Rule

STEPS, SECONDS = 10, 2.0
SAME = 1e-9  # relative: a library may add in another order


def not_deterministic(rule: Rule, paths: Sequence[Path]) -> str:
    """How the steps of two runs differ, on the problem that is quickest to run; "" if they are the same, or cannot be had."""
    quick = min((path for path in paths if path.steps), key=lambda path: path.seconds, default=None)
    if quick is None:
        return ""
    problem, method = quick.problem, driven_by(rule)

    def once() -> Floats:
        return watch(problem, rule, method, steps=min(STEPS, quick.steps), seconds=SECONDS, trusted=True).eta

    try:
        first, second = limited(lambda: (once(), once()), 2 * SECONDS)
    except (TimeUp, Died):
        return ""
    for before, after in ((first, second), (quick.eta, first)):
        common = min(len(before), len(after))
        differs = ~np.isclose(before[:common], after[:common], rtol=SAME, atol=0.0)
        if differs.any():
            k = int(differs.argmax())
            return f"two runs on {problem.name} have different steps, {before[k]:.4g} and {after[k]:.4g} at step {k}"
    return ""
