"""Names and docstrings: a module is named by a noun or verb, a class name has one meaning, no docstring is a question."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("boundcheck", "problems", "runners", "theorems")

# Words that say nothing of what a module holds when they are all of its name: participles, prepositions, pronouns.
PARTICIPLES = """
    asked answered built called caught changed checked chosen closed compared computed converged counted declared
    done drawn driven enclosed enriched expected explained found gathered generated given going grouped guarded
    guarding held implied judged kept known limited looking made making measured moved moving named naming nearest
    normalized numbered offered past planned pickled prescribed put raised ranked read reading recorded remembered
    repeated running said scanning seen selected settled shown shrunk solved spoken spread stacked standing swept
    taken telling told tried unfrozen walking watched widened writing written
"""
PREPOSITIONS = """
    about across after against along among apart around aside at before beside between beyond by far from here in
    inside into near of off on onto out outside over since there through to toward under until up with within
"""
PRONOUNS = """
    again all any both each either everything it its nothing other others own same some somebody that them these
    they this those what which who whole whose
"""
MEANINGLESS = frozenset(f"{PARTICIPLES} {PREPOSITIONS} {PRONOUNS}".split())

# What remains; these may become fewer and never more.
MODULES_LEFT = {
    "boundcheck/language/named.py",
    "boundcheck/tightness/named.py",
    "runners/rules/normalized.py",  # the method's own name: normalized gradient descent
}
# RunView: the protocol in model/, and the engine's class that has it.
CLASSES_LEFT = """
    Numbers Row RunView Solution Undefined
"""
QUESTIONS_LEFT = 84

# The checker imports nothing of ours and says in its own classes what it needs, by the words of certificates.
CHECKER = "boundcheck/verify/"


@lru_cache(maxsize=1)
def modules() -> dict[str, ast.Module]:
    """Return every Python file of the four folders, parsed, by its path from the root."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    own = [path for path in paths if not any(parent.is_symlink() for parent in path.parents)]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in own}


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.?!])(?=\s|$)", text.strip())[0]


def places_of_classes() -> dict[str, list[str]]:
    """Return the files in which each class name is defined, the checker's left out."""
    places: dict[str, list[str]] = defaultdict(list)
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not path.startswith(CHECKER):
                places[node.name].append(path)
    return places


def questions() -> dict[str, int]:
    """Return how many functions, classes and modules of each file have a docstring whose first sentence is a question."""
    found: dict[str, int] = defaultdict(int)
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                found[path] += first_sentence(ast.get_docstring(node) or "").endswith("?")
    return {path: count for path, count in found.items() if count}


def test_a_module_is_named_by_a_noun_or_a_verb():
    """`compared.py` or `of.py` cannot be searched for; `step_comparison.py` can."""
    bad = {path for path in modules() if Path(path).stem in MEANINGLESS} - MODULES_LEFT
    assert not bad, f"name {sorted(bad)} after what they hold"
    stale = {path for path in MODULES_LEFT if path not in modules() or Path(path).stem not in MEANINGLESS}
    assert not stale, f"take {sorted(stale)} out of MODULES_LEFT"


def test_a_class_name_has_one_meaning():
    twice = {name: places for name, places in places_of_classes().items() if len(places) > 1}
    more = {name: places for name, places in twice.items() if name not in CLASSES_LEFT.split()}
    assert not more, f"two classes of one name: {more}; rename one after what sets it apart"
    stale = set(CLASSES_LEFT.split()) - twice.keys()
    assert not stale, f"these names have one class: take {sorted(stale)} out of CLASSES_LEFT"


def test_no_docstring_begins_with_a_question():
    """Of "Is it open?" a reader does not know what is returned; "Return whether it is open" says it."""
    found = questions()
    assert sum(found.values()) <= QUESTIONS_LEFT, f"questions as docstrings, by file: {found}; write 'Return whether ...'"


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_module_says_what_it_holds(folder):
    silent = [
        path for path, tree in modules().items() if path.startswith(f"{folder}/") and tree.body and not ast.get_docstring(tree)
    ]
    assert not silent, f"no docstring in {silent}"
