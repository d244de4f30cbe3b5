"""Tests of a problem's oracles: they answer for one point and for stacks, leave their inputs alone, and repeat their answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from boundcheck.arithmetic import arithmetic
from boundcheck.model.problem import Problem
from boundcheck.testing.contract import Wrong
from boundcheck.testing.sample_points import FLOAT64, MP, points, shown
from boundcheck.verify import CheckedFunction, NotComputed

KINDS = ("piecewise quadratic", "quadratic", "ridge sum", "smooth abs", "logistic pair", "power")  # what `verify` reads
OTHER_KINDS = ("slope", "piecewise polynomial", "rational function")
Oracle = Callable[..., Any]


def _oracles(problem: Problem, *, chords: bool) -> Iterator[tuple[str, Oracle, bool]]:
    """Yield each oracle of (xp, x, d, gx, gy), and whether it answers with vectors. Chords owe answers in float64 only."""
    yield "f", lambda xp, x, d, gx, gy: problem.f(xp, x), False
    yield "grad", lambda xp, x, d, gx, gy: problem.grad(xp, x), True
    if (gap := problem.gap) is not None:
        yield "gap", lambda xp, x, d, gx, gy: gap(xp, x, gx), False
    if (bregman := problem.bregman) is not None:
        yield "bregman", lambda xp, x, d, gx, gy: bregman(xp, x, d, gx, gy), False
    if (hessian_vector := problem.hessian_vector) is not None:
        yield "hessian_vector", lambda xp, x, d, gx, gy: hessian_vector(xp, x, d), True
    if (chord := problem.chord) is not None and chords:
        for side in ("sup", "inf"):
            yield f"chord {side}", lambda xp, x, d, gx, gy, s=side: chord(xp, x, d, gx, gy, s), False


def _places(problem: Problem, xp: Any, count: int) -> tuple[Any, ...]:
    x, d = xp.vectors(points(problem, count, at=(0.3, 1.5, 6.0))), xp.vectors(0.5 * points(problem, count, seed=1, at=(1.5, 0.3)))
    return x, d, problem.grad(xp, x), problem.grad(xp, x + d)


def f_and_grad_answer(problem: Problem) -> None:
    """At the start, in every arithmetic: one number, and one vector of the dimension. Nothing can be checked without."""
    spaces = {"float64": FLOAT64.plain, "mp:50": MP, "float64 with error bounds": FLOAT64, "ball:128": arithmetic("ball:128")}
    for name, xp in spaces.items():
        x = xp.vector(problem.start)
        for what, oracle in (("f", problem.f), ("grad", problem.grad)):
            do = "write it with + - * / and the functions of `xp` (docs/problems.md)"
            try:
                made = oracle(xp, x)
                shape = getattr(made, "shape", ()) if what == "f" or isinstance(made, np.ndarray) else x.shape
                number = made if what == "f" else xp.dot(made, x) + xp.normsq(made)
                size = np.abs(np.asarray(xp.middle(number)))
            except Exception as failure:
                said = str(failure).splitlines()[0] if str(failure) else ""
                raise Wrong(
                    found=f"{type(failure).__name__} in {name}, from {what}: {said}", needed="an answer", do=do
                ) from failure
            wanted = () if what == "f" else x.shape
            if tuple(shape) != tuple(wanted):
                raise Wrong(
                    found=f"{what} of shape {tuple(shape)} in {name} at one point", needed=f"shape {tuple(wanted)}", do=do
                )
            if not np.isfinite(size).all():
                raise Wrong(found=f"{what} that is not finite at the start, in {name}", needed="a number", do=f"correct {what}")


def the_start_is_no_stationary_point(problem: Problem) -> None:
    if not np.any(problem.grad(MP, MP.vector(problem.start)) != 0):
        raise Wrong(
            found="a gradient of exactly 0 at the start", needed="a start from which runs go somewhere", do="move the start"
        )


def a_stack_of_points_is_its_points_one_by_one(problem: Problem) -> None:
    """In float64 to rounding, in 50 digits to theirs: points, and a stack of stacks."""
    for name, xp, tolerance in (("float64", FLOAT64.plain, 1e-9), ("mp:50", MP, 1e-40)):
        x, d, gx, gy = _places(problem, xp, 6)
        for what, oracle, is_vector in _oracles(problem, chords=xp is not MP):
            together = np.asarray(oracle(xp, x, d, gx, gy))
            shape = x.shape if is_vector else x.shape[:-1]
            do = f"write {what} for a stack of points: coordinates are the last axis, reached by xp.coordinate and xp.dot"
            if together.shape != shape:
                raise Wrong(found=f"{what} of shape {together.shape} for 6 points in {name}", needed=f"shape {shape}", do=do)
            alone = np.stack([np.asarray(oracle(xp, *rows)) for rows in zip(x, d, gx, gy, strict=True)])
            _same(together, alone, what, name, tolerance, do)
            twice = [np.asarray(v).reshape(2, 3, -1) for v in (x, d, gx, gy)]
            _same(np.asarray(oracle(xp, *twice)).reshape(shape), together, f"{what} of a stack of stacks", name, tolerance, do)


def _same(found: Any, wanted: Any, what: str, name: str, tolerance: float, do: str) -> None:
    if found.shape != wanted.shape:
        raise Wrong(found=f"{what} of shape {found.shape} in {name}", needed=f"shape {wanted.shape}", do=do)
    size = np.abs(wanted).max() + MP.scalar(1) if found.dtype == object else np.abs(wanted).max() + 1
    if not (np.abs(found - wanted) <= tolerance * size).all():
        off = float(np.abs(found - wanted).max())
        raise Wrong(found=f"{what} in {name} off by {off:.3g} from one point at a time", needed="the same numbers", do=do)


def inputs_are_left_alone(problem: Problem) -> None:
    for xp in (FLOAT64.plain, MP):
        given = _places(problem, xp, 3)
        kept = tuple(np.array(v) for v in given)
        for what, oracle, _ in _oracles(problem, chords=xp is not MP):
            oracle(xp, *given)
            for letter, before, after in zip(("x", "d", "gx", "gy"), kept, given, strict=True):
                if not np.array_equal(before, after):
                    raise Wrong(
                        found=f"{what} that changes {letter} in place", needed="inputs left alone", do="work on a new array"
                    )


def answers_do_not_depend_on_earlier_ones(problem: Problem) -> None:
    """The same bits twice, with others asked between."""
    xp = FLOAT64.plain
    given = _places(problem, xp, 3)
    first = {what: np.array(oracle(xp, *given)) for what, oracle, _ in _oracles(problem, chords=True)}
    for what, oracle, _ in _oracles(problem, chords=True):
        oracle(xp, *(v[::-1] + 0.25 for v in given))
        if not all(np.array_equal(first[what], oracle(xp, *given), equal_nan=True) for _ in range(2)):
            raise Wrong(
                found=f"{what} that says something else the second time", needed="the same", do="keep no state, draw nothing"
            )


def the_data_are_the_function(problem: Problem) -> None:
    """They are JSON; and where the certificate checker reads this kind of function, its values are those of f."""
    assert problem.data is not None
    do = "write the data as docs/problems.md says, every number as text such as '-7/2'; or leave data out"
    try:
        back = json.loads(json.dumps(dict(problem.data), allow_nan=False))
    except (TypeError, ValueError) as wrong:
        raise Wrong(found=f"data that are no JSON: {wrong}", needed="text, lists and dictionaries", do=do) from wrong
    if back != dict(problem.data):
        raise Wrong(found="data that JSON changes (tuples, or keys that are not text)", needed="lists and text", do=do)
    kind = back.get("kind")
    if kind not in (*KINDS, *OTHER_KINDS):
        raise Wrong(found=f"data of the kind {kind!r}", needed=f"one of {', '.join((*KINDS, *OTHER_KINDS))}", do=do)
    if kind in KINDS:
        _compare(problem, back, do)


def _compare(problem: Problem, data: Any, do: str) -> None:
    try:
        function = CheckedFunction.from_json(data)
    except NotComputed as wrong:
        raise Wrong(found=f"data that are no function: {wrong}", needed="its numbers", do=do) from wrong
    if function.dimension != problem.dimension:
        raise Wrong(found=f"data of {function.dimension} variables", needed=f"{problem.dimension}", do=do)
    for row in points(problem, 6, seed=18):
        x = [Fraction(round(64 * value), 64) for value in row]
        value = function.value([fmpq(coordinate.numerator, coordinate.denominator) for coordinate in x])
        mine = float(problem.f(MP, MP.vector(x)))
        theirs = float(value.p) / float(value.q) if hasattr(value, "q") else float(value.mid())
        if not abs(mine - theirs) <= 1e-12 * (1 + abs(mine)):
            raise Wrong(found=f"data with the value {theirs} at x = {shown(x)}", needed=f"f = {mine}", do=do)
