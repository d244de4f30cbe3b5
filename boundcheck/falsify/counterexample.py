"""What `boundcheck.falsify` returns: a counterexample, or what was tried without one."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from boundcheck.falsify.hunt import Hunt, Refutation, progress_words
from boundcheck.support.errors import NotCertified

Side = Fraction | tuple[Fraction, Fraction]  # a number, or the ends of an enclosure


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    """A function and a run on which a claim is false, with a certificate that the independent checker accepts.

    `k` is None for a claim about chords. `left` and `right` are the two sides there: each an exact number, or the two ends of
    an enclosure. `certificate` is the content of the file that `write(path)` makes.

    >>> from boundcheck import Bound, Convex, GradientDescent, falsify
    >>> from boundcheck.letters import delta, k
    >>> wrong = Bound(given=(Convex, GradientDescent()), states=delta[k + 1] <= delta[k])
    >>> found = falsify(wrong, budget=60, jobs=1)
    >>> found.left > found.right
    True
    >>> found.certificate["format"]
    'boundcheck certificate'
    """

    claim: str
    k: int | None
    left: Side
    right: Side
    certificate: dict[str, Any] = field(repr=False)
    dimension: int
    smoothness: str | None
    strategy: str
    candidates: int
    seconds: float
    seed: int
    lines: tuple[str, ...] = field(repr=False)

    def explain(self) -> list[str]:
        """Return the lines of a walk through the counterexample that a person can follow with pencil and paper."""
        return list(self.lines)

    def write(self, path: str | Path) -> Path:
        """Write the certificate to a file, whole or not at all, once the independent checker has accepted its text."""
        from boundcheck.support.atomic_files import AtomicFiles

        place = Path(path)
        text = checked_text(self.certificate, place)
        with AtomicFiles() as files:
            files.text(place, text)
        return place


@dataclass(frozen=True, kw_only=True)
class NoCounterexample:
    """A search that found no counterexample, and what it tried: this is not a proof. It is false in an `if`.

    `nearest` is the largest left/right that any candidate reached, None where there was none to compare: then perhaps no
    candidate satisfied every hypothesis. `uncertified` counts searches whose finding could not be certified.

    >>> from boundcheck import falsify
    >>> tried = falsify("classical/gd.descent", budget=0.5, seed=7, jobs=1)
    >>> bool(tried), tried.seed, tried.candidates > 0
    (False, 7, True)
    """

    claim: str
    candidates: int
    seconds: float
    seed: int
    nearest: float | None
    uncertified: int

    def __bool__(self) -> Literal[False]:
        return False

    def explain(self) -> list[str]:
        """Return what was tried, in lines."""
        near = float("-inf") if self.nearest is None else self.nearest
        lines = [f"{self.claim}: no counterexample in {progress_words(self.seconds, self.candidates, near)}"]
        if self.nearest is None:
            lines.append("perhaps no candidate satisfied every hypothesis: then nothing was tried")
        if self.uncertified:
            many = "1 search" if self.uncertified == 1 else f"{self.uncertified} searches"
            lines.append(f"what {many} took for one could not be certified")
        return [*lines, "This is not a proof."]


def checked_text(certificate: dict[str, Any], path: Path) -> str:
    """Return the text of a certificate's file; the independent checker has the last word on it, and NotCertified says why not."""
    import tempfile

    from boundcheck.certificates.write import as_text
    from boundcheck.verify import REFUTES, verify

    text = as_text(certificate)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy.json")
        copy.write_text(text, encoding="utf-8")
        code, why = verify(str(copy))
    if code != REFUTES:
        raise NotCertified(f"{path} is not written: the independent checker does not accept it: {why}")
    return text


def counterexample_of(hunt: Hunt, found: Refutation) -> Counterexample:
    """Return the public form of what a hunt found."""
    at = found.candidate
    return Counterexample(
        claim=hunt.bound.id,
        k=None if at.chord else at.k,
        left=_side(found.certificate["left"]),
        right=_side(found.certificate["right"]),
        certificate=found.certificate,
        dimension=at.dimension,
        smoothness=at.smoothness or None,
        strategy=found.result.strategy,
        candidates=hunt.candidates,
        seconds=hunt.seconds,
        seed=hunt.seed,
        lines=tuple(found.lines),
    )


def no_counterexample_of(hunt: Hunt) -> NoCounterexample:
    """Return what a hunt tried that found nothing."""
    return NoCounterexample(
        claim=hunt.bound.id,
        candidates=hunt.candidates,
        seconds=hunt.seconds,
        seed=hunt.seed,
        nearest=hunt.nearest if abs(hunt.nearest) < float("inf") else None,
        uncertified=hunt.uncertified,
    )


def _side(written: str | list[str]) -> Side:
    if isinstance(written, str):
        return Fraction(written)
    low, high = map(Fraction, written)
    return low, high
