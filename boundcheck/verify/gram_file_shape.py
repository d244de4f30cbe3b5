"""The shape of a certificate of the kind "gram": a Gram matrix, and what each oracle gives at combinations of the basis.

It has all that its claim reads, and nothing else, as other certificates. Vectors are lists of coefficients.
"""

from __future__ import annotations

from typing import Any

from .budgets import MOST
from .fields import keys, rational, rationals, text, whole
from .formula_shape import NUMBER, POINT
from .gram_claim_shape import GramClaimShape, check_gram_claim
from .gram_formula_shape import OBJECTIVE
from .refusals import need, need_object, shown

GRAM = "gram"
KEYS = (
    *("format", "version", "kind", "claim", "hash", "parameters", "constants", "components", "gram", "minimiser", "oracles"),
    *("free", "solved", "at", "link", "left", "right", "words", "seal"),
)
ENTRY = ("run", "name", "index", "part")  # which entry of a run: part is null, or a component
COMPONENTS = 64


def check_gram_file(data: Any) -> GramClaimShape:
    """Raise ValueError unless the file has the form of docs/certificates.md, whole, with nothing more; return what it reads."""
    keys(data, (*KEYS, "chord" if "chord" in data else "run"), "it")
    need(data["format"] == "boundcheck certificate", f"needs the format 'boundcheck certificate'; found {shown(data['format'])}")
    whole(data["version"], 1, "version", 1)
    need(data["kind"] == GRAM, f"a certificate has no kind, or the kind 'gram'; found {shown(data['kind'])}")
    for name in ("hash", "words", "seal"):
        text(data[name], name)
    claim = check_gram_claim(data["claim"])
    size = len(data["gram"]) if isinstance(data["gram"], list) else 0
    _check_numbers(data, claim, size)
    _check_oracles(data["oracles"], claim, size)
    is_chord = bool(claim.reads.ends)
    need(is_chord == ("chord" in data), f"the claim is about {'a chord' if is_chord else 'a run'}, and the file has none")
    if is_chord:
        keys(data["chord"], claim.reads.ends, "the chord")
        need(not claim.reads.entries, "a claim about a chord reads entries of a run")
        for point in data["chord"].values():
            rationals(point, size)
    else:
        _check_run(data["run"], claim, size)
    _check_entries(data, claim, size)
    return claim


def _check_numbers(data: Any, claim: GramClaimShape, size: int) -> None:
    reads = claim.reads
    for what, wanted in (("parameters", reads.parameters), ("constants", reads.constants | claim.letters)):
        need_object(data[what], what)
        keys(data[what], wanted, what)
        rationals(list(data[what].values()))
    need(reads.reads_minimum == (data["minimiser"] is not None), "a file has a minimiser if and only if the claim reads x*")
    if data["minimiser"] is not None:
        rationals(data["minimiser"], size)
    need(reads.reads_components == (data["components"] is not None), "a file has components if and only if the claim reads them")
    if data["components"] is not None:
        whole(data["components"], 1, "components", COMPONENTS)


def _check_oracles(data: Any, claim: GramClaimShape, size: int) -> None:
    """Check the rows of each oracle, by name and component; each is there once."""
    need(isinstance(data, list), "oracles must be a list")
    seen = set()
    for oracle in data:
        keys(oracle, ("name", "part", "rows"), "an oracle")
        name, part = text(oracle["name"], "the name of an oracle", empty=False), oracle["part"]
        need(name in claim.oracles, f"the claim names no oracle {shown(name)}")
        need(part is None or name in claim.reads.in_parts, f"the claim reads no components of {shown(name)}")
        need(part is not None or name != OBJECTIVE or name not in claim.reads.in_parts, "f is the mean of its components")
        if part is not None:
            whole(part, -MOST, "a component")
        need((name, part) not in seen, f"the oracle {shown(name)} is there twice")
        seen.add((name, part))
        need(isinstance(oracle["rows"], list) and oracle["rows"], f"the oracle {shown(name)} has no rows")
        for row in oracle["rows"]:
            keys(row, ("point", "image", "value"), "a row")
            rationals(row["point"], size)
            rationals(row["image"], size)
            if row["value"] is not None:
                rational(row["value"])


def _check_run(data: Any, claim: GramClaimShape, size: int) -> None:
    """Check that the file gives each run a start and steps."""
    keys(data, ("roles",), "the run")
    keys(data["roles"], claim.methods, "the runs")
    steps = set()
    for role, own in data["roles"].items():
        keys(own, ("start", "eta"), f"the run {shown(role)}")
        rationals(own["start"], size)
        steps.add(len(rationals(own["eta"])))
        method = claim.methods[role]
        read = {(sort, name) for sort, run, name in claim.reads.entries if run == role}
        read |= {(sort, name) for sort, _, name in method.reads.entries}
        known = {"eta": NUMBER, **method.sets, **method.free}
        for sort, name in read:
            need(known.get(name) == sort, f"{shown(name)} is read as a {sort}, and is none")
    need(len(steps) == 1 and max(steps) <= MOST, f"the runs have other lengths, or more than {MOST} steps")
    need({run for _, run, _ in claim.reads.entries} <= set(claim.methods), "the claim reads a run that it does not name")


def _check_entries(data: Any, claim: GramClaimShape, size: int) -> None:
    """Check entries that nothing sets, and those that an inclusion or an equation defines: the file says which they are."""
    for what, value in (("free", "is"), ("solved", "points")):
        need(isinstance(data[what], list), f"{what} must be a list")
        seen = set()
        for entry in data[what]:
            keys(entry, (*ENTRY, value), f"an entry of {what}")
            run, name = text(entry["run"], "a run"), text(entry["name"], "the name of an entry", empty=False)
            whole(entry["index"], 0, "the index of an entry")
            if entry["part"] is not None:
                whole(entry["part"], 1, "the component of an entry", COMPONENTS)
            key = (run, name, entry["index"], entry["part"])
            need(key not in seen, f"the entry {shown(name)} is there twice")
            seen.add(key)
            need(run in claim.methods, f"the claim names no run {shown(run)}")
            method = claim.methods[run]
            if what == "free":
                is_free = name in method.free and (name not in method.sets or entry["index"] == 0)
                need(is_free, f"{shown(name)} at {entry['index']} is not free")
                rational(entry[value]) if method.free[name] == NUMBER else rationals(entry[value], size)
            else:
                need(method.sets.get(name) == POINT, f"{shown(name)} is no point that an update sets")
                need(isinstance(entry[value], list) and entry[value], f"the entry {shown(name)} has no points")
                for point in entry[value]:
                    rationals(point, size)
