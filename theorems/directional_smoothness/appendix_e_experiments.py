"""Appendix E, Experimental Details: the Hessian of logistic regression, its L, and the classical bounds.

The Hessian is A' Diag(w) A. As printed w = 1 / (sigma(-z) + 2 + sigma(z)) with sigma(z) = 1 / (1 + exp(z)), z = y <a, x>: but
sigma(-z) + sigma(z) = 1, so this is 1/3 whatever x is. The weight is 1 / (exp(-z) + 2 + exp(z)). Claims about the Hessian itself
are made where there is one feature, 1 in two samples, one with each label: A'A (`gram`) is a number, f' tends to a `slope` far
away, f' / slope = tanh(z / 2), and 1 / (exp(-z) + 2 + exp(z)) = (1 - tanh(z/2)^2) / 4. mu(x, y) and A(x, y) are the least and the
largest secant slope of f' from x on towards y, and f''(x), the first of them, is between.
"""

from fractions import Fraction

from boundcheck import Bound, By, Constant, Convex, Differentiable, Follows, GradientDescent, Instance, Parameter, Smooth, chain
from boundcheck.letters import CURVATURE, NONE, SLOPE, A, D, Delta, L, Min, delta, eta, grad, i, inner, k, mu, normsq, sqrt
from boundcheck.letters import eta_length as length
from boundcheck.theorems.directional_smoothness.notation import CONVEX_POLYAK, PAPER, any_x, any_y, gamma
from boundcheck.theorems.directional_smoothness.section4_normalized import NORMALIZED

gram = Constant("gram", CURVATURE, r"\lambda_{\max}(A^\top A)")
slope = Constant("slope", SLOPE, "s")
step = any_y - any_x
rise = inner(grad(any_y) - grad(any_x), step)
ONE_FEATURE = (Convex, Differentiable, 0 < gram, 0 < slope)
sigma_minus, sigma_plus = Parameter("sigma_minus", NONE, r"\sigma(-z)"), Parameter("sigma_plus", NONE, r"\sigma(z)")
exp_minus, exp_plus = Parameter("exp_minus", NONE, r"\exp(-z)"), Parameter("exp_plus", NONE, r"\exp(z)")
SIGMOIDS = (sigma_minus > 0, sigma_plus > 0, sigma_minus + sigma_plus == 1)  # sigma(z) = 1 / (1 + exp(z)), whatever z is
SIGMA_AT_0 = {"sigma_minus": (Fraction(1, 2),), "sigma_plus": (Fraction(1, 2),)}  # z = 0
CHORDS_OF_ONE_FEATURE = tuple(
    Instance(problem=name, method="chords", steps=200, arithmetic="auto")
    for name in ("logistic-1d", "logistic-1d-wide", "logistic-1d-steep")
)

LOGISTIC = r"f(x) = \sum_j \log(1 + \exp(-y_j \langle a_j, x \rangle))"
LOGISTIC_IN_PAIRS = r"f(x) = n \log(1 + \exp(-a x)) + n \log(1 + \exp(a x))"  # A'A = 2 n a^2, s = n a
IN_PAIRS = "one feature $a > 0$, in $n$ pairs of samples with opposite labels"

# -- the Hessian ----------------------------------------------------------------------------------------------------------

hessian = Bound(
    source=PAPER.at("app:experimental-details.hessian", "E"),
    function=LOGISTIC_IN_PAIRS,
    title="the Hessian of logistic regression; as printed it is A'A / 3 everywhere",
    given=(*ONE_FEATURE, *SIGMOIDS),
    states=rise == gram * (1 / (sigma_minus + 2 + sigma_plus)) * normsq(step),
    added=(
        IN_PAIRS,
        "the Hessian as the change of the gradient along a chord: as printed its weights are the same everywhere",
    ),
    try_with=SIGMA_AT_0,
    refuted_by=Instance(problem="logistic-1d", method="chords", steps=200, arithmetic="auto"),
)

hessian_proved = hessian.as_proved(
    because="exp belongs where sigma is printed; at x the weight 1 / (exp(-z) + 2 + exp(z)) is (1 - tanh(z/2)^2) / 4",
    given=ONE_FEATURE,
    states=chain(mu(any_x, any_y), "<=", gram / 4 * (1 - normsq(grad(any_x)) / slope**2), "<=", A(any_x, any_y)),
    try_on=CHORDS_OF_ONE_FEATURE,
    proof_sketch=(
        r"$f'(x) = s \tanh(z / 2)$ with $z = a x$ and $s = n a$, and $A^\top A = 2 n a^2$.",
        r"$1 / (e^{-z} + 2 + e^z) = (e^{z/2} + e^{-z/2})^{-2} = \frac{1}{4} (1 - \tanh(z / 2)^2)$, so $f''(x) = "
        r"\frac{1}{4} A^\top A \, (1 - f'(x)^2 / s^2)$.",
        r"$\mu(x, y)$ and $A(x, y)$ are the infimum and the supremum of the secant slopes of $f'$ from $x$ towards $y$, "
        "and $f''(x)$, their limit at $x$, is between them.",
    ),
)

quarter = Bound(
    source=PAPER.at("app:experimental-details.quarter", "E"),
    function=LOGISTIC_IN_PAIRS,
    title="the diagonal matrix in the Hessian of logistic regression is at most I/4",
    given=(*ONE_FEATURE, *SIGMOIDS),
    states=1 / (sigma_minus + 2 + sigma_plus) * normsq(step) <= Fraction(1, 4) * normsq(step),
    added=(
        IN_PAIRS,
        "the matrix inequality with a vector on both sides",
    ),
    try_with=SIGMA_AT_0,
    refuted_by=Instance(problem="logistic-1d", method="chords", steps=200),
)

quarter_proved = quarter.as_proved(
    because="sigma(-z) + sigma(z) is 1, so that the weight as printed is 1/3; exp(-z) + 2 + exp(z) is at least 4",
    given=(*ONE_FEATURE, exp_minus > 0, exp_plus > 0, exp_minus * exp_plus == 1),
    states=1 / (exp_minus + 2 + exp_plus) * normsq(step) <= Fraction(1, 4) * normsq(step),
    try_with={"exp_minus": (1, Fraction(1, 2), 3), "exp_plus": (1, 2, Fraction(1, 3))},
    try_on=CHORDS_OF_ONE_FEATURE,
    proof_sketch=(
        r"$e^{-z} + e^z \geq 2 \sqrt{e^{-z} e^z} = 2$, with equality at $z = 0$.",
        r"So $e^{-z} + 2 + e^z \geq 4$, and its inverse is at most $1/4$.",
    ),
)

tight_at_zero = Bound(
    source=PAPER.at("app:experimental-details.tight", "E"),
    function=LOGISTIC_IN_PAIRS,
    title="I/4 is tight at x = 0: the secant slopes of f' from there tend to A'A / 4, as tanh(u) >= u - u^3 / 3 says",
    given=(*ONE_FEATURE, normsq(any_x) == 0),
    states=rise >= gram / 4 * (1 - (gram / 4) ** 2 * normsq(step) / (3 * slope**2)) * normsq(step),
    added=(
        IN_PAIRS,
        "the formula: the paper says that it is tight",
    ),
    try_on=CHORDS_OF_ONE_FEATURE,
)

smoothness_constant = Bound(
    source=PAPER.at("app:experimental-details.L", "E"),
    function=LOGISTIC,
    title="logistic regression has L = lambda_max(A'A) / 4: D is at most twice that",
    given=(Convex, Differentiable, 0 < gram),
    states=D(any_x, any_y) <= 2 * (gram / 4),
    added=(r"$D \leq 2 L$ in place of $L$-smoothness",),
    try_on=CHORDS_OF_ONE_FEATURE,
)

# -- the classical bounds ---------------------------------------------------------------------------------------------------

GD_1_OVER_L = (Convex, Smooth, GradientDescent(), Follows(eta[i] == 1 / L))

classical_gd = Bound(
    source=PAPER.at("app:experimental-details.classical-gd", "E"),
    title="the classical bound of gradient descent with eta = 1/L, the last iterate",
    given=GD_1_OVER_L,
    states=delta[k] <= 2 * L * Delta[0] / k,
    added=(
        r"$\eta_k = 1 / L$",
        r"$k \geq 1$: at $k = 0$ it divides by $0$",
    ),
    for_all=k >= 1,
    loose_because="the gap is at most L Delta_0 / (4k + 2), so left over right is below 1/8",
)

classical_gd_best = Bound(
    source=PAPER.at("app:experimental-details.classical-gd", "E"),
    reading="best-known",
    title="gradient descent with eta = 1/L: the best constant (Drori and Teboulle, 2014), which a Huber function attains",
    given=GD_1_OVER_L,
    states=delta[k] <= L * Delta[0] / (4 * k + 2),
    for_all=k >= 1,
)

classical_polyak = Bound(
    source=PAPER.at("app:experimental-details.classical-polyak", "E"),
    title="the classical bound of gradient descent with the Polyak step, gamma = 1",
    given=(*CONVEX_POLYAK, Smooth, gamma == 1),
    states=delta[k] <= 2 * L * Delta[0] / k,
    added=(
        r"$\gamma = 1$",
        r"$k \geq 1$: at $k = 0$ it divides by $0$",
    ),
    for_all=k >= 1,
    try_with={"gamma": (1,)},
    refuted_by=Instance(problem="slippery-floor", method="polyak(1)", steps=18),
)

classical_polyak_proved = classical_polyak.as_proved(
    because="the gaps of the Polyak step add up to at most 2 L Delta_0, which bounds the best of x_0, ..., x_{k-1}, not the last",
    states=Min(delta[i], i, 0, k - 1) <= 2 * L * Delta[0] / k,
    loose_because="<grad f(x), x - x*> >= f(x) - f* + |grad f(x)|^2 / (2L) makes the sum of the gaps at most 2 L Delta_0 / 3",
    proof_sketch=(
        r"[eq:12] with $\gamma = 1$ is $\Delta_{i+1} \leq \Delta_i - \eta_i \delta_i$, and $\eta_i = \delta_i / \|\nabla "
        r"f(x_i)\|^2$.",
        r"$f$ is $L$-smooth, so $f(x^*) \leq f(x_i - \frac{1}{L} \nabla f(x_i)) \leq f(x_i) - \frac{1}{2 L} \|\nabla "
        r"f(x_i)\|^2$: hence $\|\nabla f(x_i)\|^2 \leq 2 L \delta_i$ and $\eta_i \geq \frac{1}{2 L}$.",
        r"Sum over $i < k$: $\sum_{i < k} \delta_i \leq 2 L (\Delta_0 - \Delta_k) \leq 2 L \Delta_0$. The smallest "
        r"$\delta_i$ is at most their mean.",
    ),
)

# -- the steps of normalized gradient descent in the experiments ---------------------------------------------------------------

ngd_steps = Bound(
    source=PAPER.at("app:experimental-details.ngd-steps", "E"),
    title="normalized gradient descent in the experiments: steps eta_k = eta_0 / sqrt(k) do not increase, as thm:ngd asks",
    given=(By(NORMALIZED), Follows(length[i] == length[0] / sqrt(i))),
    states=length[k + 1] <= length[k],
    untested="eta_0 / sqrt(0) is no number, so that step 0 has no length",
)

ngd_steps_proved = ngd_steps.as_proved(
    because="counted from k = 0 it is sqrt(k + 1), as in the proof of thm:ngd",
    title="normalized gradient descent in the experiments: steps eta_k = eta_0 / sqrt(k + 1) do not increase, as thm:ngd asks",
    given=(By(NORMALIZED), Follows(length[i] == length[0] / sqrt(i + 1))),
    untested="",
    try_on=(Instance(problem="huber", method="over_sqrt(1)", steps=60, arithmetic="auto"),),
    proof_sketch=(r"$\sqrt{k + 2} \geq \sqrt{k + 1}$, so $\eta_0 / \sqrt{k + 2} \leq \eta_0 / \sqrt{k + 1}$.",),
)
