"""The hierarchy of errors.

A `UserError` is a mistake in what a user gave: a name, a file, an option, a claim, a problem or a rule. The command line prints
its message as one line and exits with 2. Every other exception that reaches the command line is a bug of boundcheck: it is
printed as a traceback with a request to report it, and the exit code is 70.

A user error is a `ValueError` too, so that code which calls boundcheck and catches `ValueError` keeps working. The reverse does
not hold: a plain `ValueError`, of NumPy for example, is not bad input until a module that knows the input says so.

Kinds stand here where several rooms tell them apart. A room derives from them what it alone raises and catches.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any


class BoundcheckError(Exception):
    """The base of every exception that boundcheck defines and lets through to its caller.

    >>> from boundcheck import BoundcheckError, RunEnds, UserError
    >>> issubclass(UserError, BoundcheckError), issubclass(RunEnds, BoundcheckError)
    (True, True)
    """


class UserError(BoundcheckError, ValueError):
    """A mistake in what the user gave. The message says what was found, what is needed and what to do.

    >>> from boundcheck import UserError, run
    >>> try:
    ...     run("hubre", "1/L")
    ... except UserError as wrong:
    ...     print(wrong)
    no problem 'hubre'; did you mean 'huber'? docs/problems.md lists them all
    """


class WrongType(UserError, TypeError):
    """The user gave a value of a type that does not belong there."""


class NotFound(UserError):
    """A name or a file does not exist, or a file does not hold what was asked for."""


class UnknownName(NotFound):
    """A catalogue does not have the name."""


class NotInstalled(UserError, ImportError):
    """A library of an extra is not installed."""


class NotInThisArithmetic(UserError):
    """The problem or formula needs an operation that this arithmetic lacks."""


class RuleError(UserError):
    """A step-size rule returned what it must not; the message names the rule, the problem and the step.

    >>> from boundcheck import RuleError, run
    >>> try:
    ...     run("huber", lambda run: -1, steps=2)
    ... except RuleError:
    ...     print("a step is a positive number")
    a step is a positive number
    """


class Lacking(RuleError):
    """A step-size rule asked for something that the problem does not have: the rule is not at fault."""


class NotCertified(UserError):
    """The violation, or the minimiser, is not proved in exact arithmetic: there is nothing to certify."""


class RunEnds(BoundcheckError):
    """A step-size rule raises it where no step exists: the run stops there, and the message says why.

    >>> from boundcheck import RunEnds, run
    >>> def three_steps(run):
    ...     if run.k == 3:
    ...         raise RunEnds("three are enough")
    ...     return 1
    >>> run("huber", three_steps, steps=9).ended
    ('three are enough',)
    """


OWN = "boundcheck"


def error_with_place(wrong: BaseException) -> str:
    """`ValueError: boom (rules.py:12)`, without the place where no file but boundcheck's own took part."""
    at = place(wrong)
    return f"{error_words(wrong)} ({at})" if at else error_words(wrong)


def error_words(wrong: BaseException) -> str:
    """The kind of an exception and its message; the message alone where it is boundcheck's, which speaks for itself."""
    words = " ".join(str(wrong).split())
    if words and type(wrong).__module__.partition(".")[0] == OWN:
        return words
    return f"{type(wrong).__name__}: {words}" if words else type(wrong).__name__


def place(wrong: BaseException) -> str:
    """The innermost line in the first file, on the way to the exception, that is not boundcheck's: `rules.py:12`."""
    frames = [(frame, line) for frame, line in _frames(wrong) if not _is_own(frame)]
    if not frames:
        return ""
    file = frames[0][0].f_code.co_filename
    line = next(line for frame, line in reversed(frames) if frame.f_code.co_filename == file)
    return f"{Path(file).name}:{line}" if Path(file).is_file() else f"line {line}"


def remember_folder(folder: Path) -> None:
    """Files of this folder are a user's: what goes wrong in them is told by file and line."""
    _FOLDERS.add(str(folder))


_FOLDERS: set[str] = set()


def users_place(wrong: BaseException) -> str:
    """The innermost line of a user's file on the way to the exception, `problem.py:12`; "" where none took part.

    Another process found it where the exception came from there: its frames stay behind.
    """
    known = getattr(wrong, PLACE, "")
    if known:
        return str(known)
    for frame, line in reversed(_frames(wrong)):
        file = Path(frame.f_code.co_filename)
        if not _is_own(frame) and str(file.parent) in _FOLDERS:
            return f"{file.name}:{line}"
    return ""


PLACE = "boundcheck_place"  # an attribute: it travels with a pickled exception


def mark_place(wrong: BaseException) -> BaseException:
    """The same exception, which knows the line of the user's file wherever it goes."""
    if at := users_place(wrong):
        with suppress(AttributeError, TypeError):
            setattr(wrong, PLACE, at)
    return wrong


def line_in(wrong: BaseException, file: Path) -> int | None:
    """The innermost line of a file on the way to the exception."""
    return next((line for frame, line in reversed(_frames(wrong)) if Path(frame.f_code.co_filename) == file.resolve()), None)


def _frames(wrong: BaseException) -> list[tuple[FrameType, int]]:
    frames, at = [], wrong.__traceback__
    while at is not None:
        frames.append((at.tb_frame, at.tb_lineno))
        at = at.tb_next
    return frames


def _is_own(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == OWN


def extra(module: str, *, what: str, extra: str) -> Any:
    """The module; or what needs it and what to install."""
    try:
        return import_module(module)
    except ImportError:
        library = module.partition(".")[0]
        raise NotInstalled(f"{what} needs {library}, which is not installed: pip install 'boundcheck[{extra}]'") from None
