"""boundcheck: the theorems of an optimization paper, executable.

    from boundcheck import Bound, Convex, Differentiable, GradientDescent
    from boundcheck.language.letters import *

Names are loaded when they are first used, so that importing boundcheck costs nothing.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "boundcheck.bound": ("Bound", "Instance", "Paper", "Source"),
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
    "boundcheck.rule": ("Rule", "RuleError"),
    "boundcheck.language.scalars": ("Constant", "Parameter"),
    "boundcheck.language.relations": ("chain",),
    "boundcheck.check": ("check",),
    "boundcheck.trace": ("Trace",),
    "boundcheck.verdict": ("Outcome", "Verdict"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"boundcheck has no '{name}'; it has {', '.join(__all__)}")
    return getattr(import_module(_HOME[name]), name)
