"""The sealed exams that an answer can be checked with here, or the reason why there is none."""

from __future__ import annotations

from course.exam.sealed import SealedPaper
from course.kernel import catalogue
from course.kernel.notebook import IN_A_BROWSER
from course.learner.answer import Answer

OTHER_VERSION = "the exam and this notebook are of different versions. " + (
    "Rename your notebook under *All files*, then this page shows the version of this site again"
    if IN_A_BROWSER
    else "Install the wheel of its kit"
)


def sealed_exams_of(answer: Answer) -> dict[str, SealedPaper]:
    """Return the sealed exams of an answer's unit, by exercise.

    There are none if the exams were made for another version of the statements than the notebook has, or than is
    installed.
    """
    exam, stated = catalogue.sealed(answer.unit), answer.unit_stated.version
    own = answer.book.metadata.get("version", stated) if answer.book else stated
    return exam.papers if exam.version is None or {exam.version} == {stated, own} else {}


def only_examples_text(answer: Answer) -> str:
    """Return the reason why only the visible examples were checked."""
    is_taught, full = bool(answer.space.settings), _full_exam()
    if answer.judging.several:
        judge = "your teacher's autograder" if is_taught else full
        return f"several answers are right here, so only {judge} can judge yours"
    if catalogue.sealed(answer.unit).papers and not sealed_exams_of(answer):
        return f"only the visible examples were checked, because {OTHER_VERSION}"
    if is_taught:
        return "only the visible examples were checked here: your teacher has the whole exam"
    return f"only the visible examples were checked: the whole exam comes with {full}"


def _full_exam() -> str:
    """Return words for the program that has the full exam: the autograder, and where to get it or where it runs."""
    if not catalogue.examiner():
        return "the autograder, which is not installed here"
    return "the autograder" if catalogue.has_full_exams() else "the autograder on Linux, macOS or WSL"
