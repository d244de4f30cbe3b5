"""Where the time goes: the profile of a piece of work, grouped by room, and its top functions.

    python benchmarks/profiles.py check         # `boundcheck check prop:convex-any-stepsize --problem quadratic-3d`, all of it
    python benchmarks/profiles.py verdicts      # what `pytest theorems/` does: a sample of its works, some 20 seconds
    python benchmarks/profiles.py balls         # claims about logistic regression, 280 x 34, certified
    python benchmarks/profiles.py float64       # claims about a quadratic, d = 10, in float64 with error bounds
    python benchmarks/profiles.py verdicts --top 30 --seconds 60 --seed 1

Python's profiler sees neither operators nor the methods of python-flint: a + b of two arrays and x.exp() of a ball count where
they are written, so flint's time is in `arithmetic: balls` and in `problems`. Functions of NumPy that are called by name count
as numpy. Profiling slows Python down, and C not at all: the share of Python is smaller than it seems.
"""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import io
import os
import pstats
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

ROOMS = {  # by what its file, or the name of a function in C, begins with or contains; the first that fits
    "imports": r"importlib|<frozen|_imp\.|marshal|zipimport",
    "numpy, called by name": r"numpy|ndarray|ufunc",
    "arithmetic: balls, with flint": r"boundcheck/arithmetic/(ball|plain_ball|dual)",
    "arithmetic: the rest, with numpy": r"boundcheck/arithmetic/",
    "evaluate": r"boundcheck/evaluate/",
    "language": r"boundcheck/(language|claims)/",
    "check": r"boundcheck/(check|suite|runs)/",
    "runners": r"(^|/)runners/",
    "problems": r"(^|/)problems/",
    "rest of boundcheck": r"boundcheck/|(^|/)theorems/",
    "rest of Python": r"",
}
Works = Callable[[], Iterator[Callable[[], object]]]


def room_of(file: str, name: str) -> str:
    """`~` is no file: a function in C, whose name says what it belongs to."""
    text = name if file == "~" else file.replace("\\", "/")
    return next(room for room, pattern in ROOMS.items() if re.search(pattern, text))


def by_room(profile: cProfile.Profile) -> dict[str, float]:
    """Seconds spent in the functions of each room themselves."""
    spent: Counter[str] = Counter()
    for (file, _, name), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        spent[room_of(file, name)] += own
    return {room: spent[room] for room in ROOMS}


# -- the works ------------------------------------------------------------------------------------------------------------------


def check(seed: int) -> Iterator[Callable[[], object]]:
    """The command, with what it imports."""

    def command() -> None:
        from boundcheck.cli import cli

        given = ["check", "prop:convex-any-stepsize", "--problem", "quadratic-3d", "--jobs", "1"]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            cli(given, prog_name="boundcheck")

    yield command


def verdicts(seed: int) -> Iterator[Callable[[], object]]:
    """The works of `boundcheck paper` and `pytest theorems/`, each problem with each rule, shuffled."""
    from boundcheck.library.catalogue import bounds
    from boundcheck.suite.grid import chosen_settings, works

    todo = works(chosen_settings("quick", (), (), None, None), bounds())
    random.Random(seed).shuffle(todo)
    for work in todo:

        def answered(work=work) -> None:  # type: ignore[no-untyped-def]
            from boundcheck.model.rule import RuleError

            with contextlib.suppress(RuleError):  # a rule may find no step
                list(work.verdicts())

        yield answered


def claims(problem, arithmetic: str, steps: int) -> Iterator[Callable[[], object]]:  # type: ignore[no-untyped-def]
    from boundcheck.library.catalogue import bounds
    from boundcheck.runners import over_L
    from boundcheck.suite.grid import GridSetting
    from boundcheck.suite.profiles import PROFILES

    rule = over_L(1)
    setting = GridSetting(problem, arithmetic, replace(PROFILES["full"], steps=steps), (rule,))
    about_gd = [b for b in bounds() if not b.is_about_chords and len(b.runs.roles) == 1]
    for experiment, asked in setting.experiments(about_gd, rule):
        if experiment.is_gradient_descent:
            yield lambda experiment=experiment, asked=asked: setting.answers(experiment, asked)


def balls(seed: int) -> Iterator[Callable[[], object]]:
    from boundcheck.problems.logistic import synthetic_logistic

    return claims(synthetic_logistic(280, 34, seed=seed), "ball:128", 25)


def float64(seed: int) -> Iterator[Callable[[], object]]:
    from boundcheck.problems.quadratic import random_quadratic

    return claims(random_quadratic(10, condition=1000, seed=seed), "float64", 5_000)


KINDS: dict[str, Callable[[int], Iterator[Callable[[], object]]]] = {
    "check": check,
    "verdicts": verdicts,
    "balls": balls,
    "float64": float64,
}


def profiled(kind: str, *, seconds: float = 20.0, seed: int = 0) -> cProfile.Profile:
    """A profile of the works of a kind, until they are done or the processor's time is over; problems are made before."""
    todo = KINDS[kind](seed)
    profile, until = cProfile.Profile(), time.process_time() + seconds
    for work in todo:
        profile.runcall(work)
        if time.process_time() > until:
            break
    return profile


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--top", type=int, default=15, help="how many functions to print [default: 15]")
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="begin no further work after so many of the processor [default: 20]"
    )
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    profile = profiled(given.kind, seconds=given.seconds, seed=given.seed)
    spent = by_room(profile)
    total = sum(spent.values())
    print(f"{given.kind}: {total:.1f} s")
    for room, own in sorted(spent.items(), key=lambda item: -item[1]):
        print(f"  {100 * own / total:5.1f} %  {room}")
    print("\nfunctions by their own time:")
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, line, name), (_, calls, own, _, _) in sorted(stats.items(), key=lambda item: -item[1][2])[: given.top]:
        where = "" if file == "~" else f"{'/'.join(file.split('/')[-2:])}:{line} "
        print(f"  {100 * own / total:5.1f} %  {calls:9,d} calls  {where}{name}")


if __name__ == "__main__":
    main()
