"""Growth curves drawn from kept rows: docs/figures/growth-*.svg, one a curve, seconds on the left and memory on the right."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness import Measured
from rows import Run

Points = dict[float, Measured]
UNITS = ("s", "MB")
NAMED = {"s": "seconds", "MB": "peak memory, MB"}


def curves_of(kept: Sequence[Run]) -> dict[str, dict[tuple[str, str], Points]]:
    """For each curve its lines, by what and unit, each a number for every place."""
    found: dict[str, dict[tuple[str, str], Points]] = {}
    for run in kept:
        for m in run.measured:
            if m.curve and m.at is not None:
                found.setdefault(m.curve, {}).setdefault((m.what, m.unit), {})[m.at] = m
    return found


def file_name(curve: str) -> str:
    return f"growth-{re.sub('[^a-z]+', '-', curve.lower()).strip('-')}.svg"


def draw(kept: Sequence[Run], folder: Path) -> list[Path]:
    """One file a curve, and none that no row is about. The same rows give the same bytes."""
    from boundcheck.figure.style import SETTINGS, drawn, matplotlib

    written = []
    for curve, series in curves_of(kept).items():
        with matplotlib().rc_context(SETTINGS):
            written.append(folder / file_name(curve))
            written[-1].write_bytes(drawn(_figure(curve, series), "svg"))
    for stale in set(folder.glob("growth-*.svg")) - set(written):
        stale.unlink()
    return written


def _figure(curve: str, series: Mapping[tuple[str, str], Points]) -> Any:
    from boundcheck.figure.style import canvas

    units = [unit for unit in UNITS if any(u == unit for _, u in series)]
    figure = canvas((3.4 * len(units), 2.6))
    for ax, unit in zip(figure.subplots(1, len(units), squeeze=False)[0], units, strict=True):
        _panel(ax, {what: points for (what, u), points in series.items() if u == unit})
        ax.set_xlabel(curve)
        ax.set_ylabel(NAMED[unit])
    return figure


def _panel(ax: Any, lines: Mapping[str, Points]) -> None:
    from boundcheck.figure.style import BLUE, GREEN, GREY, VERMILION, Line

    looks = (Line(BLUE, "-", "o"), Line(VERMILION, "--", "s"), Line(GREEN, "-.", "^"))
    ax.set(xscale="log", yscale="log")
    for look, (what, points) in zip(looks, lines.items(), strict=False):
        x = sorted(points)
        look.band(ax, x, [points[at].low for at in x], [points[at].high for at in x])
        look.on(ax, x, [points[at].value for at in x], label=what, marks=len(x))
    first = next(iter(lines.values()))
    x0, x1 = min(first), max(first)
    if x1 > x0:
        y1 = first[x1].value
        ax.plot([x0, x1], [y1 * x0 / x1, y1], color=GREY, linestyle=":", linewidth=0.9, label="proportional")
    if 0 < x0 and x1 / x0 <= 16:
        ax.set_xticks(sorted(first), [f"{at:g}" for at in sorted(first)])
        ax.minorticks_off()
    ax.legend(loc="best")
