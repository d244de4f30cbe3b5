"""Figures, tables and algorithms: which counter a caption steps."""

from __future__ import annotations

from boundcheck.claims.latex_source.counters import Counters

FLOATS = {
    f"{prefix}{kind}{star}": kind
    for kind in ("figure", "table", "algorithm")
    for prefix in ("", "wrap", "SC", "sideways")
    for star in ("", "*")
}
# environments whose labels have numbers of their own, which are not worked out here
HIDDEN = ("subfigure", "subtable", "enumerate", "subalgorithm", "sidenote", "lstlisting", "enumerate*")
SECTIONED = ("section", "subsection", "chapter", "part")


def within_by_option(counters: Counters, packages: str, options: str) -> None:
    """The packages that number algorithms by section if an option says so."""
    if not {"algorithm", "algorithm2e"} & set(packages.split(",")):
        return
    for option in options.split(","):
        if (outer := option.removeprefix("algo")) in SECTIONED:
            counters.put_within("algorithm", outer)
