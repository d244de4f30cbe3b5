"""Many problems with many rules, all claims checked, as a stream: memory depends on neither the number of problems nor d * K.

Each problem's runs are one batch, which shares the product with its matrix; verdicts are yielded before the next problem begins.
They are those of the dense run. The eigenbasis of `eigenbasis` is for figures: a change of basis has an error of its own, and
verdicts do not rest on it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Exact
from boundcheck.decide import decide
from boundcheck.evaluate.columns import Column
from boundcheck.problem import IsQuadratic, Problem
from boundcheck.question import Question, needs
from boundcheck.rule import Rule
from boundcheck.runners.engine import run
from boundcheck.runners.gram import tells
from boundcheck.trace import Trace
from boundcheck.verdict import Verdict

GD = "gradient descent"


def check_many(
    problems: Iterable[Problem],
    rules: Sequence[Rule],
    *,
    steps: int,
    asked: Callable[[Problem, Rule], list[Question]],
    starts: Callable[[Problem], Sequence[Sequence[Exact]]] | None = None,
) -> Iterator[Verdict]:
    """Run each problem with each rule from each start and decide what `asked` gives for it: a verdict a question and run."""
    for problem in problems:
        begin = [problem.start] if starts is None else list(starts(problem))
        questions = [asked(problem, rule) for rule in rules]
        wanted = needs([q.through_jensen() or q for found in questions for q in found], GD)
        told = frozenset(column for column in wanted if tells(problem, [column]))
        trace = run(problem, rules, steps=steps, columns=told or wanted, starts=begin)
        for number, (rule, found) in enumerate(zip(rules, questions, strict=True)):
            rows = slice(number * len(begin), (number + 1) * len(begin))
            yield from decide(found, one_rule(trace, rule, rows))
        del trace
        gc.collect()  # a run and its recorder refer to each other, and hold all columns until someone looks


def one_rule(trace: Trace, rule: Rule, rows: slice) -> Trace:
    """The runs of one rule out of a batch, as long as the longest of them, with the letters that the rule fixes."""
    made = trace.steps[rows]
    beyond = int(trace.steps.max() - made.max())

    def mine(columns: Mapping[Column, Any]) -> dict[Column, Any]:
        return {c: values[rows, : max(values.shape[1] - beyond, 0)] for c, values in columns.items()}

    def replay(missing: Iterable[Column]) -> dict[Column, Any]:
        assert trace.replay is not None
        return mine(trace.replay(missing))

    return replace(
        trace,
        names=trace.names[rows],
        steps=made,
        ended=trace.ended[rows],
        columns=mine(trace.columns),
        parameters={name: (value,) * len(made) for name, value in rule.parameters.items()},
        replay=replay,
    )


def with_one_matrix(problems: Sequence[Problem]) -> tuple[Problem, list[list[Exact]]]:
    """Quadratics that differ by a translation only, as one problem from several starts: exactly, f(x + s) - f* moved by s.

    All that claims read of a quadratic is unmoved by a translation: gaps, gradients, distances to x* and to the next point.
    """
    first = problems[0]
    for p in problems:
        if not p.has(IsQuadratic) or p.minimiser is None or p.hessian is None:
            raise ValueError(f"{p.name} is no quadratic with a known Hessian and minimiser; one product cannot serve it")
        if (_matrix(p) != _matrix(first)).any():
            raise ValueError(f"{p.name} and {first.name} have different Hessians; one product cannot serve both")
    assert first.minimiser is not None
    star = [Fraction(v) for v in first.minimiser.point]
    moved = []
    for p in problems:
        assert p.minimiser is not None
        away = [Fraction(x) - Fraction(s) for x, s in zip(p.start, p.minimiser.point, strict=True)]
        moved.append([_number(a + s) for a, s in zip(away, star, strict=True)])
    return first, moved


def _matrix(problem: Problem) -> Any:
    from boundcheck.arithmetic.plain import FLOAT64

    assert problem.hessian is not None
    return problem.hessian(FLOAT64).rows


def _number(value: Fraction) -> Exact:
    return float(value) if Fraction(float(value)) == value else value
