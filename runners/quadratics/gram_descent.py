"""The loop of runs on a quadratic in floating point: inner products are recorded, vectors are not (see `inner_products`).

Displacements and gradients are written into buffers of some hundred steps; their inner products are taken a buffer at a time.
Runs with several rules, or from several starts, share one product with the matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import eta, k
from boundcheck.runners.engine.run_ends import LOST, SMALLEST, told_from_0, why_over_by_squares
from boundcheck.runners.engine.run_view import RunView
from boundcheck.runners.quadratics import carried_products, compiled_descent, single_descent
from boundcheck.runners.quadratics.inner_products import GramColumns, Grams, reads_across
from boundcheck.runners.quadratics.single_descent import Buffers

STEPS = as_column(eta[k])[0]
WORTH = 1024  # steps from which compiled code is worth the import of numba


def run_by_grams(run: Any, steps: int, x: Any) -> None:
    """Run `run`, an engine's runs, from x, (runs, d); its recorder gets whole columns at the end."""
    problem, plain = run.problem, run.plain
    hessian, star = problem.hessian(plain), plain.vector(problem.minimiser.point)
    B, g = hessian.rows, plain.matvec(hessian, x - star)  # error bounds are those of this product, whatever the problem's own is
    carried = carried_products.serves(run)
    run.own_points = run.own_points and (carried or single_descent.serves(run))
    if run.own_points and carried:
        _run_carried(run, steps, B, star, x, g)
        return
    told = _Told(run)
    if len(x) == 1 and steps >= WORTH and compiled_descent.serves(run.rules[0]):
        _run_compiled(run, steps, B, star, x, g, told)
        return
    buffers = Buffers(steps, x, star, g)
    loop, done = _loop(run, B, star, x, buffers), 0
    while done < steps and run.running:
        made = loop.go(done, min(buffers.length, steps - done))
        told.take(buffers.D[: made + 1], buffers.G[: made + 1], buffers.E[:made], measured=loop.measured)
        _watch(run, done, buffers.G[: made + 1], told.parts[-1])
        done += made
        buffers.turn(made)
    told.finish(done, *_one_more(None if run.own_points else loop.x, buffers.D[0], buffers.G[0], told.step, B, star))


def _loop(run: Any, B: Any, star: Any, x: Any, buffers: Buffers) -> Any:
    if len(x) > 1:
        return _Together(run, B, star, buffers, x)
    if run.own_points:
        return single_descent.ByDisplacements(run, B, star, buffers)
    return single_descent.ByPoints(run, B, star, buffers, x)


def _run_compiled(run: Any, steps: int, B: Any, star: Any, x: Any, g: Any, told: _Told) -> None:
    """One run in compiled code, whole; its rule is asked in Python where the next step is no positive number."""
    rule, own = run.rules[0], run.own_points
    x, d, g = x.copy(), x - star, g.copy()
    points, between, eta = np.empty((3, steps + 1)), np.empty((4, steps)), np.empty(steps)
    points[:, 0] = [d[0].dot(d[0]), d[0].dot(g[0]), g[0].dot(g[0])]
    first = run.ask_alone(0, x[0].copy(), g[0].copy(), None).eta if rule.constant and points[2, 0] > 0 else None
    made = 0
    if not rule.constant or first is not None:
        factor = rule.numbers.factor if first is None else float(first)
        made = compiled_descent.loop()(B, star, x[0], d[0], g[0], own, factor, rule.constant, points, between, eta)
    away, square = points[::2, made].tolist()
    if not run.ended[0] and (why := why_over_by_squares(away, square, g[0], made, own)):
        run.end(0, made, why)
    if made < steps and not run.ended[0]:
        known = {"grad_normsq": float(points[2, made]), "gap": points[1, made] / 2}
        run.ask_alone(made, star + d[0] if own else x[0], g[0], None, **known)
    points[::2, made] = told_from_0(points[::2, made].copy(), np.stack([d[0], g[0]]))
    names = {**dict(zip(compiled_descent.POINTS, points[:, : made + 1], strict=True)), "eta": eta[:made]}
    names |= dict(zip(compiled_descent.STEPS, between[:, :made], strict=True))
    names |= {"strayed": np.full(made, np.nan)} if own else {}
    told.parts.append(Grams(**{name: value[None] for name, value in names.items()}))
    last = eta[made - 1 : made] if made else np.ones(1)
    told.finish(made, *_one_more(None if own else x, d, g, last, B, star))


def _run_carried(run: Any, steps: int, B: Any, star: Any, x: Any, g: Any) -> None:
    """Several runs with one product a step (see `carried_products`): w = -eta B g, by what was computed of B g."""
    across = any(reads_across(column.formula) for column in run.recorder.leads)
    loop = carried_products.Carried(run, steps, x, g, B, star, across=across)
    made = loop.go(steps)
    loop.finish(made)
    (dd, gg, bb), (dg, gb) = (np.moveaxis(part[: made + 2], 0, -1) for part in (loop.squares, loop.mixed))
    eta = loop.eta[: made + 1].T.copy()
    unread = np.full_like(eta, np.nan)
    gd, gh = (unread, unread) if loop.across is None else np.moveaxis(loop.across[: made + 1], 0, -1)
    with np.errstate(all="ignore"):
        square, bb, gw = eta * eta, bb[:, : made + 1], -eta * gb[:, : made + 1]
        ww = np.where((np.minimum(square, bb) > SMALLEST) | (gg[:, : made + 1] == 0), square * bb, LOST)
    grams = Grams(dd=dd.copy(), dg=dg.copy(), gg=gg.copy(), ww=ww, gw=gw, gd=gd, gh=gh, eta=eta, fresh=loop.fresh[: made + 2])
    _record(run, made, grams)


def _one_more(x: Any, d: Any, g: Any, eta: Any, B: Any, star: Any) -> tuple[Any, Any, Any]:
    """A step past the end: what tells B g at the last point. No column reads the point that it leads to. No x: it is x* + d."""
    eta = np.where((eta > 0) & (eta < np.inf), eta, 1.0)
    after = d - eta[:, None] * g if x is None else x - eta[:, None] * g - star
    return np.stack([d, after]), np.stack([g, np.dot(after, B)]), eta[None]


class _Together:
    """Several runs: one product with the matrix serves them all, and one more those whose steps read B g."""

    measured = False

    def __init__(self, run: Any, B: Any, star: Any, buffers: Buffers, x: Any) -> None:
        self.run, self.B, self.star, self.E = run, B, star, buffers.E
        self.rows = list(zip(buffers.D, buffers.G, buffers.E, strict=False)), list(buffers.D), list(buffers.G)
        self.x, self.step = x.copy(), np.empty_like(x)
        self.pasts: list[RunView | None] = [None] * len(run.rules)
        self.constants: dict[int, Any] = {}
        self.curved = np.array([b for r, rows in zip(run.rules, run.rows, strict=True) if r.curvature for b in _all(rows)])
        self.gaps = any(rule.numbers is not None for rule in run.rules)
        self.squares = np.zeros((4, len(x)))  # gap, |g|^2, <g, B g>, |B g|^2

    def go(self, first: int, count: int) -> int:
        (now, D, G), x, star, B, step = self.rows, self.x, self.star, self.B, self.step
        dot, multiply, subtract = np.dot, np.multiply, np.subtract
        for n in range(count):
            d, g, eta = now[n]
            self._steps(first + n, d, g, eta)
            if not self.run.running:
                return n
            multiply(g, eta[:, None], step)
            subtract(x, step, x)
            subtract(x, star, D[n + 1])
            dot(D[n + 1], B, G[n + 1])  # B is symmetric
        return count

    def _steps(self, k: int, d: Any, g: Any, eta: Any) -> None:
        run, (gap, square, once, twice) = self.run, self.squares
        if self.gaps or len(self.curved):
            square[:] = np.einsum("rd,rd->r", g, g)
        if self.gaps:
            gap[:] = np.einsum("rd,rd->r", d, g) / 2
        if len(self.curved):
            mine = g[self.curved]
            Bg = np.dot(mine, self.B)
            once[self.curved], twice[self.curved] = np.einsum("rd,rd->r", mine, Bg), np.einsum("rd,rd->r", Bg, Bg)
        for number, (rule, rows) in enumerate(zip(run.rules, run.rows, strict=True)):
            if number in self.constants:
                eta[rows] = self.constants[number]
                continue
            if rule.numbers is not None:
                eta[rows] = rule.numbers(gap[rows], square[rows])
            elif rule.curvature is not None:
                eta[rows] = rule.curvature(square[rows], once[rows], twice[rows])
            if (rule.numbers or rule.curvature) and eta[rows].min() > 0 and eta[rows].max() < np.inf:
                continue
            eta[rows] = run.ask(number, self.pasts, k, self.x[rows].copy(), g[rows].copy())
            if rule.constant and not any(run.ended[rows]):
                self.constants[number] = eta[rows].copy()


def _all(rows: slice) -> range:
    return range(rows.start, rows.stop)


class _Told:
    """Inner products of all buffers so far."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.parts: list[Grams] = []

    def take(self, D: Any, G: Any, E: Any, *, measured: bool = False) -> None:
        """`measured`: steps were not made one by one, so that how far each row is from a step off the one before is measured."""
        W = G[1:] - G[:-1]
        begin = 1 if self.parts else 0  # the first point is the last of the buffer before
        with np.errstate(all="ignore"):
            self.parts.append(
                Grams(
                    dd=_squares(D[begin:]),
                    dg=_dots(D[begin:], G[begin:]),
                    gg=_squares(G[begin:]),
                    ww=_dots(W, W),
                    gw=_dots(G[:-1], W),
                    gd=_dots(G[:-1], D[1:]),
                    gh=_dots(G[:-1], G[1:]),
                    eta=E.T.copy(),
                    strayed=self._strayed(D, G, E, measured) if self.run.own_points else None,
                )
            )

    def _strayed(self, D: Any, G: Any, E: Any, measured: bool) -> Any:
        if not measured:
            return np.full(E.T.shape, np.nan)
        off = E[:, :, None] * G[:-1]
        off += D[1:] - D[:-1]
        return _dots(off, off)

    @property
    def step(self) -> Any:
        """The last steps, where there are any."""
        made = [part.eta for part in self.parts if part.eta.size]
        return made[-1][:, -1] if made else np.ones(len(self.run.ended))

    def finish(self, made: int, D: Any, G: Any, E: Any) -> None:
        """Hand whole columns to the recorder."""
        run = self.run
        with np.errstate(all="ignore"):
            self.take(D, G, E)
        names = [name for name, value in vars(self.parts[0]).items() if value is not None]
        whole = Grams(**{name: np.concatenate([getattr(p, name) for p in self.parts], axis=1) for name in names})
        self.parts.clear()
        _record(run, made, whole)


def _record(run: Any, made: int, whole: Grams) -> None:
    """Whole columns for the recorder; a run alone that ended is cut there."""
    for b in range(len(run.ended)):
        if not run.ended[b]:
            run.steps[b] = made
    if len(run.ended) == 1 and run.steps[0] < made:
        made = int(run.steps[0])
        whole = _cut(whole, made + 1)
    run.etas = whole.eta[:, :made]
    recorder, number = run.recorder, lambda factor: recorder.series.values(factor, "n", 0, made + 1)
    columns = GramColumns(run.problem, run.xp, whole, run.radius, number)
    recorder.accept({STEPS: columns.eta})  # x_{n+1} - x_n is read as -eta_n g_n, whether anyone asked for eta or not
    for column in recorder.leads:
        recorder.accept({column: columns.column(column)})
    recorder.series.forget()
    if STEPS not in recorder.leads:
        del recorder.parts[STEPS]
    recorder.accept({column: recorder.parts[column][0][:, : max(made + 1 - lead, 0)] for column, lead in recorder.leads.items()})


def _cut(grams: Grams, steps: int) -> Grams:
    points = ("dd", "dg", "gg")
    return Grams(**{name: value[:, : steps + (name in points)] for name, value in vars(grams).items() if value is not None})


def _dots(u: Any, v: Any) -> Any:
    """Inner products of rows: (n, runs, d) to (runs, n)."""
    return np.einsum("nrd,nrd->rn", u, v)


def _squares(u: Any) -> Any:
    return told_from_0(_dots(u, u), u.swapaxes(0, 1))


def _watch(run: Any, first: int, G: Any, part: Grams) -> None:
    """End runs at a gradient that is zero, no number, or too small: at the first such point among these."""
    offset = len(G) - part.gg.shape[1]
    safe = np.minimum(part.dd, part.gg) > SMALLEST if run.own_points else part.gg > LOST
    over = ~(safe & (part.gg < np.inf))
    for b in np.flatnonzero(over.any(1)):
        at = int(over[b].argmax())
        k = first + at + offset
        if not run.ended[b] or run.steps[b] > k:
            run.end(int(b), k, why_over_by_squares(part.dd[b, at], part.gg[b, at], G[at + offset, b], k, run.own_points))
