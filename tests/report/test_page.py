"""The page as text: what it says, that it needs nothing else, and that nothing from outside becomes markup."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from boundcheck.check.verdict import Outcome
from boundcheck.report.page import page
from boundcheck.report.page.audits import theorems
from boundcheck.report.page.bounds import verdict as said
from boundcheck.report.page.bounds import worst_cases
from boundcheck.report.page.cells import CODES, CellCode, code, shown, worst
from boundcheck.report.page.claims import beside
from boundcheck.report.page.document import CURVES, POINTS, chosen, thinned
from boundcheck.report.page.markup import picture, prose
from boundcheck.report.page.render import render
from boundcheck.tightness.result import WorstCase

from .reports import FALSE, FEW, HOSTILE, library, made, tightness, verdict

REPORT = made(library(12))
PAGE = page(REPORT)


class Reader(HTMLParser):
    """Where a page points to, and what it would run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.runs: list[str] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.tags.add(name)
        self.links += [str(given[key]) for key in ("src", "href", "srcset", "action", "data") if key in given]
        self.runs += [key for key in given if key.startswith("on")]
        self.runs += ["script"] if name == "script" and given.get("type") != "application/json" else []
        self.ids += [str(given["id"])] if "id" in given else []


def kept(text: str) -> dict[str, dict]:
    found = re.findall(r'<script type="application/json" class="claim" data-claim="([^"]+)">(.*?)</script>', text, re.S)
    return {name: json.loads(inside) for name, inside in found}


def articles(text: str) -> list[str]:
    return [one["page"] for one in kept(text).values()]


def outward(text: str) -> list[str]:
    found = [link for part in (text, *articles(text)) for link in Reader(part).links if not link.startswith(("#", "data:"))]
    return found + re.findall(r"@import[^;]*|url\((?!['\"]?(?:#|data:))[^)]*", text)


def test_the_page_points_nowhere_but_into_itself_with_its_figures() -> None:
    assert outward(PAGE) == []
    text = page(made(library(4), figures={"quadratics": ("a caption", "<svg/>")}))
    assert outward(text) == []
    assert f"data:image/svg+xml;base64,{b64encode(b'<svg/>').decode()}" in text


@pytest.mark.parametrize(
    "planted", ['<img src="https://example.org/x.png">', "<style>@import 'x.css';</style>", '<link href="x">']
)
def test_something_from_outside_is_found(planted: str) -> None:
    assert outward(PAGE.replace("</body>", f"{planted}</body>"))


def test_it_runs_one_script_and_no_id_is_there_twice() -> None:
    read = Reader(PAGE)
    assert read.runs == ["script"]
    assert len(read.ids) == len(set(read.ids))
    assert all(Reader(article).runs == [] for article in articles(PAGE))


def test_every_link_inside_leads_somewhere() -> None:
    ids, claims = set(Reader(PAGE).ids), {bound.id for bound in REPORT.bounds}
    links = {link for part in (PAGE, *articles(PAGE)) for link in Reader(part).links if link.startswith("#")}
    missing = [l for l in links if l[1:] not in ids and l.removeprefix("#claim=") not in claims]
    assert missing == []


def test_every_claim_has_its_page_with_all_its_cells() -> None:
    found = kept(PAGE)
    assert list(found) == [bound.id for bound in REPORT.bounds]
    assert {name: len(one["rows"]) for name, one in found.items()} == {name: len(v) for name, v in REPORT.verdicts.items()}


def test_hostile_text_stays_text() -> None:
    text = page(made(library(4), problems=(HOSTILE,), title=HOSTILE, notes=[HOSTILE], provenance={HOSTILE: HOSTILE}))
    assert Reader(text).runs == ["script"]
    assert "img" not in Reader(text).tags and "planted" not in "".join(Reader(text).runs)
    assert (
        "&lt;/script&gt;&lt;script&gt;planted()" in text
    )  # the name of the problem, of the report, and the note are read as words


def test_what_a_reader_of_the_false_claim_needs_is_on_its_page() -> None:
    article = kept(PAGE)[FALSE]["page"]
    for needed in (
        "False as printed: refuted, certified",
        "What is wrong",
        "Corrected",
        "<svg",
        "which is false",
        "boundcheck verify",
    ):
        assert needed in article
    assert "The same as a script that needs Python alone" in article
    assert 'class="differs"' in article


def test_a_certificate_of_another_claim_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from boundcheck.report.page import document

    wrong = {FALSE: {**document.kept()[FALSE], "hash": "0" * 64}}
    monkeypatch.setattr(document, "kept", lambda: wrong)
    article = kept(page(made(tuple(b for b in library(FEW) if b.id == FALSE))))[FALSE]["page"]
    assert "boundcheck verify" not in article
    assert "Worked through" not in article


def test_a_claim_that_holds_says_on_how_many_cells_and_that_it_is_no_proof() -> None:
    name = next(name for name, row in REPORT.rows.items() if row["status"] == "holds")
    row, article = REPORT.rows[name], kept(PAGE)[name]["page"]
    assert f"Holds on {row['holds']} of {row['cells']} cells, {row['certified_cells']} of them certified" in article
    assert "no proof of the claim" in article


def test_a_refuted_claim_says_where_it_fails_and_not_where_it_is_tightest_of_those_that_hold() -> None:
    (false,) = (b for b in library(FEW) if b.id == FALSE)
    cell = {"problem": "huber", "method": "1/L", "smoothness": "D", "violation": {"place": "k = 1", "ratio": 1.0613}}
    tightest = {"ratio": 0.9494, "place": "k = 3", "where": "on parabola by 1/L"}
    report = made((false,), tightness={})
    row = {**report.rows[FALSE], "violation": cell, "tightest": tightest}
    said = beside(report, row, false)
    assert "fails at k = 1 on huber by 1/L (M=D), left over right 1.0613" in said and "0.9494" not in said
    assert "0.9494" in beside(report, {**row, "status": "holds"}, false)


def test_the_count_of_refuted_claims_says_how_many_the_paper_prints() -> None:
    refuted = [b for b in REPORT.bounds if REPORT.rows[b.id]["status"] == "refuted"]
    printed = sum(b.reading == "printed" for b in refuted)
    assert refuted and f"{printed} as printed, {len(refuted) - printed} in other readings" in PAGE


def test_a_numerical_refutation_is_not_called_certified() -> None:
    (false,) = (b for b in library(FEW) if b.id == FALSE)
    rows = {FALSE: {**REPORT.rows[FALSE], "certified": False}}
    article = kept(page(made((false,), rows=rows)))[FALSE]["page"]
    assert "refuted, numerical" in article and "refuted, certified" not in article


# -- cells and curves ---------------------------------------------------------------------------------------------------


def test_a_cell_of_the_matrix_is_its_worst_verdict() -> None:
    assert worst("hcx") == "x"
    assert worst("uvh") == "h"
    assert worst("cnc") == "n" and worst("chn") == "h"  # no circle is fuller than its least certain cell
    assert worst("vu") == "u"
    assert worst("") == "."
    assert list(CODES) == list("xycnhuv.")


@pytest.mark.parametrize(
    ("outcome", "how", "letter"),
    [
        (Outcome.VIOLATED, {"certified": True}, "x"),
        (Outcome.VIOLATED, {"certified": False}, "y"),
        (Outcome.HOLDS, {"certified": True}, "c"),
        (Outcome.HOLDS, {"certified": False, "near": True}, "n"),
        (Outcome.HOLDS, {"certified": False}, "h"),
        (Outcome.UNDECIDED, {"certified": False}, "u"),
        (Outcome.VACUOUS, {"certified": True}, "v"),
    ],
)
def test_the_letter_of_a_verdict(outcome: Outcome, how: dict[str, bool], letter: str) -> None:
    assert code(verdict(FALSE, "huber", outcome, **how)) == letter


def test_a_curve_keeps_its_ends_the_tightest_k_and_the_first_that_fails() -> None:
    long = verdict(FALSE, "huber", Outcome.HOLDS)
    outcomes = np.zeros(5000, dtype=np.int8)
    outcomes[3777:] = Outcome.VIOLATED
    object.__setattr__(long, "outcomes", outcomes)
    kept_ = thinned(long)
    assert len(kept_) <= POINTS
    assert {0, 1, 3777, 4999} <= set(kept_.tolist())  # the tightest is at k = 2, the second


def test_few_curves_the_failing_one_first_and_one_a_problem() -> None:
    many = [CellCode(v, code(v)) for n in range(9) for v in [verdict(FALSE, f"p{n}", Outcome.HOLDS)] * 2]
    fails = verdict(FALSE, "p5", Outcome.VIOLATED)
    drawn = chosen([*many, CellCode(fails, "x")])
    assert drawn[0].verdict is fails
    assert len(drawn) == CURVES
    assert len({one.verdict.cell.problem for one in drawn}) == CURVES


def test_what_was_not_decided_is_not_drawn() -> None:
    assert chosen([CellCode(verdict(FALSE, "p", Outcome.VACUOUS), "v")]) == []


def test_the_letters_are_those_of_all_verdicts() -> None:
    assert {name: [one.code for one in found] for name, found in shown(REPORT).items()} == {
        name: [code(v) for v in found] for name, found in REPORT.verdicts.items()
    }


# -- pictures, words, worst cases, audits -------------------------------------------------------------------------------

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" width="9">{}</svg>'


@pytest.mark.parametrize(
    "planted",
    [
        "<script>planted()</script>",
        '<image href="https://example.org/x.png"/>',
        '<path onload="planted()" d="M0 0"/>',
        '<use xlink:href="https://example.org/x.svg#a"/>',
        "<style>@import 'https://example.org/x.css'</style>",
        '<rect fill="url(https://example.org/x)"/>',
        "<foreignObject><b>planted</b></foreignObject>",
        '<a href="javascript:planted()"><path d="M0 0"/></a>',
    ],
)
def test_a_picture_brings_nothing_but_a_drawing(planted: str) -> None:
    made_ = picture(SVG.format(f'<line x1="0"/>{planted}'), prefix="p-")
    assert "<line" in made_
    assert not re.search(r"planted|example\.org|<script|foreignObject", made_)


def test_a_picture_keeps_its_own_ids_apart() -> None:
    made_ = picture(SVG.format('<clipPath id="c"/><g clip-path="url(#c)"/><use xlink:href="#c"/>'), prefix="p-")
    assert 'id="p-c"' in made_ and "url(#p-c)" in made_ and 'href="#p-c"' in made_
    assert "cannot be shown" in picture("<svg", prefix="p-")


def test_sentences_with_mathematics() -> None:
    assert prose("f(x_{k+1}) <= |x*|^2") == "f(<i>x</i><sub>k+1</sub>) ≤ |<i>x</i><sup>*</sup>|<sup>2</sup>"
    assert prose("eta_k < 2 & <b>") == "<i>η</i><sub>k</sub> &lt; 2 &amp; &lt;b&gt;"
    assert prose("L_of_the_figure, the beta test, a/b_c") == "L_of_the_figure, the β test, a/b_c"


def test_each_choice_of_M_has_a_row_of_its_own() -> None:
    def one(given: str, worst: float, can: bool) -> WorstCase:
        return WorstCase(claim=FALSE, name="last", k=1, bound=1.0, worst=worst, can_be_improved=can, given=given)

    shown_in = replace(REPORT, worst_cases=[one("M_i = 1", 1.0, False), one("M_i = 2^i", 0.75, True)])
    section = render("worst-cases", worst_cases(shown_in))
    assert "M_i = 1<" in section and "M_i = 2^i<" in section and ">1.0000<" in section and ">0.7500<" in section


def test_a_worst_case_that_was_only_found_shows_what_none_exceeds() -> None:
    found = WorstCase(claim=FALSE, name="n", k=1, bound=2.0, worst=1.875, can_be_improved=True, given="M_i = 1", at_most=1.9)
    section = render("worst-cases", worst_cases(replace(REPORT, worst_cases=[found])))
    assert ">0.9375<" in section and ">none exceeds<" in section and ">0.9500<" in section
    unknown = replace(REPORT, worst_cases=[replace(found, at_most=float("nan"))])
    assert ">none exceeds<" not in render("worst-cases", worst_cases(unknown))


def test_the_letter_k_is_not_made_a_capital() -> None:
    cases = [WorstCase(claim=FALSE, name="n", k=k, bound=1.0, worst=1.0 / k, can_be_improved=k > 1) for k in (1, 2)]
    section = render("worst-cases", worst_cases(replace(REPORT, worst_cases=cases)))
    assert "k = 1: cannot be improved" in section and "K = 1" not in section


def test_a_family_of_worst_cases_in_words() -> None:
    def one(k: int, ratio: float, can: bool | None) -> WorstCase:
        return WorstCase(claim=FALSE, name="n", k=k, bound=1.0, worst=ratio, can_be_improved=can)

    assert said([one(1, 1.0, False), one(2, 1.0, False)]).startswith("cannot be improved")
    assert said([one(1, 1.0, False), one(2, 0.8, True), one(3, 0.7, True), one(4, 0.7, True)]).endswith(
        "k = 2–4: can be improved"
    )
    assert "fails" in said([one(1, 1.2, None)])
    assert said([one(1, float("nan"), None)]) == "unknown"


def test_no_number_of_a_solver_is_called_certified() -> None:
    section = PAGE.partition("Worst cases over the class</h2>")[2].partition("</section>")[0]
    assert "not certified" in section
    assert section.count("certified") == section.count("not certified")


def test_an_audit_shows_what_fails_first() -> None:
    plain = {
        "main": True,
        "problems": ["huber"],
        "smoothness": {},
        "applies": True,
        "grade": "1 certified",
        "asked_on": ["huber"],
    }
    cell = {"problem": "huber", "violation": {"place": "k = 1", "left": "2", "right": "1", "ratio": 2.0}}
    held = {**plain, "id": "p/holds@printed", "outcome": "HOLDS", "violation": None, "tightest": None, "reason": None}
    fails = {**plain, "id": "p/fails@printed", "outcome": "VIOLATED", "violation": cell, "tightest": None, "main": False}
    aside = {**held, "id": "p/aside@printed", "main": False}
    rows = theorems({"theorems": [held, aside, fails]}, known={"p/holds@printed"})
    assert [(row.outcome, row.kind) for row in rows] == [("VIOLATED", "bad"), ("HOLDS", "good")]
    assert rows[1].link.is_known and not rows[0].link.is_known  # not in this report
    assert rows[0].cells[-1] == "at k = 1 on huber: left 2, right 1"


def test_rankings_show_the_smallest_right_side_first_and_who_wins_where() -> None:
    bound = {"claim": FALSE, "smoothness": "D", "parameters": {}, "kind": "directional", "one_step": False, "certified": False}
    wins = [{**bound, "from": 1, "to": 4}, {**bound, "smoothness": "L", "from": 5, "to": 9}]
    ranking = {"quantity": "f(x_n) - f*", "run": "gd", "n": 9, "left": 0.5, "bounds": [{**bound, "right": 2.0}], "winners": wins}
    run = {"problem": "huber", "method": "1/L", "k": 9, "rankings": [{**ranking, "directional_over_classical": 0.25}]}
    text = re.sub("<[^>]*>", " ", page(made(library(4), rankings=[run])).partition("Which bound says most</h2>")[2])
    assert "thm:polyak-alternate" in text and " 0.25 " in text and "numerical" in text
    assert "thm:polyak-alternate@printed (M = D) for k = 1 to 4; thm:polyak-alternate@printed (M = L) for k = 5 to 9" in text


def test_the_tightest_claim_comes_first() -> None:
    first, second = library(4)[:2]
    loose, tight = tightness(first.id), replace(tightness(second.id), supremum=0.999, classical=0.5)
    text = (
        page(made(library(4), tightness={first.id: loose, second.id: tight}))
        .partition("Tightness</h2>")[2]
        .partition("</section>")[0]
    )
    assert 0 < text.index("0.999") < text.index("0.97")
    assert "<sup>−2</sup>" in text
