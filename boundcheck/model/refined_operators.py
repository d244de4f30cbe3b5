"""Sharper descriptions of operators with two properties, by matrices of any three points.

Each property by itself is a class of `named_classes`, and its inequalities of pairs are sufficient; both together are not. The
matrices are those of A. Rubbens, J. M. Hendrickx and A. Taylor, "A constructive approach to strengthen algebraic descriptions of
function and operator classes" (2025), Proposition 3.15 and Proposition F.3. They are costly: a program has them where it is told
to describe an operator so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from boundcheck.language.letters import L, Operator, Points, i, inner, j, mu_f, normsq
from boundcheck.language.scalars import Parameter, Scalar, ScalarLike, as_scalar
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Vector
from boundcheck.model.function_classes import FunctionClass, SymmetricMatrix
from boundcheck.model.named_classes import MONOTONE_LIPSCHITZ, STRONGLY_MONOTONE_COCOERCIVE, beta

Side = Callable[[Index, Index], Scalar]  # a number of two points that is at most 0
_A, _x, _l = Operator("A"), Points("x"), Index("l")
ENTRIES = ("14", "15", "16", "17", "26", "27", "34", "37", "46")  # of a matrix, that are free


def _ends(p: Index, q: Index) -> tuple[Vector, Vector]:
    return _x[p] - _x[q], _A(_x[p]) - _A(_x[q])


def _bent(p: Index, q: Index) -> Scalar:
    d, turned = _ends(p, q)
    return normsq(turned) - L**2 * normsq(d)


def _against(p: Index, q: Index) -> Scalar:
    d, turned = _ends(p, q)
    return -2 * L * inner(turned, d)


def _weak(p: Index, q: Index) -> Scalar:
    d, turned = _ends(p, q)
    return mu_f * normsq(d) - inner(turned, d)


def _steep(p: Index, q: Index) -> Scalar:
    d, turned = _ends(p, q)
    return beta * normsq(turned) - inner(turned, d)


def _free(name: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name + entry) for entry in ENTRIES)


def _matrix(a: Side, b: Side, name: str, less: ScalarLike = 0) -> SymmetricMatrix:
    """Return the matrix for a <= 0 and b <= 0 of every two points."""
    m14, m15, m16, m17, m26, m27, m34, m37, m46 = _free(name)
    m55 = a(i, j) - a(j, _l) - a(i, _l) - less - 2 * m17 - 2 * m26 - 2 * m34
    rows: tuple[tuple[ScalarLike, ...], ...] = (
        (-b(i, j), 0, 0, m14, m15, m16, m17),
        (0, -a(j, _l), -m15, 0, -m14, m26, m27),
        (0, -m15, -b(i, j), m34, -m16, 0, m37),
        (m14, 0, m34, -b(j, _l), -m27, m46, 0),
        (m15, -m14, -m16, -m27, m55, -m37, -m46),
        (m16, m26, 0, m46, -m37, -a(i, _l), 0),
        (m17, m27, m37, 0, -m46, 0, -b(i, _l)),
    )
    return tuple(tuple(map(as_scalar, row)) for row in rows)


def _by_triples(about: FunctionClass, *matrices: SymmetricMatrix) -> FunctionClass:
    return replace(about, name=f"{about.name}, by triples", of_triples=matrices, free=(*_free("m"), *_free("n")))


MONOTONE_LIPSCHITZ_BY_TRIPLES = _by_triples(MONOTONE_LIPSCHITZ, _matrix(_bent, _against, "m"), _matrix(_against, _bent, "n"))
_shared = 2 * (1 - 2 * beta * mu_f)
STRONGLY_MONOTONE_COCOERCIVE_BY_TRIPLES = _by_triples(
    STRONGLY_MONOTONE_COCOERCIVE,
    _matrix(_weak, _steep, "m", _shared * _steep(i, j)),
    _matrix(_steep, _weak, "n", _shared * _weak(i, j)),
)
