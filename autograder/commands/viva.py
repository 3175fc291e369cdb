"""`foldem viva`: a page for an oral check, with questions about a student's own answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random

from autograder.classroom.oral import oral_page
from autograder.commands.chosen import chosen_catalogue
from autograder.commands.options import VivaOptions
from autograder.commands.report import graded_submission, store_of
from autograder.config import ConfigError
from autograder.grading.oral import open_oral_sandbox, plain_part, questions_in_sandbox
from autograder.report.model import PASSED, Graded
from autograder.submission.model import Submission
from autograder.term.course import Course, read_course
from autograder.term.files import write_atomically
from autograder.term.view import class_of
from autograder.term.where import course_in
from autograder.text import shown_name
from course.viva import CodeQuestion, has_choices

QUESTIONS_ON_A_PAGE, MOST_ANSWERS = 5, 8
FORGEABLE = "not asked about, because such code could forge questions: {}"
Passed = tuple[Submission, list[str], list[str]]


def run(options: VivaOptions) -> Iterator[str]:
    """Write the page. Raises ConfigError if nothing can be asked."""
    course = read_course(options.folder, chosen_catalogue(options.pack, options.folder))
    name = shown_name(options.student)
    passed = list(_passed(course, options))
    if not passed:
        raise ConfigError(
            f"there is no graded hand-in of {name}: run `foldem grade` first, and use the id in roster.csv"
        )
    by_answer = (_drawn_questions(course, part, names, options.student) for part, names, _ in passed)
    questions = chosen_questions([list(each) for each in chain.from_iterable(by_answer)])
    if left := [each for *_, names in passed for each in names]:
        yield f"note   {FORGEABLE.format(', '.join(left))}"
    if not questions:
        raise ConfigError(f"no right answer of {name} has a branch or a recursion to ask about")
    path = options.out or course.start / "viva.html"
    write_atomically(path, oral_page(options.student, questions))
    yield f"wrote  {path}"


def chosen_questions(by_answer: list[list[CodeQuestion]]) -> list[CodeQuestion]:
    """Return one question about each answer, then a second one, and so on, of many kinds."""
    chosen: list[CodeQuestion] = []
    for questions in [each for _ in range(QUESTIONS_ON_A_PAGE) for each in by_answer]:
        if questions and len(chosen) < QUESTIONS_ON_A_PAGE:
            kinds = [each.kind for each in chosen]
            chosen.append(min(questions, key=lambda each: kinds.count(each.kind)))
            questions.remove(chosen[-1])
    return chosen


def _passed(course: Course, options: VivaOptions) -> Iterator[Passed]:
    """Yield the hand-ins of the student that count, with the right answers that can be asked about, and the others.

    The others are not plain. What runs is only the plain part of a hand-in.
    """
    store = course.store(options.store) if options.store else store_of(course, None)
    name = course_in(store, course.root)
    known = class_of(store, name, course.all_adjustments)
    for entry in filter(known.counts, store.entries(name)):
        report = known.shown(entry).report
        if entry.student == options.student and isinstance(report, Graded):
            path = (course.root or course.start) / entry.place
            if submission := graded_submission(path, entry, course.catalogue):
                right = {each.name for each in report.exercises if each.state == PASSED}
                part = plain_part(submission)
                able = [name for name in submission.answers if name in right and _has_choices(submission, name)]
                asked = [name for name in able if name in part.answers]
                yield part, asked, [name for name in able if name not in asked]


def _has_choices(submission: Submission, name: str) -> bool:
    return has_choices(submission.answers[name].source, name)


def _drawn_questions(
    course: Course, submission: Submission, names: list[str], seed: str
) -> Iterator[tuple[CodeQuestion, ...]]:
    """Yield the questions on some answers of a hand-in, drawn by the student's id."""
    drawn = Random(f"{seed} {submission.unit.name}").sample(names, min(MOST_ANSWERS, len(names)))
    with open_oral_sandbox(submission, course.policy) as sandbox:
        yield from questions_in_sandbox(sandbox, submission, drawn, seed)
