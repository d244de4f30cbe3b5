"""`boundcheck new`: a commented file to start from, which runs as it is."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

import click

KINDS = ("theorem", "problem", "rule")
TAKEN = {  # names that the files use themselves
    "theorem": ["Bound", "Convex", "GradientDescent", "Smooth", "Delta", "L", "Sum", "delta", "eta", "i", "k"],
    "problem": ["Convex", "Differentiable", "Minimiser", "Problem", "TwiceDifferentiable", "f", "grad", "check_problem"],
    "rule": ["step_rule", "check_rule", "run", "eta", "gap", "grad", "i", "normsq", "x"],
}
LIBRARIES = {"boundcheck", "click", "flint", "mpmath", "numba", "numpy", "pandas", "pyarrow", "rich", "scipy", "torch"}
MODULES = LIBRARIES | sys.stdlib_module_names  # a file of such a name hides the module from whatever runs beside it


@click.command()
@click.argument("kind", type=click.Choice(KINDS), metavar="theorem|problem|rule")
@click.argument("name")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file to write; NAME.py unless given.")
def new(kind: str, name: str, out: Path | None) -> int:
    """Write a file with a claim, a problem or a step-size rule called NAME, and say what to run next.

    Exit 0: written. 2: bad input; a file that is there already is never overwritten.
    """
    from importlib.resources import files
    from shlex import quote
    from string import Template

    from boundcheck.library.catalogue import NotFound
    from boundcheck.library.declarations import example_claim
    from boundcheck.support import terminal as show
    from boundcheck.support.atomic_files import write_whole

    if (better := identifier(name, kind)) != name:
        raise NotFound(f"found the name '{name}'; a {kind} needs a Python identifier that its file has free: '{better}' would do")
    path = Path(f"{name}.py") if out is None else out
    if path.suffix != ".py":
        raise NotFound(f"found --out {path}; needs the path of a Python file, such as {path.with_suffix('.py')}")
    claim = "" if kind == "theorem" else quote(example_claim("check"))  # which loads the theorems: 0.15 s
    template = files("boundcheck.cli").joinpath("templates", f"{kind}.tmpl").read_text(encoding="utf-8")
    text = aligned(Template(template).substitute(name=name, file=path.name, claim=claim))
    if path.exists() or path.is_symlink():
        raise NotFound(f"{path} is there already, and is left as it is; give another name, or another file by --out")
    if path.stem in MODULES:
        raise NotFound(f"a file {path.name} would hide Python's {path.stem} from its neighbours; give another name, or --out")
    write_whole(path, text)
    show.say(f"wrote {path}; next:")
    for command in commands(kind, quote(str(path)), name, claim):
        show.say(f"  {command}")
    return 0


def aligned(text: str) -> str:
    """What stands behind a tab, in one column."""
    lines = [line.partition("\t") for line in text.split("\n")]
    width = max((len(before) for before, tab, _ in lines if tab), default=0) + 4
    return "\n".join(f"{before:{width}}{after}" if tab else before for before, tab, after in lines)


def identifier(name: str, kind: str) -> str:
    """The name, or the nearest one that Python and the file to be written have free."""
    better = re.sub(r"\W+", "_", name).strip("_") if not name.isidentifier() else name
    better = better or f"my_{kind}"
    if better[0].isdigit():
        better = f"{kind}_{better}"
    return f"{better}_{kind}" if keyword.iskeyword(better) or better in TAKEN[kind] else better


def commands(kind: str, file: str, name: str, claim: str) -> list[str]:
    """What to run next; `claim` is one of the library, to try a problem or a rule with."""
    it = f"{file}:{name}"
    if kind == "theorem":
        return [f"boundcheck lint {it}", f"boundcheck check {it}", f"boundcheck falsify {it}"]
    if kind == "problem":
        return [f"python {file}", f"boundcheck check {claim} --problem {it}"]
    return [f"python {file}", f"boundcheck audit {it}", f"boundcheck check {claim} --method {it}"]
