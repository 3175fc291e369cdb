"""A term of 100 students and four assignments, from four platforms: every mark is the one worked out by hand.

The points are written down here, and lateness is counted on a calendar, so nothing is taken from the code that grades.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from datetime import timedelta
from itertools import product
from pathlib import Path

import nbformat
import pytest

from tests.classroom import reference_answers, write_file
from tests.downloads import MADE, as_csv, canvas_name, metadata, moodle_folder, worksheet, write_zip
from tests.test_nbgrader import Course, filled
from tests.units import read_unit

TOOLKIT, PAIRS, CARDS, TRICKS = "toolkit", "pairs", "cards", "tricks"
POINTS = {  # by hand, from the statements
    TOOLKIT: {
        "swap_ends": 1,
        "penalty": 2,
        "riffle": 2,
        "riffles_to_restore": 3,
        "penalties": 1,
        "winning_card": 2,
        "pile_up": 2,
        "kindest_rule": 2,
        "goes_with": 1,
        "total_penalty": 1,
        "least_penalty": 2,
        "charge": 1,
    },
    PAIRS: {"flip": 1, "append": 2, "is_sound": 2, "legal_adds": 4, "possible_dominoes": 2, "suppress": 2},
    CARDS: {"swap_ends": 1, "penalty": 2, "riffle": 2},
    TRICKS: {"is_valid_record": 2, "winning_place": 3, "trick_points": 1, "next_leader": 2},
}
UNITS = {TOOLKIT: "warmup", PAIRS: "dominoes", CARDS: "warmup", TRICKS: "sedma"}
PARTS = {PAIRS: ",".join(POINTS[PAIRS]), CARDS: "swap_ends..riffle", TRICKS: "is_valid_record..next_leader"}
GIVEN = "Ágnes", "Bartosz", "Cauã", "Dörte", "Eun-ji", "Fionn", "Guðrún", "Håkon", "İlkay", "Jeong Ho"
FAMILY = "Kowalski", "Lima da Silva", "Müller", "Nguyễn", "O'Neill", "Park", "Quispe", "Ribeiro", "Şahin", "Tōyama"
NAMES = [f"{given} {family}" for family, given in product(FAMILY, GIVEN)]
IDS = [f"2026{number:03}" for number in range(100)]
SETTINGS = f"""seed = "a term that is played"
late_per_day = 0.1
timezone = "Europe/Berlin"
group_assignments = ["{PAIRS}"]
deadlines = {{ {TOOLKIT} = 2026-03-28T20:00:00+01:00, {PAIRS} = 2026-10-24T20:00:00+02:00, \
{CARDS} = 2026-11-03T23:59:00+01:00, {TRICKS} = 2026-12-31T12:00:00+01:00 }}
"""
# Times as platforms write them, with the days late. The clocks go forward on 29 March, and back on 25 October.
TIMES = {
    TOOLKIT: [
        ("Samstag, 28. März 2026, 19:59", 0),
        ("Samstag, 28. März 2026, 20:01", 1),
        ("Sonntag, 29. März 2026, 20:00", 1),
        ("Sonntag, 29. März 2026, 20:01", 2),
        ("Montag, 30. März 2026, 08:00", 2),
    ],
    PAIRS: [
        ("2026-10-24T18:00:00Z", 0),
        ("2026-10-24T18:00:01Z", 1),
        ("2026-10-25T18:30:00Z", 1),
        ("2026-10-25T19:30:00Z", 2),
    ],
    CARDS: [
        ("2026-11-03 22:58:00.000000000 Z", 0),
        ("2026-11-03 23:00:00.000000000 Z", 1),
        ("2026-11-14 12:00:00.000000000 Z", 11),
    ],
    TRICKS: [("2026-12-31 11:00:00 UTC", 0), ("2027-01-01 11:00:00 UTC", 1), ("2027-01-01 11:00:01 UTC", 2)],
}


def by_hand(assignment: str, solved: int, days: int = 0) -> float:
    """Return the mark for the first few exercises, solved, so many days late."""
    return round(sum([*POINTS[assignment].values()][:solved]) * max(0, 10 - days) / 10, 2)


class Term:
    """A course with its downloads, and the marks that were worked out by hand; None stands for no mark."""

    def __init__(self, folder: Path) -> None:
        self.root, self.expected = folder / "cs101", dict[tuple[str, str], float | None]()
        self.root.mkdir()
        self.courses = {name: Course(self.root, unit, name) for name, unit in UNITS.items()}
        for name, unit in UNITS.items():
            part = ("--exercises", PARTS[name]) if name in PARTS else ()
            self.courses[name].run_program("foldem", "course", ".", "--unit", unit, *part, "--name", name)
        write_file(self.root / "foldem.toml", SETTINGS)
        for name, course in self.courses.items():
            course.run_program("nbgrader", "generate_assignment", name)
        rows = [(IDS[i], NAMES[i], f"{IDS[i]}@uni.example", 5000 + i, f"pair {i // 2}") for i in range(100)]
        write_file(self.root / "roster.csv", as_csv(("id", "name", "email", "canvas_id", "group"), *rows))

    def notebook(self, assignment: str, solved: int, note: int) -> str:
        """Return a notebook with the first few exercises solved, and a constant in the next one."""
        right, names = reference_answers(read_unit(UNITS[assignment])), [*POINTS[assignment]]
        answers = {name: right[name] for name in names[:solved]}
        answers |= {name: f"def {name}(*_):\n    return None" for name in names[solved : solved + 1]}
        notebook = filled(self.courses[assignment].released(), answers)
        notebook.cells.append(nbformat.v4.new_code_cell(f"mine = {note}"))
        return nbformat.writes(notebook)

    def expect(self, assignment: str, student: int, mark: float | None) -> None:
        self.expected[IDS[student], assignment] = mark

    def collect(self, assignment: str, files: Mapping[str, str], times: str = "", days: int = 0) -> None:
        """Collect a download that was made some days after the first."""
        download = write_zip(self.root.parent / f"{assignment}-{days}.zip", files, MADE + timedelta(days=300 + days))
        table = ("--times", str(write_file(self.root.parent / "times.csv", times))) if times else ()
        words = "foldem", "collect", str(download), ".", "--assignment", assignment, *table
        print(self.courses[assignment].run_program(*words, in_spite_of_errors=True)[-3000:])


def from_moodle(term: Term) -> None:
    """Two downloads: some handed in again, late; one file is broken, and one student in ten handed in nothing."""
    for download in (0, 1):
        files, rows = dict[str, str](), []
        for i in (i for i in range(100) if i % 10 != 9 and (download == 0 or i % 10 in (3, 6))):
            time, days = TIMES[TOOLKIT][0 if i % 10 in (3, 6) else i % 5]
            solved = (1 if i % 10 == 3 else i % 13) if download == 0 else (12 if i % 10 == 3 else i % 13)
            term.expect(TOOLKIT, i, by_hand(TOOLKIT, solved, days))
            if download == 1:
                (time, days), before = TIMES[TOOLKIT][1], term.expected[IDS[i], TOOLKIT]
                again = by_hand(TOOLKIT, solved, days)
                term.expect(TOOLKIT, i, again if i % 10 == 3 else by_hand(TOOLKIT, solved))
                assert before is not None
            text = "{" if i == 44 else term.notebook(TOOLKIT, solved, 1000 * download + i)
            files[f"{moodle_folder(NAMES[i], 700 + i)}/0_warmup.ipynb"] = text
            rows.append((700 + i, NAMES[i], f"{IDS[i]}@uni.example", time))
        term.collect(TOOLKIT, files, worksheet(rows), days=download)
    for i in (*range(9, 100, 10), 44):
        term.expect(TOOLKIT, i, None)


def from_canvas(term: Term) -> None:
    """One file for each pair, from either of the two; one pair in ten handed in nothing."""
    files, rows = dict[str, str](), [("user_id", "submitted_at")]
    for pair in range(50):
        i, solved, (time, days) = 2 * pair + pair % 2, pair % 7, TIMES[PAIRS][pair % 4]
        for member in (2 * pair, 2 * pair + 1):
            term.expect(PAIRS, member, None if pair % 10 == 7 else by_hand(PAIRS, solved, days))
        if pair % 10 != 7:
            sortable = ", ".join(reversed(NAMES[i].split(" ", 1)))
            files[canvas_name(sortable, 5000 + i, 90000 + i, "1_dominoes.ipynb", late=days > 0)] = term.notebook(
                PAIRS, solved, i
            )
            rows.append((str(5000 + i), time))
    term.collect(PAIRS, files, as_csv(*rows), days=2)


def from_gradescope(term: Term) -> None:
    """The times are in the download itself. Some are so late that nothing is left."""
    people, files = {}, {}
    for i in range(100):
        solved, (time, days) = i % 4, TIMES[CARDS][i % 3]
        people[300 + i] = (NAMES[i], IDS[i], f"{IDS[i]}@uni.example", time)
        files[f"assignment_9_export/submission_{300 + i}/my work.ipynb"] = term.notebook(CARDS, solved, i)
        term.expect(CARDS, i, by_hand(CARDS, solved, days))
    term.collect(CARDS, {"assignment_9_export/submission_metadata.yml": metadata(people)} | files, days=3)


def from_nbgrader(term: Term) -> None:
    """Files with time stamps, as nbgrader's exchange collects them."""
    course = term.courses[TRICKS]
    for i in range(100):
        solved, (time, days) = i % (len(POINTS[TRICKS]) + 1), TIMES[TRICKS][i % 3]
        write_file(course.path(IDS[i]), term.notebook(TRICKS, solved, i))
        (course.path(IDS[i]).parent / "timestamp.txt").write_text(f"{time}\n")
        term.expect(TRICKS, i, by_hand(TRICKS, solved, days))


def adjust(term: Term) -> None:
    """Write a bonus, a mark by hand and an extension."""
    unit = f"unit = 'warmup'\nassignment = '{TOOLKIT}'\n"
    write_file(
        term.root / "adjust.toml",
        f"[[bonus]]\nstudent = '{IDS[5]}'\n{unit}points = 2\n"
        f"[[mark]]\nstudent = '{IDS[0]}'\n{unit}exercise = 'charge'\npoints = 0.5\n"
        f"[[extension]]\nstudent = '{IDS[2]}'\nassignment = '{TOOLKIT}'\nuntil = 2026-04-01T00:00:00+02:00\n",
    )
    term.expect(TOOLKIT, 5, 1 + 2 + 2 + 3 + 1 + 2)
    term.expect(TOOLKIT, 0, 0.5)
    term.expect(TOOLKIT, 2, 1 + 2)


def table(term: Term, file: str, *words: str) -> list[dict[str, str]]:
    term.courses[TOOLKIT].run_program(*words, file, in_spite_of_errors=True)
    with (term.root / file).open(newline="", encoding="utf-8") as rows:
        return list(csv.DictReader(rows))


def marks_in(rows: list[dict[str, str]], key: str) -> dict[tuple[str, str], float | None]:
    """Return the marks in a table with a row for each student and a column for each assignment."""
    by_student = {row[key]: row for row in rows if row[key]}
    return {(i, name): float(text) if (text := by_student[i][name].strip("-")) else None for i in IDS for name in UNITS}


def wrong(term: Term, marks: Mapping[tuple[str, str], float | None]) -> dict[tuple[str, str], object]:
    """Return the marks that are not as worked out by hand, with those."""
    pairs = {whose: (marks.get(whose), mark) for whose, mark in term.expected.items()}
    return {
        whose: (mark, hand)
        for whose, (mark, hand) in pairs.items()
        if (mark is None) != (hand is None) or abs((mark or 0) - (hand or 0)) > 0.005
    }


def ensure_marks_by_hand(term: Term) -> None:
    """Fail unless all exports have the marks that were worked out by hand."""
    for kind, key in (("csv", "id"), ("moodle", "ID number"), ("canvas", "SIS User ID")):
        rows = table(term, f"{kind}.csv", "foldem", "export", ".", "--to", kind, "--out")
        assert not (found := wrong(term, marks_in(rows, key))), (kind, found)
    rows = table(term, "theirs.csv", "nbgrader", "export", "--to")
    theirs = {(row["student_id"], row["assignment"]): float(row["score"]) if row["score"] else None for row in rows}
    assert not (found := wrong(term, theirs)), ("nbgrader", found)


@pytest.mark.proof
@pytest.mark.nbgrader
@pytest.mark.sandbox
def test_every_mark_of_a_term_is_the_one_worked_out_by_hand(tmp_path: Path) -> None:
    term = Term(tmp_path)
    for take_in in (from_moodle, from_canvas, from_gradescope, from_nbgrader):
        take_in(term)
    assert len(term.expected) == 400
    adjust(term)
    term.courses[TOOLKIT].run_program(
        "foldem", "grade", "submitted", "--quiet", "--out", "../out", in_spite_of_errors=True
    )
    for name in UNITS:
        term.courses[name].run_program("nbgrader", "autograde", name, in_spite_of_errors=True)
    ensure_marks_by_hand(term)
    reports = json.loads((tmp_path / "out" / "report.json").read_text())
    assert len(reports) == sum(mark is not None for mark in term.expected.values()) + 1, "one file is broken"
