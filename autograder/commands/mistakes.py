"""`foldem prove --mistakes`: list the common wrong answers of a class without an explanation, or draft explanations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

from autograder.classroom.groups import drafts, groups, unknown_mistakes
from autograder.commands.chosen import chosen_catalogue
from autograder.commands.options import ProveOptions
from autograder.commands.report import shown_of, store_of
from autograder.submission.plain import find_construct
from autograder.term.course import read_course
from autograder.units.unit import read_unit

LEAST_GROUP = 3  # students with the same wrong answer


def unexplained(folder: Path, options: ProveOptions) -> Iterator[str]:
    """Yield a line for each large group of equal wrong answers without an explanation, or Python code for it."""
    course = read_course(folder, chosen_catalogue(options.pack, folder))
    for name, hand_ins in shown_of(course, store_of(course, options.store)).by_unit.items():
        unit, alike = read_unit(course.catalogue, name), groups(hand_ins)
        if options.draft:
            yield from drafts(alike, LEAST_GROUP, partial(_is_plain, unit.module))
        else:
            for each in unknown_mistakes(alike, LEAST_GROUP):
                yield f"{len(each.students):4}  {each.exercise}  {each.verdict}"


def _is_plain(module: ModuleType, source: str) -> bool:
    return find_construct([source], module) is None
