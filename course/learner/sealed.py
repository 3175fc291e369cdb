"""Run the sealed exam of an exercise with the learner's own functions, in their kernel."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib import import_module

from course.diagnoses.beliefs import names_with_fixed_meaning
from course.kernel import catalogue
from course.kernel.notebook import IN_A_BROWSER
from course.learner.answer import Answer
from course.learner.practice import Practice, among_others, practise, with_examples
from course.learner.raised import own_line
from course.limits import SECONDS_PER_CALL

OTHER_VERSION = "the exam and this notebook are of different versions. " + (
    "Rename your notebook under *All files*, then this page shows its own version again"
    if IN_A_BROWSER
    else "Install the wheel of its kit"
)


def practise_sealed(answer: Answer) -> Practice | None:
    """Return the outcome of the sealed exam, or None if the exercise has none."""
    exam = catalogue.sealed(answer.unit)
    if answer.name not in exam.papers or is_of_another_version(answer):
        return None
    paper = with_examples(exam.papers[answer.name], answer.stated.examples)
    orders = {name: each.order for name, each in exam.papers.items() if each.order}
    line = partial(own_line, names=answer.names, exercise=answer.name)
    module = import_module(answer.requirements.module)
    practice = practise(paper, module, answer.names, answer.requirements.exercises, line, SECONDS_PER_CALL, orders)
    if practice.passed or all(_is_exact(answer, name) for name in paper.hung_on):
        return practice
    return among_others(practice)


def _is_exact(answer: Answer, name: str) -> bool:
    """Return whether another answer returns exactly what the reference returns, or is certainly wrong."""
    other = replace(answer.other(name), names=answer.names)
    if name in answer.names and other.judging.several:
        return False
    practice = practise_sealed(other) if name in answer.names else None
    return practice is None or practice.is_exact or not practice.passed


def is_of_another_version(answer: Answer) -> bool:
    """Return whether the sealed exam was made for other statements than the notebook's or the installed ones."""
    version = catalogue.sealed(answer.unit).version
    stated = catalogue.version_of(answer.unit_stated.exercises)
    own = answer.book.metadata.get("version", stated) if answer.book else stated
    return version is not None and {version} != {stated, own}


def shows_belief(answer: Answer, practice: Practice, number: int) -> bool:
    """Return whether the answer contains the construct that a known mistake is about."""
    given = names_with_fixed_meaning(import_module(answer.requirements.module), answer.requirements.exercises)
    return practice.paper.mistakes[number].about.is_in(answer.requirements, given, answer.source)


def only_examples_text(answer: Answer) -> str:
    """Return the reason why only the visible examples were checked."""
    is_taught, full = bool(answer.space.settings), _full_exam()
    if answer.judging.several:
        judge = "your teacher's autograder" if is_taught else full
        return f"several answers are right here, so only {judge} can judge yours"
    if is_of_another_version(answer):
        return f"only the visible examples were checked, because {OTHER_VERSION}"
    if is_taught:
        return "only the visible examples were checked here: your teacher has the whole exam"
    return f"only the visible examples were checked: the whole exam comes with {full}"


def _full_exam() -> str:
    """Return words for the program that has the full exam: the autograder, and where to get it or where it runs."""
    if not catalogue.examiner():
        return "the autograder, which is not installed here"
    return "the autograder" if catalogue.has_full_exams() else "the autograder on Linux, macOS or WSL"
