"""The content of a report, gathered from the store of a run, before it is a page, a table or a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from boundcheck.certificates.errata import Erratum, Finding, errata, findings_about, summary
from boundcheck.certificates.write import kept, kept_for, path_of, why_not_refuted
from boundcheck.check.precision_ladder import certifies
from boundcheck.check.verdict import Cell, Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.latex_source.quotation import Quotation
from boundcheck.language.relations import links
from boundcheck.library.catalogue import is_given, papers_of
from boundcheck.library.inventory import inventory
from boundcheck.report.provenance import in_words
from boundcheck.store import Store, StoredWork
from boundcheck.store.database import DONE, FAILED, GAVE_UP, PLANNED
from boundcheck.suite.instances import NEARLY_TIGHT
from boundcheck.suite.tally import Tally, link_lemmas
from boundcheck.tightness.result import WorstCase

Record = dict[str, Any]
UNFINISHED = "the run ended before it was tried enough"  # all that is held against a claim while a run is not whole
Key = tuple[str, str, str, str, str, str]  # of a cell: see `cell_key`


@dataclass(frozen=True, kw_only=True)
class Slack:
    """What one step of a chain of inequalities loses: right side over left side, at its best and in the median.

    Both are nan where its sides are not positive; `lost` is defined whatever their signs.
    """

    link: str
    least: float
    median: float
    lost: float | None = None  # the median of (right - left) / max(|left|, |right|): 0 is tight
    share: float | None = None  # of a chain's whole slack, last term less first, this link's part: the median
    step: str = ""  # the claim id of the proof step that it belongs to; "": a link of the claim itself


@dataclass(frozen=True, kw_only=True)
class Tightness:
    """How near a claim comes to equality. Ratios are left over right: 1 is tight, and above 1 it fails."""

    claim: str
    supremum: float  # over all cells and k >= 1
    where: str  # the cell, and k
    median: float  # over the cells, of each cell's supremum
    left_exponent: float | None = None  # of k, fitted to the longest run in which the claim holds; None: no power of k
    right_exponent: float | None = None
    left_factor: float | None = None  # per step, where a side is geometric in k instead: 0.9 is times 0.9 at each step
    right_factor: float | None = None
    fitted: str = ""  # the cell that the exponents and factors are of
    slack: tuple[Slack, ...] = ()  # one a link of the chain, where the claim is one; then one a step of its proof
    classical: float | None = None  # the median of its right side over the classical, L-smooth, right side at the same k


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that the page and the tables say."""

    title: str
    bounds: Sequence[Bound]  # in the paper's order
    rows: Mapping[str, Record]  # by claim id: Tally.to_json() with statement, expected, surprise
    verdicts: Mapping[str, Sequence[Verdict]]  # by claim id, with both sides at each k
    errata: Sequence[Erratum] = ()
    findings: Sequence[Finding] = ()  # what is wrong by cause, the severest first: boundcheck.certificates.errata.entries
    summary: Sequence[str] = ()  # how the paper stands, in about ten lines of words with $mathematics$
    places: Sequence[Record] = ()  # the inventory: every place of the paper, with the claims that cover it
    notes: Sequence[str] = ()  # what was not run, and why
    state: str = ""  # "" if the run is complete; else one line: "interrupted: 120 of 412 runs were made"
    failures: Sequence[str] = ()  # runs that ended in an error, a line each
    provenance: Mapping[str, str] = field(default_factory=dict)
    tightness: Mapping[str, Tightness] = field(default_factory=dict)  # by claim id
    worst_cases: Sequence[WorstCase] = ()
    pictures: Mapping[str, str] = field(default_factory=dict)  # by claim id: the counterexample, as SVG
    audits: Sequence[Record] = ()  # `boundcheck audit --out X.json`
    rankings: Sequence[Record] = ()  # `boundcheck rank --json`, one a run
    # the classical, L-smooth, right side at each k of a cell, nan where there is none: docs/tightness.md says which it is
    classical: Mapping[Key, Sequence[float]] = field(default_factory=dict)  # by `cell_key`
    figures: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # name -> caption, and the picture as SVG
    source: str = ""  # the name of the paper's LaTeX source, where one was given
    quotations: Mapping[str, Quotation] = field(default_factory=dict)  # by claim id: what that source says at its place


def unexpected(report: Report) -> tuple[list[Record], int]:
    """Return the claims whose verdict is not the expected one.

    And how many are only not tried enough yet, which is not the same.
    """
    found = [row for row in report.rows.values() if row.get("surprise")]
    return [row for row in found if row["surprise"] != UNFINISHED], sum(row["surprise"] == UNFINISHED for row in found)


def largest_ratio(report: Report, row: Record) -> tuple[float, str] | None:
    """Left over right at its largest, and where: the one number that every table and page shows of a claim (docs/tightness.md).

    Where tightness was not measured, that of the cells in which the claim holds, unless it fails in another.
    """
    measured, tightest = report.tightness.get(row["id"]), row.get("tightest")
    if measured is not None:
        return float(measured.supremum), measured.where
    if tightest is None or row["status"] == "refuted":
        return None
    return float(tightest["ratio"]), f"at {tightest['place']} {tightest['where']}"


def nothing_unexpected(report: Report, unfinished: int) -> str:
    """Return the line for a report without surprises."""
    if unfinished:
        return f"Nothing unexpected so far; {unfinished} of {len(report.rows)} claims were not tried enough yet."
    return "Every verdict is the expected one."


def cell_key(cell: Cell) -> Key:
    """Return the key of a cell in Report.classical: claim id, problem, method, smoothness, arithmetic, parameters as text."""
    chosen = ", ".join(f"{name}={value}" for name, value in cell.parameters)
    return cell.claim, cell.problem, cell.method, cell.smoothness, cell.arithmetic, chosen


ENOUGH_PROBLEMS = 3


def surprise(tally: Tally, known: Verdict | None) -> str:
    """Return what is unexpected of a claim's verdict, or "". `known`: the verdict where the claim says that it is refuted."""
    at = tally.bound.refuted_by
    if at is not None:
        if known is None or known.outcome is not Outcome.VIOLATED:
            found = known.explain() if known is not None else "not tried"
            return f"should be refuted on {at.problem} by {at.method}, but there it is {found}"
        return "is refuted there by numbers only, not certified" if certifies(at.arithmetic) and not known.certified else ""
    if tally.bound.refuted_through is not None:
        lemma = tally.bound.refuted_through.lemma
        return (
            "" if tally.refuted_through_lemma else f"should be refuted through {lemma}, which does not hold in exact arithmetic"
        )
    if tally.violation is not None:
        return f"is violated: {tally.violation.cell}: {tally.violation.explain()}"
    if tally.outcome is Outcome.HOLDS:
        return _too_little(tally)
    if tally.outcome is None:
        return ""
    return f"is {tally.word}, neither shown to hold nor marked as untested: {tally.reason}"


def _too_little(tally: Tally) -> str:
    """Return why a claim that holds was not tried enough: on fewer than three problems, or nowhere near equality."""
    if len(tally.problems) < ENOUGH_PROBLEMS:
        return f"is exercised on {', '.join(sorted(tally.problems))} only; give it more instances with try_on"
    if tally.bound.loose_because or all(link.op == "==" for link in links(tally.bound.states)):
        return ""
    if tally.tightest is None or tally.tightest[0].ratio <= NEARLY_TIGHT:
        best = "nowhere positive" if tally.tightest is None else f"at most {tally.tightest[0].ratio:.4g}"
        return f"is nowhere nearly tight, left over right is {best}: give it an instance with try_on, or say loose_because"
    return ""


def unproved(bound: Bound) -> str:
    """Return why the certificate of a false claim is not accepted by the independent checker, or ""."""
    path = path_of(bound) if bound.refuted_by is not None else None
    if path is None or (is_given(bound) and (kept_for(bound) is not None or not path.is_file())):
        return ""  # nobody promised a certificate beside the claims: the verdict where the claim is refuted says enough
    return why_not_refuted(bound, path)


REFUTATION, OWN, EVERYWHERE = "refutation", "own instance", "everywhere"  # kinds of works
TITLE = "Every claim of the paper, checked"


@dataclass
class GatheredReport:
    """The report as far as the store alone makes it, and what else a command says."""

    report: Report
    tallies: dict[str, Tally]
    surprises: dict[str, str]
    profile: str
    cells: list[tuple[str, Verdict]] = field(default_factory=list)  # (kind of its work, verdict), in order

    @property
    def is_whole(self) -> bool:
        return not self.report.state


def gather(store: Store, library: Sequence[Bound]) -> GatheredReport:
    """Return the claims of the store's run among the library's; one that has changed since is left out, and a note says so."""
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
    return GatheredReport(report, tallies, surprises, about.get("profile", ""), cells)


def _state(works: Sequence[StoredWork]) -> str:
    """Return what is missing of the run, in a line, or ""."""
    made, failed, open_ = (sum(w.status in which for w in works) for which in ((DONE, GAVE_UP), (FAILED,), (PLANNED,)))
    if open_:
        return f"interrupted: {made} of {len(works)} runs were made" + (f", and {failed} failed" if failed else "")
    return f"incomplete: {failed} of {len(works)} runs failed" if failed else ""


def _surprises(tallies: Mapping[str, Tally], known: Mapping[str, Verdict], *, whole: bool) -> dict[str, str]:
    """Return what is unexpected, by claim.

    Of a run that is not whole, only what no further run could mend is held against a claim.
    """
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
    """Return where claims that nobody calls false are seen to fail, certified: by claim id, in words."""
    seen = {name: t.violation for name, t in tallies.items() if not t.bound.is_refuted and t.violation is not None}
    return {name: f"{str(v.cell)[len(name) :].strip()}: {v.explain()}" for name, v in seen.items() if v.certified}


def _row(tally: Tally, why: str | None, *, whole: bool) -> Record:
    row = {**tally.to_json(), "statement": str(tally.bound.states), "expected": why is None, "surprise": why}
    return row if whole or tally.cells or tally.bound.untested else {**row, "reason": UNFINISHED}


def _places(chosen: Sequence[Bound], rows: Sequence[Record]) -> list[Record]:
    """Return the inventory of every paper that was checked, with the status of the claims that cover each place."""
    status = [{"id": row["id"], "label": row["label"], "status": row["status"]} for row in rows]
    return [
        {**asdict(entry), "claims": [claim for claim in status if claim["label"] in entry.covered_by]}
        for paper in papers_of(chosen)
        for entry in inventory(paper)
    ]
