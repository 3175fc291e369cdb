"""Questions about a student's answers, for an oral check.

They are made in a sandbox, because making them runs the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import msgspec

from autograder.config import Policy
from autograder.exam.model import Exam
from autograder.exam.plan import planned, setup_for
from autograder.exam.sealing import practice_calls
from autograder.exam.store import exam_for
from autograder.grading.run import open_sandbox
from autograder.sandbox.host import ChildTooLoud, ChildTooSlow, Sandbox
from autograder.sandbox.inside.orders import Request, RequestedRun, Step, packed, packed_orders
from autograder.submission.model import Submission
from autograder.submission.plain import find_construct
from course.exam.calls import Call, FacetOrder
from course.exam.observation import observation
from course.exam.readable import printable, strict_json
from course.exam.wire import WireError
from course.viva.making import CHOICES, CodeQuestion, QuestionKind

MAKER, QUESTIONS_MADE = "foldem_viva", 12
MAKER_SOURCE = f"""
def {MAKER}(source, name, calls, seed):
    from course.viva.making import question_data
    return question_data(source, name, {MAKER}.__globals__, calls, seed, {QUESTIONS_MADE})
"""  # it uses no built-in name, since a student's function could be called `tuple`
QuestionData = tuple[QuestionKind, str, tuple[str, ...], tuple[str, ...], int, str]


def open_oral_sandbox(submission: Submission, policy: Policy) -> Sandbox:
    """Return a sandbox for a submission's answers. It can also import the module that makes questions."""
    return open_sandbox(submission.unit, policy, modules=("course.viva.making",))


def plain_part(submission: Submission) -> Submission:
    """Return a submission with only its plain code. Other code is left out, because it could forge questions."""
    sources = [each.source for each in submission.answers.values()] + [each.source for each in submission.statements]
    while match := find_construct(sources, submission.unit.module):
        del sources[match[0]]
    answers = {each.name: each for each in submission.answers.values() if each.source in sources}
    plain = tuple(each for each in submission.statements if each.source in sources)
    return replace(submission, attempts=answers, statements=plain)


def questions_in_sandbox(
    sandbox: Sandbox, submission: Submission, names: Iterable[str], seed: str
) -> Iterator[tuple[CodeQuestion, ...]]:
    """Yield the questions about each of these answers. Only the student's own functions run.

    The sandbox sends data that must match a strict schema. Code that is not plain could still forge the texts in it. So
    a page that shows them has to escape them.
    """
    exam = exam_for(submission.unit)
    answers = {name: attempt.source for name, attempt in submission.answers.items()}
    for name in names:
        plan = [
            *planned(exam, answers, submission.helpers_for(answers.values()), (), references=frozenset()),
            Step("answer", MAKER, MAKER_SOURCE),
        ]
        arguments = answers[name], name, practice_calls(submission.unit, name), seed
        call = Call("args", [[exam.wire.encode(each) for each in arguments]])
        orders = packed_orders([FacetOrder(MAKER, False, False, [call])])
        run = RequestedRun(setup_for(exam, plan, MAKER, None), orders)
        questions = list[CodeQuestion]()
        for made in _questions_sent(sandbox, exam, Request(exam.unit.module.__name__, [run])):
            kind, text, calls, choices, right, why = made
            if 0 <= right < len(choices) <= CHOICES:  # no page can contain half of a surrogate pair
                parts = tuple(map(printable, calls)), tuple(map(printable, choices)), right, printable(why)
                about = answers[name], submission.unit.name, name
                questions.append(CodeQuestion(kind, printable(text), *parts, *about))
        yield tuple(questions)


def _questions_sent(sandbox: Sandbox, exam: Exam, request: Request) -> tuple[QuestionData, ...]:
    """Return the questions that the sandbox sends."""
    with sandbox.child() as child:
        child.send_last(packed(request))
        try:
            _, frame = child.receive(), child.receive()
            match strict_json(frame or b""):
                case [tree]:
                    return msgspec.convert(observation(exam.wire, tree).value, tuple[QuestionData, ...])
        except (ChildTooSlow, ChildTooLoud, WireError, msgspec.ValidationError):
            pass
    return ()
