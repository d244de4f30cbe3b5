"""Section 4.1, Adaptivity in Quadratics: f(x) = x'Bx/2 - c'x, whose strongly adapted steps have closed forms.

B v is written grad(x* + v), which it is for a quadratic; so B grad f(x) is L grad(x* + grad f(x) / L), a length being needed.
"""

from boundcheck import Bound, Follows, GradientDescent, Instance, IsQuadratic, Parameter, Through, chain
from boundcheck.letters import (
    CURVATURE,
    M_,
    A,
    D,
    Delta,
    Index,
    L,
    M,
    Sum,
    Vector,
    eta,
    gap,
    grad,
    i,
    inner,
    k,
    mean,
    mu_f,
    norm,
    normsq,
    tends,
    x,
    xstar,
)
from boundcheck.theorems.directional_smoothness.notation import PAPER

# Quadratics whose Dai-Yang steps are rational: two eigenvalues in each of the first three, one in the others.
BALANCED_DAI_YANG = tuple(
    Instance(problem=name, method="dai-yang", steps=4, smoothness="D")
    for name in ("two-cycle-5d", "two-cycle-6d", "two-cycle-7d")
)
ISOTROPIC_DAI_YANG = tuple(
    Instance(problem=name, method="dai-yang", steps=4, smoothness="D") for name in ("half-square", "isotropic-3d")
)
BALANCED_CAUCHY = tuple(
    Instance(problem=name, method="cauchy", steps=4, smoothness="A") for name in ("ill-conditioned-2d", "balanced-1-3")
)
ALTERNATING_CAUCHY = tuple(
    Instance(problem=name, method="cauchy", steps=4, smoothness="A")
    for name in ("two-cycle-5d", "two-cycle-6d", "quadratic-2-3", "quadratic-4-5")
)

QUADRATIC_GD = (IsQuadratic, GradientDescent())
dai_yang = Follows(eta[i] == 1 / D(x[i], x[i + 1]))  # strongly adapted to D
cauchy = Follows(eta[i] == 1 / A(x[i], x[i + 1]))  # strongly adapted to A


def hessian_times_gradient(n: Index | int) -> Vector:
    """B grad f(x_n)."""
    return L * grad(xstar + grad(x[n]) / L)


g, Bg = grad(x[k]), hessian_times_gradient(k)

quad_1 = Bound(
    source=PAPER.at("eq:quad-1", "4.1"),
    title="strongly adapted steps: a rate in the harmonic, and in the arithmetic, mean of the M_i",
    given=(*QUADRATIC_GD, Follows(eta[i] == 1 / M(x[i + 1], x[i]))),
    states=chain(
        gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k))),
        "<=",
        Delta[0] / (2 * Sum(eta[i], i, 0, k)),
        "==",
        Delta[0] / (2 * Sum(1 / M_[i], i, 0, k)),
        "<=",
        Delta[0] / (2 * (k + 1)) * (Sum(M_[i], i, 0, k) / (k + 1)),
    ),
)

# -- strongly adapted to D ----------------------------------------------------------------------------------------------

point_wise_closed_form = Bound(
    source=PAPER.at("sec:quadratic-case.D", "4.1"),
    title="D(x_i, x_{i+1}) = 2 |B grad f(x_i)| / |grad f(x_i)|, whatever the step",
    given=QUADRATIC_GD,
    states=D(x[k], x[k + 1]) == 2 * norm(Bg) / norm(g),
    try_on=BALANCED_DAI_YANG,
)

dai_yang_step = Bound(
    source=PAPER.at("sec:quadratic-case.dai-yang-step", "4.1"),
    title="the step strongly adapted to D is |grad f(x_i)| / (2 |B grad f(x_i)|)",
    given=(*QUADRATIC_GD, dai_yang),
    states=eta[k] == norm(g) / (2 * norm(Bg)),
    try_on=(*BALANCED_DAI_YANG, *ISOTROPIC_DAI_YANG),
)

# Where the error x_0 - x* is a sum of eigenvectors for mu and for L, a step 2 / (mu + L) multiplies the one part by
# (L - mu) / (L + mu) and the other by minus that: the ratio of the two parts, and so the next step, is as before.
TWO_EIGENVALUES = (normsq(hessian_times_gradient(0) - (mu_f + L) * grad(x[0]) + mu_f * L * (x[0] - xstar)) == 0, mu_f > 0)
BALANCED = (*TWO_EIGENVALUES, eta[0] == 2 / (mu_f + L))

period_two = Bound(
    source=PAPER.at("sec:quadratic-case.period-two", "4.1"),
    reading="lemma",
    title="with two eigenvalues and a first step 2 / (mu + L), x_{k+2} - x* is ((L - mu) / (L + mu))^2 times x_k - x*",
    given=(*QUADRATIC_GD, Follows(eta[i] == 1 / M_[i]), *BALANCED),
    states=normsq(x[k + 2] - xstar - ((L - mu_f) / (L + mu_f)) ** 2 * (x[k] - xstar)) == 0,
    smoothness=("D", "A"),
    try_on=(*BALANCED_DAI_YANG, *BALANCED_CAUCHY),
    loose_because="an equation between two zeros: it holds exactly or not at all, and no ratio measures it",
)

dai_yang_cycle = Bound(
    source=PAPER.at("sec:quadratic-case.dai-yang-cycle", "4.1"),
    reading="lemma",
    title="with two eigenvalues, a Dai-Yang step that is 2 / (mu + L) once is so for ever",
    given=(*QUADRATIC_GD, dai_yang, *BALANCED),
    states=eta[k] == 2 / (mu_f + L),
    try_on=BALANCED_DAI_YANG,
)

recovers_dai_yang = Bound(
    source=PAPER.at("sec:quadratic-case.dai-yang", "4.1"),
    title="the step strongly adapted to D recovers the step of Dai and Yang, |grad f(x_i)| / |B grad f(x_i)|",
    given=(*QUADRATIC_GD, dai_yang),
    states=eta[k] == norm(g) / norm(Bg),
    added=(
        r"the step of Dai and Yang (2006), $\|\nabla f(x_i)\|_2 / \|B \nabla f(x_i)\|_2$, which the paper cites and does not "
        r"write",
    ),
    refuted_by=Instance(problem="half-square", method="dai-yang", steps=1, smoothness="D"),
)

recovers_half_of_dai_yang = recovers_dai_yang.as_proved(
    because="D has a 2 before the norm, and so its step is half of theirs: on B = I theirs is 1 and this one is 1/2",
    title="the step strongly adapted to D is half of the step of Dai and Yang, |grad f(x_i)| / |B grad f(x_i)|",
    states=eta[k] == norm(g) / norm(Bg) / 2,
    try_on=(*BALANCED_DAI_YANG, *ISOTROPIC_DAI_YANG),
    proof_sketch=(
        r"On a quadratic $\nabla f(x_{i+1}) - \nabla f(x_i) = B (x_{i+1} - x_i) = -\eta_i B \nabla f(x_i)$.",
        r"So $D(x_i, x_{i+1}) = 2 \|B \nabla f(x_i)\|_2 / \|\nabla f(x_i)\|_2$ whatever the step is [sec:quadratic-case.D], "
        r"and $\eta_i = 1 / D(x_i, x_{i+1})$ is $\|\nabla f(x_i)\|_2 / (2 \|B \nabla f(x_i)\|_2)$ "
        r"[sec:quadratic-case.dai-yang-step].",
    ),
)

dai_yang_against_cauchy = Bound(
    source=PAPER.at("sec:quadratic-case.dai-yang-below-cauchy", "4.1"),
    reading="lemma",
    title="the step |grad f| / (2 |B grad f|) is at most half of the Cauchy step that it approximates",
    given=(*QUADRATIC_GD, dai_yang),
    states=eta[k] <= inner(g, g) / (2 * inner(g, Bg)),
    try_on=(*BALANCED_DAI_YANG, *ISOTROPIC_DAI_YANG),
)

dai_yang_limit = Bound(
    source=PAPER.at("sec:quadratic-case.dai-yang-limit", "4.1"),
    title="the step |grad f| / (2 |B grad f|) converges to 2/L",
    given=(*QUADRATIC_GD, dai_yang),
    states=tends(eta[k], 2 / L),
    refuted_through=Through(
        lemma="sec:quadratic-case.dai-yang-cycle",
        argument="B = diag(1, 1, 1, 1, 7) from x_0 = (21, 14, 7, 7, 1) has |grad f(x_0)| = 28 and |B grad f(x_0)| = 56, so the "
        "first step is 1/4 = 2 / (1 + 7), and by the lemma every step is 1/4. It does not tend to 2/L = 2/7. (Simpler still: on "
        "|x|^2 every step is 1 / (2L), sec:quadratic-case.dai-yang-isotropic.) The balanced step is 2 / (mu + L), close to 2/L "
        "when mu is much smaller than L.",
    ),
)

dai_yang_limit_proved = dai_yang_limit.as_proved(
    because="Dai and Yang's own limit, of twice this step, is 2 / (mu + L). This step has that limit where two eigenvalues take "
    "part and its first value is 2 / (mu + L); on isotropic quadratics it is 1 / (2L)",
    title="with two eigenvalues and a first step 2 / (mu + L), the step |grad f| / (2 |B grad f|) converges to 2 / (mu + L)",
    given=(*QUADRATIC_GD, dai_yang, *BALANCED),
    states=tends(eta[k], 2 / (mu_f + L)),
    untested="a limit: no finite run decides it; that every step is 2 / (mu + L) is sec:quadratic-case.dai-yang-cycle",
    proof_sketch=(
        r"Write $x_k - x_* = u + v$ with $B u = \mu u$ and $B v = L v$. A step $\eta_k = 2 / (\mu + L)$ multiplies $u$ by "
        r"$1 - \eta_k \mu = (L - \mu) / (L + \mu)$ and $v$ by $1 - \eta_k L = -(L - \mu) / (L + \mu)$.",
        r"So $\|\nabla f\|_2^2 = \mu^2 \|u\|^2 + L^2 \|v\|^2$ and $\|B \nabla f\|_2^2 = \mu^4 \|u\|^2 + L^4 \|v\|^2$ shrink by "
        r"the same "
        r"factor, and the next step, half the root of their quotient, is $2 / (\mu + L)$ again. By induction every step is so "
        r"[sec:quadratic-case.dai-yang-cycle], and a constant sequence converges.",
    ),
)

dai_yang_on_isotropic = Bound(
    source=PAPER.at("sec:quadratic-case.dai-yang-isotropic", "4.1"),
    reading="lemma",
    title="on isotropic quadratics every Dai-Yang step is 1 / (2L)",
    given=(*QUADRATIC_GD, dai_yang, mu_f == L),
    states=eta[k] == 1 / (2 * L),
    try_on=ISOTROPIC_DAI_YANG,
)

# -- strongly adapted to A ----------------------------------------------------------------------------------------------

path_wise_closed_form = Bound(
    source=PAPER.at("sec:quadratic-case.A", "4.1"),
    title="A(x_i, x_{i+1}) is the Rayleigh quotient of grad f(x_i), whatever the step (x printed without i below the line)",
    given=QUADRATIC_GD,
    states=A(x[k], x[k + 1]) == inner(g, Bg) / inner(g, g),
)

cauchy_step = Bound(
    source=PAPER.at("sec:quadratic-case.cauchy-step", "4.1"),
    title="the step strongly adapted to A is the Cauchy step",
    given=(*QUADRATIC_GD, cauchy),
    states=eta[k] == inner(g, g) / inner(g, Bg),
)

cauchy_minimises = Bound(
    source=PAPER.at("sec:quadratic-case.cauchy-minimises", "4.1"),
    title="the Cauchy step minimises f along the ray: the new gradient is orthogonal to the old one",
    given=(*QUADRATIC_GD, cauchy),
    states=inner(grad(x[k + 1]), g) == 0,
    loose_because="an equation between two zeros: it holds exactly or not at all, and no ratio measures it",
)

cauchy_cycle = Bound(
    source=PAPER.at("sec:quadratic-case.cauchy-cycle", "4.1"),
    reading="lemma",
    title="with two eigenvalues, a Cauchy step that is 2 / (mu + L) once is so for ever",
    given=(*QUADRATIC_GD, cauchy, *BALANCED),
    states=eta[k] == 2 / (mu_f + L),
    try_on=BALANCED_CAUCHY,
)

cauchy_alternates = Bound(
    source=PAPER.at("sec:quadratic-case.cauchy-alternates", "4.1"),
    reading="lemma",
    title="with two eigenvalues, the Cauchy steps alternate between two values: 1/eta_k + 1/eta_{k+1} = mu + L",
    given=(*QUADRATIC_GD, cauchy, *TWO_EIGENVALUES),
    states=1 / eta[k] + 1 / eta[k + 1] == mu_f + L,
    try_on=ALTERNATING_CAUCHY,
)

# -- Section 5 reports it of both steps, on twenty random quadratics -----------------------------------------------------

L_of_the_figure = Parameter("L_of_the_figure", CURVATURE)

step_limit_seen = Bound(
    source=PAPER.at("sec:experiments.limit", "5"),
    title="on twenty random quadratics with L = 1000, strongly adapted steps were seen to converge to 2/L",
    given=(*QUADRATIC_GD, Follows(eta[i] == 1 / M_[i]), L == L_of_the_figure),
    states=tends(eta[k], 2 / L),
    smoothness=("D", "A"),
    try_with={"L_of_the_figure": (1000,)},
    quantifier="for the twenty random quadratics of the figure",
    untested="a report of twenty runs on problems that are not given; no finite run decides a limit",
)

step_limit = Bound(
    source=PAPER.at("sec:experiments.limit", "5"),
    reading="for-every-quadratic",
    title="read as a statement about every quadratic: strongly adapted steps eventually converge to 2/L",
    given=(*QUADRATIC_GD, Follows(eta[i] == 1 / M_[i])),
    states=tends(eta[k], 2 / L),
    smoothness=("D", "A"),
    refuted_through=Through(
        lemma="sec:quadratic-case.cauchy-cycle",
        argument="For A: B = diag(1, 10) from x_0 = (10, 1) has grad f(x_0) = (10, 10), so the first Cauchy step is 200/1100 = "
        "2/11, and by the lemma every step is 2/11. It does not tend to 2/L = 1/5. From other starts the steps do not converge "
        "at all: sec:quadratic-case.cauchy-alternates. For D see sec:quadratic-case.dai-yang-limit. The balanced step is "
        "2 / (mu + L), close to 2/L when mu is much smaller than L.",
    ),
)

larger_than_2_over_L = Bound(
    source=PAPER.at("sec:experiments.larger", "5"),
    added=(r"$M_i < L / 2$ for the printed $M_i \ll L$",),
    title="where A_k or D_k is small against L (less than half of it), the strongly adapted step is larger than 2/L",
    given=(*QUADRATIC_GD, Follows(eta[i] == 1 / M_[i]), M_[i] < L / 2),
    states=eta[k] > 2 / L,
    smoothness=("D", "A"),
    try_on=ALTERNATING_CAUCHY[:2],
)
