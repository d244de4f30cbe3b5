"""One comparison: a claim's worst case by the library, and by PEPit's own example."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from math import inf
from typing import Any

from boundcheck import Bound
from boundcheck.gram.builder import program
from boundcheck.gram.named_reading import NamedSetting, named_program
from boundcheck.gram.solver import Solution, maximise
from boundcheck.tightness.numbers import Numbers, exact
from boundcheck.tightness.program import worst

NEAR = 1e-4  # relative: how near two solvers' answers must be
NOTHING = 1e-5  # what solvers call 0


@dataclass(frozen=True, kw_only=True)
class Case:
    """A claim at k, with the numbers for the library and the arguments for PEPit's function.

    `printed` is the claim's rate, which PEPit's function returns too unless it says otherwise here: that of a claim without a
    printed rate is its parameter tau, in the units of the claim.
    """

    claim: Bound
    folder: str  # of PEPit's examples
    k: int
    numbers: Numbers
    arguments: Mapping[str, Any] = field(default_factory=dict)
    printed: float | None = None
    function: str = ""  # of PEPit, where it is not wc_ and the example's name
    near: float = NEAR  # larger where neither solver comes as near: a worst case that is only approached
    is_rate_of_decrease: bool = False  # PEPit finds -rate, the claim has left and right the other way round
    is_difference: bool = False  # PEPit finds left - right, where nothing says how large the run is: 0, or infinity
    slow: bool = False

    def __str__(self) -> str:
        said = ",".join(f"{name}={value}" for name, value in self.arguments.items())
        return f"{self.claim.label},k={self.k}:{said}".replace(" ", "")[:100]

    def by_pepit(self) -> tuple[float, float | None]:
        """Return the worst case that PEPit finds, and the rate that it prints."""
        module = importlib.import_module(f"PEPit.examples.{self.folder}")
        function = getattr(module, self.function or "wc_" + self.claim.label.split("/")[-1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of cvxpy, which says that it is inaccurate
            found, printed = _solved(function, self.arguments)
        return float(found), None if printed is None else float(printed)

    def ratio(self) -> float:
        """Return left / right at worst, by the library."""
        return worst(self.claim, self.k, self.numbers)[1].high

    def difference(self) -> float:
        """Return left - right at worst, by the library."""
        if self.claim.is_beyond_f:
            parameters = {name: exact(number) for name, number in self.numbers.parameters.items()}
            setting = NamedSetting(k=self.k, parameters=parameters, constants={"L": exact(self.numbers.L or 1)})
            made: Any = named_program(self.claim, setting)
            below = made.below
        else:
            made = program(self.claim, self.numbers.setting(self.k))
            below = (*made.curvature, *made.below)
        found = [maximise(goal, [*below, *own], made.equal, made.basis) for goal, own in made.objectives]
        return max(one.value if isinstance(one, Solution) else inf for one in found)

    def compared(self) -> tuple[float, float]:
        """Return the worst case by the library, and by PEPit."""
        by_pepit, printed = self.by_pepit()
        if self.is_difference:
            return self.difference(), by_pepit
        rate = printed if self.printed is None else self.printed
        assert rate is not None
        if self.is_rate_of_decrease:
            return rate / self.ratio(), by_pepit
        return rate * self.ratio(), by_pepit


def near(ours: float, pepits: float, to: float = NEAR) -> bool:
    return abs(ours - pepits) <= max(to * max(abs(ours), abs(pepits)), NOTHING)


def _solved(function: Callable[..., tuple[Any, Any]], arguments: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return PEPit's answer by Clarabel, or by the solver that cvxpy chooses where Clarabel gives up."""
    from cvxpy.error import SolverError

    if "solver" not in signature(function).parameters:
        return function(**arguments, verbose=-1)
    try:
        return function(**arguments, wrapper="cvxpy", solver="CLARABEL", verbose=-1)
    except SolverError:
        return function(**arguments, wrapper="cvxpy", solver=None, verbose=-1)
