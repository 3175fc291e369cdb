"""What can be known of the notebook that is running: its namespace, the cells that were run, what is saved."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import get_close_matches
from dis import get_instructions
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import normalize

from course.syntax import expression_of, meant_names

IN_A_BROWSER = sys.platform == "emscripten"
SAVING = 2.0 if IN_A_BROWSER else 0.0  # seconds from what is saved to when it counts as saved
COVERED = "get_ipython().run_cell_magic("
TRANSPARENT = {"time", "capture", "prun"}  # below these a cell's names are the notebook's
Names = dict[str, Any]
T = TypeVar("T")
# What holds in a course, which a `foldem.toml` makes it; who learns alone may do everything.
IN_A_COURSE = {"hints": True, "borrowing": False}


class NotRight(Exception):
    """An exercise is not right yet. Shown as one line: what is wrong stands above it."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


# What was answered in a block that asks once.
_answers: ContextVar[dict[Any, Any] | None] = ContextVar("answers", default=None)


@contextmanager
def asking_once() -> Iterator[None]:
    """Let what is asked of files in a block be asked once: in a browser each question goes to the front end."""
    token = _answers.set({})
    try:
        yield
    finally:
        _answers.reset(token)


def is_asking() -> bool:
    """Tell whether this is within a block that asks once: a check, say."""
    return _answers.get() is not None


def asked(key: object, ask: Callable[[], T]) -> T:
    """Give what was answered to a question before, where that is enough, else ask."""
    answers = _answers.get()
    return ask() if answers is None else answers[key] if key in answers else answered(key, ask())


def answered(key: object, answer: T) -> T:
    """Give an answer, and keep it for who asks once."""
    if (answers := _answers.get()) is not None:
        answers[key] = answer
    return answer


# The packages that units were found in though they are not imported yet.
told_of: set[str] = set()


def homes() -> tuple[str, ...]:
    """Give the packages that state units: ours, and others that are imported or that notebooks tell of."""
    others = (name for name in [*sys.modules, *sorted(told_of)] if "." not in name and name != "course")
    return ("course", *(name for name in dict.fromkeys(others) if _stated(name)))


@cache
def _home(package: str) -> Path | None:
    """Give the folder of a package that states units; it is not imported for that."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return None
    places = [Path(place) for place in (spec and spec.submodule_search_locations) or ()]
    return next((place for place in places if (place / "statements").is_dir()), None)


@cache
def _stated(package: str) -> dict[str, dict[str, Any]]:
    """Give what is stated of the units in a package, in teaching order."""
    home = _home(package)
    try:
        texts = [file.read_text(encoding="utf-8") for file in (home / "statements").glob("*.json")] if home else []
        found = sorted(map(json.loads, texts), key=lambda stated: stated["notebook"])
        return {stated["unit"]: stated for stated in found if stated["exercises"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def statements(unit: str) -> dict[str, Any]:
    """Give what is stated of a unit: its exercises with their points and visible examples."""
    return _stated(home_of(unit))[unit]


def units() -> tuple[str, ...]:
    """Give the names of the units there are, in teaching order."""
    return tuple(dict.fromkeys(unit for home in homes() for unit in _stated(home)))


def home_of(unit: str) -> str:
    """Give the package that a unit is imported from."""
    return next((home for home in homes() if unit in _stated(home)), "course")


def file_of(unit: str, name: str) -> Path:
    """Give a file that comes with a unit, beside the module that is imported."""
    return (_home(home_of(unit)) or Path()) / name


@cache
def sealed(unit: str) -> dict[str, Any]:
    """Give the sealed exam of a unit as it came with the kit; {} where there is none."""
    try:
        return dict(json.loads(file_of(unit, f"sealed/{unit}.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def version_of(exercises: list[dict[str, Any]]) -> str:
    """Give a text that changes when a statement of a unit's exercises changes."""
    return sha256(json.dumps(exercises, sort_keys=True).encode()).hexdigest()[:12]


def exercise_of(unit: str, name: str) -> dict[str, Any] | None:
    """Give what is stated of an exercise, None if the unit has none of that name."""
    return next((exercise for exercise in statements(unit)["exercises"] if exercise["name"] == name), None)


@cache
def examiner() -> Any:
    """Give the installed autograder's examiner, None where only the course is installed."""
    for entry in entry_points(group="foldem.examiner"):
        try:
            return entry.load()()
        except ImportError:
            return None
    return None


def references() -> Any:
    """Give whoever has the references: the examiner, or what a site for self-study brings; None where nobody has."""
    return _lender() or examiner()


@cache
def _lender() -> Any:
    return next((entry.load()() for entry in entry_points(group="foldem.references")), None)


def stage() -> str:
    """Give what nbgrader is doing with the notebook, "" if nothing."""
    return os.environ.get("NBGRADER_EXECUTION", "")


def shell() -> Any:
    """Give the running IPython shell, None outside one."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def namespace(depth: int) -> Names:
    """Give the learner's namespace: the notebook's, or that of the caller `depth` frames up."""
    running = shell()
    return running.user_ns if running else sys._getframe(depth + 1).f_globals


def cells_run(names: Names) -> list[str] | None:
    """Give the sources of all cells run so far, in order; None where nobody keeps them."""
    history = names.get("In")
    return [_uncovered(str(cell)) for cell in history] if isinstance(history, list) else None


@lru_cache(maxsize=1024)
def _uncovered(cell: str) -> str:
    """Give what a cell runs below a magic such as `%%time`, each line where it was typed."""
    found = expression_of(cell.strip()) if cell.startswith(COVERED) else None
    match found:
        case ast.Call(args=[ast.Constant(value=magic), _, ast.Constant(value=str(inside))]) if magic in TRANSPARENT:
            return f"\n{_uncovered(shell().transform_cell(inside) if shell() else inside)}"
    return cell


def cells_typed(names: Names) -> list[str]:
    """Give the same cells as they were typed: `cells_run` has IPython's own commands replaced by Python."""
    cells, running = cells_run(names) or [], shell()
    typed = [str(cell) for cell in running.history_manager.input_hist_raw] if running else []
    return typed if len(typed) == len(cells) else cells


def runs() -> dict[str, float]:
    """Give when each cell was last begun, by its text; under "" stands since when this is known."""
    running = shell()
    if running is None:
        return {"": time.time()}
    if not hasattr(running, "foldem_runs"):
        running.foldem_runs = {"": time.time()}
        running.events.register("pre_run_cell", _note_run)
    return running.foldem_runs


def _note_run(info: Any) -> None:
    runs()[str(info.raw_cell).strip()] = time.time()


@dataclass(frozen=True)
class Place:
    """Where an exercise is asked about: the learner's namespace, the unit, the exercise."""

    names: Names
    unit: str
    name: str

    @property
    def key(self) -> str:
        return f"{self.unit}/{self.name}"

    @property
    def stated(self) -> dict[str, Any]:
        return exercise_of(self.unit, self.name) or {}

    @property
    def folder(self) -> Path:
        return folder_of(self.names)

    @cached_property
    def book(self) -> Book | None:
        """The running notebook as it is saved."""
        return running_book(self.names, self.unit)

    @property
    def source(self) -> str | None:
        """The learner's cell that says last what the name means, as typed, or as saved if none was run here."""
        return typed_source(self.names, self.name) or saved_source(self)


def place_of(name: str, depth: int) -> Place:
    """Give where the exercise `name` is asked about; NotRight if there is none of that name."""
    names = namespace(depth + 1)
    if not isinstance(name, str):
        raise NotRight('say the exercise by its name, in quotes: check("flip")')
    unit = unit_here(names, name)
    if unit is None:
        known = [exercise["name"] for unit in units() for exercise in statements(unit)["exercises"]]
        near = get_close_matches(name, known, 1)
        raise NotRight(f"there is no exercise {name!r}" + (f": did you mean {near[0]!r}?" if near else ""))
    return Place(names, unit, name)


def unit_here(names: Names, name: str) -> str | None:
    """Give the unit at work that has the exercise `name`: the one last imported here, or the only one there is."""
    having = [unit for unit in units() if exercise_of(unit, name)]
    here = [unit for unit in units_imported(names) if unit in having]
    here += [unit for unit in having if names.get("__name__") and f"{home_of(unit)}.{unit}" in _modules_of(names)]
    return next(iter(here + having), None)


def units_imported(names: Names) -> list[str]:
    """Give the units that the cells run so far import from, the last first."""
    cells = reversed(cells_run(names) or [])
    found = [pair for cell in cells for pair in re.findall(r"^\s*from (\w+)\.(\w+) import", cell, re.MULTILINE)]
    known = units() if found else ()
    return [unit for home, unit in dict.fromkeys(found) if unit in known and home == home_of(unit)]


def _modules_of(names: Names) -> set[str]:
    return {getattr(thing, "__module__", "") for thing in list(names.values())}


@dataclass(frozen=True)
class Book:
    """A notebook of a unit as it is saved: when, what it tells about itself, its code cells by grade id, all ids."""

    path: Path
    when: float
    told: dict[str, Any]
    cells: tuple[tuple[str, str], ...]
    ids: frozenset[str]

    @property
    def unit(self) -> str:
        return str(self.told.get("unit", ""))

    @property
    def home(self) -> str:
        """The package that it imports its unit from."""
        return str(self.told.get("course", "course"))


def cell_now() -> str:
    """Give the id of the cell that is running, as the front end tells it; "" if it does not."""
    asked_of = (
        shell() if hasattr(shell(), "get_parent") else getattr(shell(), "kernel", None)
    )  # the latter in a browser
    told: dict[str, Any] = getattr(asked_of, "get_parent", dict)() or {}
    return str(told.get("metadata", {}).get("cellId", ""))


def saved_path(names: Names) -> Path | None:
    """Give the file of the running notebook, None if nobody tells. VS Code names it in its ids of cells, too."""
    told = _path_in(cell_now()), names.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME")
    return next((Path(path) for path in told if path and Path(path).is_file()), None)


def _path_in(cell: str) -> str:
    if not cell.startswith("vscode-"):
        return ""
    from urllib.parse import urlsplit  # here, for they bring all of HTTP
    from urllib.request import url2pathname

    return url2pathname(urlsplit(cell).path)


def folder_of(names: Names) -> Path:
    """Give the folder of the running notebook."""
    path = saved_path(names)
    try:
        return path.parent if path else Path.cwd()
    except FileNotFoundError:
        raise NotRight("the folder that this kernel works in is gone: restart the kernel") from None


def books(folder: Path) -> tuple[Book, ...]:
    """Give the notebooks of units that are saved in a folder; what is none is passed over."""
    return asked(("books", folder), lambda: tuple(_books(folder)))


def _books(folder: Path) -> Iterator[Book]:
    for path in sorted(folder.glob("*.ipynb")):
        with suppress(OSError):
            if book := _book(path, path.stat().st_mtime):
                yield book


@lru_cache(maxsize=64)
def _book(path: Path, when: float) -> Book | None:
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        told = notebook["metadata"]["foldem"]
        ids = frozenset(cell["id"] for cell in notebook["cells"] if "id" in cell)
        return Book(path, when, dict(told), tuple((_grade_id(cell), "".join(cell["source"])) for cell in cells), ids)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _grade_id(cell: dict[str, Any]) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def running_book(names: Names, unit: str | None) -> Book | None:
    """Give the running notebook as it is saved, None if it is none of the unit's, or cannot be told from others.

    The surest sign is the cell that is running; then the name that the kernel was started under, which a rename does
    not change; where nobody tells that, how many of the cells that were run stand in the file.
    """
    path, cell, run = saved_path(names), cell_now(), {cell.strip() for cell in cells_typed(names)}
    found = [book for book in books(folder_of(names)) if book.unit == unit]

    def signs(book: Book) -> tuple[bool, bool, int]:
        alike = 0 if path else sum(source.strip() in run for _, source in book.cells)
        return cell in book.ids, book.path == path, alike

    best = max(found, key=lambda book: (*signs(book), book.when), default=None)
    is_alone = path is None and len(found) == 1
    return best if best and (is_alone or any(signs(best))) else None


def books_of(folder: Path, names: Names, unit: str) -> tuple[Book, ...]:
    """Give the running notebook of a unit, or, where it is not known to be running, all that a folder has of it."""
    running = running_book(names, unit)
    return (running,) if running else tuple(book for book in books(folder) if book.unit == unit)


def saved_source(place: Place) -> str | None:
    """Give the source of an exercise's cell as it is saved, None if that cannot be known."""
    saved = [source for grade, source in place.book.cells if grade == place.name] if place.book else []
    return saved[-1] if saved else None


def assigned(saved: tuple[Book, ...], unit: str) -> tuple[str, ...]:
    """Give the exercises of a unit that are to be solved in these notebooks of it: all, unless they say which."""
    every = [exercise["name"] for exercise in statements(unit)["exercises"]]
    told = [book.told["exercises"] for book in saved if "exercises" in book.told]
    return tuple(name for name in every if not told or any(name in names for names in told))


def is_allowed(what: str, folder: Path) -> bool:
    """Tell whether "hints" or "borrowing" is allowed here: always, unless a course says otherwise."""
    return all(settings.get(what, IN_A_COURSE[what]) for settings in course_settings(folder))


def course_settings(folder: Path) -> list[dict[str, Any]]:
    """Give what the course says that a folder belongs to, in a `foldem.toml` or in notebooks; nothing if none does."""
    told = [book.told["help"] for book in books(folder) if isinstance(book.told.get("help"), dict)]
    return asked(("settings", folder), lambda: _settings_above(folder)) + told


def _settings_above(folder: Path) -> list[dict[str, Any]]:
    files = [place / "foldem.toml" for place in (folder.resolve(), *folder.resolve().parents)]
    return [_settings(file) for file in files if file.is_file()][-1:]


def _settings(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def defining_cells(cells: list[str], name: str) -> Iterator[tuple[int, str]]:
    """Give the cells that define `name`, the last first: where each stands, and what keeps it from parsing, or ""."""
    for index, cell in reversed(list(enumerate(cells))):
        if name not in cell and name not in normalize("NFKC", cell):  # as Python reads names
            continue
        try:
            if name in _bound_by(cell):
                yield index, ""
        except SyntaxError as error:
            if re.search(rf"^\s*(async\s+)?(def\s+{name}\b|{name}\s*[:=])", normalize("NFKC", cell), re.MULTILINE):
                yield index, f"{error.msg}, line {error.lineno}"
        except ValueError:
            continue


@lru_cache(maxsize=1024)
def _bound_by(cell: str) -> frozenset[str]:
    """Give the names that the statements of a cell define; SyntaxError or ValueError if it does not parse."""
    return frozenset().union(*map(meant_names, ast.parse(cell).body))


def typed_source(names: Names, name: str) -> str | None:
    """Give the cell that last defined `name` here, as it was typed; None if none did."""
    found = next(defining_cells(cells_run(names) or [], name), None)
    return None if found is None else cells_typed(names)[found[0]]


def is_edited(place: Place) -> bool:
    """Tell whether the exercise's cell was changed since it was last run, as far as the saved notebook tells.

    What was saved before the last run tells nothing: most learners run a cell before the notebook is saved. Nor does
    what a page began to save before it, which takes its time in a browser.
    """
    typed, saved, book = typed_source(place.names, place.name), saved_source(place), place.book
    run = {cell.strip() for cell in cells_typed(place.names)}
    if typed is None or book is None or saved is None or saved.strip() in run:
        return False
    begun = runs().get(typed.strip(), runs()[""])
    return book.when > begun + SAVING


def is_unwritten(names: Names, name: str) -> bool:
    """Tell whether what `name` means is still the stub, or nothing yet."""
    if name not in names:
        return True
    thing = names[name]
    code = getattr(getattr(thing, "__wrapped__", None) or getattr(thing, "func", None) or thing, "__code__", None)
    if code is None:
        return type(thing).__name__ == "Todo"
    if code.co_names != ("NotImplementedError",) or len(code.co_consts) > 2:
        return False
    return not any("JUMP" in step.opname for step in get_instructions(code))


def has_frontend() -> bool:
    """Tell whether what is displayed can be drawn again later: in Jupyter, not in a terminal."""
    return getattr(shell(), "kernel", None) is not None


def show(thing: Any, **options: Any) -> None:
    """Display something where a notebook is running, else print it."""
    if shell():
        from IPython.display import display

        display(thing, **options)
    else:
        print(thing)
