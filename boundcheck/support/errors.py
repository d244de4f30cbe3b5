"""The hierarchy of errors.

A `UserError` is a mistake in what a user gave: a name, a file, an option, a claim, a problem or a rule. The command line prints
its message as one line and exits with 2. Every other exception that reaches the command line is a bug of boundcheck: it is
printed as a traceback with a request to report it, and the exit code is 70.

A user error is a `ValueError` too, so that code which calls boundcheck and catches `ValueError` keeps working. The reverse does
not hold: a plain `ValueError`, of NumPy for example, is not bad input until a module that knows the input says so.

Kinds stand here where several rooms tell them apart. A room derives from them what it alone raises and catches.
"""

from __future__ import annotations


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
