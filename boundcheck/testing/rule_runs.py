"""A rule and the runs on which it is tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from boundcheck.check.hypotheses_on_run import Checked, check_hypotheses
from boundcheck.check.question import letters, needs, questions
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Follows, Runs
from boundcheck.claims.parameters import with_ranges
from boundcheck.evaluate.columns import as_column
from boundcheck.evaluate.series import Series
from boundcheck.language.letters import eta, f, k, x
from boundcheck.language.scalars import Parameter
from boundcheck.library.catalogue import bounds, runner
from boundcheck.model.method import GRADIENT_DESCENT, Method
from boundcheck.model.problem import Problem, Smooth
from boundcheck.model.rule import Rule, RuleError
from boundcheck.testing.contract import Wrong

ETA = as_column(eta[k])[0]
STEPS = 8


@dataclass(frozen=True)
class Steps:
    """The steps of a run as floats, one row a start; or the one line in which the rule, or the engine for it, refused."""

    rows: tuple[tuple[float, ...], ...] = ()
    error: str = ""


@dataclass(frozen=True, eq=False)
class RuleRuns:
    """A rule with the problems that it is tried on."""

    rule: Rule
    problems: tuple[Problem, ...]

    @cached_property
    def suited(self) -> tuple[Problem, ...]:
        """The problems that have what the rule declares to need."""
        return tuple(problem for problem in self.problems if not self.rule.missing(problem))

    @cached_property
    def method(self) -> Method:
        """A method that the rule may drive; gradient descent where it may. A search is tried with the method of its runs."""
        kinds = self.rule.methods
        if GRADIENT_DESCENT.kind in kinds:
            return GRADIENT_DESCENT
        for bound in bounds():
            main = None if bound.is_about_chords else bound.runs.main
            if main is not None and bound.runs.kind in kinds and not main.parameters:
                return main
        raise Wrong(
            found=f"methods={kinds}",
            needed="a kind of method that some claim of the library is about",
            do="name one, such as 'gradient descent', 'accelerated' or 'normalized'",
        )

    def steps(
        self,
        problem: Problem,
        *,
        xp: str = "float64",
        starts: Sequence[Any] | None = None,
        rule: Rule | None = None,
        count: int = STEPS,
    ) -> Steps:
        """Return the first steps of a new run on a problem, from its start or from several at once."""
        rule = self.rule if rule is None else rule
        try:
            trace = runner().run(problem, rule, steps=count, columns=[ETA], xp=xp, starts=starts, method=self.method)
        except (RuleError, ArithmeticError, AttributeError, TypeError) as wrong:
            return Steps(error=f"{type(wrong).__name__}: {wrong}" if not isinstance(wrong, RuleError) else str(wrong))
        if ETA not in trace.columns:
            return Steps(tuple(() for _ in trace.names))
        made = np.atleast_2d(trace.xp.middle(trace.columns[ETA]))
        return Steps(tuple(tuple(float(e) for e in row[:n]) for row, n in zip(made, trace.steps, strict=True)))

    def known(self, problem: Problem) -> Steps:
        """Return the first steps in float64 from the start, run once."""
        if problem.name not in self._known:
            self._known[problem.name] = self.steps(problem)
        return self._known[problem.name]

    @cached_property
    def _known(self) -> dict[str, Steps]:
        return {}

    @cached_property
    def fresh(self) -> dict[str, Steps]:
        """The first steps on each problem in a process where nothing else was run before; filled by whoever makes them."""
        return {}

    def formula(self, problem: Problem) -> Checked | str:
        """Return how the declared formula came out at each step in float64 with error bounds; or why it cannot be asked."""
        assert self.rule.follows is not None
        runs = Runs((("", self.method),))
        values = {name: (value,) for name, value in self.rule.parameters.items()}
        made = (self.rule.follows, *(update.to for update in (*self.method.first, *self.method.each)))
        parameters = (node for tree in made for node in tree.walk() if isinstance(node, Parameter))
        given = with_ranges(parameters, (runs, Follows(self.rule.follows)))  # the rule says their values
        bound = Bound(given=given, states=f(x[k + 1]) <= f(x[k]), try_with=values)
        about = runner().about(problem)
        asked = next(questions([bound], about, exact=False, fixed=self.rule.parameters))
        if asked.out_of_place:
            return asked.out_of_place
        columns = needs([asked], self.method.name)
        trace = runner().run(problem, self.rule, steps=STEPS, columns=columns, xp="float64", method=self.method)
        if lacking := [column for column in columns if column not in trace.columns]:
            return str(trace.refused.get(str(lacking[0]), f"there is no {lacking[0]}"))
        per_run = {name: trace.xp.scalars(np.array(v, dtype=object)[:, None]) for name, v in trace.parameters.items()}
        series = Series(trace.xp, trace, letters(asked, trace.xp, per_run), asked.is_local)
        checked = check_hypotheses(asked, trace, series, 0, int(trace.steps[0]))
        return next(one for one in checked if isinstance(one.hypothesis, Follows))


def without_L(problem: Problem) -> Problem:
    """Return the same function, and nobody says how smooth it is."""
    kept = frozenset(fact for fact in problem.facts if not isinstance(fact, Smooth))
    return problem.replace(facts=kept, name=f"{problem.name} without L")


def without_infimum(problem: Problem) -> Problem:
    """Return the same function, and nobody says how low it goes."""
    constants = {name: value for name, value in problem.constants.items() if name != "infimum"}
    return problem.replace(minimiser=None, gap=None, constants=constants, name=f"{problem.name} without f*")
