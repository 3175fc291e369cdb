"""Match people, whom a platform identifies by name and number, to the students of the course.

A number, id or address counts more than a name. If a person matches several students, none of them is chosen. Called by
`intake.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path

from toolz import groupby, unique

from autograder.term.assignments import Deadlines
from autograder.term.collected import AssignmentPart, CollectedVersions, SubmittedWork
from autograder.term.files import folder_key
from autograder.term.platforms import CANVAS, FOLDER, GRADESCOPE, MOODLE, ROSTER_PATTERNS, NamePattern, Person
from autograder.term.roster import Student, moodle_names_in, row_text, words_of
from autograder.term.times import TimesFile, name_key

StudentIds = tuple[str, ...]
EMPTY_TIMES_FILE = TimesFile()
OwnedNumber = tuple[str, str, str]  # a platform, a number there, and the student who has it


@dataclass(frozen=True)
class MatchingData:
    """The data of a course that decide who submitted the files of a download, such as the roster."""

    root: Path
    parts: Mapping[AssignmentPart, SubmittedWork]
    roster: Mapping[str, Student]
    deadlines: Deadlines
    collected: CollectedVersions
    times: TimesFile = EMPTY_TIMES_FILE
    pattern: NamePattern | None = None
    group_assignments: Sequence[str] = ()

    @cached_property
    def students_by_label(self) -> Mapping[tuple[str, str], StudentIds]:
        """Map each pair of an assignment and a name in `moodle.csv` to the students with this name in this assignment.

        The names of a student's files from Moodle begin with this name.
        """
        rows = groupby(lambda row: (row[0][0], row[1]), moodle_names_in(self.root).items())
        return {key: tuple(student for (_, student), _ in own) for key, own in rows.items()}

    @cached_property
    def shared_names(self) -> set[str]:
        """Return the names that more than one student has, as keys (see `name_key`)."""
        counts = Counter(name_key(each.name) for each in self.roster.values())
        return {name for name, count in counts.items() if count > 1}

    def earlier_numbers(self, assignment: str) -> set[OwnedNumber]:
        """Return the platform, number and student of each person in earlier downloads.

        In Moodle, a person has a different number in each assignment, so only earlier downloads of this assignment
        count.
        """
        log = (each for each in self.collected.versions if each.platform != MOODLE or each.assignment == assignment)
        return {(each.platform, each.number, each.student) for each in log if each.student and each.number}


def students_by_person(people: Iterable[Person], assignment: str, course: MatchingData) -> dict[Person, StudentIds]:
    """Return the students that each person matches: one, several for a group, or none if the match is uncertain.

    If two people with different numbers match the same student, neither match counts. However, a match by number,
    login, address or `moodle.csv` takes precedence over others.
    """
    stems = tuple({stem for _, stem in course.parts})
    fits = {
        one: (sure_matches(one, course.roster, course.times), likely_matches(one, course.roster, stems))
        for one in people
    }
    claims = [(one, each, bool(sure)) for one, (sure, likely) in fits.items() for each in sure or likely if one.number]
    earlier = course.earlier_numbers(assignment)
    certain = {(one.platform, one.number, each) for one, each, is_sure in claims if is_sure}
    possible = {(one.platform, one.number, each) for one, each, _ in claims} | earlier
    students = dict.fromkeys(fits, StudentIds())
    for person, (sure, likely) in fits.items():
        own, labelled = sure or likely, course.students_by_label.get((assignment, person.label), ())
        rivals = certain if sure else possible
        numbers = {number for platform, number, each in rivals if platform == person.platform and each in own}
        if has_number_of_another(person, own, earlier):
            continue
        if labelled and {*labelled} <= {*(own or labelled)}:
            students[person] = labelled
        elif len(own) == 1 and numbers <= {person.number}:
            students[person] = own
    return students


def has_number_of_another(person: Person, own: StudentIds, earlier: Collection[OwnedNumber]) -> bool:
    """Return whether a person's number was used in earlier downloads, but only by other students."""
    before = {student for *key, student in earlier if key == [person.platform, person.number]}
    return bool(own and before and not before.intersection(own))


def sure_matches(person: Person, roster: Mapping[str, Student], times: TimesFile = EMPTY_TIMES_FILE) -> StudentIds:
    """Return the students that match a person by number, login or address.

    In Gradescope, only the address is certain, since students can enter any id in their own accounts.
    """
    own = () if person.platform == FOLDER else person.ids[-1:] if person.platform == GRADESCOPE else person.ids
    keyed = {*students_with_keys(times.ids_of(person), roster), *students_for_name_ends(own, roster)}
    number = person.number if person.platform == CANVAS else ""
    return tuple(each.id for each in roster.values() if each.id in keyed or (number and each.canvas == number))


def likely_matches(person: Person, roster: Mapping[str, Student], stems: tuple[str, ...] = ()) -> StudentIds:
    """Return the students that match a person by name, or by an id that the person has entered.

    `stems` are the names of notebooks. A file name that begins with one of `stems` is not read as beginning with a
    student's id.
    """
    if person.platform == CANVAS:
        roster = {key: each for key, each in roster.items() if each.canvas in ("", person.number)}
    if person.platform != FOLDER:
        return students_with_keys(person.ids[:-1] if person.number else (), roster) or students_named(
            person.name, roster
        )
    for cells in (cells for row in ROSTER_PATTERNS for cells in row.matched_groups(person.name)):
        if (own := cells.get("student_id", "")) in roster and not person.name.startswith(stems):
            return (own,)
        if matches := students_with_keys([cells.get("login", "")], roster) or students_named(cells["name"], roster):
            return matches
    return students_for_name_ends(person.ids, roster)


def students_for_name_ends(ends: Iterable[str], roster: Mapping[str, Student]) -> StudentIds:
    """Return the students whose id, login or address is one of `ends`, the possible ends of a file's name."""
    return tuple(unique(each for end in ends for each in students_with_keys([end], roster)))


def students_with_keys(keys: Iterable[str], roster: Mapping[str, Student]) -> StudentIds:
    """Return the students that have one of `keys` as their id.

    If no id matches, return the students for whom one of `keys` is the login, the address, or the part of the address
    before the @.
    """
    keys = {each for each in keys if each}
    wanted = {folder_key(each) for each in keys}
    exact = tuple(each for each in roster if folder_key(each) in wanted)
    others = (each for each in roster.values() if wanted & student_keys(each) or each.email.partition("@")[0] in keys)
    return exact or tuple(each.id for each in others)


@cache
def student_keys(student: Student) -> set[str]:
    """Return the texts by which platforms identify a student, except the name."""
    return {folder_key(key) for key in (student.id, student.login, student.email, student.sis) if key}


def students_named(name: str, roster: Mapping[str, Student]) -> StudentIds:
    """Return the students with this name. The words of the name may be rotated, so `Lee Ann` matches `Ann Lee`.

    `name` or the student's name may be written as a single word, such as `leeann`.

    >>> ann = {"s1": Student("s1", "Ann Lee")}
    >>> [students_named(name, ann) for name in ("lee ann", "leeann", "an nlee")]
    [('s1',), ('s1',), ()]
    """
    words, matches = words_of(name.replace("_", " ")), []
    for each in roster.values():
        own = words_of(each.name)
        has_words = 1 in (len(words), len(own)) or sorted(words) == sorted(own)
        if has_words and "".join(words) in single_word_names(each.name):
            matches.append(each.id)
    return tuple(matches)


def single_word_names(name: str) -> set[str]:
    """Return the ways to write a name as a single word, as Canvas does, beginning with any of its words.

    >>> sorted(single_word_names("Ann Lee"))
    ['annlee', 'leeann']
    """
    words = words_of(name)
    return {"".join(words[first:] + words[:first]) for first in range(len(words))}


def is_mentioned(student: Student, text: str) -> bool:
    """Return whether a text contains a student's id, login or address as a word, or the complete name.

    >>> [is_mentioned(Student("s101", "Ada Lovelace"), text) for text in ("Lovelace, Ada", "I am S101", "Ada", "s1012")]
    [True, True, False, False]
    """
    words = words_of(text.replace("_", " "))
    keys = {words_of(key) for key in student_keys(student) if len(key) > 2}
    is_keyed = any(words[first : first + len(key)] == key for key in keys for first in range(len(words)))
    has_name = len(words_of(student.name)) > 1 and any(
        each in "".join(words) for each in single_word_names(student.name)
    )
    return is_keyed or has_name


def closest_row(name: str, roster: Mapping[str, Student]) -> str:
    """Return the row of the roster that is most similar to a name, or "" if none is similar."""
    rows = {name_key(text): row_text(each) for each in roster.values() for text in (*student_keys(each), each.name)}
    close = get_close_matches(name_key(name), rows, 1)
    return rows[close[0]] if close else ""
