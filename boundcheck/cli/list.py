"""`boundcheck list`: every claim and what is recorded of it."""

from __future__ import annotations

import click


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list of claims.")
def list_claims(as_json: bool) -> int:
    """Every claim: id, status, how much of it is certified, title.

    The status is that of the last recorded check (`boundcheck paper --record`); a claim that changed since is untested.
    """
    from boundcheck.library.references import claims
    from boundcheck.suite.recorded_verdicts import record_of, status
    from boundcheck.support import terminal as show

    found = claims(())
    if as_json:
        show.say_json(
            [
                {
                    "id": b.id,
                    "label": b.label,
                    "reading": b.reading,
                    "title": b.title,
                    "status": status(b)[0],
                    "certified": status(b)[1],
                    "section": b.source.section,
                    "untested": b.untested or None,
                    "hash": b.hash,
                }
                for b in found
            ]
        )
        return 0
    width = max(len(b.id) for b in found)
    for b in found:
        state, _ = status(b)
        entry = record_of(b)
        decided = entry["holds" if state == "holds" else "violated"] if entry is not None and state in ("holds", "refuted") else 0
        cells = f"{decided} cells, {entry['certified_cells']} certified" if entry is not None and decided else ""
        show.say(f"{b.id:<{width}}  {show.word(state, 9)}  {cells:<26}  {b.title}".rstrip())
    meaning = "holds: nothing violated it on these cells; it is not a proof. refuted: a counterexample is known."
    show.say(f"{show.many(len(found), 'claim')}. {meaning}")
    return 0
