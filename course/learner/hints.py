"""Help for learners: `hint("flip")`, `borrow("flip")`, `solution("flip")`. A course may switch them off.

The first step of `hint` is a Parsons puzzle, if there is one. The exam judges each order of its lines like any other
answer, so the right order is not stored.
"""

from __future__ import annotations

import linecache
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from course.diagnoses import syntax_problem_of
from course.exam.sealed import Puzzle
from course.kernel import catalogue, limits, notebook
from course.kernel.borrowed import borrow_into
from course.kernel.notebook import NotRight
from course.learner.answer import Answer, answer_in_namespace, answer_to
from course.learner.checking import check_answer
from course.learner.impostors import has_known_wrong_answers
from course.learner.predicting import InteractiveDisplay
from course.learner.progress import current_state, stored_state, update_state
from course.roles import UNIT_FILE_NAME
from course.show.blocks import CodeExample, Element, Prose
from course.show.results import BAD, BORROWED, GOOD, DisplayedText, Result, framed_elements, framed_prose

FAILS_BEFORE_SOLUTION = 3
CATCH_SUGGESTION = 'You can also look for wrong answers: `catch("{name}")`'
PUZZLE_FILE_NAME = "<puzzle>"
PUZZLE_TASK = "Put the lines in order. Leave out the wrong lines."
PUZZLE_HEADLINES = {GOOD: "these lines are right", BAD: "these lines are not right yet"}
MOVE_LINES_FIRST = "Move lines to your answer first."
WRITE_IT_YOURSELF = "Now write `{name}` yourself in its cell, and check it."


@cache
def hints_of(unit: str) -> dict[str, tuple[str, ...]]:
    """Return a dict that maps each exercise of a unit to its hints."""
    text = catalogue.file_of(unit, f"{unit}/{UNIT_FILE_NAME}").read_text(encoding="utf-8")
    return {entry["name"]: tuple(entry.get("hints", ())) for entry in tomllib.loads(text)["exercise"]}


def hint(name: str) -> ShownPuzzle | DisplayedText | None:
    """Show the hints for the exercise `name` that were already shown, and the next hint.

    Hints in words never contain the answer.

    If the exercise has a puzzle, the puzzle is the first hint.
    """
    if notebook.nbgrader_step():
        return None
    answer = answer_to(name)
    has_hints = answer.space.is_allowed("hints")
    puzzle = catalogue.installed_puzzle(answer.unit, name) if has_hints and answer.space.is_allowed("puzzles") else None
    texts = hints_of(answer.unit).get(name, ()) if has_hints else ()
    count = len(texts) + (puzzle is not None)
    if not count:
        return framed_prose((f"There are no hints for `{name}` in this course. Work out the first example on paper.",))
    used = update_state(answer, lambda entry: replace(entry, hints=min(entry.hints + 1, count)))[name].hints
    head = f"Hint {used} of {count} for `{name}`:" if used < count else f"All {count} hints for `{name}`:"
    if puzzle and used == 1:
        return ShownPuzzle(answer, puzzle, head)
    lines = (f"{number}. {text}" for number, text in enumerate(texts[: used - (puzzle is not None)], 1))
    return framed_prose((head, *lines, *[CATCH_SUGGESTION.format(name=name)] * has_known_wrong_answers(answer)))


# ------------------------------------------------------------------------------------------------ puzzles


@dataclass(frozen=True, repr=False)
class ShownPuzzle(InteractiveDisplay):
    """A puzzle of an exercise. The puzzle is shown as a widget, or as text if widgets do not work."""

    answer: Answer
    puzzle: Puzzle
    head: str = "?"

    def elements(self) -> Iterator[Element]:
        """Yield the puzzle as text: the task, and the lines with their letters."""
        lines = (f"{letter}  {line}" for letter, line in self.puzzle.lettered_lines.items())
        yield Prose(PUZZLE_TASK, self.head)
        yield CodeExample("\n".join((*(f"   {line}" for line in self.puzzle.signature.splitlines()), *lines)))

    def widget(self) -> object:
        """Return the widget in which the lines can be moved."""
        from course.learner.asking import widget_of_puzzle  # imported here, because it needs anywidget

        def reply(order: str) -> str:
            if not order:
                return framed_elements((Prose(MOVE_LINES_FIRST),)).markup
            return result_of_order(self.answer, self.puzzle, order).html()

        return widget_of_puzzle(self.puzzle, reply)


def result_of_order(answer: Answer, puzzle: Puzzle, order: str) -> Result:
    """Check the lines of a puzzle in the order `order`. The returned result has no points and nothing about style.

    The lines are judged as if the learner had run them in a new cell.
    """
    code = puzzle.assembled_code(order)
    if trouble := syntax_problem_of(code):
        says = f"Line {trouble.line} cannot be in that position: {trouble.says}."
        return Result(answer.name, BAD, PUZZLE_HEADLINES[BAD], says=says)
    names = {**answer.names, "In": [*(answer.names.get("In") or [""]), code]}
    linecache.cache[PUZZLE_FILE_NAME] = len(code), None, code.splitlines(keepends=True), PUZZLE_FILE_NAME
    try:
        with limits.limited():
            exec(compile(code, PUZZLE_FILE_NAME, "exec", dont_inherit=True), names)
    except (Exception, limits.TimeUp):
        names.pop(answer.name, None)  # the check says why
    run = answer_in_namespace(names, answer.name, answer.unit)
    result = check_answer(run, catalogue.examiner(), catalogue.reference_provider() is not None)
    says = WRITE_IT_YOURSELF.format(name=answer.name) if result.state == GOOD else result.says
    return replace(result, headline=PUZZLE_HEADLINES.get(result.state, result.headline), says=says, form=())


# ------------------------------------------------------------------------------------------------ references


def borrow(name: str) -> None:
    """Assign the reference solution of an exercise to the exercise's name. A borrowed answer earns no points."""
    answer = answer_to(name)
    _reference_source(answer)
    borrow_into(answer.names, answer.unit, name)
    update_state(answer, lambda entry: replace(entry, borrowed=True))
    words = (
        f"`{name}` is now the reference solution, so functions that call `{name}` work. A borrowed answer earns no "
        "points."
    )
    notebook.show(framed_prose((words,), BORROWED))


def solution(name: str) -> DisplayedText:
    """Show the reference solution of the exercise `name` below the learner's own answer.

    The reference solution is shown only if the exercise is solved, or after three failed checks.
    """
    answer = answer_to(name)
    reference = _reference_source(answer)
    entry = stored_state(answer)
    if entry.fails >= FAILS_BEFORE_SOLUTION or current_state(answer.space, answer.unit, name, entry) == GOOD:
        own = answer.source or answer.saved_source or ""  # as saved if the cell was not run
        return framed_elements(
            (Prose("Yours:"), CodeExample(own), Prose("The reference solution:"), CodeExample(reference))
        )
    when = f"once `{name}` is right, or after {FAILS_BEFORE_SOLUTION} failed checks (so far: {entry.fails})"
    return framed_prose((f"You can see the solution {when}.",))


def _reference_source(answer: Answer) -> str:
    """Return a reference's source. Raises NotRight if references are not available or not allowed."""
    if notebook.nbgrader_step() or not answer.space.is_allowed("borrowing"):
        help = f'; hint("{answer.name}") may help' if answer.space.is_allowed("hints") else ""
        raise NotRight(f"reference solutions are not available in this course{help}")
    having = catalogue.reference_provider()
    if having is None:
        raise NotRight("reference solutions are not available: they come with the autograder, which is not installed")
    return str(having.reference(answer.unit, answer.name))
