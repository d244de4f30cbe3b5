"""The falsifier as an evaluator: its exact look at a candidate, and its lanes in floating point.

`look` proves that a claim fails: then it must be false and every hypothesis true. A lane only guides a search: where the sides
are clearly apart by the definition, it must see the same side of zero.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate, Ridges, RidgeTerm
from boundcheck.falsify.exact_check import look, step_formulas
from boundcheck.falsify.lane_batch import LaneBatch
from boundcheck.falsify.lane_functions import PieceFunctions, read_claim
from boundcheck.falsify.shapes import PiecewiseShape, Side

from .compare import Case, Failure, Tally, _tell
from .enclosures import Between, Undefined, Unknown
from .functions import Piecewise
from .settings import Setting
from .truth import FALSE, UNDEFINED, Claim, Truth

LOOK, LANES = "falsifier, exact", "falsifier, lanes"
CLEAR = 1e-3  # relative: what floating point must see
FAR = 1e6  # where breaks that a lane does not have are put


def pieces_of(f: Piecewise) -> PiecewiseShape:
    """The same function about its minimiser, which is one of the knots."""
    at = f.knots.index(f.star)
    left = Side(tuple(f.star - knot for knot in reversed(f.knots[:at])), tuple(reversed(f.slopes[: at + 1])))
    right = Side(tuple(knot - f.star for knot in f.knots[at + 1 :]), tuple(f.slopes[at + 1 :]))
    return PiecewiseShape(left, right)


def lane_of(f: Piecewise) -> PieceFunctions:
    own = pieces_of(f)
    most = max(len(own.left.breaks), len(own.right.breaks), 1)
    breaks, slopes = np.zeros((1, 1, 2, most)), np.zeros((1, 1, 2, most + 1))
    for n, side in enumerate((own.left, own.right)):
        missing = most - len(side.breaks)
        breaks[0, 0, n] = [*map(float, side.breaks), *(FAR * (m + 1) for m in range(missing))]
        slopes[0, 0, n] = [*map(float, side.slopes), *[float(side.slopes[-1])] * missing]
    shift, centre = np.array([float(f.least)]), np.array([[float(f.star)]])
    return PieceFunctions(np.ones((1, 1, 1)), breaks, slopes, np.zeros((1, 1)), shift, centre)


def compare_falsifier(claims: list[Claim], bounds: list[Bound | None], setting: Setting, rng: Random, tally: Tally) -> None:
    made = setting.run(0)
    if not isinstance(setting.function, Piecewise) or made.steps < 1:
        return
    for claim, bound in zip(claims, bounds, strict=True):
        if bound is None or claim.about_chords or any(r.op == "->" for r in claim.relations):
            continue
        if step_formulas(bound.to_json()):
            continue  # the claim's own equation gives the steps
        chosen = {name: rng.choice(values) for name, values in claim.parameters}
        M = rng.choice(claim.smoothness) if claim.smoothness else ""
        truth = Truth(claim, made, setting.roles, {**setting.constants, **setting.parameters, **chosen}, M)
        for name, ask in ((LOOK, _looked), (LANES, _lanes)):
            tally.asked[name] += 1
            try:
                ask(Case(claim, setting, "falsifier"), bound, truth, chosen, tally)
            except Exception as error:
                _tell(error, Case(claim, setting, "falsifier"), tally, name)


def _looked(case: Case, bound: Bound, truth: Truth, chosen: dict[str, Fraction], tally: Tally) -> None:
    setting, steps = case.setting, truth.run.steps
    assert isinstance(setting.function, Piecewise)
    function = Ridges((RidgeTerm((Fraction(1),), pieces_of(setting.function)),), setting.function.least, (setting.function.star,))
    runs = tuple((role, (("eta", setting.etas[0][:steps]),)) for role, _ in setting.methods)
    for k in range(case.claim.start, steps + 1):
        for link in range(len(case.claim.relations)):
            candidate = Candidate(function, k, truth.smoothness, tuple(chosen.items()), link, setting.starts[0], runs)
            found = look(bound, candidate)
            tally.counts[LOOK, "UNDECIDED" if found is None else "VIOLATED"] += 1
            every = truth.of_whole_run(k)
            why = ""
            if found is not None and truth.link(k, link) not in (FALSE, "unknown"):
                why = f"a counterexample where the statement is {truth.link(k, link)}"
            elif found is not None and (FALSE in every or UNDEFINED in every):
                why = "a counterexample where a hypothesis is false or undefined"
            if why:
                tally.failures.append(Failure(case, why, k, 0, "VIOLATED", str(truth.sides(k))[:200], str(found)))


def _lanes(case: Case, bound: Bound, truth: Truth, chosen: dict[str, Fraction], tally: Tally) -> None:
    setting, steps = case.setting, truth.run.steps
    lane = lane_of(setting.function)  # type: ignore[arg-type]
    eta = np.array([[float(e) for e in setting.etas[0][:steps]]])
    start = np.array([[float(c) for c in setting.starts[0]]])
    letters = {name: np.array([float(value)]) for name, value in chosen.items()}
    ends = {"x*": np.array([[float(c) for c in setting.function.minimiser]])}
    batch = LaneBatch(
        read_claim(bound.to_json()),
        lane,
        smoothness=truth.smoothness,
        parameters=letters,
        ends=ends,
        start=start,
        free=eta,
        count=steps,
    )
    for score in batch.scores(range(case.claim.start, steps + 1)):
        apart = _apart(truth, score.k, score.link)
        violation = float(score.violation[0])
        tally.counts[LANES, "VIOLATED" if violation > 0 else "HOLDS" if violation <= 0 else "UNDECIDED"] += 1
        if apart is None and np.isfinite(violation) and truth.link(score.k, score.link) == UNDEFINED:
            continue  # a division by zero that rounding hides: the exact look decides
        if apart is not None and abs(apart) > CLEAR and np.isfinite(violation) and not abs(apart - violation) < CLEAR / 10:
            why = f"a lane has {violation:.6g} where the definition has {apart:.6g}"
            tally.failures.append(Failure(case, "a lane has another value", score.k, 0, "", str(truth.sides(score.k))[:200], why))


def _apart(truth: Truth, k: int, link: int) -> float | None:
    """How far the relation is from holding, relative to its sides; None where it is undefined or ill conditioned."""
    relation = truth.claim.relations[link]
    try:
        left, right = (truth.meaning.value(side, {truth.claim.letter: k}) for side in (relation.left, relation.right))
    except (Undefined, Unknown):
        return None
    a, b = ((v.low + v.high) / 2 if isinstance(v, Between) else v for v in (left, right))
    size = abs(a) + abs(b)
    if not Fraction(1, 10**6) < size < 10**12:
        return None
    apart = float((a - b) / size)
    apart = -apart if relation.op in (">", ">=") else apart
    return abs(apart) if relation.op == "==" else apart


__all__ = ["LANES", "LOOK", "compare_falsifier"]
