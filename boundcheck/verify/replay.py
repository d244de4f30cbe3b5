"""The replay of a certificate: its run, its points and the numbers of its formulas, for what shows or seeks a counterexample.

A walk-through prints these numbers, a picture draws them, a search asks for them before it has a certificate. So what is shown is
what was checked. A replay judges no file: `examine` does, and it compares the hash, the sides and the seal too.

Numbers are fractions (fmpq), or balls (arb) as fine as flint's precision at the time. Points are lists of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .arithmetic import ZERO, holds
from .budgets import Number, Vector
from .certificate import Certificate
from .fields import rationals
from .functions import Function, function_of
from .gram_certificate import GramCertificate
from .interpolation import Interpolation
from .refusals import NoEntry, NotRefuted
from .runs import Runs
from .step_search import is_small

T = TypeVar("T")


class NotComputed(Exception):
    """The data do not give this: it is undefined, or not decided by balls of this precision, or a hypothesis is false."""


class TooShort(NotComputed):
    """The run has no such entry."""


class CheckedFunction:
    """The function of a certificate: values, gradients, and what its data prove of it."""

    def __init__(self, f: Function | Interpolation) -> None:
        self._f = f

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CheckedFunction:
        """Return the function that data describe, which have the form of a certificate's."""
        return cls(computed(lambda: function_of(data)))

    @property
    def dimension(self) -> int:
        """The number of variables."""
        return self._f.dimension

    @property
    def is_convex(self) -> bool:
        """Whether the data prove that it is convex."""
        return computed(lambda: self._f.curved(ZERO))

    @property
    def is_strongly_convex(self) -> bool:
        """Whether the data prove that it is strongly convex."""
        return computed(lambda: self._f.curved(ZERO, strictly=True))

    def value(self, x: Vector) -> Number:
        """Return f(x)."""
        return computed(lambda: self._f.value(x))

    def gradient(self, x: Vector) -> Vector:
        """Return the gradient at x."""
        return computed(lambda: self._f.grad(x))

    def is_lowest(self, x: Vector) -> bool:
        """Decide whether f, a piecewise quadratic of one variable that may not be convex, is nowhere less than at x."""
        return computed(lambda: isinstance(self._f, Function) and self._f.lowest(x))


class Replay:
    """What the data of a certificate give. Each method raises NotComputed where they do not give it.

    `data` has the keys of a certificate; its sides, words, hash and seal are not read, and its shape is not checked.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._certificate = computed(lambda: Certificate(data))
        self._meaning = self._certificate.meaning
        self.f = CheckedFunction(self._meaning.f)
        self._sides: tuple[Number, Number] | None = None

    @property
    def relation(self) -> Mapping[str, Any]:
        """The relation that the certificate is about, as JSON: op, left, right."""
        found: Mapping[str, Any] = self._certificate.relation
        return found

    @property
    def at(self) -> Mapping[str, int]:
        """The k at which the claim is asked; empty for a chord."""
        return self._certificate.at

    @property
    def ends(self) -> Mapping[str, Vector]:
        """The points without an index: the ends of the chord, and x*."""
        return self._meaning.ends

    @property
    def entries(self) -> Mapping[tuple[str, str], Mapping[int, Any]]:
        """The entries of the runs, by role and name, then by index: entries["", "x"][0] is x_0 of the main run."""
        self._runs()
        return self._meaning.entries

    @property
    def steps(self) -> int:
        """The number of steps of the runs; 0 for a chord."""
        runs = self._runs()
        return 0 if runs is None else runs.steps

    def rule(self, k: int) -> Any:
        """Return the equation that gives step k, as JSON, where the file leaves that step open; else None."""
        runs = self._runs()
        return runs.rule if runs is not None and k in runs.open else None

    def value(self, formula: Any, at: Mapping[str, int], role: str = "") -> Any:
        """Return the value of a formula of the claim; `at` has the values of its letters, `role` is whose method it is of."""
        self._runs()
        self._meaning.role = role
        return computed(lambda: self._meaning.value(formula, dict(at)))

    def is_true(self, relation: Any, at: Mapping[str, int]) -> bool:
        """Decide a relation between formulas."""
        self._runs()
        self._meaning.role = ""
        return computed(lambda: self._meaning.is_true(relation, dict(at)))

    def index(self, index: Any, at: Mapping[str, int]) -> int:
        """Return the number that an index of a formula stands for."""
        return computed(lambda: self._meaning.index(index, dict(at)))

    def is_small(self, eta: Number) -> bool:
        """Decide whether an exponential search, from the start of the main run and with as many steps, finds eta small enough."""
        main = self._certificate.data["run"]["roles"][""]
        return computed(lambda: is_small(self._meaning, eta, rationals(main["start"]), len(main["eta"])))

    def sides(self) -> tuple[Number, Number]:
        """Return both sides of the relation, where every hypothesis holds."""
        if self._sides is None:
            self._sides = computed(self._certificate.sides)
        return self._sides

    def fails(self) -> bool:
        """Decide whether the claim is false there: every hypothesis holds, and the relation does not."""
        return not computed(lambda: holds(self.relation["op"], *self.sides()))

    def _runs(self) -> Runs | None:
        computed(self._certificate.make_runs)
        return self._certificate.runs


class GramReplay:
    """What the data of a certificate of the kind "gram" give. Its sides, words, hash and seal are not read."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._certificate = computed(lambda: GramCertificate(data))

    @property
    def relation(self) -> Mapping[str, Any]:
        """The relation that the certificate is about, as JSON: op, left, right."""
        found: Mapping[str, Any] = self._certificate.relation
        return found

    def value(self, formula: Any, at: Mapping[str, int]) -> Any:
        """Return the value of a formula of the claim: a number, or the coefficients of a vector."""
        return computed(lambda: self._certificate.meaning.value(formula, dict(at)))

    def sides(self) -> tuple[Number, Number]:
        """Return both sides of the relation, where everything that the data say is so."""
        return computed(self._certificate.sides)


def computed(compute: Callable[[], T]) -> T:
    """Return what it computes; NotComputed where the data do not give it."""
    try:
        return compute()
    except NoEntry as why:
        raise TooShort(str(why)) from why
    except (NotRefuted, ArithmeticError, ValueError, LookupError, TypeError, StopIteration) as why:
        raise NotComputed(str(why) or type(why).__name__) from why
