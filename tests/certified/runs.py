"""The truth of a trace: the run that it recorded, made again from its steps at 1300 bits."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from typing import Any

from boundcheck.check.question import Question
from boundcheck.claims.hypotheses import Follows, Once
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import eta, f, grad, k, normsq, x, xstar
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Term
from boundcheck.model.problem import IsQuadratic, Problem
from boundcheck.runners.engine.chord_pairs import pairs
from boundcheck.runners.engine.method_run import Iteration
from boundcheck.runners.rules.explicit import given
from boundcheck.runs.trace import Experiment, Trace

from .numbers import fraction, number, settled
from .truth import Oracle, Truth, iterate

LARGEST = 5000  # of the exponents of steps
ORACLES: dict[str, Oracle] = {}


def oracle(problem: Problem) -> Oracle:
    known = ORACLES.get(problem.name)
    if known is None or known.problem.f != problem.f:
        known = ORACLES[problem.name] = Oracle(problem)
    return known


def exact(value: Any) -> Fraction:
    """What a number of any arithmetic stores, exactly: of a ball, its middle."""
    if hasattr(value, "man_exp"):
        return fraction(value)
    if hasattr(value, "_mpf_"):
        sign, mantissa, exponent, _ = value._mpf_
        return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    if hasattr(value, "p"):
        return Fraction(int(value.p), int(value.q))
    return Fraction(value)


def recorded(trace: Trace, term: Term) -> list[Fraction]:
    """A sequence of numbers that the rule chose, as the trace stores it, as long as they are of a size to compute with."""
    column, _ = as_column(term)
    values = trace.with_columns([column]).columns[column]
    row = values.data[0] if hasattr(values, "data") else values.mid[0]
    return [exact(value) for value in takewhile(_is_of_some_size, row)]


def _is_of_some_size(value: Any) -> bool:
    """Steps of a run that flies off double their exponents each time."""
    return not hasattr(value, "man_exp") or (value.is_finite() and abs(int(value.mid().man_exp()[1])) < LARGEST)


class TrueRun:
    """Both sides of claims on the run of a trace (of one rule from one start), or on its chords."""

    def __init__(self, problem: Problem, experiment: Experiment, trace: Trace, count: int) -> None:
        self.problem, self.experiment, self.trace, self.count = problem, experiment, trace, count
        self.oracle = oracle(problem)
        self.fixed = {name: values[0] for name, values in trace.parameters.items()}
        self.letters = {**trace.about.constants, **dict(experiment.values), **self.fixed}
        self._known: dict[Any, Truth] = {}
        self._gaps: dict[int, Fraction] = {}

    @cached_property
    def steps(self) -> dict[str, list[Fraction]]:
        assert self.experiment.runs is not None
        return {role: recorded(self.trace, eta.of(role)[k]) for role, _ in self.experiment.runs.roles}

    @cached_property
    def entries(self) -> Any:
        """Every entry of every run; of chords, none."""
        runs, rule, made = self.experiment.runs, self.experiment.rule, {}
        if runs is None or rule is None:
            return {}
        terms = [c.formula for c in self.trace.columns if isinstance(c.formula, Term) and c.formula.name in rule.records]
        noted = {term.name: recorded(self.trace, term) for term in terms}
        for role, method in runs.roles:
            steps, formula = self.steps[role][: int(self.trace.steps[0])], next(iter(self.trace.follows), None)
            made.update(
                iterate(self.oracle, method, self.problem.start, steps, self.letters, run=role, records=noted, formula=formula)
            )
        return made

    @cached_property
    def stored(self) -> dict[str, list[Any]]:
        """The points that the run stored: a claim about one step is asked of each of them and its exact image."""
        runs, made = self.experiment.runs, {}
        assert runs is not None
        letters = {name: value for name, value in self.letters.items() if value is not None}
        for role, method in runs.roles:
            steps = self.steps[role][: int(self.trace.steps[0])]
            again = Iteration(self.problem, method, given(steps), self.problem.start, self.trace.xp, letters).go(len(steps))
            made[role] = [settled([exact(c) for c in again.entries["x"][n]]) for n in range(again.steps + 1)]
        return made

    @cached_property
    def searches(self) -> bool:
        """Are A and mu found by search here? On a quadratic they are one quotient."""
        return not self.problem.has(IsQuadratic)

    def gap(self, at: int) -> Fraction:
        """f(x_k) - f*; where there is no minimiser, the squared gradient."""
        if at not in self._gaps:
            measure = normsq(grad(x[at])) if self.problem.minimiser is None else f(x[at]) - f(xstar)
            self._gaps[at] = fraction(self._plainly.value(measure, {})) if ("", "x", at) in self.entries else Fraction(0)
        return self._gaps[at]

    @cached_property
    def _plainly(self) -> Truth:
        return Truth(self.oracle, self.entries, {})

    def has_tie(self, q: Question, at: int) -> bool:
        """Is some hypothesis of the claim an equality at some step up to k, to 60 digits, or undefined: a division by 0?

        Frozen steps are a little less than the rule says: an equality for the rule itself counts.
        """
        for h, _ in q.hypotheses:
            if isinstance(h, Follows):
                continue
            letter = next(iter(h.relation.free), q.bound.for_all.letter)
            steps = [at] if q.is_one_step or isinstance(h, Once) or not h.relation.free else range(at + 1)
            if any(self._is_tie(q, h.relation, letter, n, at) for n in steps):
                return True
        return False

    def _is_tie(self, q: Question, relation: Relation, letter: str, n: int, at: int) -> bool:
        try:
            a, b = self._truth(q, at).sides(relation, letter, n)
        except (KeyError, ZeroDivisionError):
            return False
        if not (a.is_finite() and b.is_finite()):
            return True
        return bool(abs(a - b) <= (abs(a) + abs(b)) * number(max(Fraction(1, 10**60), 4 * Fraction(self.trace.moved))))

    @cached_property
    def pairs(self) -> Any:
        return pairs(self.problem, self.count, 0)

    def sides(self, q: Question, relation: Relation, letter: str, at: int) -> tuple[Any, Any]:
        """Both sides of a relation of the claim at k (or on the chord of this number)."""
        return self._truth(q, at).sides(relation, letter, at)

    def _truth(self, q: Question, at: int) -> Truth:
        place = at if q.bound.is_about_chords or self._is_local(q) else None
        name = (place, self._is_local(q), q.smoothness, q.values)
        if name not in self._known:
            base = (place, self._is_local(q))
            if base not in self._known:
                self._known[base] = Truth(self.oracle, self._entries_at(q, at), {})
            made = self._known[base].with_smoothness(q.smoothness)
            made.letters = Truth(self.oracle, {}, {**self.letters, **dict(q.values), **self.fixed}).letters
            self._known[name] = made
        return self._known[name]

    def _is_local(self, q: Question) -> bool:
        """Asked of stored points? Those of balls are so near to the run's that it makes no difference at these margins."""
        return q.is_local and self.trace.xp.name == "float64"

    def _entries_at(self, q: Question, at: int) -> Any:
        if q.bound.is_about_chords:
            starts, ends = self.pairs
            return {("", "x", None): settled(starts[at]), ("", "y", None): settled(ends[at])}
        if not self._is_local(q):
            return self.entries
        assert self.experiment.runs is not None
        made = {}
        for role, method in self.experiment.runs.roles:
            start, steps = self.stored[role][at], self.steps[role][at : at + 1]
            made.update(iterate(self.oracle, method, start, steps, self.letters, first=at, run=role))
        return made
