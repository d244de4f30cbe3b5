"""The numbers that make a claim a semidefinite program: its steps, the values of M along the path, constants and parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, fsum, log

from boundcheck.gram.program import Setting
from boundcheck.model.function_classes import FunctionClass
from boundcheck.support.errors import UserError

ANY, PATH_KINDS = "any", ("any", "D", "H")
ONE = Fraction(1)
ROUNDING = 1e-9  # by which numbers may miss a formula that they follow
FINEST = 10**12  # the largest denominator of a number that is given as a float: 1/3 is 1/3
Exact = int | Fraction | float | str


def exact(number: Exact) -> Fraction:
    """Return the fraction that is meant: a float means the simplest one that it is within rounding."""
    try:
        return Fraction(number).limit_denominator(FINEST) if isinstance(number, float) else Fraction(number)
    except (ValueError, ZeroDivisionError, OverflowError, TypeError):
        raise UserError(f"a number is written as 3/2, 1.5 or 2; found {number!r}") from None


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """The steps in turn, and `chords[i]`: M from the point where step i begins to the one where it ends.

    `path` says what that means: "any" is any M, whose quadratic bound holds there; "H" and "D" are equations. A run has as many
    steps as the claim reads, and at least `least_steps`. Without `steps` they are those that the claim's formula gives, and
    `free_steps` where it gives none as numbers.
    """

    steps: tuple[Exact, ...] = ()
    free_steps: tuple[Exact, ...] = (ONE,)
    chords: tuple[Exact, ...] = ()
    L: Exact | None = None
    mu: Exact = 0
    parameters: Mapping[str, Exact] = field(default_factory=dict)
    constants: Mapping[str, Exact] = field(default_factory=dict)  # others than L and mu
    components: int = 2  # of finite sums and blocks
    descriptions: Mapping[str, FunctionClass] = field(default_factory=dict)  # of the classes of names, in place of the usual ones
    path: str = ANY
    least_steps: int = 0

    def __post_init__(self) -> None:
        if self.path not in PATH_KINDS:
            raise UserError(f"path is one of {', '.join(PATH_KINDS)}; found {self.path!r}")
        if not self.free_steps or not all(exact(number) > 0 for number in (*self.steps, *self.free_steps, *self.chords)):
            raise UserError("steps and values of M are positive numbers")
        if (self.L is not None and exact(self.L) <= 0) or exact(self.mu) < 0:
            raise UserError("L is a positive number, and mu is positive or 0")

    @property
    def middle(self) -> float:
        """The curvature in the middle of the steps' own, 1/eta_i, on a logarithmic scale."""
        steps = self.steps or self.free_steps
        return exp(-fsum(log(exact(step)) for step in steps) / len(steps))

    def setting(self, k: int) -> Setting:
        """Return the setting of the program at this k."""
        return Setting(
            k=k,
            smoothness=self.path,
            steps=_fractions(self.steps or self.free_steps),
            chords=_fractions(self.chords),
            parameters=tuple((name, exact(number)) for name, number in self.parameters.items()),
            L=ONE if self.L is None else exact(self.L),
            mu=exact(self.mu),
            bent=None,
            only_convex=False,
            constants=tuple((name, exact(number)) for name, number in self.constants.items()),
        )


def _fractions(numbers: Iterable[Exact]) -> tuple[Fraction, ...]:
    return tuple(map(exact, numbers))
