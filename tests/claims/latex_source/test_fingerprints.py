"""Fingerprints: every symbol counts, white space and comments do not, and words are found where they moved to."""

from __future__ import annotations

from pathlib import Path

import pytest

from boundcheck.claims.latex_source.quotation import find, fingerprint, quoted, shown
from boundcheck.claims.latex_source.tex_source import NotASource, TexSource, read
from boundcheck.claims.source import Place

LINES = (r"We show that", r"\[ f(x) \leq \frac{a_k}{2} \norm{x}^2, \]  % a comment", "for all $x$.")
AROUND = ("Before.", *LINES, "After.")


def source(*lines: str) -> TexSource:
    return TexSource("paper.tex", lines)


def test_white_space_line_breaks_and_comments_do_not_matter() -> None:
    again = (r"We   show that \[ f(x)", r"\leq \frac{a_k}{2}\norm{x}^2,\] % another comment", "", "for all $x$ .")
    assert fingerprint(again) == fingerprint(LINES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a_k", "a_i"),
        (r"\leq", r"\geq"),
        ("2}", "3}"),
        ("^2", ""),
        ("all", "any"),
        (r"\norm{x}", r"\normx"),
        (",", "."),
        ("$x$", "$y$"),
    ],
)
def test_every_changed_symbol_is_noticed(old: str, new: str) -> None:
    changed = tuple(line.replace(old, new, 1) for line in LINES)
    assert changed != LINES
    assert fingerprint(changed) != fingerprint(LINES)
    assert find(fingerprint(LINES), (1, 3), source(*changed)) is None


def test_an_escaped_percent_sign_begins_no_comment() -> None:
    assert fingerprint([r"90\% of $x$"]) != fingerprint([r"90\% of $y$"])
    assert fingerprint([r"a \\% comment"]) == fingerprint([r"a \\"])


def test_words_are_found_at_their_lines() -> None:
    assert find(fingerprint(LINES), (2, 4), source(*AROUND)) == (2, 4)


def test_words_that_moved_are_found_nearest_to_where_they_were() -> None:
    moved = source("New.", "", *AROUND)
    assert find(fingerprint(LINES), (2, 4), moved) == (4, 6)
    twice = source(*LINES, *["x"] * 20, *LINES)
    assert find(fingerprint(LINES), (22, 24), twice) == (24, 26)


def test_words_that_are_wrapped_anew_are_found() -> None:
    wrapped = source("Before. We show", *(" ".join(LINES[:1]).removeprefix("We show"), *LINES[1:]))
    assert find(fingerprint(LINES), (2, 4), wrapped) == (1, 4)


@pytest.mark.parametrize("mark", ["", "abc", "0123456789abcdef-0", "0123456789abcdef-9999", "0123456789abcdef-5"])
def test_a_fingerprint_of_nothing_is_found_nowhere(mark: str) -> None:
    assert find(mark, (1, 1), source(*AROUND)) is None


def test_a_quotation_has_the_words_without_comments_and_indent() -> None:
    place = Place(lines=(2, 4), number="Theorem 1", fingerprint=fingerprint(LINES))
    one = quoted(source(*(f"    {line}" for line in AROUND)), place)
    assert one.is_found and not one.has_moved
    assert one.words[0] == "We show that" and "comment" not in one.text
    assert one.tells == "paper.tex, lines 2-4"


def test_a_misquote_shows_what_stands_there_instead() -> None:
    one = quoted(source("Before.", "Something else."), Place(lines=(2, 2), fingerprint=fingerprint(LINES)))
    assert not one.is_found and not one.has_moved
    assert one.words == ("Something else.",) and "not found in paper.tex; expected at line 2" in one.tells
    assert quoted(source("Before."), Place(lines=(7, 9), fingerprint=fingerprint(LINES))).short == "nothing"


def test_shown_lines_keep_their_own_indent() -> None:
    assert shown(["    a", "      b", "% c", ""]) == ("a", "  b")


# -- reading files ---------------------------------------------------------------------------------------------------


def test_a_file_in_latin_1_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_bytes("Hölder\r\nbound".encode("latin-1"))
    assert read(tmp_path / "a.tex").lines == ("Hölder", "bound")


@pytest.mark.parametrize(
    ("content", "said"), [(None, "no file"), (b" \n", "empty"), (b"a\0b", "not a text"), (b"%PDF-1.5 x", "a PDF")]
)
def test_what_is_no_source_is_refused_in_a_line(tmp_path: Path, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / "a.tex").write_bytes(content)
    with pytest.raises(NotASource, match=said):
        read(tmp_path / "a.tex")
    with pytest.raises(NotASource, match="folder"):
        read(tmp_path)


def test_files_that_are_input_are_read_and_named(tmp_path: Path) -> None:
    (tmp_path / "sections").mkdir()
    (tmp_path / "main.tex").write_text("Main.\n\\input{sections/a}\n% \\input{b}\n", encoding="utf-8")
    (tmp_path / "sections/a.tex").write_text("\n".join(AROUND), encoding="utf-8")
    (tmp_path / "b.tex").write_text("Unused.", encoding="utf-8")
    made = read(tmp_path / "main.tex")
    one = quoted(made, Place(lines=(1, 3), fingerprint=fingerprint(LINES)))
    assert (one.file, one.found) == ("sections/a.tex", (2, 4)) and one.has_moved
    assert "Unused." not in made.lines
