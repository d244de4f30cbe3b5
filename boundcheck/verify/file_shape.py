"""The shape of a file: a claim, and exactly the numbers that it reads. docs/certificates.md is the format.

What a claim does not read must not be in the file, and what it reads must be: a reader of the file sees what this checker sees.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from .budgets import MOST
from .claim_shape import SEARCH, ClaimShape, check_claim
from .fields import keys, rationals, text, whole
from .formula_shape import NUMBER
from .refusals import need, need_object, shown

KEYS = (
    *("format", "version", "claim", "hash", "smoothness", "parameters", "function", "constants", "minimiser"),
    *("at", "link", "left", "right", "words", "seal"),
)
CLAIMED = ("states", "given", "for_all", "smoothness")  # what the hash of a claim is of
COUNTED = ("eta0", "N", "searches")  # numbers of a search for steps: the first step, and what it counts


def digest(data: Any) -> str:
    """Return the sha256 of data as sorted JSON."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def claim_hash(claim: Any) -> str:
    """Return which claim it is: the hash of what it states, under which hypotheses, for which k and M. Not of its name."""
    return digest({key: claim[key] for key in CLAIMED})


def check_file(data: Any) -> None:
    """Raise ValueError unless the file has the form of docs/certificates.md, whole, with nothing more."""
    need(isinstance(data, dict), "a certificate is a JSON object")
    keys(data, (*KEYS, "chord" if "chord" in data else "run"), "it")
    need(data["format"] == "boundcheck certificate", f"needs the format 'boundcheck certificate'; found {shown(data['format'])}")
    whole(data["version"], 1, "version", 1)
    for name in ("hash", "words", "seal"):
        text(data[name], name)
    claim = check_claim(data["claim"])
    _check_numbers(data, claim)
    is_chord = bool(claim.reads.ends)
    need(is_chord == ("chord" in data), f"the claim is about {'a chord' if is_chord else 'a run'}, and the file has none")
    if is_chord:
        keys(data["chord"], claim.reads.ends, "the chord")
        need(not claim.reads.entries, "a claim about a chord reads entries of a run")
    else:
        _check_chosen(data["run"], claim)


def _check_numbers(data: Any, claim: ClaimShape) -> None:
    """Check what M is, the parameters, the constants, and x*: each is there if and only if the claim reads it.

    An exponential search reads M and eta0 too, and may tell what it counts. Any claim may be given L and mu of its function.
    """
    reads, is_search = claim.reads, claim.steps == SEARCH
    reads_M = reads.reads_M or is_search
    need(not reads_M or data["smoothness"] is not None, "the claim reads M, and the file does not say what it is")
    need(reads_M or data["smoothness"] is None, "the claim does not read M, and the file says what it is")
    wanted = reads.parameters | ({"eta0"} if is_search else set())
    _check_named(data["parameters"], wanted, set(COUNTED) if is_search else set(), "parameters")
    _check_named(data["constants"], reads.constants, {"L", "mu"}, "constants")
    need(not reads.reads_minimum or data["minimiser"] is not None, "the claim reads x*, and the file has no minimiser")


def _check_named(data: Any, wanted: set[str], allowed: set[str], what: str) -> None:
    """Raise ValueError unless it is an object of numbers that has what is wanted, and else only what is allowed."""
    need_object(data, what)
    keys(data, wanted | (allowed & set(data)), what)
    rationals(list(data.values()))


def _check_chosen(data: Any, claim: ClaimShape) -> None:
    """Raise ValueError unless the file gives each run of the claim a start, steps, and the other numbers that no update sets."""
    keys(data, ("roles",), "the run")
    keys(data["roles"], claim.methods, "the runs")
    for role, method in claim.methods.items():
        read = {(sort, name) for sort, run, name in claim.reads.entries if run == role}
        read |= {(sort, name) for sort, _, name in method.reads.entries}
        read.add((NUMBER, "eta"))
        _check_run(role, data["roles"][role], read, method.sets)
    need({run for _, run, _ in claim.reads.entries} <= set(claim.methods), "the claim reads a run that it does not name")


def _check_run(role: str, own: Any, read: set[tuple[str, str]], sets: dict[str, str]) -> None:
    """Check what the file chooses for one run: of what is read, (number or point, name), all that the method does not set."""
    chosen = {name for _, name in read if name not in sets}
    keys(own, {"start", *chosen}, f"the run {shown(role)}")
    need("start" not in chosen, "a sequence cannot be called start unless a method sets it")
    for sort, name in read:
        need(sort == sets.get(name, NUMBER), f"{shown(name)} is read as a {sort}, and is none")
    lengths = {len(rationals(own[name], holes=name == "eta")) for name in chosen}
    need(len(lengths) == 1 and max(lengths) <= MOST, f"a run has parts of other lengths, or more than {MOST} steps")
