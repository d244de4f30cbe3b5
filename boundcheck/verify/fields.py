"""Fields: what the smallest parts of a file may be. An integer, a fraction, a list of them, a text, an object with exact keys.

Numbers of a file are text, such as "-3/4": JSON has no fractions, and its decimals are read differently by different readers.
Each number has one spelling only, and each object exactly the keys that it must have: a file that two readers could take for two
different things is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from flint import fmpq

from .budgets import DIGITS, MOST, Vector
from .refusals import need, need_object, shown

NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?")


def whole(data: Any, low: int, what: str, high: int = MOST) -> int:
    """Return an integer of the file within a range. True, which Python takes for 1, is no integer."""
    need(type(data) is int and low <= data <= high, f"{what} must be a whole number from {low} to {high}; found {shown(data)}")
    return int(data)


def rational(data: Any) -> fmpq:
    """Return a number of the file, which is text: a fraction in lowest terms, in ASCII digits."""
    message = f"a number is text such as '-3/4' or '2', in lowest terms; found {shown(data)}"
    need(isinstance(data, str) and len(data) <= DIGITS and NUMBER.fullmatch(data), message)
    top, _, bottom = data.partition("/")
    need(bottom == "" or int(bottom) != 0, message)
    value = fmpq(int(top), int(bottom or 1))
    need(str(value) == data, message)
    return value


def rationals(data: Any, length: int | None = None, holes: bool = False) -> Vector:
    """Return a list of numbers of the file; with `holes`, null is left as None."""
    if not isinstance(data, list):
        raise ValueError(f"needs a list of numbers; found {shown(data)}")
    if length is not None and len(data) != length:
        raise ValueError(f"needs {length} numbers; found {shown(data)}")
    return [None if holes and value is None else rational(value) for value in data]


def text(data: Any, what: str, empty: bool = True) -> str:
    """Return a text of the file."""
    need(isinstance(data, str) and (data or empty), f"{what} must be text; found {shown(data)}")
    return str(data)


def keys(data: Any, names: Iterable[str], what: str) -> None:
    """Raise ValueError unless `data` has exactly these keys: an unknown one may hide what another reader would see."""
    wanted = set(names)
    need_object(data, what)
    lacks, more = sorted(wanted - set(data)), sorted(set(data) - wanted)
    need(not lacks, f"{what} lacks {', '.join(lacks)}")
    need(not more, f"{what} has keys that are not known: {shown(', '.join(more), 100)}")
