"""Every printed claim of a paper is found in the paper: its fingerprint, at its lines; and what a place is made of."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from boundcheck.claims.bound import LEMMA, PRINTED
from boundcheck.claims.latex_source.numbering import numbered
from boundcheck.claims.latex_source.numbers import SourceNumbers
from boundcheck.claims.latex_source.quotation import place_words, quotations, quoted
from boundcheck.claims.latex_source.statement_places import file_of, place_of, place_of_lines
from boundcheck.claims.latex_source.tex_source import NotASource, TexSource, read
from boundcheck.claims.source import Place, read_places
from boundcheck.library.catalogue import bounds_of, papers

SOURCES = Path(__file__).resolve().parents[4] / "shared" / "paper"  # beside the repository: papers are not ours to ship
PAPERS = [paper for paper in papers() if read_places(paper.__name__)]


@pytest.fixture(params=PAPERS, ids=lambda paper: paper.__name__.rpartition(".")[2])
def paper(request: pytest.FixtureRequest) -> ModuleType:
    return request.param  # type: ignore[no-any-return]


@cache
def source_of(paper: ModuleType) -> TexSource:
    path = SOURCES / f"{paper.__name__.rpartition('.')[2]}.tex"
    if not path.is_file():
        pytest.skip(f"there is no {path}: the paper's LaTeX source is not part of the repository")
    return read(path)


@cache
def numbers_of(paper: ModuleType) -> SourceNumbers:
    return numbered(source_of(paper))


def test_the_paper_under_test_has_places() -> None:
    assert PAPERS
    assert len(read_places(PAPERS[0].__name__)) >= 200


def test_every_printed_claim_says_where_it_stands(paper: ModuleType) -> None:
    missing = [bound.label for bound in bounds_of(paper) if bound.reading == PRINTED and bound.source.printed is None]
    name = bounds_of(paper)[0].source.paper.name
    assert missing == [], f"run `boundcheck quote PAPER.tex --paper {name} --write`, and look at what it adds"


def test_what_the_paper_does_not_say_has_no_place(paper: ModuleType) -> None:
    ours = {bound.label for bound in bounds_of(paper) if bound.reading == LEMMA}
    theirs = {bound.label for bound in bounds_of(paper) if bound.reading != LEMMA}
    assert sorted(read_places(paper.__name__).keys() & (ours - theirs)) == []
    assert sorted(read_places(paper.__name__).keys() - ours - theirs) == [], "places of no claim"


def test_every_printed_claim_is_found_in_the_source_at_its_lines(paper: ModuleType) -> None:
    found = quotations(bounds_of(paper), source_of(paper))
    assert [f"{claim}: {one.tells}" for claim, one in found.items() if not one.is_found or one.has_moved] == []
    assert len(found) == sum(bound.reading == PRINTED and bound.source.printed is not None for bound in bounds_of(paper))


def test_numbers_are_those_that_the_source_gives(paper: ModuleType) -> None:
    numbers = numbers_of(paper)
    for label, place in read_places(paper.__name__).items():
        assert place.number == (numbers.words(label) or numbers.around(*place.lines)), label
        assert place.number, label


def test_one_changed_symbol_of_the_source_is_noticed(paper: ModuleType) -> None:
    source = source_of(paper)
    bound = next(b for b in bounds_of(paper) if b.reading == PRINTED and b.source.printed is not None and "eq:" in b.label)
    place = bound.source.printed
    assert place is not None
    lines = list(source.lines)
    at = next(n for n in range(place.lines[0] - 1, place.lines[1]) if r"\leq" in lines[n])
    lines[at] = lines[at].replace(r"\leq", r"\geq", 1)
    assert not quoted(replace(source, lines=tuple(lines)), place).is_found


def test_lines_that_moved_are_found(paper: ModuleType) -> None:
    source = source_of(paper)
    moved = replace(source, lines=("% new", "New words.", *source.lines))
    found = quotations(bounds_of(paper), moved)
    assert all(one.has_moved for one in found.values())
    assert all(one.found == (one.place.lines[0] + 2, one.place.lines[1] + 2) for one in found.values())


def test_no_words_of_the_paper_are_in_its_places(paper: ModuleType) -> None:
    for place in read_places(paper.__name__).values():
        assert len(place.number) < 40 and len(place.fingerprint) < 30


# -- places of a made-up paper -----------------------------------------------------------------------------------------

TEXT = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\begin{document}
\section{First}
\label{sec:first}
We begin. Since $f$ is convex,
it lies above its tangents.
\begin{lemma}\label{lemma:a}
  It holds that
  \begin{align}
    a & \leq b \label{eq:a} \\
      & \leq c.
  \end{align}
\end{lemma}
The derivative
\[ -f'(x), \]
is monotone. It is
so.
This gives
\begin{equation*} x = y \end{equation*}
where $y$ is the limit of
$x$.

A paragraph without an end
\end{document}"""
MADE = TexSource("made.tex", tuple(TEXT.split("\n")))
NUMBERS = numbered(MADE)


@pytest.mark.parametrize(
    ("label", "line", "lines", "number"),
    [
        ("lemma:a", None, (8, 14), "Lemma 1"),
        ("eq:a", None, (10, 13), "Equation (1)"),
        ("lemma:a.part", 11, (10, 13), "Equations (1)-(2)"),
        ("lemma:a.row", 12, (12, 12), "Equation (2)"),
        ("sec:first.convex", 7, (6, 7), "Section 1"),
        ("sec:first.monotone", 17, (15, 17), "Section 1"),
        ("sec:first.where", 21, (21, 22), "Section 1"),
        ("sec:first.gives", 19, (19, 22), "Section 1"),
        ("sec:first.open", 24, (24, 24), "Section 1"),
    ],
)
def test_a_statement_is_its_environment_its_row_or_its_sentence(
    label: str, line: int | None, lines: tuple[int, int], number: str
) -> None:
    place = place_of(MADE, NUMBERS, label, line)
    assert place is not None
    assert (place.lines, place.number) == (lines, number)


def test_a_label_that_is_nowhere_has_no_place() -> None:
    assert place_of(MADE, NUMBERS, "lemma:b", None) is None
    assert place_of(MADE, NUMBERS, "lemma:b", 999) is None


@pytest.mark.parametrize(("first", "last", "said"), [(0, 3, "FIRST"), (5, 4, "FIRST"), (3, 99, "25 lines"), (23, 23, "no words")])
def test_lines_that_cannot_be_are_refused(first: int, last: int, said: str) -> None:
    with pytest.raises(NotASource, match=said):
        place_of_lines(MADE, NUMBERS, first, last)


def test_places_are_read_as_they_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {"eq:a": place_of_lines(MADE, NUMBERS, 10, 13, "eq:a"), 'odd "label"\\': place_of_lines(MADE, NUMBERS, 6, 7)}
    folder = tmp_path / "paper_with_places"
    folder.mkdir()
    (folder / "__init__.py").write_text("", encoding="utf-8")
    (folder / "places.toml").write_text(file_of(places), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert read_places("paper_with_places") == places


def test_a_place_in_words() -> None:
    assert place_words(Place(lines=(3, 5), number="Lemma 1")) == "Lemma 1, lines 3-5"
    assert place_words(Place(lines=(3, 3))) == "line 3"
    assert place_words(None) == ""
