"""The search: tasks from simple to costly, in several processes, in order, until one finds a failure or the budget ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, cycle, islice, product
from time import perf_counter

import numpy as np

from boundcheck.arithmetic.computation_lock import in_turn
from boundcheck.claims.bound import Bound
from boundcheck.falsify.exact_check import look, reads
from boundcheck.falsify.families import FunctionFamily, families
from boundcheck.falsify.search_space import CONSTANT, FREE, MOVED, SCALED, Space
from boundcheck.falsify.strategies import STRATEGIES, FailingCandidate, Looker, TaskOutcome
from boundcheck.language.relations import links
from boundcheck.support.errors import UserError
from boundcheck.support.processes.pool import in_order

FIRST_ROUNDS = (("small rationals", "anywhere"), ("small rationals", "anywhere"), ("evolution", "drawn"))
SIMPLE_FIRST = {"small rationals": FREE, "anywhere": CONSTANT}  # what the first round tries; the second has the other way round
LATER = (("anywhere", "evolution"), ("uphill",), ("evolution", "small rationals"))
FEW, MORE = 4, 9  # families in the first two rounds
SYMMETRIC, MOVED_FAMILIES = "small rationals", (0, 2)  # a parabola, and a function with a break
SCALED_IN = 4  # the round that tries them in other units
PROGRAM, PROGRAM_SECONDS = "semidefinite program", 10.0
GRAM_STRATEGY = "Gram matrix"  # of claims about more than f, and of claims about f after all else


class CannotFail(UserError):
    """No finite run or chord can refute the claim: why, in one line."""


@dataclass(frozen=True)
class SearchTask:
    """A strategy in a space, with a seed: always the same candidates."""

    number: int
    strategy: str
    smoothness: str
    family: int
    ks: tuple[int, ...]
    form: str
    seed: int

    def perform(self, bound: Bound) -> TaskOutcome:
        if self.strategy == PROGRAM:
            return program_search(bound, self.seed)
        looker = Looker(Space(bound, self.smoothness, _families(bound, self.smoothness)[self.family], self.ks, self.form))
        STRATEGIES[self.strategy](looker, np.random.default_rng([self.seed, self.number]))
        return looker.outcome


@lru_cache(maxsize=16)
def _families(bound: Bound, smoothness: str) -> list[FunctionFamily]:
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
    if not bound.is_beyond_f and not any(_families(bound, kind) for kind in _kinds(bound)):
        raise CannotFail(f"{bound.id} reads constants that no function of the search has: {', '.join(sorted(reads(bound)[0]))}")


def _kinds(bound: Bound) -> tuple[str, ...]:
    return bound.smoothness if bound.reads_M else ("",)


def tasks(bound: Bound, seed: int, *, first_k: int | None = None, moved_in: int = 1) -> Iterator[SearchTask]:
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
            yield SearchTask(next(numbers), PROGRAM, "", 0, ks, FREE, seed)
        for n in range((FEW, MORE)[turn] if turn < 2 else 10**3):
            mine = [kind for kind in kinds if n < len(_families(bound, kind))]
            if not mine:
                break
            for strategy in strategies if n < FEW else [s for s in strategies if s != "drawn"]:
                for kind in mine:
                    for form in _forms(strategy, turn, forms):
                        yield SearchTask(next(numbers), strategy, kind, n, ks, form, seed)
        symmetries = (*([MOVED] if turn == moved_in else ()), *(SCALED if turn == SCALED_IN else ()))
        for form, kind in product(symmetries, kinds):
            for n in MOVED_FAMILIES:
                if n < len(found := _families(bound, kind)) and not found[n].closed:
                    yield SearchTask(next(numbers), SYMMETRIC, kind, n, ks, form, seed)


def _forms(strategy: str, turn: int, forms: tuple[str, ...]) -> tuple[str, ...]:
    """Return how steps are chosen: simple numbers one by one, and any number for all of them, then the other way round.

    Later both.
    """
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


def program_search(bound: Bound, seed: int) -> TaskOutcome:
    """Return what semidefinite programs for fixed steps find; nothing where the extra is missing or the claim does not fit."""
    from boundcheck.falsify.gram_search.strategy import strategy

    try:
        for candidate in strategy(bound, seed, seconds=PROGRAM_SECONDS):
            if (failure := look(bound, candidate)) is not None:
                return TaskOutcome(FailingCandidate(candidate, failure), looked_at=1)
    except ImportError:
        pass
    return TaskOutcome()


@dataclass(frozen=True)
class SearchResult:
    """What a search came to. `ratio` is the nearest to equality that any candidate came, where none failed."""

    found: FailingCandidate | None
    ratio: float
    looked_at: int
    tasks: int
    seconds: float
    strategy: str = ""


Report = Callable[[SearchTask, SearchResult], None]
Clock = Callable[[], float]


@in_turn
def search(
    bound: Bound,
    *,
    budget: float,
    seed: int = 0,
    jobs: int = 1,
    first_k: int | None = None,
    moved_in: int = 1,
    most_tasks: int | None = None,
    report: Report | None = None,
    clock: Clock = perf_counter,
) -> SearchResult:
    """The first task that finds a failure decides, in the order of tasks: the same for any number of processes.

    The budget is of the clock: with that of the processor, in one process, nothing depends on what else a machine does.
    """
    started = clock()
    best = SearchResult(None, float("-inf"), 0, 0, 0.0)
    todo = islice(tasks(bound, seed, first_k=first_k, moved_in=moved_in), most_tasks)
    for task, outcome in in_order(todo, lambda task: task.perform(bound), jobs, lambda: started + budget - clock()):
        best = SearchResult(
            outcome.found,
            max(best.ratio, outcome.ratio),
            best.looked_at + outcome.looked_at,
            best.tasks + 1,
            clock() - started,
            task.strategy if outcome.found else "",
        )
        if report is not None:
            report(task, best)
        if outcome.found is not None:
            break
    return best
