"""The supplements of a report: tightness, the classical bounds, pictures of claims, worst cases, audits and figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.audit.audit import audit
from boundcheck.certificates.picture import picture
from boundcheck.certificates.picture.svg import BLUE, GREEN, RED
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.library import declarations
from boundcheck.library.catalogue import NotFound
from boundcheck.library.names import problem_named, rule_named
from boundcheck.report.classical import classical_curves
from boundcheck.report.content import Key, Record, Report, cell_key
from boundcheck.report.page.audits import try_page
from boundcheck.report.ranking import ranked, run_data
from boundcheck.report.slack import counted
from boundcheck.report.tightness import tightness
from boundcheck.store import Store
from boundcheck.suite.tally import place
from boundcheck.support.atomic_files import AtomicFiles, is_whole
from boundcheck.support.errors import extra
from boundcheck.support.escaping import plot_text
from boundcheck.support.processes.pool import in_processes
from boundcheck.tightness.result import WorstCase

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


AUDIT_STEPS, AUDIT_SECONDS = 40, 8.0
RANKED_AT = 50
FAILED_BESIDE = "failed beside the runs"
AUDIT, RANKING, WORST_CASES = "audit of", "ranking of", "worst cases"  # how the names begin by which a store keeps them

Progress = Callable[[Sequence[Any], str], Iterable[Any]]


def enriched(
    report: Report, store: Store, library: Sequence[Bound], *, audits: Iterable[Record] = (), figures: Path | None = None
) -> Report:
    """Return the report with all that can be worked out from it, from what the store keeps, and from the figures in a folder."""
    curves = classical_curves(report.bounds, report.verdicts, library)
    beside = store.kept(FAILED_BESIDE) or []
    return replace(
        report,
        state=report.state or (f"incomplete: every run was made, but {len(beside)} of the rest failed" if beside else ""),
        failures=[*report.failures, *beside],
        classical=curves,
        tightness=tightness(report.bounds, report.verdicts, library=library, curves=curves),
        pictures={bound.id: drawn for bound in _false(report) if (drawn := picture(bound))},
        worst_cases=[WorstCase(**case) for case in store.kept(WORST_CASES) or ()],
        audits=[*_kept_audits(store), *audits],
        rankings=[one for run in declarations.ranked_runs() if (one := store.kept(_ranking(*run))) is not None],
        figures={} if figures is None else figures_in(figures),
    )


def _false(report: Report) -> list[Bound]:
    """Return the claims that are called false, and those that were seen to be."""
    seen = {entry.bound.id for entry in report.errata}
    return [bound for bound in report.bounds if bound.is_refuted or bound.id in seen]


def figures_in(folder: Path) -> dict[str, tuple[str, str]]:
    """Caption and SVG of the figures there, by name: NAME.svg has its caption in NAME.txt, after its title."""
    found = {}
    for path in sorted(folder.glob("*.svg")):
        words = path.with_suffix(".txt")
        caption = words.read_text(encoding="utf-8").partition("\n\n")[2].strip() if words.is_file() else ""
        found[path.stem] = caption, path.read_text(encoding="utf-8")
    return found


def _kept_audits(store: Store) -> list[Any]:
    return [one for asked in declarations.audited_rules() if (one := store.kept(f"{AUDIT} {asked.rule}")) is not None]


def keep_audits(store: Store, progress: Progress = lambda names, what: names) -> None:
    """Audit the rules that the papers name, unless that was done."""
    asked = {one.rule: one for one in declarations.audited_rules()}
    for rule in progress(list(asked), "auditing"):
        if store.kept(f"{AUDIT} {rule}") is None:
            on, follows = asked[rule].problems, asked[rule].follows
            found = audit(rule, on or None, follows=follows, steps=AUDIT_STEPS, seconds=AUDIT_SECONDS)
            store.keep(f"{AUDIT} {rule}", found.to_json())


def keep_rankings(store: Store, library: Sequence[Bound], progress: Progress = lambda names, what: names) -> None:
    """Rank the bounds on the runs that the papers name, unless that was done."""
    for name, method in progress(declarations.ranked_runs(), "ranking"):
        if store.kept(_ranking(name, method)) is None:
            problem, rule = problem_named(name), rule_named(method)
            assert rule is not None
            store.keep(_ranking(name, method), run_data(problem, rule, ranked(problem, rule, library, RANKED_AT), RANKED_AT))


def _ranking(problem: str, method: str) -> str:
    return f"{RANKING} {problem} by {method}"


def keep_worst_cases(store: Store, cases: Sequence[WorstCase]) -> None:
    store.keep(WORST_CASES, [asdict(case) for case in cases])


def audit_in(path: Path) -> Record:
    """Return what `boundcheck audit --out FILE.json` wrote."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError) as wrong:
        raise NotFound(f"{path} is no audit ({wrong}); make one with `boundcheck audit RULE --out {path.name}`") from None
    needed = ("rule", "verdict", "theorems", "behaviour")
    if not isinstance(said, dict) or (missing := next((name for name in needed if name not in said), "")):
        lacks = f"it has no '{missing}'" if isinstance(said, dict) else f"it is a {type(said).__name__}"
        raise NotFound(f"{path} is no audit: {lacks}; make one with `boundcheck audit RULE --out {path.name}`")
    if (whole := is_whole(said)) is not True:
        how = "it has no checksum, as of an older boundcheck or by hand" if whole is None else "it is damaged or edited"
        raise NotFound(f"{path} is refused: {how}; make it again with `boundcheck audit RULE --out {path.name}`")
    try:
        try_page(said)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as wrong:
        kind = f"{type(wrong).__name__}: {wrong}"
        raise NotFound(f"{path} is no audit ({kind}); make it again with `boundcheck audit RULE --out {path.name}`") from None
    made: Record = said
    return made
