"""A class of any size for tests and pictures of its pages: answers from the packs, drawn by ability and difficulty."""

from __future__ import annotations

from pathlib import Path
from random import Random

from autograder.commands.demo import _without_docstring
from tests.classroom import notebook_with, reference_answers, right_answers, write_file
from tests.units import mistakes_of, read_unit

FIRST = (
    *("Ana", "João", "Zoë", "Łukasz", "Beatriz", "Seo-yeon", "민준", "서연"),
    *("Ngọc", "Çağla", "Åsa", "Lucas", "Gabriel", "Emma", "María"),
)
LAST = (
    *("Silva", "Gonçalves", "Müller", "Wałęsa", "Kim", "이", "Nguyễn"),
    *("Öztürk", "Bergström", "Souza", "O'Neill", "Papadopoulos", "Costa"),
)
LONGEST_NAME = "Maximiliane-Charlotte Schönfeld-Weißenburger zu Hohenstein-Brandenburg und Lübeck"
HARDEST = "is_sound"
WEAKEST = (7, 13, 19)  # positions of three students who know little; the last one stops after six exercises


def write_drawn_class(course: Path, size: int) -> list[str]:
    """Write a roster and hand-ins in dominoes. The last student's file is broken, and the one before hands in nothing.

    Return the ids of the students who need help most.
    """
    chance, ids = Random(size), [f"s{101 + number}" for number in range(size)]
    names = [f"{chance.choice(FIRST)} {chance.choice(LAST)}" for _ in ids]
    rows = (f"{student},{name}\n" for student, name in zip(ids, [*names[:3], LONGEST_NAME, *names[4:]], strict=True))
    write_file(course / "roster.csv", "id,name\n" + "".join(rows))
    for number, student in enumerate(ids[:-2]):
        ability = -2.6 if number in WEAKEST else chance.gauss(0.5, 0.9)
        notebook = notebook_with("dominoes", _drawn_answers(chance, ability, 6 if number == WEAKEST[-1] else 22))
        write_file(course / "submitted" / student / "dominoes" / "1_dominoes.ipynb", notebook)
    write_file(course / "submitted" / ids[-1] / "dominoes" / "1_dominoes.ipynb", "{broken")
    return [ids[number] for number in WEAKEST]


def _drawn_answers(chance: Random, ability: float, reach: int) -> dict[str, str]:
    """Return the first answers of a student: those that are too difficult are known mistakes."""
    references, style = reference_answers(read_unit("dominoes")), chance.choice(right_answers("dominoes")).answers
    answers = {}
    for at, (name, reference) in enumerate([*references.items()][:reach]):
        difficulty = 0.75 if name == HARDEST else 0.2 + 0.015 * at
        mistakes = [_without_docstring(each.source) for each in mistakes_of("dominoes") if each.exercise == name]
        is_wrong = mistakes and chance.random() < difficulty - 0.2 * ability
        wrong = mistakes[min(int(chance.expovariate(0.9)), len(mistakes) - 1)] if is_wrong else ""
        answers[name] = wrong or style.get(name, reference)
    return answers
