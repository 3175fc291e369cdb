"""The `foldem` command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.config import ConfigError
from autograder.sandbox.host import NoSandbox
from autograder.submission import NotebookError
from autograder.unit import UnitError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="Learn functional programming by writing the engines of card games; grade what was written.",
)
Units = Annotated[list[str] | None, typer.Option(help="A unit, and again for several (default: all).")]
Paths = Annotated[list[Path], typer.Argument(help="Notebooks, folders of them, or nbgrader's submitted/ folder.")]


@app.command()
def grade(
    paths: Paths,
    out: Annotated[
        Path | None, typer.Option(help="Folder for report.json, report.csv and a page per submission.")
    ] = None,
    unit: Annotated[str | None, typer.Option(help="Only accept notebooks of this unit.")] = None,
    sandbox: Annotated[str | None, typer.Option(help="auto, bubblewrap, landlock, or off (confines nothing).")] = None,
    seed: Annotated[
        str | None, typer.Option(help="Seed of the hidden inputs (default: foldem.toml's, else 0).")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Submissions graded at once.")] = 1,
) -> None:
    """Grade notebooks and print the class's table.

    Example: `foldem grade submitted/ --out reports`

    Exit status 0: all were graded; 1: some could not be (they are named); 2: nothing could be done.
    """
    from autograder.batch import run

    sys.exit(run(paths, out, unit, sandbox, seed, jobs))


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="Your notebook.")],
    exercise: Annotated[str | None, typer.Argument(help="Only this exercise.")] = None,
) -> None:
    """Check your own notebook in the terminal: what `check` says in its cells.

    Example: `foldem check 1_dominoes.ipynb flip`
    """
    from autograder.batch import check_notebook

    sys.exit(check_notebook(notebook, exercise))


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
) -> None:
    """Make a course folder in which the stock nbgrader commands work, or add assignments to one.

    Example: `foldem course cs101 --unit dominoes && cd cs101 && nbgrader generate_assignment dominoes`

    Example: `foldem course cs101 --unit dominoes --exercises flip..suppress --name tiles`
    """
    from autograder.course_folder import assignments, make_course

    for line in make_course(folder, assignments(tuple(unit or ()), exercises, name), force):
        typer.echo(line)


@app.command()
def student_kit(
    folder: Annotated[Path, typer.Argument(help="The new folder to make.")],
    unit: Units = None,
    course: Annotated[
        Path | None, typer.Option(help="Take what this course folder has released, and its settings.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that is not empty.")] = False,
) -> None:
    """Make what students get: the notebooks, and a wheel of `course` alone, without solutions or autograder.

    Example: `foldem student-kit kit --unit dominoes`

    Example: `foldem student-kit kit --course cs101`
    """
    from autograder.student_kit import make_kit

    for line in make_kit(folder, tuple(unit or ()), course, force):
        typer.echo(line)


@app.command()
def doctor() -> None:
    """Say what this machine can do, and what to install for the rest.

    Example: `foldem doctor`

    Exit status 0: everything; 1: something is missing (it is named).
    """
    from autograder.doctor import examine, summary
    from course.results import BAD

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
) -> None:
    """Open JupyterLab on a working copy of the notebooks; what you have written there is never overwritten.

    Example: `foldem lab ~/foldem`
    """
    from autograder.lab import open_lab

    sys.exit(open_lab(folder, no_browser))


@app.command()
def build(unit: Annotated[list[str] | None, typer.Argument(help="Units (default: all).")] = None) -> None:
    """Build the notebooks from `solutions/` (for authors, in a checkout).

    Example: `foldem build dominoes`
    """
    from autograder.build import build as build_products

    changed = build_products(tuple(unit or ()))
    typer.echo("\n".join(f"built {path}" for path in changed) or "nothing has changed")


def main() -> None:
    """Run the command; what the user got wrong is one line, not a traceback."""
    try:
        app()
    except (UnitError, NotebookError, ConfigError, NoSandbox) as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _refuse(reason: str) -> None:
    typer.secho(f"foldem: {reason}", err=True, fg="red")
    sys.exit(2)
