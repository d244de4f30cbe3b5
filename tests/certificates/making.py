"""Certificates of the library's claims, made once, and how to change and check them."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from boundcheck.certificates.write import certify, sealed
from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import bounds
from boundcheck.verify.file_shape import CLAIMED

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

Data = dict[str, Any]
Change = Callable[[Data], Data]
REFUTED = [bound for bound in bounds() if bound.refuted_by is not None]


def claim(name: str) -> Bound:
    return next(bound for bound in bounds() if f"{bound.label}@{bound.reading}" == name)


@cache
def _made(name: str) -> dict[str, Any]:
    return certify(claim(name))


def certificate(name: str) -> dict[str, Any]:
    """A copy that may be changed."""
    return deepcopy(_made(name))


def rehashed(data: dict[str, Any]) -> dict[str, Any]:
    """The same, with the hash that its claim now has: a consistent certificate of another claim."""
    return {**data, "hash": verify.digest({key: data["claim"][key] for key in CLAIMED})}


def code(data: Any, folder: Path, *, seal: bool = True) -> int:
    """The exit code of the checker; with a fresh seal, so that only the mathematics can reject."""
    text = json.dumps(sealed(data) if seal else data)
    return code_of_text(text, folder)


def code_of_text(text: str | bytes, folder: Path) -> int:
    path = folder / "certificate.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found, line = verify.verify(str(path))
    assert line and "\n" not in line
    return found


def made(bound: Bound, left: Any, right: Any, *, at: int | None = None, **parts: Any) -> dict[str, Any]:
    return sealed(
        {
            "format": "boundcheck certificate",
            "version": 1,
            "claim": bound.to_json(),
            "hash": bound.hash,
            "smoothness": None,
            "parameters": {},
            "constants": {},
            "minimiser": None,
            "link": 0,
            "at": {} if at is None else {bound.for_all.letter: at},
            "left": left,
            "right": right,
            "words": "by hand",
            "seal": "",
            **parts,
        }
    )


def one_run(start: list[str], steps: list[Any], **more: list[str]) -> dict[str, Any]:
    return {"roles": {"": {"start": start, "eta": steps, **more}}}


def put(*path: Any, value: Any) -> Change:
    def change(data: Data) -> Data:
        there: Any = data
        for key in path[:-1]:
            there = there[key]
        there[path[-1]] = value
        return data

    return change


def drop(*path: Any) -> Change:
    def change(data: Data) -> Data:
        there: Any = data
        for key in path[:-1]:
            there = there[key]
        del there[path[-1]]
        return data

    return change


def several(*changes: Change) -> Change:
    def change(data: Data) -> Data:
        for one in changes:
            data = one(data)
        return data

    return change


def of(bound: Bound) -> Change:
    """The same data under another claim."""
    return lambda data: {**data, "claim": bound.to_json(), "hash": bound.hash}
