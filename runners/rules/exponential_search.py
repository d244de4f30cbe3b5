"""Exponential search for a constant step (alg:exponential-search-gd of the first paper), and the two runs that it ends with.

phi(eta) = eta - psi(eta), where psi(eta) = sum |grad f(x_i)|^2 / sum M(x_i, x_{i+1}) |grad f(x_i)|^2 along gradient descent with
the constant step eta. It returns eta_lo with phi(eta_lo) <= 0 < phi(eta_hi) and eta_hi <= 2 eta_lo; or eta_0, if phi(eta_0) <= 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Arithmetic, Truth
from boundcheck.evaluate.algebra import truth
from boundcheck.evaluate.columns import Column, reads
from boundcheck.evaluate.series import Series
from boundcheck.language.chords import ChordQuantity, spelled_out
from boundcheck.language.letters import M_, Sum, eta, grad, i, k, normsq, x
from boundcheck.language.rewrite import bind_smoothness
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RunEnds
from boundcheck.model.step_search import COUNTED, FIRST_STEP
from boundcheck.runners.engine.descent import Role, letters, run, run_together
from boundcheck.runners.engine.run_view import RunView
from boundcheck.runs.trace import Experiment, Trace

EXPONENTIAL_SEARCH = "exponential search"  # as claims name it
LONGEST = 10  # rounds: 2^-2^10 eta_0 is beyond every smoothness constant that a float64 holds
phi = eta[0] * Sum(M_[i] * normsq(grad(x[i])), i, 0, k) <= Sum(normsq(grad(x[i])), i, 0, k)


def exponential_search(numerator: Any = 1) -> Rule:
    """The search that begins with eta_0 = c / L."""
    c = Fraction(numerator)
    return Rule(
        name=f"exponential-search({c})",
        step=lambda run: run.xp.scalar(c) / run.L,
        needs=("L",),
        methods=(EXPONENTIAL_SEARCH,),
    )


def halvings(is_small: Callable[[int], Any], most: int) -> tuple[int, int, int]:
    """How often the search halves eta_0 for the step that it returns and for eta_hi, and how many runs it makes.

    `is_small(m)` tells whether phi(eta_0 / 2^m) <= 0. Where no step down to eta_0 / 2^most has it, the first number is -1.
    """
    seen, low, high = 0, -1, 0
    for rounds in range(1, most.bit_length()):
        for m in (0, 2**rounds):
            seen += 1
            if low < 0 and is_small(m):
                low = m
                break
        if low >= 0:
            break
    while low - high > 1:
        seen, middle = seen + 1, (low + high) // 2
        low, high = (middle, high) if is_small(middle) else (low, middle)
    return low, high, seen


@dataclass
class Search:
    """One search: what it has evaluated so far. The algorithm evaluates phi(eta_0) anew in every round; so does the count."""

    problem: Problem
    smoothness: str | ChordQuantity
    steps: int
    xp: Arithmetic
    evaluations: int = 0

    def go(self, eta_0: Any) -> tuple[Any, Any]:
        """(eta_lo, eta_hi)."""
        for n in range(1, LONGEST + 1):
            low, high = self._power(eta_0, -(2**n)), eta_0
            if self.is_small(high):
                return high, high
            if not self.is_small(low):
                continue
            exponents = [-(2**n), 0]  # of 2: the geometric mean of two such steps is one again, exactly
            while exponents[1] - exponents[0] > 1:
                middle = (exponents[0] + exponents[1]) // 2
                exponents[0 if self.is_small(self._power(eta_0, middle)) else 1] = middle
            return self._power(eta_0, exponents[0]), self._power(eta_0, exponents[1])
        raise RunEnds(f"exponential search found no step with phi <= 0 down to 2^-{2**LONGEST} eta_0")

    def _power(self, eta_0: Any, exponent: int) -> Any:
        with self.xp.working():
            return eta_0 * self.xp.plain.scalar(Fraction(2) ** exponent)

    def is_small(self, step: Any) -> bool:
        """phi(eta) <= 0, as the algorithm sees it: by one run of gradient descent."""
        self.evaluations += 1
        relation = spelled_out(bind_smoothness(phi, self.smoothness))
        columns = {column for column, _ in reads(relation, "k")}
        made = run(self.problem, fixed_step(step), steps=self.steps, columns=columns, xp=self.xp)
        last = int(made.steps[0]) - 1
        if last < 0 or "left the floating-point numbers" in made.ended[0]:
            return last < 0
        series = Series(self.xp, made, letters(self.problem, self.xp))
        left, right = (series.values(side, "k", last, last + 1) for side in (relation.left, relation.right))
        if self.xp.exact:
            found = int(truth(self.xp.compare(left, right), relation.op).reshape(-1)[0])
            if found == Truth.UNKNOWN:
                raise RunEnds(f"phi has no rational value here: {self.xp.reason(left) or self.xp.reason(right)}")
            return found == Truth.YES
        if self.xp.certified:
            told = truth(self.xp.compare(left, right), relation.op)
            if (told == Truth.UNKNOWN).any():
                raise RunEnds(f"whether phi <= 0 cannot be told in {self.xp.name}: {self.xp.text(left[0, 0])} against the same")
            return bool((told == Truth.YES).all())
        return bool((self.xp.middle(left) <= self.xp.middle(right)).all())


def fixed_step(step: Any) -> Rule:
    """A constant step that is already a number of the run's own namespace."""
    return Rule(name="constant", step=lambda run: step, constant=True)


def search_and_run(problem: Problem, experiment: Experiment, *, steps: int, columns: Iterable[Column], xp: Arithmetic) -> Trace:
    """The search, and its two runs: x with the step returned, x.of("prime") with eta_hi.

    Where a run reaches a minimiser, the horizon is shorter than asked for, and the search is made again for that horizon.
    """
    rule, runs = experiment.rule, experiment.runs
    assert rule is not None and runs is not None
    with xp.working():
        start = xp.plain.vector(problem.start)
        L = None if problem.L is None else xp.plain.scalar(problem.L)
        eta_0 = xp.plain.frozen(rule.step(RunView(problem, xp.plain, 0, start, problem.grad(xp.plain, start), None, L, steps)))
    while True:
        search = Search(problem, experiment.smoothness, steps, xp)
        low, high, why = eta_0, eta_0, ""
        try:
            low, high = search.go(eta_0)
        except RunEnds as ends:
            why, steps = str(ends), 0
        named = [Rule(name=rule.name, step=fixed_step(step).step, constant=True) for step in (low, high)]
        counts = (search.evaluations * steps, search.evaluations)
        made = run_together(
            problem,
            {role: Role(method, chosen, problem.start) for (role, method), chosen in zip(runs.roles, named, strict=True)},
            steps=steps,
            columns=columns,
            xp=xp,
            parameters={FIRST_STEP: _exact(eta_0), **dict(zip(COUNTED, counts, strict=True))},
            method=runs.method,
        )
        if why:
            return replace(made, ended=(why,))
        if int(made.steps[0]) == steps:
            return made
        steps = int(made.steps[0])


def _exact(number: Any) -> Fraction:
    """The rational that a number of a plain namespace names."""
    value = number.item() if hasattr(number, "item") else number
    if hasattr(value, "p"):
        return Fraction(int(value.p), int(value.q))
    if hasattr(value, "man_exp"):
        mantissa, exponent = value.man_exp() if callable(value.man_exp) else value.man_exp
        return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return Fraction(value)
