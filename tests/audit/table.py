"""The table of docs/audit-rules.md: every rule of rules_right and rules_wrong, and what an audit says of it.

`python -m tests.audit.table` audits them all and writes the page; `--battery` on the whole battery, which takes longer; names
after it audit these only and print their rows.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boundcheck.audit.audit import Audit, audit

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "audit-rules.md"
FOLDERS = {"rules_right": "Right:", "rules_wrong": "Fault:"}
AMONG = ("isotropic-4d", "quadratic-3d", "ill-conditioned-2d", "logistic-40x5", "smooth-abs", "huber", "ridge-2d", "quartic")
SLANDER = ("WRONG", "FAULTY", "VIOLATED", "NOT DETERMINISTIC")
FOUND = (*SLANDER, "DIVERGES", "LOOKS LIKE")
MISSED_AT_MOST = 5
WHY_MISSED = {
    "wrong_point": "it declares an inequality only, and its steps, found along another gradient, are short enough to satisfy it.",
}


@dataclass(frozen=True)
class Case:
    """A rule of the collection: where it is, and what its author says of it."""

    folder: str
    file: str
    name: str
    rule: Any
    note: str

    @property
    def id(self) -> str:
        return f"{self.folder}/{self.file}.py:{self.name}"

    @property
    def is_right(self) -> bool:
        return self.folder == "rules_right"


@dataclass(frozen=True)
class Row:
    """What an audit says of a rule."""

    case: Case
    word: str
    verdict: str

    @property
    def is_just(self) -> bool:
        """A right rule is not called wrong; a wrong one is not let go."""
        return self.word not in SLANDER if self.case.is_right else self.word in FOUND


def cases() -> Iterator[Case]:
    """All rules: what has a docstring that says why it is right, or what its fault is."""
    for folder, mark in FOLDERS.items():
        for path in sorted((HERE / folder).glob("*.py")):
            module = importlib.import_module(f"tests.audit.{folder}.{path.stem}")
            for name, value in vars(module).items():
                note = (getattr(value, "__doc__", None) or "").strip()
                if getattr(value, "__module__", "") == module.__name__ and note.startswith(mark):
                    yield Case(folder, path.stem, name, value, note.removeprefix(mark).strip())


def judged(case: Case, among: tuple[str, ...] | None = AMONG, steps: int = 100) -> Row:
    found: Audit = audit(case.rule, among, steps=steps, quick=True)
    return Row(case, found.word, found.verdict)


def page(rows: list[Row], where: str) -> str:
    """The page as Markdown."""
    right, wrong = ([row for row in rows if row.case.is_right is side] for side in (True, False))
    missed = [row for row in wrong if not row.is_just]
    slandered = [row for row in right if not row.is_just]
    lines = [
        "# Rules that the audit was tried on",
        "",
        f"Made by `python -m tests.audit.table`: {len(right)} right rules and {len(wrong)} wrong ones of",
        f"[tests/audit](../tests/audit), each audited on {where} (diagnosis only, 100 steps).",
        "The rules were written before the audit was mended to judge them; a second lot, `later.py`, after that. Of these twenty",
        "the audit misjudged one at first, a line search by values of f alone, and was mended for it.",
        "",
        f"Right rules that are called wrong: **{len(slandered)}**. Wrong rules that are missed: **{len(missed)}**.",
        "DIVERGES is no slander: it says where f went, and that is so.",
        "",
    ]
    for title, some in (("Right rules", right), ("Wrong rules", wrong)):
        lines += [f"## {title}", "", "| rule | what its author says | what the audit says |", "|---|---|---|"]
        lines += [f"| `{row.case.file}.{row.case.name}` | {_cell(row.case.note)} | {_cell(_short(row))} |" for row in some]
        lines.append("")
    lines += ["## Missed", "", *(f"- `{row.case.name}`: {WHY_MISSED.get(row.case.name, '')}" for row in missed), ""]
    return "\n".join(lines)


def _short(row: Row) -> str:
    said = row.verdict if len(row.verdict) <= 200 else row.verdict[:197] + "..."
    return said if row.is_just else f"**{'slander' if row.case.is_right else 'missed'}** {said}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*").replace("\\*\\*", "**")


def main(arguments: list[str]) -> int:
    whole = "--battery" in arguments
    names = [one for one in arguments if not one.startswith("--")]
    rows = []
    for case in cases():
        if not names or any(name in case.id for name in names):
            rows.append(judged(case, None if whole else AMONG))
            print(f"{'' if rows[-1].is_just else 'UNJUST '}{case.id} | {rows[-1].verdict}", flush=True)
    if not names and not whole:
        PAGE.write_text(page(rows, ", ".join(AMONG)), encoding="utf-8")
    return 0 if all(row.is_just for row in rows if row.case.is_right) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
