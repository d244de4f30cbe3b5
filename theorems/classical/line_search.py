"""Line search by Armijo's condition: f(x_{i+1}) <= f(x_i) - c eta_i |grad f(x_i)|^2 with 0 < c < 1, on any differentiable f."""

from fractions import Fraction

from boundcheck import Bound, Differentiable, GradientDescent, Instance, Parameter
from boundcheck.letters import STEP, L, Min, Sum, delta, eta, f, grad, i, k, normsq, smaller, x
from boundcheck.theorems.classical.notation import SMOOTH_GD
from boundcheck.theorems.classical.sources import BECK_2014

c = Parameter("c")
ARMIJO = (f(x[i + 1]) <= f(x[i]) - c * eta[i] * normsq(grad(x[i])), 0 < c, c < 1)
ARMIJO_C = {"c": (Fraction(1, 4), Fraction(1, 2), Fraction(19, 20))}

# a backtracking search tries s, beta s, beta^2 s, ...: it takes s, or what it tried before it, eta / beta > 2 (1 - c) / L, failed
s, beta = Parameter("s", STEP), Parameter("beta")
shortest = smaller(s, 2 * (1 - c) * beta / L)
BACKTRACKING = {"c": (Fraction(1, 2), Fraction(19, 20)), "s": (1,), "beta": (Fraction(9, 10),)}
# f is a line for 211 steps of this length, each of which gains eta |grad f|^2
DOWN_A_SLOPE = Instance(problem="long-huber", method="constant(9/100)", steps=212, parameters={"c": Fraction(19, 20)})
SEARCHES = (
    Instance(problem="quadratic-2d", method="armijo(1/4, 1/2, 1)", steps=4),
    Instance(problem="huber", method="armijo(1/2, 1/2, 8)", steps=4),
    Instance(problem="ridge-2d", method="armijo(1/2, 1/2, 1)", steps=4),
    Instance(problem="nonconvex", method="armijo(1/4, 1/2, 4)", steps=3),
    Instance(problem="logistic-40x5", method="armijo(1/2, 1/2, 1)", steps=20, arithmetic="auto"),
)

short_steps_pass = Bound(
    source=BECK_2014.at("armijo.short-steps-pass", "4.7"),
    title="a step up to 2 (1 - c) / L satisfies Armijo's condition",
    given=(*SMOOTH_GD, eta[i] <= 2 * (1 - c) / L, 0 < c, c < 1),
    states=f(x[k + 1]) <= f(x[k]) - c * eta[k] * normsq(grad(x[k])),
    try_with=ARMIJO_C,
)

total = Bound(
    source=BECK_2014.at("armijo.total", "4.7"),
    title="under Armijo's condition, what the steps gain is at most the gap at x_0",
    given=(Differentiable, GradientDescent(), *ARMIJO),
    states=c * Sum(eta[i] * normsq(grad(x[i])), i, 0, k) <= delta[0],
    try_with=ARMIJO_C,
    try_on=SEARCHES,
)

smallest_gradient = Bound(
    source=BECK_2014.at("armijo.smallest-gradient", "4.7"),
    title="a backtracking search from s by beta: the smallest gradient so far",
    given=(*SMOOTH_GD, *ARMIJO, eta[i] >= shortest, 0 < s, 0 < beta, beta < 1),
    states=Min(normsq(grad(x[i])), i, 0, k) <= delta[0] / (c * shortest * (k + 1)),
    try_with=BACKTRACKING,
    try_on=(DOWN_A_SLOPE, *SEARCHES),
)
