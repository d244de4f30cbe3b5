"""The errata: each printed statement that is false, why, a counterexample to paste, and what the proof supports instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boundcheck.bound import PRINTED, PROVED, Bound
from boundcheck.escaping import html_text, markdown_block, markdown_text
from boundcheck.script import script

ABOUT = (
    "A counterexample is exact: `boundcheck verify` checks its certificate without the framework, and the script below it needs "
    "Python alone. The corrected statement is what the proof supports; it holds on everything tried, which is not a proof."
)
OTHER = (
    "Readings that are false",
    "What is printed leaves room here, or says it in words. These are readings that a reader might take and that are false; the "
    "paper may have meant another.",
)
UNDONE = "without-"
Certificates = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Erratum:
    """One entry."""

    bound: Bound
    proved: Bound | None
    counterexample: str
    program: str
    necessary: tuple[str, ...]  # for each change of the corrected statement: why it cannot be left out

    @property
    def anchor(self) -> str:
        return "".join(c if c.isascii() and c.isalnum() else "-" for c in f"{self.bound.label}-{self.bound.reading}")

    @property
    def heading(self) -> str:
        bound = self.bound
        section = f" (section {bound.source.section})" if bound.source.section else ""
        reading = f", read as {bound.reading}" if bound.reading != PRINTED else ""
        return f"{bound.label}{section}{reading}: {bound.title}"

    @property
    def is_printed(self) -> bool:
        """What is printed is false, and not only one way to read it."""
        return self.bound.reading == PRINTED

    @property
    def wrong(self) -> str:
        why = self.bound.because or (self.proved.because if self.proved is not None else "")
        return _sentence(why) if why else ""


def errata(bounds: Iterable[Bound], certificates: Certificates, seen: Mapping[str, str] | None = None) -> list[Erratum]:
    """One entry a false statement, in the order of the claims. `certificates` are by claim id.

    `seen`, by claim id, says where a claim that nobody calls false was seen to fail: that is an entry too.
    """
    claims, also = list(bounds), seen or {}
    wrong = [b for b in claims if (b.is_refuted or b.id in also) and not b.reading.startswith(UNDONE)]
    return [_erratum(b, [c for c in claims if c.source == b.source], certificates, also.get(b.id, "")) for b in wrong]


def _erratum(bound: Bound, same: Sequence[Bound], certificates: Certificates, seen: str) -> Erratum:
    certificate = certificates.get(bound.id)
    if certificate is not None and certificate["hash"] != bound.hash:  # of another claim, whatever its name says
        certificate = None
    undone = [_necessary(b, certificates.get(b.id)) for b in same if b.reading.startswith(UNDONE)]
    return Erratum(
        bound=bound,
        proved=next((b for b in same if b.reading == PROVED), None),
        counterexample=_counterexample(bound, certificate, seen),
        program="" if certificate is None else script(bound, certificate).rstrip(),
        necessary=tuple(undone),
    )


def _counterexample(bound: Bound, certificate: Mapping[str, Any] | None, seen: str) -> str:
    if certificate is not None:
        return str(certificate["words"])
    if bound.refuted_through is not None:
        return f"Refuted through {bound.refuted_through.lemma}: {_sentence(bound.refuted_through.argument)}"
    if seen:
        return f"{_sentence(seen)} It has no certificate yet."
    at = bound.refuted_by
    return f"On {at.problem} by {at.method}; it has no certificate yet." if at is not None else ""


def _necessary(bound: Bound, certificate: Mapping[str, Any] | None) -> str:
    change = bound.reading.removeprefix(UNDONE).replace("-", " ")
    fails = "" if certificate is None else f" There left is {_side(certificate['left'])} and right {_side(certificate['right'])}."
    return f"The change of {change} is needed: {_sentence(bound.because)}{fails}"


def _side(given: Any) -> str:
    if isinstance(given, str):
        return given if len(given) <= 60 else f"a fraction of {len(given)} digits"
    return f"in [{given[0]}, {given[1]}]"


def _sentence(text: str) -> str:
    made = text[:1].upper() + text[1:]
    return made if made.endswith((".", "?", "!")) else made + "."


def _conditions(bound: Bound) -> str:
    where = "any x and y" if bound.is_about_chords else f"{bound.for_all.letter} >= {bound.for_all.start}"
    given = "; ".join(str(h) for h in bound.hypotheses) or "nothing"
    return f"for {where}, given: {given}."


def groups(entries: Sequence[Erratum]) -> list[tuple[str, str, list[Erratum]]]:
    """What is false as printed; and readings that are."""
    printed, others = ([e for e in entries if e.is_printed is which] for which in (True, False))
    first = ("Errata", f"{len(printed)} statements are false as printed. {ABOUT}", printed)
    return [first, (OTHER[0], f"{len(others)} readings. {OTHER[1]}", others)] if others else [first]


def errata_page(entries: Sequence[Erratum]) -> str:
    """Markdown."""
    lines: list[str] = []
    for title, about, members in groups(entries):
        links = [f"- [{markdown_text(e.bound.label)}](#{e.anchor}): {markdown_text(e.bound.title)}" for e in members]
        lines += [f"# {title}", "", about, "", *links, ""]
        for e in members:
            lines += _entry(e)
    return "\n".join(lines)


def _entry(e: Erratum) -> list[str]:
    lines = [f'<a id="{e.anchor}"></a>', "", f"## {markdown_text(e.heading)}", "", *_statement(_word(e), e.bound)]
    lines += [f"**What is wrong.** {markdown_text(e.wrong)}", ""] if e.wrong else []
    lines += [f"**Counterexample.** {markdown_text(e.counterexample)}", ""] if e.counterexample else []
    lines += [*markdown_block(e.program, "python"), ""] if e.program else []
    lines += _statement("Corrected", e.proved) if e.proved is not None else []
    return lines + [line for reason in e.necessary for line in (f"- {markdown_text(reason)}", "")]


def _word(e: Erratum) -> str:
    return "As printed" if e.is_printed else f"Read as {e.bound.reading}"


def _statement(word: str, bound: Bound) -> list[str]:
    return [f"**{markdown_text(word)}.**", "", f"$$ {bound.latex()} $$", "", markdown_text(_conditions(bound)), ""]


def errata_html(entries: Sequence[Erratum]) -> str:
    """The same as sections of an HTML page."""
    parts = ["<div id='errata'>"]
    for title, about, members in groups(entries):
        parts += [f"<h2>{html_text(title)}</h2><p>{html_text(about)}</p>", *(_section(e) for e in members)]
    return "".join([*parts, "</div>"])


def _section(e: Erratum) -> str:
    parts = [f"<section id='{e.anchor}'><h3>{html_text(e.heading)}</h3>", _shown(_word(e), e.bound)]
    parts += [f"<p><b>What is wrong.</b> {html_text(e.wrong)}</p>"] if e.wrong else []
    parts += [f"<p><b>Counterexample.</b> {html_text(e.counterexample)}</p>"] if e.counterexample else []
    parts += [f"<details><summary>a script to paste</summary><pre>{html_text(e.program)}</pre></details>"] if e.program else []
    parts += [_shown("Corrected", e.proved)] if e.proved is not None else []
    parts += ["<ul>", *(f"<li>{html_text(reason)}</li>" for reason in e.necessary), "</ul>"] if e.necessary else []
    return "".join([*parts, "</section>"])


def _shown(word: str, bound: Bound) -> str:
    return f"<p><b>{html_text(word)}.</b> <code>{html_text(str(bound.states))}</code><br>{html_text(_conditions(bound))}</p>"
