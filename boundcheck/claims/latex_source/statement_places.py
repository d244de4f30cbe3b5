"""Places of statements made from a source: their lines, number and fingerprint, and the TOML in which they are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from boundcheck.claims.latex_source.numbers import LineSpan, SourceNumbers
from boundcheck.claims.latex_source.quotation import fingerprint
from boundcheck.claims.latex_source.tex_source import NotASource, TexSource, without_comment
from boundcheck.claims.source import Place

ENDS = re.compile(r"[.?!][)'\"]*\s*(\\\]|\\qedhere|\\qed|\\)?\s*$")  # a sentence ends with the line
ENDS_INSIDE = re.compile(r"[.?!][)'\"]* +\\?[A-Z]")
LATIN = re.compile(r"\b(i\.e|e\.g|cf|resp|Eq|Fig|Sec|Thm)\.~?\s*$")
CAPITAL = re.compile(r"\s*(\\textbf\{|\\emph\{|\$|\\\()?[A-Z][a-z]*\b")
GOES_ON = re.compile(r"\s*(where|which|and|with|meaning|since|as|for|so|or|but|in|if)\b")
HALTS = re.compile(r"\s*\\(end|begin|item|section|subsection|subsubsection|paragraph|textbf|label|caption|appendix)\b")


def lines_of_label(source: TexSource, numbers: SourceNumbers, label: str) -> tuple[int, int] | None:
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


def lines_from(source: TexSource, numbers: SourceNumbers, line: int) -> tuple[int, int]:
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


def _size(span: LineSpan) -> int:
    return span.last - span.first


def _has_words_before(source: TexSource, shown: LineSpan, line: int) -> bool:
    """The display begins on this line behind words: the statement begins with them."""
    before = re.split(r"\\\[|\\begin|\$\$", without_comment(source.lines[line - 1]))[0]
    return line == shown.first and bool(before.strip())


def _sentence_begin(source: TexSource, numbers: SourceNumbers, line: int) -> int:
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


def _sentence_end(source: TexSource, numbers: SourceNumbers, line: int, begin: int) -> int:
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


def _displayed(numbers: SourceNumbers, line: int) -> LineSpan | None:
    found = [span for span in numbers.spans if span.what == "display" and span.holds(line, line)]
    return max(found, key=_size, default=None)


def _ends_with_stop(source: TexSource, shown: LineSpan) -> bool:
    """The formula itself ends with a full stop."""
    words = " ".join(without_comment(text) for text in source.between(shown.first, shown.last))
    words = re.sub(r"(\\end\{[^}]*\}|\\\]|\$\$|\\qedhere|\\label\{[^}]*\}|\\tag\{[^}]*\}|\\hspace\{[^}]*\}|\s|\})+$", "", words)
    return words.endswith(".")


def _begins_anew(source: TexSource, line: int) -> bool:
    """The next line begins a sentence, or there is none."""
    text = without_comment(source.lines[line - 1]) if line <= len(source.lines) else ""
    return not text.strip() or bool(CAPITAL.match(text)) or bool(HALTS.match(text))


HEAD = """\
# Where each printed statement stands in the paper's LaTeX source: its lines, its number as printed, and a fingerprint of them.
# `boundcheck quote` makes these; lines corrected by hand stay. The words are the paper's and are not kept here.
"""


def place_of_lines(source: TexSource, numbers: SourceNumbers, first: int, last: int, label: str = "") -> Place:
    """The place of some lines. Its number is that of the label, else of what the lines stand in."""
    if not 1 <= first <= last:
        raise NotASource(f"found the lines {first}-{last}; a range is FIRST-LAST with 1 <= FIRST <= LAST")
    if last > len(source.lines):
        raise NotASource(f"{source.name} has {len(source.lines)} lines; found the range {first}-{last}")
    mark = fingerprint(source.between(first, last))
    if mark.endswith("-0"):
        raise NotASource(f"{source.name}, lines {first}-{last}: there are no words; give lines that hold a statement")
    return Place(lines=(first, last), number=numbers.words(label) or numbers.around(first, last), fingerprint=mark)


def place_of(source: TexSource, numbers: SourceNumbers, label: str, line: int | None) -> Place | None:
    """The place of a claim by its label in the source; of a part of it (`label.part`), by the line on which it begins."""
    lines = lines_of_label(source, numbers, label)
    if lines is None and line is not None and 1 <= line <= len(source.lines):
        lines = lines_from(source, numbers, line)
    return None if lines is None else place_of_lines(source, numbers, *lines, label)


def labels_in(numbers: SourceNumbers, first: int, last: int) -> list[str]:
    """The labels on some lines, in their order."""
    return [label for label, line in sorted(numbers.lines.items(), key=lambda pair: pair[1]) if first <= line <= last]


def toml_of(label: str, place: Place) -> str:
    """A place as it stands in places.toml."""
    first, last = place.lines
    number = json.dumps(place.number, ensure_ascii=False)
    return f'[{json.dumps(label)}]\nlines = [{first}, {last}]\nnumber = {number}\nfingerprint = "{place.fingerprint}"\n'


def file_of(places: Mapping[str, Place]) -> str:
    """The whole of places.toml, in the order of the source."""
    ordered = sorted(places.items(), key=lambda pair: (pair[1].lines, pair[0]))
    return HEAD + "".join(f"\n{toml_of(label, place)}" for label, place in ordered)
