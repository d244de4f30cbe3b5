"""A problem from a PyTorch function: it maps one point, a tensor of shape (d,), to its value. Gradients come by autograd.

Nothing is known of how such a function rounds, so its errors are assumed, not bounded, and every verdict about it is numerical.
The assumption is stated: the value at x is within `relative_error` times |f(x)| + |f(start)| of the true one, and the gradient
within `relative_error` times |grad f(x)| + |grad f(start)| + L |x|. The sizes at the start are there because what is summed up
seldom gets smaller on the way to a minimiser, where the sum does; the last term because rounding x moves the gradient by that.
How far a point may be from the exact run's is bounded as everywhere: it needs L, or `local_smoothness`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, NotInThisArithmetic, Scalars, Vectors
from boundcheck.arithmetic.plain import PlainFloat64
from boundcheck.model.problem import Fact, Minimiser, Problem, best_L
from boundcheck.support.errors import UserError

ASSUMED = "errors of the torch function are assumed, not bounded"
ROUNDINGS = 1000  # relative error that is assumed unless the author states another: this many units of the format


@dataclass(frozen=True)
class _TorchFunction:
    function: Callable[[Any], Any]
    start: tuple[Exact, ...]
    L: Exact | None
    local_smoothness: Callable[..., Any] | None
    relative_error: float | None
    name: str
    _sizes: dict[Any, tuple[float, float]] = field(default_factory=dict)

    def f(self, xp: Any, x: Vectors) -> Scalars:
        place, points, radius = self._read(xp, x)
        values = place.batched(self._value)(points)
        if radius is None:
            return xp.scalars(values)[()]
        with np.errstate(all="ignore"):
            error = self._relative(place) * (np.abs(values) + self._at_start(place)[0])
            slope = np.linalg.norm(place.batched(self._gradient)(points), axis=-1) + self._gradient_error(place, points)
            bend = self._smoothness(points, radius)
            return xp.scalars(values, error + _product(slope, radius) + _product(bend, radius * radius) / 2)

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        place, points, radius = self._read(xp, x)
        gradients = place.batched(self._gradient)(points)
        if radius is None:
            return xp.vectors(gradients)
        with np.errstate(all="ignore"):
            error = self._gradient_error(place, points) + _product(self._smoothness(points, radius), radius)
            return xp.vectors(gradients, np.where(np.isnan(error), np.inf, error))

    # -- errors ------------------------------------------------------------------------------------------------------
    def _relative(self, place: _Place) -> float:
        return ROUNDINGS * place.unit if self.relative_error is None else self.relative_error

    def _gradient_error(self, place: _Place, points: Any) -> Any:
        size = np.linalg.norm(place.batched(self._gradient)(points), axis=-1) + self._at_start(place)[1]
        drift = 0.0 if self.L is None else float(self.L) * np.linalg.norm(points, axis=-1)
        return self._relative(place) * (size + drift)

    def _at_start(self, place: _Place) -> tuple[float, float]:
        """The sizes of the value and of the gradient at the start."""
        if place not in self._sizes:
            start = np.array([float(c) for c in self.start])
            value, gradient = place.batched(self._value)(start), place.batched(self._gradient)(start)
            self._sizes[place] = (abs(float(value)), float(np.linalg.norm(gradient)))
        return self._sizes[place]

    def _smoothness(self, points: Any, radius: Any) -> Any:
        """A Lipschitz constant of the gradient on the ball about each point; infinite where the author gave none."""
        if self.L is not None:
            return float(self.L) * (1 + 2.0**-40)
        return np.inf if self.local_smoothness is None else self.local_smoothness(points, radius)

    # -- the function ------------------------------------------------------------------------------------------------
    def _value(self, x: Any) -> Any:
        made = self.function(x)
        if getattr(made, "shape", None) != ():
            found = f"shape {tuple(made.shape)}" if hasattr(made, "shape") else type(made).__name__
            raise UserError(f"{self.name}: the torch function returned {found}; needs one number, a tensor of shape ()")
        return made

    @cached_property
    def _gradient(self) -> Callable[[Any], Any]:
        made: Callable[[Any], Any] = import_module("torch").func.grad(self._value)
        return made

    def _read(self, xp: Any, x: Any) -> tuple[_Place, Any, Any]:
        """Where to compute, the points as host numbers, and the radius of each; None in the plain namespaces."""
        bare = isinstance(xp, PlainFloat64)
        plain = xp if bare else getattr(xp, "plain", None)
        if not isinstance(plain, PlainFloat64):
            raise NotInThisArithmetic(
                f"{self.name} is a torch function: it runs in float64 and torch only; use --arithmetic float64 or torch:cpu"
            )
        place = _Place(
            str(getattr(plain, "device", "cpu")), str(getattr(plain, "format", "torch.float64")).removeprefix("torch.")
        )
        return (place, np.asarray(x), None) if bare else (place, np.asarray(x.mid), xp.radius(x))


@dataclass(frozen=True)
class _Place:
    """A device and a format."""

    device: str
    digits: str

    @property
    def unit(self) -> float:
        return 2.0**-24 if self.digits == "float32" else 2.0**-53

    def batched(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The function for a whole stack of points at once: host numbers in, host numbers out."""
        torch = import_module("torch")

        def of(points: Any) -> Any:
            stack = torch.tensor(points.reshape(-1, points.shape[-1])).to(dtype=getattr(torch, self.digits)).to(self.device)
            made = torch.func.vmap(function)(stack).detach().to(device="cpu", dtype=torch.float64).numpy()
            return made.reshape((*points.shape[:-1], *made.shape[1:]))

        return of


def _product(a: Any, b: Any) -> Any:
    """a b, and 0 where b is 0 even if a is infinite."""
    return np.where(np.asarray(b) == 0, 0.0, a * b)


def torch_problem(
    function: Callable[[Any], Any],
    *,
    start: Sequence[Exact],
    facts: Iterable[Fact] = (),
    minimiser: Minimiser | None = None,
    name: str = "torch function",
    relative_error: float | None = None,
    local_smoothness: Callable[..., Any] | None = None,
    about: str = "",
) -> Problem:
    """The problem of minimising a torch function, batched by `torch.func.vmap`: no branch on values, no change in place.

    The facts, the minimiser and `relative_error` are the author's word: nothing here checks them. Tensors that the function
    closes over must follow its argument: `A.to(x)`.
    """
    if relative_error is not None and not 0 <= relative_error < np.inf:
        raise UserError(f"{name}: found relative_error {relative_error}; needs a finite number, 0 or more")
    known = frozenset(facts)
    L = best_L(known)
    holder = _TorchFunction(function, tuple(start), L, local_smoothness, relative_error, name)
    if minimiser is not None:
        minimiser = replace(minimiser, which=f"{minimiser.which}, as stated by its author")
    return Problem(
        name=name,
        dimension=len(start),
        f=holder.f,
        grad=holder.grad,
        facts=known,
        start=tuple(start),
        minimiser=minimiser,
        local_smoothness=local_smoothness,
        about=f"{about or 'a torch function, with gradients by autograd'}; {ASSUMED}",
        notes=(ASSUMED,),
    )
