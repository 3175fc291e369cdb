"""A unit as its author wrote it: exercises, statements and references, read from the syntax tree of `solutions/`."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Annotated, TypeAlias

from msgspec import Meta

from autograder.toml import (
    Name,
    Number,
    Share,
    Switch,
    Text,
    Texts,
    line_number_of,
    read_text,
    toml_content,
    unknown_name_message,
)
from autograder.units.pack import Catalogue, Pack, UnitError
from autograder.units.written import ensure_commented, helper_name, names_in_tree, with_helpers, written_statements
from course.form import RULE_NAMES, ExerciseFacts, FormSettings, Requirements, own_rules, requirements_from
from course.kernel.catalogue import StatedExample, StatedExercise, StatedUnit
from course.syntax import first_line_number, global_names_in, lines_of, reachable_from

RuleName: TypeAlias = Annotated[str, Meta(pattern="^[a-z]+(-[a-z]+)*$")]
WrittenDefinition: TypeAlias = tuple[ast.stmt, str, str]  # the node, its docstring, and its source
RuleNames: TypeAlias = Annotated[tuple[RuleName, ...], Meta(description="a list of names of rules of style")]
RENAMED_KEYS = {"binds": "error", "advises": "warn", "allows": "ignore", "lines": "typical_lines"}
RENAMED_KEY_PATTERN = re.compile(
    rf"^({'|'.join(RENAMED_KEYS)})(?= *=)", re.MULTILINE
)  # in units that courses have released


@dataclass(frozen=True)
class ExerciseSettings:
    """The settings of an exercise, from its unit's TOML.

    `typical_lines` is set only if a simple right answer may have more lines than the reference.
    """

    name: Name
    """The name of the function or value in `solutions/`."""
    points: Number
    """The exercise's points; 0 makes it a challenge."""
    hints: Texts
    """The hints of `hint(name)`, in order. The first one says the least."""
    typical_lines: Annotated[int, Meta(ge=1, description="a whole number above 0")] = 1
    """The number of lines of a plain answer. Set it only where that is longer than the reference."""
    curried: Switch = False
    """Whether `f(a)(b)` is accepted as well as `f(a, b)`."""
    requires: Texts = ()
    """Names that an answer must use."""
    bans: Texts = ()
    """Names (`sorted`) and methods (`.sort`) that an answer must not use."""
    error: RuleNames = ()
    """Rules of style that cost points in this exercise, besides those of the unit."""
    decides: RuleNames = ()
    """Rules of style that decide: an answer that breaks one is not right, and gets no points."""


@dataclass(frozen=True)
class ExercisePolicy(ExerciseSettings):
    """The table of an exercise in its unit's TOML."""

    source: Text = ""
    """The original task, for people who know it."""


@dataclass(frozen=True)
class Idea:
    """An idea of a unit: its name, one sentence about it, and the exercises that use it."""

    name: Text
    """The name of the idea, in a few words."""
    says: Text
    """One sentence that explains the idea."""
    used: Texts
    """The exercises that use it."""


@dataclass(frozen=True)
class FormTable(FormSettings):
    """The rules of style in a unit's TOML; `course/form/policy.py` explains them."""

    error: RuleNames = ()
    """Rules of style that cost points in this unit, besides those that always do."""
    warn: RuleNames = ()
    """Rules that only advise in this unit."""
    ignore: RuleNames = ()
    """Rules that this unit ignores."""
    imports: Texts | None = None
    """Modules that answers may import, instead of the usual ones. `course` is always allowed."""
    compare_with: Annotated[dict[str, str], Meta(description="a table of names")] = field(default_factory=dict)
    """Given functions that compare values of a type, as in `{ Color = "is_same_color" }`.

    `==` is then for numbers and text only.
    """


@dataclass(frozen=True)
class UnitPolicy:
    """The settings in the TOML file of a unit."""

    title: Text
    """The title of the notebook."""
    summary: Text
    """One sentence that says what learners write."""
    form_share: Share
    """The share of an exercise's points for style."""
    exercise: Annotated[tuple[ExercisePolicy, ...], Meta(min_length=1, description="tables, as [[exercise]]")]
    """The exercises, in teaching order."""
    picture: Text = ""
    """The picture on the start page: `tile:6-4`, `card:JS` or `uno:BS`."""
    withheld: Texts = ()
    """Modules of the course that contain answers. Only exercises that need them can import them."""
    idea: Annotated[tuple[Idea, ...], Meta(description="tables, as [[idea]]")] = ()
    """The ideas of the unit, listed above its first exercise."""
    assumes: Texts = ()
    """Names and forms of syntax that learners know, although no lesson teaches them."""
    form: FormTable = field(default_factory=FormTable)
    """The rules of style."""


class PassingMode(Enum):
    """A way to pass arguments to a parameter: by position, by name, or as any number of arguments."""

    BY_POSITION, NAME, NAME_OR_NONE, MANY, MANY_NAMED = "", "by name", "by name, or not at all", "*", "**"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a reference: its name, its annotation, and how arguments are passed to it."""

    name: str
    annotation: str
    passing: PassingMode = PassingMode.BY_POSITION


@dataclass(frozen=True, kw_only=True)
class Exercise(ExerciseSettings):
    """An exercise: its number and settings (from the TOML), and its statement and reference (from `solutions/`)."""

    unit: str
    number: int
    node: ast.stmt = field(repr=False, compare=False)
    source: str = field(repr=False)
    docstring: str = field(repr=False)
    examples: tuple[StatedExample, ...] = field(repr=False)
    needs: tuple[str, ...]
    helpers: tuple[str, ...] = ()

    @property
    def is_value(self) -> bool:
        return isinstance(self.node, ast.AnnAssign)

    @property
    def reference_lines(self) -> int:
        """Return the number of lines of the reference after its docstring."""
        return sum(bool(line.strip()) for line in lines_of(self.source)[self.docstring_end :])

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters of the reference in order. If the exercise is a value, return ()."""
        if not isinstance(self.node, ast.FunctionDef):
            return ()
        args = self.node.args
        passed = [(arg, PassingMode.BY_POSITION) for arg in (*args.posonlyargs, *args.args)]
        passed += [(args.vararg, PassingMode.MANY)] if args.vararg else []
        named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
        passed += [(arg, PassingMode.NAME_OR_NONE if default else PassingMode.NAME) for arg, default in named]
        passed += [(args.kwarg, PassingMode.MANY_NAMED)] if args.kwarg else []
        annotations = [ast.unparse(arg.annotation) if arg.annotation else "" for arg, _ in passed]
        return tuple(Parameter(arg.arg, text, way) for (arg, way), text in zip(passed, annotations, strict=True))

    @property
    def is_called(self) -> bool:
        """Return whether the exam calls the answer.

        The exam calls functions, and values that are annotated as functions.
        """
        return not isinstance(self.node, ast.AnnAssign) or ast.unparse(self.node.annotation).startswith("Callable")

    @property
    def shows_args(self) -> bool:
        """Return whether the statement shows the arguments of an exception.

        The exam compares the arguments of an exception only if the statement shows them.
        """
        return any(example.raises and ":" in example.raises for example in self.examples)

    @cached_property
    def facts(self) -> ExerciseFacts:
        """Return the facts about the exercise that rules of form and diagnoses need."""
        return ExerciseFacts(
            says=self.docstring.splitlines()[0],
            parameters=tuple((parameter.name, parameter.annotation) for parameter in self.parameters),
            typical_lines=max(self.typical_lines, self.reference_lines),
            requires=self.requires,
            bans=self.bans,
            error=self.error,
            decides=self.decides,
            curried=self.curried,
            is_called=self.is_called,
        )

    @property
    def shown_source(self) -> str:
        """Return the part of the reference that students see: signature and docstring, or a value's definition."""
        return "\n".join(lines_of(self.source)[: self.docstring_end]) or self.source

    @property
    def docstring_end(self) -> int:
        """Return the number of lines of the reference up to the end of its docstring.

        For a value, the number is 0, because a value's docstring comes after the value.
        """
        if not isinstance(self.node, ast.FunctionDef):
            return 0
        return (self.node.body[0].end_lineno or 0) - first_line_number(self.node) + 1

    @property
    def signature(self) -> str:
        """Return the first lines of the stub: decorators and the `def` line, or a value's name with its annotation."""
        if isinstance(self.node, ast.AnnAssign):
            return f"{self.name}: {ast.unparse(self.node.annotation)}"
        assert isinstance(self.node, ast.FunctionDef)
        return "\n".join(lines_of(self.source)[: self.node.body[0].lineno - first_line_number(self.node)])


@dataclass(frozen=True, eq=False)
class Unit:
    """A unit: its settings (`policy`), and its exercises in teaching order.

    A process reads each unit only once, so two `Unit` objects are never equal. If a unit is sent to another process,
    that process reads the unit again from its files.
    """

    catalogue: Catalogue = field(repr=False)
    name: str
    title: str
    summary: str
    form_share: float
    exercises: tuple[Exercise, ...] = field(repr=False)
    policy: UnitPolicy = field(repr=False, compare=False)

    def __reduce__(self) -> tuple[object, ...]:
        return read_unit, (self.catalogue, self.name)

    def __getitem__(self, name: str) -> Exercise:
        return self.by_name[name]

    @cached_property
    def pack(self) -> Pack:
        return self.catalogue.pack_of(self.name)

    @cached_property
    def by_name(self) -> dict[str, Exercise]:
        return {exercise.name: exercise for exercise in self.exercises}

    @cached_property
    def reached_exercises(self) -> dict[str, tuple[str, ...]]:
        """Map each exercise to the other exercises that its reference calls, directly or not, in teaching order."""
        needed = {name: reachable_from({name}, lambda each: self[each].needs) - {name} for name in self.by_name}
        return {name: tuple(each for each in self.by_name if each in needs) for name, needs in needed.items()}

    @cached_property
    def callable_by(self) -> dict[str, frozenset[str]]:
        """For each exercise, return the exercises whose references an answer to it may call.

        An answer may call all earlier exercises, and the exercises that its own reference uses.
        """
        earlier = [frozenset(list(self.by_name)[:index]) for index in range(len(self.exercises))]
        used = (global_names_in(each.source) & {*each.needs} for each in self.exercises)
        return {name: before | more for name, before, more in zip(self.by_name, earlier, used, strict=True)}

    def with_needed_exercises(self, words: Iterable[str]) -> set[str]:
        """Return the exercises that `words` name, and all exercises that their references call, directly or not."""
        return {name for word in words if word in self.by_name for name in (word, *self.reached_exercises[word])}

    def location(self, exercise: Exercise) -> str:
        """Return the file and the line number of a reference."""
        return f"{self.pack.file('solutions', self.name)}:{exercise.node.lineno}"

    @property
    def withheld_modules(self) -> tuple[str, ...]:
        """Return the names of the course's modules that contain answers.

        A sandbox contains a withheld module only if an exercise that runs in the sandbox needs the module.
        """
        return self.policy.withheld

    @cached_property
    def version(self) -> str:
        """Return a digest that changes when a statement of the unit changes."""
        return stated_unit(self).version

    @cached_property
    def module(self) -> ModuleType:
        return self.pack.import_pack_module(
            self.pack.given_module_name(self.name), self.pack.role_file("__init__", self.name)
        )

    @property
    def stem(self) -> str:
        """Return the name of the unit's notebook, without the suffix."""
        return self.catalogue.stem(self.name)


def requirements_of(unit: Unit, exercise: Exercise) -> Requirements:
    """Return the facts about an exercise and its unit that rules of form and diagnoses need."""
    facts = {each.name: each.facts for each in (*unit.exercises, exercise)}
    return requirements_from(unit.module.__name__, unit.policy.form, facts, exercise.name)


def units_in(catalogue: Catalogue) -> tuple[Unit, ...]:
    """Return all units of a catalogue, in teaching order."""
    return tuple(read_unit(catalogue, name) for name in catalogue.units)


@cache
def read_unit(catalogue: Catalogue, name: str) -> Unit:
    """Read the unit with this name.

    Raises UnitError if there is no such unit, or if the unit's TOML and solutions don't match.
    """
    pack = catalogue.pack_of(name)
    file, solutions = pack.toml(name), pack.file("solutions", name)
    for path, setting in ((pack.course_folder, "course"), (file, "units"), (solutions, "units")):
        if not path.exists():
            line = line_number_of(read_text(pack.settings, UnitError), setting)
            raise UnitError(f"{pack.settings}:{line}: {path} does not exist. Make it, or correct {setting!r}")
    text = RENAMED_KEY_PATTERN.sub(lambda key: RENAMED_KEYS[key[0]], read_text(file, UnitError))
    policy, written = toml_content(file, text, UnitPolicy, UnitError), _definitions(solutions)
    helpers = {name: definition for name, definition in written.items() if helper_name(definition[0])}
    defined = {name: definition for name, definition in written.items() if name not in helpers}
    _ensure_same_exercises(file, solutions, [entry.name for entry in policy.exercise], defined)
    made = {name: _with_helpers(each, helpers) for name, each in defined.items()}
    _ensure_known_rules(pack, name, policy)
    exercises = tuple(
        _make_exercise(name, number, entry, made, helpers, solutions) for number, entry in enumerate(policy.exercise, 1)
    )
    return Unit(catalogue, name, policy.title, policy.summary, policy.form_share, exercises, policy)


def _ensure_same_exercises(
    file: Path, solutions: Path, listed: list[str], defined: dict[str, WrittenDefinition]
) -> None:
    """Raise UnitError, with file and line, unless the TOML lists exactly the existing exercises."""

    for number, exercise in enumerate(listed):
        if exercise not in defined:
            line = line_number_of(read_text(file, UnitError), "exercise", number)
            what = "A function needs a docstring; a value needs an annotation, and a docstring on the next line"
            raise UnitError(f"{file}:{line}: the exercise {exercise} has no reference in {solutions}. {what}")
    for exercise, (node, docstring, _) in defined.items():
        if exercise not in listed:
            more = f"add it there, or name it _{exercise} if it only helps references"
            raise UnitError(f"{solutions}:{node.lineno}: {exercise} is not an exercise in {file}: {more}")
        if not docstring:
            raise UnitError(f"{solutions}:{node.lineno}: {exercise} has no docstring")
    if listed != list(defined):
        raise UnitError(f"{file}:1: the exercises are not in the order of {solutions}: {', '.join(defined)}")


def _ensure_known_rules(pack: Pack, name: str, policy: UnitPolicy) -> None:
    """Raise UnitError, with file and line, for an unknown rule of style."""
    file, form = pack.toml(name), policy.form
    rules: dict[tuple[str | int, ...], RuleNames] = {
        ("form", "error"): form.error,
        ("form", "warn"): form.warn,
        ("form", "ignore"): form.ignore,
        **{("exercise", number, "error"): entry.error for number, entry in enumerate(policy.exercise)},
    }
    for where, rule in ((where, rule) for where, names in rules.items() for rule in names if rule not in RULE_NAMES):
        own = own_rules(
            pack.import_pack_module(pack.given_module_name(name), pack.role_file("__init__", name)).__name__
        )
        if rule not in own:
            line = line_number_of(read_text(file, UnitError), *where)
            wrong = unknown_name_message("rule of style", rule, dict.fromkeys([*RULE_NAMES, *own]))
            raise UnitError(f"{file}:{line}: {wrong}")


def _definitions(solutions: Path) -> dict[str, WrittenDefinition]:
    """Return the definitions of exercises and helpers, by name.

    Raises UnitError, with file and line, if a name is defined twice, or for a class that is no helper.
    """
    defined: dict[str, WrittenDefinition] = {}
    ensure_commented(solutions)
    for node, docstring, source in written_statements(solutions):
        name = helper_name(node)
        match node:
            case ast.FunctionDef(name=name):
                pass
            case ast.AnnAssign(target=ast.Name(id=value)) if docstring:
                name = value
            case ast.ClassDef(name=cls) if not name:
                why = "is a class, and an exercise is a function or a value"
                raise UnitError(f"{solutions}:{node.lineno}: {cls} {why}: define types in the unit's module")
        if name in defined:
            first = defined[name][0].lineno
            raise UnitError(
                f"{solutions}:{node.lineno}: {name} is defined again: its first definition is in line {first}"
            )
        if name:
            defined[name] = node, docstring, source
    return defined


def _with_helpers(definition: WrittenDefinition, helpers: dict[str, WrittenDefinition]) -> WrittenDefinition:
    """Return the definition of a function with the helpers that it uses. A value has none."""
    node, docstring, source = definition
    used = names_in_tree(node) & helpers.keys()
    reached = reachable_from(used, lambda helper: names_in_tree(helpers[helper][0]) & helpers.keys())
    names = [helper for helper in helpers if helper in reached]
    if not names or not isinstance(node, ast.FunctionDef):
        return definition
    return node, docstring, with_helpers(node, source, [helpers[each][2] for each in names])


def _make_exercise(
    unit: str,
    number: int,
    entry: ExercisePolicy,
    defined: dict[str, WrittenDefinition],
    helpers: Iterable[str],
    solutions: Path,
) -> Exercise:
    node, docstring, source = defined[entry.name]
    used = names_in_tree(ast.parse(source)) - {entry.name}
    return Exercise(
        **{each.name: getattr(entry, each.name) for each in fields(ExerciseSettings)},
        unit=unit,
        number=number,
        node=node,
        source=source,
        docstring=docstring,
        examples=_docstring_examples(f"{solutions}:{node.lineno}", docstring, entry.name),
        needs=tuple(name for name in defined if name in used),
        helpers=tuple(name for name in helpers if name in used),
    )


def _docstring_examples(location: str, docstring: str, name: str) -> tuple[StatedExample, ...]:
    """Return the examples of a docstring. Each is a call with a result; the statements before it are its setup.

    Raises UnitError, with file and line, if they are not doctests.
    """
    try:
        doctests = doctest.DocTestParser().get_examples(docstring, name)
    except ValueError as error:
        raise UnitError(f"{location}: {error}") from None
    setup, examples = tuple[str, ...](), list[StatedExample]()
    for each in doctests:
        source, raises = each.source.strip(), each.exc_msg
        if not each.want and not raises:
            setup += (source,)
        else:
            want = "" if raises is not None else each.want.strip()
            examples.append(StatedExample(setup, source, want, raises.strip() if raises is not None else None))
    return tuple(examples)


def stated_unit(unit: Unit) -> StatedUnit:
    """Return the data about a unit that `check` needs: names, points, visible examples, and rules of form."""
    return StatedUnit(
        unit=unit.name,
        title=unit.title,
        summary=unit.summary,
        picture=unit.policy.picture,
        notebook=f"{unit.stem}.ipynb",
        module=unit.module.__name__,
        form=unit.policy.form,
        exercises=tuple(StatedExercise(e.name, e.number, e.points, e.is_value, e.examples) for e in unit.exercises),
        asked={exercise.name: exercise.facts for exercise in unit.exercises},
        calls={exercise.name: exercise.needs for exercise in unit.exercises},
    )
