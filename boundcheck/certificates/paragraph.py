"""A counterexample in words: a paragraph that a person can follow with pencil and paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.language.relations import links
from boundcheck.support.errors import UserError
from boundcheck.verify import NotComputed, Replay

SHOWN = 40  # characters of a number that are read with ease


def words(bound: Bound, certificate: Mapping[str, Any], replay: Replay) -> str:
    """Return the function, each step of each run, and both sides."""
    chosen = [f"{name} = {value}" for name, value in {**certificate["parameters"], **certificate["constants"]}.items()]
    chosen += [f"M = {certificate['smoothness']}"] if certificate["smoothness"] else []
    told = [f"Let {said(certificate['function'])}."]
    if certificate["minimiser"] is not None:
        least = number_text(replay.f.value(replay.ends["x*"]))
        told.append(f"Its minimum is at x* = {point_text(certificate['minimiser'])}, where f = {least}.")
    told += [f"Take {', '.join(chosen)}."] if chosen else []
    told += [
        f"For points p and q, {one.name}(p, q) is {one.formula}." for one in bound.chords_with(certificate["smoothness"] or "")
    ]
    if "chord" in certificate:
        told += [at(name, point, replay) + "." for name, point in replay.ends.items() if name != "x*"]
    else:
        told += [sentence for role in certificate["run"]["roles"] for sentence in _run(role, replay)]
    relation = bound.with_M(links(bound.states)[certificate["link"]], certificate["smoothness"] or "")
    told += [f"Now take {letter} = {k}." for letter, k in certificate["at"].items()]
    told.append(f"The left side, {relation.left}, is {_side(certificate['left'])}.")
    told.append(f"The right side, {relation.right}, is {_side(certificate['right'])}.")
    told.append(f"So it is false that left {relation.op} right.")
    return " ".join(told)


def said(data: Mapping[str, Any]) -> str:
    """Return what f is, as one would say it."""
    kind = data["kind"]
    if kind == "quadratic":
        rows = ", ".join(f"[{', '.join(row)}]" for row in data["matrix"])
        return f"f(x) = (x - c)' B (x - c) / 2 with B = [{rows}] and c = {point_text(data['minimiser'])}"
    if kind == "piecewise quadratic":
        return f"f(x) = {_parabola(data)}" if _is_parabola(data) else f"f have {_pieces(data)}"
    if kind == "ridge sum":
        ridges = [f"phi_{n}(<({', '.join(term['direction'])}), x>)" for n, term in enumerate(data["terms"])]
        shapes = [_ridge(f"phi_{n}", term["function"]) for n, term in enumerate(data["terms"])]
        return f"f(x) = {' + '.join(ridges)}, where {'; '.join(shapes)}"
    if kind == "interpolation":
        return f"f be {_table(data)}"
    return f"f(x) = {_closed(data, 'x')}"


def _is_parabola(data: Mapping[str, Any]) -> bool:
    """Return one knot, at the minimum or anywhere, and one slope: a(x - c)^2 / 2, where its value there is known."""
    same = data["left_slope"] == data["right_slope"]
    return bool(same and data["gradients"] == ["0"] and data["knots"] == data["value_at"][:1])


def _parabola(data: Mapping[str, Any]) -> str:
    (centre,), slope, (_, value) = data["knots"], data["left_slope"], data["value_at"]
    times = {"1": "", "-1": "-"}.get(slope, f"{slope} " if "/" not in slope else f"({slope}) ")
    square = "x^2" if centre == "0" else f"(x {'+' if centre.startswith('-') else '-'} {centre.removeprefix('-')})^2"
    added = "" if value == "0" else f" {'-' if value.startswith('-') else '+'} {value.removeprefix('-')}"
    return f"{times}{square}/2{added}"


def _ridge(name: str, data: Mapping[str, Any]) -> str:
    return f"{name} has {_pieces(data)}" if data["kind"] == "piecewise quadratic" else f"{name}(u) = {_closed(data, 'u')}"


def _closed(data: Mapping[str, Any], u: str) -> str:
    kind = data["kind"]
    if kind == "smooth abs":
        return f"sqrt({u}^2 + eps^2) with eps = {data['eps']}"
    if kind == "logistic pair":
        return f"log(1 + exp({u})) + log(1 + exp(-{u}))"
    if kind == "power":
        return f"|{u}|^({data['p']})" if "/" in data["p"] else f"|{u}|^{data['p']}"
    raise UserError(f"a certificate knows no function of the kind '{kind}'")


def _table(data: Mapping[str, Any]) -> str:
    convex = f"{data['mu']}-strongly convex" if Fraction(data["mu"]) else "convex"
    rows = zip(data["points"], data["values"], data["gradients"], strict=True)
    known = "; ".join(f"value {value}, gradient {point_text(gradient)} at {point_text(point)}" for point, value, gradient in rows)
    return f"a {convex} and {data['L']}-smooth function with {known} (one exists: these satisfy the interpolation inequalities)"


def _pieces(data: Mapping[str, Any]) -> str:
    at = ", ".join(f"{g} at {x}" for x, g in zip(data["knots"], data["gradients"], strict=True))
    between = ", linear between," if len(data["knots"]) > 1 else ""
    where, value = data["value_at"]
    slopes = f"slope {data['left_slope']} before and {data['right_slope']} after"
    return f"the derivative {at}{between} with {slopes}, and the value {value} at {where}"


def _run(role: str, replay: Replay) -> list[str]:
    """x_0, f(x_0), its gradient and eta_0; then x_1; with what else the method carries."""
    own = {name: entries for (whose, name), entries in replay.entries.items() if whose == role}
    others = sorted(name for name in own if name not in ("x", "eta"))
    told = []
    for k in range(len(own["eta"]) + 1):
        parts = [at(f"x_{k}", own["x"][k], replay)]
        parts += [f"{name}_{k} = {entry(own[name][k])}" for name in (*others, "eta") if k in own[name]]
        told.append((f"In the run '{role}': " if role else "") + ", ".join(parts) + ".")
    return told


def at(name: str, point: list[Any], replay: Replay) -> str:
    try:
        value, gradient = number_text(replay.f.value(point)), point_text(replay.f.gradient(point))
    except NotComputed:  # the claim does not read f there, and it is not known
        return f"{name} = {point_text(point)}"
    return f"{name} = {point_text(point)}, f({name}) = {value}, grad f({name}) = {gradient}"


def entry(value: Any) -> str:
    return point_text(value) if isinstance(value, list) else number_text(value)


def point_text(values: Sequence[Any]) -> str:
    shown = [number_text(value) for value in values]
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def number_text(value: Any) -> str:
    """Return a fraction of a readable length as it is; a longer one, or a ball, by its digits."""
    exact = isinstance(value, str) or hasattr(value, "p")
    return str(value) if exact and len(str(value)) <= SHOWN else f"about {float(Fraction(str(value)) if exact else value):.8g}"


def _side(given: Any) -> str:
    if not isinstance(given, str):
        return f"between {given[0]} and {given[1]}"
    return given if len(given) <= 3 * SHOWN else f"a fraction of {len(given)} digits"
