"""The players of a tournament: reference bots, and bots in files and notebooks, as named on the command line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from autograder.arena.contest import UnitArena, find_arena, unit_arena
from autograder.exam.plan import Plan, in_order
from autograder.sandbox.cage import FILE
from autograder.sandbox.inside.orders import BotRequest, Step
from autograder.submission.model import Submission
from autograder.submission.reading import AnyNotebook, read_file, read_notebook
from autograder.submission.sort import NotebookError, submission_of
from autograder.text import shown_name
from autograder.units.pack import Catalogue
from autograder.units.unit import read_unit
from course.diagnoses.obstacle import obstacle_text
from course.exam.readable import one_line
from course.limits import LARGEST_CODE


class TournamentError(NotebookError):
    """Raised for a tournament that cannot be played. The message is one line."""


@dataclass(frozen=True)
class Entry:
    """A bot in a tournament: its name, the file or student that it comes from, and the request that loads it."""

    name: str
    origin: str
    request: BotRequest


def chosen_arena(catalogue: Catalogue, unit: str | None, preferred: Collection[str] = ()) -> UnitArena:
    """Return the arena of a unit. Without a unit, return the only arena in the units `preferred`, or else in all units.

    Raises TournamentError if there is no arena, or if there are several.
    """
    if unit:
        return unit_arena(read_unit(catalogue, unit))
    arenas = tuple(filter(None, (find_arena(read_unit(catalogue, name)) for name in catalogue.units)))
    arenas = tuple(held for held in arenas if held.unit.name in preferred) or arenas
    if len(arenas) != 1:
        names = " or ".join(f"--unit {held.unit.name}" for held in arenas)
        raise TournamentError(f"add {names}" if names else "no unit has an arena: add --pack with the folder of one")
    return arenas[0]


def entries_of(words: Sequence[str], held: UnitArena) -> list[Entry]:
    """Return the bots named on the command line. Raises TournamentError if one cannot be read."""
    names = numbered_names(shown_name(Path(word).stem) for word in words)
    return [Entry(name, word, _request_for(held, word)) for name, word in zip(names, words, strict=True)]


def numbered_names(given: Iterable[str]) -> tuple[str, ...]:
    """Return the names, with a number added to each name that occurs again, so that no two are equal.

    >>> numbered_names(("fox", "fox 2", "fox"))
    ('fox', 'fox 2', 'fox 3')
    """
    names, results = tuple(given), list[str]()
    for name in names:
        numbered = (f"{name} {number}" for number in count(2))
        results.append(next(each for each in numbered if each not in (*names, *results)) if name in results else name)
    return tuple(results)


def _request_for(held: UnitArena, word: str) -> BotRequest:
    """Return the request that loads the bot of a file, or a reference bot of the unit."""
    if exercise := held.arena.references.get(word):
        return held.request_for([Step("helper", each.name, each.source) for each in held.unit.exercises], exercise)
    path = Path(word)
    if path.suffix not in (".py", ".ipynb"):
        names = "".join(f", or {name}" for name in held.arena.references)
        raise TournamentError(f"{word} is not a bot: name a .py file, a notebook{names}")
    try:
        if path.suffix == ".ipynb":
            request = bot_of_notebook(held, read_notebook(path))
        else:
            text = read_file(path).decode()
            if len(text) > LARGEST_CODE:
                raise NotebookError("the file is larger than 1 MB. Make it smaller")
            request = held.request_for([Step("helper", FILE, text)], "")
    except NotebookError as error:
        raise TournamentError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise TournamentError(f"{path}: the file is not UTF-8 text. Save it as UTF-8") from None
    if request is None:
        raise TournamentError(f"{path}: this notebook has no bot yet. Write one of {', '.join(held.arena.bots)} first")
    return request


def bot_of_notebook(held: UnitArena, notebook: AnyNotebook) -> BotRequest | None:
    """Return the request that loads a notebook's best bot, or None if the notebook has no bot.

    The bots must be in the notebook's own list of exercises. If an exercise is missing, no reference replaces it.
    Raises NotebookError if the notebook is not of the unit.
    """
    everything = {held.unit.name: dict.fromkeys(held.unit.by_name, 0.0)}
    submission = submission_of(notebook, held.unit.catalogue, held.unit, everything)
    own, bots = submission_of(notebook, held.unit.catalogue, held.unit), held.arena.bots.items()
    written = (name for name, needed in bots if {*needed} <= {*own.assigned} & own.answers.keys())
    wanted = next(written, None)  # the best one comes first
    return held.request_for(plan(submission), wanted) if wanted else None


def plan(submission: Submission) -> Plan:
    """Return the definitions of a notebook's functions in order, in the form that the sandbox receives.

    An exercise without an answer becomes a function that raises NotImplementedError.
    """
    needed = submission.helpers_for(answer.source for answer in submission.answers.values())
    helpers = [each for each in needed if each in submission.helpers]  # without calls that only try the bots
    steps = dict[int, Step]()
    for exercise in submission.unit.exercises:
        name = exercise.name
        if answer := submission.answers.get(name):
            step = Step("answer", name, answer.source)
        else:
            obstacle = submission.attempts[name].obstacle
            problem = f"{name}: {one_line(obstacle_text(obstacle, name)) if obstacle else ''}"
            step = Step("helper", name, f"def {name}(*_):\n    raise NotImplementedError({problem!r})")
        steps[exercise.number] = step
    return in_order(steps.items(), helpers)
