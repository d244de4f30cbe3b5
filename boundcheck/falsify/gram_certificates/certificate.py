"""The certificate of the kind "gram": what was found, as a file that the independent checker decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.certificates.write import ENOUGH, FORMAT, VERSION, as_text, enclosed_sides, sealed
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Declared, SamePoint, Solution
from boundcheck.falsify.gram_certificates.exact_program import ExactProgram
from boundcheck.falsify.gram_certificates.rational_point import Point
from boundcheck.falsify.gram_certificates.words import words
from boundcheck.gram.named_reading import NamedReading
from boundcheck.language.scalars import Average, Constant
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Minimum, PartsMean
from boundcheck.model import facts
from boundcheck.model.problem import Fact, FactAbout
from boundcheck.support.errors import NotCertified
from boundcheck.verify import REFUTES, GramReplay, NotComputed, examine

KIND = "gram"


def gram_certificate(bound: Bound, reading: NamedReading, link: int, made: ExactProgram, point: Point) -> dict[str, Any]:
    """Return the certificate, accepted by the independent checker. NotCertified: it does not accept it, and why."""
    draft = _draft(bound, reading, link, made, point)
    try:
        with Precision(ENOUGH):
            replay = GramReplay(draft)
            left, right = enclosed_sides(replay.sides(), replay.relation["op"])
    except NotComputed as wrong:
        raise NotCertified(f"{bound.id}: the independent checker does not accept it: {wrong}") from None
    whole = {**draft, "left": left, "right": right}
    whole["words"] = words(bound, whole)
    whole = sealed(whole)
    found = examine(as_text(whole).encode())
    if found.code != REFUTES:
        raise NotCertified(f"{bound.id}: the independent checker does not accept it: {found.line}")
    return whole


def _draft(bound: Bound, reading: NamedReading, link: int, made: ExactProgram, point: Point) -> dict[str, Any]:
    def vector(combination: Any) -> list[str]:
        return [str(c) for c in made.vector(combination)]

    nodes = list(nodes_of(bound))
    constants = {node.name for node in nodes if isinstance(node, Constant)} | _letters(bound)
    has_parts = any(node.parts or isinstance(node, Average | PartsMean) for node in nodes)
    has_least = any(isinstance(node, Minimum) for node in nodes)
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": KIND,
        "claim": bound.to_json(),
        "hash": bound.hash,
        "parameters": {name: str(Fraction(reading.parameters[name])) for name in bound.parameters},
        "constants": {name: str(Fraction(reading.constants[name] or 0)) for name in sorted(constants)},
        "components": reading.components if has_parts else None,
        "gram": [[str(point["G", min(i, j), max(i, j)]) for j in range(made.size)] for i in range(made.size)],
        "minimiser": ["0"] * made.size if has_least else None,
        "oracles": [
            {
                "name": name,
                "part": part,
                "rows": [
                    {
                        "point": vector(row.point),
                        "image": vector(row.image),
                        "value": str(point.get(("F", row.value), Fraction(0))) if _has_values(reading, name) else None,
                    }
                    for row in rows
                ],
            }
            for (name, part), rows in reading.data.items()
        ],
        **_place(bound, reading, vector),
        "free": [
            {"run": role, "name": name, "index": n, "part": part, "is": vector(entry)}
            for (role, name, key), entry in reading.free.items()
            for n, part in [key if isinstance(key, tuple) else (key, None)]
        ],
        "solved": list(_solved(bound, reading, vector)),
        "at": {} if bound.is_about_chords else {bound.for_all.letter: reading.setting.k},
        "link": link,
        "left": "0",
        "right": "0",
        "words": "",
        "seal": "",
    }


def _place(bound: Bound, reading: NamedReading, vector: Any) -> dict[str, Any]:
    """The points of a chord, or where each run starts and its steps."""
    if bound.is_about_chords:
        return {"chord": {name: vector(entry) for name, entry in reading.names.items()}}
    roles = {
        role: {
            "start": vector(reading.entries[role, "x"][0]),
            "eta": [str(Fraction(eta.constant)) for _, eta in sorted(reading.entries[role, "eta"].items())],
        }
        for role, _ in bound.runs.roles
    }
    return {"run": {"roles": roles}}


def _solved(bound: Bound, reading: NamedReading, vector: Any) -> Iterator[dict[str, Any]]:
    """The points that inclusions and equations define: of runs with draws, those of all paths."""
    every = [reading.entries, *reading.runs.values()]
    for role, method in bound.runs.roles if not bound.is_about_chords else ():
        for name in dict.fromkeys(u.name for u in (*method.first, *method.each) if u.is_implicit):
            found: dict[Any, list[list[str]]] = {}
            for entries in every:
                for key, entry in entries.get((role, name), {}).items():
                    points = found.setdefault(key, [])
                    if (written := vector(entry)) not in points:
                        points.append(written)
            first = {u.index.offset for u in method.each if u.name == name and u.is_implicit}
            for key, points in found.items():
                n, part = key if isinstance(key, tuple) else (key, None)
                if n == 0 and first == {1}:
                    continue  # the start of the sequence, which no equation defines
                yield {"run": role, "name": name, "index": n, "part": part, "points": points}


def nodes_of(bound: Bound) -> Iterator[Node]:
    """Every node of the claim: of its statement, its hypotheses and its methods."""
    trees: list[Node] = list(bound.trees)
    if not bound.is_about_chords:
        trees += [u.formula for _, method in bound.runs.roles for u in (*method.first, *method.each, *method.backwards)]
    trees += [h.zero for h in bound.hypotheses if isinstance(h, Solution)]
    trees += [h.equation for h in bound.hypotheses if isinstance(h, SamePoint)]
    for tree in trees:
        yield from tree.walk()


def _letters(bound: Bound) -> set[str]:
    """The constants of the classes that the claim assumes."""
    found: set[str] = set()
    for h in bound.hypotheses:
        if isinstance(h, Declared):
            found |= {field.name for field in fields(h.kind)}
        elif isinstance(h, FactAbout):
            found |= {letter for _, letter in h.letters}
    return found


def _has_values(reading: NamedReading, name: str) -> bool:
    """Whether an oracle is a function of which values are known."""
    about = reading.classes.get(name)
    return about is None or not (about.kinds & WITHOUT_VALUES)


WITHOUT_VALUES: frozenset[type[Fact]] = frozenset(
    {
        *(facts.Monotone, facts.StronglyMonotone, facts.Cocoercive, facts.LipschitzOperator, facts.Nonexpansive),
        *(facts.NegativelyComonotone, facts.Linear, facts.Symmetric, facts.SkewSymmetric, facts.RestrictedSecant),
    }
)
