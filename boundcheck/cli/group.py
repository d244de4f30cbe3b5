"""How the command line ends: an exit code, and for whatever went wrong one line on stderr."""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from contextlib import suppress
from typing import Any

import click

from boundcheck.support.errors import UserError, error_words, users_place

BAD_INPUT, BUG, INTERRUPTED, PIPE_CLOSED, TERMINATED = 2, 70, 130, 141, 143
DEBUG = "BOUNDCHECK_DEBUG"


class OneLine(click.Group):
    """Commands return their exit code. Errors are one line; BOUNDCHECK_DEBUG=1 shows where they come from."""

    def main(self, *args: Any, **options: Any) -> Any:
        options["standalone_mode"] = False
        sys.exit(self._run(*args, **options))

    def _run(self, *args: Any, **options: Any) -> int:
        try:
            return super().main(*args, **options) or 0
        except click.exceptions.NoArgsIsHelpError as help_:
            click.echo(help_.format_message())
            return BAD_INPUT
        except click.ClickException as wrong:
            return complain(_usage(wrong))
        except click.Abort:
            return complain("interrupted", INTERRUPTED)
        except Exception as wrong:
            return blame(wrong)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            if sys.stdout is None:
                raise NoOutput("standard output is closed; give it somewhere to go, such as /dev/null")
            _any_letter()
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:  # the reader of `boundcheck list | head` has enough
            return _closed()
        except SystemExit as ended:  # rich ends the program in its own way where nobody reads any more
            if isinstance(ended.__context__, BrokenPipeError):
                return _closed()
            raise
        except KeyboardInterrupt:
            return complain("interrupted", INTERRUPTED)


class NoOutput(UserError):
    """There is nowhere to say anything."""


def _closed() -> int:
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED


def _any_letter() -> None:
    """Where the terminal's encoding lacks a letter, it is shown as \\u03b7: that is no reason to say nothing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def blame(wrong: Exception) -> int:
    """One line and 2 for what the user gave: bad input, code in a file, a place. A bug of ours is a traceback, and 70."""
    at = users_place(wrong)
    if isinstance(wrong, UserError):
        return complain(str(wrong) if not at or at in str(wrong) else f"{at}: {wrong}")
    if at:
        return complain(f"{at}: {error_words(wrong)}; mend that line, or what it is given")
    if isinstance(wrong, OSError):
        return complain(_system(wrong))
    if isinstance(wrong, MemoryError):
        return complain("there is not enough memory for that; ask for fewer steps, jobs or coordinates")
    traceback.print_exception(wrong)
    told = f"{type(wrong).__name__}: {wrong}"
    return complain(f"this is a bug of boundcheck, not of your input ({told}); please report it with the lines above", BUG)


def _system(wrong: OSError) -> str:
    """What the system has against a file, with its path; processes share memory through one that nobody named."""
    if wrong.filename:
        return f"{wrong.filename}: {wrong.strerror or wrong}"
    if wrong.errno in (errno.ENOSPC, errno.EROFS, errno.EACCES) and any("multiprocessing" in file for file in _files(wrong)):
        return f"shared memory (/dev/shm): {wrong.strerror}; make room there, or use --jobs 1"
    return wrong.strerror or str(wrong)


def _files(wrong: BaseException) -> list[str]:
    return [frame.filename for frame in traceback.extract_tb(wrong.__traceback__)]


def complain(message: str, code: int = BAD_INPUT) -> int:
    """One line on stderr, and the exit code."""
    if os.environ.get(DEBUG) and sys.exc_info()[0] is not None:
        traceback.print_exc()
    with suppress(OSError, ValueError):  # nobody hears it
        click.echo(f"boundcheck: {' '.join(message.split())}", err=True)
    return code


def _usage(wrong: click.ClickException) -> str:
    message = wrong.format_message().rstrip(".")
    if isinstance(wrong, click.UsageError) and wrong.ctx is not None:
        return f"{message[:1].lower()}{message[1:]}; try `{wrong.ctx.command_path} --help`"
    return message
