"""`foldem viva`: a page for an oral check, with questions about a student's own answers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from autograder.classroom.oral import oral_page
from autograder.commands.chosen import chosen_catalogue
from autograder.commands.options import VivaOptions
from autograder.commands.report import graded_submission, store_of
from autograder.config import ConfigError
from autograder.grading.oral import open_oral_sandbox, plain_part, questions_in_sandbox
from autograder.report.model import PASSED, Ungradable
from autograder.report.words import stop_text
from autograder.submission.model import Submission
from autograder.term.course import Course, read_course
from autograder.term.files import write_atomically
from autograder.term.store import course_in
from autograder.term.view import class_of, student_label
from autograder.text import shown_name
from course.viva import CodeQuestion, has_choices

QUESTIONS_ON_A_PAGE, ANSWERS_ON_A_PAGE = 5, 8
NO_HAND_IN = "there is no graded submission of {}: run `foldem grade` first, and use the id in roster.csv"
UNGRADABLE = "the submission of {} could not be graded: {}"
HAND_IN_CHANGED = "the submission of {} is missing, or has changed since it was graded: run `foldem grade` again"
NO_RIGHT_ANSWER = "no answer of {} is right yet, so there is no code to ask about"
NONE_TO_ASK = (
    "the right answers of {} have no questions: they have no branch or loop, too few published calls that run, "
    "or code that could forge questions"
)
Passed: TypeAlias = tuple[Submission, list[str]]
Made: TypeAlias = tuple[str, tuple[CodeQuestion, ...]]


def run(options: VivaOptions) -> Iterator[str]:
    """Write the page. Raises ConfigError if nothing can be asked."""
    course = read_course(options.folder, chosen_catalogue(options.pack, options.folder))
    student, hand_ins = shown_name(options.student), list(_hand_ins(course, options))
    passed = [each for each in hand_ins if isinstance(each, tuple)]
    if not any(names for _, names in passed):
        ungradable = next((each for each in hand_ins if isinstance(each, Ungradable)), None)
        if not hand_ins:
            raise ConfigError(NO_HAND_IN.format(student))
        if passed:
            raise ConfigError(NO_RIGHT_ANSWER.format(student))
        raise ConfigError(
            UNGRADABLE.format(student, stop_text(ungradable.reason)) if ungradable else HAND_IN_CHANGED.format(student)
        )
    made = [each for hand_in in passed for each in _drawn_questions(course, *hand_in, options.student)]
    questions = chosen_questions([[*each] for _, each in made])
    forgeable = ", ".join(f"`{name}`" for name, each in made if not each)
    if not questions:
        raise ConfigError(NONE_TO_ASK.format(student))
    if forgeable:
        yield f"note   not asked about {forgeable}: too few published calls run, or its code could forge questions"
    path = options.out or course.start / "viva.html"
    write_atomically(path, oral_page(student_label(options.student, course.roster), questions))
    yield f"wrote  {path}"


def chosen_questions(by_answer: list[list[CodeQuestion]]) -> list[CodeQuestion]:
    """Return questions of many kinds, with short calls: one on each answer, then a second one on each, and so on."""
    chosen: list[CodeQuestion] = []
    for questions in [each for _ in range(QUESTIONS_ON_A_PAGE) for each in by_answer]:
        if questions and len(chosen) < QUESTIONS_ON_A_PAGE:
            kinds = [each.kind for each in chosen]
            chosen.append(min(questions, key=lambda each: (kinds.count(each.kind), len("".join(each.calls)))))
            questions.remove(chosen[-1])
    return chosen


def _hand_ins(course: Course, options: VivaOptions) -> Iterator[Passed | Ungradable | None]:
    """Yield the submissions of the student that count, with the names of the right answers.

    The result is a report if a submission could not be graded, and None if it is missing or has changed since.
    """
    store = store_of(course, options.store)
    name = course_in(store, course.root)
    known = class_of(store, name, course.all_adjustments)
    for entry in filter(known.counts, store.entries(name)):
        if entry.student != options.student:
            continue
        report = known.shown(entry).report
        path = (course.root or course.start) / entry.place
        if isinstance(report, Ungradable):
            yield report
        elif submission := graded_submission(path, entry, course.catalogue):
            right = {each.name for each in report.exercises if each.state == PASSED}
            yield submission, [name for name in submission.answers if name in right]
        else:
            yield None


def _drawn_questions(course: Course, submission: Submission, right: list[str], seed: str) -> Iterator[Made]:
    """Yield questions on some answers of a submission. The student's id is the seed of the choice."""
    part, able = plain_part(submission), [name for name in right if has_choices(submission.answers[name].source, name)]
    names = [name for name in able if name in part.answers]
    drawn = Random(f"{seed} {submission.unit.name}").sample(names, min(ANSWERS_ON_A_PAGE, len(names)))
    yield from ((name, ()) for name in able if name not in names)
    if not drawn:
        return
    with open_oral_sandbox(part, course.policy) as sandbox:
        yield from zip(drawn, questions_in_sandbox(sandbox, part, drawn, seed), strict=True)
