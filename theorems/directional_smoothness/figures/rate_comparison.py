"""fig:rate-comparison: gaps and their bounds, for strongly adapted steps and for Polyak's, on logistic regressions.

The bounds are the right sides of the library's claims, evaluated along the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from boundcheck.figures import Figure, FigureNumbers, table
from boundcheck.figures.figure import BLACK, BLUE, GREEN, ORANGE, LineStyle, Tell
from boundcheck.figures.runs import claim_named, run_once, sides
from boundcheck.library.names import problem_named
from boundcheck.theorems.directional_smoothness.figures.lines import LINES, PRINTED, finish, told
from boundcheck.theorems.directional_smoothness.figures.thinning import even, gaps

STRONGLY_ADAPTED = "directional-smoothness/thm:polyak.strongly-adapted@printed"
ANY_STEPS = "directional-smoothness/prop:convex-any-stepsize@printed"
POLYAK_BEST = "directional-smoothness/thm:polyak.best@printed"
CLASSICAL = "directional-smoothness/app:experimental-details.classical-gd@printed"
BEST = "directional-smoothness/app:experimental-details.classical-gd@best-known"
POINTS = 100
DATA = ("ionosphere-attained", "mammographic")
ADAPTED, POLYAK = "1/D", "polyak(3/2)"
METHODS = {ADAPTED: r"strongly adapted, $\eta_k = 1/D_k$", POLYAK: r"Polyak, $\gamma = 3/2$"}
CURVES = {
    "gap": LineStyle(BLUE, "-", "o", "gap, best so far"),
    "bound D": LineStyle(GREEN, (0, (5, 1.5)), "^", r"bound, $M = D$"),
    "bound H": LineStyle(ORANGE, (0, (4, 1.2, 1, 1.2)), "D", r"bound, $M = H$"),
    "bound L": LineStyle(BLACK, (0, (1, 1.2)), "s", r"bound, $L$-smooth"),
    PRINTED: LINES[PRINTED],
}


def compute(options: Mapping[str, Any], tell: Tell) -> FigureNumbers:
    parts: list[dict[str, Any]] = []
    facts: dict[str, Any] = {}
    names = options["data"] or DATA
    for n, name in enumerate(names):
        tell(n / len(names), f"{name}: strongly adapted steps")
        problem, steps = problem_named(name), options["steps"]

        def put(method: str, curve: str, name: str = problem.name, **columns: Any) -> None:
            parts.append({"data": name, "method": method, "curve": curve, "low": np.nan, "high": np.nan, **columns})

        own, any_step = claim_named(STRONGLY_ADAPTED, "D"), claim_named(ANY_STEPS, "D")
        classical, best = claim_named(CLASSICAL), claim_named(BEST)
        adapted = run_once(problem, ADAPTED, steps=steps, chords=("D",), claims=(own,))
        printed = run_once(problem, PRINTED, steps=steps, chords=("D",), claims=(any_step,))
        plain = run_once(problem, "1/L", steps=steps, claims=(classical, best))
        tell((n + 0.7) / len(names), f"{name}: Polyak's step")
        polyaks = tuple(claim_named(POLYAK_BEST, kind) for kind in ("D", "H", "L"))
        polyak = run_once(problem, POLYAK, steps=steps, chords=("D", "H"), claims=polyaks)
        blind = run_once(problem, POLYAK, steps=steps, claims=polyaks, known=np.inf)
        for method, curve, run in ((ADAPTED, "gap", adapted), (ADAPTED, PRINTED, printed), (POLYAK, "gap", polyak)):
            put(method, curve, **gaps(run.gap, POINTS))
        ends = {}
        for method, curve, claim, run in (
            (ADAPTED, "bound D", own, adapted),
            (ADAPTED, "bound L", classical, plain),
            *((POLYAK, f"bound {claim[1]}", claim, polyak) for claim in polyaks),
        ):
            k, _, right = sides(claim, run)
            at = even(len(k), POINTS)[:-1]
            put(method, curve, k=k[at], value=right[at])
            ends[f"{method} {curve}"] = {int(one): float(value) for one, value in zip(k, right, strict=True)}
        ends[BEST] = dict(zip(*(side.tolist() for side in sides(best, plain)[::2]), strict=True))
        facts[problem.name] = _facts(
            adapted, printed, polyak, blind, ends, sides(any_step, printed)[2], sides(polyaks[1], blind)[2]
        )
    return table(parts, steps=options["steps"], of=facts)


def _facts(adapted: Any, printed: Any, polyak: Any, blind: Any, ends: Any, right: Any, lost: Any) -> dict[str, Any]:
    last = {ADAPTED: min(adapted.steps, printed.steps), POLYAK: polyak.steps}
    directional = {method: ends[f"{method} bound D"][k] for method, k in last.items()}
    return {
        "last": last,
        "directional": directional,
        "H": ends[f"{POLYAK} bound H"][polyak.steps],
        "tighter": {method: ends[f"{method} bound L"][k] / directional[method] for method, k in last.items()},
        "over_best": ends[BEST][last[ADAPTED]] / directional[ADAPTED],
        "cut": "rounding" in polyak.ended,
        "gap": float(adapted.gap[last[ADAPTED]]),
        "first_gaps": [float(adapted.gap[1]), float(printed.gap[1])],
        "printed_gap": float(printed.gap[last[ADAPTED]]),
        "printed_bound": float(right[last[ADAPTED] - 1]),
        "printed_eta_D": float(np.median(printed.eta * printed.chords["D"])),
        "blind": [int(blind.steps), float(lost[-1])],
    }


def draw(canvas: Any, numbers: FigureNumbers) -> None:
    names = numbers.values("data")
    axes = canvas.subplots(1, 2 * len(names), squeeze=False)[0]
    panels = [(name, method) for name in names for method in METHODS]
    for ax, (name, method) in zip(axes, panels, strict=True):
        for n, (curve, line) in enumerate(CURVES.items()):
            rows = numbers.where(data=name, method=method, curve=curve)
            if len(rows["k"]):
                line.band(ax, rows["k"], rows["low"], rows["high"])
                line.on(ax, rows["k"], rows["value"], shift=n / len(CURVES), marks=4)
        ax.set(yscale="log", xlabel=r"$k$", title=f"{name}\n{METHODS[method]}")
        ax.set_ylim(bottom=max(ax.get_ylim()[0], 1e-10))
    axes[0].set_ylabel(r"$f - f(x^*)$, and its bounds")
    finish(canvas, axes, CURVES.values())


def caption(numbers: FigureNumbers) -> str:
    claims = f"{STRONGLY_ADAPTED}, {POLYAK_BEST} and {CLASSICAL}"
    said = [told(CAPTION, claims=claims, **numbers.facts)]
    for name, facts in numbers.facts["of"].items():
        said.append(told(ON_EACH, name=name, **facts))
        said += [told(CUT, **facts)] if facts["cut"] else []
        said.append(told(AS_PRINTED, **facts))
    return "\n".join([*said, *([told(SEPARABLE)] if "ionosphere-attained" in numbers.facts["of"] else [])])


CAPTION = """
Gaps and bounds for gradient descent on logistic regressions, {steps} steps. Solid: the best gap f(x_i) - f(x*) up to step k;
bands: the gaps themselves, where they go up and down. Left of each pair: steps strongly adapted to the point-wise smoothness,
eta_k = 1/D(x_k, x_{{k+1}}), the root of the corrected equation |g+ - g| = |g| / 2. Their bound is Delta_0 / (2 sum 1/D_i),
which is eq:1 for these steps; the classical one is 2 L Delta_0 / k, for eta = 1/L. Right: Polyak's step with gamma = 3/2,
since thm:polyak asks for 1 < gamma < 2; its bounds, for the best iterate, are 3 Delta_0 / sum 1/M_i with M = D, H, and L.
Bounds are the right sides of the claims {claims}, evaluated along the run in float64.
"""

ON_EACH = """
{name}: after {last[1/D]} steps 1/D_k the bound is {directional[1/D]:.3g}, {tighter[1/D]:.3g} times below the classical one
({over_best:.3g} times below L Delta_0 / (4k + 2), the best that holds for eta = 1/L), and the gap {gap:.3g}; after
{last[polyak(3/2)]} Polyak steps it is {directional[polyak(3/2)]:.3g} with M = D and {H:.3g} with M = H, and with M = D it is
{tighter[polyak(3/2)]:.3g} times below the one with L.
"""

CUT = """
Polyak's run is drawn to step {last[polyak(3/2)]}, where the error bounds of D and H reach the numbers themselves. Drawn on
regardless, to step {blind[0]}, the bound with M = H would plunge to {blind[1]:.3g}: that is rounding, not adaptivity. Near x*
f is nearly a quadratic with a Hessian that is positive definite on the span of the data, so M_k has a positive lower bound,
and these bounds fall no faster than 1/k.
"""

AS_PRINTED = """
With eq:zero-finding as printed (grey crosses), eta_k D_k is {printed_eta_D:.3g} where adapted steps need less than 2; the
first step leaves a gap of {first_gaps[1]:.3g} in place of {first_gaps[0]:.3g}, {last[1/D]} steps leave {printed_gap:.3g} in
place of {gap:.3g}. The bound for strongly adapted steps does not apply then; eq:1, which holds for any steps, gives
{printed_bound:.3g} in place of {directional[1/D]:.3g}.
"""

SEPARABLE = """
Ionosphere is without its first column: with it the data are partly separable, no minimiser exists, Delta_0 is infinite, and a
bound drawn with the last point of some solver in place of x* depends on when that solver stopped.
"""

rate_comparison = Figure(
    name="rate-comparison",
    title="Gaps and their bounds on two logistic regressions (fig:rate-comparison)",
    compute=compute,
    draw=draw,
    caption=caption,
    size=(8.6, 2.7),
    options={"steps": 300, "data": ()},
)
