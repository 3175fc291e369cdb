"""Intake: a download of a learning platform becomes `submitted/<student>/<assignment>/<notebook>.ipynb`.

Moodle: a folder `Name_123456_assignsubmission_file`, or files `Name_123456_assignsubmission_file_own name`. Canvas:
files `lastfirst_LATE_123_456_own name`. Else: a folder for each student, or file names that begin with an id.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from autograder.submission.notebook import NotebookError, _notebook
from autograder.submission.sort import unit_of
from autograder.term.archive import Found
from autograder.term.files import whole, write_whole
from autograder.term.lateness import STAMP_FILE
from autograder.term.places import SUBMITTED
from autograder.term.roster import Student
from autograder.text import one_line
from autograder.units.unit import read_unit

MOODLE = re.compile(r"^(?P<who>.+?)_(?P<number>\d+)_assignsubmission_[a-z]+(?:_|$)")
CANVAS = re.compile(r"^(?P<who>[^_]+)_(?P<late>LATE_)?(?P<canvas>\d+)_(?P<number>\d+)_")


@dataclass(frozen=True)
class Arrival:
    """A notebook that was found, whose it is, and where it goes; or what is odd about it."""

    found: Found
    student: str = ""
    assignment: str = ""
    stem: str = ""
    odd: str = ""


def whose(found: Found, roster: Mapping[str, Student]) -> str:
    """Give the id of the student whose file this is, "" if nobody in the roster fits, or more than one."""
    for part in found.path.parts:
        if told := MOODLE.match(part) or CANVAS.match(part):
            return _named(told["who"], told.groupdict().get("canvas") or "", roster)
    first = found.path.parts[0]
    own = {first, *re.split(r"[_\s.]", first)[:1]}
    by_id = [name for name in roster if name in own] or ([first] if not roster and found.path.parts[1:] else [])
    return by_id[0] if len(by_id) == 1 else _named(found.path.parts[0].removesuffix(".ipynb"), "", roster)


def _named(who: str, canvas: str, roster: Mapping[str, Student]) -> str:
    """Give the id of the one student who is called so, in whatever order; without a roster the name is the id."""
    if not roster:
        return re.sub(r"[^\w.-]+", "_", who)
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
    files: Iterable[Found], roster: Mapping[str, Student], notebooks: Mapping[str, tuple[str, ...]], wanted: str | None
) -> Iterator[Arrival]:
    """Give where each file goes: `notebooks` are the stems of each assignment of the course."""
    for found in files:
        if any(part.startswith((".", "__MACOSX")) for part in found.path.parts):
            continue
        student = whose(found, roster)
        if found.problem or found.path.suffix.lower() != ".ipynb":
            yield Arrival(found, student, odd=found.problem or "it is no notebook")
        elif not student:
            yield Arrival(found, odd="nobody in roster.csv is called so")
        else:
            yield _by_content(found, student, notebooks, wanted)


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
    told = datetime.fromtimestamp(each.found.written, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    path = folder / f"{each.stem}.ipynb"
    if path.exists() and stamp.exists() and stamp.read_text().strip() > told:
        return "kept, for what is there is newer"
    if path.exists() and path.read_bytes() == each.found.content:
        return "there already"
    folder.mkdir(parents=True, exist_ok=True)
    with whole(path) as file:
        file.buffer.write(each.found.content)  # type: ignore[attr-defined]
    write_whole(stamp, told + "\n")
    return "taken"


def name_of(each: Arrival) -> str:
    return one_line(str(each.found.path), 200)
