"""Broken inputs by the hundred: how each command ends. A traceback, a bug of ours or a hang is a failure, with its seed."""

from __future__ import annotations

import contextlib
import io
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from boundcheck.cli import cli
from boundcheck.support.errors import UserError

from .inputs import Inputs

HANG = 30  # seconds
MEMORY = 8 << 30


class Hangs(BaseException):
    """The command took too long."""


@dataclass
class Row:
    """What became of the inputs of one kind."""

    tried: int = 0
    exits: Counter[str] = field(default_factory=Counter)
    unexpected: int = 0
    tracebacks: int = 0
    hangs: int = 0


@dataclass
class Found:
    """The table, and each failure: its seed, and what was said."""

    rows: dict[str, Row]
    failures: list[str] = field(default_factory=list)

    def table(self) -> str:
        head = "| kind | tried | exits | unexpected | tracebacks | longer than 30 s |\n|---|---|---|---|---|---|"
        lines = [
            f"| {kind} | {row.tried} | {' '.join(f'{code}: {n}' for code, n in sorted(row.exits.items()))} "
            f"| {row.unexpected} | {row.tracebacks} | {row.hangs} |"
            for kind, row in self.rows.items()
        ]
        return "\n".join([head, *lines])


def fuzz(count: int, seed: int, *, kinds: tuple[str, ...] = ()) -> Found:
    """So many inputs, shared among the kinds by their weights. Input n of a kind is made from the seed, the kind and n alone."""
    with tempfile.TemporaryDirectory() as folder, _little_memory(), contextlib.chdir(folder):
        inputs = Inputs(Path(folder))
        chosen = {kind: weight for kind, (weight, _) in inputs.kinds.items() if not kinds or kind in kinds}
        found = Found({kind: Row() for kind in chosen})
        for kind, weight in chosen.items():
            for n in range(max(1, round(count * weight / sum(chosen.values())))):
                _try(inputs, kind, f"{seed} {kind} {n}", found)
    return found


def _try(inputs: Inputs, kind: str, seed: str, found: Found) -> None:
    row, r = found.rows[kind], random.Random(seed)
    row.tried += 1
    what = inputs.one(kind, r)
    try:
        with _alarm(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code, said = _called(what) if callable(what) else _run(what)
    except Hangs:
        row.hangs += 1
        found.failures.append(f"{seed}: {what}: took longer than {HANG} s")
        return
    row.exits[str(code)] += 1
    unexpected = code not in (0, 1, 2, 3) or "boundcheck: unexpected " in said
    broken = "Traceback (most recent call last)" in said
    row.unexpected += unexpected
    row.tracebacks += broken
    if unexpected or broken:
        found.failures.append(f"{seed}: {what if isinstance(what, tuple) else 'a call'}: exit {code}: {said[-1500:]}")


def _run(words: tuple[str, ...]) -> tuple[int, str]:
    done = CliRunner().invoke(cli, list(words), prog_name="boundcheck")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        if isinstance(done.exception, Hangs):
            raise done.exception
        return 99, "".join(traceback.format_exception(done.exception))
    return done.exit_code, done.stderr


def _called(function: Any) -> tuple[int, str]:
    """A function of the API: bad input is a UserError in one line."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            function()
    except UserError as wrong:
        return 2, str(wrong)
    except Exception as wrong:
        return 70, "".join(traceback.format_exception(wrong))
    return 0, ""


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    def ring(number: int, frame: Any) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(HANG)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _little_memory() -> Iterator[None]:
    """An input that asks for too much is a failure, not the end of the machine."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def main(words: list[str]) -> int:
    import argparse

    parser = argparse.ArgumentParser(prog="python -m tests.reliability", description=__doc__)
    parser.add_argument("--inputs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", default=[])
    given = parser.parse_args(words)
    started = time.monotonic()
    found = fuzz(given.inputs, given.seed, kinds=tuple(given.kind))
    print(found.table())
    print(f"\nseed {given.seed}, {sum(row.tried for row in found.rows.values())} inputs, {time.monotonic() - started:.0f} s")
    for failure in found.failures:
        print(f"\n{failure}", file=sys.stderr)
    return 1 if found.failures else 0
