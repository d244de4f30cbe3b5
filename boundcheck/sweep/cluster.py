"""A sweep on a Dask cluster: works go out in batches as data, and come back as verdicts. Workers may die and join.

A worker makes the plan from the brief that it is sent, once, and does the works that it is asked for. Its numbers have one
precision at a time for the whole process (python-flint), so works in threads of one process wait for each other: a cluster has
one thread for each process.
"""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any

from boundcheck.library.catalogue import NotFound
from boundcheck.report.provenance import code_hash, versions
from boundcheck.support.errors import UserError, extra
from boundcheck.support.processes import Died, TimeUp
from boundcheck.support.processes.time_limit import interrupted_after
from boundcheck.support.processes.workers import TICK, Ended, Failed, Wait
from boundcheck.sweep.dispatcher import Chunk
from boundcheck.sweep.plan import SweepPlan, beside, shipped
from boundcheck.sweep.spec import Sweep
from boundcheck.sweep.task import BROKEN, Done, Wanted, broken, each, too_long

_alone = Lock()


@dataclass(frozen=True)
class Brief:
    """A sweep as data: its words, the files that it names, and which code and libraries it is of."""

    spec: tuple[tuple[str, Any], ...]
    files: tuple[tuple[str, bytes], ...]
    code: str
    versions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Refused:
    """A worker that would come to other results."""

    why: str


def brief(plan: SweepPlan, folder: Path) -> Brief:
    spec, files = shipped(beside(plan.spec, folder))
    same = plan.same
    return Brief(tuple(spec.to_json().items()), tuple(files.items()), same["code"], tuple(same["versions"].items()))


def work(sent: Brief, wanted: Sequence[Wanted]) -> list[Done] | Refused:
    """On a worker: what came of these works."""
    with _alone:
        if why := _other(sent.code, sent.versions):
            return Refused(why)
        plan = _made(sent)[0]
        return [_limited(plan, one, plan.spec.time_limit) for one in wanted]


def _limited(plan: SweepPlan, wanted: Wanted, seconds: float) -> Done:
    """A work that is interrupted after so many seconds, when it next comes to a line of Python."""
    try:
        with interrupted_after(seconds):
            return next(each(plan, [wanted]))
    except TimeUp:
        return Done(wanted[0], failed={BROKEN: broken(plan.units[wanted[0]], too_long(seconds))}, seconds=seconds)


@lru_cache(maxsize=2)
def _made(sent: Brief) -> tuple[SweepPlan, tempfile.TemporaryDirectory[str]]:
    """The plan, and the folder with its files: errors name their lines as long as they are there."""
    folder = tempfile.TemporaryDirectory(prefix="boundcheck-sweep-")
    for name, content in sent.files:
        path = Path(folder.name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return SweepPlan(Sweep(**dict(sent.spec)), Path(folder.name)), folder


@lru_cache(maxsize=2)
def _other(code: str, wanted: tuple[tuple[str, str], ...]) -> str:
    """In what this worker differs, or ""."""
    here = versions()
    for name, version in wanted:
        if here.get(name) != version:
            return f"it has {name} {here.get(name, 'not at all')}, and this sweep {version}"
    return "" if code == code_hash() else "it has other source files of boundcheck, or of what it finds"


_ADDRESS = re.compile(r"\w+://.+:\d+")
CONNECT = 5.0  # seconds for the scheduler to answer
WORTH_IT = 0.3  # seconds of work in a batch: a task costs some milliseconds of its own
MOST = 64  # works in a batch
LOOK, A_LOOK = 0.005, 5e-5  # seconds between looks at what is under way, and more for each
PACE = 0.3  # how much the newest works say of how long one takes


class ClusterGone(UserError):
    """The scheduler, or what it knew of us, is not there any more."""


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address."""
    if not _ADDRESS.fullmatch(address):
        raise NotFound(f"--cluster {address} is no address of a Dask scheduler; needs one, as in tcp://HOST:8786")
    distributed = extra("distributed", what="--cluster", extra="sweep")
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters of it is said here, in one line
    try:
        client = distributed.Client(address, timeout=CONNECT, set_as_default=False, name="boundcheck-sweep")
    except (OSError, TimeoutError, ValueError, RuntimeError, TypeError) as wrong:
        said = " ".join(str(wrong).split()) or type(wrong).__name__
        raise NotFound(
            f"no Dask scheduler answers at {address} ({said:.120}); needs an address such as tcp://HOST:8786"
        ) from None
    try:
        yield client
    finally:
        client.close()


def hands(client: Any) -> int:
    """How many workers there are."""
    return max(1, len(client.nthreads()))


class Cluster:
    """Batches that are under way, and how long works take."""

    def __init__(self, client: Any, address: str, sent: Brief) -> None:
        self.client, self.address, self.sent = client, address, sent
        self.under_way: dict[Any, Chunk] = {}
        self.pace: float | None = None
        self.workers, self.counted = hands(client), monotonic()

    @property
    def batch(self) -> int:
        """Works that take some tenths of a second together."""
        return 1 if self.pace is None else max(1, min(MOST, ceil(WORTH_IT / max(self.pace, 1e-6))))

    def serve(self, asked: Callable[[int], Chunk | Wait | None]) -> Iterator[tuple[Chunk, Any] | None]:
        """(batch, what came of each of its works), then (batch, Ended, Failed or Died); None where time passes."""
        while True:
            waits = self._send(asked)
            if not self.under_way and not waits:
                return
            for future in self._ended():
                yield from self._results(future)
            yield None

    def _send(self, asked: Callable[[int], Chunk | Wait | None]) -> bool:
        """Two batches for each worker; True where there may be more soon."""
        if monotonic() - self.counted > 1:
            self.workers, self.counted = self._asked_of_the_scheduler(), monotonic()
        while len(self.under_way) < 2 * self.workers:
            chunk = asked(self.batch)
            if chunk is None or isinstance(chunk, Wait):
                return chunk is not None
            self.under_way[self.client.submit(work, self.sent, list(chunk), pure=False)] = chunk
        return False

    def _asked_of_the_scheduler(self) -> int:
        try:
            return hands(self.client)
        except (OSError, TimeoutError, ValueError) as wrong:
            raise self._gone(wrong) from None

    def _ended(self) -> list[Any]:
        """Those that are done, failed or lost."""
        if self.client.status in ("closing", "closed"):
            raise self._gone("the scheduler does not answer")
        if not self.under_way:
            sleep(TICK)
            return []
        until = monotonic() + TICK
        while not (found := [future for future in self.under_way if future.status != "pending"]) and monotonic() < until:
            sleep(LOOK + len(self.under_way) * A_LOOK)
        return found

    def _results(self, future: Any) -> Iterator[tuple[Chunk, Any]]:
        if future.status == "finished":
            try:
                found = future.result(timeout=CONNECT)
            except TimeoutError:
                return  # its worker died with the result: it is being done again
            except Exception as wrong:
                found = Failed(f"{type(wrong).__name__}: {wrong}")
        elif future.status == "error":
            fault = future.exception()
            found = Died("its worker") if type(fault).__name__ == "KilledWorker" else Failed(f"{type(fault).__name__}: {fault}")
        elif future.status == "pending":
            return
        else:
            raise self._gone(future.status)
        chunk = self.under_way.pop(future)
        if isinstance(found, Refused):
            raise NotFound(f"a worker of {self.address} would come to other results: {found.why}; install the same there")
        if isinstance(found, list):
            for done in list(found):
                self.pace = done.seconds if self.pace is None else (1 - PACE) * self.pace + PACE * done.seconds
                yield chunk, done
            yield chunk, Ended()
        else:
            yield chunk, found

    def _gone(self, why: object) -> ClusterGone:
        said = " ".join(str(why).split())
        return ClusterGone(
            f"the cluster at {self.address} is gone ({said:.80}); what is finished is kept: the same command goes on"
        )
