"""Checksums: what is read from a file is what was written, or the file is refused: no flipped bit changes a table in silence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

CHECKSUM = "checksum"  # the key of a JSON object that has one


def seal(*values: Any) -> str:
    """A checksum of a row: of numbers, texts and bytes, each with its kind and length."""
    made = blake2b(digest_size=8)
    for value in values:
        content = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
        made.update(f"{type(value).__name__} {len(content)} ".encode())
        made.update(content)
    return made.hexdigest()


def sealed(said: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON object with its checksum as the last key."""
    return {**said, CHECKSUM: _sum(said)}


def is_whole(said: Mapping[str, Any]) -> bool | None:
    """Is it what was written? None where it has no checksum, so that nobody can tell."""
    return said[CHECKSUM] == _sum(said) if CHECKSUM in said else None


def _sum(said: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in said.items() if key != CHECKSUM}
    return seal(json.dumps(json.loads(json.dumps(rest)), sort_keys=True, ensure_ascii=True))
