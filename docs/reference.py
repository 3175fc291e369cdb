"""The reference pages that are made from code: settings, checks, the names in `course`, reports, exit statuses.

docs/conf.py writes them. Only the sentences around the tables are written by hand.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import GenericAlias, UnionType
from typing import Any, get_args, get_type_hints

import typer.main
from msgspec import StructMeta

from autograder.cli import make_app
from autograder.config import SETTINGS_FILE, Settings, settings_text
from autograder.exam import cases
from autograder.prove.mutate import EQUIVALENT_FILE, EquivalentMutants, OpenExercise, RightMutants
from autograder.report.model import (
    PASSED,
    ExerciseRemark,
    ExerciseReport,
    FacetReport,
    Graded,
    KnownMistake,
    NotebookRemark,
    OwnRunOutcome,
)
from autograder.report.stops import Stop
from autograder.report.words import exported_report
from autograder.term.adjust import ADJUST_FILE, STUDENT_TABLES, ChangeTable
from autograder.toml import toml_keys_of, type_description
from autograder.units.pack import PACK_FILE, PackSettings, installed_catalogue
from autograder.units.unit import ExercisePolicy, FormTable, Idea, UnitPolicy, units_in
from course.diagnoses import Diagnosis
from course.diagnoses.failure import Failure
from course.exam import world
from course.form import FormFinding

Row = tuple[str, ...]
TYPES = re.compile(r"\b(?:course|typing|collections)\.(?:\w+\.)*")  # the modules in front of names of types
app = make_app()  # `conf.py` has Typer write the page of commands from this
OFFERED = (
    ("Checks and help", "course.check"),
    ("Watching a run", "course.watch"),
    ("Tables", "course.tables"),
    ("Functional tools", "course.functional"),
    ("Printing, input and chance", "course.effects"),
    ("Values", "course.values"),
)


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    return {
        "settings": _settings(),
        "checks": _checks(),
        "course": _course(),
        "report-json": _report(),
        "exit-statuses": _statuses(),
    }


def _settings() -> str:
    with TemporaryDirectory() as folder:
        text = re.sub(
            r'^seed = ".*"', 'seed = "drawn for each course"', settings_text(Path(folder)), flags=re.MULTILINE
        )
    parts = [
        "# Settings files",
        "All of them are TOML. Foldem refuses a file with an unknown key or a wrong value, and names the line.",
        f"## `{SETTINGS_FILE}`: a course",
        _keys(Settings),
        f"`foldem course` writes this file:\n\n```toml\n{text}```",
        f"## `{ADJUST_FILE}`: changes to marks",
        f"### `[<unit>.<exercise>]`\n\n{_keys(ChangeTable)}",
        *(f"### `[[{name}]]`\n\n{_keys(kind)}" for name, kind in STUDENT_TABLES.items()),
        f"## `{PACK_FILE}`: a pack\n\n{_keys(PackSettings)}",
        f"## `unit.toml`: a unit\n\n{_keys(UnitPolicy)}",
        f"### `[[exercise]]`\n\n{_keys(ExercisePolicy)}",
        f"### `[[idea]]`\n\n{_keys(Idea)}",
        f"### `[form]`\n\n{_keys(FormTable)}",
        f"## `right/{EQUIVALENT_FILE}`: mutants that are right\n\n{_keys(RightMutants)}",
        f"### `[[open]]`\n\n{_keys(OpenExercise)}",
        f"### `[[equivalent]]`\n\n{_keys(EquivalentMutants)}",
    ]
    return "\n\n".join(parts) + "\n"


def meanings(kind: type) -> dict[str, str]:
    """Return the meaning of each field of a dataclass: its docstring, or its comment in a settings file.

    A setting without a comment has the same one as the setting above it.
    """
    docstrings: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if is_dataclass(base):
            docstrings |= field_docstrings(base)
    shared = ""
    for name, each in toml_keys_of(kind).items():
        shared = each.metadata.get("comment", "") or shared
        docstrings.setdefault(name, " ".join(re.sub(r"^# ?", "", shared, flags=re.MULTILINE).split()))
    return docstrings


def field_docstrings(kind: type) -> dict[str, str]:
    """Return the docstrings below the fields of a class."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    docstrings = {}
    for node, after in zip(definition.body, definition.body[1:], strict=False):
        match node, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                docstrings[name] = " ".join(text.split())
    return docstrings


def _keys(kind: type) -> str:
    """Return the table of a settings file's keys."""
    kinds, meaning = get_type_hints(kind, include_extras=True), meanings(kind)
    rows = (
        (f"`{name}`", _wanted(kinds[name], each), _default(each), meaning[name])
        for name, each in toml_keys_of(kind).items()
    )
    return _table(("key", "type", "default", "meaning"), rows)


def _wanted(kind: Any, each: Field[Any]) -> str:
    example = each.metadata.get("example", "")
    return type_description(kind) + (f", for example `{example}`" if example not in type_description(kind) else "")


def _default(each: Field[Any]) -> str:
    if each.default_factory is not MISSING:
        return "empty"
    if each.default is MISSING:
        return "*required*"
    return (
        {None: "none", "": "empty", (): "empty", True: "`true`", False: "`false`"}.get(
            each.default, f"`{getattr(each.default, '__name__', repr(each.default))}`".replace("'", '"')
        )
        if not isinstance(each.default, float)
        else f"`{each.default:g}`"
    )


def _checks() -> str:
    parts = [
        "# `CHECKS`, `STRATEGIES` and worlds",
        "A unit's `exams/<unit>/checks.py` may define two dicts. `STRATEGIES` has a Hypothesis strategy, or a tuple of "
        "all values, for each name of a type that parameters are annotated with. `CHECKS` has a `Check` for each "
        "exercise whose exam needs more than drawn inputs. "
        "[Writing exercises and exams](../exercises.md) shows how to use them.",
        *(_class(kind) for kind in (cases.Check, cases.Case, cases.Joint, cases.Contest)),
        *(_function(getattr(cases, name), name) for name in ("case", "by_seed", "exercise")),
        "A world, for `catch`, is in `WORLDS` of `world.py` beside the unit's types.",
        _class(world.World),
        *(
            _function(getattr(world, name), name)
            for name in ("longer_tuples", "canonical_names", "renamed", "unchanged")
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _class(kind: type) -> str:
    meaning = meanings(kind)
    rows = ((f"`{each.name}`", f"`{each.type}`", _default(each), meaning.get(each.name, "")) for each in fields(kind))
    return f"## `{kind.__name__}`\n\n{_prose(kind)}\n\n{_table(('field', 'type', 'default', 'meaning'), rows)}"


def _course() -> str:
    parts = [
        "# What `course` offers",
        "Notebooks import these names. All of them work in JupyterLab, in VS Code and in the browser.",
        *(f"## {title}: `{module}`\n\n{_names(module)}" for title, module in OFFERED),
        *(
            f"## {unit.title}: `course.{unit.name}`\n\n{_names(f'course.{unit.name}')}"
            for unit in units_in(installed_catalogue())
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _names(name: str) -> str:
    """Return a table of the names that a module offers."""
    module = import_module(name)
    offered = getattr(module, "__all__", None) or [
        each for each, what in vars(module).items() if getattr(what, "__module__", "") == name and each[0] != "_"
    ]
    if name.rpartition(".")[2] in installed_catalogue().units:  # the rest is listed elsewhere
        offered = [each for each in offered if getattr(getattr(module, each), "__module__", name) in (name, "typing")]
    what = {each: getattr(module, each) for each in offered}
    rows = ((f"`{_signature(what[each], each)}`", _first_line(what[each], each)) for each in what)
    return _table(("name", "meaning"), sorted(rows, key=lambda row: row[0].lower()))


def _signature(what: Any, name: str) -> str:
    if not inspect.isfunction(what):
        return name
    return f"{name}({', '.join(map(_parameter, inspect.signature(what).parameters.values()))})"


def _parameter(each: inspect.Parameter) -> str:
    star = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
    return f"{star}{each.name}" + ("" if each.default is each.empty else f"={_short(each.default)}")


def _short(default: Any) -> str:
    """Return a default as code, unless it is long."""
    return repr(default) if len(repr(default)) < 30 else "…"


def _first_line(what: Any, name: str) -> str:
    if (isinstance(what, type) and what.__name__ == name) or inspect.isroutine(what):
        return " ".join((inspect.getdoc(what) or "").partition("\n\n")[0].split())
    if isinstance(what, type | UnionType | GenericAlias) or type(what).__module__ == "typing":
        return f"the type `{what.__name__ if isinstance(what, type) else TYPES.sub('', str(what))}`"
    return f"a value of `{type(what).__name__}`"


SAMPLE = ExerciseReport("", 0, PASSED, 0.0, 0.0, facets=(FacetReport("", True, 0),))
TAGGED = (
    ("stop", "A reason why there is no result: `Stop`", Stop),
    ("own", "How an answer works with the student's own functions: `OwnRunOutcome`", OwnRunOutcome),
    ("remarks", "A remark on an exercise: `ExerciseRemark`", ExerciseRemark),
    ("remarks", "A remark on a notebook: `NotebookRemark`", NotebookRemark),
)


def _report() -> str:
    submission = {"submission": "", **exported_report(Graded("", "", "", "", "", (SAMPLE,)))}
    exercise = submission["exercises"][0]
    parts = [
        "# The report as JSON",
        "`foldem grade --out reports` writes `reports/report.json`: a list with an object for each submission. "
        "`foldem grade --json` prints the same. Reports have these keys. `problem`, `verdict` and `notes` are "
        "sentences; all other keys are values.",
        "## A submission",
        _data(Graded, submission),
        f"## An exercise: `ExerciseReport`\n\n{_data(ExerciseReport, exercise)}",
        f"## A rule of an exercise: `FacetReport`\n\n{_data(FacetReport, exercise['facets'][0])}",
        *(f"## {title}: `{kind.__name__}`\n\n{_data(kind, inspect.get_annotations(kind))}" for title, kind in PLAIN),
        *(
            f"## {title}\n\nKeys named `{name}` have these values, each with its `type`.\n\n{_tagged(union)}"
            for name, title, union in TAGGED
        ),
    ]
    return "\n\n".join(parts) + "\n"


PLAIN: tuple[tuple[str, type], ...] = (
    ("A failure", Failure),
    ("A finding about form", FormFinding),
    ("A known mistake", KnownMistake),
    ("Advice", Diagnosis),
)
# The keys that `foldem grade` adds to a report with their types, and the words for types in JSON.
ADDED = {
    "submission": ("str", "The submission: the student's folder or file."),
    "type": ("str", "`Graded`, or `Ungradable` for a file that could not be graded."),
    "problem": ("str", "Why there is no result; else empty."),
    "notes": ("tuple[str, ...]", "All remarks as sentences."),
    "verdict": ("str", "The failure as one line that can be pasted, or empty."),
}
WORDS = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false"}


def _data(kind: type, sample: Iterable[str]) -> str:
    """Return a table of the keys that a value has as JSON, in their order."""
    own, types = field_docstrings(kind), inspect.get_annotations(kind)
    rows = []
    for name in sample:
        annotation, meaning = ADDED.get(name) or (types.get(name) or _returned(kind, name), own.get(name, ""))
        rows.append((f"`{name}`", _json_type(str(annotation)), meaning or inspect.getdoc(getattr(kind, name)) or ""))
    return _table(("key", "type", "meaning"), rows)


def _tagged(union: Any) -> str:
    """Return a table of the values of a union, with their keys."""
    rows = []
    for kind in get_args(union):
        if isinstance(kind, StructMeta):  # else text
            keys = ", ".join(f"`{key}`" for key in kind.__struct_fields__)
            rows.append((f"`{kind.__struct_config__.tag}`", keys or "none", " ".join(_prose(kind).split())))
    return _table(("type", "keys", "meaning"), rows)


def _returned(kind: type, name: str) -> str:
    """Return the type of a property."""
    return str(getattr(kind, name).fget.__annotations__["return"])


def _json_type(annotation: str) -> str:
    """Return a type in words: the annotations of reports are few.

    >>> _json_type("tuple[FacetReport, ...]"), _json_type("str | None")
    ('list of `FacetReport`', 'text or null')
    """
    if many := re.fullmatch(r"tuple\[(\w+), \.\.\.\]", annotation):
        return f"list of {_json_type(many[1])}"
    parts = ("null" if part == "None" else WORDS.get(part, f"`{part}`") for part in annotation.split(" | "))
    return " or ".join(parts)


def _statuses() -> str:
    """Return the page of exit statuses, from the commands' own help."""
    parts = [
        "# Exit statuses",
        "Unless a command says something else, 0 means that it is done. With 2, it prints one line that says what is "
        "wrong, and changes nothing.",
        _table(("command", "exit status"), _said()),
    ]
    return "\n\n".join(parts) + "\n"


def _said() -> Iterator[Row]:
    commands: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for name, command in sorted(commands.items()):
        said = re.search(r"Exit status (.*?\.)(?:\n\n|$)|(The exit status is .*?\.)", command.help or "", re.DOTALL)
        yield f"`foldem {name}`", " ".join((said[1] or said[2]).split()) if said else "0: done; 2: nothing was done."


def _function(what: Any, name: str) -> str:
    return f"### `{_signature(what, name)}`\n\n{_prose(what)}"


def _prose(what: Any) -> str:
    return (inspect.getdoc(what) or "").partition(">>>")[0].strip()


def _table(head: Row, rows: Iterable[Row]) -> str:
    lines = (head, tuple("---" for _ in head), *rows)
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")
