"""fig:quadratics: gradient descent on random quadratics whose spectrum is a power law, L = 1000, alpha = 3."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from boundcheck.figures import Figure, FigureNumbers, table
from boundcheck.figures.figure import GREY, Tell
from boundcheck.library.catalogue import runner
from boundcheck.library.names import draw_from_family
from boundcheck.theorems.directional_smoothness.figures.lines import LINES, PRINTED, finish, told
from boundcheck.theorems.directional_smoothness.figures.thinning import growing

L = 1000.0
METHODS = ("1/L", "1/D", "1/A", "polyak(1)", PRINTED)
PANELS = {"gap": r"$f(x_k) - f(x^*)$", "D": r"$D(x_k, x_{k+1})$", "eta": r"step size $\eta_k$"}
POINTS = 80  # along an axis of k; where they are farther apart than a step, each is the mean of the steps up to the next
LOW, HIGH = 0.1, 0.9


def over_problems(what: Callable[..., Any], values: Any, *more: Any) -> Any:
    """A mean or quantile over the problems whose runs still go on; NaN where none does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return what(values, *more, axis=0)


def compute(options: Mapping[str, Any], tell: Tell) -> FigureNumbers:
    seeds = range(options["seed"], options["seed"] + options["problems"])
    problems = []
    for done, seed in enumerate(seeds):
        tell(0.15 * done / len(seeds), f"drawing problem {done + 1} of {len(seeds)}")
        problems.append(draw_from_family("power-law", L=L, alpha=3.0, dimension=options["dimension"], seed=seed))
    steps = options["steps"]
    descents = runner().in_eigenbasis(
        problems, METHODS, steps=steps, progress=lambda done: tell(0.15 + 0.85 * done / max(steps, 1), f"step {done} of {steps}")
    )
    parts = []
    for panel in PANELS:
        whole = getattr(descents, panel)
        ends = growing(whole.shape[-1], POINTS)
        for n, method in enumerate(METHODS):
            grouped = np.add.reduceat(whole[:, n], ends[:-1], axis=-1) / np.diff(ends)
            spread = over_problems(np.nanquantile, grouped, [LOW, HIGH])
            parts.append(
                {
                    **{"panel": panel, "method": method, "k": ends[:-1], "last_k": ends[1:] - 1},
                    **{
                        "mean": over_problems(np.nanmean, grouped),
                        "deviation": over_problems(np.nanstd, grouped),
                        "low": spread[0],
                        "high": spread[1],
                    },
                }
            )
    return table(parts, **dict(options), **_facts(descents))


def _facts(descents: Any) -> dict[str, Any]:
    tail = max(1, descents.eta.shape[-1] // 10)
    facts: dict[str, dict[str, float]] = {}
    for n, name in enumerate(descents.rules):
        gap, D, eta = (values[:, n] for values in (descents.gap, descents.D, descents.eta))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a mean of nothing is NaN, and the caption says so
            found = {
                "final_gap": gap[:, -1].mean(),
                "first_step": np.nanmean(eta[:, 0]) * L / 2,
                "late_step": np.nanmean(eta[:, -tail:]) * L / 2,
                "late_D": np.nanmean(D[:, -tail:]) / L,
                "eta_D": np.nanmax(eta * D),
                "longer_than_2_over_L": np.nanmean(np.where(np.isnan(eta), np.nan, eta > 2 / L)[:, :10]),
            }
        for word, value in found.items():
            facts.setdefault(word, {})[name] = float(value)
    return {**facts, "arrived": int(np.isnan(descents.eta[..., -1]).sum())}


def draw(canvas: Any, numbers: FigureNumbers) -> None:
    axes = canvas.subplots(1, 3)
    for ax, (panel, label) in zip(axes, PANELS.items(), strict=True):
        ax.set(xscale="log", yscale="log", xlabel=r"$k + 1$", title=label)
        for n, method in enumerate(METHODS):
            rows = numbers.where(panel=panel, method=method)
            line, k = LINES[method], rows["k"] + 1
            if method != PRINTED:
                line.band(ax, k, rows["low"], rows["high"])
            line.on(ax, k, rows["mean"], shift=n / len(METHODS), zorder=3 + n / 9)
    for ax, levels in ((axes[1], {"$2L$": 2 * L, "$L$": L, "$L/2$": L / 2}), (axes[2], {"$2/L$": 2 / L, "$1/L$": 1 / L})):
        right = ax.get_xlim()[1]
        for name, level in levels.items():
            ax.axhline(level, color=GREY, linewidth=0.6, zorder=1)
            ax.annotate(name, (right, level), xytext=(2, 0), textcoords="offset points", va="center", fontsize=7, color="#555555")
    finish(canvas, axes, LINES.values())


def caption(numbers: FigureNumbers) -> str:
    facts = numbers.facts
    longer = facts["first_step"][PRINTED] / facts["first_step"]["1/D"]
    arrived = ARRIVED if facts["arrived"] else ""
    return told(CAPTION + arrived, last_seed=facts["seed"] + facts["problems"] - 1, longer=longer, **facts)


ARRIVED = """

{arrived} of the runs arrive at the minimiser exactly, as far as float64 can tell, and have no D_k and no steps from then on.
"""

CAPTION = """
Gradient descent for {steps:,} steps on {problems} random quadratics in {dimension} dimensions, eigenvalues 1000 i^-3, so that
L = 1000 (seeds {seed} to {last_seed}). Left to right: the gap f(x_k) - f(x*), the point-wise directional smoothness D(x_k,
x_{{k+1}}), and the step size. Lines are means over the problems, bands go from the 10th to the 90th percentile (the mean less
a standard deviation would be negative); where points are more than a step apart, each is the mean over the steps up to the
next. 1/D_k is |g| / (2 |Bg|), the root of the corrected equation; 1/A_k is Cauchy's step; Polyak's step has gamma = 1. All
steps are closed formulas in the eigenbasis of each matrix. Polyak's runs are chaotic: rounding decides where a single one is
after some hundred steps, and their mean tells no more than the size. After the very last step (a point of the
curves is a mean over many) the mean gaps are
{final_gap[1/L]:.3g} (1/L), {final_gap[1/D]:.3g} (1/D_k), {final_gap[1/A]:.3g} (1/A_k), {final_gap[polyak(1)]:.3g} (Polyak).
Over the last tenth of the run the steps 1/D_k are {late_step[1/D]:.3g} times 2/L on average and those of 1/A_k
{late_step[1/A]:.3g} times 2/L; of the first ten steps, {longer_than_2_over_L[1/D]:.0%} (1/D_k) and
{longer_than_2_over_L[1/A]:.0%} (1/A_k) are longer than 2/L.

With eq:zero-finding as printed (grey crosses) the step is 2 sqrt(2) / D_k, so eta_k D_k = {eta_D[1/D-as-printed]:.3g} at
every step: none is adapted, which needs eta_k D_k < 2. The first step is {longer:.3g} times as long. Later both rules are
driven to the same steps, {late_step[1/D-as-printed]:.3g} times 2/L, and the mean gap after the last step is
{final_gap[1/D-as-printed]:.4g} in place of {final_gap[1/D]:.4g}; but D_k settles at {late_D[1/D-as-printed]:.3g} L in place
of {late_D[1/D]:.3g} L, so that with the equation as printed it is not true that D_k is below L.
"""

quadratics = Figure(
    name="quadratics",
    title="Gradient descent on random quadratics with Hessian skew (fig:quadratics)",
    compute=compute,
    draw=draw,
    caption=caption,
    size=(7.4, 2.75),
    options={"steps": 20_000, "problems": 20, "dimension": 300, "seed": 0},
)
