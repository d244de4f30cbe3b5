"""Tables for a paper, in LaTeX: verdicts, tightness, worst cases. They need booktabs, longtable and amsmath."""

from __future__ import annotations

from collections.abc import Sequence

from boundcheck.report.content import Report, largest_ratio
from boundcheck.support.escaping import latex_text
from boundcheck.support.table import Latex, Row, latex_table

PREAMBLE = "% needs \\usepackage{amsmath,booktabs,longtable}\n"


def verdicts_table(report: Report) -> str:
    """Each claim, what it states, what was found, on how many cells."""
    head = ("claim", "statement", "verdict", "cells", "certified", "left / right")
    rows = []
    for bound in report.bounds:
        row = report.rows[bound.id]
        largest = largest_ratio(report, row)
        tightest = Latex("--") if largest is None else _number(largest[0])
        words = (f"{bound.label}, {bound.reading}", Latex(f"$ {bound.latex()} $"), row["status"])
        rows.append((*words, str(row["cells"]), str(row["certified_cells"]), tightest))
    caption = f"{_state(report)}What came of each claim. \\emph{{holds}} is no proof: it counts cells."
    return _table(r"p{0.22\linewidth}p{0.38\linewidth}lrrr", head, rows, caption, "tab:verdicts")


def tightness_table(report: Report) -> str:
    """Each claim that was measured: left over right at its largest, in the median, and how both sides fall with k."""
    head = ("claim", "supremum", "median", "left", "right", "over classical", "where")
    rows = []
    for bound in report.bounds:
        one = report.tightness.get(bound.id)
        if one is not None:
            numbers = (one.supremum, one.median, one.left_exponent, one.right_exponent, one.classical)
            rows.append((f"{bound.label}, {bound.reading}", *map(_number, numbers), one.where))
    caption = (
        f"{_state(report)}Left side over right side: the supremum over all cells and $k \\geq 1$, the median over cells, "
        "the exponents of $k$ fitted to both sides, and the right side over the classical one."
    )
    return _table(r"p{0.24\linewidth}rrrrrp{0.24\linewidth}", head, rows, caption, "tab:tightness")


def worst_case_table(report: Report) -> str:
    """Bounds against the worst case over the class, as a solver computes it."""
    head = ("claim", "steps", Latex("$k$"), "bound", "worst case", "ratio", "")
    rows = [
        (
            one.claim.partition("/")[2] or one.claim,
            f"{one.name}; {one.given}" if one.given else one.name,
            str(one.k),
            _number(one.bound),
            _number(one.worst),
            _number(one.ratio),
            one.verdict,
        )
        for one in report.worst_cases
    ]
    caption = "The bound against the worst case over the class, by a semidefinite program: a solver's numbers, not certified."
    return _table(r"p{0.2\linewidth}p{0.16\linewidth}rrrrp{0.24\linewidth}", head, rows, caption, "tab:worst-cases")


def _state(report: Report) -> str:
    return f"\\textbf{{{latex_text(report.state)}}}. " if report.state else ""


def _number(value: float | None) -> Latex:
    """$1.25 \\cdot 10^{-7}$."""
    if value is None or value != value:
        return Latex("--")
    text = f"{value:.4g}"
    if "inf" in text:
        return Latex(f"${text.replace('inf', chr(92) + 'infty')}$")
    base, exponent, power = text.partition("e")
    return Latex(f"${base} \\cdot 10^{{{int(power)}}}$" if exponent else f"${base}$")


def _table(alignment: str, head: Row, rows: Sequence[Row], caption: str, label: str) -> str:
    return PREAMBLE + latex_table(alignment, head, rows, caption=caption, label=label)


def whole_document(names: Sequence[str]) -> str:
    """A document that shows the tables of these files."""
    inputs = "\n".join(f"\\input{{{name}}}" for name in names)
    packages = "\\usepackage[landscape,margin=1.5cm]{geometry}\n\\usepackage{amsmath,booktabs,longtable}"
    return f"\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n\\small\n{inputs}\n\\end{{document}}\n"
