"""Verdicts alone, as cheaply as they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from boundcheck.check import answer
from boundcheck.question import Question
from boundcheck.trace import Trace
from boundcheck.verdict import Outcome, Verdict

JENSEN = "decided through Jensen's inequality: the mean of f bounds f at the mean"


def decide(asked: Sequence[Question], trace: Trace) -> list[Verdict]:
    """A bound on f(mean) is decided by Jensen's inequality where that is enough.

    How tight the bounds are is not measured. Where the stronger claim is violated, the mean itself is computed; where rounding
    leaves it undecided, it stays so.
    """
    stronger = [q.through_jensen() or q for q in asked]
    runs, verdicts = len(trace.names), answer(stronger, trace, tightness=False)
    short = [
        n for n, q in enumerate(stronger) if q.by_jensen and not all(_settled(v) for v in verdicts[n * runs : (n + 1) * runs])
    ]
    for n, found in zip(short, _grouped(answer([asked[n] for n in short], trace, tightness=False), runs), strict=True):
        verdicts[n * runs : (n + 1) * runs] = found
    return [
        replace(v, notes=(*v.notes, JENSEN)) if stronger[n // runs].by_jensen and n // runs not in short else v
        for n, v in enumerate(verdicts)
    ]


def _settled(verdict: Verdict) -> bool:
    return not bool((verdict.outcomes == Outcome.VIOLATED).any())


def _grouped(verdicts: list[Verdict], size: int) -> list[list[Verdict]]:
    return [verdicts[n : n + size] for n in range(0, len(verdicts), size)]
