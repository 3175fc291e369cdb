"""The calls of a run as rows. If calls are many or nested deeply, some of them are folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice, pairwise
from typing import Protocol

from course.diagnoses.compared import Span, differing_spans
from course.functional import Recur
from course.show.bits import MORE, Bit, bits_text, exception_text
from course.watch.run import CallOwner, Kind, RecordedCall, RecordedRun
from course.watch.sentences import Bits, called_with, code_bits, next_round, plain, value_bits

ALL_OPEN, ROWS_SHOWN = 60, 300
FIRST_SHOWN, LAST_SHOWN, SHOWN_AROUND = 4, 3, 2
SHALLOW, TOP_SHOWN, BOTTOM_SHOWN = 14, 4, 6
DIFFERENT = "differs"
TreeRow = dict[str, object]


class ViewedRun(Protocol):
    """What `Viewer` knows: a run, its wrong calls with their expected results, and the reader's choices."""

    run: RecordedRun
    marks: dict[int, str]
    turned: set[int]  # the calls that are folded, although they would be open, or the other way round
    unfolded: set[int]  # the calls that show all calls in them
    answers: bool  # whether calls that have not happened yet show their results


def rows(viewed: ViewedRun, number: int) -> list[TreeRow]:
    """Return the rows of the calls, as seen at an event."""
    run = viewed.run
    here = run.events[number].call
    drawn = _Rows(viewed, number, run.path(here) if here >= run.top else (run.top,))
    results = list(islice(drawn.of(run.top, 0), ROWS_SHOWN + 1))
    if len(results) > ROWS_SHOWN:
        results[-1] = {"d": 1, "b": plain(f"{MORE} there are more calls. Fold some of them to see these.")}
    return results


class _Rows:
    """A writer of rows: each row is made when it is needed."""

    def __init__(self, viewed: ViewedRun, number: int, path: tuple[int, ...]) -> None:
        self.run, self.viewed, self.number, self.path = viewed.run, viewed, number, path
        self.answers, self.on_path = viewed.answers or number == viewed.run.steps[-1], frozenset(path)
        is_deep = len(path) > SHALLOW and path[TOP_SHOWN] not in viewed.unfolded
        self.hidden = frozenset(path[TOP_SHOWN:-BOTTOM_SHOWN]) if is_deep else frozenset()

    def is_open(self, call: int) -> bool:
        """Return whether a call's inner calls are shown."""
        by_itself = len(self.run.calls) <= ALL_OPEN or call in self.on_path or call == self.run.top
        return by_itself != (call in self.viewed.turned)

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
        listed = (call in self.viewed.unfolded or self._is_listed(shown, index) for index in range(len(shown)))
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
        return index < FIRST_SHOWN or index >= len(made) - LAST_SHOWN or near or made[index] in self.viewed.marks

    def _row(self, call: int, depth: int) -> TreeRow:
        made, marks = self.run.calls[call], self.viewed.marks
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
