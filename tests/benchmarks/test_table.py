"""The tables in docs/performance.md are what the kept rows give: nothing by hand, nothing made up."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import generated
import pytest
import rows
import table
from curves import draw, file_name
from generated import PAGE, PARTS, page
from goals import GOALS
from harness import Measured
from rows import KEPT, Malformed, Run

from .conftest import BENCHMARKS

RUN = Run(script="bench_x", date="2026-01-02", cores=2, versions={"python": "3.11.1"}, seconds=60.0)
MET = Measured("import boundcheck", 0.1, 0.05, 0.2, "s", 0.4, goal="12")
MISSED = Measured("boundcheck list", 1.5, 1.2, 1.9, "s", 1.0, goal="12")
TOLD = Measured("something | else", 1234.5, 1000, 2000, "ms")
POINTS = [Measured("all", x, x / 2, x * 2, unit, curve="number of steps K", at=x) for x in (10.0, 20.0) for unit in ("s", "MB")]


def of(*measured: Measured, **more) -> list[Run]:
    return [replace(RUN, measured=measured, **more)]


def test_the_tables_in_docs_are_what_the_kept_rows_give():
    text = PAGE.read_text(encoding="utf-8")
    assert page(text, rows.read(KEPT)) == text, "docs/performance.md differs: python benchmarks/table.py --from " + str(
        KEPT.relative_to(BENCHMARKS.parent)
    )


def test_a_number_edited_by_hand_is_seen():
    text = page("<!-- generated:goals -->\n<!-- /generated:goals -->\n", of(MET))
    edited = text.replace("0.1 s [0.05, 0.2]", "0.05 s [0.05, 0.2]")
    assert edited != text
    assert page(edited, of(MET)) == text


MEASURED = re.compile(r"\d[\d.,]* ?(?:x(?! \d)|%|per cent|times|m?s|seconds|minutes|[kMG]B(?:/s)?|[GM]flop/s)(?!\w)", re.ASCII)


def prose(text: str) -> str:
    return generated.PART.sub("", text)


def test_no_measured_number_stands_in_the_prose():
    assert MEASURED.findall(prose(PAGE.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "said", ["1.4x faster", "takes 3.2 s", "12 ms", "559 MB", "20 times", "45 seconds", "75.8 GB/s", "84 %", "84% of it"]
)
def test_a_measured_number_in_the_prose_is_seen(said):
    assert MEASURED.search(prose(f"it is {said} on this machine"))


@pytest.mark.parametrize("said", ["d = 300", "logistic 280 x 34", "2 cores", "K = 20,000"])
def test_a_size_is_no_measured_number(said):
    assert not MEASURED.search(said)


def test_the_page_has_a_place_for_every_part():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in PARTS if f"<!-- generated:{name} -->" not in text] == []


def test_a_goal_without_a_row_is_not_measured():
    lines = generated.goals([]).splitlines()[2:]
    assert len(lines) == len(GOALS) == 12
    assert all("not measured" in line and "met" not in line.split("not measured")[1] for line in lines)


def test_a_goal_of_which_one_part_was_measured_says_that_the_other_was_not():
    text = generated.goals(of(MET))
    assert "| 0.1 s [0.05, 0.2] | met | `python benchmarks/bench_x.py` |" in text
    assert "1 more of its 2 parts |  |  | not measured" in text
    assert "more of its 2 parts" not in generated.goals(of(MET, MISSED)).split("| 12 |")[1]


def test_a_missed_goal_says_so():
    line = next(line for line in generated.goals(of(MISSED)).splitlines() if "boundcheck list |" in line)
    assert "**MISSED**" in line


def test_what_answers_no_goal_stands_in_the_other_table():
    text = generated.rest(of(TOLD, MET))
    assert "something \\| else | 1,234 ms [1,000, 2,000]" in text
    assert "import boundcheck" not in text


def test_rows_are_read_as_they_were_written(tmp_path):
    (tmp_path / "rows.jsonl").write_text(rows.written(of(MET, TOLD, *POINTS)))
    (back,) = rows.read(tmp_path / "rows.jsonl")
    assert back == RUN
    assert back.measured == (MET, TOLD, *POINTS)


def test_a_script_that_is_run_again_replaces_its_own_rows_only():
    kept = [*of(MET), *of(TOLD, script="bench_y")]
    new = rows.replaced(kept, of(MISSED))
    assert {run.script: run.measured for run in new} == {"bench_x": (MISSED,), "bench_y": (TOLD,)}


@pytest.mark.parametrize("text", ["no JSON", '{"what": "x"}', '{"script": "bench_x", "what": "x"}', "[1]"])
def test_a_line_that_is_no_row_is_one_clear_error(text, tmp_path):
    (tmp_path / "rows.jsonl").write_text(text + "\n")
    with pytest.raises(Malformed, match=r"rows\.jsonl"):
        rows.read(tmp_path / "rows.jsonl")


def test_the_kept_rows_name_no_machine():
    """The date, the number of cores, versions, and what was measured."""
    for run in rows.read(KEPT):
        assert set(run.versions) <= {"python", *rows.LIBRARIES}
        assert not run.quick, f"{run.script} was kept from a quick run"


def script(tmp_path, text: str):
    path = tmp_path / "bench_made_up.py"
    path.write_text(f"import sys\nsys.path.append({str(BENCHMARKS)!r})\nfrom harness import *\n" + text)
    return path


def test_a_run_on_a_busy_machine_says_so():
    assert "busy" in generated.runs(of(MET, load=7.5))
    assert "bench_x (7.5)" in generated.runs(of(MET, load=7.5))
    assert "busy" not in generated.runs(of(MET, load=0.5))


def test_the_rows_of_a_script_are_taken_with_its_time(tmp_path):
    done = table.run(script(tmp_path, "told(spread_of('x', [1.0, 2.0, 4.0], 's', goal='12', limit=3.0))"), quick=False)
    assert not done.failed
    assert [(m.what, m.value, m.goal, m.met) for m in done.measured] == [("x", 2.0, "12", True)]


def test_a_script_that_fails_keeps_what_it_told_and_is_reported(tmp_path):
    done = table.run(script(tmp_path, "told(spread_of('x', [1.0], 's'))\nsys.exit(3)"), quick=False)
    assert len(done.measured) == 1
    assert "bench_made_up failed**: it ended with 3" in generated.runs([done])


def test_a_script_that_does_not_end_is_stopped_and_reported(tmp_path):
    done = table.run(script(tmp_path, "import time\ntime.sleep(60)"), quick=False, limit=0.5)
    assert "longer than 0.5 s" in done.failed


@pytest.mark.parametrize(("says", "told"), [("arguments(__doc__).parse_args().quick", True), ("False", False)])
def test_quick_is_passed_on_where_a_script_takes_it(says, told, tmp_path):
    done = table.run(script(tmp_path, f"quick = {says}\ntold(spread_of('quick', [float(quick)], ''))"), quick=True)
    assert (done.failed, done.quick, done.measured[0].value) == ("", told, float(told))


def test_one_failure_makes_the_exit_code_1_and_the_others_are_kept(tmp_path, monkeypatch, capsys):
    for name, text in {"bench_good": "told(MET)", "bench_bad": "raise SystemExit(1)"}.items():
        made = script(tmp_path, f"MET = spread_of('good', [1.0], 's')\n{text}")
        made.rename(tmp_path / f"{name}.py")
    (tmp_path / "page.md").write_text("<!-- generated:runs -->\n<!-- /generated:runs -->\n")
    (tmp_path / "figures").mkdir()
    monkeypatch.setattr(table, "FOLDER", tmp_path)
    monkeypatch.setattr(table, "KEPT", tmp_path / "rows.jsonl")
    monkeypatch.setattr(table, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(table, "publish", lambda kept: None)
    assert table.main(["--only", "good", "bad"]) == 1
    assert "failed: bench_bad" in capsys.readouterr().err
    assert {run.script: len(run.measured) for run in rows.read(tmp_path / "rows.jsonl")} == {"bench_good": 1, "bench_bad": 0}


def test_an_unknown_script_is_one_line_and_exit_code_2(capsys):
    assert table.main(["--only", "no-such-thing"]) == 2
    assert "no script 'bench_no-such-thing'; there are" in capsys.readouterr().err


def test_rows_that_are_not_there_are_one_line_and_exit_code_2(tmp_path, capsys):
    assert table.main(["--from", str(tmp_path / "no.jsonl")]) == 2
    assert "no.jsonl'; `python benchmarks/table.py` writes benchmarks/results/rows.jsonl" in capsys.readouterr().err


def test_a_growth_curve_is_drawn_from_its_rows_and_only_from_them(tmp_path):
    assert draw(of(MET), tmp_path) == []
    (first,) = draw(of(*POINTS), tmp_path)
    assert first.name == file_name("number of steps K") == "growth-number-of-steps-k.svg"
    drawn = first.read_bytes()
    assert drawn == draw(of(*POINTS), tmp_path)[0].read_bytes()
    assert drawn != draw(of(*(replace(p, value=p.value * 2) for p in POINTS[:2]), *POINTS[2:]), tmp_path)[0].read_bytes()


def test_every_figure_that_the_page_shows_is_there_and_each_curve_is_shown():
    shown = set(re.findall(r"figures/(growth-[\w-]+\.svg)", PAGE.read_text(encoding="utf-8")))
    assert shown == {path.name for path in (PAGE.parent / "figures").glob("growth-*.svg")}


@pytest.mark.parametrize("path", sorted(BENCHMARKS.glob("bench_*.py")), ids=lambda path: path.stem)
def test_every_script_says_how_to_run_it(path):
    assert f"python benchmarks/{path.name}" in path.read_text(encoding="utf-8").split('"""')[1]


@pytest.mark.parametrize(
    "name", ["bench_definition", "bench_growth", "bench_hardware", "bench_profile", "bench_start", "table", "one_run", "profiles"]
)
def test_a_script_helps(name):
    done = subprocess.run([sys.executable, BENCHMARKS / f"{name}.py", "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ("--quick" in done.stdout) == (name not in ("one_run", "profiles"))
