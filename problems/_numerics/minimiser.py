"""The minimiser of f(x) = sum of log(1 + exp(Z x)), enclosed: Newton in float64, refined and proved in ball arithmetic.

Kantorovich: let |H^-1| <= beta at c, and let H be Lipschitz with constant K. If h = beta^2 K |grad f(c)| <= 1/2, there is a
minimiser within 2 beta |grad f(c)| of c. For s = log(1 + exp), |s'''| <= 1 / (6 sqrt(3)), so
K = (sum of |z_i|^3) / (6 sqrt(3)) will do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.model.problem import Minimiser
from boundcheck.problems._numerics import eigenvalues
from boundcheck.problems._numerics.eigenvalues import SMALLEST

Floats = NDArray[np.float64]
BITS, SPARE = 320, 32


@dataclass(frozen=True)
class Enclosure:
    """A minimiser near `point` (refined) and near `centre` (float64); the gradient at the centre, f(centre) - f*, and f*."""

    point: tuple[Fraction, ...]
    radius: float
    centre: tuple[float, ...]
    gradient: tuple[Fraction, ...]
    gradient_error: float
    gap: Fraction
    value: Fraction
    value_error: float


def minimise(Z: Floats, bits: int = BITS) -> Enclosure | None:
    """A proved enclosure of the minimiser, or None where there is no proof: no minimiser, or a singular Hessian.

    It is known to about so many bits.
    """
    from boundcheck.arithmetic.balls.plain import Precision

    centre = _newton(Z)
    if centre is None:
        return None
    with Precision(bits + SPARE):
        return _Balls(Z).enclose(centre)


def gradient_at(Z: Floats, x: Sequence[float]) -> tuple[tuple[Fraction, ...], float]:
    """grad f at a float64 point to about 90 digits, and an upper bound of its error."""
    from flint import arb, arb_mat

    from boundcheck.arithmetic.balls.plain import Precision

    with Precision(BITS + SPARE):
        return _Balls(Z).exact_gradient(arb_mat([[arb(v)] for v in x]))


def _newton(Z: Floats) -> Floats | None:
    x = np.zeros(Z.shape[1])
    for _ in range(100):
        z = Z @ x
        g = Z.T @ _sigmoid(z)
        try:
            step = np.linalg.solve(_hessian(Z, x), g)
        except np.linalg.LinAlgError:
            return None
        value, t = np.logaddexp(0, z).sum(), 1.0
        while np.logaddexp(0, Z @ (x - t * step)).sum() > value - 1e-4 * t * float(g @ step) and t > 1e-8:
            t /= 2
        if not np.isfinite(step).all() or np.linalg.norm(x) > 1e6:
            return None
        x = x - t * step
        if np.linalg.norm(step) <= 1e-13 * (1 + np.linalg.norm(x)):
            return np.asarray(x)
    return np.asarray(x)


def _sigmoid(z: Floats) -> Floats:
    return np.asarray(np.exp(-np.logaddexp(0, -z)))


def _hessian(Z: Floats, x: Floats) -> Floats:
    s = _sigmoid(Z @ x)
    H = (Z * (s * _sigmoid(-(Z @ x)))[:, None]).T @ Z
    return np.asarray((H + H.T) / 2)


class _Balls:
    """f and its gradient in arb at fixed precision."""

    def __init__(self, Z: Floats) -> None:
        from flint import arb, arb_mat

        self.arb, self.arb_mat = arb, arb_mat
        self.rows = arb_mat([[arb(float(v)) for v in row] for row in Z])
        self.columns = self.rows.transpose()
        norms = np.sqrt((Z * Z).sum(axis=1))
        # each float64 operation is within 2^-53: together less than 1e-10 for any data that fits into memory
        self.lipschitz = float((norms**3).sum()) / (6 * 3**0.5) * (1 + 1e-10) + SMALLEST

    def gradient(self, x: Any) -> Any:
        z = self.rows * x
        return self.columns * self.arb_mat([[1 / (1 + (-z[i, 0]).exp())] for i in range(z.nrows())])

    def exact_gradient(self, x: Any) -> tuple[tuple[Fraction, ...], float]:
        """The gradient's middle, and an upper bound of its distance from the truth."""
        g = self.gradient(x)
        balls = [g[i, 0] for i in range(g.nrows())]
        return tuple(_dyadic(ball) for ball in balls), 2 * float(sum(float(ball.rad()) for ball in balls)) + SMALLEST

    def value(self, x: Any) -> Any:
        z = self.rows * x
        return sum(((1 + z[i, 0].exp()).log() for i in range(z.nrows())), self.arb(0))

    def hessian(self, x: Any) -> tuple[Floats, float]:
        """A float64 matrix, and how far it may be from the Hessian, in norm."""
        z = self.rows * x
        weights = [1 / ((1 + z[i, 0].exp()) * (1 + (-z[i, 0]).exp())) for i in range(z.nrows())]
        weighted = self.arb_mat([[w * v for v in row] for w, row in zip(weights, self.rows.table(), strict=True)])
        exact = self.columns * weighted
        H = np.array([[float(v) for v in row] for row in exact.table()])
        H = (H + H.T) / 2
        error = sum(
            ((v - self.arb(float(h))).abs_upper() for v, h in zip(exact.entries(), H.reshape(-1), strict=True)), self.arb(0)
        )
        return H, float(error.abs_upper()) * (1 + 1e-15)

    def enclose(self, centre: Floats) -> Enclosure | None:
        arb, arb_mat = self.arb, self.arb_mat
        start = arb_mat([[arb(float(v))] for v in centre])
        H, error = self.hessian(start)
        curvature = math.nextafter(eigenvalues.bounds(H)[0] - error, -math.inf)
        if not curvature > 0:
            return None
        correction = arb_mat([[arb(float(v)) for v in row] for row in np.linalg.inv(H)])
        x = self._refined(start, correction)
        # the curvature bound is at the centre; it falls by at most lipschitz * distance on the way to x
        away = self._size(x - start)
        left = math.nextafter(curvature - self.lipschitz * away * (1 + 1e-10), -math.inf)
        slope = self._size(self.gradient(x))
        if not left > 0 or not self.lipschitz * slope / left**2 <= 0.25:
            return None
        radius = 2 * slope / left * (1 + 1e-10)
        gradient, gradient_error = self.exact_gradient(start)
        # f(x) - |grad f(x)| r <= f* <= f(x)
        value, gap = self.value(x), self.value(start) - self.value(x)
        error = slope * radius * (1 + 1e-10) + float(value.rad()) * 2 + float(gap.rad()) * 2 + SMALLEST
        return Enclosure(
            point=tuple(_dyadic(x[i, 0]) for i in range(x.nrows())),
            radius=radius,
            centre=tuple(float(v) for v in centre),
            gradient=gradient,
            gradient_error=gradient_error,
            gap=_dyadic(gap),
            value=_dyadic(value),
            value_error=error,
        )

    def _refined(self, x: Any, correction: Any) -> Any:
        """Newton's method with the inverse of one Hessian: each step gains up to float64's digits, until rounding."""
        before = float("inf")
        while True:
            slope = self.gradient(x)
            size = self._size(slope)
            if not size < before / 16:
                return x
            x, before = (x - correction * slope).mid(), size

    def _size(self, v: Any) -> float:
        """An upper bound of the Euclidean norm."""
        total = sum((v[i, 0].abs_upper() * v[i, 0].abs_upper() for i in range(v.nrows())), self.arb(0))
        return float(total.sqrt().abs_upper()) * (1 + 1e-15) + SMALLEST


def _dyadic(ball: Any) -> Fraction:
    mantissa, exponent = ball.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


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
