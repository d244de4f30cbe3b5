"""What lint must say of the paper's own statements."""

from __future__ import annotations

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.claims.lint import Remark
from boundcheck.language.letters import D, Delta, K, L, Min, Sum, eta, eta_length, f, gap, i, k, larger, log, mu_f, sqrt, x, xstar
from boundcheck.language.scalars import NONE, STEP, Parameter
from boundcheck.library.catalogue import bounds, find_bounds


def findings(label: str) -> list[Remark]:
    (bound,) = find_bounds(label)
    return bound.lint()


@pytest.mark.parametrize("label", ["prop:convex-any-stepsize@printed", "thm:polyak@printed", "prop:sc-iterates-analysis@proved"])
def test_sound_statements_pass_clean(label: str) -> None:
    assert findings(label) == []


def test_the_printed_rate_of_normalized_gradient_descent_moves_with_f() -> None:
    (finding,) = findings("thm:ngd@printed")
    assert (finding.check, finding.severity) == ("shift", "error")
    assert finding.piece == "f(x_0)/eta_0^2"
    assert "moves by C times (1/eta_0^2) when f becomes f + C" in finding.message


def test_the_rate_of_normalized_gradient_descent_with_gaps_is_clean() -> None:
    total = Delta[0] + Sum(eta_length[i] ** 2, i, 0, k - 1)
    corrected = Bound(
        states=Min(f(x[i]), i, 0, k - 1) - f(xstar)
        <= total / (2 * k**2) * (gap(x[0]) / eta_length[0] ** 2 - gap(x[k]) / eta_length[k - 1] ** 2)
        + total / (2 * k) * Sum(D(x[i], x[i + 1]) / k, i, 0, k - 1),
        for_all=k >= 1,
    )
    assert [f for f in corrected.lint() if f.check != "horizon"] == []


def test_the_printed_closed_form_of_alpha_0_adds_unlike_things() -> None:
    (finding,) = findings("thm:adapted-acceleration.c@printed")
    assert (finding.check, finding.severity) == ("dimension", "error")
    assert finding.piece == "mu"
    assert "mu is f/x^2" in finding.message
    assert "added to 3 eta_min, which is x^2/f" in finding.message
    assert "in 3 eta_min + mu" in finding.message


def test_the_corrected_closed_form_of_alpha_0_is_clean() -> None:
    c, eta_min = Parameter("c", NONE), Parameter("eta_min", STEP)
    corrected = Bound(
        states=c == -3 * eta[0] / (2 * eta_min) + eta[0] / 2 * sqrt(9 / eta_min**2 + 4 * (3 / eta_min + mu_f) / eta[0]),
        given=(c > 0, eta_min > 0),
        try_with={"c": (1,), "eta_min": (1,)},
    )
    assert corrected.lint() == []


def test_the_iteration_count_of_exponential_search_takes_the_logarithm_of_something_with_units() -> None:
    (finding,) = findings("thm:exponential-search-gd.count@printed")
    assert (finding.check, finding.severity) == ("dimension", "error")
    assert finding.piece == "2 eta0/L"
    assert "the logarithm is taken of 2 eta0/L, which is x^4/f^2; it must be a pure number" in finding.message


def test_the_iteration_count_with_a_product_is_clean() -> None:
    count = Parameter("N", NONE)
    corrected = Bound(
        states=count <= 2 * K * larger(log(log(2 * eta[0] * L)), 1), for_all=K >= 1, try_with={"N": (1,)}, given=(count >= 1,)
    )
    assert corrected.lint() == []


@pytest.mark.parametrize(
    "label", ["prop:sc-iterates-analysis@printed", "prop:sc-split-analysis@printed", "thm:polyak-alternate@printed"]
)
def test_a_bound_at_k_that_reads_step_k_is_warned_of_as_printed_and_not_as_proved(label: str) -> None:
    (finding,) = findings(label)
    assert (finding.check, finding.severity) == ("horizon", "warning")
    assert "reads step k" in finding.message
    assert "steps up to k-1 only" in finding.message
    assert findings(label.replace("printed", "proved")) == []


# true as they stand, but under a hypothesis that lint does not use (all steps alike), or as an identity between two wrong lines,
# or between two zeros of different dimensions (the integral has lost its step)
TRUE_ALL_THE_SAME = {
    "thm:ngd.horizon-difference@printed",
    "thm:ngd.anytime-difference@printed",
    "thm:adapted-acceleration.c-second-line@printed",
    "prop:existence-A.integral@printed",
}


def test_an_error_marks_a_false_statement() -> None:
    wrong = {b.id.split("/")[1]: b for b in bounds() if any(f.severity == "error" for f in b.lint())}
    assert {name for name, bound in wrong.items() if not bound.is_refuted} == TRUE_ALL_THE_SAME
    assert len(wrong) > 15


def test_what_the_proofs_support_is_well_formed() -> None:
    for bound in bounds():
        if bound.reading == "proved":
            assert not [f for f in bound.lint() if f.severity == "error"], bound.id


def test_who_is_warned_of_reading_a_late_step() -> None:
    late = {b.id.split("/")[1] for b in bounds() if any(f.check == "horizon" for f in b.lint())}
    assert late == {
        "prop:sc-split-analysis@printed",
        "prop:sc-iterates-analysis@printed",
        "prop:sc-iterates-analysis@without-the-index",
        "thm:polyak-alternate@printed",
        *(f"thm:exponential-search-gd.case-2@{reading}" for reading in ("printed", "proved", "without-shift", "without-factor")),
        "thm:exponential-search-gd.invariant-high@printed",
        *(f"lemma:lambda-convergence.range@{reading}" for reading in ("printed", "proved")),
        "eq:lambda-convex@printed",
    }


def test_a_finding_reads_as_one_line() -> None:
    for bound in bounds():
        for finding in bound.lint():
            assert "\n" not in str(finding)
            assert str(finding).startswith(f"{finding.severity} [{finding.check}] ")
