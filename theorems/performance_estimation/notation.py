"""The notation of the performance estimation claims: runs from x_0, steps eta_i, a rate tau where none is printed."""

from boundcheck import Paper, Parameter

NAME = "performance-estimation"
UNTESTED = "PEPit states no rate: `boundcheck tightness` gives the worst case"
UPPER_BOUND = "PEPit gives the rate as an upper bound only"

tau = Parameter("tau", latex=r"\tau")  # a rate that is not printed


def paper(title: str, authors: str, year: int) -> Paper:
    """Return a source of these claims: all share the name that begins their ids."""
    return Paper(name=NAME, title=title, authors=authors, year=year)
