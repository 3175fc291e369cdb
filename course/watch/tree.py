"""The calls of a run as rows, folded where they are many or deep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from course.functional import Recur
from course.show.bits import MORE, Bit
from course.values import value
from course.watch.marking import EXPECTED
from course.watch.run import Kind, RecordedCall, RecordedRun, Whose
from course.watch.said import asked, next_round, plain, shown

ALL_OPEN, MOST_ROWS = 60, 300
FIRST_SEEN, LAST_SEEN, SEEN_AROUND = 4, 3, 2
SHALLOW, TOP_SEEN, BOTTOM_SEEN = 14, 4, 6
TreeRow = dict[str, Any]


@value
class Folded:
    """Which calls were folded or unfolded by hand, whose calls are all to be seen, and whether deep paths are."""

    turned: frozenset[int] = frozenset()
    whole: frozenset[int] = frozenset()
    deep: bool = False


def rows(run: RecordedRun, number: int, folding: Folded, marks: dict[int, str], answers: bool) -> list[TreeRow]:
    """Return the rows of the calls, seen at an event; with `answers`, those that are still ahead show theirs, too."""
    here = run.events[number].call
    drawn = _Rows(run, number, run.path(here) if here >= run.top else (run.top,), folding, marks)
    drawn.answers = answers or number == run.steps[-1]
    found: list[TreeRow] = []
    for row in drawn.of(run.top, 0):
        if len(found) == MOST_ROWS:
            return [*found, {"d": 1, "b": plain(f"{MORE} there are more calls. Fold some of them to see these.")}]
        found.append(row)
    return found


class _Rows:
    """Makes the rows, as far as they are asked for."""

    def __init__(
        self, run: RecordedRun, number: int, path: tuple[int, ...], folding: Folded, marks: dict[int, str]
    ) -> None:
        self.run, self.number, self.path, self.folding, self.marks = run, number, path, folding, marks
        self.answers = False
        self.on_path = frozenset(path)
        is_deep = len(path) > SHALLOW and not folding.deep
        self.hidden = frozenset(path[TOP_SEEN:-BOTTOM_SEEN]) if is_deep else frozenset()

    def is_open(self, call: int) -> bool:
        """Return whether what a call has called is seen."""
        by_itself = len(self.run.calls) <= ALL_OPEN or call in self.on_path or call == self.run.top
        return by_itself != (call in self.folding.turned)

    def of(self, call: int, depth: int) -> Iterator[TreeRow]:
        """Yield the row of a call and of those in it."""
        made = self.run.children[call]
        if call not in self.hidden:
            yield self._row(call, depth, bool(made))
        elif call == self.path[TOP_SEEN]:
            text = f"{MORE} {len(self.hidden)} calls, each within the one before"
            yield {"d": depth, "b": plain(text), "do": ["deep"]}
        if made and (self.is_open(call) or call in self.hidden):
            deeper = depth + (call not in self.hidden)
            yield from self._several(call, [each for each in made if self._is_seen(call, each)], deeper)

    def _is_seen(self, call: int, made: int) -> bool:
        return call not in self.hidden or made in self.on_path

    def _several(self, call: int, made: list[int], depth: int) -> Iterator[TreeRow]:
        gap = 0
        for place, each in enumerate(made):
            if self._is_kept(call, made, place):
                yield from self._gap(call, gap, depth)
                gap = 0
                yield from self.of(each, depth)
            else:
                gap += 1
        yield from self._gap(call, gap, depth)

    def _is_kept(self, call: int, made: list[int], place: int) -> bool:
        """Return whether one of several calls is seen: the first, the last, and those around the one looked at."""
        if call in self.folding.whole or len(made) <= FIRST_SEEN + LAST_SEEN + SEEN_AROUND:
            return True
        near = any(each in self.on_path for each in made[max(place - SEEN_AROUND, 0) : place + SEEN_AROUND + 1])
        return place < FIRST_SEEN or place >= len(made) - LAST_SEEN or near or made[place] in self.marks

    def _gap(self, call: int, count: int, depth: int) -> Iterator[TreeRow]:
        if count:
            text = f"{MORE} {count:,} more call{'s' * (count > 1)}"
            yield {"d": depth, "b": plain(text), "do": ["whole", call]}

    def _row(self, call: int, depth: int, has_more: bool) -> TreeRow:
        made = self.run.calls[call]
        row: TreeRow = {"k": call, "d": depth, "b": called(self.run, made), "s": self._state(made)}
        is_over = self.answers or 0 <= made.end <= self.number
        row |= {"r": came_back(self.run, made) if is_over else plain("?")}
        row |= {"o": self.is_open(call)} if has_more else {}
        is_told = call in self.marks and (is_over or not self.marks[call].startswith(EXPECTED))
        row |= {"m": self.marks[call]} if is_told else {}
        return row | ({"here": True} if call == self.path[-1] else {})

    def _state(self, call: RecordedCall) -> str:
        given = " given" * (call.kind is Whose.GIVEN)
        if call.begin > self.number:
            return f"ahead{given}"
        if call.end < 0 or call.end > self.number:
            return f"going{given}"
        return f"{'raised' if self.run.events[call.end].kind is Kind.RAISES else 'done'}{given}"


def called(run: RecordedRun, call: RecordedCall) -> tuple[Bit, ...]:
    """Return a call as its row begins with it."""
    return asked(call, 48) if call.number else plain(run.title or "all of it")


def came_back(run: RecordedRun, call: RecordedCall) -> tuple[Bit, ...]:
    """Return what came of a call."""
    end = run.result(call.number)
    if end is None:
        return shown(run.value) if call.number == 0 and run.error is None else plain("did not return")
    if isinstance(end.value, Recur):
        return (*plain("goes on with "), *next_round(call, end.value, 60))
    return (*plain("raises " if end.kind is Kind.RAISES else ""), *shown(end.value, 60))
