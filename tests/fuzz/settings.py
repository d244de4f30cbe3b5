"""What a claim is tried on: a function, one or several starts and step sequences, and the methods of the run or runs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any

from boundcheck.language.letters import Numbers, eta, eta_length, f, grad, k, norm, v, x, y
from boundcheck.language.scalars import NONE, Parameter, as_scalar
from boundcheck.model.method import GRADIENT_DESCENT, Method, Update

from .functions import Function, Piecewise, Quadratic
from .runs import Run, make_run

F = Fraction
beta = Parameter("beta")
t = Numbers("t", NONE)
HALF = as_scalar(1) / 2
ZERO = F(0)

NORMALIZED = Method(
    name="normalized", kind="normalized", each=(Update(x[k + 1], x[k] - eta_length[k] / norm(grad(x[k])) * grad(x[k])),)
)
HEAVY_BALL = Method(
    name="heavy ball",
    kind="accelerated",
    first=(Update(y[0], x[0]),),
    each=(Update(y[k], x[k] + HALF * (x[k] - x[k - 1])), Update(x[k + 1], y[k] - eta[k] * grad(x[k]))),
)
NESTEROV = Method(
    name="nesterov",
    kind="accelerated",
    first=(Update(y[0], x[0]),),
    each=(Update(y[k], x[k] + k / (k + 3) * (x[k] - x[k - 1])), Update(x[k + 1], y[k] - eta[k] * grad(y[k]))),
)
NESTEROV_LATER = Method(
    name="nesterov later",
    kind="accelerated",
    first=(Update(y[0], x[0]),),
    each=(
        Update(x[k + 1], y[k] - eta[k] * grad(y[k])),
        Update(y[k + 1], x[k + 1] + beta * (x[k + 1] - x[k])),
    ),
)
COUNTED = Method(
    name="counted",
    kind="accelerated",
    first=(Update(t[0], as_scalar(1)), Update(v[0], x[0])),
    each=(
        Update(x[k + 1], v[k] - eta[k] * grad(x[k])),
        Update(v[k + 1], x[k + 1] + (t[k] - 1) / (t[k] + 2) * (x[k + 1] - x[k])),
        Update(t[k + 1], t[k] + HALF),
    ),
)
HALFWAY = Method(  # no memory, and a point between
    name="halfway",
    kind="accelerated",
    each=(Update(y[k], x[k] - eta[k] / 2 * grad(x[k])), Update(x[k + 1], x[k] - eta[k] * grad(y[k]))),
)
WEIGHED = Method(  # its steps depend on f itself, not on f less its minimum
    name="weighed by f", kind="accelerated", each=(Update(x[k + 1], x[k] - eta[k] / (1 + f(x[k]) ** 2) * grad(x[k])),)
)
ALL = (GRADIENT_DESCENT, NORMALIZED, HEAVY_BALL, NESTEROV, NESTEROV_LATER, COUNTED, HALFWAY, WEIGHED)
METHODS = {m.name: m for m in ALL}
SHORT = 3  # steps of a method whose numbers grow fast


@dataclass(frozen=True)
class Setting:
    """`etas` has one sequence of steps for each run of a batch, and `starts` its start, the same for all.

    `over_L` is c where the steps are those of the rule c / L.
    """

    function: Function
    methods: tuple[tuple[str, str], ...]  # roles and names of methods
    starts: tuple[tuple[Fraction, ...], ...]
    etas: tuple[tuple[Fraction, ...], ...]
    over_L: Fraction | None = None
    beta: Fraction = ZERO

    @property
    def roles(self) -> dict[str, Method]:
        return {role: METHODS[name] for role, name in self.methods}

    @property
    def is_batch(self) -> bool:
        return len(self.etas) > 1

    @property
    def steps(self) -> int:
        return len(self.etas[0])

    @property
    def parameters(self) -> dict[str, Fraction]:
        used = any(p == "beta" for m in self.roles.values() for p in m.parameters)
        return {"beta": self.beta} if used else {}

    @cached_property
    def problem(self) -> Any:
        return self.function.problem(self.starts[0])

    @cached_property
    def constants(self) -> dict[str, Fraction]:
        """L and mu, as the problem declares them: a function here knows its own where it is simple, and they are compared."""
        found = {"L": F(self.problem.L), "mu": F(self.problem.mu)}
        if self.function.L is not None:
            assert found == {"L": self.function.L, "mu": self.function.mu}, found
        return found

    @cached_property
    def kept(self) -> dict[Any, Any]:
        """What was found of claims on it, for the next evaluator."""
        return {}

    def run(self, number: int, *, goes_on: bool = False) -> Run:
        return self._made[number, goes_on]

    @cached_property
    def _made(self) -> dict[tuple[int, bool], Run]:
        return _Runs(self)


class _Runs(dict[tuple[int, bool], Run]):
    """Runs of a setting, each made when it is asked for."""

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting

    def __missing__(self, key: tuple[int, bool]) -> Run:
        s, (number, goes_on) = self.setting, key
        letters = {**s.constants, **s.parameters}
        self[key] = made = make_run(s.function, s.starts[number], s.roles, s.etas[number], letters, goes_on=goes_on)
        return made


def rational(rng: Random, low: int = -4, high: int = 4) -> Fraction:
    return F(rng.randint(low, high), rng.choice((1, 1, 1, 2, 2, 3, 4)))


def positive(rng: Random) -> Fraction:
    return F(rng.randint(1, 4), rng.choice((1, 1, 2, 2, 3, 4)))


def draw_function(rng: Random) -> Function:
    least = rng.choice((F(0), F(0), F(-5), F(3), F(-1, 2), F(7, 3)))
    if rng.random() < 0.55:
        return _piecewise(rng, least)
    d = rng.choice((1, 2, 2, 2, 3))
    star = tuple(rng.choice((F(0), rational(rng, -2, 2))) for _ in range(d))
    if d > 1 and rng.random() < 0.4:  # positive definite by diagonal dominance
        off = {(i, j): rng.choice((F(0), F(1, 2), F(-1), F(1))) for i in range(d) for j in range(i)}
        rows = [[off.get((max(i, j), min(i, j)), F(0)) for j in range(d)] for i in range(d)]
        for i in range(d):
            rows[i][i] = sum((abs(a) for a in rows[i]), F(0)) + rng.choice((F(1, 2), F(1), F(2)))
        if not any(off.values()):
            rows[1][0] = rows[0][1] = F(1, 4)
    else:
        rows = [[positive(rng) if i == j else F(0) for j in range(d)] for i in range(d)]
    return Quadratic(tuple(tuple(r) for r in rows), star, least)


def _piecewise(rng: Random, least: Fraction) -> Piecewise:
    star = rng.choice((F(0), F(0), rational(rng, -2, 2)))
    count = rng.randint(1, 3)
    steps = [rng.choice((F(1, 2), F(1), F(1), F(2))) for _ in range(count - 1)]
    slopes = [rng.choice((F(0), F(1, 2), F(1), F(1), F(2), F(3))) for _ in range(count + 1)]
    at = rng.randrange(count)  # the knot where the gradient is 0
    knots, gradients = [star], [F(0)]
    for n in range(at, count - 1):
        knots.append(knots[-1] + steps[n])
        gradients.append(gradients[-1] + slopes[n + 1] * steps[n])
    for n in range(at - 1, -1, -1):
        knots.insert(0, knots[0] - steps[n])
        gradients.insert(0, gradients[0] - slopes[n + 1] * steps[n])
    if slopes[0] == 0:
        slopes[0] = F(1)
    if slopes[-1] == 0:
        slopes[-1] = F(1)
    return Piecewise(tuple(knots), tuple(gradients), slopes[0], slopes[-1], star, least)


def draw_setting(rng: Random, kind: str = "") -> Setting:
    """A setting of a kind: one run, a batch, two runs, or chords (where the run does not matter)."""
    function = draw_function(rng)
    if kind in ("batch", "recorded", "certificate", "long"):
        methods: tuple[tuple[str, str], ...] = (("", "gradient descent"),)
    elif kind == "two":
        names = rng.choices([n for n in METHODS if n != "normalized"], k=2)
        methods = (("", names[0]), ("other", names[1]))
    else:
        names = rng.choices(list(METHODS), weights=[6, 1, 2, 2, 2, 2, 1, 1])
        methods = (("", names[0]),)
    if function.dimension > 1 and methods[0][1] == "normalized":
        methods = (("", "gradient descent"),)
    steps = rng.choice((40, 70)) if kind == "long" else rng.choice((rng.choice((0, 1, 2)), *range(3, 15)))
    if kind == "batch":
        steps = min(max(steps, 2), 9)
    if any(name == "weighed by f" for _, name in methods):
        steps = min(steps, SHORT)
    problem_L = F(function.problem((F(0),) * function.dimension).L)
    over_L = rng.choice((F(1), F(1), F(1, 2), F(3, 2))) if kind not in ("batch", "recorded") and rng.random() < 0.3 else None
    runs = rng.randint(2, 5) if kind == "batch" else 1
    starts, etas = [_start(rng, function, dyadic=kind == "recorded")] * runs, []
    for n in range(runs):
        if kind == "batch" and n == 0 and rng.random() < 0.6:  # a run that may end before the others
            etas.append((1 / problem_L,) * steps)
            continue
        etas.append((over_L / problem_L,) * steps if over_L is not None else _etas(rng, steps, problem_L, kind))
    return Setting(function, methods, tuple(starts), tuple(etas), over_L, rng.choice((F(1, 2), F(1, 3), F(0))))


def _start(rng: Random, function: Function, dyadic: bool) -> tuple[Fraction, ...]:
    parts = (1, 2, 4) if dyadic else (1, 1, 2, 3, 4)
    star = function.minimiser
    if rng.random() < 0.04:
        return star
    return tuple(s + F(rng.choice((-3, -2, -1, 1, 2, 3, 4)), rng.choice(parts)) for s in star)


def _etas(rng: Random, steps: int, L: Fraction, kind: str) -> tuple[Fraction, ...]:
    if kind == "long":
        return (rng.choice((F(1, 2), F(1, 4), F(1))) / L,) * steps
    style = rng.randrange(4)
    if style == 0:
        one = rng.choice((F(1), F(1, 2), F(1, 4), F(3, 2), F(3), F(1, 3)))
        return (one / L if kind != "recorded" and rng.random() < 0.6 else one,) * steps
    parts = (1, 2, 4) if kind == "recorded" else (1, 2, 2, 3, 4)
    return tuple(F(rng.randint(1, 4), rng.choice(parts)) / (1 if style == 1 or kind == "recorded" else L) for _ in range(steps))
