"""Try every attack of `tests/attacks/` in every mode: what it gained, whom it harmed, what it leaked.

    make attacks                                       or: python -m tests.attack [--jobs 2] [--only NAME] [--mode MODE]

An attack in `answers/` is the cell of `flip`, or several cells, each below a `# %%`. An attack in `files/` defines how
it is handed in. The first line of each file says what the attack tries. All attacks are students of one course, with
honest students before, between and after them. A mode is a command that a teacher would use. Each mode runs in its own
process, and its line is printed as soon as it has ended. The exit status is 0 only if all modes ended normally and
reported every attack, and no attack succeeded.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing import active_children, get_context
from pathlib import Path
from types import CodeType
from typing import Any
from xml.etree import ElementTree

import nbformat

from autograder.exam.store import exam_for
from autograder.report.model import UNGRADED
from course.syntax import UNPARSED, bound_names, tree_of
from tests.classroom import notebook_with, reference_answers
from tests.units import read_unit

ROOT, BIN = Path(__file__).parents[1], Path(sys.executable).parent
HERE, UNIT = ROOT / "tests" / "attacks", read_unit("dominoes")
SCREEN, EVERY, CHANNEL = "the screen", 20, "channel_by_"
NEIGHBOURS, CANARY = ("a_neighbour", "m_neighbour", "zz_neighbour"), "canary-of-"
SEED, PATIENCE, TENTH = f"{CANARY}the-seed", 3600, 0.1
SOLVED = {name: text for name, text in reference_answers(UNIT).items() if name == "take"}
HONEST = SOLVED | {"flip": UNIT["flip"].source, "append": f"def append(domino, chain, end):\n    return '{CANARY}you'"}
SETTINGS = f'seed = "{SEED}"\nseconds_per_call = 0.3\nseconds_per_exercise = 1\n'
PATHS = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "FOLDEM_CANARY": f"{CANARY}env"}
ENVIRONMENT = os.environ | PATHS


@dataclass(frozen=True)
class Attack:
    """An attack: its name, what it tries, and its file."""

    file: Path

    @property
    def name(self) -> str:
        return self.file.stem

    @property
    def tries(self) -> str:
        return self.file.read_text(encoding="utf-8").splitlines()[0].strip('"# ')

    def answers(self, course: Path) -> dict[str, str]:
        """Return the cells of the attack, by the exercise that each answers."""
        if self.file.parent.name == "files":
            return {"flip": "def flip(domino):\n    return domino"}
        text = self.file.read_text(encoding="utf-8").replace("@ROOT@", str(ROOT)).replace("@COURSE@", str(course))
        return {_answered(cell): cell for cell in text.split("# %%\n") if cell.strip() and "\n" in cell.strip()}

    def hand_in(self, course: Path, path: Path) -> None:
        """Write the attack's notebook, and its other files next to it."""
        path.parent.mkdir(parents=True)
        notebook = handed_out(SOLVED | self.answers(course))
        if self.file.parent.name == "files":
            spec = spec_from_file_location(self.name, self.file)
            assert spec and spec.loader
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            module.hand_in(path, notebook)
        else:
            nbformat.write(notebook, path)


def _answered(cell: str) -> str:
    """Return the exercise that a cell answers; `flip` if that is unclear."""
    try:
        names = [name for node in tree_of(cell).body for name in bound_names(node) if name in UNIT.by_name]
    except UNPARSED:
        names = []
    return names[-1] if names and "flip" not in names else "flip"


@cache
def _handed_out() -> str:
    return nbformat.writes(notebook_with(UNIT.name, {}))


def handed_out(answers: dict[str, str]) -> Any:
    """Return the student's notebook with these answers."""
    notebook = nbformat.reads(_handed_out(), as_version=4)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = answers.get(name, cell.source)
    return notebook


def attacks() -> list[Attack]:
    """Return all attacks."""
    return [Attack(path) for path in sorted([*HERE.glob("answers/*.py"), *HERE.glob("files/*.py")])]


# ------------------------------------------------------------------------------------------------ what is told


@dataclass
class Told:
    """What a mode reports about a student: marks by exercise (or 1 for a solved one), and all text."""

    marks: dict[str, float] = field(default_factory=dict)
    text: str = ""
    is_ungraded: bool = False  # an exercise could not be graded, through a fault of the grader


Class = dict[str, Told]


def course_in(folder: Path, chosen: Iterable[Attack]) -> Path:
    """Make a course folder with hand-ins of all attacks and their neighbours."""
    subprocess.run(
        [BIN / "foldem", "course", folder, "--unit", UNIT.name], check=True, capture_output=True, env=ENVIRONMENT
    )
    (folder / "foldem.toml").write_text(SETTINGS)
    for name in NEIGHBOURS:
        path = place(folder, name)
        path.parent.mkdir(parents=True)
        nbformat.write(handed_out(HONEST), path)
    for attack in chosen:
        attack.hand_in(folder, place(folder, attack.name))
    return folder


def place(course: Path, student: str) -> Path:
    return course / "submitted" / student / UNIT.name / f"{UNIT.stem}.ipynb"


def students(course: Path) -> list[str]:
    return sorted(path.name for path in (course / "submitted").iterdir())


def run(command: list[str], folder: Path, screen: Path) -> str:
    """Run a command to its end, with a time limit, and return its output."""
    with screen.open("ab") as out:
        subprocess.run(
            command, cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=PATIENCE
        )
    return screen.read_text(errors="replace")


# Of several reports on one student the best counts, to see what was gained; a neighbour has handed in one.
_SEVERAL = dict.fromkeys(NEIGHBOURS, min)


def by_foldem(level: str) -> Callable[[Path], Class]:
    def graded(course: Path) -> Class:
        out = course.with_name("out")
        words = [str(BIN / "foldem"), "grade", str(course), "--sandbox", level, "--out", str(out)]
        told = {SCREEN: Told(text=run(words, course.parent, course.with_name("screen")))}
        for report in json.loads((out / "report.json").read_text(encoding="utf-8")):
            student = told.setdefault(name := report["submission"].split("/")[0], Told())
            marks = {exercise["name"]: exercise["points"] for exercise in report["exercises"]}
            found = [marks, *filter(None, [student.marks])]
            student.marks = _SEVERAL.get(name, max)(found, key=lambda one: sum(one.values()))
            student.text += json.dumps(report, ensure_ascii=False)
            student.is_ungraded |= any(exercise["state"] == UNGRADED for exercise in report["exercises"])
        return told

    return graded


def kept(course: Path) -> int:
    """Return how many hand-ins of a course have a report in the store."""
    with suppress(sqlite3.Error):
        address = f"file:{course / 'foldem.db'}?mode=ro"
        return int(sqlite3.connect(address, uri=True).execute("select count(*) from foldem_entry").fetchone()[0])
    return 0


def by_nbgrader(course: Path) -> Class:
    """Let nbgrader generate the assignment and grade all hand-ins."""
    from nbgrader.api import Gradebook

    screen = course.with_name("screen")
    run([str(BIN / "nbgrader"), "generate_assignment", UNIT.name], course, screen)
    told = {SCREEN: Told(text=run([str(BIN / "nbgrader"), "autograde", UNIT.name], course, screen))}
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        for submission in gradebook.assignment_submissions(UNIT.name):
            student, graded = submission.student.id, course / "autograded" / submission.student.id
            text = "".join(path.read_text(errors="replace") for path in graded.glob(f"*/{UNIT.stem}.ipynb"))
            marks = {
                grade.name.removesuffix("-check"): round(grade.score, 1)
                for book in submission.notebooks
                for grade in book.grades
            }
            told[student] = Told(marks, _outputs(text))
    return told


def _outputs(text: str) -> str:
    cells = json.loads(text)["cells"] if text else []
    return json.dumps([cell.get("outputs") for cell in cells if cell.get("outputs")], ensure_ascii=False)


def autograded(course: Path) -> int:
    return sum(1 for _ in course.glob("autograded/*"))


def by_pytest(course: Path) -> Class:
    """Run every submission with pytest; a mark is 1 if all facets of an exercise pass."""
    out = course.with_name("junit.xml")
    words = [str(place(course, student)) for student in students(course)]
    command = [str(BIN / "foldem"), "pytest", "--junitxml", str(out), *words]
    told = {SCREEN: Told(text=run(command, course, course.with_name("screen")))}
    names = students(course)
    for case in ElementTree.parse(out).iter("testcase"):
        student = next((part for part in names if f".{part}." in f".{case.get('classname')}."), "")
        exercise = str(case.get("classname")).rpartition(".")[2]
        one = told.setdefault(student, Told())
        failed = any(child.tag in ("failure", "error", "skipped") for child in case)
        one.marks[exercise] = min(one.marks.get(exercise, 1.0), float(not failed))
        one.text += "".join(str(child.get("message")) + (child.text or "") for child in case)
    return told


def shown(course: Path) -> int:
    """Return how many students the output names."""
    with suppress(OSError):
        text = course.with_name("screen").read_text(errors="replace")
        return sum(f"/{name}/" in text for name in students(course))
    return 0


@dataclass(frozen=True)
class Mode:
    """A way to grade a class: its final report, and how many students it has reported so far."""

    told: Callable[[Path], Class]
    so_far: Callable[[Path], int]


# The one that takes longest comes first.
MODES = {
    "nbgrader": Mode(by_nbgrader, autograded),
    "bubblewrap": Mode(by_foldem("bubblewrap"), kept),
    "landlock": Mode(by_foldem("landlock"), kept),
    "pytest": Mode(by_pytest, shown),
}


# ------------------------------------------------------------------------------------------------ what it comes to


@cache
def secrets() -> frozenset[str]:
    """Return texts that no report may contain: canaries, and text that only references have."""
    exam, shown = exam_for(UNIT), unescaped(_handed_out())
    found = {SEED, f"{CANARY}env", f"{CANARY}you"}
    for name, code in exam.codes.items():
        own = next(const for const in code.co_consts if isinstance(const, CodeType)) if name not in HONEST else None
        lines = {line.strip() for line in UNIT[name].source.splitlines()} if own else set()
        found |= {line for line in lines if len(line) > 25 and unescaped(line) not in shown and '"""' not in line}
        hidden = own and set(own.co_varnames) - set(own.co_varnames[: own.co_argcount])
        found |= {own.co_code.hex()[:60], repr(own.co_code)[:60]} if own else set()
        found |= {repr(own.co_varnames)} if own and hidden else set()
    return frozenset(found)


def unescaped(text: str) -> str:
    """Return a text without the escapes that JSON, HTML and `repr` add."""
    return html.unescape(text).replace("\\", "")


@dataclass
class Tally:
    """The results of all attacks in a mode. `attempts` counts the attacks that the mode reported."""

    mode: str
    attempts: int = 0
    gained: list[str] = field(default_factory=list)
    harmed: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)
    cost: str = ""

    @property
    def is_clean(self) -> bool:
        return not (self.gained or self.harmed or self.leaked)


def tally(mode: str, chosen: list[Attack], told: Class, course: Path) -> Tally:
    """Return the tally of a mode from its reports on a class."""
    screen = told.get(SCREEN, Told()).text
    untold = [attack.name for attack in chosen if attack.name not in told and attack.name not in screen]
    found = Tally(mode, len(chosen) - len(untold), harmed=[f"{name}: nothing is told of it" for name in untold])
    wanted = {"take": UNIT["take"].points, "flip": UNIT["flip"].points, "append": 0.0}
    wanted = {name: float((mode != "pytest" and of) or of > 0) for name, of in wanted.items()}
    for name in NEIGHBOURS:
        marks = told.get(name, Told()).marks
        if {exercise: marks.get(exercise) for exercise in wanted} != wanted:
            found.harmed.append(f"{name}: {marks.get('flip')}, {marks.get('take')}, {marks.get('append')}")
    for attack in chosen:
        found.gained += [attack.name] * (_gain(attack, told, course, mode) > 1e-6)
        found.harmed += [attack.name] * _is_lost(attack, told, wanted["take"])
    for name, one in told.items():
        known = HONEST["append"] if name in (*NEIGHBOURS, SCREEN) else ""
        shown = unescaped(one.text)
        texts = [text for text in secrets() if unescaped(text) in shown and text not in known]
        found.leaked += [f"{name}: {text[:50]}" for text in texts]
    return found


def _gain(attack: Attack, told: Class, course: Path, mode: str) -> float:
    """Return the points that an attack has gained beyond its solved exercise and the tenth for visible examples."""
    tried = {*attack.answers(course)} - {*SOLVED}
    most = sum(UNIT[name].points for name in tried) * TENTH if mode != "pytest" else 0.0
    solved = 1.0 if mode == "pytest" else UNIT["take"].points
    return sum(told.get(attack.name, Told()).marks.values()) - solved - round(most + 0.05, 1)


def _is_lost(attack: Attack, told: Class, wanted: float) -> bool:
    """Return whether an attack by answers has lost its author the points for the solved exercise, or is ungraded.

    Nobody may be framed, and breaking the grader must not lead to grading by hand.
    """
    one = told.get(attack.name, Told())
    return attack.file.parent.name == "answers" and (one.marks.get("take") != wanted or one.is_ungraded)


def attempted(mode: str, chosen: list[Attack], folder: Path) -> Tally:
    """Try all attacks in a mode. If an attack stops the batch, it has harmed all students."""
    began = time.monotonic()
    try:
        course = course_in(folder / "course", chosen)
        found = tally(mode, chosen, MODES[mode].told(course), course)
    except Exception as error:
        found = stopped(mode, error)
    finally:
        # Not Python's own way, which calls itself for each folder in a folder.
        subprocess.run(["rm", "-rf", str(folder)], check=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found.cost = f"{time.monotonic() - began:.0f} s, {used.ru_utime + used.ru_stime:.0f} CPU s"
    return found


def stopped(mode: str, error: BaseException) -> Tally:
    """Return the tally of a mode that did not end normally."""
    said = getattr(error, "stderr", b"") or b""
    why = f"{type(error).__name__}: {error} {said.decode(errors='replace')}".rstrip()
    return Tally(mode, harmed=[f"the whole batch: {why}"[:600]])


def tried(modes: list[str], chosen: list[Attack], folder: Path, jobs: int) -> Iterator[Tally]:
    """Try all attacks in these modes, and yield the tally of each mode as it ends. Print the progress meanwhile."""
    with ProcessPoolExecutor(jobs, max_tasks_per_child=1, mp_context=get_context("spawn")) as pool:
        going = {pool.submit(attempted, mode, chosen, folder / mode): mode for mode in modes}
        while going:
            done, _ = wait(going, timeout=EVERY, return_when=FIRST_COMPLETED)
            for one in done:
                yield ended(going.pop(one), one)
            if far := [f"{mode} {MODES[mode].so_far(folder / mode / 'course')}" for mode in going.values()]:
                print(f"  of {len(chosen) + len(NEIGHBOURS)}: {', '.join(far)}", file=sys.stderr, flush=True)


def ended(mode: str, one: Future[Tally]) -> Tally:
    error = one.exception()
    return stopped(mode, error) if error else one.result()


HEAD = f"{'mode':12}{'attempts':>9}{'gained':>9}{'harmed':>9}{'leaked':>9}"


def line(one: Tally) -> str:
    """Return a mode's line in the table."""
    counts = one.attempts, len(one.gained), len(one.harmed), len(one.leaked)
    return f"{one.mode:12}" + "".join(f"{count:>9}" for count in counts) + f"   {one.cost}".rstrip()


def below(tallies: Iterable[Tally], chosen: list[Attack]) -> Iterator[str]:
    """Yield the name of each attack that has succeeded, and the results of attacks by a covert channel."""
    kinds, tallies = ("gained", "harmed", "leaked"), list(tallies)
    for one in tallies:
        for word in kinds:
            yield from (f"{one.mode}: {word}: {name}" for name in getattr(one, word))
    channels = {attack.name for attack in chosen if attack.name.startswith(CHANNEL)}
    told = {
        word: sum(name.split(":")[0] in channels for one in tallies for name in getattr(one, word)) for word in kinds
    }
    counts = ", ".join(f"{word} {count}" for word, count in told.items())
    yield f"{len(channels)} of {len(chosen)} attacks go by a covert channel between two answers: {counts}"
    yield "What such a channel could carry, in bits per second: benchmarks/channels.py"


def give_up(number: int, _frame: object) -> None:
    """When a signal arrives, end all modes and then this process, with a message."""
    for child in active_children():
        child.terminate()
    raise SystemExit(f"tests.attack: ended by {signal.Signals(number).name} before all was tried")


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.attack", description="Try every attack in every mode.")
    words.add_argument("--jobs", type=int, default=2)
    words.add_argument("--only", action="append", default=[], help="attacks whose names begin so")
    words.add_argument("--mode", action="append", default=[], choices=MODES)
    words.add_argument("--every", type=int, default=1, help="take only every such attack, the first one included")
    asked = words.parse_args()
    chosen = [each for each in attacks() if not asked.only or each.name.startswith(tuple(asked.only))][:: asked.every]
    signal.signal(signal.SIGTERM, give_up)
    exam_for(UNIT, SEED)
    print(HEAD, flush=True)
    tallies = []
    with tempfile.TemporaryDirectory(prefix="foldem-attacks-", ignore_cleanup_errors=True) as name:
        for one in tried(asked.mode or [*MODES], chosen, Path(name), asked.jobs):
            print(line(one), flush=True)
            tallies.append(one)
    print("\n".join(below(tallies, chosen)))
    return int(not all(one.is_clean for one in tallies))


if __name__ == "__main__":
    sys.exit(main())
