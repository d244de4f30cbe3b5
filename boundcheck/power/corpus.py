"""The corpus is the suite's own small problems in exact rationals, some quadratics, and problems translated to f(x - c)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from boundcheck.arithmetic import NotInThisArithmetic
from boundcheck.check.question import Question
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Once
from boundcheck.falsify.exact_check import reads
from boundcheck.falsify.families import PARABOLAS
from boundcheck.falsify.search_space import FREE, MOVED, Space, follows_implicitly
from boundcheck.falsify.shapes import Vector
from boundcheck.falsify.strategies import FailingCandidate, Looker
from boundcheck.language.scalars import Inner, Norm, Normsq, Number, Term, Value
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Plus, Point, Scaled
from boundcheck.model.problem import Convex, Problem
from boundcheck.model.rule import RuleError
from boundcheck.runs.trace import Experiment
from boundcheck.suite.grid import GridSetting, settings
from boundcheck.suite.instances import cells_on
from boundcheck.suite.profiles import PROFILES


def adds_points(bound: Bound) -> bool:
    """Return whether the claim reads a combination of points that is neither a point nor a difference, such as x_k + x*."""
    nodes = [node for tree in bound.trees for node in tree.walk()]
    places = [(node.at, 1) for node in nodes if isinstance(node, Grad | Value)]
    ways = [(part, 0) for node in nodes if isinstance(node, Norm | Normsq | Inner) for part in node.children]
    return any(_weight(part) not in (None, Fraction(right)) for part, right in (*places, *ways))


def _weight(node: Node) -> Fraction | None:
    """Return how many times the origin is in a vector: 1 for a point, 0 for a difference, None where that is not known."""
    if isinstance(node, Point | Minimum | Grad):
        return Fraction(not isinstance(node, Grad))
    if isinstance(node, Mean):
        return _weight(node.of)
    if isinstance(node, Plus | Minus):
        left, right = _weight(node.left), _weight(node.right)
        return None if left is None or right is None else left + right if isinstance(node, Plus) else left - right
    if isinstance(node, Scaled):
        weight = _weight(node.of)
        if weight is None or weight == 0:
            return weight
        return weight * node.factor.value if isinstance(node.factor, Number) else None
    return None


def translate(problem: Problem) -> Problem:
    """Return f(x - c), with c so that x_0 + x* = 0 where x* was 0: minus half the start, or 1 in a coordinate where that is 0."""
    by = [-Fraction(c) / 2 if c else Fraction(1) for c in problem.start]

    def back(oracle: Callable[..., Any] | None) -> Callable[..., Any] | None:
        if oracle is None:
            return None

        def there(xp: Any, x: Any, *more: Any) -> Any:
            return oracle(xp, xp.from_coordinates([xp.coordinate(x, n) - xp.scalar(c) for n, c in enumerate(by)]), *more)

        return there

    f, grad, least = back(problem.f), back(problem.grad), problem.minimiser
    assert f is not None and grad is not None
    return problem.replace(
        name=f"{problem.name}, moved by {', '.join(map(str, by))}",
        f=f,
        grad=grad,
        gap=back(problem.gap),
        bregman=back(problem.bregman),
        chord=back(problem.chord),
        hessian_vector=back(problem.hessian_vector),
        local_smoothness=None,
        start=tuple(Fraction(a) + c for a, c in zip(problem.start, by, strict=True)),
        minimiser=None
        if least is None
        else replace(least, point=[Fraction(a) + c for a, c in zip(least.point, by, strict=True)]),
        data=None,
    )


SMALL = replace(PROFILES["quick"], name="corpus", steps=5, exact_steps={1: 5, 2: 4}, chords=60, largest=2)
BALLS = "ball:128"
FEW_STEPS = 40  # of an instance that a claim names

# Quadratics that no search hits: their first step, by a rule such as 1/A, is just what a hypothesis wants it to be. With the
# eigenvalues 1, 3/2, 3 and the gradient (1, 4, 3), exact line search begins with 2/(mu + L) though all three take part; with
# 1, 5, 11 and (4, 1, 1) the rule 1/D does. With 1, 3, 3 and (1, 1, 0) only the extremes take part.
THREE = PARABOLAS[-1]  # in three dimensions
KS = (1, 2)
OF_TWO, OF_THREE, OF_ENDS = ("1", "3/2", "3"), ("1", "5", "11"), ("1", "3", "3")
KNOWN = ((OF_TWO, ("1", "4", "3")), (OF_THREE, ("4", "1", "1")), (OF_ENDS, ("1", "1", "0")))  # eigenvalues, gradient at x_0
LATER = Fraction(1, 2)  # steps after the first, in units of 1/L, where they are free


@dataclass(frozen=True)
class Kill:
    """The instance on which a mutant fails, certified, and the k at which it does."""

    where: str
    k: int
    ratio: float


@cache
def _settings() -> list[GridSetting]:
    return settings(SMALL, in_arithmetic="rational")


@cache
def _translated_settings() -> list[GridSetting]:
    """Return the same problems translated, in rationals and in balls."""
    exact = [s for s in _settings() if s.problem.minimiser is None or s.problem.minimiser.refined is None]
    return [replace(s, problem=translate(s.problem), arithmetic=kind) for s in exact for kind in ("rational", BALLS)]


def kills(original: Bound, mutants: Sequence[Bound]) -> dict[str, Kill]:
    """Return where each mutant fails, by its hash, if the corpus breaks it. k = 0 does not count: nothing has happened yet."""
    found: dict[str, Kill] = {}
    movable = {bound.hash for bound in mutants if adds_points(bound)}
    for setting in (*_settings(), *(_translated_settings() if movable else ())):
        for rule in (None,) if original.is_about_chords else setting.rules:
            alive = [bound for bound in mutants if bound.hash not in found]
            if not alive:
                return found
            if setting in _translated_settings():
                alive = [bound for bound in alive if bound.hash in movable]
            if not setting.problem.has(Convex):
                alive = [bound for bound in alive if not _reads_mu(bound)]
            for experiment, asked in setting.experiments(alive, rule):
                for q, verdict in _answers(setting, experiment, asked):
                    if (kill := _kill(q, verdict)) is not None:
                        found.setdefault(q.bound.hash, kill)
    for bound in mutants:
        if bound.hash not in found and (kill := _kill_on_instances(original, bound) or _kill_on_quadratics(bound)) is not None:
            found[bound.hash] = kill
    return found


def _kill_on_quadratics(mutant: Bound) -> Kill | None:
    found = found_on_quadratics(mutant)
    return None if found is None else Kill("a quadratic with chosen eigenvalues", found.candidate.k, found.failure.margin)


def _reads_mu(bound: Bound) -> bool:
    """Return whether the claim reads mu, which a function that is not convex does not have."""
    return "mu" in reads(bound)[0]


def _answers(setting: GridSetting, experiment: Experiment, asked: Sequence[Question]) -> Iterator[tuple[Question, Verdict]]:
    try:
        yield from zip(asked, setting.answers(experiment, asked), strict=True)
    except (RuleError, NotInThisArithmetic):
        return


def _kill(q: Question, verdict: Verdict) -> Kill | None:
    if verdict.outcome is not Outcome.VIOLATED or not verdict.certified or verdict.violation is None:
        return None
    first = 0 if q.bound.is_about_chords else max(0, 1 - verdict.first_k)
    broken = np.flatnonzero(verdict.outcomes[first:] == Outcome.VIOLATED)
    if not len(broken):
        return None
    return Kill(
        f"{verdict.cell.problem} by {verdict.cell.method}", int(broken[0]) + first + verdict.first_k, verdict.violation.ratio
    )


def _kill_on_instances(original: Bound, mutant: Bound) -> Kill | None:
    """Return a failure on the instances that the claim itself names, where it comes near equality."""
    for at in original.try_on:
        try:
            asked = cells_on(mutant, replace(at, steps=min(at.steps, FEW_STEPS)))
        except ValueError:
            continue
        for place in asked:
            for q, verdict in _answers(place.setting, place.experiment, [place.question]):
                if (kill := _kill(q, verdict)) is not None:
                    return kill
    return None


# -- chosen quadratics -------------------------------------------------------------------------------------------------------


def found_on_quadratics(bound: Bound) -> FailingCandidate | None:
    """Return where a claim whose steps are roots, or whose hypotheses fix the first by an equation, fails on one of these."""
    if bound.is_about_chords or bound.parameters or bound.runs.searched:
        return None
    if not follows_implicitly(bound) and not any(_fixes_a_step(h) for h in bound.hypotheses):
        return None
    for kind, form in product(bound.smoothness if bound.reads_M else ("",), (FREE, MOVED)):
        looker = Looker(space := Space(bound, kind, THREE, KS, form))
        looker.scores(np.array([[float(v) for v in row] for row in _rows(space)]), rough=False)
        if looker.found is not None:
            return looker.found
    return None


def _fixes_a_step(hypothesis: object) -> bool:
    if not isinstance(hypothesis, Once) or hypothesis.relation.op != "==":
        return False
    return isinstance(hypothesis.relation.left, Term) and hypothesis.relation.left.name == "eta"


def _rows(space: Space) -> Iterator[Vector]:
    for eigenvalues, gradient in KNOWN:
        bent, slope = (tuple(map(Fraction, numbers)) for numbers in (eigenvalues, gradient))
        centre = Fraction(space.moved)
        start = tuple(centre + g / b for g, b in zip(slope, bent, strict=True))
        moves = (*[centre] * THREE.dimension, Fraction(0)) if space.moved else ()
        first = 2 * max(bent) / (max(bent) + min(bent))
        steps = len(space.grids) - len(bent) - len(start) - len(moves)
        yield (*bent, *start, *((first, *[LATER] * steps)[:steps]), *moves)
