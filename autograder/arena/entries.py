"""The players of a tournament: bots in files and in notebooks, and reference bots, as the command line names them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from autograder.config import secret_folders
from autograder.exam.plan import Plan, in_order
from autograder.report.words import FILE, obstacle_line
from autograder.sandbox.inside.bot_runner import QUESTION_KINDS
from autograder.sandbox.inside.orders import BotRequest, Setup, Step
from autograder.submission.model import Submission
from autograder.submission.reading import read_file
from autograder.submission.sort import NotebookError, read_submission
from autograder.text import shown_name
from autograder.units.pack import Catalogue
from autograder.units.unit import read_unit
from course.arena.set import ANSWER_SECONDS
from course.arena.values import Bot

TRUSTED = {"smart": "smart_player", "stupid": "stupid_player"}
LARGEST_ENTRY = 1_000_000


class TournamentError(NotebookError):
    """Raised for a tournament that cannot be played. The message is one line."""


@dataclass(frozen=True)
class Entry:
    """A player of the tournament: a trusted bot, or a request that loads a bot in a sandbox, which hides `secrets`."""

    name: str
    request: BotRequest | None = None
    bot: Bot | None = None
    secrets: tuple[Path, ...] = field(default=(), repr=False)


def entries_of(words: Sequence[str], catalogue: Catalogue) -> tuple[Entry, ...]:
    """Return the players named on the command line. Raises TournamentError if one is missing."""
    if len(words) < 2:
        raise TournamentError("a tournament needs at least two bots: foldem tournament a.py b.py")
    return tuple(map(partial(_entry, catalogue), words, bot_names(words)))


def bot_names(words: Sequence[str]) -> tuple[str, ...]:
    """Return a short name for each bot: its file's name or, if names are equal, the part of the path that differs.

    >>> bot_names(("a.py", "smart", "bots/c.py:fox"))
    ('a', 'smart', 'c:fox')
    >>> bot_names(("submitted/ann/5_bots.ipynb", "submitted/bob/5_bots.ipynb", "smart", "smart"))
    ('ann', 'bob', 'smart', 'smart 2')
    """
    paths = [_split(word) for word in words]
    stems = [path.stem for path, _ in paths]
    alike = {stem for stem in stems if len({path for path, _ in paths if path.stem == stem}) > 1}
    folders = [_stem_and_all(path) for path, _ in paths if path.stem in alike]
    shared = {part for part in (folders or [()])[0] if all(part in parts for parts in folders)}

    def short(path: Path) -> str:
        own = "/".join(part for part in _stem_and_all(path) if part not in shared)
        return own if own and path.stem in alike else path.stem

    names = [shown_name(f"{short(path)}:{name}" if name else short(path)) for path, name in paths]
    return tuple(f"{n} {names[: k + 1].count(n)}" if n in names[:k] else n for k, n in enumerate(names))


def _stem_and_all(path: Path) -> tuple[str, ...]:
    """Return the parts of a path without its suffix."""
    return path.with_name(path.stem).parts if path.name else path.parts


def _split(word: str) -> tuple[Path, str]:
    """Return the file in an argument, and the name of the bot in it ("" if not given)."""
    file, colon, name = word.rpartition(":")
    return (Path(file), name) if colon and name.isidentifier() else (Path(word), "")


def _entry(catalogue: Catalogue, word: str, name: str) -> Entry:
    if word in TRUSTED:
        return Entry(name, bot=_trusted(catalogue, word))
    path, wanted = _split(word)
    if path.suffix not in (".py", ".ipynb"):
        raise TournamentError(f"{word}: not a .py file, a notebook, or one of {', '.join(TRUSTED)}")
    is_notebook = path.suffix == ".ipynb"
    request = _notebook_request(catalogue, path, wanted) if is_notebook else _file_request(path, wanted)
    return Entry(name, request, secrets=secret_folders(catalogue))


def _trusted(catalogue: Catalogue, word: str) -> Bot:
    bot: Bot = getattr(catalogue.pack_of("bots").module("solutions", "bots"), TRUSTED[word])
    return bot


def request_for(plan: Plan, wanted: str, loading: float = 2.0, answering: float = ANSWER_SECONDS) -> BotRequest:
    """Return the message that loads a bot in a sandbox: definitions in order, the bot's name, time limits."""
    return BotRequest(Setup(plan, seconds=loading), wanted, answering)


def _file_request(path: Path, wanted: str) -> BotRequest:
    try:
        text = read_file(path).decode()
    except NotebookError as error:
        raise TournamentError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise TournamentError(f"{path}: not UTF-8 text") from None
    if len(text) > LARGEST_ENTRY:
        raise TournamentError(f"{path}: the file is larger than 1 MB")
    return request_for([Step("helper", FILE, text)], wanted)


def _notebook_request(catalogue: Catalogue, path: Path, wanted: str) -> BotRequest:
    try:
        submission = read_submission(path, catalogue, read_unit(catalogue, "bots"))
    except NotebookError as error:
        raise TournamentError(f"{path}: {error}") from None
    wanted = wanted or _best(submission)
    if not wanted:
        raise TournamentError(f"{path}: this notebook has no bot yet")
    return request_for(plan(submission, _stub), wanted)


def _best(submission: Submission) -> str:
    """Return the best written bot of a notebook, or ""."""
    needed = {"champion": ("champion",)} | {name: tuple(f"{name}_{q}" for q in QUESTION_KINDS) for name in TRUSTED}
    written = (name for name, parts in needed.items() if all(_is_set(submission, part) for part in parts))
    return next(written, "")


def _is_set(submission: Submission, name: str) -> bool:
    return name in submission.assigned and name in submission.answers


def plan(submission: Submission, stand_in: Callable[[Submission, str], str]) -> Plan:
    """Return the definitions of a notebook's functions in order, as the sandbox receives them.

    References replace exercises that are not assigned. `stand_in` returns the source for each unwritten exercise.
    """
    helpers = submission.helpers_for(answer.source for answer in submission.answers.values())
    steps = {exercise.number: _step(submission, exercise.name, stand_in) for exercise in submission.unit.exercises}
    return in_order(steps.items(), helpers)


def _step(submission: Submission, name: str, stand_in: Callable[[Submission, str], str]) -> Step:
    if name not in submission.assigned:
        return Step("helper", name, submission.unit[name].source)
    if _is_set(submission, name):
        return Step("answer", name, submission.answers[name].source)
    return Step("helper", name, stand_in(submission, name))


def _stub(submission: Submission, name: str) -> str:
    problem = f"{name}: {obstacle_line(submission.attempts[name])}"
    return f"def {name}(*_):\n    raise NotImplementedError({problem!r})"
