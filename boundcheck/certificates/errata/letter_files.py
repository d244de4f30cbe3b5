"""The letter as Markdown and as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boundcheck.certificates.errata.letter import Block, Commands, Heading, Items, Paragraph, Table, letter
from boundcheck.certificates.errata.mathwords import latex_words, markdown_words
from boundcheck.certificates.errata.sheet import Sheet
from boundcheck.support.escaping import latex_text, markdown_block

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


def letter_markdown(sheet: Sheet) -> str:
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


def letter_latex(sheet: Sheet) -> str:
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


def _table(table: Table) -> Iterator[str]:
    head = " & ".join(f"\\textbf{{{latex_words(cell)}}}" for cell in table.head)
    yield from (r"{\footnotesize", f"\\begin{{longtable}}{{{COLUMNS}}}", r"\toprule", f"{head} \\\\", r"\midrule", r"\endhead")
    yield from (r"\bottomrule", r"\endfoot")
    for row in table.rows:
        first, *rest = (latex_words(cell) for cell in row)
        wide = [f"\\multicolumn{{2}}{{p{{0.77\\linewidth}}@{{}}}}{{\\raggedright {rest[0]}}}"] if len(rest) == 1 else rest
        yield f"{' & '.join([first, *wide])} \\\\"
    yield from (r"\end{longtable}", "}")
