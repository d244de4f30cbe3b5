"""A rule's function under guard: whatever is not a step is refused in one line that names the rule, the step and the problem.

A rule reads vectors that it cannot write to; in a batch it may be asked for each run alone; in balls and in rationals it may
compute in floats.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Scalars, Vectors
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.model.rule import Lacking, RuleError, RunEnds
from boundcheck.support.errors import error_with_place

Step = Callable[[Any], Any]


def guarded(name: str, step: Step, *, alone: bool = False) -> Step:
    """A user's formula, with whatever is not a step refused in one line. `alone`: each run of a batch is asked for by itself."""

    def guard(run: Any) -> Scalars:
        if not alone or run.x.ndim < 2:
            return _step(name, step, run)
        chosen = np.empty(len(run.x), dtype=object)
        for n, one in enumerate(run.alone()):
            try:
                chosen[n] = np.asarray(_step(name, step, one), dtype=object).reshape(-1)[0]
            except RunEnds as why:
                if len(chosen) == 1:
                    raise
                chosen[n] = Undefined(str(why))
            for noted, value in one.noted.items():
                run.noted[noted] = value
        return chosen if any(isinstance(one, Undefined) for one in chosen) else run.xp.array(list(chosen))

    guard.guards = step  # type: ignore[attr-defined]
    return guard


def _step(name: str, step: Step, run: Any) -> Scalars:
    """One step, or why there is none."""
    where = f"at step {run.k} on {run.problem.name}"
    x, grad = run.x, run.grad = _read_only(run.x), _read_only(run.grad)
    try:
        answer = _answer(step, run)
    except Lacking as wrong:
        raise Lacking(f"rule '{name}': {wrong}") from wrong
    except (RuleError, RunEnds):
        raise
    except SystemExit:
        raise RuleError(f"rule '{name}' ended the program {where}; a rule returns a step, or raises RunEnds") from None
    except Exception as wrong:
        if _is_over(run):
            return np.float64("nan")  # the engine ends the runs that are over in its own words
        raise _blamed(name, step, run, where, wrong) from wrong
    for what, given in (("x", x), ("grad", grad)):
        if getattr(run, what) is not given or (isinstance(given, np.ndarray) and given.flags.writeable):
            raise _changed(name, what, where)
    return _number(name, answer, run, where)


def _number(name: str, answer: object, run: Any, where: str) -> Scalars:
    """What a rule returned as numbers of the run. Plain numbers are taken exactly."""
    if isinstance(answer, bool | np.bool_) or (isinstance(answer, np.ndarray) and answer.dtype == bool):
        raise RuleError(f"rule '{name}' returned {answer} {where}; a step is a positive number: booleans are refused")
    if isinstance(answer, int | float | Fraction | np.number) and not isinstance(answer, np.complexfloating):
        exact = answer if isinstance(answer, int | Fraction) else float(answer)
        if not 0 < exact < float("inf") and _is_over(run):
            return np.float64(exact)
        if exact != exact or exact in (float("inf"), float("-inf")):
            wanted = "a positive number" if exact != exact else "a finite positive number"
            raise RuleError(f"rule '{name}' returned {exact} {where}; a step is {wanted}: check its formula")
        return run.xp.scalar(exact)
    try:
        steps = np.asarray(run.xp.scalars(answer) if run.xp.encloses else answer + run.xp.scalar(0))
    except Exception:
        steps = np.asarray("")
    if steps.dtype.kind not in "fO":
        raise RuleError(f"rule '{name}' returned {answer!r} {where}; a step is a positive number{_instead(answer)}")
    if steps.shape not in ((), run.grad.shape[:-1]) and (run.grad.ndim == 1 or steps.shape != (1,)):
        raise RuleError(
            f"rule '{name}' returned an array of shape {steps.shape} {where}; a step is one number a run"
            f"{': step[0], if that is meant' if steps.shape == (1,) else ''}"
        )
    if steps.dtype.kind == "f" and np.isinf(steps).any() and not _is_over(run):
        raise RuleError(f"rule '{name}' returned an infinite step {where}; a step is a finite positive number: check its formula")
    return steps


def _instead(answer: Any) -> str:
    """What whoever returned this meant to write."""
    if answer is None:
        return ": did you forget `return`?"
    if isinstance(answer, complex | np.complexfloating):
        return ": return its real part, if that is meant"
    try:
        return ": convert it, float(...)" if float(answer) > 0 else ""
    except (TypeError, ValueError, OverflowError):
        return ""


def _answer(step: Step, run: Any) -> Scalars:
    """The step; from the same run in float64, where the formula knows no other numbers: it is frozen to one number anyway."""
    if run.xp.dtype is not object:
        return step(run)
    before = {key: _copied(state) for key, state in run.kept.items()}
    try:
        return step(run)
    except (TypeError, AttributeError):
        run.kept.clear()
        run.kept.update(before)
        return step(run.in_floats())


def _copied(state: Any) -> Any:
    """A copy that later changes of the state do not reach. Balls have no copies, and never change."""
    try:
        return copy.deepcopy(state)
    except TypeError:
        made = copy.copy(state)
        own = made if isinstance(made, dict) else vars(made)
        own.update({name: copy.copy(part) for name, part in own.items() if isinstance(part, list | dict | set | np.ndarray)})
        return made


def _is_over(run: Any) -> bool:
    """Is there no step to blame a rule for? It need not know that a run has left the numbers or met a zero gradient."""
    if not isinstance(run.grad, np.ndarray) or run.grad.dtype == object:
        return False
    total = np.abs(run.grad).sum(-1)
    if not np.all((total > 0) & (total < np.inf)):
        return True
    if run.grad.ndim == 1:
        _end_where_numbers_do(run)
    return False


def _end_where_numbers_do(run: Any) -> None:
    """A run alone has no step where |grad f|^2 is no float, or where f(x) - f* is lost and the rule reads it."""
    with np.errstate(all="ignore"):
        square = float(run.grad @ run.grad)
    if not 0 < square < np.inf:
        raise RunEnds(f"the square of the gradient is too {'small' if square == 0 else 'large'} for a float at x_{run.k}")
    gap = run.known("gap")
    if gap is not None and not gap > 0:
        raise RunEnds(f"f(x_{run.k}) - f* is too small to be told from 0")


def _blamed(name: str, step: Step, run: Any, where: str, wrong: Exception) -> RuleError:
    """What went wrong in a rule, in one line."""
    if isinstance(wrong, ValueError) and "read-only" in str(wrong):
        return _changed(name, _which_changed(step, run), where)
    if isinstance(wrong, TypeError) and "NoneType" in str(wrong) and run.L is None:
        return Lacking(f"rule '{name}' asks for L, it seems ({wrong}); {run.problem.name} declares no smoothness constant")
    return RuleError(f"rule '{name}' failed {where}: {error_with_place(wrong)}")


# -- what a rule may not change ------------------------------------------------------------------------------------------------


def _read_only(vectors: Vectors) -> Vectors:
    """A copy that cannot be written to; whoever insists does not reach the run."""
    if not isinstance(vectors, np.ndarray):
        return vectors
    made = vectors.copy()
    made.flags.writeable = False
    return made


def _changed(name: str, what: str, where: str) -> RuleError:
    return RuleError(f"rule '{name}' changed run.{what} {where}; a rule reads the run: work on a copy, run.{what}.copy()")


def _which_changed(step: Step, run: Any) -> str:
    """Which vector a rule writes to: seen by letting it, on copies."""
    again = copy.copy(run)
    again.before = copy.copy(run.before)
    places = {"x": (again, "x"), "grad": (again, "grad"), "before.x": (again.before, "x"), "before.grad": (again.before, "grad")}
    places = {name: place for name, place in places.items() if place[0] is not None}
    originals = {name: getattr(*place) for name, place in places.items()}
    for name, place in places.items():
        setattr(*place, originals[name].copy())
    with suppress(Exception):
        step(again)
    for name, place in places.items():
        if not np.array_equal(np.asarray(getattr(*place), dtype=object), np.asarray(originals[name], dtype=object)):
            return name
    return "x"
