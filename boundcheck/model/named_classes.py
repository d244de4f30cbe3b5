"""Classes of functions, sets and operators beyond the smooth and convex: each with the inequalities that its members satisfy.

They are written as those of `function_classes`. Of an operator A(x[i]) stands in the place of the gradient, and there are no
values. A set is known by its indicator: 0 on it, with the normal vectors for subgradients.
"""

from __future__ import annotations

from fractions import Fraction

from boundcheck.language.letters import L, Operator, block, f, grad, i, inner, j, mu_f, normsq, x, xstar
from boundcheck.language.scalars import CURVATURE, LENGTH, NONE, SLOPE, Constant
from boundcheck.model import facts
from boundcheck.model.function_classes import BLOCK, FunctionClass
from boundcheck.model.lojasiewicz import LOJASIEWICZ_BY_MATRICES as LOJASIEWICZ_BY_MATRICES
from boundcheck.model.problem import Convex, IsQuadratic, Smooth, StronglyConvex

A = Operator("A")
M, D = Constant("M", SLOPE), Constant("D", LENGTH)
beta, rho = Constant("beta", CURVATURE ** Fraction(-1)), Constant("rho", CURVATURE ** Fraction(-1))
_d, _change, _turned = x[i] - x[j], grad(x[i]) - grad(x[j]), A(x[i]) - A(x[j])
_tangent = f(x[j]) + inner(grad(x[j]), _d)
_convex = f(x[i]) >= _tangent
_short = normsq(grad(x[i])) <= M**2

# -- functions ----------------------------------------------------------------------------------------------------------------

CONVEX_LIPSCHITZ = FunctionClass(
    name="convex and Lipschitz",
    facts=(Convex, facts.Lipschitz),
    constants=(M,),
    interpolation=(_convex, _short),
    with_minimum=(),
)
SMOOTH_CONVEX_LIPSCHITZ = FunctionClass(
    name="L-smooth, convex and Lipschitz",
    facts=(Convex, Smooth, facts.Lipschitz),
    constants=(L, M),
    interpolation=(f(x[i]) >= _tangent + normsq(_change) / (2 * L), _short),
    with_minimum=(),
)
CONVEX_QUADRATIC_GROWTH = FunctionClass(
    name="convex with quadratic growth",
    facts=(Convex, facts.QuadraticGrowth),
    constants=(L,),
    interpolation=(
        _convex,
        f(xstar) >= f(x[i]) + inner(grad(x[i]), xstar - x[i]) + normsq(grad(x[i])) / (2 * L),
    ),
    with_minimum=(),
)
RESTRICTED_SECANT_ERROR_BOUND = FunctionClass(
    name="restricted secant inequality and error bound",
    facts=(facts.RestrictedSecant, facts.ErrorBound),
    constants=(mu_f, L),
    interpolation=(
        inner(grad(x[i]), x[i] - xstar) >= mu_f * normsq(x[i] - xstar),
        normsq(grad(x[i])) <= L**2 * normsq(x[i] - xstar),
    ),
    with_minimum=(),
)
CONVEX_BLOCK_SMOOTH = FunctionClass(
    name="convex and smooth along each block of coordinates",
    facts=(Convex, facts.BlockSmooth),
    constants=(L,),
    interpolation=(),
    by_block=(f(x[i]) >= _tangent + normsq(block(_change, BLOCK)) / (2 * L),),
    with_minimum=(),
    is_sufficient=False,
)
INDICATOR = FunctionClass(
    name="a closed convex set",
    facts=(facts.Indicator,),
    interpolation=(f(x[i]) == 0, inner(grad(x[j]), _d) <= 0),
    with_minimum=(),
)
BOUNDED_INDICATOR = FunctionClass(
    name="a closed convex set of diameter D",
    facts=(facts.Indicator, facts.Diameter),
    constants=(D,),
    interpolation=(f(x[i]) == 0, inner(grad(x[j]), _d) <= 0, normsq(_d) <= D**2),
    with_minimum=(),
)
SUPPORT = FunctionClass(
    name="a support function",
    facts=(facts.Support,),
    interpolation=(inner(grad(x[i]), x[i]) == f(x[i]), inner(x[j], _change) <= 0),
    with_minimum=(),
)
LIPSCHITZ_SUPPORT = FunctionClass(
    name="a Lipschitz support function",
    facts=(facts.Support, facts.Lipschitz),
    constants=(M,),
    interpolation=(inner(grad(x[i]), x[i]) == f(x[i]), inner(x[j], _change) <= 0, _short),
    with_minimum=(),
)

# -- quadratics: the data are those of a symmetric matrix Q with mu <= Q <= L, read from x* --------------------------------------

_from = x[i] - xstar
QUADRATIC = FunctionClass(
    name="quadratics with curvature from mu to L",
    facts=(IsQuadratic, Smooth, StronglyConvex),
    constants=(L, mu_f),
    interpolation=(
        f(x[i]) - f(xstar) == inner(_from, grad(x[i])) / 2,
        inner(_from, grad(x[j])) == inner(x[j] - xstar, grad(x[i])),
    ),
    semidefinite=(
        (L + mu_f) * inner(grad(x[i]), x[j] - xstar) - inner(grad(x[i]), grad(x[j])) - mu_f * L * inner(_from, x[j] - xstar),
    ),
    with_minimum=(),
)
CONVEX_QUADRATIC = FunctionClass(
    name="convex quadratics with curvature up to L",
    facts=(IsQuadratic, Smooth, Convex),
    constants=(L,),
    interpolation=QUADRATIC.interpolation,
    semidefinite=(L * inner(grad(x[i]), x[j] - xstar) - inner(grad(x[i]), grad(x[j])),),
    with_minimum=(),
)

# -- operators ------------------------------------------------------------------------------------------------------------------

MONOTONE = FunctionClass(name="monotone", facts=(facts.Monotone,), interpolation=(inner(_turned, _d) >= 0,), with_minimum=())
STRONGLY_MONOTONE = FunctionClass(
    name="strongly monotone",
    facts=(facts.StronglyMonotone,),
    constants=(mu_f,),
    interpolation=(inner(_turned, _d) >= mu_f * normsq(_d),),
    with_minimum=(),
)
COCOERCIVE = FunctionClass(
    name="cocoercive",
    facts=(facts.Cocoercive,),
    constants=(beta,),
    interpolation=(inner(_turned, _d) >= beta * normsq(_turned),),
    with_minimum=(),
)
LIPSCHITZ_OPERATOR = FunctionClass(
    name="Lipschitz",
    facts=(facts.LipschitzOperator,),
    constants=(L,),
    interpolation=(normsq(_turned) <= L**2 * normsq(_d),),
    with_minimum=(),
)
NONEXPANSIVE = FunctionClass(
    name="nonexpansive", facts=(facts.Nonexpansive,), interpolation=(normsq(_turned) <= normsq(_d),), with_minimum=()
)
_shortest = xstar - A(xstar)
NONEXPANSIVE_DISPLACED = FunctionClass(
    name="nonexpansive, with the shortest displacement at x*",
    facts=(facts.Nonexpansive, facts.ShortestDisplacement),
    interpolation=(
        normsq(_turned) <= normsq(_d),
        inner(x[i] - A(x[i]), _shortest) >= normsq(_shortest),  # displacements are a convex set: Park, Ryu 2023, Theorem 10
    ),
    with_minimum=(),
)
NEGATIVELY_COMONOTONE = FunctionClass(
    name="negatively comonotone",
    facts=(facts.NegativelyComonotone,),
    constants=(rho,),
    interpolation=(inner(_turned, _d) >= -rho * normsq(_turned),),
    with_minimum=(),
)
STRONGLY_MONOTONE_LIPSCHITZ = FunctionClass(
    name="strongly monotone and Lipschitz",
    facts=(facts.StronglyMonotone, facts.LipschitzOperator),
    constants=(mu_f, L),
    interpolation=(inner(_turned, _d) >= mu_f * normsq(_d), normsq(_turned) <= L**2 * normsq(_d)),
    with_minimum=(),
    is_sufficient=False,
)
STRONGLY_MONOTONE_COCOERCIVE = FunctionClass(
    name="strongly monotone and cocoercive",
    facts=(facts.StronglyMonotone, facts.Cocoercive),
    constants=(mu_f, beta),
    interpolation=(inner(_turned, _d) >= mu_f * normsq(_d), inner(_turned, _d) >= beta * normsq(_turned)),
    with_minimum=(),
    is_sufficient=False,
)
MONOTONE_LIPSCHITZ = FunctionClass(
    name="monotone and Lipschitz",
    facts=(facts.Monotone, facts.LipschitzOperator),
    constants=(L,),
    interpolation=(inner(_turned, _d) >= 0, normsq(_turned) <= L**2 * normsq(_d)),
    with_minimum=(),
    is_sufficient=False,  # of three and more points: Ryu, Taylor, Bergeling, Giselsson 2020
)
LINEAR = FunctionClass(
    name="linear",
    facts=(facts.Linear,),
    constants=(Constant("L", NONE),),
    interpolation=(),
    semidefinite=(Constant("L", NONE) ** 2 * inner(x[i], x[j]) - inner(A(x[i]), A(x[j])),),
    with_minimum=(),
)
SYMMETRIC = FunctionClass(
    name="linear and symmetric",
    facts=(facts.Symmetric,),
    constants=(Constant("mu", NONE), Constant("L", NONE)),
    interpolation=(inner(x[i], A(x[j])) == inner(x[j], A(x[i])),),
    semidefinite=(
        (Constant("L", NONE) + Constant("mu", NONE)) * inner(A(x[i]), x[j])
        - inner(A(x[i]), A(x[j]))
        - Constant("mu", NONE) * Constant("L", NONE) * inner(x[i], x[j]),
    ),
    with_minimum=(),
)
SKEW_SYMMETRIC = FunctionClass(
    name="linear and skew-symmetric",
    facts=(facts.SkewSymmetric,),
    constants=(Constant("L", NONE),),
    interpolation=(inner(x[i], A(x[j])) == -inner(x[j], A(x[i])),),
    semidefinite=(Constant("L", NONE) ** 2 * inner(x[i], x[j]) - inner(A(x[i]), A(x[j])),),
    with_minimum=(),
)

# Of several descriptions of one class the sharpest.
NAMED_CLASSES = tuple(value for value in dict(vars()).values() if isinstance(value, FunctionClass))
