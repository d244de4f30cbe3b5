"""Renewal of a kept certificate: for a claim that has changed, or by an instance that is simpler and no weaker."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, product
from time import perf_counter
from typing import Any

from flint import arb, fmpq

from boundcheck.certificates.script import script
from boundcheck.certificates.write import NOT_FOLLOWED, NotCertified, certify, finished, nodes_of
from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate, Ridges
from boundcheck.falsify.certificate_io import candidate_from, certificate_of, objection
from boundcheck.falsify.exact_check import draft, look
from boundcheck.falsify.search import CannotFail, search
from boundcheck.falsify.shrinking.complexity import complexity
from boundcheck.falsify.shrinking.shrink import least_margin, prescribes, shrink
from boundcheck.language.relations import links
from boundcheck.language.scalars import NONE, Constant, Gap, Parameter, Term
from boundcheck.language.vectors import Minimum
from boundcheck.library.catalogue import from_function
from boundcheck.model.problem import Problem
from boundcheck.model.step_search import COUNTED
from boundcheck.verify import Replay


class WeakerCounterexample(ValueError):
    """What a counterexample owes its simplicity to, in a few words."""


class StrengthDemand:
    """What the kept counterexample does without, another must do without."""

    def __init__(self, bound: Bound, kept: Candidate) -> None:
        failure = look(bound, kept)
        self.bound, self.kept = bound, kept
        self.margin = least_margin(failure.margin) if failure is not None else 0.0
        self.pure = {node.name for node in nodes_of(bound) if isinstance(node, Parameter | Term) and node.dimension == NONE}
        self.is_shifted, self.ranges = is_shifted(bound, kept), self._ranges(kept)

    def demand(self, candidate: Candidate) -> None:
        """A margin, no lesser function, letters and sequences where the paper plainly means them."""
        failure, old = look(self.bound, candidate), dict(self.kept.parameters)
        if failure is None or failure.margin < self.margin:
            raise WeakerCounterexample("both sides are nearly equal" if failure is not None else "it is not proved to fail there")
        if is_shifted(self.bound, candidate) and not self.is_shifted:
            raise WeakerCounterexample("f* is not 0, and the claim moves with f + C")
        if candidate.chosen and self.kept.function.minimiser is not None and candidate.function.minimiser is None:
            raise WeakerCounterexample("no minimum of f is known")
        if self.kept.function.mu > 0 >= candidate.function.mu:
            raise WeakerCounterexample("f is not strongly convex")
        for name, value in candidate.parameters:
            if name in old and not self._means(name, old[name], value):
                raise WeakerCounterexample(f"{name} = {value}")
        ranges = self._ranges(candidate)
        for name, (is_positive, is_below_1) in self.ranges.items():
            now_positive, now_below_1 = ranges.get(name, (True, True))
            if is_positive > now_positive or is_below_1 > now_below_1:
                raise WeakerCounterexample(f"{name}_k is not {'above 0' if is_positive > now_positive else 'below 1'} for some k")

    def _means(self, name: str, old: Fraction, new: Fraction) -> bool:
        """Within the values of `try_with`, of the same sign, below 1: where the kept one is."""
        usual = [Fraction(value) for value in self.bound.try_with.get(name, ())]
        if name in COUNTED or old == new:
            return True
        if usual and min(usual) <= old <= max(usual) and not min(usual) <= new <= max(usual):
            return False
        return old * new > 0 and (old >= 1 or new < 1 or name not in self.pure)

    def _ranges(self, candidate: Candidate) -> dict[str, tuple[bool, bool]]:
        """Return for each sequence of numbers that the method makes whether it is above 0, and whether it is pure and below 1."""
        found: dict[str, tuple[bool, bool]] = {}
        for (_, name), entries in Replay(draft(self.bound, candidate)).entries.items() if candidate.chosen else ():
            numbers = [value for value in entries.values() if isinstance(value, fmpq | arb)]
            if numbers and name != "eta":
                below_1 = name in self.pure and all(value < 1 for value in numbers)
                found[name] = all(value > 0 for value in numbers), below_1
        return found


def is_shifted(bound: Bound, candidate: Candidate) -> bool:
    """Return whether the claim moves with f + C, and f* is not 0 or not known."""
    f = candidate.function
    at_0 = isinstance(f, Ridges) and f.minimiser is not None and f.shift == 0
    return not (bound.is_shift_invariant or at_0)


NEAR = (0, -1, 1, -2, 2)  # from the old k
SEARCHES, ANOTHER_SEED, NEVER = 3, 1_000_003, -1


def renewed(bound: Bound, old: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return a certificate of the claim as it is, and where it comes from. NotCertified where there is none."""
    why = "the old one says too little for the claim as it is"
    try:
        for drafted in _drafts(bound, old):
            try:
                made = finished(bound, drafted)
            except NotCertified as wrong:
                why = str(wrong)
                continue
            if not (found := objection(bound, made)):
                return made, "the same function and run" if "run" in made else "the same function and points"
            why = f"{bound.id}: the independent checker accepts it, and the framework says {found}"
    except NOT_FOLLOWED as wrong:
        why = f"{bound.id}: the old certificate cannot be used: {wrong}"
    if bound.refuted_by is None:
        raise NotCertified(why)
    return certify(bound), f"its instance, {bound.refuted_by.problem} by {bound.refuted_by.method}"


def _drafts(bound: Bound, old: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the old data for the new claim: with its M, its link and its k first, and then with others."""
    claimed = {"claim": bound.to_json(), "hash": bound.hash, "constants": _constants(bound, old), "words": "", "seal": ""}
    shared = {**old, **claimed, "minimiser": _minimiser(bound, old)}
    kinds = _first(old["smoothness"], bound.smoothness) if bound.reads_M else [None]
    relations = _first(old["link"], range(len(links(bound.states))))
    for parameters, kind, link, place in product(_parameters(bound, old), kinds, relations, list(_places(bound, old))):
        yield {**shared, "parameters": parameters, "smoothness": kind, "link": link, "at": place}


def _first(wanted: Any, among: Any) -> list[Any]:
    """Return all of them, the wanted one first where it is among them."""
    return sorted(among, key=lambda one: one != wanted)


def _places(bound: Bound, old: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    if "chord" in old:
        yield {}
        return
    (k,) = old["at"].values()
    for near in NEAR:
        if k + near >= bound.for_all.start:
            yield {bound.for_all.letter: k + near}


def _parameters(bound: Bound, old: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the old letters; for one that is new, the values at which the claim is tried."""
    kept = {name: [value] for name, value in old["parameters"].items() if name in bound.parameters}
    new = {name: [str(Fraction(v)) for v in bound.try_with[name]] for name in bound.parameters if name not in kept}
    choices = {**kept, **new}
    return [dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values())]


def _constants(bound: Bound, old: Mapping[str, Any]) -> dict[str, str]:
    """Return those that the claim now reads: the old ones, and L and mu of the function."""
    names = {node.name for node in nodes_of(bound) if isinstance(node, Constant)}
    names |= {"L"} if bound.reads_M and "L" in bound.smoothness and "L" in old["constants"] else set()
    found = {name: value for name, value in old["constants"].items() if name in names}
    for name in sorted(names - set(found)):
        value = {"L": _problem(old).L, "mu": _problem(old).mu}.get(name)
        if value is None:
            raise NotCertified(f"{bound.id}: it reads the constant {name}, of which the old certificate says nothing")
        found[name] = str(Fraction(value))
    return found


def _minimiser(bound: Bound, old: Mapping[str, Any]) -> list[str] | None:
    if not any(isinstance(node, Minimum | Gap) for node in nodes_of(bound)):
        return None
    found: list[str] | None = old["minimiser"]
    if found is None:
        raise NotCertified(f"{bound.id}: it reads x*, of which the old certificate says nothing")
    return found


def _problem(old: Mapping[str, Any]) -> Problem:
    start = old["run"]["roles"][""]["start"] if "run" in old else next(iter(old["chord"].values()))
    return from_function(old["function"], start=start, minimiser=old["minimiser"])


# -- by a simpler instance --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Simplification:
    """How complex the kept certificate and the simplest other are; and the other, or why it is not to replace the kept one."""

    kept: tuple[int, ...]
    other: tuple[int, ...] | None = None
    certificate: dict[str, Any] | None = None
    why_not: str = ""


def cost(bound: Bound, candidate: Candidate) -> tuple[int, ...]:
    """Return how complex a candidate is, as `shrink` counts."""
    return complexity(candidate, steps_chosen=prescribes(bound) == "")


def is_simpler(bound: Bound, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether one certificate of the claim is simpler than another.

    Not where either is no sum of ridges, which is not compared.
    """
    try:
        return cost(bound, candidate_from(one)) < cost(bound, candidate_from(other))
    except ValueError:
        return False


def simplified(bound: Bound, old: Mapping[str, Any], *, budget: float, seed: int = 0, jobs: int = 1) -> Simplification:
    """The simplest of the kept counterexample, made simpler, and of what searches find, made simpler: where it is as telling.

    The relation of a chain that fails stays the same. ValueError where the kept certificate cannot be read back.
    """
    kept = candidate_from(old)
    narrow, alone = replace(bound, states=links(bound.states)[kept.link]), replace(kept, link=0)
    asked, telling = max(bound.for_all.start, min(1, kept.k)), StrengthDemand(narrow, alone)
    before = cost(bound, kept)
    best = Simplification(before)
    refused: list[Simplification] = []
    for found in chain([alone], _searched(narrow, budget, seed, jobs, asked)):
        candidate = _simplest(narrow, found, asked, budget)
        whole = replace(candidate, link=kept.link)
        now = cost(bound, whole)
        try:
            if now < (best.other or before):
                telling.demand(candidate)
                best = Simplification(before, now, _certified(bound, whole, old))
            elif candidate != alone:
                refused.append(Simplification(before, now))
        except ValueError as wrong:
            refused.append(Simplification(before, now, why_not=str(wrong)))
    return best if best.certificate is not None else min(refused, key=lambda one: one.other or (), default=best)


def _searched(bound: Bound, budget: float, seed: int, jobs: int, first_k: int) -> Iterator[Candidate]:
    """Yield what some searches find, each from another seed, until the budget ends. None moves f to f + C: that tells less."""
    for turn in range(SEARCHES):
        try:
            result = search(bound, budget=budget, seed=seed + turn * ANOTHER_SEED, jobs=jobs, first_k=first_k, moved_in=NEVER)
        except CannotFail:
            return
        if result.found is None:
            return
        yield result.found.candidate
        budget -= result.seconds
        if budget <= 0:
            return


def _simplest(bound: Bound, candidate: Candidate, first_k: int, seconds: float) -> Candidate:
    """Shrunk until it stays as it is, so that it is the same when it is shrunk again; or the best when the time is up."""
    until = perf_counter() + seconds
    while (left := until - perf_counter()) > 0 and look(bound, candidate) is not None:
        before, candidate = candidate, shrink(bound, candidate, seconds=left, first_k=first_k)
        if candidate == before:
            break
    return candidate


def _certified(bound: Bound, candidate: Candidate, old: Mapping[str, Any]) -> dict[str, Any]:
    """Its certificate, to be followed as easily as the old one. NotCertified where it is not."""
    made = certificate_of(bound, candidate)
    candidate_from(made)  # not a table of values
    if _in_fractions(old) and not _in_fractions(made):
        raise NotCertified("its sides or steps are not fractions")
    if _digits(made["words"]) > _digits(old["words"]):
        raise NotCertified("its numbers have more digits on the way")
    if not _script_runs(bound, made):
        raise NotCertified("its script does not run")
    return made


def _digits(words: str) -> int:
    return sum(letter.isdigit() for letter in words)


def _in_fractions(certificate: Mapping[str, Any]) -> bool:
    """Return whether both sides and all steps are rational."""
    steps = [step for own in certificate.get("run", {"roles": {}})["roles"].values() for step in own["eta"]]
    return None not in steps and isinstance(certificate["left"], str) and isinstance(certificate["right"], str)


def _script_runs(bound: Bound, certificate: Mapping[str, Any]) -> bool:
    alone = [sys.executable, "-I", "-S", "-c", script(bound, certificate)]
    return subprocess.run(alone, capture_output=True, check=False).returncode == 0
