"""Methods, step-size rules, and the engine that runs them."""

from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.model.step_search import Halving
from boundcheck.runners.engine.chord_pairs import chords
from boundcheck.runners.engine.descent import Role, about, run, run_together
from boundcheck.runners.experiments import trace
from boundcheck.runners.named.record import solves
from boundcheck.runners.quadratics.eigenbasis import in_eigenbasis
from boundcheck.runners.rules.backtracking import backtracking
from boundcheck.runners.rules.classical import adgd, bb_long, bb_short
from boundcheck.runners.rules.explicit import cauchy, constant, dai_yang, given, over_L, polyak
from boundcheck.runners.rules.exponential_search import EXPONENTIAL_SEARCH, exponential_search, halvings
from boundcheck.runners.rules.line_search import armijo, exact_line_search
from boundcheck.runners.rules.normalized import length, lengths, over_sqrt, over_sqrt_K
from boundcheck.runners.rules.strongly_adapted import bracket, strongly_adapted, zero_finding_as_printed
from boundcheck.runs.runner import RuleMaker, Runner

# what checks try when nobody says otherwise
RULES = (
    over_L(1),
    over_L(Fraction(1, 2)),
    over_L(Fraction(3, 2)),
    *(polyak(Fraction(n, 4)) for n in (2, 4, 5, 6, 7)),
    cauchy(),
    dai_yang(),
    strongly_adapted("D"),
    strongly_adapted("A"),
    strongly_adapted("A", back=True),
    zero_finding_as_printed(),
    adgd(),
    bb_long(),
    bb_short(),
    length(1),
    over_sqrt_K(1),
    over_sqrt(1),
    *(backtracking(kind, start) for kind in ("H", "D") for start in ("y", "x")),
    *(exponential_search(n) for n in (1, 16)),
)

# of these, what is enough to try a claim with that names no formula for the steps
EVERYDAY = {
    "gradient descent": ("1/L", "3/(2L)", "polyak(3/2)"),
    "accelerated": ("1/L", "1/(2L)", "backtracking-H", "backtracking-H(x)"),
}

# searches for the steps of several runs, by the names that claims give them: how each tries steps
SEARCHES: dict[str, Halving] = {EXPONENTIAL_SEARCH: halvings}

# which rules others name: rivals of an audited rule, those whose steps are measured, and for each command the one of its help
RIVALS = ("1/L", "polyak(1)", "adgd", "bb_long", "exact-line-search")
MEASURED = ("1/D", "1/D-as-printed", "polyak(1)")
EXAMPLE_RULES = {"audit": "polyak(1)", "sweep": "1/L"}

# methods that are spelled with numbers, as in polyak(3/2): what makes the rule from them
MAKERS: dict[str, RuleMaker] = {
    make.__name__: make
    for make in (
        adgd,
        armijo,
        backtracking,
        bb_long,
        bb_short,
        cauchy,
        constant,
        dai_yang,
        exact_line_search,
        exponential_search,
        given,
        length,
        lengths,
        over_L,
        over_sqrt,
        over_sqrt_K,
        polyak,
        strongly_adapted,
        zero_finding_as_printed,
    )
}

if TYPE_CHECKING:  # mypy compares this module with what the framework calls
    import boundcheck.runners as this_module

    _offered: Runner = this_module

__all__ = [
    "EVERYDAY",
    "EXAMPLE_RULES",
    "MAKERS",
    "MEASURED",
    "RIVALS",
    "RULES",
    "SEARCHES",
    "Role",
    "about",
    "adgd",
    "armijo",
    "backtracking",
    "bb_long",
    "bb_short",
    "bracket",
    "cauchy",
    "chords",
    "constant",
    "dai_yang",
    "exact_line_search",
    "exponential_search",
    "given",
    "in_eigenbasis",
    "length",
    "lengths",
    "over_L",
    "over_sqrt",
    "over_sqrt_K",
    "polyak",
    "run",
    "run_together",
    "solves",
    "strongly_adapted",
    "trace",
    "zero_finding_as_printed",
]
