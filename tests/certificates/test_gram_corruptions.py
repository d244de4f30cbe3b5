"""Corrupted certificates of the kind "gram" are rejected, each by the check that is about what was changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction as Q
from typing import Any

import pytest

from .gram_making import CLAIMS, certificate, plus, rows, said, verify
from .making import rehashed

Data = dict[str, Any]
MALFORMED, REFUTES, DOES_NOT = verify.MALFORMED, verify.REFUTES, verify.DOES_NOT_REFUTE
CASES: list[tuple[str, str, Callable[[Data], Any], int, str]] = []


def case(base: str, code: int, line: str) -> Callable[[Callable[[Data], Any]], Callable[[Data], Any]]:
    """A change of a certificate, the exit code that it must lead to, and what the checker must say."""

    def keep(change: Callable[[Data], Any]) -> Callable[[Data], Any]:
        CASES.append((change.__name__, base, change, code, line))
        return change

    return keep


@pytest.mark.parametrize("name", CLAIMS)
def test_the_originals_are_accepted(name: str) -> None:
    found = said(certificate(name), rehash=False, seal=False)
    assert found.code == REFUTES, found.line


def widened(data: Data, corner: str) -> None:
    """Add a vector to the basis that nothing reads, with this square."""
    size = len(data["gram"])

    def longer(value: Any) -> Any:
        if isinstance(value, list) and len(value) == size and all(isinstance(c, str) for c in value):
            return [*value, "0"]
        if isinstance(value, dict):
            return {key: longer(v) for key, v in value.items()}
        return [longer(v) for v in value] if isinstance(value, list) else value

    for key in ("oracles", "minimiser", "free", "solved", "run"):
        if key in data:
            if key == "run":
                for own in data["run"]["roles"].values():
                    own["start"] = longer(own["start"])
            else:
                data[key] = longer(data[key])
    data["gram"] = [[*row, "0"] for row in data["gram"]] + [["0"] * size + [corner]]


def test_a_basis_may_be_wider() -> None:
    data = certificate("composite")
    widened(data, "1")
    assert said(data).code == REFUTES


# -- the shape ----------------------------------------------------------------------------------------------------------------


@case("composite", MALFORMED, "kind 'gram'")
def another_kind(data: Data) -> None:
    data["kind"] = "table"


@case("composite", MALFORMED, "version")
def another_version(data: Data) -> None:
    data["version"] = 2


@case("composite", MALFORMED, "needs the format")
def another_format(data: Data) -> None:
    data["format"] = "certificate"


@case("composite", MALFORMED, "keys that are not known")
def a_key_more(data: Data) -> None:
    data["note"] = ""


@case("composite", MALFORMED, "lacks free")
def a_key_less(data: Data) -> None:
    del data["free"]


@case("composite", MALFORMED, "needs 5 numbers")
def a_short_row_of_the_matrix(data: Data) -> None:
    data["gram"][1].pop()


@case("composite", MALFORMED, "symmetric")
def a_matrix_that_is_not_symmetric(data: Data) -> None:
    data["gram"][0][1] = plus(data["gram"][0][1])


@case("composite", MALFORMED, "lowest terms")
def a_number_spelled_otherwise(data: Data) -> None:
    data["constants"]["L"] = "2/2"


@case("composite", MALFORMED, "names no oracle")
def an_oracle_of_no_name(data: Data) -> None:
    data["oracles"].append({**data["oracles"][0], "name": "g"})


@case("composite", MALFORMED, "there twice")
def an_oracle_that_is_there_twice(data: Data) -> None:
    data["oracles"].append(data["oracles"][0])


@case("composite", MALFORMED, "reads no components of")
def a_component_of_what_has_none(data: Data) -> None:
    data["oracles"][0]["part"] = 1


@case("chance", MALFORMED, "mean of its components")
def f_whole_beside_its_components(data: Data) -> None:
    data["oracles"][0]["part"] = None


@case("composite", MALFORMED, "has keys that are not known")
def a_row_with_more(data: Data) -> None:
    data["oracles"][0]["rows"][0]["slope"] = "0"


@case("composite", MALFORMED, "needs 5 numbers")
def a_point_of_another_length(data: Data) -> None:
    data["oracles"][0]["rows"][0]["point"].append("0")


@case("composite", MALFORMED, "constants lacks L")
def a_constant_that_is_missing(data: Data) -> None:
    del data["constants"]["L"]


@case("composite", MALFORMED, "constants has keys")
def a_constant_that_nothing_reads(data: Data) -> None:
    data["constants"]["mu"] = "1/2"


@case("free", MALFORMED, "parameters lacks eps")
def a_parameter_that_is_missing(data: Data) -> None:
    data["parameters"] = {}


@case("composite", MALFORMED, "has a minimiser if and only if")
def no_minimiser(data: Data) -> None:
    data["minimiser"] = None


@case("chance", MALFORMED, "has components if and only if")
def no_components(data: Data) -> None:
    data["components"] = None


@case("composite", MALFORMED, "has components if and only if")
def components_of_nothing(data: Data) -> None:
    data["components"] = 2


@case("two starts", MALFORMED, "the runs lacks other")
def a_run_that_is_missing(data: Data) -> None:
    del data["run"]["roles"]["other"]


@case("two starts", MALFORMED, "the runs have other lengths")
def a_run_that_is_longer(data: Data) -> None:
    data["run"]["roles"]["other"]["eta"].append("1")


@case("composite", MALFORMED, "needs a run at")
def a_place_of_another_letter(data: Data) -> None:
    data["at"] = {"n": 1}


@case("composite", MALFORMED, "from 1 to")
def a_k_before_the_first(data: Data) -> None:
    data["at"] = {"k": 0}


@case("composite", MALFORMED, "link")
def a_link_that_is_not_there(data: Data) -> None:
    data["link"] = 1


@case("free", MALFORMED, "is not free")
def a_free_entry_of_a_set_sequence(data: Data) -> None:
    data["free"][0]["name"] = "x"


@case("starts of a sequence", MALFORMED, "'p' at 1 is not free")
def a_free_entry_in_the_place_of_a_set_one(data: Data) -> None:
    """p_0 is free, p_1 is set by the method: a file cannot choose it."""
    data["free"].append({**data["free"][0], "index": 1})


@case("implicit", MALFORMED, "no point that an update sets")
def a_solved_entry_of_no_sequence(data: Data) -> None:
    data["solved"][0]["name"] = "z"


@case("composite", MALFORMED, "not a node of a formula")
def a_node_that_is_not_known(data: Data) -> None:
    data["claim"]["states"]["left"] = {"is": "Block", "whole": {"is": "Minimum"}, "part": {"index": None, "plus": 1}}


@case("composite", MALFORMED, "not a fact that is known")
def a_class_that_is_not_known(data: Data) -> None:
    data["claim"]["given"][0] = {"fact": "Concave"}


@case("composite", MALFORMED, "the letters of Convex")
def a_letter_of_a_fact_that_has_none(data: Data) -> None:
    next(h for h in data["claim"]["given"] if "about" in h)["letters"] = {"L": "L"}


@case("composite", MALFORMED, "usual")
def a_usual_field_that_is_said(data: Data) -> None:
    next(h for h in data["claim"]["given"] if "solution" in h)["solution"]["right"]["part"] = None


@case("composite", MALFORMED, "a claim about M")
def a_claim_about_M(data: Data) -> None:
    data["claim"]["smoothness"] = ["D"]


# -- the space ----------------------------------------------------------------------------------------------------------------


@case("composite", DOES_NOT, "not positive semidefinite")
def an_eigenvalue_that_is_hardly_negative(data: Data) -> None:
    widened(data, str(Q(-1, 10**30)))


@case("any convex", DOES_NOT, "not positive semidefinite")
def a_large_entry_of_the_matrix(data: Data) -> None:
    data["gram"][0][1] = data["gram"][1][0] = "1000000"


# -- the oracles --------------------------------------------------------------------------------------------------------------


@case("composite", DOES_NOT, "'f' of the class has these data")
def another_value(data: Data) -> None:
    rows(data, "f")[1]["value"] = plus(rows(data, "f")[1]["value"], "-10")


@case("any convex", DOES_NOT, "where the file does not say")
def another_point(data: Data) -> None:
    row = rows(data, "f")[1]
    row["point"][0] = plus(row["point"][0], "1/1000000000")


@case("nonexpansive", DOES_NOT, "'T' of the class has these data")
def another_image(data: Data) -> None:
    for row in rows(data, "T")[-1:]:
        row["image"] = [plus(c, "10") for c in row["image"]]


@case("composite", DOES_NOT, "where the file does not say")
def a_row_that_is_missing(data: Data) -> None:
    rows(data, "f").pop()


@case("composite", DOES_NOT, "have values, or lack them")
def a_value_that_is_missing(data: Data) -> None:
    rows(data, "h")[0]["value"] = None


@case("monotone", DOES_NOT, "have values, or lack them")
def a_value_of_an_operator(data: Data) -> None:
    rows(data, "A")[0]["value"] = "0"


@case("composite", DOES_NOT, "has these data")
def two_values_at_one_point(data: Data) -> None:
    row = rows(data, "h")[0]
    rows(data, "h").append({**row, "value": plus(row["value"])})


@case("composite", DOES_NOT, "has these data")
def two_gradients_at_one_point(data: Data) -> None:
    row = rows(data, "f")[0]
    rows(data, "f").append({**row, "image": ["0"] * len(row["image"])})


@case("set", DOES_NOT, "several images")
def two_normal_vectors_at_a_point_that_is_read(data: Data) -> None:
    """Twice a normal vector is one too; which of them the claim means is not known."""
    row = next(row for row in rows(data, "C") if row["point"] == data["run"]["roles"][""]["start"])
    rows(data, "C").append({**row, "image": [str(2 * Q(c)) for c in row["image"]]})


@case("composite", DOES_NOT, "inclusion of a prox")
def a_prox_of_another_point(data: Data) -> None:
    row = rows(data, "h")[1]
    row["point"] = [plus(c, "1/1000") for c in row["point"]]


@case("monotone", DOES_NOT, "inclusion of a prox")
def a_resolvent_without_its_row(data: Data) -> None:
    rows(data, "A").pop()


@case("set", DOES_NOT, "minimises a linear function")
def a_linear_minimum_that_is_missing(data: Data) -> None:
    """Twice a normal vector is one too, but not the gradient that was turned round."""
    for row in rows(data, "C"):
        if any(c != "0" for c in row["point"]):
            row["image"] = [str(2 * Q(c)) for c in row["image"]]


@case("set", DOES_NOT, "no set 'C'")
def a_set_that_is_wider(data: Data) -> None:
    data["constants"]["D"] = "1/1000"


@case("set", DOES_NOT, "no set 'C'")
def a_value_of_an_indicator(data: Data) -> None:
    rows(data, "C")[0]["value"] = "1"


@case("equation", DOES_NOT, "'f' of the class has these data")
def a_smaller_L(data: Data) -> None:
    data["constants"]["L"] = "1/2"


@case("composite", DOES_NOT, "no class")
def an_L_of_0(data: Data) -> None:
    data["constants"]["L"] = "0"


@case("chance", DOES_NOT, "no class")
def a_mu_that_is_L(data: Data) -> None:
    data["constants"]["mu"] = data["constants"]["L"]


@case("composite", DOES_NOT, "'h' of the class has these data")
def facts_that_are_exchanged(data: Data) -> None:
    given = next(h for h in data["claim"]["given"] if "about" in h)
    given["fact"], given["letters"], data["constants"]["mu_h"] = "StronglyConvex", {"mu": "mu_h"}, "1000"


@case("composite", DOES_NOT, "no fact says whose constant")
def a_fact_that_is_dropped(data: Data) -> None:
    data["claim"]["given"] = [h for h in data["claim"]["given"] if h != {"fact": "Smooth"}]


@case("monotone", DOES_NOT, "no theorem is known")
def a_class_of_which_only_necessary_inequalities_are_known(data: Data) -> None:
    data["claim"]["given"].append({"fact": "LipschitzOperator", "about": "A", "letters": {"L": "L_A"}})
    data["constants"]["L_A"] = "1000"


@case("nonexpansive", DOES_NOT, "has two rows at one point")
def an_oracle_of_no_class_with_two_images(data: Data) -> None:
    data["claim"]["given"] = [h for h in data["claim"]["given"] if "about" not in h]
    row = rows(data, "T")[0]
    rows(data, "T").append({**row, "image": [plus(c) for c in row["image"]]})


@case("any convex", DOES_NOT, "no differentiable 'f'")
def a_convex_function_that_is_not_differentiable(data: Data) -> None:
    """The subgradients of |x| at 0 and 1, and between: the tangents at 0 and at 1 are not apart."""
    data["gram"] = [["1"]]
    data["minimiser"] = ["0"]
    data["run"]["roles"][""] = {"start": ["1"], "eta": ["2"]}
    row = {"point": ["0"], "image": ["0"], "value": "0"}
    right, left = ({"point": [s], "image": [s], "value": "1"} for s in ("1", "-1"))
    data["oracles"] = [{"name": "f", "part": None, "rows": [row, right, left]}]
    data["at"], data["left"], data["right"] = {"k": 1}, "1", "1/9"


# -- x* -----------------------------------------------------------------------------------------------------------------------


@case("composite", DOES_NOT, "not what the claim says that it solves")
def an_x_star_that_is_no_solution(data: Data) -> None:
    """The images at x*, which add up to 0, and one of them a little more: the classes still have the data."""
    row = rows(data, "h")[0]
    row["image"] = [plus(c, "1/100000000") for c in row["image"]]


@case("any convex", DOES_NOT, "x\\* is no minimiser")
def an_x_star_with_a_gradient(data: Data) -> None:
    data["minimiser"] = data["run"]["roles"][""]["start"]


@case("non-convex", DOES_NOT, "x\\* is no minimiser")
def an_x_star_that_only_is_stationary(data: Data) -> None:
    """f(x) = -x^2/2 has the gradient 0 at 0, and no minimum."""
    data["gram"], data["minimiser"] = [["1"]], ["0"]
    data["run"]["roles"][""] = {"start": ["1"], "eta": ["1"]}
    table = [{"point": [str(n)], "image": [str(-n)], "value": str(Q(-n * n, 2))} for n in (0, 1, 2)]
    data["oracles"] = [{"name": "f", "part": None, "rows": table}]
    data["left"], data["right"] = "4", "-1/8"


# -- the run ------------------------------------------------------------------------------------------------------------------


@case("composite", DOES_NOT, "fewer steps than the k")
def a_k_after_the_last_step(data: Data) -> None:
    data["at"] = {"k": 2}


@case("any convex", DOES_NOT, "a step must be positive")
def a_negative_step(data: Data) -> None:
    data["run"]["roles"][""]["eta"] = ["-1"]


@case("composite", DOES_NOT, "a hypothesis of the claim is false")
def a_step_that_follows_no_rule(data: Data) -> None:
    """Data for a step of 2 that satisfy everything else are not needed: the hypotheses are asked before the sides."""
    data["constants"]["L"] = "2"


@case("two starts", DOES_NOT, "one start")
def starts_that_must_be_one(data: Data) -> None:
    del next(h for h in data["claim"]["given"] if "runs" in h)["runs"]["apart"]


@case("two starts", DOES_NOT, "the same steps")
def steps_that_must_be_the_same(data: Data) -> None:
    data["run"]["roles"]["other"]["eta"] = ["2"]


@case("free", DOES_NOT, "a hypothesis of the claim is false")
def an_error_that_is_too_large(data: Data) -> None:
    data["parameters"]["eps"] = "1/1000"


@case("free", DOES_NOT, "a hypothesis of the claim is false")
def a_parameter_out_of_its_range(data: Data) -> None:
    data["parameters"]["eps"] = "3"


@case("free", DOES_NOT, "it can be read nowhere")
def a_free_entry_that_is_missing(data: Data) -> None:
    data["free"] = []


@case("implicit", DOES_NOT, "satisfies the equation")
def a_point_that_solves_nothing(data: Data) -> None:
    data["solved"][0]["points"] = [["0"] * len(data["gram"])]


@case("implicit", MALFORMED, "read before it is set")
def a_solved_entry_that_is_missing(data: Data) -> None:
    data["solved"] = []


@case("equation", DOES_NOT, "a hypothesis of the claim is false")
def an_equation_that_is_nearly_true(data: Data) -> None:
    """<g_1, g_0> is not 0: the step is a little longer. The gradient at the new point is that of the same row."""
    last = data["run"]["roles"][""]
    start, eta = [Q(c) for c in last["start"]], Q(last["eta"][0])
    row = next(row for row in rows(data, "f") if row["point"] == last["start"])
    old = [str(c - eta * Q(g)) for c, g in zip(start, row["image"], strict=True)]
    after = next(r for r in rows(data, "f") if r["point"] == old)
    after["image"] = [str(Q(c) + Q(g) / 10**9) for c, g in zip(after["image"], row["image"], strict=True)]


@case("composite", DOES_NOT, "it can be read nowhere")
def a_hypothesis_that_nothing_reads(data: Data) -> None:
    follows = next(h for h in data["claim"]["given"] if "follows" in h)["follows"]
    follows["left"]["index"]["plus"] = 100


@case("chance", DOES_NOT, "the left side is")
def an_expectation_inside_another(data: Data) -> None:
    """E(max(a - E(a), 0)) is not 0: what the outer expectation has drawn is not known to the inner one."""
    for row in rows(data, "f", 1):
        row["value"] = plus(row["value"])
    first = {"index": None, "plus": 0}
    point = {"is": "Point", "name": "x", "index": first, "run": ""}
    drawn = {"is": "NamedValue", "at": point, "of": "f", "part": {"draw": "j", "at": first}}
    above = {"is": "Sub", "left": drawn, "right": {"is": "Expectation", "of": drawn}}
    zero = {"is": "Number", "value": "0"}
    data["claim"]["states"]["left"] = {"is": "Expectation", "of": {"is": "Larger", "left": above, "right": zero}}
    data["claim"]["states"]["right"] = {"is": "Mul", "left": zero, "right": data["claim"]["states"]["right"]}


@case("chance", DOES_NOT, "is random, and read outside")
def a_draw_outside_of_an_expectation(data: Data) -> None:
    data["claim"]["states"]["left"] = data["claim"]["states"]["left"]["of"]


# -- the decision -------------------------------------------------------------------------------------------------------------


@case("composite", DOES_NOT, "the claim holds there")
def a_claim_that_holds_there(data: Data) -> None:
    states = data["claim"]["states"]
    states["left"], states["right"] = states["right"], states["left"]


@case("composite", DOES_NOT, "the left side is")
def another_left_side(data: Data) -> None:
    data["left"] = plus(data["left"], "1/1000000")


@case("composite", DOES_NOT, "the right side is")
def another_right_side(data: Data) -> None:
    data["right"] = plus(data["right"], "-1/1000000")


@case("chance", DOES_NOT, "'f' of the class has these data|where the file does not say")
def another_number_of_components(data: Data) -> None:
    data["components"] = 3


def names() -> Iterator[str]:
    return (name for name, *_ in CASES)


@pytest.mark.parametrize(("base", "change", "code", "line"), [c[1:] for c in CASES], ids=list(names()))
def test_what_was_changed_is_noticed(base: str, change: Callable[[Data], Any], code: int, line: str) -> None:
    data = certificate(base)
    change(data)
    found = said(data)
    assert found.code == code, found.line
    import re

    assert re.search(line, found.line), found.line


def test_there_are_enough_kinds_of_corruption() -> None:
    assert len(set(names())) == len(CASES) >= 60


def test_a_broken_seal_and_another_hash_are_noticed() -> None:
    data = certificate("composite")
    data["words"] += "."
    found = said(data, seal=False, rehash=False)
    assert found.code == DOES_NOT and "seal" in found.line
    data = certificate("composite")
    data["hash"] = "0" * 64
    found = said(data, rehash=False)
    assert found.code == DOES_NOT and "hash" in found.line
    data = certificate("composite")
    data["claim"]["given"].pop(0)
    found = said(data, rehash=False)
    assert found.code != REFUTES and rehashed(data)["hash"] != data["hash"]
