"""One line for each method, the same in every figure: colour, dash and mark all differ."""

from typing import Any

from boundcheck.figures.figure import BLACK, BLUE, DARK, GREEN, ORANGE, PURPLE, VERMILION, LineStyle

PRINTED = "1/D-as-printed"
NORMALIZED = "normalized"

LINES = {
    "1/L": LineStyle(BLACK, (0, (1, 1.2)), "s", r"$1/L$"),
    "1/D": LineStyle(BLUE, "-", "o", r"$1/D_k$"),
    "1/A": LineStyle(VERMILION, (0, (5, 1.5)), "^", r"$1/A_k$"),
    "polyak(1)": LineStyle(GREEN, (0, (4, 1.2, 1, 1.2)), "D", "Polyak"),
    "adgd(1/1000)": LineStyle(ORANGE, (0, (7, 1.5, 1.5, 1.5)), "v", "AdGD"),
    NORMALIZED: LineStyle(PURPLE, (0, (2.5, 1.5)), "P", "normalized GD"),
    PRINTED: LineStyle(DARK, (0, (1, 2)), "x", r"$1/D_k$, equation as printed", 1.0),
}


def told(template: str, **facts: object) -> str:
    """A caption from its template: each paragraph on one line, with the facts in their places."""
    return "\n".join(" ".join(part.split()) for part in template.strip().split("\n\n")).format(**facts)


def finish(canvas: Any, axes: Any, order: Any) -> None:
    """No small ticks, and one legend for all panels, each line once, in this order."""
    for ax in axes:
        ax.minorticks_off()
    entries = {label: handle for ax in axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    kept = [line.label for line in order if line.label in entries]
    canvas.legend([entries[label] for label in kept], kept, loc="outside upper center", ncols=len(kept), columnspacing=1.4)
