"""The paper's notation, once: M_i = M(x_i, x_{i+1}), mu_i = mu(x_i, x*), delta_i = f(x_i) - f(x*), Delta_i = |x_i - x*|^2.

M is any directional smoothness function: D, A, H or the constant L, each a claim of its own. Indices begin at 0, and
[k] = {0, ..., k}.
"""

from fractions import Fraction

from boundcheck import Convex, Differentiable, Follows, GradientDescent, Paper, Parameter, read_places
from boundcheck.letters import Point, delta, eta, grad, i, normsq, x

PAPER = Paper(
    name="directional-smoothness",
    title="Directional Smoothness and Gradient Methods: Convergence and Adaptivity",
    authors="Aaron Mishkin, Ahmed Khaled, Yuanhao Wang, Aaron Defazio, Robert M. Gower",
    year=2024,
    places=read_places(__package__),
)

any_x, any_y = Point("x"), Point("y")  # the ends of any chord

CONVEX_GD = (Convex, Differentiable, GradientDescent())

gamma = Parameter("gamma")
polyak_step = Follows(eta[i] == gamma * delta[i] / normsq(grad(x[i])))
CONVEX_POLYAK = (*CONVEX_GD, polyak_step)
BETWEEN_1_AND_2 = {"gamma": (Fraction(5, 4), Fraction(3, 2), Fraction(7, 4))}
