"""Section 2, Directional Smoothness: quadratic upper bounds that depend on a chord only.

D(x, y) = 2 |grad f(y) - grad f(x)| / |y - x|, A(x, y) = sup over t of <grad f(x + t (y - x)) - grad f(x), y - x> / (t |y - x|^2),
H(x, y) = |f(y) - f(x) - <grad f(x), y - x>| / (|y - x|^2 / 2). None of A, H and mu is symmetric.
"""

from fractions import Fraction

from boundcheck import Bound, Constant, Convex, Differentiable, Instance, IsQuadratic, Parameter, Smooth, StronglyConvex, Through
from boundcheck.letters import CURVATURE, LENGTH, A, D, H, L, M, f, grad, inner, larger, mu_f, norm, normsq, xstar
from boundcheck.theorems.directional_smoothness.notation import PAPER
from boundcheck.theorems.directional_smoothness.notation import any_x as x
from boundcheck.theorems.directional_smoothness.notation import any_y as y

linearised = f(x) + inner(grad(x), y - x)

smoothness_upper_bound = Bound(
    source=PAPER.at("eq:smoothness-upper-bound", "2"),
    title="L-smoothness bounds f by a quadratic",
    given=(Convex, Smooth),
    states=f(y) <= linearised + L / 2 * normsq(y - x),
)

gradient_step_minimises_the_bound = Bound(
    source=PAPER.at("eq:smoothness-upper-bound.minimiser", "2"),
    title="x - grad f(x) / L minimises that quadratic: its value there is below its value at every y",
    given=(Convex, Smooth),
    states=f(x) - normsq(grad(x)) / (2 * L) <= linearised + L / 2 * normsq(y - x),
)

directional_smoothness_function = Bound(
    source=PAPER.at("def:directional-smoothness-function", "2"),
    title="D, A, H and L are directional smoothness functions",
    given=(Convex, Differentiable),
    states=f(y) <= linearised + M(x, y) / 2 * normsq(y - x),
)

not_negative = Bound(
    source=PAPER.at("def:directional-smoothness-function.not-negative", "2"),
    title="a directional smoothness function is not negative: D, A, H and L are so on convex functions",
    given=(Convex, Differentiable),
    states=M(x, y) >= 0,
    loose_because="the bound is 0, which D, A and H attain where f is affine along the chord: no ratio comes near 1",
)

point_wise_at_most_twice_L = Bound(
    source=PAPER.at("eq:directional-smoothness.at-most-2L", "2"),
    title="the point-wise smoothness D is at most 2L",
    given=(Convex, Smooth),
    states=D(x, y) <= 2 * L,
)

directional_smoothness = Bound(
    source=PAPER.at("lemma:directional-smoothness", "2"),
    title="the point-wise smoothness D gives a quadratic upper bound",
    given=(Convex, Differentiable),
    states=f(y) <= linearised + D(x, y) / 2 * normsq(y - x),
)

t = Parameter("t")

tight = Bound(
    source=PAPER.at("prop:dirSmoothTight", "2"),
    title="there are f, x and y for which no factor t < 2 would do in place of D's 2",
    given=(Convex, Differentiable, t < 2),
    states=f(y) > linearised + t * norm(grad(x) - grad(y)) / (2 * norm(y - x)) * normsq(y - x),
    try_with={"t": (Fraction(199, 100),)},
    quantifier="there are a convex, differentiable $f$ and $x$, $y$ such that for all $t < 2$",
    untested="it says that f, x, y exist, the same for every t < 2: no run decides that",
    refuted_through=Through(
        lemma="prop:dirSmoothTight.strict",
        argument="Take any convex, differentiable f and any x, y. If the gradients differ, the lemma says that f(y) is strictly "
        "below the right side at t = 2; the right side is continuous in t, so f(y) is below it for some t < 2 too. If they do "
        "not, the right side does not depend on t, and by prop:dirSmoothTight.same-gradient f(y) equals it. So no f, x, y serve "
        "every t < 2.",
    ),
)

eps = Constant("eps", LENGTH, r"\epsilon")

SMOOTH_ABS = r"f(x) = \sqrt{x^2 + \epsilon^2}, \ \epsilon > 0"

tight_proved = tight.as_proved(
    function=SMOOTH_ABS,
    because="the function of the proof depends on t: sqrt(x^2 + eps^2) with eps = |y - x| (2 - t) / 8, from its minimiser on",
    given=(Convex, Differentiable, normsq(x - xstar) == 0, eps <= norm(y - x) / 4),
    states=f(y) > linearised + (2 - 8 * eps / norm(y - x)) * norm(grad(x) - grad(y)) / (2 * norm(y - x)) * normsq(y - x),
    try_with={},
    untested="",
    try_on=(
        Instance(problem="smooth-abs-5/12", method="chords", steps=200, arithmetic="auto"),
        Instance(problem="smooth-abs-1/100", method="chords", steps=200, arithmetic="auto"),
    ),
    proof_sketch=(
        r"Let $f(u) = \sqrt{u^2 + \epsilon^2}$, $x = x_* = 0$ and $d = |y - x|$; so $\nabla f(x) = 0$. Then "
        r"$f(y) - f(x) = \sqrt{d^2 + \epsilon^2} - \epsilon \geq d - \epsilon$, which is more than $d - 4 \epsilon$.",
        r"The gradient at $y$ has the norm $d / \sqrt{d^2 + \epsilon^2} \leq 1$. So, as $2 - 8 \epsilon / d \geq 0$, "
        r"$\frac{2 - 8 \epsilon / d}{2 d} \|\nabla f(y) - \nabla f(x)\| d^2 \leq (1 - 4 \epsilon / d) d = d - 4 \epsilon < "
        r"f(y) - f(x)$.",
        r"Given $t < 2$, the choice $\epsilon = d (2 - t) / 8$ makes the factor $2 - 8 \epsilon / d$ equal to $t$ (for "
        r"$t \geq 0$; "
        r"a smaller factor makes the right side smaller still).",
    ),
)

tight_strictly = Bound(
    source=PAPER.at("prop:dirSmoothTight.strict", "2"),
    reading="lemma",
    title="on every chord the bound of lemma:directional-smoothness is strict unless the gradient does not change",
    given=(Convex, Differentiable, norm(grad(x) - grad(y)) > 0),
    states=f(y) < linearised + D(x, y) / 2 * normsq(y - x),
)

same_gradient = Bound(
    source=PAPER.at("prop:dirSmoothTight.same-gradient", "2"),
    reading="lemma",
    title="where the gradient does not change along a chord, f is affine on it",
    given=(Convex, Differentiable, norm(grad(x) - grad(y)) == 0),
    states=f(y) == linearised,
)

looser_on_isotropic_quadratics = Bound(
    source=PAPER.at("prop:dirSmoothTight.isotropic", "2"),
    title="on isotropic quadratics D is 2L, twice what L-smoothness needs: |grad f(y) - grad f(x)|^2 = L^2 |y - x|^2",
    given=(Convex, Smooth, StronglyConvex, mu_f == L),
    states=normsq(grad(y) - grad(x)) == L**2 * normsq(y - x),
    try_on=(
        Instance(problem="half-square", method="chords", steps=200),
        Instance(problem="isotropic-3d", method="chords", steps=200),
    ),
)

path_smoothness = Bound(
    source=PAPER.at("path-smoothness", "2"),
    title="the path-wise smoothness A gives a quadratic upper bound, convex or not",
    given=(Differentiable,),
    states=f(y) <= linearised + A(x, y) / 2 * normsq(y - x),
)

path_wise_not_negative = Bound(
    source=PAPER.at("path-smoothness.not-negative", "2"),
    title="A is a directional smoothness function (so A >= 0) even without convexity",
    given=(Differentiable,),
    states=A(x, y) >= 0,
    refuted_by=Instance(problem="dented", method="chords", steps=200),
)

path_wise_not_negative_proved = path_wise_not_negative.as_proved(
    because="A gives the quadratic bound, but it is negative where the gradient falls, and the definition asks for M >= 0",
    given=(Convex, Differentiable),
    loose_because="the bound is 0, which A attains where f is affine along the chord: no ratio comes near 1",
    proof_sketch=(
        r"The gradient of a convex $f$ is monotone: $\langle \nabla f(x + t (y - x)) - \nabla f(x), t (y - x) \rangle \geq 0$.",
        r"So each quotient of which $A(x, y)$ is the supremum is at least 0.",
    ),
)

path_wise_at_most_point_wise = Bound(
    source=PAPER.at("path-smoothness.at-most-D", "2"),
    title="A is at most D",
    given=(Convex, Differentiable),
    states=A(x, y) <= D(x, y),
    refuted_by=Instance(problem="huber", method="chords", steps=200),
)

path_wise_at_most_point_wise_on_quadratics = path_wise_at_most_point_wise.as_proved(
    because="nothing in the paper proves it; it is true where the gradient is affine, and there A is at most D / 2",
    given=(IsQuadratic,),
    states=A(x, y) <= D(x, y) / 2,
    proof_sketch=(
        r"Where $\nabla f(u) = B u - c$, each quotient in $A(x, y)$ is $(y - x)^\top B (y - x) / \|y - x\|_2^2$, whatever $t$ is "
        r"[lemma:quadratic-pathwise-direction-smoothness.chord].",
        r"By Cauchy-Schwarz it is at most $\|B (y - x)\|_2 / \|y - x\|_2 = D(x, y) / 2$.",
    ),
)

optimal_is_a_lower_bound = Bound(
    source=PAPER.at("eq:optimal-directional-smoothness.lowest", "2"),
    title="H is at most every directional smoothness function of a convex f",
    given=(Convex, Differentiable),
    states=H(x, y) <= M(x, y),
    smoothness=("D", "A", "L"),
    added=(r"convexity of $f$, which the paragraph does not ask for: without it the statement is false (reading non-convex)",),
)

optimal_is_a_lower_bound_without_convexity = Bound(
    source=PAPER.at("eq:optimal-directional-smoothness.lowest", "2"),
    reading="non-convex",
    title="H is at most every directional smoothness function, such as max(A, 0), convex or not",
    because="H takes an absolute value: only for convex f is its numerator the slack of the quadratic upper bound. M = max(A, 0) "
    "is a smoothness function of every differentiable f; on dented, from 1 to 3, it is 1/10 and H is 7/40",
    given=(Differentiable,),
    states=H(x, y) <= larger(M(x, y), 0),
    smoothness=("D", "A", "L"),
    refuted_by=Instance(problem="dented", method="chords", steps=200, smoothness="A"),
)

C = Parameter("C", CURVATURE)

optimal_is_below_any_constant = Bound(
    source=PAPER.at("eq:optimal-directional-smoothness.constant", "2"),
    title="on a convex f, H(x, y) is at most every constant C for which the quadratic bound holds at x, y",
    given=(Convex, Differentiable, f(y) <= linearised + C / 2 * normsq(y - x), C >= 0),
    states=H(x, y) <= C,
    try_with={"C": (0, Fraction(1, 2), 1, 2)},
    added=(
        r"convexity of $f$, which the paragraph does not ask for: without it the statement is false (reading non-convex)",
        r"$C \geq 0$: a directional smoothness function has no negative values",
    ),
)

optimal_is_below_any_constant_without_convexity = Bound(
    source=PAPER.at("eq:optimal-directional-smoothness.constant", "2"),
    reading="non-convex",
    title="H(x, y) is at most every constant C for which the quadratic bound holds at x, y, convex or not",
    because="H takes an absolute value: where f is below its tangent, every C >= 0 gives the quadratic bound and H is positive",
    given=(Differentiable, f(y) <= linearised + C / 2 * normsq(y - x), C >= 0),
    states=H(x, y) <= C,
    try_with={"C": (0, Fraction(1, 2), 1, 2)},
    refuted_by=Instance(problem="dented", method="chords", steps=200, parameters={"C": 0}),
)
