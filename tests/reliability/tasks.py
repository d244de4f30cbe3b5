"""Tasks to ask in several orders and threads: the balls of a run's columns to the last bit, and verdicts with their reasons."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np

from boundcheck import Verdict, check, run

PROBLEMS = ("logistic-40x5", "quadratic-3d", "smooth-abs-3/4", "huber", "logistic-1d", "power-6", "log-sum-exp", "abs-3/2")
RULES = ("1/L", "3/(2L)", "polyak(1)")
ARITHMETICS = ("ball:64", "ball:128", "ball:256", "ball:512", "float64")
CLAIMS = ("prop:convex-any-stepsize", "thm:polyak", "gd.descent", "gd.rate", "thm:ngd")

Task = tuple[str, str, int, str]


@cache
def tasks(steps: int = 4, problems: tuple[str, ...] = PROBLEMS) -> tuple[Task, ...]:
    """Every problem with every rule and arithmetic; neighbours differ in all of them."""
    every = [(p, r, steps, a) for p in problems for r in RULES for a in ARITHMETICS]
    return tuple(every[n * 37 % len(every)] for n in range(len(every)))


def answered(task: Task) -> tuple[list[str], str]:
    """The words of each verdict, and the columns of the trace to the last bit; or the refusal."""
    problem, rule, steps, arithmetic = task
    try:
        trace = run(problem, rule, steps=steps, arithmetic=arithmetic)
        verdicts = check(CLAIMS, trace)
        read = trace.with_columns(sorted({c for v in verdicts for c in _columns(v, trace)}, key=str))
    except ValueError as no:
        return [str(no)], ""
    return [_words(verdict) for verdict in verdicts], "\n".join(f"{c}: {_exact(trace.xp, read.columns[c])}" for c in read.columns)


def _columns(verdict: Verdict, trace: Any) -> list[Any]:
    from boundcheck.check.question import questions
    from boundcheck.library.catalogue import find_bounds

    found = questions(find_bounds(verdict.cell.claim), trace.about, exact=trace.xp.exact, fixed=trace.parameters, smoothness=None)
    return [c for q in found if not q.out_of_place and not q.wrong_method(trace.method) for c in q.columns]


def _words(verdict: Verdict) -> str:
    kept = {f.name: getattr(verdict, f.name) for f in fields(verdict) if f.name not in ("cost", "cell")}
    return repr({name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in kept.items()})


def _exact(xp: Any, column: Any) -> str:
    if xp.name.startswith("ball"):
        return " ".join(_ball(number) for number in column.data.reshape(-1))
    return f"{xp.middle(column).tolist()} {xp.error(column).tolist()}"


def _ball(number: Any) -> str:
    return f"{number.mid().man_exp()} {number.rad().man_exp()}" if number.is_finite() else "undefined"
