"""A trace as a table, and as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import eta, f, grad, i, norm, x
from boundcheck.language.scalars import Gap
from boundcheck.support.errors import extra
from boundcheck.support.escaping import plot_text

CHORDS = "chords"


def pandas() -> Any:
    return extra("pandas", what="to_pandas", extra="report")


def axes(ax: Any = None) -> Any:
    """The axes to draw on: new ones unless given."""
    pyplot = extra("matplotlib.pyplot", what="plot", extra="report")
    return pyplot.subplots()[1] if ax is None else ax


def trace_table(trace: Any) -> Any:
    frames = pandas()
    numbers = _columns(trace)
    rows = []
    for run, name in enumerate(trace.names):
        count = int(trace.steps[run]) + (0 if trace.method == CHORDS else 1)
        entries = {word: _padded(values[run], count) for word, values in numbers.items()}
        rows.append(frames.DataFrame({"run": name, "k": np.arange(count), **entries}))
    return frames.concat(rows, ignore_index=True)


def plot_trace(trace: Any, ax: Any = None) -> Any:
    ax = axes(ax)
    numbers = _columns(trace)
    wanted = ("gap", "|grad f|") if "|grad f|" in numbers or "gap" in numbers else ("f",)
    shown = [word for word in wanted if word in numbers]
    for run, name in enumerate(trace.names):
        count = int(trace.steps[run]) + 1
        for word in shown:
            ax.plot(np.arange(count), _padded(numbers[word][run], count), label=plot_text(f"{word}, {name}"))
    if shown != ["f"]:
        ax.set_yscale("log")
    ax.set_xlabel("k")
    ax.set_title(plot_text(trace.about.problem))
    ax.legend()
    return ax


def _columns(trace: Any) -> dict[str, Any]:
    """The numbers of a run that people look at; those of chords are what was recorded."""
    if trace.method == CHORDS:
        return {str(column): trace.xp.middle(values) for column, values in trace.columns.items()}
    wanted = {"f": f(x[i]), "|grad f|": norm(grad(x[i])), "eta": eta[i]}
    if trace.about.minimiser:
        wanted["gap"] = Gap(x[i])
    columns = {word: as_column(leaf)[0] for word, leaf in wanted.items()}
    whole = trace.with_columns(columns.values())
    return {word: trace.xp.middle(whole.columns[column]) for word, column in columns.items() if column in whole.columns}


def _padded(values: Any, count: int) -> Any:
    return np.concatenate([values[:count], np.full(max(0, count - len(values)), np.nan)])
