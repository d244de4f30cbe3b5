"""The loop of runs on a quadratic in floating point: inner products are recorded, vectors are not (see `gram`).

Displacements and gradients are written into buffers of some hundred steps; their inner products are taken a buffer at a time.
Runs with several rules, or from several starts, share one product with the matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import eta, k
from boundcheck.runners import gram_carried, gram_compiled
from boundcheck.runners.endings import why_over
from boundcheck.runners.gram import GramColumns, Grams, reads_across
from boundcheck.runners.past import Past

STEPS = as_column(eta[k])[0]
WORTH = 1024  # steps from which compiled code is worth the import of numba
BUFFER = 32_768  # numbers in a buffer, so that it stays in the cache beside the matrix


def run_by_grams(run: Any, steps: int, x: Any, g: Any) -> None:
    """Run `run`, an engine's runs, from x with gradients g, each (runs, d); its recorder gets whole columns at the end."""
    problem, plain = run.problem, run.plain
    B, star = problem.hessian(plain).rows, plain.vector(problem.minimiser.point)
    length = max(16, min(512, BUFFER // x.size, steps))
    D, G, E = np.empty((length + 1, *x.shape)), np.empty((length + 1, *x.shape)), np.empty((length, len(x)))
    D[0], G[0] = x - star, g
    told = _Told(run)
    alone = len(x) == 1
    run.own_points = run.own_points and gram_carried.serves(run)
    if run.own_points:
        _run_carried(run, steps, B, star, x, g)
        return
    if alone and steps >= WORTH and gram_compiled.serves(run.rules[0]):
        _run_compiled(run, steps, B, star, D[0], G[0], x, told)
        return
    loop = _Alone(run, B, star, D, G, E, x) if alone else _Together(run, B, star, D, G, E, x)
    done = 0
    while done < steps and run.running:
        made = loop.go(done, min(length, steps - done))
        told.take(D[: made + 1], G[: made + 1], E[:made])
        _watch(run, done, G[: made + 1], told.last)
        done += made
        D[0], G[0] = D[made], G[made]
    told.finish(done, *_one_more(loop.x, D[0], G[0], told.step, B, star))


def _run_compiled(run: Any, steps: int, B: Any, star: Any, d: Any, g: Any, x: Any, told: _Told) -> None:
    """One run in compiled code, whole; its rule is asked in Python where the next step is no positive number."""
    rule = run.rules[0]
    points, between, eta = np.empty((3, steps + 1)), np.empty((4, steps)), np.empty(steps)
    points[:, 0] = [d[0].dot(d[0]), d[0].dot(g[0]), g[0].dot(g[0])]
    x = x.copy()
    first = run.ask_alone(0, x[0].copy(), g[0].copy(), None).eta if rule.constant and points[2, 0] > 0 else None
    made = 0
    if not rule.constant or first is not None:
        factor = float(first) if rule.constant else rule.numbers.factor
        made = gram_compiled.loop()(B, star, x[0], d[0], g[0], factor, rule.constant, points, between, eta)
    if made < steps and not run.ended[0]:
        square = float(points[2, made])
        if 0 < square < np.inf:
            run.ask_alone(made, x[0], g[0], None, grad_normsq=square, gap=points[1, made] / 2)
        else:
            run.end(0, made, why_over(float(np.abs(g[0]).sum()), made))
    names = {**dict(zip(gram_compiled.POINTS, points[:, : made + 1], strict=True)), "eta": eta[:made]}
    names |= dict(zip(gram_compiled.STEPS, between[:, :made], strict=True))
    told.parts.append(Grams(**{name: value[None] for name, value in names.items()}))
    last = eta[made - 1 : made] if made else np.ones(1)
    if not 0 < points[2, made] < np.inf and not run.ended[0]:
        run.end(0, made, why_over(float(np.abs(g[0]).sum()), made))
    told.finish(made, *_one_more(x, d, g, last, B, star))


def _run_carried(run: Any, steps: int, B: Any, star: Any, x: Any, g: Any) -> None:
    """Several runs with one product a step (see `gram_carried`): w = -eta B g, by what was computed of B g."""
    across = any(reads_across(column.formula) for column in run.recorder.leads)
    loop = gram_carried.Carried(run, steps, x, g, B, star, across=across)
    made = loop.go(steps)
    loop.finish(made)
    (dd, gg, bb), (dg, gb) = (np.moveaxis(part[: made + 2], 0, -1) for part in (loop.squares, loop.mixed))
    eta = loop.eta[: made + 1].T.copy()
    unread = np.full_like(eta, np.nan)
    gd, gh = (unread, unread) if loop.across is None else np.moveaxis(loop.across[: made + 1], 0, -1)
    with np.errstate(all="ignore"):
        ww, gw = eta * eta * bb[:, : made + 1], -eta * gb[:, : made + 1]
    grams = Grams(dd=dd.copy(), dg=dg.copy(), gg=gg.copy(), ww=ww, gw=gw, gd=gd, gh=gh, eta=eta, fresh=loop.fresh[: made + 2])
    _record(run, made, grams)


def _one_more(x: Any, d: Any, g: Any, eta: Any, B: Any, star: Any) -> tuple[Any, Any, Any]:
    """A step past the end: what tells B g at the last point. No column reads the point that it leads to."""
    eta = np.where((eta > 0) & (eta < np.inf), eta, 1.0)
    after = x - eta[:, None] * g - star
    return np.stack([d, after]), np.stack([g, np.dot(after, B)]), eta[None]


class _Alone:
    """One run: bare vectors, and a rule that never changes its step is asked once."""

    def __init__(self, run: Any, B: Any, star: Any, D: Any, G: Any, E: Any, x: Any) -> None:
        self.run, self.product, self.star = run, B.dot, star
        self.rows, self.etas = list(zip(D[:, 0], G[:, 0], strict=True)), E[:, 0]
        self.x, self.step = x[0].copy(), np.empty(x.shape[1])
        self.eta: Any = None
        self.past: Past | None = None

    def go(self, first: int, count: int) -> int:
        """Up to `count` steps into the buffers; fewer where the rule ends the run."""
        rule, product, star, x, step = self.run.rules[0], self.product, self.star, self.x, self.step
        multiply, subtract, numbers = np.multiply, np.subtract, rule.numbers
        (d, g), eta = self.rows[0], self.eta
        for n in range(count):
            if eta is None or not rule.constant:
                if numbers is not None:
                    eta = numbers(d.dot(g) / 2, g.dot(g))
                if numbers is None or not 0 < eta < np.inf:
                    eta = self._ask(first + n, d, g)
                    if eta is None:
                        return n
            self.etas[n] = eta
            multiply(g, eta, step)
            subtract(x, step, x)
            d, g = self.rows[n + 1]
            subtract(x, star, d)
            product(d, g)
        self.eta = eta
        return count

    def _ask(self, k: int, d: Any, g: Any) -> Any:
        square = g.dot(g)
        if not 0 < square < np.inf:
            self.run.end(0, k, why_over(float(np.abs(g).sum()), k))
            return None
        past = self.run.ask_alone(k, self.x.copy(), g.copy(), self.past, grad_normsq=square, gap=d.dot(g) / 2)
        self.past = past
        return past.eta


class _Together:
    """Several runs: one product with the matrix serves them all, and one more those whose steps read B g."""

    def __init__(self, run: Any, B: Any, star: Any, D: Any, G: Any, E: Any, x: Any) -> None:
        self.run, self.B, self.star, self.E = run, B, star, E
        self.rows = list(zip(D, G, E, strict=False)), list(D), list(G)
        self.x, self.step = x.copy(), np.empty_like(x)
        self.pasts: list[Past | None] = [None] * len(run.rules)
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

    @property
    def last(self) -> Any:
        return self.parts[-1].gg

    def take(self, D: Any, G: Any, E: Any) -> None:
        W = G[1:] - G[:-1]
        begin = 1 if self.parts else 0  # the first point is the last of the buffer before
        with np.errstate(all="ignore"):
            self.parts.append(
                Grams(
                    dd=_dots(D[begin:], D[begin:]),
                    dg=_dots(D[begin:], G[begin:]),
                    gg=_dots(G[begin:], G[begin:]),
                    ww=_dots(W, W),
                    gw=_dots(G[:-1], W),
                    gd=_dots(G[:-1], D[1:]),
                    gh=_dots(G[:-1], G[1:]),
                    eta=E.T.copy(),
                )
            )

    @property
    def step(self) -> Any:
        """The last steps, where there are any."""
        return self.parts[-1].eta[:, -1] if self.parts else np.ones(len(self.run.ended))

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
    recorder.accept({column: recorder.parts[column][0][:, : made + 1 - lead] for column, lead in recorder.leads.items()})


def _cut(grams: Grams, steps: int) -> Grams:
    points = ("dd", "dg", "gg")
    return Grams(**{name: value[:, : steps + (name in points)] for name, value in vars(grams).items() if value is not None})


def _dots(u: Any, v: Any) -> Any:
    """Inner products of rows: (n, runs, d) to (runs, n)."""
    return np.einsum("nrd,nrd->rn", u, v)


def _watch(run: Any, first: int, G: Any, squares: Any) -> None:
    """End runs at a gradient that is zero, or no number: at the first such point among these."""
    offset = len(G) - squares.shape[1]
    over = ~((squares > 0) & (squares < np.inf))
    for b in np.flatnonzero(over.any(1)):
        at = int(over[b].argmax()) + offset
        if not run.ended[b] or run.steps[b] > first + at:
            run.end(int(b), first + at, why_over(float(np.abs(G[at, b]).sum()), first + at))
