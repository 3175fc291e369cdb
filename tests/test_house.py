"""Laws of the code: the direction of imports, and what the course may import."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path

import pytest

from autograder.cli import COMMANDS
from tests import house, roads
from tests.house import belongs_to_a_unit
from tests.roads import name_of
from tests.units import ROOT, known, read_unit, unit_names

FORBIDDEN = {
    "course": {"solutions", "autograder", "tests"},
    "solutions": {"autograder", "tests"},
    "autograder": {"tests"},
}
EFFECTS = {"subprocess", "threading", "signal", "resource", "socket", "multiprocessing", "ctypes"}


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add((node.module or "").split(".")[0])
    return found


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_imports_point_one_way_only(folder: str) -> None:
    guilty = {str(path): imported(path) & FORBIDDEN[folder] for path in (ROOT / folder).rglob("*.py")}
    assert {path: names for path, names in guilty.items() if names} == {}


def test_the_course_imports_nothing_that_a_browser_kernel_lacks() -> None:
    """Timers and memory limits are used only on systems that have them."""
    limits = ROOT / "course" / "kernel" / "limits.py"
    guilty = {str(path): imported(path) & EFFECTS for path in (ROOT / "course").rglob("*.py") if path != limits}
    assert imported(limits) & EFFECTS == {"resource", "signal", "threading"}
    assert {path: names for path, names in guilty.items() if names} == {}


def test_units_run_where_processes_threads_and_sockets_are_missing() -> None:
    lacking = sorted(EFFECTS - {"threading", "signal"})  # Emscripten has these two, without what they are for
    blocked = "import sys\n" + "".join(f"sys.modules[{name!r}] = None\n" for name in lacking)
    units = "".join(f"from course.{unit} import *\n" for unit in unit_names())
    program = f"{blocked}import course.kernel.limits\n{units}"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0


@pytest.mark.parametrize("unit", unit_names())
def test_no_exercise_can_be_imported_from_its_course(unit: str) -> None:
    assert set(read_unit(unit).by_name) & set(vars(read_unit(unit).module)) == set()


def test_an_exercise_of_one_unit_is_no_given_of_another() -> None:
    given = {unit: set(read_unit(unit).module.__all__) for unit in unit_names()}
    exercises = {unit: set(read_unit(unit).by_name) for unit in unit_names()}
    clashes = {(a, b): exercises[a] & given[b] for a in unit_names() for b in unit_names() if exercises[a] & given[b]}
    assert clashes == {}


def test_layers_of_the_grader_import_only_from_those_to_the_right() -> None:
    drawn = re.search(r"^    (cli → .*)$", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.MULTILINE)
    layers = drawn[1].split(" → ") if drawn else []
    assert {*layers} == {house.layer_of(module) for module in house.modules()} - {""}
    assert {pair for pair in house.between_layers() if layers.index(pair[0]) > layers.index(pair[1])} == set()


# Python's entry points, nbgrader's settings and users of the command line name these.
FROM_OUTSIDE = {f"autograder.hosts.{name}" for name in ("nbgrader", "pytest", "single")}
FROM_OUTSIDE |= {f"autograder.commands.{name}" for name in COMMANDS}


def test_layers_of_the_course_import_only_from_those_to_the_right() -> None:
    drawn = re.search(r"^    (check → .*)$", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.MULTILINE)
    order = drawn[1].split(" → ") if drawn else []
    units = {*house.units(), "basra_game"}
    layers = {house.layer_of(module) for module in house.modules(house.LEARNERS)} - {""}
    place = {
        layer: order.index("units" if layer in units else layer if layer in order else "leaves") for layer in layers
    }
    pairs = {(one, other) for one, other in house.between_layers(house.LEARNERS) if place[one] != place[other]}
    assert {(one, other) for one, other in pairs if place[one] > place[other]} == set()
    assert {layer for layer in layers if layer not in order and layer not in units} == {
        *("data", "effects", "functional", "limits", "roles", "svg", "syntax", "values")
    }


def test_imports_between_layers_of_the_course_stay_few() -> None:
    """Imports of units and of limits do not count."""
    layers = {(one, house.layer_of(other)) for one, other in house.arrows(house.LEARNERS) if other != LIMITS}
    pairs = {(house.layer_of(one), other) for one, other in layers if not house.belongs_to_a_unit(one)}
    assert len({(one, other) for one, other in pairs if one != other}) <= house.MOST_BETWEEN


def test_layers_import_only_modules_that_other_layers_offer() -> None:
    assert house.offered() == house.asked_for() | FROM_OUTSIDE


def test_grading_imports_no_sentences() -> None:
    """Sentences are made where reports are shown, so nothing that grades can depend on one."""
    words = {house.layer_of(one) for one, other in house.arrows() if other == "autograder.report.words"}
    assert words == {"classroom", "commands", "hosts", "prove", "report", "term"}


EDGES = {
    "autograder.term.course",  # for commands
    "autograder.exam.impostors",  # the process in which `foldem lab` builds exams
    "autograder.hosts.single",
    "autograder.hosts.kernel",
    "autograder.hosts.nbgrader",
    "autograder.hosts.exchange",
}


def callers_of(functions: set[str]) -> set[tuple[str, str]]:
    """Return the modules of the grader that call these functions, each with the function."""
    trees = house.modules().items()
    calls = {(name, node.func) for name, tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return {(name, ast.unparse(called)) for name, called in calls if ast.unparse(called) in functions}


def test_only_commands_and_hosts_look_which_packs_there_are() -> None:
    """All others receive a catalogue."""
    assert callers_of({"catalogue_here"}) == {(edge, "catalogue_here") for edge in EDGES}


OF_A_COURSE = {"adjustments_in", "assignments_in", "read_roster", "open_store", "with_gradebook"}


def test_only_a_course_reads_what_its_teacher_writes() -> None:
    """All others receive a `Course`, which reads each file once."""
    assert callers_of(OF_A_COURSE) == {("autograder.term.course", each) for each in OF_A_COURSE}


ANYWHERE = re.compile(r"__\w+__|[A-Z]")  # what Python reads of every module, and variables of types


def test_a_name_has_one_meaning_in_all_the_house() -> None:
    several = {name: where for name, where in house.meanings().items() if len(set(where.values())) > 1}
    assert {name: where for name, where in several.items() if not ANYWHERE.fullmatch(name)} == {}


LIMITS = "course.limits"
NAME_OF_A_LIMIT = re.compile(r"(MOST|LONGEST|LARGEST|FEWEST|WIDEST|DEEPEST|ENOUGH)(_|$)|.*SECONDS")


def test_limits_lie_in_one_file() -> None:
    """A unit's own figures are with the unit. `importing.inside` runs in the kernel of a teacher's notebook."""
    limits = {name: {*where} for name, where in house.meanings().items() if NAME_OF_A_LIMIT.match(name)}
    assert {name: where for name, where in limits.items() if where - {LIMITS, "autograder.importing.inside"}} == {}


def test_each_limit_has_a_reason() -> None:
    lines = (ROOT / "course" / "limits.py").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if " = " in line and not re.search(r"  # \w", line)] == []


MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
NONE_OF_THESE = {
    "targets that `make help` names and the Makefile lacks": lambda: (
        {*re.findall('"make ([a-z-]+)', MAKEFILE)} - {*re.findall("^([a-z-]+):", MAKEFILE, re.MULTILINE)}
    ),
    "modules of the course that import each other": lambda: house.cycle_in(house.arrows(house.LEARNERS)),
    "modules of the grader that import each other": lambda: house.cycle_in(house.arrows(house.GRADER)),
    "private functions that are called once and hide nothing": house.inlinable,
    "names that functions share without a role": lambda: house.shared_names().keys() ^ house.ROLES.keys(),
}


@pytest.mark.parametrize("what", NONE_OF_THESE)
def test_there_are_none_of_these(what: str) -> None:
    """Imports inside of functions count."""
    assert not NONE_OF_THESE[what]()


def test_no_body_is_longer_than_contributing_allows() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"Bodies of functions have at most {house.CEILING} lines" in text
    too_long = [(each, one.name, one.lineno) for each, one in house.functions() if house.lines_of(one) > house.CEILING]
    assert too_long == []


def test_each_capability_has_modules_and_each_pattern_is_needed() -> None:
    files = house.capabilities()
    assert [name for name, paths in files.items() if not paths] == []
    names = {name: [roads.name_of(path) for path in paths] for name, paths in files.items()}
    rows = tomllib.loads((ROOT / "tests/capabilities.toml").read_text(encoding="utf-8"))
    assert [
        (name, pattern)
        for name, row in rows.items()
        for pattern in row
        if not any(fnmatchcase(module, pattern) for module in names[name])
    ] == []


def test_any_is_named_no_more_often_than_it_was() -> None:
    assert sum(house.uses_of_any().values()) <= house.MOST_ANY


@pytest.mark.parametrize("module", ["tests.house", *(name for name in roads.files() if ".inside" not in name)])
def test_examples_in_docstrings_are_right(module: str) -> None:
    assert doctest.testmod(import_module(module)).failed == 0


# `bots` is also a plain word, so it counts only in imports and where a string has nothing else.
PLAIN = {"bots"}
UNITS = {*known().packs[0].units}
WORDS = re.compile(rf"\b({'|'.join(UNITS - PLAIN)})\b")


def named_in(source: str) -> Iterator[str]:
    """Yield the units that a program names in imports, identifiers and strings, except docstrings.

    >>> [*named_in("from course import uno, bots"), *named_in("from course.sedma import RA")]
    ['uno', 'bots', 'sedma']
    >>> [*named_in("table = {'uno': basra.Card, 'bots': bots}"), *named_in("def f(dominoes):\\n    'A uno docstring.'")]
    ['uno', 'bots', 'basra', 'dominoes']
    """
    tree = ast.parse(source)
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                modules = [getattr(node, "module", "") or "", *(alias.name for alias in names)]
                yield from (part for each in modules for part in each.split(".") if part in UNITS)
            case ast.Constant(value=str(text)) if node not in docstrings:
                yield from [text] if text in PLAIN else WORDS.findall(text)
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield from WORDS.findall(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield from WORDS.findall(name)


def test_only_the_files_of_a_unit_name_it() -> None:
    guilty = dict[Path, set[str]]()
    for path in (path for folder in ("course", "autograder") for path in (ROOT / folder).rglob("*.*")):
        if path.suffix == ".py" and not belongs_to_a_unit(name_of(path)):
            guilty[path] = {*named_in(path.read_text(encoding="utf-8"))}
        elif path.suffix in (".js", ".mjs", ".css", ".html"):
            guilty[path] = {*WORDS.findall(path.read_text(encoding="utf-8"))}
    assert {path.relative_to(ROOT).as_posix(): names for path, names in guilty.items() if names} == {}
