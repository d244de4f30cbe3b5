"""Names, titles, labels and parameters from outside are words in every file that is written, never markup."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from markdown_it import MarkdownIt

from boundcheck import Bound, Convex, GradientDescent, Outcome, Paper, Parameter, Verdicts
from boundcheck.certificates.errata import ErrataContent, Erratum, Finding, Severity, errata_page, letter_latex, letter_markdown
from boundcheck.language.letters import delta, k
from boundcheck.language.python import name_of
from boundcheck.language.scalars import Term
from boundcheck.language.tree import Index
from boundcheck.report.folder import LATEX, inventory_markdown, summary
from boundcheck.report.page import page
from boundcheck.support.escaping import latex_text, markdown_block, markdown_code, markdown_text, one_line, plot_text
from tests.report.reports import made, tightness, verdict, worst_cases
from tests.report.test_tables import unbalanced

MARKUP = "</script><script>planted()</script><img src=x onerror=planted()>"
LINK = "[link](http://planted) ![picture](http://planted)"
EVIL = f"{MARKUP} \\input{{secrets}} % $x$ & # a_b^c~ {{ ] {LINK} `c` ``` **bold** _em_ | cell"
LINES = "\n\n# planted heading\n\n- planted item\n\n```\n~~~\n\n$$ planted $$\n\\\\[9cm] \r \x1b[31m"
HOSTILE = EVIL + LINES
OURS = r'<a id="[A-Za-z0-9-]+">(</a>)?|</a>|<details><summary>[A-Za-z, ]+</summary>|</details>'
ANCHOR = re.compile(rf"\s*({OURS})\s*")


def hostile_bound() -> Bound:
    """Every word that an author chooses: paper, label, reading, title, parameter, its LaTeX, section, reason."""
    letters = Parameter(HOSTILE), Parameter("g", latex=r"\gamma}\input{secrets}$"), Parameter("two words")
    states = delta[k] <= letters[0] * letters[1] * letters[2] * delta[0] + 0 * Term(HOSTILE, Index("k"))
    return Bound(
        states=states,
        given=(Convex, GradientDescent(), *(letter >= 0 for letter in letters)),
        source=Paper(name="hostile").at(HOSTILE, HOSTILE),
        title=HOSTILE,
        reading=HOSTILE,
        because=HOSTILE,
        function=r"f}\input{secrets}$",
        quantifier=HOSTILE,
        added=(HOSTILE,),
        proof_sketch=(HOSTILE,),
        for_all=k >= 1,
        try_with={HOSTILE: (1,), "g": (1,), "two words": (1,)},
    )


def sheet(report: Any) -> ErrataContent:
    """Hostile words wherever somebody writes them: the entry as printed and as a reading, its finding, summary and state."""
    (entry,) = report.errata
    printed = replace(entry, bound=replace(entry.bound, reading="printed"))
    finding = Finding(
        title=HOSTILE, severity=Severity.SLIP, claims=(HOSTILE,), what=HOSTILE, survives=HOSTILE, papers=("hostile",)
    )
    return ErrataContent(bounds=report.bounds, errata=[printed, entry], findings=[finding], summary=(HOSTILE,), state=HOSTILE)


def without_mathematics(text: str) -> str:
    """The page without what stands between two dollars: our own formulas, and those that are known to be harmless."""
    return re.sub(r"(?<![\\$])\$[^$\n]+?(?<!\\)\$(?!\$)", "", text)


@pytest.fixture(scope="module")
def report() -> Any:
    bound = hostile_bound()
    found = made((bound,), (HOSTILE, "another"))
    row = {**found.rows[bound.id], "reason": HOSTILE, "surprise": HOSTILE}
    worst = [replace(one, claim=f"p/{HOSTILE}", name=HOSTILE, given=HOSTILE) for one in worst_cases()]
    entry = Erratum(
        bound=bound, proved=bound, counterexample=HOSTILE, program='s = """\n```\n"""', necessary=(HOSTILE,), short=HOSTILE
    )
    places = [{"where": HOSTILE, "label": HOSTILE, "meaning": HOSTILE, "claims": [{"id": HOSTILE, "status": "holds"}]}]
    words = {"title": HOSTILE, "state": HOSTILE, "failures": (HOSTILE,), "notes": (HOSTILE,), "errata": [entry]}
    tight = {bound.id: replace(tightness(bound.id), where=HOSTILE)}
    shown = {"rows": {bound.id: row}, "worst_cases": worst, "tightness": tight}
    return replace(found, **words, **shown, places=[{**place, "nothing_testable": ""} for place in places])


def tokens(text: str) -> list[Any]:
    """Everything that a reader of Markdown makes of a page, HTML and tables among it."""
    flat = []
    for token in MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text):
        flat += [token, *(token.children or [])]
    return flat


def assert_words_alone(text: str, headings: int | None = None) -> None:
    found = tokens(text)
    made_html = [t.content for t in found if t.type in ("html_inline", "html_block")]
    assert all(ANCHOR.fullmatch(html) for html in made_html), made_html
    assert not [t for t in found if t.type == "image"]
    assert all(t.attrs["href"].startswith("#") for t in found if t.type == "link_open")
    assert not [t for t in found if t.type in ("em_open", "s_open")]
    assert not [t for t in found if t.type == "strong_open" and "bold" in t.content]
    inline = [t.content for t in found if t.type == "heading_open" or t.type == "inline"]
    assert not any(line.startswith("planted") for line in inline), "a line of a word began a heading, a list or a paragraph"
    if headings is not None:
        assert sum(t.type == "heading_open" for t in found) == headings


def test_the_reader_of_these_tests_sees_what_is_planted() -> None:
    for bad in (MARKUP, "[a](http://planted)", "![a](b)", "*a*", "a\n\n# planted heading"):
        with pytest.raises((AssertionError, KeyError)):
            assert_words_alone(f"- {bad}", headings=0)


def test_summary_and_inventory_are_tables_of_words(report: Any) -> None:
    assert_words_alone(summary(report), headings=1)
    assert_words_alone(inventory_markdown(report.places), headings=1)
    for text, columns in ((summary(report), 8), (inventory_markdown(report.places), 4)):
        rows = [t for t in tokens(text) if t.type in ("td_open", "th_open")]
        assert len(rows) == columns * 2, "a word ended a cell or a row"


def test_the_errata_are_words_in_markdown_and_in_html(report: Any) -> None:
    text = errata_page(sheet(report))
    formula = re.compile(r"^\$\$ .* \$\$$", re.MULTILINE)
    assert len(formula.findall(text)) == 4 and "\\input" not in "".join(formula.findall(text))
    assert_words_alone(without_mathematics(formula.sub("", text)), headings=5)
    blocks = [t.content for t in tokens(text) if t.type == "fence"]
    assert blocks == ['s = """\n```\n"""\n'] * 2, "the scripts are whole"


def test_the_letter_is_words_in_markdown_and_in_latex(report: Any) -> None:
    assert_words_alone(without_mathematics(letter_markdown(sheet(report))))
    text = letter_latex(sheet(report))
    assert unbalanced(text) == ""
    assert "\\input" not in text and not re.search(r"(?<!\\)%", text) and "\x1b" not in text


@pytest.mark.parametrize("name", LATEX)
def test_tables_of_latex_have_words_and_no_commands(report: Any, name: str) -> None:
    text = LATEX[name](report)
    assert unbalanced(text) == ""
    assert "\\input" not in text and not re.search(r"(?<!\\)%(?! needs)", text) and "\x1b" not in text
    assert all(not line.startswith(("[", "*")) for line in text.split("\n")), "after a row, [ is the option of its end"


def test_an_authors_latex_names_a_symbol_and_nothing_more() -> None:
    gamma0 = Parameter("gamma0", latex=r"\gamma_0'")
    claim = Bound(states=delta[k] <= gamma0 * delta[0], given=(gamma0 > 0,), try_with={"gamma0": (1,)})
    assert r"\gamma_0'" in claim.latex()
    for latex in (r"\gamma}\input{x}$", r"\input{x}", "a % b", "a $", r"\def\x{1}", "a & b", "#1", "}{"):
        h = Parameter("h", latex=latex)
        claim = Bound(states=delta[k] <= h * delta[0], given=(h > 0,), try_with={"h": (1,)})
        assert latex not in claim.latex() and unbalanced(f"$ {claim.latex()} $") == ""


def test_the_page_is_words(report: Any) -> None:
    text = page(report)
    assert "<img src=x" not in text and "<script>planted" not in text


def test_a_table_in_a_notebook_is_words() -> None:
    made_one = verdict(HOSTILE, HOSTILE, Outcome.UNDECIDED, method=HOSTILE, notes=(HOSTILE,))
    text = Verdicts((replace(made_one, reason=HOSTILE + "'"),))._repr_html_()
    assert "<img" not in text and "<script" not in text
    assert len(re.findall(r"<tr title='[^']*'>", text)) == 1


def test_an_audit_is_words_in_markdown_and_in_html(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from boundcheck.audit import export as audit_page
    from boundcheck.audit import tables

    sheet = (HOSTILE, (HOSTILE, "b"), ((HOSTILE, HOSTILE), (HOSTILE,)))
    monkeypatch.setattr(audit_page, "_parts", lambda audit: [sheet])
    monkeypatch.setattr(audit_page, "_beside", lambda audit: HOSTILE)
    monkeypatch.setattr(tables, "left_out", lambda audit: [HOSTILE])
    audit: Any = SimpleNamespace(rule=HOSTILE, verdict=HOSTILE, word="CLEAN", diagnosis=SimpleNamespace(details=(HOSTILE,)))
    assert_words_alone(audit_page.as_markdown(audit), headings=2)
    assert sum(t.type in ("td_open", "th_open") for t in tokens(audit_page.as_markdown(audit))) == 6
    assert "<img" not in audit_page.as_html(audit) and "<script" not in audit_page.as_html(audit)


def test_a_name_in_a_script_is_a_name() -> None:
    for name, run in ((HOSTILE, ""), ("x", "a; import os"), ("0", ""), ("²", ""), ("lambda", "")):
        assert name_of(name, run).isidentifier()


def test_each_function_keeps_what_can_be_read() -> None:
    assert latex_text("thm:polyak, printed") == "thm:polyak, printed"
    assert markdown_text("f(x_k) <= 2") == r"f(x\_k) &lt;= 2" and markdown_text("0.5 is less") == "0.5 is less"
    assert markdown_text("1. a") == r"1\. a" and markdown_text("- a") == r"\- a"
    assert markdown_code("polyak(1)") == "`polyak(1)`" and markdown_code("a`b") == "`` a`b ``"
    assert markdown_block("a\n```\nb")[0] == "````"
    assert one_line("a\nb\x1b") == "a bU+001B" and plot_text("50 $ and $") == r"50 \$ and \$" and plot_text("a_b") == "a_b"


def test_a_plot_with_dollars_in_its_names_is_drawn() -> None:
    pytest.importorskip("matplotlib").use("agg")
    made_one = verdict("user/$\\frac{$", "a $\\problem$", Outcome.HOLDS, method="$\\x{$")
    Verdicts((made_one,)).plot().figure.canvas.draw()
