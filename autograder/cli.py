"""The `foldem` command."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from autograder.garbage import look_seldom
from autograder.unusable import Unusable

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="Learn functional programming by writing the engines of card games; grade what was written.",
)
Units = Annotated[list[str] | None, typer.Option(help="A unit, and again for several (default: all).")]
Packs = Annotated[
    list[Path] | None,
    typer.Option("--pack", help="A pack, a folder of units of your own (`foldem new`), and again for several."),
]
UnitToGrade = Annotated[str | None, typer.Option(help="The unit to grade (default: the one of the assignment).")]
AssignmentToGrade = Annotated[
    str | None, typer.Option(help="The assignment of the course to grade (default: the only one with the unit).")
]
Jobs = Annotated[int, typer.Option(min=1, help="Submissions graded at once, each in a process.")]
Paths = Annotated[
    list[Path], typer.Argument(help="Notebooks or .py files, folders or zips of them, or nbgrader's submitted/ folder.")
]


@app.command()
def grade(
    paths: Paths,
    out: Annotated[
        Path | None, typer.Option(help="Folder for report.json, report.csv, and pages/ with a page per submission.")
    ] = None,
    unit: Annotated[str | None, typer.Option(help="Only accept notebooks of this unit.")] = None,
    sandbox: Annotated[str | None, typer.Option(help="auto, bubblewrap, landlock, or off (confines nothing).")] = None,
    seed: Annotated[
        str | None, typer.Option(help="Seed of the hidden inputs (default: foldem.toml's, else 0).")
    ] = None,
    jobs: Jobs = 1,
    store: Annotated[
        str | None,
        typer.Option(
            help="Where results are kept: a file, or a database as postgresql+psycopg://… (default: foldem.db in the "
            "course folder, else in --out)."
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Grade anew what was graded before.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print no table.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the reports as JSON in place of the table.")] = False,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Grade on the workers of a Dask scheduler (tcp://host:8786, tls://host:8786), or on `local` ones."
        ),
    ] = None,
    pack: Packs = None,
) -> None:
    """Grade notebooks and print the class's table.

    Example: `foldem grade submitted/ --out reports`

    Each result is kept as soon as it is there: a run that was ended goes on where it was, and what has not changed is
    not graded again. The output folder shows all that is kept, the table what was asked for.

    Exit status 0: all were graded; 1: some could not be (they are named); 2: nothing could be done.
    """
    from autograder.commands.grade import GradeOptions, run
    from autograder.config import use_course_packs
    from autograder.term.places import root_of
    from autograder.units.pack import use_packs

    use_packs(pack or ())
    for root in filter(None, dict.fromkeys(map(root_of, (Path.cwd(), *paths[:1])))):
        use_course_packs(root, but=paths)
    sys.exit(run(paths, GradeOptions(out, unit, sandbox, seed, jobs, store, fresh, quiet, json, cluster)))


@app.command()
def regrade(
    course: Annotated[Path, typer.Argument(help="The course folder.")],
    diff: Annotated[
        bool, typer.Option("--diff", help="Only tell whose marks would change; no mark is written.")
    ] = False,
    jobs: Jobs = 1,
) -> None:
    """Grade a course again by its settings and `adjust.toml`, and tell whose marks change, by how much and why.

    Example: `foldem regrade cs101 --diff`
    """
    from autograder.commands.regrade import run

    _units(None, course)
    sys.exit(run(course, diff, jobs))


@app.command()
def collect(
    download: Annotated[Path, typer.Argument(help="A zip, or the folder it was unpacked to.")],
    course: Annotated[Path, typer.Argument(help="The course folder.")],
    assignment: Annotated[
        str | None, typer.Option(help="The assignment that it is for (default: the one that its notebooks are for).")
    ] = None,
    times: Annotated[
        Path | None,
        typer.Option(help="When it was handed in: Moodle's grading worksheet, or a CSV with a column Submitted At."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Let this download count, even where an earlier file is better.")
    ] = False,
) -> None:
    """Take a download of Moodle, Canvas or Gradescope, or a folder for each student, into a course's `submitted/`.

    Example: `foldem collect submissions.zip cs101 --assignment dominoes`

    Files are matched to students by `roster.csv` in the course folder, and to notebooks by what is in them. Every file
    is kept in `collected/`. The latest counts, unless an earlier one is better: in time, readable, with answers.
    Lateness is deducted by known times only: Gradescope's, or those of `--times`. Whatever is odd is listed.

    Exit status 0: all was taken; 1: something is odd (it is named); 2: nothing was done.
    """
    from autograder.commands.collect import CollectOptions, run

    _units(None, course)
    sys.exit(run(download, course, CollectOptions(assignment, times, replace)))


@app.command()
def export(
    course: Annotated[Path, typer.Argument(help="The course folder.")],
    to: Annotated[
        str,
        typer.Option(
            help="csv, moodle (its grade import), canvas (its gradebook), or moodle-feedback (a zip of pages for each "
            "assignment that was collected from Moodle, which takes it back)."
        ),
    ] = "csv",
    out: Annotated[
        Path | None, typer.Option(help="The file to write, or for feedback the folder (default: in the course).")
    ] = None,
    title: Annotated[
        list[str] | None,
        typer.Option(
            help="assignment=title, where the platform calls it otherwise: Canvas makes a new one if none fits."
        ),
    ] = None,
    store: Annotated[str | None, typer.Option(help="Where results are kept (default: as for `grade`).")] = None,
) -> None:
    """Write a course's marks for a learning platform, with the names that `roster.csv` in the course folder has.

    Example: `foldem export cs101 --to canvas --title dominoes="Homework 2"`

    A mark that nobody has is left blank, never 0. `roster.csv` has the columns id, name, email, group, and for Canvas
    canvas_id, sis_id, login, section, or what the platform's own list of participants calls them.

    Exit status 0: all was written; 1: a hand-in is not graded as it is now (it is named); 2: nothing was written.
    """
    from autograder.commands.export import run

    _units(None, course)
    sys.exit(run(course, to, out, title or [], store))


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="Your notebook.")],
    exercise: Annotated[str | None, typer.Argument(help="Only this exercise.")] = None,
    pack: Packs = None,
) -> None:
    """Check your own notebook in the terminal: what `check` says in its cells.

    Example: `foldem check 1_dominoes.ipynb flip`
    """
    from autograder.commands.check import check_notebook
    from autograder.config import above

    _units(pack, above(notebook))
    sys.exit(check_notebook(notebook, exercise))


@app.command("pytest")
def run_tests(
    notebooks: Annotated[list[str], typer.Argument(help="Notebooks, or parts of them: `x.ipynb::flip`.")],
    expression: Annotated[str, typer.Option("-k", help="Only run tests whose names match.")] = "",
    exit_first: Annotated[bool, typer.Option("--exitfirst", "-x", help="Stop at the first failure.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print a line for each test.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print less.")] = False,
    collect_only: Annotated[bool, typer.Option("--collect-only", help="Only list the tests.")] = False,
    junitxml: Annotated[Path | None, typer.Option(help="Write the results to this file.")] = None,
    released: Annotated[
        Path | None,
        typer.Option(
            help="The assignment's notebook as it was released: only what it sets counts (default: the course)."
        ),
    ] = None,
    sandbox: Annotated[str | None, typer.Option(help="auto, bubblewrap, landlock, or off (confines nothing).")] = None,
    pack: Packs = None,
) -> None:
    """Run the exam as tests of pytest, one for each exercise and facet.

    Example: `foldem pytest my.ipynb -k flip`

    No settings of pytest, no plugins and no `conftest.py` are read: any of them could be a student's.

    Exit status: that of pytest.
    """
    from autograder.commands.pytest import PytestOptions, run
    from autograder.config import use_course_packs
    from autograder.units.pack import use_packs

    use_packs(pack or ())
    use_course_packs(Path.cwd(), but=[Path(word.partition("::")[0]) for word in notebooks])
    flags = {
        "-x": exit_first,
        "-v": verbose,
        "-q": quiet,
        "--collect-only": collect_only,
        f"-k{expression}": expression,
    }
    chosen = tuple(flag for flag, is_set in flags.items() if is_set)
    sys.exit(run(notebooks, PytestOptions(sandbox, released, junitxml, chosen)))


@app.command()
def course(
    folder: Annotated[Path, typer.Argument(help="The course folder to make; it may be there already.")],
    unit: Units = None,
    exercises: Annotated[
        str | None,
        typer.Option(
            help="A part of one unit: first..last, or names with commas. It ends behind the last; exercises before it "
            "that are not in the part are given: **students see their reference answers**, also in later assignments."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="Name of the assignment, which then holds all the units (default: one for each unit)."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write source notebooks anew that are there already.")] = False,
    write: Annotated[bool, typer.Option("--write", help="With `upgrade`: do it, and do not only tell.")] = False,
    upgraded: Annotated[
        Path | None, typer.Argument(metavar="[COURSE]", help="The course to upgrade: `foldem course upgrade cs101`.")
    ] = None,
    pack: Packs = None,
) -> None:
    """Make a course folder in which the stock nbgrader commands work, or add assignments to one.

    Example: `foldem course cs101 --unit dominoes && cd cs101 && nbgrader generate_assignment dominoes`

    Example: `foldem course cs101 --unit dominoes --exercises flip..suppress --name tiles`

    Example: `foldem course upgrade cs101`

    What a course has released stays as it is when Foldem is updated; `upgrade` tells what would change: statements,
    points, and whose marks.
    """
    from autograder.commands.course import assignments, make_course
    from autograder.units.pack import use_pins

    if upgraded:
        if folder != Path("upgrade"):
            raise Unusable(f"one course folder, not two: {folder} {upgraded} (or: foldem course upgrade {folder})")
        _units(pack, upgraded)
        sys.exit(upgrade_course(upgraded, write))
    if folder == Path("upgrade") and not folder.exists():
        raise Unusable("which course? foldem course upgrade cs101")
    use_pins(None if force else folder)
    wanted = assignments(_units(pack, folder, unit), exercises, name)
    for line in make_course(folder, wanted, force):
        typer.echo(line)


@app.command()
def student_kit(
    folder: Annotated[Path, typer.Argument(help="The new folder to make.")],
    unit: Units = None,
    course: Annotated[
        Path | None, typer.Option(help="Take what this course folder has released, and its settings.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that is not empty.")] = False,
    pack: Packs = None,
) -> None:
    """Make what students get: the notebooks, and a wheel of `course` alone, without solutions or autograder.

    Example: `foldem student-kit kit --unit dominoes`

    Example: `foldem student-kit kit --course cs101`
    """
    from autograder.commands.student_kit import make_kit

    for line in make_kit(folder, _units(pack, course or Path.cwd(), unit), course, force):
        typer.echo(line)


@app.command()
def site(
    folder: Annotated[Path, typer.Argument(help="The folder to make: a new one, or a site that is written anew.")],
    unit: Units = None,
    course: Annotated[
        Path | None, typer.Option(help="Take what this course folder has released, and its settings; no references.")
    ] = None,
    pack: Packs = None,
) -> None:
    """Make the course a static website, that runs in browsers alone: for GitHub Pages or any other web server.

    Example: `foldem site public` for who learns alone: hints, `borrow`, `solution`

    Example: `foldem site public --course cs101` for a class

    It needs npm, and a network the first time; `pip install 'foldem[site]'`.
    """
    from autograder.commands.site import make_site

    for line in make_site(folder, _units(pack, course or Path.cwd(), unit), course):
        typer.echo(line)


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="The course folder, or the reports that `foldem grade --out` wrote.")],
    out: Annotated[Path | None, typer.Option(help="The page to write (default: class.html in the folder).")] = None,
    store: Annotated[str | None, typer.Option(help="The store that the results are in, if it is another.")] = None,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="For the projector: name nobody and no file.")] = False,
) -> None:
    """Write the page on a class as a whole: what was hard, who thinks the same, who needs help, what is alike.

    Example: `foldem grade cs101/submitted && foldem report cs101`
    """
    from autograder.commands.report import make_page

    _units(None, folder)
    for line in make_page(folder, out, store, anonymous):
        typer.echo(line)


@app.command()
def mistakes(
    folder: Annotated[Path, typer.Argument(help="The course folder, or the reports that `foldem grade --out` wrote.")],
    draft: Annotated[bool, typer.Option("--draft", help="Write them as new mistakes, sources filled in.")] = False,
    least: Annotated[int, typer.Option(min=2, help="Groups of at least so many.")] = 3,
    store: Annotated[str | None, typer.Option(help="The store that the results are in, if it is another.")] = None,
) -> None:
    """List the large groups of the same wrong answer that no message is written for yet.

    Example: `foldem mistakes cs101 --draft >> mypack/mistakes/war.py`
    """
    from autograder.commands.report import draft_mistakes, unknown_groups

    _units(None, folder)
    for line in (draft_mistakes if draft else unknown_groups)(folder, store, least):
        typer.echo(line)


@app.command()
def gradescope(
    archive: Annotated[Path, typer.Argument(help="The zip to write.")],
    unit: UnitToGrade = None,
    course: Annotated[
        Path | None, typer.Option(help="Take this course's settings, its secret seed among them, and its assignments.")
    ] = None,
    assignment: AssignmentToGrade = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a zip that is there.")] = False,
    pack: Packs = None,
) -> None:
    """Make the autograder's zip for an assignment on Gradescope.

    Example: `foldem gradescope tiles.zip --course cs101 --assignment tiles`

    Example: `foldem gradescope dominoes.zip --unit dominoes`

    With an assignment of a course, just its exercises count, and for the points that the course sets.
    """
    from autograder.commands.gradescope import make_zip
    from autograder.units.pack import use_pins

    _units(pack, course)
    use_pins(course)
    for line in make_zip(archive, course, assignment, unit, force):
        typer.echo(line)


@app.command()
def github(
    folder: Annotated[Path, typer.Argument(help="The repository that students start from.")],
    unit: UnitToGrade = None,
    course: Annotated[Path | None, typer.Option(help="Take an assignment that this course has released.")] = None,
    assignment: AssignmentToGrade = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there already.")] = False,
) -> None:
    """Make what GitHub Classroom needs in a starter repository: the notebook, and a workflow that grades it.

    Example: `foldem github tiles-starter --course cs101 --assignment tiles`

    Example: `foldem github dominoes-starter --unit dominoes`

    With an assignment of a course, just its exercises count, and for the points that the course sets.
    """
    from autograder.commands.github import make_starter

    _units(None, course)
    for line in make_starter(folder, course, assignment, unit, force):
        typer.echo(line)


@app.command()
def doctor(pack: Packs = None) -> None:
    """Say what this machine can do, and what to install for the rest.

    Example: `foldem doctor`

    Exit status 0: everything; 1: something is missing (it is named).
    """
    from autograder.commands.doctor import examine, summary
    from course.show.results import BAD

    _units(pack, None)
    findings = []
    for finding in examine():
        typer.echo(finding)
        findings.append(finding)
    typer.echo(summary(findings))
    sys.exit(any(finding.state == BAD for finding in findings))


@app.command()
def lab(
    folder: Annotated[Path, typer.Argument(help="Your working copy of the notebooks.")] = Path("foldem-work"),
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
    pack: Packs = None,
) -> None:
    """Open JupyterLab on a working copy of the notebooks; what you have written there is never overwritten.

    Example: `foldem lab ~/foldem`
    """
    from autograder.commands.lab import open_lab

    sys.exit(open_lab(folder, no_browser, _units(pack, folder)))


@app.command()
def tournament(
    bots: Annotated[list[str], typer.Argument(help="Python files, bots notebooks, `smart`, `stupid`.")],
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="Games (with --pairs: for each pair).")] = 1000,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Games played at once; the result is the same.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Plays the same tournament again (default: a new one, which is printed). Who can guess it can "
            "compute hidden hands: in a contest leave it out.",
        ),
    ] = None,
    to: Annotated[int, typer.Option(min=1, help="The points that end a game.")] = 500,
    pairs: Annotated[bool, typer.Option("--pairs", help="Every pair at a table of its own, and a heat map.")] = False,
    sandbox: Annotated[str | None, typer.Option(help="auto, bubblewrap, landlock, or off (confines nothing).")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for tournament.json and the pictures (SVG).")] = None,
) -> None:
    """Let bots play against each other, each in a sandboxed process of its own.

    Example: `foldem tournament a.py b.py --games 1000 --jobs 2`

    Example: `foldem tournament 5_bots.ipynb:champion smart --out results`

    A file defines `play_card(view)`, `play_drawn(view)` and `choose_color(view)`, or `bot = Bot("Fox", ...)`. With
    `a.py:fox` it is `fox` or `fox_player` (a `Bot`), or `fox_play_card` and so on, or a function like `champion`,
    which gives a `Bot`. Of a notebook it is its champion if it is written, else `smart`, else `stupid`. A file is alone
    in its sandbox: it may import `course` and the standard library. A bot that plays against the rules, raises, ends
    its process or takes longer than a second sits out the game; after three games of being lost or late, all others.

    Ctrl-C ends it early and prints what was played. Exit status 0: all was played; 130: interrupted; 2: bad input.
    """
    from autograder.commands.tournament import run

    sys.exit(run(bots, games, jobs, seed, to, pairs, sandbox, out))


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="uno, dominoes, sedma, basra, or bots to watch.")],
    notebook: Annotated[
        Path | None, typer.Option(help="Your notebook, whose functions make the game (default: the references).")
    ] = None,
    bots: Annotated[int | None, typer.Option(help="How many bots sit at the table (uno: 1-9, dominoes: 1-3).")] = None,
    pace: Annotated[float, typer.Option(min=0, help="How many seconds a bot takes for its move.")] = 0.7,
    trust: Annotated[bool, typer.Option("--trust", help="The notebook may run as a program of yours.")] = False,
) -> None:
    """Play a game in the terminal, made of your own functions: the tables of the notebooks, as text.

    Example: `foldem play uno --notebook 4_uno.ipynb --bots 3`

    A line says at all times what can be typed: a number or a name chooses, `b` takes a move back, `h` explains, `q`
    leaves. A notebook plays in no sandbox: whatever it says is run as a program of yours, so you are asked first (or
    say `--trust`). What your notebook does not have yet is borrowed from the references, where they are installed.
    """
    from autograder.commands.play import play as play_by_hand

    sys.exit(play_by_hand(game, notebook, bots, pace, trust=trust))


@app.command()
def build(
    unit: Annotated[list[str] | None, typer.Argument(help="Units (default: all of the pack).")] = None,
    pack: Packs = None,
) -> None:
    """Build the notebooks of a pack from its `solutions/` (default: of the pack that comes with Foldem, in a checkout).

    Example: `foldem build --pack war`

    Example: `foldem build dominoes`
    """
    from autograder.hosts.products import build as build_products

    changed = build_products(_units(pack, None, unit) or _units_of_ours())
    typer.echo("\n".join(f"built {path}" for path in changed) or "nothing has changed")


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="The pack: a new folder, or one that is there.")],
    unit: Annotated[str, typer.Option(help="The unit to begin.")],
) -> None:
    """Begin a unit of your own: a pack with two small exercises that works at once, or a unit more in a pack.

    Example: `foldem new games --unit war`
    """
    from autograder.commands.new import new_unit

    for line in new_unit(folder, unit):
        typer.echo(line)


@app.command()
def prove(
    unit: Annotated[list[str] | None, typer.Argument(help="Units (default: all of the pack).")] = None,
    pack: Packs = None,
    seed: Annotated[str, typer.Option(help="Of the exams: another shows what only luck had refused.")] = "0",
    jobs: Annotated[int, typer.Option(min=1, help="How many processes judge.")] = os.cpu_count() or 1,
    mutants: Annotated[bool, typer.Option("--mutants", help="Only try the mutants.")] = False,
    exercise: Annotated[str | None, typer.Option(help="Only the mutants of this exercise.")] = None,
) -> None:
    """Prove the units of a pack, by default of the one that comes with Foldem: for authors.

    Example: `foldem prove --pack war`

    The examples of the statements hold; the notebooks are fresh and show no line of a reference; what is unsolved,
    constant or a known mistake fails; references and other right answers pass; and so does no reference that is changed
    in one place (those that do are shown). It ends in a table.

    Exit status 0: all holds; 1: something does not (it is named); 2: the pack is broken.
    """
    from autograder.commands.prove import run

    sys.exit(run(_units(pack, None, unit) or _units_of_ours(), seed, jobs, mutants, exercise))


def upgrade_course(folder: Path, write: bool) -> int:
    """Report what an upgrade would change in a course, or upgrade it."""
    from autograder.commands.upgrade import run

    return run(folder, write)


def _units(packs: list[Path] | None, place: Path | None, named: list[str] | None = None) -> tuple[str, ...]:
    """Make packs known, and those of the course at a place; give the units meant: those named, else those of the packs.

    None are given for all that there are.
    """
    from autograder.config import use_course_packs
    from autograder.units.pack import read_pack, use_packs

    use_packs(packs or ())
    if place:
        use_course_packs(place)
    return tuple(named or (unit for pack in packs or () for unit in read_pack(pack).units))


def _units_of_ours() -> tuple[str, ...]:
    from autograder.units.pack import known_packs

    return known_packs()[0].units


def main() -> None:
    """Run the command; what the user got wrong is one line, not a traceback."""
    look_seldom()
    let_all_be_printed()
    try:
        app()
    except Unusable as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def let_all_be_printed() -> None:
    """Have a pipe or a file take every character, where its encoding has few: as on Windows."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(encoding="utf-8" if sys.platform == "win32" else None, errors="replace")


def _refuse(reason: str) -> None:
    from autograder.text import shown_name

    typer.secho(f"foldem: {shown_name(reason)}", err=True, fg="red")
    sys.exit(2)
