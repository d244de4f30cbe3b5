"""A claim as the lanes read it: its JSON, which the independent checker reads too, made into trees once.

The JSON is canonical: bound letters are numbered, and a hypothesis that is meant at every step reads the letter #step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

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
