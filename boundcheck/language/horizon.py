"""The last step that a formula depends on."""

from __future__ import annotations

from functools import lru_cache

from boundcheck.language.ranges import highest
from boundcheck.language.scalars import Term
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Point

ONLY_X = frozenset({"x"})


@lru_cache(maxsize=4096)
def last_step(node: Node, letter: str, state: frozenset[str] = ONLY_X) -> int | None:
    """The latest step that a formula depends on, as an offset from `letter`: eta_i is step i, x_i needs step i - 1.

    `state` names the sequences that a method carries, as x; the others are made in their own step, as eta.
    """
    read = highest(node, letter).items()
    steps = [offset - (name in state) for (kind, name), offset in read if kind in (Term, Point)]
    return max(steps, default=None)
