"""`boundcheck falsify` looks for a counterexample to one claim, shows its progress, shrinks what it finds and certifies it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from boundcheck.claims.bound import Bound
    from boundcheck.falsify.counterexample import Hunt, Refutation


FOUND, NONE_FOUND = 1, 3


@click.command()
@click.argument("name", metavar="CLAIM | FILE.py[:NAME]")
@click.option("--budget", type=float, default=60.0, show_default=True, metavar="SECONDS", help="How long to search.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed finds the same again.")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Processes to use; all cores unless given. What is found does not depend on it."
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE.json", help="The certificate.  [default: LABEL@READING.json, here]"
)
@click.option("--no-shrink", is_flag=True, help="Keep the counterexample as it was found.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: one object.")
def falsify(name: str, budget: float, seed: int, jobs: int | None, out: Path | None, no_shrink: bool, as_json: bool) -> int:
    """Look for a counterexample to one claim, and write its certificate.

    Exit 1: found; every number is exact or enclosed, and the independent checker accepts it. 2: bad input.
    3: none found in the budget, which is not a proof.
    """
    from boundcheck.certificates.write import file_name
    from boundcheck.cli.group import INTERRUPTED, complain
    from boundcheck.cli.search_progress import SearchProgress, ends_when_told
    from boundcheck.falsify.counterexample import Hunt, refuse_what_cannot_be_searched
    from boundcheck.library.catalogue import NotFound
    from boundcheck.library.references import one_claim
    from boundcheck.support.processes.pool import cores

    if not 0 < budget < float("inf"):
        raise NotFound(f"--budget is a number of seconds above 0; found {budget:g}")
    bound = one_claim(name)
    refuse_what_cannot_be_searched(bound)
    path = out if out is not None else Path(file_name(bound))
    _refuse_place(path, bound)
    hunt = Hunt(bound, budget, seed, jobs or cores(), not no_shrink, SearchProgress(loud=sys.stderr.isatty() and not as_json))
    try:
        with ends_when_told():
            found = hunt.run()
            if found is not None:
                _keep(found, path, bound)
    except KeyboardInterrupt:
        return complain(f"interrupted after {hunt.so_far()}", INTERRUPTED)
    if as_json:
        _say_json(hunt, found, path)
    elif found is None:
        _say_none(hunt, name)
    else:
        _say_found(hunt, found, path)
    return NONE_FOUND if found is None else FOUND


# -- what is asked ----------------------------------------------------------------------------------------------------------


def _refuse_place(path: Path, bound: Bound) -> None:
    """Before anything is searched: can the certificate be written there, and would it write over something else?"""
    import json
    import tempfile

    from boundcheck.certificates.write import FORMAT
    from boundcheck.library.catalogue import NotFound

    if path.is_dir():
        raise NotFound(f"{path} is a directory; --out needs a file")
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as wrong:
        raise NotFound(f"{path} cannot be written: {folder}: {wrong.strerror}; give another file with --out") from None
    if path.exists():
        try:
            there = json.loads(path.read_bytes())  # of this claim, or of what it was before it was edited
            same = there["format"] == FORMAT and (there["hash"] == bound.hash or there["claim"]["id"] == bound.id)
        except (ValueError, KeyError, TypeError, OSError):
            same = False
        if not same:
            raise NotFound(f"{path} exists and is not a certificate of this claim; remove it, or give another file with --out")


def _put_aside(path: Path, bound: Bound) -> None:
    """Keep the certificate of an earlier version of the claim, which somebody may want, under another name."""
    import json

    from boundcheck.support import terminal as show

    if not path.exists() or json.loads(path.read_bytes())["hash"] == bound.hash:
        return
    aside = next(name for n in range(1, 1000) if not (name := path.with_name(f"{path.stem}.earlier-{n}{path.suffix}")).exists())
    path.rename(aside)
    show.say(f"{path} was about an earlier version of the claim; it is now {aside}")


# -- what is said -----------------------------------------------------------------------------------------------------------


def _keep(found: Refutation, path: Path, bound: Bound) -> None:
    """The file, whole or not at all; the independent checker has the last word on it."""
    from boundcheck.falsify.counterexample import checked_text
    from boundcheck.suite.recorded_verdicts import write

    text = checked_text(found.certificate, path)
    _refuse_place(path, bound)
    _put_aside(path, bound)
    write([(path, text)])


def _say_found(hunt: Hunt, found: Refutation, path: Path) -> None:
    from shlex import quote

    from boundcheck.support import terminal as show

    result, candidate = found.result, found.candidate
    show.say(f"{hunt.bound.id} is {click.style('false', fg='red')}: {hunt.bound.states}")
    show.say(f"found by {result.strategy} in {hunt.seconds:.1f} s, {hunt.candidates:,} candidates, seed {hunt.seed}")
    about = [f"dimension {candidate.dimension}", f"M = {candidate.smoothness}" if candidate.smoothness else ""]
    about += [f"{hunt.bound.for_all.letter} = {candidate.k}" if not candidate.chord else ""]
    apart = f"|left - right| is {100 * found.margin:.3g} % of |left| + |right|" if found.margin else "both sides are equal"
    how = "as found:" if found.is_as_found else "shrunk to"
    show.say(f"{how} {', '.join(filter(None, about))}; {apart}")
    show.say()
    for line in found.lines:
        show.say(f"  {line}")
    show.say()
    show.say(f"the independent checker accepts the certificate: {path}")
    show.say(f"  boundcheck verify {quote(str(path))}")


def _say_none(hunt: Hunt, name: str) -> None:
    from shlex import quote

    from boundcheck.support import terminal as show

    show.say(f"{hunt.bound.id}: no counterexample in {hunt.so_far()}")
    if hunt.nearest == float("-inf"):
        show.say("perhaps no candidate satisfied every hypothesis: then nothing was tried")
    if hunt.uncertified:
        show.say(f"what {show.many(hunt.uncertified, 'search')} took for one could not be certified")
    show.say("This is not a proof. To go on, with more time and from another seed:")
    show.say(f"  boundcheck falsify {quote(name)} --budget {10 * hunt.budget:g} --seed {hunt.seed + 1}")


def _say_json(hunt: Hunt, found: Refutation | None, path: Path) -> None:
    from boundcheck.support import terminal as show

    nearest = hunt.nearest if abs(hunt.nearest) < float("inf") else None
    at = found.candidate if found is not None else None
    show.say_json(
        {
            "claim": hunt.bound.id,
            "hash": hunt.bound.hash,
            "outcome": "counterexample" if found is not None else "none",
            "certified": found is not None,
            "seconds": round(hunt.seconds, 3),
            "candidates": hunt.candidates,
            "uncertified": hunt.uncertified,
            "seed": hunt.seed,
            "strategy": found.result.strategy if found is not None else None,
            "ratio": _ratio(hunt.bound, found) if found is not None else nearest,
            "k": at.k if at is not None and not at.chord else None,
            "dimension": at.dimension if at is not None else None,
            "smoothness": at.smoothness or None if at is not None else None,
            "margin": found.margin if found is not None else None,
            "file": str(path) if found is not None else None,
            "certificate": found.certificate if found is not None else None,
            "walkthrough": found.lines if found is not None else [],
        }
    )


def _ratio(bound: Bound, found: Refutation) -> float | None:
    """Left over right, or right over left where the claim says that left is larger; None where it is over nothing positive."""
    from fractions import Fraction

    from boundcheck.language.relations import links

    sides = [found.certificate[side] for side in ("left", "right")]
    small, large = (Fraction(side) if isinstance(side, str) else sum(map(Fraction, side), Fraction(0)) / 2 for side in sides)
    if links(bound.states)[found.candidate.link].op in (">", ">="):
        small, large = large, small
    return float(small / large) if large > 0 else None
