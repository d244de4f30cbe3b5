"""`boundcheck rank`: the bounds that apply to a method on a problem, the smallest right side first, and who wins where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boundcheck.report.ranking import Entry, Ranking

KINDS = ("directional", "classical")


@click.command()
@click.option("--problem", "problem_name", required=True, metavar="P", help="A problem's name, or FILE.py:NAME.")
@click.option("--method", "method_name", required=True, metavar="R", help="A step-size rule's name, or FILE.py:NAME.")
@click.option("--k", "k", type=click.IntRange(min=1), default=100, show_default=True, help="Where the bounds are compared.")
@click.option("--one-step", is_flag=True, help="Show the claims about one step too: they need to know the point before.")
@click.option("--arithmetic", "arithmetic_name", metavar="A", default="auto", show_default=True, help="auto, float64, mp:50, ...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every quantity, with every claim about it.")
def rank(problem_name: str, method_name: str, k: int, one_step: bool, arithmetic_name: str, as_json: bool) -> int:
    """Compare all claims that bound the same quantity on one run: whose right side is smallest at k, and who wins where.

    Claims that are false, and steps of proofs, are left out. A claim counts where its hypotheses and itself are seen to hold.
    Exit 0: done. 2: bad input. 3: no quantity is bounded by two claims there.
    """
    from boundcheck.arithmetic import arithmetic
    from boundcheck.cli import show
    from boundcheck.cli.given import claims, method, problem
    from boundcheck.ladder import AUTO
    from boundcheck.registry import NotFound
    from boundcheck.report.ranking import rank as ranked

    one, rule = problem(problem_name), method(method_name)
    if why := rule.missing(one):
        raise NotFound(why)
    if arithmetic_name != AUTO:
        arithmetic(arithmetic_name)
    if arithmetic_name == "rational" and not one.rational:
        raise NotFound(f"{one.name} cannot be evaluated in exact rationals; use --arithmetic auto or ball:256")
    found = [r for r in ranked(one, rule, claims(()), steps=k, arithmetic=arithmetic_name) if one_step or shown(r, False)]
    code = 0 if found else 3
    if as_json:
        rankings = [_json(ranking, k, one_step) for ranking in found]
        show.say_json({"problem": one.name, "method": rule.name, "k": k, "rankings": rankings, "exit_code": code})
        return code
    show.say(f"{one.name} by {rule.name}: {show.many(len(found), 'ranking')}; each line: right side, left/right, kind, claim")
    for ranking in found:
        show.say()
        for line in _lines(ranking, k, one_step):
            show.say(line)
    return code


def place(ranking: Ranking, k: int) -> int:
    """The last n up to k at which some claim says something."""
    return min(k, ranking.last())


def shown(ranking: Ranking, one_step: bool, k: int = 10**9) -> list[Entry]:
    return [entry for entry in ranking.at(place(ranking, k)) if one_step or not entry.one_step]


def _lines(ranking: Ranking, k: int, one_step: bool) -> list[str]:
    n, entries = place(ranking, k), shown(ranking, one_step, k)
    left = ranking.left[n] if n < len(ranking.left) else float("nan")
    told = [f"{ranking.quantity}, {ranking.method}, n = {n}: {left:.4g}"]
    for entry in entries:
        kind, grade = "one step" if entry.one_step else entry.kind, "" if entry.certified else "  (numerical)"
        ratio = f"{left / entry.right[n]:.2g}" if entry.right[n] > 0 else ""
        told.append(f"  {entry.right[n]:>11.4g}  {ratio:>8}  {kind:<11}  {entry.name}{grade}")
    spans = ranking.winners()
    if len(spans) > 1:
        told += [f"  smallest for n = {first} to {last}: {entry.name}" for first, last, entry in spans]
    if (gain := _gain(entries, n)) is not None:
        told.append(f"  the best directional bound is {gain:.3g} of the best classical one")
    return told


def _gain(entries: list[Entry], n: int) -> float | None:
    """The smallest directional right side over the smallest classical one."""
    best = {kind: min((e.right[n] for e in entries if e.kind == kind and not e.one_step), default=None) for kind in KINDS}
    ours, theirs = (best[kind] for kind in KINDS)
    return None if ours is None or theirs is None or theirs <= 0 else float(ours / theirs)


def _json(ranking: Ranking, k: int, one_step: bool) -> dict[str, Any]:
    n, entries = place(ranking, k), shown(ranking, one_step, k)
    return {
        "quantity": ranking.quantity,
        "run": ranking.method,
        "n": n,
        "left": _finite(ranking.left[n]) if n < len(ranking.left) else None,
        "bounds": [{**_of(entry), "right": float(entry.right[n]), "certified": entry.certified} for entry in entries],
        "winners": [{"from": first, "to": last, **_of(entry)} for first, last, entry in ranking.winners()],
        "directional_over_classical": _gain(entries, n),
    }


def _of(entry: Entry) -> dict[str, Any]:
    return {
        "claim": entry.claim,
        "smoothness": entry.cell.smoothness or None,
        "parameters": dict(entry.cell.parameters),
        "kind": entry.kind,
        "one_step": entry.one_step,
    }


def _finite(value: float) -> float | None:
    return float(value) if abs(value) < float("inf") else None
