"""A unit as its author wrote it: exercises, contracts and references, read from the syntax tree of `solutions/`."""

from __future__ import annotations

import ast
import doctest
import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.units.pack import Pack, UnitError, known_packs, pack_of
from course.form import Asked, asked_from
from course.graph import reached
from course.syntax import docstring_behind, first_line


@dataclass(frozen=True)
class Example:
    """One visible example: statements to run first, the call, and what it must give (an exception's text, or code)."""

    setup: tuple[str, ...]
    call: str
    want: str
    raises: str | None = None


@dataclass(frozen=True)
class Parameter:
    name: str
    annotation: str


@dataclass(frozen=True)
class Exercise:
    """One exercise: its place and policy (from the TOML), its contract and its reference (from `solutions/`)."""

    unit: str
    number: int
    name: str
    points: float
    lines: int
    hints: tuple[str, ...]
    source_task: str
    node: ast.stmt = field(repr=False, compare=False)
    source: str = field(repr=False)
    docstring: str = field(repr=False)
    examples: tuple[Example, ...] = field(repr=False)
    needs: tuple[str, ...]
    curried: bool = False
    requires: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    binds: tuple[str, ...] = ()

    @property
    def is_value(self) -> bool:
        return isinstance(self.node, ast.AnnAssign)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        if not isinstance(self.node, ast.FunctionDef):
            return ()
        return tuple(Parameter(a.arg, ast.unparse(a.annotation) if a.annotation else "") for a in self.node.args.args)

    @property
    def is_called(self) -> bool:
        """Tell whether the answer is observed by calling it: a function, or a value annotated as one."""
        return not isinstance(self.node, ast.AnnAssign) or ast.unparse(self.node.annotation).startswith("Callable")

    @property
    def shows_args(self) -> bool:
        """Tell whether the statement shows an exception's arguments, which the exam then checks."""
        return any(example.raises and ":" in example.raises for example in self.examples)

    @property
    def docstring_end(self) -> int:
        """The number of lines of a function's source up to the end of its docstring."""
        assert isinstance(self.node, ast.FunctionDef)
        return (self.node.body[0].end_lineno or 0) - first_line(self.node) + 1

    @property
    def signature(self) -> str:
        """Give the stub's first lines: decorators and the `def` line, or the name with its annotation."""
        if isinstance(self.node, ast.AnnAssign):
            return f"{self.name}: {ast.unparse(self.node.annotation)}"
        assert isinstance(self.node, ast.FunctionDef)
        first = self.node.body[0].lineno - first_line(self.node)
        return "\n".join(self.source.splitlines()[:first])


@dataclass(frozen=True)
class Unit:
    """A unit: its policy and its exercises, in teaching order."""

    pack: Pack
    name: str
    title: str
    summary: str
    form_share: float
    exercises: tuple[Exercise, ...]
    policy: dict[str, Any] = field(repr=False, compare=False, default_factory=dict)

    def __getitem__(self, name: str) -> Exercise:
        return self.by_name[name]

    @cached_property
    def by_name(self) -> dict[str, Exercise]:
        return {exercise.name: exercise for exercise in self.exercises}

    @cached_property
    def reached(self) -> dict[str, tuple[str, ...]]:
        """For each exercise those that its reference reaches, directly or not."""
        return {name: needed_by(self, name) for name in self.by_name}

    def with_needs(self, words: Iterable[str]) -> set[str]:
        """Give the exercises among these words, with those that their references reach."""
        return {name for word in words if word in self.by_name for name in (word, *self.reached[word])}

    def place(self, exercise: Exercise) -> str:
        """Give where a reference stands, as file and line."""
        return f"{self.pack.file('solutions', self.name)}:{exercise.node.lineno}"

    @property
    def withheld(self) -> tuple[str, ...]:
        """The course's modules that hold answers: where answers run they are only for exercises that need them."""
        return tuple(self.policy.get("withheld", ()))

    @property
    def module(self) -> ModuleType:
        return import_module(self.pack.given(self.name))

    @property
    def stem(self) -> str:
        """The name of its notebook, without the ending."""
        return f"{self.pack.units.index(self.name)}_{self.name}"


def asked(unit: Unit, exercise: Exercise) -> Asked:
    """Give what is asked of an answer to an exercise, as far as form and diagnoses must know it."""
    told = statements_of(unit)
    return asked_from(told | {"asked": told["asked"] | {exercise.name: _asked(exercise)}}, exercise.name)


def _asked(exercise: Exercise) -> dict[str, Any]:
    """Give what form and diagnoses must know of an exercise, as data, without what holds for most of them."""
    parameters = [[parameter.name, parameter.annotation] for parameter in exercise.parameters]
    lists = {key: list(getattr(exercise, key)) for key in ("requires", "bans", "binds")}
    found = {"says": exercise.docstring.splitlines()[0], "parameters": parameters, "lines": exercise.lines, **lists}
    told = {key: value for key, value in found.items() if value}
    return told | ({"curried": True} if exercise.curried else {}) | ({} if exercise.is_called else {"is_called": False})


def unit_names() -> tuple[str, ...]:
    """Give the names of the units that there are, in teaching order."""
    return tuple(name for pack in known_packs() for name in pack.units)


def read_unit(name: str) -> Unit:
    """Give the unit `name`; UnitError if its TOML and its solutions disagree, or there is no such unit."""
    return _read(pack_of(name), name)


@cache
def _read(pack: Pack, name: str) -> Unit:
    policy, text = _parsed_toml(pack.toml(name)), _text(pack.file("solutions", name))
    try:
        found = dict(_definitions(text))
    except SyntaxError as error:
        raise UnitError(f"{pack.file('solutions', name)}:{error.lineno}: SyntaxError: {error.msg}") from None
    _demand_agreement(pack, name, policy, found)
    exercises = tuple(
        _exercise(name, number, entry, found, text) for number, entry in enumerate(policy.pop("exercise"), 1)
    )
    for exercise in exercises:
        if not exercise.examples:
            place = f"{pack.file('solutions', name)}:{exercise.node.lineno}"
            raise UnitError(f"{place}: {exercise.name} has no example: write one into its docstring, as >>> …")
    return Unit(pack, name, policy["title"], policy["summary"], policy["form_share"], exercises, policy)


UNIT_KEYS = {
    "title": str,
    "summary": str,
    "picture": str,
    "form_share": (int, float),
    "withheld": list,
    "form": dict,
    "exercise": list,
}
EXERCISE_KEYS: dict[str, Any] = {
    "name": str,
    "source": str,
    "points": (int, float),
    "lines": int,
    "hints": list,
    "curried": bool,
    "requires": list,
    "bans": list,
    "binds": list,
}
NEEDED = {"title", "summary", "form_share", "exercise"}, {"name", "source", "points", "lines", "hints"}


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise UnitError(f"{file}: {error.strerror}") from None


def _parsed_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(file))
    except ValueError as error:
        raise UnitError(f"{file}: {' '.join(str(error).split())}") from None


def _demand_agreement(pack: Pack, name: str, policy: dict[str, Any], found: dict[str, Any]) -> None:
    """Raise UnitError, with file and line, where the TOML means nothing, or not the exercises that there are."""
    file, solutions = pack.toml(name), pack.file("solutions", name)
    rows = list(enumerate(_text(file).splitlines(), 1))
    starts = [row for row, line in rows if line.strip() == "[[exercise]]"]
    _demand_keys(file, policy, UNIT_KEYS, NEEDED[0], rows)
    for entry, start in zip(policy["exercise"], starts, strict=False):
        _demand_keys(file, entry, EXERCISE_KEYS, NEEDED[1], rows[start - 1 :])
    _demand_the_same(file, solutions, [entry["name"] for entry in policy["exercise"]], starts, found)


def _demand_the_same(file: Path, solutions: Path, listed: list[str], starts: list[int], found: dict[str, Any]) -> None:
    for exercise, start in zip(listed, starts, strict=False):
        if exercise not in found:
            raise UnitError(f"{file}:{start}: the exercise {exercise} has no reference in {solutions}")
    for exercise, (node, docstring) in found.items():
        if exercise not in listed:
            raise UnitError(f"{solutions}:{node.lineno}: {exercise} is no exercise in {file}")
        if not docstring:
            raise UnitError(f"{solutions}:{node.lineno}: {exercise} has no docstring")
    if listed != list(found):
        raise UnitError(f"{file}:{starts[0]}: the exercises have another order than in {solutions}: {', '.join(found)}")


def _demand_keys(
    file: Path, table: dict[str, Any], kinds: dict[str, Any], needed: set[str], rows: list[tuple[int, str]]
) -> None:
    def place(key: str) -> str:
        row = next((row for row, line in rows if line.split("=")[0].strip(" []") == key), rows[0][0] if rows else 1)
        return f"{file}:{row}"

    for key, value in table.items():
        if key not in kinds:
            near = get_close_matches(key, kinds, 1)
            told = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(kinds)}"
            raise UnitError(f"{place(key)}: unknown key {key!r}: {told}")
        if not isinstance(value, kinds[key]):
            raise UnitError(f"{place(key)}: {key} cannot be {value!r}")
    for key in sorted(needed - set(table)):
        raise UnitError(f"{place(key)}: there is no {key!r}")


def _definitions(text: str) -> Iterator[tuple[str, tuple[ast.stmt, str]]]:
    """Give name -> (definition, docstring)."""
    body = ast.parse(text).body
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        docstring = docstring_behind(node, after)
        match node:
            case ast.FunctionDef(name=name):
                yield name, (node, docstring)
            case ast.AnnAssign(target=ast.Name(id=name)) if docstring:
                yield name, (node, docstring)


def _exercise(
    unit: str, number: int, entry: dict[str, Any], found: dict[str, tuple[ast.stmt, str]], text: str
) -> Exercise:
    node, docstring = found[entry["name"]]
    policy: dict[str, Any] = {key: entry[key] for key in ("name", "points", "lines")}
    policy |= {key: tuple(entry.get(key, ())) for key in ("hints", "requires", "bans", "binds")}
    return Exercise(
        unit=unit,
        number=number,
        source_task=entry["source"],
        node=node,
        source="\n".join(text.splitlines()[first_line(node) - 1 : node.end_lineno]),
        docstring=docstring,
        examples=tuple(read_examples(docstring)),
        needs=tuple(name for name in found if name in _names(node) - {entry["name"]}),
        curried=entry.get("curried", False),
        **policy,
    )


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def read_examples(docstring: str) -> Iterator[Example]:
    """Give the examples of a docstring: each call that shows a result, with the statements before it as setup."""
    setup: tuple[str, ...] = ()
    for example in doctest.DocTestParser().get_examples(docstring):
        source = example.source.strip()
        if not example.want and not example.exc_msg:
            setup += (source,)
        elif example.exc_msg is not None:
            yield Example(setup, source, "", example.exc_msg.strip())
        else:
            yield Example(setup, source, example.want.strip())


def needed_by(unit: Unit, name: str) -> tuple[str, ...]:
    """Give the exercises that the reference of `name` reaches, directly or not, in teaching order."""
    found = reached({name}, lambda each: unit[each].needs) - {name}
    return tuple(exercise.name for exercise in unit.exercises if exercise.name in found)


def statements_of(unit: Unit) -> dict[str, Any]:
    """Give what `check` must know of a unit, as data: names, points, visible examples, what form asks."""
    return {
        "unit": unit.name,
        "title": unit.title,
        "summary": unit.summary,
        "picture": unit.policy.get("picture", ""),
        "notebook": f"{unit.stem}.ipynb",
        "module": unit.module.__name__,
        "form": unit.policy.get("form", {}),
        "exercises": [_stated(exercise) for exercise in unit.exercises],
        "asked": {exercise.name: _asked(exercise) for exercise in unit.exercises},
    }


def _stated(exercise: Exercise) -> dict[str, Any]:
    examples = [{"setup": list(e.setup), "call": e.call, "want": e.want, "raises": e.raises} for e in exercise.examples]
    return {
        "name": exercise.name,
        "number": exercise.number,
        "points": exercise.points,
        "is_value": exercise.is_value,
        "examples": examples,
    }


def version_of(unit: Unit) -> str:
    """Give a text that changes when a statement of the unit changes."""
    statements = json.dumps(statements_of(unit)["exercises"], sort_keys=True)
    return hashlib.sha256(statements.encode()).hexdigest()[:12]
