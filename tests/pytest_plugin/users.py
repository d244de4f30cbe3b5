"""Theorem files to try, and pytest run on them in a process of its own, as a user would."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

LETTERS = """\
from fractions import Fraction
from boundcheck.claims.bound import Bound, Instance
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.language.letters import *
from boundcheck.model.problem import Convex, Differentiable

GD = (Convex, Differentiable, GradientDescent())
"""
TRUE = """\
change = x[k + 1] - x[k]
descent = Bound(given=GD, states=delta[k + 1] <= delta[k] + inner(grad(x[k]), change) + M_[k] / 2 * normsq(change))
"""
FALSE = "halved = Bound(given=GD, title='each step halves the gap', states=delta[k + 1] <= delta[k] / 2)\n"
VACUOUS = "never = Bound(given=(*GD, eta[i] < 0), states=delta[k + 1] <= delta[k])\n"


@dataclass(frozen=True)
class Done:
    """How a run of pytest ended."""

    code: int
    out: str

    @property
    def counts(self) -> dict[str, int]:
        last = self.out.strip().splitlines()[-1]
        return {word: int(n) for n, word in re.findall(r"(\d+) ([a-z]+(?: not run)?)", last.partition(" in ")[0])}

    @property
    def claims(self) -> list[str]:
        """The lines of the summary, one a claim."""
        lines = self.out.splitlines()
        start = next((n for n, line in enumerate(lines) if "claims: verdicts" in line), len(lines))
        return [line for line in lines[start + 1 :] if re.match(r"(HOLDS|VIOLATED|REFUTED|UNDECIDED|VACUOUS|UNTESTED)  ?", line)]


Run = Callable[..., Done]


def run_pytest(folder: Path, *options: str) -> Done:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return Done(done.returncode, done.stdout + done.stderr)
