"""The experiment of a claim about more than f: the run that the claim itself describes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.runs.trace import About, Experiment


@dataclass(frozen=True, eq=False)
class NamedExperiment(Experiment):
    """The run that a claim about more than f describes: with its own steps, or a rule's, and a choice of what is free."""

    claim: Bound | None = None
    about: About | None = None
    choice: str = ""
    by_rule: bool = False  # a rule gives the steps; else the claim does, or there are none

    @cached_property
    def key(self) -> Any:
        assert self.claim is not None and self.rule is not None and self.about is not None
        return "named", self.claim.id, self.claim.hash, self.rule.name, self.choice, self.values, self.about.problem

    @property
    def is_gradient_descent(self) -> bool:
        return False
