"""The floating-point evaluation that guides the search agrees with the exact checker, for every claim of the library."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from boundcheck.claims.bound import Bound
from boundcheck.falsify.exact_check import UNCLEAR, draft
from boundcheck.falsify.families import families
from boundcheck.falsify.lane_batch import LaneBatch
from boundcheck.falsify.search import CannotFail, refuse
from boundcheck.falsify.search_space import FREE, MOVED, Space
from boundcheck.library.catalogue import bounds
from boundcheck.verify import Replay

LANES = 40
CLAIMS = {f"{b.label}@{b.reading}": b for b in bounds() if b.reading in ("printed", "proved") and not b.untested}


def spaces(bound: Bound) -> list[Space]:
    try:
        refuse(bound)
    except CannotFail:
        return []
    kind = bound.smoothness[-2] if bound.reads_M else ""
    ks = (0,) if bound.is_about_chords else (bound.for_all.start + 1,)
    found = families(bound, kind)
    chosen = [Space(bound, kind, found[min(n, len(found) - 1)], ks, FREE) for n in (0, 2)]
    if not found[0].closed:
        chosen.append(Space(bound, kind, found[0], ks, MOVED))
    return chosen


def rounded(theta: np.ndarray) -> np.ndarray:
    """The rows as the checker gets them: near the end of a parameter's range a small change is no small change of a side."""
    return np.array([[float(Fraction(float(v)).limit_denominator(1000)) for v in row] for row in theta])


def is_near_an_end(batch: LaneBatch, lane: int) -> bool:
    """Is a parameter near an end of its range? With gamma = 1.998 gaps fall to 1e-12, of which f near 5 has 4 digits."""
    return any(abs(values[lane] - round(values[lane])) < 0.01 for values in batch.parameters.values())


def exact_sides(space: Space, row: np.ndarray, k: int, link: int, steps: int) -> list[float] | None:
    """Both sides by the checker; None where the row makes no run or some step is not rational."""
    (candidate,) = space.candidates([tuple(Fraction(float(v)).limit_denominator(1000) for v in row)], k, link, steps)
    if candidate is None:
        return None
    try:
        replay = Replay(draft(space.bound, candidate))
        return [float(replay.value(replay.relation[side], replay.at)) for side in ("left", "right")]
    except (*UNCLEAR, OverflowError):
        return None


@pytest.mark.parametrize("name", sorted(CLAIMS)[::9])
def test_both_sides_are_those_of_the_checker(name: str) -> None:
    compared = 0
    for space in spaces(CLAIMS[name]):
        theta = rounded(space.choose(np.random.default_rng(3), LANES))
        batch = space.batch(theta)
        for one in batch.scores(space.ks):
            batch.limit = one.steps
            relation = space.claim.links[one.link]
            for lane in range(LANES):
                if space.is_implicit or not one.feasible[lane] or (space.moved and is_near_an_end(batch, lane)):
                    continue
                exact = exact_sides(space, theta[lane], one.k, one.link, one.steps)
                if exact is None or not np.isfinite(exact).all():
                    continue
                at, sides = {space.claim.letter: one.k}, (relation.left, relation.right)
                with np.errstate(all="ignore"):
                    found = [float(np.broadcast_to(batch.scalar(side, at), (LANES,))[lane]) for side in sides]
                scale = max(1.0, *map(abs, exact))
                assert found == pytest.approx(exact, rel=1e-8, abs=1e-8 * scale), (space.family.name, theta[lane])
                compared += 1
    if compared == 0:
        pytest.skip("no row of these satisfies the hypotheses, or its steps are not rational")


def test_most_claims_are_compared() -> None:
    """The test above must not be a row of skips."""
    tried = [name for name in sorted(CLAIMS)[::9] if spaces(CLAIMS[name])]
    assert len(tried) > 20
