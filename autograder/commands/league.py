"""`foldem tournament COURSE`: let the bots of a course play a league, and write its pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text
from toolz import groupby

from autograder.arena.contest import UnitArena
from autograder.arena.entries import TournamentError, bot_of_notebook, chosen_arena, numbered_names
from autograder.arena.league import TRIAL, League, LeagueRow, bot_digest, league_rows
from autograder.arena.pseudonyms import LEAGUE_NAME, name_problem, plain_letters, pseudonym_in
from autograder.arena.tournament import playing_bar
from autograder.classroom.league_page import GAMES, league_pages
from autograder.commands.chosen import chosen_course
from autograder.commands.options import TournamentOptions
from autograder.config import secret_folders
from autograder.grading.run import code_digest, pack_digest
from autograder.report.words import bot_fault_text
from autograder.sandbox.host import OFF, usable_level
from autograder.sandbox.inside.orders import BotRequest
from autograder.submission.find import find_notebooks
from autograder.submission.model import Submission
from autograder.submission.reading import AnyNotebook, NotebookError, read_notebook
from autograder.submission.sort import submission_of
from autograder.term.course import Course
from autograder.term.files import SUBMITTED, Home, SubmittedFile, alone_in, locate_files, write_atomically
from autograder.term.people import is_mentioned
from autograder.term.roster import Student
from autograder.term.store import MATCHES, Store, home_in
from autograder.term.view import LEAGUE, counting
from autograder.text import counted, shown_name
from course.arena.charts import rate_text
from course.exam.readable import one_line

PLAYED, INTERRUPTED = 0, 130


@dataclass(frozen=True)
class Contestant:
    """A student's bot in a league."""

    student: str
    name: str
    request: BotRequest


def played_league(options: TournamentOptions) -> int:
    """Play the matches that are missing, write the pages, and return the exit status."""
    folder, *others = options.bots
    if others or options.games or options.to or options.pairs or options.out or options.seed is not None:
        raise TournamentError(
            "a league takes only one course folder and the options --jobs, --sandbox, --store, --unit and --pack"
        )
    course = chosen_course(options.pack, Path(folder))
    units = [unit for parts in course.assignments.values() for unit in parts]
    held, store = chosen_arena((), course.catalogue, options.unit, units), course.store(options.store)
    bots = contestants_in(course, held, store)
    if len(bots) < 2:
        raise TournamentError(
            f"a league needs two bots, and has {len(bots)}: ask students to set {LEAGUE_NAME} in the notebook"
        )
    try:
        rows = played_rows(league_of(course, held, store, options), bots)
    except KeyboardInterrupt:
        print("foldem: interrupted. Run the same command to continue.", file=sys.stderr)
        return INTERRUPTED
    print_table(Console(soft_wrap=True), rows, bots)
    write_league(course.folder / LEAGUE, f"The league of {shown_name(course.folder.name)}", rows, held)
    print(f"wrote  {course.folder / LEAGUE / 'index.html'}")
    return PLAYED


# ------------------------------------------------------------------------------------------------ who plays


def contestants_in(course: Course, held: UnitArena, store: Store) -> list[Contestant]:
    """Return the bots of the students who take part. Print why others who want to cannot.

    The order, and the numbers of equal pseudonyms, depend on the bots and not on the students.
    """
    files = groupby(lambda file: file[0].student, _hand_ins(course, held, home_in(store, course.root, None)))
    students = {**{student: Student(student) for student in files}, **course.roster}
    plain = [replace(student, name=plain_letters(student.name)) for student in students.values()]
    known = [*students.values(), *plain]
    bots = list[Contestant]()
    for student, own in files.items():
        chosen = counting([file.name for file, *_ in own], held.unit.name, course.catalogue)
        _, submission, notebook = next(each for each in own if each[0].name == chosen)
        if (name := pseudonym_in(submission)) != "":
            bots += _contestant(student, name, bot_of_notebook(held, notebook), known)
    bots.sort(key=lambda bot: (bot_digest(bot.request), bot.name))
    names = numbered_names(bot.name for bot in bots)
    return [replace(bot, name=name) for bot, name in zip(bots, names, strict=True)]


def _hand_ins(course: Course, held: UnitArena, home: Home) -> Iterator[tuple[SubmittedFile, Submission, AnyNotebook]]:
    """Yield the notebooks of the unit that students handed in."""
    catalogue = course.catalogue
    for file in locate_files(find_notebooks([course.folder / SUBMITTED], catalogue), {}, home):
        with suppress(NotebookError):
            notebook = read_notebook(file.path)
            yield file, submission_of(notebook, catalogue, held.unit), notebook


def _contestant(
    student: str, name: object, request: BotRequest | None, known: Sequence[Student]
) -> Iterator[Contestant]:
    """Yield the contestant, or print why a student cannot take part."""
    problem = name_problem(name, lambda text: any(is_mentioned(each, text) for each in known))
    if request and not problem:
        yield Contestant(student, str(name).strip(), request)
    else:
        why = f"{LEAGUE_NAME} {problem}" if problem else "the notebook has no bot yet"
        print(f"foldem: {shown_name(student)} is not in the league: {why}", file=sys.stderr)


# ------------------------------------------------------------------------------------------------ what is played


def league_of(course: Course, held: UnitArena, store: Store, options: TournamentOptions) -> League:
    """Return a league whose matches are kept in a store."""
    level = usable_level(options.sandbox or course.policy.sandbox, secret_folders(course.catalogue))
    cache_key = " ".join(
        (code_digest(), pack_digest(held.unit), OFF if level == OFF else "on", str(sys.version_info[:2]))
    )
    known, keep = partial(store.texts, MATCHES), partial(store.keep_texts, MATCHES)
    return League(held, level, cache_key, course.policy.seed, options.jobs, known, keep)


def played_rows(league: League, bots: Sequence[Contestant]) -> list[LeagueRow]:
    """Play all matches that are not in the store, with a progress bar, and return the table.

    A bot that cannot play a set against itself has no matches. Otherwise, it would make every rival wait.
    """
    requests, names = [bot.request for bot in bots], [bot.name for bot in bots]
    with playing_bar() as progress:
        task = progress.add_task("playing", total=len(bots))
        advance = partial(progress.advance, task)
        trial_matches = league.matches([(each, each) for each in requests], advance, TRIAL)
        out = {bot: trial_match for bot, trial_match in enumerate(trial_matches) if any(trial_match.out)}
        pairs = [pair for pair in combinations(range(len(bots)), 2) if not out.keys() & {*pair}]
        progress.update(task, total=len(bots) + len(pairs))
        matches = league.matches([(requests[one], requests[two]) for one, two in pairs], advance)
    return league_rows(names, dict(zip(pairs, matches, strict=True)), out)


def print_table(console: Console, rows: Sequence[LeagueRow], bots: Sequence[Contestant]) -> None:
    """Print the table for the teacher, with the students, and the reason of each bot's first foul."""
    students = {bot.name: bot.student for bot in bots}
    table = Table("bot", "student", "sets won (95 % interval)", "sets")
    for row in rows:
        share = "out" if row.is_out else rate_text(round(row.share * row.sets), row.sets)
        table.add_row(Text(row.name), Text(shown_name(students[row.name])), share, str(row.sets))
    console.print(table)
    for row in rows:
        if (reason := row.fouls.reason) is not None:
            text = reason if isinstance(reason, str) else bot_fault_text(reason)
            line = f"{row.name} committed {counted(row.fouls.number, 'foul')}; the first time, it {one_line(text)}"
            console.print(line, style="red", markup=False, highlight=False)


def write_league(folder: Path, title: str, rows: Sequence[LeagueRow], held: UnitArena) -> None:
    """Write the pages of a league. Pages that exist are not drawn again. Pages that are no longer needed go."""
    folder.mkdir(exist_ok=True)
    with alone_in(folder):
        current = {folder / name: page for name, page in league_pages(title, rows, held)}
        for path, page in current.items():
            if isinstance(page, str):
                write_atomically(path, page)
            elif not path.exists():
                path.parent.mkdir(exist_ok=True)
                write_atomically(path, page.page())
        for path in {*(folder / GAMES).glob("*.html")} - {*current}:
            path.unlink()
