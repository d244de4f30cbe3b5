"""Certificates of the kind "gram", made once, and how to change and check them."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction as Q
from functools import cache
from importlib import import_module
from typing import Any

from boundcheck import Bound, By, Convex, GradientDescent, Method, Smooth, StronglyConvex, Update
from boundcheck.certificates.write import sealed
from boundcheck.falsify.gram_certificates.search import attempts
from boundcheck.language.tree import as_index
from boundcheck.language.vectors import Point
from boundcheck.letters import Delta, L, f, grad, i, inner, k, mu_f, normsq, x, xstar
from tests.falsify.gram_claims import (
    CONTRACTION,
    MISTAKES,
    ONE_STEP,
    SHARP,
    TIGHT,
    proximal_point_of_a_function,
    stochastic,
    variance,
)

from .making import rehashed

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

Data = dict[str, Any]
LINE_SEARCH = Bound(
    given=(StronglyConvex, Smooth, GradientDescent(), inner(grad(x[i + 1]), grad(x[i])) == 0),
    for_all=k >= 1,
    states=f(x[k]) - f(xstar) <= SHARP * ((L - mu_f) / (L + mu_f)) ** 2 * (f(x[k - 1]) - f(xstar)),
)
NON_CONVEX = Bound(
    given=(Smooth, GradientDescent()), for_all=k >= 1, states=normsq(grad(x[k])) <= L * (f(x[0]) - f(xstar)) / (4 * k)
)
ANY_CONVEX = Bound(given=(Convex, GradientDescent()), for_all=k >= 1, states=f(x[k]) - f(xstar) <= Delta[0] / 9)
p = Point("p", as_index(0))
FREE_START = Bound(
    given=(
        *(Convex, Smooth, normsq(p - xstar) <= normsq(x[0] - xstar)),
        By(
            Method(
                name="from two points",
                each=(Update(Point("p", k + 1), x[k]), Update(x[k + 1], Point("p", k))),
                free=(p,),
            )
        ),
    ),
    for_all=k >= 1,
    states=normsq(x[k] - xstar) <= Q(1, 2) * Delta[0],
)
CLAIMS = {
    "composite": lambda: TIGHT["proximal gradient"](SHARP),
    "two starts": lambda: TIGHT["Douglas and Rachford"](SHARP),
    "chance": lambda: stochastic(ONE_STEP),
    "monotone": lambda: TIGHT["proximal point"](SHARP),
    "nonexpansive": MISTAKES["weights off by one"],
    "set": MISTAKES["a quarter of Frank and Wolfe"],
    "free": MISTAKES["the error is forgotten"],
    "implicit": lambda: proximal_point_of_a_function(Delta[0] / (8 * k + 1)),
    "equation": lambda: LINE_SEARCH,
    "starts of a sequence": lambda: FREE_START,
    "non-convex": lambda: NON_CONVEX,
    "any convex": lambda: ANY_CONVEX,
}


@cache
def _made(name: str) -> Data:
    for made in attempts(CLAIMS[name](), 0, lambda: True):
        if made.found is not None:
            return made.found.certificate
    raise AssertionError(name)


def certificate(name: str) -> Data:
    """A copy that may be changed."""
    return deepcopy(_made(name))


def said(data: Any, *, rehash: bool = True, seal: bool = True) -> Any:
    """What the checker finds of it; with a new hash and a new seal, so that only its other checks can reject."""
    if rehash:
        data = rehashed(data)
    return verify.examine(json.dumps(sealed(data) if seal else data).encode())


def rows(data: Data, name: str, part: int | None = None) -> list[Data]:
    """The rows of one oracle."""
    return next(o["rows"] for o in data["oracles"] if (o["name"], o["part"]) == (name, part))


def plus(number: str, by: str | Q = "1") -> str:
    """A number of a file, changed."""
    return str(Q(number) + Q(by))


__all__ = ["CLAIMS", "CONTRACTION", "certificate", "plus", "rows", "said", "variance"]
