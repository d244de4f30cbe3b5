"""A claim and its functions as the lanes read them: the claim's trees, and many functions at once in floating point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.claims.bound import Bound
from boundcheck.falsify.exact_check import claim_json, looks_ahead, step_formula, step_formulas
from boundcheck.language.canonical import declared_in, from_json
from boundcheck.language.chords import ChordQuantity
from boundcheck.language.relations import Chain, Relation
from boundcheck.language.scalars import Scalar, Term
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Point, Vector
from boundcheck.model.schedule import updates_of_step


@dataclass(frozen=True)
class Demand:
    """A hypothesis that is a relation: asked once, or at each step."""

    relation: Relation
    is_once: bool


@dataclass(frozen=True)
class Assignment:
    """One update of a method: the entry that it sets, and the formula for it."""

    name: str
    index: Index
    to: Scalar | Vector


@dataclass(frozen=True)
class RoleRun:
    """One run that a claim is about: the updates of its first step, and of each later one."""

    role: str
    at_first: tuple[Assignment, ...]
    later: tuple[Assignment, ...]


@dataclass(frozen=True)
class StepEquation:
    """The formula of eta_i == ..., and whether it reads what comes after step i."""

    formula: Scalar
    looks_ahead: bool


@dataclass(frozen=True)
class ClaimTrees:
    """What the lanes compute of a claim. A step that an equation gives obeys it: such an equation is none of the demands."""

    letter: str
    links: tuple[Relation, ...]
    demands: tuple[Demand, ...]
    steps: str  # what is said of the steps of all runs: the same, or those of a search
    runs: tuple[RoleRun, ...]
    equations: Mapping[str, StepEquation]
    quantities: Mapping[str, ChordQuantity]  # what M may be that a paper declares, by name

    def chosen(self, smoothness: str) -> str | ChordQuantity:
        """Return what a choice of M stands for."""
        return self.quantities.get(smoothness, smoothness)


def read_claim(claim: Mapping[str, Any]) -> ClaimTrees:
    """Return the trees of a claim's JSON."""
    states = from_json(claim["states"])
    runs: Any = next((h["runs"] for h in claim["given"] if "runs" in h), {"steps": "", "roles": []})
    equations = {role: StepEquation(_scalar(right), looks_ahead(right)) for role, right in step_formulas(claim).items()}
    return ClaimTrees(
        letter=str(claim["for_all"]["letter"]),
        links=states.links if isinstance(states, Chain) else (_relation(claim["states"]),),
        demands=tuple(_demands(claim)),
        steps=str(runs["steps"]),
        runs=tuple(RoleRun(run["role"], _updates(run["method"], 0), _updates(run["method"], 1)) for run in runs["roles"]),
        equations=equations,
        quantities={one.name: one for one in declared_in(claim["smoothness"])},
    )


@lru_cache(maxsize=64)
def trees_of(bound: Bound) -> ClaimTrees:
    return read_claim(claim_json(bound))


def _demands(claim: Mapping[str, Any]) -> list[Demand]:
    asked = [item for h in claim["given"] for item in h.items() if item[0] not in ("fact", "runs")]
    formulas = [(kind, what, step_formula(what) if kind != "once" else None) for kind, what in asked]
    kept = [(kind, what) for kind, what, f in formulas if f is None or f[0] or looks_ahead(f[1])]
    return [Demand(_relation(what), kind == "once") for kind, what in kept]


def _updates(method: Mapping[str, Any], k: int) -> tuple[Assignment, ...]:
    return tuple(_assignment(from_json(update["sets"]), from_json(update["to"])) for update in updates_of_step(method, k))


def _assignment(sets: Node, to: Node) -> Assignment:
    assert isinstance(sets, Point | Term) and sets.index is not None and isinstance(to, Scalar | Vector)
    return Assignment(sets.name, sets.index, to)


def _relation(data: Any) -> Relation:
    made = from_json(data)
    assert isinstance(made, Relation)
    return made


def _scalar(data: Any) -> Scalar:
    made = from_json(data)
    assert isinstance(made, Scalar)
    return made


Floats = NDArray[np.float64]


class PieceFunctions:
    """f(x) = the sum over ridges of phi(<a, x>), phi a piecewise quadratic with phi(0) = 0.

    `directions` (lanes, ridges, d); `breaks` and `slopes` (lanes, ridges, 2, ...), left of 0 and right of it; `tilt` = phi'(0).
    """

    def __init__(
        self, directions: Floats, breaks: Floats, slopes: Floats, tilt: Floats, shift: Any = 0.0, centre: Any = 0.0
    ) -> None:
        self.directions, self.breaks, self.slopes, self.tilt = directions, breaks, slopes, tilt
        self.shift, self.centre = shift, centre
        self.lanes, _, self.dimension = directions.shape
        zero = np.zeros((*breaks.shape[:-1], 1))
        self._from = np.concatenate([zero, breaks], -1)
        self._widths = np.diff(np.concatenate([self._from, zero + np.inf], -1))

    @property
    def constants(self) -> dict[str, Floats]:
        """L and mu as `Ridges` gives them."""
        weights = (self.directions**2).sum(-1)
        low, high = self.slopes.min((-1, -2)) * weights, np.abs(self.slopes).max((-1, -2)) * weights
        gram = np.einsum("brd,bsd->brs", self.directions, self.directions)
        off = np.abs(gram - gram * np.eye(gram.shape[1])).max((1, 2))
        orthogonal = off == 0
        convex = (low >= 0).all(-1)
        whole = orthogonal & (low.shape[1] == self.dimension)
        mu = np.where(convex, np.where(whole, low.min(-1), 0.0), np.minimum(low, 0.0).sum(-1))
        return {"L": np.where(orthogonal, high.max(-1), high.sum(-1)), "mu": mu}

    def _along(self, x: Floats) -> Floats:
        made: Floats = np.einsum("brd,bd->br", self.directions, x)
        return made

    def _sides(self, u: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """|u|, its way into each piece, where the piece begins, and its slope."""
        side = (u >= 0).astype(np.intp)[..., None, None]
        start, width, slope = (np.take_along_axis(part, side, -2)[..., 0, :] for part in (self._from, self._widths, self.slopes))
        v = np.abs(u)[..., None]
        return v, np.clip(v - start, 0.0, width), start, slope

    @property
    def least(self) -> Floats:
        """How much f is at least above its value at its centre: negative where that may be no minimiser."""
        if len(self.directions[0]) > 1:
            return np.where((self.tilt == 0).all(-1), self.slopes.min((-1, -2, -3)), -1.0)
        slope, last, widths = self.slopes, self.slopes[..., -1], self._widths[..., :-1]
        none = np.zeros((*slope.shape[:-1], 1))
        rise = np.concatenate([none, np.cumsum(slope[..., :-1] * widths, -1)], -1)
        value = np.concatenate([none, np.cumsum(widths * (rise[..., :-1] + slope[..., :-1] * widths / 2), -1)], -1)
        with np.errstate(all="ignore"):
            dip = np.where((rise < 0) & (slope > 0), -rise / slope, 0.0)
        lowest = np.minimum(value, np.where(dip < self._widths, value + rise * dip / 2, 0.0)).min(-1)
        falls = (last < 0) | ((last == 0) & (rise[..., -1] < 0))
        found: Floats = np.where(falls, -1.0, lowest).min((-1, -2))
        return np.where((self.tilt == 0).all(-1), found, -1.0)

    def value(self, x: Floats) -> Floats:
        u = self._along(x - self.centre)
        v, way, start, slope = self._sides(u)
        made: Floats = ((slope * way * (v - start - way / 2)).sum(-1) + self.tilt * u).sum(-1) + self.shift
        return made

    def grad(self, x: Floats) -> Floats:
        u = self._along(x - self.centre)
        _, way, _, slope = self._sides(u)
        made: Floats = np.einsum("br,brd->bd", np.sign(u) * (slope * way).sum(-1) + self.tilt, self.directions)
        return made

    def secants(self, x: Floats, y: Floats) -> Floats:
        """<grad f(x + t d) - grad f(x), d> / (t |d|^2) at t = 1 and where the gradient bends; nan elsewhere."""
        d = y - x
        here, u, w = self.grad(x), self._along(x - self.centre), self._along(d)
        knots = np.concatenate([-self.breaks[:, :, 0], np.zeros((*u.shape, 1)), self.breaks[:, :, 1]], -1)
        with np.errstate(all="ignore"):
            times = ((knots - u[..., None]) / w[..., None]).reshape(self.lanes, -1)
            times = np.concatenate([np.ones((self.lanes, 1)), np.where((times > 0) & (times < 1), times, np.nan)], 1)
            found = [((self.grad(x + t[:, None] * d) - here) * d).sum(-1) / (t * (d * d).sum(-1)) for t in times.T]
        return np.stack(found, 1)


class ClosedFunctions:
    """One closed form of one variable in every lane: `smooth abs`, `power` or `logistic pair`."""

    dimension = 1
    centre = least = 0.0

    def __init__(self, kind: str, number: Floats) -> None:
        self.kind, self.number, self.lanes = kind, number, len(number)

    @property
    def constants(self) -> dict[str, Floats]:
        one = np.ones(self.lanes)
        if self.kind == "smooth abs":
            return {"L": 1 / self.number, "mu": 0 * one, "eps": self.number, "slope": one}
        return {"mu": 0 * one} if self.kind == "power" else {"L": one / 2, "mu": 0 * one, "slope": one, "gram": 2 * one}

    def value(self, x: Floats) -> Floats:
        u, p = x[:, 0], self.number
        if self.kind == "smooth abs":
            return np.hypot(u, p)
        return np.abs(u) ** p if self.kind == "power" else np.logaddexp(0, u) + np.logaddexp(0, -u)

    def grad(self, x: Floats) -> Floats:
        u, p = x[:, 0], self.number
        if self.kind == "smooth abs":
            made = u / np.hypot(u, p)
        else:
            made = np.sign(u) * p * np.abs(u) ** (p - 1) if self.kind == "power" else np.tanh(u / 2)
        return made[:, None]

    def secants(self, x: Floats, y: Floats) -> Floats:
        raise LookupError("A and mu along a chord are not known for this function")


Functions = PieceFunctions | ClosedFunctions
