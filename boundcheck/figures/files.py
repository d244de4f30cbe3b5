"""The numbers of a figure as CSV."""

from __future__ import annotations

from typing import Any

from boundcheck.figures.frame import Numbers


def as_csv(numbers: Numbers) -> bytes:
    """A row a point, numbers in full: what is read back is what was drawn. Nothing stands where there is no number."""
    names = list(numbers.columns)
    rows = zip(*(numbers.columns[name].tolist() for name in names), strict=True)
    lines = [",".join(names), *(",".join(map(_cell, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else repr(value)
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"\n') else text
