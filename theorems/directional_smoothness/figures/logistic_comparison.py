"""fig:logistic-comparison: five methods on logistic regressions, on the data sets at hand or on the user's own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from boundcheck.figures import Figure, FigureNumbers, table
from boundcheck.figures.figure import Tell
from boundcheck.figures.runs import run_all, run_once
from boundcheck.library.names import problem_named
from boundcheck.model.rule import Rule
from boundcheck.theorems.directional_smoothness.figures.lines import LINES, NORMALIZED, PRINTED, finish, told
from boundcheck.theorems.directional_smoothness.figures.thinning import gaps

DATA = ("ionosphere", "ionosphere-attained", "mammographic")
METHODS = ("1/L", "1/D", "polyak(1)", "adgd(1/1000)", PRINTED)
GRID = np.logspace(-8, 1, 20)
SMALLEST = 1e-10  # drawn
POINTS = 100


def normalized(first: float) -> Rule:
    """x_{k+1} = x_k - (eta_0 / sqrt(k + 1)) g / |g|, as a step of gradient descent: that length over |g|."""
    return Rule(name=f"{NORMALIZED}({first:.3g})", step=lambda run: first / math.sqrt(run.k + 1) / run.xp.norm(run.grad))


def compute(options: Mapping[str, Any], tell: Tell) -> FigureNumbers:
    parts: list[dict[str, Any]] = []
    facts: dict[str, Any] = {}
    names, steps = options["data"] or DATA, options["steps"]
    for n, name in enumerate(names):
        problem = problem_named(name)
        made = {}
        for m, method in enumerate(METHODS):
            tell((n + m / (len(METHODS) + 1)) / len(names), f"{name}: {method}")
            made[method] = run_once(problem, method, steps=steps, chords=("D",) if method.startswith("1/D") else ())
        tell((n + 0.9) / len(names), f"{name}: normalized gradient descent, {len(GRID)} first steps")
        grid = run_all(problem, [normalized(float(first)) for first in GRID], steps=steps)
        best = int(np.argmin([np.median(run.gap[-1 - steps // 10 :]) for run in grid]))
        made[NORMALIZED] = grid[best]
        for method, run in made.items():
            parts.append({"data": problem.name, "method": method, **gaps(run.gap, POINTS)})
        right, printed = made["1/D"], made[PRINTED]
        last = min(right.steps, printed.steps)
        reached = {m: int(np.argmax(run.gap <= 1e-3 * run.gap[0])) or None for m, run in made.items()}
        facts[problem.name] = {
            "attained": problem.minimiser is not None,
            "first": float(GRID[best]),
            "final": {method: [run.steps, float(run.gap[-1])] for method, run in made.items()},
            "thousandth": reached,
            "first_gaps": [float(right.gap[1]), float(printed.gap[1])],
            "last": [last, float(right.gap[last]), float(printed.gap[last])],
            "eta_D": float(np.median(printed.eta * printed.chords["D"])),
        }
    return table(parts, steps=steps, of=facts)


def draw(canvas: Any, numbers: FigureNumbers) -> None:
    names = numbers.values("data")
    axes = canvas.subplots(1, len(names), squeeze=False)[0]
    order = ("1/L", "1/D", "polyak(1)", NORMALIZED, "adgd(1/1000)", PRINTED)
    for ax, name in zip(axes, names, strict=True):
        for n, method in enumerate(order):
            rows = numbers.where(data=name, method=method)
            LINES[method].band(ax, rows["k"], rows["low"], rows["high"])
            LINES[method].on(ax, rows["k"], rows["value"], shift=n / len(order), zorder=4 - n / 9)
        ax.set(yscale="log", xlabel=r"$k$", title=name)
        ax.set_ylim(bottom=max(ax.get_ylim()[0], SMALLEST))
    axes[0].set_ylabel(r"best $f(x_i) - \inf f$")
    finish(canvas, axes, [LINES[method] for method in order])


def caption(numbers: FigureNumbers) -> str:
    said = [told(CAPTION, **numbers.facts)]
    for name, facts in numbers.facts["of"].items():
        reached = ", ".join(f"{word} {facts['thousandth'][m] or '-'}" for m, word in WORDS.items())
        said.append(
            told(ON_EACH, name=name, reached=reached, where="" if facts["attained"] else " (inf f is not attained)", **facts)
        )
    return "\n".join(said)


WORDS = {"1/L": "1/L", "1/D": "1/D_k", "polyak(1)": "Polyak", NORMALIZED: "normalized", "adgd(1/1000)": "AdGD"}

CAPTION = """
The best gap f(x_i) - inf f up to step k (bands: the gaps themselves, where they go up and down) over {steps} steps on
logistic regressions. Gradient descent with eta = 1/L; with steps strongly adapted to the point-wise smoothness, eta_k =
1/D(x_k, x_{{k+1}}), the root of the corrected equation |g+ - g| = |g| / 2; with Polyak's step, gamma = 1 and the true inf f;
normalized gradient descent with lengths eta_0 / sqrt(k + 1), eta_0 the one of np.logspace(-8, 1, 20) whose gap, the median of
the last tenth of the run, is least; AdGD from eta_0 = 10^-3. A curve ends where rounding decides its numbers.
"""

ON_EACH = """
{name}{where}: steps until the gap is a thousandth of the first: {reached} (-: not reached); eta_0 of normalized gradient
descent is {first:.3g}. With eq:zero-finding as printed (grey crosses) eta_k D_k is {eta_D:.3g} in place of 1: the gap after
one step is {first_gaps[1]:.3g} in place of {first_gaps[0]:.3g}, and after {last[0]} steps {last[2]:.3g} in place of
{last[1]:.3g}.
"""

logistic_comparison = Figure(
    name="logistic-comparison",
    title="Methods on logistic regressions (fig:logistic-comparison)",
    compute=compute,
    draw=draw,
    caption=caption,
    size=(7.4, 2.7),
    options={"steps": 500, "data": ()},
)
