"""The hypotheses: a claim is refuted only where all of them hold. Those about f are proved from its data, those about the run
are checked at every step at which the run has what they read."""

from __future__ import annotations

from typing import Any

from .arithmetic import ZERO, holds
from .claim_shape import STEP
from .fields import rational
from .functions import Function
from .interpretation import Interpretation, Place
from .refusals import NoEntry, must, need, shown
from .runs import Runs

# -- of the function ----------------------------------------------------------------------------------------------------------


def check_function(meaning: Interpretation, given: list[Any]) -> None:
    """Raise NotRefuted unless f has the constants, the minimiser and the properties that the file and the claim say."""
    f = meaning.f
    is_convex = f.curved(ZERO)
    for name, value in meaning.constants.items():
        must(_is_constant(meaning, name, value), f"{shown(name)} = {number(value)} is not a constant of this function")
    # f(y) <= f(x) + <grad f(x), y - x> + D/2 |y - x|^2 is proved from convexity; without it D may be no such bound.
    must(meaning.M != "D" or is_convex, "D is a directional smoothness function of convex functions only")
    needed = meaning.M["needs"] if isinstance(meaning.M, dict) else []  # the bound itself is checked on each chord
    if "x*" in meaning.ends:
        _check_minimiser(meaning, is_convex)
    facts = _facts(meaning, is_convex)
    for what in needed:
        must(facts[what], f"the function is not {shown(what)}, as M demands")
    for hypothesis in given:
        if "fact" in hypothesis:
            what = hypothesis["fact"]
            must(facts[what], f"the function is not {shown(what)}, as the claim demands")


def _is_constant(meaning: Interpretation, name: str, value: Any) -> bool:
    """Tell whether f has this constant: L > 0 with -L <= f'' <= L, mu >= 0 with mu <= f'', or a number of its own kind."""
    f = meaning.f
    if name == "L":
        return bool(value > 0 and f.is_smooth and f.curved(value, -1) and f.curved(-value))
    if name == "mu":
        return bool(value >= 0 and f.curved(value))
    return name in f.constants and rational(f.constants[name]) == value


def _check_minimiser(meaning: Interpretation, is_convex: bool) -> None:
    """Raise NotRefuted unless x* minimises f: the gradient is 0 there, and f is convex, or is compared where it may be lower."""
    f, least = meaning.f, meaning.ends["x*"]
    is_flat = all(holds("==", g, ZERO) for g in f.grad(least))
    must(is_flat and (is_convex or (isinstance(f, Function) and f.lowest(least))), "x* is no minimiser")


def _facts(meaning: Interpretation, is_convex: bool) -> dict[str, bool]:
    """Return which properties f is proved to have. All kinds of functions are C^1."""
    f, mu = meaning.f, meaning.constants.get("mu")
    return {
        "Convex": is_convex,
        "Differentiable": True,
        "Smooth": f.is_smooth,
        "TwiceDifferentiable": f.is_twice,
        "StronglyConvex": f.curved(ZERO, strictly=True) if mu is None else mu > 0,
        "IsQuadratic": f.is_quadratic and _is_stationary_somewhere(meaning),
    }


def _is_stationary_somewhere(meaning: Interpretation) -> bool:
    """Tell whether the gradient of a quadratic is known to be 0 somewhere: an affine function is no (x - c)' B (x - c) / 2."""
    f: Any = meaning.f
    return "x*" in meaning.ends or not f.terms or f.curved(ZERO, 1, True) or f.curved(ZERO, -1, True)


# -- of the run ---------------------------------------------------------------------------------------------------------------


def check_run(meaning: Interpretation, given: list[Any], runs: Runs | None, at: Place) -> None:
    """Raise NotRefuted unless every hypothesis about the run is true wherever it can be read, and can be read somewhere.

    "once" is read at the k of the claim, the others at every step i. After the last step a hypothesis that looks back still reads
    entries of the run; where it reads one that the run does not have, it says nothing of this run.
    """
    steps, rule, open_steps = (runs.steps, runs.rule, runs.open) if runs is not None else (0, {}, set())
    for hypothesis in given:
        ((kind, what),) = hypothesis.items()
        if kind in ("fact", "runs"):
            continue
        need(kind in ("once", "follows", "at each step"), f"a hypothesis of the kind {shown(kind)} is not known")
        places = [max(at.values(), default=0)] if kind == "once" else list(range(steps + 2 + looks_back(what)))
        if what is rule:  # a step that is null obeys its equation by construction
            places = [i for i in places if i not in open_steps]
        asked = [_is_read(meaning, what, at, i) for i in places]
        must(any(asked) or what is rule, "the run is too short for a hypothesis: it can be read nowhere")


def _is_read(meaning: Interpretation, relation: Any, at: Place, i: int) -> bool:
    """Tell whether a hypothesis can be read at step i; raise NotRefuted where it can, and is false."""
    try:
        is_true = meaning.is_true(relation, {**at, STEP: i})
    except NoEntry:
        return False
    must(is_true, f"a hypothesis of the claim is false (step {i})")
    return True


def looks_back(node: Any) -> int:
    """Return how far before its step a hypothesis may read, at most."""
    if isinstance(node, list):
        return sum(looks_back(part) for part in node)
    if not isinstance(node, dict) or node.get("is") == "IndexNumber":
        return 0
    if set(node) == {"index", "plus"}:
        return max(0, -int(node["plus"]))
    return sum(looks_back(part) for part in node.values())


def number(value: Any) -> str:
    """Return a number as it is printed: whole, unless it is too long for a line."""
    text = str(value)
    return text if len(text) <= 200 else f"{text[:80]}... ({len(text)} characters)"
