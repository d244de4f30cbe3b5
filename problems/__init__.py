"""Oracles to run methods on: one file a family, each its formula, its facts and its minimiser. `CATALOGUE` names instances.

`SPECIAL` and `EXACT_ONLY` say what everyday checks leave out. `NEEDING` names problems that need an extra: in the catalogue where
it is installed, and saying what to install elsewhere. `DATA_FILE` makes a problem from a data file, spelled on one line:
`FILE.csv`, or `FILE.csv, label=NAME, seed=N, split=no`. `FROM_FUNCTION` makes one from the data of a function in a certificate.
`WITH_PARTS` names problems for claims about more than f. `FAMILIES` are functions that draw a problem of a size, with a seed and
a name. `AUDIT_BATTERY`, `RACES` and `RULE_BATTERY` name the problems that rules are tried on, `EXAMPLE_PROBLEMS` those that help
names.
"""

from boundcheck.problems.batteries import AUDIT_BATTERY, EXAMPLE_PROBLEMS, RACES, RULE_BATTERY
from boundcheck.problems.catalogue import CATALOGUE, EXACT_ONLY, NEEDING, SPECIAL
from boundcheck.problems.data import logistic_as_written as DATA_FILE
from boundcheck.problems.from_data import from_function as FROM_FUNCTION
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.problems.quadratic import power_law_quadratic, random_quadratic, rank_deficient
from boundcheck.problems.with_parts import WITH_PARTS

FAMILIES = {
    "power-law": power_law_quadratic,
    "random-quadratic": random_quadratic,
    "rank-deficient": rank_deficient,
    "synthetic-logistic": synthetic_logistic,
}

__all__ = [
    "AUDIT_BATTERY",
    "CATALOGUE",
    "DATA_FILE",
    "EXACT_ONLY",
    "EXAMPLE_PROBLEMS",
    "FAMILIES",
    "FROM_FUNCTION",
    "NEEDING",
    "RACES",
    "RULE_BATTERY",
    "SPECIAL",
    "WITH_PARTS",
]
