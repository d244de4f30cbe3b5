"""The simplest candidate at which a claim still fails: greedy descent from one that was found, decided by exact numbers only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product
from time import perf_counter

from flint import fmpq

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate, Ridges, steps_of
from boundcheck.falsify.exact_check import (
    UNCLEAR,
    ProvedFailure,
    draft,
    formula_of,
    look,
    looks_ahead,
    with_exact_roots,
    with_exact_steps,
)
from boundcheck.falsify.lane_batch import MOST_HALVINGS
from boundcheck.falsify.shrinking.complexity import LETTER, Group, complexity, groups, plainness, simpler
from boundcheck.falsify.shrinking.function_moves import (
    as_pieces,
    fewer_data,
    lower,
    moved,
    plainer,
    refitted,
    restarted,
    rounder_data,
    shorter,
)
from boundcheck.falsify.shrinking.number_moves import pairs, rescaled, seeming_to_fail
from boundcheck.language.relations import links
from boundcheck.language.scalars import NONE, Parameter
from boundcheck.library.declarations import step_search
from boundcheck.model.step_search import COUNTED, FIRST_STEP
from boundcheck.verify import Replay


def prescribes(bound: Bound) -> str:
    """Return where the steps come from: "search", "formula", "root" (an equation that reads beyond the step).

    "" where they are free.
    """
    if bound.is_about_chords:
        return ""
    if bound.runs.searched:
        return "search"
    formula = formula_of(bound)
    return "" if formula is None else "root" if looks_ahead(formula) else "formula"


def settled(bound: Bound, candidate: Candidate) -> list[Candidate]:
    """Return the candidate with steps as the claim prescribes them.

    Where they solve an equation: as they are, and solved again.
    """
    kind = prescribes(bound)
    if kind == "" or not candidate.chosen or not steps_of(candidate):
        return [candidate]
    if kind == "root":
        solved = with_exact_roots(bound, candidate)
        return [candidate] if solved is None or solved == candidate else [candidate, solved]
    if any(len(own) != 1 for _, own in candidate.chosen):
        return [candidate]
    made = _searched(bound, candidate) if kind == "search" else with_exact_steps(bound, candidate)
    return [] if made is None else [made]


def _searched(bound: Bound, candidate: Candidate) -> Candidate | None:
    """With the steps that the search from eta0 returns, and what it counts."""
    letters, count = dict(candidate.parameters), len(steps_of(candidate))
    try:
        replay = Replay(draft(bound, candidate))
        eta0 = fmpq(letters[FIRST_STEP].numerator, letters[FIRST_STEP].denominator)
        halving = step_search(bound.runs.steps)
        low, high, seen = halving(lambda m: replay.is_small(eta0 / 2**m), MOST_HALVINGS)
    except UNCLEAR:
        return None
    if low < 0:
        return None
    letters |= {name: Fraction(n) for name, n in zip(COUNTED, (seen * count, seen), strict=True) if name in letters}
    each = [letters[FIRST_STEP] / 2**m for m in (low, high)]
    chosen = tuple((role, (("eta", (eta,) * count),)) for (role, _), eta in zip(candidate.chosen, each, strict=True))
    return replace(candidate, parameters=tuple(letters.items()), chosen=chosen)


CLEAR, VISIBLE = 1 / 100, 1 / 1000
FEW_BITS = 128
CLOSER = 60  # pairs of numbers that are tried exactly
STRUCTURE = 6  # the first entries of a complexity: what is not numbers


def least_margin(given: float) -> float:
    """The margin that a simpler candidate must keep: 1/100; where the given one has less, 1/1000; where still less, its own.

    What fails with margin 0 (a strict relation at equality) may stay at 0.
    """
    return CLEAR if given >= CLEAR else VISIBLE if given >= VISIBLE else given


def shrink(bound: Bound, candidate: Candidate, *, seconds: float = 10, first_k: int | None = None) -> Candidate:
    """Return the simplest candidate that greedy descent reaches and at which the claim fails with a margin (`least_margin`).

    It is never more complex (`numbers.complexity`) than the given one. No k below `first_k` is tried. Deterministic, unless the
    time is up: then the best so far. ValueError where the claim is not proved to fail at the given one.
    """
    failure = look(bound, candidate)
    if failure is None:
        raise ValueError(f"{bound.id} is not proved to fail at the candidate to shrink")
    return _Descent(bound, candidate, failure, perf_counter() + seconds, first_k).run()


class _Descent:
    def __init__(self, bound: Bound, candidate: Candidate, failure: ProvedFailure, deadline: float, first_k: int | None) -> None:
        self.bound, self.best, self.deadline = bound, candidate, deadline
        self.first_k = bound.for_all.start if first_k is None else max(first_k, bound.for_all.start)
        self.least = least_margin(failure.margin)
        self.steps_from = prescribes(bound)
        self.cost = self.complexity(candidate)
        self.units = {n.name: n.dimension for tree in bound.trees for n in tree.walk() if isinstance(n, Parameter)}
        self.tried: set[Candidate] = {candidate}

    def run(self) -> Candidate:
        """Structure first, then numbers one by one; again while anything became simpler."""
        while self._first(self._structures()) or self._first(self._units()) or self._numbers() or self._pairs():
            pass
        return self.best

    def parts(self, candidate: Candidate) -> list[Group]:
        return groups(candidate, self.bound.runs.main.step_dimension, self.units)

    def accepts(self, candidate: Candidate) -> bool:
        """Return whether the candidate is simpler and the claim fails there with the margin. Then it is the best."""
        if candidate in self.tried or perf_counter() > self.deadline:
            return False
        self.tried.add(candidate)
        if self.steps_from == "" and self.complexity(candidate) >= self.cost:
            return False
        for whole in settled(self.bound, candidate):
            cost = self.complexity(whole)
            if cost < self.cost and _seems_to_fail(self.bound, whole) and self._fails(whole):
                self.best, self.cost = whole, cost
                return True
        return False

    def complexity(self, candidate: Candidate) -> tuple[int, ...]:
        return complexity(candidate, steps_chosen=self.steps_from == "")

    def _fails(self, candidate: Candidate) -> bool:
        """With the margin."""
        failure = look(self.bound, candidate)
        return failure is not None and failure.margin >= self.least

    def _first(self, proposals: Iterable[Candidate]) -> bool:
        """Return the simplest of the proposals that is accepted."""
        ranked = sorted(((self.complexity(p), n, p) for n, p in enumerate(dict.fromkeys(proposals))), key=lambda entry: entry[:2])
        keep = len(self.cost) if self.steps_from == "" else STRUCTURE
        return any(self.accepts(p) for cost, _, p in ranked if cost[:keep] <= self.cost[:keep])

    def _structures(self) -> Iterator[Candidate]:
        c = self.best
        L = c.function.L if isinstance(c.function, Ridges) else None
        for proposal in chain(shorter(self.bound, c, self.first_k), lower(c), fewer_data(c), as_pieces(c), plainer(c)):
            yield from refitted(proposal, L) if self.steps_from == "" else restarted(proposal)
        kinds = self.bound.smoothness if c.smoothness else ("",)
        for link, kind in product(range(len(links(self.bound.states))), kinds):
            if (link, kind) != (c.link, c.smoothness):
                other = replace(c, link=link, smoothness=kind)
                yield other
                yield from shorter(self.bound, other, self.first_k)

    def _units(self) -> Iterator[Candidate]:
        yield from moved(self.best)
        yield from rescaled(self.best, self.parts)
        yield from rounder_data(self.bound, self.best)

    def _numbers(self) -> bool:
        """Return each number, or all equal ones of a group, made simpler, until none can be."""
        before = self.cost
        for name in [group.name for group in self.parts(self.best) if group.name != "data"]:
            done: set[tuple[Fraction, ...]] = set()
            while self._one_number(name, done):
                pass
        return self.cost < before

    def _one_number(self, name: str, done: set[tuple[Fraction, ...]]) -> bool:
        group = next((g for g in self.parts(self.best) if g.name == name), None)
        if group is None or group.numbers in done:
            return False
        done.add(group.numbers)
        return any(self.accepts(c) for c in self._with_one_simpler(group))

    def _with_one_simpler(self, group: Group) -> Iterator[Candidate]:
        own = group.numbers
        L = self.best.function.L if isinstance(self.best.function, Ridges) else None
        for value in sorted(set(own), key=plainness, reverse=True):
            where = [n for n, v in enumerate(own) if v == value]
            for changed in [where] if len(where) == 1 else [where, *([n] for n in where)]:
                for new in simpler(value, own):
                    if not self._allows(group.name, value, new):
                        continue
                    try:
                        made = group.put(tuple(new if n in changed else v for n, v in enumerate(own)))
                    except ValueError:
                        continue
                    yield made
                    if group.name in ("slopes", "breaks", "closed") and L and made.function.L and self.steps_from == "":
                        yield from list(refitted(made, L))[1:2]

    def _allows(self, name: str, old: Fraction, new: Fraction) -> bool:
        """A letter keeps its sign; a pure number below 1 stays below, one within the values of `try_with` stays within."""
        if not name.startswith(LETTER):
            return name != "steps" or self.steps_from in ("", "root")
        letter = name.removeprefix(LETTER)
        usual = self.bound.try_with.get(letter, ())
        inside = not usual or not min(usual) <= old <= max(usual) or min(usual) <= new <= max(usual)
        return inside and old * new > 0 and (old >= 1 or new < 1 or self.units.get(letter) != NONE)

    def _pairs(self) -> bool:
        """Return two numbers at once."""
        if perf_counter() > self.deadline:
            return False
        proposals = list(pairs(self.best, self.parts, self._allows))
        return any(self.accepts(c) for c in seeming_to_fail(self.bound, proposals, self.least)[:CLOSER])


def _seems_to_fail(bound: Bound, candidate: Candidate) -> bool:
    """Return one try with few bits: what it does not decide is given up."""
    try:
        with Precision(FEW_BITS):
            return Replay(draft(bound, candidate)).fails()
    except UNCLEAR:
        return False
