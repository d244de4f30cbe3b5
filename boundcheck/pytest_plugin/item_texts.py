"""What items are called, and what their failures say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from boundcheck.check.assertions import both_sides, table
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.suite.grid import GridCell


def short(bound: Bound) -> str:
    """A claim's name in an item: its label and reading. The file says which paper."""
    return re.sub(r"[\s\[\]]+", "_", f"{bound.label}@{bound.reading}")


def cell_name(where: GridCell) -> str:
    """`huber-rational-polyak(3/2)-M=H`; letters that the method fixes are in its name already."""
    parts = [where.setting.problem.name, where.setting.arithmetic, where.method]
    parts += [f"M={where.question.smoothness}"] if where.question.smoothness else []
    parts += [f"{name}={value}" for name, value in where.question.values]
    return re.sub(r"[\s\[\]]+", "_", "-".join(parts))


def keywords(where: GridCell) -> Iterable[str]:
    """Words for -k, which knows no brackets, `=` or `@`: M_H, gamma_3/2, polyak_3/2."""
    yield from (where.setting.problem.name, where.setting.arithmetic, where.method)
    yield where.method.replace("(", "_").replace(")", "")
    if where.question.smoothness:
        yield f"M_{where.question.smoothness}"
    yield from (f"{name}_{value}" for name, value in where.parameters)


def marks(where: GridCell) -> dict[str, str]:
    """For -m "boundcheck(problem='huber')", which compares whole words."""
    found = {"problem": where.setting.problem.name, "method": where.method, "arithmetic": where.setting.arithmetic}
    return {**found, "M": where.question.smoothness, **dict(where.parameters)}


def place(where: GridCell) -> str:
    letters = [f"M={where.question.smoothness}"] if where.question.smoothness else []
    letters += [f"{name}={value}" for name, value in where.question.values]
    return ", ".join([f"{where.setting.problem.name} [{where.setting.arithmetic}] by {where.method}", *letters])


def command(name: str, where: GridCell) -> str:
    """The command line that tries the same cell."""
    words = ["boundcheck", "check", name, "--problem", where.setting.problem.name]
    words += ["--method", where.method] if where.rule is not None else []
    words += ["--smoothness", where.question.smoothness] if where.question.smoothness else []
    return shlex.join([*words, "--arithmetic", where.setting.arithmetic])


def violated(name: str, where: GridCell, verdict: Verdict) -> str:
    """The text of a failure: the claim, where it fails, both sides there, how to see it again and what to do."""
    bound = where.bound
    rows = [
        ("statement", str(bound.states)),
        ("it says", bound.title),
        ("problem", where.setting.problem.name),
        ("method", where.method),
    ]
    rows += [("M", where.question.smoothness), *where.parameters]
    rows += [
        *both_sides(verdict),
        ("arithmetic", f"{verdict.cell.arithmetic}: {verdict.grade}"),
    ]
    rows += [("notes", "; ".join((*filter(None, [verdict.reason]), *verdict.notes)))]
    rows += [("reproduce", command(name, where)), ("what to do", _advice(where, verdict))]
    return f"{verdict.label}: {bound.id}\n{table(rows)}"


def _advice(where: GridCell, verdict: Verdict) -> str:
    if verdict.certified:
        return "a counterexample: correct the statement; if a paper prints it so, keep it and add refuted_by=Instance(...)"
    return "certify it: run it again with --arithmetic auto"


def why_skipped(verdict: Verdict) -> str:
    nothing = "no k >= 1 was decided" if verdict.outcome is Outcome.UNDECIDED else "the run has no k >= 1 for it"
    return f"{verdict.outcome.name}: {verdict.reason or nothing}"
