"""Methods, step-size rules, and the engine that runs them."""

from fractions import Fraction

from boundcheck.runners.chords import chords
from boundcheck.runners.engine import about, run, run_together
from boundcheck.runners.rules import cauchy, constant, dai_yang, given, over_L, polyak

# what checks try when nobody says otherwise
RULES = (
    over_L(1),
    over_L(Fraction(1, 2)),
    over_L(Fraction(3, 2)),
    *(polyak(Fraction(n, 4)) for n in (2, 4, 5, 6, 7)),
    cauchy(),
    dai_yang(),
)

__all__ = ["RULES", "about", "cauchy", "chords", "constant", "dai_yang", "given", "over_L", "polyak", "run", "run_together"]
