"""The run of a rule in a process of its own: the steps that it chose, the oracle calls that it made, and how the run ended."""

from __future__ import annotations

import math
import mmap
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.library.catalogue import runner
from boundcheck.model.method import GRADIENT_DESCENT, Method
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Lacking, Rule, RuleError, RunEnds
from boundcheck.support.errors import error_words
from boundcheck.support.processes import Died, TimeUp
from boundcheck.support.processes.time_limit import limited

RECENT = 4
KINDS = ("f", "gradient", "Hessian", "chord")
ORACLES = {  # f(x) - f* costs a value of f, and so does the Bregman distance from a point where f is known
    "f": "f",
    "gap": "f",
    "bregman": "f",
    "grad": "gradient",
    "hessian_vector": "Hessian",
    "chord": "chord",
}
ALONG = ("bregman", "hessian_vector", "chord")  # these read a direction too


def counted(problem: Problem, calls: NDArray[np.int64]) -> Problem:
    """Return the same problem; each call adds to the entry of its kind in `calls`, in the order of KINDS.

    A point that was asked for a moment ago costs nothing: whoever asks could have kept the answer.
    """
    recent = [deque[tuple[bytes, ...]](maxlen=RECENT) for _ in KINDS]
    changes: dict[str, Any] = {
        name: _counting(oracle, calls, KINDS.index(kind), recent[KINDS.index(kind)], name in ALONG)
        for name, kind in ORACLES.items()
        if (oracle := getattr(problem, name)) is not None
    }
    return problem.replace(**changes)


def _counting(
    oracle: Callable[..., Any], calls: NDArray[np.int64], kind: int, recent: deque[tuple[bytes, ...]], along: bool
) -> Callable[..., Any]:
    def asked(xp: Any, x: Any, *others: Any) -> Any:
        if isinstance(x, np.ndarray):  # an enclosure is read by whoever records the run
            key = (x.tobytes(), others[0].tobytes()) if along else (x.tobytes(),)
            if key not in recent:
                recent.append(key)
                calls[kind] += 1 if x.ndim < 2 else int(np.prod(x.shape[:-1]))
        return oracle(xp, x, *others)

    return asked


TINY = 2.0**-960  # of a sum of squares: products of smaller ones are lost


def answer(rule: Rule, run: Any) -> Any:
    """Return the rule's step. Where it has none because the run is over, the run ends and says so."""
    try:
        eta = rule.step(run)
    except RuleError as wrong:
        if isinstance(wrong.__cause__, ArithmeticError) or _domain(wrong.__cause__) or _returned_no_number(wrong):
            _end_if_over(run)
        raise
    if not _is_a_step(eta):
        _end_if_over(run)
    return eta


def _is_a_step(eta: Any) -> bool:
    try:
        return bool(0 < float(np.asarray(eta).reshape(-1)[0]) < math.inf)
    except (TypeError, ValueError, IndexError):
        return True  # not a number at all: the engine refuses it in its own words


def _domain(wrong: BaseException | None) -> bool:
    """Return the square root of a negative number, or the logarithm of 0."""
    return isinstance(wrong, ValueError) and "domain error" in str(wrong)


def _returned_no_number(wrong: RuleError) -> bool:
    """NaN, or an infinite step: what the guard of rules refuses."""
    words = ("nan", "inf", "-inf", "an infinite step")
    return wrong.__cause__ is None and any(f"returned {word}" in str(wrong) for word in words)


def _end_if_over(run: Any) -> None:
    if why := why_over(run):
        raise RunEnds(why)


def why_over(run: Any) -> str:
    """Return why no formula of the gap, the gradient or its change need have a value at x_k.

    "" where there is a step to choose.
    """
    k, problem = run.k, run.problem
    with np.errstate(all="ignore"):
        x, g = (np.asarray(v, dtype=np.float64) for v in (run.x, run.grad))
        if not float(g @ g) > TINY:
            return f"the square of the gradient is too small for a float at x_{k}"
        if problem.infimum is not None and not float(problem.f(FLOAT64, x)) - float(problem.infimum) > 0:
            return f"f(x_{k}) - f* is too small to be told from 0"
        if problem.gap is not None and not float(problem.gap(FLOAT64, x, g)) > 0:
            return f"f(x_{k}) - f* is too small to be told from 0"
        if run.before is not None:
            if np.array_equal(x, run.before.x):
                return f"x_{k} is x_{k - 1}: the run does not move any more"
            if np.array_equal(g, run.before.grad):
                return f"the gradient at x_{k} is that at x_{k - 1}: a formula of its change has no value"
    return ""


Floats = NDArray[np.float64]
Look = Callable[[Any], float]  # a number of x_k, looked at before the rule is asked
LOST = 2.0**-44  # of x: a step so short is hardly more than its rounding
SOME = 25  # steps: fewer are no run to judge by
STUCK = 10.0  # times as long as its other steps took: the rule is at fault, and not the length of the run


@dataclass(frozen=True)
class ObservedRun:
    """What was seen of a run: why it ended early, what the rule did wrong in one line; at x_0, x_1, ...: calls, and a number."""

    steps: int  # made
    ended: str
    error: str
    eta: Floats  # (steps,)
    calls: NDArray[np.int64]  # (steps + 1, kinds): made when x_k and its gradient were known; the last is all of them
    looked: Floats  # (steps + 1,) or fewer: what was looked at


def watch(
    problem: Problem,
    rule: Rule,
    method: Method,
    *,
    steps: int,
    seconds: float,
    look: Look | None = None,
    until: float = 0.0,
    enough: int | None = None,
    trusted: bool = False,
    most: int | None = None,
    along: Floats | None = None,
) -> ObservedRun:
    """Run a rule from the problem's start in float64, whatever it does. What `look` asks of the problem is not counted.

    The run ends where the number that `look` gives is at most `until` times the first, or where it has some steps and asked
    `enough` of the oracles (calls, not seconds: the same run ends at the same step on every machine). A rule that is `trusted`
    runs in this process: its time is looked at between two steps only. `most`: the run is for `steps`, and ends after so many.
    `along`: the run takes these steps whatever the rule answers; its answers are what is seen.
    """
    import scipy.optimize  # noqa: F401 (here once, and not in the process of every run whose rule solves an equation)

    runner()
    memory = _Memory(steps)
    if lacking := rule.missing(problem):
        return memory.seen(0, lacking, "")
    deadline = time.process_time() + seconds if trusted else None
    step = _seen(rule, memory, method.key == GRADIENT_DESCENT.key, look, until, _Clock(deadline, enough, most), along)
    own, counting = replace(rule, step=step, constant=False), counted(problem, memory.calls)
    if trusted:
        return memory.seen(*_run(counting, own, method, memory, steps))
    try:
        return memory.seen(*limited(lambda: _run(counting, own, method, memory, steps), seconds))
    except TimeUp:
        if memory.is_stuck(seconds):
            return memory.seen(memory.made(), "", f"{memory.here(rule, problem)} gave no step in {seconds:g} s; does it loop?")
        return memory.seen(memory.made(), f"the {seconds:g} s for one run were over at step {memory.made()}", "")
    except Died as how:
        return memory.seen(memory.made(), "", f"{memory.here(rule, problem)} ended its process {how}; a rule returns a step")


def _run(problem: Problem, rule: Rule, method: Method, memory: _Memory, steps: int) -> tuple[int, str, str]:
    """(steps made, why the run ended early, what the rule did wrong)."""
    try:
        trace = runner().run(problem, rule, steps=steps, xp="float64", method=method)
    except Lacking as wrong:
        return memory.made(), error_words(wrong), ""
    except RuleError as wrong:
        return memory.made(), "", error_words(wrong)
    except (Exception, SystemExit) as wrong:
        return memory.made(), "", f"{memory.here(rule, problem)} failed: {error_words(wrong)}"
    return int(trace.steps[0]), trace.ended[0], ""


def _seen(
    rule: Rule,
    memory: _Memory,
    descends: bool,
    look: Look | None,
    until: float,
    clock: _Clock,
    along: Floats | None = None,
) -> Callable[[Any], Any]:
    """Return the rule's step, seen. A gradient descent ends where its points do not move any more."""

    def step(run: Any) -> Any:
        memory.calls_at[run.k] = memory.calls
        memory.looked[run.k] = 1.0 if look is None else look(run)
        memory.asks(run.k, time.monotonic())
        if memory.looked[run.k] <= until * memory.looked[0]:
            raise RunEnds(f"x_{run.k} is as good as asked for")
        clock.look(run.k, int(memory.calls.sum()))
        eta = answer(rule, run)
        memory.eta[run.k] = number = _number(eta)
        if along is not None:
            return along[run.k]
        if descends and 0 < number and _is_lost(number * run.grad, run.x):
            raise RunEnds(f"the step at x_{run.k} is below 2^-44 of x_{run.k}: from here on rounding decides")
        return eta

    return step


class _Clock:
    """Ends a run whose time is over, or that is long enough for what it costs."""

    def __init__(self, deadline: float | None, enough: int | None, most: int | None) -> None:
        self.deadline, self.enough, self.most = deadline, enough, most

    def look(self, k: int, calls: int) -> None:
        if k == self.most:
            raise RunEnds(f"{k} steps were asked for")
        if self.deadline is not None and time.process_time() > self.deadline:
            raise RunEnds(f"the time for one run was over at step {k}")
        if self.enough is not None and k >= SOME and calls > self.enough:
            raise RunEnds(f"{k} steps took {calls} oracle calls, which is enough for one run")


class _Memory:
    """What is seen of a run while it is made, in memory that this process and the rule's share."""

    def __init__(self, steps: int) -> None:
        kinds, self.steps = len(KINDS), steps
        sizes = (3, kinds, steps, steps + 1, (steps + 1) * kinds)
        ends = np.cumsum(sizes)
        shared = mmap.mmap(-1, 8 * int(ends[-1]))
        numbers, integers = np.frombuffer(shared, dtype=np.float64), np.frombuffer(shared, dtype=np.int64)
        self.times, _, self.eta, self.looked, _ = np.split(numbers, ends[:-1])  # how often it was asked; when first, and last
        _, self.calls, _, _, calls_at = np.split(integers, ends[:-1])
        self.calls_at = calls_at.reshape(steps + 1, kinds)

    def asks(self, k: int, now: float) -> None:
        """The rule is asked for step k."""
        self.times[:] = k + 1, self.times[1] if k else now, now

    @property
    def asked(self) -> int:
        return int(self.times[0])

    def made(self) -> int:
        """Return the steps that were certainly made: the rule was asked for the next one."""
        return max(self.asked - 1, 0)

    def is_stuck(self, seconds: float) -> bool:
        """Return whether the rule takes far longer for this step than it took for others."""
        _, first, last = self.times
        lasted = time.monotonic() - last
        return self.made() == 0 or (lasted > seconds / STUCK and lasted > STUCK * (last - first) / self.made())

    def here(self, rule: Rule, problem: Problem) -> str:
        return f"rule '{rule.name}' at step {self.made()} on {problem.name}"

    def seen(self, made: int, ended: str, error: str) -> ObservedRun:
        total = self.calls_at[made] if self.made() > made else self.calls  # an ended run may go on idly for a while
        calls = np.concatenate([self.calls_at[:made], total[None]])
        looked = np.array(self.looked[: min(made + 1, self.asked)])
        return ObservedRun(made, ended, error, np.array(self.eta[:made]), calls, looked)


def _is_lost(moved: Floats, x: Floats) -> bool:
    with np.errstate(all="ignore"):
        return bool(np.abs(moved).max() < LOST * np.abs(x).max())


def _number(eta: Any) -> float:
    try:
        return float(np.asarray(eta).reshape(-1)[0])
    except (TypeError, ValueError, IndexError):
        return float("nan")  # the engine refuses it in its own words
