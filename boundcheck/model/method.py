"""A method: an iteration as data, in the language of claims. The engine reads it, a claim names it, a certificate carries it.

    Method(name="gradient descent", each=(Update(x[k + 1], x[k] - eta[k] * grad(x[k])),))

x_0 is the problem's start. At step k the rule chooses eta_k; then the updates are made in order. Each sets an entry with index
k or k+1 of a sequence of points (x, y, v) or of numbers (alpha, gamma), from entries known by then. `first` sets entries at
index 0: those that no update of step 0 sets, and those that it would set from entries before the first.

An update may be implicit: x[k + 1] = x[k] - eta[k] * subgrad(h, x[k + 1]) is a proximal step, and says so by what the point
satisfies. Where no formula sets the point, an equation does:

    Update(x[k + 1], such_that=equal(grad(psi, x[k + 1]), grad(psi, x[k]) - eta[k] * grad(x[k])))

Such an equation may have sums of vectors over the steps so far: what a point satisfies cannot be carried from before.

`free` names entries that nothing sets: e[k], any vector at each step, such as the error of a gradient; phi[0, i], any starting
points. What limits them is a hypothesis of the claim. A sequence with a component, phi[k + 1, i], is set for every i.
`backwards` sets numbers from the horizon K down to 0: theta[K], theta[k] from theta[k + 1], and theta[0] where that is another.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from boundcheck.language.canonical import HORIZON, NotAClaim, from_json, to_json
from boundcheck.language.letters import eta, grad, k, x
from boundcheck.language.relations import VectorEquation
from boundcheck.language.scalars import (
    STEP,
    Average,
    Dimension,
    Expectation,
    IndexNumber,
    NamedValue,
    Parameter,
    Reduce,
    Scalar,
    Term,
    as_scalar,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Block, Image, LinearMinimum, Mean, PartsMean, Pick, Point, Prox, Vector
from boundcheck.model.schedule import STEP_LETTER, in_order, refuse_backwards
from boundcheck.support.errors import UserError, WrongType


@dataclass(frozen=True, eq=False)
class Update:
    """`sets` becomes `to`: x[k + 1] becomes x[k] - eta[k] grad f(x[k]).

    >>> from boundcheck import Update
    >>> from boundcheck.letters import eta, grad, k, x
    >>> str(Update(x[k + 1], x[k] - eta[k] * grad(x[k])))
    'x_{k+1} = x_k - eta_k grad f(x_k)'
    """

    sets: Point | Term
    to: Vector | Scalar = None  # type: ignore[assignment]  # None: `such_that` says what the point satisfies
    such_that: VectorEquation | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.sets, Point | Term) or self.sets.index is None:
            raise WrongType(f"an update sets an entry of a sequence, such as x[k + 1]; found {self.sets}")
        if self.such_that is not None:
            self._refuse_equation(self.such_that)
            return
        if not isinstance(self.to, Vector):
            object.__setattr__(self, "to", as_scalar(self.to))
        if isinstance(self.sets, Point) != isinstance(self.to, Vector):
            raise WrongType(f"{self.sets} cannot become {self.to}: one is a point and the other a number")

    def _refuse_equation(self, equation: VectorEquation) -> None:
        if self.to is not None or not isinstance(equation, VectorEquation):
            raise WrongType(f"{self.sets} is set by a formula, or by such_that=equal(..., ...); found {self.to} and {equation}")
        if not isinstance(self.sets, Point) or self.sets.key not in {node.key for node in equation.walk()}:
            raise UserError(f"the equation {equation} says nothing about {self.sets}, which it is to set")

    @property
    def formula(self) -> Vector | Scalar | VectorEquation:
        """What says how the entry is set."""
        return self.to if self.such_that is None else self.such_that

    @property
    def is_implicit(self) -> bool:
        """Whether what is set is also read: by an inclusion, such as a proximal step's, or by an equation."""
        return self.such_that is not None or any(node.key == self.sets.key for node in self.to.walk())

    @property
    def name(self) -> str:
        return self.sets.name

    @property
    def index(self) -> Index:
        assert self.sets.index is not None
        return self.sets.index

    def to_json(self) -> dict[str, Any]:
        if self.such_that is not None:
            return {"sets": to_json(self.sets), "such_that": to_json(self.such_that)}
        return {"sets": to_json(self.sets), "to": to_json(self.to)}

    def __str__(self) -> str:
        return f"{self.sets} = {self.to}" if self.such_that is None else f"{self.sets} such that {self.such_that}"


@dataclass(frozen=True, kw_only=True)
class Method:
    """An iteration. `kind` says which step-size rules may drive it; two forms of one method share it.

    >>> from boundcheck import Method, Update
    >>> from boundcheck.letters import eta, grad, k, x
    >>> Method(name="descent", each=(Update(x[k + 1], x[k] - eta[k] * grad(x[k])),)).kind
    'descent'
    """

    name: str
    each: tuple[Update, ...]
    first: tuple[Update, ...] = ()
    kind: str = ""
    free: tuple[Point | Term, ...] = ()  # entries that nothing sets: e[k] at each step, phi[0, i] at the start
    backwards: tuple[Update, ...] = ()  # of numbers from the horizon K down to 0: theta[K], theta[k] from theta[k + 1]

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", self.kind or self.name)
        refuse_backwards(self.name, self.backwards)
        for part in (self.each, self.first):
            if not isinstance(part, tuple) or not all(isinstance(update, Update) for update in part):
                raise WrongType(f"{self.name}: each and first are tuples of updates, as in each=(Update(x[k + 1], ...),)")
        self._refuse_free()
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

    def _refuse_free(self) -> None:
        """Free entries have the index k, or 0 where they start a sequence that updates go on with."""
        set_by_updates = {update.name for update in (*self.first, *self.each)}
        for entry in self.free:
            if not isinstance(entry, Point | Term) or entry.index not in (Index(STEP_LETTER), Index(None, 0)):
                raise WrongType(f"{self.name}: a free entry is one such as e[k], or phi[0, i]; found {entry}")
            if entry.name in ("x", "eta") or (entry.index.letter and entry.name in set_by_updates):
                raise UserError(f"{self.name}: {entry} is set by the method; it cannot be free")

    def _refuse_formula(self, update: Update, letters: tuple[str | None, ...]) -> None:
        """An update is computed from entries of the run at this step and the one before: nothing else can be carried."""
        known = {"x", "eta", *(u.name for u in (*self.first, *self.each, *self.backwards)), *(entry.name for entry in self.free)}
        where = f"{self.name}: the update of {update.sets}"
        bound = {node.letter for node in update.formula.walk() if isinstance(node, Mean)}
        for node in update.formula.walk():
            if isinstance(node, Reduce) or (isinstance(node, Mean) and update.such_that is None):
                raise UserError(f"{where} has a sum or a mean, {node}; carry it in a sequence of its own")
            if isinstance(node, Point | Term):
                if node.run:
                    raise UserError(f"{where} reads another run, {node}; a method knows its own only")
                if node.name not in known:
                    raise UserError(f"{where} reads {node}, which no update sets")
            for index in node.indices:
                if index.letter not in (*letters, *bound) and not (isinstance(node, IndexNumber) and index.letter == HORIZON):
                    raise UserError(f"{where} reads {node}; write its indices with {STEP_LETTER}, or as numbers in `first`")

    @cached_property
    def key(self) -> str:
        """What makes two methods the same: their updates, whatever they are called."""
        data = {name: value for name, value in self.to_json().items() if name in ("first", "each", "free", "backwards")}
        return json.dumps(data, sort_keys=True)

    def updates_at(self, k: int) -> list[Update]:
        """Return the updates of step k. At step 0, those of `first` come before the rest, or replace one of the same entry."""
        first, each = ([(u.name, u.index.offset, u) for u in part] for part in (self.first, self.each))
        return in_order(first, each, k)

    @cached_property
    def first_numbers(self) -> tuple[Update, ...]:
        """The updates of `first` that set numbers without reading the run: the first step may rest on them."""
        numbers = [update for update in self.first if isinstance(update.sets, Term)]
        return tuple(u for u in numbers if not any(isinstance(node, Point | Term | Vector) for node in u.formula.walk()))

    @cached_property
    def state(self) -> frozenset[str]:
        """The sequences that carry from one step to the next; the others are set anew from them at each step."""
        return frozenset(update.name for update in self.each if update.index.offset == 1)

    @cached_property
    def looks_back(self) -> bool:
        """Does a step read entries of the step before?"""
        return any(index.offset < 0 for update in self.each for node in update.formula.walk() for index in node.indices)

    @cached_property
    def forgets(self) -> bool:
        """Does a step depend on x_k and eta_k alone, in the same way at every k? Then every point may stand for x_0."""
        nodes = list(self._nodes())
        near = all(index.letter == STEP_LETTER and index.offset >= 0 for node in nodes for index in node.indices)
        alone = self.state == {"x"} and not self.first and not self.free
        return alone and near and not any(isinstance(n, IndexNumber) for n in nodes)

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
        for update in (*self.first, *self.each, *self.backwards):
            yield from update.formula.walk()

    @cached_property
    def is_explicit(self) -> bool:
        """Whether every entry is computed from entries before it, by f and its gradient alone: what gradient methods are."""
        named = any(isinstance(node, BEYOND_F) for node in self._nodes())
        return (
            not self.free
            and not self.backwards
            and not named
            and not any(update.is_implicit for update in (*self.first, *self.each))
        )

    def to_json(self) -> dict[str, Any]:
        return dict(self._json)

    @cached_property
    def _json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "first": [update.to_json() for update in self.first],
            "each": [update.to_json() for update in self.each],
            **({"free": [to_json(entry) for entry in self.free]} if self.free else {}),
            **({"backwards": [update.to_json() for update in self.backwards]} if self.backwards else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Method:
        if not isinstance(data, Mapping) or not {"name", "kind", "first", "each"} <= set(data) <= set(METHOD):
            raise NotAClaim(f"a method has {', '.join(METHOD)}; found {data!r}"[:200])
        try:
            first, each = (tuple(_update(u) for u in data[part]) for part in ("first", "each"))
            free = tuple(from_json(entry) for entry in data.get("free", ()))
            more = {"free": free, "backwards": tuple(_update(u) for u in data.get("backwards", ()))}
            return cls(name=str(data["name"]), kind=str(data["kind"]), first=first, each=each, **more)  # type: ignore[arg-type]
        except (TypeError, ValueError, KeyError) as wrong:
            raise NotAClaim(f"a method cannot be read: {wrong}") from None

    def __str__(self) -> str:
        return f"{self.name}: " + "; ".join(str(update) for update in (*self.first, *self.each))


METHOD = ("name", "kind", "first", "each", "free", "backwards")
BEYOND_F = (
    NamedValue,
    Average,
    Expectation,
    Image,
    Prox,
    LinearMinimum,
    Block,
    Pick,
    PartsMean,
)  # what reads more than f and its gradient


def _update(data: Mapping[str, Any]) -> Update:
    sets, said = from_json(data["sets"]), from_json(data["such_that"] if "such_that" in data else data["to"])
    assert isinstance(sets, Point | Term)
    if "such_that" in data:
        assert isinstance(said, VectorEquation)
        return Update(sets, such_that=said)
    assert isinstance(said, Vector | Scalar)
    return Update(sets, said)


GRADIENT_DESCENT = Method(name="gradient descent", each=(Update(x[k + 1], x[k] - eta[k] * grad(x[k])),))
