"""Intake: a download of a learning platform becomes `submitted/<student>/<assignment>/<notebook>.ipynb`.

Moodle: a folder `Name_123456_assignsubmission_file`, or files `Name_123456_assignsubmission_file_own name`. Canvas:
files `lastfirst_LATE_123_456_own name`. Gradescope: folders `submission_123456`, and `submission_metadata.yml`, which
tells whose each is (several who handed in together) and when. Else: a folder for each student, or file names that
begin with an id.
"""

from __future__ import annotations

import csv
import json
import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import yaml

from autograder.submission.module import as_notebook_text
from autograder.submission.notebook import MODULE, NotebookError, _notebook
from autograder.submission.sort import unit_of
from autograder.term import TermError
from autograder.term.archive import Found
from autograder.term.files import whole, whole_bytes, write_whole
from autograder.term.lateness import STAMP_FILE
from autograder.term.places import SUBMITTED
from autograder.term.roster import Student
from autograder.units.unit import read_unit
from course.exam.readable import one_line

PARTICIPANTS = "moodle.csv"
GRADESCOPE = "submission_metadata.yml"
MOODLE = re.compile(r"^(?P<who>.+?)_(?P<number>\d+)_assignsubmission_[a-z]+(?:_|$)")
CANVAS = re.compile(r"^(?P<who>[^_]+)_(?P<late>LATE_)?(?P<canvas>\d+)_(?P<number>\d+)_")


@dataclass(frozen=True)
class GradescopeFolder:
    """What Gradescope tells of a submission: the names, ids or addresses of whoever handed it in, and when."""

    by: tuple[tuple[str, ...], ...]
    written: float | None = None


GradescopeFolders = Mapping[str, GradescopeFolder]


def gradescope_folders(text: bytes | None) -> GradescopeFolders:
    """Give what Gradescope's own list tells, by folder; TermError if it cannot be read."""
    if text is None:
        return {}
    try:
        found = yaml.safe_load(text)
        return {str(folder): _gradescope_folder(told) for folder, told in found.items()}
    except (yaml.YAMLError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise TermError(f"{GRADESCOPE} cannot be read: {one_line(str(error), 200)}") from None


def _gradescope_folder(told: Mapping[str, Any]) -> GradescopeFolder:
    people = tuple(
        tuple(str(each[key]) for key in (":sid", ":email", ":name") if each.get(key)) for each in told[":submitters"]
    )
    at = told.get(":created_at")
    if not isinstance(at, datetime):
        return GradescopeFolder(people)
    return GradescopeFolder(people, (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp())


@dataclass(frozen=True)
class Arrival:
    """A notebook that was found, whose it is, and where it goes; or what is odd about it."""

    found: Found
    student: str = ""
    assignment: str = ""
    stem: str = ""
    odd: str = ""


def owners(
    found: Found, roster: Mapping[str, Student], told: GradescopeFolders, is_wrapped: bool = False
) -> tuple[str, ...]:
    """Give the ids of those whose file this is: one, but for what was handed in together; "" where nobody fits."""
    for submitted in (told[part] for part in found.path.parts if part in told):
        ids = (next(filter(None, (_named(name, "", roster) for name in names)), "") for names in submitted.by)
        return tuple(dict.fromkeys(ids)) or ("",)
    return (whose(found, roster, is_wrapped),)


def whose(found: Found, roster: Mapping[str, Student], is_wrapped: bool) -> str:
    """Give the id of the student whose file this is, "" if nobody in the roster fits, or more than one.

    What is at the top tells, for that is the platform's; below it, names are a student's own to choose. A folder that
    wraps all of a download is nobody's, unless it is called like somebody.
    """
    first, *rest = found.path.parts
    if told := MOODLE.match(first) or CANVAS.match(first):
        return _named(told["who"], told.groupdict().get("canvas") or "", roster)
    own = {first, *re.split(r"[_\s.]", first)[:1]}
    by_id = [name for name in roster if name in own]
    named = by_id[0] if len(by_id) == 1 else _named(first.removesuffix(".ipynb"), "", roster) if roster else ""
    if is_wrapped and rest and not named and (roster or MOODLE.match(rest[0]) or CANVAS.match(rest[0])):
        return whose(replace(found, path=PurePosixPath(*rest)), roster, False)
    return named or ("" if roster else first if rest else _named(first.removesuffix(".ipynb"), "", roster))


def is_students(folder: str, roster: Mapping[str, Student]) -> bool:
    """Tell whether a folder of a download is called as a platform calls a student's, or as the roster calls one."""
    told = MOODLE.match(folder) or CANVAS.match(folder)
    return bool(told or (roster and whose(Found(PurePosixPath(folder), 0), roster, False)))


def _named(who: str, canvas: str, roster: Mapping[str, Student]) -> str:
    """Give the id of the one student who is called so, in whatever order; without a roster the name is the id.

    Folders are called by it: a student who is called ".." on the platform has one of their own, too.
    """
    if not roster:
        return re.sub(r"^\.|[^\w.-]+", "_", who)
    exact = [each.id for each in roster.values() if canvas and each.canvas == canvas]
    called = [
        each.id for each in roster.values() if who in (each.id, each.login, each.email, each.email.partition("@")[0])
    ]
    fits = (
        exact or called or [each.id for each in roster.values() if each.name and _letters(each.name) == _letters(who)]
    )
    return fits[0] if len(fits) == 1 else ""


def _letters(name: str) -> str:
    """Give what two writings of a name have in common: its letters, sorted."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sorted(char for char in plain if char.isalnum()))


def sorted_out(
    files: Iterable[Found],
    roster: Mapping[str, Student],
    notebooks: Mapping[str, tuple[str, ...]],
    wanted: str | None,
    told: GradescopeFolders = MappingProxyType({}),
) -> Iterator[Arrival]:
    """Give where each file goes: `notebooks` are the stems of each assignment of the course."""
    read = [found for found in map(partial(_as_notebook, told=told), files) if not _is_nobodys(found.path)]
    is_wrapped = len({found.path.parts[0] for found in read}) == 1
    for found in read:
        for student in owners(found, roster, told, is_wrapped):
            if found.problem or found.path.suffix.lower() != ".ipynb":
                yield Arrival(found, student, odd=found.problem or "it is no notebook")
            elif not student:
                yield Arrival(found, odd="nobody in roster.csv is called so")
            else:
                yield _by_content(found, student, notebooks, wanted)


def _is_nobodys(path: PurePosixPath) -> bool:
    """Tell whether a file of a download is nobody's: hidden, of a Mac, or Gradescope's list."""
    return any(part.startswith((".", "__MACOSX")) for part in path.parts) or path.name == GRADESCOPE


def _as_notebook(found: Found, told: GradescopeFolders) -> Found:
    """Give a file as it is put: at the time that Gradescope tells, a unit's Python file as a notebook, others empty."""
    times = [told[part].written for part in found.path.parts if part in told]
    if times and times[0] is not None:
        found = replace(found, written=times[0])
    if found.problem or found.path.suffix.lower() == ".ipynb":
        return found
    try:
        text = as_notebook_text(found.path.name, found.content) if found.path.suffix == MODULE else ""
    except (NotebookError, ValueError):
        text = ""
    if not text:
        return replace(found, content=b"")
    return replace(found, path=found.path.with_suffix(".ipynb"), content=text.encode())


def _by_content(found: Found, student: str, notebooks: Mapping[str, tuple[str, ...]], wanted: str | None) -> Arrival:
    """Give where a notebook goes by what is in it; one that cannot be read goes where only one can be meant."""
    unit = _unit_in(found.content)
    fits = [
        (assignment, stem)
        for assignment, stems in notebooks.items()
        for stem in stems
        if (wanted is None or assignment == wanted) and (not unit or stem == read_unit(unit).stem)
    ]
    if len(fits) == 1:
        return Arrival(found, student, *fits[0], odd="" if unit else "it is no Jupyter notebook: it stays ungraded")
    told = f"a notebook of {unit}" if unit else "no Jupyter notebook"
    return Arrival(found, student, odd=f"{told}, of which there is {'more than one' if fits else 'no'} assignment here")


def _unit_in(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
        return unit_of(_notebook(json.loads(text), text)).name
    except (NotebookError, ValueError, KeyError, TypeError, RecursionError, AttributeError):
        return ""


def newest(hand_ins: Iterable[Arrival]) -> tuple[list[Arrival], list[Arrival]]:
    """Give the newest of each student's hand-ins for a notebook, and the older ones."""
    by_place: dict[tuple[str, str, str], list[Arrival]] = defaultdict(list)
    for each in hand_ins:
        by_place[each.student, each.assignment, each.stem].append(each)
    kept = [max(found, key=lambda each: (each.found.written, str(each.found.path))) for found in by_place.values()]
    return kept, [each for found in by_place.values() for each in found if each not in kept]


def put(root: Path, each: Arrival) -> str:
    """Put a hand-in where nbgrader and we look, unless a newer one is there; say what was done."""
    folder = root / SUBMITTED / each.student / each.assignment
    stamp = folder / STAMP_FILE
    told, there = _stamp_of(each.found.written), stamp.read_text().strip() if stamp.exists() else ""
    path = folder / f"{each.stem}.ipynb"
    if path.exists() and there and min(there, _stamp_of(path.stat().st_mtime)) > told:
        return "kept, for what is there is newer"
    if path.exists() and path.read_bytes() == each.found.content:
        return "there already"
    folder.mkdir(parents=True, exist_ok=True)
    is_alone = all(other == path for other in folder.glob("*.ipynb"))
    write_whole(stamp, (told if is_alone else max(there, told)) + "\n")  # first: what is there already leaves it so
    with whole_bytes(path) as file:
        file.write(each.found.content)
    os.utime(path, (each.found.written, each.found.written))  # of an assignment's notebooks each has its own time
    return "taken"


def _stamp_of(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def participants(hand_ins: Iterable[Arrival]) -> Iterator[tuple[str, str, str]]:
    """Give, of what comes from Moodle, assignment, student, and the name that their feedback goes back under."""
    for each in hand_ins:
        for part in each.found.path.parts:
            if told := MOODLE.match(part):
                yield each.assignment, each.student, f"{told['who']}_{told['number']}"
                break


def remember_participants(root: Path, hand_ins: Iterable[Arrival]) -> None:
    """Keep by which names Moodle takes feedback back."""
    if new := list(participants(hand_ins)):
        known = participants_in(root) | {(assignment, student): name for assignment, student, name in new}
        with whole(root / PARTICIPANTS) as file:
            csv.writer(file).writerows(
                [("assignment", "student", "name"), *((*key, known[key]) for key in sorted(known))]
            )


def participants_in(root: Path) -> dict[tuple[str, str], str]:
    """Give the names that Moodle has for hand-ins, by assignment and student."""
    try:
        with (root / PARTICIPANTS).open(newline="", encoding="utf-8") as file:
            return {(row["assignment"], row["student"]): row["name"] for row in csv.DictReader(file)}
    except (OSError, KeyError, csv.Error):
        return {}


def name_of(each: Arrival) -> str:
    return one_line(str(each.found.path), 200)
