"""`foldem viva`: a page for an oral check, with questions about a student's own answers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from autograder.classroom.page import oral_page
from autograder.commands.options import VivaOptions
from autograder.commands.report import graded_submission, store_of
from autograder.config import ConfigError
from autograder.grading.oral import open_oral_sandbox, plain_part, questions_in_sandbox
from autograder.report.model import PASSED, Graded
from autograder.submission.model import Submission
from autograder.term.course import Course, chosen_catalogue, read_course
from autograder.term.files import write_atomically
from autograder.term.store import course_in
from autograder.term.view import class_of, student_label
from autograder.text import shown_name
from course.viva.making import CodeQuestion, has_choices

QUESTIONS_ON_A_PAGE, ANSWERS_ON_A_PAGE = 5, 8
NONE_TO_ASK = (
    "there is nothing to ask {}. That needs a submission that was graded and has not changed since, with a right "
    "answer that has a branch or a loop, enough published calls that run, and no code that could forge questions"
)


def run(options: VivaOptions) -> Iterator[str]:
    """Write the page for an oral check. Raises ConfigError if there is no question to ask."""
    course = read_course(options.folder, chosen_catalogue(options.pack, options.folder))
    hand_ins, seed = _hand_ins(course, options), options.student
    questions = chosen_questions([[*each] for one in hand_ins for each in _drawn_questions(course, *one, seed)])
    if not questions:
        raise ConfigError(NONE_TO_ASK.format(shown_name(options.student)))
    path = options.out or course.start / "viva.html"
    write_atomically(path, oral_page(student_label(options.student, course.roster), questions))
    yield f"wrote  {path}"


def chosen_questions(by_answer: list[list[CodeQuestion]]) -> list[CodeQuestion]:
    """Return questions of different kinds, preferably with short calls.

    Each answer gets a first question before any answer gets a second one. `by_answer` has the possible questions.
    """
    chosen: list[CodeQuestion] = []
    for questions in [each for _ in range(QUESTIONS_ON_A_PAGE) for each in by_answer]:
        if questions and len(chosen) < QUESTIONS_ON_A_PAGE:
            kinds = [each.kind for each in chosen]
            chosen.append(min(questions, key=lambda each: (kinds.count(each.kind), len("".join(each.calls)))))
            questions.remove(chosen[-1])
    return chosen


def _hand_ins(course: Course, options: VivaOptions) -> Iterator[tuple[Submission, list[str]]]:
    """Yield the submissions of the student that count, with the names of the right answers.

    Submissions that could not be graded, or have changed since, are left out.
    """
    store = store_of(course, options.store)
    name = course_in(store, course.root)
    known = class_of(store, name, course.all_adjustments)
    for entry in filter(known.counts, store.entries(name)):
        if entry.student == options.student and isinstance(report := known.shown(entry).report, Graded):
            submission = graded_submission((course.root or course.start) / entry.place, entry, course.catalogue)
            right = {each.name for each in report.exercises if each.state == PASSED}
            if submission:
                yield submission, [name for name in submission.answers if name in right]


def _drawn_questions(
    course: Course, submission: Submission, right: list[str], seed: str
) -> Iterator[tuple[CodeQuestion, ...]]:
    """Yield questions on some answers of a submission. The student's id is the seed of the choice."""
    part = plain_part(submission)
    names = [name for name in right if name in part.answers and has_choices(submission.answers[name].source, name)]
    drawn = Random(f"{seed} {submission.unit.name}").sample(names, min(ANSWERS_ON_A_PAGE, len(names)))
    if drawn:
        with open_oral_sandbox(part, course.policy) as sandbox:
            yield from questions_in_sandbox(sandbox, part, drawn, seed)
