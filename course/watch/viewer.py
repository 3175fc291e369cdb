"""The viewer of a run: the current step and the view, as plain data. It is shown as a widget or as a nested list."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain, groupby, islice, pairwise
from typing import Any

from course.diagnoses.compared import Span, differing_spans
from course.functional import Recur
from course.kernel.attended import bundle_with_widget, publish_with_widget
from course.show.bits import MORE, Bit, bits_text, code_of, exception_text
from course.show.blocks import WRAPPED
from course.show.pictures import picture_kind, spoken
from course.show.results import Shown
from course.show.widgets import pictures_in, until_widget
from course.watch.listing import (
    Bits,
    called_with,
    code_bits,
    known,
    listing,
    next_line,
    next_round,
    plain,
    rounds,
    sentence,
    value_bits,
    values,
)
from course.watch.rewriting import PaperLines
from course.watch.run import CallOwner, Kind, RecordedCall, RecordedRun, RunMoment, State

AS_CALLS, ON_PAPER = "calls", "paper"
PRINTED_TAIL, CALL_LINES = 1_500, 200
ENDINGS = {
    State.STOPPED: "It was stopped, because it did not end.",
    State.INTERRUPTED: "It was interrupted before it ended.",
}
ALL_OPEN, ROWS_SHOWN = 60, 300
FIRST_SHOWN, LAST_SHOWN, SHOWN_AROUND = 4, 3, 2
SHALLOW, TOP_SHOWN, BOTTOM_SHOWN = 14, 4, 6
DIFFERENT = "differs"
RunAction = list[object]
TreeRow = dict[str, object]
RunView = dict[str, object]


class Viewer:
    """A recorded run and what the reader sees of it. `marks` has the expected results of wrong calls."""

    def __init__(self, run: RecordedRun, way: str = AS_CALLS, marks: dict[int, str] | None = None) -> None:
        self.run, self.marks, self.way, self.at = run, marks or {}, way, 0
        self.turned, self.unfolded, self.answers = set[int](), set[int](), False
        self.sheets = PaperLines(run)
        self._widget: object = None

    # -------------------------------------------------------------------------------------------- actions

    def receive(self, action: RunAction) -> None:
        """Carry out the action of a click or a key."""
        here = self.run.steps[self.at]
        match action:
            case ["go", int(at)]:
                self._go(at)
            case ["by", int(way)]:
                self._go(self._step_of(self.sheets.next(here, way)) if self.way == ON_PAPER else self.at + way)
            case ["over", int(way)]:
                self._go(self._over(way))
            case ["line", int(way)]:
                self._go(self._step_of(next_line(self.run, here, way)))
            case ["call", int(call)] if 0 <= call < len(self.run.calls):
                begin, end = self.run.calls[call].begin, self.run.calls[call].end
                is_there = here == begin or (call == 0 and self.at == 0)  # then go to the end of the call
                self._go(self._step_of((end if end >= 0 else self.run.steps[-1]) if is_there else begin))
            case ["way", str(way)] if way in (AS_CALLS, ON_PAPER):
                self.way = way
            case ["answers"]:
                self.answers = not self.answers
            case ["turn", int(call)]:
                self.turned ^= {call}
            case ["whole", int(call)]:
                self.unfolded |= {call}

    def _go(self, at: int) -> None:
        self.at = max(0, min(at, len(self.run.steps) - 1))

    def _step_of(self, event: int) -> int:
        return bisect_left(self.run.steps, event)

    def _over(self, way: int) -> int:
        """Return the step after the call that begins here, or before the call that ends here; else the next step."""
        event = self.run.events[self.run.steps[self.at]]
        call = self.run.calls[event.call]
        if way > 0 and event.kind is Kind.CALL and call.end >= 0:
            return self._step_of(call.end)
        if way < 0 and event.kind in (Kind.GIVES, Kind.RAISES, Kind.CLOSES) and call.number:
            return self._step_of(call.begin)
        return self.at + way

    # -------------------------------------------------------------------------------------------- views

    def view(self) -> RunView:
        """Return the current view as plain data: rows of calls, lines of code, sentences."""
        moment = RunMoment(self.run, self.run.steps[self.at])
        words = sentence(moment)
        printed = "".join(event.value for event in self.run.events[: moment.number + 1] if event.kind is Kind.PRINTED)
        view: RunView = {"at": self.at, "last": len(self.run.steps) - 1, "way": self.way, "title": self.run.title}
        view |= {"said": words, "spoken": bits_text(words), "left": left_out(self.run)}
        view |= {"printed": printed if len(printed) <= PRINTED_TAIL else f"{MORE}{printed[-PRINTED_TAIL:]}"}
        if self.way == AS_CALLS:
            view |= {"rows": rows(self, moment.number), "answers": self.answers, "code": listing(moment)}
            view |= {"names": known(moment), "values": values(moment), "rounds": rounds(moment)}
        else:
            lines: list[RunView] = [{"b": each.bits, "w": each.waiting} for each in self.sheets.lines(moment.number)]
            for line in lines[-1:]:
                line["now"] = True
            view |= {"paper": lines}
        shown = sent(view)
        sizes = {key.partition(":")[0]: picture_kind(key).size_in_run for key in pictures_in(shown)}
        return shown | {"first_wrong": self._first_wrong, "sizes": sizes}

    @property
    def _first_wrong(self) -> str:
        """Return in one line which call is the first with a wrong result, or ""."""
        for call, expected in self.marks.items():
            text = bits_text(called_with(self.run.calls[call], 80))
            return f"{text} is the first call with a wrong result: expected {expected}"
        return ""

    @property
    def static_view(self) -> dict[str, str]:
        """Return the static version: the complete run as a nested list, or as lines on paper."""
        shown = self.sheets.as_lines() if self.way == ON_PAPER else as_list(self.run)
        if not self._first_wrong:
            return {"text/plain": shown.plain, "text/html": shown.markup}
        first = f'<div style="{WRAPPED}"><b>{escape(self._first_wrong)}</b></div>'
        return {"text/plain": f"{self._first_wrong}\n{shown.plain}", "text/html": first + shown.markup}

    def widget(self) -> object:
        """Return the widget that shows the run. Raises ImportError if there is no anywidget."""
        from course.watch.widget import widget_of_run

        self._widget = self._widget or widget_of_run(self)
        return self._widget

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        return bundle_with_widget(self.static_view, self.widget)

    def _ipython_display_(self) -> None:
        publish_with_widget(self._repr_mimebundle_(), until_widget(self.static_view["text/html"]))

    def __repr__(self) -> str:
        return self.static_view["text/plain"]


# ---------------------------------------------------------------------------------------------------- as data


def sent(thing: object) -> Any:
    """Return a view as JSON-like data for the browser. A bit becomes its text, or a list with its look and picture."""
    match thing:
        case Bit(text, "", ""):
            return text
        case Bit(text, picture, look):
            return [text, look, picture, spoken(picture)] if picture else [text, look]
        case dict():
            return {name: sent(each) for name, each in thing.items()}
        case tuple() | list():
            return [sent(each) for each in thing]
    return thing


# ---------------------------------------------------------------------------------------------------- as rows
# If calls are many or nested deeply, some of them are folded.


def rows(viewer: Viewer, number: int) -> list[TreeRow]:
    """Return the rows of the calls, as seen at an event."""
    run = viewer.run
    here = run.events[number].call
    drawn = _Rows(viewer, number, run.path(here) if here >= run.top else (run.top,))
    results = list(islice(drawn.of(run.top, 0), ROWS_SHOWN + 1))
    if len(results) > ROWS_SHOWN:
        results[-1] = {"d": 1, "b": plain(f"{MORE} there are more calls. Fold some of them to see these.")}
    return results


class _Rows:
    """A writer of rows: each row is made when it is needed."""

    def __init__(self, viewer: Viewer, number: int, path: tuple[int, ...]) -> None:
        self.run, self.viewer, self.number, self.path = viewer.run, viewer, number, path
        self.answers, self.on_path = viewer.answers or number == viewer.run.steps[-1], frozenset(path)
        is_deep = len(path) > SHALLOW and path[TOP_SHOWN] not in viewer.unfolded
        self.hidden = frozenset(path[TOP_SHOWN:-BOTTOM_SHOWN]) if is_deep else frozenset()

    def is_open(self, call: int) -> bool:
        """Return whether a call's inner calls are shown."""
        by_itself = len(self.run.calls) <= ALL_OPEN or call in self.on_path or call == self.run.top
        return by_itself != (call in self.viewer.turned)

    def of(self, call: int, depth: int) -> Iterator[TreeRow]:
        """Yield the row of a call and of the calls in it."""
        made, is_hidden = self.run.children[call], call in self.hidden
        if not is_hidden:
            yield self._row(call, depth)
        elif call == self.path[TOP_SHOWN]:
            text = f"{MORE} {len(self.hidden)} calls, each within the one before"
            yield {"d": depth, "b": plain(text), "do": ["whole", call]}
        if not (is_hidden or self.is_open(call)):
            return
        deeper = depth + (not is_hidden)
        shown = [each for each in made if each in self.on_path] if is_hidden else made
        listed = (call in self.viewer.unfolded or self._is_listed(shown, index) for index in range(len(shown)))
        for is_listed, some in groupby(zip(shown, listed, strict=True), lambda pair: pair[1]):
            if is_listed:
                for each, _ in some:
                    yield from self.of(each, deeper)
            else:
                count = len([*some])
                text = f"{MORE} {count:,} more call{'s' * (count > 1)}"
                yield {"d": deeper, "b": plain(text), "do": ["whole", call]}

    def _is_listed(self, made: Sequence[int], index: int) -> bool:
        """Return whether one of many calls is shown.

        The first call, the last call, marked calls, and calls near the current one are shown.
        """
        if len(made) <= FIRST_SHOWN + LAST_SHOWN + SHOWN_AROUND:
            return True
        near = any(each in self.on_path for each in made[max(index - SHOWN_AROUND, 0) : index + SHOWN_AROUND + 1])
        return index < FIRST_SHOWN or index >= len(made) - LAST_SHOWN or near or made[index] in self.viewer.marks

    def _row(self, call: int, depth: int) -> TreeRow:
        made, marks = self.run.calls[call], self.viewer.marks
        if made.begin > self.number:
            state = "ahead"
        elif made.end < 0 or made.end > self.number:
            state = "going"
        else:
            state = "raised" if self.run.events[made.end].kind is Kind.RAISES else "done"
        state += " given" * (made.kind is CallOwner.GIVEN)
        head = called_with(made, 48) if call else plain(self.run.title or "the run")
        row: TreeRow = {"k": call, "d": depth, "b": head, "s": state, "r": plain("?")}
        if self.answers or 0 <= made.end <= self.number:
            row["r"] = call_result_row(self.run, made)
            if call in marks:
                row["r"], row["m"] = _compared(self.run, made, marks[call])
        row |= {"o": self.is_open(call)} if self.run.children[call] else {}
        return row | ({"here": True} if call == self.path[-1] else {})


def _compared(run: RecordedRun, call: RecordedCall, expected: str) -> tuple[Bits, Bits]:
    """Return the result of a wrong call and the expected one. Differences are marked, unless everything differs."""
    observed, wanted = call_result_row(run, call), code_bits(expected)
    texts = bits_text(observed), bits_text(wanted)
    spans = differing_spans(*texts)
    if any([(0, len(text))] == parts for text, parts in zip(texts, spans, strict=True)):
        spans = [], []
    return (*_with_differences(observed, spans[0]),), (*plain("expected "), *_with_differences(wanted, spans[1]))


def _with_differences(bits: Bits, spans: list[Span]) -> Iterator[Bit]:
    """Yield bits that are split where a difference begins or ends. A picture is never split."""
    start = 0
    for bit in bits:
        end = start + len(bit.text)
        edges = {edge for span in spans for edge in span if start < edge < end and not bit.picture}
        for first, last in pairwise(sorted({start, *edges, end})):
            differs = any(begin < last and first < until for begin, until in spans)
            yield bit._replace(text=bit.text[first - start : last - start], look=DIFFERENT if differs else bit.look)
        start = end


def call_result_row(run: RecordedRun, call: RecordedCall) -> tuple[Bit, ...]:
    """Return the result of a call, for its row."""
    end = run.result(call.number)
    if end is None:
        return value_bits(run.value) if call.number == 0 and run.error is None else plain("did not return")
    if isinstance(end.value, Recur):
        return (*plain("continues with "), *next_round(call, end.value, 60))
    if end.kind is Kind.RAISES:
        return (*plain("raises "), *code_bits(exception_text(end.value)))
    return value_bits(end.value, 60)


# ---------------------------------------------------------------------------------------------------- as a list


def as_list(run: RecordedRun) -> Shown:
    """Return a run as a nested list. Only the beginning of a long run is shown."""
    more = max(len(run.calls) - 1 - CALL_LINES, 0)
    left = [*[f"{MORE} {more:,} more calls are not shown"] * (more > 0), *left_out(run)]
    lines, html = _nested(run, run.top, 0)
    below = "".join(f"<div>{escape(line)}</div>" for line in left)
    return Shown("\n".join([*lines, *left]), f'<div style="{WRAPPED}">{html}{below}</div>')


def _nested(run: RecordedRun, number: int, depth: int) -> tuple[list[str], str]:
    """Return a call and the calls in it, as lines and as HTML."""
    line = call_line(run, number)
    inner = [_nested(run, each, depth + 1) for each in run.children[number] if each <= CALL_LINES]
    lines = [f"{'  ' * depth}{line}", *chain.from_iterable(lines for lines, _ in inner)]
    if not inner:
        return lines, escape(line)
    items = "".join(f"<li>{html}</li>" for _, html in inner)
    return lines, f"<details open><summary>{escape(line)}</summary><ul>{items}</ul></details>"


def left_out(run: RecordedRun) -> list[str]:
    """Return notes: how many steps were not recorded, and whether the run was stopped."""
    notes = [f"{MORE} and {run.left_out:,} more steps were not recorded"] * (run.left_out > 0)
    return [*notes, *([ENDINGS[run.state]] if run.state in ENDINGS else [])]


def call_line(run: RecordedRun, number: int) -> str:
    """Return a call in one line: its name, its arguments, and its result."""
    call, end = run.calls[number], run.result(number)
    if number == 0:
        return exception_text(run.error) if run.error else code_of(run.value)
    call_text = f"{call.name}({', '.join(code_of(each) for _, each in call.args)})"
    if end is None:
        return f"{call_text} did not return"
    if isinstance(end.value, Recur):
        return f"{call_text} continues with {bits_text(next_round(call, end.value))}"
    return (
        f"{call_text} raises {exception_text(end.value)}"
        if end.kind is Kind.RAISES
        else f"{call_text} returns {code_of(end.value)}"
    )
