"""A method: an iteration as data, in the language of claims. The engine reads it, a claim names it, a certificate carries it.

    Method(name="gradient descent", each=(Update(x[k + 1], x[k] - eta[k] * grad(x[k])),))

x_0 is the problem's start. At step k the rule chooses eta_k; then the updates are made in order. Each sets an entry with index
k or k+1 of a sequence of points (x, y, v) or of numbers (alpha, gamma), from entries known by then. `first` sets entries at
index 0: those that no update of step 0 sets, and those that it would set from entries before the first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from boundcheck.language.canonical import NotAClaim, from_json, to_json
from boundcheck.language.letters import eta, grad, k, x
from boundcheck.language.scalars import STEP, Dimension, IndexNumber, Parameter, Reduce, Scalar, Term, as_scalar
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean, Point, Vector
from boundcheck.support.errors import UserError, WrongType

STEP_LETTER = "k"


@dataclass(frozen=True, eq=False)
class Update:
    """`sets` becomes `to`: x[k + 1] becomes x[k] - eta[k] grad f(x[k])."""

    sets: Point | Term
    to: Vector | Scalar

    def __post_init__(self) -> None:
        if not isinstance(self.sets, Point | Term) or self.sets.index is None:
            raise WrongType(f"an update sets an entry of a sequence, such as x[k + 1]; found {self.sets}")
        if not isinstance(self.to, Vector):
            object.__setattr__(self, "to", as_scalar(self.to))
        if isinstance(self.sets, Point) != isinstance(self.to, Vector):
            raise WrongType(f"{self.sets} cannot become {self.to}: one is a point and the other a number")

    @property
    def name(self) -> str:
        return self.sets.name

    @property
    def index(self) -> Index:
        assert self.sets.index is not None
        return self.sets.index

    def to_json(self) -> dict[str, Any]:
        return {"sets": to_json(self.sets), "to": to_json(self.to)}

    def __str__(self) -> str:
        return f"{self.sets} = {self.to}"


@dataclass(frozen=True, kw_only=True)
class Method:
    """An iteration. `kind` says which step-size rules may drive it; two forms of one method share it."""

    name: str
    each: tuple[Update, ...]
    first: tuple[Update, ...] = ()
    kind: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", self.kind or self.name)
        for part in (self.each, self.first):
            if not isinstance(part, tuple) or not all(isinstance(update, Update) for update in part):
                raise WrongType(f"{self.name}: each and first are tuples of updates, as in each=(Update(x[k + 1], ...),)")
        for update in self.each:
            if update.index.letter != STEP_LETTER or update.index.offset not in (0, 1):
                raise UserError(f"{self.name}: an update sets an entry with index k or k+1; found {update.sets}")
        for update in self.first:
            if update.index != Index(None, 0):
                raise UserError(f"{self.name}: `first` sets entries with index 0; found {update.sets}")
        for updates in (self.each, self.first):
            names = [update.name for update in updates]
            if twice := [name for name in names if names.count(name) > 1]:
                raise UserError(f"{self.name}: two updates set {twice[0]}; give the second a sequence of its own")
        if any(update.name == "x" for update in self.first):
            raise UserError(f"{self.name}: x[0] is the problem's start; `first` cannot set it")
        if not any(u.name == "x" and u.index.offset == 1 for u in self.each):
            raise UserError(f"{self.name}: no update sets x[k + 1]")
        for update in self.first:
            self._refuse_formula(update, (None,))
        for update in self.each:
            self._refuse_formula(update, (None, STEP_LETTER))

    def _refuse_formula(self, update: Update, letters: tuple[str | None, ...]) -> None:
        """An update is computed from entries of the run at this step and the one before: nothing else can be carried."""
        where, known = f"{self.name}: the update of {update.sets}", {"x", "eta", *(u.name for u in (*self.first, *self.each))}
        for node in update.to.walk():
            if isinstance(node, Reduce | Mean):
                raise UserError(f"{where} has a sum or a mean, {node}; carry it in a sequence of its own")
            if isinstance(node, Point | Term):
                if node.run:
                    raise UserError(f"{where} reads another run, {node}; a method knows its own only")
                if node.name not in known:
                    raise UserError(f"{where} reads {node}, which no update sets")
            for index in node.indices:
                if index.letter not in letters:
                    raise UserError(f"{where} reads {node}; write its indices with {STEP_LETTER}, or as numbers in `first`")

    @cached_property
    def key(self) -> str:
        """What makes two methods the same: their updates, whatever they are called."""
        data = {name: value for name, value in self.to_json().items() if name in ("first", "each")}
        return json.dumps(data, sort_keys=True)

    @cached_property
    def state(self) -> frozenset[str]:
        """The sequences that carry from one step to the next; the others are set anew from them at each step."""
        return frozenset(update.name for update in self.each if update.index.offset == 1)

    @cached_property
    def looks_back(self) -> bool:
        """Does a step read entries of the step before?"""
        return any(index.offset < 0 for update in self.each for node in update.to.walk() for index in node.indices)

    @cached_property
    def forgets(self) -> bool:
        """Does a step depend on x_k and eta_k alone, in the same way at every k? Then every point may stand for x_0."""
        nodes = list(self._nodes())
        near = all(index.letter == STEP_LETTER and index.offset >= 0 for node in nodes for index in node.indices)
        return self.state == {"x"} and not self.first and near and not any(isinstance(n, IndexNumber) for n in nodes)

    @cached_property
    def is_one_map(self) -> bool:
        """Is x_{k+1} one formula of x_k and eta_k, with nothing set between them that is rounded on its own?"""
        return self.forgets and len(self.each) == 1

    @cached_property
    def step_dimension(self) -> Dimension:
        return next((n.dimension for n in self._nodes() if isinstance(n, Term) and n.name == "eta"), STEP)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(sorted({n.name for n in self._nodes() if isinstance(n, Parameter)}))

    def _nodes(self) -> Iterator[Node]:
        for update in (*self.first, *self.each):
            yield from update.to.walk()

    def to_json(self) -> dict[str, Any]:
        return dict(self._json)

    @cached_property
    def _json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "first": [update.to_json() for update in self.first],
            "each": [update.to_json() for update in self.each],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Method:
        if not isinstance(data, Mapping) or set(data) != {"name", "kind", "first", "each"}:
            raise NotAClaim(f"a method has a name, a kind, first and each; found {data!r}"[:200])
        try:
            first, each = (tuple(_update(u) for u in data[part]) for part in ("first", "each"))
            return cls(name=str(data["name"]), kind=str(data["kind"]), first=first, each=each)
        except (TypeError, ValueError, KeyError) as wrong:
            raise NotAClaim(f"a method cannot be read: {wrong}") from None

    def __str__(self) -> str:
        return f"{self.name}: " + "; ".join(str(update) for update in (*self.first, *self.each))


def _update(data: Mapping[str, Any]) -> Update:
    sets, to = from_json(data["sets"]), from_json(data["to"])
    assert isinstance(sets, Point | Term) and isinstance(to, Vector | Scalar)
    return Update(sets, to)


GRADIENT_DESCENT = Method(name="gradient descent", each=(Update(x[k + 1], x[k] - eta[k] * grad(x[k])),))


def updates_of_step(method: Mapping[str, Any], k: int) -> list[dict[str, Any]]:
    """Return the updates of step k, from a method's JSON.

    At step 0 those of `first` come before the rest, or in the place of one of the same entry.
    """
    first = {} if k else {update["sets"]["name"]: update for update in method["first"]}
    same = {u["sets"]["name"] for u in method["each"] if u["sets"]["index"]["plus"] == 0} & set(first)
    each = [first[u["sets"]["name"]] if u["sets"]["name"] in same else u for u in method["each"]]
    return [update for name, update in first.items() if name not in same] + each
