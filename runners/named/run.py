"""A run of any method of the language, point by point: exact in rationals, enclosed in balls.

Draws make it a tree: each branch is one path of components. Where a claim has an expectation every path is walked, shared
beginnings once, up to `MOST_PATHS`; beyond that paths are drawn. Else there is one path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np

from boundcheck.arithmetic.undefined import Undefined
from boundcheck.check.casting import trees_of
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Once, Solution
from boundcheck.language.canonical import HORIZON
from boundcheck.language.named import OBJECTIVE
from boundcheck.language.scalars import Expectation, NamedValue, Term
from boundcheck.language.tree import Draw, Index
from boundcheck.language.vectors import Block, Grad, Image, Minimum, Point, Prox, Vector
from boundcheck.model.method import Method, Update
from boundcheck.model.part import Solved
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RunEnds
from boundcheck.model.schedule import STEP_LETTER, in_reverse
from boundcheck.runners.engine.run_view import RunView
from boundcheck.runners.named.evaluation import At, Branch, Evaluation, MissingValue
from boundcheck.runners.named.free import ZERO, choose
from boundcheck.runners.named.implicit import solve
from boundcheck.runners.named.oracles import NotEvaluated, Oracles
from boundcheck.runners.named.vectors import Located

MOST_PATHS = 1024
SAMPLED = 400  # paths, where all are too many
LONGEST = 60_000  # bits of a rational number: runs whose numbers grow further end
ROUGHEST = 1.0  # the radius of a ball, relative to its middle or 1, beyond which a run says nothing more


class NamedRun:
    """The entries of every sequence, on every path. `ended` says why it is shorter than asked."""

    def __init__(
        self,
        problem: Problem,
        bound: Bound,
        plain: Any,
        letters: Mapping[str, Any],
        *,
        steps: int,
        rule: Rule | None = None,
        choice: str = ZERO,
        seed: int = 0,
    ) -> None:
        self.problem, self.bound, self.plain, self.rule, self.choice = problem, bound, plain, rule, choice
        self.oracles = Oracles(problem, plain)
        self.letters = {name: plain.scalar(value) for name, value in letters.items() if value is not None}
        self.wanted, self.steps, self.ended, self.seed = steps, 0, "", seed
        self.trees = trees_of(bound)
        self.draws = sorted({part.name for tree in self.trees for n in tree.walk() for part in n.parts if isinstance(part, Draw)})
        self.components = self._count()
        self.has_expectation = any(isinstance(n, Expectation) for tree in self.trees for n in tree.walk())
        self.is_sampled = self.has_expectation and bool(self.draws) and self.paths > MOST_PATHS
        self.free = {entry.name: entry for _, method in bound.runs.roles for entry in method.free}
        self.star = self._star()
        self._making: set[tuple[str, str, Any]] = set()  # numbers whose formulas are being read
        self.used: list[Any] = []  # the formulas by which numbers were made
        self.levels: list[list[Branch]] = [[self._start()]]

    @property
    def paths(self) -> int:
        """How many paths of draws there are."""
        each: int = self.components ** len(self.draws)
        return each**self.wanted if each > 1 else 1

    def _count(self) -> int:
        """How many components the claim's finite sums have, or how many blocks."""
        nodes = [n for tree in self.trees for n in tree.walk()]
        if any(isinstance(n, Block) for n in nodes):
            return len(self.problem.blocks) or self.problem.dimension
        names = sorted({n.of for n in nodes if isinstance(n, NamedValue | Image | Prox) and n.part is not None})
        counts = {len(self.oracles.parts[name].components) for name in names if name in self.oracles.parts}
        return max(counts, default=1) or 1

    # -- the solution --------------------------------------------------------------------------------------------------

    def _star(self) -> Located | None:
        """The x* of the problem at which what the claim says is 0; None where the claim asks none, or there is none."""
        wanted = any(isinstance(n, Minimum) for tree in self.trees for n in tree.walk())
        if not wanted:
            return None
        said = [h.zero for h in self.bound.hypotheses if isinstance(h, Solution)]
        zeros: list[Vector] = list(said) or [Grad(Minimum())]
        for solution in (*self.problem.solutions, *self._minimiser()):
            star = self.oracles.solved(solution)
            evaluation = Evaluation(self.oracles, self.letters, Branch({}, {}), star=star, components=self.components)
            try:
                vectors = [evaluation.vector(zero, {}) for zero in zeros]
            except NotEvaluated:
                continue
            if all(self._may_be_zero(vector) for vector in vectors):
                return star
        return None

    def _minimiser(self) -> Iterator[Solved]:
        one = self.problem.minimiser
        if one is not None:
            known = one.at(self.plain)
            yield Solved(point=known.point, radius=known.radius)

    def _may_be_zero(self, vector: Located) -> bool:
        entries = vector.at.reshape(-1).tolist()
        return all(not isinstance(c, Undefined) and (c.contains(0) if hasattr(c, "contains") else c == 0) for c in entries)

    # -- the walk ------------------------------------------------------------------------------------------------------

    def _start(self) -> Branch:
        entries: dict[tuple[str, str], dict[Any, Any]] = {}
        start = Located(self.oracles.vector(self.problem.start))
        for n, (role, _) in enumerate(self.bound.runs.roles):
            own = Located(self.oracles.vector(self.starts[n])) if self.bound.runs.apart and n else start
            entries[role, "x"] = {0: own}
        branch = Branch(entries, {})
        for role, method in self.bound.runs.roles:
            for k, update in in_reverse(method.backwards, self.wanted):
                place = update.index.letter or STEP_LETTER
                number = self.evaluation(branch, role).scalar(update.to, {HORIZON: self.wanted, place: k})  # type: ignore[arg-type]
                branch.entries.setdefault((role, update.name), {})[k] = number
        return branch

    @property
    def starts(self) -> list[Sequence[Any]]:
        """A start for each run: those of the runs beside the main one are on the way to x*, or on the other side of 0."""
        first = [Fraction(c) if not isinstance(c, Fraction) else c for c in self.problem.start]
        toward = self.problem.solutions[0].point if self.problem.solutions else [-c for c in first]
        found: list[Sequence[Any]] = []
        for n, _ in enumerate(self.bound.runs.roles):
            share = Fraction(n, n + 1)
            found.append([c + share * (Fraction(s) - c) for c, s in zip(first, toward, strict=True)])
        return found

    def go(self) -> NamedRun:
        """Make the steps."""
        with np.errstate(all="ignore"):
            for k in range(self.wanted):
                try:
                    made = [self._step(branch, k) for branch in self._branches(k)]
                except RunEnds as why:
                    self.ended = str(why)
                    break
                except ZeroDivisionError:
                    self.ended = f"a division by zero at step {k}"
                    break
                if why_over := next(filter(None, (self._over(branch, k) for branch in made)), ""):
                    self.ended = why_over
                    break
                self.levels.append(made)
                self.steps = k + 1
        return self

    def _branches(self, k: int) -> list[Branch]:
        """The branches of step k, each with its draws."""
        last = self.levels[-1]
        if not self.draws:
            return [last[0].grown({})]
        everything = list(product(range(1, self.components + 1), repeat=len(self.draws)))
        if self.has_expectation and not self.is_sampled:
            return [b.grown(self._named(drawn, k)) for b in last for drawn in everything]
        if k == 0:
            last = [last[0]] * (SAMPLED if self.is_sampled else 1)
        return [b.grown(self._named(self._drawn(everything, n, k), k)) for n, b in enumerate(last)]

    def _drawn(self, everything: list[tuple[int, ...]], n: int, k: int) -> tuple[int, ...]:
        return Random(f"{self.seed} {n} {k}").choice(everything)

    def _named(self, drawn: tuple[int, ...], k: int) -> dict[tuple[str, int], int]:
        return {(name, k): i for name, i in zip(self.draws, drawn, strict=True)}

    def _step(self, branch: Branch, k: int) -> Branch:
        for role, method in self.bound.runs.roles:
            evaluation = self.evaluation(branch, role)
            here = {STEP_LETTER: k, HORIZON: self.wanted}
            if any(isinstance(n, Term) and n.name == "eta" for n in method_nodes(method)) or self._reads_steps:
                evaluation.entry(role, "eta", k, here)
            for update in method.updates_at(k):
                self._set(update, role, evaluation, here)
        return branch

    @property
    def _reads_steps(self) -> bool:
        return "eta" in self.bound.sequences

    def _set(self, update: Update, role: str, evaluation: Evaluation, at: At) -> None:
        n = evaluation._index(update.index, at)
        sequence = evaluation.branch.entries.setdefault((role, update.name), {})
        parts: list[int | None] = [None]
        letter = ""
        if isinstance(update.sets, Point) and update.sets.part is not None:
            if not isinstance(update.sets.part, Index) or update.sets.part.letter is None:
                raise NotEvaluated(f"{update} sets a sequence for one component; a sequence is set for every component i")
            letter, parts = update.sets.part.letter, list(range(1, self.components + 1))
        made = {}
        for part in parts:
            here = at if part is None else {**at, letter: part}
            made[n if part is None else (n, part)] = self._made(update, evaluation, here)
        sequence.update(made)

    def _made(self, update: Update, evaluation: Evaluation, at: At) -> Any:
        try:
            if update.is_implicit:
                return solve(update, evaluation, at)
            if isinstance(update.to, Vector):
                return evaluation.vector(update.to, at)
            return evaluation.scalar(update.to, at)
        except MissingValue as entry:
            raise NotEvaluated(f"{update} reads {entry}, which nothing sets by then") from None

    def evaluation(self, branch: Branch, role: str = "") -> Evaluation:
        """What reads formulas while the run is made: entries that nothing sets are made when they are read."""
        made = Evaluation(
            self.oracles, self.letters, branch, star=self.star, components=self.components, missing=self._missing(branch)
        )
        made.role = role
        return made

    def _missing(self, branch: Branch) -> Any:
        def make(role: str, name: str, key: Any, at: At) -> Any:
            if name in self.free:
                value = self._free(role, name, key, branch, at)
            elif role and name == "eta":
                value = self.evaluation(branch).entry("", "eta", key, at)
            else:
                value = self._number(role, name, key, branch)
            branch.entries.setdefault((role, name), {})[key] = value
            return value

        return make

    def _free(self, role: str, name: str, key: Any, branch: Branch, at: At) -> Any:
        entry = self.free[name]
        if not isinstance(entry, Point):
            return self.plain.scalar(0)
        if entry.index is not None and entry.index.letter is None and key != 0 and not isinstance(key, tuple):
            raise MissingValue(f"{name}_{key}")
        return choose(entry, role, key, self.choice, self.bound, self.evaluation(branch, role), at, self.problem.start)

    def _number(self, role: str, name: str, key: Any, branch: Branch) -> Any:
        """A number that a formula of the claim gives, or, of the steps, a rule."""
        for hypothesis in self.bound.hypotheses:
            if not isinstance(hypothesis, AtEachStep | Once) or hypothesis.relation.op != "==":
                continue
            left, right = hypothesis.relation.left, hypothesis.relation.right
            if not isinstance(left, Term) or left.name != name:
                continue
            letter = left.index.letter
            if letter is None and left.index.offset != key:
                continue
            at = {HORIZON: self.wanted, **({} if letter is None else {letter: key - left.index.offset})}
            if (letter is not None and at[letter] < 0) or (self.rule is not None and _reads(right, name)):
                continue
            if (role, name, key) in self._making:
                raise MissingValue(f"{name}_{key}")
            if not any(hypothesis.relation is one for one in self.used):
                self.used.append(hypothesis.relation)
            self._making.add((role, name, key))
            try:
                return self.evaluation(branch, role).scalar(right, at)
            finally:
                self._making.discard((role, name, key))
        if name == "eta" and self.rule is not None:
            return self._by_rule(role, key, branch)
        raise MissingValue(f"{name}_{key}")

    def _by_rule(self, role: str, k: int, branch: Branch) -> Any:
        assert self.rule is not None
        x = branch.entries[role, "x"].get(k)
        if x is None:
            raise MissingValue(f"eta_{k}")
        gradient = self.oracles.image((OBJECTIVE, None), x).at
        L = None if self.problem.L is None else self.plain.scalar(self.problem.L)
        past = RunView(self.problem, self.plain, k, x.at, gradient, None, L, self.wanted, self)
        step = np.asarray(self.rule.step(past), dtype=self.plain.dtype).reshape(-1)
        return self.plain.frozen(step)[0]

    # -- endings -------------------------------------------------------------------------------------------------------

    def _over(self, branch: Branch, k: int) -> str:
        for sequence in branch.entries.values():
            for key, entry in sequence.items():
                index = key if isinstance(key, int) else key[0]
                if index not in (k, k + 1):
                    continue
                numbers = entry.at.reshape(-1).tolist() if isinstance(entry, Located) else np.asarray(entry).reshape(-1).tolist()
                for number in numbers:
                    if why := _useless(number):
                        return f"step {k}: {why}"
        return ""


def _useless(number: Any) -> str:
    """Why a number of a run is of no more use, or ""."""
    if isinstance(number, Undefined):
        return f"it is not rational: {number.reason}"
    if hasattr(number, "is_finite"):
        if not number.is_finite():
            return "the enclosure is unbounded"
        return "the enclosure grew too wide" if float(number.rad()) > ROUGHEST * max(1.0, abs(float(number.mid()))) else ""
    if hasattr(number, "q") and number.q.bit_length() + number.p.bit_length() > LONGEST:
        return "the exact numbers have grown too long"
    return ""


def _reads(formula: Any, name: str) -> bool:
    return any(isinstance(n, Term) and n.name == name for n in formula.walk())


def method_nodes(method: Method) -> Iterator[Any]:
    """Every node of a method's formulas."""
    for update in (*method.first, *method.each):
        yield from update.formula.walk()
