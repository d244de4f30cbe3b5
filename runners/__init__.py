"""Methods, step-size rules, and the engine that runs them."""

from fractions import Fraction

from boundcheck.runners.accelerated import backtracking
from boundcheck.runners.chords import chords
from boundcheck.runners.engine import run
from boundcheck.runners.experiments import trace
from boundcheck.runners.exponential_search import exponential_search
from boundcheck.runners.roles import Role, about, run_together
from boundcheck.runners.rules import cauchy, constant, dai_yang, given, over_L, polyak

# what checks try when nobody says otherwise
RULES = (
    over_L(1),
    over_L(Fraction(1, 2)),
    over_L(Fraction(3, 2)),
    *(polyak(Fraction(n, 4)) for n in (2, 4, 5, 6, 7)),
    cauchy(),
    dai_yang(),
    *(backtracking(kind, start) for kind in ("H", "D") for start in ("y", "x")),
    *(exponential_search(n) for n in (1, 16)),
)

__all__ = [
    "RULES",
    "Role",
    "about",
    "backtracking",
    "cauchy",
    "chords",
    "constant",
    "dai_yang",
    "exponential_search",
    "given",
    "over_L",
    "polyak",
    "run",
    "run_together",
    "trace",
]
