"""A kept certificate, read back as a candidate, is the same counterexample."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import boundcheck.theorems.directional_smoothness as paper
from boundcheck.falsify.candidate import Ridges, RidgeTerm
from boundcheck.falsify.certificate_io import candidate_from, function_from, pieces_around
from boundcheck.falsify.exact_check import draft, look
from boundcheck.falsify.shapes import PiecewiseShape, Side
from boundcheck.library.catalogue import bounds

FILES = sorted((Path(paper.__file__).parent / "certificates").glob("*.json"))
KEPT = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
KINDS = {"piecewise quadratic", "ridge sum", "quadratic", "smooth abs", "logistic pair"}
CLAIMS = {bound.id: bound for bound in bounds()}
LOOSER = {"app-experimental-details-classical-polyak@printed"}  # its L is below the sum that `Ridges.L` gives
PLACED = ("minimiser", "parameters", "run", "chord", "at", "link", "smoothness")


@pytest.mark.parametrize("name", [name for name, kept in KEPT.items() if kept["function"]["kind"] in KINDS])
def test_a_kept_certificate_read_back_fails_with_the_same_sides(name):
    kept = KEPT[name]
    bound, candidate = CLAIMS[kept["claim"]["id"]], candidate_from(kept)
    made, failure = draft(bound, candidate), look(bound, candidate)
    assert failure is not None
    assert {part: made.get(part) for part in PLACED} == {part: kept.get(part) for part in PLACED}
    if name not in LOOSER:
        assert made["constants"] == kept["constants"]
        for side, found in (("left", failure.left), ("right", failure.right)):
            assert isinstance(kept[side], list) or found == kept[side]


def test_most_kinds_are_among_the_kept_ones():
    assert {kept["function"]["kind"] for kept in KEPT.values()} >= {"piecewise quadratic", "quadratic", "ridge sum"}


def test_a_changed_certificate_reads_as_something_else():
    kept = json.loads(json.dumps(KEPT["thm-ngd@printed"]))
    kept["run"]["roles"][""]["start"] = ["1/1000"]
    assert look(CLAIMS[kept["claim"]["id"]], candidate_from(kept)) is None


def test_a_quadratic_is_turned_to_rational_eigenvectors():
    f = function_from({"kind": "quadratic", "matrix": [["2", "1"], ["1", "2"]], "minimiser": ["1", "0"]})
    assert (f.L, f.mu, f.centre) == (3, 1, (1, 0)) and f.minimiser == (1, 0)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"kind": "quadratic", "matrix": [["1", "1"], ["1", "2"]], "minimiser": ["0", "0"]}, "eigenvectors are rational"),
        (
            {"kind": "quadratic", "matrix": [["2", "1", "0"], ["1", "2", "0"], ["0", "0", "1"]], "minimiser": ["0"] * 3},
            "in dimension 3 is read only where its matrix is diagonal",
        ),
        ({"kind": "interpolation"}, "'interpolation' is no sum of ridges"),
    ],
)
def test_what_is_no_sum_of_ridges_in_rationals_is_refused(data, why):
    with pytest.raises(ValueError, match=why):
        function_from(data)


def test_pieces_are_the_same_around_every_point():
    side = Side((Fraction(1), Fraction(5, 2)), (Fraction(1), Fraction(0), Fraction(3)))
    shape = PiecewiseShape(side, Side((), (Fraction(2),)), Fraction(1, 3))
    for centre in map(Fraction, ("-3", "-5/2", "-1", "-1/3", "0", "2")):
        moved, value = pieces_around(shape.data(), centre)
        back, zero = pieces_around(moved.data(value), -centre)
        assert (back, zero) == (shape, 0)
        assert Ridges((RidgeTerm((Fraction(1),), moved),), value).data()["value_at"] == ["0", str(value)]


def test_a_closed_form_is_not_moved():
    with pytest.raises(ValueError, match="minimiser at 0"):
        function_from({"kind": "smooth abs", "eps": "1"}, (Fraction(1),))
