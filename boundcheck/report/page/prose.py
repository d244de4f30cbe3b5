"""Sentences with a little mathematics in them: x_{k+1}, eta_k and |x - y|^2 as they are printed in a book."""

from __future__ import annotations

import re
from html import escape

from boundcheck.errata.mathwords import begins_with_mathematics
from boundcheck.language.symbols import LETTERS
from boundcheck.report.page.markup import Markup

NAMES = sorted((name for name in LETTERS if name not in ("top", "star", "prime", "eps", "ell")), key=len, reverse=True)
GREEK = re.compile(rf"\b({'|'.join(NAMES)})(?=\b|_)")
LOW = re.compile(r"(?<![\w/:@-])([A-Za-zα-ωϵϕΓΔΛΦΨΩ]{1,4}'?)_(?:\{([^{}]*)\}|(min|max|[A-Za-z0-9])(?![A-Za-z0-9]))")
HIGH = re.compile(r"\^(?:\{([^{}]*)\}|\(([^()]*)\)|(\d+|[a-zA-Z]\b))")
STAR = re.compile(r"\b([xf])\*(?!\w)")
SIGNS = {"&lt;=": "≤", "&gt;=": "≥", "==": "=", "grad f": "∇f", " - ": " − "}
TIMES = re.compile(r"(?<=[\d)])\*(?=[\d(|])")


def capital(text: str) -> str:
    """A heading: a capital letter first, unless it begins with mathematics."""
    return text if begins_with_mathematics(text) else text[:1].upper() + text[1:]


def prose(text: str) -> Markup:
    """The sentence as HTML."""
    made = GREEK.sub(lambda m: LETTERS[m[1]], escape(text, quote=False))
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
