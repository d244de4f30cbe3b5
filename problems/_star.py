"""The minimiser of a logistic regression, to as many bits as somebody asks for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.model.problem import Minimiser
from boundcheck.problems._newton import BITS, Enclosure, minimise


class Star:
    """The minimiser as one of the standard precision, or refined to so many bits: computed once, and again after a pickle."""

    def __init__(self, Z: NDArray[np.float64], columns: list[int], known: Enclosure, which: str) -> None:
        self.Z, self.columns, self.which = Z, columns, which
        self.standard = self._minimiser(known)
        self._found: dict[int, Minimiser] = {}

    def __call__(self, bits: int) -> Minimiser:
        if bits <= BITS:
            return self.standard
        if bits not in self._found:
            known = minimise(np.ascontiguousarray(self.Z[:, self.columns]), bits)
            assert known is not None  # it was proved with fewer bits
            self._found[bits] = self._minimiser(known)
        return self._found[bits]

    def _minimiser(self, known: Enclosure) -> Minimiser:
        point = [Fraction(0)] * self.Z.shape[1]
        for j, value in zip(self.columns, known.point, strict=True):
            point[j] = value
        return Minimiser(
            point=tuple(point),
            value=known.value,
            radius=known.radius,
            value_error=known.value_error,
            which=self.which,
            refined=self,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_found": {}}
