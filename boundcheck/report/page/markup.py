"""Markup from elsewhere: SVG made safe to stand in the page, and sentences with mathematics printed as in a book."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html import escape

from markupsafe import Markup

from boundcheck.certificates.errata.math_words import begins_with_mathematics
from boundcheck.language.symbols import LETTERS

SVG = "http://www.w3.org/2000/svg"
DRAWN = {
    *("svg", "g", "defs", "path", "line", "polyline", "polygon", "rect", "circle", "ellipse", "text", "tspan", "title", "desc"),
    *("clipPath", "use", "marker", "symbol", "style", "linearGradient", "radialGradient", "stop", "pattern", "mask"),
}
OUTWARD = re.compile(r"url\(\s*['\"]?(?!#)|@import|expression\(|javascript:", re.IGNORECASE)


def picture(svg: str, *, prefix: str) -> Markup:
    """Return the drawing alone: no script, no link outwards, its ids with a prefix of their own.

    What is no SVG is said in its place.
    """
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as wrong:
        return Markup('<p class="muted">The picture cannot be shown: {}.</p>').format(wrong)
    _clean(root, prefix)
    root.set("role", "img")
    for size in ("width", "height"):
        if "viewBox" in root.attrib:
            root.attrib.pop(size, None)
    ET.register_namespace("", SVG)
    return Markup(ET.tostring(root, encoding="unicode").replace(f' xmlns="{SVG}"', "", 1))


def _clean(element: ET.Element, prefix: str) -> None:
    for child in list(element):
        if _local(child.tag) not in DRAWN or (_local(child.tag) == "style" and OUTWARD.search(child.text or "")):
            element.remove(child)
        else:
            _clean(child, prefix)
    for name, value in list(element.attrib.items()):
        local = _local(name)
        if local.lower().startswith("on") or OUTWARD.search(value) or (local == "href" and not value.startswith("#")):
            del element.attrib[name]
        elif local == "href":
            del element.attrib[name]
            element.set("href", f"#{prefix}{value[1:]}")
        elif local == "id":
            element.set(name, prefix + value)
        elif "url(#" in value:
            element.set(name, value.replace("url(#", f"url(#{prefix}"))


def _local(name: object) -> str:
    return name.rpartition("}")[2] if isinstance(name, str) else ""


NAMES = sorted((name for name in LETTERS if name not in ("top", "star", "prime", "eps", "ell")), key=len, reverse=True)
GREEK = re.compile(rf"(?<![:.@])\b({'|'.join(NAMES)})(?=\b|_)(?!-[a-z]{{2}})")  # and not a part of a label
AFTER = r"(?:(?<![\w/:@-])|(?<=[\d)|\]]/)|(?<=[/-])(?=[α-ωϵϕ]))"  # what may stand before a letter: no part of a name, as in a/b_c
LOW = re.compile(rf"{AFTER}([A-Za-zα-ωϵϕΓΔΛΦΨΩ]{{1,4}}['′]?)_(?:\{{([^{{}}]*)\}}|(min|max|lo|hi|\d+|[A-Za-z])(?![A-Za-z0-9]))")
STARRED = re.compile(r"\bphistar_(\{[^{}]*\}|\w+)")
RUN = re.compile(r"\((?:prime|momentum)\)(?=_)")  # of a claim about two runs: the second has a prime
DIGIT = re.compile(rf"\b({'|'.join(NAMES)})(\d)\b")  # eta0 is a letter with an index
HIGH = re.compile(r"\^(?:\{([^{}]*)\}|\(([^()]*)\)|(\d+|[a-zA-Z]\b))")
STAR = re.compile(r"\b([xf])\*(?!\w)")
SIGNS = {"&lt;=": "≤", "&gt;=": "≥", "==": "=", "grad f": "∇f", " - ": " − "}
TIMES = re.compile(r"(?<=[\d)])\*(?=[\d(|])")


def capital(text: str) -> str:
    """Return a heading: a capital letter first, unless it begins with mathematics."""
    return text if begins_with_mathematics(text) else text[:1].upper() + text[1:]


def prose(text: str) -> Markup:
    """Return the sentence as HTML."""
    made = DIGIT.sub(r"\1_\2", RUN.sub("′", escape(text, quote=False)))
    made = made.replace("In the run 'prime'", "In the second run").replace("In the run 'momentum'", "In the second run")
    made = STARRED.sub(lambda m: f"<i>ϕ</i><sub>{_sign(m[1].strip('{}'))}</sub><sup>*</sup>", made)
    made = GREEK.sub(lambda m: LETTERS[m[1]], made)
    for plain, sign in SIGNS.items():
        made = made.replace(plain, sign)
    made = TIMES.sub("·", made)
    made = STAR.sub(r"<i>\1</i><sup>*</sup>", made)
    made = LOW.sub(lambda m: f"{_letter(m[1])}<sub>{_sign(m[2] or m[3])}</sub>", made)
    return Markup(HIGH.sub(lambda m: f"<sup>{_sign(m[1] or m[2] or m[3])}</sup>", made))


def _letter(name: str) -> str:
    return f"<i>{name}</i>" if len(name) < 3 else name  # sum, mean, min are words


def _sign(index: str) -> str:
    return index.replace("-", "−").replace("..", "…")
