"""The framework names no paper, no theorem, no problem and no rule of the library: what it needs of them, they declare.

`boundcheck/` without its links problems, runners and theorems is searched: strings, comments, names in the code, and templates.
Docstrings may give examples from the library. A word alone, such as huber or valley, is ordinary English or mathematics inside a
text, but not where it is a whole string. A name may be written with "-" or "_", and as a constant: SMOOTH_ABS is found.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from boundcheck.library.catalogue import bounds, needing, problems, rule_makers, rules
from boundcheck.library.declarations import step_searches

ROOT = Path(__file__).resolve().parents[2] / "boundcheck"
OUTER = ("problems", "runners", "theorems")
TEXTS = (".py", ".tmpl", ".css", ".js")

# Names that are words of the framework's own language, or mathematics, even where they are a whole string.
ORDINARY = frozenset(("classical", "constant", "given", "length", "lengths", "parabola", "slope", "softplus"))

SEARCH_OF_THE_CHECKER = "the checker imports nothing of ours, and certificates that exist have this search"

# (file, name): why it may stand there.
EXCEPTIONS = {
    ("audit/diagnosis.py", "constant("): "how a diagnosis spells a step that never changes",
    (
        "falsify/certificate_io.py",
        "given(",
    ): "the rule with given steps: by it the second computation repeats the runs of a certificate",
    ("suite/step_measures.py", "strongly_adapted"): "a key in the JSON of `boundcheck steps`, which users read",
    ("verify/claim_shape.py", "exponential search"): SEARCH_OF_THE_CHECKER,
    ("verify/certificate.py", "exponential search"): SEARCH_OF_THE_CHECKER,
    ("verify/step_search.py", "exponential search"): SEARCH_OF_THE_CHECKER,
}


def alone(name: str) -> bool:
    """Is it one word, or a formula such as 1/(2L)? Then it is no name where it stands inside a text."""
    return re.fullmatch(r"[A-Za-z]+|[\d/()A-Z]+", name) is not None


@cache
def library() -> frozenset[str]:
    """Every name that the library has: papers, labels and ids of claims, problems, rules, their makers, searches."""
    claims = bounds()
    told = {name for bound in claims for name in (bound.label, bound.id, bound.source.paper.name)}
    return frozenset((*told, *problems(), *needing(), *rules(), *rule_makers(), *step_searches()))


@cache
def inside_a_text() -> re.Pattern[str]:
    """What finds a distinctive name in a text, or a maker of rules with its bracket, as in polyak(3/2)."""
    stems = {name.partition("(")[0] for name in library() if not alone(name)} | library()
    names = "|".join(map(_joined, sorted((name for name in stems if not alone(name)), key=len, reverse=True)))
    makers = "|".join(re.escape(name) for name in rule_makers())
    return re.compile(rf"(?<![\w.:/@-])(?:(?:{names})(?![\w-]|[.:/]\w)|(?:{makers})\((?=\d|$))", re.IGNORECASE)


def _joined(name: str) -> str:
    return "".join("[-_ ]" if c == " " else "[-_]" if c in "-_" else re.escape(c) for c in name)


def found_in(text: str, whole: bool = False) -> Iterator[str]:
    """The names in a text; a whole string may be a word alone, too."""
    if whole and text in library() and text not in ORDINARY:
        yield text
    else:
        yield from (match[0] for match in inside_a_text().finditer(text))


def docstrings(tree: ast.AST) -> set[int]:
    """The nodes that are docstrings, by their id()."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = (node.body for node in ast.walk(tree) if isinstance(node, owners))
    return {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}


def named_in_python(text: str) -> Iterator[tuple[int, str]]:
    """The library's names in a module, by lines."""
    tree = ast.parse(text)
    skipped = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield from ((node.lineno, name) for name in found_in(node.value, whole=True))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.NAME, tokenize.COMMENT):
            yield from ((token.start[0], name) for name in found_in(token.string))


def named_in(path: Path) -> Iterable[tuple[int, str]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return sorted(set(named_in_python(text)))
    return [(n, name) for n, line in enumerate(text.splitlines(), 1) for name in found_in(line)]


def files() -> list[Path]:
    inside = (path for path in ROOT.rglob("*") if path.suffix in TEXTS)
    return sorted(path for path in inside if path.relative_to(ROOT).parts[0] not in OUTER)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", files(), ids=relative)
def test_the_framework_names_nothing_of_the_library(path):
    wrong = [f"line {line}: {name}" for line, name in named_in(path) if (relative(path), name.lower()) not in EXCEPTIONS]
    assert not wrong, f"boundcheck/{relative(path)} names what the library has: {wrong}; see library/declarations.py"


def test_every_exception_is_needed_and_they_are_few():
    theirs = {file for file, _ in EXCEPTIONS}
    there = {(relative(path), name.lower()) for path in files() if relative(path) in theirs for _, name in named_in(path)}
    assert EXCEPTIONS.keys() <= there and len(EXCEPTIONS) <= 6


@pytest.mark.parametrize(
    ("planted", "name"),
    [
        ('claim("prop:convex-any-stepsize@printed")', "prop:convex-any-stepsize"),
        ('PAPER = "directional-smoothness"', "directional-smoothness"),
        ('said = f"see {what} in eq:10, and so on"', "eq:10"),
        ('names = ("smooth-abs", other)', "smooth-abs"),
        ('problem_named("huber")', "huber"),
        ('RULE = "1/L"', "1/L"),
        ('rivals = ["adgd"]', "adgd"),
        ('rule_named("adgd(1/10)")', "adgd("),
        ('help = "such as polyak(3/2)"', "polyak(3/2)"),
        ('rule_named(f"polyak({gamma})")', "polyak("),
        ("if steps == EXPONENTIAL_SEARCH: pass", "EXPONENTIAL_SEARCH"),
        ("step = bb_long(run)", "bb_long"),
        ("step = 1  # as in thm:polyak", "thm:polyak"),
        ("def f():\n    x = 1\n    'logistic-40x5'", "logistic-40x5"),
    ],
)
def test_a_name_that_is_planted_is_found(planted, name):
    assert name in {found for _, found in named_in_python(planted)}


def test_a_name_that_is_planted_in_a_template_is_found(tmp_path):
    template = tmp_path / "rule.tmpl"
    template.write_text('"""$name"""\n# boundcheck check prop:convex-any-stepsize\n', encoding="utf-8")
    assert named_in(template) == [(2, "prop:convex-any-stepsize")]


@pytest.mark.parametrize(
    "text",
    [
        '"""Such as prop:convex-any-stepsize, with polyak(1)."""',
        'def f(given, length, slope):\n    """As smooth-abs."""\n    return given(length(1))',
        "words = \"steps in units of 1/L, as Huber's function in a valley\"  # Polyak's gamma, 1/D",
        'label = "eq:1000"\nkind = "smooth abs"\nrule = "polyak-like"',
    ],
)
def test_docstrings_and_ordinary_words_are_left_alone(text):
    assert list(named_in_python(text)) == []


def test_the_searched_files_are_the_framework_and_its_templates():
    names = {relative(path) for path in files()}
    assert {"api.py", "verify/certificate.py", "cli/templates/rule.tmpl", "library/declarations.py"} <= names and len(names) > 300
    assert not any(name.startswith(OUTER) for name in names)
