"""The errata page: each printed statement that is false, why, a counterexample to paste, and what the proof supports instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from boundcheck.bound import PROVED, Bound
from boundcheck.script import script

HEAD = """# Errata

Each entry is a statement that is false as printed. The counterexample is exact: `boundcheck verify` checks its certificate
without the framework, and the script below it needs Python alone. The corrected statement is what the proof supports; it
holds on everything tried.
"""
UNDONE = "without-"


def errata_page(bounds: Iterable[Bound], certificates: Mapping[str, Mapping[str, Any]]) -> str:
    """Markdown, one entry a refuted statement in the order of the claims. `certificates` are by claim id."""
    claims = list(bounds)
    wrong = [b for b in claims if b.is_refuted and not b.reading.startswith(UNDONE)]
    entries = [_entry(b, [c for c in claims if c.source == b.source], certificates) for b in wrong]
    index = [f"- [{b.label}](#{_anchor(b)}){f' ({b.reading})' if b.reading != 'printed' else ''}: {b.title}" for b in wrong]
    return "\n".join([HEAD, *index, "", *entries])


def _anchor(bound: Bound) -> str:
    return "".join(c if c.isalnum() else "-" for c in f"{bound.label}-{bound.reading}")


def _entry(bound: Bound, same: Sequence[Bound], certificates: Mapping[str, Mapping[str, Any]]) -> str:
    proved = next((b for b in same if b.reading == PROVED), None)
    section = f" (section {bound.source.section})" if bound.source.section else ""
    lines = [f'<a id="{_anchor(bound)}"></a>', "", f"## {bound.label}{section}: {bound.title}", ""]
    lines += ["**As printed.**" if bound.reading == "printed" else f"**Read as {bound.reading}.**", "", *_statement(bound)]
    if proved is not None:
        lines += [f"**What is wrong.** {_sentence(proved.because)}", ""]
    lines += _counterexample(bound, certificates.get(bound.id))
    if proved is not None:
        lines += ["**Corrected.**", "", *_statement(proved)]
        lines += [line for b in same if b.reading.startswith(UNDONE) for line in _necessary(b, certificates.get(b.id))]
    return "\n".join(lines)


def _statement(bound: Bound) -> list[str]:
    """The formula of the tree that is checked, its range and what is given."""
    where = "any x and y" if bound.is_about_chords else f"{bound.for_all.letter} >= {bound.for_all.start}"
    given = "; ".join(str(h) for h in bound.hypotheses) or "nothing"
    return [f"$$ {bound.latex()} $$", "", f"for {where}, given: {given}.", ""]


def _counterexample(bound: Bound, certificate: Mapping[str, Any] | None) -> list[str]:
    if certificate is not None:
        told = ["**Counterexample.** " + certificate["words"], "", "```python", script(bound, certificate).rstrip(), "```", ""]
        return told
    if bound.refuted_through is not None:
        return [f"**Refuted through** `{bound.refuted_through.lemma}`: {_sentence(bound.refuted_through.argument)}", ""]
    at = bound.refuted_by
    return [f"**Counterexample.** On {at.problem} by {at.method}; it has no certificate yet.", ""] if at is not None else []


def _necessary(bound: Bound, certificate: Mapping[str, Any] | None) -> list[str]:
    """One change of the corrected statement undone, and where that fails."""
    change = bound.reading.removeprefix(UNDONE).replace("-", " ")
    fails = "" if certificate is None else f" There left is {_side(certificate['left'])} and right {_side(certificate['right'])}."
    return [f"- The change of *{change}* is needed: {_sentence(bound.because)}{fails}", ""]


def _side(given: Any) -> str:
    if isinstance(given, str):
        return given if len(given) <= 60 else f"a fraction of {len(given)} digits"
    return f"in [{given[0]}, {given[1]}]"


def _sentence(text: str) -> str:
    made = text[:1].upper() + text[1:]
    return made if made.endswith((".", "?", "!")) else made + "."
