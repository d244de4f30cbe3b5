"""The numbers of small made-up papers, with the traps; what is not understood has no number."""

from __future__ import annotations

from pathlib import Path

import pytest

from boundcheck.claims.latex_source.numbering import numbered
from boundcheck.claims.latex_source.numbers import SourceNumbers
from boundcheck.claims.latex_source.tex_source import TexSource, read

THEOREMS = r"\newtheorem{theorem}{Theorem}[section] \newtheorem{lemma}[theorem]{Lemma} \newtheorem*{remark}{Remark}"


def numbers(body: str, preamble: str = THEOREMS, kind: str = "article") -> SourceNumbers:
    text = f"\\documentclass{{{kind}}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n\\label{{behind}}"
    return numbered(TexSource("paper.tex", tuple(text.split("\n"))))


def words(body: str, preamble: str = THEOREMS, kind: str = "article") -> dict[str, str]:
    found = numbers(body, preamble, kind)
    return {label: found.words(label) for label in found.lines}


def test_sections_and_appendices() -> None:
    body = r"""\section{A}\label{a} \subsection{B}\label{b} \subsubsection{C}\label{c} \section*{Thanks}\label{none}
    \section{D}\label{d} \subsection{E} \label{e} \appendix \section{F} \label{f} \subsection{G}\label{g} \section{H}\label{h}"""
    assert words(body) == {
        **{"a": "Section 1", "b": "Section 1.1", "c": "Section 1.1.1", "none": "", "d": "Section 2", "e": "Section 2.1"},
        **{"f": "Appendix A", "g": "Appendix A.1", "h": "Appendix B"},
    }


def test_theorems_share_counters_and_begin_anew_in_each_section() -> None:
    body = r"""\section{A} \begin{theorem}\label{a}\end{theorem} \begin{lemma}[by X]\label{b} \end{lemma}
    \begin{remark}\label{r}\end{remark} \section{B} \begin{lemma}\label{c}\end{lemma} \appendix \section{C}
    \begin{theorem} \label{d} \end{theorem}"""
    assert words(body) == {"a": "Theorem 1.1", "b": "Lemma 1.2", "r": "", "c": "Lemma 2.1", "d": "Theorem A.1"}


def test_restated_theorems_keep_their_numbers_and_so_do_their_equations() -> None:
    body = r"""\section{A} \begin{restatable}[Name]{lemma}{again}\label{a} \begin{equation}\label{e} x \end{equation}
    \end{restatable} \appendix \section{B} \again* \begin{proof} first step

    \end{proof} \begin{theorem}\label{b} \begin{equation}\label{f} y \end{equation} \end{theorem}"""
    assert words(body) == {"a": "Lemma 1.1", "e": "Equation (1)", "b": "Theorem A.1", "f": "Equation (2)"}


def test_rows_of_an_align() -> None:
    body = r"""\begin{align} a & = b \nonumber \\
    & = \begin{cases} 1 \\ 2 \end{cases} \label{a} \\ & = \substack{x \\ y} \notag \\
    \label{b} & = c \\[2pt] \intertext{and \\ then} d \label{c} \end{align}
    \begin{align*} u \label{none} \\ v \end{align*} \begin{equation}\label{d} x \end{equation}"""
    assert words(body) == {"a": "Equation (1)", "b": "Equation (2)", "c": "Equation (3)", "none": "", "d": "Equation (4)"}


def test_intertext_ends_a_row_that_nothing_else_ends() -> None:
    body = r"\begin{align} a \label{a} \intertext{so} b \label{b} \end{align}"
    assert words(body) == {"a": "Equation (1)", "b": "Equation (2)"}


def test_a_row_that_ends_an_align_with_backslashes_counts() -> None:
    assert words(r"\begin{align} a \\ b \\ \end{align} \begin{equation}\label{a} x \end{equation}") == {"a": "Equation (4)"}


def test_one_number_for_split_aligned_and_multline() -> None:
    body = r"""\begin{equation} \begin{split} a \\ b \end{split} \label{a} \end{equation}
    \begin{multline} a \\ b \label{b} \end{multline}
    \begin{gather} a \label{c} \\ b \label{d} \end{gather} \[ x \label{none} \] $$ y $$ \begin{equation}\label{e}\end{equation}"""
    assert words(body) == {
        **{"a": "Equation (1)", "b": "Equation (2)", "c": "Equation (3)", "d": "Equation (4)", "none": "", "e": "Equation (5)"}
    }


def test_tags_stand_instead_of_numbers() -> None:
    body = r"""\begin{equation}\tag{P}\label{a} x \end{equation} \begin{equation*}\tag{by $x$}\label{b} y \end{equation*}
    \begin{equation}\label{c} z \end{equation}"""
    assert words(body) == {"a": "Equation (P)", "b": "", "c": "Equation (1)"}


def test_subequations_have_letters() -> None:
    body = r"""\begin{equation} x \end{equation}
    \begin{subequations}\label{a} \begin{align} a \label{b} \\ b \label{c} \end{align}
    \end{subequations} \begin{equation}\label{d} y \end{equation}"""
    assert words(body) == {"a": "Equation (2)", "b": "Equation (2a)", "c": "Equation (2b)", "d": "Equation (3)"}


@pytest.mark.parametrize(
    "how",
    [
        r"\numberwithin{equation}{section}",
        r"\counterwithin{equation}{section}",
        r"\makeatletter\@addtoreset{equation}{section}\makeatother \renewcommand{\theequation}{\thesection.\arabic{equation}}",
    ],
)
def test_equations_by_section(how: str) -> None:
    body = r"\section{A} \begin{equation} x \end{equation} \section{B} \begin{equation}\label{a} y \end{equation}"
    assert words(body, how) == {"a": "Equation (2.1)"}


def test_captions_number_figures_tables_and_algorithms() -> None:
    body = r"""\section{A} \begin{figure*} \caption{x}\label{a} \end{figure*}
    \begin{figure} \label{early} \caption{y} \end{figure}
    \begin{table} \begin{center} \caption{z} \label{b} \end{center} \end{table}
    \begin{algorithm}\caption{z}\label{c}\end{algorithm}
    \begin{figure} \begin{subfigure}{1cm} \caption{p} \label{sub} \end{subfigure} \caption{q} \label{d} \end{figure}"""
    assert words(body) == {"a": "Figure 1", "early": "", "b": "Table 1", "c": "Algorithm 1", "sub": "", "d": "Figure 3"}


def test_books_number_by_chapter() -> None:
    body = (
        r"\chapter{A} \section{B}\label{a} \begin{equation}\label{b}\end{equation} \appendix \chapter{C} \section{D} \label{c}"
        ""
    )
    assert words(body, kind="book") == {"a": "Section 1.1", "b": "Equation (1.1)", "c": "Appendix A.1"}


def test_declaretheorem() -> None:
    preamble = r"\declaretheorem[name=Main Result, numberwithin=section]{main} \declaretheorem[sibling=main]{claim}"
    body = r"\section{A} \begin{main}\label{a}\end{main} \begin{claim}\label{b}\end{claim}"
    assert words(body, preamble) == {"a": "Main Result 1.1", "b": "Claim 1.2"}


def test_a_papers_own_commands_are_put_in() -> None:
    preamble = r"""\newcommand{\be}{\begin{equation}} \newcommand{\ee}{\end{equation}} \newcommand{\nn}{\nonumber}
    \newcommand{\eql}[2]{\begin{equation}\label{#1} #2 \end{equation}} \def\R{\mathbb{R}}"""
    body = r"\be x \ee \begin{align} a \nn \\ b \label{a} \end{align} \eql{b}{y} \begin{equation} \R \label{c} \end{equation}"
    assert words(body, preamble) == {"a": "Equation (2)", "b": "Equation (3)", "c": "Equation (4)"}


def test_what_tex_does_not_read_is_not_counted() -> None:
    body = "\\begin{comment}\n\\section{X}\n\\end{comment}\n\\iffalse \\section{Y} \\else \\section{Z}\\label{z} \\fi\n"
    body += "% \\section{C}\n\\begin{verbatim}\n\\section{V}\n\\end{verbatim}\n$a \\iff b$ \\section{A}\\label{a}"
    assert words(body) == {"z": "Section 1", "a": "Section 2"}


def test_set_counters() -> None:
    body = r"""\setcounter{equation}{4} \begin{equation}\label{a} \end{equation}
    \addtocounter{equation}{-1} \begin{equation}\label{b} \end{equation}"""
    assert words(body) == {"a": "Equation (5)", "b": "Equation (5)"}


# -- no number rather than a wrong one ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "trap",
    [
        r"\begin{dmath} x \end{dmath}",
        r"\begin{empheq}{align} x \\ y \end{empheq}",
        r"\ifdraft \begin{equation} x \end{equation} \fi",
        r"\input{not-there}",
        r"\setcounter{equation}{\value{page}}",
        r"\newcommand{\odd}[2][x]{\begin{equation} #2 \end{equation}} \odd{y}",
        r"\renewcommand{\theequation}{\mystyle{equation}}",
    ],
)
def test_after_what_is_not_understood_equations_have_no_number(trap: str) -> None:
    assert words(trap + r" \begin{equation}\label{a} z \end{equation}") == {"a": ""}


def test_a_class_that_is_not_known_gives_no_numbers() -> None:
    body = r"\section{A}\label{a} \begin{equation}\label{b} \end{equation} \begin{theorem}\label{c}\end{theorem}"
    assert words(body, kind="svjour3") == {"a": "", "b": "", "c": ""}


def test_a_theorem_environment_that_nobody_defined_has_no_number() -> None:
    body = r"\section{A} \begin{conjecture} \label{a} \end{conjecture} \begin{enumerate} \item \label{b} \end{enumerate}"
    assert words(body + r" text\footnote{a \label{c} b} \label{d}")["b"] == ""
    assert words(body + r" text\footnote{a \label{c} b} \label{d}")["c"] == ""
    assert words(body + r" text\footnote{a \label{c} b} \label{d}")["d"] == "Section 1"


def test_a_section_begins_to_count_again_what_was_lost() -> None:
    body = r"\section{A} \begin{dmath} \end{dmath} \section{B} \begin{equation}\label{a} \end{equation}"
    assert words(body, r"\numberwithin{equation}{section}") == {"a": "Equation (2.1)"}


# -- what a line stands in ---------------------------------------------------------------------------------------------


def test_lines_know_what_they_stand_in() -> None:
    body = """\\section{A}
Text.
\\begin{theorem}\\label{a}
Words.
\\begin{equation}
x
\\end{equation}
\\end{theorem}
\\begin{proof}
Step.
\\end{proof}
\\begin{proof}[Proof of Theorem~\\ref{b}]
Step.
\\end{proof}
\\begin{theorem}\\label{b}
\\end{theorem}"""
    found, at = numbers(body), 3  # lines before the body
    around = [found.around(at + n, at + n) for n in (2, 4, 6, 10, 13)]
    assert around == ["Section 1", "Theorem 1.1", "Equation (1)", "Proof of Theorem 1.1", "Proof of Theorem 1.2"]
    assert found.around(at + 3, at + 8) == "Theorem 1.1"


def test_files_that_are_input_are_counted_where_they_are_input(tmp_path: Path) -> None:
    main = f"\\documentclass{{article}}\n{THEOREMS}\n\\begin{{document}}\n\\section{{A}}\n"
    main += "\\input{one}\n\\section{B}\n\\include{two}\n"
    (tmp_path / "main.tex").write_text(main + "\\end{document}\n", encoding="utf-8")
    (tmp_path / "one.tex").write_text("\\begin{theorem}\\label{a}\\end{theorem}\n", encoding="utf-8")
    (tmp_path / "two.tex").write_text("\\begin{lemma}\\label{b}\\end{lemma}\nA line.\n", encoding="utf-8")
    source = read(tmp_path / "main.tex")
    found = numbered(source)
    assert (found.words("a"), found.words("b")) == ("Theorem 1.1", "Lemma 2.1")
    line = source.lines.index("A line.") + 1
    assert found.around(line, line) == "Section 2" and source.line_in_file(line) == ("two.tex", 2)
    (tmp_path / "one.tex").unlink()
    assert numbered(read(tmp_path / "main.tex")).words("b") == "", "what is missing may have had sections"
