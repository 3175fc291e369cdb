"""JSON schemas of the settings files, for editors. `python -m autograder.commands.schema` writes them.

The reference pages of the documentation use `meanings`, too.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Iterable
from dataclasses import is_dataclass
from pathlib import Path
from typing import get_type_hints

import msgspec

from autograder.commands.docs import SCHEMAS
from autograder.config import SETTINGS_FILE, Settings
from autograder.prove.mutate import EQUIVALENT_FILE, RightMutants
from autograder.term.adjust import ADJUST_FILE, OF_STUDENTS, ChangeTable
from autograder.toml import keys_of
from autograder.units.pack import PACK_FILE, PackSettings
from autograder.units.unit import UnitPolicy
from course.roles import UNIT_FILE

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILE_SCHEMAS = {
    SETTINGS_FILE: Settings,
    PACK_FILE: PackSettings,
    UNIT_FILE: UnitPolicy,
    EQUIVALENT_FILE: RightMutants,
}


def meanings(kind: type) -> dict[str, str]:
    """Return the meaning of each field of a dataclass: its docstring, or its comment in a settings file.

    A setting without a comment has the same one as the setting above it.
    """
    docstrings: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if is_dataclass(base):
            docstrings |= field_docstrings(base)
    shared = ""
    for name, each in keys_of(kind).items():
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


def schemas() -> dict[str, dict[str, object]]:
    """Return the schema of each settings file, by the file's name."""
    made = {file: schema_of(file, [kind]) for file, kind in FILE_SCHEMAS.items()}
    # adjust.toml has lists of tables for single students, and a table per unit and exercise.
    adjusting = schema_of(ADJUST_FILE, [ChangeTable, *OF_STUDENTS.values()])
    del adjusting["$ref"]
    items = {name: {"$ref": f"#/$defs/{kind.__name__}"} for name, kind in OF_STUDENTS.items()}
    lists = {name: {"type": "array", "items": each} for name, each in items.items()}
    exercises = {"type": "object", "additionalProperties": {"$ref": f"#/$defs/{ChangeTable.__name__}"}}
    return made | {ADJUST_FILE: adjusting | {"type": "object", "properties": lists, "additionalProperties": exercises}}


def schema_of(file: str, kinds: Iterable[type]) -> dict[str, object]:
    """Return the schema of a file whose content is the first of these types. The others are in its `$defs`.

    Keys that a file may not set or add are left out.
    """
    roots, parts = msgspec.json.schema_components(
        kinds, schema_hook=lambda _: {"type": "string"}, ref_template="#/$defs/{name}"
    )
    definitions = dict[str, object]()
    known = {kind.__name__: kind for kind in _dataclasses(kinds)}
    for kind, part in ((known[name], part) for name, part in parts.items() if name in known):
        meaning = meanings(kind)
        properties = {name: {**part["properties"][name], "description": meaning[name]} for name in keys_of(kind)}
        text = " ".join((kind.__doc__ or "").split())
        definitions[kind.__name__] = {
            **part,
            "description": text,
            "properties": properties,
            "additionalProperties": False,
        }
    return {"$schema": DIALECT, "title": file, **roots[0], "$defs": definitions}


def _dataclasses(kinds: Iterable[type]) -> Iterable[type]:
    """Yield dataclasses, and those in the types of their fields."""
    for kind in kinds:
        yield kind
        kinds_of_keys = get_type_hints(kind, include_extras=True)
        for name in keys_of(kind):
            yield from _dataclasses(_inside(kinds_of_keys[name]))


def _inside(annotation: object) -> Iterable[type]:
    if is_dataclass(annotation) and isinstance(annotation, type):
        yield annotation
    for part in getattr(annotation, "__args__", ()):
        yield from _inside(part)


def schema_path(file: str) -> Path:
    """Return the path of a settings file's schema."""
    return SCHEMAS / f"{Path(file).stem}.schema.json"


if __name__ == "__main__":
    SCHEMAS.mkdir(exist_ok=True)
    for file, schema in schemas().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        schema_path(file).write_text(text, encoding="utf-8")
