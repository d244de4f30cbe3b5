"""A claim must not move when f becomes f + C."""

from __future__ import annotations

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.claims.lint.horizon import horizon_findings
from boundcheck.claims.lint.shift import is_shift_invariant, moves, shift_findings, shift_weight
from boundcheck.language.letters import (
    M_,
    Delta,
    Max,
    Min,
    Prod,
    Sum,
    delta,
    eta,
    f,
    gap,
    grad,
    i,
    k,
    larger,
    log,
    mean,
    normsq,
    smaller,
    sqrt,
    x,
    xstar,
)
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Scalar

STAY: list[Relation] = [
    f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])),
    delta[k] <= delta[0] / 2,
    delta[k] / delta[0] <= (1 - eta[0] * M_[0]) ** k,
    larger(f(x[k]), f(x[0])) <= f(x[0]) + normsq(grad(x[0])),
    larger(f(x[k]), f(xstar)) - smaller(f(x[0]), f(xstar)) <= 1 * delta[0],
    Min(f(x[i]), i, 0, k) - f(xstar) <= Delta[0],
    Max(f(x[i]), i, 0, k) <= f(x[0]),
    Max(f(x[i]) - f(x[i + 1]), i, 0, k) <= delta[0],
    abs(f(x[k]) - f(x[0])) <= delta[0],
    f(mean(x[i], weight=eta[i], over=(i, 0, k))) <= Sum(eta[i] / Sum(eta[i], i, 0, k) * f(x[i]), i, 0, k),
    Sum(f(x[i]), i, 0, k) <= (k + 1) * f(x[0]),
    Prod(delta[i + 1] / delta[i], i, 0, k) * delta[0] == delta[k + 1],
    sqrt(delta[k]) <= log(delta[0]),
    (f(x[k]) - f(x[0])) ** 2 <= delta[0] ** 2,
    f(x[k]) * eta[0] / eta[0] <= f(x[0]),
    smaller(eta[k] * f(x[k]) / eta[k], f(x[0])) <= f(x[0]),
    f(x[k]) * f(x[k]) - 2 * f(x[k]) * f(x[0]) + f(x[0]) * f(x[0]) <= delta[0] ** 2,
    Sum(eta[i], i, 0, k, where=f(x[i + 1]) > f(x[i])) <= eta[0],
]


@pytest.mark.parametrize("relation", STAY, ids=str)
def test_a_claim_that_does_not_move_is_not_flagged(relation: Relation) -> None:
    assert is_shift_invariant(relation)
    assert shift_findings([relation]) == []


MOVE: list[Relation] = [
    f(x[k]) <= Delta[0],
    f(x[k]) <= f(x[0]) / 2,
    f(x[k]) ** 2 <= f(x[0]) ** 2,
    f(x[k]) * f(x[0]) <= delta[0] ** 2,
    f(x[k]) / f(x[0]) <= 1,
    larger(f(x[k]), 0) <= f(x[0]),
    larger(f(x[k]), -f(x[0])) <= delta[0],
    smaller(f(x[k]), 0) <= delta[0],
    abs(f(x[k])) <= abs(f(x[0])),
    abs(f(x[k])) <= f(x[0]),
    Min(f(x[i]), i, 0, k) <= delta[0],
    Max(f(x[i]) / eta[i], i, 0, k) <= delta[0] / eta[0],
    Sum(f(x[i]), i, 0, k) <= f(x[0]),
    Sum(eta[i] * f(x[i]), i, 0, k) <= Delta[0],
    Prod(f(x[i]), i, 0, k) <= 1,
    sqrt(f(x[k])) <= sqrt(f(x[0])),
    log(f(x[k])) <= log(f(x[0])),
    f(x[k]) <= f(x[0]) * (1 - eta[0] * M_[0]) ** k,
    Sum(eta[i], i, 0, k, where=f(x[i]) > 1) <= eta[0],
    gap(x[k]) <= f(x[0]),
]


@pytest.mark.parametrize("relation", MOVE, ids=str)
def test_a_claim_that_moves_is_flagged_and_the_piece_is_in_it(relation: Relation) -> None:
    assert not is_shift_invariant(relation)
    (finding,) = shift_findings([relation])
    assert finding.severity == "error"
    assert finding.piece in str(relation)
    assert "when f becomes f + C" in finding.message


@pytest.mark.parametrize(
    ("formula", "weight"),
    [
        (f(x[k]), "1"),
        (delta[k], "0"),
        (3 * f(x[k]), "3"),
        (f(x[k]) / eta[k], "1/eta_k"),
        (-f(x[k]), "-1"),
        (f(x[k]) * f(x[0]), "f(x_0) + f(x_k)"),
        (f(x[k]) ** 2, "2 f(x_k)"),
        (log(f(x[k])), "1/f(x_k)"),
        (Sum(eta[i] * f(x[i]), i, 0, k), "sum_{i=0..k} eta_i"),
        (Min(f(x[i]), i, 0, k), "1"),
        (larger(f(x[k]), f(x[0])), "1"),
        (normsq(grad(x[k])), "0"),
    ],
    ids=str,
)
def test_how_far_a_formula_moves_is_a_formula(formula: Scalar, weight: str) -> None:
    assert str(shift_weight(formula)) == weight


@pytest.mark.parametrize("formula", [larger(f(x[k]), 0), smaller(f(x[k]), 2 * f(x[0])), Max(f(x[i]) * eta[i], i, 0, k)], ids=str)
def test_a_maximum_of_things_that_move_differently_has_no_such_formula(formula: Scalar) -> None:
    assert shift_weight(formula) is None
    assert moves(formula)


def test_a_right_side_that_is_known_too_late_is_warned_of_whichever_way_the_claim_is_written() -> None:
    late = eta[0] * Sum(eta[i], i, 0, k) * M_[0] ** 2 * Delta[0]
    for relation in (delta[k] <= late, late >= delta[k], delta[k] < late, late > delta[k]):
        (finding,) = horizon_findings([relation], "k")
        assert finding.piece == "sum_{i=0..k} eta_i"
    for relation in (delta[k + 1] <= late, delta[k] == late, delta[k] <= Delta[0]):
        assert horizon_findings([relation], "k") == []


def test_a_warning_does_not_make_a_claim_ill_formed() -> None:
    assert [f.severity for f in Bound(states=Delta[k] <= Delta[0] * eta[k] / eta[0]).lint()] == ["warning"]
