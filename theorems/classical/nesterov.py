"""Nesterov's accelerated gradient method: y_k = x_k + momentum (x_k - x_{k-1}), and x_{k+1} is a gradient step from y_k."""

from dataclasses import replace

from boundcheck import Bound, By, Convex, Instance, Method, Smooth, StronglyConvex, Update
from boundcheck.letters import NONE, Delta, L, Numbers, Scalar, as_scalar, delta, eta, grad, k, mu_f, sqrt, x, y
from boundcheck.theorems.classical.notation import ONE_OVER_L
from boundcheck.theorems.classical.sources import BECK_TEBOULLE_2009, NESTEROV_2004, SU_BOYD_CANDES_2016


def nesterov(name: str, momentum: Scalar) -> Method:
    return Method(
        name=name,
        kind="accelerated",
        first=(Update(y[0], x[0]),),
        each=(Update(y[k], x[k] + momentum * (x[k] - x[k - 1])), Update(x[k + 1], y[k] - eta[k] * grad(y[k]))),
    )


# f is a line for nearly all of the way: x_k has come as far as the momentum allows, about k^2 / 8 steps
DOWN_A_SLOPE = Instance(problem="sharp-huber", method="1/L", steps=110)
rate = delta[k] <= 2 * L * Delta[0] / (k + 1) ** 2

simple_momentum = Bound(
    source=SU_BOYD_CANDES_2016.at("nesterov.rate", "Theorem 6"),
    title="Nesterov's method with momentum (k - 1) / (k + 2), r = 3 in the theorem, and steps 1/L",
    given=(Convex, Smooth, By(nesterov("Nesterov's method", (k - 1) / (k + 2))), ONE_OVER_L),
    states=rate,
    for_all=k >= 1,
    try_on=(DOWN_A_SLOPE,),
)

t = Numbers("t", NONE)  # t[k] is the paper's t_{k+1}
FISTA = Method(
    name="FISTA without its proximal step",
    kind="accelerated",
    first=(Update(t[0], as_scalar(1)), Update(y[0], x[0])),
    each=(
        Update(t[k], (1 + sqrt(1 + 4 * t[k - 1] ** 2)) / 2),
        Update(y[k], x[k] + (t[k - 1] - 1) / t[k] * (x[k] - x[k - 1])),
        Update(x[k + 1], y[k] - eta[k] * grad(y[k])),
    ),
)

fista = Bound(
    source=BECK_TEBOULLE_2009.at("fista.rate", "Theorem 4.4"),
    title="FISTA with the constant step 1/L, on a smooth convex function alone",
    given=(Convex, Smooth, By(FISTA), ONE_OVER_L),
    states=rate,
    for_all=k >= 1,
    try_on=(replace(DOWN_A_SLOPE, arithmetic="auto"),),  # its momentum has square roots
)

q = sqrt(mu_f / L)

strongly_convex = Bound(
    source=NESTEROV_2004.at("nesterov.strongly-convex", "Theorem 2.2.3"),
    title="Nesterov's constant step scheme III, which has alpha_0 = sqrt(mu / L): the gap contracts by 1 - sqrt(mu / L)",
    given=(StronglyConvex, Smooth, By(nesterov("constant step scheme III", (1 - q) / (1 + q))), ONE_OVER_L),
    states=delta[k] <= (1 - q) ** k * (delta[0] + mu_f / 2 * Delta[0]),
    loose_because="it comes near equality only where three scales meet, mu << lambda << L (0.98 on a quadratic with curvatures "
    "1, 100 and 10000 from (0, 1, 0)), and no problem of the catalogue has them",
)
