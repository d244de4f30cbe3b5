"""The printed number of every label, found from the LaTeX source alone. A construct that is not understood gives no number."""

from __future__ import annotations

from boundcheck.claims.latex_source.commands import COMMANDS, FLOATS, HIDDEN, NOT_CONDITIONAL, conditional
from boundcheck.claims.latex_source.displays import NOT_UNDERSTOOD, display
from boundcheck.claims.latex_source.frames import Frame, State
from boundcheck.claims.latex_source.macros import Macro
from boundcheck.claims.latex_source.numbered_parts import LEVELS, begin_appendix, end_display, heading, read_in_row
from boundcheck.claims.latex_source.numbers import SourceNumbers
from boundcheck.claims.latex_source.tex_source import TexSource, group, option, text_of, tokens_of

REFERENCE = ("\\ref", "\\cref", "\\Cref", "\\autoref", "\\eqref", "\\thref")
EXPANSIONS = 20_000  # a command that puts itself there ends


def numbered(source: TexSource) -> SourceNumbers:
    """The numbers of a source, and what each of its lines stands in."""
    walk = _Walk(State(tokens_of(source)))
    walk.run()
    return walk.finished()


class _Walk:
    """One pass over the tokens of a document."""

    def __init__(self, state: State) -> None:
        self.state, self.counters = state, state.counters
        self.expansions = 0

    def run(self) -> None:
        state = self.state
        while state.at < len(state.tokens):
            token = state.tokens[state.at]
            if (behind := state.macros.define(state.tokens, state.at)) is not None:
                state.at = behind
                self._new_prints()
                continue
            state.at += 1
            state.line = token.line
            self._token(token.text)
            state.sections[token.line] = state.section
            if token.text == "\\end" and state.ended:
                return

    def _token(self, text: str) -> None:
        state = self.state
        read_in_row(state, text)
        macro = state.macros.commands.get(text) or state.macros.commands.get(text.rstrip("*"))
        if macro is not None:
            self._expand(macro)
        elif text in state.restated or text.rstrip("*") in state.restated:
            state.statement = state.restated[text.rstrip("*")]
        elif text in LEVELS or text.removesuffix("*") in LEVELS:
            heading(state, text)
        elif text == "\\begin":
            self._begin()
        elif text == "\\end":
            self._end()
        elif text in COMMANDS:
            COMMANDS[text](state)
        elif text.startswith("\\if") and text not in NOT_CONDITIONAL:
            conditional(state, text)

    def _expand(self, macro: Macro) -> None:
        state = self.state
        made, state.at = state.macros.expanded(macro, state.tokens, state.at)
        self.expansions += 1
        if made is None or self.expansions > EXPANSIONS:
            state.counters.forget_all()
        else:
            state.tokens[state.at : state.at] = made

    def _new_prints(self) -> None:
        for name, body in self.state.macros.prints:
            self.counters.print_as(name, body)
            if self.state.is_unsure:
                self.counters.prints[name] = None
        self.state.macros.prints.clear()

    # -- environments --------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        state = self.state
        line, name = state.line, state.word()
        if name in state.macros.begins:
            state.frames.append(Frame(name, line, state.ref, state.braces))
            self._expand(state.macros.begins[name])
            return
        frame = Frame(name, line, state.ref, state.braces)
        state.frames.append(frame)
        if name.removesuffix("*") in NOT_UNDERSTOOD:
            frame.ref = None
            self.counters.forget("equation")
        elif (shown := display(name, line)) is not None:
            frame.display = shown
        elif name in ("restatable", "restatable*"):
            _, state.at = option(state.tokens, state.at)
            kind, macro = state.word(), state.word()
            self._theorem(frame, kind)
            state.restated[f"\\{macro}"] = frame.number
        elif name in state.theorems.known:
            self._theorem(frame, name)
        elif name == "proof":
            words, state.at = option(state.tokens, state.at)
            frame.what, frame.number = "proof", state.statement
            frame.of = next(
                (text_of(group(words, n + 1)[0]) for n, t in enumerate(words or ()) if t.text in REFERENCE and words), ""
            )
            if words and not frame.of:
                frame.number = None
        elif name == "subequations":
            self._subequations(frame)
        elif name == "appendices":
            begin_appendix(state)
        elif name == "abstract":
            frame.what = "abstract"
        elif name in FLOATS:
            frame.what, frame.ref, frame.counter = "float", None, FLOATS[name]
        elif name in HIDDEN:
            frame.ref = None

    def _theorem(self, frame: Frame, name: str) -> None:
        state = self.state
        theorem = state.theorems.known.get(name)
        frame.what, frame.ref = "theorem", None
        if theorem is not None and theorem.counter is not None:
            frame.ref = state.step(theorem.counter, theorem.title)
        frame.number = frame.ref

    def _subequations(self, frame: Frame) -> None:
        frame.ref = self.state.step("equation", "Equation")
        frame.restores = self.counters.values["equation"], self.counters.prints["equation"]
        letters = ("alph", "equation")
        self.counters.prints["equation"] = None if frame.ref is None else (("text", frame.ref.number), letters)
        self.counters.set("equation", 0)

    def _end(self) -> None:
        state = self.state
        name = state.word()
        if name == "document":
            state.ended = True
            return
        if name in state.macros.ends and not state.closing:
            state.closing = name
            self._expand(Macro(0, (*(state.macros.ends[name].body or ()), *state.end_of(name))))
            return
        state.closing = "" if name == state.closing else state.closing
        while len(state.frames) > 1 and any(frame.name == name for frame in state.frames[1:]):
            frame = state.frames.pop()
            self._close(frame)
            if frame.name == name:
                return

    def _close(self, frame: Frame) -> None:
        state = self.state
        if frame.display is not None:
            end_display(state, frame.display)
        if frame.restores is not None:
            value, prints = frame.restores
            self.counters.set("equation", value)
            self.counters.prints["equation"] = prints
        if frame.what == "theorem":
            state.statement = frame.number
        if frame.what:
            state.close(frame)

    def finished(self) -> SourceNumbers:
        state = self.state
        known = {label: number for label, number in state.labels.items() if number is not None}
        spans = [state.resolved(span, frame, known) for span, frame in state.open_spans] + state.spans
        return SourceNumbers(known, state.lines, spans, state.sections)
