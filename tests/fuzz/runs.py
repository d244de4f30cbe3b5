"""Runs in plain fractions, from a method's updates as they are written; and which step each entry rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from boundcheck.language.scalars import IndexNumber
from boundcheck.language.vectors import Vector as VectorNode

from .enclosures import Undefined
from .functions import Function
from .meaning import Entry, Meaning, place


@dataclass
class Run:
    """Every entry of every role, and how many steps were made by all of them."""

    function: Function
    entries: dict[tuple[str, str], dict[int, Any]]
    steps: int
    ended: bool
    state: dict[str, frozenset[str]] = field(default_factory=dict)  # of each role: the sequences that carry
    values: dict[Entry, Any] = field(default_factory=dict)  # f at entries,
    grads: dict[Entry, Any] = field(default_factory=dict)  # and its gradient, once known

    def rests_on(self, entry: Entry) -> int:
        """The last step that an entry rests on: x_j is made by step j - 1, eta_j by step j."""
        role, name, index = entry
        return index - 1 if name in self.state.get(role, ()) else index

    def has(self, entry: Entry) -> bool:
        role, name, index = entry
        return index in self.entries.get((role, name), {})


def make_run(
    function: Function,
    start: tuple[Fraction, ...],
    methods: Mapping[str, Any],
    etas: Sequence[Fraction],
    letters: Mapping[str, Fraction],
    *,
    goes_on: bool = False,
) -> Run:
    """The runs of all roles with the same steps, cut to the shortest. A gradient of exactly 0 ends one, unless it `goes_on`."""
    each = {role: _one(function, start, role, method, etas, letters, goes_on) for role, method in methods.items()}
    steps = min(made for _, made in each.values())
    entries: dict[tuple[str, str], dict[int, Any]] = {}
    state = {role: frozenset(u.sets.name for u in m.each if u.sets.index.offset == 1) for role, m in methods.items()}
    for role, (own, _) in each.items():
        for name, values in own.items():
            last = steps if name in state[role] else steps - 1
            entries[role, name] = {n: v for n, v in values.items() if n <= last}
    return Run(function, entries, steps, steps < len(etas), state)


def _one(
    function: Function,
    start: tuple[Fraction, ...],
    role: str,
    method: Any,
    etas: Sequence[Fraction],
    letters: Mapping[str, Fraction],
    goes_on: bool,
) -> tuple[dict[str, dict[int, Any]], int]:
    own: dict[str, dict[int, Any]] = {"x": {0: start}, "eta": {}}
    for k, eta in enumerate(etas):
        if not goes_on and (k == 0 or forgets(method)) and not any(function.grad(own["x"][k])):
            return own, k
        made = {name: dict(values) for name, values in own.items()}
        made["eta"][k] = eta
        try:
            for update in _updates(method, k):
                meaning = Meaning(function, {(role, name): v for name, v in made.items()}, letters, role=role)
                at = {"k": k}
                find = meaning.vector if isinstance(update.to, VectorNode) else meaning.value
                made.setdefault(update.sets.name, {})[place(update.sets.index, at)] = find(update.to, at)
        except Undefined:
            return own, k
        own = made
    return own, len(etas)


def _updates(method: Any, k: int) -> list[Any]:
    """In order. At step 0 what `first` gives takes the place of an update of the same entry, or comes before all."""
    if k:
        return list(method.each)
    given = {u.sets.name: u for u in method.first}
    instead = {u.sets.name for u in method.each if u.sets.index.offset == 0} & set(given)
    before = [u for u in method.first if u.sets.name not in instead]
    return before + [given[u.sets.name] if u.sets.name in instead else u for u in method.each]


def forgets(method: Any) -> bool:
    """Does a step depend on x_k and eta_k alone, in the same way at every k?"""
    nodes = [n for u in (*method.first, *method.each) for n in u.to.walk()]
    near = all(index.letter == "k" and index.offset >= 0 for n in nodes for index in n.indices)
    carried = {u.sets.name for u in method.each if u.sets.index.offset == 1}
    return carried == {"x"} and not method.first and near and not any(isinstance(n, IndexNumber) for n in nodes)
