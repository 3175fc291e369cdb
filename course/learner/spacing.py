"""Which ideas to practise on a day: intervals grow after right answers, and a mistake brings an idea back soon.

Days are ordinal numbers, as of `date.toordinal`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

IdeaKey: TypeAlias = tuple[str, str]  # a unit and the name of one of its ideas

INTERVALS = 1, 2, 5, 10, 20  # days until the next question, after 0, 1, 2, … right answers in a row
MOST_A_DAY = 8


class Review(NamedTuple):
    """An answer to a question about an idea: the day, the idea, and whether the answer was right."""

    day: int
    unit: str
    idea: str
    is_right: bool


def due_day(reviews: Iterable[Review]) -> int:
    """Return the day on which an idea is due, by its reviews in order. The first answer of a day counts.

    >>> due_day([Review(9, "uno", "fold", True)]), due_day([Review(9, "uno", "fold", False)]), due_day([])
    (11, 10, 0)
    """
    level, last, due = 0, -1, 0
    for review in reviews:
        if review.day != last:
            level, last = min(level + 1, len(INTERVALS) - 1) if review.is_right else 0, review.day
            due = last + INTERVALS[level]
    return due


def due_days(reviews: Iterable[Review], ideas: Iterable[IdeaKey], day: int) -> dict[IdeaKey, int]:
    """Return the day on which each idea is due. Answers of `day` and later ones don't count."""
    earlier = defaultdict[IdeaKey, list[Review]](list)
    for review in reviews:
        if review.day < day:
            earlier[review.unit, review.idea].append(review)
    return {idea: due_day(earlier[idea]) for idea in ideas}


def plan_day(reviews: Iterable[Review], ideas: Iterable[IdeaKey], day: int) -> tuple[IdeaKey, ...]:
    """Return the ideas to practise on a day, at most `MOST_A_DAY`. Those that have been due longest come first.

    Answers that are given on that day don't change its plan.
    """
    due = due_days(reviews, ideas, day)
    return tuple(sorted((idea for idea in due if due[idea] <= day), key=due.__getitem__)[:MOST_A_DAY])
