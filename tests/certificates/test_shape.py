"""Every object of a certificate has exactly its keys, of the right types: anything else is malformed, under a good seal."""

from __future__ import annotations

import contextlib
import json
import pickle
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

from boundcheck.certificates.write import sealed
from boundcheck.language.canonical import KINDS
from boundcheck.language.tree import field_names
from boundcheck.verify.claim_shape import check_claim
from boundcheck.verify.formula_shape import NODES
from boundcheck.verify.gram_formula_shape import GRAM_NODES

from .making import REFUTED, certificate, rehashed

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

CHOSEN = [
    "thm:polyak-alternate@printed",  # a piecewise quadratic, a parameter, steps that follow an equation
    "lemma:local-descent-lemma.proof@printed",  # a chain
    "path-smoothness.at-most-D@printed",  # a chord
    "eq:n6@printed",  # a closed form
    "prop:sc-split-analysis@printed",  # a quadratic
    "lemma:agd-equivalence.y@printed",  # two runs, methods with several updates
    "alg:exponential-search-gd.access@T-is-k",
]
FREE = {("claim", "try_with")}  # an object with any names
OTHER_TYPES: list[Any] = [None, True, 3, "", "?", [], {}, [[]], "٣", "+3", "-0", "1_0", "3/1", " 3"]


def objects(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every object in a file."""
    if isinstance(data, dict):
        yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from objects(value, (*path, key))


def some(original: Any, most: int) -> list[tuple[Any, ...]]:
    """Objects of a file, from all its parts, at most so many."""
    found = list(objects(original))
    return found[:: 1 + len(found) // most]


def inside(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def copier(original: Any) -> Callable[[], Any]:
    """A function that makes a new copy at each call: from bytes, which is several times faster than `deepcopy`."""
    kept = pickle.dumps(original)
    return lambda: pickle.loads(kept)


def code(data: Any) -> int:
    """What the checker says, with a new hash and a new seal: only the form can reject."""
    with contextlib.suppress(KeyError, TypeError):
        data = rehashed(data)
    return verify.examine(json.dumps(sealed(data)).encode()).code


@pytest.mark.parametrize("name", CHOSEN)
def test_a_key_that_is_not_known_is_refused_wherever_it_is(name: str) -> None:
    original = certificate(name)
    copied = copier(original)
    assert code(original) == verify.REFUTES
    for path in some(original, 30):
        for key, value in (("links", [{"is": "Relation"}]), ("more", "1"), ("where", None), ("", 0)):
            changed = copied()
            if path in FREE or key in inside(changed, path):
                continue
            inside(changed, path)[key] = value
            assert code(changed) == verify.MALFORMED, (path, key)


@pytest.mark.parametrize("name", CHOSEN)
def test_a_key_that_is_missing_is_refused_wherever_it_is(name: str) -> None:
    original = certificate(name)
    copied = copier(original)
    for path in some(original, 25):
        for key in set(inside(original, path)) - {"hash", "seal"} if path not in FREE else ():
            changed = copied()
            del inside(changed, path)[key]
            assert code(changed) != verify.REFUTES, (path, key)
            if path[:1] == ("claim",) or not path:
                assert code(changed) == verify.MALFORMED, (path, key)


@pytest.mark.parametrize("name", CHOSEN)
def test_a_field_of_another_type_is_never_read_as_something(name: str) -> None:
    """It may happen to be right (text for text); then the claim has another name or title, and is the same claim."""
    original = certificate(name)
    copied = copier(original)
    said = {
        "title",
        "because",
        "label",
        "letter",
        "id",
        "reading",
        "latex",
        "name",
        "kind",
        "words",
        "try_with",
        "role",
        "run",
        "smoothness",
    }
    for path in some(original, 20):
        for key in set(inside(original, path)) - {"hash", "seal", "given"}:
            for value in OTHER_TYPES if key not in said and path not in FREE and "dimension" not in path else ():
                changed = copied()
                allowed = (key in ("index", "minimiser", "where") and value is None) or (key in ("plus", "from") and value == 3)
                if key == "dimension" or inside(changed, path)[key] == value or allowed:
                    continue
                inside(changed, path)[key] = value
                assert code(changed) != verify.REFUTES, (path, key, value)


def test_the_nodes_of_a_formula_are_those_of_the_language_with_their_fields() -> None:
    """The checker's own lists against the language: `Gap` is the framework's shorthand, and no claim is written with it.

    Certificates of the kind "gram" have the nodes about named oracles. Of blocks of coordinates there are no certificates.
    """
    known = {name: set(fields) for name, (_, fields) in {**NODES, **GRAM_NODES}.items()}
    known |= {"Relation": {"op", "left", "right"}, "Chain": {"links"}, "VectorEquation": {"left", "right"}}
    abstract = {"Scalar", "Vector", "Condition", "Gap", "Block"}
    assert known == {name: set(field_names(kind)) for name, kind in KINDS.items() if name not in abstract}


@pytest.mark.parametrize("bound", REFUTED[::4], ids=lambda bound: bound.id)
def test_every_claim_of_the_library_has_the_form(bound: Any) -> None:
    check_claim(bound.to_json())
