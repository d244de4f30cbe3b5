"""An experiment: what is run so that claims can be asked of it. Claims that need the same one share it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from boundcheck.claims.hypotheses import Runs
from boundcheck.language.chords import ChordQuantity
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.rule import Rule

CHORDS = "chords"


@dataclass(frozen=True, eq=False)
class Experiment:
    """Chords (no rule); or the runs that a claim is about, driven by a rule, with the letters that their methods read."""

    rule: Rule | None
    runs: Runs | None = None
    values: tuple[tuple[str, Any], ...] = ()
    smoothness: str | ChordQuantity = ""  # a search for steps looks at the M of the claim

    @cached_property
    def key(self) -> str | tuple[Any, ...]:
        if self.rule is None or self.runs is None:
            return CHORDS
        roles = tuple((role, method.key, method.name) for role, method in self.runs.roles)
        return self.rule.name, roles, self.runs.steps, self.values, self.smoothness

    @property
    def method(self) -> str:
        """What its trace is called."""
        return CHORDS if self.runs is None else self.runs.method

    @property
    def is_gradient_descent(self) -> bool:
        """One gradient descent: its errors are well understood, so it may run for long."""
        return self.runs is not None and [method.key for _, method in self.runs.roles] == [GRADIENT_DESCENT.key]
