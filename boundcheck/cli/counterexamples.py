"""Counterexamples for claims that a run saw fail and that keep no certificate: searched for, shrunk, certified and kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boundcheck.certificates.write import FOLDER, NOT_FOLLOWED, also_kept, as_text, certify, file_name, kept_for
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound, Instance
from boundcheck.cli.search_progress import SearchProgress
from boundcheck.falsify.counterexample import Hunt, refuse_what_cannot_be_searched
from boundcheck.falsify.search import CannotFail
from boundcheck.report.folder import STORE
from boundcheck.store import Store
from boundcheck.suite.recorded_verdicts import write
from boundcheck.support.terminal import progress

KEPT = "counterexamples"
BEYOND = 2  # steps after the one that fails: sides may read x_{k+1}


def found_in(store: Store) -> dict[str, dict[str, Any]]:
    """The certificates that the run of a store made, by claim id."""
    return dict(store.kept(KEPT) or {})


def keep_counterexamples(store: Store, chosen: Sequence[Bound], budget: float, jobs: int) -> None:
    """Make a certificate for each claim that was seen to fail and has none; what an earlier start made is not made again."""
    seen = _seen(store)
    made = found_in(store)
    wanted = [b for b in chosen if b.id in seen and b.id not in made and kept_for(b) is None]
    for bound in progress(wanted, "counterexamples") if wanted else ():
        certificate = counterexample(bound, seen[bound.id], budget, jobs)
        if certificate is not None:
            made[bound.id] = certificate
            store.keep(KEPT, made)


def _seen(store: Store) -> dict[str, Verdict]:
    """Where each claim fails: the first certified verdict, else the first."""
    found: dict[str, Verdict] = {}
    for _, verdict in store.verdicts(Outcome.VIOLATED):
        before = found.setdefault(verdict.cell.claim, verdict)
        if verdict.certified and not before.certified:
            found[verdict.cell.claim] = verdict
    return found


def counterexample(bound: Bound, verdict: Verdict, budget: float, jobs: int) -> dict[str, Any] | None:
    """The certificate of a claim that fails: from the instance that it names, by a search, or from the cell where it failed."""
    if bound.refuted_by is not None:
        return _certified(bound, bound.refuted_by)
    if budget > 0 and _can_be_searched(bound):
        found = Hunt(bound, budget, 0, jobs, True, SearchProgress(loud=False)).run()
        if found is not None:
            return found.certificate
    return _certified(bound, _instance(verdict)) if verdict.violation is not None else None


def _can_be_searched(bound: Bound) -> bool:
    try:
        refuse_what_cannot_be_searched(bound)
    except CannotFail:
        return False
    return True


def _instance(verdict: Verdict) -> Instance:
    cell, moment = verdict.cell, verdict.violation
    assert moment is not None
    return Instance(
        problem=cell.problem,
        method=cell.method,
        steps=moment.k + BEYOND,
        smoothness=cell.smoothness,
        parameters=dict(cell.parameters),
        arithmetic=cell.arithmetic,
    )


def _certified(bound: Bound, at: Instance) -> dict[str, Any] | None:
    try:
        return certify(bound, at)
    except NOT_FOLLOWED:  # numbers only, or nothing that a certificate can carry
        return None


@contextmanager
def with_counterexamples(folder: Path, bounds: Sequence[Bound], out: Path | None = None) -> Iterator[None]:
    """While a report is written, the certificates that its run made count as kept; they become files beside its page."""
    with Store(folder / STORE) as store:
        made = found_in(store)
    names = {bound.id: file_name(bound) for bound in bounds}
    with also_kept(made):
        yield
        write([((out or folder) / FOLDER / names[claim], as_text(data)) for claim, data in made.items() if claim in names])
