"""Methods whose worst cases PEPit looks for in few dimensions. The statements are those of other sections, or near them."""

from dataclasses import replace
from fractions import Fraction

from boundcheck import (
    AtEachStep,
    Bound,
    By,
    FixedPointOf,
    Method,
    Monotone,
    Nonexpansive,
    Parameter,
    Smooth,
    StronglyConvex,
    Update,
    ZeroOf,
)
from boundcheck.letters import (
    LENGTH,
    NONE,
    SLOPE,
    STEP,
    Delta,
    L,
    Operator,
    Points,
    as_scalar,
    delta,
    grad,
    i,
    k,
    mu_f,
    normsq,
    resolvent,
    x,
)
from boundcheck.theorems.performance_estimation import accelerated_methods, composite_gradients, nonconvex
from boundcheck.theorems.performance_estimation.notation import paper

LIEDER = paper("On the convergence rate of the Halpern-iteration", "Felix Lieder", 2021)
INEXACT = paper(
    "Worst-case convergence analysis of inexact gradient and Newton methods through semidefinite programming performance "
    "estimation",
    "Etienne de Klerk, François Glineur, Adrien B. Taylor",
    2020,
)
GU_YANG = paper(
    "Tight sublinear convergence rate of the proximal point algorithm for maximal monotone inclusion problems",
    "Guoyong Gu, Junfeng Yang",
    2020,
)


def also_here(claim: Bound, name: str) -> Bound:
    """The same statement: another example."""
    return replace(claim, source=replace(claim.source, label=f"low-dimensional/{name}"))


frank_wolfe = also_here(composite_gradients.frank_wolfe, "frank_wolfe")
gradient_descent = also_here(nonconvex.gradient_descent, "gradient_descent")
optimized_gradient = also_here(accelerated_methods.optimized, "optimized_gradient")
gradient_descent_proved = also_here(nonconvex.gradient_descent_proved, "gradient_descent")

T, A = Operator("T", LENGTH), Operator("A")
HALPERN = Method(name="Halpern's iteration", each=(Update(x[k + 1], 1 / (k + 2) * x[0] + (1 - 1 / (k + 2)) * T(x[k])),))

halpern = Bound(
    source=LIEDER.at("low-dimensional/halpern_iteration", "Theorem 2.1"),
    title="Halpern's iteration: the residual is at most 4 |x_0 - x*|^2 / (k + 1)^2",
    given=(Nonexpansive.of(T), FixedPointOf(T), By(HALPERN)),
    for_all=k >= 1,
    states=normsq(x[k] - T(x[k])) <= (2 / (as_scalar(k) + 1)) ** 2 * Delta[0],
)

epsilon, d = Parameter("epsilon", NONE, r"\varepsilon"), Points("d", dimension=SLOPE)
L_eps, mu_eps = (1 + epsilon) * L, (1 - epsilon) * mu_f
INEXACT_GRADIENT = Method(
    name="gradient descent with inexact gradients",
    each=(Update(x[k + 1], x[k] - 2 / (L_eps + mu_eps) * d[k]),),
    free=(d[k],),
)

inexact_gradient = Bound(
    source=INEXACT.at("inexact_gradient", "Theorem 5.3"),
    title="gradient descent with gradients of relative error epsilon: how much the gap contracts",
    given=(
        StronglyConvex,
        Smooth,
        By(INEXACT_GRADIENT),
        AtEachStep(normsq(grad(x[i]) - d[i]) <= epsilon**2 * normsq(grad(x[i]))),
        epsilon >= 0,
        epsilon <= 1,
    ),
    for_all=k >= 1,
    states=delta[k] <= (((L_eps - mu_eps) / (L_eps + mu_eps)) ** 2) ** k * delta[0],
    try_with={"epsilon": (Fraction(1, 10), Fraction(3, 10))},
)

alpha = Parameter("alpha", STEP)
PROXIMAL_POINT = Method(name="proximal point of an operator", each=(Update(x[k + 1], resolvent(A, alpha, x[k])),))

proximal_point = Bound(
    source=GU_YANG.at("low-dimensional/proximal_point", "Section 4"),
    title="proximal point of a monotone operator: the last step's squared length is at most (1 - 1/k)^(k - 1) / k",
    given=(Monotone.of(A), ZeroOf(A), By(PROXIMAL_POINT), alpha > 0),
    for_all=k >= 1,
    states=normsq(x[k] - x[k - 1]) <= (1 - 1 / as_scalar(k)) ** (k - 1) / k * Delta[0],
    try_with={"alpha": (Fraction(11, 5), 1)},
)
