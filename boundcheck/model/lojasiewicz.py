"""Smooth functions with Polyak and Lojasiewicz's inequality f - f* <= |grad f|^2 / (2 mu): three descriptions, each sharper.

No description is known to be sufficient: a worst case over finite data that keep one of them is an upper bound. The first keeps
each property by itself. The others combine them, as in A. Rubbens, J. M. Hendrickx and A. Taylor, "A constructive approach to
strengthen algebraic descriptions of function and operator classes" (2025): the second by Proposition 3.2 with the largest
alpha, 2 mu / (2 L + mu); the third, by Proposition 3.4, by two matrices for each two points, with two free numbers.
"""

from __future__ import annotations

from dataclasses import replace

from boundcheck.language.letters import L, f, grad, i, inner, j, mu_f, normsq, x, xstar
from boundcheck.language.scalars import VALUE, Parameter
from boundcheck.model.facts import PolyakLojasiewicz
from boundcheck.model.function_classes import FunctionClass
from boundcheck.model.problem import Smooth

_d, _change = x[i] - x[j], grad(x[i]) - grad(x[j])
# how much f(x_i) - f(x_j) falls short of what smoothness asks of two points: at most 0
_short = f(x[j]) - f(x[i]) + inner(grad(x[i]) + grad(x[j]), _d) / 2 + normsq(_change) / (4 * L) - L / 4 * normsq(_d)
_above = f(x[i]) - f(xstar) - normsq(grad(x[i])) / (2 * L)  # at least 0: a gradient step from x_i ends no lower than f*
_beside = f(x[j]) - f(xstar) + normsq(grad(x[j])) / (2 * L)

LOJASIEWICZ_BY_PARTS = FunctionClass(
    name="L-smooth with Polyak and Lojasiewicz's inequality",
    facts=(Smooth, PolyakLojasiewicz),
    constants=(L, mu_f),
    interpolation=(_short <= 0, f(x[i]) - f(xstar) <= normsq(grad(x[i])) / (2 * mu_f), _above >= 0),
    with_minimum=(),
    is_sufficient=False,
)
_alpha = 2 * mu_f / (2 * L + mu_f)
_weight = (2 * L + mu_f) / (L * (2 * L - mu_f))  # alpha / ((1 - alpha) (2 mu - (L + mu) alpha))
LOJASIEWICZ_COMBINED = replace(
    LOJASIEWICZ_BY_PARTS,
    name="L-smooth with Polyak and Lojasiewicz's inequality, combined",
    interpolation=(
        *LOJASIEWICZ_BY_PARTS.interpolation,
        _short + _weight * ((1 - _alpha) ** 2 * (L + mu_f) * _above - (L - mu_f) * _beside) <= 0,
    ),
)
_s, _t = Parameter("s", VALUE), Parameter("t", VALUE)  # free for each two points
_up, _down = (L + mu_f) * _above, (L - mu_f) * _beside
LOJASIEWICZ_BY_MATRICES = replace(
    LOJASIEWICZ_BY_PARTS,
    name="L-smooth with Polyak and Lojasiewicz's inequality, by matrices",
    free=(_s, _t),
    of_pairs=(
        (
            (
                -(2 * L + mu_f) * _short - 4 * mu_f / (2 * L + mu_f) * _s - (_up - _down - (L + 3 * mu_f) * _short),
                _s - mu_f / (2 * L + mu_f) * _t - (L + mu_f) / 2 * _short + _up,
            ),
            (_s - mu_f / (2 * L + mu_f) * _t - (L + mu_f) / 2 * _short + _up, _t - _up),
        ),
        ((-(2 * L + mu_f) * _short, _s), (_s, _t)),
    ),
)
LOJASIEWICZ = (LOJASIEWICZ_BY_PARTS, LOJASIEWICZ_COMBINED, LOJASIEWICZ_BY_MATRICES)
