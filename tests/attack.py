"""The attacks of `tests/attacks/` in each mode: what they gained, whom they harmed, what they leaked.

An attack in `answers/` is the cell of `flip`, or several cells, each below a `# %%`. An attack in `files/` defines how
it is handed in. The first line of each file says what the attack tries. All attacks are students of one course, with
honest students before, between and after them. A mode is a command that a teacher would use.
"""

from __future__ import annotations

import html
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from runpy import run_path
from types import CodeType
from xml.etree import ElementTree

import nbformat

from autograder.exam.store import exam_for
from autograder.report.model import UNGRADED
from course.syntax import PARSING_ERRORS, bound_names, tree_of
from tests.classroom import notebook_with, reference_answers, write_file
from tests.units import read_unit

ROOT, BIN = Path(__file__).parents[1], Path(sys.executable).parent
HERE, UNIT = ROOT / "tests" / "attacks", read_unit("dominoes")
SCREEN = "the screen"
NEIGHBORS, CANARY = ("a_neighbor", "m_neighbor", "zz_neighbor"), "canary-of-"
SEED, PATIENCE, SHARE_FOR_EXAMPLES_ONLY = f"{CANARY}the-seed", 3600, 0.1
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
        notebook = notebook_with(UNIT.name, SOLVED | self.answers(course))
        if self.file.parent.name == "files":
            run_path(str(self.file))["hand_in"](path, notebook)
        else:
            nbformat.write(notebook, path)


def _answered(cell: str) -> str:
    """Return the exercise that a cell answers; `flip` if that is unclear."""
    try:
        names = [name for node in tree_of(cell).body for name in bound_names(node) if name in UNIT.by_name]
    except PARSING_ERRORS:
        return "flip"
    return names[-1] if names and "flip" not in names else "flip"


def attacks() -> list[Attack]:
    """Return all attacks."""
    return [Attack(path) for path in sorted([*HERE.glob("answers/*.py"), *HERE.glob("files/*.py")])]


# ------------------------------------------------------------------------------------------------ what is reported


@dataclass
class StudentReport:
    """What a mode reports about a student: marks by exercise (or 1 for a solved one), and all text."""

    marks: dict[str, float] = field(default_factory=dict)
    text: str = ""
    is_ungraded: bool = False  # an exercise could not be graded, through a fault of the grader


Class = dict[str, StudentReport]


def course_in(folder: Path, chosen: Iterable[Attack]) -> Path:
    """Make a course folder with submissions of all attacks and their neighbors."""
    subprocess.run(
        [BIN / "foldem", "course", folder, "--unit", UNIT.name], check=True, capture_output=True, env=ENVIRONMENT
    )
    (folder / "foldem.toml").write_text(SETTINGS)
    for name in NEIGHBORS:
        write_file(place(folder, name), notebook_with(UNIT.name, HONEST))
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


# Of several reports on one student the best counts, to see what was gained; a neighbor has handed in one.
_SEVERAL = dict.fromkeys(NEIGHBORS, min)


def by_foldem(level: str) -> Callable[[Path], Class]:
    def graded(course: Path) -> Class:
        out = course.with_name("out")
        words = [str(BIN / "foldem"), "grade", str(course), "--sandbox", level, "--out", str(out)]
        reports = {SCREEN: StudentReport(text=run(words, course.parent, course.with_name("screen")))}
        for report in json.loads((out / "report.json").read_text(encoding="utf-8")):
            student = reports.setdefault(name := report["submission"].split("/")[0], StudentReport())
            marks = {exercise["name"]: exercise["points"] for exercise in report["exercises"]}
            found = [marks, *filter(None, [student.marks])]
            student.marks = _SEVERAL.get(name, max)(found, key=lambda one: sum(one.values()))
            student.text += json.dumps(report, ensure_ascii=False)
            student.is_ungraded |= any(exercise["state"] == UNGRADED for exercise in report["exercises"])
        return reports

    return graded


def by_nbgrader(course: Path) -> Class:
    """Let nbgrader generate the assignment and grade all submissions."""
    from nbgrader.api import Gradebook

    screen = course.with_name("screen")
    run([str(BIN / "nbgrader"), "generate_assignment", UNIT.name], course, screen)
    reports = {SCREEN: StudentReport(text=run([str(BIN / "nbgrader"), "autograde", UNIT.name], course, screen))}
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        for submission in gradebook.assignment_submissions(UNIT.name):
            student, graded = submission.student.id, course / "autograded" / submission.student.id
            notebooks = [json.loads(path.read_text(errors="replace")) for path in graded.glob(f"*/{UNIT.stem}.ipynb")]
            outputs = [cell.get("outputs") for notebook in notebooks for cell in notebook["cells"]]
            grades = [grade for book in submission.notebooks for grade in book.grades]
            marks = {grade.name.removesuffix("-check"): round(grade.score, 1) for grade in grades}
            reports[student] = StudentReport(marks, json.dumps([*filter(None, outputs)], ensure_ascii=False))
    return reports


def by_pytest(course: Path) -> Class:
    """Run every submission with pytest; a mark is 1 if all facets of an exercise pass."""
    out = course.with_name("junit.xml")
    words = [str(place(course, student)) for student in students(course)]
    command = [str(BIN / "foldem"), "pytest", "--junitxml", str(out), *words]
    reports = {SCREEN: StudentReport(text=run(command, course, course.with_name("screen")))}
    names = students(course)
    for case in ElementTree.parse(out).iter("testcase"):
        student = next((part for part in names if f".{part}." in f".{case.get('classname')}."), "")
        exercise = str(case.get("classname")).rpartition(".")[2]
        one = reports.setdefault(student, StudentReport())
        failed = any(child.tag in ("failure", "error", "skipped") for child in case)
        one.marks[exercise] = min(one.marks.get(exercise, 1.0), float(not failed))
        one.text += "".join(str(child.get("message")) + (child.text or "") for child in case)
    return reports


# The one that takes longest comes first.
MODES = {
    "nbgrader": by_nbgrader,
    "bubblewrap": by_foldem("bubblewrap"),
    "landlock": by_foldem("landlock"),
    "pytest": by_pytest,
}


# ------------------------------------------------------------------------------------------------ what it comes to


@cache
def secrets() -> frozenset[str]:
    """Return texts that no report may contain: canaries, and text that only references have."""
    exam, shown = exam_for(UNIT), unescaped(nbformat.writes(notebook_with(UNIT.name, {})))
    found = {SEED, f"{CANARY}env", f"{CANARY}you"}
    for name, code in exam.reference_codes.items():
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
    """The attacks of a mode that have gained or leaked something, and what was harmed."""

    gained: list[str] = field(default_factory=list)
    harmed: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)


def tally(mode: str, chosen: list[Attack], reports: Class, course: Path) -> Tally:
    """Return the tally of a mode from its reports on a class."""
    screen = reports.get(SCREEN, StudentReport()).text
    unreported = [attack.name for attack in chosen if attack.name not in reports and attack.name not in screen]
    found = Tally(harmed=[f"{name}: nothing is reported of it" for name in unreported])
    wanted = {"take": UNIT["take"].points, "flip": UNIT["flip"].points, "append": 0.0}
    wanted = {name: float((mode != "pytest" and of) or of > 0) for name, of in wanted.items()}
    for name in NEIGHBORS:
        marks = reports.get(name, StudentReport()).marks
        if {exercise: marks.get(exercise) for exercise in wanted} != wanted:
            found.harmed.append(f"{name}: {marks.get('flip')}, {marks.get('take')}, {marks.get('append')}")
    for attack in chosen:
        found.gained += [attack.name] * (_gain(attack, reports, course, mode) > 1e-6)
        found.harmed += [attack.name] * _is_lost(attack, reports, wanted["take"])
    for name, one in reports.items():
        known = HONEST["append"] if name in (*NEIGHBORS, SCREEN) else ""
        shown = unescaped(one.text)
        texts = [text for text in secrets() if unescaped(text) in shown and text not in known]
        found.leaked += [f"{name}: {text[:50]}" for text in texts]
    return found


def _gain(attack: Attack, reports: Class, course: Path, mode: str) -> float:
    """Return the points that an attack has gained beyond its solved exercise and the tenth for visible examples."""
    tried = {*attack.answers(course)} - {*SOLVED}
    most = sum(UNIT[name].points for name in tried) * SHARE_FOR_EXAMPLES_ONLY if mode != "pytest" else 0.0
    solved = 1.0 if mode == "pytest" else UNIT["take"].points
    return sum(reports.get(attack.name, StudentReport()).marks.values()) - solved - round(most + 0.05, 1)


def _is_lost(attack: Attack, reports: Class, wanted: float) -> bool:
    """Return whether an attack by answers has lost its author the points for the solved exercise, or is ungraded.

    Nobody may be framed, and breaking the grader must not lead to grading by hand.
    """
    one = reports.get(attack.name, StudentReport())
    return attack.file.parent.name == "answers" and (one.marks.get("take") != wanted or one.is_ungraded)
