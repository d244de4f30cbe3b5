"""`boundcheck lint`: are the formulas well formed? Nothing is run."""

from __future__ import annotations

import click


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
