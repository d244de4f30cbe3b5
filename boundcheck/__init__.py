"""boundcheck: the theorems of an optimization paper, executable.

    from boundcheck import Bound, Convex, Differentiable, GradientDescent
    from boundcheck.language.letters import *

Names are loaded when they are first used, so that importing boundcheck costs nothing.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "boundcheck.assertions": ("assert_holds",),
    "boundcheck.auditing.audit": ("Audit", "audit"),
    "boundcheck.bound": ("Bound", "Instance", "Paper", "Source"),
    "boundcheck.source": ("Place", "read_places"),
    "boundcheck.hypotheses": ("AtEachStep", "Follows", "GradientDescent", "Once"),
    "boundcheck.problem": (
        "Convex",
        "Differentiable",
        "IsQuadratic",
        "Minimiser",
        "Problem",
        "Smooth",
        "StronglyConvex",
        "TwiceDifferentiable",
    ),
    "boundcheck.rule": ("Rule", "RuleError", "RunEnds", "step_rule"),
    "boundcheck.language.scalars": ("Constant", "Parameter"),
    "boundcheck.language.intervals": ("any_number",),
    "boundcheck.language.relations": ("chain",),
    "boundcheck.api": ("check", "run"),
    "boundcheck.results": ("Verdicts",),
    "boundcheck.watching": ("watch", "watch_scipy"),
    "boundcheck.trace": ("Trace",),
    "boundcheck.verdict": ("Outcome", "Verdict"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"boundcheck has no '{name}'; it has {', '.join(__all__)}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]


class _Package(ModuleType):
    """Importing the module boundcheck.check binds that name here; the function that people call stays what `check` means."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
