"""`boundcheck check`: do claims hold, at every k of real runs?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boundcheck.check.verdict import Cell, Verdict
    from boundcheck.suite.tally import Tally


@click.command()
@click.argument("names", nargs=-1, metavar="[CLAIM | FILE.py[:NAME]]...")
@click.option(
    "--problem", "problem_names", multiple=True, metavar="P", help="A problem's name, or FILE.py:NAME. May be repeated."
)
@click.option(
    "--method", "method_names", multiple=True, metavar="R", help="A step-size rule's name, or FILE.py:NAME. May be repeated."
)
@click.option("--smoothness", multiple=True, metavar="M", help="What M is bound to, such as D or L. May be repeated.")
@click.option(
    "--arithmetic",
    "arithmetic_name",
    metavar="A",
    default="auto",
    help="auto: certified, by exact rationals where possible and by balls of 128, 256, 512 bits; or one of float64, mp:50, "
    "ball:256, rational, torch:cpu, torch:cuda.",
)
@click.option(
    "--steps",
    type=click.IntRange(min=1),
    help="Length of runs. Rational runs stay short unless --arithmetic rational asks for them.",
)
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True, help="How much is tried.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; all cores unless given. Results do not depend on it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: claims, and every cell.")
@click.option("--verbose", is_flag=True, help="A line for each cell.")
def check(
    names: tuple[str, ...],
    problem_names: tuple[str, ...],
    method_names: tuple[str, ...],
    smoothness: tuple[str, ...],
    arithmetic_name: str,
    steps: int | None,
    profile: str,
    jobs: int | None,
    as_json: bool,
    verbose: bool,
) -> int:
    """Check claims on problems by methods: certified in exact rationals and in balls, unless another arithmetic is asked for.

    Exit 0: nothing violated, and every claim exercised. 1: something violated. 2: bad input.
    3: some claim undecided or never exercised.
    """
    from contextlib import nullcontext
    from dataclasses import replace
    from itertools import chain

    from boundcheck.library.declarations import refuse_unknown_smoothness
    from boundcheck.library.references import claims, is_file, method, names_in_files, problem, with_lemmas
    from boundcheck.suite.grid import chosen_settings
    from boundcheck.suite.objections import why_not_asked
    from boundcheck.suite.tally import Tally, link_lemmas
    from boundcheck.suite.work import on_their_own, run_all
    from boundcheck.support import terminal as show
    from boundcheck.support.processes.pool import cores
    from boundcheck.support.terminal import aside

    with aside() if as_json else nullcontext():  # the document is all that is printed, whatever a rule says on the way
        bounds = with_lemmas(claims(names))
        refuse_unknown_smoothness(smoothness, bounds)
        problems, methods = {name: problem(name) for name in problem_names}, {name: method(name) for name in method_names}
        in_arithmetic = None if arithmetic_name == "auto" else arithmetic_name
        chosen = chosen_settings(profile, list(problems.values()), list(methods.values()), in_arithmetic, steps)
        chosen = [replace(setting, profile=replace(setting.profile, every_k=True, bits=512)) for setting in chosen]
        written = {one.name: name for name, one in problems.items()} | {rule.name: name for name, rule in methods.items()}
        written |= names_in_files(name for name in names if is_file(name))
        kinds = smoothness or None
        tallies = {bound.id: Tally(bound) for bound in bounds}
        notes: list[str] = []
        cells: list[dict[str, Any]] = []
        whole = not (problems or methods or smoothness or steps or in_arithmetic)
        many = 1 if arithmetic_name.startswith("torch") else jobs or cores()
        own = on_their_own(bounds if whole else (), many)
        for verdict in chain(own, run_all(chosen, bounds, kinds, None if method_names else notes.append, many)):
            tallies[verdict.cell.claim].add(verdict)
            if as_json:
                cells.append(verdict.to_json())
            elif verbose:
                show.say(f"{verdict.cell} in {where(verdict)}: {verdict.explain()}")
        for tally in tallies.values():
            if not tally.cells and tally.outcome is not None:
                tally.unexercised_because[why_not_asked(tally.bound, chosen, kinds, list(methods.values()))] += 1
        link_lemmas(tallies)
    code = exit_code(list(tallies.values()), by_name=bool(names))
    if as_json:
        show.say_json({"claims": [t.to_json() for t in tallies.values()], "cells": cells, "notes": notes, "exit_code": code})
        return code
    _say(list(tallies.values()), notes, written, blank=verbose)
    return code


def exit_code(tallies: list[Tally], *, by_name: bool) -> int:
    """A claim that cannot be tried yet counts only if it was asked for by name."""
    words = [t.word for t in tallies if by_name or t.word != "UNTESTED"]
    return 1 if {"VIOLATED", "REFUTED"} & set(words) else 3 if set(words) - {"HOLDS"} or not words else 0


def _say(tallies: list[Tally], notes: list[str], written: dict[str, str], *, blank: bool) -> None:
    from collections import Counter

    from boundcheck.claims.free_steps import said_of_free_steps
    from boundcheck.support import terminal as show

    if blank:
        show.say()
    for tally in tallies:
        show.say(f"{show.word(tally.word, 9)} {tally.bound.id}: {tally.line()}")
    for tally in tallies:
        if tally.violation is not None:
            show.say()
            for line in failure(tally, tally.violation, written):
                show.say(line)
    for note in [*(f"{t.bound.id}: {said}" for t in tallies for said in said_of_free_steps(t.bound)), *notes]:
        show.say(f"note: {note}")
    counts = Counter(t.word for t in tallies)
    shown = ", ".join(f"{n} {word}" for word, n in counts.items())
    show.say()
    show.say(f"{show.many(len(tallies), 'claim')}: {shown}. HOLDS is about the cells above; it is not a proof.")


def failure(tally: Tally, verdict: Verdict, written: dict[str, str]) -> list[str]:
    """The first cell where a claim fails: k, both sides, and what to do."""
    from boundcheck.suite.own_rules import own_rules
    from boundcheck.suite.tally import place

    cell, moment = verdict.cell, verdict.violation
    lines = [f"{cell.claim} fails {place(cell)} in {cell.arithmetic} ({verdict.grade}):"]
    if moment is not None:
        lines.append(f"  {moment.link or tally.bound.states}")
        lines.append(f"  {moment}")
    if cell.arithmetic == "rational":
        lines.append("  both sides are exact and can be worked out by hand; the cell alone:")
    elif verdict.certified:
        lines.append("  certified by ball arithmetic: each side lies within its +-; the cell alone:")
    else:
        lines.append("  numerical, not a proof: certify it with --arithmetic auto; the cell alone:")
    lines.append(
        f"  boundcheck check {again(cell, written, is_own=cell.method in {rule.name for rule in own_rules(tally.bound)})}"
    )
    if tally.bound.is_refuted:
        lines.append("  this statement is known to be false: `boundcheck explain` shows the reading that the proof supports")
    return lines


def where(verdict: Verdict) -> str:
    """The arithmetic that decided, and what it took: ball:256, tried ball:128 too (3.1 ms)."""
    cost = verdict.cost
    if cost is None:
        return verdict.cell.arithmetic
    others = ", ".join(name for name in cost.tried if name != verdict.cell.arithmetic)
    return f"{verdict.cell.arithmetic}{f', tried {others} too' if others else ''} ({cost.seconds * 1e3:.1f} ms)"


def again(cell: Cell, written: dict[str, str], *, is_own: bool = False) -> str:
    """The arguments that check one cell alone, with names as the user wrote them; `is_own`: by the claim's own rule."""
    from shlex import quote

    from boundcheck.suite.named_grid import NO_STEPS, OWN

    words = [written.get(cell.claim, cell.claim), "--problem", written.get(cell.problem, cell.problem)]
    own = is_own or cell.method.split(",")[0] in (OWN, NO_STEPS)
    words += [] if cell.method == "chords" or own else ["--method", written.get(cell.method, cell.method)]
    words += ["--smoothness", cell.smoothness] if cell.smoothness else []
    return " ".join(quote(word) for word in [*words, "--arithmetic", cell.arithmetic])
