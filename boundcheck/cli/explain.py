"""`boundcheck list`, `explain` and `lint` say what claims there are, what they mean and whether they are well formed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boundcheck.claims.bound import Bound


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


@click.command()
@click.argument("name", metavar="CLAIM | FILE.py[:NAME]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list, one object a reading.")
@click.option("--latex", "with_latex", is_flag=True, help="Show the statement in LaTeX too.")
def explain(name: str, as_json: bool, with_latex: bool) -> int:
    """Statement, source, hypotheses, dimensions, readings, recorded verdict; and where a false claim fails, worked out anew."""
    from boundcheck.library.catalogue import bounds
    from boundcheck.library.references import claims
    from boundcheck.support import terminal as show

    found = claims((name,))
    if as_json:
        show.say_json([described(bound) for bound in found])
        return 0
    library = list(bounds()) if found[0].source.paper.name != "user" else []
    for number, bound in enumerate(found):
        if number:
            show.say()
        others = [b for b in library if b.source == bound.source and b.reading != bound.reading and b not in found]
        _say(bound, others, with_latex)
    return 0


def described(bound: Bound) -> dict[str, Any]:
    from dataclasses import asdict

    from boundcheck.suite.recorded_verdicts import record_of, status
    from boundcheck.suite.work import refutation

    state, certified = status(bound)
    counterexample = refutation(bound)
    return {
        **bound.to_json(),
        "hash": bound.hash,
        "status": state,
        "certified": certified,
        "statement": str(bound.states),
        "latex": bound.latex(),
        "source": {"paper": bound.source.paper.title or bound.source.paper.name, "section": bound.source.section},
        "hypotheses": [str(h) for h in bound.hypotheses],
        "dimensions": dimensions(bound),
        "parameters": {name: [str(value) for value in bound.try_with[name]] for name in bound.parameters},
        "smoothness": list(bound.smoothness) if bound.reads_M else [],
        "chords": {one.name: str(one.formula) for one in bound.declared_chords},
        "findings": [asdict(finding) for finding in bound.lint()],
        "changes": list(bound.because_of),
        "untested": bound.untested or None,
        "refuted_through": asdict(bound.refuted_through) if bound.refuted_through is not None else None,
        "loose_because": bound.loose_because or None,
        "recorded": record_of(bound),
        "counterexample": counterexample.to_json() if counterexample is not None else None,
    }


def dimensions(bound: Bound) -> list[dict[str, str]]:
    """The dimension of both sides of each relation, in powers of f and x."""
    from boundcheck.claims.lint.dimension import dimension
    from boundcheck.language.relations import links

    return [
        {"relation": str(link), **{side: str(dimension(getattr(link, side)) or "any") for side in ("left", "right")}}
        for link in links(bound.states)
    ]


def _say(bound: Bound, others: list[Bound], with_latex: bool) -> None:
    from boundcheck.support import terminal as show

    told = show.fields(_pairs(bound, others, with_latex))
    show.say(f"{bound.id}" + (f": {bound.title}" if bound.title else ""))
    for line in told:
        show.say(line)


def _pairs(bound: Bound, others: list[Bound], with_latex: bool) -> list[tuple[str, str]]:
    from boundcheck.check.verdict import Outcome
    from boundcheck.suite.recorded_verdicts import record_of
    from boundcheck.suite.tally import place
    from boundcheck.suite.work import refutation

    source, entry, counterexample = bound.source, record_of(bound), refutation(bound)
    where = ", ".join(part for part in (source.paper.cited, source.place) if part)
    sizes = [f"{d['left']} and {d['right']}" for d in dimensions(bound)]
    verdict = "none: it was not checked since it was last changed"
    if entry is not None:
        counts = ", ".join(f"{entry[o]} {o}" for o in ("holds", "violated", "undecided", "vacuous") if entry[o])
        verdict = f"{entry['status']}: {counts}"
        verdict += f" of {entry['cells']} cells, {entry['certified_cells']} certified"
    failing = ""
    if counterexample is not None:
        failing = f"{place(counterexample.cell)} in {counterexample.cell.arithmetic}: {counterexample.explain()}"
    return [
        ("source", f"{where}, {bound.label}"),
        ("states", str(bound.states)),
        ("LaTeX", bound.latex() if with_latex else ""),
        ("for all", "x and y" if bound.is_about_chords else f"{bound.for_all.letter} >= {bound.for_all.start}"),
        ("given", "\n".join(str(h) for h in bound.hypotheses)),
        ("dimensions", "\n".join(dict.fromkeys(sizes))),
        ("parameters", "\n".join(f"{p} = {', '.join(str(v) for v in bound.try_with[p])}" for p in bound.parameters)),
        ("M is", ", ".join(bound.smoothness) if bound.reads_M else ""),
        ("where", "\n".join(f"{one.name}(p, q) = {one.formula}" for one in bound.declared_chords)),
        ("lint", "\n".join(str(f) for f in bound.lint()) or "well formed"),
        ("because", bound.because),
        ("changed", ", ".join(bound.because_of)),
        ("loose", bound.loose_because),
        ("untested", bound.untested),
        ("refuted", f"through {bound.refuted_through.lemma}: {bound.refuted_through.argument}" if bound.refuted_through else ""),
        ("recorded", verdict),
        ("fails" if counterexample is not None and counterexample.outcome is Outcome.VIOLATED else "does not fail", failing),
        *((f"@{b.reading}", f"{b.states}" + (f"\nbecause {b.because}" if b.because else "")) for b in others),
    ]


@click.command()
@click.argument("names", nargs=-1, metavar="[CLAIM | FILE.py[:NAME]]...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list of claims with their findings.")
def lint(names: tuple[str, ...], as_json: bool) -> int:
    """Dimensions, invariance under f + C, and steps read too late, for some claims or for all.

    Exit 0: well formed (there may be warnings). 1: some claim is ill formed. 2: bad input.
    """
    from dataclasses import asdict

    from boundcheck.library.references import claims
    from boundcheck.support import terminal as show

    found = [(bound, bound.lint()) for bound in claims(names)]
    ill = [bound for bound, findings in found if any(f.severity == "error" for f in findings)]
    if as_json:
        show.say_json(
            [{"id": b.id, "well_formed": b not in ill, "findings": [asdict(f) for f in findings]} for b, findings in found]
        )
        return 1 if ill else 0
    for bound, findings in found:
        if not findings and names:
            show.say(f"{bound.id}: well formed")
        for finding in findings:
            show.say(f"{bound.id}: {show.word(finding.severity)} [{finding.check}] in {finding.piece}: {finding.message}")
    warned = sum(1 for bound, findings in found if findings and bound not in ill)
    show.say(
        f"{show.many(len(found), 'claim')}: {len(found) - len(ill)} well formed ({warned} with warnings), {len(ill)} ill formed"
    )
    return 1 if ill else 0
