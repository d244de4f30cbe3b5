"""The parts of docs/performance.md that are made from kept rows: each stands between two comments that name it.

    <!-- generated:goals --> ... <!-- /generated:goals -->

Nothing is made up: a goal that no row answers says "not measured".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from curves import curves_of, file_name
from goals import GOALS, Goal, number_of
from harness import Measured
from rows import Run

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
OF_ITS_OWN = ("bench_growth", "bench_hardware", "bench_profile")  # scripts whose rows have a place of their own
PART = re.compile(r"(<!-- generated:(\S+) -->\n).*?(<!-- /generated:\2 -->)", re.DOTALL)


def number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def with_spread(m: Measured) -> str:
    unit = {"x": "x", "": ""}.get(m.unit, f" {m.unit}")
    return f"{number(m.value)}{unit}{_spread(m)}"


def bare(m: Measured) -> str:
    """Without its unit, which a heading says."""
    return f"{number(m.value)}{_spread(m)}"


def _spread(m: Measured) -> str:
    """Nothing for what was measured once, or came out the same each time."""
    low, high = number(m.low), number(m.high)
    return f" [{low}, {high}]" if low != high else ""


def verdict(m: Measured) -> str:
    return {None: "-", True: "met", False: "**MISSED**"}[m.met]


def asked(m: Measured) -> str:
    return "-" if m.limit is None else f"at {'least' if m.at_least else 'most'} {number(m.limit)}"


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def heading(*cells: str) -> str:
    return row(*cells) + "|" + "---|" * len(cells) + "\n"


# -- the parts ----------------------------------------------------------------------------------------------------------------


def runs(kept: Sequence[Run]) -> str:
    """When, on what, with which versions; one line where all agree."""
    if not kept:
        return "Nothing was measured.\n"
    alike: dict[str, list[Run]] = {}
    for run in kept:
        versions = ", ".join(f"{name} {v}" for name, v in run.versions.items())
        alike.setdefault(f"{run.date}, {run.cores} cores, {versions}", []).append(run)
    lines = [f"- {how}: {_together(those)}.\n" for how, those in alike.items()]
    busy = [f"{run.script} ({number(run.load)})" for run in kept if run.load is not None and run.load > run.cores]
    lines += [f"- On a machine that was busy, with more to do (the load) than cores: {', '.join(busy)}.\n"] if busy else []
    quick = [run.script for run in kept if run.quick]
    lines += [f"- From a quick run, which shows little: {', '.join(quick)}.\n"] if quick else []
    lines += [f"- **{run.script} failed**: {run.failed}\n" for run in kept if run.failed]
    return "".join(lines)


def _together(those: Sequence[Run]) -> str:
    minutes = sum(run.seconds for run in those) / 60
    return (
        f"{len(those)} scripts, {number(minutes)} minutes" if len(those) > 1 else f"{those[0].script}, {number(minutes)} minutes"
    )


def goals(kept: Sequence[Run]) -> str:
    answers: dict[str, list[tuple[Run, Measured]]] = {goal.number: [] for goal in GOALS}
    for run in kept:
        for m in run.measured:
            if number_of(m.goal) in answers:
                answers[number_of(m.goal)].append((run, m))
    table = heading("", "what", "against", "goal", "measured [low, high]", "", "command")
    return table + "".join(_goal(goal, answers[goal.number]) for goal in GOALS)


def _goal(goal: Goal, answers: Sequence[tuple[Run, Measured]]) -> str:
    lines = [(goal.number, goal.what, goal.baseline, goal.asked)]
    if not answers:
        return row(*lines[0], "not measured", "-", "-")
    found = row(*lines[0], "", "", "") if len(answers) > 1 or goal.parts > 1 else ""
    for run, m in answers:
        head = ("", m.what, "", asked(m)) if found else lines[0]
        found += row(*head, with_spread(m), verdict(m), f"`{run.command}`")
    if len(answers) < goal.parts:
        found += row("", f"{goal.parts - len(answers)} more of its {goal.parts} parts", "", "", "not measured", "-", "-")
    return found


def rest(kept: Sequence[Run]) -> str:
    """What answers no goal, script by script."""
    found = ""
    for run in kept:
        those = [m for m in run.measured if not number_of(m.goal) and not m.curve]
        if those and run.script not in OF_ITS_OWN:
            found += f"\n`{run.command}`\n\n" + plain(those)
    return found or "\nNothing was measured.\n"


def plain(those: Sequence[Measured]) -> str:
    limited = any(m.limit is not None for m in those)
    table = heading("what", "measured [low, high]", *(("asked", "") if limited else ()))
    return table + "".join(row(m.what, with_spread(m), *((asked(m), verdict(m)) if limited else ())) for m in those)


def hardware(kept: Sequence[Run]) -> str:
    return "\n" + next((plain(r.measured) for r in kept if r.script == "bench_hardware" and r.measured), "Not measured.\n")


def profile(kept: Sequence[Run]) -> str:
    """Shares as a table of rooms against works, the largest shares first; then what is no share."""
    told = [m for run in kept if run.script == "bench_profile" for m in run.measured]
    shares: dict[str, dict[str, Measured]] = {}
    works: dict[str, None] = {}
    for m in told:
        if m.unit == "%":
            work, _, room = m.what.partition(": ")
            shares.setdefault(room, {})[work] = m
            works[work] = None
    found = "\n" + heading("% of the time in", *works) if shares else ""
    for room in sorted(shares, key=lambda r: -max(m.value for m in shares[r].values())):
        found += row(room, *(bare(shares[room][work]) if work in shares[room] else "-" for work in works))
    others = [m for m in told if m.unit != "%"]
    return found + ("\n" + plain(others) if others else "") or "\nNot measured.\n"


def growth(kept: Sequence[Run]) -> str:
    """Each curve, drawn and as a table, then the exponents."""
    found = ""
    for curve, series in curves_of(kept).items():
        found += f"\n![Time and peak memory against the {curve}](figures/{file_name(curve)})\n"
        places = sorted({at for points in series.values() for at in points})
        found += "\n" + heading(curve, *(number(at) for at in places))
        for (what, unit), points in series.items():
            found += row(f"{what}, {unit}", *(bare(points[at]) if at in points else "-" for at in places))
    rates = [m for run in kept if run.script == "bench_growth" for m in run.measured if not m.curve]
    return found + ("\n" + plain(rates) if rates else "") or "\nNot measured.\n"


PARTS: dict[str, Callable[[Sequence[Run]], str]] = {
    "runs": runs,
    "goals": goals,
    "rest": rest,
    "growth": growth,
    "hardware": hardware,
    "profile": profile,
}


def page(text: str, kept: Sequence[Run]) -> str:
    """The page with every generated part made anew."""
    unknown = sorted({found[2] for found in PART.finditer(text)} - PARTS.keys())
    if unknown:
        raise ValueError(f"the page asks for a part '{unknown[0]}'; there are {', '.join(PARTS)}")
    return PART.sub(lambda found: found[1] + PARTS[found[2]](kept) + found[3], text)
