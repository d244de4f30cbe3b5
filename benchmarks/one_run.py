"""One checked run, in a process of its own: prints the processor's seconds that it took, without imports and problem, as JSON.

    python benchmarks/one_run.py --steps 1000 --dimension 10 --claims 16 [--arithmetic float64] [--bare]

The claims are those about gradient descent with steps 1/L that need no sup or inf over a chord, with M = D and H; so many of them
in the library's order, or all (0). `--bare` runs the plain NumPy loop instead, and checks nothing.
"""

from __future__ import annotations

import argparse
import json
import time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--dimension", type=int, default=10)
    parser.add_argument("--claims", type=int, default=0)
    parser.add_argument("--arithmetic", default="float64")
    parser.add_argument("--bare", action="store_true")
    given = parser.parse_args()

    from boundcheck.problems.quadratic import power_law_quadratic

    problem = power_law_quadratic(dimension=given.dimension, seed=1)
    if given.bare:
        from alike import as_function
        from baselines import bare_run

        function = as_function(problem)
        started = time.process_time()
        bare_run(function, given.steps)
        print(json.dumps({"seconds": time.process_time() - started, "claims": 0, "verdicts": 0}))
        return

    from boundcheck.check.answer import answer
    from boundcheck.check.question import needs
    from boundcheck.language.scalars import Chord
    from boundcheck.library.catalogue import bounds
    from boundcheck.runners import over_L, run
    from boundcheck.suite.grid import GridSetting
    from boundcheck.suite.profiles import PROFILES

    rule = over_L(1)
    setting = GridSetting(problem, given.arithmetic, PROFILES["full"], (rule,))
    about_gd = [b for b in bounds() if not b.is_about_chords and len(b.runs.roles) == 1]
    asked = [
        q
        for q in setting.asked(about_gd, rule, ("D", "H"))
        if not q.wrong_method("gradient descent")
        and not any(isinstance(n, Chord) and n.kind in ("A", "mu") for c in q.columns for n in c.formula.walk())
    ]
    ids = list(dict.fromkeys(q.bound.id for q in asked))[: given.claims or None]
    asked = [q for q in asked if q.bound.id in set(ids)]
    if len(ids) < given.claims:
        parser.error(f"found {len(ids)} claims that apply; --claims {given.claims} asks for more")
    started = time.process_time()
    found = answer(asked, run(problem, rule, steps=given.steps, columns=needs(asked, "gradient descent"), xp=given.arithmetic))
    print(json.dumps({"seconds": time.process_time() - started, "claims": len(ids), "verdicts": len(found)}))


if __name__ == "__main__":
    main()
