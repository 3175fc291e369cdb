"""Parsons puzzles: the first step of `hint`. The exam judges each order of lines, as it judges any answer.

Without widgets, the order is written as letters: `hint("flip", order="CAB")`. Nothing is stored or marked.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from dataclasses import dataclass, replace

from course.diagnoses import syntax_problem_of
from course.exam.puzzle import Puzzle
from course.kernel import catalogue, limits
from course.kernel.notebook import NotRight
from course.learner.answer import Answer, answer_among
from course.learner.checking import check_answer
from course.show.blocks import CodeExample, Element, Prose, as_html
from course.show.interactive import Interactive
from course.show.results import BAD, GOOD, Result, Shown, framed_elements

CELL = "<puzzle>"
TASK = "Put the lines in order. Leave out the wrong ones."
HEADLINES = {GOOD: "these lines are right", BAD: "these lines are not right yet"}
MOVE_FIRST = "Move lines to your answer first."
WITH_LETTERS = 'No lines to move here? Write their letters in your order: hint("{name}", order="{first}…")'
WRITE_IT = "Now write `{name}` yourself in its cell, and check it."


@dataclass(frozen=True, repr=False)
class ShownPuzzle(Interactive):
    """A puzzle for an answer, shown as a widget, or with instructions on how to solve it without one."""

    answer: Answer
    puzzle: Puzzle
    head: str = "?"

    def elements(self) -> Iterator[Element]:
        """Yield the task and the lines, each with its letter."""
        lines = (f"{letter}  {line}" for letter, line in self.puzzle.lettered.items())
        yield Prose(TASK, self.head)
        yield CodeExample("\n".join((*(f"   {line}" for line in self.puzzle.signature.splitlines()), *lines)))
        yield Prose(WITH_LETTERS.format(name=self.answer.name, first=[*self.puzzle.lettered][-1]), faint=True)

    def widget(self) -> object:
        """Return the puzzle with lines to move."""
        from course.learner.ordering import widget_that_orders  # imported here, because it needs anywidget

        def reply(order: str) -> str:
            if not order:
                return framed_elements((Prose(MOVE_FIRST),)).markup
            return result_of_order(self.answer, self.puzzle, order).html()

        return widget_that_orders(self.puzzle, reply)


def ordered(answer: Answer, puzzle: Puzzle, order: str) -> Shown:
    """Return the code of an order with its result. Raises NotRight if `order` is no order of the lines."""
    try:
        result = result_of_order(answer, puzzle, order)
    except ValueError as error:
        raise NotRight(str(error)) from None
    code = puzzle.assembled(puzzle.letters(order))
    return Shown(f"{code}\n\n{result.text()}", as_html((CodeExample(code),)) + result.html())


def result_of_order(answer: Answer, puzzle: Puzzle, order: str) -> Result:
    """Return the result of the lines in this order, without points or form.

    The lines are judged as if they were in another cell, after those that have been run. Raises ValueError if `order`
    is no order of the lines.
    """
    code = puzzle.assembled(puzzle.letters(order))
    if trouble := syntax_problem_of(code):
        says = f"Line {trouble.line} cannot come there: {trouble.says}."
        return Result(answer.name, BAD, HEADLINES[BAD], says=says)
    result = check_answer(_with_cell(answer, code), catalogue.examiner(), catalogue.references())
    says = WRITE_IT.format(name=answer.name) if result.state == GOOD else result.says
    return replace(result, headline=HEADLINES.get(result.state, result.headline), says=says, form=())


def _with_cell(answer: Answer, code: str) -> Answer:
    """Return the answer as it would be after running another cell with this code."""
    names = {**answer.names, "In": [*(answer.names.get("In") or [""]), code]}
    linecache.cache[CELL] = len(code), None, code.splitlines(keepends=True), CELL  # for messages that quote a line
    try:
        with limits.limited():
            exec(compile(code, CELL, "exec", dont_inherit=True), names)
    except (Exception, limits.TimeUp):
        names.pop(answer.name, None)  # the check says why
    return answer_among(names, answer.name, answer.unit)
