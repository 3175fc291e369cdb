"""`make demo`: grade a small class made from the right and wrong answers, and print the table."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat

from autograder.commands.grade import GradeOptions, run
from autograder.units.mistakes import mistakes_of
from autograder.units.unit import read_unit
from tests.classroom import notebook_with, references, right_answers

UNIT = "dominoes"
NAMES = ("ada", "alonzo", "barbara", "haskell", "john", "rozsa")


def mixed(index: int) -> Any:
    """Return a notebook with a mistake in every fourth exercise, and every seventh not written."""
    answers = references(read_unit(UNIT))
    mistakes = {wrong.exercise: wrong.source for wrong in mistakes_of(UNIT)[index::5]}
    for number, name in enumerate(list(answers)):
        if (number + index) % 4 == 0:
            answers[name] = mistakes.get(name, answers[name])
        if (number + 2 * index) % 7 == 6:
            del answers[name]
    return notebook_with(UNIT, answers)


def class_of_six() -> dict[str, Any]:
    """Return the demo's submissions by name: solutions in several styles, the others with mistakes."""
    right = [notebook_with(UNIT, answer.answers, answer.helpers) for answer in right_answers(UNIT)]
    return dict(zip(NAMES, [*right[:2], *map(mixed, range(4))], strict=True))


def main() -> int:
    """Write the class's notebooks to a folder that is gone afterwards, and grade them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, notebook in class_of_six().items():
            nbformat.write(notebook, Path(folder) / f"{name}.ipynb")
        return run([Path(folder)], GradeOptions())


if __name__ == "__main__":
    sys.exit(main())
