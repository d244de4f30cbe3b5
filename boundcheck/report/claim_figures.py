"""Pictures of single claims as files: both sides against k for each theorem and proposition, and every counterexample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from boundcheck.certificates.picture import picture
from boundcheck.claims.bound import Bound
from boundcheck.report.content import Report
from boundcheck.report.curves import curves, file_stem
from boundcheck.support.atomic_files import Whole
from boundcheck.support.processes.pool import in_processes

MAIN = ("thm:", "prop:")  # how the labels of main statements begin; their parts have a dot
CURVES, COUNTEREXAMPLES = "claims", "counterexamples"


def draw_claims(report: Report, folder: Path, jobs: int, progress: Callable[[Sequence[str], str], Iterable[str]]) -> None:
    """folder/claims/*.svg and .png, and folder/counterexamples/*.svg."""
    chosen = [bound for bound in report.bounds if bound.label.startswith(MAIN) and "." not in bound.label]
    refuted = [bound for bound in report.bounds if bound.id in report.pictures]
    tasks: list[Callable[[], object]] = [partial(_curves, report, bound, folder / CURVES) for bound in chosen]
    tasks += [partial(_counterexample, bound, folder / COUNTEREXAMPLES) for bound in refuted]
    with in_processes(tasks, jobs) as results:
        for _, result in zip(progress([b.label for b in (*chosen, *refuted)], "drawing claims"), results, strict=True):
            result()


def _curves(report: Report, bound: Bound, folder: Path) -> None:
    curves(bound.id, report.verdicts[bound.id], folder, classical=report.classical)


def _counterexample(bound: Bound, folder: Path) -> None:
    drawn = picture(bound, alone=True)
    if drawn is not None:
        with Whole() as files:
            files.text(folder / f"{file_stem(bound.id)}.svg", drawn)
