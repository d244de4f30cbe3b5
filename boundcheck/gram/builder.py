"""A claim at fixed k, steps and numbers M_i as a semidefinite program over Gram matrices (performance estimation)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import is_search
from boundcheck.gram.affine import (
    ZERO,
    Affine,
    Combination,
    NotAffine,
    Number,
    above_least,
    affine,
    interpolation,
)
from boundcheck.gram.formulas import COMPARE, NEGATIVE, ONE, ORIGIN, UNKNOWN, Excluded, Formulas, Missing, Undefined
from boundcheck.gram.program import Objective, Program, Setting
from boundcheck.model.method import updates_of_step

MOST_CHOICES = 16
KNOWN_FACTS = {"Convex", "Differentiable", "Smooth", "StronglyConvex"}
CURVED = {"Convex", "StronglyConvex"}
SIGN = {"<": ONE, "<=": ONE, "==": ZERO, ">": NEGATIVE, ">=": NEGATIVE}  # of left - right, where the relation is false
SAME = 1e-9  # numbers that are nearer than this are one, rounded
LATER_STEPS = 3  # how many lengths of a run are tried, from k steps on


def program(bound: Bound, at: Setting) -> Program:
    """NotAffine: the claim does not fit. Excluded: these numbers break a hypothesis."""
    if not bound.is_shift_invariant:
        raise NotAffine("the claim moves when f becomes f + C")
    fewest = 0 if bound.is_about_chords else at.k
    for steps in range(fewest, fewest + LATER_STEPS):
        try:
            return _reading(bound, at).program(bound, at, steps)
        except Missing:
            continue
        except KeyError as lacking:
            raise NotAffine(f"{lacking.args[0]} is not known here") from None
        except ZeroDivisionError:
            raise Undefined("a division by 0") from None
    raise NotAffine("the claim reads more of the run than two steps after k")


@lru_cache(maxsize=64)
def _said(bound: Bound) -> tuple[dict[str, Any], str, frozenset[str]]:
    """The claim as data and as text, and the facts that it is given."""
    said = bound.to_json()
    return said, str((said["states"], said["given"])), frozenset(h["fact"] for h in said["given"] if "fact" in h)


def _reading(bound: Bound, at: Setting) -> Reading:
    """The class of functions that the claim is about, and nothing read yet."""
    said, text, facts = _said(bound)
    if other := sorted(facts - KNOWN_FACTS):
        raise NotAffine(f"{other[0]} is not a class that finite data can be interpolated in")
    reads_least = "'Minimum'" in text
    has_mu = "StronglyConvex" in facts or "'Constant', 'name': 'mu'" in text
    is_given = bool(facts & CURVED) or has_mu or at.smoothness == "D"  # who has a mu is convex
    curved = is_given or at.only_convex
    knows_L = "Smooth" in facts or "'Constant', 'name': 'L'" in text
    has_L = knows_L or at.smoothness == "L"
    L = at.L if has_L else at.bent
    mu = at.mu if has_mu else ZERO if curved or L is None else -L
    if (L is not None and mu >= L) or ("StronglyConvex" in facts and mu == 0):
        raise Excluded("mu is not less than L, or 0")
    reading = Reading(
        claim=said,
        L=L,
        mu=mu,
        is_whole_class=is_given or not curved,
        knows_L=knows_L,
        M=at.smoothness,
        constants={"L": L if has_L else None, "mu": mu if has_mu else None},
        parameters=dict(at.parameters),
        chords=at.chords,
        reads_least=reads_least,
        is_convex=curved,
        with_A=at.with_A,
    )
    if reads_least:
        reading.oracle({ORIGIN: ONE})
    return reading


@dataclass(kw_only=True)
class Reading(Formulas):
    """A claim, and what its run and its hypotheses demand."""

    claim: dict[str, Any]
    L: Fraction | None
    mu: Fraction
    is_whole_class: bool
    knows_L: bool

    def __post_init__(self) -> None:
        self.below: list[Affine] = []
        self.equal: list[Affine] = []
        self.has_own_steps = False

    def program(self, bound: Bound, at: Setting, steps: int) -> Program:
        states = self.claim["states"]
        relation = states.get("links", [states])[at.link]
        if relation["op"] == "->":
            raise NotAffine("the claim is a limit")
        letters = {} if bound.is_about_chords else {self.claim["for_all"]["letter"]: at.k}
        if not bound.is_about_chords:
            self.run(bound.runs.to_json(), at, steps, letters)
        for kind, what in (next(iter(h.items())) for h in self.claim["given"]):
            if kind == "once":
                self.demand_here(what, [*letters.values(), 0][0], letters)
            elif kind in ("follows", "at each step"):
                self.demand_at(what, letters, range(steps + 2))
        left_less_right = self.difference(relation, letters)
        signs = (ONE, NEGATIVE) if relation["op"] == "==" else (SIGN[relation["op"]],)
        objectives = tuple(o for sign in signs for o in self.alternatives(left_less_right.scaled(sign)))
        return Program(
            points=tuple(map(_from_origin, self.points)),
            gradients=tuple(self.gradients),
            basis=self.basis,
            least=0 if self.reads_least else None,
            start=_from_origin(self.entries.get(("", "x"), {0: {}})[0]),
            names={name: _from_origin(point) for name, point in self.names.items()},
            roles=tuple(role for role, name in self.entries if name == "eta"),
            steps=tuple(eta.constant for eta in self.entries.get(("", "eta"), {}).values()),
            L=self.L,
            mu=self.mu,
            curvature=self._curvature(),
            below=tuple(map(_at_origin, self.below)),
            equal=tuple(map(_at_origin, self.equal)),
            pairs=tuple(self.pairs.values()),
            is_convex=self.is_convex,
            objectives=tuple((_at_origin(o), tuple(map(_at_origin, own))) for o, own in objectives),
            is_movable=self._is_movable(objectives),
            is_strict=relation["op"] in ("<", ">"),
            is_whole_class=self.is_whole_class,
            knows_L=self.knows_L,
            knows_mu=self.constants["mu"] is not None,
            has_own_steps=self.has_own_steps,
        )

    def _curvature(self) -> tuple[Affine, ...]:
        """What every function of the class satisfies; for a convex one no more is needed."""
        points, gradients = tuple(map(_from_origin, self.points)), tuple(self.gradients)
        if self.is_convex:
            return _curvature(_frozen(points), _frozen(gradients), self.L, self.mu)
        bent = () if self.L is None else _curvature(_frozen(points), _frozen(gradients), self.L, self.mu)
        return (*bent, *above_least(gradients, self.L)) if self.reads_least else bent

    def _is_movable(self, objectives: tuple[Objective, ...]) -> bool:
        """Does nothing change when all points are moved together? Else the program is about x* = 0 only."""
        read = [*self.below, *self.equal, *(a for o, own in objectives for a in (o, *own))]
        moved: list[Number] = [c for a in read for symbol, c in a.terms.items() if symbol[0] == "G" and ORIGIN in symbol]
        moved += [point.get(ORIGIN, ZERO) - ONE for point in self.points]
        return all(-SAME < c < SAME for c in moved)

    def run(self, runs: dict[str, Any], at: Setting, steps: int, letters: Mapping[str, int]) -> None:
        """Every entry of every run, by the methods' updates."""
        if is_search(runs["steps"]):
            raise NotAffine(f"{runs['steps']} chooses its steps from the run")
        rules = [h["follows"] for h in self.claim["given"] if "follows" in h]
        start = self.anywhere()
        for self.role, method in ((r["role"], r["method"]) for r in runs["roles"]):
            self.entries[self.role, "x"], self.entries[self.role, "eta"] = {0: start}, {}
            for n in range(steps):
                named = next(filter(None, (self.by_rule(rule, {**letters, "#step": n}) for rule in rules)), None)
                self.has_own_steps = named is not None
                self.entries[self.role, "eta"][n] = named or Affine(at.steps[n % len(at.steps)])
                for update in updates_of_step(method, n):
                    where = self.index(update["sets"]["index"], {"k": n})
                    self.entries.setdefault((self.role, update["sets"]["name"]), {})[where] = self.value(update["to"], {"k": n})
        self.role = ""

    def by_rule(self, rule: Any, at: Mapping[str, int]) -> Affine | None:
        """The step that the claim's own formula gives, where it is a number; None where it reads what is not yet known."""
        if rule["left"].get("name") != "eta" or rule["left"]["index"] != {"index": "#step", "plus": 0}:
            return None
        x, n = self.entries[self.role, "x"], at["#step"]
        x[n + 1] = UNKNOWN
        try:
            if self.multiplied_out(rule, at) is not rule:
                return None
            found = affine(self.value(rule["right"], at))
        except Missing:
            return None
        finally:
            del x[n + 1]
        if any(-1 in symbol for symbol in found.terms):
            return None
        if not found.is_number or not isinstance(found.constant, Fraction):
            raise NotAffine("the steps follow a formula of the run, not fixed numbers")
        return found

    def multiplied_out(self, rule: Any, at: Mapping[str, int]) -> Any:
        """eta == a/b as eta b == a, where b is a quantity of the run: affine too, for a step that is a fixed number."""
        whole = rule["right"]
        if rule["op"] != "==" or whole["is"] != "Div" or affine(self.value(whole["right"], at)).is_number:
            return rule
        return {"op": "==", "left": {"is": "Mul", "left": rule["left"], "right": whole["right"]}, "right": whole["left"]}

    def demand_at(self, relation: Any, letters: Mapping[str, int], steps: Any) -> None:
        """A hypothesis, at each of these steps that the run has."""
        for n in steps:
            pairs = dict(self.pairs)
            try:
                self.demand_here(relation, n, letters)
            except Missing:
                self.pairs = pairs

    def demand_here(self, relation: Any, n: int, letters: Mapping[str, int]) -> None:
        """A hypothesis at one place. Missing: it reads more than the run has."""
        at = {**letters, "#step": n}
        self.demand(self.difference(self.multiplied_out(relation, at), at), relation["op"])

    def demand(self, difference: Affine, op: str) -> None:
        if difference.is_number:
            rounded = op == "==" and isinstance(difference.constant, float) and abs(difference.constant) < 1e-12
            if not rounded and not COMPARE[op](difference.constant, 0):
                raise Excluded("a hypothesis about the steps or the parameters is false")
        elif any(symbol[0] == "T" for symbol in difference.terms):
            raise NotAffine("a hypothesis has a minimum or a maximum of quantities of the run")
        elif op == "==":
            self.equal.append(difference)
        else:
            self.below.append(difference.scaled(SIGN[op]))

    def alternatives(self, objective: Affine) -> list[Objective]:
        """A minimum that is maximised is a variable below its pieces; of a maximum each piece is an objective of its own."""
        bounds, to_choose = [], []
        for symbol, c in objective.terms.items():
            if symbol[0] == "T":
                sign, pieces = self.pieces[symbol[1]]
                if any(s[0] == "T" for piece in pieces for s in piece.terms):
                    raise NotAffine("a minimum or a maximum inside another")
                if (c > 0) == (sign < 0):
                    variable = Affine(ZERO, {symbol: ONE})
                    bounds += [variable.plus(piece, NEGATIVE).scaled(Fraction(-sign)) for piece in pieces]
                else:
                    to_choose.append((symbol, pieces))
        choices = list(product(*(pieces for _, pieces in to_choose)))
        if len(choices) > MOST_CHOICES:
            raise NotAffine("too many maxima to choose from")
        made = []
        for choice in choices:
            chosen = objective
            for (symbol, _), piece in zip(to_choose, choice, strict=True):
                chosen = chosen.put(symbol, piece)
            made.append((chosen, tuple(bounds)))
        return made


def _from_origin(point: Combination) -> Combination:
    return {i: c for i, c in point.items() if i != ORIGIN}


def _at_origin(a: Affine) -> Affine:
    return Affine(a.constant, {s: c for s, c in a.terms.items() if s[0] != "G" or ORIGIN not in s})


Frozen = tuple[tuple[tuple[int, Number], ...], ...]


def _frozen(vectors: tuple[Combination, ...]) -> Frozen:
    return tuple(tuple(vector.items()) for vector in vectors)


@lru_cache(maxsize=256)
def _curvature(points: Frozen, gradients: Frozen, L: Fraction | None, mu: Fraction) -> tuple[Affine, ...]:
    """Programs with other M_i, parameters and relations share it."""
    return tuple(interpolation(tuple(map(dict, points)), tuple(map(dict, gradients)), L, mu))
