"""Pictures of single claims as files: both sides against k for each theorem and proposition, and every counterexample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.certificates.picture import picture
from boundcheck.certificates.picture.svg import BLUE, GREEN, RED
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.report.content import Key, Report, cell_key
from boundcheck.report.slack import counted
from boundcheck.suite.tally import place
from boundcheck.support.atomic_files import AtomicFiles
from boundcheck.support.escaping import plot_text
from boundcheck.support.optional_imports import extra
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
        with AtomicFiles() as files:
            files.text(folder / f"{file_stem(bound.id)}.svg", drawn)


# -- curves ------------------------------------------------------------------------------------------------------------


PANELS = 3
LEAST = 3  # numbers: fewer make no curve
SPREAD = 30  # largest over smallest: beyond it the sides are on a logarithmic scale
LONG = 20  # steps: beyond them k is on a logarithmic scale too
GREY = "#7a7a7a"  # read on white and on black
STYLE = {
    **{"svg.hashsalt": "boundcheck", "svg.fonttype": "none", "font.size": 9, "axes.grid": True, "grid.alpha": 0.25},
    **{
        name: GREY
        for name in ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "axes.titlecolor")
    },
    **{"savefig.transparent": True, "legend.frameon": False},
}


def curves(
    claim: str, verdicts: Sequence[Verdict], folder: Path, *, classical: Mapping[Key, Sequence[float]] | None = None
) -> list[Path]:
    """Return the figure of a claim, in up to three cells, each of another problem; no file where no cell has a curve."""
    shown = chosen(verdicts)
    if not shown:
        return []
    matplotlib = extra("matplotlib", what="the figure of a claim", extra="report")
    extra("matplotlib.figure", what="the figure of a claim", extra="report")
    with matplotlib.rc_context(STYLE):
        figure = matplotlib.figure.Figure(figsize=(3.6 * len(shown), 3.2))
        axes = figure.subplots(1, len(shown), squeeze=False)[0]
        for ax, verdict in zip(axes, shown, strict=True):
            _panel(ax, verdict, (classical or {}).get(cell_key(verdict.cell)))
        figure.subplots_adjust(left=0.17 / len(shown), right=1 - 0.03 / len(shown), bottom=0.14, top=0.84, wspace=0.24)
        figure.suptitle(claim, fontsize=10)
        axes[0].legend(fontsize=8)
        svg, png = (folder / f"{file_stem(claim)}.{kind}" for kind in ("svg", "png"))
        said = {"Date": None, "Creator": None, "Title": f"{claim}: both sides against k"}
        with AtomicFiles() as files:
            figure.savefig(files.place(svg), format="svg", metadata=said)
            figure.savefig(files.place(png), format="png", dpi=150, metadata={"Software": None})
    return [svg, png]


def file_stem(claim: str) -> str:
    """directional-smoothness/thm:polyak@printed is drawn in thm-polyak@printed.svg."""
    return "".join(c if c.isalnum() or c in "@-" else "-" for c in claim.partition("/")[2] or claim)


def chosen(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Of each problem the longest cell, one where the claim fails before others; then the longest of these."""
    best: dict[str, Verdict] = {}
    for verdict in sorted((v for v in verdicts if _length(v) >= LEAST and not v.every_k_counts), key=_worth, reverse=True):
        best.setdefault(verdict.cell.problem, verdict)
    return list(best.values())[:PANELS]


def _worth(verdict: Verdict) -> tuple[bool, int, bool]:
    return verdict.outcome is Outcome.VIOLATED, _length(verdict), verdict.cell.smoothness != "L"


def _length(verdict: Verdict) -> int:
    return 0 if verdict.left is None or verdict.right is None else int(np.count_nonzero(counted(verdict)))


def _panel(ax: Any, verdict: Verdict, classical: Sequence[float] | None) -> None:
    good = counted(verdict)
    k = (verdict.first_k + np.arange(len(good)))[good]
    left, right = np.asarray(verdict.left)[good], np.asarray(verdict.right)[good]
    lines = [(left, BLUE, "-", "left side"), (right, RED, "--", "right side")]
    if classical is not None and len(classical) == len(good):
        lines.append((np.asarray(classical)[good], GREEN, ":", "classical bound"))
    for values, colour, dashes, name in lines:
        ax.plot(k, values, dashes, color=colour, label=name, linewidth=1.8, gid=name.replace(" ", "-"))
    bad = verdict.outcomes[good] == Outcome.VIOLATED
    if bad.any():
        ax.plot(k[bad], left[bad], "x", color=GREY, label=f"fails, {verdict.grade}")
    shown = np.concatenate([values[np.isfinite(values)] for values, *_ in lines])
    if len(shown) and shown.min() > 0 and shown.max() > SPREAD * shown.min():
        ax.set_yscale("log")
    if k[-1] >= LONG:
        ax.set_xscale("log")
    ax.minorticks_off()
    ax.set_xlabel("k")
    ax.set_title(plot_text(place(verdict.cell)), fontsize=8)
