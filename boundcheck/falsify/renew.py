"""Renewing a kept certificate: by the same function and run for a claim that has changed, or by a simpler instance."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, product
from time import perf_counter
from typing import Any

from boundcheck.bound import Bound
from boundcheck.certificate import NOT_FOLLOWED, NotCertified, certify, finished, nodes_of
from boundcheck.falsify.agree import objection
from boundcheck.falsify.exact import UNCLEAR, draft, look
from boundcheck.falsify.model import Candidate, Ridges
from boundcheck.falsify.numbers import COUNTED, complexity, steps_of
from boundcheck.falsify.read import candidate_from
from boundcheck.falsify.schedule import CannotFail
from boundcheck.falsify.search import search
from boundcheck.falsify.settle import prescribes
from boundcheck.falsify.shrink import least_margin, shrink
from boundcheck.falsify.write import certificate_of
from boundcheck.language.relations import links
from boundcheck.language.scalars import NONE, Constant, Gap, Parameter
from boundcheck.language.vectors import Minimum
from boundcheck.problem import Problem
from boundcheck.registry import from_function
from boundcheck.script import script
from boundcheck.verify import Certificate

NEAR = (0, -1, 1, -2, 2)  # from the old k
SEARCHES, ANOTHER_SEED, NEVER = 3, 1_000_003, -1


def renewed(bound: Bound, old: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """A certificate of the claim as it is, and where it comes from. NotCertified where there is none."""
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
    """The old data for the new claim: with its M, its link and its k first, and then with others."""
    claimed = {"claim": bound.to_json(), "hash": bound.hash, "constants": _constants(bound, old), "words": "", "seal": ""}
    shared = {**old, **claimed, "minimiser": _minimiser(bound, old)}
    kinds = _first(old["smoothness"], bound.smoothness) if bound.reads_M else [None]
    relations = _first(old["link"], range(len(links(bound.states))))
    for parameters, kind, link, place in product(_parameters(bound, old), kinds, relations, list(_places(bound, old))):
        yield {**shared, "parameters": parameters, "smoothness": kind, "link": link, "at": place}


def _first(wanted: Any, among: Any) -> list[Any]:
    """All of them, the wanted one first where it is among them."""
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
    """The old letters; for one that is new, the values at which the claim is tried."""
    kept = {name: [value] for name, value in old["parameters"].items() if name in bound.parameters}
    new = {name: [str(Fraction(v)) for v in bound.try_with[name]] for name in bound.parameters if name not in kept}
    choices = {**kept, **new}
    return [dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values())]


def _constants(bound: Bound, old: Mapping[str, Any]) -> dict[str, str]:
    """Those that the claim now reads: the old ones, and L and mu of the function."""
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
class Simplified:
    """How complex the kept certificate and the simplest other that was found are; and the other, where it is to replace it."""

    kept: tuple[int, ...]
    other: tuple[int, ...] | None
    certificate: dict[str, Any] | None = None


def cost(bound: Bound, candidate: Candidate) -> tuple[int, ...]:
    """How complex a candidate is, as `shrink` counts."""
    return complexity(candidate, steps_chosen=prescribes(bound) == "")


def is_simpler(bound: Bound, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Is one certificate of the claim simpler than another? Not where either is no sum of ridges, which is not compared."""
    try:
        return cost(bound, candidate_from(one)) < cost(bound, candidate_from(other))
    except ValueError:
        return False


def simplified(bound: Bound, old: Mapping[str, Any], *, budget: float, seed: int = 0, jobs: int = 1) -> Simplified:
    """The simplest of the kept counterexample, made simpler, and of what searches find, made simpler: where it is as telling.

    The relation of a chain that fails stays the same. ValueError where the kept certificate cannot be read back.
    """
    kept = replace(candidate_from(old), link=0)
    narrow = replace(bound, states=links(bound.states)[old["link"]])
    asked, fair = max(bound.for_all.start, min(1, kept.k)), _AsTelling(narrow, kept)
    least = before = cost(bound, kept)
    other, best = None, None
    for found in chain([kept], _searched(narrow, budget, seed, jobs, asked)):
        candidate = _simplest(narrow, found, asked, budget)
        if candidate == kept:
            continue
        now = cost(bound, candidate)
        other = now if other is None else min(now, other)
        if now < least and fair.allows(candidate):
            made = _certified(bound, replace(candidate, link=old["link"]), old)
            least, best = (now, made) if made is not None else (least, best)
    return Simplified(before, other if best is None else least, best)


def _searched(bound: Bound, budget: float, seed: int, jobs: int, first_k: int) -> Iterator[Candidate]:
    """What some searches find, each from another seed, until the budget ends. None moves f to f + C: that tells less."""
    for turn in range(SEARCHES):
        try:
            result = search(bound, budget=budget, seed=seed + turn * ANOTHER_SEED, jobs=jobs, first_k=first_k, moved_in=NEVER)
        except CannotFail:
            return
        budget -= result.seconds
        if result.found is None or budget <= 0:
            return
        yield result.found.candidate


def _simplest(bound: Bound, candidate: Candidate, first_k: int, seconds: float) -> Candidate:
    """Shrunk until it stays as it is, so that it is the same when it is shrunk again; or the best when the time is up."""
    until = perf_counter() + seconds
    while (left := until - perf_counter()) > 0 and look(bound, candidate) is not None:
        before, candidate = candidate, shrink(bound, candidate, seconds=left, first_k=first_k)
        if candidate == before:
            break
    return candidate


def _certified(bound: Bound, candidate: Candidate, old: Mapping[str, Any]) -> dict[str, Any] | None:
    """Its certificate, if it reads back as the same, is in fractions where the old one is, and its script runs."""
    try:
        made = certificate_of(bound, candidate)
        same = cost(bound, candidate_from(made)) <= cost(bound, candidate)
    except ValueError:
        return None
    return made if same and _in_fractions(made) >= _in_fractions(old) and _script_runs(bound, made) else None


def _in_fractions(certificate: Mapping[str, Any]) -> bool:
    """Are both sides rational, and all steps?"""
    steps = [step for own in certificate.get("run", {"roles": {}})["roles"].values() for step in own["eta"]]
    return None not in steps and isinstance(certificate["left"], str) and isinstance(certificate["right"], str)


def _script_runs(bound: Bound, certificate: Mapping[str, Any]) -> bool:
    alone = [sys.executable, "-I", "-S", "-c", script(bound, certificate)]
    return subprocess.run(alone, capture_output=True, check=False).returncode == 0


class _AsTelling:
    """Is a candidate as telling as the kept one? A claim should not seem false for a lesser reason than it is."""

    def __init__(self, bound: Bound, kept: Candidate) -> None:
        failure = look(bound, kept)
        self.bound, self.kept = bound, kept
        self.margin = least_margin(failure.margin) if failure is not None else 0.0
        self.goes_on, self.is_shifted = _goes_on(bound, kept), _is_shifted(bound, kept)

    def allows(self, candidate: Candidate) -> bool:
        """With a margin, no run past its end, no constant added to f, and letters where the paper plainly means them."""
        failure = look(self.bound, candidate)
        return (
            failure is not None
            and failure.margin >= self.margin
            and (_goes_on(self.bound, candidate) or not self.goes_on)
            and (self.is_shifted or not _is_shifted(self.bound, candidate))
            and all(self._means(name, value, dict(candidate.parameters)[name]) for name, value in self.kept.parameters)
        )

    def _means(self, name: str, old: Fraction, new: Fraction) -> bool:
        """Within the values of `try_with`, of the same sign, below 1: where the kept one is."""
        usual = [Fraction(value) for value in self.bound.try_with.get(name, ())]
        if name in COUNTED or old == new:
            return True
        if usual and min(usual) <= old <= max(usual) and not min(usual) <= new <= max(usual):
            return False
        has_unit = any(
            n.name == name and n.dimension != NONE for t in self.bound.trees for n in t.walk() if isinstance(n, Parameter)
        )
        return old * new > 0 and (old >= 1 or new < 1 or has_unit)


def _is_shifted(bound: Bound, candidate: Candidate) -> bool:
    """Does the claim move with f + C, and is f* not 0, or not known?"""
    f = candidate.function
    at_0 = isinstance(f, Ridges) and f.minimiser is not None and f.shift == 0
    return not (bound.is_shift_invariant or at_0)


def _goes_on(bound: Bound, candidate: Candidate) -> bool:
    """Does no step begin where the gradient is 0? There a run ends."""
    if candidate.chord:
        return True
    try:
        made = Certificate(draft(bound, candidate))
        made.make_runs()
        points = [made.entries["", "x"][n] for n in range(len(steps_of(candidate)))]
        return all(any(g != 0 for g in made.f.grad(point)) for point in points)
    except UNCLEAR:
        return False
