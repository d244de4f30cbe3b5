"""Ways to break an input: its bytes, its words, its structure."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

ODD_NUMBERS = (
    *("0", "-1", "1e308", "-1e-400", "10**400", "nan", "inf", "1/0", "0.1", "2**70"),
    *("None", "True", "[]", "{}", "[k]", "k", "''"),
)
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 10**30, 1e308, float("nan"), float("inf")),
    *("", "x", "1/0", "nan", "\u200b", "a\nb", "\xe9\ud83d", [], {}, [[]], {"": 0}),
)
ODD_WORDS = (
    "",
    "é",
    "\u200b",
    "\x00",
    "\t",
    "#",
    "'",
    '"',
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "=",
    "lambda: 0",
    "import os",
    "\\",
    "\ufeff",
    "0x",
    "1_",
)


def bytes_of(content: bytes, r: random.Random) -> bytes:
    """Bits flipped, bytes cut out, put in, doubled; or nothing but noise."""
    made = bytearray(content)
    for _ in range(r.choice((1, 1, 1, 3, 20))):
        at = r.randrange(len(made) + 1)
        match r.randrange(6):
            case 0 | 1 if at < len(made):
                made[at] ^= 1 << r.randrange(8)
            case 2:
                del made[at : at + r.choice((1, 5, 100, 10**6))]
            case 3:
                made[at:at] = r.randbytes(r.choice((1, 4, 50)))
            case 4:
                made[at:at] = made[at : at + 200]
            case _ if at < len(made):
                made[at] = r.choice(b'\x00\xff\n\r"{}[],:0-9e.')
    return b"" if r.random() < 0.01 else bytes(made)


def words_of(text: str, r: random.Random) -> str:
    """Words replaced by others of the same text, by odd numbers and letters; lines dropped, doubled and exchanged."""
    import re

    for _ in range(r.choice((1, 1, 2, 4))):
        lines, words = text.split("\n"), [*re.finditer(r"\w+|[^\w\s]", text)]
        match r.randrange(7):
            case 0 | 1 | 2 if words:
                word = r.choice(words)
                same = [w[0] for w in words if w[0].isidentifier() == word[0].isidentifier()]
                new = r.choice((r.choice(same), r.choice(ODD_NUMBERS), r.choice(ODD_WORDS)))
                text = text[: word.start()] + new + text[word.end() :]
            case 3:
                del lines[r.randrange(len(lines))]
                text = "\n".join(lines)
            case 4:
                lines.insert(r.randrange(len(lines) + 1), r.choice(lines))
                text = "\n".join(lines)
            case 5:
                a, b = r.randrange(len(lines)), r.randrange(len(lines))
                lines[a], lines[b] = lines[b], lines[a]
                text = "\n".join(lines)
            case _ if words:
                word = r.choice(words)
                text = text[: word.start()] + r.choice(ODD_WORDS) + text[word.start() :]
    return text


def structure_of(value: Any, r: random.Random) -> Any:
    """JSON with some parts replaced, dropped, renamed or exchanged."""
    made = copy.deepcopy(value)
    for _ in range(r.choice((1, 1, 2, 5))):
        places = list(_places(made))
        if not places:
            return r.choice(ODD_VALUES)
        holder, key = r.choice(places)
        match r.randrange(6):
            case 0 | 1:
                holder[key] = r.choice(ODD_VALUES)
            case 2:
                del holder[key]
            case 3:
                other, where = r.choice(places)
                holder[key] = copy.deepcopy(other[where])
            case 4 if isinstance(holder, dict):
                holder[r.choice(("", "x", f"{key}2", "checksum"))] = holder.pop(key)
            case _:
                holder[key] = [holder[key]] if r.random() < 0.5 else str(holder[key])
    return made


def _places(value: Any) -> Any:
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")
