"""Ways to have a true claim called false, or another claim taken for the library's: none works, and the output shows it."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boundcheck import Bound, Convex, GradientDescent, Smooth
from boundcheck.certificates.write import sealed
from boundcheck.cli import cli
from boundcheck.language.letters import L, Sum, eta, f, i, k, larger, mean, normsq, x
from boundcheck.language.scalars import Log, Number, reduce_over

from .making import certificate, made, one_run, put, rehashed, several

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

POLYAK = "thm:polyak-alternate@printed"
ID = "directional-smoothness/thm:polyak-alternate@printed"
PARABOLA = {"kind": "quadratic", "matrix": [["1"]], "minimiser": ["0"]}
TRUE = Bound(given=(Convex, Smooth, GradientDescent(), eta[i] <= 1 / L), states=f(x[k + 1]) <= f(x[k]))
NUMBER = {"is": "Number", "value": "1"}
METHOD = ("claim", "given", 2, "runs", "roles", 0, "method")


def term(name: str, letter: str = "k") -> dict[str, Any]:
    index, dimension = {"index": letter, "plus": 0}, {"f": "0", "x": "0"}
    return {"is": "Term", "name": name, "index": index, "run": "", "dimension": dimension}


X_0 = {"is": "Point", "name": "x", "index": {"index": None, "plus": 0}, "run": ""}
STEP = {"is": "IndexNumber", "index": {"index": "#step", "plus": 0}}
FALSE = {"is": "Relation", "op": "<", "left": NUMBER, "right": NUMBER}


def code(data: Any, *, left: str = "0", right: str = "0") -> int:
    return examined(data, left=left, right=right).code


def examined(data: Any, **sides: str) -> verify.Finding:
    return verify.examine(json.dumps(sealed(rehashed({**data, **sides}))).encode())


def descent(bound: Bound = TRUE, at: int = 0, steps: tuple[str, ...] = ("1/2", "1/2"), **parts: Any) -> dict[str, Any]:
    constants = {"constants": {"L": "1"}} if "L" in str(bound.to_json()) else {}
    return made(bound, "0", "0", at=at, **{"function": PARABOLA, "run": one_run(["1"], list(steps)), **constants, **parts})


# -- tricks of form -------------------------------------------------------------------------------------------------------------

TRICKS = {
    "hidden links": put("claim", "states", "links", value=[FALSE]),
    "a chain with a relation's fields": put("claim", "states", "is", value="Chain"),
    "for all k from -1": several(put("claim", "for_all", "from", value=-1), put("at", "k", value=-1)),
    "k is true": put("at", "k", value=True),
    "the version is true": put("version", value=True),
    "the letter is that of the steps": several(put("claim", "for_all", "letter", value="#step"), put("at", value={"#step": 0})),
    "a statement about the letter of the steps": put("claim", "states", "right", value=STEP),
    "a parameter that the claim does not have": put("parameters", value={"gamma": "1"}),
    "a constant that the function does not have": put("constants", "eps", value="1"),
    "a second run": put("run", "roles", "other", value={"start": ["1"], "eta": ["1/2", "1/2"]}),
    "points that the run chooses": put("run", "roles", "", "x", value=["1", "5"]),
    "a sequence that nothing reads": put("run", "roles", "", "alpha", value=["1", "5"]),
    "M where the claim reads none": several(put("smoothness", value="L"), put("claim", "smoothness", value=["L"])),
    "M of an unknown kind": put("claim", "smoothness", value=["Q"]),
    "the same role twice": lambda d: put(*METHOD[:4], value=d["claim"]["given"][2]["runs"]["roles"] * 2)(d),
    "the main run is called otherwise": put("claim", "given", 2, "runs", "roles", 0, "role", value="main"),
    "two runs with steps of their own": put("claim", "given", 2, "runs", "steps", value="their own"),
    "a method that sets its steps": lambda d: _update(d, term("eta"), NUMBER),
    "a method that sets x_0": lambda d: _first(d, X_0, {"is": "Minimum"}),
    "a method that sets x at k + 2": put(*METHOD, "each", 0, "sets", "index", "plus", value=2),
    "a method without a move": put(*METHOD, "each", value=[]),
    "no method": lambda d: {**d, "claim": {**d["claim"], "given": [h for h in d["claim"]["given"] if "runs" not in h]}},
    "a chord in the place of the run": lambda d: {**{n: v for n, v in d.items() if n != "run"}, "chord": {"x": ["1"]}, "at": {}},
    "a number where a point is": put("claim", "states", "left", "at", value=NUMBER),
    "a point where a number is": put("claim", "states", "left", value={"is": "Minimum"}),
    "a sequence of points read as numbers": put("claim", "states", "left", value=term("x")),
    "Arabic digits": put("run", "roles", "", "eta", 0, value="٣"),
    "a plus sign": put("run", "roles", "", "eta", 0, value="+3"),
    "minus nothing": put("run", "roles", "", "eta", 0, value="-0"),
    "an id that is not its label's": put("claim", "label", value="thm:other"),
}  # fmt: skip


def _update(data: Any, sets: Any, to: Any) -> Any:
    data["claim"]["given"][2]["runs"]["roles"][0]["method"]["each"].append({"sets": sets, "to": to})
    return data


def _first(data: Any, sets: Any, to: Any) -> Any:
    data["claim"]["given"][2]["runs"]["roles"][0]["method"]["first"].append({"sets": sets, "to": to})
    return data


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_of_form_is_malformed(name: str) -> None:
    honest = descent()
    assert code(honest, left="1/8", right="1/2") == verify.DOES_NOT_REFUTE  # it is true
    changed = TRICKS[name](json.loads(json.dumps(honest)))
    assert code(changed) == verify.MALFORMED, examined(changed).line


# -- the meaning of a formula ---------------------------------------------------------------------------------------------------


def _power(base: Any, exponent: str) -> Any:
    return base ** Fraction(exponent)


def undefined() -> dict[str, Any]:
    bad, zero = -eta[k], eta[k] - eta[k]
    return {
        "an index beyond the run": f(x[k + 9]) <= -1,
        "the smallest of nothing": reduce_over("min", eta[i], i, 0, k, eta[i] > 100) <= -1,
        "the largest of nothing, as a part": larger(5, reduce_over("max", eta[i], i, 0, k, eta[i] > 100)) <= 1,
        "an undefined number to the power 0": (1 / zero) ** 0 <= 0,
        "the root of a negative number to the power 0": _power(bad, "1/2") ** 0 <= 0,
        "0 times the logarithm of 0": 0 * Log(zero) <= -1,
        "0 times the root of a negative number": 0 * _power(bad, "1/2") <= -1,
        "1 over the logarithm of 0": 1 / Log(zero) <= -1,
        "the larger of 5 and an undefined number": larger(5, _power(bad, "1/2")) <= 1,
        "a sum where something undefined is true": Sum(eta[i], i, 0, k, where=1 / (eta[i] - eta[i]) > 0) <= -1,
        "a sum where a root of a negative number is large": Sum(eta[i], i, 0, k, where=_power(-eta[i], "1/2") > 0) <= -1,
    }


def test_a_claim_for_all_k_from_below_0_is_refused_whatever_k_is_asked() -> None:
    found = examined(put("claim", "for_all", "from", value=-1)(descent()), left="1/8", right="1/2")
    assert found.code == verify.MALFORMED and "first index" in found.line


@pytest.mark.parametrize("name", undefined())
def test_what_is_undefined_refutes_nothing(name: str) -> None:
    bound = Bound(given=(GradientDescent(),), states=undefined()[name])
    found = examined(descent(bound))
    assert found.code == verify.DOES_NOT_REFUTE and "certificate says" not in found.line, found.line


def test_an_index_below_0_refutes_nothing() -> None:
    data = descent(Bound(given=(GradientDescent(),), states=f(x[k]) <= -1))
    data["claim"]["states"]["left"]["at"]["index"]["plus"] = -1
    found = examined(data)
    assert found.code == verify.DOES_NOT_REFUTE and "no such entry" in found.line


def test_a_mean_of_nothing_refutes_nothing() -> None:
    data = descent(Bound(given=(GradientDescent(),), states=f(mean(x[i], over=(i, 0, k))) <= -1))
    assert code(data, left="1/2", right="-1") == verify.REFUTES
    data["claim"]["states"]["left"]["at"]["low"] = {"index": "k", "plus": 1}
    assert code(data, left="1/2", right="-1") == verify.DOES_NOT_REFUTE


def test_an_undefined_hypothesis_is_not_a_hypothesis_that_holds() -> None:
    bound = Bound(given=(GradientDescent(), 1 / (eta[i] - eta[i]) > 0), states=f(x[k]) <= -1)
    assert code(descent(bound)) == verify.DOES_NOT_REFUTE


@pytest.mark.parametrize("hypothesis", [larger(eta[i], eta[9]) <= 1, Sum(eta[i + 5], i, 0, 3) <= 100, normsq(x[9]) <= 100])
def test_a_hypothesis_that_can_be_asked_nowhere_refutes_nothing(hypothesis: Any) -> None:
    found = examined(descent(Bound(given=(GradientDescent(), hypothesis), states=f(x[k]) <= -1)))
    assert found.code == verify.DOES_NOT_REFUTE and "too short" in found.line, found.line


@pytest.mark.parametrize("lag", [1, 3, 5])
def test_a_hypothesis_about_earlier_steps_is_asked_of_the_last_one_too(lag: int) -> None:
    """eta[i - 3] <= 1/L bounds every step: it is asked at i = 7 of eta[4], though the run has five steps."""
    bound = Bound(given=(Convex, Smooth, GradientDescent(), eta[i - lag] <= 1 / L), states=f(x[k + 1]) <= f(x[k]))
    steps = ("1/2",) * (lag + 1) + ("3",)
    found = examined(descent(bound, at=len(steps) - 1, steps=steps))
    assert found.code == verify.DOES_NOT_REFUTE and "hypothesis of the claim is false" in found.line, found.line


def test_the_same_files_with_a_false_claim_in_them_do_refute() -> None:
    """The cases above are refused for what they say, not for how they are made."""
    found = examined(descent(Bound(given=(GradientDescent(),), states=f(x[k]) <= -1)), left="1/2", right="-1")
    assert found.code == verify.REFUTES, found.line
    found = examined(
        descent(Bound(given=(GradientDescent(), eta[i] <= 1), states=Sum(eta[i], i, 0, k) <= 0)), left="1/2", right="0"
    )
    assert found.code == verify.REFUTES, found.line
    found = examined(
        descent(Bound(given=(GradientDescent(),), states=(Number(Fraction(2)) + eta[k]) ** 0 <= 0)), left="1", right="0"
    )
    assert found.code == verify.REFUTES, found.line


# -- whose claim it is ----------------------------------------------------------------------------------------------------------


def run(folder: Path, data: Any, *options: str) -> Result:
    path = folder / "certificate.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return CliRunner().invoke(cli, ["verify", str(path), *options])


def renamed(name: str) -> dict[str, Any]:
    data = certificate(POLYAK)
    data["claim"] |= {"id": name, "label": name.split("/", 1)[1].rsplit("@", 1)[0], "reading": name.rsplit("@", 1)[1]}
    return sealed(data)


def first_words(done: Result) -> str:
    return (done.stdout or done.stderr).split("certificate.json: ", 1)[1]


def test_the_first_words_say_that_the_claim_is_the_librarys(tmp_path: Path) -> None:
    done = run(tmp_path, certificate(POLYAK))
    assert done.exit_code == 0 and first_words(done).startswith("the library's claim: refutes: ")
    assert "titles, reasons and words are not checked" in done.stdout
    (entry,) = json.loads(run(tmp_path, certificate(POLYAK), "--json").stdout)
    assert entry["library"] == "same hash" and entry["claim"] == ID


def test_the_first_words_say_that_it_is_another_version(tmp_path: Path) -> None:
    data = certificate(POLYAK)
    data["claim"]["given"] = [h for h in data["claim"]["given"] if h != {"fact": "Convex"}]
    done = run(tmp_path, sealed(rehashed(data)))
    assert done.exit_code == 1 and first_words(done).startswith("ANOTHER VERSION of a library claim")
    (entry,) = json.loads(run(tmp_path, sealed(rehashed(data)), "--json").stdout)
    assert entry["library"] == "other hash" and entry["exit_code"] == 1


@pytest.mark.parametrize(
    "name",
    [
        ID.replace("polyak", "pol\u200byak"),
        ID.replace("polyak", "p\u043elyak"),
        ID + "\u202e",
        ID.replace("@printed", "@proof"),
        ID + " ",
        "\u00a0" + ID,
        ID.replace("polyak", "polyak\nexit 0: the library's claim: refutes: "),
        ID.replace("polyak", "polyak\u2028"),
        ID.replace("polyak", "\x1b[2Kpolyak"),
    ],
)
def test_a_name_that_looks_like_the_librarys_is_nobodys_and_shows(name: str, tmp_path: Path) -> None:
    done = run(tmp_path, renamed(name))
    assert done.exit_code == 0 and first_words(done).startswith("NOT A CLAIM OF THE LIBRARY: refutes: ")
    assert done.stdout.count("\n") == 1 and done.stdout.isascii() and "\x1b" not in done.stdout
    assert ascii(name)[1:-1] in done.stdout and f"by its hash it is the library's '{ID}'" in done.stdout
    (entry,) = json.loads(run(tmp_path, renamed(name), "--json").stdout)
    assert entry["library"] == "not in the library" and entry["claim"] == ascii(name)[1:-1]


def test_a_claim_of_the_library_under_another_name_alone_is_compared_with_no_library() -> None:
    found = verify.examine(json.dumps(renamed(ID.replace("polyak", "pol\u200byak\n"))).encode())
    assert found.code == verify.REFUTES and found.line.isascii() and "\n" not in found.line and "\\u200b" in found.line


@pytest.mark.parametrize("place", [("claim", "given", 0, "fact"), ("claim", "states", "op"), ("smoothness",), ("format",)])
def test_line_breaks_in_what_is_malformed_write_no_lines(place: tuple[Any, ...], tmp_path: Path) -> None:
    done = run(tmp_path, put(*place, value="a\nb\u200bc\x1b[2K")(certificate(POLYAK)))
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and done.stderr.isascii() and "\x1b" not in done.stderr


def test_the_file_that_does_not_refute_says_whose_claim_it_is_too(tmp_path: Path) -> None:
    done = run(tmp_path, sealed({**certificate(POLYAK), "left": "6"}))
    assert done.exit_code == 1 and first_words(done).startswith("the library's claim: does not refute: ")
