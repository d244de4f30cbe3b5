"""The sweep of docs/examples runs as written, with both sides kept if it is asked to."""

from __future__ import annotations

import shutil
from pathlib import Path

from .looking import edited, once_each, rows

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


def test_the_example_runs_as_written(run, folder):
    done = run(EXAMPLES / "sweep.toml")
    assert done.exit_code == 0, done.output
    found = rows("sweep.parquet")
    assert once_each("sweep.parquet") and {row["verdict"] for row in found} >= {"HOLDS"}
    assert {row["problem"] for row in found} == {"huber", "random-quadratic(dimension=3, condition=50)", "x^2 + |x|^3"}
    assert {row["seed"] for row in found} == set(range(4)) and any(row["certified"] for row in found)
    assert not {"user/descent@printed"} - {row["claim"] for row in found}


def test_both_sides_at_each_k_are_kept_where_they_are_asked_for(run, folder):
    for name in ("sweep.toml", "my_claim.py", "my_problem.py", "my_rule.py"):
        shutil.copy(EXAMPLES / name, folder)
    edited(folder / "sweep.toml", iterates="true", seeds="[0, 3]", problems='["huber"]')
    assert run("sweep.toml").exit_code == 0
    each_k, cells = rows("sweep.iterates.parquet"), rows("sweep.parquet")
    assert {row["seed"] for row in each_k} == {0, 3} and {row["arithmetic"] for row in each_k} == {"auto"}
    assert len(each_k) == sum(row[name] for row in cells for name in ("holds", "violated", "undecided", "vacuous"))
    held = [row for row in each_k if row["verdict"] == "HOLDS" and row["lhs"] is not None]
    assert len(held) > 100 and all(row["lhs"] <= row["rhs"] * (1 + 1e-12) + 1e-12 for row in held)
