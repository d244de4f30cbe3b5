"""Figures of papers: numbers computed once, drawn the same way every time, and written with a caption that says what they are.

    from boundcheck.figures import make
    made = make("quadratics", "figures", steps=2000)
    made.paths, made.caption

A package adds its own by the entry point group `boundcheck.figures`: docs/figures.md.
"""

from boundcheck.figures.figure import Figure, FigureNumbers, MadeFigure, table
from boundcheck.figures.figure_files import figures, make

__all__ = ["Figure", "MadeFigure", "FigureNumbers", "figures", "make", "table"]
