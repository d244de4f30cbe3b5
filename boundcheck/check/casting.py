"""Casting: which part of a problem plays which name of a claim, by name where the names agree, else by the facts.

The h of a claim is the "h" of a problem, where that has the facts which the claim assumes of h, and the oracles that its method
asks. Else any part that has them is; f itself may be. A convex function plays an operator by its subdifferential.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Declared, SamePoint, Solution
from boundcheck.language.named import OBJECTIVE
from boundcheck.language.scalars import Gap, NamedValue, Value
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Image, LinearMinimum, Prox
from boundcheck.model import facts as kinds
from boundcheck.model.method import Update
from boundcheck.model.part import Part
from boundcheck.model.problem import Convex, Fact, FactAbout, Problem, Smooth, StronglyConvex, facts_of_all

OPERATOR, FUNCTION = "operator", "function"
MOST_CASTS = 5000


@dataclass(frozen=True)
class Asked:
    """What a claim asks of one name: facts, and oracles."""

    name: str
    kinds: frozenset[type[Fact]]
    oracles: frozenset[str]
    of_components: bool
    plays: str


@dataclass(frozen=True)
class Cast:
    """A problem whose parts are called as the claim calls them, and the numbers that the claim's letters stand for."""

    problem: Problem
    constants: Mapping[str, Any]
    facts: Mapping[str, frozenset[Fact]]


def trees_of(bound: Bound) -> list[Node]:
    """Every formula of a claim: what it states and assumes, what its method does, and what x* solves."""
    found: list[Node] = list(bound.trees)
    for _, method in bound.runs.roles:
        for update in (*method.first, *method.each):
            found.append(update.formula)
    found += [h.zero for h in bound.hypotheses if isinstance(h, Solution)]
    return found + [h.equation for h in bound.hypotheses if isinstance(h, SamePoint)]


def _is_one_image(update: Update) -> bool:
    """Whether an implicit update asks for one image at the point that it sets, not for those of several parts together."""
    nodes = [n for n in update.formula.walk() if isinstance(n, Grad | Image) and n.at.key == update.sets.key]
    return len({n.of if isinstance(n, Image) else OBJECTIVE for n in nodes}) == 1


@lru_cache(maxsize=1024)
def asked_of(bound: Bound) -> tuple[Asked, ...]:
    """What a claim asks of each name, f among them."""
    oracles: dict[str, set[str]] = {OBJECTIVE: set()}
    summed, operators = set(), set()
    implicit: set[str] = set()
    for _, method in bound.runs.roles:
        for update in (*method.first, *method.each):
            if update.is_implicit and _is_one_image(update):
                for node in update.formula.walk():
                    if isinstance(node, Grad | Image) and node.at.key == update.sets.key:
                        name = node.of if isinstance(node, Image) else OBJECTIVE
                        implicit.add(f"{name} {'inverse' if update.such_that is not None else 'prox'}")
    for tree in trees_of(bound):
        for node in tree.walk():
            if isinstance(node, NamedValue):
                oracles.setdefault(node.of, set()).add("value")
            elif isinstance(node, Value | Gap):
                oracles[OBJECTIVE].add("value")
            elif isinstance(node, Grad):
                oracles[OBJECTIVE].add("image")
            elif isinstance(node, Image):
                oracles.setdefault(node.of, set())
                if node.kind == OPERATOR:
                    oracles[node.of].add("image")
                    operators.add(node.of)
                elif node.kind == "gradient":
                    oracles[node.of].add("image")
            elif isinstance(node, Prox):
                oracles.setdefault(node.of, set()).add("prox")
                if node.kind == "resolvent":
                    operators.add(node.of)
            elif isinstance(node, LinearMinimum):
                oracles.setdefault(node.of, set()).add("minimise_linear")
            if isinstance(node, NamedValue | Image | Prox) and node.part is not None:
                summed.add(node.of)
    for one in implicit:
        name, _, oracle = one.partition(" ")
        oracles.setdefault(name, set()).add(oracle)
    facts: dict[str, set[type[Fact]]] = {}
    for h in bound.hypotheses:
        if isinstance(h, Declared):
            facts.setdefault(OBJECTIVE, set()).add(h.kind)
        elif isinstance(h, FactAbout):
            facts.setdefault(h.name, set()).add(h.kind)
    names = sorted({*oracles, *facts})
    return tuple(
        Asked(
            name,
            frozenset(facts.get(name, ())),
            frozenset(oracles.get(name, ())),
            name in summed,
            OPERATOR if name in operators else FUNCTION,
        )
        for name in names
    )


def cast(bound: Bound, problem: Problem) -> Iterator[Cast]:
    """Every way in which a problem can play a claim, those by the same names first."""
    asked = asked_of(bound)
    mine = next(one for one in asked if one.name == OBJECTIVE)
    if why_not_f(mine, problem):
        return
    others = [one for one in asked if one.name != OBJECTIVE]
    have = _players(problem)
    same = tuple(one.name for one in others)
    tried = 0
    for names in ([same] if all(name in have for name in same) else []) + list(permutations(have, len(others))):
        tried += 1
        if tried > MOST_CASTS:
            return
        if tried > 1 and names == same:
            continue
        parts = {one.name: _as(one, have[name]) for one, name in zip(others, names, strict=True)}
        if all(not _lacking(one, parts[one.name]) for one in others):
            yield _made(bound, problem, parts, dict(zip(same, names, strict=True)))


def why_not(bound: Bound, problem: Problem) -> str:
    """What a problem lacks for a claim, or ""."""
    if next(cast(bound, problem), None) is not None:
        return ""
    asked = asked_of(bound)
    if reason := why_not_f(next(one for one in asked if one.name == OBJECTIVE), problem):
        return f"needs {reason}; {problem.name} has none"
    have = _players(problem)
    for one in asked:
        if one.name != OBJECTIVE and all(_lacking(one, _as(one, part)) for part in have.values()):
            own = have.get(one.name)
            lacking = _lacking(one, _as(one, own)) if own is not None else _in_words(one)
            return f"needs {one.name}: {lacking}; {problem.name} has {', '.join(have) or 'f alone'}"
    return f"needs {', '.join(one.name for one in asked)} at once; the parts of {problem.name} cannot play them all"


def _in_words(one: Asked) -> str:
    needs = [*sorted(kind.__name__ for kind in one.kinds), *(f"its {oracle}" for oracle in sorted(one.oracles))]
    return ", ".join(needs) or "anything"


def why_not_f(one: Asked, problem: Problem) -> str:
    """What f lacks, or ""."""
    if not (one.kinds or one.oracles):
        return ""
    if one.of_components and not problem.components:
        return "a finite sum f"
    if not problem.has_f and one.kinds:
        return "a function f"
    return _lacking(one, f_as_part(problem))


def f_as_part(problem: Problem) -> Part:
    """The f of a problem as a part, with the oracles that its part "f" adds."""
    more = problem.parts.get(OBJECTIVE)
    facts = frozenset({*problem.facts, *(more.facts if more is not None else ())})
    known = {name: getattr(more, name) for name in ("prox", "minimise_linear", "inverse")} if more is not None else {}
    return Part(facts=facts, value=problem.f, image=problem.grad, components=problem.components, **known)


def _players(problem: Problem) -> dict[str, Part]:
    found = {name: part for name, part in problem.parts.items() if name != OBJECTIVE}
    return {**found, **({OBJECTIVE: f_as_part(problem)} if problem.has_f else {})}


def _facts(one: Asked, part: Part) -> frozenset[Fact]:
    """The facts that count: those of each component, where the claim reads components."""
    return implied(facts_of_all(part.components) if one.of_components and part.components else frozenset(part.facts))


def _lacking(one: Asked, part: Part) -> str:
    if one.of_components and not part.components:
        return "components"
    known = {type(fact) for fact in _facts(one, part)}
    missing = [kind.__name__ for kind in one.kinds if not any(issubclass(k, kind) for k in known)]
    offers = part.components if one.of_components else (part,)
    missing += [f"its {oracle}" for oracle in sorted(one.oracles) if not all(p.offers(oracle) for p in offers)]
    return ", ".join(missing)


def implied(facts: frozenset[Fact]) -> frozenset[Fact]:
    """The facts with those that follow from them."""
    more: set[Fact] = set(facts)
    for fact in facts:
        if isinstance(fact, StronglyConvex | kinds.Indicator | kinds.Support):
            more.add(Convex())
        if isinstance(fact, kinds.StronglyMonotone | kinds.SkewSymmetric | kinds.Cocoercive):
            more.add(kinds.Monotone())
        if isinstance(fact, kinds.Cocoercive):
            more.add(kinds.LipschitzOperator(1 / Fraction(fact.beta)))
        if isinstance(fact, kinds.SkewSymmetric | kinds.Symmetric | kinds.Linear):
            more.add(kinds.LipschitzOperator(fact.L))
            more.add(kinds.Linear(fact.L))
    return frozenset(more)


def _as(one: Asked, part: Part) -> Part:
    """A part as what the claim takes it for: a convex function as the operator that its subdifferential is."""
    if one.plays != OPERATOR and not any(_is_about_operators(kind) for kind in one.kinds):
        return part
    known = implied(frozenset(part.facts))
    if not any(isinstance(fact, Convex) for fact in known):
        return part
    more: list[Fact] = [kinds.Monotone()]
    for fact in known:
        if isinstance(fact, StronglyConvex):
            more.append(kinds.StronglyMonotone(fact.mu))
        if isinstance(fact, Smooth) and fact.L:
            more += [kinds.Cocoercive(1 / Fraction(fact.L)), kinds.LipschitzOperator(fact.L)]
    return part.with_facts(*more)


OF_OPERATORS = ("Monotone", "StronglyMonotone", "Cocoercive", "LipschitzOperator", "NegativelyComonotone")


def _is_about_operators(kind: type[Fact]) -> bool:
    return kind.__name__ in OF_OPERATORS


def _made(bound: Bound, problem: Problem, parts: dict[str, Part], names: Mapping[str, str]) -> Cast:
    own = {OBJECTIVE: problem.parts[OBJECTIVE]} if OBJECTIVE in problem.parts else {}
    solutions = tuple(
        replace(
            one,
            images={new: one.images[old] for new, old in names.items() if old in one.images}
            | {name: image for name, image in one.images.items() if name == OBJECTIVE},
        )
        for one in problem.solutions
    )
    asked = {one.name: one for one in asked_of(bound)}
    facts = {name: _facts(asked[name], part) for name, part in parts.items()}
    facts[OBJECTIVE] = _facts(asked[OBJECTIVE], f_as_part(problem))
    constants: dict[str, Any] = dict(problem.constants)
    for h in bound.hypotheses:
        if isinstance(h, Declared):
            constants |= _constants(facts[OBJECTIVE], h.kind, {f.name: f.name for f in fields(h.kind)})
        elif isinstance(h, FactAbout):
            constants |= _constants(facts[h.name], h.kind, dict(h.letters))
    renamed = Problem.replace(problem, parts={**own, **parts}, solutions=solutions, constants=constants)
    return Cast(renamed, constants, facts)


def _constants(facts: frozenset[Fact], kind: type[Fact], letters: Mapping[str, str]) -> dict[str, Any]:
    """The numbers of a fact, under the letters that the claim has for them: of several such facts, the best ones."""
    found: dict[str, Any] = {}
    for own, letter in letters.items():
        values = [getattr(fact, own) for fact in facts if isinstance(fact, kind)]
        numbers = [v for v in values if not isinstance(v, tuple)]
        if numbers:
            found[letter] = max(numbers) if own in ("mu", "beta") else min(numbers)
        for value in values:
            if isinstance(value, tuple):
                found |= {f"{letter}_{n}": each for n, each in enumerate(value, 1)}
    return found
