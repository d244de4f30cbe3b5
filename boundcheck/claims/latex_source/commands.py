"""Commands that touch counters and labels, each as a step of a pass over a document."""

from __future__ import annotations

import re
from collections.abc import Callable

from boundcheck.claims.latex_source.counters import Counters
from boundcheck.claims.latex_source.displays import display
from boundcheck.claims.latex_source.frames import Frame, State
from boundcheck.claims.latex_source.numbered_parts import (
    begin_appendix,
    begin_class,
    end_display,
    intertext,
    no_number,
    row_ends,
    tag,
)
from boundcheck.claims.latex_source.tex_source import MISSING, option, text_of

FLOATS = {
    f"{prefix}{kind}{star}": kind
    for kind in ("figure", "table", "algorithm")
    for prefix in ("", "wrap", "SC", "sideways")
    for star in ("", "*")
}
# environments whose labels have numbers of their own, which are not worked out here
HIDDEN = ("subfigure", "subtable", "enumerate", "subalgorithm", "sidenote", "lstlisting", "enumerate*")
SECTIONED = ("section", "subsection", "chapter", "part")


def within_by_option(counters: Counters, packages: str, options: str) -> None:
    """The packages that number algorithms by section if an option says so."""
    if not {"algorithm", "algorithm2e"} & set(packages.split(",")):
        return
    for said in options.split(","):
        if (outer := said.removeprefix("algo")) in SECTIONED:
            counters.put_within("algorithm", outer)


INTEGER = re.compile(r"-?[0-9]+")
NOT_CONDITIONAL = ("\\iff",)


def label(state: State) -> None:
    name = state.word()
    if state.display is not None:
        state.display.row.labels.append(name)
        state.lines.setdefault(name, state.line)
    else:
        state.label(name, state.ref)


def caption(state: State, *, of: str = "") -> None:
    floating = next((frame for frame in reversed(state.frames) if frame.counter), None)
    counter = of or (floating.counter if floating is not None else "")
    if not counter or any(frame.name in HIDDEN for frame in state.frames):
        return
    number = state.step(counter, counter.capitalize())
    state.frames[-1].ref = number
    if floating is not None and not of:
        floating.number = number


def footnote(state: State) -> None:
    _, state.at = option(state.tokens, state.at)
    state.frames.append(Frame("\\footnote", state.line, None, state.braces))


def opens(state: State) -> None:
    state.braces += 1


def closes(state: State) -> None:
    state.braces -= 1
    if state.frames[-1].name == "\\footnote" and state.frames[-1].braces == state.braces:
        state.frames.pop()


def set_counter(state: State) -> None:
    name, value = state.word(), state.word()
    known = int(value) if INTEGER.fullmatch(value) and not state.is_unsure else None
    state.counters.set(name, known)
    if name == "secnumdepth":
        state.depth = known
    elif known is None:
        state.counters.forget(name)


def add_to_counter(state: State) -> None:
    name, value = state.word(), state.word()
    old = state.counters.values.get(name)
    if INTEGER.fullmatch(value) and old is not None and not state.is_unsure:
        state.counters.set(name, old + int(value))
    else:
        state.counters.forget(name)


def step_counter(state: State) -> None:
    state.step(state.word(), "")


def refstep_counter(state: State) -> None:
    state.step(state.word(), "")
    state.frames[-1].ref = None  # a number, of a thing whose name is not known


def within(state: State, *, printed: bool = True) -> None:
    name, outer = state.word(), state.word()
    state.counters.put_within(name, outer, printed=printed)
    if state.is_unsure:
        state.counters.prints[name] = None


def without(state: State) -> None:
    name, _ = state.word(), state.word()
    state.counters.take_out(name)
    if state.is_unsure:
        state.counters.prints[name] = None


def new_counter(state: State) -> None:
    name = state.word()
    outer, state.at = option(state.tokens, state.at)
    state.counters.new(name)
    if outer:
        state.counters.put_within(name, text_of(outer), printed=False)


def new_theorem(state: State, *, numbered: bool = True) -> None:
    state.at = state.theorems.new(state.tokens, state.at, numbered=numbered, sure=not state.is_unsure)


def declare_theorem(state: State) -> None:
    state.at = state.theorems.declare(state.tokens, state.at, sure=not state.is_unsure)


def package(state: State) -> None:
    options, state.at = option(state.tokens, state.at)
    within_by_option(state.counters, state.word(), text_of(options or ()))


def document_class(state: State) -> None:
    _, state.at = option(state.tokens, state.at)
    begin_class(state, state.word())


def conditional(state: State, text: str) -> None:
    """\\if and its kind. \\ifthenelse and others take arguments in braces: they have no \\fi."""
    if text == "\\iffalse":
        state.skip_false()
    elif state.at < len(state.tokens) and state.tokens[state.at].text == "{" and text != "\\if":
        return
    else:
        state.unsure.append("" if text == "\\iftrue" else text)


def otherwise(state: State) -> None:
    if state.unsure and not state.unsure[-1]:  # of \\iftrue
        state.skip_false()
        state.unsure.pop()


def open_display(state: State) -> None:
    """A display without a name: it has no number, unless a tag gives it one."""
    state.frames.append(Frame("\\[", state.line, state.ref, state.braces, display("displaymath", state.line)))


def close_display(state: State) -> None:
    frame = state.frames[-1]
    if frame.name == "\\[" and frame.display is not None:
        end_display(state, frame.display)
        state.frames.pop()


def dollars(state: State) -> None:
    (close_display if state.frames[-1].name == "\\[" else open_display)(state)


def fi(state: State) -> None:
    if state.unsure:
        state.unsure.pop()


COMMANDS: dict[str, Callable[[State], None]] = {
    "\\\\": row_ends,
    "\\tabularnewline": row_ends,
    "\\[": open_display,
    "\\]": close_display,
    "$$": dollars,
    "\\intertext": intertext,
    "\\shortintertext": intertext,
    "\\nonumber": no_number,
    "\\notag": no_number,
    "\\tag": tag,
    "\\tag*": tag,
    "\\label": label,
    "\\caption": caption,
    "\\captionof": lambda state: caption(state, of=state.word()),
    "\\ContinuedFloat": lambda state: state.counters.forget("figure"),
    "\\footnote": footnote,
    "{": opens,
    "}": closes,
    "\\setcounter": set_counter,
    "\\addtocounter": add_to_counter,
    "\\stepcounter": step_counter,
    "\\refstepcounter": refstep_counter,
    "\\newcounter": new_counter,
    "\\numberwithin": within,
    "\\counterwithin": within,
    "\\counterwithin*": lambda state: within(state, printed=False),
    "\\@addtoreset": lambda state: within(state, printed=False),
    "\\counterwithout": without,
    "\\appendix": begin_appendix,
    "\\newtheorem": new_theorem,
    "\\newtheorem*": lambda state: new_theorem(state, numbered=False),
    "\\declaretheorem": declare_theorem,
    "\\usepackage": package,
    "\\RequirePackage": package,
    "\\documentclass": document_class,
    "\\else": otherwise,
    "\\fi": fi,
    MISSING: lambda state: state.counters.forget_all(),
}
