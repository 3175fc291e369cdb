"""`today()`: a few questions a day on the ideas of passed exercises. They earn no marks, and no data leave the machine.

Each answer is a line of `.foldem/progress/today.jsonl`, so two kernels can add lines. Broken lines are skipped.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, partial
from importlib import import_module
from itertools import chain, zip_longest
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias
from zlib import crc32

from course.kernel import catalogue, notebook
from course.kernel.notebook import append_line_safely, make_progress_folder, read_safely
from course.kernel.workspace import Workspace
from course.learner.impostors import code_of_call, known_world_of
from course.learner.predicting import PREDICTION_QUESTION, PosedQuestion, prediction_question
from course.learner.progress import load_states, progress_path, units_here
from course.roles import UNIT_FILE_NAME
from course.show.results import GOOD, framed_prose

IdeaKey: TypeAlias = tuple[str, str]  # a unit and the name of one of its ideas

DAYS_UNTIL_NEXT_QUESTION = 1, 2, 5, 10, 20  # days until the next question, after 0, 1, 2, … right answers in a row
IDEAS_A_DAY = 8


class IdeaReview(NamedTuple):
    """An answer to a question about an idea: the day, the idea, and whether the answer was right."""

    day: int
    unit: str
    idea: str
    is_right: bool


def due_day(reviews: Iterable[IdeaReview]) -> int:
    """Return the day on which the next question about an idea is due. `reviews` are all earlier answers, in order.

    If there are several answers on one day, only the first answer counts.

    >>> due_day([IdeaReview(9, "uno", "fold", True)]), due_day([IdeaReview(9, "uno", "fold", False)]), due_day([])
    (11, 10, 0)
    """
    level, last, due = 0, -1, 0
    for review in reviews:
        if review.day != last:
            level, last = min(level + 1, len(DAYS_UNTIL_NEXT_QUESTION) - 1) if review.is_right else 0, review.day
            due = last + DAYS_UNTIL_NEXT_QUESTION[level]
    return due


def plan_day(reviews: Iterable[IdeaReview], ideas: Iterable[IdeaKey], day: int) -> tuple[IdeaKey, ...]:
    """Return the ideas to practise on a day, at most `IDEAS_A_DAY`. Ideas that have been due longest come first.

    Answers that are given on this day do not change the day's plan.
    """
    earlier = defaultdict[IdeaKey, list[IdeaReview]](list)
    for review in reviews:
        if review.day < day:
            earlier[review.unit, review.idea].append(review)
    due = {idea: due_day(earlier[idea]) for idea in ideas}
    return tuple(sorted((idea for idea in due if due[idea] <= day), key=due.__getitem__)[:IDEAS_A_DAY])


TODAY_COMMENTS = "Correct.", "That is not right. You get another question about this idea tomorrow."
NO_MORE_TODAY = "There are no more questions today. Come back another day."
NOTHING_SOLVED_YET = "There is nothing to practise yet. Solve an exercise first, and `check` it."


@dataclass(frozen=True)
class DailyPractice:
    """The open questions of a day. For each idea to practise, `folders` has the folder where the answers are saved."""

    day: date
    folders: Mapping[IdeaKey, Path]
    open: tuple[tuple[IdeaKey, IdeaQuestion], ...]

    @property
    def posed_questions(self) -> tuple[PosedQuestion, ...]:
        """Return the open questions as objects that can be displayed. Each question saves the learner's answer."""

        def save(idea: IdeaKey, is_right: bool) -> None:
            save_review(self.folders[idea], IdeaReview(self.day.toordinal(), *idea, is_right))

        return tuple(
            PosedQuestion(
                each.text, each.code, each.choices, each.right, each.why, TODAY_COMMENTS, count, partial(save, idea)
            )
            for count, (idea, each) in enumerate(self.open, 1)
        )

    @property
    def status_text(self) -> str:
        """Return a sentence that says how many questions are open today."""
        if self.open:
            return f"{len(self.open)} question{'s' * (len(self.open) > 1)} for today, at most about five minutes."
        return NO_MORE_TODAY if self.folders else NOTHING_SOLVED_YET


def practice_for_today(space: Workspace) -> DailyPractice:
    """Return today's questions about exercises in a folder and its subfolders, such as the folders of assignments."""
    below = sorted(path.parent.parent for path in space.folder.glob("*/.foldem/progress"))
    spaces = space, *(Workspace({}, folder) for folder in below if not folder.is_symlink())
    return practice_on_day(spaces, date.today())


def practice_on_day(spaces: Sequence[Workspace], day: date) -> DailyPractice:
    """Return the questions of a day about the exercises that the learner has solved in these folders."""
    passed, number = defaultdict[str, dict[str, Path]](dict), day.toordinal()
    for space in spaces:
        for unit in units_here(space):
            for name, entry in load_states(space.folder, unit).items():
                if entry.state == GOOD and not entry.borrowed:
                    passed[unit].setdefault(name, space.folder)
    ideas = {(unit, idea.name): idea for unit in passed for idea in ideas_of(unit) if passed[unit].keys() & idea.used}
    folders = {key: next(passed[key[0]][name] for name in ideas[key].used if name in passed[key[0]]) for key in ideas}
    reviews = sorted((each for space in spaces for each in load_reviews(space.folder)), key=attrgetter("day"))
    done = {(each.unit, each.idea) for each in reviews if each.day == number}
    by_idea = dict[IdeaKey, IdeaQuestion]()
    for key in plan_day(reviews, ideas, number):
        others = {(question.text, question.code) for question in by_idea.values()}
        if questions := [*_questions_on_day(ideas[key], passed[key[0]], reviews, number)]:
            by_idea[key] = next((each for each in questions if (each.text, each.code) not in others), questions[0])
    shown = tuple((key, question) for key, question in by_idea.items() if key not in done)
    return DailyPractice(day, folders, shown)


def _questions_on_day(
    idea: UnitIdea, passed: Collection[str], reviews: Iterable[IdeaReview], day: int
) -> Iterator[IdeaQuestion]:
    """Yield the questions about an idea. Each day of practice begins with another question, of another kind."""
    days = {each.day for each in reviews if (each.unit, each.idea) == (idea.unit, idea.name)}
    count = sum(each < day for each in days)
    questions = questions_about_idea(idea, passed)
    start = crc32(f"{idea.unit} {idea.name}".encode()) + count
    for index in range(len(questions)):
        yield questions[(start + index) % len(questions)].with_shuffled_choices(f"{idea.name} {count}")


# ------------------------------------------------------------------------------------------------ the questions

CHOICES_OFFERED, RESULT_ROOM, QUESTIONS_OF_A_KIND = 4, 160, 6
RESULT_QUESTION = "What does this call return?"
IDEA_NAME_QUESTION = "Which idea is this?"
CATCHING_CALL_QUESTION = (
    "Somebody wrote `{name}` with this wrong idea in mind: {belief} Which call shows that the idea is wrong?"
)
CATCHING_CALL_REASON = (
    "For that call, the wrong answer returns another value than the right answer. For the other calls, both answers "
    "return the same value."
)


@dataclass(frozen=True)
class UnitIdea:
    """An idea of a unit: its name, a sentence about it, and the exercises that use it."""

    unit: str
    name: str
    says: str
    used: tuple[str, ...]


@dataclass(frozen=True)
class IdeaQuestion:
    """A question with one right choice: text, code (or ""), choices, the index of the right choice, and the reason."""

    text: str
    code: str
    choices: tuple[str, ...]
    right: int
    why: str

    def with_shuffled_choices(self, seed: str) -> IdeaQuestion:
        """Return the question with its choices in a random order, which depends only on the seed."""
        order = Random(f"{seed} {self.text}").sample(range(len(self.choices)), len(self.choices))
        return replace(self, choices=tuple(self.choices[index] for index in order), right=order.index(self.right))


@cache
def ideas_of(unit: str) -> tuple[UnitIdea, ...]:
    """Return the ideas of a unit."""
    data = tomllib.loads(catalogue.file_of(unit, f"{unit}/{UNIT_FILE_NAME}").read_text(encoding="utf-8"))
    return tuple(UnitIdea(unit, each["name"], each["says"], tuple(each["used"])) for each in data.get("idea", ()))


def questions_about_idea(idea: UnitIdea, passed: Collection[str]) -> tuple[IdeaQuestion, ...]:
    """Return the questions about an idea: one question of each kind, then a second question of each kind, and so on."""
    used = [name for name in idea.used if name in passed]
    kinds = (
        _catching_call_questions,
        _prediction_questions,
        _result_questions,
        lambda _, name: _idea_name_question(idea) * (name == used[0]),
    )
    each = ([*chain.from_iterable(make(idea.unit, name) for name in used)][:QUESTIONS_OF_A_KIND] for make in kinds)
    return tuple(question for turn in zip_longest(*each) for question in turn if question)


def _choice_question(
    text: str, code: str, right: str, wrong: Iterable[str], why: str, least: int = 3
) -> Iterator[IdeaQuestion]:
    """Yield the question with its right choice first, if there are enough short choices."""
    choices = [each for each in dict.fromkeys((right, *wrong)) if len(each) <= RESULT_ROOM][:CHOICES_OFFERED]
    if len(choices) >= least and choices[0] == right:
        yield IdeaQuestion(text, code, tuple(choices), 0, why)


def _prediction_questions(unit: str, name: str) -> Iterator[IdeaQuestion]:
    """Yield the predictions of the lesson above an exercise."""
    for each in catalogue.statements(unit).predictions.get(name, ()):
        right = prediction_question(each.code, each.choices, each.why, unit).right
        if right is not None:
            yield IdeaQuestion(PREDICTION_QUESTION, each.code, each.choices, right, each.why)


def _result_questions(unit: str, name: str) -> Iterator[IdeaQuestion]:
    """Yield questions that ask for the result of an example. The wrong choices are the results of other examples."""
    examples = catalogue.statements(unit).by_name[name].examples
    plain = [each for each in examples if each.want and not each.setup and f"{name}(" in each.call]
    wants = [each.want for each in plain]
    why = f"The statement of `{name}` has this example."
    for each in plain:
        yield from _choice_question(
            RESULT_QUESTION, each.call, each.want, (want for want in wants if want != each.want), why
        )


def _catching_call_questions(unit: str, name: str) -> Iterator[IdeaQuestion]:
    """Yield questions that ask which call catches a wrong answer."""
    known = known_world_of(unit, name)
    if known is None or not known.inputs:
        return
    calls = [
        code_of_call(name, code) for code in known.input_codes(import_module(catalogue.statements(unit).module), name)
    ]
    for index, belief in enumerate(known.beliefs):
        right = [call for call, caught in zip(calls, known.caught, strict=True) if caught and index in caught]
        wrong = [call for call, caught in zip(calls, known.caught, strict=True) if caught is not None]
        text = CATCHING_CALL_QUESTION.format(name=name, belief=belief)
        yield from _choice_question(
            text, "", right[0], (call for call in wrong if call not in right), CATCHING_CALL_REASON
        )


def _idea_name_question(idea: UnitIdea) -> tuple[IdeaQuestion, ...]:
    """Return a question that shows the sentence of an idea without its name, and asks for the name."""
    here = [each.name for each in ideas_of(idea.unit)]
    elsewhere = [each.name for unit in catalogue.units() for each in ideas_of(unit)]
    names = Random(idea.name).sample(here, len(here)) + elsewhere
    hidden = re.sub(re.escape(idea.name), "…", idea.says, flags=re.IGNORECASE)
    why = f"You use this idea in {', '.join(f'`{name}`' for name in idea.used)}: {idea.says}"
    return tuple(_choice_question(f"{IDEA_NAME_QUESTION} {hidden}", "", idea.name, names, why, least=2))


# ------------------------------------------------------------------------------------------------ saved answers


def review_path(folder: Path) -> Path:
    """Return the path of the file in a folder that stores the answers to daily questions."""
    return progress_path(folder, "today").with_suffix(".jsonl")


def load_reviews(folder: Path) -> tuple[IdeaReview, ...]:
    """Return the saved answers to daily questions from a folder, in order. Broken lines are skipped."""
    reviews = list[IdeaReview]()
    try:
        lines = read_safely(review_path(folder), "replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        with suppress(ValueError, RecursionError):
            match json.loads(line):
                case [int(day), str(unit), str(idea), bool(is_right)] if 0 < day <= date.max.toordinal() - 60:
                    reviews.append(IdeaReview(day, unit, idea, is_right))
    return tuple(reviews)


def save_review(folder: Path, review: IdeaReview) -> None:
    """Append the answer to a daily question to a file in a folder.

    If the folder is a symbolic link or not writable, the answer is not saved.
    """
    with suppress(OSError):
        make_progress_folder(review_path(folder).parent)
        append_line_safely(review_path(folder), json.dumps(review))


# ------------------------------------------------------------------------------------------------ in a notebook


def show_practice(practice: DailyPractice) -> None:
    """Show how many questions are open today, and then the questions."""
    notebook.show(framed_prose((practice.status_text,)))
    for question in practice.posed_questions:
        notebook.show(question)
