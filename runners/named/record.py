"""The columns of such a run, as a trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt
from typing import Any

import numpy as np

from boundcheck.arithmetic import Arithmetic, arithmetic
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.claims.bound import Bound
from boundcheck.evaluate.columns import LETTER, Column
from boundcheck.language.canonical import HORIZON
from boundcheck.language.scalars import Expectation
from boundcheck.language.vectors import Minimum
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runners.named.evaluation import At, Branch, Evaluation, MissingValue, NoMeaning
from boundcheck.runners.named.free import ZERO
from boundcheck.runners.named.oracles import NotEvaluated
from boundcheck.runners.named.run import NamedRun
from boundcheck.runs.trace import About, Trace

CONFIDENCE = "99.9 %"
QUANTILE = 3.3  # of the normal distribution, at that confidence on both sides
BITS = "ball:128"  # in which runs are made for arithmetics that are neither exact nor balls


def named_trace(
    problem: Problem,
    bound: Bound,
    *,
    steps: int,
    columns: Iterable[Column],
    xp: Arithmetic | str,
    about: About,
    values: Mapping[str, Any] | None = None,
    rule: Rule | None = None,
    name: str = "",
    choice: str = ZERO,
    seed: int = 0,
) -> Trace:
    """The trace of the run that a claim describes, on a problem whose parts have the claim's names."""
    xp = arithmetic(xp) if isinstance(xp, str) else xp
    inner = xp if xp.exact or getattr(xp, "bits", None) is not None else arithmetic(BITS)
    letters = {**about.constants, **(dict(rule.parameters) if rule is not None else {}), **(values or {})}
    shown, notes = name or (rule.name if rule is not None else ""), list(problem.notes)
    refused: dict[str, str] = {}
    made: dict[Column, Any] = {}
    blocked, ended, count, confidence = "", "", 0, ""
    used: tuple[Any, ...] = ()
    with inner.working():
        try:
            run = NamedRun(problem, bound, inner.plain, letters, steps=steps, rule=rule, choice=choice, seed=seed).go()
        except (NotEvaluated, NoMeaning) as why:
            blocked = str(why)
        except MissingValue as entry:
            blocked = f"nothing sets {entry}"
        else:
            ended, count, used = run.ended, run.steps, tuple(run.used)
            reader = Reader(run)
            for column in columns:
                try:
                    made[column] = reader.column(column, xp, inner)
                except (NotEvaluated, NoMeaning) as why:
                    refused[str(column)] = str(why)
                except MissingValue:
                    continue
            if reader.sampled:
                confidence = CONFIDENCE
                notes.append(f"expectations are means over {len(run.levels[-1])} of {run.paths} paths")
            elif run.draws and run.has_expectation:
                notes.append(f"expectations are over all {len(run.levels[-1])} paths")
            elif run.draws:
                notes.append("one path of the draws")
    return Trace(
        xp=xp,
        about=about,
        method=bound.runs.method,
        names=(shown,),
        steps=np.array([count]),
        ended=(ended,),
        columns=made,
        parameters={},
        notes=tuple(notes),
        refused=refused,
        follows=used,
        blocked=blocked,
        confidence=confidence,
    )


def solves(problem: Problem, bound: Bound) -> bool:
    """Return whether the problem gives an x* that solves what a claim says, or the claim reads none."""
    inner = arithmetic("rational" if problem.rational else BITS)
    with inner.working():
        run = NamedRun(problem, bound, inner.plain, problem.constants, steps=0)
        reads = any(isinstance(n, Minimum) for tree in run.trees for n in tree.walk())
        return not reads or run.star is not None


class Reader:
    """The entries of columns, from the branches of a run."""

    def __init__(self, run: NamedRun) -> None:
        self.run, self.sampled = run, False
        last = run.levels[-1]
        self.main = last[(7 * len(last)) // 11]  # of many paths, one that is neither the first nor the last

    def column(self, column: Column, xp: Arithmetic, inner: Arithmetic) -> Any:
        """Every entry that the run has of a column."""
        found, radii = [], []
        for n in range(self.run.steps + 2):
            try:
                value, radius = self._entry(column, {LETTER: n, HORIZON: self.run.wanted})
            except MissingValue as entry:
                value, radius = Undefined(f"{entry} is no entry of the run"), 0.0
            found.append(value)
            radii.append(radius)
        while found and isinstance(found[-1], Undefined) and found[-1].reason.endswith("is no entry of the run"):
            found.pop()
            radii.pop()
        if not found:
            raise MissingValue(str(column))
        return _scalars(found, radii, xp, inner)

    def _entry(self, column: Column, at: At) -> tuple[Any, float]:
        formula = column.formula
        try:
            if isinstance(formula, Expectation):
                return self._mean(formula, at)
            return self._evaluation(self.main).scalar(formula, at), 0.0
        except ZeroDivisionError:
            return Undefined("a division by zero"), 0.0

    def _evaluation(self, branch: Branch) -> Evaluation:
        run = self.run
        made = Evaluation(
            run.oracles,
            run.letters,
            branch,
            star=run.star,
            components=run.components,
            missing=self._missing(branch),
            expectation=lambda node, at: self._mean(node, at)[0],
        )
        return made

    def _missing(self, branch: Branch) -> Any:
        """Entries beyond the run's end that a formula or a choice gives are there all the same: eta_k, e_k."""
        make = self.run._missing(branch)

        def entry(role: str, name: str, key: Any, at: At) -> Any:
            if name in self.run.free or name == "eta":
                return make(role, name, key, at)
            raise MissingValue(f"{name}_{key}")

        return entry

    def _mean(self, node: Expectation, at: At) -> tuple[Any, float]:
        """The mean over all paths, of as few draws as the number depends on; and its uncertainty, where paths were drawn."""
        for level in self.run.levels:
            try:
                first = self._evaluation(level[0]).scalar(node.of, at)
            except MissingValue:
                continue
            each = [first, *(self._evaluation(branch).scalar(node.of, at) for branch in level[1:])]
            total = sum(each[1:], each[0]) / self.run.plain.scalar(len(each))
            if not self.run.is_sampled or len(each) == 1:
                return total, 0.0
            self.sampled = True
            middles = np.array([float(self.run.plain.middle(one)) for one in each])
            return total, float(QUANTILE * middles.std(ddof=1) / sqrt(len(each)))
        raise MissingValue(str(node))


def _scalars(found: list[Any], radii: list[float], xp: Arithmetic, inner: Arithmetic) -> Any:
    bare = np.empty((1, len(found)), dtype=object)
    for n, value in enumerate(found):
        none = value if inner.exact else inner.plain.lift(float("nan"))
        bare[0, n] = none if isinstance(value, Undefined) else np.asarray(value, dtype=object).reshape(-1)[0]
    if any(radii):
        floats = np.array([[float(inner.plain.middle(v)) for v in bare[0]]])
        return xp.scalars(floats, np.array([radii])) if not xp.exact else xp.undefined(floats.shape, "a sample is not exact")
    if xp is inner:
        return xp.scalars(bare)
    middle = np.array([[float(one.mid()) for one in bare[0]]])
    radius = np.array([[float(one.rad()) for one in bare[0]]])
    return xp.scalars(middle, (radius + np.abs(middle) * 2.0**-52) * (1 + 2.0**-40) + 2.0**-1060)


__all__ = ["Reader", "named_trace", "solves"]
