"""The `foldem` command.

Each command has its options in `commands/options.py`, and its `run` in a module with its name.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from inspect import Signature, signature
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, get_type_hints

import typer

from autograder import commands
from autograder.commands import options
from autograder.errors import UserError, missing_extra_message
from course.limits import FEWEST_OBJECTS_PER_COLLECTION

PACKAGE_FOLDER = Path(__file__).parent
# In a wheel; in a checkout.
DOCUMENTATION_PAGES = PACKAGE_FOLDER / "docs" / "index.html", PACKAGE_FOLDER.parent / "build" / "docs" / "index.html"
COMMANDS = tuple(name for name in commands.__all__ if name != "options")


def print_version(is_wanted: bool) -> None:
    """Print the version and exit, if `--version` was given."""
    if is_wanted:
        from autograder.grading.run import installed_version

        typer.echo(f"foldem {installed_version()}")
        raise typer.Exit


def general_options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=print_version)
    ] = False,
) -> None:
    """Read the options of `foldem` itself, which belong to no single command."""


def make_app(names: Iterable[str] = COMMANDS, is_brief: bool = False) -> typer.Typer:
    """Return the Typer app with these commands.

    A brief app only lists the commands, without their options and colors, so it starts twice as fast.
    """
    made = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None if is_brief else "markdown",
        help="Teach functional programming with card games: make notebooks, grade them, report on a class.",
        epilog=next((f"Documentation: {page.as_uri()}" for page in DOCUMENTATION_PAGES if page.is_file()), None),
    )
    made.callback()(general_options)
    for name in names:
        kind: type[options.Options] = getattr(options, f"{name.title().replace('_', '')}Options")
        first, _, _ = (kind.__doc__ or "").partition("\n\n")
        add = made.command(command_name(name), help=kind.__doc__, short_help=" ".join(first.split()))
        add((lambda: None) if is_brief else typer_command(name, kind))
    return made


def command_name(name: str) -> str:
    """Return the name of a command as users write it.

    >>> command_name("student_kit"), command_name("import_")
    ('student-kit', 'import')
    """
    return name.rstrip("_").replace("_", "-")


def typer_command(name: str, kind: type[options.Options]) -> Callable[..., None]:
    """Return a command in the form that Typer needs: a function whose parameters are the fields of `kind`."""

    def command(**values: object) -> None:
        result: int | Iterable[str] = import_module(f"{commands.__name__}.{name}").run(kind(**values))
        if isinstance(result, int):
            sys.exit(result)
        for line in result:
            typer.echo(line)

    hints, fields = get_type_hints(kind, include_extras=True), signature(kind).parameters
    names = (field for each in kind.__mro__ for field in vars(each).get("__annotations__", ()))  # its own first
    parameters = [fields[field].replace(annotation=hints[field]) for field in names]
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = hints
    return command


def main() -> None:
    """Run the command. If the user made a mistake, print one line instead of a traceback."""
    gc.set_threshold(FEWEST_OBJECTS_PER_COLLECTION)
    for stream in (sys.stdout, sys.stderr):  # a pipe or file may lack some characters, as on Windows
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(encoding="utf-8" if sys.platform == "win32" else None, errors="replace")
    words = sys.argv[1:]
    chosen = [name for name in COMMANDS if command_name(name) in words[:1]]
    try:  # the options of other commands take long to prepare
        make_app(chosen or COMMANDS, is_brief=not words or words == ["--help"])()
    except UserError as error:
        _exit_with_message(str(error))
    except ModuleNotFoundError as error:
        reason = missing_extra_message(error.name or "", f"foldem {' '.join(sys.argv[1:2])}")
        if not reason:
            raise
        _exit_with_message(reason)
    except OSError as error:
        _exit_with_message(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _exit_with_message(reason: str) -> None:
    from autograder.text import shown_name

    typer.secho(f"foldem: {shown_name(reason)}", err=True, fg="red")
    sys.exit(2)
