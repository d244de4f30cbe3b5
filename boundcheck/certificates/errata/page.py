"""errata.md: the paper, how it stands, then each finding, the severest first, with its counterexample and its correction."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from boundcheck.certificates.errata.content import ErrataContent, name, place
from boundcheck.certificates.errata.correction import change
from boundcheck.certificates.errata.entries import Erratum, FindingShown
from boundcheck.certificates.errata.findings import Severity
from boundcheck.certificates.errata.math_words import Link, markdown_words, quiet, sentence, typeset
from boundcheck.certificates.errata.wording import wording
from boundcheck.claims.bound import Bound
from boundcheck.support.escaping import markdown_block, markdown_code, markdown_text

ABOUT = (
    "One cause is one finding, wherever it shows. A counterexample is exact: `boundcheck verify` checks its certificate without "
    "the framework, and the script below it needs Python alone. A corrected statement has its proof below it, or holds on "
    "everything tried, which is not a proof. Formulas are in the notation of the library; with `--source PAPER.tex` the paper's "
    "own words stand beside them."
)
READINGS = (
    "What is printed leaves room here, or says it in words. These are readings that a reader might take and that are false; the "
    "paper may have meant another."
)
PAGE = "index.html"  # beside this file: the page of the report, where each claim has its own place


def errata_page(sheet: ErrataContent) -> str:
    """Markdown."""
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: ErrataContent) -> Iterator[str]:
    yield from (f"# Errata: {markdown_text(sheet.title)}", "")
    if sheet.authors:
        yield from (markdown_text(sheet.authors + "".join(f", {p.year}" for p in sheet.papers[:1] if p.year)), "")
    if sheet.state:
        yield from (f"**{markdown_text(sheet.state)}**", "")
    yield from (f"- {_words(line)}" for line in sheet.summary)
    yield from ("", ABOUT, "") if sheet.shown else ("", "Nothing that is printed is known to be false.", "")
    rated = [(severity, members) for severity in Severity if (members := sheet.of(severity))]
    for severity, members in rated:
        yield from (f"{_title(severity)} ({len(members)}):", "")
        yield from (f"- {n}: [{_words(one.finding.title)}](#{one.anchor})" for n, one in members)
        yield ""
    for severity, members in rated:
        yield from (f"## {_title(severity)} ({len(members)})", "")
        for n, one in members:
            yield from _finding(sheet, n, one)
    if sheet.readings:
        yield from (f"## Readings that are false ({len(sheet.readings)})", "", READINGS, "")
        for entry in sheet.readings:
            yield from _reading(sheet, entry)
    if sheet.misprints:
        yield from (f"## Misprints that make nothing false ({len(sheet.misprints)})", "")
        yield from (f"- {markdown_words(one.words)}" for one in sheet.misprints)
        yield ""
    if told := sheet.methods.told():
        yield from ("## Methods", "")
        for called, words in told:
            yield from (f"- **{markdown_text(called)}.** {markdown_words(sentence(words))}",)


def _words(text: str, link: Link | None = None) -> str:
    """Return words that somebody wrote, with formulas as one types them or between dollars."""
    return markdown_words(typeset(text), link)


def _title(severity: Severity) -> str:
    return sentence(severity.value).removesuffix(".")


def _finding(sheet: ErrataContent, n: int, one: FindingShown) -> Iterator[str]:
    finding, first = one.finding, one.first
    yield from (f'<a id="{one.anchor}"></a>', "", f"### {n}. {_words(finding.title)}", "")
    where = "; ".join(f"{markdown_text(place(e.bound))} ({markdown_code(e.bound.label)})".strip() for e in one.entries)
    yield from (f"**{_title(finding.severity)}.** In {where}.", "")
    yield from _stated(sheet, "As printed", first.bound)
    yield from _labelled("What is wrong", sentence(finding.what), _links(sheet, first.bound))
    yield from _counterexample(first)
    yield from _correction(sheet, first)
    yield from _labelled("What survives", finding.survives, _links(sheet, first.bound))
    if one.others:
        yield from (f"**The same cause in {len(one.others)} other place{'' if len(one.others) == 1 else 's'}.**", "")
        for entry in one.others:
            yield from _other(sheet, entry)


def _stated(sheet: ErrataContent, word: str, bound: Bound) -> Iterator[str]:
    """Yield the formula, and for what it is said; with the paper's own words where they are given."""
    yield f"**{word}** ({markdown_text(', '.join(part for part in (place(bound), bound.label) if part))}):"
    yield ""
    quoted = sheet.quotations.get(bound.id)
    if quoted is not None:
        word = "The paper's words" if quoted.is_found else "The words that were transcribed are not in this source; there stands"
        yield from (
            f"{word} ({markdown_text(quoted.tells)}):",
            "",
            *markdown_block(quoted.text, "tex"),
            "",
            "In our notation:",
            "",
        )
    said = wording(bound, sheet.methods)
    yield from (f"$$ {quiet(said.formula)} $$", "", markdown_words(said.text), "")


def _labelled(word: str, words: str, link: Link | None = None) -> Iterator[str]:
    if words:
        yield from (f"**{word}.** {_words(words, link)}", "")


def _counterexample(entry: Erratum) -> Iterator[str]:
    yield from _labelled("Counterexample", entry.short or entry.counterexample)
    if entry.program:
        yield from ("<details><summary>A script to paste into Python</summary>", "")
        yield from (*markdown_block(entry.program, "python"), "", "</details>", "")


def _correction(sheet: ErrataContent, entry: Erratum) -> Iterator[str]:
    proved = entry.proved
    if proved is None:
        return
    said, printed = wording(proved, sheet.methods), wording(entry.bound, sheet.methods)
    same = said.text == printed.text
    yield from ("**Corrected:**", "", f"$$ {quiet(said.formula)} $$", "")
    yield from (("Under the same conditions." if same else markdown_words(said.text)), "")
    if proved.proof_sketch:
        yield from ("**Proof.**", "")
        yield from (f"{n}. {_words(line, _links(sheet, proved))}" for n, line in enumerate(proved.proof_sketch, start=1))
        yield ""
    yield from (f"- {_words(reason)}" for reason in entry.necessary)
    yield from ("",) if entry.necessary else ()


def _other(sheet: ErrataContent, entry: Erratum) -> Iterator[str]:
    """Yield another place of the same cause: what is printed there, what to read instead, and its own counterexample."""
    bound = entry.bound
    where = ", ".join(part for part in (place(bound), bound.label) if part)
    yield from (f'<a id="{entry.anchor}"></a>', "", f"#### {markdown_text(where)}: {_words(bound.title)}", "")
    found = change(bound, entry.proved, sheet.methods)
    read = f" Read: {markdown_words(found.read)}." if found.read else ""
    yield from (f"Printed: {markdown_words(found.printed)}.{read}", "")
    yield from _folded(sheet, entry)


def _folded(sheet: ErrataContent, entry: Erratum) -> Iterator[str]:
    yield from ("<details><summary>Statement, counterexample and correction</summary>", "")
    yield from _stated(sheet, "As printed" if entry.is_printed else "Read so", entry.bound)
    yield from _labelled("Counterexample", entry.short or entry.counterexample)
    yield from (*markdown_block(entry.program, "python"), "") if entry.program else ()
    yield from _correction(sheet, entry)
    yield from ("</details>", "")


def _reading(sheet: ErrataContent, entry: Erratum) -> Iterator[str]:
    bound = entry.bound
    read = bound.reading.replace("-", " ")
    yield from (f'<a id="{entry.anchor}"></a>', "")
    yield from (f"### {markdown_text(name(bound))}, read as {markdown_text(read)}: {_words(bound.title)}", "")
    yield from _labelled("What is wrong", entry.wrong, _links(sheet, bound))
    yield from _folded(sheet, entry)


def _links(sheet: ErrataContent, about: Bound) -> Link:
    """From [label@reading] to that claim on the page of the report."""

    def link(written: str) -> str | None:
        found = sheet.claim(written, about)
        return None if found is None else f"[{markdown_text(name(found))}]({PAGE}#claim={quote(found.id, safe='/:@.')})"

    return link
