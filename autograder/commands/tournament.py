"""`foldem tournament`: play matches between bots in files, or between all bots of a course (a league)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from secrets import token_hex
from unicodedata import category, normalize

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text
from toolz import groupby

from autograder.arena.contest import UnitArena
from autograder.arena.league import (
    DEALS,
    TRIAL,
    FoulReason,
    League,
    LeagueRow,
    TournamentEntry,
    TournamentError,
    bot_digest,
    chosen_arena,
    entries_of,
    league_digest,
    league_rows,
    numbered_names,
    request_for_notebook,
)
from autograder.classroom.page import render_template
from autograder.commands.options import TournamentOptions
from autograder.config import secret_folders
from autograder.grading.run import code_digest, pack_digest
from autograder.report.words import bot_fault_text
from autograder.sandbox.cage import FailedDefinition, LimitReached, RaisedException
from autograder.sandbox.host import OFF, usable_level
from autograder.submission.find import find_notebooks
from autograder.submission.model import Submission
from autograder.submission.reading import AnyNotebook, NotebookError, read_notebook
from autograder.submission.sort import submission_of
from autograder.term.course import Course, chosen_course, chosen_units
from autograder.term.files import SUBMITTED_FOLDER, SubmittedFile, locate_files, write_atomically
from autograder.term.people import is_mentioned
from autograder.term.roster import Student
from autograder.term.store import IN_MEMORY_ADDRESS, MATCHES_TABLE, Store, course_name_in
from autograder.term.view import LEAGUE_FOLDER, counting_file
from autograder.text import count_text, shown_name
from course.arena.charts import rate_text
from course.exam.readable import one_line
from course.syntax import tree_of

INTERRUPTED = 130
LEAGUE_NAME, PSEUDONYM_ROOM = "league_name", 30
REFUSED_NAME_REASON = (
    f"{LEAGUE_NAME} must be a text of at most {PSEUDONYM_ROOM} characters that can be shown, and no student's name"
)
INVISIBLE_LETTERS = "\u115f\u1160"  # letters without a picture


def run(options: TournamentOptions) -> int:
    """Play all matches between the bots of some files or of a course, print the table, and return the exit status.

    For a course, also write the league page.
    """
    folder = next((Path(each) for each in options.bots if Path(each).is_dir()), None)
    if folder and len(options.bots) > 1:
        raise TournamentError("name one course folder, or the files of bots, but not both")
    course = chosen_course(options.pack, folder)
    units = {unit for parts in course.assignments.values() for unit in parts}
    units = units or {unit.name for unit in chosen_units(course.catalogue, options.pack)}
    held = chosen_arena(course.catalogue, options.unit, units)
    store = course.store(options.store if folder else IN_MEMORY_ADDRESS)
    bots = contestants_in(course, held, store) if folder else entries_of(options.bots, held)
    if len(bots) < 2:
        advice = f"ask students to set {LEAGUE_NAME} in the notebook" if folder else "name another one"
        raise TournamentError(f"a tournament needs at least two bots, but has {len(bots)}: {advice}")
    try:
        rows = play_matches(league_of(course, held, store, options), bots)
    except KeyboardInterrupt:
        print(f"foldem: interrupted.{' Run the same command to continue.' * bool(folder)}", file=sys.stderr)
        return INTERRUPTED
    print_results(rows, {bot.name: bot.origin for bot in bots})
    if folder:
        page = course.folder / LEAGUE_FOLDER / "index.html"
        facts = {"title": f"The league of {shown_name(course.folder.name)}", "game_title": held.arena.title}
        write_atomically(page, render_template("league.html", {"why": public_reason}, deals=DEALS, rows=rows, **facts))
        print(f"wrote  {page}")
    return 0


def print_results(rows: Sequence[LeagueRow], origins: Mapping[str, str]) -> None:
    """Print the table, and below it the fouls of the bots."""
    console, fouls = Console(soft_wrap=True), list[str]()
    table = Table("bot", "from", "sets won (95 % interval)", "sets")
    for row in rows:
        none = "out" if row.is_out else "no match"
        share = rate_text(round(row.share * row.sets), row.sets) if row.sets else none
        table.add_row(Text(row.name), Text(shown_name(origins[row.name])), share, str(row.sets))
        if (reason := row.fouls.reason) is not None:
            text = one_line(reason if isinstance(reason, str) else bot_fault_text(reason))
            fouls.append(f"{row.name} committed {count_text(row.fouls.number, 'foul')}; the first time, it {text}")
    console.print(table)
    for line in fouls:
        console.print(line, style="red", markup=False, highlight=False)


def contestants_in(course: Course, held: UnitArena, store: Store) -> list[TournamentEntry]:
    """Return the bots of the students who take part. If a student's bot is left out, print the reason.

    Bots are ordered by their code, and equal pseudonyms are numbered in this order. So the page does not show who wrote
    which bot.
    """
    handed_in, catalogue = list[tuple[SubmittedFile, Submission, AnyNotebook]](), course.catalogue
    notebooks = find_notebooks([course.folder / SUBMITTED_FOLDER], catalogue)
    for file in locate_files(notebooks, course.root, course_name_in(store, course.root)):
        with suppress(NotebookError):
            notebook = read_notebook(file.path)
            handed_in.append((file, submission_of(notebook, catalogue, held.unit), notebook))
    files = groupby(lambda each: each[0].student, handed_in)
    students = {**{student: Student(student) for student in files}, **course.roster}
    known = [*students.values(), *(replace(each, name=plain_letters(each.name)) for each in students.values())]
    bots = list[TournamentEntry]()
    for student, own in files.items():
        chosen = counting_file([file.name for file, *_ in own], held.unit.name, catalogue)
        _, submission, notebook = next(each for each in own if each[0].name == chosen)
        if (name := pseudonym_in(submission)) == "":
            continue
        request = request_for_notebook(held, notebook)
        is_shown = is_pseudonym(name, lambda text: any(is_mentioned(each, text) for each in known))
        if request and is_shown:
            bots.append(TournamentEntry(str(name).strip(), student, request))
        else:
            why = "the notebook has no bot yet" if is_shown else REFUSED_NAME_REASON
            print(f"foldem: {shown_name(student)} does not take part in the league: {why}", file=sys.stderr)
    bots.sort(key=lambda bot: (bot_digest(bot.request), bot.name))
    names = numbered_names(bot.name for bot in bots)
    return [replace(bot, name=name) for bot, name in zip(bots, names, strict=True)]


def league_of(course: Course, held: UnitArena, store: Store, options: TournamentOptions) -> League:
    """Return a league whose matches are stored in `store`.

    Outside of courses, each run has a new seed, because from a known seed a bot could compute its rival's cards.
    """
    seed = course.policy.seed if course.root else token_hex()
    level = usable_level(options.sandbox or course.policy.sandbox, secret_folders(course.catalogue))
    confined = OFF if level == OFF else "on"
    parts = league_digest(), code_digest(), pack_digest(held.unit), confined, str(sys.version_info[:2])
    known, keep = partial(store.texts, MATCHES_TABLE), partial(store.save_texts, MATCHES_TABLE)
    return League(held, level, " ".join(parts), seed, options.jobs, known, keep)


def play_matches(league: League, bots: Sequence[TournamentEntry]) -> list[LeagueRow]:
    """Play all matches that are not in the store, with a progress bar, and return the rows of the table.

    Before the matches, each bot plays a trial set against itself. A bot that fails the trial plays no matches, because
    it would make every rival wait.
    """
    requests, names = [bot.request for bot in bots], [bot.name for bot in bots]
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("playing", total=len(bots))
        advance = partial(progress.advance, task)
        trials = league.play_matches([(each, each) for each in requests], advance, TRIAL)
        out = {bot: match for bot, match in enumerate(trials) if any(match.out)}
        pairs = [pair for pair in combinations(range(len(bots)), 2) if not out.keys() & {*pair}]
        progress.update(task, total=len(bots) + len(pairs))
        matches = league.play_matches([(requests[one], requests[two]) for one, two in pairs], advance)
    return league_rows(names, dict(zip(pairs, matches, strict=True)), out)


def public_reason(reason: FoulReason | None) -> str:
    """Return the reason for a bot's foul, as words that follow "it". The words contain no text from the bot's author.

    >>> public_reason("played 'Ada is stupid'"), public_reason(RaisedException("AdaError"))
    ('broke a rule', 'raised an exception')
    """
    match reason:
        case None:
            return ""
        case str():
            return "broke a rule"
        case RaisedException() | LimitReached():
            return "raised an exception"
        case FailedDefinition():
            return "does not load"
    return bot_fault_text(reason)


# ------------------------------------------------------------------------------------------------ pseudonyms


def pseudonym_in(submission: Submission) -> object:
    """Return the value of `league_name` in a notebook, without running code.

    Return "" if the notebook does not set `league_name`, and None if its value is not a constant.
    """
    sources = [helper.source for helper in submission.helpers if LEAGUE_NAME in helper.binds]
    match tree_of(sources[-1]) if sources else None:
        case None:
            return ""
        case ast.Module(body=[ast.Assign(targets=[ast.Name(id="league_name")], value=ast.Constant(value=value))]):
            return value
    return None


def plain_letters(text: str) -> str:
    """Return a text without accents and invisible characters, so that names that look alike become equal.

    Words are separated by single spaces.

    >>> plain_letters("Ａd\\u034fa\\u3164Lov\\u00e9lace")
    'Ada Lovelace'
    """
    shown = (char for char in normalize("NFKD", text) if not category(char).startswith("M"))
    return " ".join(
        "".join(char if char.isalnum() and char not in INVISIBLE_LETTERS else " " for char in shown).split()
    )


def is_pseudonym(name: object, mentions_student: Callable[[str], bool]) -> bool:
    """Return whether a name can be shown: it is short, has a letter or digit, and names no student.

    >>> [is_pseudonym(name, "Ada".__eq__) for name in ("Fox", "Fox" * 11, "Ada", "a\\u202eb", " - ", 7)]
    [True, False, False, False, False, False]
    """
    if not isinstance(name, str) or len(name) > PSEUDONYM_ROOM or not name.isprintable():
        return False
    return bool(plain_letters(name)) and not any(map(mentions_student, (name, plain_letters(name))))
