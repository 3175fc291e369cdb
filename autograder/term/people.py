"""Match people, whom a platform identifies by name and number, to the students of the course.

A number, id or address counts more than a name. Names are compared word by word, in any order, including accents. An
ambiguous match does not count. Called by `intake.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from unicodedata import category, normalize

from autograder.term.files import as_folder_name, folder_key
from autograder.term.platforms import CANVAS, FOLDER, GITHUB, MOODLE, ROSTER_PATTERNS, NamePattern, Person
from autograder.term.roster import Student, words_of
from autograder.term.times import TimesFile

Ids = tuple[str, ...]
ENOUGH_KNOWN = 3  # with so many known students, new numbers are those of another activity, and not of namesakes


@dataclass(frozen=True)
class Unmatched:
    """A person who does not match exactly one student, with the students who match, or the most similar one.

    If `was_another` is true, the only match is not the student to whom the person's number belonged before.
    """

    person: Person
    fits: Ids = ()
    closest: str = ""
    was_another: bool = False


@dataclass(frozen=True)
class Register:
    """The people of a course: the roster, `moodle.csv` by assignment and label, and the numbers of earlier downloads.

    `stems` are the names of the course's notebooks, which may begin with somebody's id. `known` are the students who
    have handed in before. `prefix` is what the names of all folders of a download begin with.
    """

    roster: Mapping[str, Student] = field(default_factory=dict)
    labels: Mapping[tuple[str, str], Ids] = field(default_factory=dict)
    numbers: Mapping[tuple[str, str], Mapping[str, Ids]] = field(default_factory=dict)
    times: TimesFile = field(default_factory=TimesFile)
    stems: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    prefix: str = ""

    def earlier(self, person: Person, assignment: str) -> Mapping[str, Ids]:
        """Return the students of earlier downloads by number."""
        return self.numbers.get((person.platform, scope_of(person.platform, assignment)), {})


def is_ambiguous(person: Person) -> bool:
    """Return whether it is unclear where the student's own part of a name begins."""
    return person.platform in (MOODLE, CANVAS) and not person.number


def scope_of(platform: str, assignment: str) -> str:
    """Return the assignment for which a platform's numbers are valid; "" for all assignments."""
    return assignment if platform == MOODLE else ""


def students_of(people: Iterable[Person], assignment: str, register: Register) -> dict[Person, Ids | Unmatched]:
    """Return the students for each person. A group has several."""
    everyone = list(dict.fromkeys(people))
    if not register.roster:
        return _by_name(everyone, assignment, register)
    sure = {person: sure_matches(person, register) for person in everyone}
    fits = {person: sure[person] or likely_matches(person, register) for person in everyone}
    return {
        person: _settled(person, sure if sure[person] else fits, bool(sure[person]), assignment, register)
        for person in everyone
    }


def _settled(
    person: Person, fits: Mapping[Person, Ids], is_sure: bool, assignment: str, register: Register
) -> Ids | Unmatched:
    """Return the only matching student, unless a person with another number matches, too."""
    own, earlier = fits[person], register.earlier(person, assignment)
    before = [each for each in earlier.get(person.number, ()) if each in register.roster]
    if len(own) == 1 and before and own[0] not in before:
        return Unmatched(person, own, was_another=True)
    if len(own) == 1 and not _rivals(person, fits, {} if is_sure else earlier).intersection(own):
        return own
    if written := [each for each in register.labels.get((assignment, person.label), ()) if each in register.roster]:
        return tuple(written)
    labelled = {student for (name, _), ids in register.labels.items() if name == assignment for student in ids}
    own = tuple(sorted(own, key=labelled.__contains__))  # the advice names the first one
    return Unmatched(person, own, "" if own else closest_student(person.name, register.roster))


def _rivals(person: Person, fits: Mapping[Person, Ids], earlier: Mapping[str, Ids]) -> set[str]:
    """Return the students who match people with other numbers, in this download and in earlier ones."""
    numbered = {each: ids for each, ids in fits.items() if each.platform == person.platform and each.number}
    holding = {student for ids in earlier.values() for student in ids}
    known = [ids for ids in numbered.values() if holding.intersection(ids)]
    if len(known) >= ENOUGH_KNOWN and not any(each.number in earlier for each in numbered):
        earlier = {}
    pairs = [*((each.number, ids) for each, ids in numbered.items()), *earlier.items()]
    return {student for number, ids in pairs if number != person.number for student in ids}


def sure_matches(person: Person, register: Register) -> Ids:
    """Return the students that match a person by number, login or address.

    In Gradescope only the address is sure, since students can write any id into their own accounts.
    """
    numbers = {person.number, *person.ids} - {""} if person.platform == CANVAS else set()
    own = () if person.platform in (MOODLE, CANVAS) else person.ids[-1:]
    keyed = students_with((*own, *register.times.ids_of(person)), register.roster)
    return tuple(each.id for each in register.roster.values() if each.id in keyed or each.canvas in numbers)


def likely_matches(person: Person, register: Register) -> Ids:
    """Return the students that match a person by name, or by an id that the person has written."""
    roster = register.roster
    if person.platform == CANVAS:
        keys = {
            each.id: {*joined_names(each.name), folder_key(each.id), folder_key(each.login)} for each in roster.values()
        }
        free = (each.id for each in roster.values() if each.canvas in ("", person.number))
        return tuple(each for each in free if folder_key(person.name) in keys[each])
    if person.platform == FOLDER:
        pairs = ((row, cells) for row in ROSTER_PATTERNS for cells in row.readings(person.name))
        return next(filter(None, (_of_reading(*pair, person, register) for pair in pairs)), ())
    return students_with(person.ids[:-1], roster) or students_named(person.name, roster)


def _of_reading(row: NamePattern, cells: Mapping[str, str], person: Person, register: Register) -> Ids:
    """Return the students that match what a pattern has read from the name of a folder or file.

    Only with GitHub, what comes before the login is the same for everybody: `mary-ann` is not `ann`.
    """
    if row.platform == GITHUB and cells.get("name") != register.prefix:
        return ()
    if "student_id" in cells:
        is_notebook = person.name.startswith(register.stems)
        return tuple(each for each in register.roster if each == cells["student_id"] and not is_notebook)
    if "login" in cells:
        return students_with((cells["login"],), register.roster)
    return students_named(cells["name"], register.roster)


def students_with(keys: Iterable[str], roster: Mapping[str, Student]) -> Ids:
    """Return the students with one of these ids, or else logins, addresses, or parts of an address before the @."""
    keys = {each for each in keys if each}
    wanted = {folder_key(each) for each in keys}
    exact = tuple(each for each in roster if folder_key(each) in wanted)
    others = (each for each in roster.values() if wanted & student_keys(each) or each.email.partition("@")[0] in keys)
    return exact or tuple(each.id for each in others)


@cache
def student_keys(student: Student) -> set[str]:
    """Return the texts by which platforms identify a student, other than the name."""
    own = student.id, student.login, student.email, student.sis
    return {folder_key(key) for key in own if key}


def students_named(name: str, roster: Mapping[str, Student]) -> Ids:
    """Return the students with a name, whose words may be in another order."""
    words = sorted(words_of(name.replace("_", " ")))
    return tuple(each.id for each in roster.values() if words and sorted(words_of(each.name)) == words)


def joined_names(name: str) -> set[str]:
    """Return the ways in which Canvas may write a name as one word.

    >>> sorted(joined_names("Ann Lee"))
    ['annlee', 'leeann']
    """
    words = words_of(name)
    return {"".join(words[first:] + words[:first]) for first in range(len(words))}


def is_mentioned(student: Student, text: str) -> bool:
    """Return whether a text has a student's id, login or address as a word, or all words of the name in a row.

    >>> [is_mentioned(Student("s101", "Ada Lovelace"), text) for text in ("Lovelace, Ada", "I am S101", "Ada", "s1012")]
    [True, True, False, False]
    """
    words = words_of(text.replace("_", " "))
    keys = {words_of(key) for key in student_keys(student) if len(key) > 2}
    is_keyed = any(words[first : first + len(key)] == key for key in keys for first in range(len(words)))
    has_name = len(words_of(student.name)) > 1 and any(each in "".join(words) for each in joined_names(student.name))
    return is_keyed or has_name


def closest_student(name: str, roster: Mapping[str, Student]) -> str:
    """Return the id of the student whose row in the roster looks most like a name, or ""."""
    shown = {
        text: each.id
        for each in roster.values()
        for text in (*student_keys(each), " ".join(sorted(words_of(each.name))))
    }
    own = " ".join(sorted(words_of(re.sub(r"\W|_", " ", name))))
    return next((shown[each] for text in (folder_key(name), own) for each in get_close_matches(text, shown, 1)), "")


def _by_name(people: list[Person], assignment: str, register: Register) -> dict[Person, Ids | Unmatched]:
    """Return a student for each person, for a course without a roster. The id is made from the name.

    If two people have one name, or names that some systems take for one folder's, new ones are nobody.
    """
    fits, students = {person: (_id_from_name(person),) for person in people}, dict[Person, Ids | Unmatched]()
    for person, (own,) in fits.items():
        earlier = register.earlier(person, assignment)
        others = {ids[0] for each, ids in fits.items() if each != person} | register.known - {own}
        rivals = {folder_key(each) for each in _rivals(person, fits, earlier) | others}
        known = register.labels.get((assignment, person.label)) or earlier.get(person.number)
        is_clear = folder_key(own) not in rivals and not is_ambiguous(person)
        students[person] = known or ((own,) if is_clear else Unmatched(person))
    return students


def _id_from_name(person: Person) -> str:
    """Return the id made from a name: a valid folder name on every system."""
    if person.platform == FOLDER:
        return as_folder_name(re.sub(r"(?i)\.(ipynb|py|zip)$", "", person.name))
    name = person.ids[0] if person.ids else person.name
    return as_folder_name(re.sub("_+", "_", "".join(_in_ids(char) for char in normalize("NFC", name))))


def _in_ids(char: str) -> str:
    return char if category(char)[0] in "LMN" or char in ".-" else "_"
