"""The short LaTeX that names a symbol, such as \\eta_{\\min}, as MathML."""

from __future__ import annotations

import re
from html import escape

LETTERS = {
    **{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "eps": "ϵ", "eta": "η", "theta": "θ", "kappa": "κ"},
    **{"lambda": "λ", "mu": "μ", "nu": "ν", "phi": "ϕ", "psi": "ψ", "rho": "ρ", "sigma": "σ", "tau": "τ", "omega": "ω"},
    **{"Gamma": "Γ", "Delta": "Δ", "Lambda": "Λ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω"},
    **{"top": "⊤", "infty": "∞", "prime": "′", "star": "*", "ell": "ℓ"},
}
COUNTED = {"searches": r"N_\phi"}  # what a search for steps counts, and an author does not name
WORDS = {"max", "min", "log", "exp", "sup", "inf"}
TOKEN = re.compile(r"\\[A-Za-z]+|[0-9]+|\S")


SAFE = re.compile(r"(?:\\[A-Za-z]+|[A-Za-z0-9_^{}'(),.+* -])*")


class NotASymbol(ValueError):
    """LaTeX that is more than the name of a symbol."""


def identifier(name: str) -> str:
    """One letter, a Greek letter by its name, or a word."""
    return f"<mi>{escape(LETTERS.get(name, name.replace('_', ' ')))}</mi>"


def named(name: str) -> tuple[str, str]:
    """The letter that a name in Python stands for, and what is written above it: phistar is phi with a star, eta_hi eta, hi."""
    base, _, above = name.partition("_")
    if above:
        return base, above
    if name.endswith("star") and (name[:-4] in LETTERS or len(name) == 5):
        return name[:-4], "*"
    return name, ""


def symbol(latex: str) -> str:
    """\\gamma_0' -> MathML: letters, words, digits, brackets, with subscripts and superscripts."""
    tokens = TOKEN.findall(latex)
    made = _row(tokens, latex)
    if tokens:
        raise NotASymbol(f"'{latex}' has a '{tokens[0]}' too many")
    return made


def is_symbol(latex: str) -> bool:
    """Is it LaTeX that names a symbol, as an author writes it, and nothing more? No command but letters and words is."""
    try:
        return bool(latex and SAFE.fullmatch(latex) and symbol(latex))
    except NotASymbol:
        return False


def _row(tokens: list[str], latex: str) -> str:
    parts: list[str] = []
    while tokens and tokens[0] != "}":
        parts.append(_scripted(tokens, latex))
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _scripted(tokens: list[str], latex: str) -> str:
    base, scripts = _atom(tokens, latex), {}
    while tokens and tokens[0] in ("_", "^", "'"):
        mark = tokens.pop(0)
        scripts["^" if mark == "'" else mark] = "<mo>′</mo>" if mark == "'" else _atom(tokens, latex)
    if len(scripts) == 2:
        return f"<msubsup>{base}{scripts['_']}{scripts['^']}</msubsup>"
    kind = {"_": "msub", "^": "msup"}
    return "".join(f"<{kind[mark]}>{base}{script}</{kind[mark]}>" for mark, script in scripts.items()) or base


def _atom(tokens: list[str], latex: str) -> str:
    if not tokens:
        raise NotASymbol(f"'{latex}' ends too early")
    token = tokens.pop(0)
    if token == "{":
        inside = _row(tokens, latex)
        if not tokens:
            raise NotASymbol(f"'{latex}' leaves a bracket open")
        tokens.pop(0)
        return inside
    name = token.removeprefix("\\")
    if token.startswith("\\") and name not in LETTERS and name not in WORDS:
        raise NotASymbol(f"'{latex}' uses {token}, which is no letter; known are {', '.join(sorted(LETTERS))}")
    if name.isdigit():
        return f"<mn>{name}</mn>"
    return identifier(name) if name.isalpha() or name in LETTERS else f"<mo>{escape(name)}</mo>"
