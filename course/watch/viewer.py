"""The viewer of a run: the current step and its view, as plain data. It is shown as a widget or as lines of text."""

from __future__ import annotations

from bisect import bisect_left
from html import escape
from itertools import groupby
from typing import Any

from course.functional import Recur
from course.kernel.notebook import bundle_with_widget, publish_with_widget
from course.show.bits import ELLIPSIS, DisplayPiece, exception_text, joined_text
from course.show.blocks import WRAPPED_CODE_STYLE
from course.show.pictures import html_until_widget, picture_keys_in, picture_kind, spoken
from course.watch.listing import (
    call_bits,
    code_bits,
    comprehension_item_lines,
    event_on_next_line,
    event_sentence,
    listed_lines,
    name_rows,
    next_call_bits,
    part_value_lines,
    prose_bits,
    value_bits,
)
from course.watch.rewriting import PaperLines
from course.watch.run import CallOwner, EventKind, RecordedCall, RecordedRun, RunMoment, RunState

AS_CALLS, ON_PAPER = "calls", "paper"
PRINTED_TAIL, CALL_LINES = 1_500, 200
RUN_WAS_STOPPED = "The run was stopped before it ended."
NEARBY_ROWS = 8
RunAction = list[object]
TreeRow = dict[str, object]
RunView = dict[str, object]


class Viewer:
    """A recorded run, and the part of it that the reader sees. `marks` maps wrong calls to expected results."""

    def __init__(self, run: RecordedRun, way: str = AS_CALLS, marks: dict[int, str] | None = None) -> None:
        self.run, self.marks, self.way, self.at = run, marks or {}, way, 0
        self.near, self.sheets = NEARBY_ROWS, PaperLines(run)
        self._widget: object = None

    # -------------------------------------------------------------------------------------------- actions

    def receive(self, action: RunAction) -> None:
        """Carry out the action of a click or a key."""
        here = self.run.steps[self.at]
        match action:
            case ["go", int(at)]:
                self._go_to_step(at)
            case ["by", int(way)]:
                self._go_to_step(
                    self._step_at_event(self.sheets.next_change(here, way)) if self.way == ON_PAPER else self.at + way
                )
            case ["line", int(way)]:
                self._go_to_step(self._step_at_event(event_on_next_line(self.run, here, way)))
            case ["call", int(call)] if 0 <= call < len(self.run.calls):
                begin, end = self.run.calls[call].begin, self.run.calls[call].end
                is_there = here == begin or (call == 0 and self.at == 0)  # then go to the end of the call
                self._go_to_step(self._step_at_event((end if end >= 0 else self.run.steps[-1]) if is_there else begin))
            case ["way", str(way)] if way in (AS_CALLS, ON_PAPER):
                self.way = way
            case ["whole"]:
                self.near *= 10

    def _go_to_step(self, at: int) -> None:
        self.at = max(0, min(at, len(self.run.steps) - 1))

    def _step_at_event(self, event: int) -> int:
        return bisect_left(self.run.steps, event)

    # -------------------------------------------------------------------------------------------- views

    def view(self) -> RunView:
        """Return the current view as plain data: rows of calls, lines of code, sentences."""
        moment = RunMoment(self.run, self.run.steps[self.at])
        words = event_sentence(moment)
        printed = "".join(
            event.value for event in self.run.events[: moment.number + 1] if event.kind is EventKind.PRINTED
        )
        view: RunView = {"at": self.at, "last": len(self.run.steps) - 1, "way": self.way, "title": self.run.title}
        view |= {"said": words, "spoken": joined_text(words), "left": missing_steps_notes(self.run)}
        view |= {"printed": printed if len(printed) <= PRINTED_TAIL else f"{ELLIPSIS}{printed[-PRINTED_TAIL:]}"}
        if self.way == AS_CALLS:
            view |= {"rows": call_rows(self, moment.number), "code": listed_lines(moment), "names": name_rows(moment)}
            view |= {"values": part_value_lines(moment), "rounds": comprehension_item_lines(moment)}
        else:
            lines: list[RunView] = [{"b": each.bits, "w": each.waiting} for each in self.sheets.lines(moment.number)]
            for line in lines[-1:]:
                line["now"] = True
            view |= {"paper": lines}
        shown = json_data_of_view(view)
        sizes = {key.partition(":")[0]: picture_kind(key).size_in_run for key in picture_keys_in(shown)}
        return shown | {"first_wrong": self._first_wrong_text, "sizes": sizes}

    @property
    def _first_wrong_text(self) -> str:
        """Return in one line which call is the first that fails, or ""."""
        lines = (
            f"{joined_text(call_bits(self.run.calls[call], 80))} is the first call that fails: expected {expected}"
            for call, expected in self.marks.items()
        )
        return next(lines, "")

    @property
    def static_view(self) -> dict[str, str]:
        """Return the view without a widget: the complete run as indented calls, or step by step as on paper."""
        lines = self.sheets.line_texts() if self.way == ON_PAPER else indented_calls(self.run)
        text = "\n".join(filter(None, [self._first_wrong_text, *lines]))
        return {"text/plain": text, "text/html": f'<div style="{WRAPPED_CODE_STYLE}">{escape(text)}</div>'}

    def widget(self) -> object:
        """Return the widget that shows the run. Raises ImportError if anywidget is not installed."""
        from course.watch.widget import widget_of_run

        self._widget = self._widget or widget_of_run(self)
        return self._widget

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        return bundle_with_widget(self.static_view, self.widget)

    def _ipython_display_(self) -> None:
        publish_with_widget(self._repr_mimebundle_(), html_until_widget(self.static_view["text/html"]))

    def __repr__(self) -> str:
        return self.static_view["text/plain"]


# ---------------------------------------------------------------------------------------------------- as data


def json_data_of_view(thing: object) -> Any:
    """Return a view as data for JSON. A `DisplayPiece` becomes its text, or a list of its text, look and picture."""
    match thing:
        case DisplayPiece(text, "", ""):
            return text
        case DisplayPiece(text, picture, look):
            return [text, look, picture, spoken(picture)] if picture else [text, look]
        case dict():
            return {name: json_data_of_view(each) for name, each in thing.items()}
        case tuple() | list():
            return [json_data_of_view(each) for each in thing]
    return thing


# ---------------------------------------------------------------------------------------------------- as rows


def call_rows(viewer: Viewer, number: int) -> list[TreeRow]:
    """Return a row for each call of a run, with the state of the call at an event.

    If there are too many calls, only rows near the beginning, the end, the current call, or a wrong call are shown.
    """
    run = viewer.run
    here = max(run.events[number].call, run.top_call)
    centers = (run.top_call, len(run.calls) - 1, here, *viewer.marks)
    depths, results = dict[int, int](), list[TreeRow]()

    def is_near(call: int) -> bool:
        return any(abs(call - center) <= viewer.near for center in centers)

    for is_shown, some in groupby(range(run.top_call, len(run.calls)), is_near):
        calls = [*some]
        depth = depths.get(run.calls[calls[0]].parent, -1) + 1
        if not is_shown:
            results.append({"d": depth, "b": prose_bits(f"{ELLIPSIS} {len(calls):,} more calls"), "do": ["whole"]})
        for call in calls:
            depths[call] = depths.get(run.calls[call].parent, -1) + is_shown
            if is_shown:
                results.append(_call_row(run, number, call, depths[call]) | ({"here": True} if call == here else {}))
    return results


def _call_row(run: RecordedRun, number: int, call: int, depth: int) -> TreeRow:
    """Return the row of a call, as seen at an event. Its result is hidden until the call is over."""
    made, is_last = run.calls[call], number == run.steps[-1]
    if made.begin > number:
        state = "ahead"
    elif made.end < 0 or made.end > number:
        state = "going"
    else:
        state = "raised" if run.events[made.end].kind is EventKind.RAISES else "done"
    state += " given" * (made.kind is CallOwner.GIVEN)
    head = call_bits(made, 48) if call else prose_bits(run.title or "the run")
    result = call_result_bits(run, made) if is_last or 0 <= made.end <= number else prose_bits("?")
    return {"k": call, "d": depth, "b": head, "s": state, "r": result}


def call_result_bits(run: RecordedRun, call: RecordedCall) -> tuple[DisplayPiece, ...]:
    """Return the text about a call's result in the row of the call."""
    end = run.end_event(call.number)
    if end is None and call.number == 0 and run.state is RunState.RAISED and run.error:
        return (*prose_bits("raises "), *code_bits(exception_text(run.error)))
    if end is None:
        return value_bits(run.value) if call.number == 0 and run.error is None else prose_bits("did not return")
    if isinstance(end.value, Recur):
        return (*prose_bits("continues with "), *next_call_bits(call, end.value, 60))
    if end.kind is EventKind.RAISES:
        return (*prose_bits("raises "), *code_bits(exception_text(end.value)))
    return value_bits(end.value, 60)


# ---------------------------------------------------------------------------------------------------- as text


def indented_calls(run: RecordedRun) -> list[str]:
    """Return the calls of a run as indented lines. If the run is long, only its beginning is shown."""
    lines, todo = list[str](), [(run.top_call, 0)]
    while todo and len(lines) < CALL_LINES:
        number, depth = todo.pop()
        call = run.calls[number]
        head = joined_text(call_bits(call)) if number else run.title or "the run"
        lines.append(f"{'  ' * depth}{head} → {joined_text(call_result_bits(run, call))}")
        todo += [(each, depth + 1) for each in reversed(run.calls_by_caller[number])]
    more = len(run.calls) - run.top_call - len(lines)
    return [*lines, *[f"{ELLIPSIS} {more:,} more calls are not shown"] * (more > 0), *missing_steps_notes(run)]


def missing_steps_notes(run: RecordedRun) -> list[str]:
    """Return notes that say how many steps were not recorded, and whether the run was stopped."""
    notes = [f"{ELLIPSIS} and {run.left_out:,} more steps were not recorded"] * (run.left_out > 0)
    return [*notes, *[RUN_WAS_STOPPED] * (run.state is RunState.STOPPED)]
