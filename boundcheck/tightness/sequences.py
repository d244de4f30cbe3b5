"""Values of M along a path: constant, growing, shrinking, and those of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

Values = tuple[Fraction, ...]
FINEST = 10**9  # the largest denominator of a value that is read off a run


@dataclass(frozen=True)
class Sequence:
    """M_0, ..., M_{k-1}, and what they are called."""

    words: str
    values: Callable[[int], Values]


def geometric(ratio: Fraction, k: int) -> Values:
    """Return 1, q, q^2, ..."""
    return tuple(ratio**n for n in range(k))


CONSTANT = Sequence("M_i = 1", partial(geometric, Fraction(1)))
GROWING = Sequence("M_i = 2^i", partial(geometric, Fraction(2)))
SHRINKING = Sequence("M_i = 2^-i", partial(geometric, Fraction(1, 2)))


def inverse_steps(problem: str, rule: str, most: int) -> Values:
    """Return 1/eta_i of a run, in units of the first: M_i where the rule's steps are 1/M_i."""
    from boundcheck.evaluate.columns import as_column
    from boundcheck.language.letters import eta
    from boundcheck.language.letters import k as letter
    from boundcheck.library.catalogue import runner
    from boundcheck.library.names import problem_named
    from boundcheck.library.user_rules import as_rule

    column, _ = as_column(eta[letter])
    trace = runner().run(problem_named(problem), as_rule(rule), steps=most).with_columns([column])
    steps = trace.xp.middle(trace.window(column, 0, min(most, trace.length(column))))[0]
    return tuple(Fraction(float(steps[0] / step)).limit_denominator(FINEST) for step in steps)
