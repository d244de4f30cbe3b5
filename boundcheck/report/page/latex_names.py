"""The LaTeX commands that we write in words with $mathematics$, and the signs that they are."""

from __future__ import annotations

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
