"""A counterexample of the kind "gram" in words, for people: what is given, and what the two sides come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Runs
from boundcheck.language.relations import links

MOST_ROWS = 8  # of a matrix that is written out


def words(bound: Bound, certificate: Mapping[str, Any]) -> str:
    """Return one paragraph."""
    return " ".join(lines(bound, certificate))


def numbered(bound: Bound, certificate: Mapping[str, Any]) -> list[str]:
    """Return the counterexample as numbered lines."""
    return [f"{n}. {line}" for n, line in enumerate(lines(bound, certificate), 1)]


def lines(bound: Bound, certificate: Mapping[str, Any]) -> list[str]:
    """Return the counterexample line by line."""
    return list(_lines(bound, certificate))


def _lines(bound: Bound, certificate: Mapping[str, Any]) -> Iterator[str]:
    gram = certificate["gram"]
    size = len(gram)
    yield f"Let b_1, ..., b_{size} be vectors with these inner products; the matrix is positive semidefinite, so there are such."
    if size <= MOST_ROWS:
        for i, row in enumerate(gram, 1):
            yield f"<b_{i}, b_1>, ..., <b_{i}, b_{size}> = {', '.join(row)}."
    numbers = {**certificate["constants"], **certificate["parameters"]}
    if numbers:
        yield f"Take {', '.join(f'{name} = {value}' for name, value in numbers.items())}."
    if certificate["components"] is not None:
        yield f"There are {certificate['components']} components."
    if certificate["minimiser"] is not None:
        yield f"x* = {combination(certificate['minimiser'])}."
    for oracle in certificate["oracles"]:
        name = oracle["name"] + ("" if oracle["part"] is None else f"_{oracle['part']}")
        for row in oracle["rows"]:
            value = "" if row["value"] is None else f", with the value {row['value']}"
            yield f"{name} gives {combination(row['image'])} at {combination(row['point'])}{value}."
    yield "Theorems on interpolation say that there are such functions, sets and operators in the classes of the claim."
    for role, own in certificate.get("run", {"roles": {}})["roles"].items():
        of = f" of the run '{role}'" if role else ""
        yield f"Start{of}: x_0 = {combination(own['start'])}; steps {', '.join(own['eta']) or 'none'}."
    for name, point in certificate.get("chord", {}).items():
        yield f"{name} = {combination(point)}."
    for given in (h for h in bound.hypotheses if isinstance(h, Runs)):
        yield f"The run: {given}."
    for entry in certificate["free"]:
        is_ = combination(entry["is"]) if isinstance(entry["is"], list) else entry["is"]
        yield f"{entry['name']}_{entry['index']} = {is_}."
    for name, k in certificate["at"].items():
        yield f"Now take {name} = {k}."
    relation = links(bound.states)[certificate["link"]]
    yield f"Left side: {relation.left} = {_side(certificate['left'])}."
    yield f"Right side: {relation.right} = {_side(certificate['right'])}."
    yield f"The claim says left {relation.op} right, which is false."


def combination(vector: list[str]) -> str:
    """Return a vector as it is written: b_1 - 3/2 b_2."""
    text = ""
    for n, c in enumerate(vector, 1):
        number = Fraction(c)
        if number:
            size = "" if abs(number) == 1 else f"{abs(number)} "
            sign = ("-" if number < 0 else "") if not text else " - " if number < 0 else " + "
            text += f"{sign}{size}b_{n}"
    return text or "0"


def _side(side: Any) -> str:
    return str(side) if isinstance(side, str) else f"a number from {side[0]} to {side[1]}"
