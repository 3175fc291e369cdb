"""`foldem.toml`: what a teacher may set for a course, each key with its meaning."""

from __future__ import annotations

import json
import os
import secrets
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import platformdirs

from autograder.units.pack import UnitError, line_of, use_packs
from course.notebook import IN_A_COURSE

PUBLISHED = "0"  # the seed of the exam that everybody may know
NO_POLICY = (
    *IN_A_COURSE,
    "packs",
    "store",
    "deadlines",
    "late_per_day",
)  # what else of a course is set in the same file
SETTINGS_FILE, LEAST_MB = "foldem.toml", 64  # with less, an answer's process cannot even begin
TEMPLATE = """# Settings of this course. Where a key is left out, that holds which a new course begins with here.

# The seed of the hidden inputs, drawn for this course: the exam depends on it, so keep it to yourself, and keep it.
# (The one key not to leave out: without it the exam is the published one, which students can learn by heart.)
seed = "{seed}"

# CPU seconds that one call, and one exercise, may take; memory of one exercise in MB.
seconds_per_call = 1.0
seconds_per_exercise = 10
memory_mb = 512

# CPU seconds that everything done for one submission may take. An exercise draws what the ones after it do not need.
seconds_per_submission = 120

# The share of an exercise's points that form (functional style) earns. Leave it out to keep each unit's own.
# form_share = 0.2

# "auto" takes the best sandbox this machine has and grades nothing without one; "bubblewrap" and "landlock" take
# that one. To grade without any, say so aloud each time: foldem grade --sandbox=off
sandbox = "auto"

# Where results are kept: any database's address. Left out, it is foldem.db in this folder.
# store = "postgresql+psycopg://teacher@localhost/marks"

# Packs: folders of units of your own (`foldem new` makes one), each by its path from here.
{packs}

# What students may ask for in their notebooks: hints (`hint("flip")`), and the reference answers
# (`borrow("flip")`, `solution("flip")`). Assignments and student kits made from now on say so too; to those that
# are there already, `nbgrader generate_assignment <name> --force` tells it.
hints = true
borrowing = false

# Until when each assignment is to be handed in, and the share of the points earned that each day begun after that
# costs (0: lateness is told only). `[[extension]]` in adjust.toml gives single students more time.
# deadlines = {{ dominoes = 2026-03-01T23:59:00+01:00 }}
# late_per_day = 0.1
"""


@dataclass(frozen=True)
class OwnRelation:
    """A teacher's own word on which answers to an exercise are right: a function of that name in a Python file."""

    unit: str
    exercise: str
    file: Path
    digest: str


@dataclass(frozen=True)
class Policy:
    """What a teacher may set: seed, seconds per call, exercise and submission, the share of points for form, hints."""

    seed: str = PUBLISHED
    seconds_per_call: float = 1.0
    seconds_per_exercise: int = 10
    seconds_per_submission: int = 120
    memory_mb: int = 512
    form_share: float | None = None
    sandbox: str = "auto"
    exercises: tuple[str, ...] = field(default=())
    relations: tuple[OwnRelation, ...] = field(default=())

    def relations_to(self, unit: str) -> tuple[OwnRelation, ...]:
        """Give the teacher's relations for exercises of a unit."""
        return tuple(each for each in self.relations if each.unit == unit)


class ConfigError(ValueError):
    """A `foldem.toml` that cannot be used; the message is one line."""


def cache_folder() -> Path:
    """Give the folder that exams are kept in: FOLDEM_CACHE, or the user's cache folder."""
    return Path(os.environ.get("FOLDEM_CACHE") or platformdirs.user_cache_path("foldem")) / "exams"


def settings_text(folder: Path, packs: Sequence[Path] = ()) -> str:
    """Give the settings that a new course begins with; with the seed of the settings that it has, if it has any."""
    begun = folder / SETTINGS_FILE
    seed = read_settings(begun).get("seed", PUBLISHED) if begun.exists() else secrets.token_hex(16)
    paths = json.dumps([os.path.relpath(pack.resolve(), folder.resolve()) for pack in packs], ensure_ascii=False)
    return TEMPLATE.format(seed=seed, packs=f"packs = {paths}" if packs else '# packs = ["../war"]')


def policy_for(folder: Path) -> Policy:
    """Give the policy that holds in a folder: that of its course's `foldem.toml`, or the defaults."""
    found = settings_for(folder)
    return Policy(**{key: value for key, value in found.items() if key not in NO_POLICY})


def help_for(folder: Path) -> dict[str, bool] | None:
    """Give what students may ask for in the course that a folder belongs to; None if it belongs to none."""
    return (
        None
        if course_file(folder) is None
        else {key: settings_for(folder).get(key, IN_A_COURSE[key]) for key in IN_A_COURSE}
    )


def use_course_packs(folder: Path, but: Iterable[Path] = ()) -> None:
    """Make known the packs of the course that a folder belongs to, whose files are run: so none that lies in `but`."""
    file = course_file(folder)
    roots = packs_named_by(file)
    if file and roots and not any(file.is_relative_to(place.resolve()) for place in but):
        try:
            use_packs(roots)
        except UnitError as error:
            raise ConfigError(f"{file}:{line_of(file.read_text(encoding='utf-8'), 'packs')}: {error}") from None


def packs_named_by(file: Path | None) -> tuple[Path, ...]:
    """Give the folders of the packs that a `foldem.toml` names, each by its path from there."""
    return tuple((file.parent / path).resolve() for path in read_settings(file).get("packs", ())) if file else ()


def course_file(folder: Path) -> Path | None:
    """Give the `foldem.toml` that holds in a folder: the outermost, so that none inside a submission ever does."""
    places = (folder.resolve(), *folder.resolve().parents)
    return next((place / SETTINGS_FILE for place in reversed(places) if (place / SETTINGS_FILE).is_file()), None)


def above(path: Path) -> Path:
    """Give the folder from which on upwards settings hold for what lies at a path.

    A folder that notebooks lie in may be a student's own, and so may be settings in it, unless one works there.
    """
    folder = (path if path.is_dir() else path.parent).resolve()
    is_handed_in = not path.is_dir() or any(folder.glob("*.ipynb"))
    return folder.parent if is_handed_in and not Path.cwd().is_relative_to(folder) else folder


def settings_for(folder: Path) -> dict[str, Any]:
    """Give what the `foldem.toml` that holds in a folder says."""
    file = course_file(folder)
    return read_settings(file) if file else {}


def read_settings(path: Path) -> dict[str, Any]:
    """Give what a file says; ConfigError if it is no TOML, or has a key or a value that does not fit."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {' '.join(str(error).split())}") from None
    for key, value in found.items():
        _demand_fitting(path, key, value)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return type(value) is int and value > 0


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _is_instant(value: Any) -> bool:
    return isinstance(value, datetime) and value.tzinfo is not None


KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "seed": (f'a text, like "{PUBLISHED}"', lambda value: isinstance(value, str) and value != ""),
    "seconds_per_call": ("a number above 0", lambda value: _is_number(value) and value > 0),
    "seconds_per_exercise": ("a whole number above 0", _is_count),
    "seconds_per_submission": ("a whole number above 0", _is_count),
    "memory_mb": (f"a whole number of at least {LEAST_MB}", lambda value: _is_count(value) and value >= LEAST_MB),
    "form_share": ("a number from 0 to 1", lambda value: _is_number(value) and 0 <= value <= 1),
    "sandbox": (
        '"auto", "bubblewrap" or "landlock" (off is for the command line: --sandbox=off)',
        lambda value: value in ("auto", "bubblewrap", "landlock"),
    ),
    "store": ("a database's address", lambda value: isinstance(value, str) and value != ""),
    "deadlines": (
        "a table of assignments, each with its time and offset, like 2026-03-01T23:59:00+01:00",
        lambda value: isinstance(value, dict) and all(map(_is_instant, value.values())),
    ),
    "late_per_day": ("a number from 0 to 1", lambda value: _is_number(value) and 0 <= value <= 1),
    "packs": (
        'a list of paths, like ["../war"]',
        lambda value: isinstance(value, list) and all(isinstance(path, str) for path in value),
    ),
    "hints": ("true or false", _is_switch),
    "borrowing": ("true or false", _is_switch),
}
assert set(KINDS) < {field.name for field in fields(Policy)} | set(NO_POLICY)


def _demand_fitting(path: Path, key: str, value: Any) -> None:
    if key not in KINDS:
        near = get_close_matches(key, KINDS, 1)
        told = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(KINDS)}"
        raise ConfigError(f"{path}: unknown key {key!r}: {told}")
    wanted, fits = KINDS[key]
    if not fits(value):
        raise ConfigError(f"{path}: {key} must be {wanted}, not {value!r}")
