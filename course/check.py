"""Functions for notebook cells: `check`, `hint`, `borrow`, `solution`, `progress`, `predict`, `catch`, `viva` and more.

An installed autograder runs the complete exam. The autograder is found by an entry point, so this module does not
import it. Without an autograder, the visible examples are run and, in a kit, the sealed exam. Under nbgrader's
`autograde`, `check` returns the mark and raises nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace

from course.kernel import catalogue, history, limits, notebook
from course.kernel.borrowed import may_borrow, show_unwritten_as_one_line
from course.kernel.notebook import NotRight, is_interactive
from course.kernel.workspace import workspace_of
from course.learner.answer import Answer, answer_to, name_of_exercise
from course.learner.checking import check_answer
from course.learner.hints import borrow, hint, solution
from course.learner.impostors import catch, example, offer_examples
from course.learner.predicting import VIVA_OFFER, offer_viva_questions, predict, viva
from course.learner.progress import (
    call_map,
    certificate,
    link_to_next_exercise,
    progress,
    redraw_progress,
    store_result,
    unit_progress,
    with_next_steps,
    workspace_for,
)
from course.show.results import BAD, GOOD, DisplayedText, Result

__all__ = [
    "NotRight",
    "borrow",
    "call_map",
    "catch",
    "certificate",
    "check",
    "example",
    "hint",
    "open_game",
    "predict",
    "progress",
    "share",
    "solution",
    "today",
    "viva",
]

RUN_IT_FIRST = "if you have changed your answer, run its cell (Shift-Enter) and check again."
NESTED_CHECK = "call `check` in another cell: a function cannot check itself"
# For each exercise, the number of the newest cell at the last check that was not right.
_newest_cell_when_wrong: dict[tuple[str, str], int] = {}
_is_checking: ContextVar[bool] = ContextVar("is_checking", default=False)


class Mark(float):
    """A mark, whose text is only its number, because nbgrader reads this text."""

    def __repr__(self) -> str:
        return f"{self:g}"


def check(name: str | Callable[..., object]) -> Result | Mark | None:
    """Check the exercise `name` as it is in the notebook, and show the result. `name` can also be the function itself.

    Raises NotRight if the answer is not right. In Jupyter, nothing is raised, so that the next cells can run. Under
    nbgrader's `autograde`, the mark is returned and nothing is raised.
    """
    if notebook.nbgrader_step() == "autograde":
        return _grade(name_of_exercise(name))
    answer = answer_to(name)
    if _is_checking.get():
        raise NotRight(NESTED_CHECK)
    token = _is_checking.set(True)
    try:
        with limits.rare_garbage_collection():
            if not notebook.nbgrader_step():
                result = _check_and_store(answer)
            elif full := catalogue.examiner():  # nbgrader's other steps judge the saved notebook
                result = full.grade_file(os.getcwd(), answer.name)[1]
            else:
                result = check_answer(answer, None, catalogue.reference_provider() is not None)
    except KeyboardInterrupt:
        raise NotRight(f"{answer.name}: the check was interrupted") from None
    finally:
        _is_checking.reset(token)
    if result.state == GOOD:
        return None if result.offer and offer_viva_questions(answer, result) else result  # a button is shown with it
    notebook.show(result)
    if not notebook.nbgrader_step():
        if result.state == BAD:
            from course.learner.offering import offer_to_watch  # imported only here, because few checks need it

            offer_to_watch(answer, result)
        offer_examples(answer)
        if notebook.running_kernel():
            return None  # the result says it all: an exception would repeat it in a red strip
    raise NotRight(f"{result.name} {'is not right yet' if result.state == BAD else 'was not checked'}") from None


def _grade(name: str) -> Mark:
    full = catalogue.examiner()
    if full is None:
        raise RuntimeError(
            "nothing can be graded: this notebook's Python has no autograder. Install Foldem for this Python"
        )
    points, result = full.grade_file(os.getcwd(), name)
    notebook.show(result)
    return Mark(points)


def _check_and_store(answer: Answer) -> Result:
    """Return the result according to the cells run so far, with the progress in the notebook. Store the result, too."""
    result = check_answer(answer, catalogue.examiner(), catalogue.reference_provider() is not None)
    newest = max((run.number for run in answer.space.runs if run.binds.difference(__all__)), default=0)
    is_again = newest == _newest_cell_when_wrong.pop((answer.unit, answer.name), None)
    if result.state == BAD:
        _newest_cell_when_wrong[answer.unit, answer.name] = newest
        if is_again:  # no cell has defined anything since the last check, which was not right either
            result = replace(
                result, headline=f"{RUN_IT_FIRST} If you changed nothing, the result is the same: {result.headline}"
            )
    entries = store_result(answer, result)
    part = unit_progress(answer.space, answer.unit, entries)
    kernel = notebook.running_kernel()
    if kernel:
        redraw_progress(part)
    fails = entries[answer.name].fails if answer.name in entries else 0
    offered = replace(result, offer=_offer_text(answer, result, fails), done=part.solved_count, total=len(part.states))
    return with_next_steps(answer, offered, part) if result.state == GOOD and kernel else offered


def _offer_text(answer: Answer, result: Result, fails: int) -> str:
    """Return what is offered below a result: help if the answer is not right, questions about it if it is right.

    Questions are offered only where a person can answer them.
    """
    if result.state == GOOD:
        # Imported only here, because nobody is asked where nobody can answer.
        from course.viva import has_branches_or_loops

        can_ask = is_interactive() and has_branches_or_loops(answer.source, answer.name)
        return f'{VIVA_OFFER} `viva("{answer.name}")`' if can_ask else ""
    if result.state != BAD:
        return ""
    offers = [f'`hint("{answer.name}")`'] if answer.space.is_allowed("hints") else []
    if fails > 1 and may_borrow(answer.names):
        offers.append(f'`borrow("{answer.name}")`')
    return f"Stuck? {' or '.join(offers)}" if offers else ""


def today() -> None:
    """Ask a few questions about passed exercises. A day's questions take about five minutes."""
    space = workspace_for(None, is_needed=False)
    if space is not None:
        from course.learner.practising import practice_for_today, show_practice  # imported only here: few cells need it

        show_practice(practice_for_today(space))


def open_game(unit: str = "") -> object:
    """Return the table of a unit's game. The reference solutions replace functions that are not written yet.

    Without `unit`, return the table of this notebook's unit. If no references are installed, a recorded game is shown.
    """
    if notebook.nbgrader_step():
        return None
    from course.tables.shared import table_of_unit_game  # imported only here, because few cells need it

    names = notebook.namespace(1)
    table = table_of_unit_game(names, unit)
    notebook.show(link_to_next_exercise("Next", unit_progress(workspace_of(names), table.game.unit)))
    return table


def share(unit: str, name: str = "", site: str = "") -> DisplayedText | None:
    """Show a link with which anybody can play a unit's game with your functions. `name` is shown as the author's name.

    `site` is the address of a website of the course. `site` is needed only if the notebook is not open on a website of
    the course, and the course's settings name no website.
    """
    if notebook.nbgrader_step():
        return None
    from course.tables.shared import displayed_link  # imported only here, because few cells need it

    return displayed_link(notebook.namespace(1), unit, name, site)


def watch_cell(line: str, cell: str) -> object:
    """Show the run of the code below `%%watch`, step by step."""
    from course.watch.watching import viewer_of_code

    return viewer_of_code(cell, notebook.namespace(0))


if notebook.shell():
    history.recorded_run_ends()
    notebook.shell().register_magic_function(watch_cell, "cell", "watch")
    show_unwritten_as_one_line()
    if notebook.IN_A_BROWSER:  # outside a browser, a button interrupts the kernel
        limits.limit_cell_time(notebook.shell())
