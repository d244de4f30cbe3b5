"""The one-pass evaluation gives the value of the plain definition, for every k, in any windows, in any batch."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.claims.hypotheses import AtEachStep, Once
from boundcheck.evaluate.series import Series
from boundcheck.language.letters import (
    M_,
    Delta,
    L,
    Max,
    Min,
    Prod,
    Sum,
    delta,
    eta,
    f,
    grad,
    i,
    j,
    k,
    larger,
    mu_,
    normsq,
    smaller,
    x,
)
from boundcheck.language.ranges import reads
from boundcheck.language.relations import links
from boundcheck.language.scalars import Constant, Log, Parameter, Power, Scalar
from boundcheck.language.tree import IndexError_
from boundcheck.library.catalogue import bounds

from .tables import CUTS, Table, by_definition, one_pass

LAST = 10


def rational(formula: Scalar) -> bool:
    return not any(isinstance(n, Log) or (isinstance(n, Power) and n.exponent.denominator > 1) for n in formula.walk())


LIBRARY = [
    (bound.id, side, bound.for_all.letter, bound.for_all.start)
    for bound in bounds()
    for link in links(bound.states)
    for side in (link.left, link.right)
    if rational(side) and not bound.is_about_chords and side.free <= {bound.for_all.letter}
]


def first_step(side: Scalar) -> int:
    """The first step at which a hypothesis reads nothing from before the run."""
    return max([0, *(-low for _, low in reads(side, dict.fromkeys(side.free, 0)))])


# the letter of a hypothesis is its own
LIBRARY += [
    (
        f"{bound.id} given",
        side,
        next(iter(h.relation.free), "k"),
        bound.for_all.start if isinstance(h, Once) else first_step(side),
    )
    for bound in bounds()
    for h in bound.hypotheses
    if isinstance(h, AtEachStep | Once) and not bound.is_about_chords
    for side in (h.relation.left, h.relation.right)
    if rational(side)
]


def test_every_side_of_the_library_is_what_the_definition_says() -> None:
    table = Table(seed=1, runs=2)
    seen = set()
    for name, side, letter, start in LIBRARY:
        if side.key in seen:
            continue
        seen.add(side.key)
        ks = range(start, LAST)
        truth = by_definition(side, table, ks, letter)
        for cuts in CUTS:
            assert one_pass(side, table, ks, cuts, letter) == truth, f"{name}: {side}"
    assert len(seen) > 50


good, bad = eta[i] < 2 / M_[i], eta[i] >= 2 / M_[i]
a_j, b_i = eta[j] * mu_[j], delta[i] + M_[i]

SHAPES: dict[str, tuple[Scalar, int]] = {
    "coupled weights": (Sum(eta[i] / Sum(eta[j], j, 0, k) * delta[i], i, 0, k), 0),
    "coupled weights, lagging": (Sum(eta[i] / Sum(eta[j], j, 0, k - 1) * delta[i], i, 0, k - 1), 1),
    "the outer index inside": (Sum((eta[i] - eta[k]) * delta[i] / k.number(), i, 0, k), 1),
    "two terms, one linked": (Sum(Prod(a_j, j, i + 1, k) * b_i + eta[k] * b_i, i, 0, k), 0),
    "a difference of linked terms": (Sum(Prod(a_j, j, i + 1, k) * b_i - delta[i] * Prod(a_j, j, i, k) / M_[k], i, 0, k), 0),
    "negated": (Sum(-(Prod(a_j, j, i + 1, k) * b_i), i, 0, k), 0),
    "good steps": (Prod(1 + eta[i] * M_[i], i, 0, k, where=good), 0),
    "bad steps": (Sum(eta[i], i, 0, k, where=bad), 0),
    "good inside bad": (
        Sum(Prod(a_j, j, i + 1, k, where=eta[j] < 2 / M_[j]) * b_i, i, 0, k, where=bad),
        0,
    ),
    "last three": (Sum(eta[i], i, k - 2, k), 2),
    "product of the last two": (Prod(eta[i] + 1, i, k - 1, k), 1),
    "smallest of a moving window": (Min(eta[i], i, k - 1, k + 1), 1),
    "largest of a moving window": (Max(eta[i], i, k - 3, k), 3),
    "a moving window that is always empty": (Sum(eta[i], i, k + 1, k), 0),
    "smallest so far": (Min(delta[i], i, 0, k), 0),
    "largest so far, from 1": (Max(delta[i] / M_[i], i, 1, k), 1),
    "max of two": (larger(eta[k], Sum(eta[i], i, 0, k) / 3) - smaller(M_[k], delta[0]), 0),
    "equal factors": (Prod(1 + eta[k] / 7, i, 0, k - 1) + Prod(eta[k + 1], i, 1, k), 0),
    "power of the index": ((1 - mu_[0] / (4 * L)) ** k * delta[0], 0),
    "power of the index plus one": ((eta[0] / 3) ** (k + 1), 0),
    "sum of sums": (Sum(Sum(eta[j], j, 0, i) * delta[i], i, 0, k), 0),
    "sum of products": (Sum(Prod(eta[j], j, 0, i) * delta[i], i, 0, k - 1), 0),
    "sum of running minima": (Sum(Min(eta[j], j, 0, i), i, 0, k), 0),
    "an empty sum and an empty product at first": (Sum(eta[i], i, 0, k - 1) + Prod(eta[i], i, 0, k - 1), 0),
    "empty for long": (Sum(eta[i], i, 5, k) + Prod(eta[i], i, 7, k), 0),
    "to a fixed end": (Sum(eta[i], i, 0, 4) * eta[k], 0),
    "an empty range to a fixed end": (Sum(eta[i], i, 5, 4) + eta[k], 0),
    "constants and late entries": (delta[3] * eta[k + 2] / Delta[0], 0),
    "indices as numbers": ((k + 1) * Sum(i * eta[i], i, 0, k) / (2 * k + 1), 0),
    "a sum with a moving window inside": (Sum(Sum(eta[j], j, i - 1, i + 1), i, 1, k), 1),
    "absolute values": (Sum(abs(eta[i] - M_[i]), i, 0, k), 0),
    "squares": (Sum(eta[i], i, 0, k) ** 2 / Sum(eta[i] ** -2, i, 0, k), 0),
    "f at two offsets": (Sum(f(x[i]) - f(x[i + 1]), i, 0, k) - normsq(grad(x[k + 1])), 0),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_of_formula_is_what_the_definition_says(name: str) -> None:
    formula, start = SHAPES[name]
    table, ks = Table(seed=2, runs=2), range(start, LAST)
    truth = by_definition(formula, table, ks)
    for cuts in CUTS:
        assert one_pass(formula, table, ks, cuts) == truth, f"windows that end at {cuts}"


@pytest.mark.parametrize("p", [0, 1, 3])
@pytest.mark.parametrize("q", [-2, 0, 1])
@pytest.mark.parametrize("c", [-2, -1, 0, 1])
def test_products_inside_sums_with_any_offsets(p: int, q: int, c: int) -> None:
    """sum_{i<=k+c} b_i prod_{j=i+p..k+q} a_j, from any start, with and without index sets."""
    table = Table(seed=3)
    for start in (0, 2):
        for on, under in ((None, None), (eta[j] < 2 / M_[j], bad)):
            formula = Sum(Prod(a_j, j, i + p, k + q, where=on) * b_i, i, start, k + c, where=under)
            ks = range(2, 9)
            truth = by_definition(formula, table, ks)
            for cuts in ((), (3, 4, 7)):
                assert one_pass(formula, table, ks, cuts) == truth, f"{formula}"


def test_products_that_start_before_their_term() -> None:
    table = Table(seed=4)
    formula = Sum(Prod(a_j, j, i - 1, k) * b_i, i, 1, k)
    assert one_pass(formula, table, range(LAST), (2, 5)) == by_definition(formula, table, range(LAST))


def test_a_batch_of_runs_is_the_runs_one_by_one() -> None:
    formula, _ = SHAPES["good inside bad"]
    together = Table(seed=5, runs=3)
    rows = one_pass(formula, together, range(LAST), (4,))
    for run in range(3):
        alone = Table(seed=5)
        alone.values = {column: [values[run]] for column, values in together.values.items()}
        assert one_pass(formula, alone, range(LAST)) == [rows[run]]
    assert rows[0] != rows[1]


def test_the_same_scan_serves_formulas_that_read_it_at_different_offsets() -> None:
    table = Table(seed=6)
    formula = Sum(eta[i], i, 0, k - 1) * Sum(eta[j], j, 0, k + 1) / Sum(eta[i], i, 0, k)
    assert one_pass(formula, table, range(LAST), (1, 6)) == by_definition(formula, table, range(LAST))


REFUSED: list[tuple[Scalar, str]] = [
    (Sum(abs(eta[i] - eta[k]), i, 0, k), "depends on both i and k, so the sum of .* would cost O.K.2."),
    (Sum(1 / (eta[i] + eta[k]), i, 0, k), "depends on both i and k"),
    (Sum(Prod(eta[j], j, i, k) * Prod(M_[j], j, i, k), i, 0, k), "depends on both i and k"),
    (Sum(Prod(eta[j] * delta[i], j, i, k), i, 0, k), "depends on both"),
    (Prod(eta[i] + eta[k], i, 0, k), "depends on k inside and out; only sums up to k"),
    (Min(eta[i] * eta[k], i, 0, k), "depends on k inside and out"),
    (Sum(eta[i], i, k - 1, 20), "starts at k-1 and ends at 20: alone, it cannot be carried"),
    (Sum(eta[i], i, k - 1, k, where=eta[i] < 1), "needs a range from a fixed start"),
    (Min(eta[i], i, k + 1, k), "needs a range from a fixed start"),
    (Sum(eta[i], i, 0, k, where=eta[i] < eta[k]), "only i is known here"),
    (Sum(eta[i] * eta[k], i, 0, k, where=eta[i] < k), "the index k is free here; only i is known"),
    (normsq(x[i] - x[j]), "mixes the indices i and j"),
    (eta[i], "only k is known here"),
    (Sum(eta[i], i, 0, j), "only k is known here"),
]


@pytest.mark.parametrize(("formula", "says"), REFUSED, ids=[str(formula) for formula, _ in REFUSED])
def test_what_one_pass_cannot_do_is_refused_in_one_line(formula: Scalar, says: str) -> None:
    with pytest.raises(IndexError_, match=says) as refused:
        one_pass(formula, Table(), range(1, LAST))
    assert "\n" not in str(refused.value)


def test_the_smallest_of_an_empty_range_is_refused() -> None:
    with pytest.raises(IndexError_, match=r"the min of .* over an empty range has no value"):
        one_pass(Min(eta[i], i, 3, k), Table(), range(LAST))


def test_each_column_is_read_once_for_each_window_whatever_reads_it() -> None:
    table = Table(seed=7)
    formula = Sum(eta[i], i, 0, k) + Sum(eta[i] * M_[i], i, 0, k) + eta[k] * eta[k] + Prod(eta[j], j, 0, k)
    one_pass(formula, table, range(LAST), (4, 8))
    assert table.windows <= 2 * 3 + 6  # eta and M, three windows; the scan's letter i and the claim's letter k ask apart


class Floats:
    """One column of ones and halves, as long as you like."""

    def __init__(self, length: int) -> None:
        self.xp = arithmetic("float64")
        self.data = self.xp.scalars(np.where(np.arange(length) % 2, 1.0, 0.5)[None])

    def window(self, column: Any, low: int, high: int) -> Any:
        return self.data[..., low:high]


def seconds(length: int, size: int = 1024) -> float:
    formula = SHAPES["good inside bad"][0] + SHAPES["coupled weights"][0] + SHAPES["smallest so far"][0]
    best = float("inf")
    for _ in range(5):
        source = Floats(length + 1)
        series = Series(source.xp, source, {})
        start = time.perf_counter()
        for low in range(0, length, size):
            series.values(formula, "k", low, min(low + size, length))
            series.forget()
        best = min(best, time.perf_counter() - start)
    return best


def test_the_cost_is_linear_in_the_length_of_the_run() -> None:
    assert seconds(20_480) <= 20 * seconds(2_048)  # ten times as long; a quadratic cost would be a hundred times


def test_a_parameter_without_a_value_is_said_to_have_none() -> None:
    with pytest.raises(ValueError, match="rho has no value here"):
        one_pass(Parameter("rho") * eta[k], Table(), range(LAST))


def test_parameters_and_constants_are_read_by_name() -> None:
    table = Table()
    table.letters["rho"] = Fraction(3)
    formula = Parameter("rho") * eta[k] + Constant("L")
    assert one_pass(formula, table, range(3)) == by_definition(formula, table, range(3))
