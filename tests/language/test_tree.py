"""Writing formulas: operators build trees, and a tree is not a number."""

from __future__ import annotations

from fractions import Fraction

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.language.letters import (
    M_,
    D,
    Delta,
    H,
    Prod,
    Sum,
    delta,
    eta,
    f,
    gap,
    i,
    j,
    k,
    mean,
    mu_,
    norm,
    normsq,
    sqrt,
    x,
    xstar,
)
from boundcheck.language.relations import Relation, chain
from boundcheck.language.rewrite import bind_smoothness, mentions, put_index
from boundcheck.language.scalars import Number, Power, Reduce
from boundcheck.language.tree import Index, IndexError_


def test_a_formula_a_relation_and_an_index_have_no_truth_value() -> None:
    for thing in (eta[k], f(x[k]) <= f(x[0]), eta[k] == 1, chain(eta[k], "<=", 1, "<=", 2), x[k], k):
        with pytest.raises(TypeError, match="no truth value"):
            bool(thing)


def test_writing_a_chain_with_python_comparisons_is_an_error_rather_than_half_a_claim() -> None:
    with pytest.raises(TypeError, match="no truth value"):
        _ = delta[k] <= delta[0] <= Delta[0]


def test_equality_makes_a_relation_and_key_asks_for_the_same_formula() -> None:
    relation = eta[k] == 1 / M_[k]
    assert isinstance(relation, Relation)
    assert relation.op == "=="
    assert (eta[k] + 1).key == (eta[k] + 1).key
    assert (eta[k] + 1).key != (1 + eta[k]).key


def test_every_comparison_keeps_its_sides() -> None:
    for relation, op in ((eta[k] <= 2, "<="), (eta[k] < 2, "<"), (eta[k] >= 2, ">="), (eta[k] > 2, ">")):
        assert (relation.op, str(relation.left), str(relation.right)) == (op, "eta_k", "2")


def test_a_number_on_the_left_of_a_comparison_is_mirrored_by_python_not_lost() -> None:
    relation = 0 < eta[k]
    assert (relation.op, str(relation.left), str(relation.right)) == (">", "eta_k", "0")


def test_the_complement_of_an_index_set_takes_the_opposite_relation() -> None:
    assert [(~r).op for r in (eta[i] < 1, eta[i] <= 1, eta[i] > 1, eta[i] >= 1)] == [">=", ">", "<=", "<"]
    with pytest.raises(TypeError, match="complement"):
        ~(eta[i] == 1)


@pytest.mark.parametrize(
    ("written", "meant"), [(1.5, Fraction(3, 2)), (0.1, Fraction(1, 10)), (2, Fraction(2)), (1e-3, Fraction(1, 1000))]
)
def test_a_decimal_in_a_theorem_file_means_the_decimal_not_the_nearest_double(written: float, meant: Fraction) -> None:
    formula = written * eta[k]
    assert isinstance(formula.left, Number)  # type: ignore[attr-defined]
    assert formula.left.value == meant  # type: ignore[attr-defined]


def test_a_decimal_exponent_means_the_decimal_too() -> None:
    power = eta[k] ** 0.1
    assert isinstance(power, Power)
    assert power.exponent == Fraction(1, 10)


def test_things_that_are_not_formulas_are_refused() -> None:
    for wrong in ("1", None, True, [1]):
        with pytest.raises(TypeError, match="is not a scalar formula"):
            eta[k] + wrong
    with pytest.raises(TypeError, match="is not an index"):
        eta[0.5]  # type: ignore[index]
    with pytest.raises(TypeError, match="is not a point"):
        x[k] - 1  # type: ignore[operator]


def test_a_power_of_the_index_is_a_product_with_that_many_factors() -> None:
    power = (1 - mu_[0] / 2) ** k
    assert isinstance(power, Reduce)
    assert (power.kind, str(power.low), str(power.high)) == ("prod", "1", "k")
    assert power.free == {"k"}
    assert isinstance(eta[k] ** 2, Power)


def test_the_letter_of_a_power_is_none_that_its_base_uses() -> None:
    base = eta[Index("p")]
    power = base**k
    assert isinstance(power, Reduce)
    assert power.letter not in ("p", "k")
    assert power.free == {"p", "k"}


def test_free_letters_are_those_that_no_sum_or_mean_binds() -> None:
    assert (eta[i] * M_[j]).free == {"i", "j"}
    assert Sum(eta[i] * M_[j], i, 0, k).free == {"j", "k"}
    assert Sum(eta[i], i, 0, 5).free == frozenset()
    assert Sum(eta[i], i, j + 1, k).free == {"j", "k"}
    assert Sum(eta[i], i, 0, k, where=eta[i] < eta[j]).free == {"j", "k"}
    assert mean(x[i], weight=eta[i], over=(i, 0, k - 1)).free == {"k"}
    assert Sum(Prod(eta[j], j, i + 1, k), i, 0, k).free == {"k"}


def test_putting_an_index_spares_bound_letters() -> None:
    formula = eta[i] + Sum(eta[i], i, 0, i)
    assert str(put_index(formula, "i", Index("k", 1))) == "eta_{k+1} + sum_{i=0..k+1} eta_i"


def test_short_names_are_the_long_formulas() -> None:
    assert delta[k].key == (f(x[k]) - f(xstar)).key == gap(x[k]).key
    assert Delta[k + 1].key == normsq(x[k + 1] - xstar).key
    assert str(M_[k]) == "M(x_k, x_{k+1})"
    assert str(mu_[k + 1]) == "mu(x_{k+1}, x*)"


def test_binding_M_reaches_every_corner_and_keeps_the_order_of_arguments() -> None:
    formula = Sum(1 / M_[i], i, 0, k, where=eta[i] < M_[i]) + sqrt(M_[k])
    bound = bind_smoothness(formula, "D")
    assert mentions(formula, "M")
    assert not mentions(bound, "M")
    assert str(bound) == str(formula).replace("M(", "D(")
    assert str(bind_smoothness(eta[k] * M_[k], "L")) == "eta_k L"
    mean_bound = bind_smoothness(gap(mean(x[i], weight=1 / M_[i], over=(i, 0, k))), "H")
    assert mentions(mean_bound, "H")


def test_an_index_before_the_first_entry_is_refused_when_the_claim_is_written() -> None:
    with pytest.raises(
        IndexError_, match=r"claim: eta_\{k-1\} is read at index -1 when k = 0; the first entry is 0: raise the range's start"
    ):
        Bound(states=f(x[k]) <= eta[k - 1])
    Bound(states=f(x[k]) <= eta[k - 1], for_all=k >= 1)


def test_an_index_before_the_first_entry_inside_a_sum_is_refused_too() -> None:
    with pytest.raises(IndexError_, match=r"x_\{i-1\} is read at index -1"):
        Bound(states=Sum(norm(x[i] - x[i - 1]), i, 0, k) <= norm(x[0]))
    Bound(states=Sum(norm(x[i] - x[i - 1]), i, 1, k) <= norm(x[0]))


def test_a_letter_that_nothing_binds_is_refused_when_the_claim_is_written() -> None:
    with pytest.raises(ValueError, match=r"the index i is free in .*; the claim is for all k: write k, or sum over i"):
        Bound(states=eta[i] <= 1 / M_[k])


def test_a_bound_must_state_a_relation_and_try_its_parameters() -> None:
    from boundcheck.language.scalars import Parameter

    with pytest.raises(TypeError, match="a bound states a relation such as a <= b"):
        Bound(states=eta[k])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="parameter gamma has no values to try"):
        Bound(states=Parameter("gamma") * eta[k] <= 1, given=(Parameter("gamma") > 0,))


def test_chains_alternate_formulas_and_relations() -> None:
    made = chain(eta[k], "<=", H(x[k], xstar), "==", D(x[k], xstar), "<", 3)
    assert [link.op for link in made.links] == ["<=", "==", "<"]
    for wrong in ((eta[k],), (eta[k], "<="), (eta[k], "!=", 1), (eta[k], 1, 2)):
        with pytest.raises(TypeError, match="a chain alternates"):
            chain(*wrong)
