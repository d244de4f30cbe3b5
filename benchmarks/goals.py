"""The goals, as they were set before anything was measured: each a number, what is measured, its baseline and what is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    number: str
    what: str
    baseline: str
    asked: str
    parts: int = 1  # how many rows answer all of it


GOALS = (
    Goal("1", "the quadratics figure, whole, NumPy only", "the plain loop", "at least 20x faster"),
    Goal("2", "the same with the compiled extra, eigendecompositions included", "the plain loop", "at least 100x faster"),
    Goal("3", "a general dense matrix, 4 methods", "the plain loop", "at least 3x faster"),
    Goal(
        "4",
        "`boundcheck.run` and `boundcheck.check` of gradient descent, error bounds, tightness and sides included, all applicable "
        "claims with M = D and H that need no sup or inf over a chord: quadratic d = 10, d = 300, logistic 280 x 34",
        "the bare loop",
        "at most 1.5, 1.4, 1.5 with steps 1/L; 1.8 each with Polyak's",
        parts=6,
    ),
    Goal("5", "the same with the compiled extra, quadratics", "the bare loop", "at most 1.15"),
    Goal("6", "claim evaluation at K = 100,000", "the same at K = 20,000", "at most 5.5"),
    Goal(
        "7",
        "f and its gradient at 50 digits, in balls",
        "the best mpmath; float64",
        "at least 15x faster; at most 60x slower",
        parts=2,
    ),
    Goal(
        "8",
        "certified iterates a second, logistic 280 x 34, steps 1/L, all applicable claims that need no sup or inf over a chord",
        "-",
        "at least 250",
    ),
    Goal(
        "9",
        "a strongly adapted step; failures of the root finder on 10,000 random starts",
        "a bare 1/L step",
        "at most 5; none",
        parts=2,
    ),
    Goal("10", "a sweep on 2 workers; overhead a cell", "the sweep on one", "at least 1.75x faster; at most 0.3 ms", parts=2),
    Goal("11", "peak memory of 20 problems x 4 methods x 20,000 steps, d = 300, checked", "-", "at most 300 MB"),
    Goal("12", "`import boundcheck`; `boundcheck list`, in fresh processes", "-", "at most 0.4 s; at most 1 s", parts=2),
)


def number_of(goal: str) -> str:
    """The goal that a row answers: a row may say "4", or "4, logistic"."""
    found = re.match(r"\d+", goal)
    return found[0] if found else ""
