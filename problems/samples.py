"""Tables of samples as text: CSV and LIBSVM files become numbers and labels, or one line says which cell is wrong.

A CSV file holds one sample a line, the cells apart by commas, semicolons or tabs; its first line may name the columns. The label
is the last column unless another is chosen, by its name or by its number, counted from 1. A LIBSVM file has lines such as
`+1 3:0.5 7:-2`: the label, then the features that are not 0, by their number, counted from 1.
"""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boundcheck.support.errors import UserError

Floats = NDArray[np.float64]
MISSING = {"", "?", "na", "n/a", "nan", "null", "none"}
MOST_CELLS = 50_000_000  # of a dense table
_SPARSE = re.compile(r"\S+(\s+\d+:\S+)+\s*")


@dataclass(frozen=True)
class Table:
    """Features as numbers, one row a sample, and labels as written."""

    features: Floats
    labels: tuple[str, ...]
    names: tuple[str, ...]  # of the features: as in the first line, or "column 3"


def read(path: str | Path, *, label: str | int | None = None) -> Table:
    """The table in a CSV or LIBSVM file. Which of the two it is, its first line says."""
    where = str(path)
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise UserError(f"no file {where}; give the path of a CSV or LIBSVM file") from None
    except (IsADirectoryError, PermissionError) as wrong:
        raise UserError(f"{where} cannot be read ({wrong.strerror}); give the path of a CSV or LIBSVM file") from None
    except UnicodeDecodeError:
        raise UserError(f"{where} is not UTF-8 text; save it as a CSV or LIBSVM file in UTF-8") from None
    numbered = [(n, line) for n, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise UserError(f"{where} is empty; needs one sample a line")
    if _SPARSE.fullmatch(numbered[0][1].split("#")[0]):
        if label is not None:
            raise UserError(f"{where} is a LIBSVM file, whose label comes first in each line; leave out label={label!r}")
        return _libsvm(numbered, where)
    return _csv(numbered, where, label)


def _csv(numbered: list[tuple[int, str]], where: str, label: str | int | None) -> Table:
    delimiter = next((mark for mark in (",", ";", "\t") if mark in numbered[0][1]), ",")
    cells = csv.reader((line for _, line in numbered), delimiter=delimiter, skipinitialspace=True)
    rows = [(n, [cell.strip() for cell in row]) for (n, _), row in zip(numbered, cells, strict=False)]
    width = len(rows[0][1])
    if width < 2:
        raise UserError(f"{where} has one column; needs at least one feature and a label, apart by commas")
    for n, row in rows:
        if len(row) != width:
            raise UserError(f"{where}: line {n} has {len(row)} cells and the first has {width}; needs as many in each line")
    first = rows[0][1]
    header = first if not any(_is_number(cell) for cell in first) and _has_numbers(rows[1:]) else None
    column = _label_column(label, header, width, where)
    body = rows[1:] if header else rows
    if not body:
        raise UserError(f"{where} has a first line with names and no samples; needs one sample a line")
    kept = [j for j in range(width) if j != column]
    names = tuple(header[j] if header else f"column {j + 1}" for j in kept)
    missing = [(n, j + 1) for n, row in body for j in range(width) if row[j].lower() in MISSING]
    if missing:
        n, j = missing[0]
        raise UserError(
            f"{where}: found {len(missing)} missing values, the first in line {n}, column {j}; needs a value in every cell: "
            "drop or impute those samples"
        )
    features = np.empty((len(body), len(kept)))
    for i, (n, row) in enumerate(body):
        for k, j in enumerate(kept):
            if not _is_number(row[j]):
                raise UserError(
                    f"{where}: found '{row[j][:30]}' in line {n}, column {j + 1}; needs finite numbers as features: encode the "
                    "column as numbers, drop it, or name the label's column if this is it"
                )
            features[i, k] = float(row[j])
    return Table(features, tuple(row[column] for _, row in body), names)


def _label_column(label: str | int | None, header: list[str] | None, width: int, where: str) -> int:
    """Counted from 0."""
    if label is None:
        return width - 1
    if header and str(label) in header:
        return header.index(str(label))
    if str(label).isdigit() and 1 <= int(label) <= width:
        return int(label) - 1
    there = (
        f"it has columns {', '.join(header[:8])}{', ...' if width > 8 else ''}" if header else "its first line names no columns"
    )
    raise UserError(f"{where} has no column '{label}'; {there}: give a name, or a number from 1 to {width}")


def _libsvm(numbered: list[tuple[int, str]], where: str) -> Table:
    labels, entries, width = [], [], 0
    for i, (n, line) in enumerate((n, line.split("#")[0].split()) for n, line in numbered):
        if not line:
            raise UserError(f"{where}: line {n} has a comment and no sample; needs a label, then NUMBER:VALUE: drop that line")
        labels.append(line[0])
        for word in line[1:]:
            index, colon, number = word.partition(":")
            if not (colon and index.isdigit() and int(index) >= 1 and _is_number(number)):
                raise UserError(f"{where}: found '{word[:30]}' in line {n}; needs NUMBER:VALUE, the numbers counted from 1")
            entries.append((i, int(index) - 1, float(number)))
            width = max(width, int(index))
    if len(labels) * width > MOST_CELLS:
        raise UserError(
            f"{where} has {len(labels)} samples of {width} features; needs at most {MOST_CELLS} cells: use fewer of them"
        )
    features = np.zeros((len(labels), width))
    for i, j, value in entries:
        features[i, j] = value
    return Table(features, tuple(labels), tuple(f"feature {j + 1}" for j in range(width)))


def _has_numbers(rows: list[tuple[int, list[str]]]) -> bool:
    return not rows or any(_is_number(cell) for cell in rows[0][1])


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False
