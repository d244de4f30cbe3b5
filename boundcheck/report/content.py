"""What a report shows, before it is a page, a table or a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from boundcheck.certificates.errata import Erratum, Finding
from boundcheck.check.verdict import Cell, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.latex_source.quotation import Quotation
from boundcheck.tightness.result import WorstCase

Row = dict[str, Any]
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
    rows: Mapping[str, Row]  # by claim id: Tally.to_json() with statement, expected, surprise
    verdicts: Mapping[str, Sequence[Verdict]]  # by claim id, with both sides at each k
    errata: Sequence[Erratum] = ()
    findings: Sequence[Finding] = ()  # what is wrong by cause, the severest first: boundcheck.certificates.errata.grouped
    summary: Sequence[str] = ()  # how the paper stands, in about ten lines of words with $mathematics$
    places: Sequence[Row] = ()  # the inventory: every place of the paper, with the claims that cover it
    notes: Sequence[str] = ()  # what was not run, and why
    state: str = ""  # "" if the run is complete; else one line: "interrupted: 120 of 412 runs were made"
    failures: Sequence[str] = ()  # runs that ended in an error, a line each
    provenance: Mapping[str, str] = field(default_factory=dict)
    tightness: Mapping[str, Tightness] = field(default_factory=dict)  # by claim id
    worst_cases: Sequence[WorstCase] = ()
    pictures: Mapping[str, str] = field(default_factory=dict)  # by claim id: the counterexample, as SVG
    audits: Sequence[Row] = ()  # `boundcheck audit --out X.json`
    rankings: Sequence[Row] = ()  # `boundcheck rank --json`, one a run
    # the classical, L-smooth, right side at each k of a cell, nan where there is none: docs/tightness.md says which it is
    classical: Mapping[Key, Sequence[float]] = field(default_factory=dict)  # by `cell_key`
    figures: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # name -> caption, and the picture as SVG
    source: str = ""  # the name of the paper's LaTeX source, where one was given
    quotations: Mapping[str, Quotation] = field(default_factory=dict)  # by claim id: what that source says at its place


def unexpected(report: Report) -> tuple[list[Row], int]:
    """The claims whose verdict is not the expected one; and how many are only not tried enough yet, which is not the same."""
    found = [row for row in report.rows.values() if row.get("surprise")]
    return [row for row in found if row["surprise"] != UNFINISHED], sum(row["surprise"] == UNFINISHED for row in found)


def largest_ratio(report: Report, row: Row) -> tuple[float, str] | None:
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
    """The line for a report without surprises."""
    if unfinished:
        return f"Nothing unexpected so far; {unfinished} of {len(report.rows)} claims were not tried enough yet."
    return "Every verdict is the expected one."


def cell_key(cell: Cell) -> Key:
    """The key of a cell in Report.classical: claim id, problem, method, smoothness, arithmetic, parameters as text."""
    chosen = ", ".join(f"{name}={value}" for name, value in cell.parameters)
    return cell.claim, cell.problem, cell.method, cell.smoothness, cell.arithmetic, chosen
