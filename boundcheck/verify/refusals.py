"""How a check ends before its end: the file is malformed, or it does not refute, or it takes too much.

Every check of this package is one of two sentences. `need(...)`: without this the file cannot be read, so nothing is said about
its claim (malformed). `must(...)`: the file can be read, and without this it refutes nothing.
"""

from __future__ import annotations

from typing import Any


class NotRefuted(Exception):
    """The file is a certificate, and does not refute its claim."""


class NoEntry(NotRefuted):
    """A formula reads an entry that the run does not have: x_5 of a run with three steps."""


class TooLarge(ValueError):
    """The check would take more bits, operations or time than the budgets allow."""


def need(good: Any, message: str) -> None:
    """Raise ValueError (malformed) unless `good`."""
    if not good:
        raise ValueError(message)


def must(good: Any, message: str) -> None:
    """Raise NotRefuted unless `good`."""
    if not good:
        raise NotRefuted(message)


def shown(value: Any, most: int = 60) -> str:
    """Return what a file says, fit to be printed: quoted, cut, every character that is not plain ASCII written as its code."""
    text = ascii(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def need_object(data: Any, what: str) -> None:
    """Raise ValueError (malformed) unless `data` is an object. What it is instead is written only then: a file may be long."""
    if not isinstance(data, dict):
        raise ValueError(f"{what} must be an object; found {shown(data)}")


def one_plain_line(text: str) -> str:
    """Return a message as one line of plain ASCII, whatever a file put into it."""
    return text.encode("unicode_escape").decode("ascii").replace("\\\\", "\\")
