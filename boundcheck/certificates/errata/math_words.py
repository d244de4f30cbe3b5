"""Words with $mathematics$, as Markdown and as LaTeX, and plain words with typed formulas made into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from boundcheck.support.escaping import latex_text, markdown_text, one_line

BETWEEN = re.compile(r"(?<!\\)\$((?:[^$\\\n]|\\[^\n])+)\$")
REFERENCE = re.compile(r"\[([A-Za-z0-9][^\[\]\s$]*)\]")  # [label] or [label@reading]: a claim of the library
COMMAND = re.compile(r"\\([A-Za-z]+|.)")


def _names(written: str) -> frozenset[str]:
    return frozenset(written.split())


GREEK = _names(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi varphi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
SIGNS = _names(
    "leq geq le ge lt gt neq ne approx equiv sim propto to mapsto in notin subset subseteq cup cap setminus emptyset pm mp cdot "
    "times ast star circ dots ldots cdots infty nabla partial forall exists ell prime top bot mid vert Vert lVert rVert lvert "
    "rvert langle rangle lceil rceil lfloor rfloor Rightarrow Leftarrow Leftrightarrow rightarrow leftarrow implies iff land lor "
    "neg quad qquad lbrace rbrace ll gg leqslant geqslant div uparrow downarrow leftrightarrow vee wedge dotsc dotsb vdots perp "
    "colon coloneqq succeq preceq succ prec bigcup bigcap"
)
WORDS = _names(
    "log ln exp max min sup inf lim limsup liminf arg argmin argmax "
    "det dim deg sin cos tan tanh sqrt frac tfrac dfrac sum prod int"
)
FUNCTIONS = _names("log ln exp max min sup inf")  # as words of a sentence too
MARKS = _names(
    "left right big Big bigl bigr Bigl Bigr displaystyle textstyle mathrm mathbb mathcal mathbf text textrm operatorname bar hat "
    "tilde vec dot widehat widetilde underline overline boldsymbol binom stackrel bigg Bigg biggl biggr Biggl Biggr bigm Bigm"
)
HARMLESS = GREEK | SIGNS | WORDS | MARKS | set(",;:!|{}# _%&")
QUIET = {r"\|": "Vert", r"\{": "lbrace", r"\}": "rbrace", r"\,": "", r"\;": "", r"\:": "", r"\!": "", r"\ ": ""}
QUIET |= {"<": "lt", ">": "gt", "|": "vert", "*": "ast"}


def is_formula(latex: str) -> bool:
    """Return whether the LaTeX typesets a formula and nothing else.

    Its brackets close, and each command is one that is known to be harmless.
    """
    depth = 0
    for c in re.sub(r"\\.", "", latex):
        depth += (c == "{") - (c == "}")
        if depth < 0:
            return False
    plain = COMMAND.sub("", latex)
    known = all(name in HARMLESS for name in COMMAND.findall(latex))
    return depth == 0 and known and not set(plain) & set("%#&~`") and latex.strip() != ""


def parts(text: str) -> Iterator[tuple[bool, str]]:
    """(is it mathematics?, what is written), in order."""
    line, end = one_line(text), 0
    for found in BETWEEN.finditer(line):
        if is_formula(found[1]):
            yield from ((False, words) for words in [line[end : found.start()]] if words)
            yield True, found[1].strip()
            end = found.end()
    yield from ((False, words) for words in [line[end:]] if words)


Link = Callable[[str], str | None]  # from the name of a claim in square brackets to what is written instead; None: it stays


def markdown_words(text: str, link: Link | None = None) -> str:
    """As Markdown, mathematics between dollars."""
    return _convert(text, lambda latex: f"${quiet(latex)}$", markdown_text, link)


def latex_words(text: str, link: Link | None = None) -> str:
    """As LaTeX."""
    return _convert(text, lambda latex: f"${latex}$", latex_text, link)


def _convert(text: str, formula: Callable[[str], str], words: Callable[[str], str], link: Link | None) -> str:
    made = []
    for is_math, part in parts(text):
        if is_math:
            made.append(formula(part))
        elif link is None:
            made.append(words(part))
        else:
            pieces = REFERENCE.split(part)
            made += [_referred(piece, words, link) if n % 2 else words(piece) for n, piece in enumerate(pieces)]
    return "".join(made)


def _referred(name: str, words: Callable[[str], str], link: Link) -> str:
    found = link(name)
    return words(f"[{name}]") if found is None else found


def quiet(latex: str) -> str:
    """Return the same formula without signs that a reader of Markdown takes for its own before it sees the mathematics."""
    for sign, name in QUIET.items():
        latex = latex.replace(sign, f"\\{name} " if name else " ")
    return re.sub(" +", " ", latex).strip()


def begins_with_mathematics(text: str) -> bool:
    """Return whether the first word of a sentence is a letter of a formula, which must stay as it is."""
    first = text.split(maxsplit=1)[0] if text.split() else ""
    bare = first.strip(",.;:()[]'\"")
    name = re.split(r"[^A-Za-z]", bare, maxsplit=1)[0]
    single = len(name) <= 1 and not (name == "a" and bare == "a")
    return single or bool(set(first) & set("_^$\\=<>*/|+(")) or name in GREEK or name in FUNCTIONS or first[:1].isdigit()


def sentence(text: str) -> str:
    """Return words as a sentence: a capital letter unless it begins with mathematics, and a full stop."""
    made = text if begins_with_mathematics(text) else text[:1].upper() + text[1:]
    return made if not made or made.endswith((".", "?", "!")) else made + "."


TYPED_SIGNS = {"<=": r"\leq", ">=": r"\geq", "==": "=", "->": r"\to", **{sign: sign for sign in "<>=+-/"}, "*": r"\cdot"}
ENDS = re.compile(r"^(.*?)([.,;:?!]*)$", re.DOTALL)
LETTER = re.compile(r"(?<![A-Za-z\\])([A-Za-z]+)(?![A-Za-z])")
KNOWN = ("sum", "prod", "sqrt", "eps", "lo", "hi")
FORMULA = re.compile(r"[|(]*[A-Za-z]\(|\d+[A-Za-z]$|(sqrt|max|min|log|exp|mu|phi)\(")
NUMBER = re.compile(r"^[|(]*\d+(/\d+)?[)|]*$")
ALONE = set("bcdefghijklmnopqrstuvwxyzBCDEFGHJKLMNOPQRSTUVWXYZ")  # letters that are no words of English


def typeset(text: str) -> str:
    """Return words with $mathematics$; what has dollars already stays as it is."""
    if "$" in text:
        return text
    made: list[str] = []
    run: list[str] = []
    for word in [*text.replace("grad f", "∇f").split(), ""]:
        body, end = _split(word)
        belongs = bool(word) and (_is_mathematics(body) or NUMBER.match(body) or (bool(run) and body in TYPED_SIGNS))
        if belongs and body[:1].isdigit() and run and run[-1] not in TYPED_SIGNS and _closes(" ".join(run)):
            made += _typeset_run(run)  # "evaluates phi 2n times" is no product
            run = []
        if belongs:
            run.append(word)
        if not belongs or (end and _closes(" ".join(run))):  # a comma ends a formula, unless it stands in brackets
            made += _typeset_run(run)
            run = []
        made += [word] if word and not belongs else []
    return " ".join(made).replace("∇f", "grad f")


def _split(word: str) -> tuple[str, str]:
    found = ENDS.match(word)
    assert found is not None
    return found[1], found[2]


def _is_mathematics(word: str) -> bool:
    """Return a word with an index, a power or a sign in it, a Greek letter, or a letter alone."""
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


def _typeset_run(run: list[str]) -> list[str]:
    """Return a row of words of a formula, typeset where its brackets close; else as they were typed."""
    if run and _split(run[-1])[0] in TYPED_SIGNS:  # a sign at the end joins nothing
        return [*_typeset_run(run[:-1]), run[-1]]
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
        made = made.replace(sign, f"{TYPED_SIGNS[sign]} ")
    made = re.sub(r"(?<=\w)\*(?=\w)", r" \\cdot ", made)

    def letter(found: re.Match[str]) -> str:
        return f"\\{found[1]}" if found[1] in GREEK or found[1] in FUNCTIONS else found[1]

    made = LETTER.sub(letter, made)
    made = re.sub(r"_\\?(min|max)\b", r"_{\\\1}", made)
    made = re.sub(r"_(lo|hi)\b", r"_{\\mathrm{\1}}", made)
    return re.sub(r"\beps\b", r"\\epsilon", made).replace("..", r"\ldots ")
