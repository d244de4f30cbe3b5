"""Objections: what stands against asking a claim of a method on a problem, and why a claim is asked nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from boundcheck.check.question import Question, questions
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Once
from boundcheck.language.definition import decided
from boundcheck.language.normal_form import normal_form
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Chord, Constant, Parameter
from boundcheck.model.rule import Rule

if TYPE_CHECKING:
    from boundcheck.suite.grid import GridSetting


@dataclass(frozen=True)
class Objection:
    """Why a claim is not asked: of several, the one that came furthest tells most."""

    passed: int  # how many of the conditions in `objection` had been met
    why: str


def objection(rule: Rule | None, q: Question) -> Objection | None:
    """Return what stands against asking a question with a rule (None: chords), or None. It decides, and it is what people read.

    The rule's formula must be the claim's, or go through the same number of a chord (1/A for 1/A, whichever way round).
    """
    if q.out_of_place:
        return Objection(0, q.out_of_place)
    return None if rule is None else _against(rule, q)


def may_follow(rule: Rule, q: Question) -> bool:
    """Return whether the rule could satisfy the claim's hypotheses about the steps and their parameters."""
    return _against(rule, q) is None


def _against(rule: Rule, q: Question) -> Objection | None:
    kind = q.bound.runs.kind
    if kind not in rule.methods:
        return Objection(2, f"{rule.name} does not drive {kind}; a Rule says which it drives with methods=...")
    if lacking := sorted(_unset(q) - set(rule.records)):
        return Objection(3, f"{rule.name} does not record {lacking[0]}; a Rule says so with records=...")
    if rule.follows is not None:  # else its steps will show
        for relation in q.form.rules:
            if not follows(rule, relation, dict(q.values)):
                return Objection(4, f"{rule.name} does not follow {relation}; a Rule says so with follows=...")
    for h in q.bound.hypotheses:
        if isinstance(h, Once) and decided(h.relation, rule.parameters) is False:
            chosen = ", ".join(f"{n} = {v}" for n, v in rule.parameters.items() if n in _letters(h.relation))
            return Objection(5, f"{rule.name} has {chosen}, and the claim assumes {h.relation}")
    return None


def why_not_asked(
    bound: Bound, chosen: Iterable[GridSetting], smoothness: Sequence[str] | None = None, named: Sequence[Rule] = ()
) -> str:
    """Why none of these settings asks a claim: what stood against the try that came furthest. `named`: the rules asked for."""
    if bound.untested:
        return bound.untested
    if bound.is_beyond_f:
        from boundcheck.suite.named_grid import why_nowhere

        return why_nowhere(bound, list(chosen))
    if bound.reads_M and smoothness is not None and not set(smoothness) & set(bound.smoothness):
        return f"it is stated for M = {', '.join(bound.smoothness)}; found --smoothness {', '.join(smoothness)}"
    found: list[tuple[Objection, Rule | None]] = []
    for setting in chosen:
        usable = (None,) if bound.is_about_chords else (*setting.rules, *setting.own_rules(bound))
        found += [(why, rule) for rule in usable for _, why in setting.considered(bound, rule, smoothness) if why is not None]
        for q in questions([bound], setting.about, exact=setting.exact, smoothness=smoothness) if not usable else ():
            lacking = [why for rule in named if (why := rule.missing(setting.problem))]
            nobody = Objection(1, "; ".join([f"no method here can run on {setting.problem.name}", *lacking]))
            found.append((objection(None, q) or nobody, None))
    if not found:
        return "no problem or method to try it on"
    furthest = max(found, key=lambda one: one[0].passed)[0]
    tried = len({rule.name for _, rule in found if rule is not None})
    return furthest.why + (f" (it came nearest of the {tried} methods tried)" if furthest.passed > 1 and tried > 1 else "")


@cache
def _letters(relation: Relation) -> frozenset[str]:
    return frozenset(n.name for n in relation.walk() if isinstance(n, Parameter | Constant))


def _unset(q: Question) -> set[str]:
    """The sequences of numbers that the claim reads and no method sets: a rule must record them."""
    made = {update.name for _, method in q.bound.runs.roles for update in (*method.first, *method.each)}
    return set(q.bound.sequences) - made - {"eta"}


def follows(rule: Rule, relation: Relation, values: Mapping[str, Any]) -> bool:
    """Return whether a rule's formula is this one, however the two are written: at these values of parameters and the rule's own.

    A rule that goes through the same number of a chord is taken at its word, 1/A for 1/A, whichever way round.
    """
    if rule.follows is None:
        return False
    wanted = _chord_kinds(relation)
    if wanted and wanted == _chord_kinds(rule.follows):
        return True
    letters = tuple(sorted((name, Fraction(value)) for name, value in {**values, **rule.parameters}.items()))
    return bool(normal_form(rule.follows, letters) == normal_form(relation, letters))


@cache
def _chord_kinds(relation: Relation) -> frozenset[str]:
    """The numbers of chords that a formula reads."""
    return frozenset(n.kind for n in relation.walk() if isinstance(n, Chord))
