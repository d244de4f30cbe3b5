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
    from boundcheck.audit.audit import Audit as Audit
    from boundcheck.audit.audit import audit as audit
    from boundcheck.certificates.verification import Verification as Verification
    from boundcheck.check.assertions import assert_holds as assert_holds
    from boundcheck.check.verdict import Outcome as Outcome
    from boundcheck.check.verdict import Verdict as Verdict
    from boundcheck.check.verdicts import Verdicts as Verdicts
    from boundcheck.claims.bound import Bound as Bound
    from boundcheck.claims.bound import Instance as Instance
    from boundcheck.claims.bound import Paper as Paper
    from boundcheck.claims.bound import Source as Source
    from boundcheck.claims.bound import Through as Through
    from boundcheck.claims.hypotheses import AtEachStep as AtEachStep
    from boundcheck.claims.hypotheses import By as By
    from boundcheck.claims.hypotheses import FixedPointOf as FixedPointOf
    from boundcheck.claims.hypotheses import Follows as Follows
    from boundcheck.claims.hypotheses import GradientDescent as GradientDescent
    from boundcheck.claims.hypotheses import Minimises as Minimises
    from boundcheck.claims.hypotheses import Once as Once
    from boundcheck.claims.hypotheses import Runs as Runs
    from boundcheck.claims.hypotheses import SamePoint as SamePoint
    from boundcheck.claims.hypotheses import Solution as Solution
    from boundcheck.claims.hypotheses import ZeroOf as ZeroOf
    from boundcheck.claims.source import Place as Place
    from boundcheck.claims.source import read_places as read_places
    from boundcheck.falsify.counterexample import Counterexample as Counterexample
    from boundcheck.falsify.counterexample import NoCounterexample as NoCounterexample
    from boundcheck.language.chords import ChordQuantity as ChordQuantity
    from boundcheck.language.relations import any_number as any_number
    from boundcheck.language.relations import chain as chain
    from boundcheck.language.scalars import Constant as Constant
    from boundcheck.language.scalars import Parameter as Parameter
    from boundcheck.model.facts import BlockSmooth as BlockSmooth
    from boundcheck.model.facts import Cocoercive as Cocoercive
    from boundcheck.model.facts import Diameter as Diameter
    from boundcheck.model.facts import ErrorBound as ErrorBound
    from boundcheck.model.facts import Indicator as Indicator
    from boundcheck.model.facts import Linear as Linear
    from boundcheck.model.facts import Lipschitz as Lipschitz
    from boundcheck.model.facts import LipschitzOperator as LipschitzOperator
    from boundcheck.model.facts import Monotone as Monotone
    from boundcheck.model.facts import NegativelyComonotone as NegativelyComonotone
    from boundcheck.model.facts import Nonexpansive as Nonexpansive
    from boundcheck.model.facts import PolyakLojasiewicz as PolyakLojasiewicz
    from boundcheck.model.facts import QuadraticGrowth as QuadraticGrowth
    from boundcheck.model.facts import RestrictedSecant as RestrictedSecant
    from boundcheck.model.facts import ShortestDisplacement as ShortestDisplacement
    from boundcheck.model.facts import SkewSymmetric as SkewSymmetric
    from boundcheck.model.facts import StronglyMonotone as StronglyMonotone
    from boundcheck.model.facts import Support as Support
    from boundcheck.model.facts import Symmetric as Symmetric
    from boundcheck.model.function_classes import FunctionClass as FunctionClass
    from boundcheck.model.method import Method as Method
    from boundcheck.model.method import Update as Update
    from boundcheck.model.part import Part as Part
    from boundcheck.model.part import Solved as Solved
    from boundcheck.model.problem import Convex as Convex
    from boundcheck.model.problem import Differentiable as Differentiable
    from boundcheck.model.problem import Fact as Fact
    from boundcheck.model.problem import IsQuadratic as IsQuadratic
    from boundcheck.model.problem import Minimiser as Minimiser
    from boundcheck.model.problem import Problem as Problem
    from boundcheck.model.problem import Smooth as Smooth
    from boundcheck.model.problem import StronglyConvex as StronglyConvex
    from boundcheck.model.problem import TwiceDifferentiable as TwiceDifferentiable
    from boundcheck.model.rule import Rule as Rule
    from boundcheck.model.rule import RuleError as RuleError
    from boundcheck.model.rule import RunEnds as RunEnds
    from boundcheck.model.rule import step_rule as step_rule
    from boundcheck.model.step_search import StepSearch as StepSearch
    from boundcheck.runs.trace import Trace as Trace
    from boundcheck.runs.watch import watch as watch
    from boundcheck.runs.watch import watch_scipy as watch_scipy
    from boundcheck.support.errors import BoundcheckError as BoundcheckError
    from boundcheck.support.errors import UserError as UserError

_HOMES = {
    "boundcheck.check.assertions": ("assert_holds",),
    "boundcheck.audit.audit": ("Audit", "audit"),
    "boundcheck.claims.bound": ("Bound", "Instance", "Paper", "Source", "Through"),
    "boundcheck.certificates.verification": ("Verification",),
    "boundcheck.falsify.counterexample": ("Counterexample", "NoCounterexample"),
    "boundcheck.claims.source": ("Place", "read_places"),
    "boundcheck.claims.hypotheses": (
        "AtEachStep",
        "By",
        "FixedPointOf",
        "Follows",
        "GradientDescent",
        "Minimises",
        "Once",
        "Runs",
        "SamePoint",
        "Solution",
        "ZeroOf",
    ),
    "boundcheck.model.facts": (
        "BlockSmooth",
        "Cocoercive",
        "Diameter",
        "ErrorBound",
        "Indicator",
        "Linear",
        "Lipschitz",
        "LipschitzOperator",
        "Monotone",
        "NegativelyComonotone",
        "Nonexpansive",
        "PolyakLojasiewicz",
        "QuadraticGrowth",
        "RestrictedSecant",
        "ShortestDisplacement",
        "SkewSymmetric",
        "StronglyMonotone",
        "Support",
        "Symmetric",
    ),
    "boundcheck.language.chords": ("ChordQuantity",),
    "boundcheck.model.function_classes": ("FunctionClass",),
    "boundcheck.model.method": ("Method", "Update"),
    "boundcheck.model.part": ("Part", "Solved"),
    "boundcheck.model.problem": (
        "Convex",
        "Differentiable",
        "Fact",
        "IsQuadratic",
        "Minimiser",
        "Problem",
        "Smooth",
        "StronglyConvex",
        "TwiceDifferentiable",
    ),
    "boundcheck.model.step_search": ("StepSearch",),
    "boundcheck.model.rule": ("Rule", "RuleError", "RunEnds", "step_rule"),
    "boundcheck.language.scalars": ("Constant", "Parameter"),
    "boundcheck.language.relations": ("any_number", "chain"),
    "boundcheck.api": ("check", "falsify", "run", "sweep", "tightness", "verify"),
    "boundcheck.check.verdicts": ("Verdicts",),
    "boundcheck.runs.watch": ("watch", "watch_scipy"),
    "boundcheck.support.errors": ("BoundcheckError", "UserError"),
    "boundcheck.runs.trace": ("Trace",),
    "boundcheck.check.verdict": ("Outcome", "Verdict"),
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
