"""How the command line ends: an exit code, and for whatever went wrong one line on stderr."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

import click

BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 2, 130, 141
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
        except ValueError as wrong:  # what the framework says of bad input: NotFound, RuleError, NotInThisArithmetic, ...
            return complain(str(wrong))
        except OSError as wrong:
            where = f"{wrong.filename}: " if wrong.filename else ""
            return complain(f"{where}{wrong.strerror or wrong}")
        except Exception as wrong:
            return complain(f"unexpected {type(wrong).__name__}: {wrong} (set {DEBUG}=1 to see where)")

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:  # the reader of `boundcheck list | head` has enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return PIPE_CLOSED
        except KeyboardInterrupt:
            return complain("interrupted", INTERRUPTED)


def complain(message: str, code: int = BAD_INPUT) -> int:
    """One line on stderr, and the exit code."""
    if os.environ.get(DEBUG) and sys.exc_info()[0] is not None:
        traceback.print_exc()
    click.echo(f"boundcheck: {' '.join(message.split())}", err=True)
    return code


def _usage(wrong: click.ClickException) -> str:
    message = wrong.format_message().rstrip(".")
    if isinstance(wrong, click.UsageError) and wrong.ctx is not None:
        return f"{message[:1].lower()}{message[1:]}; try `{wrong.ctx.command_path} --help`"
    return message
