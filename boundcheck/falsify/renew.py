"""Renewing a certificate whose claim has changed: the same function and run for the claim as it is now, or its own instance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from boundcheck.bound import Bound
from boundcheck.certificate import NOT_FOLLOWED, NotCertified, certify, finished, nodes_of
from boundcheck.falsify.agree import objection
from boundcheck.language.relations import links
from boundcheck.language.scalars import Constant, Gap
from boundcheck.language.vectors import Minimum
from boundcheck.problem import Problem
from boundcheck.registry import from_function

NEAR = (0, -1, 1, -2, 2)  # from the old k


def renewed(bound: Bound, old: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """A certificate of the claim as it is, and where it comes from. NotCertified where there is none."""
    why = "the old one says too little for the claim as it is"
    try:
        for draft in _drafts(bound, old):
            try:
                made = finished(bound, draft)
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
