"""Functions that need not be convex: gradient descent, with Lojasiewicz's inequality too, and the difference-of-convex algorithm.

PEPit prints the rate 4 L / (3 k) of gradient descent for every step up to 1/L. It is that of the step 1/L: with short steps the
gradients hardly change while f hardly decreases.
"""

from dataclasses import replace
from fractions import Fraction

from boundcheck import (
    AtEachStep,
    Bound,
    By,
    Constant,
    Follows,
    GradientDescent,
    Instance,
    Method,
    Minimises,
    Once,
    Parameter,
    PolyakLojasiewicz,
    Smooth,
    StronglyConvex,
    Update,
)
from boundcheck.letters import (
    CURVATURE,
    STEP,
    Function,
    L,
    Min,
    delta,
    equal,
    eta,
    f,
    grad,
    i,
    k,
    mu_f,
    normsq,
    sqrt,
    x,
    xstar,
)
from boundcheck.theorems.performance_estimation.notation import paper

# -- gradient descent ----------------------------------------------------------------------------------------

TAYLOR = paper(
    "Convex interpolation and performance estimation of first-order methods for convex optimization", "Adrien B. Taylor", 2017
)
gamma = Parameter("gamma", STEP)

gradient_descent = Bound(
    source=TAYLOR.at("nonconvex/gradient_descent", "page 190"),
    title="gradient descent with a constant step up to 1/L: the smallest gradient, by the decrease",
    given=(Smooth, GradientDescent(), Follows(eta[i] == gamma), gamma > 0, gamma * L <= 1),
    for_all=k >= 1,
    states=Min(normsq(grad(x[i])), i, 0, k) <= 4 * L / (3 * k) * (f(x[0]) - f(x[k])),
    try_with={"gamma": (1,)},
    refuted_by=Instance(problem="huber", method="1/(2L)", steps=1, parameters={"gamma": Fraction(1, 2)}),
)

gradient_descent_proved = gradient_descent.as_proved(
    because="where f is a line, f decreases by gamma |grad f|^2 a step: for gamma < 3 / (4 L) that is too little",
    given=(Smooth, GradientDescent(), Follows(eta[i] == 1 / L)),
)

# -- Lojasiewicz's inequality --------------------------------------------------------------------------------

LINEAR_CONVERGENCE = paper(
    "Conditions for linear convergence of the gradient method for non-convex optimization",
    "Hadi Abbaszadehpeivasti, Etienne de Klerk, Moslem Zamani",
    2023,
)
LOJASIEWICZ = (Smooth, PolyakLojasiewicz, GradientDescent(), Follows(eta[i] == gamma), gamma > 0)
radicand = 4 * L**2 - 2 * L * (L + mu_f) * (2 - L * gamma) * mu_f * gamma
short_rate = ((mu_f * (1 - L * gamma) + sqrt(radicand)) / (2 * L + mu_f)) ** 2
middle_rate = 1 - mu_f * gamma * (4 - L**2 * gamma**2) / (2 + mu_f * gamma)
overshoot = (L * gamma - 1) ** 2
long_rate = overshoot / (overshoot + mu_f * gamma * (2 - L * gamma))

naive_short = Bound(
    source=LINEAR_CONVERGENCE.at("gradient_descent_quadratic_lojasiewicz_naive", "Theorem 3"),
    title="gradient descent with a constant step up to 1/L, under Lojasiewicz's inequality",
    given=(*LOJASIEWICZ, gamma * L <= 1),
    for_all=k >= 1,
    states=delta[k] <= short_rate**k * delta[0],
    try_with={"gamma": (1, Fraction(1, 2))},
)
naive_middle = replace(
    naive_short,
    source=LINEAR_CONVERGENCE.at("gradient_descent_quadratic_lojasiewicz_naive.middle", "Theorem 3"),
    title="gradient descent with a constant step from 1/L to sqrt(3)/L, under Lojasiewicz's inequality",
    given=(*LOJASIEWICZ, gamma * L >= 1, gamma**2 * L**2 <= 3),
    states=delta[k] <= middle_rate**k * delta[0],
    try_with={"gamma": (1, Fraction(3, 2))},
)
naive_long = replace(
    naive_short,
    source=LINEAR_CONVERGENCE.at("gradient_descent_quadratic_lojasiewicz_naive.long", "Theorem 3"),
    title="gradient descent with a constant step from sqrt(3)/L to 2/L, under Lojasiewicz's inequality",
    given=(*LOJASIEWICZ, gamma**2 * L**2 >= 3, gamma * L < 2),
    states=delta[k] <= long_rate**k * delta[0],
    try_with={"gamma": (Fraction(9, 5), Fraction(7, 4))},
)


def described(claim: Bound, how: str) -> Bound:
    """The same theorem: another example, where the class is known by sharper inequalities."""
    source = claim.source
    return replace(claim, source=replace(source, label=source.label.replace("naive", how)))


intermediate_short, intermediate_middle, intermediate_long = (
    described(claim, "intermediate") for claim in (naive_short, naive_middle, naive_long)
)
expensive_short, expensive_middle, expensive_long = (
    described(claim, "expensive") for claim in (naive_short, naive_middle, naive_long)
)

# -- differences of convex functions -------------------------------------------------------------------------

DCA = paper(
    "On the rate of convergence of the difference-of-convex algorithm (DCA)",
    "Hadi Abbaszadehpeivasti, Etienne de Klerk, Moslem Zamani",
    2021,
)
f1, f2 = Function("f_1"), Function("f_2")
L1, L2 = Constant("L_1", CURVATURE), Constant("L_2", CURVATURE)
mu1, mu2 = Constant("mu_1", CURVATURE, r"\mu_1"), Constant("mu_2", CURVATURE, r"\mu_2")
F = f1 - f2
CONVEX_CONCAVE = Method(
    name="difference-of-convex algorithm", each=(Update(x[k + 1], such_that=equal(grad(f1, x[k + 1]), grad(f2, x[k]))),)
)
# F is (L_1 - mu_2)-smooth from above, so that a gradient step from any point ends no lower than its minimum
no_lower = F(xstar) <= F(x[i]) - normsq(grad(F, x[i])) / (2 * (L1 - mu2))
DIFFERENCE = (
    StronglyConvex.of(f1, mu=mu1),
    Smooth.of(f1, L=L1),
    StronglyConvex.of(f2, mu=mu2),
    Smooth.of(f2, L=L2),
    Minimises(F),
    AtEachStep(no_lower),
    By(CONVEX_CONCAVE),
    Once(L1 > mu2),
)
smallest, gap = Min(normsq(grad(F, x[i])), i, 0, k), F(x[0]) - F(xstar)

dca = Bound(
    source=DCA.at("difference_of_convex_algorithm", "Theorem 3"),
    title="difference-of-convex algorithm where L_1 >= L_2: the smallest gradient, by the gap at the start",
    given=(*DIFFERENCE, Once(L1 >= L2)),
    for_all=k >= 1,
    states=smallest <= 2 * (L1 * L2 - mu1 * L2) / ((L1 + L2 + mu1 * (L1 / L2 - 3)) * k + (L1 * L2 - mu1 * L2) / (L1 - mu2)) * gap,
)
dca_flat = Bound(
    source=DCA.at("difference_of_convex_algorithm.smaller", "Theorem 3"),
    title="difference-of-convex algorithm where L_1 < L_2: the smallest gradient, by the gap at the start",
    given=(*DIFFERENCE, Once(L1 < L2)),
    for_all=k >= 1,
    states=smallest <= 2 * (L1 * L2 - mu2 * L1) / ((L1 + L2 + mu2 * (L2 / L1 - 3)) * k + (L1 * L2 - mu2 * L1) / (L1 - mu2)) * gap,
)
