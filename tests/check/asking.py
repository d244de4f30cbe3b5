"""Running a rule on a problem and asking one claim of it; and traces made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from boundcheck.arithmetic import arithmetic
from boundcheck.check.answer import check
from boundcheck.check.question import needs, questions
from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound
from boundcheck.evaluate.columns import as_column
from boundcheck.language.scalars import Scalar
from boundcheck.library.catalogue import problems
from boundcheck.model.problem import Convex, Differentiable, Problem, Smooth
from boundcheck.model.rule import Rule
from boundcheck.runners import about, run
from boundcheck.runs.trace import About, Trace


def ask(
    bound: Bound | Sequence[Bound],
    problem: Problem | str,
    rules: Rule | Sequence[Rule],
    steps: int,
    xp: str = "float64",
    smoothness: Sequence[str] | None = None,
    **more: Any,
) -> list[Verdict]:
    bounds = [bound] if isinstance(bound, Bound) else list(bound)
    problem = problems()[problem]() if isinstance(problem, str) else problem
    listed = [rules] if isinstance(rules, Rule) else list(rules)
    asked = list(questions(bounds, about(problem), exact=arithmetic(xp).exact, fixed=listed[0].parameters, smoothness=smoothness))
    trace = run(problem, listed, steps=steps, columns=needs(asked, "gradient descent"), xp=xp)
    return check(bounds, trace, smoothness=smoothness, **more)


def by_hand(columns: dict[Scalar, Sequence[Any]], xp: str = "rational", steps: int | None = None, **more: Any) -> Trace:
    """A trace of one run of gradient descent with these numbers; a column is written as its entry at n."""
    space = arithmetic(xp)
    made = {}
    for leaf, values in columns.items():
        row = np.empty((1, len(values)), dtype=object if xp == "rational" else float)
        row[0, :] = values
        for local in (False, True):
            made[as_column(leaf, local)[0]] = space.scalars(row)
    facts = frozenset({Convex(), Differentiable(), Smooth(2)})
    about_it = About(problem="by hand", facts=facts, constants={"L": 2, "mu": 0}, minimiser="")
    length = max(len(values) for values in columns.values())
    return Trace(
        xp=space,
        about=about_it,
        method="gradient descent",
        names=("given",),
        steps=np.array([length - 1 if steps is None else steps]),
        ended=("",),
        columns=made,
        **more,
    )
