"""Limits and existence claims have no finite counterexample: they are refuted through a lemma that holds exactly."""

from __future__ import annotations

from .users import Run

LIMIT = """\
from boundcheck.claims.bound import Through
from boundcheck.model.problem import Smooth
steady = Bound(given=(*GD, Smooth, eta[i] == 1 / L), states=eta[k] == {number} / L)
grows = Bound(
    given=(*GD, Smooth, eta[i] == 1 / L),
    states=tends(eta[k], 2 / L),
    refuted_through=Through(lemma="{lemma}", argument="a constant sequence tends to that constant"),
)
"""
ONLY = ("--bc-method", "1/L", "--bc-problem", "huber")


def test_a_limit_is_refuted_by_a_lemma_that_holds(run: Run) -> None:
    done = run(LIMIT.format(number=1, lemma="steady"), *ONLY)
    assert done.code == 0, done.out
    assert any(line.startswith("REFUTED    user/grows@printed") for line in done.claims)


def test_a_lemma_that_fails_refutes_nothing(run: Run) -> None:
    done = run(LIMIT.format(number=2, lemma="steady"), *ONLY)
    assert done.code == 1
    assert "not refuted through its lemma: user/grows@printed" in done.out


def test_a_lemma_that_holds_in_floating_point_only_is_not_enough(run: Run) -> None:
    done = run(LIMIT.format(number=1, lemma="steady"), *ONLY, "--bc-arithmetic", "float64")
    assert done.code == 1
    assert "holds on 0 certified cells" in done.out


def test_a_lemma_that_nobody_stated_is_one_line(run: Run) -> None:
    done = run(LIMIT.format(number=1, lemma="stedy"), *ONLY)
    assert done.code != 0
    assert "no claim 'user/stedy'; did you mean 'steady'?" in done.out
