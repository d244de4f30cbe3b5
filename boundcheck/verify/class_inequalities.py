"""The inequalities of classes: which finite data belong to some function, set or operator of a class.

Of an oracle a file says what it gives at finitely many points: rows (x, g, f), with a gradient, normal vector or image g, and a
value f where it is a function. For the classes below a theorem says that some member of the class has these rows if and only if
every pair of rows satisfies an inequality: those are written here, from the papers, and no others. A class of which only
necessary inequalities are known is not here: nothing that satisfies them is shown to exist.

    THG17   Taylor, Hendrickx, Glineur: Smooth strongly convex interpolation and exact worst-case performance of first-order
            methods. Mathematical Programming 161 (2017)
    THG17b  the same: Exact worst-case performance of first-order methods for composite convex optimization. SIAM Journal on
            Optimization 27 (2017)
    DS20    Drori, Shamir: The complexity of finding stationary points with stochastic gradient descent. ICML 2020, Theorem 7
    GTD22   Goujaud, Taylor, Dieuleveut: Optimal first-order methods for convex functions with a quadratic upper bound. 2022
    GIGM22  Guille-Escuret, Ibrahim, Goujaud, Mitliagkas: Gradient descent is optimal under lower restricted secant inequality
            and upper error bound. NeurIPS 2022
    RTBG20  Ryu, Taylor, Bergeling, Giselsson: Operator splitting performance estimation: tight contraction factors and optimal
            parameter selection. SIAM Journal on Optimization 30 (2020)
    BHG23   Bousselmi, Hendrickx, Glineur: Interpolation conditions for linear operators and applications to performance
            estimation problems. SIAM Journal on Optimization 34 (2024)
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import NamedTuple

from flint import fmpq

from .arithmetic import definite, minus, scaled
from .budgets import Vector
from .gram_space import GramSpace
from .refusals import must, shown

FUNCTION, SET, OPERATOR = "function", "set", "operator"


class Row(NamedTuple):
    """What is known of an oracle at one point; an operator has no value."""

    x: Vector
    g: Vector
    f: fmpq | None


class Data(NamedTuple):
    """The rows of one oracle, its constants, and a row at which the gradient is 0, where there is one."""

    space: GramSpace
    rows: list[Row]
    constants: dict[str, fmpq]
    least: Row | None

    def above(self, a: Row, b: Row) -> fmpq:
        """Return f(a) - f(b) - <g(b), a - b>: how far the value is above the tangent at the other point."""
        assert a.f is not None and b.f is not None
        return a.f - b.f - self.space.inner(b.g, minus(a.x, b.x))

    def turn(self, a: Row, b: Row) -> fmpq:
        """Return <g(a) - g(b), a - b>."""
        return self.space.inner(minus(a.g, b.g), minus(a.x, b.x))

    def change(self, a: Row, b: Row) -> fmpq:
        """Return |g(a) - g(b)|^2."""
        return self.space.square(minus(a.g, b.g))

    def distance(self, a: Row, b: Row) -> fmpq:
        """Return |a - b|^2."""
        return self.space.square(minus(a.x, b.x))


class KnownClass(NamedTuple):
    """A class of which the data are known: what it is of, its constants, and what all pairs of rows, and each row, satisfy.

    `pair` is a number that must be at least 0 for every ordered pair; `alone` and `whole` tell whether each row, and all rows
    together, are as they must be. Of `is_smooth` classes every member is differentiable (an operator: has one value at a point).
    `can_be_smooth`: some member is, where all pairs are strict, and each row `strictly` is as it must be.
    """

    of: str
    constants: tuple[str, ...]
    pair: Callable[[Data, Row, Row], fmpq] | None
    alone: Callable[[Data, Row], bool] | None = None
    whole: Callable[[Data], bool] | None = None
    where: Callable[[dict[str, fmpq]], bool] | None = None
    is_smooth: bool = False
    can_be_smooth: bool = False
    strictly: Callable[[Data, Row], bool] | None = None
    needs_least: bool = False
    has_values: bool = True


# -- functions ----------------------------------------------------------------------------------------------------------------


def _convex(data: Data, a: Row, b: Row) -> fmpq:
    """THG17, Theorem 1 with L infinite and mu = 0: f(a) >= f(b) + <g(b), a - b>."""
    return data.above(a, b)


def _strongly(data: Data, a: Row, b: Row) -> fmpq:
    """THG17, Theorem 4 with L infinite: mu/2 |a - b|^2 more."""
    return data.above(a, b) - data.constants["mu"] / 2 * data.distance(a, b)


def _curved(data: Data, a: Row, b: Row, mu: fmpq) -> fmpq:
    """THG17, Theorem 4, and THG17b, Theorem 3.10 for mu < 0: curvature from mu to L."""
    L = data.constants["L"]
    inside = data.change(a, b) / L + mu * data.distance(a, b) - 2 * mu / L * data.turn(a, b)
    return data.above(a, b) - inside / (2 * (1 - mu / L))


def _smooth(data: Data, a: Row, b: Row) -> fmpq:
    return _curved(data, a, b, -data.constants["L"])


def _smooth_convex(data: Data, a: Row, b: Row) -> fmpq:
    return _curved(data, a, b, fmpq(0))


def _smooth_strongly(data: Data, a: Row, b: Row) -> fmpq:
    return _curved(data, a, b, data.constants["mu"])


def _is_short(data: Data, row: Row) -> bool:
    """|g| <= M."""
    return data.space.square(row.g) <= data.constants["M"] ** 2


def _grows_at_most(data: Data, row: Row) -> bool:
    """GTD22, Theorem 2.6: f(x*) >= f(x) + <g, x* - x> + |g|^2 / (2L)."""
    least = data.least
    return bool(least is row or data.above(least, row) >= data.space.square(row.g) / (2 * data.constants["L"]))  # type: ignore[arg-type]


def _grows_less(data: Data, row: Row) -> bool:
    least = data.least
    return bool(least is row or data.above(least, row) > data.space.square(row.g) / (2 * data.constants["L"]))  # type: ignore[arg-type]


def _is_secant(data: Data, row: Row) -> bool:
    """GIGM22, Theorem 2: <g, x - x*> >= mu |x - x*|^2 and |g| <= L |x - x*|. It says nothing about values."""
    d = minus(row.x, data.least.x)  # type: ignore[union-attr]
    far = data.space.square(d)
    upward = data.space.inner(row.g, d) >= data.constants["mu"] * far
    return bool(upward and data.space.square(row.g) <= data.constants["L"] ** 2 * far)


def _normal(data: Data, a: Row, b: Row) -> fmpq:
    """THG17b, Theorem 3.6: every point of the set is behind the plane at b: <g(b), a - b> <= 0."""
    return -data.space.inner(b.g, minus(a.x, b.x))


def _normal_within(data: Data, a: Row, b: Row) -> fmpq:
    """THG17b, Theorem 3.6, with the diameter: the convex hull of the points has that of the points."""
    near = data.constants["D"] ** 2 - data.distance(a, b)
    return min(_normal(data, a, b), near)


def _is_0(data: Data, row: Row) -> bool:
    return row.f == 0


def _supports(data: Data, a: Row, b: Row) -> fmpq:
    """THG17b, Corollary 3.7: g(a) is in the set, of which b is normal at g(b): <b, g(b) - g(a)> >= 0."""
    return data.space.inner(b.x, minus(b.g, a.g))


def _is_support(data: Data, row: Row) -> bool:
    return data.space.inner(row.g, row.x) == row.f


def _is_short_support(data: Data, row: Row) -> bool:
    return _is_support(data, row) and _is_short(data, row)


def _quadratic(data: Data, mu: fmpq) -> bool:
    """BHG23, Theorem 3.3 for symmetric matrices: X'G = G'X and (G - mu X)'(L X - G) is semidefinite, with X from x*."""
    least, L = data.least, data.constants["L"]
    assert least is not None and least.f is not None
    x, g = [minus(row.x, least.x) for row in data.rows], [row.g for row in data.rows]
    if not all(row.f is not None and row.f - least.f == data.space.inner(g[n], x[n]) / 2 for n, row in enumerate(data.rows)):
        return False
    return _is_symmetric(data.space, x, g, mu, L)


def _is_symmetric(space: GramSpace, x: list[Vector], g: list[Vector], mu: fmpq, L: fmpq) -> bool:
    count = range(len(x))
    if any(space.inner(x[i], g[j]) != space.inner(x[j], g[i]) for i in count for j in range(i)):
        return False
    low = [minus(g[n], scaled(mu, x[n])) for n in count]
    high = [minus(scaled(L, x[n]), g[n]) for n in count]
    return definite([[space.inner(low[i], high[j]) for j in count] for i in count])


# -- operators ----------------------------------------------------------------------------------------------------------------


def _monotone(data: Data, a: Row, b: Row) -> fmpq:
    """RTBG20, Fact 1: <A(a) - A(b), a - b> >= 0; by Zorn's lemma it has a maximal extension."""
    return data.turn(a, b)


def _strongly_monotone(data: Data, a: Row, b: Row) -> fmpq:
    """RTBG20, Fact 1 for A - mu."""
    return data.turn(a, b) - data.constants["mu"] * data.distance(a, b)


def _cocoercive(data: Data, a: Row, b: Row) -> fmpq:
    """RTBG20, Fact 2: the inverse is strongly monotone."""
    return data.turn(a, b) - data.constants["beta"] * data.change(a, b)


def _lipschitz(data: Data, a: Row, b: Row) -> fmpq:
    """Kirszbraun 1934, Valentine 1945 (RTBG20, Fact 3): |A(a) - A(b)| <= L |a - b|."""
    return data.constants["L"] ** 2 * data.distance(a, b) - data.change(a, b)


def _nonexpansive(data: Data, a: Row, b: Row) -> fmpq:
    """Kirszbraun 1934, Valentine 1945."""
    return data.distance(a, b) - data.change(a, b)


def _comonotone(data: Data, a: Row, b: Row) -> fmpq:
    """RTBG20, Fact 1 for the inverse plus rho: <A(a) - A(b), a - b> >= -rho |A(a) - A(b)|^2."""
    return data.turn(a, b) + data.constants["rho"] * data.change(a, b)


def _is_symmetric_operator(data: Data) -> bool:
    """BHG23, Theorem 3.3."""
    rows = data.rows
    return _is_symmetric(data.space, [r.x for r in rows], [r.g for r in rows], data.constants["mu"], data.constants["L"])


def _is_skew(data: Data) -> bool:
    """BHG23, Theorem 3.3 for skew-symmetric matrices: X'G = -G'X and L^2 X'X - G'G is semidefinite."""
    space, rows, L = data.space, data.rows, data.constants["L"]
    if any(space.inner(a.x, b.g) != -space.inner(b.x, a.g) for a in rows for b in rows):
        return False
    return definite([[L**2 * space.inner(a.x, b.x) - space.inner(a.g, b.g) for b in rows] for a in rows])


def _positive(*names: str) -> Callable[[dict[str, fmpq]], bool]:
    return lambda constants: all(constants[name] > 0 for name in names)


def _mu_below_L(constants: dict[str, fmpq]) -> bool:
    return bool(0 < constants["mu"] < constants["L"])


# The classes, by the facts that a claim assumes. What is strongly convex is convex, whether a claim says so or not.
CLASSES: dict[frozenset[str], KnownClass] = {
    frozenset(facts.split()): known
    for facts, known in {
        "Convex": KnownClass(FUNCTION, (), _convex, can_be_smooth=True),
        "StronglyConvex": KnownClass(FUNCTION, ("mu",), _strongly, where=_positive("mu"), can_be_smooth=True),
        "Smooth": KnownClass(FUNCTION, ("L",), _smooth, where=_positive("L"), is_smooth=True),
        "Convex Smooth": KnownClass(FUNCTION, ("L",), _smooth_convex, where=_positive("L"), is_smooth=True),
        "StronglyConvex Smooth": KnownClass(FUNCTION, ("L", "mu"), _smooth_strongly, where=_mu_below_L, is_smooth=True),
        # THG17b, Theorem 3.5; with Smooth, the interpolant's gradients are means of those of the rows
        "Convex Lipschitz": KnownClass(FUNCTION, ("M",), _convex, _is_short, where=_positive("M"), can_be_smooth=True),
        "Convex Smooth Lipschitz": KnownClass(
            FUNCTION, ("L", "M"), _smooth_convex, _is_short, where=_positive("L", "M"), is_smooth=True
        ),
        "Convex QuadraticGrowth": KnownClass(
            FUNCTION,
            ("L",),
            _convex,
            _grows_at_most,
            where=_positive("L"),
            can_be_smooth=True,
            strictly=_grows_less,
            needs_least=True,
        ),
        "RestrictedSecant ErrorBound": KnownClass(
            FUNCTION, ("mu", "L"), None, _is_secant, where=_mu_below_L, is_smooth=True, needs_least=True, has_values=False
        ),
        "IsQuadratic Smooth Convex": KnownClass(
            FUNCTION,
            ("L",),
            None,
            whole=lambda data: _quadratic(data, fmpq(0)),
            where=_positive("L"),
            is_smooth=True,
            needs_least=True,
        ),
        "IsQuadratic Smooth StronglyConvex": KnownClass(
            FUNCTION,
            ("L", "mu"),
            None,
            whole=lambda data: _quadratic(data, data.constants["mu"]),
            where=_mu_below_L,
            is_smooth=True,
            needs_least=True,
        ),
        "Indicator": KnownClass(SET, (), _normal, _is_0),
        "Indicator Diameter": KnownClass(SET, ("D",), _normal_within, _is_0, where=_positive("D")),
        "Support": KnownClass(FUNCTION, (), _supports, _is_support),
        "Support Lipschitz": KnownClass(FUNCTION, ("M",), _supports, _is_short_support, where=_positive("M")),
        "Monotone": KnownClass(OPERATOR, (), _monotone, has_values=False),
        "StronglyMonotone": KnownClass(OPERATOR, ("mu",), _strongly_monotone, where=_positive("mu"), has_values=False),
        "Cocoercive": KnownClass(OPERATOR, ("beta",), _cocoercive, where=_positive("beta"), is_smooth=True, has_values=False),
        "LipschitzOperator": KnownClass(OPERATOR, ("L",), _lipschitz, where=_positive("L"), is_smooth=True, has_values=False),
        "Nonexpansive": KnownClass(OPERATOR, (), _nonexpansive, is_smooth=True, has_values=False),
        "NegativelyComonotone": KnownClass(OPERATOR, ("rho",), _comonotone, where=_positive("rho"), has_values=False),
        "Symmetric": KnownClass(
            OPERATOR,
            ("mu", "L"),
            None,
            whole=_is_symmetric_operator,
            where=lambda constants: bool(constants["mu"] <= constants["L"]),
            is_smooth=True,
            has_values=False,
        ),
        "SkewSymmetric": KnownClass(
            OPERATOR, ("L",), None, whole=_is_skew, where=_positive("L"), is_smooth=True, has_values=False
        ),
    }.items()
}


def class_of(facts: set[str], name: str) -> KnownClass:
    """Return the class with these facts; NotRefuted where no theorem says which data its members have."""
    wanted = frozenset(facts - {"Differentiable"} - ({"Convex"} if "StronglyConvex" in facts else set()))
    must(wanted in CLASSES, f"which data an oracle {shown(name)} has that is {' and '.join(sorted(facts))}: no theorem is known")
    return CLASSES[wanted]


def check_data(about: KnownClass, data: Data, name: str, must_be_differentiable: bool) -> None:
    """Raise NotRefuted unless some member of the class has these rows; and one that is differentiable, where that is asked.

    A convex function that interpolates rows of which all pairs are strict (the tangent at one point is below the value at the
    other, unless both gradients are one) is the largest of finitely many pieces, and only one of them near each point: smoothed
    at the edges it has the same rows. Of smooth classes each member is differentiable.
    """
    fails = f"no {about.of} {shown(name)} of the class has these data"
    must(about.where is None or about.where(data.constants), f"there is no class of {shown(name)} with these constants")
    must(not about.needs_least or data.least is not None, f"{shown(name)} has no row at its minimiser, where the gradient is 0")
    must(
        all((row.f is not None) == about.has_values for row in data.rows), f"the rows of {shown(name)} have values, or lack them"
    )
    must(about.whole is None or about.whole(data), fails)
    must(about.alone is None or all(about.alone(data, row) for row in data.rows), fails)
    is_strict = must_be_differentiable and not about.is_smooth
    must(not is_strict or about.can_be_smooth, f"no differentiable {shown(name)} is known to have these data")
    must(not is_strict or about.strictly is None or all(about.strictly(data, row) for row in data.rows), fails)
    pair = about.pair
    for a, b in permutations(data.rows, 2) if pair is not None else ():
        assert pair is not None
        found = pair(data, a, b)
        must(found >= 0, fails)
        must(found > 0 or not is_strict or data.change(a, b) == 0, f"no differentiable {shown(name)} has these data for sure")
    if about.pair is None:  # the formula is about each row alone: two rows at one point could still differ
        for a, b in permutations(data.rows, 2):
            must(data.change(a, b) == 0 or data.distance(a, b) != 0, fails)
