"""Faults to plant between the fuzzer and boundcheck, each a misreading that might be made: the fuzzer must find every one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any
from unittest import mock

import numpy as np

from boundcheck.check.verdict import Outcome
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import transform
from boundcheck.language.scalars import Reduce, Term
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean, Point

from . import compare, evaluators
from .settings import Setting
from .truth import Claim

HOLDS, VIOLATED, UNDECIDED = (int(o) for o in (Outcome.HOLDS, Outcome.VIOLATED, Outcome.UNDECIDED))


@contextlib.contextmanager
def _claims(change: Callable[[Claim], Claim]) -> Iterator[None]:
    """boundcheck is asked another claim than the one that is judged."""
    true = evaluators.as_bound
    with mock.patch.object(compare, "as_bound", lambda claim, setting, label="claim": true(change(claim), setting, label)):
        yield


@contextlib.contextmanager
def _verdicts(change: Callable[[Any], Any]) -> Iterator[None]:
    true = evaluators.ask
    changed = lambda *given: [[change(v) for v in own] for own in true(*given)]  # noqa: E731
    with mock.patch.object(compare, "ask", changed):
        yield


@contextlib.contextmanager
def _settings(change: Callable[[Setting], Setting]) -> Iterator[None]:
    true = evaluators.make_trace
    changed = lambda setting, *given, **named: true(change(setting), *given, **named)  # noqa: E731
    with mock.patch.object(compare, "make_trace", changed):
        yield


def _formulas(change: Callable[[Node], Node | None]) -> contextlib.AbstractContextManager[None]:
    def changed(claim: Claim) -> Claim:
        given = tuple((kind, transform(r, change)) for kind, r in claim.given)
        return replace(claim, states=transform(claim.states, change), given=given)

    return _claims(changed)


def _without_where(node: Node) -> Node | None:
    return transform(replace(node, where=None), _without_where) if isinstance(node, Reduce) and node.where is not None else None


def _not_strict(node: Node) -> Node | None:
    return replace(node, op=node.op + "=") if isinstance(node, Relation) and node.op in ("<", ">") else None


def _later(node: Node) -> Node | None:
    """x_{k-1} is read as x_k, as a window that begins one entry too late does."""
    if isinstance(node, Point | Term) and node.index is not None and node.index.letter and node.index.offset < 0:
        return replace(node, index=Index(node.index.letter, node.index.offset + 1))
    return None


def _running(node: Node) -> Node | None:
    """A mean with a fixed end is taken for a running one."""
    if isinstance(node, Mean) and node.high.letter is None and node.low.letter is None:
        return replace(node, high=Index("k", node.low.offset))
    return None


def _one_short(node: Node) -> Node | None:
    if isinstance(node, Reduce) and node.kind in ("sum", "prod"):
        return replace(node, high=node.high.shift(-1))
    return None


def _begin_as_holds(verdict: Any) -> Any:
    outcomes = np.where(verdict.outcomes == UNDECIDED, HOLDS, verdict.outcomes).astype(np.int8)
    return replace(verdict, outcomes=outcomes)


def _upside_down(verdict: Any) -> Any:
    """The last outcome of a verdict is that of its negation."""
    outcomes = verdict.outcomes.copy()
    if len(outcomes) and outcomes[-1] in (HOLDS, VIOLATED):
        outcomes[-1] = HOLDS + VIOLATED - outcomes[-1]
    return replace(verdict, outcomes=outcomes)


def _frozen(setting: Setting) -> Setting:
    """Steps of 1/3 are frozen to 64 bits, and nobody says so."""
    frozen = tuple(tuple(Fraction(int(e * 2**64), 2**64) for e in own) for own in setting.etas)
    return replace(setting, etas=frozen, over_L=None)


def _in_gaps(setting: Setting) -> Setting:
    """f is read as f - f*."""
    changed = replace(setting)
    problem, least = setting.problem, setting.function.value(setting.function.minimiser)
    changed.__dict__["problem"] = replace(problem, f=partial(_less, problem.f, least))
    return changed


def _less(f: Any, by: Fraction, xp: Any, x: Any) -> Any:
    return f(xp, x) - xp.scalar(by)


PLANTED: dict[str, Callable[[], contextlib.AbstractContextManager[None]]] = {
    "outcomes begin as HOLDS": lambda: _verdicts(_begin_as_holds),
    "outcomes are one k late": lambda: _verdicts(lambda v: replace(v, first_k=v.first_k + 1)),
    "the last outcome is turned round": lambda: _verdicts(_upside_down),
    "float64 certifies": lambda: _verdicts(lambda v: replace(v, certified=True)),
    "f is read as f less its minimum": lambda: _settings(_in_gaps),
    "steps are frozen": lambda: _settings(_frozen),
    "hypotheses are not looked at": lambda: _claims(lambda c: replace(c, given=tuple(g for g in c.given if g[0] == "once"))),
    "where is not looked at": lambda: _formulas(_without_where),
    "a strict relation is taken for one that is not": lambda: _formulas(_not_strict),
    "a window begins one entry late": lambda: _formulas(_later),
    "a mean with a fixed end runs on": lambda: _formulas(_running),
    "a sum ends one short": lambda: _formulas(_one_short),
}
