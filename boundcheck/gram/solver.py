"""Affine programs over a positive semidefinite Gram matrix, solved in floating point by Clarabel (extra `pep`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.gram.affine import Affine, Symbol
from boundcheck.support.errors import NotInstalled

INSTALL = "semidefinite programs need Clarabel: pip install 'boundcheck[pep]'"
SOLVED = ("Solved", "AlmostSolved")


class NoSolver(NotInstalled):
    """The extra `pep` is not installed."""


@lru_cache(maxsize=1)
def clarabel() -> Any:
    try:
        import clarabel as solver
    except ImportError:
        raise NoSolver(INSTALL) from None
    return solver


@dataclass(frozen=True)
class Solution:
    """`most` is an upper bound of the value up to the solver's tolerance: from the dual, where that is larger.

    `is_settled`: the solver came as near as it meant to. Else its numbers may be off by far more than that.
    """

    value: float
    most: float
    is_settled: bool
    symbols: Mapping[Symbol, float]

    def gram(self, basis: int) -> NDArray[np.float64]:
        entries = [self.symbols.get(("G", min(i, j), max(i, j)), 0.0) for j in range(basis) for i in range(basis)]
        return np.array(entries, dtype=np.float64).reshape(basis, basis)


@dataclass(frozen=True)
class Unsolved:
    """Why there is no solution: the solver's own word."""

    status: str

    @property
    def is_infeasible(self) -> bool:
        return self.status == "PrimalInfeasible"


Matrix = Sequence[Sequence[Affine]]  # symmetric


def maximise(
    objective: Affine, below: Iterable[Affine], equal: Iterable[Affine], basis: int, matrices: Sequence[Matrix] = ()
) -> Solution | Unsolved:
    """Return the most of `objective` where `below` <= 0, `equal` == 0 and the Gram matrix of `basis` vectors is semidefinite.

    So are `matrices`, whose entries are affine numbers. A vector that no formula reads is left out: it may as well be 0.
    """
    from scipy.sparse import csc_matrix

    solver, below, equal = clarabel(), list(below), list(equal)
    triangles = [[matrix[i][j] for j in range(len(matrix)) for i in range(j + 1)] for matrix in matrices]
    used = {s for a in (objective, *below, *equal, *(a for triangle in triangles for a in triangle)) for s in a.terms}
    read = {n for s in used if s[0] == "G" for n in s[1:]}
    vectors = [n for n in range(basis) if n in read]
    entries: list[Symbol] = [("G", i, j) for j in vectors for i in vectors if i <= j]
    column = {s: n for n, s in enumerate([*entries, *sorted(used - set(entries))])}
    if not column:
        return Unsolved("Empty")
    rows = [(r, column[s], float(c)) for r, a in enumerate([*equal, *below]) for s, c in a.terms.items()]
    right = [-float(a.constant) for a in (*equal, *below)]
    rows += [(len(right) + n, n, -1.0 if s[1] == s[2] else -sqrt(2)) for n, s in enumerate(entries)]
    right += [0.0] * len(entries)
    for matrix in matrices:
        for j in range(len(matrix)):
            for i in range(j + 1):
                scale = 1.0 if i == j else sqrt(2)
                rows += [(len(right), column[s], -scale * float(c)) for s, c in matrix[i][j].terms.items()]
                right.append(scale * float(matrix[i][j].constant))
    at, across, numbers = zip(*rows, strict=True) if rows else ((), (), ())
    A = csc_matrix((numbers, (at, across)), shape=(len(right), len(column)))
    q = np.zeros(len(column))
    for s, c in objective.terms.items():
        q[column[s]] = -float(c)
    cones = [solver.ZeroConeT(len(equal))] if equal else []
    cones += [solver.NonnegativeConeT(len(below))] if below else []
    cones += [solver.PSDTriangleConeT(len(vectors))] if vectors else []
    cones += [solver.PSDTriangleConeT(len(matrix)) for matrix in matrices]
    settings = solver.DefaultSettings()
    settings.verbose = False
    try:
        found = solver.DefaultSolver(csc_matrix((len(column),) * 2), q, A, np.array(right), cones, settings).solve()
    except BaseException as wrong:
        if type(wrong).__name__ != "PanicException":  # Clarabel's own failure, which is no Exception
            raise
        return Unsolved(str(wrong))
    if str(found.status) not in SOLVED:
        return Unsolved(str(found.status))
    shift = float(objective.constant)
    value, most = shift - found.obj_val, shift - min(found.obj_val, found.obj_val_dual)
    return Solution(value, most, str(found.status) == SOLVED[0], {s: found.x[n] for s, n in column.items()})
