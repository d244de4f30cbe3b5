r"""Plain words with formulas as one types them (eta_k, x_{k+1}, |grad f(x)|^2 <= 2) as words with $mathematics$.

What is not surely a formula stays words: a title is read by people either way.
"""

from __future__ import annotations

import re

from boundcheck.certificates.errata.mathwords import FUNCTIONS, GREEK, is_formula

SIGNS = {"<=": r"\leq", ">=": r"\geq", "==": "=", "->": r"\to", **{sign: sign for sign in "<>=+-/"}, "*": r"\cdot"}
ENDS = re.compile(r"^(.*?)([.,;:?!]*)$", re.DOTALL)
LETTER = re.compile(r"(?<![A-Za-z\\])([A-Za-z]+)(?![A-Za-z])")
KNOWN = ("sum", "prod", "sqrt", "eps", "lo", "hi")
FORMULA = re.compile(r"[|(]*[A-Za-z]\(|\d+[A-Za-z]$|(sqrt|max|min|log|exp|mu|phi)\(")
NUMBER = re.compile(r"^[|(]*\d+(/\d+)?[)|]*$")
ALONE = set("bcdefghijklmnopqrstuvwxyzBCDEFGHJKLMNOPQRSTUVWXYZ")  # letters that are no words of English


def typeset(text: str) -> str:
    """Words with $mathematics$; what has dollars already stays as it is."""
    if "$" in text:
        return text
    made: list[str] = []
    run: list[str] = []
    for word in [*text.replace("grad f", "∇f").split(), ""]:
        body, end = _split(word)
        belongs = bool(word) and (_is_mathematics(body) or NUMBER.match(body) or (bool(run) and body in SIGNS))
        if belongs and body[:1].isdigit() and run and run[-1] not in SIGNS and _closes(" ".join(run)):
            made += _told(run)  # "evaluates phi 2n times" is no product
            run = []
        if belongs:
            run.append(word)
        if not belongs or (end and _closes(" ".join(run))):  # a comma ends a formula, unless it stands in brackets
            made += _told(run)
            run = []
        made += [word] if word and not belongs else []
    return " ".join(made).replace("∇f", "grad f")


def _split(word: str) -> tuple[str, str]:
    found = ENDS.match(word)
    assert found is not None
    return found[1], found[2]


def _is_mathematics(word: str) -> bool:
    """A word with an index, a power or a sign in it, a Greek letter, or a letter alone."""
    bare = word.strip("()[]|'")
    if not bare or "@" in word or ":" in word:
        return False
    if "∇" in word:
        return True
    if bare in ALONE or bare in GREEK or bare in ("x*", "f*"):
        return True
    names = LETTER.findall(word)
    known = all(len(name) == 1 or name in GREEK or name in FUNCTIONS or name in KNOWN for name in names)
    return known and bool(names) and bool(set(word) & set("_^/*=<>") or FORMULA.match(word))


def _told(run: list[str]) -> list[str]:
    """A row of words of a formula, typeset where its brackets close; else as they were typed."""
    if run and _split(run[-1])[0] in SIGNS:  # a sign at the end joins nothing
        return [*_told(run[:-1]), run[-1]]
    body, end = _split(" ".join(run))
    if not any(_is_mathematics(_split(word)[0]) for word in run):
        return run
    latex = _latex(body)
    return [f"${latex}${end}"] if _closes(body) and is_formula(latex) else run


def _closes(body: str) -> bool:
    return all(body.count(a) == body.count(b) for a, b in ("()", "[]", "{}")) and body.count("|") % 2 == 0


def _latex(body: str) -> str:
    made = re.sub(r"sqrt\(([^()]*)\)", r"\\sqrt{\1}", body.replace("∇", r"\nabla "))
    made = re.sub(r"\^\(([^()]*)\)", r"^{\1}", made)
    made = re.sub(r"(sum|prod|min|max)_\{(\w+)=([^{}]+?)\.\.([^{}]+?)\}", r"\\\1_{\2=\3}^{\4}", made)
    made = re.sub(r"([xf])\*(?!\w)", r"\1^{*}", made)
    for sign in ("<=", ">=", "==", "->"):
        made = made.replace(sign, f"{SIGNS[sign]} ")
    made = re.sub(r"(?<=\w)\*(?=\w)", r" \\cdot ", made)

    def letter(found: re.Match[str]) -> str:
        return f"\\{found[1]}" if found[1] in GREEK or found[1] in FUNCTIONS else found[1]

    made = LETTER.sub(letter, made)
    made = re.sub(r"_\\?(min|max)\b", r"_{\\\1}", made)
    made = re.sub(r"_(lo|hi)\b", r"_{\\mathrm{\1}}", made)
    return re.sub(r"\beps\b", r"\\epsilon", made).replace("..", r"\ldots ")
