"""The check of a candidate in exact numbers: the independent checker computes whether the claim fails there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, fmpq

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.certificates.write import FORMAT, VERSION, nodes_of
from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate, constants_of, steps_of, with_steps
from boundcheck.language.scalars import Constant, Gap
from boundcheck.language.vectors import Minimum
from boundcheck.model.schedule import updates_of_step
from boundcheck.verify import NotComputed, Replay, TooShort


def step_formulas(claim: Mapping[str, Any]) -> dict[str, Any]:
    """For each run, the right side of an equation eta_i == ... among the hypotheses."""
    found: dict[str, Any] = {}
    for h in claim["given"]:
        for kind in ("follows", "at each step"):
            if kind in h and (formula := step_formula(h[kind])) is not None:
                found.setdefault(*formula)
    return found


def step_formula(relation: Any) -> tuple[str, Any] | None:
    """(run, right side) of eta_i == ...; None for another relation."""
    left = relation["left"]
    if relation["op"] != "==" or left["is"] != "Term" or left["name"] != "eta":
        return None
    return (left["run"], relation["right"]) if left["index"] == {"index": "#step", "plus": 0} else None


def looks_ahead(node: Any) -> bool:
    """Return whether a formula for step i reads what comes after it. The number i + 1 is no entry."""
    if isinstance(node, dict):
        if node.get("is") == "IndexNumber":
            return False
        if node.get("index") == "#step" and node.get("plus", 0) > 0:
            return True
        return any(looks_ahead(part) for part in node.values())
    return isinstance(node, list) and any(looks_ahead(part) for part in node)


def steps_left_open(formula: Any) -> int:
    """How many of the first steps an explicit equation leaves open: those before it can be read, as with eta_0 / sqrt(i+1)."""
    if isinstance(formula, list):
        return max((steps_left_open(part) for part in formula), default=0)
    if not isinstance(formula, dict):
        return 0
    if formula.get("is") in ("Point", "Term") and (index := formula["index"]) is not None:
        if index["index"] is not None:
            return max(0, -int(index["plus"]))  # it looks so far back
        return int(index["plus"]) + int(formula["name"] == "eta")
    return max((steps_left_open(part) for part in formula.values()), default=0)


LONGEST = 60  # digits of a step that is written out
FINEST, ROUNDS = 5040, 4  # a root is first rounded to such a denominator, then put so often into its equation
BITS = (64, 128, 256, 512)  # an enclosure is tried with more and more
UNCLEAR = (NotComputed, ArithmeticError, ValueError, LookupError, TypeError, StopIteration)


@dataclass(frozen=True)
class ProvedFailure:
    """A claim that fails at a candidate, proved. `margin` is how far apart the sides are, relative to them."""

    left: str
    right: str
    margin: float


@lru_cache(maxsize=64)
def reads(bound: Bound) -> tuple[frozenset[str], bool]:
    """Return the constants that the claim reads, and whether it reads x*."""
    names = frozenset(node.name for node in nodes_of(bound) if isinstance(node, Constant))
    return names, any(isinstance(node, Minimum | Gap) for node in nodes_of(bound))


@lru_cache(maxsize=64)
def claim_json(bound: Bound) -> dict[str, Any]:
    return bound.to_json()


def formula_of(bound: Bound) -> Any:
    """Return the right side of the equation that the steps follow; None where they are free."""
    return None if bound.is_about_chords else step_formulas(claim_json(bound)).get("")


def draft(bound: Bound, candidate: Candidate) -> dict[str, Any]:
    """Return the certificate that the candidate would make, without its sides, words and seal.

    ValueError where it can make none.
    """
    names, reads_least = reads(bound)
    names |= {"L"} if candidate.smoothness == "L" else set()
    constants = constants_of(candidate.function, set(names))
    if lacking := [name for name, value in constants.items() if value is None]:
        raise ValueError(f"the function has no constant {lacking[0]}")
    least = candidate.function.minimiser
    if reads_least and least is None:
        raise ValueError("the function has no minimiser, and the claim reads it")
    return {
        "format": FORMAT,
        "version": VERSION,
        "claim": claim_json(bound),
        "hash": bound.hash,
        "smoothness": candidate.smoothness or None,
        "parameters": {name: str(value) for name, value in candidate.parameters},
        "function": candidate.function.data(),
        "constants": {name: str(value) for name, value in constants.items()},
        "minimiser": [str(c) for c in least] if reads_least and least is not None else None,
        "link": candidate.link,
        "left": "0",
        "right": "0",
        "words": "",
        "seal": "",
        **candidate.place(bound.for_all.letter),
    }


def with_exact_steps(bound: Bound, candidate: Candidate) -> Candidate | None:
    """Return the candidate with the steps that the claim's equation gives, one after another: rational where they are, else None.

    A step that the equation leaves open stays as it is.
    """
    formula, place = formula_of(bound), candidate.place(bound.for_all.letter).get("at", {})
    own: list[Any] = []
    for k, free in enumerate(steps_of(candidate)):
        try:
            with Precision(BITS[-1]):
                step = Replay(draft(bound, with_steps(candidate, own))).value(formula, {"#step": k, **place})
        except TooShort:
            own.append(free)
            continue
        except UNCLEAR:
            return None
        own.append(Fraction(int(step.p), int(step.q)) if isinstance(step, fmpq) and len(str(step)) <= LONGEST else None)
    return with_steps(candidate, own)


def with_exact_roots(bound: Bound, candidate: Candidate) -> Candidate | None:
    """Return the candidate with steps that solve the claim's equation, one after another, where its own are near a root.

    The equation's right side is put in the step's place until nothing changes: at once, where it does not depend on the step.
    """
    formula, place = formula_of(bound), candidate.place(bound.for_all.letter).get("at", {})
    own: list[Any] = []
    for k, guess in enumerate(steps_of(candidate)):
        for _ in range(ROUNDS):
            try:
                found = Replay(draft(bound, with_steps(candidate, [*own, guess]))).value(formula, {"#step": k, **place})
            except UNCLEAR:
                return None
            if not isinstance(found, fmpq) or len(str(found)) > LONGEST:
                break
            better = Fraction(int(found.p), int(found.q))
            if better == guess:
                break
            guess = better
        own.append(guess)
    return with_steps(candidate, own)


def look(bound: Bound, candidate: Candidate) -> ProvedFailure | None:
    """Return the proved failure of the claim at the candidate.

    Every hypothesis is checked, both sides are exact or enclosed. None: not proved.
    """
    try:
        made = draft(bound, candidate)
    except UNCLEAR:
        return None
    for bits in BITS:
        try:
            with Precision(bits):
                replay = Replay(made)
                failed = replay.fails()
        except UNCLEAR:
            continue
        left, right = replay.sides()
        return ProvedFailure(str(left), str(right), _margin(left, right)) if failed and goes_on(made["claim"], replay) else None
    return None


def goes_on(claim: Mapping[str, Any], replay: Replay) -> bool:
    """Return whether no gradient that the methods follow is exactly 0.

    Such a gradient ends a run: what comes after it is no step.
    """
    runs: Any = next((h["runs"] for h in claim["given"] if "runs" in h), {"roles": []})
    for role, method in ((r["role"], r["method"]) for r in runs["roles"]):
        for k in range(replay.steps):
            moves = (update["to"] for update in updates_of_step(method, k) if update["sets"]["is"] == "Point")
            followed = (node for move in moves for node in _gradients(move))
            if not all(any(c != 0 for c in replay.value(node, {"k": k}, role)) for node in followed):
                return False
    return True


def _gradients(node: Any) -> Iterator[Any]:
    """Yield the gradients in a formula."""
    if isinstance(node, dict):
        if node.get("is") == "Grad":
            yield node
        for part in node.values():
            yield from _gradients(part)


def _margin(left: Any, right: Any) -> float:
    a, b = (float(arb(v).mid()) for v in (left, right))
    return abs(a - b) / (abs(a) + abs(b)) if a or b else 0.0
