"""The loop of one run on a quadratic in floating point: inner products are recorded, vectors are not (see `gram`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.runners.endings import why_over
from boundcheck.runners.gram import GramColumns, Grams
from boundcheck.runners.past import Past


def run_by_grams(run: Any, steps: int, x: Any, g: Any) -> None:
    """Run `run`, an engine's single run, from x with gradient g; its recorder gets whole columns at the end."""
    rule, problem, plain = run.rules[0], run.problem, run.plain
    assert problem.hessian is not None and problem.minimiser is not None
    B, star = problem.hessian(plain).rows, plain.vector(problem.minimiser.point)
    d = x - star
    dd, dg, gg = [float(d @ d)], [float(d @ g)], [float(g @ g)]
    ww: list[float] = []
    gw: list[float] = []
    etas: list[float] = []
    past: Past | None = None
    eta: Any = None
    for k in range(steps):
        if not 0 < gg[-1] < np.inf:
            run.end(0, k, why_over(float(np.abs(g).sum()), k))
            break
        if eta is None or not rule.constant:
            past = run.ask_alone(k, x, g, past, grad_normsq=gg[-1], gap=dg[-1] / 2)
            if past.eta is None:
                break
            eta = past.eta
        x = x - eta * g
        d = x - star
        new = B.dot(d)
        w = new - g
        ww.append(w.dot(w))
        gw.append(g.dot(w))
        g = new
        dd.append(d.dot(d))
        dg.append(d.dot(g))
        gg.append(g.dot(g))
        etas.append(eta)
    if not run.ended[0]:
        run.steps[0] = len(etas)
    made = GramColumns(problem, run.xp, Grams.of(dd, dg, gg, ww, gw, etas), float(run.radius[0]))
    run.recorder.accept({column: made.column(column) for column in run.recorder.leads})
