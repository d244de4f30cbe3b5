"""The families of worst cases that installed papers declare, and what they are written with.

A family is a question, and has a row for each choice of numbers and k: `WORST_CASES` of a paper names the module that has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from boundcheck.claims.bound import Bound
from boundcheck.language.letters import gap, x
from boundcheck.language.letters import k as letter
from boundcheck.language.relations import Relation, links
from boundcheck.library.declarations import worst_case_families
from boundcheck.tightness.numbers import ANY, Exact, Numbers, exact
from boundcheck.tightness.row import Row
from boundcheck.tightness.sequences import Sequence

Rows = Callable[[int], Iterator[Row]]
FOR_ANY_M = "exact for 'any M' with these values on the path; for M = D, A or H alone an upper bound"
EXACT = {ANY: FOR_ANY_M, "H": "exact for M = H", "D": "exact for M = D"}
SMOOTH = "exact for L-smooth convex functions"


def families() -> Mapping[str, Rows]:
    """Return for each family what gives its rows at k steps, those of one paper after those of another."""
    return worst_case_families()


def named(make: Callable[..., Iterator[Row]], name: str, **more: object) -> tuple[str, Rows]:
    """Return a family: its name, and a function that yields its rows at k steps."""
    rows = partial(make, name=name, **more)
    return name, lambda k: rows(k=k)


def for_the_last_iterate(bound: Bound) -> Bound:
    """Return the right side of a claim about x_1, ..., x_{k+1}, for x_{k+1}."""
    return replace(bound, states=Relation("<=", gap(x[letter + 1]), links(bound.states)[0].right))


def adapted(sequence: Sequence, k: int, times: Exact = 1, path: str = ANY) -> Numbers:
    """Return steps `times`/M_i for the values of M of a sequence."""
    M = sequence.values(k)
    return Numbers(steps=tuple(exact(times) / m for m in M), chords=M, path=path)
