"""Values of M along a path: constant, growing, shrinking, and those of a real run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

Values = tuple[float, ...]
PROBLEM, RULE, MOST = "logistic-40x5", "1/D", 64


@dataclass(frozen=True)
class Sequence:
    """M_0, ..., M_{k-1}, and what they are called."""

    words: str
    values: Callable[[int], Values]


def geometric(ratio: float, k: int) -> Values:
    return tuple(ratio**n for n in range(k))


def of_a_path(k: int) -> Values:
    """D along gradient descent with steps 1/D, in units of the first."""
    return _path()[:k]


@cache
def _path() -> Values:
    from boundcheck.evaluate.columns import as_column
    from boundcheck.language.letters import eta
    from boundcheck.language.letters import k as letter
    from boundcheck.library.catalogue import runner
    from boundcheck.library.names import problem_named
    from boundcheck.library.user_rules import as_rule

    column, _ = as_column(eta[letter])
    trace = runner().run(problem_named(PROBLEM), as_rule(RULE), steps=MOST).with_columns([column])
    steps = trace.xp.middle(trace.window(column, 0, min(MOST, trace.length(column))))[0]
    return tuple(float(steps[0] / step) for step in steps)


CONSTANT = Sequence("M_i = 1", partial(geometric, 1.0))
GROWING = Sequence("M_i = 2^i", partial(geometric, 2.0))
SHRINKING = Sequence("M_i = 2^-i", partial(geometric, 0.5))
PATH = Sequence(f"M_i = D on {PROBLEM} with steps {RULE}", of_a_path)
ALL = (CONSTANT, GROWING, SHRINKING, PATH)
RATIOS = (
    Fraction(1, 4),
    Fraction(1, 3),
    Fraction(1, 2),
    Fraction(2, 3),
    Fraction(1),
    Fraction(3, 2),
    Fraction(2),
    Fraction(3),
    Fraction(4),
)
GRID = tuple(Sequence(f"M_i = ({q})^i", partial(geometric, float(q))) for q in RATIOS)
