"""Candidates from certificates, and certificates from candidates: none is written without a second opinion of the framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import Any

from boundcheck.certificates.write import NotCertified, finished
from boundcheck.check.answer import answer
from boundcheck.check.question import needs, questions
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate, Ridges, RidgeTerm
from boundcheck.falsify.exact_check import UNCLEAR, draft
from boundcheck.falsify.shapes import ClosedForm, PiecewiseShape, Side, Vector
from boundcheck.library.catalogue import from_function, runner
from boundcheck.library.names import rule_named
from boundcheck.suite.grid import experiment_for
from boundcheck.support.errors import UserError

EXACT = "rational"


def objection(bound: Bound, certificate: Mapping[str, Any]) -> str:
    """Return what the framework finds there in exact rationals, where that is HOLDS or VACUOUS; "" where it does not object.

    It cannot make chords between given points, a search for steps, steps that are not rational, sequences that a rule notes
    beside its steps, runs that go on where the gradient is 0, and functions that no problem is: there the checker alone decides.
    """
    if "chord" in certificate or bound.runs.searched:
        return ""
    roles = certificate["run"]["roles"]
    start, steps = roles[""]["start"], roles[""]["eta"]
    if not steps or None in steps or any(set(own) != {"start", "eta"} for own in roles.values()):
        return ""
    try:
        return _verdict_at(bound, certificate, start, steps)
    except ValueError:  # no such problem, or no such run in rationals
        return ""


def _verdict_at(bound: Bound, certificate: Mapping[str, Any], start: list[str], steps: list[str]) -> str:
    problem = from_function(
        certificate["function"], start=start, minimiser=certificate["minimiser"], constants=certificate["constants"]
    )
    letters = {name: (Fraction(value),) for name, value in certificate["parameters"].items()}
    tried = replace(bound, try_with={**bound.try_with, **letters})
    chosen = None if certificate["smoothness"] is None else (certificate["smoothness"],)
    (question,) = questions([tried], runner().about(problem), exact=True, smoothness=chosen)
    if question.out_of_place:
        return f"VACUOUS: {question.out_of_place}"
    experiment = experiment_for(question, rule_named(f"given({', '.join(steps)})"))
    columns = needs([question], experiment.method)
    trace = runner().trace(problem, experiment, steps=len(steps), count=1, columns=columns, xp=EXACT)
    assert trace is not None  # only an unfrozen run may not exist
    if int(trace.steps[0]) < len(steps):
        return ""
    (verdict,) = answer([question], trace)
    (k,) = certificate["at"].values()
    at = k - verdict.first_k
    if not 0 <= at < len(verdict.outcomes) or verdict.outcomes[at] in (Outcome.VIOLATED, Outcome.UNDECIDED):
        return ""
    return f"{Outcome(verdict.outcomes[at]).name} at {bound.for_all.letter} = {k}: {verdict.explain()}"


CLOSED = {"smooth abs": "eps", "power": "p", "logistic pair": ""}
ZERO, ONE = Fraction(0), Fraction(1)


def candidate_from(certificate: Mapping[str, Any]) -> Candidate:
    """The candidate that a certificate describes. ValueError, in one line, for a function that is no sum of ridges in rationals.

    The numbers L and mu are those that `model` gives the function; a certificate may have tighter ones.
    """
    least = certificate["minimiser"]
    roles = certificate["run"]["roles"] if "run" in certificate else {}
    chosen = tuple(
        (role, tuple((name, tuple(None if v is None else Fraction(v) for v in own[name])) for name in own if name != "start"))
        for role, own in roles.items()
    )
    return Candidate(
        function_from(certificate["function"], () if least is None else _vector(least)),
        k=next(iter(certificate["at"].values()), 0),
        smoothness=certificate["smoothness"] or "",
        parameters=tuple((name, Fraction(value)) for name, value in certificate["parameters"].items()),
        link=certificate["link"],
        start=_vector(roles[""]["start"]) if roles else (),
        chosen=chosen,
        chord=tuple((name, _vector(point)) for name, point in certificate.get("chord", {}).items()),
    )


def function_from(data: Mapping[str, Any], centre: Vector = ()) -> Ridges:
    """f as a sum of ridges around this point; a quadratic around its minimiser."""
    kind = data["kind"]
    if kind == "quadratic":
        return _quadratic([_vector(row) for row in data["matrix"]], _vector(data["minimiser"]))
    terms: list[dict[str, Any]] = data["terms"] if kind == "ridge sum" else [{"direction": ["1"], "function": data}]
    ridges, shift = [], ZERO
    for term in terms:
        direction = _vector(term["direction"])
        at = sum((a * c for a, c in zip(direction, centre, strict=True)), ZERO) if centre else ZERO
        shape, value = _shape(term["function"], at)
        ridges.append(RidgeTerm(direction, shape))
        shift += value
    return Ridges(tuple(ridges), shift, _unless_0(centre))


def pieces_around(data: Mapping[str, Any], centre: Fraction) -> tuple[PiecewiseShape, Fraction]:
    """phi(u + centre) - phi(centre) for a piecewise quadratic, and phi(centre)."""
    knots, gradients = _vector(data["knots"]), _vector(data["gradients"])
    inner = [(h - g) / (b - a) for (a, g), (b, h) in pairwise(zip(knots, gradients, strict=True))]
    slopes = [Fraction(data["left_slope"]), *inner, Fraction(data["right_slope"])]
    here = sum(knot <= centre for knot in knots)
    before = sum(knot < centre for knot in knots)
    right = _side([k - centre for k in knots[here:]], slopes[here:])
    left = _side([centre - k for k in reversed(knots[:before])], slopes[before::-1])
    nearest = max(here - 1, 0)
    tilt = gradients[nearest] + slopes[here] * (centre - knots[nearest])
    pieces = PiecewiseShape(left, right, tilt)
    place, value = _vector(data["value_at"])
    return pieces, value - _rise(pieces, place - centre)


def _rise(pieces: PiecewiseShape, u: Fraction) -> Fraction:
    """phi(u) - phi(0)."""
    side, way = (pieces.right, u) if u >= 0 else (pieces.left, -u)
    total, ends = pieces.tilt * u, (ZERO, *side.breaks)
    for n, slope in enumerate(side.slopes):
        length = min(way, side.breaks[n]) - ends[n] if n < len(side.breaks) else way - ends[n]
        if length > 0:
            total += slope * length * (way - ends[n] - length / 2)
    return total


def _side(breaks: Sequence[Fraction], slopes: Sequence[Fraction]) -> Side:
    kept = [n for n in range(len(breaks)) if slopes[n] != slopes[n + 1]]
    return Side(tuple(breaks[n] for n in kept), (slopes[0], *(slopes[n + 1] for n in kept)))


def _shape(data: Mapping[str, Any], at: Fraction) -> tuple[PiecewiseShape | ClosedForm, Fraction]:
    kind = data["kind"]
    if kind == "piecewise quadratic":
        return pieces_around(data, at)
    if kind not in CLOSED:
        raise UserError(f"a function of the kind {kind!r} is no sum of ridges")
    if at:
        raise UserError(f"a {kind} has its minimiser at 0; found {at}")
    return ClosedForm(kind, Fraction(data[CLOSED[kind]]) if CLOSED[kind] else ZERO), ZERO


def _quadratic(matrix: list[Vector], centre: Vector) -> Ridges:
    """Return ridges along eigenvectors."""
    d = range(len(matrix))
    if all(matrix[i][j] == 0 for i in d for j in d if i != j):
        return Ridges(
            tuple(RidgeTerm(tuple(Fraction(int(i == j)) for j in d), _parabola(matrix[i][i])) for i in d), ZERO, _unless_0(centre)
        )
    if len(matrix) != 2:
        raise UserError(f"a quadratic in dimension {len(matrix)} is read only where its matrix is diagonal")
    (a, b), (_, e) = matrix
    square = (a - e) ** 2 + 4 * b * b
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    if root**2 != square:
        raise UserError("a quadratic is read only where its eigenvectors are rational")
    found = []
    for value in ((a + e + root) / 2, (a + e - root) / 2):
        v = (b, value - a)
        found.append(RidgeTerm(v, _parabola(value / (v[0] ** 2 + v[1] ** 2))))
    return Ridges(tuple(found), ZERO, _unless_0(centre))


def _parabola(slope: Fraction) -> PiecewiseShape:
    return PiecewiseShape(Side((), (slope,)), Side((), (slope,)))


def _vector(texts: Sequence[str]) -> Vector:
    return tuple(Fraction(text) for text in texts)


def _unless_0(centre: Vector) -> Vector:
    return centre if any(centre) else ()


def certificate_of(bound: Bound, candidate: Candidate) -> dict[str, Any]:
    """The whole certificate: sides, words and seal, accepted by the independent checker, and not objected to by the framework.

    Where the framework cannot make the function or the run (see `agree.objection`), the checker alone decides.
    """
    try:
        made = draft(bound, candidate)
    except UNCLEAR as wrong:
        raise NotCertified(f"{bound.id}: no certificate can be drafted: {wrong}") from None
    certificate = finished(bound, made)
    if found := objection(bound, certificate):
        left, right = certificate["left"], certificate["right"]
        raise NotCertified(f"{bound.id}: the independent checker finds left {left}, right {right}; the framework says {found}")
    return certificate
