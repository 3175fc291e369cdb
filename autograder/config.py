"""`foldem.toml`: what a teacher may set for a course, each key with its meaning."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import Field, dataclass, field, fields
from datetime import datetime
from pathlib import Path, PurePath
from textwrap import fill
from typing import Annotated, Any, TypeVar

import platformdirs
from msgspec import Meta

from autograder.text import shown_name
from autograder.toml import NO_KEY, Share, Switch, keys_of, line_of, read_toml
from autograder.units.pack import UnitError, known_packs, named_packs, use_packs
from autograder.unusable import Unusable
from course.kernel.limits import SECONDS_PER_CALL
from course.kernel.saved import IN_A_COURSE

InSystem = TypeVar("InSystem", bound=PurePath)
PUBLISHED = "0"  # the seed of the exam that everybody may know
SETTINGS_FILE, LEAST_MB = "foldem.toml", 64  # with less, an answer's process cannot even begin
BEGIN = "# Settings of this course. Where a key is left out, that holds which a new course begins with here.\n"


def told(comment: str, example: str = "") -> dict[str, str]:
    """Return what a new course's settings say above a key, and what stands there for a key that is left out."""
    paragraphs = (fill(line, 120, initial_indent="# ", subsequent_indent="# ") for line in comment.splitlines())
    return {"comment": "\n" + "\n".join(paragraphs), "example": example}


@dataclass(frozen=True)
class OwnRelation:
    """A teacher's own word on which answers to an exercise are right: a function of that name in a Python file."""

    unit: str
    exercise: str
    file: Path
    digest: str


@dataclass(frozen=True)
class Policy:
    """By what a submission is graded; `exercises` are those that are looked at, all if there are none."""

    seed: Annotated[str, Meta(min_length=1, description=f'a text, like "{PUBLISHED}"')] = field(
        default=PUBLISHED,
        repr=False,  # Dask logs the `repr` of what fails
        metadata=told(
            "The seed of the hidden inputs, drawn for this course: the exam depends on it, so keep it to yourself, and "
            "keep it.\n(The one key not to leave out: without it the exam is the published one, which students can "
            "learn by heart.)"
        ),
    )
    seconds_per_call: Annotated[float, Meta(gt=0, description="a number above 0")] = field(
        default=SECONDS_PER_CALL,
        metadata=told("CPU seconds that one call, and one exercise, may take; memory of one exercise in MB."),
    )
    seconds_per_exercise: Annotated[int, Meta(gt=0, description="a whole number above 0")] = 10
    memory_mb: Annotated[int, Meta(ge=LEAST_MB, description=f"a whole number of at least {LEAST_MB}")] = 512
    seconds_per_submission: Annotated[int, Meta(gt=0, description="a whole number above 0")] = field(
        default=120,
        metadata=told(
            "CPU seconds that everything done for one submission may take. An exercise draws what the ones after it do "
            "not need."
        ),
    )
    form_share: Share | None = field(
        default=None,
        metadata=told(
            "The share of an exercise's points that form (functional style) earns. Leave it out to keep each unit's "
            "own.",
            example="0.2",
        ),
    )
    sandbox: Annotated[
        str,
        Meta(
            pattern="^(auto|bubblewrap|landlock)$",
            description='"auto", "bubblewrap" or "landlock" (off is for the command line: --sandbox=off)',
        ),
    ] = field(
        default="auto",
        metadata=told(
            '"auto" takes the best sandbox this machine has and grades nothing without one; "bubblewrap" and '
            '"landlock" take that one. To grade without any, say so aloud each time: foldem grade --sandbox=off'
        ),
    )
    exercises: tuple[str, ...] = field(default=(), metadata=NO_KEY)
    relations: tuple[OwnRelation, ...] = field(default=(), metadata=NO_KEY)

    def relations_to(self, unit: str) -> tuple[OwnRelation, ...]:
        """Return the teacher's relations for exercises of a unit."""
        return tuple(each for each in self.relations if each.unit == unit)


@dataclass(frozen=True)
class Settings(Policy):
    """What a teacher may set for a course: each key, with its type, what it begins with, and what is said of it."""

    store: Annotated[str, Meta(min_length=1, description="a database's address")] | None = field(
        default=None,
        metadata=told(
            "Where results are kept: any database's address. Left out, it is foldem.db in this folder.",
            example='"postgresql+psycopg://teacher@localhost/marks"',
        ),
    )
    packs: Annotated[tuple[str, ...], Meta(description='a list of paths, like ["../war"]')] = field(
        default=(),
        metadata=told(
            "Packs: folders of units of your own (`foldem new` makes one), each by its path from here.",
            example='["../war"]',
        ),
    )
    hints: Switch = field(
        default=IN_A_COURSE["hints"],
        metadata=told(
            'What students may ask for in their notebooks: hints (`hint("flip")`), and the reference answers '
            '(`borrow("flip")`, `solution("flip")`). Assignments and student kits made from now on say so too; to '
            "those that are there already, `nbgrader generate_assignment <name> --force` tells it."
        ),
    )
    borrowing: Switch = IN_A_COURSE["borrowing"]
    deadlines: Annotated[
        dict[str, Annotated[datetime, Meta(tz=True)]],
        Meta(description="a table of assignments, each with its time and offset, like 2026-03-01T23:59:00+01:00"),
    ] = field(
        default_factory=dict,
        metadata=told(
            "Until when each assignment is to be handed in, and the share of the points earned that each day begun "
            "after that costs (0: lateness is told only). `[[extension]]` in adjust.toml gives single students more "
            "time.",
            example="{ dominoes = 2026-03-01T23:59:00+01:00 }",
        ),
    )
    late_per_day: Share = field(default=0.0, metadata={"example": "0.1"})

    @property
    def policy(self) -> Policy:
        """That part by which submissions are graded."""
        return Policy(**{each.name: getattr(self, each.name) for each in fields(Policy)})

    @property
    def help(self) -> dict[str, bool]:
        """What students may ask for."""
        return {key: getattr(self, key) for key in IN_A_COURSE}


class ConfigError(Unusable, ValueError):
    """A `foldem.toml` that cannot be used; the message is one line."""


def cache_folder(name: str = "exams") -> Path:
    """Return the cache folder for `name`: below FOLDEM_CACHE, or below the user's cache folder."""
    return Path(os.environ.get("FOLDEM_CACHE") or platformdirs.user_cache_path("foldem")) / name


def secret_folders() -> tuple[Path, ...]:
    """Return what no answer may read: what packs hold besides what students import, the grader, the kept exams."""
    hidden = (folder for pack in known_packs() for folder in pack.secrets)
    return (*hidden, Path(__file__).parent, cache_folder())


def settings_text(folder: Path, packs: Sequence[Path] = ()) -> str:
    """Return the settings that a new course begins with; with the seed of the settings that it has, if it has any."""
    import secrets  # here, for only a new course needs it

    begun = folder / SETTINGS_FILE
    seed = read_settings(begun).seed if begun.exists() else secrets.token_hex(16)
    paths = tuple(os.path.relpath(pack.resolve(), folder.resolve()) for pack in packs)
    settings = Settings(seed=seed, packs=paths)
    return BEGIN + "".join(_lines(key, each, getattr(settings, key)) for key, each in keys_of(Settings).items())


def _lines(key: str, field: Field[Any], value: Any) -> str:
    """Return a key with its description for a new settings file; as a comment if it has no value yet."""
    import tomlkit  # here, for only a new course needs it

    comment, example = (field.metadata.get(what, "") for what in ("comment", "example"))
    line = f"# {key} = {example}" if example and not value else f"{key} = {tomlkit.item(value).as_string()}"
    return f"{comment}\n{line}\n" if comment else f"{line}\n"


def policy_for(folder: Path) -> Policy:
    """Return the policy that holds in a folder: that of its course's `foldem.toml`, or the defaults."""
    return settings_for(folder).policy


def help_for(folder: Path) -> dict[str, bool] | None:
    """Return what students may ask for in the course that a folder belongs to; None if it belongs to none."""
    return settings_for(folder).help if course_file(folder) else None


def use_course_packs(folder: Path, but: Iterable[Path] = ()) -> None:
    """Make known the packs of the course that a folder belongs to, whose files are run: so none that lies in `but`."""
    file = course_file(folder)
    if file and lies_in(file, but):
        with suppress(ConfigError):  # settings that cannot be used are told where they hold, and else stop nobody
            _tell_of_unused(file, packs_named_by(file))
    elif file and (roots := packs_named_by(file)):
        try:
            use_packs(roots)
        except UnitError as error:
            raise ConfigError(f"{file}:{line_of(file.read_text(encoding='utf-8'), 'packs')}: {error}") from None


def lies_in(file: Path, graded: Iterable[Path]) -> bool:
    """Return whether a course's file lies in what is graded: as a hand-in may hold one, no code that it names is run.

    Where a link lies counts, and not what it leads to.
    """
    folders = (path if path.is_dir() else path.parent for path in graded)
    return any(file.parent.resolve().is_relative_to(folder.resolve()) for folder in folders)


def not_run(what: str) -> str:
    """Say why code of a course that lies in what is graded is not run, and what to do."""
    return f"{what} is run, so it must not lie in what is graded: name the folder of hand-ins, as submitted, instead"


def _tell_of_unused(file: Path, roots: Iterable[Path]) -> None:
    """Say what to do where a course's packs are not used, unless they are known by other means."""
    if not {root.resolve() for root in roots} <= {pack.root for pack in named_packs()}:
        told = f"{shown_name(str(file))} lies in what is graded, so its packs are not used (their code is run)"
        print(f"foldem: {told}: grade the folder of hand-ins in it, or add --pack", file=sys.stderr)


def packs_named_by(file: Path | None) -> tuple[Path, ...]:
    """Return the folders of the packs that a `foldem.toml` names, each by its path from there."""
    return tuple((file.parent / path).resolve() for path in read_settings(file).packs) if file else ()


def course_file(folder: Path) -> Path | None:
    """Return the `foldem.toml` that holds in a folder: the outermost, so that none inside a submission ever does."""
    places = (folder.resolve(), *folder.resolve().parents)
    return next((place / SETTINGS_FILE for place in reversed(places) if (place / SETTINGS_FILE).is_file()), None)


def above(path: Path) -> Path:
    """Return the folder from which on upwards settings hold for what lies at a path.

    A folder that notebooks lie in may be a student's own, and so may be settings in it, unless one works there.
    """
    folder = (path if path.is_dir() else path.parent).resolve()
    is_handed_in = not path.is_dir() or any(folder.glob("*.ipynb"))
    return folder.parent if is_handed_in and not Path.cwd().is_relative_to(folder) else folder


def above_all(paths: Iterable[Path]) -> Path:
    """Return the folder whose settings hold for all of these paths; warn about settings that hold for only some.

    So of several that are named none has settings for the others: they may be hand-ins, each with all that is in it.
    """
    folders = [above(path) for path in paths]
    shared = folder_around(folders)
    for file in sorted({file for folder in folders if (file := course_file(folder)) and file != course_file(shared)}):
        told = f"{shown_name(str(file))} is not used: it does not hold for all that is to be graded"
        print(f"foldem: {told}", file=sys.stderr)
    return shared


def folder_around(folders: Sequence[InSystem]) -> InSystem:
    """Return the innermost common folder of these paths. On several drives, return the first path's drive."""
    first = folders[0]
    places = (first, *first.parents)
    return next((place for place in places if all(each.is_relative_to(place) for each in folders)), places[-1])


def settings_for(folder: Path) -> Settings:
    """Return what the `foldem.toml` that holds in a folder says."""
    file = course_file(folder)
    return read_settings(file) if file else Settings()


def read_settings(path: Path) -> Settings:
    """Return what a file says; ConfigError, with file and line, if it is no TOML, or has what does not fit."""
    return read_toml(path, Settings, ConfigError)
