"""The text in a picture: formulas and numbers as one prints them."""

from __future__ import annotations

import re
from fractions import Fraction
from html import escape
from typing import Any

from flint import fmpq

LETTERS = {
    **{"eta": "η", "gamma": "γ", "mu": "μ", "alpha": "α", "lambda": "λ", "delta": "δ", "Delta": "Δ", "eps": "ε"},
    **{"sum": "Σ", "prod": "Π", "sqrt": "√", "grad f": "∇f", "<=": "≤", ">=": "≥", "==": "="},
}
_LETTERS = re.compile(r"(?<![A-Za-z])(eta|gamma|mu|alpha|lambda|delta|Delta|eps|sum|prod|sqrt|grad f)(?![A-Za-z])|<=|>=|==")
_WORD = re.compile(r"[^\W_]+")
LONGEST = 22  # characters of a number that are read at a glance
SMALL = 9.5


def greek(text: str) -> str:
    return _LETTERS.sub(lambda found: LETTERS[found[0]], text)


def rich(text: str) -> str:
    """SVG of a formula: x_{k+1} lowered, |x|^2 raised. What is lowered inside a lowered part stands beside it."""
    made, at = "", 0
    while at < len(text):
        if text[at] not in "_^" or at + 1 == len(text):
            made, at = made + escape(text[at], quote=False), at + 1
            continue
        inside, end = _part(text, at + 1)
        by = 3 if text[at] == "_" else -5
        flat = escape(inside.replace("_", "").replace("{", "").replace("}", ""), quote=False)
        made += f'<tspan dy="{by}" font-size="{SMALL}">{flat}</tspan><tspan dy="{-by}">\u200b</tspan>'
        at = end
    return made


def _part(text: str, at: int) -> tuple[str, int]:
    """Return what is raised or lowered from here on, and where it ends: {...}, (...), or a word."""
    if text[at] in "{(":
        depth, end = 0, at
        for end in range(at, len(text)):
            depth += (text[end] in "{(") - (text[end] in "})")
            if not depth:
                break
        return text[at : end + 1], end + 1
    word = _WORD.match(text, at)
    return (word[0], word.end()) if word else (text[at], at + 1)


def number_text(value: Any) -> str:
    """Return a short fraction as it is; a longer one, or a number that is no fraction, by its digits: ≈ 0.125."""
    if isinstance(value, fmpq) and len(str(value)) <= LONGEST:
        return str(value)
    return f"≈ {float(Fraction(str(value)) if isinstance(value, fmpq) else value):.6g}"


def point(values: Any) -> str:
    shown = [number_text(value) for value in values]
    return shown[0] if len(shown) == 1 else f"({', '.join(s.removeprefix('≈ ') for s in shown)})"


def equals(name: str, told: str) -> str:
    """x₀ = 9/2; x₀ ≈ 0.125."""
    return f"{name} {told}" if told.startswith("≈") else f"{name} = {told}"
