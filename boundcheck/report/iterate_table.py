"""The table with a row for each k of each cell: as CSV and as Parquet, in one pass, a batch at a time."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.check.verdict import Cell, Outcome, Verdict
from boundcheck.report.slack import ratio

# of a cell, and of each k of it
CELL = ("claim", "reading", "problem", "method", "M", "parameters", "run", "seed", "tried", "precision")
AT_K = ("k", "lhs", "rhs", "ratio", "verdict", "certified", "hypothesis_residual", "link")
NUMBERED = ("run", "seed")  # columns of a cell that are numbers
BATCH = 100_000  # rows that are held at a time
FAST = 4  # of gzip: a tenth larger than its best, for a third of the time
NAMES = np.array([outcome.name for outcome in Outcome], dtype=object)


def cell_columns(kind: str, cell: Cell) -> dict[str, Any]:
    """Return where a claim was tried, and as what kind of work."""
    return {
        "claim": cell.claim,
        "reading": cell.claim.rpartition("@")[2],
        "problem": cell.problem,
        "method": cell.method,
        "M": cell.smoothness,
        "parameters": ", ".join(f"{name}={value}" for name, value in cell.parameters),
        "run": cell.run,
        "seed": 0,  # the problem's own start; a sweep says another
        "tried": kind,
        "precision": cell.arithmetic,
    }


def iterates(kind: str, verdict: Verdict) -> dict[str, Any]:
    """Return the columns of one cell: those of CELL are one value each, those of AT_K arrays."""
    outcomes = verdict.outcomes
    lhs, rhs, link = _sides(verdict)
    decided = (outcomes == Outcome.HOLDS) | (outcomes == Outcome.VIOLATED)
    residual = np.full(len(outcomes), np.nan) if verdict.residual is None else verdict.residual
    return {
        **cell_columns(kind, verdict.cell),
        "k": np.arange(verdict.first_k, verdict.first_k + len(outcomes)),
        "lhs": lhs,
        "rhs": rhs,
        "ratio": ratio(lhs, rhs),
        "verdict": outcomes,
        "certified": decided & verdict.certified,
        "hypothesis_residual": residual,
        "link": link,
    }


def _sides(verdict: Verdict) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Return both sides at each k.

    Of a chain, of the link that is nearest to failing there, and its number from 1 (0: no chain).
    """
    none = np.zeros(len(verdict.outcomes), dtype=np.int64)
    if verdict.left is None or verdict.right is None:
        nothing = np.full(len(verdict.outcomes), np.nan)
        return nothing, nothing, none
    if verdict.links is None:
        return verdict.left, verdict.right, none
    left, right = verdict.links[:, 0], verdict.links[:, 1]
    with np.errstate(all="ignore"):
        over = (left - right) / np.maximum(np.abs(left), np.abs(right))
    nearest = np.where(np.isnan(over), -np.inf, over).argmax(0)
    at = np.arange(len(nearest))
    return left[nearest, at], right[nearest, at], nearest + 1


def write_iterates(cells: Iterable[tuple[str, Verdict]], csv_path: Path, parquet_path: Path | None) -> int:
    """Return both files in one pass; returns the number of rows."""
    rows = 0
    with ExitStack() as stack:
        packed = stack.enter_context(gzip.GzipFile("", "wb", FAST, stack.enter_context(csv_path.open("wb")), mtime=0))
        text = stack.enter_context(TextIOWrapper(packed, encoding="utf-8", newline=""))
        text.write(",".join((*CELL, *AT_K)) + "\n")
        parquet = stack.enter_context(ParquetIterates(parquet_path)) if parquet_path is not None else None
        for batch in batches((kind, verdict, {}) for kind, verdict in cells):
            for columns in batch:
                text.write(_lines(columns))
                rows += len(columns["k"])
            if parquet is not None:
                parquet.add(batch)
    return rows


def batches(cells: Iterable[tuple[str, Verdict, Mapping[str, Any]]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the columns of cells, each with what else is to be said of it, as many at a time as are held."""
    batch: list[dict[str, Any]] = []
    held = 0
    for kind, verdict, more in cells:
        if len(verdict.outcomes):
            batch.append({**iterates(kind, verdict), **more})
            held += len(verdict.outcomes)
        if held >= BATCH:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _lines(columns: Mapping[str, Any]) -> str:
    first = ",".join(_quoted(str(columns[name])) for name in CELL)
    numbers = [map(_number, columns[name].tolist()) for name in ("lhs", "rhs", "ratio", "hypothesis_residual")]
    words = NAMES[columns["verdict"]].tolist()
    rest = zip(columns["k"].tolist(), *numbers, words, columns["certified"].tolist(), columns["link"].tolist(), strict=True)
    return "".join(
        f"{first},{k},{a},{b},{r},{word},{sure},{slack},{link or ''}\n" for k, a, b, r, slack, word, sure, link in rest
    )


def _number(value: float) -> str:
    """Return every digit; nothing for nan."""
    return "" if value != value else repr(value)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n') else text


class ParquetIterates:
    """Row groups of batches; words are kept once in each. `cell` are the columns that are one value for a cell."""

    def __init__(self, path: Path, cell: Sequence[str] = CELL) -> None:
        import pyarrow
        import pyarrow.parquet

        self.arrow = pyarrow
        word = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
        self.cell = cell
        types = {name: word for name in (*cell, "verdict")}
        types |= {name: pyarrow.int64() for name in (*NUMBERED, "k", "link")} | {"certified": pyarrow.bool_()}
        fields = [(name, types.get(name, pyarrow.float64())) for name in (*cell, *AT_K)]
        self.schema = pyarrow.schema(fields)
        self.writer = pyarrow.parquet.ParquetWriter(path, self.schema, compression="zstd")

    def __enter__(self) -> ParquetIterates:
        return self

    def __exit__(self, *wrong: object) -> None:
        self.writer.close()

    def add(self, batch: Sequence[Mapping[str, Any]]) -> None:
        lengths = [len(columns["k"]) for columns in batch]
        made = []
        for field in self.schema:
            values = [columns[field.name] for columns in batch]
            if field.name == "verdict":
                made.append(self._words(np.concatenate(values).astype(np.int32), NAMES.tolist()))
            elif field.name in self.cell and field.name not in NUMBERED:
                words = list(dict.fromkeys(values))
                code = {word: n for n, word in enumerate(words)}
                made.append(self._words(np.repeat(np.array([code[v] for v in values], dtype=np.int32), lengths), words))
            else:
                numbers = np.repeat(values, lengths) if field.name in NUMBERED else np.concatenate(values)
                made.append(self.arrow.array(numbers, type=field.type))
        self.writer.write_table(self.arrow.Table.from_arrays(made, schema=self.schema))

    def _words(self, codes: NDArray[np.int32], words: Sequence[str]) -> Any:
        return self.arrow.DictionaryArray.from_arrays(self.arrow.array(codes), self.arrow.array(words))
