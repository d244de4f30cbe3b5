"""Sections and appendices: their counters, as the document's class sets them up."""

from __future__ import annotations

from boundcheck.claims.latex_source.frames import State

LEVELS = {
    "\\part": 0,
    "\\chapter": 0,
    "\\section": 1,
    "\\subsection": 2,
    "\\subsubsection": 3,
    "\\paragraph": 4,
    "\\subparagraph": 5,
}
ARTICLES = ("article", "amsart", "extarticle", "scrartcl")
BOOKS = ("report", "book", "extreport", "extbook", "scrreprt", "scrbook")
FLOATING = ("equation", "figure", "table")


def begin_class(state: State, name: str) -> None:
    """The counters of a class. Of a class that is not known here nothing is known."""
    counters = state.counters
    if name in BOOKS:
        state.depth, state.has_chapters = 2, True
        counters.put_within("section", "chapter")
        for inner in FLOATING:
            counters.put_within(inner, "chapter")
    elif name not in ARTICLES:
        for counter in (*FLOATING, "section", "chapter", "algorithm"):
            counters.prints[counter] = None


def begin_appendix(state: State) -> None:
    """From here on sections (chapters, in a book) are counted with letters."""
    outer = "chapter" if state.has_chapters else "section"
    if state.counters.prints[outer] is not None:
        state.counters.print_as(outer, rf"\Alph{{{outer}}}")
    state.counters.set(outer, None if state.is_unsure else 0)
    state.counters.reset_below(outer)
    state.is_appendix = True


def heading(state: State, text: str) -> None:
    """A section begins. With a star, or below the depth to which sections are numbered, it has no number."""
    state.statement = None
    command = text.removesuffix("*")
    level = LEVELS[command]
    if level > 3:
        return
    if state.depth is None:
        state.counters.forget_all()
    if text.endswith("*") or state.depth is None or level > state.depth:
        state.frames[-1].ref = None
        state.section = ""
        return
    counter = command[1:]
    kind = "Appendix" if state.is_appendix else "Chapter" if counter == "chapter" else "Part" if counter == "part" else "Section"
    number = state.step(counter, kind)
    state.frames[-1].ref = number
    state.section = str(number or "")
