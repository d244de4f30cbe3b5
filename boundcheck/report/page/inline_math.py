"""Words with $mathematics$ as HTML: the LaTeX that we write in findings, proofs and additions, as MathML.

What the converter does not know is shown as it is written, in <code>: a reader loses the typesetting, never the statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from markupsafe import Markup

from boundcheck.language.symbols import LETTERS
from boundcheck.report.page.markup import prose

MATH = re.compile(r"(?<!\\)\$((?:\\.|[^$\\])+)\$")
REFERENCE = re.compile(r"\[([A-Za-z0-9][^\[\]\s$]*)\]")  # [label] or [label@reading]: a claim of the library
NAMED = re.compile(r"\\(text|textrm|mathrm|operatorname)\*?\{([^{}$\\]*)\}")  # words, whose spaces count
TOKEN = re.compile(rf"{NAMED.pattern.replace('(', '(?:')}|\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|\S")
DEEP = 40  # brackets inside brackets: what is deeper was not written by a person
Link = Callable[[str], Markup | None]

# The commands that we write, and the signs that they are.
SIGNS = {
    **{r"\le": "≤", r"\leq": "≤", r"\leqslant": "≤", r"\ge": "≥", r"\geq": "≥", r"\geqslant": "≥", r"\ne": "≠", r"\neq": "≠"},
    **{r"\lt": "<", r"\gt": ">", r"\ll": "≪", r"\gg": "≫", r"\equiv": "≡", r"\approx": "≈", r"\sim": "∼", r"\propto": "∝"},
    **{r"\cdot": "·", r"\times": "×", r"\pm": "±", r"\mp": "∓", r"\div": "÷", r"\ast": "∗", r"\circ": "∘"},
    **{r"\to": "→", r"\rightarrow": "→", r"\leftarrow": "←", r"\mapsto": "↦", r"\uparrow": "↑", r"\downarrow": "↓"},
    **{r"\implies": "⟹", r"\Rightarrow": "⇒", r"\iff": "⟺", r"\Leftrightarrow": "⇔", r"\leftrightarrow": "↔"},
    **{r"\in": "∈", r"\notin": "∉", r"\subset": "⊂", r"\subseteq": "⊆", r"\cup": "∪", r"\cap": "∩", r"\setminus": "∖"},
    **{r"\forall": "∀", r"\exists": "∃", r"\neg": "¬", r"\vee": "∨", r"\lor": "∨", r"\wedge": "∧", r"\land": "∧"},
    **{r"\ldots": "…", r"\dots": "…", r"\dotsc": "…", r"\cdots": "⋯", r"\dotsb": "⋯", r"\vdots": "⋮"},
    **{r"\nabla": "∇", r"\partial": "∂", r"\emptyset": "∅", r"\perp": "⟂", r"\mid": "∣", r"\colon": ":", r"\coloneqq": "≔"},
    **{r"\#": "#", r"\%": "%", r"\&": "&", r"\_": "_", r"\succeq": "⪰", r"\preceq": "⪯", r"\succ": "≻", r"\prec": "≺"},
}
FENCES = {
    **{r"\{": "{", r"\}": "}", r"\lbrace": "{", r"\rbrace": "}", r"\|": "‖", r"\Vert": "‖", r"\lVert": "‖", r"\rVert": "‖"},
    **{r"\vert": "|", r"\lvert": "|", r"\rvert": "|", r"\langle": "⟨", r"\rangle": "⟩"},
    **{r"\lfloor": "⌊", r"\rfloor": "⌋", r"\lceil": "⌈", r"\rceil": "⌉"},
}
BIG = {r"\sum": "∑", r"\prod": "∏", r"\int": "∫", r"\bigcup": "⋃", r"\bigcap": "⋂"}
LIMITS = {rf"\{name}": name for name in ("min", "max", "sup", "inf", "lim")}
LIMITS |= {r"\limsup": "lim sup", r"\liminf": "lim inf", r"\argmin": "arg min", r"\argmax": "arg max"}
FUNCTIONS = {rf"\{name}": name for name in ("log", "ln", "exp", "sin", "cos", "tan", "tanh", "arg", "det", "dim", "deg")}
SIZES = {rf"\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")}
SPACES = {
    **{r"\,": '<mspace width="0.17em"/>', r"\:": '<mspace width="0.22em"/>', r"\;": '<mspace width="0.28em"/>'},
    **{r"\ ": '<mspace width="0.33em"/>', r"\quad": '<mspace width="1em"/>', r"\qquad": '<mspace width="2em"/>', r"\!": ""},
}
ACCENTS = {r"\bar": "¯", r"\overline": "¯", r"\hat": "^", r"\widehat": "^", r"\tilde": "~", r"\widetilde": "~", r"\vec": "→"}
ACCENTS |= {r"\dot": "˙"}
STYLES = {r"\mathbf": "font-weight:bold", r"\boldsymbol": "font-weight:bold"}
ALPHABETS = {
    r"\mathbb": {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "E": "𝔼", "P": "ℙ"},
    r"\mathcal": {"O": "𝒪", "F": "ℱ", "H": "ℋ", "L": "ℒ", "M": "ℳ", "X": "𝒳", "D": "𝒟", "N": "𝒩", "S": "𝒮"},
}


class NotKnown(ValueError):
    """LaTeX that is more than what we write."""


def told(text: str, link: Link | None = None) -> Markup:
    """Return words with $mathematics$.

    `link` makes something of the name of a claim in square brackets, or None: it stays words.
    """
    if not MATH.search(text):
        return _words(text, link, prose)
    parts: list[Markup] = []
    for n, part in enumerate(MATH.split(text)):
        parts.append(inline(part) if n % 2 else _words(part.replace(r"\$", "$"), link, Markup.escape))
    return Markup("").join(parts)


def _words(text: str, link: Link | None, shown: Callable[[str], Markup]) -> Markup:
    if link is None:
        return shown(text)
    made: list[Markup] = []
    for n, part in enumerate(REFERENCE.split(text)):
        found = link(part) if n % 2 else None
        made.append(found if found is not None else shown(f"[{part}]" if n % 2 else part))
    return Markup("").join(made)


def inline(latex: str, *, display: bool = False) -> Markup:
    """Return the formula as one <math> element; in <code> as it is written where it uses something that is not known."""
    style = ' displaystyle="true"' if display else ""
    try:
        return Markup(f"<math{style}><mrow>{mathml_of(latex)}</mrow></math>")
    except NotKnown:
        return Markup("<code>{}</code>").format(latex)


def mathml_of(latex: str) -> str:
    """Return the inside of a <math> element. It raises NotKnown at the first thing that it does not know."""
    reading = _Reading(TOKEN.findall(latex))
    made = reading.row()
    if reading.tokens:
        raise NotKnown(f"'{latex}' has a '{reading.tokens[0]}' too many")
    return made


def _mo(sign: str, more: str = "") -> str:
    return f"<mo{more}>{escape(sign)}</mo>"


def _named(command: str, words: str) -> str:
    if command == "operatorname":
        return f'<mo lspace="0" rspace="0.17em" form="prefix">{escape(words)}</mo>'
    return f'<mi mathvariant="normal">{escape(words)}</mi>' if command == "mathrm" else f"<mtext>{escape(words)}</mtext>"


class _Reading:
    """The tokens that are left, taken from the front."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.depth = 0

    def take(self) -> str:
        if not self.tokens:
            raise NotKnown("it ends too early")
        return self.tokens.pop(0)

    def row(self, *ends: str) -> str:
        """Return everything up to one of the ends, which stays."""
        self.depth += 1
        if self.depth > DEEP:
            raise NotKnown("too many brackets inside brackets")
        parts: list[str] = []
        before = "("
        while self.tokens and self.tokens[0] not in (*ends, "}", r"\right"):
            token = self.tokens[0]
            if token in ("-", "+") and (before in "([,;:=<>/" or before in SIGNS):
                parts.append(_mo({"-": "−"}.get(self.take(), "+"), ' form="prefix" lspace="0" rspace="0"'))
            else:
                parts.append(self.scripted())
            before = token
        self.depth -= 1
        return "".join(parts)

    def group(self) -> str:
        """{...}, or the one atom that stands without brackets, as one element."""
        if self.tokens[:1] != ["{"]:
            if self.tokens and self.tokens[0].isdigit():  # \frac12 is a half, and x^10 is x^1 times 0
                self.tokens[:1] = list(self.tokens[0])
            return f"<mrow>{self.atom()}</mrow>"
        return f"<mrow>{self.inside()}</mrow>"

    def inside(self) -> str:
        if self.take() != "{":
            raise NotKnown("a command lacks its {...}")
        made = self.row()
        if self.take() != "}":
            raise NotKnown("a bracket is left open")
        return made

    def scripted(self) -> str:
        token = self.tokens[0]
        base = "<mrow></mrow>" if token in ("_", "^") else self.atom()
        low, high = "", ""
        while self.tokens and self.tokens[0] in ("_", "^", "'"):
            mark = self.take()
            if mark == "_":
                if low:
                    raise NotKnown("two subscripts")
                low = self.group()
            elif mark == "'":
                high = f"<mrow>{high}{_mo('′')}</mrow>"
            else:
                high = f"<mrow>{high}{self.group()}</mrow>"
        if not low and not high:
            return base
        over = token in LIMITS or token in BIG
        kind = {(True, True): "sub-sup", (True, False): "sub-", (False, True): "-sup"}[bool(low), bool(high)]
        element = "m" + (kind.replace("sub", "under").replace("sup", "over") if over else kind).replace("-", "")
        return f"<{element}>{base if over else f'<mrow>{base}</mrow>'}{low}{high}</{element}>"

    def atom(self) -> str:
        token = self.take()
        if (named := NAMED.fullmatch(token)) is not None:
            return _named(named[1], named[2])
        if token.startswith("\\"):
            return self.command(token)
        if token == "{":
            self.tokens.insert(0, token)
            return f"<mrow>{self.inside()}</mrow>"
        if token in ("}", "&", "#", "%", "$", "~", "_", "^"):
            if token == "~":
                return SPACES[r"\ "]
            raise NotKnown(f"'{token}' stands alone")
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token.isalpha():
            return f"<mi>{escape(token)}</mi>"
        if token == "|":
            return _mo("|", ' stretchy="false" lspace="0" rspace="0"')
        return _mo({"-": "−", "*": "*"}.get(token, token), ' stretchy="false"' if token in "()[]" else "")

    def command(self, token: str) -> str:
        name = token[1:]
        if name in LETTERS:
            return f"<mi>{LETTERS[name]}</mi>"
        if token in SPACES:
            return SPACES[token]
        if token in SIGNS:
            return _mo(SIGNS[token])
        if token in FENCES:
            return _mo(FENCES[token], ' stretchy="false" lspace="0" rspace="0"')
        if token in BIG:
            return _mo(BIG[token])
        if token in LIMITS:
            return f'<mo movablelimits="true" lspace="0" rspace="0.17em">{LIMITS[token]}</mo>'
        if token in FUNCTIONS:
            return f'<mo lspace="0" rspace="0.1em" form="prefix">{FUNCTIONS[token]}</mo>'
        if token in SIZES:
            return self.delimiter(stretchy=False)
        if token == r"\left":
            return self.fenced()
        return self.argued(token)

    def argued(self, token: str) -> str:
        """Return a command that takes arguments."""
        if token in (r"\frac", r"\tfrac", r"\dfrac"):
            above, below = self.group(), self.group()
            style = {r"\tfrac": ' displaystyle="false"', r"\dfrac": ' displaystyle="true"'}.get(token, "")
            return f"<mfrac{style}>{above}{below}</mfrac>"
        if token == r"\sqrt":
            if self.tokens[:1] == ["["]:
                self.take()
                degree = self.row("]")
                self.take()
                return f"<mroot>{self.group()}<mrow>{degree}</mrow></mroot>"
            return f"<msqrt>{self.group()}</msqrt>"
        if token in ACCENTS:
            return f'<mover accent="true">{self.group()}{_mo(ACCENTS[token])}</mover>'
        if token in STYLES:
            return f'<mrow style="{STYLES[token]}">{self.group()}</mrow>'
        if token in ALPHABETS:
            inside = self.take() if self.tokens[:1] != ["{"] else "".join(self.take() for _ in "{R}")
            letter = ALPHABETS[token].get(inside.strip("{}"))
            if letter is not None:
                return f"<mi>{letter}</mi>"
        raise NotKnown(f"{token} is not known")

    def delimiter(self, *, stretchy: bool) -> str:
        token = self.take()
        if token == ".":
            return ""
        sign = FENCES.get(token, token)
        if token not in FENCES and token not in "()[]|/":
            raise NotKnown(f"'{token}' is no bracket")
        return _mo(sign, ' stretchy="true"' if stretchy else ' stretchy="false"')

    def fenced(self) -> str:
        left = self.delimiter(stretchy=True)
        inside = self.row()
        if self.take() != r"\right":
            raise NotKnown(r"\left without \right")
        return f"<mrow>{left}<mrow>{inside}</mrow>{self.delimiter(stretchy=True)}</mrow>"
