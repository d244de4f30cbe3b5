"""What is tried in which order: rounds of tasks, from small rationals on simple functions to long runs and optimisers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, cycle, product

import numpy as np

from boundcheck.claims.bound import Bound
from boundcheck.falsify.exact import look, reads
from boundcheck.falsify.families import Family, families
from boundcheck.falsify.space import CONSTANT, FREE, MOVED, SCALED, Space
from boundcheck.falsify.strategies import STRATEGIES, Found, Looker, Outcome
from boundcheck.language.relations import links
from boundcheck.support.errors import UserError

FIRST_ROUNDS = (("small rationals", "anywhere"), ("small rationals", "anywhere"), ("evolution", "drawn"))
SIMPLE_FIRST = {"small rationals": FREE, "anywhere": CONSTANT}  # what the first round tries; the second has the other way round
LATER = (("anywhere", "evolution"), ("uphill",), ("evolution", "small rationals"))
FEW, MORE = 4, 9  # families in the first two rounds
SYMMETRIC, MOVED_FAMILIES = "small rationals", (0, 2)  # a parabola, and a function with a break
SCALED_IN = 4  # the round that tries them in other units
PROGRAM, PROGRAM_SECONDS = "semidefinite program", 10.0


class CannotFail(UserError):
    """No finite run or chord can refute the claim: why, in one line."""


@dataclass(frozen=True)
class Task:
    """A strategy in a space, with a seed: always the same candidates."""

    number: int
    strategy: str
    smoothness: str
    family: int
    ks: tuple[int, ...]
    form: str
    seed: int

    def perform(self, bound: Bound) -> Outcome:
        if self.strategy == PROGRAM:
            return program_search(bound, self.seed)
        looker = Looker(Space(bound, self.smoothness, _families(bound, self.smoothness)[self.family], self.ks, self.form))
        STRATEGIES[self.strategy](looker, np.random.default_rng([self.seed, self.number]))
        return looker.outcome


@lru_cache(maxsize=16)
def _families(bound: Bound, smoothness: str) -> list[Family]:
    return families(bound, smoothness)


def refuse(bound: Bound) -> None:
    """Limits are refuted by no finite run, and what says that something exists by no instance."""
    if all(link.op == "->" for link in links(bound.states)):
        raise CannotFail(f"{bound.id} is a limit: no finite run refutes it")
    if bound.refuted_through is not None:
        through = bound.refuted_through
        raise CannotFail(f"{bound.id} says that something exists: no instance refutes it. It is false by {through.lemma}")
    if bound.untested:
        raise CannotFail(f"{bound.id} cannot be tried: {bound.untested}")
    if not any(_families(bound, kind) for kind in _kinds(bound)):
        raise CannotFail(f"{bound.id} reads constants that no function of the search has: {', '.join(sorted(reads(bound)[0]))}")


def _kinds(bound: Bound) -> tuple[str, ...]:
    return bound.smoothness if bound.reads_M else ("",)


def tasks(bound: Bound, seed: int, *, first_k: int | None = None, moved_in: int = 1) -> Iterator[Task]:
    """Without end. `first_k`: ask no earlier k, where the claim would be for it. `moved_in`: the round that moves functions.

    That comes late: what f + C refutes, the linter says too, and a counterexample of another kind tells more.
    """
    refuse(bound)
    kinds = _kinds(bound)
    start = bound.for_all.start if first_k is None else max(first_k, bound.for_all.start)
    prescribed = bound.is_about_chords or bound.rules or bound.runs.searched
    forms = (FREE,) if prescribed else (FREE, CONSTANT)
    numbers = count()
    later = cycle(LATER)
    for turn in count():
        strategies = FIRST_ROUNDS[turn] if turn < len(FIRST_ROUNDS) else next(later)
        ks = _ks(bound, start, turn)
        if turn == 1:
            yield Task(next(numbers), PROGRAM, "", 0, ks, FREE, seed)
        for n in range((FEW, MORE)[turn] if turn < 2 else 10**3):
            mine = [kind for kind in kinds if n < len(_families(bound, kind))]
            if not mine:
                break
            for strategy in strategies if n < FEW else [s for s in strategies if s != "drawn"]:
                for kind in mine:
                    for form in _forms(strategy, turn, forms):
                        yield Task(next(numbers), strategy, kind, n, ks, form, seed)
        symmetries = (*([MOVED] if turn == moved_in else ()), *(SCALED if turn == SCALED_IN else ()))
        for form, kind in product(symmetries, kinds):
            for n in MOVED_FAMILIES:
                if n < len(found := _families(bound, kind)) and not found[n].closed:
                    yield Task(next(numbers), SYMMETRIC, kind, n, ks, form, seed)


def _forms(strategy: str, turn: int, forms: tuple[str, ...]) -> tuple[str, ...]:
    """How steps are chosen: simple numbers one by one, and any number for all of them, then the other way round; later both."""
    if strategy == "drawn":
        return forms[:1]
    if turn > 1 or len(forms) == 1:
        return forms if turn or strategy == "small rationals" else ()
    return tuple(form for form in forms if (form == SIMPLE_FIRST[strategy]) == (turn == 0))


def _ks(bound: Bound, start: int, turn: int) -> tuple[int, ...]:
    if bound.is_about_chords:
        return (0,)
    if bound.has_fixed_horizon:
        return (start + turn % 5,)
    longest = (1, 3, 7, 25)[min(turn, 3)]
    return (
        tuple(range(start, start + longest + 1))
        if turn < 3
        else (*range(start, start + 4), *range(start + 5, start + longest + 1, 3))
    )


def program_search(bound: Bound, seed: int) -> Outcome:
    """What semidefinite programs for fixed steps find; nothing where the extra is missing or the claim does not fit."""
    from boundcheck.falsify.gram_search.strategy import strategy

    try:
        for candidate in strategy(bound, seed, seconds=PROGRAM_SECONDS):
            if (failure := look(bound, candidate)) is not None:
                return Outcome(Found(candidate, failure), looked_at=1)
    except ImportError:
        pass
    return Outcome()
