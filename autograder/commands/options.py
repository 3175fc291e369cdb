"""The options and arguments of each command. A class's docstring is its command's help; `cli` makes the commands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

UnitsOption = Annotated[
    list[str] | None, typer.Option(help="Unit to use (default: all units). Repeat the option to use several units.")
]
UnitsArgument = Annotated[list[str] | None, typer.Argument(help="Units (default: all units of the pack).")]
CourseArgument = Annotated[Path, typer.Argument(help="The course folder.")]
ReportFolderArgument = Annotated[Path, typer.Argument(help="Course folder, or folder written by `foldem grade --out`.")]
StoreOption = Annotated[
    str | None,
    typer.Option(
        help="Database of results: a file or postgresql+psycopg://… (default: foldem.db in the course folder, or in "
        "the folder of `foldem grade --out`)."
    ),
]
SandboxOption = Annotated[
    str | None, typer.Option(help="Level of the sandbox: auto, bubblewrap, landlock, or off (unsafe).")
]


class Options(Struct, frozen=True, kw_only=True):
    """The options and arguments of one run of a command."""


class PackOptions(Options, frozen=True, kw_only=True):
    """The options of a command that can use units of other packs."""

    pack: Annotated[
        list[Path] | None,
        typer.Option(
            "--pack",
            help="Folder of a pack made by `foldem new` or `foldem import`. Repeat the option for several packs.",
        ),
    ] = None


class GradeOptions(PackOptions, frozen=True, kw_only=True):
    """Grade submissions and print a table of marks.

    Example: `foldem grade submitted/ --out reports`

    Example: `foldem grade cs101 --diff` shows which marks a new `adjust.toml` or setting would change.

    Foldem saves each result as soon as it has graded the submission. If a run is interrupted, run the same command
    again to continue. Foldem does not grade unchanged submissions again. The table shows only the submissions in PATHS.
    The folder that you name with `--out` contains the results of all submissions.

    Exit status 0: all submissions were graded; 1: some submissions were not graded (the output names them); 2: no
    submission was graded.
    """

    paths: Annotated[list[Path], typer.Argument(help="Notebooks, folders with notebooks, or a course folder.")]
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the results: report.json, report.csv, and a page for each submission in pages/."),
    ] = None
    sandbox: SandboxOption = None
    seed: Annotated[
        str | None,
        typer.Option(help="Seed of the hidden inputs (default: the seed in foldem.toml, or 0 if there is none)."),
    ] = None
    jobs: Annotated[int, typer.Option(min=1, help="Number of submissions to grade in parallel.")] = 1
    store: Annotated[
        str | None,
        typer.Option(
            help="Database of results: a file or postgresql+psycopg://… (default: foldem.db in the course folder or in "
            "--out)."
        ),
    ] = None
    fresh: Annotated[bool, typer.Option("--fresh", help="Grade all submissions again, even unchanged submissions.")] = (
        False
    )
    diff: Annotated[
        bool, typer.Option("--diff", help="Print only the marks that would change, with reasons. Store nothing.")
    ] = False
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not print the table.")] = False
    json: Annotated[bool, typer.Option("--json", help="Print the reports as JSON instead of the table.")] = False
    show_hidden: Annotated[
        bool,
        typer.Option("--show-hidden", help="Print the reports with hidden calls and results. Nothing is stored."),
    ] = False
    cluster: Annotated[
        str | None,
        typer.Option(help="Address of a Dask scheduler: tcp://host:8786 or tls://host:8786."),
    ] = None


class CollectOptions(Options, frozen=True, kw_only=True):
    """Copy the notebooks in a learning platform's download, or in a folder, into a course's `submitted/`.

    Example: `foldem collect submissions.zip cs101 --assignment dominoes`

    `foldem collect` looks up each file's student in `roster.csv` in the course folder, and recognizes the assignment
    by the file's contents. Foldem keeps all files in `collected/`. If a student has several files, only one
    counts: the latest one that is on time, is readable and has answers. A late file counts instead only if it has more
    points, even after the deduction. Foldem deducts points for lateness only if Gradescope or `--times` gives the time
    of submission.

    Exit status 0: all files were collected; 1: there are warnings; 2: no file was collected.
    """

    download: Annotated[Path, typer.Argument(help="The downloaded zip, or a folder with the unpacked zip.")]
    course: CourseArgument
    assignment: Annotated[
        str | None,
        typer.Option(help="Assignment of the downloaded files (default: Foldem recognizes it by its notebooks)."),
    ] = None
    times: Annotated[
        Path | None,
        typer.Option(
            help="CSV file with submission times: Moodle's grading worksheet, or any CSV with a column Submitted At."
        ),
    ] = None
    pattern: Annotated[
        str | None,
        typer.Option(help="Regular expression for paths in the download, with a group such as (?P<student_id>...)."),
    ] = None


class DemoOptions(Options, frozen=True, kw_only=True):
    """Write sample files for a first try: a Moodle zip with the work of six students, a roster, and submission times.

    Example: `foldem demo class`

    To grade the sample submissions, make a course with the unit of the sample class (see `--unit`). Copy
    `roster.csv` into the course folder, and run `foldem collect` with the zip.
    """

    folder: Annotated[Path, typer.Argument(help="Folder to write to.")]
    unit: Annotated[
        str | None, typer.Option(help="Unit that the sample class works on (default: the second unit).")
    ] = None


class ExportOptions(Options, frozen=True, kw_only=True):
    """Export a course's marks for a learning platform.

    Example: `foldem export cs101 --to canvas --title dominoes="Homework 2"`

    Names and email addresses come from `roster.csv` in the course folder. The columns of `roster.csv` are id, name,
    email, group and section; for Canvas, also canvas_id, sis_id and login. The learning platform's own list of
    participants also works as `roster.csv`. A missing mark is left blank, and is never written as 0.

    Exit status 0: all marks were written; 1: some submissions are not graded yet (the output names them); 2:
    no mark was written.
    """

    course: CourseArgument
    to: Annotated[
        str,
        typer.Option(
            help="Format: csv, moodle (grade import), canvas (gradebook), or moodle-feedback (a zip of feedback pages "
            "for each assignment collected from Moodle)."
        ),
    ] = "csv"
    out: Annotated[
        Path | None,
        typer.Option(help="File to write; for moodle-feedback, a folder for the zips (default: in the course folder)."),
    ] = None
    title: Annotated[
        list[str] | None,
        typer.Option(
            help="Title of an assignment on the platform, as assignment=title. If the title is new, Canvas adds an "
            "assignment."
        ),
    ] = None
    store: StoreOption = None


class ForgetOptions(Options, frozen=True, kw_only=True):
    """Delete or copy everything that is stored about a student: files, results, marks, reports and caches.

    Example: `foldem forget s101 cs101 --reports reports`

    Example: `foldem forget s101 cs101 --copy s101.zip`

    Without `--yes`, the command only lists what it would delete. The command finds the student's folders and results,
    and the student's rows in `roster.csv`, `adjust.toml` and nbgrader's gradebook. A platform's download, or another
    student's notebook, may still contain the student's name.

    Exit status 0: everything was deleted or copied; 2: nothing was deleted or copied.
    """

    student: Annotated[str, typer.Argument(metavar="STUDENT", help="Id of the student, as in roster.csv.")]
    course: Annotated[Path, typer.Argument(metavar="[COURSE]", help="The course folder (default: this folder).")] = (
        Path()
    )
    reports: Annotated[
        list[Path] | None,
        typer.Option(
            "--reports",
            help="Folder outside of the course, made by `foldem grade --out`. Repeat the option for several folders.",
        ),
    ] = None
    store: StoreOption = None
    copy: Annotated[
        Path | None,
        typer.Option(
            help="Zip to write, with the student's files, reports and marks, and the student's rows in files such as "
            "roster.csv. With `--copy`, nothing is deleted."
        ),
    ] = None
    yes: Annotated[bool, typer.Option("--yes", help="Delete the listed data.")] = False


class CheckOptions(PackOptions, frozen=True, kw_only=True):
    """Check the answers in your notebook in the terminal, as `check` does in the notebook.

    Example: `foldem check 1_dominoes.ipynb flip`

    Exit status 0: every answer is right; 1: some answers are not right; 2: no answer was checked.
    """

    notebook: Annotated[Path, typer.Argument(help="Your notebook.")]
    exercise: Annotated[str | None, typer.Argument(help="Check only this exercise.")] = None


class PytestOptions(PackOptions, frozen=True, kw_only=True):
    """Grade notebooks with pytest: each rule of an exercise's exam is one test.

    Example: `foldem pytest my.ipynb -k flip`

    `foldem pytest` ignores plugins, `conftest.py` files and pytest's own settings, because a student could have written
    them.

    The exit status is the one that pytest returns.
    """

    notebooks: Annotated[list[str], typer.Argument(help="Notebooks, or exercises in them: `x.ipynb::flip`.")]
    expression: Annotated[str, typer.Option("-k", help="Run only the tests whose names match this expression.")] = ""
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print a line for each test.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print less.")] = False
    junitxml: Annotated[Path | None, typer.Option(help="JUnit XML file to write the results to.")] = None
    released: Annotated[
        Path | None,
        typer.Option(help="Released notebook: only its exercises are tested (default: the assignment's exercises)."),
    ] = None
    sandbox: SandboxOption = None


class CourseOptions(PackOptions, frozen=True, kw_only=True):
    """Make a course folder for nbgrader, or add assignments to an existing course folder.

    Example: `foldem course cs101 --unit dominoes && cd cs101 && nbgrader generate_assignment dominoes`

    Example: `foldem course cs101 --unit dominoes --exercises flip..suppress --name tiles`

    Example: `foldem course cs101 --upgrade`

    After you update Foldem, released assignments are graded as before the update, until you use `--upgrade`.
    `--upgrade` copies the files in `pinned/` to `pinned-before/`, and writes the new version's statements, points and
    exams into `pinned/`. Marks change only when you grade again. `foldem grade cs101 --diff` lists the changes before
    you grade. To undo an upgrade, delete `pinned/`, rename `pinned-before/` to `pinned/`, and grade again.

    Exit status 0: the course folder is complete; 2: nothing was changed.
    """

    folder: Annotated[Path, typer.Argument(help="Course folder to make or to extend.")]
    unit: UnitsOption = None
    exercises: Annotated[
        str | None,
        typer.Option(
            help="Exercises of one unit: first..last, or names separated by commas. For earlier exercises that you "
            "leave out, **students get the reference solutions**, in this assignment and in later assignments."
        ),
    ] = None
    name: Annotated[
        str | None,
        typer.Option(help="Make one assignment with this name from all the units (default: one assignment per unit)."),
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing source notebooks.")] = False
    upgrade: Annotated[
        bool,
        typer.Option(
            "--upgrade",
            help="From now on, grade the course with the exams of the installed Foldem. This option makes no "
            "assignment.",
        ),
    ] = False


class StudentKitOptions(PackOptions, frozen=True, kw_only=True):
    """Make the folder that students get: notebooks and the package `course`, but no solutions and no grader.

    Without `--course`, the kit is for people who learn alone, and its puzzles contain lines of reference solutions.

    Example: `foldem student-kit kit --unit dominoes`

    Example: `foldem student-kit kit --course cs101`
    """

    folder: Annotated[Path, typer.Argument(help="New folder to make.")]
    unit: UnitsOption = None
    course: Annotated[
        Path | None, typer.Option(help="Course folder whose released notebooks and settings are used.")
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Write into the folder even if it is not empty.")] = False


class SiteOptions(PackOptions, frozen=True, kw_only=True):
    """Make a static website on which the notebooks run in the browser, for GitHub Pages or any other web server.

    Example: `foldem site public` makes a site for people who learn alone, with hints, `borrow` and `solution`.

    Example: `foldem site public --course cs101` makes a site for a class.

    The command needs npm and the extra `site`. In a copy of Foldem's repository, install the extra `site` with
    `pip install ./packages/course '.[site]'`. The first run downloads Pyodide and some Python packages.
    """

    folder: Annotated[
        Path, typer.Argument(help="Folder to make. If the folder contains a site, this site is replaced.")
    ]
    unit: UnitsOption = None
    course: Annotated[
        Path | None,
        typer.Option(
            help="Course folder whose released notebooks and settings are used. The site then has no reference "
            "solutions."
        ),
    ] = None


class ReportOptions(PackOptions, frozen=True, kw_only=True):
    """Write a page about the class: hard exercises, common mistakes, similar code, students who may need help.

    Example: `foldem grade cs101/submitted && foldem report cs101`
    """

    folder: ReportFolderArgument
    out: Annotated[Path | None, typer.Option(help="HTML page to write (default: class.html in the folder).")] = None
    store: StoreOption = None


class VivaOptions(PackOptions, frozen=True, kw_only=True):
    """Write a page for an oral check: five questions about a student's own right answers, and a part for the examiner.

    Example: `foldem viva cs101 --student s101`
    """

    folder: ReportFolderArgument
    student: Annotated[str, typer.Option(help="Id of the student, as in roster.csv.")]
    out: Annotated[Path | None, typer.Option(help="HTML page to write (default: viva.html in the folder).")] = None
    store: StoreOption = None


class BundleOptions(PackOptions, frozen=True, kw_only=True):
    """Make the files that Gradescope or GitHub needs to grade an assignment.

    Example: `foldem bundle tiles.zip --for gradescope --course cs101 --assignment tiles`

    Example: `foldem bundle tiles-starter --for github --course cs101 --assignment tiles`

    For Gradescope, the command writes the autograder zip, with the course's secret seed. For GitHub, the command writes
    a starter repository: a notebook, a workflow that grades the notebook, and Foldem's wheels.

    With `--course`, only the exercises of the assignment are graded. Each exercise is worth the points that the course
    sets.
    """

    target: Annotated[Path, typer.Argument(help="Zip file to write (for Gradescope), or folder to write (for GitHub).")]
    platform: Annotated[str, typer.Option("--for", help="Platform: gradescope or github.")]
    unit: Annotated[str | None, typer.Option(help="Unit to grade (default: the assignment's unit).")] = None
    assignment: Annotated[
        str | None, typer.Option(help="Assignment to grade. With --course, this option is required.")
    ] = None
    course: Annotated[Path | None, typer.Option(help="Course folder whose assignments and settings are used.")] = None
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False


class DoctorOptions(PackOptions, frozen=True, kw_only=True):
    """Check this machine: what works, what is missing, and how to install it.

    Example: `foldem doctor`

    Exit status 0: everything works; 1: something is missing or broken.
    """


class LabOptions(PackOptions, frozen=True, kw_only=True):
    """Copy the notebooks to a folder, and open JupyterLab in this folder. The command never overwrites your answers.

    Example: `foldem lab ~/foldem`
    """

    folder: Annotated[Path, typer.Argument(help="Folder for your copy of the notebooks.")] = Path("foldem-work")
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address of JupyterLab instead of opening a browser.")
    ] = False


class TournamentOptions(PackOptions, frozen=True, kw_only=True):
    """Let the bots in some files, or all bots of a course, play against each other, each in its own sandbox.

    Example: `foldem tournament a.py b.py --jobs 2`

    Example: `foldem tournament 5_bots.ipynb smart`

    Example: `foldem tournament cs101 --jobs 4`

    A Python file defines one bot of Uno: the functions `play_card(view)`, `play_drawn(view)` and `choose_color(view)`,
    or `bot = Bot("Fox", ...)`. The bot of a notebook is the first of `champion`, `smart` and `stupid` that the student
    has written. A bot may import `course` and the standard library.

    Every pair of bots plays a match. A match has 16 deals, or 64 deals if the first 16 do not decide the match. The
    bots play each deal twice, the second time with changed seats. A bot that breaks a rule or raises an exception
    loses the set. A bot that is too slow, or whose process ends too early, loses the match.

    If you name a course folder, the command writes a page with a table and all matches. A bot takes part if its author
    has written a pseudonym in the notebook, as `league_name = "..."`. The page shows only pseudonyms. Foldem saves each
    match as soon as the match ends. If a run is interrupted, run the same command again to continue. If a bot has
    changed, only its matches are played again.

    Exit status 0: all matches were played; 130: interrupted; 2: bad input.
    """

    bots: Annotated[
        list[str],
        typer.Argument(
            help="Python files, notebooks or names of the unit's own bots, such as `smart`; or one course folder."
        ),
    ]
    jobs: Annotated[
        int, typer.Option(min=1, max=64, help="Number of matches to play in parallel. The results do not depend on it.")
    ] = 1
    sandbox: SandboxOption = None
    unit: Annotated[
        str | None, typer.Option(help="Unit whose game the bots play (default: the only unit with a game for bots).")
    ] = None
    store: StoreOption = None


class BuildOptions(PackOptions, frozen=True, kw_only=True):
    """Build the notebooks of a pack from its `solutions/`.

    Without `--pack`, the command builds Foldem's own pack, if you work in a copy of Foldem's repository.

    Example: `foldem build --pack games`

    Example: `foldem build dominoes`

    Before it builds, the command imports all files of the units and runs their examples. If there is a mistake, the
    command prints the file and the line number, and writes nothing.

    Exit status 0: all notebooks are up to date; 2: the pack has a mistake.
    """

    unit: UnitsArgument = None


class NewOptions(Options, frozen=True, kw_only=True):
    """Make a unit of your own with two small, working exercises, in a new pack or in an existing one.

    Example: `foldem new games --unit war`
    """

    folder: Annotated[Path, typer.Argument(help="Folder of the pack: a new one, or a pack to extend.")]
    unit: Annotated[str, typer.Option(help="Name of the new unit.")]


class ImportOptions(Options, frozen=True, kw_only=True):
    """Make a unit from your own notebook for nbgrader or Otter Assign. The notebook is not changed.

    Example: `foldem import homework.ipynb --into games`

    The command runs the notebook, with your solutions, in a sandbox. Functions and values with tests become exercises.
    All other cells stay unchanged, and nbgrader grades those cells that have points. The file `import.md` in the new
    pack says why a question did not become an exercise.

    Exit status 0: at least one question became an exercise; 1: no question became an exercise; 2: the notebook cannot
    be read or run.
    """

    notebook: Annotated[
        Path, typer.Argument(help="A notebook with solutions and tests, or a .py file of functions with doctests.")
    ]
    into: Annotated[
        Path | None,
        typer.Option(help="Folder of the pack: a new one, or a pack to extend (default: the notebook's name)."),
    ] = None
    only: Annotated[
        list[str] | None,
        typer.Option(help="Question to import (default: all questions). Repeat the option for several questions."),
    ] = None
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would happen, and write nothing.")] = False


class ProveOptions(PackOptions, frozen=True, kw_only=True):
    """Test the units of a pack that you have written. Without `--pack`, the command tests Foldem's own pack.

    Example: `foldem prove --pack games`

    `foldem prove` tests that the examples in the statements are right. The command also tests that the notebooks are up
    to date and contain no reference solution. Reference solutions and other right answers must pass the exams. The
    exams must refuse unsolved exercises, functions that always return the same value, known mistakes, and mutants. A
    mutant is a reference solution with one small change.

    With `--exercise`, the command tests only one exercise, and does not test notebooks and kits.

    Exit status 0: all tests pass; 1: some tests fail (the output names them); 2: the pack has a mistake.
    """

    unit: UnitsArgument = None
    seed: Annotated[
        str,
        typer.Option(
            help="Seed of the random inputs in the exams. Other seeds give other inputs, which may find other mistakes."
        ),
    ] = "0"
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes to run in parallel.")] = os.cpu_count() or 1
    exercise: Annotated[str | None, typer.Option(help="Test only this exercise.")] = None
