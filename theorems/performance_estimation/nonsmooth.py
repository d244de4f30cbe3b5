"""Functions that need not be differentiable: subgradient methods, with errors too, and proximal point methods."""

from boundcheck import Bound, By, Constant, Convex, Follows, GradientDescent, Lipschitz, Method, Once, Parameter, Update
from boundcheck.letters import (
    CURVATURE,
    LENGTH,
    NONE,
    SLOPE,
    VALUE,
    Delta,
    K,
    Min,
    Numbers,
    Points,
    Sum,
    delta,
    eta,
    f,
    grad,
    i,
    inner,
    j,
    k,
    normsq,
    prox,
    sqrt,
    v,
    x,
    y,
)
from boundcheck.theorems.performance_estimation.notation import UPPER_BOUND, paper
from boundcheck.theorems.performance_estimation.sources import TAYLOR_HENDRICKX_GLINEUR_2017

M = Constant("M", SLOPE)
R = Parameter("R", LENGTH)

# -- subgradient methods -------------------------------------------------------------------------------------------------

NESTEROV_2003 = paper("Introductory lectures on convex optimization: A basic course", "Yurii Nesterov", 2003)
subgradient_method = Bound(
    source=NESTEROV_2003.at("subgradient_method", "3.2.3"),
    title="the subgradient method with the best constant step for K steps: the least gap of x_0, ..., x_K",
    given=(
        Convex,
        Lipschitz,
        GradientDescent(),
        R > 0,
        Delta[0] <= R**2,
        Follows(eta[i] == R / (M * sqrt(K + 1))),
    ),
    for_all=K >= 1,
    states=Min(delta[j], j, 0, K) <= M * R / sqrt(K + 1),
    try_with={"R": (1, 3)},
)

MILLAN_MACHADO_2019 = paper(
    "Inexact proximal epsilon-subgradient methods for composite convex optimization problems",
    "Reinier Díaz Millán, Majela Pentón Machado",
    2019,
)
eps = Parameter("eps", VALUE, latex=r"\varepsilon")
w = Points("w")  # the subgradient at w_k is an eps-subgradient at x_k
STEP = Method(name="the epsilon-subgradient method", each=(Update(x[k + 1], x[k] - eta[k] * grad(w[k])),), free=(w[k],))
epsilon_subgradient_method = Bound(
    source=MILLAN_MACHADO_2019.at("epsilon_subgradient_method", "Lemma 2"),
    title="the epsilon-subgradient method with a constant step: the least gap of x_0, ..., x_k",
    given=(
        Convex,
        By(STEP),
        f(x[i]) - f(w[i]) - inner(grad(w[i]), x[i] - w[i]) <= eps,
        normsq(grad(w[i])) <= M**2,
        Once(normsq(grad(x[k])) <= M**2),
        Follows(eta[i] == eta[0]),
        eps >= 0,
        R > 0,
        Delta[0] <= R**2,
    ),
    for_all=k >= 1,
    states=Min(delta[j], j, 0, k) <= (R**2 + 2 * (k + 1) * eta[0] * eps + (k + 1) * eta[0] ** 2 * M**2) / (2 * (k + 1) * eta[0]),
    try_with={"eps": (0.1, 1), "R": (1, 3)},
    loose_because=UPPER_BOUND,
)

# -- proximal point methods ----------------------------------------------------------------------------------------------

proximal_point = Bound(
    source=TAYLOR_HENDRICKX_GLINEUR_2017.at("proximal_point", "Theorem 4.1"),
    title="the proximal point method with a constant step: the gap, exactly",
    given=(
        Convex,
        By(Method(name="the proximal point method", each=(Update(x[k + 1], prox(f, eta[k], x[k])),))),
        Follows(eta[i] == eta[0]),
    ),
    for_all=k >= 1,
    states=delta[k] <= Delta[0] / (4 * eta[0] * k),
)

GULER_1992 = paper("New proximal point algorithms for convex minimization", "Osman Güler", 1992)
A, alpha = Numbers("A", CURVATURE), Numbers("alpha", NONE)
A_0 = Parameter("A_0", CURVATURE)
FAST = Method(
    name="the accelerated proximal point method",
    first=(Update(A[0], A_0), Update(v[0], x[0])),
    each=(
        Update(alpha[k], (sqrt((A[k] * eta[k]) ** 2 + 4 * A[k] * eta[k]) - A[k] * eta[k]) / 2),
        Update(y[k], (1 - alpha[k]) * x[k] + alpha[k] * v[k]),
        Update(x[k + 1], prox(f, eta[k], y[k])),
        Update(v[k + 1], v[k] + 1 / alpha[k] * (x[k + 1] - y[k])),
        Update(A[k + 1], (1 - alpha[k]) * A[k]),
    ),
)
accelerated_proximal_point = Bound(
    source=GULER_1992.at("accelerated_proximal_point", "Theorem 2.3"),
    title="the accelerated proximal point method with any steps",
    given=(Convex, By(FAST), A_0 > 0),
    for_all=k >= 1,
    states=delta[k] <= 4 / (A_0 * Sum(sqrt(eta[j]), j, 0, k - 1) ** 2) * (delta[0] + A_0 / 2 * Delta[0]),
    try_with={"A_0": (5, 1)},
    loose_because=UPPER_BOUND,
)
