"""`boundcheck report`: the report of a run once more, from what its store has: after a kill, or with audits beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from boundcheck.claims.bound import Bound


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--out", type=click.Path(path_type=Path), help="The folder to write, if not FOLDER itself; alone, FOLDER too.")
@click.option(
    "--audit",
    "audits",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE.json",
    help="An audit to show, as `boundcheck audit --out FILE.json` writes it. May be repeated.",
)
@click.option("--figures/--no-figures", default=None, help="Make the paper's figures; show none. [default: show those there]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as `boundcheck paper --json` does.")
@click.option(
    "--source",
    type=click.Path(path_type=Path),
    metavar="PAPER.tex",
    help="The paper's LaTeX source: its words stand beside each printed claim, and a claim that it does not have is a misquote.",
)
def report(
    folder: Path | None, out: Path | None, audits: tuple[Path, ...], figures: bool | None, as_json: bool, source: Path | None
) -> int:
    """Write the report of what FOLDER/results.sqlite has, whole or not: a run that was interrupted, killed or failed in part.

    FOLDER is what `boundcheck paper --out` wrote to. [default: the folder of --out if it has a store, else report]
    Exit 0: the run is whole, every verdict the expected one, every quotation found. 1: not so. 2: bad input.
    """
    from boundcheck.claims.latex_source.tex_source import read
    from boundcheck.cli.counterexamples import with_counterexamples
    from boundcheck.cli.publish import check_store, draw_figures, folder_for, publish
    from boundcheck.report.folder import STORE
    from boundcheck.report.supplements import audit_in

    tex = None if source is None else read(source)
    shown = [audit_in(path) for path in audits]
    if folder is None:
        folder = out if out is not None and (out / STORE).is_file() else Path("report")
    check_store(folder)
    with folder_for(out or folder), _claims(folder) as (library, given), with_counterexamples(folder, library, out):
        if figures and not given:
            draw_figures(out or folder)
        return publish(folder, library, out=out, audits=shown, figures=figures, as_json=as_json, source=tex)


@contextmanager
def _claims(folder: Path) -> Iterator[tuple[list[Bound], str]]:
    """The claims of the library; of a report about claims of one's own, those, from where they were when it was made."""
    from boundcheck.cli.paper import TARGET
    from boundcheck.library.catalogue import NotFound, bounds_of
    from boundcheck.library.references import claims
    from boundcheck.library.targets import given_paper
    from boundcheck.report.folder import STORE
    from boundcheck.store import Store

    with Store(folder / STORE) as store:
        given = str(store.kept(TARGET) or "")
    if not given:
        yield claims(()), ""
        return
    with ExitStack() as stack:
        try:
            module = stack.enter_context(given_paper(given))
        except NotFound as wrong:
            raise NotFound(f"the claims of this report are in {given}, seen from where it was made: {wrong}") from None
        yield list(bounds_of(module)), given
