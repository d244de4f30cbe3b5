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
    from boundcheck.figures.figure import SETTINGS, drawing_bytes, matplotlib

    written = []
    for curve, series in curves_of(kept).items():
        with matplotlib().rc_context(SETTINGS):
            written.append(folder / file_name(curve))
            written[-1].write_bytes(drawing_bytes(_figure(curve, series), "svg"))
    for stale in set(folder.glob("growth-*.svg")) - set(written):
        stale.unlink()
    return written


def _figure(curve: str, series: Mapping[tuple[str, str], Points]) -> Any:
    from boundcheck.figures.figure import canvas

    units = [unit for unit in UNITS if any(u == unit for _, u in series)]
    figure = canvas((3.4 * len(units), 2.6))
    for ax, unit in zip(figure.subplots(1, len(units), squeeze=False)[0], units, strict=True):
        _panel(ax, {what: points for (what, u), points in series.items() if u == unit})
        ax.set_xlabel(curve)
        ax.set_ylabel(NAMED[unit])
    return figure


def _panel(ax: Any, lines: Mapping[str, Points]) -> None:
    from boundcheck.figures.figure import BLUE, GREEN, GREY, VERMILION, LineStyle

    looks = (LineStyle(BLUE, "-", "o"), LineStyle(VERMILION, "--", "s"), LineStyle(GREEN, "-.", "^"))
    ax.set(xscale="log", yscale="log")
    for look, (what, points) in zip(looks, lines.items(), strict=False):
        x = sorted(points)
        look.band(ax, x, [points[at].low for at in x], [points[at].high for at in x])
        look.on(ax, x, [points[at].value for at in x], label=what, marks=50 * len(x))  # a mark at every point
    _reference(ax, next(iter(lines.values())), GREY)
    ax.legend(loc="best")


def _reference(ax: Any, points: Points, colour: str) -> None:
    """Proportional to x through the last point, or to 1/x where the curve falls; cut where the data end."""
    places = sorted(points)
    x0, x1, y0, y1 = places[0], places[-1], points[places[0]].value, points[places[-1]].value
    if x1 > x0:
        shown = ax.get_ylim()
        rises = y1 >= y0
        start = (y1 * x0 / x1) if rises else (y1 * x1 / x0)
        label = "proportional" if rises else "inversely proportional"
        ax.plot([x0, x1], [start, y1], color=colour, linestyle=":", linewidth=0.9, label=label)
        ax.set_ylim(shown)
    if x1 <= 16 * x0:
        ax.set_xticks(places, [f"{at:g}" for at in places])
        ax.minorticks_off()
