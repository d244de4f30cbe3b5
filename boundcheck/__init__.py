"""boundcheck: the theorems of an optimization paper, executable.

    from boundcheck import Bound, Convex, Differentiable, GradientDescent
    from boundcheck.letters import *

Names are loaded when they are first used, so that importing boundcheck costs nothing.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:  # what static tools read; tests/api/test_static_types.py holds it to the table below
    from boundcheck.api import check as check
    from boundcheck.api import falsify as falsify
    from boundcheck.api import run as run
    from boundcheck.api import sweep as sweep
    from boundcheck.api import tightness as tightness
    from boundcheck.api import verify as verify
    from boundcheck.assertions import assert_holds as assert_holds
    from boundcheck.auditing.audit import Audit as Audit
    from boundcheck.auditing.audit import audit as audit
    from boundcheck.bound import Bound as Bound
    from boundcheck.bound import Instance as Instance
    from boundcheck.bound import Paper as Paper
    from boundcheck.bound import Source as Source
    from boundcheck.certificates.verification import Verification as Verification
    from boundcheck.falsify.counterexample import Counterexample as Counterexample
    from boundcheck.falsify.counterexample import NoCounterexample as NoCounterexample
    from boundcheck.hypotheses import AtEachStep as AtEachStep
    from boundcheck.hypotheses import By as By
    from boundcheck.hypotheses import Follows as Follows
    from boundcheck.hypotheses import GradientDescent as GradientDescent
    from boundcheck.hypotheses import Once as Once
    from boundcheck.hypotheses import Runs as Runs
    from boundcheck.language.intervals import any_number as any_number
    from boundcheck.language.relations import chain as chain
    from boundcheck.language.scalars import Constant as Constant
    from boundcheck.language.scalars import Parameter as Parameter
    from boundcheck.method import Method as Method
    from boundcheck.method import Update as Update
    from boundcheck.problem import Convex as Convex
    from boundcheck.problem import Differentiable as Differentiable
    from boundcheck.problem import IsQuadratic as IsQuadratic
    from boundcheck.problem import Minimiser as Minimiser
    from boundcheck.problem import Problem as Problem
    from boundcheck.problem import Smooth as Smooth
    from boundcheck.problem import StronglyConvex as StronglyConvex
    from boundcheck.problem import TwiceDifferentiable as TwiceDifferentiable
    from boundcheck.results import Verdicts as Verdicts
    from boundcheck.rule import Rule as Rule
    from boundcheck.rule import RuleError as RuleError
    from boundcheck.rule import RunEnds as RunEnds
    from boundcheck.rule import step_rule as step_rule
    from boundcheck.source import Place as Place
    from boundcheck.source import read_places as read_places
    from boundcheck.support.errors import BoundcheckError as BoundcheckError
    from boundcheck.support.errors import UserError as UserError
    from boundcheck.trace import Trace as Trace
    from boundcheck.verdict import Outcome as Outcome
    from boundcheck.verdict import Verdict as Verdict
    from boundcheck.watching import watch as watch
    from boundcheck.watching import watch_scipy as watch_scipy

_HOMES = {
    "boundcheck.assertions": ("assert_holds",),
    "boundcheck.auditing.audit": ("Audit", "audit"),
    "boundcheck.bound": ("Bound", "Instance", "Paper", "Source"),
    "boundcheck.certificates.verification": ("Verification",),
    "boundcheck.falsify.counterexample": ("Counterexample", "NoCounterexample"),
    "boundcheck.source": ("Place", "read_places"),
    "boundcheck.hypotheses": ("AtEachStep", "By", "Follows", "GradientDescent", "Once", "Runs"),
    "boundcheck.method": ("Method", "Update"),
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
    "boundcheck.api": ("check", "falsify", "run", "sweep", "tightness", "verify"),
    "boundcheck.results": ("Verdicts",),
    "boundcheck.watching": ("watch", "watch_scipy"),
    "boundcheck.support.errors": ("BoundcheckError", "UserError"),
    "boundcheck.trace": ("Trace",),
    "boundcheck.verdict": ("Outcome", "Verdict"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def _load(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"boundcheck has no '{name}'; it has {', '.join(__all__)}")
    return getattr(import_module(_HOME[name]), name)


if not TYPE_CHECKING:  # a static tool that sees it takes every name, misspelt ones too, for Any
    __getattr__ = _load


def __dir__() -> list[str]:
    return [*globals(), *__all__]


class _Package(ModuleType):
    """The package, whose functions keep their names when a module of the same name is imported.

    After `from boundcheck.falsify.search import search` Python binds the package boundcheck.falsify to `boundcheck.falsify`. Here
    the function stays what that name means; `from boundcheck.falsify.search import ...` reads the module from sys.modules. What
    does not work is `boundcheck.falsify.search` as an expression, and `import boundcheck.verify as v`: it is the function.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
