"""Claims about named functions, sets and operators: as in the literature, the same made too sharp, and with mistakes."""

from __future__ import annotations

from fractions import Fraction as Q

from boundcheck import (
    Bound,
    By,
    Constant,
    Convex,
    Follows,
    Method,
    Minimises,
    Parameter,
    Runs,
    Smooth,
    StronglyConvex,
    Update,
    ZeroOf,
)
from boundcheck.claims.hypotheses import FixedPointOf, Solution
from boundcheck.language.scalars import LENGTH, SLOPE
from boundcheck.language.tree import as_index
from boundcheck.language.vectors import Point
from boundcheck.letters import (
    ConvexSet,
    Delta,
    Draws,
    E,
    Function,
    L,
    Operator,
    average,
    eta,
    f,
    grad,
    i,
    k,
    minimise_linear,
    mu_f,
    norm,
    normsq,
    project,
    prox,
    resolvent,
    subgrad,
    v,
    x,
    xstar,
    y,
)
from boundcheck.model.facts import Diameter, Indicator, Monotone, Nonexpansive

SHARP = Q(99, 100)  # of the right side
h, C, A, T, j = Function("h"), ConvexSet("C"), Operator("A"), Operator("T", LENGTH), Draws("j")
eps, M, D = Parameter("eps"), Constant("M", SLOPE), Constant("D", LENGTH)
start = normsq(x[0] - xstar)


def steps(*updates: Update, first: tuple[Update, ...] = (), free: tuple = ()) -> Runs:
    return By(Method(name="a method", each=updates, first=first, free=free))


def gap(at):
    return (f + h)(at) - (f + h)(xstar)


# -- proximal gradient, plain and accelerated ---------------------------------------------------------------------------------

COMPOSITE = (Convex, Smooth, Convex(h), Minimises(f + h))


def proximal_gradient(rate, to=None, step=1 / L):
    update = Update(x[k + 1], prox(h, eta[k], x[k] - eta[k] * grad(x[k])) if to is None else to)
    return Bound(given=(*COMPOSITE, steps(update), Follows(eta[i] == step)), for_all=k >= 1, states=gap(x[k]) <= rate)


def accelerated(rate, momentum=k / (k + 3)):
    each = (
        Update(x[k + 1], prox(h, 1 / L, y[k] - 1 / L * grad(y[k]))),
        Update(y[k + 1], x[k + 1] + momentum * (x[k + 1] - x[k])),
    )
    return Bound(given=(*COMPOSITE, steps(*each, first=(Update(y[0], x[0]),))), for_all=k >= 1, states=gap(x[k]) <= rate)


def projected_gradient(rate):
    given = (Convex, Smooth, Indicator(C), Solution(grad(xstar) + subgrad(C, xstar)), Follows(eta[i] == 1 / L))
    update = Update(x[k + 1], project(C, x[k] - eta[k] * grad(x[k])))
    return Bound(given=(*given, steps(update)), for_all=k >= 1, states=f(x[k]) - f(xstar) <= rate)


def proximal_point_of_a_function(rate):
    given = (Convex(h), Minimises(h), steps(Update(x[k + 1], x[k] - eta[k] * subgrad(h, x[k + 1]))), Follows(eta[i] == 2))
    return Bound(given=given, for_all=k >= 1, states=h(x[k]) - h(xstar) <= rate)


def frank_wolfe(rate):
    each = (Update(y[k], minimise_linear(C, grad(x[k]))), Update(x[k + 1], (1 - 2 / (k + 2)) * x[k] + 2 / (k + 2) * y[k]))
    given = (Convex, Smooth, Indicator(C), Diameter.of(C, D=D), Solution(grad(xstar) + subgrad(C, xstar)), steps(*each))
    return Bound(given=(*given, normsq(subgrad(C, x[0])) >= 0), for_all=k >= 1, states=f(x[k]) - f(xstar) <= rate)


# -- operators ----------------------------------------------------------------------------------------------------------------


def halpern(rate, weight=1 / (k + 2)):
    update = Update(x[k + 1], weight * x[0] + (1 - weight) * T(x[k]))
    return Bound(given=(Nonexpansive(T), FixedPointOf(T), steps(update)), for_all=k >= 0, states=normsq(x[k] - T(x[k])) <= rate)


def averaged(rate):
    update = Update(x[k + 1], x[k] / 2 + T(x[k]) / 2)
    return Bound(given=(Nonexpansive(T), FixedPointOf(T), steps(update)), for_all=k >= 1, states=normsq(x[k] - T(x[k])) <= rate)


def proximal_point(rate, fact=None, left=None, first=2):
    given = (Monotone(A) if fact is None else fact, ZeroOf(A), steps(Update(x[k + 1], resolvent(A, eta[k], x[k]))))
    left = normsq(x[k] - x[k - 1]) if left is None else left
    return Bound(given=(*given, Follows(eta[i] == 2)), for_all=k >= first, states=left <= rate)


def other(name, n):
    return Point(name, as_index(n), "other")


def douglas_rachford(factor):
    method = Method(
        name="Douglas and Rachford",
        each=(
            Update(y[k], prox(h, eta[k], x[k])),
            Update(v[k], prox(f, eta[k], 2 * y[k] - x[k])),
            Update(x[k + 1], x[k] + v[k] - y[k]),
        ),
    )
    runs = Runs.from_starts({"": method, "other": method})
    given = (StronglyConvex, Smooth, Convex(h), runs, Follows(eta[i] == 1 / L))
    before = normsq(x[k - 1] - other("x", k - 1))
    return Bound(given=given, for_all=k >= 1, states=normsq(x[k] - other("x", k)) <= factor * before)


# -- chance, and free vectors -------------------------------------------------------------------------------------------------

variance = average(i, normsq(grad(f[i], xstar)))


def stochastic(rate, *more):
    given = (StronglyConvex, Smooth, steps(Update(x[k + 1], x[k] - eta[k] * grad(f[j[k]], x[k]))), Follows(eta[i] == 1 / L))
    return Bound(given=(*given, *more), for_all=k >= 1, states=E(normsq(x[k] - xstar)) <= rate)


def inexact(rate):
    error = Point("e", as_index(k), "", None, SLOPE)
    given = (StronglyConvex, Smooth, steps(Update(x[k + 1], x[k] - eta[k] * (grad(x[k]) + error)), free=(error,)))
    small = (norm(Point("e", as_index(i), "", None, SLOPE)) <= eps * norm(grad(x[i])), eps > 0, eps < 1)
    given = (*given, *small, Follows(eta[i] == 2 / (L + mu_f)))
    return Bound(given=given, for_all=k >= 1, states=f(x[k]) - f(xstar) <= rate, try_with={"eps": (Q(1, 10),)})


ONE_STEP = (1 - mu_f / L) ** 2 * E(normsq(x[k - 1] - xstar))
CONTRACTION = (1 / (1 + mu_f / L)) ** 2
TIGHT = {
    "proximal gradient": lambda s: proximal_gradient(s * L * Delta[0] / (4 * k)),
    "accelerated proximal gradient": lambda s: accelerated(s * 2 * L * Delta[0] / (k**2 + 5 * k + 2)),
    "Halpern": lambda s: halpern(s * 4 * Delta[0] / (k + 1) ** 2),
    "proximal point": lambda s: proximal_point(s * (1 - 1 / k) ** (k - 1) / k * Delta[0]),
    "Douglas and Rachford": lambda s: douglas_rachford(s * CONTRACTION),
    "projected gradient": lambda s: projected_gradient(s * L * Delta[0] / (4 * k)),
    "stochastic gradient": lambda s: stochastic(s * ONE_STEP, variance <= 0),
}
MISTAKES = {
    "half of the constant": lambda: proximal_gradient(L * Delta[0] / (8 * k)),
    "momentum off by one": lambda: accelerated(2 * L * Delta[0] / (k**2 + 5 * k + 2), momentum=(k + 1) / (k + 2)),
    "a prox with half of the step": lambda: proximal_gradient(
        L * Delta[0] / (4 * k), to=prox(h, eta[k] / 2, x[k] - eta[k] * grad(x[k]))
    ),
    "a resolvent taken for a projection": lambda: proximal_point(0 * Delta[0], left=normsq(x[k] - x[k - 1])),
    "the variance is missing": lambda: stochastic(ONE_STEP),
    "a contraction without strong monotonicity": lambda: proximal_point(Delta[0] / 2, left=normsq(x[k] - xstar), first=1),
    "weights off by one": lambda: halpern(4 * Delta[0] / (k + 1) ** 2, weight=1 / (k + 3)),
    "averages at the rate of Halpern": lambda: averaged(4 * Delta[0] / (k + 1) ** 2),
    "a step above 2/L": lambda: proximal_gradient(L * Delta[0] / 4, step=Q(9, 4) / L),
    "a quarter of Frank and Wolfe": lambda: frank_wolfe(L * D**2 / (2 * (k + 2))),
    "the error is forgotten": lambda: inexact(((L - mu_f) / (L + mu_f)) ** 2 * (f(x[k - 1]) - f(xstar))),
}
