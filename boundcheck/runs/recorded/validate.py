"""Arrays as people hand them over: shapes, formats and numbers looked at before anything is computed from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.model.problem import Convex, Differentiable, Fact, IsQuadratic, Smooth, StronglyConvex, TwiceDifferentiable
from boundcheck.support.errors import UserError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Whole = NDArray[np.int64]
UNITS = {"float64": 2.0**-53, "float32": 2.0**-24}
IMPLIED: dict[type[Fact], tuple[type[Fact], ...]] = {
    TwiceDifferentiable: (Differentiable,),
    IsQuadratic: (TwiceDifferentiable, Differentiable),
    Smooth: (Differentiable,),
    StronglyConvex: (Convex,),
}


class NotARun(UserError):
    """Arrays that are no run: their shapes do not fit, or they hold no numbers, or they contradict what is said of them."""


def numbers(name: str, given: Any, shape: str) -> Floats:
    """An array of finite numbers, in float64; `shape` says what was needed, for people."""
    wanted = len(shape.split(","))  # "(K+1, d)" has two axes, "(K+1,)" one
    wanted -= shape.endswith(",)")
    if hasattr(given, "detach"):
        given = given.detach().cpu().numpy()
    try:
        array = np.asarray(given)
        if array.dtype.kind not in "fiub" and array.dtype != object:
            raise TypeError
        array = np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise NotARun(f"{name} is no array of numbers; needs shape {shape}") from None
    if array.ndim != wanted:
        raise NotARun(f"{name} has shape {array.shape}; needs {shape}")
    if not array.size:
        raise NotARun(f"{name} is empty, of shape {array.shape}; needs {shape} with at least one entry")
    bad = ~np.isfinite(array)
    if bad.any():
        where = np.unravel_index(int(bad.argmax()), array.shape)
        place = ", ".join(str(int(n)) for n in where)
        raise NotARun(f"{name}[{place}] is {array[where]}; needs numbers: cut the run before it, and say so")
    return array


def precision_of(given: Iterable[Any], said: str | None) -> str:
    """The coarsest format among the arrays: what computed them rounded at least so."""
    if said is not None:
        if said not in UNITS:
            raise NotARun(f"precision '{said}' is not known; needs one of {', '.join(UNITS)}")
        return said
    kinds = [str(getattr(array, "dtype", "float64")).removeprefix("torch.") for array in given if array is not None]
    coarse = [kind for kind in kinds if kind in ("float16", "bfloat16")]
    if coarse:
        raise NotARun(f"the arrays are in {coarse[0]}, which leaves nothing to decide; needs float32 or float64")
    return "float32" if "float32" in kinds else "float64"


def as_facts(given: Iterable[Any]) -> frozenset[Fact]:
    """What the user says of the function, and what follows from it: an L-smooth function is differentiable."""
    if isinstance(given, Fact | type):
        given = (given,)
    found: set[Fact] = set()
    for fact in given:
        if isinstance(fact, type) and issubclass(fact, Fact):
            name = fact.__name__
            try:
                fact = fact()
            except TypeError:
                raise NotARun(f"the fact {name} needs its constant, as in {name}(2)") from None
        if not isinstance(fact, Fact):
            raise NotARun(f"{fact!r} is no fact; needs facts such as Convex(), Differentiable(), Smooth(2)")
        found.add(fact)
    kinds = {kind for fact in found for kind in IMPLIED.get(type(fact), ())}
    return frozenset(found | {kind() for kind in kinds if not any(isinstance(fact, kind) for fact in found)})
