"""Tests of a problem's oracles: for one point and for stacks, with inputs left alone, and derivatives by central differences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from boundcheck.arithmetic import arithmetic
from boundcheck.model.problem import Problem
from boundcheck.testing.contract import FLOAT64, MP, Wrong, lift, near, pairs, points, shown
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


H = 2.0**-50  # the error of a central difference is about its square
AXES = 40  # up to this dimension, differences are taken along each coordinate


def the_gradient_is_the_slope_of_f(problem: Problem) -> None:
    """Along random directions, and along each axis: a mistake in one coordinate is named."""
    _along_the_axes(problem)
    h = MP.scalar(H)
    for x, v in pairs(problem):
        u, w = lift(x, v / np.linalg.norm(v))
        difference = (problem.f(MP, u + MP.scale(h, w)) - problem.f(MP, u - MP.scale(h, w))) / (2 * h)
        slope = MP.dot(problem.grad(MP, u), w)
        where = f"<grad f(x), v> at x = {shown(x)} along v = {shown(v / np.linalg.norm(v))}"
        near(slope, difference, where, "correct grad, or f", tolerance=1e-12)


def _along_the_axes(problem: Problem) -> None:
    h = MP.scalar(H)
    for x in points(problem, 2, seed=5, at=(1.5, 0.3)):
        u, d = lift(x, np.eye(problem.dimension)[:AXES])
        steps = MP.scale(h, d)
        differences = (problem.f(MP, u + steps) - problem.f(MP, u - steps)) / (2 * h)
        g = problem.grad(MP, u)
        for j in range(len(d)):
            where = f"coordinate {j} of grad f at x = {shown(x)}"
            near(MP.coordinate(g, j), differences[j], where, f"correct coordinate {j} of grad, or f", tolerance=1e-12)


def the_hessian_is_the_slope_of_the_gradient(problem: Problem) -> None:
    """Both `hessian_vector` and the constant `hessian` of a quadratic."""
    h = MP.scalar(H)
    for x, v in pairs(problem, 3, seed=2):
        u, w = lift(x, v / np.linalg.norm(v))
        difference = problem.grad(MP, u + MP.scale(h, w)) - problem.grad(MP, u - MP.scale(h, w))
        slope = MP.scale(1 / (2 * h), difference)
        for name, product in _products(problem, u, w):
            off = MP.norm(product - slope)
            if not off <= 1e-8 * (1 + MP.norm(slope)):
                raise Wrong(
                    found=f"{name} times v off by {float(off):.3g} from the change of the gradient at x = {shown(x)}",
                    needed="the slope of grad along v",
                    do=f"correct {name}, or grad",
                )


def _products(problem: Problem, x: Any, v: Any) -> list[tuple[str, Any]]:
    made = [] if problem.hessian_vector is None else [("hessian_vector", problem.hessian_vector(MP, x, v))]
    return made if problem.hessian is None else [*made, ("hessian", MP.matvec(problem.hessian(MP), v))]


def the_chord_quantities_enclose_dense_samples(
    problem: Problem, *, loose: float = 2e-3, count: int = 40, samples: int = 65
) -> None:
    """In float64 with error bounds: the enclosure of the sup reaches above every secant slope, and is near the largest."""
    assert problem.chord is not None
    chords = list(pairs(problem, count, seed=10))
    x, d = (FLOAT64.vectors(np.array(rows)) for rows in zip(*chords, strict=True))
    gx, gy = problem.grad(FLOAT64, x), problem.grad(FLOAT64, x + d)
    slopes = [_secant_slopes(problem, *chord, samples) for chord in chords]
    for side, best in (("sup", np.array([row.max() for row in slopes])), ("inf", np.array([row.min() for row in slopes]))):
        answer = problem.chord(FLOAT64, x, d, gx, gy, side)
        middle, error = FLOAT64.middle(answer), FLOAT64.error(answer)
        sign = 1 if side == "sup" else -1
        reaches = sign * (middle - best) + error >= -1e-14 * np.abs(best)
        is_near = sign * (middle - best) - error <= loose * (1 + np.abs(best))
        for i in np.flatnonzero(~(np.isfinite(error) & reaches & is_near)):
            where = f"from x = {shown(chords[i][0])} along d = {shown(chords[i][1])}"
            raise Wrong(
                found=f"chord {side} = {middle[i]} +- {error[i]:.3g} {where}",
                needed=f"{best[i]}, which samples of the chord reach",
                do="correct chord: the extreme over t in (0, 1] of <grad f(x + t d) - grad f(x), d> / (t |d|^2)",
            )


def _secant_slopes(problem: Problem, x: Any, d: Any, samples: int) -> Any:
    """At equally spaced t, at t that fall geometrically to 1e-12, and then closely around the largest and the smallest found."""
    x, d = lift(x, d)

    def slopes(at: Any) -> Any:
        t = MP.scalars(at)
        differences = problem.grad(MP, x + MP.scale(t, d + 0 * t[:, None])) - problem.grad(MP, x)
        return MP.middle(MP.dot(differences, d) / (t * MP.normsq(d)))

    at = np.unique(np.r_[np.linspace(0, 1, samples)[1:], np.geomspace(1e-12, 1, samples)])
    found = slopes(at)
    for _ in range(2):
        ends = [(at[max(i - 1, 0)], at[min(i + 1, len(at) - 1)]) for i in (found.argmax(), found.argmin())]
        more = np.concatenate([np.linspace(low, high, 17) for low, high in ends])
        at, order = np.unique(np.r_[at, more], return_index=True)
        found = np.r_[found, slopes(more)][order]
    return found
