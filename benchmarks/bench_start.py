"""How long it takes to start: `import boundcheck`, `boundcheck list`, each in a fresh process, against Python and NumPy alone.

    python benchmarks/bench_start.py [--quick]

Processes take turns; files are in the system's cache after the first turn, which is not counted. The seconds of the processor
stand beside those of the clock: on a busy machine they differ.
"""

from __future__ import annotations

import sys

from fresh import BOUNDCHECK, fresh
from harness import arguments, ratio_of, spread_of, told

NOTHING, NUMPY = "python -c pass", "python -c 'import numpy'"
IMPORT, LIST = "python -c 'import boundcheck'", "boundcheck list"
COMMANDS = {
    NOTHING: (sys.executable, "-c", "pass"),
    NUMPY: (sys.executable, "-c", "import numpy"),
    IMPORT: (sys.executable, "-c", "import boundcheck"),
    "boundcheck --help": (BOUNDCHECK, "--help"),
    LIST: (BOUNDCHECK, "list"),
    "boundcheck explain thm:polyak": (BOUNDCHECK, "explain", "thm:polyak"),
}
LIMITS = {IMPORT: 0.4, LIST: 1.0}


def main() -> None:
    given = arguments(__doc__).parse_args()
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    processor: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for turn in range(1 + (2 if given.quick else 15)):
        for name, command in COMMANDS.items():
            took = fresh(command)
            if turn:
                seconds[name].append(took.seconds)
                processor[name].append(took.processor)
    for name, those in seconds.items():
        limit = LIMITS.get(name)
        told(spread_of(name, those, "s", goal="12" if limit else "", limit=limit))
    for name, those in processor.items():
        told(spread_of(f"{name}, of the processor", those, "s"))
    told(ratio_of(IMPORT, NOTHING, seconds[IMPORT], seconds[NOTHING]).slower())
    told(ratio_of(LIST, NUMPY, seconds[LIST], seconds[NUMPY]).slower())


if __name__ == "__main__":
    main()
