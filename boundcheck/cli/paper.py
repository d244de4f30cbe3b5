"""`boundcheck paper`: the whole paper, each verdict compared with the expected one, and a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boundcheck.bound import Bound
    from boundcheck.report.tally import Tally
    from boundcheck.verdict import Verdict


ENOUGH_PROBLEMS = 3


@click.command()
@click.argument("name", required=False)
@click.option("--out", type=click.Path(path_type=Path), default=Path("report"), show_default=True, help="The folder to write.")
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True, help="How much is tried.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; all cores unless given. Results do not depend on it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every claim, and whether its verdict is the expected one.")
@click.option("--record", is_flag=True, help="Keep the verdicts beside the claims: `boundcheck list` shows them.")
def paper(name: str | None, out: Path, profile: str, jobs: int | None, as_json: bool, record: bool) -> int:
    """Check every claim of a paper, and write a report: index.html, summary.md, errata.md, inventory.md, verdicts.json.

    NAME is what the ids of its claims begin with. Without it: the papers under test, which keep an inventory of their places.
    Exit 0: every verdict is the expected one. 1: some verdict is not. 2: bad input.
    """
    from boundcheck.cli.group import INTERRUPTED, complain

    chosen = _claims_of(name)
    made = _make(out)
    try:
        return _paper(chosen, out, profile, jobs, as_json, record)
    except KeyboardInterrupt:
        return complain("interrupted; nothing was written", INTERRUPTED)
    finally:
        for folder in made:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def _claims_of(name: str | None) -> list[Bound]:
    """The claims of the paper of this name; without one, of every paper that keeps an inventory, or of all where none does."""
    from boundcheck.cli.given import claims
    from boundcheck.inventory import inventory
    from boundcheck.registry import NotFound, bounds_of, did_you_mean, papers

    found = claims(())
    names = {bound.source.paper.name for bound in found}
    if name is not None and name not in names:
        raise NotFound(f"no paper '{name}'{did_you_mean(name, names) or '; there are ' + ', '.join(sorted(names))}")
    under_test = {bound.source.paper.name for module in papers() if inventory(module) for bound in bounds_of(module)}
    wanted = {name} if name is not None else under_test & names or names
    return [bound for bound in found if bound.source.paper.name in wanted]


def _paper(chosen: list[Bound], out: Path, profile: str, jobs: int | None, as_json: bool, record: bool) -> int:
    import json
    from itertools import chain

    from boundcheck.certificate import kept
    from boundcheck.cli import page, show
    from boundcheck.cli.record import write, write_records
    from boundcheck.cli.work import chosen_settings, on_their_own, refutation, run_all
    from boundcheck.errata import errata, errata_html, errata_page
    from boundcheck.processes import cores
    from boundcheck.report import costs
    from boundcheck.report.tally import Tally, link_lemmas

    tallies = {bound.id: Tally(bound) for bound in chosen}
    known = {name: found for name, tally in tallies.items() if (found := refutation(tally.bound)) is not None}
    cells: list[dict[str, Any]] = []
    notes: list[str] = []
    everywhere = chosen_settings(profile, (), (), None, None)
    many = jobs or cores()
    tried = run_all(everywhere, [t.bound for t in tallies.values()], gave_up=notes.append, jobs=many)
    own = on_their_own([t.bound for t in tallies.values()], many)
    for verdict in chain(known.values(), own, tried):
        tallies[verdict.cell.claim].add(verdict)
        cells.append(verdict.to_json())
    link_lemmas(tallies)
    surprises = {name: why for name, tally in tallies.items() if (why := surprise(tally, known.get(name)))}
    unproved = {name: why for name, tally in tallies.items() if (why := _unproved(tally.bound))}
    for name, tally in tallies.items():
        tally.certificate = tally.bound.refuted_by is not None and name not in unproved
    surprises = {**unproved, **surprises}
    rows = [
        {**t.to_json(), "statement": str(t.bound.states), "expected": n not in surprises, "surprise": surprises.get(n)}
        for n, t in tallies.items()
    ]
    places, wrong = _places(rows), errata([t.bound for t in tallies.values()], kept())
    decided = costs.costs(cells)
    report = {"profile": profile, "claims": rows, "inventory": places, "cells": cells, "notes": notes}
    files = {
        "verdicts.json": json.dumps(report, ensure_ascii=False),
        "summary.md": page.markdown(rows, notes, decided),
        "errata.md": errata_page(wrong),
        "inventory.md": page.inventory_markdown(places),
        "index.html": page.html(rows, notes, costs.html(decided) + errata_html(wrong) + page.inventory_html(places)),
    }
    write([(out / name, text) for name, text in files.items()])
    written = write_records(tallies) if record else []
    code = 1 if surprises else 0
    if as_json:
        show.say_json({"profile": profile, "claims": rows, "notes": notes, "report": str(out / "index.html"), "exit_code": code})
        return code
    for name, why in surprises.items():
        show.say(f"{show.word('error')} {name}: {why}")
    for path in written:
        show.say(f"recorded {path}")
    show.say(
        f"{page.headline(rows)} on {len(cells)} cells; {len(rows) - len(surprises)} of {len(rows)} verdicts are the expected ones"
    )
    false = show.many(sum(e.is_printed for e in wrong), "statement")
    show.say(f"{false} false as printed: {out / 'errata.md'}; the paper place by place: {out / 'inventory.md'}")
    show.say(f"open {out / 'index.html'}")
    return code


def _places(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The inventory of every paper that was checked, with the status of the claims that cover each place."""
    from dataclasses import asdict

    from boundcheck.inventory import inventory
    from boundcheck.registry import bounds_of, papers

    checked = {row["id"] for row in rows}
    status = [{"id": row["id"], "label": row["label"], "status": row["status"]} for row in rows]
    return [
        {**asdict(entry), "claims": [claim for claim in status if claim["label"] in entry.covered_by]}
        for paper in papers()
        if any(bound.id in checked for bound in bounds_of(paper))
        for entry in inventory(paper)
    ]


def _unproved(bound: Bound) -> str:
    """Why the certificate of a false claim is not accepted by the independent checker, or ""."""
    from boundcheck.certificate import path_of, why_not_refuted

    path = path_of(bound) if bound.refuted_by is not None else None
    return "" if path is None else why_not_refuted(bound, path)


def surprise(tally: Tally, known: Verdict | None) -> str:
    """What is unexpected of a claim's verdict, or ""."""
    from boundcheck.ladder import certifies
    from boundcheck.verdict import Outcome

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
    """Why a claim that holds was not tried enough: on fewer than three problems, or nowhere near equality."""
    from boundcheck.instance import NEARLY_TIGHT
    from boundcheck.language.relations import links

    if len(tally.problems) < ENOUGH_PROBLEMS:
        return f"is exercised on {', '.join(sorted(tally.problems))} only; give it more instances with try_on"
    if tally.bound.loose_because or all(link.op == "==" for link in links(tally.bound.states)):
        return ""
    if tally.tightest is None or tally.tightest[0].ratio <= NEARLY_TIGHT:
        best = "nowhere positive" if tally.tightest is None else f"at most {tally.tightest[0].ratio:.4g}"
        return f"is nowhere nearly tight, left over right is {best}: give it an instance with try_on, or say loose_because"
    return ""


def _make(out: Path) -> list[Path]:
    """The folders made for the report, innermost first; a report that cannot be written is refused before the work."""
    import os

    from boundcheck.registry import NotFound

    missing = [folder for folder in (out, *out.parents) if not folder.exists()]
    if out.exists() and not out.is_dir():
        raise NotFound(f"{out} is a file; --out needs a folder")
    out.mkdir(parents=True, exist_ok=True)
    if not os.access(out, os.W_OK):
        raise NotFound(f"{out} cannot be written to; give another folder with --out")
    return missing
