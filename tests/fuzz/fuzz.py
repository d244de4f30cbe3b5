"""The fuzzer: rounds of random claims on a random setting, by several evaluators, until enough outcomes are compared."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from random import Random

from .claims import draw_claim
from .compare import Tally, compare_all
from .evaluators import is_dyadic
from .settings import Setting, draw_setting
from .truth import Claim

KINDS = ("one", "one", "one", "one", "two", "two", "batch", "batch", "batch", "chord", "recorded")
TOGETHER = 8  # claims that are asked at once
WINDOWS = (0, 1, 2, 3, 5)
INEXACT = ("float64", "float64, Jensen")
UNFROZEN = "ball:128, unfrozen"
BALLS = ("ball:128", "ball:128, Jensen", "ball:256")


def draw_round(seed: int, number: int) -> tuple[Setting, list[Claim], list[str], int]:
    """The setting, the claims, the evaluators and the window of one round: the same for the same seed and number."""
    rng = Random(f"{seed}/{number}")
    kind = rng.choice(KINDS)
    setting = draw_setting(rng, kind)
    if kind == "recorded" and not is_dyadic(setting):
        kind = "one"
    claims = [draw_claim(rng, setting, kind) for _ in range(TOGETHER)]
    if kind == "recorded":
        names = ["recorded", "recorded, Jensen"][: rng.choice((1, 2))]
    elif kind == "chord":
        names = ["rational", rng.choice(("float64", "ball:128"))]
    else:
        names = ["rational", rng.choice(INEXACT)]
        names += [rng.choice(BALLS)] if rng.random() < 0.5 else []
        names += [UNFROZEN] if setting.over_L is not None and len(setting.methods) == 1 else []
        names += ["rational, Jensen"] if rng.random() < 0.2 else []
        names += ["checker"] if rng.random() < 0.15 and not setting.is_batch else []
        names += ["falsifier"] if rng.random() < 0.1 and not setting.is_batch else []
    return setting, claims, names, rng.choice(WINDOWS)


def fuzz(
    seed: int, wanted: int, *, told: Callable[[Tally, int], None] | None = None, only: Sequence[str] = (), stop_at: int = 10**9
) -> Tally:
    """Rounds 0, 1, 2, ... of a seed until `wanted` outcomes are compared, or `stop_at` failures are found."""
    tally, number = Tally(), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while tally.compared < wanted and len(tally.failures) < stop_at:
            one_round(seed, number, tally, only)
            number += 1
            if told is not None:
                told(tally, number)
    return tally


def one_round(seed: int, number: int, tally: Tally, only: Sequence[str] = ()) -> None:
    setting, claims, names, window = draw_round(seed, number)
    chosen = [name for name in names if not only or name in only]
    if chosen:
        compare_all(claims, setting, chosen, window, tally)
