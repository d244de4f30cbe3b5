"""Why a claim is false: the counterexample drawn and worked through, its certificate, a script, and what holds instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from boundcheck.certificates.errata import Erratum
from boundcheck.certificates.errata.mathwords import sentence
from boundcheck.certificates.walkthrough import steps
from boundcheck.certificates.write import file_name
from boundcheck.claims.bound import Bound
from boundcheck.language.latex import latex
from boundcheck.language.scalars import Constant, Parameter
from boundcheck.language.symbols import LETTERS
from boundcheck.report.content import Report
from boundcheck.report.page.inline_math import inline, told
from boundcheck.report.page.markup import Markup, join, tag
from boundcheck.report.page.pictures import picture
from boundcheck.report.page.proof import links, proof
from boundcheck.report.page.prose import prose
from boundcheck.report.page.statement import stated


def refutation(report: Report, bound: Bound, erratum: Erratum | None, certificate: Mapping[str, Any] | None) -> Markup | None:
    """Everything that shows a false claim to be false; None for a claim that is not known to be."""
    if not bound.is_refuted and erratum is None:
        return None
    return tag(
        "section",
        tag("h3", "Counterexample"),
        tag("p", prose(erratum.counterexample))
        if erratum is not None and certificate is None and erratum.counterexample
        else None,
        tag("div", _drawn(report, bound), _worked(bound, certificate), class_="pair"),
        _certificate(bound, certificate),
        _script(erratum),
        class_="refutation",
    )


def why(report: Report, bound: Bound, erratum: Erratum | None) -> Markup | None:
    """What is wrong, what holds instead, and why no less would do."""
    if erratum is None:
        return None
    proved = erratum.proved
    because = bound.because or (proved.because if proved is not None else "")
    return tag(
        "section",
        tag("h3", "What is wrong"),
        tag("p", told(sentence(because), links(report, bound))) if because else None,
        _instead(report, proved, bound) if proved is not None else None,
        tag("ul", [tag("li", told(_plain(reason))) for reason in erratum.necessary]) if erratum.necessary else None,
        class_="why",
    )


def _instead(report: Report, proved: Bound, bound: Bound) -> Markup:
    link = tag("a", "open the corrected statement", href=f"#claim={proved.id}", class_="more")
    heading = tag("h4", "Corrected: what the proof supports")
    return join(heading, stated(proved, bound), proof(report, proved, "h5"), tag("p", link))


def _plain(text: str) -> str:
    return re.sub(r"\*(\w[^*]*)\*", r"\1", text)


def _drawn(report: Report, bound: Bound) -> Markup | None:
    svg = report.pictures.get(bound.id)
    if not svg:
        return None
    return tag("figure", picture(svg, prefix=f"p-{bound.hash[:8]}-"), tag("figcaption", "The function, and the run on it."))


def _worked(bound: Bound, certificate: Mapping[str, Any] | None) -> Markup | None:
    """Step by step, as one does it with pencil and paper."""
    if certificate is None:
        return None
    lines, names = [line.partition(". ")[2] for line in steps(bound, certificate)], _names(bound)
    return tag(
        "div",
        tag("h4", "Worked through, in exact numbers"),
        tag("ol", [tag("li", _lettered(line, names)) for line in lines], class_="steps"),
    )


def _names(bound: Bound) -> dict[str, str]:
    """Letters whose names in a file are words, and the LaTeX that they are printed as."""
    letters = [n for tree in bound.trees for n in tree.walk() if isinstance(n, Parameter | Constant)]
    return {n.name: latex(n) for n in letters if len(n.name) > 1 and n.name.isalpha() and n.name not in LETTERS}


def _lettered(line: str, names: Mapping[str, str]) -> Markup:
    """The line in which these words are the letters that they stand for."""
    if not names:
        return prose(line)
    parts = re.split(rf"\b({'|'.join(map(re.escape, names))})\b", line)
    return join([inline(names[part]) if n % 2 else prose(part) for n, part in enumerate(parts)])


def _certificate(bound: Bound, certificate: Mapping[str, Any] | None) -> Markup | None:
    if certificate is None:
        return None
    name = file_name(bound)
    return tag(
        "div",
        tag("h4", "Certificate"),
        tag("p", "A file that a checker of a few hundred lines, which imports nothing of the framework, accepts: "),
        tag("p", tag("button", f"Save {name}", type="button", class_="save", data_name=name), class_="buttons"),
        tag("pre", tag("code", f"boundcheck verify {name}")),
    )


def _script(erratum: Erratum | None) -> Markup | None:
    if erratum is None or not erratum.program:
        return None
    copy = tag("button", "Copy", type="button", class_="copy", data_copies=".script code")
    return tag(
        "details",
        tag("summary", "The same as a script that needs Python alone"),
        copy,
        tag("pre", tag("code", erratum.program)),
        class_="script",
    )
