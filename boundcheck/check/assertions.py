"""`assert_holds(verdicts)`: a test of one line, whose failure says which claim, at which k, both sides, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable

from boundcheck.check.verdict import FAILS_NEARBY, TO_CERTIFY, Outcome, Verdict
from boundcheck.check.verdicts import Verdicts
from boundcheck.support.errors import WrongType

SHOWN = 10  # verdicts that are told in full


def assert_holds(found: Verdict | Verdicts | Iterable[Verdict], *, certified: bool = False, every_k: bool = False) -> None:
    """Raise AssertionError unless each verdict is HOLDS. VACUOUS and UNDECIDED are no pass, and nothing asked is none either.

    `certified` asks for proofs: exact rationals or balls. `every_k` asks that no k was left undecided or without its hypotheses.

    >>> from boundcheck import assert_holds, check, run
    >>> assert_holds(check("classical/gd.descent", run("huber", "1/L", steps=5)))
    """
    __tracebackhide__ = True
    verdicts = _verdicts(found)
    if not verdicts:
        raise AssertionError("nothing was asked: there is no verdict; name a claim, and a run on which it can be tried")
    failed = [verdict for verdict in verdicts if not _passes(verdict, certified, every_k)]
    if failed:
        raise AssertionError(_told(failed, len(verdicts), certified))


def _verdicts(found: Verdict | Verdicts | Iterable[Verdict]) -> tuple[Verdict, ...]:
    if isinstance(found, Verdict):
        return (found,)
    if not isinstance(found, Iterable) or isinstance(found, str):
        raise WrongType(f"assert_holds needs what check(...) returns, or a Verdict; found {found!r:.60}")
    verdicts = tuple(found)
    if wrong := [one for one in verdicts if not isinstance(one, Verdict)]:
        raise WrongType(f"assert_holds needs what check(...) returns, or a Verdict; found {wrong[0]!r:.60} among them")
    return verdicts


def _passes(verdict: Verdict, certified: bool, every_k: bool) -> bool:
    if verdict.outcome is not Outcome.HOLDS or (certified and not verdict.certified):
        return False
    return not every_k or verdict.counts[Outcome.HOLDS] == len(verdict.outcomes)


def _told(failed: list[Verdict], count: int, certified: bool) -> str:
    what = "HOLDS, certified" if certified else "HOLDS"
    head = f"{len(failed)} of {count} verdicts {'is' if len(failed) == 1 else 'are'} not {what}"
    parts = [f"{verdict.label}: {verdict.cell}\n{table(_rows(verdict))}" for verdict in failed[:SHOWN]]
    rest = failed[SHOWN:]
    more = [f"and {len(rest)} more: {', '.join(str(verdict.cell) for verdict in rest)}"] if rest else []
    return "\n\n".join([head, *parts, *more])


def _rows(verdict: Verdict) -> list[tuple[str, str]]:
    sides = both_sides(verdict) if verdict.outcome is Outcome.VIOLATED else [("at", f"all k: {_counts(verdict)}")]
    return [
        *sides,
        ("why", verdict.reason or _nothing_said(verdict)),
        ("arithmetic", f"{verdict.cell.arithmetic}: {verdict.grade}" if verdict.exercised else verdict.cell.arithmetic),
        ("notes", "; ".join(verdict.notes)),
        ("what to do", _next_step(verdict)),
    ]


def _nothing_said(verdict: Verdict) -> str:
    if verdict.exercised:
        return ""
    return "no k >= 1 was decided" if verdict.outcome is Outcome.UNDECIDED else "the run has no k >= 1 for it"


def _counts(verdict: Verdict) -> str:
    return ", ".join(f"{n} {o.name.lower()}" for o, n in verdict.counts.items() if n) or "none was asked"


def _next_step(verdict: Verdict) -> str:
    more = 'run(..., arithmetic="ball:256"), or "rational" where the problem is; on the command line: --arithmetic auto'
    if any(TO_CERTIFY in note for note in verdict.notes):
        more = "follow the note above; no arithmetic certifies a recorded run"
    if verdict.outcome is Outcome.VIOLATED:
        return "correct the statement or its hypotheses: this is a counterexample" if verdict.certified else f"certify it: {more}"
    if verdict.outcome is Outcome.VACUOUS:
        return "try it on a problem, with a rule and for enough steps that its hypotheses are satisfied"
    if verdict.outcome is Outcome.UNDECIDED:
        needs_rule = FAILS_NEARBY in verdict.reason
        return "exact rationals decide it, where the problem is rational" if needs_rule else f"decide it: {more}"
    return f"certify it, or decide the rest: {more}"


def both_sides(verdict: Verdict) -> list[tuple[str, str]]:
    """The first k at which a claim is violated, and its two sides there, as rows of a table."""
    moment = verdict.violation
    if moment is None:
        return []
    counts = _counts(verdict)
    at = ("chord", f"{moment.chord}  (all: {counts})") if moment.chord else ("k", f"{moment.k}  (all k: {counts})")
    return [at, ("left", moment.left), ("right", moment.right), ("in the link", moment.link)]


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Rows of a name and a text, aligned; what has no text is left out."""
    return "\n".join(f"  {name:<11} {text}" for name, text in rows if text)
