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

from boundcheck.certificates.script import script
from boundcheck.certificates.write import NOT_FOLLOWED, NotCertified, certify, finished, nodes_of
from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate
from boundcheck.falsify.certificate_io import candidate_from, certificate_of, objection
from boundcheck.falsify.exact_check import look
from boundcheck.falsify.search import CannotFail, search
from boundcheck.falsify.shrinking.complexity import complexity
from boundcheck.falsify.shrinking.shrink import prescribes, shrink
from boundcheck.falsify.strength import StrengthDemand
from boundcheck.language.relations import links
from boundcheck.language.scalars import Constant, Gap
from boundcheck.language.vectors import Minimum
from boundcheck.library.catalogue import from_function
from boundcheck.model.problem import Problem

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
