"""A recorded run as a Parquet file and back, bit for bit: one row a point, and what is known of the function beside it."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import fields, replace
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.model.problem import Fact, Problem
from boundcheck.runs.recorded.minimum import NAMES
from boundcheck.runs.recorded.recording import Floats, NotARun, Recorded, record
from boundcheck.support.atomic_files import AtomicFiles, is_whole, seal, sealed
from boundcheck.support.errors import error_words, extra

KEY, FORMAT = b"boundcheck", 2
WORDS = ("name", "by", "method", "precision", "doubt", "ended")


def _pyarrow(part: str = "pyarrow") -> Any:
    return extra(part, what="a Parquet file", extra="report")


def write(run: Recorded, path: str | Path) -> None:
    pa, parquet = _pyarrow(), _pyarrow("pyarrow.parquet")
    columns: dict[str, Any] = {"f": pa.array(run.f)}
    for name, array in (("x", run.x), ("grad", run.grad)):
        if array is not None:
            columns[name] = pa.FixedSizeListArray.from_arrays(pa.array(array.reshape(-1)), array.shape[1])
    if run.eta is not None:
        columns["eta"] = pa.array([*run.eta.tolist(), None], type=pa.float64())
    bare = pa.table(columns)
    table = bare.replace_schema_metadata({KEY: json.dumps(sealed({**_about(run), "arrays": _arrays(bare)})).encode()})
    try:
        if not Path(path).parent.is_dir():
            raise NotADirectoryError
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with AtomicFiles() as files:
            parquet.write_table(table, files.place(Path(path)))
    except OSError as wrong:
        why = f"{Path(path).parent} is no directory" if not Path(path).parent.is_dir() else wrong.strerror or wrong
        raise NotARun(f"{path} cannot be written: {why}; give a path in a directory where files can be written") from None


def read(path: str | Path, problem: Problem | None = None) -> Recorded:
    _pyarrow()
    parquet = _pyarrow("pyarrow.parquet")
    try:
        table = parquet.read_table(path)
        about = json.loads((table.schema.metadata or {})[KEY])
    except FileNotFoundError:
        raise NotARun(f"no file {path}; give the path of a Parquet file") from None
    except KeyError:
        raise NotARun(
            f"{path} holds no run: needs a file that Trace.to_parquet wrote (else read it, and use from_arrays)"
        ) from None
    except Exception as wrong:
        raise NotARun(f"{path} cannot be read as Parquet: {wrong}".splitlines()[0]) from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        found = about.get("format") if isinstance(about, dict) else about
        raise NotARun(f"{path} is of format {found!r:.40}; this version reads {FORMAT}: write it again with Trace.to_parquet")
    if is_whole(about) is not True or about.get("arrays") != _arrays(table):
        raise NotARun(f"{path} is damaged: it is not what Trace.to_parquet wrote; bring back a copy, or record the run again")
    try:
        _refuse_words(about)
        return _read(path, table, about, problem)
    except NotARun:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, ZeroDivisionError) as wrong:
        raise NotARun(
            f"{path} holds no run that can be read ({error_words(wrong)}); write it again with Trace.to_parquet"
        ) from None


def _read(path: str | Path, table: Any, about: dict[str, Any], problem: Problem | None) -> Recorded:
    if problem is not None and problem.name != about["problem"] and about["problem"]:
        raise NotARun(f"{path} was recorded on {about['problem']}; found problem={problem.name}")
    known: dict[str, Any] = {name: about[name] for name in WORDS if name != "ended"}
    if problem is None:
        star, least = about["x_star"], about["f_star"]
        known["x_star"] = None if star is None else np.array([float.fromhex(value) for value in star])
        known["f_star"] = None if least is None else float.fromhex(least)
    made = record(
        x=_points(table, "x"),
        f=table["f"].to_numpy(),
        grad=_points(table, "grad"),
        eta=np.array(table["eta"].to_pylist()[:-1], dtype=np.float64) if "eta" in table.column_names else None,
        facts=[_fact(fact) for fact in about["facts"]],
        problem=problem,
        relative_error=float.fromhex(about["relative_error"]),
        notes=tuple(about["notes"]),
        **known,
    )
    return _as_it_was(made, about)


def _refuse_words(about: dict[str, Any]) -> None:
    """What would be stumbled over only later: words that are none."""
    words = [*(about[name] for name in WORDS if name != "doubt"), *about["notes"], *about["estimated"]]
    if not all(isinstance(word, str) for word in words) or not isinstance(about["best"], int | None):
        raise TypeError("a number or nothing stands where a word belongs")
    if not isinstance(about["estimated"], list) or not set(about["estimated"]) <= NAMES.keys():
        raise ValueError(f"estimated is {about['estimated']!r:.40}; only {' and '.join(NAMES)} can be estimated")


def _arrays(table: Any) -> str:
    """A checksum of the columns: names, kinds and every bit."""
    return seal(*(part for name in table.column_names for part in _bits(table, name)))


def _bits(table: Any, name: str) -> tuple[Any, ...]:
    column = table[name].combine_chunks()
    flat = column.flatten() if hasattr(column, "flatten") else column
    numbers = np.ascontiguousarray(flat.to_numpy(zero_copy_only=False))
    bits = numbers.tobytes() if numbers.dtype != object else str(numbers)
    return name, str(numbers.dtype), len(column), column.null_count, bits


def _as_it_was(made: Recorded, about: dict[str, Any]) -> Recorded:
    return replace(
        made, estimated=tuple(about["estimated"]), best=about["best"], ended=about["ended"], notes=tuple(about["notes"])
    )


def _about(run: Recorded) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": version("boundcheck"),
        "problem": run.problem.name if run.problem is not None else "",
        "facts": sorted((_fact_json(fact) for fact in run.facts), key=str),
        "x_star": None if run.x_star is None else [value.hex() for value in run.x_star.tolist()],
        "f_star": None if run.f_star is None else float(run.f_star).hex(),
        "relative_error": float(run.relative_error).hex(),
        "estimated": list(run.estimated),
        "best": run.best,
        "notes": list(run.notes),
        **{name: getattr(run, name) for name in WORDS},
    }


def _fact_json(fact: Fact) -> dict[str, str]:
    return {"fact": type(fact).__name__, **{f.name: str(Fraction(getattr(fact, f.name))) for f in fields(fact)}}


def _fact(data: dict[str, str]) -> Fact:
    kind = {kind.__name__: kind for kind in Fact.__subclasses__()}.get(data["fact"])
    if kind is None:
        raise NotARun(f"the file declares '{data['fact']}', which is no fact that this version knows")
    return kind(**{name: Fraction(value) for name, value in data.items() if name != "fact"})


def _points(table: Any, name: str) -> Floats | None:
    if name not in table.column_names:
        return None
    column = table[name].combine_chunks()
    found: Floats = column.flatten().to_numpy().reshape(len(column), -1)
    return found
