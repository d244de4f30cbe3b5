"""From a numerical worst case to exact inner products and values at which the claim fails still."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from boundcheck.falsify.gram_certificates.exact_program import Equations, ExactProgram, is_semidefinite
from boundcheck.gram.affine import ZERO, Affine, Symbol
from boundcheck.gram.algebra import NEGATIVE
from boundcheck.gram.solver import Matrix, Solution, maximise

ONE = Fraction(1)
SLACK = Affine(ZERO, {("S",): ONE})
LEAST_SLACK = 1e-7
KEPT = (Fraction(1, 2), Fraction(9, 10), Fraction(1, 10))  # of the violation, in the order in which they are tried
ROUNDS = 4  # of equations and of vectors that are 0, which inequalities imply
GRIDS = (2, 4, 8, 16, 32, 64, 256, 1024, 4096, 2**16, 2**20, 2**24, 2**30, 2**36)
Point = dict[Symbol, Fraction]


def rational_points(made: ExactProgram, size: Affine, worst: float) -> Iterator[tuple[ExactProgram, Point]]:
    """Yield exact points at which the goal is positive, that with the simplest numbers first; with the program they are of."""
    for kept in KEPT:
        enough = Affine(Fraction(worst) * kept).plus(made.goal, NEGATIVE)
        for found in _roomy(made, [enough], size):
            now, near = found
            equations = Equations(now.equal, _symbols(now))
            if not equations.is_solvable:
                continue
            for grid in GRIDS:
                point = equations.solved(near, grid)
                if is_exact(now, point):
                    yield now, point


def is_exact(made: ExactProgram, point: Point) -> bool:
    """Decide whether all holds at a point, in fractions."""
    if made.goal.at(point) <= 0 or any(a.at(point) > 0 for a in made.below):
        return False
    gram = [[point["G", min(i, j), max(i, j)] for j in range(made.size)] for i in range(made.size)]
    return is_semidefinite(gram) and all(
        is_semidefinite([[Fraction(a.at(point)) for a in row] for row in m]) for m in made.matrices
    )


def _symbols(made: ExactProgram) -> list[Symbol]:
    """The numbers of a program; values of functions last, so that equations give entries of G by others first."""
    read = [made.goal, *made.below, *made.equal, *(a for m in made.matrices for row in m for a in row)]
    values = sorted({s for a in read for s in a.terms if s[0] != "G"})
    return [*values, *made.entries]


def _roomy(made: ExactProgram, fixed: Sequence[Affine], size: Affine) -> Iterator[tuple[ExactProgram, dict[Symbol, float]]]:
    """Yield a point far from every inequality. What the inequalities imply with equality becomes an equation first."""
    for _ in range(ROUNDS):
        put = replace(made, below=(*made.below, *fixed, size))
        found = _with_slack(put, len(fixed) + 1)
        if found is not None:
            yield made, dict(found.symbols)
            return
        tighter = _implied(put, len(fixed) + 1)
        if tighter is None:
            return
        kept = len(tighter.below) - len(fixed) - 1
        fixed, size = tighter.below[kept:-1], tighter.below[-1]
        made = replace(tighter, below=tighter.below[:kept])


def _shifted(made: ExactProgram, by: Affine) -> list[Matrix]:
    """G and the matrices of the program less `by` times the identity."""
    gram = [[Affine(ZERO, {("G", min(i, j), max(i, j)): ONE}) for j in range(made.size)] for i in range(made.size)]
    whole: list[Matrix] = [gram, *(_without_0(m) for m in made.matrices)]
    return [[[a.plus(by, NEGATIVE) if i == j else a for j, a in enumerate(row)] for i, row in enumerate(m)] for m in whole if m]


def _without_0(matrix: Matrix) -> Matrix:
    """A matrix without rows of zeros: those of x* itself."""
    left = [i for i, row in enumerate(matrix) if any(a.terms or a.constant for a in row)]
    return [[matrix[i][j] for j in left] for i in left]


def _with_slack(made: ExactProgram, fixed: int) -> Solution | None:
    loose = made.below[: len(made.below) - fixed]
    below = [*made.below[len(loose) :], SLACK.plus(Affine(NEGATIVE)), *(a.plus(SLACK) for a in loose if a.terms)]
    found = maximise(SLACK, below, made.equal, made.size, _shifted(made, SLACK))
    return found if isinstance(found, Solution) and found.value > LEAST_SLACK else None


def _implied(made: ExactProgram, fixed: int) -> ExactProgram | None:
    """The program in which inequalities that can only be equations are equations, and vectors that can only be 0 are 0."""
    loose = [n for n, a in enumerate(made.below[: len(made.below) - fixed]) if a.terms]
    slacks = {n: Affine(ZERO, {("S", n): ONE}) for n in loose}
    goal = Affine(ZERO, {("S", n): ONE for n in loose})
    below = [made.below[n].plus(s) for n, s in slacks.items()]
    below += [s.plus(Affine(NEGATIVE)) for s in slacks.values()] + [s.scaled(NEGATIVE) for s in slacks.values()]
    below += [a for n, a in enumerate(made.below) if n not in slacks]
    found = maximise(goal, below, made.equal, made.size, made.matrices)
    if not isinstance(found, Solution):
        return None
    tight = [n for n in loose if found.symbols["S", n] < 1e-6]
    gram = found.gram(made.size)
    numbers, vectors = np.linalg.eigh(gram)
    kernel = vectors[:, numbers < 1e-6 * max(float(numbers.max(initial=0.0)), 1e-3)].T
    if not tight and not len(kernel):
        return None
    now = replace(
        made,
        below=tuple(a for n, a in enumerate(made.below) if n not in tight),
        equal=(*made.equal, *(made.below[n] for n in tight)),
    )
    if not len(kernel):
        return now
    return now.within(kernel)
