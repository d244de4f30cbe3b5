"""A batch of gradient descents on one problem, each row with its rule and its start, advancing together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from boundcheck.arithmetic import Arithmetic
from boundcheck.arithmetic.base import Exact
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError, RunEnds
from boundcheck.runners.engine.recorder import Recorder
from boundcheck.runners.engine.run_ends import why_over, why_refused, why_stop
from boundcheck.runners.engine.run_view import RunView
from boundcheck.runners.engine.single_run import run_alone
from boundcheck.runners.quadratics.gram_descent import run_by_grams

CHUNK = 512  # steps at a time, at most
ALONE = 8  # times as many in one run alone, and more coordinates: what is done once for each column and chunk weighs less
LEAST = 32  # steps at a time, however many coordinates there are. Where entries reach further, twice as far as they do
NUMBERS, NUMBERS_ALONE = 80_000, 140_000  # coordinates at a time, so that memory does not grow with the batch


class Batch:
    """`by_grams`: inner products tell all that the recorder wants. `prescribed`: the steps, (runs, K); no rule is asked."""

    def __init__(
        self,
        problem: Problem,
        rules: Sequence[Rule],
        starts: Sequence[Sequence[Exact]],
        xp: Arithmetic,
        recorder: Recorder,
        *,
        by_grams: bool = False,
        prescribed: Any = None,
    ) -> None:
        self.by_grams, self.prescribed = by_grams, prescribed
        self.etas: Any = None  # the steps of a run told by inner products
        self.own_points = False  # may it go through points of its own (did it, afterwards)? Another run with its steps has others
        self.problem, self.rules, self.xp, self.recorder = problem, rules, xp, recorder
        self.plain = xp.plain
        # a rule that reads the run would follow it to where f* is not known as well as points with more bits are
        self.making = xp.running if all(rule.constant for rule in rules) else xp.working
        with self.making():
            self.x = self.plain.stored(np.stack([np.asarray(self.plain.vector(start)) for start in starts]))
            self.L = None if problem.L is None else self.plain.scalar(problem.L)
        self.rows = [slice(n * len(starts) // len(rules), (n + 1) * len(starts) // len(rules)) for n in range(len(rules))]
        self.steps = np.zeros(len(starts), dtype=np.int64)
        self.ended = [""] * len(starts)
        self.total, self.moved = 0, 0.0
        self.running = len(starts)
        self.radius: Any = xp.apart(xp.vectors([list(start) for start in starts]), self.x)  # a start may be no number of xp's

    def go(self, steps: int) -> Batch:
        self.total = steps
        with np.errstate(all="ignore"), self.making():
            self._go(steps)
        return self

    def _go(self, steps: int) -> None:
        plain, problem = self.plain, self.problem
        x, g = self.x, problem.grad(plain, self.x)
        floats = x.dtype != object and isinstance(g, np.ndarray)  # vectors on a device go as a batch
        alone = len(x) == 1 and floats
        most, numbers = (ALONE * CHUNK, NUMBERS_ALONE) if alone else (CHUNK, NUMBERS)
        size = min(max(min(most, max(numbers // x.size, LEAST)), 2 * self.recorder.span), steps) + 1
        X, G = (np.empty((len(x), size, problem.dimension), dtype=x.dtype) for _ in range(2))
        E = np.empty((len(x), size - 1), dtype=x.dtype)
        X[:, 0], G[:, 0] = x, g
        first, n = 0, 0
        pasts: list[RunView | None] = [None] * len(self.rules)
        careful = x.dtype == object  # numbers that grow, or roots that are not rational: look before every step
        self._watch(X[:, :1], G[:, :1], 0)
        if self.by_grams and floats:
            return run_by_grams(self, steps, X[:, 0].copy())
        if alone:
            return run_alone(self, steps, X, G, E)
        once = all(rule.constant for rule in self.rules) and self.prescribed is None
        eta: Any = None
        for k in range(steps):
            if self.running == 0:
                break
            if eta is None or not once:
                with self.xp.working():
                    eta = np.concatenate([self.ask(number, pasts, k, x[rows], g[rows]) for number, rows in enumerate(self.rows)])
            if self.running == 0:
                break
            x = plain.stored(x - plain.scale(eta, g))
            g = problem.grad(plain, x)
            n += 1
            E[:, n - 1], X[:, n], G[:, n] = self.enclosing(eta), x, g
            if careful:
                self._watch(X[:, n : n + 1], G[:, n : n + 1], k + 1)
            if n == size - 1:
                first, n = self.flush(first, X, G, E, n, last=False)
        self.flush(first, X, G, E, n, last=True)

    def ask_alone(self, k: int, x: Any, g: Any, last: RunView | None, **known: Any) -> RunView:
        """The moment k of a run alone, with the step that its rule chose; None where the run ends instead.

        `known` are numbers that a rule may read and that were computed already.
        """
        rule = self.rules[0]
        past = self._now(rule, k, x, g, last)
        past.know(**known)
        try:
            eta = rule.step(past)
        except RunEnds as why:
            self.end(0, k, str(why))
            return past
        if type(eta) is not np.float64 and type(eta) is not float:
            eta = self.as_steps(rule, eta, 1, k)[0]
        if 0 < eta < np.inf:
            past.eta = eta
        else:
            self.refuse_step(rule, k, eta, past, 0, 0, known.get("gap"))
        return past

    def _now(self, rule: Rule, k: int, x: Any, g: Any, last: RunView | None) -> RunView:
        """What a rule sees at k: with all that came before it, or with the step before only."""
        return RunView(
            self.problem, self.plain, k, x, g, last if last is None or rule.remembers else last.forget(), self.L, self.total
        )

    def ask(self, number: int, pasts: list[RunView | None], k: int, x: Any, g: Any) -> Any:
        """The step that a rule chooses, refused unless it is a positive number for every run that has not ended."""
        rule, rows = self.rules[number], self.rows[number]
        if self.prescribed is not None:
            return self.prescribed[rows, k].copy()
        past = self._now(rule, k, x, g, pasts[number])
        answer: Any = 1
        try:
            answer = rule.step(past)
            eta = self.as_steps(rule, answer, len(x), k)
        except RunEnds as why:  # it chose for all its runs at once: none of them goes on
            for b in range(rows.start, rows.stop):
                if not self.ended[b]:
                    self.end(b, k, str(why))
            eta = self.as_steps(rule, 1, len(x), k)
        if self.running < len(self.ended):
            eta[[bool(self.ended[b]) for b in range(rows.start, rows.stop)]] = 1  # an ended run goes on idly beside the others
        good = (eta > 0) & (eta < np.inf) if eta.dtype != object else eta > 0
        if not good.all():
            for b in np.flatnonzero(~good).tolist():
                said = np.asarray(answer, dtype=object).reshape(-1)
                self.refuse_step(rule, k, said[b if len(said) > 1 else 0], past, int(b), rows.start)
                eta[b] = 1
        past.eta = eta
        pasts[number] = past
        return eta

    def as_steps(self, rule: Rule, answer: Any, count: int, k: int) -> Any:
        """What a rule returned, as one number for each of its runs."""
        eta = np.empty(count, dtype=self.x.dtype)
        try:
            if isinstance(answer, str):
                raise TypeError("text is no number")
            eta[:] = self.plain.frozen(self.plain.array(answer))
            self.moved = max(self.moved, self.plain.moved_by(np.broadcast_to(self.plain.array(answer), eta.shape), eta))
        except (TypeError, ValueError):
            shape = getattr(answer, "shape", None)
            found = f"an array of shape {shape}" if shape is not None else repr(answer)
            raise RuleError(
                f"rule '{rule.name}' returned {found} at step {k}; needs one number, or one for each of {count} runs"
            ) from None
        return eta

    def enclosing(self, eta: Any) -> Any:
        """The steps of the run that the points stand for: those that were taken."""
        return eta

    def refuse_step(self, rule: Rule, k: int, step: Any, past: RunView, row: int, offset: int, gap: Any = None) -> None:
        """End the run where it is over, its gap below rounding or its step not rational; else the rule is at fault.

        `gap` is the one that the rule was told, where it was not computed at x: a run may know x - x* better than x.
        """
        grad, x = np.atleast_2d(past.grad)[row], np.atleast_2d(past.x)[row]
        self.end(row + offset, k, why_refused(rule, k, step, grad, x, self.problem, self.xp, gap))

    def _watch(self, X: Any, G: Any, first: int) -> None:
        """End runs at an exactly zero gradient, or where they leave the numbers: at the first such point among these."""
        if G.dtype == object:
            for b in range(len(G)):
                if not self.ended[b] and (why := why_stop(X[b, 0], G[b, 0], first)):
                    self.end(b, first, why)
            return
        total = np.abs(G).sum(-1)
        over = ~((total > 0) & (total < np.inf))
        for b in np.flatnonzero(over.any(1)).tolist():
            at = int(over[b].argmax())
            if not self.ended[b] or self.steps[b] > first + at:
                self.end(int(b), first + at, why_over(float(total[b, at]), first + at))

    def end(self, row: int, k: int, why: str) -> None:
        self.running -= not self.ended[row]
        self.steps[row], self.ended[row] = k, why

    def flush(self, first: int, X: Any, G: Any, E: Any, n: int, *, last: bool) -> tuple[int, int]:
        """Hand the stored points to the recorder, and keep the tail that the next chunk needs."""
        if X.dtype != object:
            self._watch(X[:, : n + 1], G[:, : n + 1], first)
        if last:
            for b in range(len(self.ended)):
                if not self.ended[b]:
                    self.steps[b] = first + n
        if not self.recorder.leads:  # nothing to record, so nothing to bound
            return (first, n) if last else self._keep(X, G, E, n, 0, first)
        chunk = self.recorder.take(first, X[:, : n + 1], G[:, : n + 1], E[:, :n], self.radius)
        if last:
            return first, n
        tail = max(first + n - self.recorder.keep_from, 0)
        self.radius = chunk.carried(n - tail)
        return self._keep(X, G, E, n, tail, first)

    def _keep(self, X: Any, G: Any, E: Any, n: int, tail: int, first: int) -> tuple[int, int]:
        """Move the last points to the front of the buffers; where the next chunk begins, and how many steps it has already."""
        keep = slice(n - tail, n + 1)
        X[:, : tail + 1], G[:, : tail + 1] = X[:, keep].copy(), G[:, keep].copy()
        if tail:
            E[:, :tail] = E[:, n - tail : n].copy()
        return first + n - tail, tail
