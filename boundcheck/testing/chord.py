"""The sup and inf of the secant slopes along a chord (A and mu), against dense samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.model.problem import Problem
from boundcheck.testing.finding import Wrong
from boundcheck.testing.places import FLOAT64, MP, lift, pairs, shown


def the_chord_quantities_enclose_dense_samples(
    problem: Problem, *, loose: float = 2e-3, count: int = 40, samples: int = 65
) -> None:
    """In float64 with error bounds: the enclosure of the sup reaches above every secant slope, and is near the largest."""
    assert problem.chord is not None
    chords = list(pairs(problem, count, seed=10))
    x, d = (FLOAT64.vectors(np.array(rows)) for rows in zip(*chords, strict=True))
    gx, gy = problem.grad(FLOAT64, x), problem.grad(FLOAT64, x + d)
    slopes = [_secant_slopes(problem, *chord, samples) for chord in chords]
    for side, best in (("sup", np.array([row.max() for row in slopes])), ("inf", np.array([row.min() for row in slopes]))):
        answer = problem.chord(FLOAT64, x, d, gx, gy, side)
        middle, error = FLOAT64.middle(answer), FLOAT64.error(answer)
        sign = 1 if side == "sup" else -1
        reaches = sign * (middle - best) + error >= -1e-14 * np.abs(best)
        is_near = sign * (middle - best) - error <= loose * (1 + np.abs(best))
        for i in np.flatnonzero(~(np.isfinite(error) & reaches & is_near)):
            where = f"from x = {shown(chords[i][0])} along d = {shown(chords[i][1])}"
            raise Wrong(
                found=f"chord {side} = {middle[i]} +- {error[i]:.3g} {where}",
                needed=f"{best[i]}, which samples of the chord reach",
                do="correct chord: the extreme over t in (0, 1] of <grad f(x + t d) - grad f(x), d> / (t |d|^2)",
            )


def _secant_slopes(problem: Problem, x: Any, d: Any, samples: int) -> Any:
    """At equally spaced t, at t that fall geometrically to 1e-12, and then closely around the largest and the smallest found."""
    x, d = lift(x, d)

    def slopes(at: Any) -> Any:
        t = MP.scalars(at)
        differences = problem.grad(MP, x + MP.scale(t, d + 0 * t[:, None])) - problem.grad(MP, x)
        return MP.middle(MP.dot(differences, d) / (t * MP.normsq(d)))

    at = np.unique(np.r_[np.linspace(0, 1, samples)[1:], np.geomspace(1e-12, 1, samples)])
    found = slopes(at)
    for _ in range(2):
        ends = [(at[max(i - 1, 0)], at[min(i + 1, len(at) - 1)]) for i in (found.argmax(), found.argmin())]
        more = np.concatenate([np.linspace(low, high, 17) for low, high in ends])
        at, order = np.unique(np.r_[at, more], return_index=True)
        found = np.r_[found, slopes(more)][order]
    return found
