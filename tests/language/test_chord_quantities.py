"""Chord quantities that a paper declares: their definition, their place in formulas, their JSON."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from typing import Any

import pytest

from boundcheck import Bound, ChordQuantity, Convex, GradientDescent, Smooth, UserError
from boundcheck.claims.lint.dimension import dimension
from boundcheck.language.canonical import NotAClaim, canonical_json, from_json, quantity_from_json, quantity_json
from boundcheck.language.chords import spelled_out
from boundcheck.language.definition import Definition
from boundcheck.language.latex import latex
from boundcheck.language.letters import A, D, H, L, M, eta, f, grad, inf, inner, k, mu, norm, normsq, sup, x
from boundcheck.language.mathml import mathml
from boundcheck.language.python import python
from boundcheck.language.scalars import CURVATURE, SLOPE
from boundcheck.language.vectors import Point

T = ChordQuantity("T", of=lambda p, q: norm(grad(p) - grad(q)) / norm(p - q))
W = ChordQuantity("W", latex=r"\omega", of=lambda p, q: 2 * T(p, q), needs=(Convex,))
SLOW = ChordQuantity("S", of=lambda p, q: norm(grad(p) - grad(q)))  # of another dimension than M
DESCENT = f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * M(x[k], x[k + 1]) / 2) * normsq(grad(x[k]))


def slope(p: Any, q: Any, t: Any) -> Any:
    return inner(grad(p + t * (q - p)) - grad(p), q - p) / (t * normsq(q - p))


def test_it_prints_by_its_name_and_means_its_definition() -> None:
    there = T(x[k], x[k + 1])
    assert str(there) == "T(x_k, x_{k+1})" and there.free == {"k"}
    assert str(there.formula) == "|grad f(x_k) - grad f(x_{k+1})|/|x_k - x_{k+1}|"
    assert latex(W(x[k], x[k + 1])) == r"\omega(x_{k}, x_{k+1})"
    assert "ω" in mathml(W(x[k], x[k + 1])) and python(T(x[k], x[k + 1])) == "T(x[k], x[k + 1])"


def test_its_points_are_put_in_at_once() -> None:
    p, q = Point("p"), Point("q")
    assert str(T(q, p).formula) == "|grad f(q) - grad f(p)|/|q - p|"
    assert str(W.formula) == "2 |grad f(p) - grad f(q)|/|p - q|"  # another quantity is spelled out where it stands


def test_the_plain_definition_reads_it() -> None:
    values = {"|grad f(x_0) - grad f(x_1)|": Fraction(3), "|x_0 - x_1|": Fraction(2)}
    meaning = Definition(lambda leaf: values[str(leaf)], {}, Fraction)
    assert meaning.value(W(x[k], x[k + 1]), {"k": 0}) == 3


def test_the_extremes_along_the_chord_are_those_of_the_secant_slope() -> None:
    widest = ChordQuantity("R", of=lambda p, q: sup(lambda t: slope(p, q, t)) - inf(lambda t: slope(p, q, t)))
    same = ChordQuantity("R", of=lambda p, q: A(p, q) - mu(p, q))
    assert widest == same and hash(widest) == hash(same)
    with pytest.raises(UserError, match="are those of the secant slope"):
        ChordQuantity("R", of=lambda p, q: sup(lambda t: f(p + t * (q - p))))


def test_the_dimension_is_that_of_the_definition() -> None:
    assert dimension(T(x[k], x[k + 1])) == CURVATURE and dimension(SLOW(x[k], x[k + 1])) == SLOPE
    (finding,) = Bound(states=DESCENT, given=(GradientDescent(),), smoothness=(SLOW,)).lint()
    assert finding.message == "M may be S, which is f/x; a directional smoothness function is f/x^2"
    assert Bound(states=SLOW(x[k], x[k + 1]) <= L, given=(GradientDescent(), Smooth)).lint()


def test_a_definition_that_moves_with_f_is_found() -> None:
    low = ChordQuantity("low", of=lambda p, q: f(p) / normsq(p - q))
    assert any(finding.check == "shift" for finding in Bound(states=low(x[k], x[k + 1]) <= L, given=(GradientDescent(),)).lint())
    level = ChordQuantity("level", of=lambda p, q: (f(p) - f(q)) / normsq(p - q))
    assert not Bound(states=level(x[k], x[k + 1]) <= L, given=(GradientDescent(),)).lint()


@pytest.mark.parametrize(
    ("name", "of", "said"),
    [
        ("M", lambda p, q: norm(p - q), "has a name of letters and digits, other than"),
        ("a b", lambda p, q: norm(p - q), "has a name of letters and digits"),
        ("T", lambda p, q: L * norm(p - q), "reads L; it may read"),
        ("T", lambda p, q: M(p, q), "reads M"),
        ("T", lambda p, q: norm(p - x[0]), "reads x_0"),
        ("T", lambda p, q: eta[0] * norm(p - q), "reads eta_0"),
    ],
)
def test_what_is_no_definition_is_refused(name: str, of: Any, said: str) -> None:
    with pytest.raises(UserError, match=said):
        ChordQuantity(name, of=of)


def test_json_carries_the_definition_both_ways() -> None:
    claim = W(x[k], x[k + 1]) <= 2 * L
    data = json.loads(json.dumps(canonical_json(claim)))
    assert data["left"]["quantity"] == quantity_json(W) and data["left"]["quantity"]["needs"] == ["Convex"]
    assert from_json(data).key == claim.key
    assert quantity_from_json(quantity_json(W)) == W and pickle.loads(pickle.dumps(W)) == W


@pytest.mark.parametrize(
    "change", [{"of": {"is": "Number"}}, {"of": None}, {"quantity": "M"}, {"needs": "Convex"}, {"more": 1}, {"latex": 3}]
)
def test_json_of_no_quantity_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(NotAClaim):
        quantity_from_json({**quantity_json(T), **change})


def test_a_claim_with_it_is_data_and_its_hash_knows_the_definition() -> None:
    bound = Bound(states=DESCENT, given=(GradientDescent(), Convex), smoothness=(W, "L"))
    assert bound.smoothness == ("W", "L") and bound.quantities == (W,) and not bound.lint()
    again = Bound.from_json(json.loads(json.dumps(bound.to_json())))
    assert again.hash == bound.hash and again.quantities == (W,)
    other = ChordQuantity("W", latex=r"\omega", of=lambda p, q: 3 * T(p, q), needs=(Convex,))
    assert Bound(states=DESCENT, given=(GradientDescent(), Convex), smoothness=(other, "L")).hash != bound.hash
    assert Bound(states=DESCENT, given=(GradientDescent(), Convex), smoothness=(D, H)).smoothness == ("D", "H")


def test_a_name_alone_is_known_where_the_statement_has_the_quantity() -> None:
    both = Bound(states=M(x[k], x[k + 1]) <= W(x[k], x[k + 1]), given=(GradientDescent(), Convex), smoothness=("W", "H"))
    assert both.chord("W") == W and both.chord("H") == "H"
    with pytest.raises(UserError, match="M cannot be W: it is one of D, A, H, L, or a chord quantity"):
        Bound(states=DESCENT, given=(GradientDescent(),), smoothness=("W",))
    with pytest.raises(UserError, match="two chord quantities have one name"):
        Bound(states=M(x[k], x[k + 1]) <= W(x[k], x[k + 1]), smoothness=(ChordQuantity("W", of=T.formula),))


def test_m_is_bound_to_it_as_written_and_spelled_out_where_it_is_computed() -> None:
    bound = Bound(states=DESCENT, given=(GradientDescent(), Convex), smoothness=(W,))
    assert "W(x_k, x_{k+1})" in str(bound.with_M(bound.states, "W"))
    assert "|grad f(x_k) - grad f(x_{k+1})|" in str(spelled_out(bound.with_M(bound.states, "W")))
