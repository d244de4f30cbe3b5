"""A whole run of any method as the recorder reads it: its points and numbers, and how far the exact run may be from them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import NotInThisArithmetic, Scalars, Vectors
from boundcheck.language.scalars import Scalar
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Point
from boundcheck.method import STEP_LETTER
from boundcheck.runners.chunk import lipschitz
from boundcheck.runners.formula import Here, gradient_step
from boundcheck.runners.iterate import Iteration, updates_at


class History:
    """`path` has the error of the whole trajectory; `exact` takes each stored x_n as it is, `image` the image of x_{n-1}."""

    first = 0

    def __init__(self, run: Iteration, steps: int) -> None:
        self.run, self.xp, self.problem, self.steps = run, run.xp, run.problem, steps
        self.count, self.runs = steps + 1, 1
        self._enclosed: dict[tuple[str, int], Any] = {}
        if not self.xp.exact:
            with np.errstate(all="ignore"):
                self._enclose()

    def of(self, run: str) -> History:
        if run:
            raise NotInThisArithmetic(f"the claim reads a second run, '{run}'; this is one run")
        return self

    # -- the error of the trajectory -----------------------------------------------------------------------------------------

    def _enclose(self) -> None:
        """Each update once more, from enclosures of what it reads: its error is added to the stored entry."""
        self._enclosed["x", 0] = self._stored("x", 0)
        for k in range(self.steps):
            for name in (name for name in self.run.entries if (name, k) not in self._enclosed and self._is_chosen(name)):
                self._enclosed[name, k] = self._stored(name, k)
            for update in updates_at(self.run.method, k):
                here = Here(self.problem, self.xp, k, self._entry, self.run.enclosed)
                at = (update.name, here.at(update.index))
                self._enclosed[at] = self._updated(here, update.to, at)

    def _is_chosen(self, name: str) -> bool:
        """Chosen by the rule, so exactly what is stored: eta, and what the rule noted beside it."""
        return name not in {update.name for update in (*self.run.method.each, *self.run.method.first)} and name != "x"

    def _updated(self, here: Here, formula: Any, at: tuple[str, int]) -> Any:
        if (step := gradient_step(formula)) is not None:
            moved = self._gradient_step(here, *step)
        else:
            moved = here.value(self.run.read(formula))
        stored = self.run.entries[at[0]][at[1]]
        if isinstance(stored, np.ndarray) and stored.ndim:
            apart = self.xp.vectors(stored[None, None]) - moved  # a run may round otherwise than an enclosure does
            return self.xp.vectors(stored[None, None], _reach(self.xp, self.xp.norm(apart)))
        number = self.xp.scalars(np.asarray(stored, dtype=self.xp.plain.dtype).reshape(1, 1))
        return self.xp.scalars(np.asarray(stored, dtype=self.xp.plain.dtype).reshape(1, 1), _reach(self.xp, number - moved))

    def _gradient_step(self, here: Here, point: Point, factor: Scalar) -> Vectors:
        """p - s grad f(p) from the stored p, and what the map makes of the error of p: no more than its Lipschitz constant."""
        xp, s, around = self.xp, here.number(factor), here.point(point)
        assert point.index is not None
        p = self._stored(point.name, here.at(point.index))
        moved = p - xp.scale(s, self.problem.grad(xp, p))
        radius = xp.radius(around)
        L = self.problem.L
        if L is None:
            local = self.problem.local_smoothness
            stored = np.asarray(self.run.entries[point.name][here.at(point.index)], dtype=np.float64)
            L = float(np.max(local(stored, float(radius.max())))) if local is not None and np.isfinite(radius).all() else np.inf
        size = np.abs(xp.middle(s)) + xp.error(s)
        grows = lipschitz(self.problem, float(L), size) + 2 * xp.error(s) * float(L)
        grows = np.where(xp.middle(s) >= xp.error(s), grows, 1 + size * float(L))  # a step uphill stretches
        return xp.enlarge(moved, np.where(radius > 0, grows * radius * (1 + 1e-12), 0.0))

    def _stored(self, name: str, index: int) -> Any:
        return self.run.enclosed_entry(name, index)

    def _entry(self, name: str, index: int) -> Any:
        return self._enclosed[name, index]

    # -- as the recorder reads it ----------------------------------------------------------------------------------------------

    def _last(self, name: str) -> int:
        """One past the last entry of a sequence that this history has."""
        return self.steps + (1 if name in self.run.method.state else 0)

    @cached_property
    def _series(self) -> dict[tuple[str, str], Any]:
        return {}

    def _kept(self, name: str, kind: str, make: Any) -> Any:
        if (name, kind) not in self._series:
            self._series[name, kind] = make()
        return self._series[name, kind]

    def points(self, name: str, kind: str) -> Vectors:
        """All points of a sequence."""
        return self._kept(name, kind, lambda: self._points(name, kind))

    def _points(self, name: str, kind: str) -> Vectors:
        xp = self.xp
        stored = np.stack([np.asarray(self.run.entries[name][n]) for n in range(self._last(name))])[None]
        if xp.exact:
            return xp.vectors(stored)
        if kind == "exact":
            return xp.vectors(stored)
        if kind == "image":
            return xp.vectors(stored, self._one_step_error)
        return xp.vectors(stored, np.stack([xp.radius(self._enclosed[name, n]) for n in range(self._last(name))], -1)[0])

    @cached_property
    def _one_step_error(self) -> Any:
        """How far each stored x_{n+1} may be from the exact image of the stored x_n, for methods that know nothing but x."""
        (update,) = (u for u in self.run.method.each if u.name == "x")
        errors = [np.zeros((1, 1))]
        for k in range(self.steps):
            here = Here(self.problem, self.xp, k, self.run.enclosed_entry, self.run.enclosed)
            errors.append(self.xp.radius(here.value(self.run.read(update.to))))
        return np.concatenate(errors, -1)

    def grads(self, name: str, kind: str) -> Vectors:
        return self._kept(f"grad {name}", kind, lambda: self._grads(name, kind))

    def _grads(self, name: str, kind: str) -> Vectors:
        xp, L = self.xp, self.problem.L
        points = self.points(name, kind)
        if xp.exact or kind == "exact" or L is None:
            return self.problem.grad(xp, points)
        return xp.enlarge(self.grads(name, "exact"), xp.radius(points) * (float(L) * (1 + 1e-15)))

    def numbers(self, name: str) -> Scalars:
        """All entries of a sequence of numbers."""
        return self._kept(name, "path", lambda: self._numbers(name))

    def _numbers(self, name: str) -> Scalars:
        if name not in self.run.entries:
            raise NotInThisArithmetic(f"rule '{self.run.rule.name}' records no {name}")
        stored = np.array([self.run.entries[name][n] for n in range(self._last(name))], dtype=self.xp.plain.dtype)[None]
        if self.xp.exact:
            return self.xp.scalars(stored)
        return self.xp.scalars(stored, np.stack([self.xp.error(self._enclosed[name, n]) for n in range(self._last(name))], -1)[0])

    def step_scale(self, kind: str) -> Scalars | None:
        """s_n with x_{n+1} - x_n = -s_n grad f(x_n), where the method moves so."""
        (update,) = (u for u in self.run.method.each if u.name == "x")
        step = gradient_step(update.to)
        if step is None or step[0].name != "x" or step[0].index != Index(STEP_LETTER):
            return None
        return self._kept("scale", kind, lambda: self._scale(step[1], kind))

    def _scale(self, factor: Scalar, kind: str) -> Scalars:
        """The factor at each step, from the entries that this step reads."""
        kind = "exact" if kind == "image" else kind
        one = self.xp.scalars(np.zeros((1, 1)))  # a constant factor too has an entry a step
        return self.xp.concatenate([self._at_step(n, kind).number(factor) + one for n in range(self.steps)])

    def _at_step(self, n: int, kind: str) -> Here:
        def entry(name: str, index: int) -> Any:
            stored = self.run.entries[name][index]
            is_point = isinstance(stored, np.ndarray) and stored.ndim
            return (self.points(name, kind) if is_point else self.numbers(name))[:, index : index + 1]

        here = Here(self.problem, self.xp, n, entry, self.run.enclosed)

        def gradient(node: Point) -> Any:
            assert node.index is not None
            return self.grads(node.name, kind)[:, here.at(node.index) : here.at(node.index) + 1]

        here.gradient = gradient  # type: ignore[method-assign]
        return here


def _reach(xp: Any, difference: Scalars) -> Any:
    """An upper bound of the absolute value."""
    return (np.abs(xp.middle(difference)) + xp.error(difference)) * (1 + 1e-15)


class Together:
    """Several runs for one claim, each by its role."""

    first = 0

    def __init__(self, roles: dict[str, History]) -> None:
        self.roles = roles
        self.count = min(history.count for history in roles.values())
        self.runs = 1

    def of(self, run: str) -> History:
        if run not in self.roles:
            raise NotInThisArithmetic(f"no run plays '{run}'; there are {', '.join(repr(r) for r in self.roles)}")
        return self.roles[run]
