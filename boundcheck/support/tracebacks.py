"""What went wrong in somebody's file, in one line: the exception in its own words, and the line of that file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from types import FrameType

OWN = "boundcheck"


def told(wrong: BaseException) -> str:
    """`ValueError: boom (rules.py:12)`, without the place where no file but boundcheck's own took part."""
    at = place(wrong)
    return f"{said(wrong)} ({at})" if at else said(wrong)


def said(wrong: BaseException) -> str:
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


def marked(wrong: BaseException) -> BaseException:
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
