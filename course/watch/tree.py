"""The calls of a run as rows. If calls are many or nested deeply, some of them are folded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from course.diagnoses.compared import Span, differing_spans
from course.functional import Recur
from course.show.bits import MORE, Bit, bits_text, exception_text
from course.values import value
from course.watch.marking import EXPECTED
from course.watch.run import CallOwner, Kind, RecordedCall, RecordedRun
from course.watch.sentences import Bits, called_with, code_bits, next_round, plain, value_bits

ALL_OPEN, ROWS_SHOWN = 60, 300
FIRST_SHOWN, LAST_SHOWN, SHOWN_AROUND = 4, 3, 2
SHALLOW, TOP_SHOWN, BOTTOM_SHOWN = 14, 4, 6
DIFFERENT = "differs"
TreeRow = dict[str, object]


@value
class Folded:
    """The reader's choices: which calls are folded, and which show all calls in them."""

    turned: frozenset[int] = frozenset()
    unfolded: frozenset[int] = frozenset()


def rows(run: RecordedRun, number: int, folding: Folded, marks: dict[int, str], answers: bool) -> list[TreeRow]:
    """Return the rows of the calls, as seen at an event. With `answers`, future calls show their results, too."""
    here = run.events[number].call
    drawn = _Rows(run, number, run.path(here) if here >= run.top else (run.top,), folding, marks)
    drawn.answers = answers or number == run.steps[-1]
    results: list[TreeRow] = []
    for row in drawn.of(run.top, 0):
        if len(results) == ROWS_SHOWN:
            return [*results, {"d": 1, "b": plain(f"{MORE} there are more calls. Fold some of them to see these.")}]
        results.append(row)
    return results


class _Rows:
    """A lazy list of rows: each row is made when it is needed."""

    def __init__(
        self, run: RecordedRun, number: int, path: tuple[int, ...], folding: Folded, marks: dict[int, str]
    ) -> None:
        self.run, self.number, self.path, self.folding, self.marks = run, number, path, folding, marks
        self.answers = False
        self.on_path = frozenset(path)
        is_deep = len(path) > SHALLOW and path[TOP_SHOWN] not in folding.unfolded
        self.hidden = frozenset(path[TOP_SHOWN:-BOTTOM_SHOWN]) if is_deep else frozenset()

    def is_open(self, call: int) -> bool:
        """Return whether a call's inner calls are shown."""
        by_itself = len(self.run.calls) <= ALL_OPEN or call in self.on_path or call == self.run.top
        return by_itself != (call in self.folding.turned)

    def of(self, call: int, depth: int) -> Iterator[TreeRow]:
        """Yield the row of a call and of the calls in it."""
        made = self.run.children[call]
        if call not in self.hidden:
            yield self._row(call, depth, bool(made))
        elif call == self.path[TOP_SHOWN]:
            text = f"{MORE} {len(self.hidden)} calls, each within the one before"
            yield {"d": depth, "b": plain(text), "do": ["whole", call]}
        if made and (self.is_open(call) or call in self.hidden):
            deeper = depth + (call not in self.hidden)
            shown = [each for each in made if each in self.on_path] if call in self.hidden else list(made)
            yield from self._several(call, shown, deeper)

    def _several(self, call: int, made: list[int], depth: int) -> Iterator[TreeRow]:
        gap = 0
        for index, each in enumerate(made):
            if self._is_listed(call, made, index):
                yield from self._gap(call, gap, depth)
                gap = 0
                yield from self.of(each, depth)
            else:
                gap += 1
        yield from self._gap(call, gap, depth)

    def _is_listed(self, call: int, made: list[int], index: int) -> bool:
        """Return whether one of many calls is shown.

        The first call, the last call, marked calls, and calls near the current one are shown.
        """
        if call in self.folding.unfolded or len(made) <= FIRST_SHOWN + LAST_SHOWN + SHOWN_AROUND:
            return True
        near = any(each in self.on_path for each in made[max(index - SHOWN_AROUND, 0) : index + SHOWN_AROUND + 1])
        return index < FIRST_SHOWN or index >= len(made) - LAST_SHOWN or near or made[index] in self.marks

    def _gap(self, call: int, count: int, depth: int) -> Iterator[TreeRow]:
        if count:
            text = f"{MORE} {count:,} more call{'s' * (count > 1)}"
            yield {"d": depth, "b": plain(text), "do": ["whole", call]}

    def _row(self, call: int, depth: int, has_more: bool) -> TreeRow:
        made = self.run.calls[call]
        head = called_with(made, 48) if call else plain(self.run.title or "the run")
        row: TreeRow = {"k": call, "d": depth, "b": head, "s": self._state(made)}
        is_over = self.answers or 0 <= made.end <= self.number
        row |= {"r": call_result_row(self.run, made) if is_over else plain("?")}
        if call in self.marks and is_over:
            row["r"], row["m"] = _compared(self.run, made, self.marks[call])
        row |= {"o": self.is_open(call)} if has_more else {}
        return row | ({"here": True} if call == self.path[-1] else {})

    def _state(self, call: RecordedCall) -> str:
        given = " given" * (call.kind is CallOwner.GIVEN)
        if call.begin > self.number:
            return f"ahead{given}"
        if call.end < 0 or call.end > self.number:
            return f"going{given}"
        return f"{'raised' if self.run.events[call.end].kind is Kind.RAISES else 'done'}{given}"


def _compared(run: RecordedRun, call: RecordedCall, mark: str) -> tuple[Bits, Bits]:
    """Return the result of a wrong call and the expected one. Differences are marked, unless everything differs."""
    observed, wanted = call_result_row(run, call), code_bits(mark.removeprefix(EXPECTED))
    texts = bits_text(observed), bits_text(wanted)
    spans = differing_spans(*texts)
    if any([(0, len(text))] == parts for text, parts in zip(texts, spans, strict=True)):
        spans = [], []
    return (*_with_differences(observed, spans[0]),), (*plain(EXPECTED), *_with_differences(wanted, spans[1]))


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
