"""The `foldem` command."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.garbage import look_seldom
from autograder.unusable import Unusable, missing_extra

if TYPE_CHECKING:
    from autograder.term.course import Course
    from autograder.units.pack import Catalogue
    from autograder.units.unit import Unit

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="Teach functional programming with card games: make notebooks, grade them, report on a class.",
)
Units = Annotated[list[str] | None, typer.Option(help="Unit to use (default: all). Repeat the option to use several.")]
Packs = Annotated[
    list[Path] | None,
    typer.Option("--pack", help="Folder of your own units, made by `foldem new`. Repeat the option to use several."),
]
UnitToGrade = Annotated[str | None, typer.Option(help="Unit to grade (default: the assignment's unit).")]
AssignmentToGrade = Annotated[
    str | None, typer.Option(help="Assignment to grade (default: the only assignment with this unit).")
]
Jobs = Annotated[int, typer.Option(min=1, help="Number of submissions to grade in parallel.")]
Paths = Annotated[
    list[Path], typer.Argument(help="Notebooks, .py files, folders, zips, or nbgrader's submitted/ folder.")
]


def print_version(is_wanted: bool) -> None:
    """Print the version and exit, if `--version` was given."""
    if is_wanted:
        from autograder.grading.run import installed_version

        typer.echo(f"foldem {installed_version()}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=print_version)
    ] = False,
) -> None:
    """Read the options that belong to no command."""


@app.command()
def grade(
    paths: Paths,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder to write: report.json, report.csv, and one page per submission in pages/."),
    ] = None,
    unit: Annotated[str | None, typer.Option(help="Grade only notebooks of this unit.")] = None,
    sandbox: Annotated[str | None, typer.Option(help="Sandbox: auto, bubblewrap, landlock, or off (unsafe).")] = None,
    seed: Annotated[
        str | None, typer.Option(help="Seed of the hidden inputs (default: from foldem.toml, else 0).")
    ] = None,
    jobs: Jobs = 1,
    store: Annotated[
        str | None,
        typer.Option(
            help="Database of results: a file or postgresql+psycopg://… (default: foldem.db in the course folder or in "
            "--out)."
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Grade all submissions again, even unchanged ones.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not print the table.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the reports as JSON instead of the table.")] = False,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Address of a Dask scheduler (tcp://host:8786 or tls://host:8786), or `local` to start workers here."
        ),
    ] = None,
    pack: Packs = None,
) -> None:
    """Grade submissions and print a table of marks.

    Example: `foldem grade submitted/ --out reports`

    Each result is saved at once. If a run is interrupted, the same command continues it. Unchanged submissions are not
    graded again. The table shows the submissions that you named; the output folder shows all saved results.

    Exit status 0: all submissions were graded; 1: some were not (they are named); 2: nothing was done.
    """
    from autograder.commands.grade import GradeOptions, run
    from autograder.config import with_course_packs
    from autograder.term.locations import root_of

    catalogue = _catalogue(pack)
    for root in filter(None, dict.fromkeys(map(root_of, (Path.cwd(), *paths[:1])))):
        catalogue = with_course_packs(catalogue, root, but=paths)
    sys.exit(run(paths, GradeOptions(out, unit, sandbox, seed, jobs, store, fresh, quiet, json, cluster), catalogue))


@app.command()
def regrade(
    course: Annotated[Path, typer.Argument(help="The course folder.")],
    diff: Annotated[bool, typer.Option("--diff", help="Show which marks would change, without changing any.")] = False,
    jobs: Jobs = 1,
) -> None:
    """Grade a course again with its current settings and `adjust.toml`, and list every mark that changes.

    Example: `foldem regrade cs101 --diff`

    Exit status 0: all submissions are graded; 1: some are not; 2: nothing was done.
    """
    from autograder.commands.regrade import run
    from autograder.term.course import read_course

    sys.exit(run(course, read_course(course, _catalogue(None, course)), diff, jobs))


@app.command()
def collect(
    download: Annotated[Path, typer.Argument(help="The downloaded zip, or the folder that you unpacked it to.")],
    course: Annotated[Path, typer.Argument(help="The course folder.")],
    assignment: Annotated[
        str | None, typer.Option(help="Assignment that the download is for (default: recognized by its notebooks).")
    ] = None,
    times: Annotated[
        Path | None,
        typer.Option(help="CSV of hand-in times: Moodle's grading worksheet, or any file with a column Submitted At."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Use the files of this download, even if an earlier file is better.")
    ] = False,
) -> None:
    """Sort a download from Moodle, Canvas or Gradescope, or a folder per student, into a course's `submitted/`.

    Example: `foldem collect submissions.zip cs101 --assignment dominoes`

    Files are matched to students by `roster.csv` in the course folder, and to notebooks by their content. `collected/`
    keeps every file. The latest file counts, unless an earlier one is better: on time, readable, with answers.
    Points are deducted for lateness only if the time is known, from Gradescope or `--times`.

    Exit status 0: everything was sorted; 1: there are warnings; 2: nothing was done.
    """
    from autograder.commands.collect import CollectOptions, run
    from autograder.term.course import course_at

    options = CollectOptions(assignment, times, replace)
    sys.exit(run(download, course_at(course, _catalogue(None, course)), options))


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(help="Folder to write to.")],
    unit: Annotated[str, typer.Option(help="Unit that the class works on.")] = "dominoes",
) -> None:
    """Write sample files to try grading: a Moodle zip with submissions of six students, a roster, and hand-in times.

    Example: `foldem demo class && foldem grade class/submissions.zip`
    """
    from autograder.commands.demo import write_class

    for line in write_class(folder, *_units(_catalogue(None), None, [unit])):
        typer.echo(line)


@app.command()
def export(
    course: Annotated[Path, typer.Argument(help="The course folder.")],
    to: Annotated[
        str,
        typer.Option(
            help="Format: csv, moodle (grade import), canvas (gradebook), or moodle-feedback (a zip of feedback pages "
            "for each assignment collected from Moodle)."
        ),
    ] = "csv",
    out: Annotated[
        Path | None, typer.Option(help="File to write, or folder for feedback (default: in the course folder).")
    ] = None,
    title: Annotated[
        list[str] | None,
        typer.Option(
            help="The platform's name for an assignment, as assignment=title. Canvas adds an assignment if no name "
            "matches."
        ),
    ] = None,
    store: Annotated[str | None, typer.Option(help="Database of results (default: as for `grade`).")] = None,
) -> None:
    """Export a course's marks for a learning platform.

    Example: `foldem export cs101 --to canvas --title dominoes="Homework 2"`

    Names and addresses come from `roster.csv` in the course folder. The columns of that file are id, name, email and
    group, and for Canvas canvas_id, sis_id, login and section. The platform's own list of participants works, too. A
    missing mark is left blank; it is never 0.

    Exit status 0: all marks were written; 1: a file has changed since it was graded (it is named); 2: nothing was
    written.
    """
    from autograder.commands.export import run
    from autograder.term.course import course_at

    sys.exit(run(course_at(course, _catalogue(None, course)), to, out, title or [], store))


StudentToFind = Annotated[str, typer.Argument(metavar="STUDENT", help="Id of the student, as in roster.csv.")]
CourseAround = Annotated[Path, typer.Argument(metavar="[COURSE]", help="The course folder (default: this folder).")]
StoreToSearch = Annotated[str | None, typer.Option("--store", help="Database of results (default: as for `grade`).")]
OutsToSearch = Annotated[
    list[Path] | None,
    typer.Option("--reports", help="Folder outside of the course that `foldem grade --out` wrote. May be repeated."),
]


@app.command()
def forget(
    student: StudentToFind,
    course: CourseAround = Path(),
    reports: OutsToSearch = None,
    store: StoreToSearch = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking, for scripts.")] = False,
) -> None:
    """Delete everything that is stored about a student: files, results, marks, reports and caches.

    Example: `foldem forget s101 cs101 --reports reports`

    It lists what it will delete, and asks. Afterwards it searches the course, the reports and the cache for the
    student's id, name and address. It names the files that still contain them, such as a platform's download.

    Exit status 0: everything was deleted; 1: some files still mention the student; 2: nothing was deleted.
    """
    from autograder.commands.forget import run_forget
    from autograder.term.course import read_course

    sys.exit(run_forget(read_course(course, _catalogue(None, course)), student, store, reports or [], yes))


@app.command()
def takeout(
    student: StudentToFind,
    course: CourseAround = Path(),
    out: Annotated[Path | None, typer.Option(help="Zip to write (default: STUDENT-takeout.zip).")] = None,
    reports: OutsToSearch = None,
    store: StoreToSearch = None,
) -> None:
    """Write a zip with everything that is stored about a student: hand-ins, reports, code, marks, and table rows.

    Example: `foldem takeout s101 cs101`
    """
    from autograder.commands.forget import take_out
    from autograder.term.course import read_course

    typer.echo(take_out(read_course(course, _catalogue(None, course)), student, store, reports or [], out))


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="Your notebook.")],
    exercise: Annotated[str | None, typer.Argument(help="Check only this exercise.")] = None,
    pack: Packs = None,
) -> None:
    """Check your own notebook in the terminal, as `check` does in its cells.

    Example: `foldem check 1_dominoes.ipynb flip`

    Exit status 0: every answer is right; 1: some are not; 2: nothing was checked.
    """
    from autograder.commands.check import check_notebook
    from autograder.config import folder_with_settings, with_course_packs

    catalogue = with_course_packs(_catalogue(pack), folder_with_settings(notebook), but=[notebook])
    sys.exit(check_notebook(notebook, exercise, catalogue))


@app.command("pytest")
def run_tests(
    notebooks: Annotated[list[str], typer.Argument(help="Notebooks, or exercises in them: `x.ipynb::flip`.")],
    expression: Annotated[str, typer.Option("-k", help="Run only the tests whose names match.")] = "",
    exit_first: Annotated[bool, typer.Option("--exitfirst", "-x", help="Stop at the first failure.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print a line for each test.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print less.")] = False,
    collect_only: Annotated[bool, typer.Option("--collect-only", help="List the tests without running them.")] = False,
    junitxml: Annotated[Path | None, typer.Option(help="JUnit XML file to write the results to.")] = None,
    released: Annotated[
        Path | None,
        typer.Option(
            help="The released notebook: only its exercises count (default: the assignment in the course folder)."
        ),
    ] = None,
    sandbox: Annotated[str | None, typer.Option(help="Sandbox: auto, bubblewrap, landlock, or off (unsafe).")] = None,
    pack: Packs = None,
) -> None:
    """Run the exam as pytest tests, one for each rule of each exercise.

    Example: `foldem pytest my.ipynb -k flip`

    Plugins, `conftest.py` files and pytest's own settings are ignored, because a student could have written them.

    The exit status is the one that pytest returns.
    """
    from autograder.commands.pytest import PytestOptions, run
    from autograder.config import with_course_packs

    named = [Path(word.partition("::")[0]) for word in notebooks]
    catalogue = with_course_packs(_catalogue(pack), Path.cwd(), but=named)
    flags = {
        "-x": exit_first,
        "-v": verbose,
        "-q": quiet,
        "--collect-only": collect_only,
        f"-k{expression}": expression,
    }
    chosen = tuple(flag for flag, is_set in flags.items() if is_set)
    sys.exit(run(notebooks, PytestOptions(sandbox, released, junitxml, chosen), catalogue))


@app.command()
def course(
    folder: Annotated[Path, typer.Argument(help="Course folder to make or to extend.")],
    unit: Units = None,
    exercises: Annotated[
        str | None,
        typer.Option(
            help="Part of one unit: first..last, or names separated by commas. Earlier exercises that you leave out "
            "are given: **students see their reference answers**, here and in later assignments."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="Name of one assignment for all the units (default: one assignment per unit)."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing source notebooks.")] = False,
    write: Annotated[
        bool, typer.Option("--write", help="With `upgrade`: make the changes instead of only listing them.")
    ] = False,
    upgraded: Annotated[
        Path | None, typer.Argument(metavar="[COURSE]", help="Course to upgrade: `foldem course upgrade cs101`.")
    ] = None,
    pack: Packs = None,
) -> None:
    """Make a course folder for nbgrader, or add assignments to one.

    Example: `foldem course cs101 --unit dominoes && cd cs101 && nbgrader generate_assignment dominoes`

    Example: `foldem course cs101 --unit dominoes --exercises flip..suppress --name tiles`

    Example: `foldem course upgrade cs101`

    Released assignments stay the same when you update Foldem. `foldem course upgrade` lists what a newer version would
    change: statements, points, and marks.

    Exit status 0: done; 1: with `upgrade`, some submissions were not graded; 2: nothing was done.
    """
    from autograder.commands.course import assignments, make_course
    from autograder.units.unit import units_in

    if upgraded:
        if folder != Path("upgrade"):
            raise Unusable(
                f"name one course folder, not two ({folder} {upgraded}), or use: foldem course upgrade {folder}"
            )
        sys.exit(upgrade_course(upgraded, _catalogue(pack, upgraded), write))
    if folder == Path("upgrade") and not folder.exists():
        raise Unusable("name the course to upgrade, as in: foldem course upgrade cs101")
    catalogue = _catalogue(pack, folder).pinned(None if force else folder)
    wanted = assignments(_units(catalogue, pack, unit) or units_in(catalogue), exercises, name)
    for line in make_course(folder, wanted, catalogue, force):
        typer.echo(line)


@app.command()
def student_kit(
    folder: Annotated[Path, typer.Argument(help="New folder to make.")],
    unit: Units = None,
    course: Annotated[
        Path | None, typer.Option(help="Course folder: use its released notebooks and its settings.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write into the folder even if it is not empty.")] = False,
    pack: Packs = None,
) -> None:
    """Make the folder that students get: notebooks and the package `course`, without solutions and autograder.

    Example: `foldem student-kit kit --unit dominoes`

    Example: `foldem student-kit kit --course cs101`
    """
    from autograder.commands.student_kit import make_kit

    catalogue = _catalogue(pack, course or Path.cwd())
    for line in make_kit(folder, catalogue, _units(catalogue, pack, unit), course, force):
        typer.echo(line)


@app.command()
def site(
    folder: Annotated[Path, typer.Argument(help="Folder to make. If it contains a site, that site is replaced.")],
    unit: Units = None,
    course: Annotated[
        Path | None,
        typer.Option(help="Course folder: use its released notebooks and settings, and leave out reference answers."),
    ] = None,
    pack: Packs = None,
) -> None:
    """Make a static website on which the notebooks run in the browser, for GitHub Pages or any other web server.

    Example: `foldem site public` for people who learn alone, with hints, `borrow` and `solution`

    Example: `foldem site public --course cs101` for a class

    This needs npm and the extra `site` (in a checkout: `pip install ./packages/course '.[site]'`). The first run
    downloads Pyodide and some Python packages.
    """
    from autograder.commands.site import make_site

    catalogue = _catalogue(pack, course or Path.cwd())
    for line in make_site(folder, catalogue, _units(catalogue, pack, unit), course):
        typer.echo(line)


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="Course folder, or folder written by `foldem grade --out`.")],
    out: Annotated[Path | None, typer.Option(help="HTML page to write (default: class.html in the folder).")] = None,
    store: Annotated[str | None, typer.Option(help="Database of results (default: as for `grade`).")] = None,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Leave out all names of students and files.")] = False,
) -> None:
    """Write a page about the class: hard exercises, common mistakes, students who may need help, similar code.

    Example: `foldem grade cs101/submitted && foldem report cs101`
    """
    from autograder.commands.report import make_page
    from autograder.term.course import read_course

    for line in make_page(read_course(folder, _catalogue(None, folder)), out, store, anonymous):
        typer.echo(line)


@app.command()
def mistakes(
    folder: Annotated[Path, typer.Argument(help="Course folder, or folder written by `foldem grade --out`.")],
    draft: Annotated[
        bool, typer.Option("--draft", help="Print Python code for new known mistakes, with the answers filled in.")
    ] = False,
    least: Annotated[int, typer.Option(min=2, help="List only answers that at least this many students gave.")] = 3,
    store: Annotated[str | None, typer.Option(help="Database of results (default: as for `grade`).")] = None,
) -> None:
    """List the common wrong answers that have no explanation yet.

    Example: `foldem mistakes cs101 --draft >> mypack/mistakes/war.py`
    """
    from autograder.commands.report import draft_mistakes, unknown_groups
    from autograder.term.course import read_course

    course = read_course(folder, _catalogue(None, folder))
    for line in (draft_mistakes if draft else unknown_groups)(course, store, least):
        typer.echo(line)


@app.command()
def gradescope(
    archive: Annotated[Path, typer.Argument(help="Zip file to write.")],
    unit: UnitToGrade = None,
    course: Annotated[
        Path | None, typer.Option(help="Course folder: use its assignments and settings, including the secret seed.")
    ] = None,
    assignment: AssignmentToGrade = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing zip.")] = False,
    pack: Packs = None,
) -> None:
    """Make the autograder zip for an assignment on Gradescope.

    Example: `foldem gradescope tiles.zip --course cs101 --assignment tiles`

    Example: `foldem gradescope dominoes.zip --unit dominoes`

    With `--course`, only the exercises of the assignment count. Each exercise is worth the points that the course sets.
    """
    from autograder.commands.gradescope import make_zip

    for line in make_zip(archive, _course(pack, course), assignment, unit, force):
        typer.echo(line)


@app.command()
def classroom50(
    folder: Annotated[Path, typer.Argument(help="Folder to write.")],
    unit: UnitToGrade = None,
    course: Annotated[Path | None, typer.Option(help="Course folder: use its assignments and settings.")] = None,
    assignment: AssignmentToGrade = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing folder.")] = False,
    pack: Packs = None,
) -> None:
    """Make the grader of an assignment for Classroom 50: an `autograder.py` that writes `result.json`.

    Example: `foldem classroom50 tiles --course cs101 --assignment tiles`

    Example: `foldem classroom50 dominoes --unit dominoes`

    Scores are whole numbers there, so 1.5 points are a score of 150. Students can read the folder. So it contains the
    published exam instead of your course's, and its marks are only feedback. For the real marks, use `foldem grade`.
    """
    from autograder.commands.classroom50 import make_grader

    for line in make_grader(folder, _course(pack, course), assignment, unit, force):
        typer.echo(line)


@app.command()
def github(
    folder: Annotated[Path, typer.Argument(help="Folder of the starter repository.")],
    unit: UnitToGrade = None,
    course: Annotated[Path | None, typer.Option(help="Course folder: use one of its released assignments.")] = None,
    assignment: AssignmentToGrade = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
) -> None:
    """Make a starter repository for GitHub: a notebook, a workflow that grades it, and Foldem's wheels.

    Example: `foldem github tiles-starter --course cs101 --assignment tiles`

    Example: `foldem github dominoes-starter --unit dominoes`

    With `--course`, only the exercises of the assignment count. Each exercise is worth the points that the course sets.
    """
    from autograder.commands.github import make_starter

    for line in make_starter(folder, _course(None, course), assignment, unit, force):
        typer.echo(line)


@app.command()
def docs(
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address instead of opening a browser.")
    ] = False,
    schemas: Annotated[
        bool, typer.Option("--schemas", help="Print the folder of the settings files' JSON schemas, for editors.")
    ] = False,
) -> None:
    """Open the documentation that comes with Foldem. No network connection is needed.

    Example: `foldem docs`
    """
    from autograder.commands.docs import SCHEMAS, open_pages

    for line in [str(SCHEMAS)] if schemas else open_pages(no_browser):
        typer.echo(line)


@app.command()
def doctor(pack: Packs = None) -> None:
    """Check this machine: what works, what is missing, and how to install it.

    Example: `foldem doctor`

    Exit status 0: everything works; 1: something is missing or broken.
    """
    from autograder.commands.doctor import examine, summary
    from course.show.results import BAD

    findings = []
    for finding in examine(_catalogue(pack)):
        typer.echo(finding)
        findings.append(finding)
    typer.echo(summary(findings))
    sys.exit(any(finding.state == BAD for finding in findings))


@app.command()
def lab(
    folder: Annotated[Path, typer.Argument(help="Folder for your copy of the notebooks.")] = Path("foldem-work"),
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address instead of opening a browser.")
    ] = False,
    pack: Packs = None,
) -> None:
    """Copy the notebooks to a folder and open JupyterLab there. Your answers are never overwritten.

    Example: `foldem lab ~/foldem`
    """
    from autograder.commands.lab import open_lab

    catalogue = _catalogue(pack, folder)
    sys.exit(open_lab(folder, no_browser, catalogue, _units(catalogue, pack)))


@app.command()
def tournament(
    bots: Annotated[
        list[str],
        typer.Argument(
            help="The bots: Python files, notebooks of the unit bots, or our own bots `smart` and `stupid`."
        ),
    ],
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="Number of games (with --pairs: per pair).")] = 1000,
    jobs: Annotated[
        int, typer.Option(min=1, max=64, help="Number of games to play in parallel; it does not change the result.")
    ] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Seed that repeats a tournament (default: a new one, which is printed). Do not set it in a contest: "
            "anyone who knows it can compute hidden hands.",
        ),
    ] = None,
    to: Annotated[int, typer.Option(min=1, help="Number of points that ends a game.")] = 500,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Let every pair of bots play separately, and draw a heat map.")
    ] = False,
    sandbox: Annotated[str | None, typer.Option(help="Sandbox: auto, bubblewrap, landlock, or off (unsafe).")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder to write: tournament.json and charts (SVG).")] = None,
) -> None:
    """Let bots play against each other, each in its own sandbox.

    Example: `foldem tournament a.py b.py --games 1000 --jobs 2`

    Example: `foldem tournament 5_bots.ipynb:champion smart --out results`

    A file defines a bot: the functions `play_card(view)`, `play_drawn(view)` and `choose_color(view)`, or
    `bot = Bot("Fox", ...)`.
    `a.py:fox` means `fox` or `fox_player` (a `Bot`), functions named `fox_play_card` and so on, or a function that
    returns a `Bot`. A notebook plays its `champion` if it is written, else `smart`, else `stupid`. A bot may import
    `course` and the standard library.

    A bot is disqualified from a game if it breaks a rule, raises an exception, ends its process or takes longer than a
    second. After three games in which its process ended or was too slow, a bot is out of the tournament.

    Ctrl-C stops early and prints the games played so far.

    Exit status 0: all games were played; 130: interrupted; 2: bad input.
    """
    from autograder.commands.tournament import run

    sys.exit(run(bots, games, jobs, seed, to, pairs, sandbox, out, _catalogue(None)))


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="Game: uno, dominoes, sedma or basra; or bots, to watch bots play.")],
    notebook: Annotated[
        Path | None, typer.Option(help="Notebook whose functions run the game (default: the reference answers).")
    ] = None,
    bots: Annotated[int | None, typer.Option(help="Number of bots (uno: 1-9, dominoes: 1-3).")] = None,
    pace: Annotated[float, typer.Option(min=0, help="Seconds that a bot waits before each move.")] = 0.7,
    trust: Annotated[
        bool, typer.Option("--trust", help="Run the notebook without a sandbox and without asking.")
    ] = False,
) -> None:
    """Play a game in the terminal with your own functions.

    Example: `foldem play uno --notebook 4_uno.ipynb --bots 3`

    The last line shows the keys: type a number or a name to choose, `b` to undo a move, `h` for help, `q` to quit.

    The notebook runs without a sandbox, like any program that you start. `foldem play` asks whether you trust it,
    unless you add `--trust`. Functions that you have not written yet are borrowed from the reference answers, if they
    are installed.
    """
    from autograder.commands.play import play as play_by_hand

    sys.exit(play_by_hand(game, notebook, bots, pace, catalogue=_catalogue(None), trust=trust))


@app.command()
def build(
    unit: Annotated[list[str] | None, typer.Argument(help="Units (default: all units of the pack).")] = None,
    pack: Packs = None,
) -> None:
    """Build the notebooks of a pack from its `solutions/` (default: Foldem's own pack, in a checkout).

    Example: `foldem build --pack games`

    Example: `foldem build dominoes`
    """
    from autograder.hosts.products import build as build_products

    changed = build_products(_units_to_make(pack, unit))
    typer.echo("\n".join(f"built {path}" for path in changed) or "All notebooks are up to date.")


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="Folder of the pack: a new one, or a pack to extend.")],
    unit: Annotated[str, typer.Option(help="Name of the new unit.")],
) -> None:
    """Make a unit of your own with two small, working exercises, in a new pack or in an existing one.

    Example: `foldem new games --unit war`
    """
    from autograder.commands.new import new_unit

    for line in new_unit(folder, unit, _catalogue(None)):
        typer.echo(line)


@app.command()
def prove(
    unit: Annotated[list[str] | None, typer.Argument(help="Units (default: all units of the pack).")] = None,
    pack: Packs = None,
    seed: Annotated[
        str, typer.Option(help="Seed of the exams; try several to see which mistakes are caught only by luck.")
    ] = "0",
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes to run in parallel.")] = os.cpu_count() or 1,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Try only the mutants: reference answers with one change.")
    ] = False,
    exercise: Annotated[
        str | None, typer.Option(help="Try only the mutants of this exercise: its reference answer with one change.")
    ] = None,
) -> None:
    """Test the units of a pack, for authors (default: Foldem's own pack).

    Example: `foldem prove --pack games`

    `foldem prove` tests that the examples in the statements are right. The command also tests that the notebooks are up
    to date and contain no reference answer. Reference answers and other right answers must pass. The exams must refuse
    unsolved exercises, functions that always return the same value, known mistakes, and mutants. A mutant is a
    reference answer with one change. At the end, the command prints a table of the results.

    Exit status 0: all tests pass; 1: some fail (they are named); 2: the pack is broken.
    """
    from autograder.commands.prove import run

    sys.exit(run(_units_to_make(pack, unit), seed, jobs, mutants, exercise))


def upgrade_course(folder: Path, catalogue: Catalogue, write: bool) -> int:
    """Print what an upgrade would change in a course, or upgrade it."""
    from autograder.commands.upgrade import run
    from autograder.term.course import course_at

    return run(course_at(folder, catalogue), write)


def _catalogue(packs: list[Path] | None, folder: Path | None = None) -> Catalogue:
    """Return the installed packs, the packs named, and those of the course around a folder."""
    from autograder.config import with_course_packs
    from autograder.units.pack import catalogue_here

    catalogue = catalogue_here().with_packs(packs or ())
    return with_course_packs(catalogue, folder) if folder else catalogue


def _course(packs: list[Path] | None, folder: Path | None) -> Course:
    """Return the course in a folder, with the packs named. Without a folder, it has only default settings."""
    from autograder.term.course import Course, course_at

    catalogue = _catalogue(packs, folder)
    return course_at(folder, catalogue) if folder else Course(catalogue)


def _units(catalogue: Catalogue, packs: list[Path] | None, named: list[str] | None = None) -> tuple[Unit, ...]:
    """Return the units named, or else the units of the packs named."""
    from autograder.units.pack import read_pack
    from autograder.units.unit import read_unit

    names = named or [unit for pack in packs or () for unit in read_pack(pack).units]
    return tuple(read_unit(catalogue, name) for name in names)


def _units_to_make(packs: list[Path] | None, named: list[str] | None) -> tuple[Unit, ...]:
    """Return the units named, or else the units of the packs named, or else Foldem's own."""
    catalogue = _catalogue(packs)
    return _units(catalogue, packs, named) or _units(catalogue, None, [*catalogue.packs[0].units])


def main() -> None:
    """Run the command. For a user's mistake, print one line and not a traceback."""
    look_seldom()
    let_all_be_printed()
    try:
        (brief_app() if sys.argv[1:] in ([], ["--help"]) else app)()
    except Unusable as error:
        _refuse(str(error))
    except ModuleNotFoundError as error:
        reason = missing_extra(error.name or "", f"foldem {' '.join(sys.argv[1:2])}")
        if not reason:
            raise
        _refuse(reason)
    except OSError as error:
        _refuse(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def brief_app() -> typer.Typer:
    """Return an app that lists the commands, without their parameters and without colors: twice as fast as `app`."""
    brief = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=app.info.help)
    brief.callback()(options)
    for command in app.registered_commands:
        function = command.callback or brief_app
        first, _, _ = (function.__doc__ or "").partition("\n\n")
        name = command.name or function.__name__.replace("_", "-")
        brief.command(name, short_help=" ".join(first.split()))(lambda: None)
    return brief


def let_all_be_printed() -> None:
    """Replace characters that the encoding of a pipe or file lacks, as on Windows, so that printing does not fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(encoding="utf-8" if sys.platform == "win32" else None, errors="replace")


def _refuse(reason: str) -> None:
    from autograder.text import shown_name

    typer.secho(f"foldem: {shown_name(reason)}", err=True, fg="red")
    sys.exit(2)
