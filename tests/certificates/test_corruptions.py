"""Corrupted certificates are rejected: by the seal where nothing else notices, by the mathematics where the seal is new."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

from boundcheck.verify.fields import rational

from .making import certificate, code, code_of_text, rehashed

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

Data = dict[str, Any]
POLYAK, AT_MOST_L, CHAIN = (
    "thm:polyak-alternate@printed",
    "thm:polyak.M-at-most-L@printed",
    "lemma:local-descent-lemma.proof@printed",
)
CHORD, DENTED = "path-smoothness.at-most-D@printed", "eq:optimal-directional-smoothness.lowest@non-convex"
ROOTS, ORIGINALS = "eq:n6@printed", ("eq:10@printed", "prop:sc-split-analysis@printed")


@pytest.mark.parametrize("name", [POLYAK, AT_MOST_L, CHAIN, CHORD, DENTED, ROOTS, *ORIGINALS])
def test_the_originals_are_accepted(name, tmp_path):
    assert code(certificate(name), tmp_path, seal=False) == verify.REFUTES


# -- every field, every number, without a new seal --------------------------------------------------------------------------


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value of a certificate; of the claim's formula only its ends."""
    if path:
        yield path
    if isinstance(data, dict) and path[:2] not in (("claim", "states"), ("claim", "given")):
        for key, value in data.items():
            yield from places(value, (*path, key))
    elif isinstance(data, list) and path[:2] != ("claim", "given"):
        for n, value in enumerate(data):
            yield from places(value, (*path, n))


def inside(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        data = data[key]
    return data


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, str):
        try:
            return str(rational(value) + 1)
        except ValueError:
            return value + "!"
    if isinstance(value, int):
        return value + 1
    return {**value, "more": "1"} if isinstance(value, dict) else [*value, "1"] if isinstance(value, list) else "1"


@pytest.mark.parametrize("path", list(places(certificate(POLYAK))), ids=lambda path: ".".join(map(str, path)))
def test_each_value_changed_and_each_field_removed_is_rejected(path, tmp_path):
    changed, removed = certificate(POLYAK), certificate(POLYAK)
    there = inside(changed, path)
    there[path[-1]] = other(there[path[-1]])
    assert code(changed, tmp_path, seal=False) != verify.REFUTES
    del inside(removed, path)[path[-1]]
    assert code(removed, tmp_path, seal=False) != verify.REFUTES


# -- wrong mathematics under a good seal -----------------------------------------------------------------------------------------


def put(*path: Any, value: Any) -> Callable[[Data], Data]:
    def change(data: Data) -> Data:
        inside(data, path)[path[-1]] = value
        return data

    return change


def drop(*path: Any) -> Callable[[Data], Data]:
    def change(data: Data) -> Data:
        del inside(data, path)[path[-1]]
        return data

    return change


def claiming(change: Callable[[Data], Data]) -> Callable[[Data], Data]:
    """The claim changed, and its hash made anew."""
    return lambda data: rehashed(change(data))


RUN = ("run", "roles", "")
NUMBER = {"is": "Number", "value": "1"}
FALSE_NUMBERS = {
    "the left side is another": (POLYAK, put("left", value="13/2"), 1),
    "the right side is another": (POLYAK, put("right", value="6"), 1),
    "the sides are exchanged": (POLYAK, lambda d: {**d, "left": d["right"], "right": d["left"]}, 1),
    "an exact side is given as an enclosure": (POLYAK, put("left", value=["6", "7"]), 1),
    "an enclosure has one end": (POLYAK, put("left", value=["6"]), 2),
    "an enclosure misses the number": (ROOTS, put("left", value=["1", "2"]), 1),
    "a step breaks the equation of the steps": (POLYAK, put(*RUN, "eta", 0, value="1/8"), 1),
    "a later step breaks the equation": (POLYAK, put(*RUN, "eta", 1, value="27/4"), 1),
    "a step is negative": (AT_MOST_L, put(*RUN, "eta", 0, value="-1/2"), 1),
    "a step is zero": (AT_MOST_L, put(*RUN, "eta", 0, value="0"), 1),
    "the start is moved": (POLYAK, put(*RUN, "start", value=["5"]), 1),
    "gamma is out of its range": (POLYAK, put("parameters", "gamma", value="2"), 1),
    "gamma is negative": (POLYAK, put("parameters", "gamma", value="-1"), 1),
    "gamma is another that is allowed": (POLYAK, put("parameters", "gamma", value="5/4"), 1),
    "the minimiser is moved": (POLYAK, put("minimiser", value=["1/2"]), 1),
    "the gradient falls: f is not convex": (POLYAK, put("function", "gradients", 2, value="1/2"), 1),
    "the left slope is negative: f is not convex": (POLYAK, put("function", "left_slope", value="-1"), 1),
    "the wall is lower": (POLYAK, put("function", "gradients", 3, value="5"), 1),
    "a knot is moved": (POLYAK, put("function", "knots", 2, value="3"), 1),
    "k is beyond the run": (POLYAK, put("at", "k", value=2), 1),
    "the run ends too early": (POLYAK, put(*RUN, "eta", value=["1/16"]), 1),
    "L is too small": (AT_MOST_L, put("constants", "L", value="1/2"), 1),
    "L is so large that the claim holds": (AT_MOST_L, put("constants", "L", value="3"), 1),
    "L is negative": (AT_MOST_L, put("constants", "L", value="-1"), 1),
    "M is another": (AT_MOST_L, put("smoothness", value="H"), 1),
    "another link of the chain": (CHAIN, put("link", value=1), 1),
    "the ends of the chord are one point": (CHORD, put("chord", "y", value=["-3/2"]), 1),
    "the ends of the chord are exchanged": (CHORD, lambda d: {**d, "chord": {"x": d["chord"]["y"], "y": d["chord"]["x"]}}, 1),
    "an end of the chord is moved": (CHORD, put("chord", "y", value=["5"]), 1),
    "D on a function that is not convex": (DENTED, put("smoothness", value="D"), 1),
    "eps is not the function's": (ROOTS, put("constants", "eps", value="1/4"), 1),
    "the slope far away is another": (ROOTS, put("constants", "slope", value="2"), 1),
    "the matrix is indefinite": ("prop:sc-split-analysis@printed", put("function", "matrix", value=[["-2"]]), 1),
}
OTHER_CLAIMS = {
    "the hash is changed": (POLYAK, put("hash", value="0" * 64), 1),
    "the formula is edited, the hash left": (POLYAK, put("claim", "states", "right", value=NUMBER), 1),
    "the inequality is reversed": (POLYAK, claiming(put("claim", "states", "op", value=">=")), 1),
    "the relation is none": (POLYAK, claiming(put("claim", "states", "op", value="=>")), 2),
    "the claim becomes a limit": (POLYAK, claiming(put("claim", "states", "op", value="->")), 2),
    "the right side is a number": (POLYAK, claiming(put("claim", "states", "right", value=NUMBER)), 1),
    "k begins later": (POLYAK, claiming(put("claim", "for_all", "from", value=2)), 2),
    "strong convexity is demanded": (POLYAK, claiming(put("claim", "given", 0, value={"fact": "StronglyConvex"})), 1),
    "a quadratic is demanded": (POLYAK, claiming(put("claim", "given", 0, value={"fact": "IsQuadratic"})), 1),
    "a second derivative is demanded": (POLYAK, claiming(put("claim", "given", 0, value={"fact": "TwiceDifferentiable"})), 1),
    "an unknown fact is demanded": (POLYAK, claiming(put("claim", "given", 0, value={"fact": "Magic"})), 2),
    "an unknown kind of hypothesis": (POLYAK, claiming(put("claim", "given", 0, value={"perhaps": NUMBER})), 2),
    "a hypothesis of two kinds": (POLYAK, claiming(put("claim", "given", 0, value={"fact": "Convex", "once": NUMBER})), 2),
    "no method": (POLYAK, claiming(drop("claim", "given", 2)), 2),
    "two methods": (POLYAK, claiming(lambda d: put("claim", "given", 0, value=d["claim"]["given"][2])(d)), 2),
    "a node that is no formula": (POLYAK, claiming(put("claim", "states", "right", value={"is": "Oracle"})), 2),
    "a node without its parts": (POLYAK, claiming(put("claim", "states", "right", value={"is": "Add"})), 2),
    "a letter that is bound by nothing": (
        POLYAK,
        claiming(put("claim", "states", "right", value={"is": "IndexNumber", "index": {"index": "j", "plus": 0}})),
        2,
    ),
    "an index out of all proportion": (
        POLYAK,
        claiming(put("claim", "states", "right", value={"is": "IndexNumber", "index": {"index": "k", "plus": 10**9}})),
        2,
    ),
    "an exponent out of all proportion": (
        POLYAK,
        claiming(put("claim", "states", "right", value={"is": "Power", "base": NUMBER, "exponent": "9" * 30})),
        2,
    ),
    "a division by zero": (
        POLYAK,
        claiming(put("claim", "states", "right", value={"is": "Div", "left": NUMBER, "right": {"is": "Number", "value": "0"}})),
        1,
    ),
    "the root of a negative number": (
        POLYAK,
        claiming(
            put("claim", "states", "right", value={"is": "Power", "base": {"is": "Number", "value": "-2"}, "exponent": "1/2"})
        ),
        1,
    ),
    "the logarithm of zero": (
        POLYAK,
        claiming(put("claim", "states", "right", value={"is": "Log", "of": {"is": "Number", "value": "0"}})),
        1,
    ),
    "M is stated for others only": (AT_MOST_L, put("claim", "smoothness", value=["A", "H"]), 2),
}
MALFORMED = {
    "version 2": (POLYAK, put("version", value=2), 2),
    "another format": (POLYAK, put("format", value="certificate"), 2),
    "k before the range": (POLYAK, put("at", "k", value=0), 2),
    "k is text": (POLYAK, put("at", "k", value="1"), 2),
    "k is huge": (POLYAK, put("at", "k", value=10**7), 2),
    "k is missing": (POLYAK, put("at", value={}), 2),
    "k is called otherwise": (POLYAK, put("at", value={"n": 1}), 2),
    "a link that is not there": (POLYAK, put("link", value=1), 2),
    "a link before the first": (POLYAK, put("link", value=-1), 2),
    "a link that is true": (CHAIN, put("link", value=True), 2),
    "M is unknown": (AT_MOST_L, put("smoothness", value="Q"), 2),
    "M is missing": (AT_MOST_L, put("smoothness", value=None), 2),
    "the minimiser is missing": (POLYAK, put("minimiser", value=None), 2),
    "a parameter is missing": (POLYAK, put("parameters", value={}), 2),
    "a constant is missing": (AT_MOST_L, put("constants", value={}), 2),
    "a function of an unknown kind": (POLYAK, put("function", "kind", value="oracle"), 2),
    "knots out of order": (POLYAK, put("function", "knots", value=["1", "-1", "4", "9/2"]), 2),
    "a knot without a gradient": (POLYAK, put("function", "gradients", value=["-1", "1", "1"]), 2),
    "no knots": (POLYAK, lambda d: put("function", "knots", value=[])(put("function", "gradients", value=[])(d)), 2),
    "no value": (POLYAK, drop("function", "value_at"), 2),
    "a matrix that is not symmetric": (
        "prop:sc-split-analysis@printed",
        put("function", value={"kind": "quadratic", "matrix": [["2", "1"], ["0", "2"]], "minimiser": ["0", "0"]}),
        2,
    ),
    "a start of another dimension": (POLYAK, put(*RUN, "start", value=["9/2", "0"]), 2),
    "a role that the claim has not": (POLYAK, lambda d: {**d, "run": {"roles": {"other": d["run"]["roles"][""]}}}, 2),
    "a run that chooses its own points": (POLYAK, put(*RUN, "x", value=["9/2", "0"]), 2),
    "a run without steps": (POLYAK, drop(*RUN, "eta"), 2),
    "a run and a chord": (POLYAK, put("chord", value={"x": ["1"], "y": ["2"]}), 2),
    "a chord with an index": (CHORD, put("at", value={"k": 1}), 2),
    "a chord with one end": (CHORD, drop("chord", "y"), 2),
    "a number that is a float": (POLYAK, put("left", value=6.25), 2),
    "a number that is an int": (POLYAK, put(*RUN, "eta", 0, value=1), 2),
    "a decimal": (POLYAK, put("left", value="6.25"), 2),
    "an exponent": (POLYAK, put("left", value="1e400000000"), 2),
    "not in lowest terms": (POLYAK, put("left", value="50/8"), 2),
    "a denominator of zero": (POLYAK, put("left", value="25/0"), 2),
    "two signs": (POLYAK, put("left", value="--25/4"), 2),
    "not a number": (POLYAK, put("left", value="nan"), 2),
    "infinity": (POLYAK, put("left", value="inf"), 2),
    "Arabic digits": (POLYAK, put("left", value="٣"), 2),
    "a number of a million digits": (POLYAK, put("left", value="9" * 10**6), 2),
    "nothing for a number": (POLYAK, put("left", value=""), 2),
}


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [pytest.param(*case, id=title) for title, case in {**FALSE_NUMBERS, **OTHER_CLAIMS, **MALFORMED}.items()],
)
def test_wrong_mathematics_under_a_good_seal_is_rejected(name, change, expected, tmp_path):
    assert code(change(certificate(name)), tmp_path) == expected


def text_of(name: str = POLYAK) -> str:
    return json.dumps(certificate(name))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("certificate", id="no JSON"),
        pytest.param("null", id="null"),
        pytest.param("[]", id="a list"),
        pytest.param("{}", id="an empty object"),
        pytest.param("3", id="a number"),
        pytest.param(b"\xff\xfe\x00garbage", id="bytes that are no text"),
        pytest.param(text_of()[:-1], id="cut off"),
        pytest.param(text_of() + "{}", id="something after the end"),
        pytest.param(text_of().replace('"25/4"', "NaN"), id="NaN"),
        pytest.param(text_of().replace('"25/4"', "Infinity"), id="Infinity"),
        pytest.param(text_of().replace('"25/4"', "-Infinity"), id="-Infinity"),
        pytest.param(text_of().replace('"25/4"', "6.25"), id="a float"),
        pytest.param(text_of().replace('"link": 0', '"link": 0, "link": 0'), id="a key twice"),
        pytest.param(text_of().replace('"k": 1}', '"k": 1, "k": 1}'), id="k twice"),
        pytest.param(text_of().replace('"version": 1', '"version": ' + "1" * 5000), id="a huge int"),
        pytest.param("[" * 100_000, id="brackets without end"),
        pytest.param('{"claim":' * 100_000, id="objects without end"),
    ],
)
def test_what_is_no_certificate_at_all_is_malformed(text, tmp_path):
    assert code_of_text(text, tmp_path) == verify.MALFORMED


def test_a_formula_nested_too_deeply_is_malformed(tmp_path):
    deep = '{"is":"Neg","of":' * 20_000 + "1" + "}" * 20_000
    assert code_of_text(text_of().replace('"op": "<="', f'"op": "<=", "deep": {deep}'), tmp_path) == verify.MALFORMED


def test_a_formula_nested_so_deeply_that_only_its_value_cannot_be_found_is_malformed(tmp_path):
    node: Data = NUMBER
    for _ in range(600):
        node = {"is": "Neg", "of": node}
    data = certificate(POLYAK)
    data["claim"]["states"]["right"] = node
    assert code(rehashed(data), tmp_path) in (verify.MALFORMED, verify.DOES_NOT_REFUTE)
