"""Methods to run in tests: gradient descent by its updates, normalized, heavy ball, and an accelerated one with its sequences."""

from __future__ import annotations

from boundcheck.language.letters import Numbers, eta, eta_length, gap, grad, inner, k, mu_f, norm, normsq, sqrt, v, x, y
from boundcheck.language.scalars import CURVATURE, NONE, VALUE, Parameter, as_scalar
from boundcheck.model.method import GRADIENT_DESCENT, Method, Update

alpha, gamma, lam = Numbers("alpha", NONE), Numbers("gamma", CURVATURE), Numbers("lambda", NONE)
phistar = Numbers("phistar", VALUE)
alpha0 = Parameter("alpha0")

NORMALIZED = Method(
    name="normalized gradient descent",
    kind="normalized",
    each=(Update(x[k + 1], x[k] - eta_length[k] / norm(grad(x[k])) * grad(x[k])),),
)

HEAVY_BALL = Method(
    name="heavy ball",
    kind="accelerated",
    first=(Update(y[0], x[0]),),
    each=(Update(y[k], x[k] + as_scalar(1) / 2 * (x[k] - x[k - 1])), Update(x[k + 1], y[k] - eta[k] * grad(x[k]))),
)

ESTIMATING = Method(
    name="estimating sequences",
    kind="accelerated",
    first=(
        Update(v[0], x[0]),
        Update(gamma[0], (alpha0**2 - eta[0] * alpha0 * mu_f) / (eta[0] * (1 - alpha0))),
        Update(lam[0], as_scalar(1)),
        Update(phistar[0], gap(x[0])),
    ),
    each=(
        Update(alpha[k], eta[k] / 2 * ((mu_f - gamma[k]) + sqrt((gamma[k] - mu_f) ** 2 + 4 * gamma[k] / eta[k]))),
        Update(gamma[k + 1], (1 - alpha[k]) * gamma[k] + alpha[k] * mu_f),
        Update(y[k], (alpha[k] * gamma[k] * v[k] + gamma[k + 1] * x[k]) / (gamma[k] + alpha[k] * mu_f)),
        Update(x[k + 1], y[k] - eta[k] * grad(y[k])),
        Update(
            v[k + 1],
            ((1 - alpha[k]) * gamma[k] * v[k] + alpha[k] * mu_f * y[k] - alpha[k] * grad(y[k])) / gamma[k + 1],
        ),
        Update(lam[k + 1], (1 - alpha[k]) * lam[k]),
        Update(
            phistar[k + 1],
            (1 - alpha[k]) * phistar[k]
            + alpha[k] * gap(y[k])
            - alpha[k] ** 2 / (2 * gamma[k + 1]) * normsq(grad(y[k]))
            + alpha[k]
            * (1 - alpha[k])
            * gamma[k]
            / gamma[k + 1]
            * (mu_f / 2 * normsq(y[k] - v[k]) + inner(grad(y[k]), v[k] - y[k])),
        ),
    ),
)

ratio = alpha[k - 1] ** 2 * eta[k] / eta[k - 1]


def momentum(weight_of_alpha, name):  # type: ignore[no-untyped-def]
    """alpha_k from its recursion, and y_k = x_k + a (1 - a) / (a^2 + w alpha_k) (x_k - x_{k-1}) with a = alpha_{k-1}."""
    a = alpha[k - 1]
    return Method(
        name=name,
        kind="accelerated",
        first=(Update(alpha[0], alpha0), Update(y[0], x[0])),
        each=(
            Update(alpha[k], (eta[k] * mu_f - ratio + sqrt((ratio - eta[k] * mu_f) ** 2 + 4 * ratio)) / 2),
            Update(y[k], x[k] + a * (1 - a) / (a**2 + weight_of_alpha * alpha[k]) * (x[k] - x[k - 1])),
            Update(x[k + 1], y[k] - eta[k] * grad(y[k])),
        ),
    )


PRINTED = momentum(as_scalar(1), "momentum with alpha_{k+1} in the denominator")
MOMENTUM = momentum(eta[k - 1] / eta[k], "momentum with alpha_{k+1} eta_k / eta_{k+1} in the denominator")

__all__ = ["ESTIMATING", "GRADIENT_DESCENT", "HEAVY_BALL", "MOMENTUM", "NORMALIZED", "PRINTED"]
