"""`today()`: a few questions a day on the ideas of passed exercises. Nothing is marked, and nothing leaves the machine.

The answers are lines of `.foldem/progress/today.jsonl`, so two kernels can add lines, and a broken line is skipped.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple, TypeAlias
from zlib import crc32

from course.kernel import notebook
from course.kernel.files import append_here, make_progress_folder, text_here
from course.kernel.workspace import Workspace
from course.learner.choices import PosedQuestion, choice_of, lettered, reply_elements
from course.learner.progress import load, progress_file, units_here
from course.learner.questions import IdeaQuestion, PractisedIdea, ideas_of, own_questions_in, questions_about_idea
from course.show.blocks import Element, Prose
from course.show.results import GOOD, Shown, framed_elements, prose

IdeaKey: TypeAlias = tuple[str, str]  # a unit and the name of one of its ideas

INTERVALS = 1, 2, 5, 10, 20  # days until the next question, after 0, 1, 2, … right answers in a row
IDEAS_A_DAY = 8


class IdeaReview(NamedTuple):
    """An answer to a question about an idea: the day, the idea, and whether the answer was right."""

    day: int
    unit: str
    idea: str
    is_right: bool


def due_day(reviews: Iterable[IdeaReview]) -> int:
    """Return the day on which an idea is due, from its reviews in order. Only the first answer of each day counts.

    >>> due_day([IdeaReview(9, "uno", "fold", True)]), due_day([IdeaReview(9, "uno", "fold", False)]), due_day([])
    (11, 10, 0)
    """
    level, last, due = 0, -1, 0
    for review in reviews:
        if review.day != last:
            level, last = min(level + 1, len(INTERVALS) - 1) if review.is_right else 0, review.day
            due = last + INTERVALS[level]
    return due


def due_days(reviews: Iterable[IdeaReview], ideas: Iterable[IdeaKey], day: int) -> dict[IdeaKey, int]:
    """Return the day on which each idea is due. Answers of `day` and later ones don't count."""
    earlier = defaultdict[IdeaKey, list[IdeaReview]](list)
    for review in reviews:
        if review.day < day:
            earlier[review.unit, review.idea].append(review)
    return {idea: due_day(earlier[idea]) for idea in ideas}


def plan_day(reviews: Iterable[IdeaReview], ideas: Iterable[IdeaKey], day: int) -> tuple[IdeaKey, ...]:
    """Return the ideas to practise on a day, at most `IDEAS_A_DAY`. Those that have been due longest come first.

    Answers that are given on that day don't change its plan.
    """
    due = due_days(reviews, ideas, day)
    return tuple(sorted((idea for idea in due if due[idea] <= day), key=due.__getitem__)[:IDEAS_A_DAY])


RIGHT, BACK_TOMORROW = "Correct.", "Not this time. This idea comes back tomorrow."
NOT_YET = "There is nothing to practise yet. Solve an exercise first, and `check` it."
IN_ONE_LINE = 'No buttons here? Answer all questions in one line: `today("{letters}", on="{stamp}"{trust})`'
NOT_OPEN = "These answers are for other questions, or you have given them already. They do not count."
# Answers that could not be saved, because their folder is not writable. They last as long as the kernel runs.
_unsaved: dict[Path, list[IdeaReview]] = {}


@dataclass(frozen=True)
class DailyPractice:
    """The open questions of a day, the number of answered ones, and the day of the next questions if none is open."""

    day: date
    folders: Mapping[IdeaKey, Path]  # where the answers to questions about an idea are saved
    open: tuple[tuple[IdeaKey, IdeaQuestion], ...]
    answered: int
    next_day: date | None

    def result(self, idea: IdeaKey, question: IdeaQuestion, letter: str) -> tuple[Element, ...]:
        """Save the answer to a question, and return the reply. A letter that is no choice is not saved."""
        index = choice_of(letter, question.choices)
        if index is None:
            return (Prose(f"Answer with a letter from A to {lettered(question.choices)[-1][0]}."),)
        is_right = index == question.right
        save_review(self.folders[idea], IdeaReview(self.day.toordinal(), *idea, is_right))
        comment = RIGHT if is_right else BACK_TOMORROW
        return reply_elements(is_right, comment, question.choices[question.right], question.why)

    @property
    def posed(self) -> tuple[PosedQuestion, ...]:
        """Return the open questions as they are shown."""
        return tuple(
            PosedQuestion(each.text, each.code, each.choices, partial(self.result, idea, each), number)
            for number, (idea, each) in enumerate(self.open, 1)
        )

    @property
    def stamp(self) -> str:
        """Return the day with a digest of the open questions. Letters with another stamp are not accepted."""
        return f"{self.day.isoformat()} {crc32(repr(self.open).encode()):08x}"

    @property
    def state(self) -> str:
        """Return one sentence about the day."""
        if self.open:
            return f"{len(self.open)} question{'s' * (len(self.open) > 1)} for today, about five minutes."
        if self.next_day is None:
            return NOT_YET
        done = "Done for today." if self.answered else "Nothing is due today."
        return f"{done} The next questions come on {self.next_day:%d %B}."


def practice_today(space: Workspace, trust: bool) -> DailyPractice:
    """Return the questions of today. They cover a folder and the folders in it, such as those of assignments."""
    below = sorted(path.parent.parent for path in space.folder.glob("*/.foldem/progress"))
    spaces = space, *(Workspace({}, folder) for folder in below if not folder.is_symlink())
    return practice_of(spaces, date.today(), own_questions_in(spaces, trust))


def practice_of(
    spaces: Sequence[Workspace], day: date, own: Callable[[str, str], Iterable[IdeaQuestion]]
) -> DailyPractice:
    """Return the questions of a day, from the exercises that were passed in these folders."""
    passed, number = _passed(spaces), day.toordinal()
    ideas = {(unit, idea.name): idea for unit in passed for idea in ideas_of(unit) if passed[unit].keys() & idea.used}
    folders = {key: next(passed[key[0]][name] for name in ideas[key].used if name in passed[key[0]]) for key in ideas}
    reviews = sorted((each for space in spaces for each in load_reviews(space.folder)), key=attrgetter("day"))
    done = {(each.unit, each.idea) for each in reviews if each.day == number}
    by_idea = dict[IdeaKey, IdeaQuestion]()
    for key in plan_day(reviews, ideas, number):
        others = {(question.text, question.code) for question in by_idea.values()}
        if questions := [*_questions(ideas[key], passed[key[0]], reviews, number, own)]:
            by_idea[key] = next((each for each in questions if (each.text, each.code) not in others), questions[0])
    shown = tuple((key, question) for key, question in by_idea.items() if key not in done)
    due = due_days(reviews, ideas, number + 1)
    next_day = date.fromordinal(max(number + 1, min(due.values()))) if due else None
    return DailyPractice(day, folders, shown, len(done), next_day)


def _passed(spaces: Iterable[Workspace]) -> dict[str, dict[str, Path]]:
    """Return the passed exercises of each unit, each with the folder in which it was passed."""
    passed = defaultdict[str, dict[str, Path]](dict)
    for space in spaces:
        for unit in units_here(space):
            for name, entry in load(space.folder, unit).items():
                if entry.state == GOOD and not entry.borrowed:
                    passed[unit].setdefault(name, space.folder)
    return passed


def _questions(
    idea: PractisedIdea,
    passed: Collection[str],
    reviews: Iterable[IdeaReview],
    day: int,
    own: Callable[[str, str], Iterable[IdeaQuestion]],
) -> Iterator[IdeaQuestion]:
    """Yield the questions about an idea. Each day of practice begins with another question, of another kind."""
    days = {each.day for each in reviews if (each.unit, each.idea) == (idea.unit, idea.name)}
    count = sum(each < day for each in days)
    questions = questions_about_idea(idea, passed, lambda name: own(idea.unit, name))
    start = crc32(f"{idea.unit} {idea.name}".encode()) + count
    for index in range(len(questions)):
        yield questions[(start + index) % len(questions)].shuffled(f"{idea.name} {count}")


# ------------------------------------------------------------------------------------------------ saved answers


def review_file(folder: Path) -> Path:
    """Return the file with a folder's answers."""
    return progress_file(folder, "today").with_suffix(".jsonl")


def load_reviews(folder: Path) -> tuple[IdeaReview, ...]:
    """Return the saved answers, in order; broken lines are skipped."""
    file = review_file(folder)
    try:
        lines = text_here(file, "replace").splitlines()
    except OSError:
        lines = []
    return (*(review for line in lines for review in _reviews_in(line)), *_unsaved.get(file, ()))


def _reviews_in(line: str) -> Iterator[IdeaReview]:
    with suppress(ValueError, RecursionError):
        match json.loads(line):
            case [int(day), str(unit), str(idea), bool(is_right)] if 0 < day <= date.max.toordinal() - 60:
                yield IdeaReview(day, unit, idea, is_right)


def save_review(folder: Path, review: IdeaReview) -> None:
    """Append an answer to the file. If the folder is not writable or a link, the kernel keeps the answer."""
    file = review_file(folder)
    try:
        make_progress_folder(file.parent)
        append_here(file, json.dumps(review))
    except OSError:
        _unsaved.setdefault(file, []).append(review)


# ------------------------------------------------------------------------------------------------ in a notebook


def show_practice(practice: DailyPractice, letters: str, on: str, trust: bool = False) -> Shown | None:
    """Show the questions of a day, or the replies if there are `letters` for the questions that are open now."""
    if letters and practice.open and on == practice.stamp:
        return framed_elements([*chain.from_iterable(map(PosedQuestion.answered, practice.posed, letters))])
    if letters:
        notebook.show(prose((NOT_OPEN,)))
    if not practice.open:
        return prose((practice.state,))
    notebook.show(prose((practice.state,)))
    for question in practice.posed:
        notebook.show(question)
    trusted = ", trust=True" * trust
    return prose((IN_ONE_LINE.format(letters="A" * len(practice.open), stamp=practice.stamp, trust=trusted),))
