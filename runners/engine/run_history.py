"""A whole run of any method as the recorder reads it: its points and numbers, and how far the exact run may be from them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import NotInThisArithmetic, Scalars, Vectors
from boundcheck.language.scalars import Scalar
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Point
from boundcheck.model.schedule import STEP_LETTER
from boundcheck.runners.enclosures.lipschitz import beside_start, lipschitz, nearest, smoothness_about, stretched
from boundcheck.runners.engine.leaf_values import Here, gradient_step
from boundcheck.runners.engine.method_run import Iteration, updates_at


class History:
    """`path` has the error of the whole trajectory; `exact` takes each stored x_n as it is, `image` the image of x_{n-1}."""

    first = 0

    def __init__(self, run: Iteration, steps: int) -> None:
        self.run, self.xp, self.problem, self.steps = run, run.xp, run.problem, steps
        self.count, self.runs = steps + 1, 1
        self._enclosed: dict[tuple[str, int], Any] = {}
        self._radii: dict[tuple[str, int], Any] = {}  # of points, where an arithmetic keeps an error a coordinate only
        self._stretch = 0.0  # the largest Lipschitz constant of a gradient step
        if not self.xp.exact:
            with np.errstate(all="ignore"):
                self._enclose()
                if self.xp.certified and not self._is_tame:
                    self._tighten()

    def of(self, run: str) -> History:
        if run:
            raise NotInThisArithmetic(f"the claim reads a second run, '{run}'; this is one run")
        return self

    # -- the error of the trajectory -----------------------------------------------------------------------------------------

    def _enclose(self) -> None:
        """Each update once more, from enclosures of what it reads: its error is added to the stored entry."""
        self._enclosed["x", 0] = self._about(("x", 0), self.run.start_error)
        for k in range(self.steps):
            for name in (name for name in self.run.entries if (name, k) not in self._enclosed and self._is_chosen(name)):
                self._enclosed[name, k] = self._stored(name, k)
            for update in updates_at(self.run.method, k):
                here = Here(self.problem, self.xp, k, self._entry, self.run.enclosed)
                at = (update.name, here.at(update.index))
                self._enclosed[at] = self._updated(here, update.to, at)

    @property
    def _is_tame(self) -> bool:
        """Is every step a gradient step from x_k, with a step that the rule chose, that stretches nothing?"""
        (update,) = (u for u in self.run.method.each if u.name == "x")
        step = gradient_step(update.to)
        if not self.run.method.is_one_map or step is None or step[0].name != "x":
            return False
        return not any(isinstance(node, Point) for node in step[1].walk()) and self._stretch <= 1 + 2.0**-30

    def _tighten(self) -> None:
        """The smaller of each entry's radius and that of a tube about the run: other maps than gradient steps stretch."""
        from boundcheck.runners.enclosures.method_tube import MethodTube, has_derivatives

        if not has_derivatives(self.problem, self.run.method):
            return
        try:
            radii = MethodTube(self.run).go(self.steps).radii
        except NotInThisArithmetic:  # an update reads what has no derivative
            return
        for entry, enclosed in self._enclosed.items():
            if entry in radii:
                known = self._radii.get(entry) if self._is_point(entry) else self.xp.error(enclosed)
                self._enclosed[entry] = self._about(entry, radii[entry] if known is None else np.fmin(known, radii[entry]))

    def _is_point(self, entry: tuple[str, int]) -> bool:
        stored = self.run.entries[entry[0]][entry[1]]
        return isinstance(stored, np.ndarray) and stored.ndim > 0

    def _about(self, entry: tuple[str, int], radius: Any) -> Any:
        """A stored entry, known within a radius."""
        radius = np.broadcast_to(np.asarray(radius, dtype=np.float64), (1, 1))
        stored = np.asarray(self.run.entries[entry[0]][entry[1]], dtype=self.xp.plain.dtype)
        if self._is_point(entry):
            if self.xp.certified:
                self._radii[entry] = radius
            return self.xp.vectors(stored[None, None], radius)
        return self.xp.scalars(stored.reshape(1, 1), radius)

    def _is_chosen(self, name: str) -> bool:
        """Chosen by the rule, so exactly what is stored: eta, and what the rule noted beside it."""
        return not self._is_set(name) and name != "x"

    def _is_set(self, name: str) -> bool:
        return any(update.name == name for update in (*self.run.method.each, *self.run.method.first))

    def _updated(self, here: Here, formula: Any, at: tuple[str, int]) -> Any:
        if (step := gradient_step(formula)) is None:
            return self._about(at, self._apart(at, here.value(self.run.read(formula))))
        moved, growth = self._gradient_step(here, *step)
        if self.xp.certified:
            return self._about(at, (self._apart(at, moved) + growth) * (1 + 1e-15))
        return self._about(at, self._apart(at, self.xp.enlarge(moved, growth)))

    def _apart(self, at: tuple[str, int], moved: Any) -> Any:
        """How far an entry may be from the enclosure of it: a run may round otherwise than an enclosure does."""
        stored = np.asarray(self.run.entries[at[0]][at[1]], dtype=self.xp.plain.dtype)
        if self.xp.certified:
            from boundcheck.runners.enclosures.descent_tube import coordinates_apart

            return self.xp.apart(moved, stored[None, None]) if stored.ndim else coordinates_apart(self.xp, moved, stored)
        if stored.ndim:
            return _reach(self.xp, self.xp.norm(self.xp.vectors(stored[None, None]) - moved))
        return _reach(self.xp, self.xp.scalars(stored.reshape(1, 1)) - moved)

    def _gradient_step(self, here: Here, point: Point, factor: Scalar) -> tuple[Vectors, Any]:
        """p - s grad f(p) from the stored p, and what the map makes of the error of p: no more than its Lipschitz constant."""
        xp, s, around = self.xp, here.number(factor), here.point(point)
        assert point.index is not None
        p = self._stored(point.name, here.at(point.index))
        moved = p - xp.scale(s, self.problem.grad(xp, p))
        radius = self._radii.get((point.name, here.at(point.index)), xp.radius(around))
        L = self.problem.L
        if L is None:
            L = smoothness_about(self.problem, self.run.entries[point.name][here.at(point.index)], float(radius.max()))
        size = np.abs(xp.middle(s)) + xp.error(s)
        grows = lipschitz(self.problem, nearest(L), size) + 2 * xp.error(s) * nearest(L)
        grows = np.where(xp.middle(s) >= xp.error(s), grows, 1 + size * nearest(L))  # a step uphill stretches
        self._stretch = max(self._stretch, float(np.max(grows)))
        return moved, np.where(radius > 0, grows * radius * (1 + 1e-12), 0.0)

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
        if name not in self.run.entries:
            raise NotInThisArithmetic(f"{self.run.method.name} has no {name}")
        stored = np.stack([np.asarray(self.run.entries[name][n]) for n in range(self._last(name))])[None]
        if xp.exact:
            return xp.vectors(stored)
        radii = [self._radii.get((name, n), xp.radius(self._enclosed[name, n])) for n in range(self._last(name))]
        path = np.stack(radii, -1)[0]
        if kind == "path":
            return xp.vectors(stored, path)
        one_step = self._one_step_error.copy() if kind == "image" else np.zeros_like(path)
        as_stored = np.zeros_like(path)
        if name == "x":
            beside_start(as_stored, one_step, path)
        return xp.vectors(stored, one_step if kind == "image" else as_stored)

    @cached_property
    def _one_step_error(self) -> Any:
        """How far each stored x_{n+1} may be from the exact image of the stored x_n, for methods that know nothing but x."""
        (update,) = (u for u in self.run.method.each if u.name == "x")
        errors = [np.zeros((1, 1))]
        unfrozen = self._is_set("eta")
        for k in range(self.steps):
            here = Here(self.problem, self.xp, k, self._own_step if unfrozen else self._stored, self.run.enclosed)
            moved = here.value(self.run.read(update.to))
            errors.append(self._apart(("x", k + 1), moved) if self.xp.certified or unfrozen else self.xp.radius(moved))
        return np.concatenate(errors, -1)

    def _own_step(self, name: str, index: int) -> Any:
        """A stored entry; of the steps, where a formula sets them, what it gives at the stored point."""
        if name != "eta":
            return self._stored(name, index)
        (update,) = (u for u in self.run.method.each if u.name == name)
        return Here(self.problem, self.xp, index, self._stored, self.run.enclosed).value(self.run.read(update.to))

    def grads(self, name: str, kind: str) -> Vectors:
        return self._kept(f"grad {name}", kind, lambda: self._grads(name, kind))

    def _grads(self, name: str, kind: str) -> Vectors:
        xp, L = self.xp, self.problem.L
        points = self.points(name, kind)
        if xp.exact or kind == "exact" or L is None:
            return self.problem.grad(xp, points)
        return xp.enlarge(self.grads(name, "exact"), stretched(xp.radius(points), L))

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
