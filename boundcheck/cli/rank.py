"""`boundcheck rank`: the bounds that apply to a method on a problem, the smallest right side first, and who wins where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from boundcheck.report.ranking import Ranking


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
    from boundcheck.check.precision_ladder import AUTO
    from boundcheck.library.catalogue import NotFound
    from boundcheck.library.references import claims, method, problem
    from boundcheck.report.ranking import ranked, run_data
    from boundcheck.support import terminal as show

    one, rule = problem(problem_name), method(method_name)
    if why := rule.missing(one):
        raise NotFound(why)
    if arithmetic_name != AUTO:
        arithmetic(arithmetic_name)
    if arithmetic_name == "rational" and not one.rational:
        raise NotFound(f"{one.name} cannot be evaluated in exact rationals; use --arithmetic auto or ball:256")
    found = ranked(one, rule, claims(()), k, arithmetic=arithmetic_name, one_step=one_step)
    code = 0 if found else 3
    if as_json:
        show.say_json({**run_data(one, rule, found, k, one_step=one_step), "exit_code": code})
        return code
    show.say(f"{one.name} by {rule.name}: {show.many(len(found), 'ranking')}; each line: right side, left/right, kind, claim")
    for ranking in found:
        show.say()
        for line in _lines(ranking, k, one_step):
            show.say(line)
    return code


def _lines(ranking: Ranking, k: int, one_step: bool) -> list[str]:
    from boundcheck.report.ranking import gain, place, shown

    n, entries = place(ranking, k), shown(ranking, one_step, k)
    left = ranking.left[n] if n < len(ranking.left) else float("nan")
    early = " (the run says nothing beyond)" if n < k else ""
    told = [f"{ranking.quantity}, {ranking.method}, n = {n}{early}: {left:.4g}"]
    for entry in entries:
        kind, grade = "one step" if entry.one_step else entry.kind, "" if entry.certified else "  (numerical)"
        ratio = f"{left / entry.right[n]:.2g}" if entry.right[n] > 0 else ""
        told.append(f"  {entry.right[n]:>11.4g}  {ratio:>8}  {kind:<11}  {entry.name}{grade}")
    spans = ranking.winners()
    if len(spans) > 1:
        told += [f"  smallest for n = {first} to {last}: {entry.name}" for first, last, entry in spans]
    if (part := gain(entries, n)) is not None:
        told.append(f"  the best directional bound is {part:.3g} of the best classical one")
    return told
