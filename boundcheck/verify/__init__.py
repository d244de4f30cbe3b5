"""The independent checker of certificates: does this file refute the claim that it carries? (docs/certificates.md)

    python boundcheck/verify CERTIFICATE.json...        or, where boundcheck is installed, python -m boundcheck.verify

    exit 0: every file refutes its claim    1: some file does not    2: some file is malformed, or too large to check

This folder imports nothing of boundcheck, and needs python-flint only: a copy of it, anywhere, checks the same. It trusts
nothing that a file says except the data that define the counterexample: the function, the start, the steps, the parameters.
From them it computes the run by the method's updates, checks every hypothesis, and evaluates both sides of the claim by the
definition, in exact fractions (fmpq). A root, a logarithm or an exponential that is not rational is a ball (arb), a number with
an error bound; a comparison of balls is decided or refused.

It does not know any library of claims: it says that the claim IN THE FILE is false, whatever its name. Titles, reasons and words
are for people and are not checked.

To read it, in this order, takes about an hour:

    refusals        how a check ends before its end
    budgets         how much a check may take
    fields          what the smallest parts of a file may be
    arithmetic      comparisons, powers, sums and vectors of fractions and balls
    one_variable    functions phi of one variable
    interpolation   functions known at some points only
    functions       functions, and what their data prove of them
    formula_shape   which formulas there are, and what they read
    claim_shape     what a claim and a method look like
    file_shape      what a file looks like
    chords          D, H, A and mu
    interpretation  the meaning of formulas
    step_search     the exponential search for steps
    runs            the runs, step by step
    hypotheses      the hypotheses, of the function and of the run
    certificate     both sides, and whether they refute the claim
    gram_formula_shape    formulas about named functions, sets and operators
    gram_claim_shape      claims and methods about them
    gram_file_shape       files about them
    gram_space            vectors with given inner products
    class_inequalities    which data belong to some function, set or operator of a class
    oracle_rows           what each oracle gives at the points of a file
    gram_interpretation   formulas in a Gram space, runs by updates and inclusions, expectations
    gram_certificate      both sides there, and whether they refute the claim
    examination     a file from its bytes to its finding
    command         one line a file, and the exit code
    replay          the numbers of a certificate for those who show it; no verdict rests on this file

What others may import of it is what this file imports; a test keeps everybody else out of the other files.
"""

from .budgets import SECONDS
from .examination import DOES_NOT_REFUTE, MALFORMED, PRECISIONS, REFUTES, Finding, examine, read, verify
from .file_shape import digest
from .refusals import shown
from .replay import CheckedFunction, GramReplay, NotComputed, Replay, TooShort

__all__ = [
    "DOES_NOT_REFUTE",
    "MALFORMED",
    "PRECISIONS",
    "REFUTES",
    "SECONDS",
    "CheckedFunction",
    "Finding",
    "GramReplay",
    "NotComputed",
    "Replay",
    "TooShort",
    "digest",
    "examine",
    "read",
    "shown",
    "verify",
]
