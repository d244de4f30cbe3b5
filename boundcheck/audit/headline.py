"""The line at the top of an audit: its first word, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boundcheck.audit.diagnosis import NOTHING
from boundcheck.audit.step_comparison import many

if TYPE_CHECKING:
    from boundcheck.audit.audit import Audit
    from boundcheck.audit.behaviour import Behaviour

CLEAN, WRONG, FAULTY, VIOLATED, LOOKS_LIKE, UNKNOWN = "CLEAN", "WRONG", "FAULTY", "VIOLATED", "LOOKS LIKE", "NOTHING TO SAY"
DIVERGES, RANDOM = "DIVERGES", "NOT DETERMINISTIC"
EXIT_CODES = {CLEAN: 0, LOOKS_LIKE: 0, UNKNOWN: 3}  # of all others 1
NAMED = 3  # problems that the line names


def word(audit: Audit) -> str:
    """Return the worst that is true of the rule."""
    diagnosis, theorems = audit.diagnosis, audit.checked.theorems
    if diagnosis.declared and not diagnosis.clean and diagnosis.kind != NOTHING:
        return WRONG
    if audit.errors:
        return FAULTY
    if any(theorem.violation is not None for theorem in theorems):
        return VIOLATED
    if diverging(audit):
        return DIVERGES
    if audit.differs:
        return RANDOM
    if diagnosis.kind == NOTHING or (theorems and not any(theorem.applies for theorem in theorems)):
        return UNKNOWN
    return CLEAN if diagnosis.clean else LOOKS_LIKE


def diverging(audit: Audit) -> list[Behaviour]:
    return [one for one in audit.behaviours if one.course is not None and one.course.diverged is not None]


def line(audit: Audit) -> str:
    """Return the first word, what it is about, and what else is wrong."""
    found = word(audit)
    said = {FAULTY: _faulty, VIOLATED: _violated, DIVERGES: _diverges, RANDOM: _random, UNKNOWN: _nothing}.get(found, _sentence)
    return "; ".join([f"{found}: {said(audit)}", *_besides(audit, found)])


def _besides(audit: Audit, found: str) -> list[str]:
    """Return what is wrong too, in a few words each."""
    count, diverge = len(audit.behaviours), diverging(audit)
    besides = [f"and no step on {_of(audit.errors, count)}"] if audit.errors and found != FAULTY else []
    besides += [f"and diverges on {_of(diverge, count)}"] if diverge and found != DIVERGES else []
    return besides + ([f"and not deterministic: {audit.differs}"] if audit.differs and found != RANDOM else [])


def _of(some: Sequence[object], count: int) -> str:
    return f"{len(some)} of {many(count, 'problem')}"


def _sentence(audit: Audit) -> str:
    return audit.diagnosis.sentence


def _faulty(audit: Audit) -> str:
    return f"on {_of(audit.errors, len(audit.behaviours))}: {audit.errors[0]}"


def _violated(audit: Audit) -> str:
    failed = next(theorem for theorem in audit.checked.theorems if theorem.violation is not None)
    return f"{failed.bound.id}, {failed.grade}; {audit.diagnosis.sentence}"


def _diverges(audit: Audit) -> str:
    found = diverging(audit)
    places = [f"{one.problem} from k = {one.course.diverged} on" for one in found[:NAMED] if one.course is not None]
    more = [f"{len(found) - NAMED} more"] if len(found) > NAMED else []
    whose = "so does what it declares, for " if audit.diagnosis.declared and audit.diagnosis.clean else ""
    return f"on {_of(found, len(audit.behaviours))}: {', '.join([*places, *more])}; {whose}{audit.diagnosis.sentence}"


def _random(audit: Audit) -> str:
    return f"{audit.differs}; of the run that was looked at: {audit.diagnosis.sentence}"


def _nothing(audit: Audit) -> str:
    """Return why there is nothing to say."""
    said = audit.diagnosis.sentence
    if not any(one.steps for one in audit.behaviours):
        reasons = list(dict.fromkeys(one.ended for one in audit.behaviours if one.ended))
        more = f", and {many(len(reasons) - 1, 'other reason')}" if len(reasons) > 1 else ""
        return f"{said}: {reasons[0]}{more}" if reasons else said
    if audit.diagnosis.kind == NOTHING:
        return said
    return f"no theorem was exercised: {_not_exercised(audit)}; {said}"


def _not_exercised(audit: Audit) -> str:
    if not audit.checked.problems:
        return next(iter(audit.checked.skipped), "no run has two steps")
    asked = sorted(audit.checked.theorems, key=lambda theorem: not theorem.is_main)
    return next((theorem.reason for theorem in asked if theorem.reason), "none is about this method")
