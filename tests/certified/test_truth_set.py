"""No verdict contradicts the truth, however near a claim is to failing; and almost none is left undecided."""

from __future__ import annotations

import pytest

from boundcheck.support.processes.pool import cores

from .choosing import Part, compare_all
from .deciding import by_looking, decide_cell, in_float64

QUICK = Part(
    problems={"quadratic-2d": 320, "smooth-abs": 60, "logistic-1d": 40, "huber": 40, "log-sum-exp": 12},
    experiments=9,
    claims=2,
    nominal=2,
)
SMALL = ("quadratic-2d", "smooth-abs", "logistic-1d")

# steps enough for gaps of 1e-30 where that is cheap
WHOLE = Part(
    problems={
        **dict.fromkeys(("quadratic-2d", "ill-conditioned-2d", "balanced-1-3", "isotropic-4d", "rank-deficient-6d"), 400),
        **dict.fromkeys(("quadratic-3d", "two-cycle-5d", "smooth-abs", "smooth-abs-1/100", "logistic-1d"), 300),
        **dict.fromkeys(("huber", "sharp-huber", "asymmetric", "flat-bottom", "steep-then-flat", "wall", "valley"), 60),
        **dict.fromkeys(("quartic", "abs-3/2", "power-6", "figure-objective", "steepening", "softplus", "slope", "ramp"), 60),
        **dict.fromkeys(("nonconvex", "dented", "logistic-1d-steep", "smooth-abs-9/40", "tilted", "huber-lowered"), 60),
        **dict.fromkeys(("log-sum-exp", "logistic-40x5", "ridge-2d", "ridge-3d", "slippery-floor"), 40),
        "logistic-280x34": 6,
    },
    experiments=6,
    claims=5,
    nominal=2,
)


def test_no_verdict_of_the_ladder_contradicts_the_truth(capsys: pytest.CaptureFixture[str]) -> None:
    tally = compare_all(QUICK, decide_cell)
    with capsys.disabled():
        print(f"\ntruth set, small part: {tally}")
    assert not tally.wrong, tally.wrong[0]
    assert len(tally.comparisons) >= 2000
    assert tally.share_undecided < 0.01


def test_error_bounds_in_float64_are_never_wrong_and_often_undecided() -> None:
    tally = compare_all(Part(problems=dict.fromkeys(SMALL, 60), experiments=8, claims=2), in_float64)
    assert not tally.wrong, tally.wrong[0]
    assert tally.undecided


def test_numbers_taken_as_exact_are_caught() -> None:
    """lhs <= rhs in plain float64: a decider without error bounds must be seen to be wrong."""
    part = Part(problems={"quadratic-2d": 320, "balanced-1-3": 120}, experiments=12, claims=3, paper="directional-smoothness")
    tally = compare_all(part, by_looking)
    assert len(tally.wrong) > len(tally.comparisons) / 100


@pytest.mark.slow
def test_twenty_thousand_comparisons_and_none_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    tally = compare_all(WHOLE, decide_cell, jobs=cores())
    with capsys.disabled():
        print(f"\ntruth set: {tally}")
    assert not tally.wrong, tally.wrong[0]
    assert len(tally.comparisons) >= 20_000
    assert tally.share_undecided < 0.01
    assert sum(c.gap < 1e-28 for c in tally.comparisons) >= 200
