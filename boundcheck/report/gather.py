"""From the store of a run to what its report shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from boundcheck.certificates.errata import errata, findings_about, summary
from boundcheck.certificates.write import kept, kept_for
from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import papers_of
from boundcheck.library.inventory import inventory
from boundcheck.report.content import UNFINISHED, Report, Row
from boundcheck.report.expected import surprise, unproved
from boundcheck.report.provenance import in_words
from boundcheck.store import Store
from boundcheck.store.database import DONE, FAILED, GAVE_UP, PLANNED, Work
from boundcheck.suite.tally import Tally, link_lemmas

REFUTATION, OWN, EVERYWHERE = "refutation", "own instance", "everywhere"  # kinds of works
TITLE = "Every claim of the paper, checked"


@dataclass
class Gathered:
    """The report as far as the store alone makes it, and what else a command says."""

    report: Report
    tallies: dict[str, Tally]
    surprises: dict[str, str]
    profile: str
    cells: list[tuple[str, Verdict]] = field(default_factory=list)  # (kind of its work, verdict), in order

    @property
    def is_whole(self) -> bool:
        return not self.report.state


def gather(store: Store, library: Sequence[Bound]) -> Gathered:
    """The claims of the store's run among the library's; one that has changed since is left out, and a note says so."""
    about, works = store.about, store.works()
    hashes: Mapping[str, str] = about.get("claims", {})
    chosen = [bound for bound in library if hashes.get(bound.id) == bound.hash]
    tallies = {bound.id: Tally(bound) for bound in chosen}
    cells = [(kind, verdict) for kind, verdict in store.verdicts() if verdict.cell.claim in tallies]
    known: dict[str, Verdict] = {}
    verdicts: dict[str, list[Verdict]] = {name: [] for name in tallies}
    for kind, verdict in cells:
        tallies[verdict.cell.claim].add(verdict)
        verdicts[verdict.cell.claim].append(verdict)
        if kind == REFUTATION:
            known[verdict.cell.claim] = verdict
    link_lemmas(tallies)
    state = _state(works)
    surprises = _surprises(tallies, known, whole=not state)
    rows = {name: _row(tally, surprises.get(name), whole=not state) for name, tally in tallies.items()}
    changed = [f"{name} is another claim now than when it was checked; left out" for name in hashes if name not in tallies]
    found, places = findings_about(chosen), _places(chosen, list(rows.values()))
    report = Report(
        title=TITLE,
        bounds=chosen,
        rows=rows,
        verdicts=verdicts,
        errata=errata(chosen, kept(), _seen_false(tallies)),
        findings=found,
        summary=summary(chosen, rows, found, places),
        places=places,
        notes=[*(work.error for work in works if work.status == GAVE_UP), *changed],
        state=state,
        failures=[f"{work.name}: {work.error}" for work in works if work.status == FAILED],
        provenance=in_words(about),
    )
    return Gathered(report, tallies, surprises, about.get("profile", ""), cells)


def _state(works: Sequence[Work]) -> str:
    """What is missing of the run, in a line, or ""."""
    made, failed, open_ = (sum(w.status in which for w in works) for which in ((DONE, GAVE_UP), (FAILED,), (PLANNED,)))
    if open_:
        return f"interrupted: {made} of {len(works)} runs were made" + (f", and {failed} failed" if failed else "")
    return f"incomplete: {failed} of {len(works)} runs failed" if failed else ""


def _surprises(tallies: Mapping[str, Tally], known: Mapping[str, Verdict], *, whole: bool) -> dict[str, str]:
    """What is unexpected, by claim. Of a run that is not whole, only what no further run could mend is held against a claim."""
    found = {name: why for name, tally in tallies.items() if (why := surprise(tally, known.get(name)))}
    if not whole:
        for name in found:
            tally = tallies[name]
            if (name not in known and tally.bound.refuted_by is not None) or tally.violation is None:
                found[name] = UNFINISHED
    wrong = {name: why for name, tally in tallies.items() if (why := unproved(tally.bound))}
    for name, tally in tallies.items():
        shown = tally.violation is not None and kept_for(tally.bound) is not None
        tally.certificate = (tally.bound.refuted_by is not None or shown) and name not in wrong
    return {**wrong, **found}


def _seen_false(tallies: Mapping[str, Tally]) -> dict[str, str]:
    """Where claims that nobody calls false are seen to fail, certified: by claim id, in words."""
    seen = {name: t.violation for name, t in tallies.items() if not t.bound.is_refuted and t.violation is not None}
    return {name: f"{str(v.cell)[len(name) :].strip()}: {v.explain()}" for name, v in seen.items() if v.certified}


def _row(tally: Tally, why: str | None, *, whole: bool) -> Row:
    row = {**tally.to_json(), "statement": str(tally.bound.states), "expected": why is None, "surprise": why}
    return row if whole or tally.cells or tally.bound.untested else {**row, "reason": UNFINISHED}


def _places(chosen: Sequence[Bound], rows: Sequence[Row]) -> list[Row]:
    """The inventory of every paper that was checked, with the status of the claims that cover each place."""
    status = [{"id": row["id"], "label": row["label"], "status": row["status"]} for row in rows]
    return [
        {**asdict(entry), "claims": [claim for claim in status if claim["label"] in entry.covered_by]}
        for paper in papers_of(chosen)
        for entry in inventory(paper)
    ]
