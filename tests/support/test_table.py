"""One table in four formats: nothing is cut, nothing is wider than its place, and no cell becomes markup."""

from __future__ import annotations

from boundcheck.support.table import LatexCell, aligned, flowing, folded_columns, html_table, latex_table, markdown_table

HOSTILE = "</td><script>x</script> | a & b \\input{x} 'q' \"r\""


def test_cells_of_a_column_stand_below_each_other() -> None:
    assert aligned([("a", "b"), ("long", "c")]) == ["a     b", "long  c"]


def test_the_widest_column_is_folded_until_the_row_fits_and_no_word_is_lost() -> None:
    words = "one two three four five six seven eight nine ten"
    (block,) = folded_columns([("short", words)], 30, narrowest=8, between="  ", indent=" ")
    assert len(block) > 1 and max(map(len, block)) <= 30
    assert " ".join(block).split() == ["short", *words.split()]


def test_a_column_is_never_narrower_than_allowed() -> None:
    (block,) = folded_columns([("aaaa bbbb", "cccc dddd")], 4, narrowest=9, between=" ")
    assert block == ["aaaa bbbb cccc dddd"]


def test_parts_flow_over_lines_and_a_part_that_fits_is_not_broken() -> None:
    assert list(flowing(["first part", "", "second part"], 16, 2)) == ["  first part", "  second part"]


def test_a_short_row_of_markdown_ends_in_empty_cells_and_a_bar_ends_no_cell() -> None:
    assert markdown_table(("a", "b"), [("1",), ("x|y", "2")]) == ["| a | b |", "|---|---|", "| 1 |  |", "| x\\|y | 2 |"]


def test_no_cell_title_or_heading_becomes_html() -> None:
    text = html_table((HOSTILE,), [(HOSTILE,)], titles=(HOSTILE,), colours=("red",))
    assert "<script" not in text and text.count("<td") == 1 and text.count("'") == 2 * 3  # style, title, style
    assert ";color:red" in text and "color" not in html_table(("a",), [("1",)])


def test_a_cell_is_escaped_in_latex_unless_it_is_latex() -> None:
    text = latex_table("ll", ("a", LatexCell("$k$")), [(HOSTILE, LatexCell("$x^2$"))], caption="c", label="tab:t")
    assert "\\input" not in text and "$x^2$ \\\\" in text and text.count("a & $k$ \\\\") == 2
