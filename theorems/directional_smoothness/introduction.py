"""Section 1, Introduction: what it says of gradient descent and of M(x_{k+1}, x_k), in the order of arguments printed there.

The order matters: A and H are not symmetric, and Section 2 defines M(x, y) as the smoothness seen from x.
"""

from fractions import Fraction

from boundcheck import (
    Bound,
    Convex,
    Differentiable,
    Follows,
    GradientDescent,
    Instance,
    IsQuadratic,
    Once,
    Parameter,
    Smooth,
    StronglyConvex,
)
from boundcheck.letters import (
    CURVATURE,
    M_,
    A,
    Delta,
    Dimension,
    H,
    L,
    M,
    Min,
    Sum,
    delta,
    eta,
    f,
    gap,
    grad,
    i,
    inner,
    k,
    log,
    mu_f,
    norm,
    normsq,
    x,
    xstar,
)
from boundcheck.theorems.directional_smoothness.notation import (
    BETWEEN_1_AND_2,
    CONVEX_GD,
    CONVEX_POLYAK,
    PAPER,
    any_x,
    any_y,
    gamma,
)

c_of_gamma = gamma / ((2 - gamma) * (gamma - 1))  # of thm:polyak

smoothness_gives_a_quadratic = Bound(
    source=PAPER.at("sec:introduction.quadratic", "1"),
    title="an L-Lipschitz gradient bounds f by a quadratic, convex or not",
    given=(Differentiable, Smooth),
    states=f(any_y) <= f(any_x) + inner(grad(any_x), any_y - any_x) + L / 2 * normsq(any_y - any_x),
)

steps_below_2_over_L_descend = Bound(
    source=PAPER.at("sec:introduction.below-2-over-L", "1"),
    added=(r"$\nabla f(x_k) \neq 0$: at a stationary point nothing decreases",),
    title="steps below 2/L decrease the gap at each iteration, convex or not",
    given=(Differentiable, Smooth, GradientDescent(), eta[i] < 2 / L, normsq(grad(x[i])) > 0),
    states=gap(x[k + 1]) < gap(x[k]),
)

# -- eq:quadratic-bound: M(x_{k+1}, x_k), against M(x_k, x_{k+1}) -------------------------------------------------------

linearised = f(x[k]) + inner(grad(x[k]), x[k + 1] - x[k])

quadratic_bound = Bound(
    source=PAPER.at("eq:quadratic-bound", "1"),
    added=(r"that $M$ is a directional smoothness function as Section 2 defines it, with its order of arguments",),
    title="a quadratic bound on the next value, with the M of Section 2 in the order printed here, M(x_{k+1}, x_k)",
    given=CONVEX_GD,
    states=f(x[k + 1]) <= linearised + M(x[k + 1], x[k]) / 2 * normsq(x[k + 1] - x[k]),
    refuted_by=Instance(problem="flat-bottom", method="3/(2L)", steps=1, smoothness="A"),
)

quadratic_bound_proved = quadratic_bound.as_proved(
    because="the smoothness must be seen from x_k, where the gradient is: M(x_k, x_{k+1}); only D and L are symmetric",
    states=f(x[k + 1]) <= linearised + M_[k] / 2 * normsq(x[k + 1] - x[k]),
    proof_sketch=(
        r"A directional smoothness function bounds $f(y)$ by its linearisation at $x$ and $M(x, y)$, in this order "
        r"[def:directional-smoothness-function].",
        r"Take $x = x_k$, where the gradient is taken, and $y = x_{k+1}$.",
    ),
)

# -- what the contributions say -----------------------------------------------------------------------------------------

tighter_than_classical = Bound(
    source=PAPER.at("fig:rate-comparison.tighter", "1"),
    added=(
        r"every convex and $L$-smooth $f$: the caption speaks of two data sets",
        r"the constant of the classical rate, $2 L \Delta_0 / k$, from Appendix E",
    ),
    title="the rate of strongly adapted steps is below the classical 2 L Delta_0 / k for the same number of steps",
    given=(*CONVEX_GD, Smooth, Follows(eta[i] == 1 / M_[i])),
    smoothness=("D", "A", "H"),
    states=Delta[0] / (2 * Sum(1 / M_[i], i, 0, k)) <= 2 * L * Delta[0] / (k + 1),
    loose_because="every M here is at most 2L, so that the left side is at most L Delta_0 / (k + 1), half of the right side",
)

tighter_than_textbook = Bound(
    source=PAPER.at("fig:rate-comparison.tighter", "1"),
    reading="textbook-constant",
    title="the rate of strongly adapted steps against the textbook L Delta_0 / (2k), which the paper does not compare with",
    given=(*CONVEX_GD, Smooth, Follows(eta[i] == 1 / M_[i])),
    smoothness=("D", "A", "H"),
    states=Delta[0] / (2 * Sum(1 / M_[i], i, 0, k)) <= L * Delta[0] / (2 * (k + 1)),
    refuted_by=Instance(problem="parabola", method="dai-yang", steps=2, smoothness="D"),
)

tighter_than_textbook_proved = tighter_than_textbook.as_proved(
    because="D may be as large as 2L, on isotropic quadratics (Section 2 says so), which costs a factor of two; A and H are at "
    "most L",
    smoothness=("A", "H"),
    try_on=(Instance(problem="quadratic-4-5", method="cauchy", steps=4),),
    proof_sketch=(
        r"On an $L$-smooth $f$, $A$ and $H$ are at most $L$ [thm:polyak.M-at-most-L].",
        r"So each $1 / M_i$ is at least $1 / L$, their sum over $i = 0, \ldots, k$ is at least $(k + 1) / L$, "
        r"and $\Delta_0 / (2 \sum_{i=0}^k 1 / M_i) \leq L \Delta_0 / (2 (k + 1))$.",
    ),
)

# -- the other half of Figure 1: Polyak's step. c(gamma) is least, 3 + 2 sqrt(2), at gamma = sqrt(2); at 3/2 it is 6 ------------

polyak_rate = c_of_gamma * Delta[0] / (2 * Sum(1 / M_[i], i, 0, k - 1))

polyak_tighter = Bound(
    source=PAPER.at("fig:rate-comparison.polyak", "1"),
    title="on two logistic regressions, the rate of Polyak's step by directional smoothness was seen below the classical "
    "2 L Delta_0 / k",
    given=(*CONVEX_POLYAK, Smooth, 1 < gamma, gamma < 2),
    smoothness=("D",),
    states=polyak_rate <= 2 * L * Delta[0] / k,
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
    quantifier="for the two data sets and the starts of the figure, and the $k$ that it shows",
    untested="it reports two runs from random starts, which are not given",
)

polyak_tighter_for_every_f = Bound(
    source=PAPER.at("fig:rate-comparison.polyak", "1"),
    reading="for-every-f",
    title="read as a statement about every f: the rate of Polyak's step by directional smoothness is below 2 L Delta_0 / k",
    because="c(gamma) / 2 is at least 3/2 + sqrt(2) > 2 for every gamma: where M_i is L, as on x^2 / 2, the rate of thm:polyak "
    "is the looser one",
    given=(*CONVEX_POLYAK, Smooth, 1 < gamma, gamma < 2),
    smoothness=("D", "A", "H"),
    states=polyak_rate <= 2 * L * Delta[0] / k,
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
    refuted_by=Instance(
        problem="half-square", method="polyak(3/2)", steps=1, smoothness="H", parameters={"gamma": Fraction(3, 2)}
    ),
)

polyak_tighter_proved = polyak_tighter_for_every_f.as_proved(
    because="it is tighter where the M_i are small against L: at most 2/3 of it, with gamma = 3/2",
    title="where M_i is at most 2L/3, the rate of Polyak's step with gamma = 3/2 is below the classical 2 L Delta_0 / k",
    given=(*CONVEX_POLYAK, Smooth, gamma == Fraction(3, 2), M_[i] <= Fraction(2, 3) * L),
    try_with={"gamma": (Fraction(3, 2),)},
    proof_sketch=(
        r"$c(3/2) = (3/2) / ((1/2)(1/2)) = 6$, so the rate is $3 \Delta_0 / \sum_{i=0}^{k-1} 1 / M_i$.",
        r"Each $1 / M_i$ is at least $3 / (2L)$, so the sum is at least $3k / (2L)$ and the rate at most $2 L \Delta_0 / k$.",
    ),
)

hessian_times_gradient = L * grad(xstar + grad(x[k]) / L)  # B g: the gradient of a quadratic is B (x - x*)
rayleigh_quotient = inner(grad(x[k]), hessian_times_gradient) / normsq(grad(x[k]))

rayleigh = Bound(
    source=PAPER.at("sec:introduction.rayleigh", "1"),
    added=(r"$M = A$: for it the sentence comes nearest to the truth; the step of $D$ is another",),
    title="on quadratics the step eta = 1 / A is the Rayleigh quotient of the gradient",
    given=(IsQuadratic, GradientDescent(), Follows(eta[i] == 1 / A(x[i + 1], x[i]))),
    states=eta[k] == rayleigh_quotient,
    refuted_by=Instance(problem="parabola", method="cauchy", steps=1),
)

rayleigh_proved = rayleigh.as_proved(
    because="it is the inverse of the Rayleigh quotient: a quotient is a curvature, a step is one over a curvature",
    states=eta[k] == 1 / rayleigh_quotient,
    proof_sketch=(
        r"With $g = \nabla f(x_k)$ and $x_{k+1} = x_k - \eta_k g$, the gradient of $f(x) = x^\top B x / 2 - c^\top x$ changes "
        r"by $-\eta_k B g$.",
        r"So each quotient in the definition of $A(x_{k+1}, x_k)$ is $g^\top B g / g^\top g$, whatever $t$ and $\eta_k$ are "
        r"[lemma:quadratic-pathwise-direction-smoothness.chord], and the solution of $\eta_k = 1 / A$ is "
        r"$g^\top g / g^\top B g$.",
    ),
)

# -- what Polyak's step has and constant steps have not ------------------------------------------------------------------

best_gap = Min(delta[i], i, 0, k)

constant_steps_do_not_adapt = Bound(
    source=PAPER.at("sec:introduction.constant-step", "1"),
    title="gradient descent with a constant step does not have the rate of Polyak's step: on isotropic quadratics, after k "
    "short steps, the best gap is above 3 Delta_0 / (1/M_0 + ... + 1/M_{k-1}), thm:polyak at gamma = 3/2",
    given=(
        Convex,
        Smooth,
        StronglyConvex,
        mu_f == L,
        GradientDescent(),
        Follows(eta[i] == eta[0]),
        Once(10 * k * eta[0] * L <= 1),
    ),
    states=best_gap > 3 * Delta[0] / Sum(1 / M_[i], i, 0, k - 1),
    smoothness=("A", "H", "L"),
    for_all=k >= 8,
    quantifier="there are a convex $f$ and a constant step such that, for some $k$,",
    added=(
        r"which $f$, step and $k$: isotropic quadratics, $\eta \leq 1 / (10 k L)$ and $k \geq 8$; the paper names none",
        r"what the property is: the rate of thm:polyak with $\gamma = 3/2$ for the best iterate",
    ),
    try_on=tuple(
        Instance(problem=name, method=f"constant({step})", steps=8, smoothness=kind)
        for name, step in (("half-square", "1/80"), ("parabola", "1/160"), ("isotropic-3d", "1/240"))
        for kind in ("A", "H", "L")
    ),
    loose_because="(1 - 2 k eta L) / 2 is at least 2/5 and 3/k at most 3/8: right over left is at most 15/16",
    proof_sketch=(
        r"There $x_{i+1} - x_* = (1 - \eta L)(x_i - x_*)$ and $M_i = L$, so the best gap is "
        r"$\delta_k = (1 - \eta L)^{2k} L \Delta_0 / 2$, "
        r"at least $(1 - 2 k \eta L) L \Delta_0 / 2 \geq (2/5) L \Delta_0$ by Bernoulli's inequality.",
        r"The right side is $3 L \Delta_0 / k \leq (3/8) L \Delta_0$ for $k \geq 8$.",
    ),
)

# -- Section 1.1: what is said of other people's assumptions -----------------------------------------------------------------

error_bound = Bound(
    source=PAPER.at("sec:related-work.error-bounds", "1.1"),
    title="directional smoothness implies error bounds of Hoelder's type: f(x) - f* is at most M(x*, x) |x - x*|^2 / 2",
    given=CONVEX_GD,
    states=delta[k] <= M(xstar, x[k]) / 2 * Delta[k],
    added=(r"which bound: the exponent 2 and the factor $M(x_*, x) / 2$; the paper writes none",),
)

PER_LENGTH = Dimension(Fraction(0), Fraction(-1))
L0, L1 = Parameter("L0", CURVATURE, "L_0"), Parameter("L1", PER_LENGTH, "L_1")

bounded_by_the_gradient = Bound(
    source=PAPER.at("sec:related-work.L0-L1", "1.1"),
    title="(L_0, L_1)-smoothness is a directional smoothness function that grows exponentially with the distance: "
    "H(x, y) is at most (L_0 + L_1 |grad f(x)|) exp(L_1 |x - y|)",
    given=(Differentiable, L0 > 0, L1 > 0),
    states=log(H(any_x, any_y) / (L0 + L1 * norm(grad(any_x)))) <= L1 * norm(any_x - any_y),
    try_with={"L0": (1,), "L1": (1,)},
    quantifier=r"for every $f$ with $\|\nabla^2 f(u)\|_2 \leq L_0 + L_1 \|\nabla f(u)\|_2$ at all $u$, and for all $x$ and $y$",
    added=(r"the function, $(L_0 + L_1 \|\nabla f(x)\|_2) e^{L_1 \|x - y\|_2}$, which the paper does not write",),
    untested="its hypothesis, that the norm of the Hessian is at most L_0 + L_1 |grad f| at every point, is no fact that a "
    "problem of the library declares",
    proof_sketch=(
        r"Let $d = \|y - x\|_2$, $u(s) = x + s (y - x) / d$ and $q(s) = L_0 + L_1 \|\nabla f(u(s))\|_2$. Since "
        r"$\|\nabla^2 f\| \leq L_0 + L_1 \|\nabla f\|$, "
        r"$q(s) \leq q(0) + L_1 \int_0^s q$, and Gronwall's inequality gives $q(s) \leq q(0) e^{L_1 s} \leq q(0) e^{L_1 d}$.",
        r"So the Hessian on the chord is at most $C = (L_0 + L_1 \|\nabla f(x)\|_2) e^{L_1 d}$ in norm, and by Taylor's formula "
        r"$|f(y) - f(x) - \langle \nabla f(x), y - x \rangle| \leq C d^2 / 2$, which is $H(x, y) \leq C$.",
    ),
)
