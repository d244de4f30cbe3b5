"""The claims that `boundcheck tightness` compares with worst cases: gradient descent with steps 1/L."""

from __future__ import annotations

from collections.abc import Iterator

from boundcheck.library.catalogue import find_bounds
from boundcheck.tightness.families import SMOOTH, named
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.row import Row


def one_over_L(label: str, name: str, k: int) -> Iterator[Row]:
    claim = find_bounds(f"classical/{label}")[0]
    yield Row(name=name, claim=claim, k=k, given=(("L = 1, eta_i = 1/L", Numbers(L=1)),), note=SMOOTH)


FAMILIES = dict(
    (
        named(one_over_L, "GD 1/L, exact rate", label="gd.rate@printed"),
        named(one_over_L, "GD 1/L, classical rate", label="gd.rate-2k@printed"),
    )
)
