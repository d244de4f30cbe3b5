"""The letter to the authors: two pages that may be forwarded as they are, in Markdown and in LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boundcheck.certificates.errata.content import ErrataContent, name
from boundcheck.certificates.errata.correction import change
from boundcheck.certificates.errata.entries import Erratum, FindingShown
from boundcheck.certificates.errata.findings import Severity
from boundcheck.certificates.errata.math_words import latex_words, markdown_words, sentence, typeset
from boundcheck.library.catalogue import is_given
from boundcheck.support.escaping import latex_text, markdown_block

TABLED = (Severity.SLIP, Severity.TYPESETTING)
LONG = 600  # characters of a counterexample that a letter has room for
WIDE = 170  # characters of LaTeX that a cell of the table holds; where a formula is longer, the finding's words stand there
HOW = (
    "Each statement was written as a formula with its hypotheses, and evaluated exactly along runs and on pairs of points. We "
    "call a statement false only where a counterexample shows it. Certified means: decided in exact fractions or with rigorous "
    "error bounds, every hypothesis included, and accepted by a separate checker that shares no code with the rest. That a "
    "statement held on everything tried is no proof of it, and we do not claim more."
)


@dataclass(frozen=True)
class Heading:
    words: str


@dataclass(frozen=True)
class Paragraph:
    words: str
    lead: str = ""  # what stands before it in bold


@dataclass(frozen=True)
class Items:
    words: tuple[str, ...]


@dataclass(frozen=True)
class Commands:
    lines: tuple[str, ...]


@dataclass(frozen=True)
class LetterTable:
    """Of three columns; a row of two has words that go over the last two."""

    head: tuple[str, str, str]
    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | Items | Commands | LetterTable


def letter(sheet: ErrataContent) -> list[Block]:
    """Return the letter, in blocks of words with $mathematics$."""
    return list(_blocks(sheet))


def _blocks(sheet: ErrataContent) -> Iterator[Block]:
    if wrong := sheet.misquoted:
        those = ", ".join(name(bound) for bound in wrong)
        yield Paragraph(
            f"the paper's source does not have the words that we call false, of {those}. Mend the transcription first.",
            lead="Not to be sent:",
        )
    yield Paragraph(f"Dear {_and(sheet.authors.split(', '))}," if sheet.authors else "Dear authors,")
    yield Paragraph(_checked(sheet))
    if sheet.state:
        yield Paragraph(
            f"The run that this rests on is not complete ({sheet.state}); what is listed here was found all the same."
        )
    yield Paragraph(HOW)
    if sheet.summary:
        yield Heading("What stands")
        yield Items(tuple(sheet.summary))
    for severity in Severity:
        found = sheet.of(severity)
        if found and severity not in TABLED:
            yield Heading(f"{_title(severity)} ({len(found)})")
            for n, one in found:
                yield _in_full(sheet, n, one) if severity is Severity.THEOREM else _in_short(n, one)
    small = [found for severity in TABLED for found in sheet.of(severity)]
    if small or sheet.misprints:
        yield Heading(f"Slips and typesetting ({len(small) + len(sheet.misprints)})")
        rows = [row for n, one in small for row in _rows(sheet, n, one)]
        rows += [(f"{one.where}, line {one.line}", one.printed, one.meant) for one in sheet.misprints]
        yield LetterTable(("Place", "Printed", "Read"), tuple(rows))
    yield Heading("To see it yourself")
    yield from _reproduced(sheet)
    yield Paragraph("We may have misread a statement; then we would be glad to hear of it. With kind regards")


def _checked(sheet: ErrataContent) -> str:
    many = len(sheet.printed)
    told = (
        f"we made {many} statement{'' if many == 1 else 's'} of your paper, {sheet.title}, executable, lines of proofs included"
    )
    if not sheet.shown:
        return sentence(f"{told}, and checked them. We found none of them false.")
    false = sum(len(one.entries) for one in sheet.shown)
    kinds = [f"{len(sheet.of(s))} {_counted(s, len(sheet.of(s)))}" for s in Severity if sheet.of(s)]
    causes = "one cause" if len(sheet.shown) == 1 else f"{len(sheet.shown)} causes"
    proved = sum(bool(entry.program) for one in sheet.shown for entry in one.entries)  # what has a certificate has a script
    rest = f" and {false - proved} by a short argument" if proved < false else ""
    how = f", {proved} with a certificate{rest}" if proved else ""
    many_false = f"{false} of them {'is' if false == 1 else 'are'} false as printed"
    return sentence(f"{told}, and checked them. {many_false}{how}, by {causes}: {_and(kinds)}.")


def _counted(severity: Severity, many: int) -> str:
    one, several = {
        Severity.THEOREM: ("breaks a theorem as stated", "break a theorem as stated"),
        Severity.STEP: ("breaks a step while the theorem survives", "break a step while the theorem survives"),
        Severity.SLIP: ("is a slip of an index, a constant or an order", "are slips of an index, a constant or an order"),
        Severity.TYPESETTING: ("is typesetting", "are typesetting"),
        Severity.UNRATED: ("is not rated", "are not rated"),
    }[severity]
    return one if many == 1 else several


def _title(severity: Severity) -> str:
    return {
        Severity.THEOREM: "What breaks a theorem as stated",
        Severity.STEP: "What breaks a step, while the theorem survives",
        Severity.UNRATED: "False as printed, and not rated",
    }.get(severity, sentence(severity.value).removesuffix("."))


def _in_full(sheet: ErrataContent, n: int, one: FindingShown) -> Paragraph:
    """Return what is wrong, a counterexample, what to read instead where that is short, and what survives."""
    first = one.first
    found = change(first.bound, first.proved, sheet.methods)
    read = f"Read: {found.read}." if found.read and len(found.read) <= WIDE else ""
    return _paragraph(n, one, [_told(one.finding.what), _shortest(one), read, _told(one.finding.survives)])


def _in_short(n: int, one: FindingShown) -> Paragraph:
    return _paragraph(n, one, [_told(one.finding.what), _shortest(one)])


def _paragraph(n: int, one: FindingShown, parts: Sequence[str]) -> Paragraph:
    return Paragraph(" ".join(filter(None, parts)), lead=f"{n}. {typeset(one.finding.title).rstrip('.')} ({_places(one)}).")


def _told(words: str) -> str:
    """Return what somebody wrote about a finding, as a sentence."""
    return sentence(typeset(words))


def _shortest(one: FindingShown) -> str:
    """Return the shortest counterexample among the entries; it says for which of them it is, where that is not the first.

    Of what breaks a theorem, the one to the first entry: a line of its proof that fails would not show it.
    """
    known = [entry for entry in one.entries if entry.program]
    if not known:
        return "" if one.finding.what else sentence(one.first.short)  # an argument, which says what is wrong
    is_needed = one.finding.severity is Severity.THEOREM and one.first in known
    shown = one.first if is_needed else min(known, key=lambda entry: len(entry.short))
    to = f" to {_place(shown)}" if shown is not one.first else ""
    return f"Counterexample{to}: {shown.short}" if len(shown.short) <= LONG else f"A counterexample{to} is in errata.md."


def _rows(sheet: ErrataContent, n: int, one: FindingShown) -> Iterator[tuple[str, ...]]:
    for entry in one.entries:
        found = change(entry.bound, entry.proved, sheet.methods)
        where = f"{n}. {_place(entry)}"
        asked = entry.bound.quantifier != (entry.proved.quantifier if entry.proved is not None else "")
        if asked or not found.read or max(len(found.printed), len(found.read)) > WIDE:
            yield where, _told(one.finding.what)
        else:
            yield where, found.printed, found.read


def _place(entry: Erratum) -> str:
    """Equation (12), and the label in brackets where several statements share the number; the line, where it is known."""
    bound = entry.bound
    at = bound.source.printed
    line = f", line {at.lines[0]}" if at is not None else ""
    return f"{name(bound)}{line}"


def _places(one: FindingShown) -> str:
    return "; ".join(dict.fromkeys(_place(entry) for entry in one.entries))


def _reproduced(sheet: ErrataContent) -> Iterator[Block]:
    names = [paper.name for paper in sheet.papers]
    yield Paragraph(
        "Every counterexample is a file that can be checked without our framework, and a script of some fifteen lines of Python "
        "stands beside each in errata.md, with the corrected statements and their proofs. All of it is made again by:"
    )
    proved = next((e.bound for one in sheet.shown for e in one.entries if e.bound.id in sheet.certified), None)
    lines = [f"boundcheck paper {called} --source PAPER.tex" for called in names]
    if sheet.command and any(is_given(bound) for bound in sheet.bounds):  # no installed paper, whose claims go by their labels
        lines = [sheet.command]
        lines += ["boundcheck verify report/certificates/*.json"] if proved is not None else []
    elif proved is not None:
        lines += [f"boundcheck explain {proved.label}", f"boundcheck certify {proved.label}@{proved.reading} --out certificates"]
        lines += ["boundcheck verify certificates/*.json"]
    yield Commands(tuple(lines))


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[margin=1.8cm]{geometry}
\usepackage{amsmath,amssymb,booktabs,longtable,array}
\setlength{\parindent}{0pt}
\setlength{\parskip}{3pt}
\setlength{\tabcolsep}{3pt}
\sloppy
\begin{document}
\small
"""
COLUMNS = r"@{}>{\raggedright}p{0.2\linewidth}>{\raggedright}p{0.38\linewidth}>{\raggedright\arraybackslash}p{0.38\linewidth}@{}"


def letter_markdown(sheet: ErrataContent) -> str:
    """letter.md"""
    return "\n".join(line for block in letter(sheet) for line in (*_markdown(block), "")).rstrip() + "\n"


def _markdown(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"## {markdown_words(block.words)}"
    elif isinstance(block, Paragraph):
        yield (f"**{markdown_words(block.lead)}** " if block.lead else "") + markdown_words(block.words)
    elif isinstance(block, Items):
        yield from (f"- {markdown_words(words)}" for words in block.words)
    elif isinstance(block, Commands):
        yield from markdown_block("\n".join(block.lines))
    else:
        yield from (_row(block.head), "|---|---|---|")
        yield from (_row([*row, ""][:3]) for row in block.rows)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(markdown_words(cell) for cell in cells)} |"


def letter_latex(sheet: ErrataContent) -> str:
    """letter.tex, a document of its own with the packages of every LaTeX."""
    body = "\n\n".join("\n".join(_latex(block)) for block in letter(sheet))
    return f"{PREAMBLE}{body}\n\\end{{document}}\n"


def _latex(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"\\subsection*{{{latex_words(block.words)}}}"
    elif isinstance(block, Paragraph):
        yield (f"\\textbf{{{latex_words(block.lead)}}} " if block.lead else "") + latex_words(block.words)
    elif isinstance(block, Items):
        yield from (
            r"\begin{itemize}\setlength{\itemsep}{0pt}",
            *(f"\\item {latex_words(w)}" for w in block.words),
            r"\end{itemize}",
        )
    elif isinstance(block, Commands):
        yield from (r"\begin{quote}", "\\\\\n".join(f"\\texttt{{{latex_text(line)}}}" for line in block.lines), r"\end{quote}")
    else:
        yield from _table(block)


def _table(table: LetterTable) -> Iterator[str]:
    head = " & ".join(f"\\textbf{{{latex_words(cell)}}}" for cell in table.head)
    yield from (r"{\footnotesize", f"\\begin{{longtable}}{{{COLUMNS}}}", r"\toprule", f"{head} \\\\", r"\midrule", r"\endhead")
    yield from (r"\bottomrule", r"\endfoot")
    for row in table.rows:
        first, *rest = (latex_words(cell) for cell in row)
        wide = [f"\\multicolumn{{2}}{{p{{0.77\\linewidth}}@{{}}}}{{\\raggedright {rest[0]}}}"] if len(rest) == 1 else rest
        yield f"{' & '.join([first, *wide])} \\\\"
    yield from (r"\end{longtable}", "}")
