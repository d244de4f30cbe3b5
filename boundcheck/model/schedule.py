"""The order in which updates are made: those of a step, and those of numbers that run backwards from the horizon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from boundcheck.language.canonical import HORIZON
from boundcheck.language.scalars import Term
from boundcheck.language.tree import Index
from boundcheck.support.errors import UserError

if TYPE_CHECKING:
    from boundcheck.model.method import Update

U = TypeVar("U")
Named = tuple[str, int, U]  # an update, with the name of what it sets and the offset of its index
STEP_LETTER = "k"


def updates_of_step(method: Mapping[str, Any], k: int) -> list[dict[str, Any]]:
    """Return the updates of step k, from a method's JSON: what `Method.updates_at` gives, as data."""
    first, each = (
        [(str(u["sets"]["name"]), int(u["sets"]["index"]["plus"]), u) for u in method[part]] for part in ("first", "each")
    )
    return in_order(first, each, k)


def in_order(first: Sequence[Named[U]], each: Sequence[Named[U]], k: int) -> list[U]:
    """At step 0, those of `first` come before the rest, or in the place of one of the same entry."""
    instead = {} if k else {name: update for name, _, update in first}
    same = {name for name, offset, _ in each if offset == 0} & set(instead)
    each_now = [instead[name] if name in same else update for name, _, update in each]
    return [update for name, update in instead.items() if name not in same] + each_now


def in_reverse(updates: Sequence[Update], horizon: int) -> Iterator[tuple[int, Update]]:
    """Yield the updates of numbers that run backwards, each with the index that it sets: from the horizon down to 0."""
    for n in range(horizon, -1, -1):
        for name in dict.fromkeys(update.name for update in updates):
            mine = {_place(update.index): update for update in updates if update.name == name}
            chosen = (mine.get(HORIZON) if n == horizon else None) or (mine.get("") if n == 0 else None) or mine.get(STEP_LETTER)
            if chosen is not None:
                yield n, chosen


def refuse_backwards(method: str, updates: Sequence[Update]) -> None:
    """Refuse an update that does not set a number at K, at k, or at 0, or reads more than numbers that are set by then."""
    known = {update.name for update in updates}
    for update in updates:
        if not isinstance(update.sets, Term) or _place(update.index) not in (HORIZON, STEP_LETTER, ""):
            raise UserError(f"{method}: a number that runs backwards is set at K, at k or at 0; found {update.sets}")
        for node in update.formula.walk():
            if isinstance(node, Term) and (node.name not in known or node.index.offset < 1):
                raise UserError(f"{method}: the update of {update.sets} reads {node}; backwards, only later numbers are known")


def _place(index: Index) -> str | None:
    """Return the letter of an index; nothing for 0, None for any other."""
    return None if index.offset else index.letter or ""
