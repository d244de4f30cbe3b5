"""One rule's steps measured against M, each with the error that the trace gives it: is eta_k < 2/M, is eta_k = 1/M?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic import Arithmetic, arithmetic
from boundcheck.arithmetic.base import Truth
from boundcheck.check.hypotheses_on_run import Checked, check_hypotheses
from boundcheck.check.question import Question, letters, questions
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Follows, GradientDescent
from boundcheck.evaluate.series import Series
from boundcheck.language.chords import ChordQuantity
from boundcheck.language.letters import M, eta, i, k, x
from boundcheck.library.catalogue import NotFound, runner
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runs.trace import Trace
from boundcheck.support.terminal import many

# written as products: where M = 0 they still say something
STEPS = Bound(
    given=(
        GradientDescent(),
        Follows(eta[i] * M(x[i + 1], x[i]) == 1),  # eq:strongly-adapted-step-size
        Follows(eta[i] * M(x[i], x[i + 1]) == 1),
        eta[i] * M(x[i], x[i + 1]) < 2,
    ),
    states=eta[k] * M(x[k], x[k + 1]) <= 2,
)
WORDS = {Truth.YES: "holds", Truth.NO: "fails", Truth.UNKNOWN: "undecided"}


@dataclass(frozen=True)
class MeasuredStep:
    """One step, as people read it; and eta M with a bound of its error, as numbers."""

    k: int
    eta: str
    M: str
    eta_M: str
    value: float
    error: float

    def to_json(self) -> dict[str, Any]:
        numbers = {"value": _finite(self.value), "error": _finite(self.error)}
        return {"k": self.k, "eta": self.eta, "M": self.M, "eta_M": self.eta_M, **numbers}


@dataclass(frozen=True)
class Answer:
    """A hypothesis along a run: `holds` at every step, `fails` at some, or `undecided`; and eta M where it is farthest off."""

    outcome: str
    k: int  # where it is worst: the first failure, or the first undecided step, or the largest residual
    eta_M: str
    off: float  # |eta M - 1| there, its error included
    met: int  # at how many steps it holds
    near: bool  # an equation that frozen steps only nearly satisfy

    def to_json(self, certified: bool) -> dict[str, Any]:
        decided = self.outcome != "undecided" and not self.near
        return {
            "outcome": self.outcome,
            "certified": certified and decided,
            "k": self.k,
            "eta_M": self.eta_M,
            "steps": self.met,
            "residual": self.off if np.isfinite(self.off) else None,
        }


@dataclass(frozen=True)
class Measured:
    """A rule's run on a problem: its steps, and what they meet."""

    rule: str
    smoothness: str
    certified: bool
    rows: tuple[MeasuredStep, ...]
    ended: str
    strongly: Answer | None  # None: no step was made
    forwards: Answer | None  # the same with the points of M exchanged: another hypothesis for A and for H
    adapted: Answer | None

    def line(self) -> str:
        """What a person wants to know of it."""
        ended = f"; the run ended there: {self.ended}" if self.ended else ""
        if self.strongly is None or self.forwards is None or self.adapted is None:
            return f"{self.rule}: made no step; {self.ended}"
        kind = "certified" if self.certified else "numerical"
        met = [self._strongly(self.strongly), self._adapted(self.adapted)]
        if self.smoothness not in ("D", "L"):  # whose points may be exchanged
            exchanged = f"with {self.smoothness}(x_k, x_k+1) in place of {self.smoothness}(x_k+1, x_k)"
            met.insert(1, f"{exchanged} {self._strongly(self.forwards)}")
        return f"{self.rule}: {'; '.join(met)} ({kind}, {many(len(self.rows), 'step')}){ended}"

    def _strongly(self, a: Answer) -> str:
        M, here = self.smoothness, f"eta*{self.smoothness} = {a.eta_M} at k = {a.k}"
        if a.outcome == "holds":
            worst = f"|eta*{M} - 1| <= {a.off:.2g}, worst at k = {a.k}"
            return f"STRONGLY ADAPTED, {'exactly' if self.certified and not a.near else f'to rounding: {worst}'}"
        if a.outcome == "fails":
            return f"NOT strongly adapted: {here}"
        return f"strongly adapted at {a.met} of {len(self.rows)} steps, the rest hidden by rounding: {here}"

    def _adapted(self, a: Answer) -> str:
        M, here = self.smoothness, f"eta*{self.smoothness} = {a.eta_M} at k = {a.k}"
        if a.outcome == "holds":
            return f"adapted, eta*{M} < 2"
        if a.outcome == "fails":
            return f"NOT adapted: {here}"
        return f"adapted at {a.met} of {len(self.rows)} steps, the rest hidden by rounding: {here}"

    def to_json(self) -> dict[str, Any]:
        return {
            "method": self.rule,
            "steps": len(self.rows),
            "ended": self.ended or None,
            "rows": [row.to_json() for row in self.rows],
            "strongly_adapted": None if self.strongly is None else self.strongly.to_json(self.certified),
            "with_points_exchanged": None if self.forwards is None else self.forwards.to_json(self.certified),
            "adapted": None if self.adapted is None else self.adapted.to_json(self.certified),
        }


def measure(problem: Problem, rule: Rule, smoothness: str | ChordQuantity, steps: int, arithmetic_name: str) -> Measured:
    """Run gradient descent with a rule, and look at eta M at every step. One step's error counts, not the trajectory's."""
    if GRADIENT_DESCENT.kind not in rule.methods:
        raise NotFound(f"rule '{rule.name}' chooses steps of {', '.join(rule.methods)}; needs one of gradient descent")
    if lacking := rule.missing(problem):
        raise NotFound(lacking)
    xp = arithmetic(arithmetic_name)
    asked = replace(STEPS, smoothness=(smoothness,))  # type: ignore[arg-type]  # of a quantity the name is kept
    (name,) = asked.smoothness
    (q,) = questions([asked], runner().about(problem), exact=xp.exact)
    if q.out_of_place:
        raise NotFound(f"M = {name} {q.out_of_place}")
    trace: Trace = runner().run(problem, rule, steps=steps, columns=q.columns, xp=xp)
    count, ended = int(trace.steps[0]), trace.ended[0]
    missing = sorted(str(column) for column in q.columns if column not in trace.columns)
    if missing and count:
        raise NotFound(trace.refused.get(missing[0], f"the run has no column {missing[0]}"))
    if not count:
        return Measured(rule.name, name, xp.certified, (), ended, None, None, None)
    series = Series(xp, trace, letters(q, xp, {}), q.is_local)
    answers = [_answer(checked, series, xp, count) for checked in check_hypotheses(q, trace, series, 0, count)[:3]]
    return Measured(rule.name, name, xp.certified, _rows(q, xp, series, count), ended, *answers)


def _rows(q: Question, xp: Arithmetic, series: Series, count: int) -> tuple[MeasuredStep, ...]:
    product = q.relations[0].left
    step, chord = product.children
    columns = [_entries(series, part, "k", count) for part in (step, chord, product)]
    values, errors = (numbers(columns[2]).reshape(-1) for numbers in (xp.middle, xp.error))
    texts = [[_text(xp, column, n) for n in range(count)] for column in columns]
    numbered = zip(*texts, values, errors, strict=True)
    return tuple(MeasuredStep(n, a, b, c, float(value), float(error)) for n, (a, b, c, value, error) in enumerate(numbered))


def _answer(checked: Checked, series: Series, xp: Arithmetic, count: int) -> Answer:
    """The worst step of a hypothesis: eta M is its left side."""
    (letter,) = checked.relation.free
    product = _entries(series, checked.relation.left, letter, count)
    truths = checked.truths[0, :count]
    from_one = product - xp.scalar(1)
    off: NDArray[np.float64] = (np.abs(xp.middle(from_one)) + xp.error(from_one)).reshape(-1)
    off = np.where(np.isnan(off), np.inf, off)
    for value in (Truth.NO, Truth.UNKNOWN):
        if (truths == value).any():
            at = int((truths == value).argmax())
            break
    else:
        value, at = Truth.YES, int(off.argmax())
    near = checked.is_only_near(0)
    return Answer(WORDS[value], at, _text(xp, product, at), float(off[at]), int((truths == Truth.YES).sum()), near)


def _entries(series: Series, formula: Any, letter: str, count: int) -> Any:
    """A formula at each step of the one run: the constant L too."""
    xp = series.xp
    return series.values(formula, letter, 0, count) + xp.scalars(np.zeros((1, count)))


def _text(xp: Arithmetic, column: Any, n: int) -> str:
    """The number whole where it is exact; else as many digits as its error leaves."""
    one = column[0, n]
    if xp.exact:
        return xp.text(one)
    value, error = float(xp.middle(one)), float(xp.error(one))
    if not np.isfinite(error):
        return f"{value:.6g} (error unknown)"
    return f"{value:.10g}" if error <= 1e-9 * abs(value) else f"{value:.6g} ± {error:.1g}"


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
