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
    unit: Annotated[list[str] | None, typer.Option(help="A unit to make an assignment of (default: all).")] = None,
) -> None:
    """Make a course folder in which the stock nbgrader commands work.

    Example: `foldem course cs101 --unit dominoes && cd cs101 && nbgrader generate_assignment dominoes`
    """
    from autograder.course_folder import make_course

    for line in make_course(folder, tuple(unit or ())):
        typer.echo(line)


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
        typer.secho(f"foldem: {error}", err=True, fg="red")
        sys.exit(2)
