"""Nesterov's method as data: the momentum form as printed in eq:agd, the one for steps that vary, the estimating sequences.

alpha_{k+1} is the positive root of a^2 = (1 - a) alpha_k^2 eta_{k+1} / eta_k + eta_{k+1} a mu. The estimating form carries
gamma_k with alpha_k^2 = eta_k (1 - alpha_k) gamma_k + eta_k alpha_k mu = eta_k gamma_{k+1}, so gamma_{k+1} = alpha_k^2 / eta_k.
phistar_k is min phi_k - f(x*), which adding a constant to f does not move. alpha_0 is a parameter; gamma_0 is what gives it.
"""

from fractions import Fraction
from typing import Any

from boundcheck import Method, Parameter, Update
from boundcheck.letters import (
    CURVATURE,
    NONE,
    VALUE,
    Numbers,
    Points,
    Scalar,
    as_scalar,
    eta,
    gap,
    grad,
    inner,
    k,
    mu_f,
    normsq,
    sqrt,
    v,
    x,
    y,
)

ACCELERATED = "accelerated"

alpha, gamma = Numbers("alpha", NONE), Numbers("gamma", CURVATURE)
lam, phistar = Numbers("lambda", NONE), Numbers("phistar", VALUE)
start = Points("start")  # x_0 at every index, for claims that compare it with a moving point

alpha0 = Parameter("alpha0", NONE, r"\alpha_0")
ALPHA_0 = {"alpha0": (Fraction(3, 4),)}
ALPHA_0_POSITIVE = alpha0 > 0  # of the two roots of alpha_0^2 = eta_0 (1 - alpha_0) gamma_0 + eta_0 alpha_0 mu, the positive one
POSITIVE_ROOT = r"$\alpha_0 > 0$: of the two roots of the equation for $\alpha_0$ the positive one"
c0 = Parameter("c0", NONE, "c_0")
C_0 = {"c0": (Fraction(1, 2),)}
C_0_POSITIVE = c0 > 0  # gamma_0 > mu


def root(step: Any, g: Any) -> Scalar:
    """eq:eta-init: the positive root a of a^2 = step (1 - a) g + step a mu."""
    made: Scalar = step / 2 * ((mu_f - g) + sqrt((g - mu_f) ** 2 + 4 * g / step))
    return made


def curvature(a: Any, step: Any) -> Scalar:
    """The g for which that root is a."""
    made: Scalar = (a**2 - step * a * mu_f) / (step * (1 - a))
    return made


# -- momentum forms ----------------------------------------------------------------------------------------------------------

momentum_as_printed = alpha[k - 1] * (1 - alpha[k - 1]) / (alpha[k - 1] ** 2 + alpha[k])
momentum_for_any_steps = alpha[k - 1] * (1 - alpha[k - 1]) / (alpha[k - 1] ** 2 + alpha[k] * (eta[k - 1] / eta[k]))


def _momentum_form(name: str, momentum: Scalar, first_alpha: Scalar) -> Method:
    return Method(
        name=name,
        kind=ACCELERATED,
        first=(Update(alpha[0], first_alpha), Update(y[0], x[0])),
        each=(
            Update(alpha[k], root(eta[k], alpha[k - 1] ** 2 / eta[k - 1])),
            Update(y[k], x[k] + momentum * (x[k] - x[k - 1])),
            Update(x[k + 1], y[k] - eta[k] * grad(y[k])),
        ),
    )


AGD = _momentum_form("AGD as printed", momentum_as_printed, alpha0)
AGD_SC = _momentum_form("AGD as printed from alpha_0 = sqrt(eta_0 mu)", momentum_as_printed, sqrt(eta[0] * mu_f))
AGD_ANY_STEPS = _momentum_form("AGD for any steps", momentum_for_any_steps, alpha0)
AGD_ANY_STEPS_SC = _momentum_form("AGD for any steps from alpha_0 = sqrt(eta_0 mu)", momentum_for_any_steps, sqrt(eta[0] * mu_f))

# -- estimating sequences ----------------------------------------------------------------------------------------------------

canonical_minimum = (
    (1 - alpha[k]) * phistar[k]
    + alpha[k] * gap(y[k])
    - alpha[k] ** 2 / (2 * gamma[k + 1]) * normsq(grad(y[k]))
    + alpha[k] * (1 - alpha[k]) * gamma[k] / gamma[k + 1] * (mu_f / 2 * normsq(y[k] - v[k]) + inner(grad(y[k]), v[k] - y[k]))
)


def _estimating_form(name: str, first_gamma: Any) -> Method:
    return Method(
        name=name,
        kind=ACCELERATED,
        first=(
            Update(v[0], x[0]),
            Update(gamma[0], first_gamma),
            Update(lam[0], as_scalar(1)),
            Update(phistar[0], gap(x[0])),
            Update(start[0], x[0]),
        ),
        each=(
            Update(alpha[k], root(eta[k], gamma[k])),
            Update(gamma[k + 1], (1 - alpha[k]) * gamma[k] + alpha[k] * mu_f),
            Update(y[k], 1 / (gamma[k] + alpha[k] * mu_f) * (alpha[k] * gamma[k] * v[k] + gamma[k + 1] * x[k])),
            Update(x[k + 1], y[k] - eta[k] * grad(y[k])),
            Update(
                v[k + 1],
                1 / gamma[k + 1] * ((1 - alpha[k]) * gamma[k] * v[k] + alpha[k] * mu_f * y[k] - alpha[k] * grad(y[k])),
            ),
            Update(lam[k + 1], (1 - alpha[k]) * lam[k]),
            Update(phistar[k + 1], canonical_minimum),
            Update(start[k + 1], start[k]),
        ),
    )


ESTIMATING = _estimating_form("estimating sequences", curvature(alpha0, eta[0]))
ESTIMATING_SC = _estimating_form("estimating sequences from gamma_0 = mu", mu_f)
ESTIMATING_C0 = _estimating_form("estimating sequences from gamma_0 = mu + c_0 / eta_0", mu_f + c0 / eta[0])
