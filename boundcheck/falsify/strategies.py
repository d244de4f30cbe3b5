"""Ways to look for a point of a space where the claim fails. Each works through a fixed number of candidates from a seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.falsify.candidate import Candidate
from boundcheck.falsify.exact_check import ProvedFailure, look
from boundcheck.falsify.lane_functions import Floats
from boundcheck.falsify.search_space import Space

LANES = 2000  # candidates looked at together
ROUNDINGS = (1, 2, 4, 10, 20, 60, 240, 1000, 10**4, 10**6)  # denominators
TRIED_EXACTLY, MOST_TRIES = 6, 40  # of what seems to fail, at each k and in a task
DRAWN = 50  # by Hypothesis
OUTSIDE = -1.0  # the score of a candidate that breaks a hypothesis is below this


@dataclass(frozen=True)
class FailingCandidate:
    """A candidate at which the claim fails, proved."""

    candidate: Candidate
    failure: ProvedFailure


@dataclass(frozen=True)
class TaskOutcome:
    """What a task came to: a proved failure, or how near to equality it got."""

    found: FailingCandidate | None = None
    ratio: float = -np.inf
    looked_at: int = 0


class Looker:
    """Scores rows of one space, and tries in exact numbers what seems to fail."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.found: FailingCandidate | None = None
        self.ratio, self.looked_at, self.tries = -np.inf, 0, 0
        self.lanes = LANES // 5 if space.is_implicit or space.searches else LANES

    def scores(self, theta: Floats, rough: bool = True) -> Floats:
        """Return how far the claim fails in each row, at the k where it is worst; below OUTSIDE where a hypothesis fails.

        What seems to fail is tried in exact numbers: rounded in several ways, where the row is `rough`.
        """
        self.looked_at += len(theta)
        best = np.full(len(theta), -3.0)
        for one in self.space.batch(theta).scores(self.space.ks):
            score = np.where(one.feasible, one.violation, OUTSIDE + np.clip(np.nan_to_num(one.slack, nan=-2.0), -2.0, 0.0))
            best = np.fmax(best, score)
            inside = one.ratio[one.feasible & (one.violation <= 0)]
            self.ratio = max(self.ratio, float(inside.max(initial=-np.inf)))
            failing = np.flatnonzero(one.fails)
            if len(failing) and self.found is None and self.tries < MOST_TRIES:
                order = failing[np.argsort(-one.violation[failing], kind="stable")[:TRIED_EXACTLY]]
                self._try([theta[n] for n in order], one.k, one.link, one.steps, ROUNDINGS if rough else ROUNDINGS[-3:-2])
        return best

    def _try(self, rows: list[Floats], k: int, link: int, steps: int, roundings: Sequence[int]) -> None:
        rounded = [tuple(Fraction(float(v)).limit_denominator(q) for v in row) for row in rows for q in roundings]
        for candidate in self.space.candidates(rounded, k, link, steps):
            self.tries += 1
            if candidate is not None and (failure := look(self.space.bound, candidate)) is not None:
                self.found = FailingCandidate(candidate, failure)
                return

    @property
    def outcome(self) -> TaskOutcome:
        return TaskOutcome(self.found, self.ratio, self.looked_at)


def small_rationals(look: Looker, rng: np.random.Generator) -> None:
    """Rows of simple numbers."""
    for _ in range(3):
        look.scores(look.space.choose(rng, look.lanes), rough=False)
        if look.found:
            return


def anywhere(look: Looker, rng: np.random.Generator) -> None:
    """Rows from all over the space, then around the best of them."""
    z = rng.random((look.lanes, len(look.space.grids)))
    for radius in (0.0, 0.2, 0.05, 0.01):
        if radius:
            around = np.repeat(z, look.lanes // len(z), 0)
            z = np.clip(around + radius * rng.standard_normal(around.shape), 0, 1)
        score = look.scores(look.space.rows(z))
        if look.found:
            return
        z = z[np.argsort(-score, kind="stable")[:20]]


def evolution(look: Looker, rng: np.random.Generator) -> None:
    """Differential evolution in the unit cube."""
    from scipy.optimize import differential_evolution

    size = len(look.space.grids)
    differential_evolution(
        lambda z: -look.scores(look.space.rows(np.atleast_2d(z.T))),
        [(0.0, 1.0)] * size,
        popsize=max(4, 400 // size),
        maxiter=30,
        tol=0,
        polish=False,
        updating="deferred",
        vectorized=True,
        rng=rng,
        callback=lambda *_, **__: look.found is not None,
    )


def uphill(look: Looker, rng: np.random.Generator) -> None:
    """Local search: the gradient of the score through the whole run, by differences, from several rows at once."""
    size, starts, h = len(look.space.grids), 24, 1e-5
    z = rng.random((400, size))
    z = z[np.argsort(-look.scores(look.space.rows(z)), kind="stable")[:starts]]
    length = np.full((len(z), 1), 0.05)
    score = look.scores(look.space.rows(z))
    for _ in range(25):
        moved = np.clip(z[:, None, :] + h * np.eye(size), 0, 1)
        slopes = (look.scores(look.space.rows(moved.reshape(-1, size))).reshape(len(z), size) - score[:, None]) / h
        norms = np.linalg.norm(slopes, axis=1, keepdims=True)
        tried = np.clip(z + length * slopes / np.where(norms > 0, norms, 1), 0, 1)
        new = look.scores(look.space.rows(tried))
        better = new > score
        z, score = np.where(better[:, None], tried, z), np.where(better, new, score)
        length = np.where(better[:, None], length * 1.5, length / 2)
        if look.found:
            return


def hypothesis_search(look: Looker, rng: np.random.Generator) -> None:
    """Hypothesis draws rows of listed values and, where one fails, makes it simpler. Nothing without it (boundcheck[falsify])."""
    from random import Random
    from tempfile import TemporaryDirectory

    try:
        from hypothesis import HealthCheck, Phase, find, settings
        from hypothesis import strategies as st
        from hypothesis.configuration import set_hypothesis_home_dir
        from hypothesis.errors import NoSuchExample
    except ImportError:
        return

    def fails(row: tuple[Fraction, ...]) -> bool:
        return any(bool(one.fails[0]) for one in look.space.batch(np.array([[float(v) for v in row]])).scores(look.space.ks))

    quiet = settings(
        max_examples=DRAWN,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    rows = st.tuples(*(st.sampled_from(sorted(set(grid), key=_plainness)) for grid in look.space.grids))
    look.looked_at += DRAWN
    with TemporaryDirectory() as folder:  # it would keep notes in the user's own folder
        set_hypothesis_home_dir(folder)
        try:
            best = find(rows, fails, settings=quiet, random=Random(int(rng.integers(2**32))))
        except NoSuchExample:
            return
        finally:
            set_hypothesis_home_dir(None)
    look.scores(np.array([[float(v) for v in best]]), rough=False)


def _plainness(value: Fraction) -> Any:
    return value.denominator + abs(value.numerator), value < 0, value


STRATEGIES: dict[str, Callable[[Looker, np.random.Generator], None]] = {
    "small rationals": small_rationals,
    "anywhere": anywhere,
    "evolution": evolution,
    "uphill": uphill,
    "drawn": hypothesis_search,
}
