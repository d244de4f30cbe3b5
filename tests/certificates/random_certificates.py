"""Random certificates of a claim: functions, runs, letters, k, links and M, over all that its hypotheses may allow and more.

`draw` makes a draft from the claim's JSON alone. `refutation` completes it (sides, hash, seal) and asks the independent checker:
None unless the checker says that the claim is false there. Most drafts fail a hypothesis; that costs little.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from typing import Any

from flint import fmpq

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.certificates.write import NotCertified, enclosed_sides, sealed
from boundcheck.verify import NotComputed, Replay, TooShort
from boundcheck.verify.arithmetic import HALF
from boundcheck.verify.budgets import BUDGET
from boundcheck.verify.claim_shape import SEARCH, check_claim
from boundcheck.verify.fields import rational
from boundcheck.verify.file_shape import claim_hash

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

Data = dict[str, Any]


def numbers(written: str) -> list[Fraction]:
    return [Fraction(word) for word in written.split()]


EDGES = numbers("-100 -10 -10 -4 -2 -1 -1 -1/2 0 0 1/100 1/4 1/2 3/4 9/10 1 1 5/4 3/2 7/4 2 2 3 10 100")
SMALL = [Fraction(n, d) for d in (1, 2) for n in range(-6, 7)]
SLOPES = numbers("0 0 1/10 1/2 1 1 2 5 20")
STEPS = numbers("1/20 1/4 1/2 3/4 1 1 1 5/4 3/2 19/10 2 3")  # in units of 1/L
NOT_FOLLOWED = (NotComputed, IndexError, ZeroDivisionError, ValueError, KeyError, TypeError)
UNSAID = {"format": "boundcheck certificate", "version": 1, "words": "drawn at random", "seal": "", "left": "0", "right": "0"}


class Shape:
    """What can be known of a claim before anything is drawn."""

    def __init__(self, claim: Data) -> None:
        self.claim, self.hash = claim, claim_hash(claim)
        self.reads, self.runs, self.steps = check_claim(claim)
        self.facts = {h["fact"] for h in claim["given"] if "fact" in h}
        self.links = len(claim["states"].get("links", [0]))
        self.first, self.letter = claim["for_all"]["from"], claim["for_all"]["letter"]
        relations = [h[kind] for h in claim["given"] for kind in ("follows", "at each step") if kind in h]
        self.rule = next((r["right"] for r in relations if _is_step(r)), None)
        self.may_be_open = any("follows" in h and _is_step(h["follows"]) for h in claim["given"]) and len(self.runs) == 1
        self.M = claim["smoothness"] if self.reads.reads_M else [None]
        self.equations = [h["once"] for h in claim["given"] if "once" in h and h["once"]["op"] == "=="]

    def chosen(self, role: str) -> set[str]:
        """The sequences of numbers that the file chooses for a run."""
        sets, method = self.runs[role]
        read = {name for _, run, name in self.reads.entries if run == role} | {name for _, _, name in method.entries} | {"eta"}
        return read - set(sets)


def _is_step(relation: Data) -> bool:
    left, step = relation["left"], {"index": "#step", "plus": 0}
    return relation["op"] == "==" and left["is"] == "Term" and left["name"] == "eta" and left["index"] == step and not left["run"]


# -- functions --------------------------------------------------------------------------------------------------------------


def text(values: Any) -> list[str]:
    return [str(value) for value in values]


def pieces(rng: random.Random, shape: Shape, centre: Fraction) -> tuple[Data, Fraction, Fraction]:
    """A piecewise quadratic whose gradient is 0 at the centre, and its least and largest slope."""
    convex = "Convex" in shape.facts or "StronglyConvex" in shape.facts or rng.random() < 0.5
    knots = sorted({centre} | {centre + rng.choice(SMALL) * rng.choice((1, 1, 2)) for _ in range(rng.randint(0, 3))})
    lowest = rng.choice((Fraction(1, 10), Fraction(1))) if "StronglyConvex" in shape.facts else Fraction(0)
    slopes = [lowest + rng.choice(SLOPES) for _ in range(len(knots) + 1)]
    if not convex:
        slopes = [slope * rng.choice((1, 1, -1)) for slope in slopes]
    if "IsQuadratic" in shape.facts or "TwiceDifferentiable" in shape.facts:
        slopes = [slopes[0] or Fraction(1)] * len(slopes)
    at = knots.index(centre)
    gradients = {at: Fraction(0)}
    for j in range(at + 1, len(knots)):
        gradients[j] = gradients[j - 1] + slopes[j] * (knots[j] - knots[j - 1])
    for j in range(at - 1, -1, -1):
        gradients[j] = gradients[j + 1] - slopes[j + 1] * (knots[j + 1] - knots[j])
    data = {
        **{"kind": "piecewise quadratic", "knots": text(knots), "gradients": text(gradients[j] for j in range(len(knots)))},
        **{"left_slope": str(slopes[0]), "right_slope": str(slopes[-1])},
        "value_at": text((centre, rng.choice((0, 0, 1, -5)))),
    }
    return data, min(slopes), max(map(abs, slopes))


def function(rng: random.Random, shape: Shape) -> tuple[Data, list[Fraction], Fraction, Fraction, dict[str, str]]:
    """Data, where it is stationary, numbers below and above its curvature, and constants of its own."""
    own = shape.reads.constants & {"eps", "slope", "gram"}
    roll = rng.random()
    if own or roll < 0.06:
        if "gram" in own or (not own and rng.random() < 0.3):
            return {"kind": "logistic pair"}, [Fraction(0)], Fraction(0), Fraction(1, 2), {"slope": "1", "gram": "2"}
        if own or rng.random() < 0.5:
            eps = rng.choice((Fraction(1), Fraction(1, 10), Fraction(3)))
            return {"kind": "smooth abs", "eps": str(eps)}, [Fraction(0)], Fraction(0), 1 / eps, {"slope": "1", "eps": str(eps)}
        return {"kind": "power", "p": rng.choice(("3/2", "2", "3", "4"))}, [Fraction(0)], Fraction(0), Fraction(2), {}
    if roll < 0.55:
        centre = rng.choice((Fraction(0), Fraction(0), Fraction(1), Fraction(-3, 2)))
        data, low, high = pieces(rng, shape, centre)
        return data, [centre], low, high or Fraction(1), {}
    d = rng.randint(1, 3)
    centre = [rng.choice(SMALL) for _ in range(d)]
    if roll < 0.85:
        slopes = [rng.choice(SLOPES) or Fraction(1, 3) for _ in range(d)]
        if "StronglyConvex" not in shape.facts and rng.random() < 0.3:
            slopes[0] = rng.choice((Fraction(0), Fraction(-1)))
        matrix = [[slopes[i] if i == j else Fraction(0) for j in range(d)] for i in range(d)]
        if d > 1 and rng.random() < 0.5:  # the same, seen from other directions
            a, b = Fraction(3, 5), Fraction(4, 5)
            turn = [[a, b], [-b, a]]
            p, q = slopes[:2]
            for i in range(2):
                for j in range(2):
                    matrix[i][j] = p * turn[0][i] * turn[0][j] + q * turn[1][i] * turn[1][j]
        data = {"kind": "quadratic", "matrix": [text(row) for row in matrix], "minimiser": text(centre)}
        return data, centre, min(slopes), max(map(abs, slopes)) or Fraction(1), {}
    terms, high, low = [], Fraction(0), Fraction(0)
    for axis in range(d):
        a = [Fraction(rng.choice((1, 1, 2, -1))) if j == axis or rng.random() < 0.3 else Fraction(0) for j in range(d)]
        phi, small, large = pieces(rng, shape, Fraction(0))
        terms.append({"direction": text(a), "function": phi})
        high += large * sum(c * c for c in a)
        low = min(low, small) if d > 1 else small * a[0] ** 2
    return {"kind": "ridge sum", "terms": terms}, [Fraction(0)] * d, low, high or Fraction(1), {}


# -- the draft --------------------------------------------------------------------------------------------------------------


def draw(shape: Shape, rng: random.Random) -> Data | None:
    """A draft of a certificate, without its sides and seal; None where nothing of the kind can be."""
    f, centre, low, high, known = function(rng, shape)
    constants = {name: known[name] for name in shape.reads.constants & set(known)}
    M = rng.choice(shape.M)
    if "L" in shape.reads.constants or M == "L":
        constants["L"] = str(high * rng.choice((1, 1, 1, 2)))
    if "mu" in shape.reads.constants:
        constants["mu"] = str(max(low, Fraction(0)) * rng.choice((1, 1, 1, Fraction(1, 2))) if rng.random() < 0.95 else 0)
    if shape.reads.constants - set(constants):
        return None
    data: Data = {
        **{"claim": shape.claim, "hash": shape.hash, "function": f, "constants": constants, "smoothness": M, **UNSAID},
        "parameters": {name: str(rng.choice(EDGES)) for name in sorted(shape.reads.parameters)},
        "minimiser": text(centre) if shape.reads.reads_minimum else None,
        "link": rng.randrange(shape.links),
    }
    place = lambda: text(rng.choice(SMALL) if rng.random() < 0.95 else c for c in centre)  # noqa: E731
    if shape.reads.ends:
        return {**data, "chord": {name: place() for name in sorted(shape.reads.ends)}, "at": {}}
    k = shape.first + rng.choice((0, 0, 0, 1, 1, 2, 3))
    count = max(k + rng.choice((0, 1, 1, 2)), 0)
    unit = 1 / high if rng.random() < 0.9 else Fraction(1)
    data |= {"at": {shape.letter: k}, "run": {"roles": {}}}
    start, steps = place(), _steps(rng, count, unit)
    for role in shape.runs:
        own = {
            name: text(_steps(rng, count, rng.choice((unit, unit, -unit, Fraction(1))))) for name in shape.chosen(role) - {"eta"}
        }
        data["run"]["roles"][role] = {"start": start, "eta": text(steps), **own}
    if shape.steps == SEARCH:
        return _searched(data, rng, high)
    if shape.rule is not None and rng.random() < 0.9:
        data = _following(shape, data, rng)
    for equation in shape.equations if rng.random() < 0.9 else ():
        data = _solving(equation, data, rng)
    return data


def _steps(rng: random.Random, count: int, unit: Fraction) -> list[Fraction]:
    """Constant, falling, growing, or free."""
    form = rng.random()
    if form < 0.5:
        return [rng.choice(STEPS) * unit] * count
    made = [rng.choice(STEPS) * unit for _ in range(count)]
    return sorted(made, reverse=form < 0.7) if form < 0.8 else made


def _following(shape: Shape, data: Data, rng: random.Random) -> Data:
    """The steps that the claim's equation gives, one after another; one that reads what comes after is tried a few times."""
    steps: list[Any] = data["run"]["roles"][""]["eta"]
    for k in range(len(steps)):
        for guess in range(3):
            short = json.loads(json.dumps({**data, "at": {shape.letter: shape.first}}))
            for own in short["run"]["roles"].values():
                for name in set(own) - {"start"}:
                    own[name] = own[name][: k + (guess > 0)] if name != "eta" else steps[: k + (guess > 0)]
            try:
                found = Replay(short).value(shape.rule, {"#step": k})
            except TooShort:
                continue
            except NOT_FOLLOWED:
                break
            exact = isinstance(found, fmpq) and found.height_bits() < 400
            if not exact and not shape.may_be_open:
                break
            steps[k] = str(found) if exact else None
            if guess == 0 or not exact:
                break
    for own in data["run"]["roles"].values():
        own["eta"] = steps
    return data


def _solving(equation: Data, data: Data, rng: random.Random) -> Data:
    """The draft with a letter, or the steps, such that an equation among the hypotheses holds, where it is affine in them."""
    unknown = rng.choice([*data["parameters"], "the steps", "the steps"])
    k = max(data["at"].values())

    def put(t: Any) -> Data:
        if unknown != "the steps":
            return {**data, "parameters": {**data["parameters"], unknown: str(t)}}
        roles = {role: {**own, "eta": [str(t)] * len(own["eta"])} for role, own in data["run"]["roles"].items()}
        return {**data, "run": {"roles": roles}}

    def difference(t: int) -> Any:
        asked = Replay(put(t))
        return asked.value(equation["left"], {"#step": k}) - asked.value(equation["right"], {"#step": k})

    try:
        one, two, three = (difference(t) for t in (1, 2, 3))
        solved = 1 - one / (two - one)
    except NOT_FOLLOWED:
        return data
    is_affine = isinstance(solved, fmpq) and isinstance(three, fmpq) and three - two == two - one
    return put(solved) if is_affine and (unknown != "the steps" or solved > 0) else data


def _searched(data: Data, rng: random.Random, high: Fraction) -> Data:
    """The steps that exponential search finds, and what it counts."""
    count = len(data["run"]["roles"][""]["eta"])
    data["parameters"]["eta0"] = str(rng.choice((Fraction(1, 2), 1, 2, 3, 8)) / high)
    asked, seen = Replay(data), [0]
    half = [rational(data["parameters"]["eta0"]) * HALF**m for m in range(65)]

    def small(m: int) -> bool:
        seen[0] += 1
        return asked.is_small(half[m])

    try:
        low, high_ = next(m for r in range(1, 7) for m in (0, 2**r) if small(m)), 0
        while low - high_ > 1:
            middle = (low + high_) // 2
            low, high_ = (middle, high_) if small(middle) else (low, middle)
    except (*NOT_FOLLOWED, StopIteration):
        return data
    for role, m in (("", low), ("prime", high_)):
        data["run"]["roles"][role]["eta"] = [str(half[m])] * count
    for name, value in (("N", seen[0] * count), ("searches", seen[0])):
        if name in data["parameters"]:
            data["parameters"][name] = str(value)
    return data


# -- what the checker says --------------------------------------------------------------------------------------------------


def refutation(draft: Data, bits: tuple[int, ...] = (64, 256)) -> Data | None:
    """The certificate that the checker accepts, of this draft; None where it accepts none."""
    for precision in bits:
        BUDGET.met_balls = False
        try:
            with Precision(precision):
                asked = Replay(draft)
                sides = asked.sides()
                if not asked.fails():
                    return None
                left, right = enclosed_sides(sides, asked.relation["op"])
        except (*NOT_FOLLOWED, NotCertified):
            if not BUDGET.met_balls:
                return None
            continue
        made = sealed({**draft, "left": left, "right": right})
        found = verify.examine(json.dumps(made).encode())
        assert found.code == verify.REFUTES, found  # the checker says the same of the file as of its parts
        return made
    return None


def refutations(claim: Data, seed: str, draws: int) -> Iterator[tuple[int, Data]]:
    """(number of the draw, certificate) for each draw that the checker says refutes the claim."""
    shape, rng = Shape(claim), random.Random(f"{seed} {claim['id']}")
    for n in range(draws):
        draft = draw(shape, rng)
        if draft is not None and (made := refutation(draft)) is not None:
            yield n, made
