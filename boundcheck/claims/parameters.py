"""The parameters of a claim, and the hypotheses that say what numbers they may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boundcheck.claims.hypotheses import AtEachStep, Follows, Hypothesis, Once, Runs
from boundcheck.language.relations import Interval, Relation, any_number, interval, is_bounded_by
from boundcheck.language.scalars import Parameter
from boundcheck.model.step_search import COUNTED
from boundcheck.support.errors import UserError


def range_hypotheses(hypotheses: Iterable[Hypothesis]) -> list[Relation]:
    """The relations that may give a parameter its range. The formula of the steps does not: it is true of any gamma."""
    return [h.relation for h in hypotheses if isinstance(h, AtEachStep | Once) and not isinstance(h, Follows)]


def without_a_range(parameters: Iterable[str], hypotheses: Sequence[Hypothesis]) -> list[str]:
    """The parameters that no hypothesis bounds. What a search counts has the range that the search gives it."""
    searches = any(isinstance(h, Runs) and h.searched for h in hypotheses)
    chosen = [name for name in parameters if not (searches and name in COUNTED)]
    relations = range_hypotheses(hypotheses)
    return [name for name in chosen if not any(is_bounded_by(name, relation) for relation in relations)]


def refuse_parameters_without_a_range(parameters: Iterable[str], hypotheses: Sequence[Hypothesis]) -> None:
    """Refuse a claim with a parameter of no range: it would be about negative and about huge numbers, and hardly means that."""
    for name in without_a_range(parameters, hypotheses):
        raise UserError(
            f"the parameter {name} has no range; add a hypothesis such as {name} > 0 or {name} < 2 to given, "
            f"or any_number({name}) if it may be any real number"
        )


def with_ranges(parameters: Iterable[Parameter], hypotheses: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """The hypotheses, and for each parameter without a range the one that it may be any number."""
    known = {parameter.name: parameter for parameter in parameters}
    return (*hypotheses, *(Once(any_number(known[name])) for name in without_a_range(sorted(known), hypotheses)))


def range_of(name: str, hypotheses: Iterable[Hypothesis]) -> Interval:
    """The numbers that a parameter may be, as far as hypotheses about it alone say: 1 < gamma < 2 is the interval (1, 2)."""
    once = (h.relation for h in hypotheses if isinstance(h, Once))
    return interval(name, once)
