"""A recorded run: its arrays, looked at first, what is known of the function, and what is to be estimated (see minimum.py)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Exact
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.model.problem import (
    Convex,
    Differentiable,
    Fact,
    IsQuadratic,
    Problem,
    Smooth,
    StronglyConvex,
    TwiceDifferentiable,
    best_L,
    best_mu,
)
from boundcheck.support.errors import UserError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Whole = NDArray[np.int64]
UNITS = {"float64": 2.0**-53, "float32": 2.0**-24}
IMPLIED: dict[type[Fact], tuple[type[Fact], ...]] = {
    TwiceDifferentiable: (Differentiable,),
    IsQuadratic: (TwiceDifferentiable, Differentiable),
    Smooth: (Differentiable,),
    StronglyConvex: (Convex,),
}


class NotARun(UserError):
    """Arrays that are no run: their shapes do not fit, or they hold no numbers, or they contradict what is said of them."""


def numbers(name: str, given: Any, shape: str) -> Floats:
    """An array of finite numbers, in float64; `shape` says what was needed, for people."""
    wanted = len(shape.split(","))  # "(K+1, d)" has two axes, "(K+1,)" one
    wanted -= shape.endswith(",)")
    if hasattr(given, "detach"):
        given = given.detach().cpu().numpy()
    try:
        array = np.asarray(given)
        if array.dtype.kind not in "fiub" and array.dtype != object:
            raise TypeError
        array = np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise NotARun(f"{name} is no array of numbers; needs shape {shape}") from None
    if array.ndim != wanted:
        raise NotARun(f"{name} has shape {array.shape}; needs {shape}")
    if not array.size:
        raise NotARun(f"{name} is empty, of shape {array.shape}; needs {shape} with at least one entry")
    bad = ~np.isfinite(array)
    if bad.any():
        where = np.unravel_index(int(bad.argmax()), array.shape)
        place = ", ".join(str(int(n)) for n in where)
        raise NotARun(f"{name}[{place}] is {array[where]}; needs numbers: cut the run before it, and say so")
    return array


def precision_of(given: Iterable[Any], said: str | None) -> str:
    """The coarsest format among the arrays: what computed them rounded at least so."""
    if said is not None:
        if said not in UNITS:
            raise NotARun(f"precision '{said}' is not known; needs one of {', '.join(UNITS)}")
        return said
    kinds = [str(getattr(array, "dtype", "float64")).removeprefix("torch.") for array in given if array is not None]
    coarse = [kind for kind in kinds if kind in ("float16", "bfloat16")]
    if coarse:
        raise NotARun(f"the arrays are in {coarse[0]}, which leaves nothing to decide; needs float32 or float64")
    return "float32" if "float32" in kinds else "float64"


def as_facts(given: Iterable[Any]) -> frozenset[Fact]:
    """What the user says of the function, and what follows from it: an L-smooth function is differentiable."""
    if isinstance(given, Fact | type):
        given = (given,)
    found: set[Fact] = set()
    for fact in given:
        if isinstance(fact, type) and issubclass(fact, Fact):
            name = fact.__name__
            try:
                fact = fact()
            except TypeError:
                raise NotARun(f"the fact {name} needs its constant, as in {name}(2)") from None
        if not isinstance(fact, Fact):
            raise NotARun(f"{fact!r} is no fact; needs facts such as Convex(), Differentiable(), Smooth(2)")
        found.add(fact)
    kinds = {kind for fact in found for kind in IMPLIED.get(type(fact), ())}
    return frozenset(found | {kind() for kind in kinds if not any(isinstance(fact, kind) for fact in found)})


ROUNDINGS = 1000  # relative error assumed of recorded values and gradients: this many units of their format
ESTIMATES = ("f_star", "x_star")


@dataclass(frozen=True, kw_only=True, eq=False)
class Recorded:
    """Points x_0..x_K with values and gradients, and the K steps between them; None where something was not recorded."""

    x: Floats | None = field(repr=False)
    f: Floats = field(repr=False)
    grad: Floats | None = field(repr=False)
    eta: Floats | None = field(repr=False)
    x_star: Floats | None = field(repr=False)
    f_star: float | None
    facts: frozenset[Fact]
    precision: str
    relative_error: float
    name: str  # of the function
    by: str  # what made the steps
    method: str  # what the user says that it is, or ""
    estimated: tuple[str, ...] = ()
    best: int = 0  # the point with the least value
    doubt: str = ""  # why the steps cannot be gradient descent's, though the arrays may look so
    notes: tuple[str, ...] = ()
    ended: str = ""
    problem: Problem | None = field(default=None, repr=False)

    @property
    def steps(self) -> int:
        return len(self.f) - 1

    @property
    def unit(self) -> float:
        return UNITS[self.precision]

    @property
    def L(self) -> Exact | None:
        return best_L(self.facts)

    @property
    def mu(self) -> Exact:
        return best_mu(self.facts)


def record(
    *,
    x: Any = None,
    f: Any = None,
    grad: Any = None,
    eta: Any = None,
    x_star: Any = None,
    f_star: float | None = None,
    problem: Problem | None = None,
    facts: Iterable[Any] = (),
    estimate: bool | str | Iterable[str] = False,
    method: str = "",
    name: str = "",
    by: str = "recorded steps",
    precision: str | None = None,
    relative_error: float | None = None,
    doubt: str = "",
    notes: tuple[str, ...] = (),
) -> Recorded:
    """The arrays, looked at: (K+1, d) points and gradients, (K+1,) values, (K,) steps."""
    rounded = precision_of((x, f, grad, eta), precision)
    points = None if x is None else numbers("x", x, "(K+1, d)")
    values = _values(f, points, problem)
    gradients = None if grad is None else numbers("grad", grad, "(K+1, d)")
    if gradients is None and problem is not None and points is not None:
        gradients = np.asarray(problem.grad(FLOAT64, points))
    steps = _steps(eta, len(values) - 1)
    _refuse_shapes(points, values, gradients, steps, problem)
    last, ended = _last(points, gradients, steps, len(values) - 1)
    points, gradients = (None if array is None else array[: last + 1] for array in (points, gradients))
    values, steps = values[: last + 1], None if steps is None else steps[:last]
    star, least = _minimum(x_star, f_star, problem, points, gradients)
    chosen = _estimates(estimate)
    best = int(values.argmin())
    estimated = tuple(e for e in chosen if (least if e == "f_star" else star) is None)
    if "x_star" in estimated and points is None:
        raise NotARun("x_star cannot be estimated without iterates; give x, or estimate='f_star' alone")
    if "f_star" in estimated:
        least = float(values[best])
    if "x_star" in estimated and points is not None:
        star = points[best]
    if star is not None and least is None:
        raise NotARun("x_star is given without f_star, its value; give f_star too, or estimate='f_star'")
    return Recorded(
        x=points,
        f=values,
        grad=gradients,
        eta=steps,
        x_star=star,
        f_star=least,
        facts=as_facts(facts) | (problem.facts if problem is not None else frozenset()),
        precision=rounded,
        relative_error=ROUNDINGS * UNITS[rounded] if relative_error is None else float(relative_error),
        name=name or (problem.name if problem is not None else "recorded run"),
        by=by,
        method=method,
        estimated=estimated,
        best=best,
        doubt=doubt,
        notes=tuple(notes),
        ended=ended,
        problem=problem,
    )


def _last(x: Floats | None, grad: Floats | None, eta: Floats | None, steps: int) -> tuple[int, str]:
    """The last point of the run, and why it is the last: a zero gradient ends it, and so does a move of nothing."""
    zero = _first(grad[:steps] == 0) if grad is not None else None
    if zero is not None:
        return zero, f"the gradient is exactly zero at k = {zero}"
    still = _first(x[1:] == x[:-1]) if eta is None and x is not None else None
    if still is not None:
        return still, f"x_{still + 1} is x_{still}: the run stands still"
    return steps, ""


def _first(flags: Flags) -> int | None:
    """The first row that is true throughout."""
    rows = np.flatnonzero(flags.all(-1))
    return int(rows[0]) if len(rows) else None


def _bare(array: Any) -> Any:
    return array.detach().cpu().numpy() if hasattr(array, "detach") else array


def _steps(eta: Any, count: int) -> Floats | None:
    """One number a step; a single number is the step throughout."""
    if eta is None or count == 0 == np.size(_bare(eta)):
        return None
    given = _bare(eta)
    return numbers("eta", np.full(count, given) if np.ndim(given) == 0 and count else given, "(K,)")


def _values(f: Any, points: Floats | None, problem: Problem | None) -> Floats:
    if f is not None:
        return numbers("f", f, "(K+1,)")
    if problem is None or points is None:
        raise NotARun("the run has no values; give f, of shape (K+1,), or x and the problem")
    return np.atleast_1d(np.asarray(problem.f(FLOAT64, points), dtype=np.float64))


def _refuse_shapes(x: Floats | None, f: Floats, grad: Floats | None, eta: Floats | None, problem: Problem | None) -> None:
    for name, array in (("x", x), ("grad", grad)):
        if array is not None and len(array) != len(f):
            raise NotARun(f"{name} has {len(array)} rows and f {len(f)} entries; needs one of each for every point x_0..x_K")
    if x is not None and grad is not None and x.shape != grad.shape:
        raise NotARun(f"x has shape {x.shape} and grad {grad.shape}; needs the same, (K+1, d)")
    if eta is not None and len(eta) != len(f) - 1:
        raise NotARun(f"eta has {len(eta)} entries; {len(f)} points have {len(f) - 1} steps between them")
    if problem is not None and x is not None and x.shape[1] != problem.dimension:
        raise NotARun(f"x has points of R^{x.shape[1]}; {problem.name} has dimension {problem.dimension}")


def _minimum(
    x_star: Any, f_star: float | None, problem: Problem | None, x: Floats | None, grad: Floats | None
) -> tuple[Floats | None, float | None]:
    """x* and f* as given, or the problem's."""
    if problem is not None:
        if x_star is not None or f_star is not None:
            raise NotARun(f"x_star and f_star are those of {problem.name}; give them, or the problem, not both")
        known = problem.minimiser
        if known is not None:
            return np.array([float(c) for c in known.point]), float(known.value)
        return None, None if problem.infimum is None else float(problem.infimum)
    star = None if x_star is None else numbers("x_star", np.atleast_1d(_bare(x_star)), "(d,)")
    example = x if x is not None else grad
    if star is not None and example is not None and len(star) != example.shape[1]:
        raise NotARun(f"x_star has {len(star)} coordinates; the points have {example.shape[1]}")
    least = None if f_star is None else float(numbers("f_star", np.atleast_1d(_bare(f_star)), "(1,)")[0])
    return star, least


def _estimates(estimate: bool | str | Iterable[str]) -> tuple[str, ...]:
    if isinstance(estimate, bool):
        return ESTIMATES if estimate else ()
    chosen = (estimate,) if isinstance(estimate, str) else tuple(estimate)
    if unknown := [name for name in chosen if name not in ESTIMATES]:
        raise NotARun(f"'{unknown[0]}' cannot be estimated; estimate= takes {' and '.join(map(repr, ESTIMATES))}, or True")
    return tuple(name for name in ESTIMATES if name in chosen)
