"""Match people, whom a platform identifies by name and number, to the students of the course.

Names are compared word by word, in any order, including accents. Different numbers are different people. An ambiguous
match does not count. Called by `intake.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from unicodedata import category, normalize

from autograder.term.files import as_folder_name, folder_key
from autograder.term.platforms import CANVAS, FOLDER, MOODLE, Person
from autograder.term.roster import Student, words_of
from autograder.term.times import TimesFile

Ids = tuple[str, ...]
ENOUGH_KNOWN = 3  # with this many known students, equal numbers mean the same people, and not only equal names


@dataclass(frozen=True)
class Unclear:
    """A person who does not match exactly one student, and the students who match.

    If `was_another` is true, the only match is not the student to whom the person's number belonged before.
    """

    person: Person
    fits: Ids = ()
    near: str = ""
    was_another: bool = False


@dataclass(frozen=True)
class Register:
    """The people of a course: the roster, `moodle.csv` by assignment and label, and those of earlier downloads.

    `stems` are the names of the course's notebooks, which may begin with somebody's number.
    """

    roster: Mapping[str, Student] = field(default_factory=dict)
    labels: Mapping[tuple[str, str], Ids] = field(default_factory=dict)
    numbers: Mapping[tuple[str, str], Mapping[str, Ids]] = field(default_factory=dict)
    times: TimesFile = field(default_factory=TimesFile)
    students: frozenset[str] = frozenset()
    stems: tuple[str, ...] = ()

    def holders(self, person: Person, assignment: str) -> Mapping[str, Ids]:
        """Return the students of earlier downloads by number. Moodle uses new numbers in each assignment."""
        return self.numbers.get((person.platform, scope_of(person.platform, assignment)), {})


def scope_of(platform: str, assignment: str) -> str:
    """Return the assignment for which a platform's numbers are valid; "" for all assignments."""
    return assignment if platform == MOODLE else ""


def joined_names(name: str) -> set[str]:
    """Return the ways in which Canvas may write a name as one word.

    >>> sorted(joined_names("Ann Lee"))
    ['annlee', 'leeann']
    """
    words = words_of(name)
    return {"".join(words[first:] + words[:first]) for first in range(len(words))}


def students_of(people: Iterable[Person], assignment: str, register: Register) -> dict[Person, Ids | Unclear]:
    """Return the students for each person. A group, or an ambiguous person, has several."""
    everyone = list(dict.fromkeys(people))
    matched = _by_roster if register.roster else _by_name
    return matched(everyone, assignment, register)


def ids_by_name(name: str, roster: Mapping[str, Student]) -> Ids:
    """Return the students that match the name of a folder or file."""
    return _all_matches(Person(FOLDER, name), Register(roster))


# ------------------------------------------------------------------------------------------------ with a roster


def _by_roster(people: list[Person], assignment: str, register: Register) -> dict[Person, Ids | Unclear]:
    sure = {person: _sure_matches(person, register) for person in people}
    fits = {person: sure[person] or _all_matches(person, register) for person in people}
    return {
        person: _settled(person, sure if sure[person] else fits, bool(sure[person]), assignment, register)
        for person in people
    }


def _settled(
    person: Person, fits: Mapping[Person, Ids], is_sure: bool, assignment: str, register: Register
) -> Ids | Unclear:
    """Return the only matching student, unless a person with another number matches, too."""
    own, holders = fits[person], {} if is_sure else register.holders(person, assignment)
    if len(own) == 1 and _was_another(person, fits, holders, assignment, register):
        return Unclear(person, own, was_another=True)
    if len(own) == 1 and not _rivals(person, fits, holders) & set(own):
        return own
    if written := [each for each in register.labels.get((assignment, person.label), ()) if each in register.roster]:
        return tuple(written)
    held = {student for (name, _), ids in register.labels.items() if name == assignment for student in ids}
    own = tuple(sorted(own, key=held.__contains__))  # the advice names the first one
    return Unclear(person, own, "" if own else _near(person.name, register.roster))


def _was_another(
    person: Person, fits: Mapping[Person, Ids], holders: Mapping[str, Ids], assignment: str, register: Register
) -> bool:
    """Return whether a person's number was another student's, since `roster.csv` was different.

    That student has this person's file. If somebody else may be the matching student, the names are just equal.
    """
    before = [each for each in register.holders(person, assignment).get(person.number, ()) if each in register.roster]
    numbers = {each.number for each in fits}
    elsewhere = {student for number, ids in holders.items() if number not in numbers for student in ids}
    own = set(fits[person])
    return bool(before) and not own & {*before} and not own & (_rivals(person, fits, {}) | elsewhere)


def _rivals(person: Person, fits: Mapping[Person, Ids], holders: Mapping[str, Ids]) -> set[str]:
    """Return the students matched to people with other numbers, in this download and in earlier ones."""
    same_kind = {each: fits[each] for each in fits if each.platform == person.platform and each.number}
    others = {student for each, ids in same_kind.items() if each.number != person.number for student in ids}
    if person.platform == MOODLE and _has_new_numbers(same_kind, holders):
        return others
    return others | {student for number, ids in holders.items() if number != person.number for student in ids}


def _has_new_numbers(fits: Mapping[Person, Ids], holders: Mapping[str, Ids]) -> bool:
    """Return whether a known class has new numbers, as in another Moodle activity. Otherwise, names are just equal."""
    holding = {student for ids in holders.values() for student in ids}
    known = sum(len(ids) == 1 and ids[0] in holding for ids in fits.values())
    return known >= ENOUGH_KNOWN and not any(each.number in holders for each in fits)


def _all_matches(person: Person, register: Register) -> Ids:
    """Return the students that match a person by the best evidence. Folder names may begin with an id."""
    claimed = _with_keys(person.ids, register.roster)
    matches = _sure_matches(person, register) or claimed or _name_matches(person, register.roster)
    has_begin = person.platform == FOLDER and not person.name.startswith(register.stems)
    begins = re.split(r"[_\s.]", person.name)[0] if has_begin else ""
    return matches or tuple(each for each in register.roster if each == begins)


def _sure_matches(person: Person, register: Register) -> Ids:
    """Return the students that match a person by number, id or address.

    In Gradescope only the address is sure, since students can write any id into their own accounts.
    """
    own = (_without_suffix(person),) if person.platform == FOLDER else person.ids[-1:]
    keyed = _with_keys((*own, *register.times.ids_of(person)), register.roster)
    return tuple(
        each.id
        for each in register.roster.values()
        if each.id in keyed
        or (person.platform == FOLDER and each.email.partition("@")[0] in own)
        or (person.platform == CANVAS and each.canvas and each.canvas == person.number)
    )


def _with_keys(keys: Iterable[str], roster: Mapping[str, Student]) -> Ids:
    """Return the students with one of these ids or addresses."""
    wanted = {each.casefold() for each in keys if each}
    return tuple(each.id for each in roster.values() if wanted & _keys_of(each))


def _keys_of(student: Student) -> set[str]:
    """Return the texts by which platforms identify a student, other than the name."""
    return {key.casefold() for key in (student.id, student.login, student.email, student.sis) if key}


def _name_matches(person: Person, roster: Mapping[str, Student]) -> Ids:
    """Return the students with this name, id or login."""
    if person.platform == CANVAS:
        others = {each.id for each in roster.values() if each.canvas not in ("", person.number)}
        joined = (each.id for each in roster.values() if folder_key(person.name) in _canvas_names(each))
        return tuple(each for each in joined if each not in others)
    name = _without_suffix(person)
    words, keys = sorted(words_of(name)), {folder_key(name)} - {""}
    named = [each.id for each in roster.values() if words and sorted(words_of(each.name)) == words]
    return tuple(named or [each.id for each in roster.values() if keys & {folder_key(each.id), folder_key(each.login)}])


def _canvas_names(student: Student) -> set[str]:
    return joined_names(student.name) | {folder_key(each) for each in (student.id, student.login) if each}


def _without_suffix(person: Person) -> str:
    if person.platform != FOLDER:
        return person.name
    return re.sub(r"\.(ipynb|py|zip)$", "", person.name, flags=re.IGNORECASE)


def _near(name: str, roster: Mapping[str, Student]) -> str:
    """Return the id of a student with a very similar name, or ""."""
    names = {" ".join(sorted(words_of(each.name))): each.id for each in roster.values()}
    return next((names[each] for each in get_close_matches(" ".join(sorted(words_of(name))), [*names], 1, 0.7)), "")


# ------------------------------------------------------------------------------------------------ without a roster


def _by_name(people: list[Person], assignment: str, register: Register) -> dict[Person, Ids | Unclear]:
    """Return a student for each person. The id is made from the name, and from the number if two names are equal."""
    fits = {person: (_base(person),) for person in people}
    students: dict[Person, Ids | Unclear] = {}
    with_numbers = {folder_key(f"{fits[person][0]}_{person.number}") for person in people if person.number}
    for person in people:
        holders = register.holders(person, assignment)
        known = register.labels.get((assignment, person.label)) or holders.get(person.number, ())[-1:]
        rivals = {folder_key(each) for each in _rivals(person, fits, holders) | _folder_mates(person, fits, register)}
        numbered = (f"{fits[person][0]}_{person.number}",) if person.number else ()
        own = fits[person] if folder_key(fits[person][0]) not in rivals | with_numbers else numbered
        students[person] = known or own or Unclear(person)
    return students


def _folder_mates(person: Person, fits: Mapping[Person, Ids], register: Register) -> set[str]:
    """Return the folder names of other people without numbers, and of students of earlier downloads.

    macOS and Windows may take two such names for one.
    """
    others = {ids[0] for each, ids in fits.items() if each != person and not each.number}
    return others | (register.students - {*fits[person]})


def _base(person: Person) -> str:
    """Return the id made from a name: a valid folder name on every system."""
    if person.platform == FOLDER:
        return as_folder_name(_without_suffix(person))
    name = person.ids[0] if person.ids else person.name
    return as_folder_name(re.sub("_+", "_", "".join(_in_ids(char) for char in normalize("NFC", name))))


def _in_ids(char: str) -> str:
    return char if category(char)[0] in "LMN" or char in ".-" else "_"
