"""A checker must show that it can say no: the sharpened twin of a claim that holds is violated."""

from __future__ import annotations

import pytest

from .users import TRUE, Run


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param(TRUE, id="an inequality"),
        pytest.param("same = Bound(given=GD, states=normsq(grad(x[k])) == inner(grad(x[k]), grad(x[k])))\n", id="an equation"),
        pytest.param(
            "down = Bound(given=GD, states=-normsq(grad(x[k])) <= -inner(grad(x[k]), grad(x[k])))\n", id="negative sides"
        ),
        pytest.param("more = Bound(given=GD, states=2 * delta[k] >= delta[k])\n", id="the other way round"),
    ],
)
def test_the_twin_of_a_true_claim_goes_red(claim: str, run: Run) -> None:
    done = run(claim, "-k", "twin")
    assert done.code == 0 and done.counts["passed"] == 1, done.out


def test_a_twin_that_is_not_violated_fails(run: Run) -> None:
    """A claim that cannot be sharpened: its own definition of `sharpened` changes nothing."""
    numb = "class Numb(Bound):\n    def sharpened(self, factor):\n        return self\n"
    done = run(numb + TRUE.replace("Bound(", "Numb("), "-k", "twin")
    assert done.code == 1
    assert "the sharpened twin is not violated: user/descent@printed" in done.out and "best ratio  1 at k = " in done.out
    assert "its twin is not violated" in done.claims[0]


def test_nothing_can_be_sharpened_where_both_sides_are_zero(run: Run) -> None:
    done = run("zero = Bound(given=GD, states=normsq(x[k] - x[k]) == 0 * delta[k])\n", "-ra", "--bc-arithmetic", "rational")
    assert done.code == 0 and done.counts["skipped"] == 1 and "nothing to sharpen" in done.out


def test_a_claim_known_to_be_false_has_no_twin(run: Run) -> None:
    claim = TRUE.replace("Bound(", "Bound(refuted_by=Instance(problem='huber', method='1/L', steps=3), ")
    assert "twin" not in run(claim, "--collect-only", "-q").out
