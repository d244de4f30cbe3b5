"""`boundcheck sweep`: a grid of claims, problems, methods, M, seeds and arithmetics; stopped at any time, it goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click


@click.command()
@click.argument("spec", metavar="SPEC")
@click.option("--store", "store_path", type=click.Path(path_type=Path), help="Where finished works are kept. [SPEC.sqlite, here]")
@click.option("--out", type=click.Path(path_type=Path), help="The table, a row a cell. [SPEC.parquet, here]")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; all cores unless given. Results do not depend on it.")
@click.option("--cluster", metavar="ADDRESS", help="Run on the Dask cluster at tcp://HOST:8786. Needs the extra sweep.")
@click.option("--time-limit", metavar="SECONDS", type=float, help="A work that takes longer fails. [the spec's, or an hour]")
@click.option("--retry-failed", is_flag=True, help="Try again what failed before.")
@click.option("--fresh", is_flag=True, help="Drop what the store has, and do everything.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every claim with its counts, what failed, and the exit code.")
def sweep(
    spec: str,
    store_path: Path | None,
    out: Path | None,
    jobs: int | None,
    cluster: str | None,
    time_limit: float | None,
    retry_failed: bool,
    fresh: bool,
    as_json: bool,
) -> int:
    """Check every claim on every problem by every method, for every M, seed and arithmetic of SPEC: a .toml or a .py file.

    Each finished cell is kept at once: after a kill, the same command does the rest. Several may work on one store.
    Exit 0: nothing violated, nothing failed, every claim exercised. 1: something violated or failed. 2: bad input.
    3: some claim undecided or never exercised. 130: interrupted.
    """
    from boundcheck.cli.group import INTERRUPTED, complain
    from boundcheck.cli.sweep_page import Shown, placed, publish
    from boundcheck.support.terminal import aside
    from boundcheck.sweep.driver import Interrupted, Job, go
    from boundcheck.sweep.plan import SweepPlan
    from boundcheck.sweep.spec import read

    if cluster is not None and jobs is not None:
        raise click.UsageError("--jobs counts processes here, and --cluster has its own; give one of them")
    with aside():
        said, path = read(spec)
        plan = SweepPlan(said if time_limit is None else replace(said, time_limit=time_limit), path.parent)
    where = placed(path, store_path, out)
    job = Job(plan=plan, called=str(path), where=where, jobs=jobs, cluster=cluster, retry=retry_failed, fresh=fresh)
    try:
        found = go(job, Shown())
    except Interrupted as how_far:
        return complain(str(how_far), INTERRUPTED)
    return publish(plan, where, found, as_json=as_json)
