"""Problems with parts, by name: quadratics with a norm or a set beside them, operators, rotations, games, finite sums.

Solutions are written down with the subgradients that add up to 0 there; `check_problem` puts that to the test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model import facts
from boundcheck.model.part import Part, Solved
from boundcheck.model.problem import Convex, Differentiable, Fact, IsQuadratic, Minimiser, Problem, Smooth, StronglyConvex, best_L
from boundcheck.problems.linear_operators import LinearMap, multiple, operator, rotation, turned
from boundcheck.problems.piecewise import huber
from boundcheck.problems.proximal import (
    absolute,
    affine,
    ball,
    box,
    exact,
    half_space,
    hinge,
    one_norm,
    row,
    simplex,
    square,
    total_variation,
)
from boundcheck.problems.quadratic import quadratic

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class FromPart:
    """f by a part: its value, and a subgradient for its gradient."""

    part: Part

    def f(self, xp: Any, x: Vectors) -> Scalars:
        assert self.part.value is not None
        return self.part.value(xp, x)

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        assert self.part.image is not None
        return self.part.image(xp, x)


def around(
    B: Sequence[Sequence[Exact]],
    centre: Sequence[Exact],
    start: Sequence[Exact],
    name: str,
    parts: Mapping[str, Part],
    solutions: Sequence[Solved],
    blocks: tuple[tuple[int, ...], ...] = (),
) -> Problem:
    """A quadratic about a centre, with its own prox, and parts beside it."""
    made = quadratic(B, xstar=centre, start=start, name=name)
    map_ = LinearMap(tuple(exact(r) for r in B), exact(centre))
    L = best_L(made.facts) or Fraction(0)
    known: set[Fact] = {facts.ErrorBound(L), facts.QuadraticGrowth(L)}
    if made.mu:
        known |= {facts.PolyakLojasiewicz(made.mu), facts.RestrictedSecant(made.mu)}
    known.add(facts.BlockSmooth(tuple(Fraction(B[i][i]) for i in range(len(B)))))
    own = Part(facts=known, prox=map_.resolvent, inverse=map_.inverse if made.mu else None)
    whole = Solved(point=centre, images={"f": [0] * len(centre)})
    return made.replace(parts={"f": own, **parts}, solutions=(*solutions, whole), blocks=blocks)


def by_part(
    part: Part,
    start: Sequence[Exact],
    name: str,
    parts: Mapping[str, Part],
    solutions: Sequence[Solved],
    minimiser: Minimiser | None = None,
    smooth: bool = False,
) -> Problem:
    """A problem whose f is a part."""
    holder, own = FromPart(part), {fact for fact in part.facts if not isinstance(fact, facts.Support)}
    return Problem(
        name=name,
        f=holder.f,
        grad=holder.grad,
        facts=frozenset({*own, *({Differentiable()} if smooth else ())}),
        start=list(start),
        minimiser=minimiser,
        rational=True,
        parts={"f": Part(facts=part.facts, prox=part.prox, inverse=part.inverse), **parts},
        solutions=tuple(solutions),
        about=part.about,
    )


def solved(point: Sequence[Exact], **images: Sequence[Exact]) -> Solved:
    """A solution with its images by name."""
    return Solved(point=point, images=images)


# -- f + h: a norm, a hinge, a set ---------------------------------------------------------------------------------------------


def lasso_1d() -> Problem:
    return around([[1]], [2], [5], "lasso-1d", {"h": one_norm(1)}, [solved([1], f=[-1], h=[1])])


def lasso_2d() -> Problem:
    return around(
        [[2, 1], [1, 2]],
        [Fraction(3, 2), 0],
        [-2, 3],
        "lasso-2d",
        {"h": one_norm(2)},
        [solved([1, 0], f=[-1, -HALF], h=[1, HALF])],
    )


def lasso_flat() -> Problem:
    """Underdetermined least squares: f is not strongly convex."""
    return around(
        [[1, 1], [1, 1]],
        [1, 1],
        [3, 0],
        "lasso-flat",
        {"h": one_norm(2, HALF)},
        [solved([Fraction(3, 2), 0], f=[-HALF, -HALF], h=[HALF, HALF])],
    )


def slope_and_norm(weight: Exact, name: str) -> Problem:
    """f = 0 beside w |x|: where proximal gradient steps are as slow as they can be, until they reach 0."""
    w = Fraction(weight)
    return by_part(affine([0]), [1], name, {"h": absolute([1], w)}, [solved([0], f=[0], h=[0])], smooth=True)


def slope_on_half_line(slope: Exact, name: str) -> Problem:
    """f = c x on x >= 0: where projected gradient steps are as slow as they can be."""
    c = Fraction(slope)
    return by_part(affine([c]), [1], name, {"C": half_space([-1], 0)}, [solved([0], f=[c], C=[-c])], smooth=True)


def hinge_problem(a: Sequence[Exact], start: Sequence[Exact], name: str) -> Problem:
    """|x|^2 / 2 + max(0, 1 - <a, x>): support vectors of one sample. x* = a where |a| <= 1."""
    d = len(a)
    rows = [[1 if i == j else 0 for j in range(d)] for i in range(d)]
    return around(rows, [0] * d, start, name, {"h": hinge(a)}, [solved(a, f=a, h=[-Fraction(c) for c in a])])


def tv_2d() -> Problem:
    return around([[1, 0], [0, 1]], [3, 0], [5, -1], "tv-2d", {"h": absolute([1, -1])}, [solved([2, 1], f=[-1, 1], h=[1, -1])])


def tv_3d() -> Problem:
    rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    return around(rows, [4, 1, 0], [0, 2, 6], "tv-3d", {"h": total_variation()}, [solved([3, 1, 1], f=[-1, 0, 1], h=[1, 0, -1])])


def box_1d() -> Problem:
    return around([[2]], [3], [0], "box-1d", {"C": box([-1], [1])}, [solved([1], f=[-4], C=[4])])


def box_2d() -> Problem:
    return around(
        [[2, 1], [1, 2]],
        [2, 0],
        [0, 0],
        "box-2d",
        {"C": box([0, 0], [1, 1])},
        [solved([1, HALF], f=[-Fraction(3, 2), 0], C=[Fraction(3, 2), 0])],
    )


def simplex_2d() -> Problem:
    return around(
        [[1, 0], [0, 3]],
        [1, 1],
        [1, 0],
        "simplex-2d",
        {"C": simplex(2)},
        [solved([Fraction(1, 4), Fraction(3, 4)], f=[-Fraction(3, 4)] * 2, C=[Fraction(3, 4)] * 2)],
    )


def simplex_3d() -> Problem:
    rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    return around(
        rows,
        [1, HALF, -1],
        [0, 0, 1],
        "simplex-3d",
        {"C": simplex(3)},
        [
            solved(
                [Fraction(3, 4), Fraction(1, 4), 0],
                f=[-Fraction(1, 4), -Fraction(1, 4), 1],
                C=[Fraction(1, 4), Fraction(1, 4), -1],
            )
        ],
    )


def half_space_2d() -> Problem:
    return around(
        [[1, 0], [0, 1]], [2, 2], [-3, 1], "half-space-2d", {"C": half_space([1, 1], 2)}, [solved([1, 1], f=[-1, -1], C=[1, 1])]
    )


def ball_2d() -> Problem:
    made = around([[1, 0], [0, 1]], [6, 8], [0, 1], "ball-2d", {"C": ball(5)}, [solved([3, 4], f=[-3, -4], C=[3, 4])])
    return made.replace(rational=False)


# -- no second part: f alone, for its class -------------------------------------------------------------------------------------


def absolute_1d() -> Problem:
    part = absolute([1])
    return by_part(part, [Fraction(3, 2)], "absolute", {"C": box([-2], [2])}, [solved([0], f=[0], C=[0])], Minimiser(point=(0,)))


def ridge_norm() -> Problem:
    """The length along one direction: flat along the other."""
    part = absolute([3, 4], Fraction(1, 5))
    return by_part(
        part,
        [1, 2],
        "ridge-norm",
        {"C": box([-3, -3], [3, 3])},
        [solved([0, 0], f=[0, 0], C=[0, 0])],
        Minimiser(point=(0, 0), which="0, of a line"),
    )


def huber_with(name: str, width: Exact, start: Exact) -> Problem:
    """The Huber function, which is Lipschitz too: smooth, convex, and of linear growth."""
    made = huber(width, start=start, name=name)
    w = Fraction(width)
    own = Part(facts={facts.Lipschitz(w), facts.ErrorBound(1), facts.QuadraticGrowth(1)}, prox=_HuberProx(w).prox)
    return made.replace(
        parts={"f": own, "h": absolute([1], HALF), "C": half_space([-1], 0)},
        solutions=(solved([0], f=[0], h=[0], C=[0]),),
    )


@dataclass(frozen=True)
class _HuberProx:
    """The prox of x^2 / 2 up to w, w |x| - w^2/2 beyond."""

    width: Fraction

    def prox(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        u, w = xp.coordinate(p, 0), xp.scalar(self.width)
        near, limit = t * u / (t + 1), t * w
        return xp.from_coordinates([u - xp.maximum(xp.minimum(near, limit), -limit)])


# -- operators -------------------------------------------------------------------------------------------------------------------


def operators(name: str, start: Sequence[Exact], parts: Mapping[str, Part], solutions: Sequence[Solved]) -> Problem:
    return Problem(name=name, start=list(start), parts=dict(parts), solutions=tuple(solutions), rational=True)


def rotations(name: str, cosine: Exact, sine: Exact, start: Sequence[Exact] = (1, 0)) -> Problem:
    """A rotation T about 0, and the monotone quarter turn A."""
    return operators(name, start, {"T": rotation(cosine, sine), "A": turned(0, 1)}, [solved([0, 0], T=[0, 0], A=[0, 0])])


def line_operators() -> Problem:
    return operators(
        "line-operators",
        [2],
        {
            "A": multiple(2),
            "B": multiple(HALF),
            "T": Part(
                facts={facts.Nonexpansive(), facts.LipschitzOperator(1), facts.Linear(1)},
                image=LinearMap(((Fraction(-1),),), (Fraction(0),)).image,
            ),
            "R": multiple(-HALF),
        },
        [solved([0], A=[0], B=[0], T=[0], R=[0])],
    )


def plane_operators() -> Problem:
    return operators(
        "plane-operators",
        [2, -1],
        {
            "A": turned(1, 2),
            "B": turned(HALF, 1),
            "C": half_space([1, 1], 1),
            "R": turned(-HALF, 1),
            "M": operator([[1, 2], [2, 1]], [facts.Symmetric(-1, 3), facts.LipschitzOperator(3), facts.Linear(3)]),
            "S": turned(0, 2),
        },
        [solved([0, 0], A=[0, 0], B=[0, 0], C=[0, 0], R=[0, 0], M=[0, 0], S=[0, 0])],
    )


def game() -> Problem:
    """Matching pennies: min over x, max over y of x'P y on two simplices, as a skew operator and a set."""
    rows = [[0, 0, 1, -1], [0, 0, -1, 1], [-1, 1, 0, 0], [1, -1, 0, 0]]
    skew = operator(rows, [facts.Monotone(), facts.SkewSymmetric(2), facts.LipschitzOperator(2), facts.Linear(2)])
    both = _Two(simplex(2))
    strategies = Part(
        facts={facts.Indicator(), Convex(), facts.Diameter(2)},
        value=both.value,
        image=both.image,
        prox=both.prox,
        minimise_linear=both.minimise_linear,
    )
    return operators("game-2x2", [1, 0, 0, 1], {"A": skew, "C": strategies}, [solved([HALF] * 4, A=[0] * 4, C=[0] * 4)])


@dataclass(frozen=True)
class _Two:
    """A set of the plane, twice: for the first two coordinates and the last two."""

    one: Part

    def _each(self, oracle: Any, xp: Any, x: Vectors, *before: Any) -> Vectors:
        found = []
        for half in (0, 2):
            part = xp.from_coordinates([xp.coordinate(x, half), xp.coordinate(x, half + 1)])
            made = oracle(xp, *before, part)
            found += [xp.coordinate(made, 0), xp.coordinate(made, 1)]
        return xp.from_coordinates(found)

    def prox(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        return self._each(self.one.prox, xp, p, t)

    def minimise_linear(self, xp: Any, v: Vectors) -> Vectors:
        return self._each(self.one.minimise_linear, xp, v)

    def image(self, xp: Any, x: Vectors) -> Vectors:
        return self._each(self.one.image, xp, x)

    def value(self, xp: Any, x: Vectors) -> Scalars:
        assert self.one.value is not None
        halves = [xp.from_coordinates([xp.coordinate(x, j), xp.coordinate(x, j + 1)]) for j in (0, 2)]
        return self.one.value(xp, halves[0]) + self.one.value(xp, halves[1])


# -- finite sums -----------------------------------------------------------------------------------------------------------------


def sum_of(name: str, components: Sequence[Part], start: Sequence[Exact], solution: Sequence[Exact], **parts: Part) -> Problem:
    """f = (1/n) sum f_i, and a point where the mean of the gradients is 0."""
    made = Problem(
        name=name,
        components=tuple(components),
        start=list(start),
        parts=dict(parts),
        solutions=(Solved(point=solution),),
        minimiser=Minimiser(point=tuple(solution), value=_mean_value(components, solution)),
        rational=True,
    )
    return made.replace(facts={*made.facts, Differentiable()}) if any(isinstance(f, Smooth) for f in made.facts) else made


def _mean_value(components: Sequence[Part], point: Sequence[Exact]) -> Exact:
    xp: Any = arithmetic("rational").plain
    total = sum((one.value(xp, xp.vector(list(point))) for one in components), xp.scalar(0))  # type: ignore[misc]
    number = np.asarray(total / xp.scalar(len(components)), dtype=object).reshape(-1)[0]
    return Fraction(int(number.p), int(number.q))


def rows_interpolating() -> Problem:
    """Two samples that one point fits: every component is least at x*."""
    return sum_of("rows-interpolating", [row([1, 0], 1), row([1, 1], 3)], [3, -1], [1, 2])


def rows_1d() -> Problem:
    """Three samples that no number fits."""
    return sum_of("rows-1d", [row([1], 0), row([1], 3), row([1], -1)], [4], [Fraction(2, 3)])


def points_1d() -> Problem:
    return sum_of("points-1d", [square([1], 2), square([-2], 1)], [3], [0])


def points_2d() -> Problem:
    return sum_of("points-2d", [square([1, 0]), square([0, 1])], [2, -2], [HALF, HALF])


def same_points() -> Problem:
    """Two multiples of one square: interpolating and strongly convex."""
    return sum_of("same-point", [square([0], 1), square([0], 3)], [1], [0])


def absolute_points() -> Problem:
    """The median of three: |x - c_i|."""
    return sum_of("median", [absolute([1], 1, c) for c in (-1, 0, 3)], [4], [0]).replace(
        solutions=(), minimiser=Minimiser(point=(0,), value=Fraction(4, 3))
    )


def points_and_norm_1d() -> Problem:
    """A finite sum beside a norm, that does not move the minimiser."""
    made = points_1d().replace(name="points-and-norm-1d", parts={"h": absolute([1])})
    return made.replace(solutions=(solved([0], f=[0], h=[0]),))


def points_and_norm_2d() -> Problem:
    made = points_2d().replace(name="points-and-norm-2d", parts={"h": one_norm(2)})
    return made.replace(solutions=(solved([0, 0], f=[-HALF, -HALF], h=[HALF, HALF]), Solved(point=[HALF, HALF])))


def difference(name: str, centre: Sequence[Exact], start: Sequence[Exact]) -> Problem:
    """3/2 |x - c|^2 less |x|^2 / 2: a difference of convex functions, with its stationary point 3/2 c."""
    parts = {"f_1": loosely(square(centre, 3)), "f_2": loosely(square([0] * len(centre), 1))}
    return operators(name, start, parts, [Solved(point=[Fraction(3, 2) * Fraction(c) for c in centre])])


def loosely(part: Part) -> Part:
    """The same function with a smaller constant of strong convexity: for claims that assume mu < L."""
    facts_kept = [StronglyConvex(fact.mu / 2) if isinstance(fact, StronglyConvex) else fact for fact in part.facts]
    return replace(part, facts=frozenset(facts_kept))


def composed(name: str, rows: Sequence[Sequence[Exact]], size: Exact, start: Sequence[Exact]) -> Problem:
    """g(M x) with g a square about 0, and the transpose of M."""
    transposed = [list(column) for column in zip(*rows, strict=True)]
    maps = {
        key: operator(m, [facts.Linear(size), facts.LipschitzOperator(size)]) for key, m in (("M", rows), ("M^T", transposed))
    }
    return operators(name, start, {"g": square([0] * len(rows)), **maps}, [Solved(point=[0] * len(rows))])


def rounds(name: str, centres: Sequence[Exact], start: Exact) -> Problem:
    """A loss |x - c_i| in each round, on an interval."""
    losses = tuple(absolute([1], 1, c) for c in centres)
    loss = Part(facts={Convex(), facts.Lipschitz(1)}, components=losses)
    return operators(name, [start], {"loss": loss, "C": box([-1], [1])}, [Solved(point=[0])])


def logistic_pair() -> Problem:
    """log(1 + e^x) and log(1 + e^-x): least at 0, by symmetry."""
    each = [
        Part(facts={Convex(), Smooth(Fraction(1, 4)), facts.Lipschitz(1)}, value=one.value, image=one.image)
        for one in (_LogisticLoss(1), _LogisticLoss(-1))
    ]
    made = Problem(name="logistic-pair", components=tuple(each), start=[3], solutions=(Solved(point=[0]),))
    return made.replace(facts={*made.facts, Differentiable()})


@dataclass(frozen=True)
class _LogisticLoss:
    """log(1 + e^(s x))."""

    s: int

    def value(self, xp: Any, x: Vectors) -> Scalars:
        return xp.softplus_sum(xp.from_coordinates([self.s * xp.coordinate(x, 0)]))

    def image(self, xp: Any, x: Vectors) -> Vectors:
        slope = xp.sigmoid(xp.from_coordinates([self.s * xp.coordinate(x, 0)]))
        return xp.from_coordinates([self.s * xp.coordinate(slope, 0)])


# -- mirrors ---------------------------------------------------------------------------------------------------------------------


def mirror(name: str, curvatures: Sequence[Exact], start: Sequence[Exact]) -> Problem:
    """A quadratic beside a quadratic psi, whose gradient has an inverse: what mirror steps ask for."""
    d = len(curvatures)
    diagonal = tuple(
        tuple(Fraction(c) if i == j else Fraction(0) for j, _ in enumerate(curvatures)) for i, c in enumerate(curvatures)
    )
    map_ = LinearMap(diagonal, (Fraction(0),) * d)
    psi = Part(
        facts={Convex(), Smooth(max(curvatures)), StronglyConvex(min(curvatures)), IsQuadratic()},
        value=_HalfForm(map_).value,
        image=map_.image,
        prox=map_.resolvent,
        inverse=map_.inverse,
    )
    rows = [[1 if i == j else 0 for j in range(d)] for i in range(d)]
    return around(rows, [1] * d, start, name, {"psi": psi}, [])


@dataclass(frozen=True)
class _HalfForm:
    """<x, M x> / 2."""

    map_: LinearMap

    def value(self, xp: Any, x: Vectors) -> Scalars:
        return xp.dot(x, self.map_.image(xp, x)) / 2


WITH_PARTS: dict[str, Callable[[], Problem]] = {
    "lasso-1d": lasso_1d,
    "lasso-2d": lasso_2d,
    "lasso-flat": lasso_flat,
    "flat-norm-1/4": lambda: slope_and_norm(Fraction(1, 4), "flat-norm-1/4"),
    "flat-norm-1/10": lambda: slope_and_norm(Fraction(1, 10), "flat-norm-1/10"),
    "slope-1/4": lambda: slope_on_half_line(Fraction(1, 4), "slope-1/4"),
    "slope-1/10": lambda: slope_on_half_line(Fraction(1, 10), "slope-1/10"),
    "hinge-1d": lambda: hinge_problem([HALF], [-2], "hinge-1d"),
    "hinge-2d": lambda: hinge_problem([HALF, HALF], [-1, 2], "hinge-2d"),
    "tv-2d": tv_2d,
    "tv-3d": tv_3d,
    "box-1d": box_1d,
    "box-2d": box_2d,
    "simplex-2d": simplex_2d,
    "simplex-3d": simplex_3d,
    "half-space-2d": half_space_2d,
    "ball-2d": ball_2d,
    "absolute": absolute_1d,
    "ridge-norm": ridge_norm,
    "huber-and-norm": lambda: huber_with("huber-and-norm", 1, 3),
    "sharp-huber-and-norm": lambda: huber_with("sharp-huber-and-norm", Fraction(1, 4), 2),
    "quarter-turn": lambda: rotations("quarter-turn", 0, 1),
    "rotation-3-4-5": lambda: rotations("rotation-3-4-5", Fraction(3, 5), Fraction(4, 5), [2, 1]),
    "line-operators": line_operators,
    "plane-operators": plane_operators,
    "game-2x2": game,
    "rows-interpolating": rows_interpolating,
    "rows-1d": rows_1d,
    "points-1d": points_1d,
    "points-2d": points_2d,
    "same-point": same_points,
    "points-and-norm-1d": points_and_norm_1d,
    "points-and-norm-2d": points_and_norm_2d,
    "difference-1d": lambda: difference("difference-1d", [1], [4]),
    "difference-2d": lambda: difference("difference-2d", [1, -2], [0, 3]),
    "composed-1d": lambda: composed("composed-1d", [[2]], 2, [3]),
    "composed-2d": lambda: composed("composed-2d", [[1, 1], [0, 1]], Fraction(17, 10), [2, -1]),
    "rounds-1": lambda: rounds("rounds-1", [1, -1, HALF], 1),
    "rounds-2": lambda: rounds("rounds-2", [0, 1], -1),
    "median": absolute_points,
    "logistic-pair": logistic_pair,
    "mirror-1d": lambda: mirror("mirror-1d", [2], [4]),
    "mirror-2d": lambda: mirror("mirror-2d", [1, 3], [4, -2]),
}

__all__ = ["WITH_PARTS", "around", "by_part", "sum_of"]
