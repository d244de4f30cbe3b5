"""A claim as JSON and its hash: the same for the same claim, different for a different one."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Follows, GradientDescent, Once
from boundcheck.language.canonical import NotAClaim, canonical, from_json, to_json
from boundcheck.language.letters import M_, Delta, K, M, Prod, Sum, delta, eta, f, gap, grad, i, j, k, mean, normsq, x
from boundcheck.language.scalars import Parameter
from boundcheck.language.tree import Node
from boundcheck.library.catalogue import bounds
from boundcheck.model.problem import Convex, Differentiable

LIBRARY = bounds()
gamma = Parameter("gamma")


def trees(bound: Bound) -> list[Node]:
    return [bound.states, *(h.relation for h in bound.hypotheses if isinstance(h, AtEachStep | Once))]


def claim(**changes: Any) -> Bound:
    made: dict[str, Any] = {
        "states": gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k))) <= Delta[0] / (2 * Sum(eta[i] * M_[i], i, 0, k)),
        "given": (Convex, GradientDescent(), Follows(eta[i] == gamma * delta[i] / normsq(grad(x[i]))), gamma < 2),
        "try_with": {"gamma": (1,)},
        **changes,
    }
    return Bound(**made)


@pytest.mark.parametrize("bound", LIBRARY, ids=lambda b: b.id)
def test_every_claim_of_the_library_comes_back_from_json(bound: Bound) -> None:
    for tree in trees(bound):
        again = from_json(json.loads(json.dumps(to_json(tree))))
        assert again.key == tree.key
        assert str(again) == str(tree)
    stored = json.loads(json.dumps(bound.to_json()))
    assert canonical(from_json(stored["states"])) == canonical(bound.states)


def test_different_claims_of_the_library_have_different_hashes_unless_they_say_the_same() -> None:
    by_hash: dict[str, list[Bound]] = {}
    for bound in LIBRARY:
        by_hash.setdefault(bound.hash, []).append(bound)
    for same in by_hash.values():
        assert len({canonical(b.states) for b in same}) == 1
        assert len({str(b.given) for b in same}) == 1, [b.id for b in same]


def test_the_hash_does_not_depend_on_the_letters_of_sums_means_and_hypotheses() -> None:
    renamed = claim(
        states=gap(mean(x[j + 1], weight=eta[j], over=(j, 0, k))) <= Delta[0] / (2 * Sum(eta[j] * M_[j], j, 0, k)),
        given=(Convex, GradientDescent(), Follows(eta[j] == gamma * delta[j] / normsq(grad(x[j]))), gamma < 2),
    )
    assert renamed.hash == claim().hash


def test_the_hash_does_not_depend_on_letters_of_nested_sums() -> None:
    a = claim(states=delta[k] <= Sum(Prod(eta[j] * M_[j], j, i + 1, k) * delta[i], i, 0, k))
    b = claim(states=delta[k] <= Sum(Prod(eta[i] * M_[i], i, j + 1, k) * delta[j], j, 0, k))
    c = claim(states=delta[k] <= Sum(Prod(eta[i] * M_[i], i, j + 1, k) * delta[j + 1], j, 0, k))
    assert a.hash == b.hash != c.hash


def test_the_hash_is_not_that_of_the_words_about_a_claim() -> None:
    assert claim(title="another title", reading="proved", because="so").hash == claim().hash


average = gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k)))


@pytest.mark.parametrize(
    "changes",
    [
        {"states": average <= Delta[0] / (2 * Sum(eta[i] * M_[i], i, 0, k + 1))},
        {"states": average <= Delta[0] / (2 * Sum(eta[i] * M_[i], i, 1, k))},
        {"states": average <= Delta[0] / (3 * Sum(eta[i] * M_[i], i, 0, k))},
        {"states": average < Delta[0] / (2 * Sum(eta[i] * M_[i], i, 0, k))},
        {"states": average <= Delta[0] / (2 * Sum(eta[i] * M(x[i + 1], x[i]), i, 0, k))},
        {"states": average <= Delta[0] / (2 * Sum(eta[i] * M_[i], i, 0, k, where=eta[i] < 2 / M_[i]))},
        {"states": gap(mean(x[i], weight=eta[i], over=(i, 0, k))) <= Delta[0] / (2 * Sum(eta[i] * M_[i], i, 0, k))},
        {"given": (Convex, GradientDescent(), Follows(eta[i] == gamma * delta[i] / normsq(grad(x[i]))), gamma <= 2)},
        {"given": (Convex, GradientDescent(), Follows(eta[i] == gamma * delta[i + 1] / normsq(grad(x[i]))), gamma < 2)},
        {"given": (Convex, GradientDescent(), gamma < 2)},
        {"given": (Differentiable, GradientDescent(), Follows(eta[i] == gamma * delta[i] / normsq(grad(x[i]))), gamma < 2)},
        {"for_all": k >= 1},
    ],
    ids=[
        "end",
        "start",
        "constant",
        "strict",
        "order of arguments",
        "index set",
        "point",
        "range",
        "rule",
        "dropped",
        "fact",
        "k",
    ],
)
def test_the_hash_changes_with_what_is_claimed(changes: dict[str, Any]) -> None:
    assert claim(**changes).hash != claim().hash


def test_a_fixed_horizon_is_another_claim() -> None:
    for_k = claim(states=delta[k] <= delta[0], for_all=k >= 1)
    for_K = claim(states=delta[K] <= delta[0], for_all=K >= 1)
    assert for_k.hash != for_K.hash


def test_the_hash_is_the_same_in_another_process() -> None:
    """A stored certificate names its claim by this."""
    bound = Bound(states=f(x[k + 1]) <= f(x[k]))
    assert bound.hash == replace(bound, title="again").hash
    assert bound.hash == "982b7ae95481c154afceb6f3a6174167fb42f634d3ed4246948ea548a35dae3b"


def number(value: Any) -> dict[str, Any]:
    return {"is": "Number", "value": value}


GOOD = to_json(delta[k] <= Sum(eta[i], i, 0, k))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (3, "not a node"),
        (None, "not a node"),
        ([], "not a node"),
        ({}, "not a node"),
        ({"is": "Frobnicate"}, "'Frobnicate' is not a node"),
        ({"is": "Number"}, "has the fields ['value']"),
        ({"is": "Number", "value": "1", "more": 1}, "has the fields ['value']"),
        (number("one"), "cannot be read"),
        (number("1/0"), "cannot be read"),
        (number(0.5), "value of a Number must be a Fraction"),
        (number(None), "value of a Number must be a Fraction"),
        ({"is": "Add", "left": 1, "right": number("1")}, "left of a Add must be a Scalar"),
        ({"is": "Add", "left": number("1"), "right": {"is": "Minimum"}}, "right of a Add must be a Scalar"),
        ({"is": "Value", "at": number("1")}, "at of a Value must be a Vector"),
        ({**GOOD, "op": "!="}, "one of <= < == >= >"),
        ({**GOOD, "op": ["<="]}, "one of <= < == >= >"),
        ({**GOOD, "right": {**GOOD["right"], "kind": "mean"}}, "one of sum prod min max"),
        ({**GOOD, "right": {**GOOD["right"], "low": 0}}, "low of a Reduce must be a Index"),
        ({**GOOD, "right": {**GOOD["right"], "low": {"index": 3, "plus": 0}}}, "low of a Reduce must be a Index"),
        ({**GOOD, "right": {**GOOD["right"], "high": {"index": "k", "plus": "1"}}}, "high of a Reduce must be a Index"),
        ({**GOOD, "right": {**GOOD["right"], "where": number("1")}}, "where of a Reduce must be a Condition or None"),
        ({"is": "Chain", "links": []}, "links of a Chain"),
        ({"is": "Parameter", "name": "g", "dimension": {"f": "1", "x": "a"}, "latex": ""}, "cannot be read"),
        ({"is": "Parameter", "name": 3, "dimension": {"f": "1", "x": "1"}, "latex": ""}, "name of a Parameter must be a str"),
    ],
)
def test_malformed_json_is_refused_in_one_line(data: Any, says: str) -> None:
    with pytest.raises(NotAClaim) as refused:
        from_json(data)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_json_nested_beyond_all_measure_is_refused_in_one_line() -> None:
    data: dict[str, Any] = number("1")
    for _ in range(3000):
        data = {"is": "Neg", "of": data}
    with pytest.raises(NotAClaim, match="too deeply"):
        from_json(data)


def test_numbers_in_json_are_exact() -> None:
    assert to_json(Fraction(1, 3) * eta[k])["left"] == {"is": "Number", "value": "1/3"}
