"""`boundcheck steps`: the steps that rules take, beside the smoothness that they meet: eta_k, M(x_k, x_{k+1}), eta_k M."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boundcheck.suite.step_measures import Measured

ALL_ROWS, SOME_ROWS = 12, 10


@click.command()
@click.option("--problem", "problem_name", required=True, metavar="P", help="A problem's name, or FILE.py:NAME.")
@click.option(
    "--method",
    "method_names",
    multiple=True,
    metavar="R",
    help="A step-size rule's name, or FILE.py:NAME. May be repeated. [default: those that the library names for this]",
)
@click.option("--smoothness", metavar="M", help="What M is: a name such as D or L, or FILE.py:NAME. [default: D]")
@click.option("--steps", type=click.IntRange(min=1), default=30, show_default=True, help="Length of the runs.")
@click.option("--arithmetic", "arithmetic_name", metavar="A", default="float64", show_default=True, help="mp:50, rational, ...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every step of every rule.")
def steps(
    problem_name: str, method_names: tuple[str, ...], smoothness: str | None, steps: int, arithmetic_name: str, as_json: bool
) -> int:
    """Run gradient descent with each rule, print eta*M along the way, and say which rule is adapted and strongly adapted.

    Strongly adapted is eta_k = 1 / M(x_{k+1}, x_k); adapted is eta_k < 2 / M(x_k, x_{k+1}).
    Exit 0: done. 2: bad input.
    """
    from boundcheck.library.catalogue import NotFound
    from boundcheck.library.declarations import chord_quantities, measured_rules
    from boundcheck.library.references import method, problem, smoothness_of
    from boundcheck.suite.step_measures import measure
    from boundcheck.support import terminal as show

    one = problem(problem_name)
    rules = [method(name) for name in method_names or measured_rules()]
    if not method_names:
        rules = [rule for rule in rules if not rule.missing(one)]
    if arithmetic_name == "rational" and not one.rational:
        raise NotFound(f"{one.name} cannot be evaluated in exact rationals; use --arithmetic ball:256")
    chosen = smoothness_of(smoothness or next(iter(chord_quantities()), "L"))
    found = [measure(one, rule, chosen, steps, arithmetic_name) for rule in rules]
    if as_json:
        show.say_json(
            {
                "problem": one.name,
                "smoothness": chosen if isinstance(chosen, str) else chosen.name,
                "arithmetic": arithmetic_name,
                "rules": [measured.to_json() for measured in found],
                "exit_code": 0,
            }
        )
        return 0
    for measured in found:
        _table(measured)
    for measured in found:
        show.say(measured.line())
    return 0


def _table(measured: Measured) -> None:
    """Every step where they are few, else some: the first ones, and then evenly spread up to the last."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    M = measured.smoothness
    table = Table("k", "eta_k", f"{M}(x_k, x_k+1)", f"eta_k*{M}", title=measured.rule, title_justify="left", box=box.SIMPLE)
    for column in table.columns:
        column.justify, column.no_wrap = "right", True
    for k in rows_to_show(len(measured.rows)):
        row = measured.rows[k]
        table.add_row(str(k), row.eta, row.M, row.eta_M)
    if measured.rows:
        Console(highlight=False).print(table)


def rows_to_show(count: int) -> list[int]:
    if count <= ALL_ROWS:
        return list(range(count))
    last: Any = SOME_ROWS - 1
    return sorted({round(n * (count - 1) / last) for n in range(SOME_ROWS)} | {1, 2})
