"""The checker and chord quantities that a claim defines: it computes them from the file alone, and believes nobody about them."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from boundcheck import Bound, ChordQuantity, Convex, GradientDescent, IsQuadratic, Smooth
from boundcheck.certificates.script import script
from boundcheck.certificates.write import certify
from boundcheck.claims.bound import Instance
from boundcheck.language.canonical import canonical_json
from boundcheck.language.letters import D, L, M, eta, f, grad, k, mu, norm, normsq, x

from .making import code, drop, made, one_run, put, rehashed, several, verify

T = ChordQuantity("T", of=lambda p, q: norm(grad(p) - grad(q)) / norm(p - q))
W = ChordQuantity("W", of=lambda p, q: 2 * T(p, q), needs=(Convex,))
QUADRATIC = ChordQuantity("Q", of=T.formula, needs=(IsQuadratic,))


def descent(fraction: int, *smoothness: Any) -> Bound:
    """f falls by eta (1 - eta M / fraction) |grad f|^2: true for 2 where M is a directional smoothness function."""
    falls = f(x[k]) - eta[k] * (1 - eta[k] * M(x[k], x[k + 1]) / fraction) * normsq(grad(x[k]))
    return Bound(states=f(x[k + 1]) <= falls, given=(GradientDescent(), Convex), smoothness=smoothness)


TURNS = Bound(states=T(x[k], x[k + 1]) <= L / 2, given=(GradientDescent(), Convex, Smooth))
ON_PARABOLA = Instance(problem="parabola", method="1/L", steps=2)
PARABOLA = {"kind": "quadratic", "matrix": [["1"]], "minimiser": ["0"]}
HUBER = {"kind": "piecewise quadratic", "left_slope": "0", "right_slope": "0", "knots": ["-1", "1"]}
HUBER |= {"gradients": ["-1", "1"], "value_at": ["0", "0"]}


@cache
def _certified(which: str) -> dict[str, Any]:
    if which == "in the statement":
        return certify(TURNS, ON_PARABOLA)
    return certify(descent(8, W), Instance(problem="parabola", method="1/L", steps=2, smoothness="W"))


def certificate(which: str) -> dict[str, Any]:
    return deepcopy(_certified(which))


@pytest.mark.parametrize("which", ["in the statement", "as M"])
def test_a_false_claim_with_one_is_certified_and_verified(which: str, tmp_path: Path) -> None:
    assert code(certificate(which), tmp_path, seal=False) == verify.REFUTES


def test_the_script_of_a_counterexample_defines_it_and_runs() -> None:
    for bound, which in ((TURNS, "in the statement"), (descent(8, W), "as M")):
        text = script(bound, certificate(which))
        assert "= lambda p, q: " in text
        exec(compile(text, which, "exec"), {"__name__": "script"})


HALF = {"is": "Number", "value": "1/2"}
DEFINITION = ("claim", "smoothness", 0)
READS_A_RUN = {"is": "Term", "name": "eta", "index": {"index": None, "plus": 0}, "dimension": {"f": "-1", "x": "2"}, "run": ""}
BROKEN = {
    "a name that is taken": put(*DEFINITION, "quantity", value="D"),
    "no definition": drop(*DEFINITION, "of"),
    "a definition of nothing": put(*DEFINITION, "of", value=None),
    "a definition that is a point": put(*DEFINITION, "of", value={"is": "Minimum"}),
    "a definition that reads a run": put(*DEFINITION, "of", value=READS_A_RUN),
    "a definition that reads M": put(*DEFINITION, "of", value={"is": "Chord", "kind": "M", "start": {}, "end": {}}),
    "a fact that nobody knows": put(*DEFINITION, "needs", value=["Pretty"]),
    "a key too many": put(*DEFINITION, "more", value=1),
    "a name alone": put(*DEFINITION, value="W"),
    "M is another": put("smoothness", value="T"),
    "said twice": lambda data: put("claim", "smoothness", value=[*data["claim"]["smoothness"]] * 2)(data),
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN.keys())
def test_what_is_no_definition_is_malformed(change: Any, tmp_path: Path) -> None:
    assert code(rehashed(change(certificate("as M"))), tmp_path) == verify.MALFORMED


REJECTED = {
    "another definition, and the old hash": put(*DEFINITION, "of", value=HALF),
    "another side": put("right", value="-7/8"),
    "a quantity that is below what f needs": several(put(*DEFINITION, "of", value=HALF), rehashed),
    "a negative quantity": several(put(*DEFINITION, "of", value={"is": "Number", "value": "-1"}), rehashed),
}


@pytest.mark.parametrize("change", REJECTED.values(), ids=REJECTED.keys())
def test_what_the_definition_does_not_support_is_not_refuted(change: Any, tmp_path: Path) -> None:
    assert code(change(certificate("as M")), tmp_path) == verify.DOES_NOT_REFUTE


def test_one_name_has_one_definition(tmp_path: Path) -> None:
    other = ChordQuantity("T", of=lambda p, q: 3 * norm(grad(p) - grad(q)) / norm(p - q))
    data = certificate("in the statement")
    data["claim"]["given"].append({"once": canonical_json(T(x[0], x[1]) >= 0)})
    assert code(rehashed(data), tmp_path) == verify.REFUTES
    data["claim"]["given"].append({"once": canonical_json(other(x[0], x[1]) >= 0)})
    assert code(rehashed(data), tmp_path) == verify.MALFORMED


def test_m_is_no_directional_smoothness_function_where_f_is_above_its_parabola(tmp_path: Path) -> None:
    """From x = 1 with the step 4 to -3: T = 1/2, and f(-3) = 5/2 is above 1/2 - 4 + T/2 16 = 1/2. With 2 T it is below."""
    parts = {"function": HUBER, "run": one_run(["1"], ["4"]), "at": 0}
    told = []
    for quantity, right in ((T, "-1/2"), (W, "1/2")):
        data = made(descent(2 if quantity is W else 8, quantity), "5/2", right, smoothness=quantity.name, **parts)
        (tmp_path / "certificate.json").write_text(json.dumps(data), encoding="utf-8")
        told.append(verify.verify(str(tmp_path / "certificate.json")))
    assert [found for found, _ in told] == [verify.DOES_NOT_REFUTE] * 2
    assert "is no directional smoothness function of this f" in told[0][1]
    assert "the claim holds there: left 5/2, right 9/2" in told[1][1]


def test_facts_that_m_needs_are_asked(tmp_path: Path) -> None:
    def at(name: ChordQuantity, function: Any) -> int:
        bound = descent(8, name)
        return code(made(bound, "0", "-3/8", function=function, run=one_run(["1"], ["1"]), smoothness=name.name, at=0), tmp_path)

    parabola = {"kind": "piecewise quadratic", "left_slope": "1", "right_slope": "1", "knots": ["0"], "gradients": ["0"]}
    parabola |= {"value_at": ["0", "0"]}
    assert at(T, parabola) == verify.REFUTES
    assert at(QUADRATIC, PARABOLA) == verify.REFUTES
    wiggle = {**HUBER, "left_slope": "1", "right_slope": "0", "knots": ["2"], "gradients": ["2"], "value_at": ["0", "0"]}
    assert at(T, wiggle) == verify.REFUTES  # the same on this chord, where T bounds f
    assert at(QUADRATIC, wiggle) == verify.DOES_NOT_REFUTE


def test_it_is_the_same_number_as_the_one_that_the_checker_knows(tmp_path: Path) -> None:
    """2 T is D, and the extremes of the secant slope may be read: one counterexample, four ways to write it."""
    own = ChordQuantity("m", of=lambda p, q: mu(p, q) + D(p, q) / 2)
    for quantity in (D, W, own):
        bound = Bound(states=quantity(x[k], x[k + 1]) <= L, given=(GradientDescent(), Convex, Smooth))
        data = made(bound, "2", "1", function=PARABOLA, run=one_run(["1"], ["1/2"]), constants={"L": "1"}, at=0)
        assert code(data, tmp_path) == verify.REFUTES
