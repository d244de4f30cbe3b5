"""A claim says what a reader must know beside its formula: which function, which quantifier, what was added to the print."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boundcheck.certificates.write import nodes_of
from boundcheck.claims.bound import LEMMA, PRINTED, PROVED, Bound
from boundcheck.language.scalars import Constant
from boundcheck.library.catalogue import bounds, find_bounds

LIBRARY = bounds()
OF_EVERY_FUNCTION = {"L", "mu"}
IN_WORDS = ("there are", "there is", "exist", "for every", "for the")


def constants(bound: Bound) -> set[str]:
    return {node.name for node in nodes_of(bound) if isinstance(node, Constant)} - OF_EVERY_FUNCTION


def unsaid(bound: Bound) -> list[str]:
    """What is missing beside the formula of a claim."""
    found = []
    if constants(bound) and not bound.function:
        found.append(
            f"it reads {', '.join(sorted(constants(bound)))}, a constant of one function, and does not say which: function="
        )
    existence = bound.untested and " exist" in f" {bound.untested}"
    if existence and not any(word in bound.quantifier for word in IN_WORDS):
        found.append("it says that something exists, and has no quantifier=")
    for name in ("added", "proof_sketch"):
        said = getattr(bound, name)
        if not isinstance(said, tuple) or not all(isinstance(line, str) and len(line) > 5 for line in said):
            found.append(f"{name} is a tuple of lines of text; found {said!r}")
        elif any(line.count("$") % 2 for line in said):
            found.append(f"a line of {name} has mathematics that does not end")
    if bound.reading in (LEMMA, PROVED) and bound.added:
        found.append("it is not printed, and says what was added to the print")
    return found


@pytest.mark.parametrize("bound", LIBRARY, ids=lambda b: b.id)
def test_every_claim_says_what_its_formula_does_not(bound: Bound) -> None:
    assert unsaid(bound) == []


def test_what_the_library_says_is_there() -> None:
    assert sum(bool(bound.function) for bound in LIBRARY) >= 8
    assert sum(bool(bound.quantifier) for bound in LIBRARY) >= 5
    assert sum(bool(bound.added) for bound in LIBRARY if bound.reading == PRINTED) >= 20
    assert {"prop:dirSmoothTight.strict", "sec:quadratic-case.period-two"} <= {b.label for b in LIBRARY if b.reading == LEMMA}


# -- claims that must be rejected ------------------------------------------------------------------------------------------


def claim(name: str) -> Bound:
    (bound,) = find_bounds(name)
    return bound


@pytest.mark.parametrize(
    ("bound", "why"),
    [
        (replace(claim("eq:n5@printed"), function=""), "eps, slope, a constant of one function"),
        (replace(claim("prop:dirSmoothTight@proved"), function=""), "eps, a constant of one function"),
        (replace(claim("prop:dirSmoothTight@printed"), quantifier=""), "has no quantifier"),
        (replace(claim("thm:ngd.any-M@printed"), quantifier="for all k"), "has no quantifier"),
        (replace(claim("eq:exp-5@printed"), added="k >= 1"), "added is a tuple of lines"),
        (replace(claim("thm:ngd@proved"), proof_sketch=("Let $x be", "and so on")), "mathematics that does not end"),
        (replace(claim("prop:dirSmoothTight.strict@lemma"), added=("convexity",)), "is not printed"),
    ],
)
def test_a_claim_that_leaves_it_out_is_seen(bound: Bound, why: str) -> None:
    assert any(why in line for line in unsaid(bound)), unsaid(bound)


def test_the_words_beside_a_formula_are_not_in_its_hash() -> None:
    bound = claim("prop:dirSmoothTight@printed")
    assert replace(bound, function="f", quantifier="", added=("t",), proof_sketch=("so it is",)).hash == bound.hash
