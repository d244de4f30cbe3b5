"""No outcome of any evaluator contradicts the plain definition, on claims that nobody wrote; and the fuzzer can say no.

The seeds are fixed and printed; BOUNDCHECK_FUZZ_SEED tries another. `python -m tests.fuzz --seed N` does the same with a table.
"""

from __future__ import annotations

import os
from fractions import Fraction

import pytest

from boundcheck.language.letters import Max, Min, Sum, eta, f, i, j, k, log, mean, normsq, sqrt, x, xstar
from boundcheck.language.scalars import as_scalar

from .compare import Failure, Tally
from .enclosures import Between, Undefined, Unknown, ends, order
from .faults import PLANTED
from .functions import Piecewise, Quadratic
from .fuzz import fuzz
from .meaning import Meaning
from .settings import Setting
from .shrink import failures_of, shrink, snippet
from .truth import Claim, Truth

SEED = int(os.environ.get("BOUNDCHECK_FUZZ_SEED", "1"))
IN_CI, SLOW, SHOWN = 5_000, 200_000, 3
F = Fraction


def shown(tally: Tally, seed: int) -> str:
    """The first failures, each shrunk, with what does them again."""
    parts = [f"{len(tally.failures)} of {tally.compared} outcomes are wrong; again: python -m tests.fuzz --seed {seed}"]
    sorts: dict[str, Failure] = {}
    for failure in tally.failures:
        sorts.setdefault(failure.sort, failure)
    parts += [f"{len([1 for g in tally.failures if g.sort == s])} x {g.why}" for s, g in sorts.items()]
    return "\n\n".join([*parts, *(snippet(shrink(failure)) for failure in list(sorts.values())[:SHOWN])])


def check_outcomes(wanted: int, seed: int) -> None:
    print(f"seed {seed}")
    tally = fuzz(seed, wanted)
    assert not tally.failures, shown(tally, seed)
    assert tally.compared >= wanted
    assert 2 * sum(tally.refused.values()) < sum(tally.asked.values()), tally.reasons.most_common(10)
    decided = sum(n for (_, outcome), n in tally.counts.items() if outcome in ("HOLDS", "VIOLATED"))
    assert 3 * decided > tally.compared, "too few outcomes are decided to show anything"


@pytest.mark.xdist_group("fuzz")
def test_no_outcome_contradicts_the_definition() -> None:
    check_outcomes(IN_CI, SEED)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_none_of_200_000_outcomes_contradicts_the_definition(part: int) -> None:
    check_outcomes(SLOW // 4, 1000 * SEED + part)


# -- the fuzzer can say no ------------------------------------------------------------------------------------------------


@pytest.mark.xdist_group("fuzz")
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str) -> None:
    only = ("float64",) if "float64" in fault else ("rational",)
    for part in range(20):
        with PLANTED[fault]():
            tally = fuzz(50 + part, 300, only=only, stop_at=1)
        if any(not {g.sort for g in failures_of(one.case)} >= {one.sort} for one in tally.failures):
            return
    pytest.fail(f"'{fault}' is not found in {20 * 300} outcomes")


def test_a_failure_is_shrunk_and_printed_as_python_that_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    with PLANTED["f is read as f less its minimum"]():
        failure = next(g for part in range(20) for g in fuzz(60 + part, 300, only=("rational",)).failures if "statement" in g.why)
        small = shrink(failure, 150)
        assert len(str(small.case.claim.states)) <= len(str(failure.case.claim.states))
        exec(snippet(small).replace("tests.fuzz", str(__package__)), {})
        assert small.why in capsys.readouterr().out


# -- the definition itself, by hand -------------------------------------------------------------------------------------------


LOWERED = Piecewise((F(0),), (F(0),), F(1), F(1), F(0), F(-5))  # x^2/2 - 5
POINTS = {("", "x"): {0: (F(4),), 1: (F(2),), 2: (F(1),)}, ("", "eta"): {0: F(1, 2), 1: F(1, 2)}}
HERE = Meaning(LOWERED, POINTS, {"L": F(1), "gamma": F(1, 3)})


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        (f(x[0]), F(3)),
        (f(xstar), F(-5)),
        (Sum(f(x[i]), i, 0, k), F(3) - 3 - F(9, 2)),
        (Sum(f(x[i]), i, 3, k), F(0)),
        (Sum(eta[i], i, 0, 1, where=f(x[i]) < 0), F(1, 2)),
        (f(mean(x[i], over=(i, 0, k))), F(49, 18) - 5),
        (f(mean(x[i - 1], weight=i, over=(i, 1, k))), F(32, 9) - 5),
        (normsq(mean(x[i], over=(i, 0, 0))), F(16)),
        (Max(f(x[i]), i, 0, k), F(3)),
        (sqrt(normsq(x[1])), F(2)),
        (as_scalar(0) ** 0, F(1)),
        (Sum(Sum(f(x[j]), j, i, k), i, 1, k), F(-3) - 9),
    ],
)
def test_the_definition_of_a_formula_at_k_2(formula: object, value: Fraction) -> None:
    assert HERE.value(formula, {"k": 2}) == value  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "formula",
    [
        f(x[k - 3]),
        f(x[3]),
        eta[k],
        1 / (f(x[0]) - 3),
        (1 / (f(x[0]) - 3)) ** 0,
        0 * (1 / (f(x[0]) - 3)),
        sqrt(f(x[1])),
        log(f(x[0]) - 3),
        as_scalar(0) ** -1,
        Min(f(x[i]), i, 5, k),
        f(mean(x[i], over=(i, 5, k))),
        f(mean(x[i], weight=i - 1, over=(i, 0, k))),
        Sum(f(x[i]), i, 0, k, where=1 / (f(x[i]) - 3) > 0),
        Max(1 / (k - i), i, 0, k),
    ],
)
def test_what_is_undefined_is_no_number(formula: object) -> None:
    with pytest.raises(Undefined):
        HERE.value(formula, {"k": 2})  # type: ignore[arg-type]


def test_roots_and_logarithms_are_enclosed_by_fractions() -> None:
    root, log_2 = HERE.value(sqrt(as_scalar(2)), {}), HERE.value(log(as_scalar(2)), {})
    assert isinstance(root, Between) and root.low**2 < 2 < root.high**2 and root.high - root.low < F(1, 2**190)
    low, high = ends(log_2)
    assert abs(low - F(693147180559945309417232121458176568, 10**36)) < F(1, 10**35) and 0 < high - low < F(1, 2**190)
    eighth = ends(HERE.value(log(as_scalar(F(1, 8))), {}))
    assert eighth[0] <= -3 * low and -3 * high <= eighth[1] and eighth[1] - eighth[0] < F(1, 2**190)
    with pytest.raises(Unknown):
        order(root, HERE.value(sqrt(as_scalar(2)), {}))


def test_a_quadratic_and_a_piecewise_one_that_are_the_same_function_agree() -> None:
    other = Quadratic(((F(1),),), (F(0),), F(-5))
    for u, w in ((F(3), F(-1)), (F(1, 3), F(2))):
        assert LOWERED.value((u,)) == other.value((u,)) and LOWERED.grad((u,)) == other.grad((u,))
        assert all(LOWERED.chord(kind, (u,), (w,)) == other.chord(kind, (u,), (w,)) for kind in ("D", "A", "H", "mu"))


@pytest.mark.parametrize(
    ("outcome", "wrong"),
    [("HOLDS", False), ("VIOLATED", True), ("VACUOUS", True), ("UNDECIDED", True)],
)
def test_an_outcome_is_judged_by_the_definition(outcome: str, wrong: bool) -> None:
    setting = Setting(LOWERED, (("", "gradient descent"),), ((F(4),),), ((F(1, 2), F(1, 2)),))
    truth = Truth(Claim(f(x[k]) <= 3), setting.run(0), setting.roles, setting.constants)
    assert bool(truth.judge(outcome, 1, exact=True)) is wrong


def test_a_failed_hypothesis_counts_where_a_fixed_index_rests_on_it() -> None:
    setting = Setting(LOWERED, (("", "gradient descent"),), ((F(4),),), ((F(3),) * 3,))
    claim = Claim(f(x[2]) <= f(x[0]), given=(("each", eta[i] <= 1),))
    truth = Truth(claim, setting.run(0), setting.roles, setting.constants)
    assert "hypothesis is false" in truth.judge("VIOLATED", 0, exact=True) and not truth.judge("VACUOUS", 0, exact=True)
    late = Truth(Claim(f(x[k]) <= 3, given=(("each", eta[i + 7] <= 1),)), setting.run(0), setting.roles, setting.constants)
    assert "cannot be read" in late.judge("VIOLATED", 1, exact=True) and not late.judge("UNDECIDED", 1, exact=True)
