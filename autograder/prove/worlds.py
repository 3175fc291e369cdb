"""Look for mistakes in the modules of a unit that kits use: worlds, and common forms of right answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from inspect import getsourcefile
from io import StringIO
from itertools import islice
from pathlib import Path

from autograder.prove.shown import Begin, names_of_solutions
from autograder.units.pack import error_in_words
from autograder.units.unit import Unit
from autograder.units.written import location_with
from course.exam.readable import one_line
from course.exam.world import World
from course.roles import module_on

MOST_INPUTS = 20_000


def worlds_wrong(unit: Unit, begin: Begin) -> Iterator[str]:
    """Yield what is wrong with the worlds and common forms of a unit, each in one line with file and line."""
    for role, constant in (("worlds", "WORLDS"), ("alike", "ALIKE")):
        module = module_on(unit.module.__name__, role)
        if module and (file := getsourcefile(module)):
            entries = getattr(module, constant, None)
            if not isinstance(entries, Mapping):
                yield f"{file}:1: it has no dict {constant}. Define one, by exercise"
                continue
            for name, entry in entries.items():
                location = location_with(Path(file), f'"{name}"')
                begin(location, f"{constant} of {name}")
                yield from (f"{location}: {wrong}" for wrong in _entry_wrong(unit, name, entry))


def _entry_wrong(unit: Unit, name: str, entry: object) -> Iterator[str]:
    if name not in unit.by_name:
        yield f"{unit.name} has no exercise {name!r}. Correct the name, or remove the entry"
    elif isinstance(entry, World):
        yield from _world_wrong(unit, name, entry)
    elif not callable(entry):
        yield f"the entry of {name} is neither a World nor a function"


def _world_wrong(unit: Unit, name: str, world: World) -> Iterator[str]:
    try:
        inputs = [*islice(world.inputs(), MOST_INPUTS + 1)]
    except Exception as error:
        yield f"the inputs of {name} raise {error_in_words(error)}"
        return
    if len(inputs) > MOST_INPUTS:
        yield f"the world of {name} has more than {MOST_INPUTS:,} inputs. A few hundred are enough"
        return
    yield from islice(_refused(unit, name, world, inputs), 1)


def _refused(unit: Unit, name: str, world: World, inputs: Iterable[object]) -> Iterator[str]:
    """Yield the inputs of a world that are no arguments, or for which the reference raises an undocumented error."""
    reference, documented = names_of_solutions(unit)[name], unit[name].docstring + unit[name].source
    for args in inputs:
        shown = one_line(args, 200)
        if not isinstance(args, tuple) or not callable(reference):
            yield f"the input {shown} of {name} is not a tuple of arguments. Write `(…,)`"
            continue
        try:
            with redirect_stdout(StringIO()):
                reference(*world.canonical(args)[0])
        except Exception as error:
            if type(error).__name__ not in documented:
                raised = error_in_words(error)
                yield f"the reference of {name} raises {raised} for the input {shown}. Remove it from the world"
