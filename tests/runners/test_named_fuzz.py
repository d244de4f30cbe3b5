"""Random short methods of prox, projections, resolvents, subgradients, means and draws against a plain walk in fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from boundcheck import Bound, By, Convex, Method, Paper, Update
from boundcheck.arithmetic import arithmetic
from boundcheck.language.letters import Delta, E, f, grad, k, normsq, x, xstar
from boundcheck.language.named import ConvexSet, Draws, Function, project, prox, subgrad
from boundcheck.language.vectors import Vector
from boundcheck.library.names import problem_named
from boundcheck.runners.named.run import NamedRun

h, C, j = Function("h"), ConvexSet("C"), Draws("j")
Point1 = Fraction
Piece = tuple[Callable[[Vector], Vector], Callable[[Point1], Point1]]  # a formula, and what it comes to on the line


def clip(p: Fraction, low: Fraction, high: Fraction) -> Fraction:
    return max(low, min(p, high))


def soft(p: Fraction, t: Fraction) -> Fraction:
    return p - clip(p, -t, t)


def sign(p: Fraction) -> int:
    return (p > 0) - (p < 0)


# on lasso-1d f is (x - 2)^2 / 2 and h is |x|; on box-1d f is (x - 3)^2 and C is [-1, 1]
def lasso(random: Random) -> Piece:
    t = Fraction(random.randint(1, 6), random.randint(1, 6))
    return random.choice([
        (lambda p: prox(h, t, p), lambda p: soft(p, t)),
        (lambda p: p - t * grad(p), lambda p: p - t * (p - 2)),
        (lambda p: p - t * subgrad(h, p), lambda p: p - t * sign(p)),
        (lambda p: prox(f, t, p), lambda p: (p + 2 * t) / (1 + t)),
        (lambda p: 2 * prox(h, t, p) - p, lambda p: 2 * soft(p, t) - p),
        (lambda p: t * p + (1 - t) * x[0], lambda p: t * p + (1 - t) * 5),
    ])  # fmt: skip


def box(random: Random) -> Piece:
    t = Fraction(random.randint(1, 6), random.randint(1, 6))
    return random.choice([
        (lambda p: project(C, p), lambda p: clip(p, Fraction(-1), Fraction(1))),
        (lambda p: p - t * grad(p), lambda p: p - t * 2 * (p - 3)),
        (lambda p: 2 * project(C, t * p) - p, lambda p: 2 * clip(t * p, Fraction(-1), Fraction(1)) - p),
        (lambda p: prox(f, t, p), lambda p: (p + 6 * t) / (1 + 2 * t)),
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(("name", "pieces"), [("lasso-1d", lasso), ("box-1d", box)])
def test_a_random_method_is_what_fractions_say(name: str, pieces: Callable[[Random], Piece], seed: int) -> None:
    random = Random(f"{name} {seed}")
    chosen = [pieces(random) for _ in range(random.randint(1, 3))]
    formula: Vector = x[k]
    for written, _ in chosen:
        formula = written(formula)
    method = Method(name="random", each=(Update(x[k + 1], formula),))
    bound = Bound(source=Paper(name="fuzz").at("1"), given=(Convex, By(method)), states=normsq(x[k]) >= 0)
    problem = problem_named(name)
    expected = [Fraction(problem.start[0])]
    for _ in range(4):
        p = expected[-1]
        for _, plain in chosen:
            p = plain(p)
        expected.append(p)
    for kind in ("rational", "ball:256"):
        xp = arithmetic(kind)
        with xp.working():
            run = NamedRun(problem, bound, xp.plain, {}, steps=4).go()
            found = [run.levels[-1][0].entries["", "x"][n].at[0] for n in range(run.steps + 1)]
            assert run.steps == 4
            for number, wanted in zip(found, expected, strict=True):
                if kind == "rational":
                    assert Fraction(int(number.p), int(number.q)) == wanted
                else:
                    assert number.contains(xp.plain.scalar(wanted)[()]) or number.overlaps(xp.plain.scalar(wanted)[()])


@pytest.mark.parametrize("seed", range(8))
def test_expectations_are_means_over_every_path(seed: int) -> None:
    random = Random(seed)
    t = Fraction(random.randint(1, 5), 10)
    method = Method(name="random", each=(Update(x[k + 1], x[k] - t * grad(f[j[k]], x[k])),))
    bound = Bound(source=Paper(name="fuzz").at("2"), given=(Convex, By(method)), states=E(normsq(x[k] - xstar)) <= Delta[0])
    problem = problem_named("points-1d")  # (x - 1)^2 and (x + 2)^2 / 2
    paths = [Fraction(3)]
    xp = arithmetic("rational")
    run = NamedRun(problem, bound, xp.plain, {}, steps=5).go()
    for n in range(6):
        found = [branch.entries["", "x"][n].at[0] for branch in run.levels[n]]
        assert sorted(Fraction(int(p.p), int(p.q)) for p in found) == sorted(paths)
        paths = [p - t * g for p in paths for g in (2 * (p - 1), p + 2)]
