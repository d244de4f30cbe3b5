"""The lines of a statement, found from its label or from the line on which it begins."""

from __future__ import annotations

import re

from boundcheck.claims.latex_source.numbers import Numbers, Span
from boundcheck.claims.latex_source.reading import TexSource, without_comment

ENDS = re.compile(r"[.?!][)'\"]*\s*(\\\]|\\qedhere|\\qed|\\)?\s*$")  # a sentence ends with the line
ENDS_INSIDE = re.compile(r"[.?!][)'\"]* +\\?[A-Z]")
LATIN = re.compile(r"\b(i\.e|e\.g|cf|resp|Eq|Fig|Sec|Thm)\.~?\s*$")
CAPITAL = re.compile(r"\s*(\\textbf\{|\\emph\{|\$|\\\()?[A-Z][a-z]*\b")
GOES_ON = re.compile(r"\s*(where|which|and|with|meaning|since|as|for|so|or|but|in|if)\b")
HALTS = re.compile(r"\s*\\(end|begin|item|section|subsection|subsubsection|paragraph|textbf|label|caption|appendix)\b")


def lines_of_label(source: TexSource, numbers: Numbers, label: str) -> tuple[int, int] | None:
    """The lines of what a label names: its theorem, display or figure, whole. None where the source has no such label."""
    line = numbers.lines.get(label)
    if line is None:
        return None
    shown = [span for span in numbers.spans if span.what == "display" and label in span.labels]
    around = [span for span in numbers.spans if span.what in ("theorem", "float") and span.holds(line, line)]
    found = min(shown or around, key=_size, default=None)
    if found is not None:
        return found.first, found.last
    above = line - 1 if line > 1 and "\\label" in source.lines[line - 1].lstrip()[:6] else line
    return above, line  # a heading, and its label on the next line


def lines_from(source: TexSource, numbers: Numbers, line: int) -> tuple[int, int]:
    """The lines of the statement on a line: its display or row of a display, else its sentence."""
    displays = [span for span in numbers.spans if span.what == "display" and span.holds(line, line)]
    shown = min(displays, key=_size, default=None)
    if shown is not None and not _has_words_before(source, shown, line):
        rows = [span for span in numbers.spans if span.what == "row" and shown.holds(span.first, span.last)]
        first_row = min((row.first for row in rows), default=shown.first)
        row = min((row for row in rows if row.first <= line <= row.last), key=_size, default=None)
        if row is None or line <= first_row:
            return shown.first, shown.last
        return line, row.last
    begin = _sentence_begin(source, numbers, line)
    return begin, _sentence_end(source, numbers, line, begin)


def _size(span: Span) -> int:
    return span.last - span.first


def _has_words_before(source: TexSource, shown: Span, line: int) -> bool:
    """The display begins on this line behind words: the statement begins with them."""
    before = re.split(r"\\\[|\\begin|\$\$", without_comment(source.lines[line - 1]))[0]
    return line == shown.first and bool(before.strip())


def _sentence_begin(source: TexSource, numbers: Numbers, line: int) -> int:
    """The line on which the sentence of a line begins. One that goes on after a display with `where` or the like begins there."""
    while line > 1:
        before = without_comment(source.lines[line - 2])
        shown = _displayed(numbers, line - 1)
        if shown is not None:
            if GOES_ON.match(source.lines[line - 1]) or _ends_with_stop(source, shown) or _begins_anew(source, line):
                return line
            line = shown.first
        elif not before.strip() or HALTS.match(before) or (ENDS.search(before) and not LATIN.search(before)):
            return line
        else:
            line -= 1
    return line


def _sentence_end(source: TexSource, numbers: Numbers, line: int, begin: int) -> int:
    at = line
    while at <= len(source.lines):
        text = without_comment(source.lines[at - 1])
        if at > line and (not text.strip() or (HALTS.match(text) and not _displayed(numbers, at))):
            return at - 1
        shown = _displayed(numbers, at)
        if shown is not None and shown.last >= at:
            if _ends_with_stop(source, shown) or _begins_anew(source, shown.last + 1):
                return shown.last
            at = shown.last + 1
            continue
        if ENDS.search(text) and not LATIN.search(text):
            return at
        if at > begin and ENDS_INSIDE.search(text):
            return at
        at += 1
    return len(source.lines)


def _displayed(numbers: Numbers, line: int) -> Span | None:
    found = [span for span in numbers.spans if span.what == "display" and span.holds(line, line)]
    return max(found, key=_size, default=None)


def _ends_with_stop(source: TexSource, shown: Span) -> bool:
    """The formula itself ends with a full stop."""
    words = " ".join(without_comment(text) for text in source.between(shown.first, shown.last))
    words = re.sub(r"(\\end\{[^}]*\}|\\\]|\$\$|\\qedhere|\\label\{[^}]*\}|\\tag\{[^}]*\}|\\hspace\{[^}]*\}|\s|\})+$", "", words)
    return words.endswith(".")


def _begins_anew(source: TexSource, line: int) -> bool:
    """The next line begins a sentence, or there is none."""
    text = without_comment(source.lines[line - 1]) if line <= len(source.lines) else ""
    return not text.strip() or bool(CAPITAL.match(text)) or bool(HALTS.match(text))
