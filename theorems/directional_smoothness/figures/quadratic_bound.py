"""fig:quadratic-bound: one step with eta = 1/L, and what each quadratic bound says of it, on a real function.

The function is (-x)^3 / 2 on the left of 0 and x^2 on the right. It is not L-smooth; L is that of the level set of x_k, [-2, 2].
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.figures import Figure, FigureNumbers, table
from boundcheck.figures.figure import BLACK, BLUE, GREEN, VERMILION, LineStyle, Tell
from boundcheck.figures.runs import run_once
from boundcheck.library.names import problem_named
from boundcheck.model.problem import Problem
from boundcheck.theorems.directional_smoothness.figures.lines import PRINTED, finish, told

HERE, POINTS = 2, 201
CURVES = {
    "f": LineStyle(BLACK, "-", "", r"$f$", 1.8),
    "L": LineStyle(VERMILION, (0, (1, 1.2)), "s", r"$M = L$"),
    "D": LineStyle(BLUE, (0, (5, 1.5)), "o", r"$M = D$"),
    "A": LineStyle(GREEN, (0, (4, 1.2, 1, 1.2)), "^", r"$M = A$"),
}
FIXED, MOVING = "fixed", "moving"
TITLES = {
    FIXED: r"$M = M(x_k, x_{k+1})$, a number",
    MOVING: r"$M = M(x_k, y)$: bounds at every $y$",
}
VIEWS: dict[str, dict[str, Any]] = {
    FIXED: {"xlim": (0.35, 2.2), "ylim": (-0.1, 5.1)},
    MOVING: {"xlim": (-2.1, 2.4), "ylim": (-0.6, 10.5)},
}


def level_set_smoothness(problem: Problem) -> float:
    """The Lipschitz constant of f' on [-2, 2], where f is at most f(x_k)."""
    assert problem.local_smoothness is not None
    return float(problem.local_smoothness(np.zeros((1, 1)), np.array([float(HERE)]))[0])


def smoothness(problem: Problem, y: Any) -> dict[str, Any]:
    """M(x_k, y) for each M; at y = x_k the limit from the left."""
    xp = FLOAT64
    ys = np.where(y == HERE, np.nextafter(HERE, 0), y)[:, None]
    here = np.full_like(ys, HERE)
    gx, gy = problem.grad(xp, here), problem.grad(xp, ys)
    assert problem.chord is not None
    far = np.abs(ys - here)[:, 0]
    return {
        "L": np.full(len(far), level_set_smoothness(problem)),
        "D": 2 * np.abs(gy - gx)[:, 0] / far,
        "A": problem.chord(xp, here, ys - here, gx, gy, "sup"),
    }


def compute(options: Mapping[str, Any], tell: Tell) -> FigureNumbers:
    problem = problem_named("figure-objective")
    L = level_set_smoothness(problem)
    run = run_once(problem, f"constant({1 / L!r})", steps=1, start=[HERE], chords=("D", "A", "H"))
    y = np.linspace(-HERE, HERE, POINTS)
    f = problem.f(FLOAT64, y[:, None])
    height, slope = float(run.gap[0]), float(problem.grad(FLOAT64, np.array([[float(HERE)]]))[0, 0])
    after = HERE - run.eta[0] * slope
    at_the_step = {"L": L, **{kind: float(values[0]) for kind, values in run.chords.items()}}
    moving = smoothness(problem, y)
    parts = []
    for panel in TITLES:
        parts.append({"panel": panel, "curve": "f", "y": y, "value": f})
        for kind in ("L", "D", "A"):
            M = at_the_step[kind] if panel == FIXED else moving[kind]
            parts.append({"panel": panel, "curve": kind, "y": y, "value": height + slope * (y - HERE) + M / 2 * (y - HERE) ** 2})
    found = {name: run_once(problem, name, steps=1, start=[HERE], chords=("D",)) for name in ("1/D", PRINTED)}
    return table(
        parts,
        L=L,
        M=at_the_step,
        before=[HERE, height],
        after=[float(after), float(run.gap[1])],
        bounds={k: height - (run.eta[0] - run.eta[0] ** 2 * M / 2) * slope**2 for k, M in at_the_step.items()},
        adapted={
            name: [float(one.eta[0]), float(HERE - one.eta[0] * slope), float(one.gap[1]), float(one.eta[0] * one.chords["D"][0])]
            for name, one in found.items()
        },
    )


def draw(canvas: Any, numbers: FigureNumbers) -> None:
    axes = canvas.subplots(1, 2)
    facts = numbers.facts
    (x0, f0), (x1, f1) = facts["before"], facts["after"]
    for ax, (panel, title) in zip(axes, TITLES.items(), strict=True):
        for n, (curve, line) in enumerate(CURVES.items()):
            rows = numbers.where(panel=panel, curve=curve)
            line.on(ax, rows["y"], rows["value"], shift=0.1 + n / 5, marks=8)
        for x, f, name in ((x0, f0, "$x_k$"), (x1, f1, "$x_{k+1}$")):
            ax.plot([x], [f], "o", color="black", markersize=4.5, zorder=5)
            ax.annotate(name, (x, f), xytext=(5, -9), textcoords="offset points")
        for kind in ("L", "D"):
            ax.plot([x1], [facts["bounds"][kind]], CURVES[kind].mark, color=CURVES[kind].colour, markersize=4.5, zorder=5)
        ax.axvline(x1, color="#999999", linewidth=0.6, zorder=1)
        ax.set(xlabel="$y$", title=title, **VIEWS[panel])
    finish(canvas, axes, CURVES.values())


def caption(numbers: FigureNumbers) -> str:
    facts = numbers.facts
    progress = {kind: facts["before"][1] - bound for kind, bound in facts["bounds"].items()}
    return told(CAPTION, progress=progress, right=facts["adapted"]["1/D"], printed=facts["adapted"][PRINTED], **facts)


CAPTION = """
One step of gradient descent with eta = 1/L on f(x) = (-x)^3 / 2 for x <= 0, x^2 for x > 0, from x_k = 2: the function and its
own bounds, no sketch. f is not L-smooth; L = {L:.3g} is the largest curvature on [-2, 2], the level set of x_k. The step goes
to x_{{k+1}} = {after[0]:.3g}, which minimises the bound with L. There M_k is {M[L]:.3g} for L, {M[D]:.3g} for the point-wise
D and {M[A]:.3g} for A and H, and the bounds say that f(x_{{k+1}}) is at most {bounds[L]:.3g}, {bounds[D]:.3g} and
{bounds[A]:.3g}; it is {after[1]:.3g}. So L predicts a progress of {progress[L]:.3g}, D one of {progress[D]:.3g}, and A and H
the true one, {progress[A]:.3g}. Left: parabolas with the number M(x_k, x_{{k+1}}); those with D and A bound f at x_{{k+1}},
and need not elsewhere. Right: M(x_k, y) is computed for each y, and every curve bounds f at every y of the level set.

eq:zero-finding plays no part in this step. The strongly adapted step from here, the root of the corrected equation, is
{right[0]:.3g}: to {right[1]:.3g}, where f is {right[2]:.3g}. As printed the root is {printed[0]:.3g}, beyond the minimiser,
to {printed[1]:.3g}, where f is {printed[2]:.3g}; eta_k D_k is {printed[3]:.3g} there, and an adapted step has less than 2.
"""

quadratic_bound = Figure(
    name="quadratic-bound",
    title="What quadratic bounds say of one step with eta = 1/L (fig:quadratic-bound)",
    compute=compute,
    draw=draw,
    caption=caption,
    size=(7.0, 2.9),
)
