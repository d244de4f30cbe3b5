"""Exact searches: along the gradient, along an inexact gradient, over the span of all gradients (conjugate gradients).

What a search leaves is stated by what it makes orthogonal: the next gradient, to the direction and to the step that is made.
"""

from boundcheck import Bound, By, Convex, Follows, Method, Parameter, QuadraticGrowth, Smooth, StronglyConvex, Update
from boundcheck.letters import (
    NONE,
    SLOPE,
    Delta,
    L,
    Max,
    Numbers,
    Points,
    as_scalar,
    delta,
    eta,
    grad,
    i,
    inner,
    j,
    k,
    mu_f,
    normsq,
    sqrt,
    x,
)
from boundcheck.theorems.performance_estimation.notation import paper
from boundcheck.theorems.performance_estimation.sources import (
    DE_KLERK_GLINEUR_TAYLOR_2017,
    DRORI_TAYLOR_2020,
    GOUJAUD_TAYLOR_DIEULEVEUT_2022,
)

s = Points("s")  # the step that a search makes
g = Points("g", dimension=SLOPE)  # an inexact gradient
eps = Parameter("eps", latex=r"\varepsilon")
L_eps, mu_eps = (1 + eps) * L, (1 - eps) * mu_f
contraction = (L - mu_f) / (L + mu_f)
inexact_contraction = (L_eps - mu_eps) / (L_eps + mu_eps)
INEXACT = (eps >= 0, eps < 1, normsq(g[i] - grad(x[i])) <= eps**2 * normsq(grad(x[i])))
SEARCH = Method(name="a search", each=(Update(x[k + 1], x[k] - s[k]),), free=(s[k],))
NOTHING_LEFT = inner(grad(x[i + 1]), s[i]) == 0  # on the line from x_i through x_{i+1}

exact_line_search = Bound(
    source=DE_KLERK_GLINEUR_TAYLOR_2017.at("gradient_exact_line_search", "Theorem 1.2"),
    title="gradient descent with exact line search: the gap contracts by ((L - mu) / (L + mu))^2",
    given=(StronglyConvex, Smooth, By(SEARCH), NOTHING_LEFT, inner(grad(x[i + 1]), grad(x[i])) == 0),
    for_all=k >= 1,
    states=delta[k] <= (contraction**2) ** k * delta[0],
)

# -- inexact gradients ---------------------------------------------------------------------------------------------------

DE_KLERK_GLINEUR_TAYLOR_2020 = paper(
    "Worst-case convergence analysis of inexact gradient and Newton methods through semidefinite programming performance "
    "estimation",
    "Etienne de Klerk, François Glineur, Adrien B. Taylor",
    2020,
)
inexact_gradient = Bound(
    source=DE_KLERK_GLINEUR_TAYLOR_2020.at("inexact_gradient_descent", "Theorem 5.3"),
    title="gradient descent with gradients that are off by at most eps |grad f(x)|, and the best constant step for these",
    given=(
        StronglyConvex,
        Smooth,
        By(Method(name="inexact gradient descent", each=(Update(x[k + 1], x[k] - eta[k] * g[k]),), free=(g[k],))),
        *INEXACT,
        Follows(eta[i] == 2 / (L_eps + mu_eps)),
    ),
    for_all=k >= 1,
    states=delta[k] <= (inexact_contraction**2) ** k * delta[0],
    try_with={"eps": (0.1, 0.5)},
)

inexact_line_search = Bound(
    source=DE_KLERK_GLINEUR_TAYLOR_2017.at("inexact_gradient_exact_line_search", "Theorem 5.1"),
    title="exact line search along gradients that are off by at most eps |grad f(x)|",
    given=(
        StronglyConvex,
        Smooth,
        By(Method(name="a search along g", each=(Update(x[k + 1], x[k] - s[k]),), free=(s[k], g[k]))),
        *INEXACT,
        NOTHING_LEFT,
        inner(grad(x[i + 1]), g[i]) == 0,
    ),
    for_all=k >= 1,
    states=delta[k] <= (inexact_contraction**2) ** k * delta[0],
    try_with={"eps": (0.1, 0.5)},
)

# -- conjugate gradients: x_{k+1} minimises f over x_0 and the span of the gradients at x_0, ..., x_k --------------------

theta, phi = Numbers("theta", NONE), Numbers("phi", NONE)
NO_SPAN = "a run has no search over the span of its gradients: `boundcheck tightness` gives the worst case"
OVER_THE_SPAN = (
    Max(abs(inner(grad(x[i + 1]), grad(x[j]))), j, 0, i) <= 0,
    Max(abs(inner(grad(x[i + 1]), s[j])), j, 0, i) <= 0,
)
CONJUGATE_GRADIENTS = Method(
    name="a search over the span",
    first=(Update(theta[0], as_scalar(1)), Update(phi[0], as_scalar(1))),
    each=(
        Update(x[k + 1], x[k] - s[k]),
        Update(phi[k + 1], (1 + sqrt(8 * theta[k] ** 2 + 1)) / 2),  # of the last step
        Update(theta[k + 1], (1 + sqrt(4 * theta[k] ** 2 + 1)) / 2),
    ),
    free=(s[k],),
)

conjugate_gradients = Bound(
    source=DRORI_TAYLOR_2020.at("conjugate_gradient", "Corollary 6"),
    title="searches over the span of all gradients on a smooth convex function: no method is better",
    given=(Convex, Smooth, By(CONJUGATE_GRADIENTS), *OVER_THE_SPAN),
    for_all=k >= 1,
    states=delta[k] <= L / (2 * phi[k] ** 2) * Delta[0],
    untested=NO_SPAN,
)

conjugate_gradients_bounded_above = Bound(
    source=GOUJAUD_TAYLOR_DIEULEVEUT_2022.at("conjugate_gradient_qg_convex", "Theorem 2.4"),
    title="searches over the span of all gradients on a convex function with a quadratic upper bound",
    given=(Convex, QuadraticGrowth, By(SEARCH), *OVER_THE_SPAN),
    for_all=k >= 1,
    states=delta[k] <= L / (2 * (k + 1)) * Delta[0],
    untested=NO_SPAN,
)
