"""Recognize a student in files: the ways in which an id, a name or an address can be written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from unicodedata import normalize

from autograder.submission.reading import LARGEST_COPY
from autograder.term.archive import ZIP, ArchiveError, files_of
from autograder.term.files import as_folder_name, folder_key
from autograder.term.people import joined_names
from autograder.term.roster import NOT_IN_WORDS, Student

SHORTEST, SHORTEST_NUMBER = 3, 5  # what is shorter occurs by chance, so no text is searched for it
BETWEEN_NAMES = rb"(?:[^0-9A-Za-z\x80-\xff]|%20){1,3}"


@dataclass(frozen=True)
class Identity:
    """A student, and how the student is written in files.

    >>> ada = Identity(Student("ada", "Ada Lovelace"))
    >>> ada.is_in(b"submitted/ada/"), ada.is_in(b"adapted"), ada.is_in(b"lovelace, ADA"), ada.owns("Ada Lovelace_41")
    (True, False, True, True)

    `others` are the other students of the course, since what may be theirs is not this student's.
    """

    student: Student
    others: tuple[Identity, ...] = ()

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the texts that mean only this student."""
        each = self.student
        return tuple(dict.fromkeys(filter(None, (each.id, each.email, each.login, each.sis, each.canvas))))

    @cached_property
    def _spellings(self) -> bytes:
        """Return a pattern for every way in which the student can be written."""
        words = [_escaped(key) for key in self.keys if _is_rare(key)]
        return b"(?:" + (b"|".join(dict.fromkeys([*words, *_names(self.student.name)])) or rb"(?!)") + b")"

    @cached_property
    def _pattern(self) -> re.Pattern[bytes]:
        return re.compile(rb"(?i)(?<![0-9A-Za-z])" + self._spellings + rb"(?![0-9A-Za-z])")

    def is_in(self, content: bytes) -> bool:
        """Return whether a text mentions the student."""
        return self._pattern.search(content) is not None

    def owns(self, text: str) -> bool:
        """Return whether a folder's name or a platform's label means the student, and nobody else."""
        if self._has_id(text) or not self._may_own(text):
            return self._has_id(text)
        return not any(each._has_id(text) or each._may_own(text) for each in self.others)

    def _has_id(self, text: str) -> bool:
        own, is_others = text.strip(), any(text.strip() == each.student.id for each in self.others)
        return own == self.student.id or (folder_key(own) == folder_key(self.student.id) and not is_others)

    def _may_own(self, text: str) -> bool:
        is_key = folder_key(text.strip()) in {
            folder_key(each) for key in self.keys for each in (key, as_folder_name(key))
        }
        return is_key or any(re.match(name, text.encode(errors="replace"), re.IGNORECASE) for name in self._full_names)

    @cached_property
    def _full_names(self) -> tuple[bytes, ...]:
        """Return patterns for a complete name: `Ann Lee_41` is Ann Lee, but `Ann Lee Silva` is somebody else."""
        return tuple(each + rb"(?=[_.]|$)" for each in _names(self.student.name))

    def is_in_file(self, path: Path, opens_zips: bool = True) -> bool:
        """Return whether a file mentions the student. A zip is searched, too, unless it is a student's.

        Only the beginning of a very large file is searched, because a student may have made it.
        """
        try:
            is_zip = opens_zips and path.suffix.lower() == ZIP
            with path.open("rb") as file:
                return self.is_in(file.read(LARGEST_COPY)) or (is_zip and self._is_in_zip(path))
        except (OSError, ArchiveError):
            return False

    def may_be_in_database(self, path: Path) -> bool:
        """Return whether an SQLite file may mention the student. Nothing separates the cells of its rows."""
        return re.search(rb"(?i)" + self._spellings, path.read_bytes()) is not None

    def _is_in_zip(self, path: Path) -> bool:
        return any(
            self.is_in(str(each.path).encode(errors="replace") + b"\n" + each.content) for each in files_of(path)
        )


def _is_rare(key: str) -> bool:
    return len(key) >= (SHORTEST_NUMBER if key.isdigit() else SHORTEST)


def _names(name: str) -> Iterator[bytes]:
    """Yield patterns for a name of at least two words: in any rotation, apart or joined, as Moodle cleans it, too."""
    cleaned = "".join(char for char in name if char not in NOT_IN_WORDS)
    for spelling in dict.fromkeys((name, cleaned)):
        words = spelling.replace(",", " ").split()
        if len(words) > 1:
            for first in range(len(words)):
                yield BETWEEN_NAMES.join(map(_escaped, words[first:] + words[:first]))
            yield from (_escaped(each) for each in sorted(joined_names(spelling)))


def _escaped(text: str) -> bytes:
    """Return a pattern for a text in UTF-8, in JSON and in HTML, where pages write an apostrophe as `&#39;`."""
    forms = [normalize(form, each) for form in ("NFC", "NFD") for each in (text, text.lower(), text.upper())]
    shown = [
        way for form in forms for way in (form, json.dumps(form)[1:-1], escape(form), escape(form).replace("x27", "39"))
    ]
    return b"(?:" + b"|".join(re.escape(each.encode(errors="replace")) for each in dict.fromkeys(shown)) + b")"
