"""`foldem viva`: write a page for an oral check.

The questions are made in the sandbox, because the answers run there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

import msgspec

from autograder.classroom.page import oral_page
from autograder.commands.options import VivaOptions
from autograder.commands.report import graded_submission, store_at
from autograder.config import ConfigError, Policy
from autograder.exam.model import Exam
from autograder.exam.plan import plan_definitions, setup_for
from autograder.exam.sealing import practice_calls
from autograder.exam.store import exam_for
from autograder.grading.run import open_sandbox
from autograder.report.model import PASSED, Graded
from autograder.sandbox.host import ChildTooLoud, ChildTooSlow, Sandbox
from autograder.sandbox.inside.orders import LoadStep, Request, RequestedRun, packed_orders, packed_request
from autograder.submission.model import Submission
from autograder.submission.plain import find_refused_construct
from autograder.term.course import Course, chosen_catalogue, read_course
from autograder.term.files import write_atomically
from autograder.term.store import course_name_in
from autograder.term.view import class_facts_of, student_label
from autograder.text import shown_name
from course.exam.calls import Call, FacetRequest
from course.exam.observation import decoded_observation
from course.exam.readable import decode_strict_json, printable_text
from course.exam.wire import WireError
from course.viva import CHOICES, CodeQuestion, QuestionKind, has_branches_or_loops

MAKER, QUESTIONS_MADE = "foldem_viva", 12
QUESTION_MAKER_SOURCE = f"""
def {MAKER}(source, name, calls, seed):
    from course.viva import question_data
    return question_data(source, name, {MAKER}.__globals__, calls, seed, {QUESTIONS_MADE})
"""  # it uses no built-in name, since a student's function could be called `tuple`
QuestionData = tuple[QuestionKind, str, tuple[str, ...], tuple[str, ...], int, str]
QUESTIONS_ON_A_PAGE, ANSWERS_ON_A_PAGE = 5, 8
NO_QUESTION_MESSAGE = (
    "there is nothing to ask {}. Questions need a graded submission that has not changed since, and in it a right "
    "answer that has a branch or a loop, enough published calls that run, and no code that could forge questions"
)


def run(options: VivaOptions) -> Iterator[str]:
    """Write the page for an oral check. Raises ConfigError if there is no question to ask."""
    course = read_course(options.folder, chosen_catalogue(options.pack, options.folder))
    hand_ins, seed = _hand_ins(course, options), options.student
    questions = chosen_questions([[*each] for one in hand_ins for each in _drawn_questions(course, *one, seed)])
    if not questions:
        raise ConfigError(NO_QUESTION_MESSAGE.format(shown_name(options.student)))
    path = options.out or course.start / "viva.html"
    write_atomically(path, oral_page(student_label(options.student, course.roster), questions))
    yield f"wrote  {path}"


def chosen_questions(by_answer: list[list[CodeQuestion]]) -> list[CodeQuestion]:
    """Return questions of different kinds, preferably with short calls.

    Each answer gets a first question before any answer gets a second one. `by_answer` has a list of the possible
    questions about each answer.
    """
    chosen: list[CodeQuestion] = []
    for questions in [each for _ in range(QUESTIONS_ON_A_PAGE) for each in by_answer]:
        if questions and len(chosen) < QUESTIONS_ON_A_PAGE:
            kinds = [each.kind for each in chosen]
            chosen.append(min(questions, key=lambda each: (kinds.count(each.kind), len("".join(each.calls)))))
            questions.remove(chosen[-1])
    return chosen


def _hand_ins(course: Course, options: VivaOptions) -> Iterator[tuple[Submission, list[str]]]:
    """Yield the submissions from which the student's marks come, with the names of the right answers.

    Submissions that could not be graded, or have changed since they were graded, are left out.
    """
    store = store_at(course, options.store)
    name = course_name_in(store, course.root)
    known = class_facts_of(store, name, course.all_adjustments)
    for entry in filter(known.is_counting_file, store.results(name)):
        if entry.student == options.student and isinstance(report := known.shown_report(entry).report, Graded):
            submission = graded_submission((course.root or course.start) / entry.place, entry, course.catalogue)
            right = {each.name for each in report.exercises if each.state == PASSED}
            if submission:
                yield submission, [name for name in submission.answers if name in right]


def _drawn_questions(
    course: Course, submission: Submission, right: list[str], seed: str
) -> Iterator[tuple[CodeQuestion, ...]]:
    """Yield questions on some answers of a submission. The student's id is the seed of the choice."""
    part = without_unsafe_code(submission)
    names = [
        name for name in right if name in part.answers and has_branches_or_loops(submission.answers[name].source, name)
    ]
    drawn = Random(f"{seed} {submission.unit.name}").sample(names, min(ANSWERS_ON_A_PAGE, len(names)))
    if drawn:
        yield from questions_in_sandbox(part, drawn, seed, course.policy)


# ------------------------------------------------------------------------------------------------ in the sandbox


def without_unsafe_code(submission: Submission) -> Submission:
    """Return a submission with only its plain code, which can call functions, but cannot inspect them.

    Other code is left out, because it could forge questions.
    """
    sources = [each.source for each in submission.answers.values()] + [each.source for each in submission.statements]
    while match := find_refused_construct(sources, submission.unit.module):
        del sources[match[0]]
    answers = {each.name: each for each in submission.answers.values() if each.source in sources}
    plain = tuple(each for each in submission.statements if each.source in sources)
    return replace(submission, attempts=answers, statements=plain)


def questions_in_sandbox(
    submission: Submission, names: Iterable[str], seed: str, policy: Policy
) -> Iterator[tuple[CodeQuestion, ...]]:
    """Yield the questions about each of these answers. No reference solution runs, only the student's own functions.

    The sandbox sends data that must match a strict schema. Code that is not plain could still forge the texts in this
    data, so a page that shows the texts has to escape them.
    """
    exam = exam_for(submission.unit)
    answers = {name: attempt.source for name, attempt in submission.answers.items()}
    plan = plan_definitions(exam, answers, submission.helpers_for(answers.values()), (), references=frozenset())
    setup = setup_for(exam, [*plan, LoadStep("answer", MAKER, QUESTION_MAKER_SOURCE)], MAKER, None)
    with open_sandbox(submission.unit, policy, modules=("course.viva",)) as sandbox:
        for name in names:
            arguments = answers[name], name, practice_calls(submission.unit, name), seed
            call = Call("args", [[exam.wire.encode(each) for each in arguments]])
            orders = packed_orders([FacetRequest(MAKER, False, False, [call])])
            request = Request(exam.unit.module.__name__, [RequestedRun(setup, orders)])
            questions = list[CodeQuestion]()
            for made in _received_questions(sandbox, exam, request):
                kind, text, calls, choices, right, why = made
                if 0 <= right < len(choices) <= CHOICES:  # no page can contain half of a surrogate pair
                    parts = (
                        tuple(map(printable_text, calls)),
                        tuple(map(printable_text, choices)),
                        right,
                        printable_text(why),
                    )
                    about = answers[name], submission.unit.name, name
                    questions.append(CodeQuestion(kind, printable_text(text), *parts, *about))
            yield tuple(questions)


def _received_questions(sandbox: Sandbox, exam: Exam, request: Request) -> tuple[QuestionData, ...]:
    """Return the questions that the sandbox sends."""
    with sandbox.child() as child:
        child.send_last(packed_request(request))
        try:
            _, frame = child.receive(), child.receive()
            match decode_strict_json(frame or b""):
                case [tree]:
                    return msgspec.convert(decoded_observation(exam.wire, tree).value, tuple[QuestionData, ...])
        except (ChildTooSlow, ChildTooLoud, WireError, msgspec.ValidationError):
            pass
    return ()
