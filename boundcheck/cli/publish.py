"""A report from the store in a folder: written, and said in a few lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from boundcheck.claims.bound import Bound
from boundcheck.claims.latex_source.quotation import misquotes, quotations
from boundcheck.claims.latex_source.tex_source import TexSource
from boundcheck.cli.group import INTERRUPTED
from boundcheck.library.catalogue import NotFound
from boundcheck.library.references import claims
from boundcheck.report.content import GatheredReport, Record, Report, gather, unexpected
from boundcheck.report.folder import FIGURES, STORE, headline, quotation_rows, write_folder
from boundcheck.report.supplements import draw_claims, enriched
from boundcheck.store import Store
from boundcheck.suite.recorded_verdicts import write_records
from boundcheck.support import terminal as show
from boundcheck.support.processes.pool import cores

STAGES = 3  # gathering, enriching, writing
WIDTH = 120  # characters of a line of the summary: its lines are long enough to be read aloud


def publish(
    folder: Path,
    library: Sequence[Bound],
    *,
    out: Path | None = None,
    audits: Sequence[Record] = (),
    figures: bool | None = None,
    as_json: bool = False,
    record: bool = False,
    was_interrupted: bool = False,
    source: TexSource | None = None,
) -> int:
    """Write the report of the folder's store (into `out`, if that is another folder), say what it says; the exit code.

    `figures`: True draws the claims into its folder; False shows none of the figures there.
    `source`: the paper's LaTeX source, whose words are shown beside each printed claim; what it does not say is a misquote.
    """
    out = out or folder
    with Store(folder / STORE) as store, show.Bar("the report", STAGES) as bar:
        bar.advance("what was found")
        about, found = store.about, gather(store, library)
        if not found.report.bounds:
            raise NotFound(f"{folder / STORE} has no claim that is installed; run `boundcheck paper --out {folder}` again")
        drawn = out if (out / FIGURES).is_dir() else folder  # another folder has none yet: the page takes those of the first
        beside = drawn / FIGURES if figures is not False else None
        bar.advance("tightness and the classical bounds")
        found.report = enriched(found.report, store, claims(()), audits=audits, figures=beside)
    if source is not None:
        found.report = with_source(found.report, source)
    if figures and not was_interrupted:
        draw_claims(found.report, out / FIGURES, cores(), show.progress)
    with show.Bar("the report", STAGES, done=STAGES - 1) as bar:
        bar.advance("page and tables")
        write_folder(found, out, about)
    written = write_records(found.tallies) if record and found.is_whole else []
    wrong = found.surprises or found.report.state or misquotes(found.report.quotations)
    code = INTERRUPTED if was_interrupted else 1 if wrong else 0
    state = found.report.state or ("interrupted: every run was made, but not all that comes beside" if was_interrupted else "")
    if state:
        more = "; the same command goes on" if was_interrupted else ""
        click.echo(f"boundcheck: {state}; the report shows what there is{more}", err=True)
    if as_json:
        _say_json(found, out, code)
    else:
        _say(found, out, written)
    return code


def with_source(report: Report, source: TexSource) -> Report:
    """The report with what the paper's source says at the place of each printed claim; misquotes are among its notes."""
    found = quotations(report.bounds, source)
    return replace(report, source=source.name, quotations=found, notes=[*report.notes, *misquotes(found)])


def _say_json(found: GatheredReport, out: Path, code: int) -> None:
    report = found.report
    said = {
        "profile": found.profile,
        "claims": list(report.rows.values()),
        "notes": list(report.notes),
        "summary": list(report.summary),
    }
    state = {"state": report.state or None, "failures": list(report.failures)}
    if report.source:
        said["quotations"] = quotation_rows(report)
    show.say_json({**said, **state, "report": str(out / "index.html"), "exit_code": code})


def _say(found: GatheredReport, out: Path, written: Sequence[Path]) -> None:
    report, rows = found.report, list(found.report.rows.values())
    for name, why in found.surprises.items() if found.is_whole else ():
        show.say(f"{show.word('error')} {name}: {why}")
    for line in report.failures:
        show.say(f"{show.word('error')} {line}")
    for path in written:
        show.say(f"recorded {path}")
    expected = sum(row["expected"] for row in rows)
    many = f"{headline(rows)} on {len(found.cells)} cells; {expected} of {len(rows)} verdicts are the expected ones"
    unfinished = unexpected(report)[1]
    show.say(f"{many}, {unfinished} not tried enough yet" if unfinished else many)
    for line in report.summary:
        show.say(textwrap.fill(line.replace("$", ""), WIDTH, subsequent_indent="  ", break_long_words=False))
    misquoted = {name for name, quotation in report.quotations.items() if not quotation.is_found}
    wrong = [e.bound.id in misquoted for e in report.errata if e.is_printed]
    false = show.many(len(wrong), "statement") + (f" ({sum(wrong)} misquoted)" if any(wrong) else "")
    show.say(f"{false} false as printed: {out / 'errata.md'}; the paper place by place: {out / 'inventory.md'}")
    show.say(f"a letter to the authors: {out / 'letter.md'} and {out / 'letter.tex'}")
    if report.source:
        for line in misquotes(report.quotations):
            show.say(f"{show.word('error')} {line}")
        show.say(quotations_line(report))
    show.say(f"open {out / 'index.html'}")


def quotations_line(report: Report) -> str:
    """`241 of 241 quotations found in PAPER.tex`, and how many elsewhere than expected."""
    found, moved = (sum(getattr(one, what) for one in report.quotations.values()) for what in ("is_found", "has_moved"))
    if not report.quotations:
        return f"no printed claim says where it stands in {report.source}; `boundcheck quote` makes places"
    return f"{found} of {len(report.quotations)} quotations found in {report.source}" + (f", {moved} moved" if moved else "")


@contextmanager
def folder_for(out: Path) -> Iterator[None]:
    """A folder to write to, refused before the work if it cannot be; folders made for it that stay empty are taken away."""
    import os

    missing = [folder for folder in (out, *out.parents) if not folder.exists()]
    if out.exists() and not out.is_dir():
        raise NotFound(f"{out} is a file; --out needs a folder")
    out.mkdir(parents=True, exist_ok=True)
    if not os.access(out, os.W_OK):
        raise NotFound(f"{out} cannot be written to; give another folder with --out")
    try:
        yield
    finally:
        for folder in missing:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def check_store(folder: Path) -> None:
    """Refuse a folder without a store before anything is made."""
    Store(folder / STORE).close()


def draw_figures(out: Path) -> None:
    """The papers' figures, into the report's folder."""
    from boundcheck.figures import figures, make

    for name in show.progress(list(figures()), "drawing"):
        make(name, out / FIGURES)
