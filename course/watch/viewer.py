"""The viewer of a run: the current step and the view. It is shown as a widget or as a nested list."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from html import escape

from course.kernel.attended import bundle_with_widget, publish_with_widget
from course.show.bits import bits_text
from course.show.blocks import WRAPPED
from course.show.widgets import sizes_in, until_widget
from course.watch.listing import line_after, line_before
from course.watch.rewriting import PaperLines
from course.watch.run import Kind, RecordedRun
from course.watch.sentences import as_list, called_with
from course.watch.view import AS_CALLS, ON_PAPER, RunView, ViewState, run_view

RunAction = list[object]


class Viewer:
    """A recorded run and what the reader sees of it, with marks on its calls."""

    def __init__(self, run: RecordedRun, way: str = AS_CALLS, marks: dict[int, str] | None = None) -> None:
        self.run, self.marks = run, marks or {}
        self.sheets = PaperLines(run)
        self.looking = ViewState(way=way)
        self._widget: object = None

    # -------------------------------------------------------------------------------------------- actions

    def receive(self, action: RunAction) -> None:
        """Carry out the action of a click or a key."""
        match action:
            case ["go", int(at)]:
                self._go(at)
            case ["by", int(way)]:
                self._go(self._next_on_paper(way) if self.looking.way == ON_PAPER else self.looking.at + way)
            case ["over", int(way)]:
                self._go(self._over(way))
            case ["line", int(way)]:
                here = self.run.steps[self.looking.at]
                self._go_to(line_after(self.run, here) if way > 0 else line_before(self.run, here))
            case ["call", int(call)] if 0 <= call < len(self.run.calls):
                self._go_to_call(call)
            case ["way", str(way)] if way in (AS_CALLS, ON_PAPER):
                self.looking = replace(self.looking, way=way)
            case ["answers"]:
                self.looking = replace(self.looking, answers=not self.looking.answers)
            case _:
                self._fold(action)

    def _go(self, at: int) -> None:
        self.looking = replace(self.looking, at=max(0, min(at, len(self.run.steps) - 1)))

    def _go_to(self, event: int) -> None:
        self._go(bisect_left(self.run.steps, event))

    def _fold(self, action: RunAction) -> None:
        folding = self.looking.folding
        match action:
            case ["turn", int(call)]:
                folding = replace(folding, turned=folding.turned ^ {call})
            case ["whole", int(call)]:
                folding = replace(folding, unfolded=folding.unfolded | {call})
        self.looking = replace(self.looking, folding=folding)

    def _next_on_paper(self, way: int) -> int:
        """Return the next step at which the line on paper changes; the previous one if `way` is -1."""
        event = self.sheets.next(self.run.steps[self.looking.at], way)
        return bisect_left(self.run.steps, event) if event is not None else self.looking.at

    def _over(self, way: int) -> int:
        """Return the step after the call that begins here, or before the call that ends here; else the next step."""
        event = self.run.events[self.run.steps[self.looking.at]]
        call = self.run.calls[event.call]
        if way > 0 and event.kind is Kind.CALL and call.end >= 0:
            return bisect_left(self.run.steps, call.end)
        if way < 0 and event.kind in (Kind.GIVES, Kind.RAISES, Kind.CLOSES) and call.number:
            return bisect_left(self.run.steps, call.begin)
        return self.looking.at + way

    def _go_to_call(self, number: int) -> None:
        """Go to the start of a call; if it is shown already, go to its end."""
        call, here = self.run.calls[number], self.run.steps[self.looking.at]
        is_there = here == call.begin or (number == 0 and self.looking.at == 0)
        end = call.end if call.end >= 0 else self.run.steps[-1]
        self._go_to(end if is_there else call.begin)

    # -------------------------------------------------------------------------------------------- views

    def view(self) -> RunView:
        """Return the current view as plain data."""
        shown = run_view(self.run, self.looking, self.marks, self.sheets)
        return shown | {"first_wrong": self._first_wrong, "sizes": sizes_in(shown)}

    @property
    def _first_wrong(self) -> str:
        """Return in one line which call is the first with a wrong result, or ""."""
        for call, mark in self.marks.items():
            return f"{bits_text(called_with(self.run.calls[call], 80))} is the first call with a wrong result: {mark}"
        return ""

    @property
    def static_view(self) -> dict[str, str]:
        """Return the static version: the complete run as a nested list, or as lines on paper."""
        shown = self.sheets.as_lines() if self.looking.way == ON_PAPER else as_list(self.run)
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
