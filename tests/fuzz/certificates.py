"""The independent checker as an evaluator: what it says of a certificate is held against the plain definition.

A draft certificate is made for one claim at one k of a run. Where the checker gives both sides, every hypothesis must be true at
every step of the run and the sides must be those of the definition; where it refuses, that is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from flint import arb, fmpq

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.claims.bound import Bound
from boundcheck.language.scalars import Constant
from boundcheck.language.vectors import Minimum
from boundcheck.verify.certificate import Certificate
from boundcheck.verify.refusals import NotRefuted

from .compare import Case, Failure, Tally, _tell
from .enclosures import Undefined, Unknown, ends
from .functions import Quadratic
from .settings import Setting
from .truth import FALSE, TRUE, UNDEFINED, Claim, Truth

NAME = "checker"
REFUSALS = (NotRefuted, ZeroDivisionError)  # what `verify` takes for "does not refute"


def function_data(setting: Setting) -> dict[str, Any] | None:
    """The function as a certificate carries it; None where it cannot."""
    f = setting.function
    if isinstance(f, Quadratic):
        if f.least:
            return None
        return {"kind": "quadratic", "matrix": [[str(a) for a in row] for row in f.rows], "minimiser": [str(a) for a in f.star]}
    return {
        "kind": "piecewise quadratic",
        "knots": [str(a) for a in f.knots],
        "gradients": [str(a) for a in f.gradients],
        "left_slope": str(f.left),
        "right_slope": str(f.right),
        "value_at": [str(f.star), str(f.least)],
    }


def draft(
    bound: Bound, claim: Claim, setting: Setting, k: int, link: int, chosen: dict[str, Fraction], M: str, steps: int
) -> Any:
    nodes = [n for tree in claim.trees for n in tree.walk()]
    names = {n.name for n in nodes if isinstance(n, Constant)} | ({"L"} if M == "L" else set())
    roles = {
        role: {"start": [str(c) for c in setting.starts[0]], "eta": [str(e) for e in setting.etas[0][:steps]]}
        for role, _ in setting.methods
    }
    return {
        "format": "boundcheck certificate",
        "version": 1,
        "claim": bound.to_json(),
        "hash": bound.hash,
        "smoothness": M or None,
        "parameters": {name: str(value) for name, value in chosen.items()},
        "function": function_data(setting),
        "constants": {name: str(setting.constants[name]) for name in sorted(names)},
        "minimiser": [str(c) for c in setting.function.minimiser] if any(isinstance(n, Minimum) for n in nodes) else None,
        "link": link,
        "left": "0",
        "right": "0",
        "words": "",
        "seal": "",
        "run": {"roles": roles},
        "at": {claim.letter: k},
    }


def _choices(claim: Claim, rng: Random) -> Iterator[tuple[dict[str, Fraction], str]]:
    chosen = {name: rng.choice(values) for name, values in claim.parameters}
    yield chosen, rng.choice(claim.smoothness) if claim.smoothness else ""


def compare_certificates(claims: list[Claim], bounds: list[Bound | None], setting: Setting, rng: Random, tally: Tally) -> None:
    """Every claim at every k of the run that is long enough for it, by the checker."""
    if function_data(setting) is None or setting.run(0).steps < 1:
        return
    for claim, bound in zip(claims, bounds, strict=True):
        if bound is None or claim.about_chords or any(r.op == "->" for r in claim.relations):
            continue
        tally.asked[NAME] += 1
        case = Case(claim, setting, NAME)
        for chosen, M in _choices(claim, rng):
            made = setting.run(0)
            letters = {**setting.constants, **setting.parameters, **chosen}
            truth = Truth(claim, made, setting.roles, letters, M)
            for k in range(claim.start, made.steps + 1):
                for link in range(len(claim.relations)):
                    _one(case, bound, truth, k, link, chosen, M, tally)


def _one(case: Case, bound: Bound, truth: Truth, k: int, link: int, chosen: dict[str, Fraction], M: str, tally: Tally) -> None:
    claim, setting = case.claim, case.setting
    data = draft(bound, claim, setting, k, link, chosen, M, truth.run.steps)
    try:
        with Precision(256):
            left, right = Certificate(data).sides()
    except REFUSALS:
        tally.counts[NAME, "UNDECIDED"] += 1
        return
    except ValueError:
        tally.refused["checker"] += 1
        return
    except Exception as error:
        _tell(error, case, tally, "checker")
        return
    why = _wrong(truth, k, link, left, right)
    tally.counts[NAME, "HOLDS" if truth.at(k) == TRUE else "VIOLATED"] += 1
    if why:
        sides = "; ".join(f"{str(a)[:60]} against {str(b)[:60]}" for a, b in truth.sides(k))
        tally.failures.append(Failure(case, why, k, 0, "sides", sides, f"the checker: {left!s:.80} against {right!s:.80}"))


def _wrong(truth: Truth, k: int, link: int, left: Any, right: Any) -> str:
    every = truth.of_whole_run(k)
    if FALSE in every:
        return "the checker takes a hypothesis that is false"
    if UNDEFINED in every:
        return "the checker takes a hypothesis that is undefined"
    relation = truth.claim.relations[link]
    for name, found in (("left", left), ("right", right)):
        try:
            value = truth.meaning.value(getattr(relation, name), {truth.claim.letter: k})
        except Undefined:
            if isinstance(found, arb) and not found.is_finite():
                continue
            return f"the checker has a {name} side where it is undefined"
        except Unknown:
            continue
        if not _encloses(found, *ends(value)):
            return f"the checker has another {name} side"
    return ""


def _encloses(found: Any, low: Fraction, high: Fraction) -> bool:
    """Is a real number between low and high the number found, or in the ball found?"""
    if isinstance(found, fmpq):
        return bool(fmpq(low.numerator, low.denominator) <= found <= fmpq(high.numerator, high.denominator))
    if not found.is_finite():
        return True
    a, b = (arb(fmpq(v.numerator, v.denominator)) for v in (low, high))
    return not bool(found < a) and not bool(found > b)
