"""Look for an author's mistakes in all files of a unit. This imports the files, and runs their examples."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from types import TracebackType

from autograder.exam.checks import checks_of
from autograder.exam.draw import demand_strategies
from autograder.prove.answered import answers_wrong
from autograder.prove.lessons import cells_wrong
from autograder.prove.named import names_wrong
from autograder.prove.shown import Begin, examples_wrong, without_limit
from autograder.prove.worlds import worlds_wrong
from autograder.units.pack import error_in_words
from autograder.units.unit import Unit, UnitError
from autograder.units.written import location_with
from course.exam.readable import one_line


def inspect(unit: Unit, begin: Begin = without_limit) -> None:
    """Raise UnitError, in one line with file and line, for the first mistake of the unit's author."""
    for wrong in chain.from_iterable(check(unit, begin) for check in CHECKS_OF_AN_AUTHOR):
        raise UnitError(wrong)


def _import_all(unit: Unit, begin: Begin) -> Iterator[str]:
    """Import everything that belongs to a unit. Raises UnitError if that fails."""
    pack, name = unit.pack, unit.name
    begin(f"{pack.course_folder / f'{name}.py'}:1", f"importing {pack.given(name)}")
    yield from _exports_wrong(unit)
    for file in sorted(pack.course_folder.glob(f"*/{name}.py")):
        begin(f"{file}:1", f"importing {file.parent.name}/{name}.py")
        pack.imported(f"{pack.course}.{file.parent.name}.{name}", file)
    for role in ("solutions", "checks"):
        begin(f"{pack.file(role, name)}:1", f"importing {role}/{name}.py")
        pack.module(role, name)


def _exports_wrong(unit: Unit) -> Iterator[str]:
    """Yield what is wrong with the names that a unit's module exports."""
    file, given = unit.pack.course_folder / f"{unit.name}.py", vars(unit.module)
    if "__all__" not in given:
        yield f"{file}:1: it has no __all__. List the names that students may use"
    for name in given.get("__all__", ()):
        if name not in given:
            location = location_with(file, f'"{name}"', repr(name), "__all__")
            yield f"{location}: __all__ has {name!r}, which is not defined. Remove it"
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and any(map(_is_bare_dataclass, node.decorator_list)):
            wrong = f"values of {node.name} can be changed. Write `@value` above the class (from course.values)"
            yield f"{file}:{node.lineno}: {wrong}, or `@dataclass(frozen=False)` if answers shall change them"


def _is_bare_dataclass(decorator: ast.expr) -> bool:
    """Return whether a decorator makes a dataclass without `frozen=`."""
    named = isinstance(decorator, ast.Call) and any(each.arg == "frozen" for each in decorator.keywords)
    return not named and re.search(r"\bdataclass$", ast.unparse(getattr(decorator, "func", decorator))) is not None


class _Wrong(doctest.DocTestRunner):
    """A runner that collects what is wrong, in lines that begin with file and line."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.lines = list[str]()

    def report_failure(self, out: object, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        self._note(test, example, f"returned {one_line(got, 200)}")

    def report_unexpected_exception(
        self,
        out: object,
        test: doctest.DocTest,
        example: doctest.Example,
        exc_info: tuple[type[BaseException], BaseException, TracebackType],
    ) -> None:
        self._note(test, example, f"raised {one_line(error_in_words(exc_info[1]), 200)}")

    def _note(self, test: doctest.DocTest, example: doctest.Example, outcome: str) -> None:
        location = f"{test.filename}:{(test.lineno or 0) + example.lineno + 1}"
        call, want = one_line(example.source, 200), one_line(example.want, 200)
        self.lines.append(f"{location}: {call} {outcome}, not {want}. Correct the example or the function")


def _given_wrong(unit: Unit, begin: Begin) -> Iterator[str]:
    """Yield the wrong examples in docstrings of what a unit's module gives."""
    runner = _Wrong()
    for test in doctest.DocTestFinder().find(unit.module):
        begin(f"{test.filename}:{(test.lineno or 0) + 1}", f"the examples of {test.name.rpartition('.')[2]}")
        runner.run(test, out=lambda _: None)
        yield from runner.lines


def _references_wrong(unit: Unit, _: Begin) -> Iterator[str]:
    """Yield the references that lack an annotation or need a later exercise.

    Raises UnitError for an invalid entry of the checks, or a missing one.
    """
    for exercise in unit.exercises:
        for parameter in (each for each in exercise.parameters if not each.annotation):
            wrong = f"the parameter {parameter.name} has no annotation. Add one"
            yield f"{unit.location(exercise)}: {exercise.name}: {wrong}"
        for later in (name for name in exercise.needs if unit[name].number > exercise.number):
            yield f"{unit.location(exercise)}: {exercise.name} needs the later exercise {later}. Move {later} above it"
    demand_strategies(unit, checks_of(unit))


CHECKS_OF_AN_AUTHOR: tuple[Callable[[Unit, Begin], Iterable[str]], ...] = (
    _import_all,
    names_wrong,
    _references_wrong,
    _given_wrong,
    lambda unit, begin: chain.from_iterable(examples_wrong(unit, begin)),
    answers_wrong,
    worlds_wrong,
    cells_wrong,  # last, because it makes a notebook of everything else
)
