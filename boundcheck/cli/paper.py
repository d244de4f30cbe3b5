"""`boundcheck paper`: the whole paper, each verdict compared with the expected one, and a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boundcheck.claims.bound import Bound
    from boundcheck.store import Store

TARGET = "target"  # by this name a store keeps where the claims are, if no installed paper has them
DIFFERS = {
    "profile": "another profile",
    "claims": "other claims",
    "asked": "other claims",
    "problems": "other problems",
    "versions": "other versions of its libraries",
    "code": "other code",
}


@click.command()
@click.argument("name", required=False, metavar="[NAME | FILE.py | FOLDER | PACKAGE]")
@click.option("--out", type=click.Path(path_type=Path), default=Path("report"), show_default=True, help="The folder to write.")
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True, help="How much is tried.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; all cores unless given. Results do not depend on it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every claim, and whether its verdict is the expected one.")
@click.option("--record", is_flag=True, help="Keep the verdicts beside the claims: `boundcheck list` shows them.")
@click.option("--fresh", is_flag=True, help="Do everything again, even what an earlier run left in the folder.")
@click.option("--figures/--no-figures", default=None, help="Make the paper's figures; show none. [default: show those there]")
@click.option("--worst-cases", is_flag=True, help="Compare bounds with worst cases over their classes: needs the extra pep.")
@click.option("--no-audits", is_flag=True, help="Leave out the audits of a few rules.")
@click.option(
    "--falsify",
    "seconds",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to look for a simple counterexample to a claim that fails unexpectedly; 0: take the run where it failed.",
)
@click.option(
    "--source",
    type=click.Path(path_type=Path),
    metavar="PAPER.tex",
    help="The paper's LaTeX source: its words stand beside each printed claim, and a claim that it does not have is a misquote.",
)
def paper(
    name: str | None, out: Path, profile: str, jobs: int | None, seconds: float, source: Path | None, **options: bool | None
) -> int:
    """Check every claim of a paper, and write a report: open its index.html.

    NAME is what the ids of its claims begin with. Without it: the papers under test, which keep an inventory of their places.
    FILE.py holds claims of your own; so does FOLDER, which has an __init__.py, and PACKAGE, which can be imported (a.b.c):
    inventory.toml, findings.toml, places.toml and certificates/ beside the claims are read. docs/your-own-paper.md shows it.
    What is finished is kept in results.sqlite: started again after an interrupt or a kill, it does the rest.
    Exit 0: every verdict is the expected one. 1: some verdict is not, some run failed, or --source lacks a quotation.
    2: bad input. 130: interrupted.
    """
    from boundcheck.claims.latex_source.tex_source import read
    from boundcheck.cli.counterexamples import with_counterexamples
    from boundcheck.cli.publish import folder_for, publish

    tex = None if source is None else read(source)
    with _target(name) as target:
        chosen = target.claims
        _refuse_options(target, options)
        _need_extras(options)
        with folder_for(out):
            ended = _check(target, out, command(name, profile, options), profile, jobs, fresh=bool(options["fresh"])) and _beside(
                target, out, jobs, {**options, "seconds": seconds}
            )
            as_json, record = bool(options["as_json"]), bool(options["record"])
            with with_counterexamples(out, chosen):
                return publish(
                    out, chosen, figures=options["figures"], as_json=as_json, record=record, was_interrupted=not ended, source=tex
                )


@dataclass(frozen=True)
class _Target:
    """The claims to check; and where they are, if they are not of an installed paper."""

    claims: list[Bound]
    given: str = ""


@contextmanager
def _target(name: str | None) -> Iterator[_Target]:
    """What the command is about. What is not the name of an installed paper is imported, and counts among the papers for now."""
    from boundcheck.library.catalogue import bounds_of
    from boundcheck.library.references import claims
    from boundcheck.library.targets import given_paper

    if name is None or name in {bound.source.paper.name for bound in claims(())}:
        yield _Target(_claims_of(name))
        return
    with given_paper(name) as module:
        yield _Target(list(bounds_of(module)), name)


def _refuse_options(target: _Target, options: Mapping[str, bool | None]) -> None:
    from boundcheck.library.catalogue import NotFound

    if target.given and options["worst_cases"]:
        raise NotFound(f"--worst-cases compares the bounds of installed papers; leave it out for {target.given}")


def command(name: str | None, profile: str, options: Mapping[str, bool | None]) -> str:
    """What makes this report again, for its provenance; where it is written and by how many processes change nothing in it."""
    shown = [f"--{option.replace('_', '-')}" for option in ("figures", "worst_cases", "no_audits") if options[option]]
    return " ".join(["boundcheck paper", *([_without_folders(name)] if name else []), f"--profile {profile}", *shown])


def _without_folders(name: str) -> str:
    """A target as a report may show it to anyone: what is not inside this folder by its last name only."""
    path = Path(name)
    if not path.is_absolute():
        return name
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else path.name


def _claims_of(name: str | None) -> list[Bound]:
    """The claims of the paper of this name; without one, of every paper that keeps an inventory, or of all where none does."""
    from boundcheck.library.catalogue import bounds_of, papers
    from boundcheck.library.inventory import inventory
    from boundcheck.library.references import claims

    found = claims(())
    names = {bound.source.paper.name for bound in found}
    under_test = {bound.source.paper.name for module in papers() if inventory(module) for bound in bounds_of(module)}
    wanted = {name} if name is not None else under_test & names or names
    return [bound for bound in found if bound.source.paper.name in wanted]


def _need_extras(options: Mapping[str, bool | None]) -> None:
    """What is not installed is said before the work, not after it."""
    from boundcheck.support.errors import extra

    if options["worst_cases"]:
        extra("clarabel", what="--worst-cases", extra="pep")
    if options["figures"]:
        extra("matplotlib", what="--figures", extra="report")


def _check(target: _Target, out: Path, command: str, profile: str, jobs: int | None, *, fresh: bool) -> bool:
    """Every run that the store in the folder does not have yet. False: it was interrupted."""
    from boundcheck.report.folder import STORE
    from boundcheck.report.paper_run import do, planned, tasks
    from boundcheck.report.provenance import more, now, same
    from boundcheck.store import Store
    from boundcheck.suite.grid import chosen_settings
    from boundcheck.support.processes.pool import cores

    chosen = target.claims
    todo = tasks(chosen_settings(profile, (), (), None, None), chosen)
    run = same(chosen, {task.problem.name: task.problem for task in todo}.values(), profile)
    plan = planned(todo, run)
    with Store(out / STORE, write=True) as store:
        differs = store.begin(run, more(command), plan, fresh=fresh)
        store.keep(TARGET, target.given)
        if differs:
            click.echo(f"{out / STORE} is of {DIFFERS[differs]}: nothing is taken from it", err=True)
        taken = store.finished
        if taken:
            click.echo(f"{taken} of {len(plan)} runs are taken from {out / STORE}; --fresh does them again", err=True)
        try:
            do(store, todo, plan, jobs or cores())
        except KeyboardInterrupt:
            return False
        store.end(now())
    return True


def _beside(target: _Target, out: Path, jobs: int | None, options: Mapping[str, Any]) -> bool:
    """What the report shows besides: counterexamples; audits, worst cases and figures of papers. False: it was interrupted."""
    from boundcheck.cli.counterexamples import keep_counterexamples
    from boundcheck.cli.publish import draw_figures
    from boundcheck.library.references import claims
    from boundcheck.report.folder import STORE
    from boundcheck.report.supplements import WORST_CASES, keep_audits, keep_rankings, keep_worst_cases
    from boundcheck.store import Store
    from boundcheck.support.processes.pool import cores
    from boundcheck.support.terminal import progress

    with Store(out / STORE, write=True) as store:

        def solve() -> None:
            from boundcheck.tightness.table import rows, solved

            asked = rows()
            keep_worst_cases(store, [case for _, case in zip(progress(asked, "solving"), solved(asked, jobs), strict=True)])

        def refute() -> None:
            keep_counterexamples(store, target.claims, options["seconds"], jobs or cores())

        parts: dict[str, Callable[[], None]] = {"counterexamples": refute}
        if target.given:  # rankings, audits and figures are of runs and rules that the installed papers are about
            return _each(store, parts)
        parts["rankings"] = lambda: keep_rankings(store, claims(()), progress)
        if not options["no_audits"]:
            parts["audits"] = lambda: keep_audits(store, progress)
        if options["worst_cases"] and store.kept(WORST_CASES) is None:
            parts["worst cases"] = solve
        if options["figures"]:
            parts["figures"] = lambda: draw_figures(out)
        return _each(store, parts)


def _each(store: Store, parts: Mapping[str, Callable[[], None]]) -> bool:
    """One that fails stops no other: the report says so. False: it was interrupted."""
    from boundcheck.report.supplements import FAILED_BESIDE
    from boundcheck.support.errors import error_with_place

    failed = []
    try:
        for name, make in parts.items():
            try:
                make()
            except Exception as wrong:
                failed.append(f"{name}: {error_with_place(wrong)}")
    except KeyboardInterrupt:
        return False
    finally:
        store.keep(FAILED_BESIDE, failed)
    return True
