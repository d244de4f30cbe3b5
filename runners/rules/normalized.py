"""Steps of normalized gradient descent: lengths, for x_{k+1} = x_k - eta_k grad f(x_k) / |grad f(x_k)|.

In exact rationals a run ends where the square root is not rational: c / sqrt(K) lives for K = 4, 9, 16, ...
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boundcheck.arithmetic.base import Exact
from boundcheck.language.letters import eta_length as eta
from boundcheck.language.letters import i, sqrt
from boundcheck.model.rule import Rule, RuleError
from boundcheck.runners.rules.step_values import positive

NORMALIZED = ("normalized",)


def length(value: Exact = 1) -> Rule:
    """eta_k = c."""
    c = positive(value, "a length")
    return Rule(name=f"length({c})", step=lambda run: run.xp.scalar(c), constant=True, methods=NORMALIZED)


def over_sqrt_K(value: Exact = 1) -> Rule:
    """eta_k = c / sqrt(K) for the horizon K, which is known from the start."""
    c = positive(value, "the numerator of over_sqrt_K")

    def step(run: Any) -> Any:
        return run.xp.scalar(c) / run.xp.sqrt(run.xp.scalar(run.steps))

    return Rule(name=f"over_sqrt_K({c})", step=step, constant=True, methods=NORMALIZED)


def over_sqrt(value: Exact = 1) -> Rule:
    """eta_k = c / sqrt(k + 1)."""
    c = positive(value, "the numerator of over_sqrt")

    return Rule(
        name=f"over_sqrt({c})",
        formula=eta[i] == c / sqrt(i + 1),
        implies=(eta[i] == eta[0] / sqrt(i + 1),),
        methods=NORMALIZED,
    )


def lengths(steps: Sequence[Exact], name: str = "lengths") -> Rule:
    """eta_k = the k-th of a given sequence, whatever it is: a claim says itself which ones it needs."""
    given = [positive(step, "a length") for step in steps]
    if not given:
        raise RuleError(f"rule '{name}' has no lengths; give at least one")

    def step(run: Any) -> Any:
        if run.k >= len(given):
            raise RuleError(
                f"rule '{name}' has {len(given)} lengths and was asked for number {run.k}; run fewer steps or give more"
            )
        return run.xp.scalar(given[run.k])

    return Rule(name=name, step=step, methods=NORMALIZED)
