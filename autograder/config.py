"""`foldem.toml`: the settings of a course. Each key is explained here."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path, PurePath
from textwrap import fill
from typing import Annotated, TypeVar
from zoneinfo import ZoneInfo, available_timezones

import platformdirs
from msgspec import Meta

from autograder.errors import UserError
from autograder.text import shown_name
from autograder.toml import NOT_A_TOML_KEY, Share, Switch, line_number_of, read_text, read_toml, toml_keys_of
from autograder.units.pack import Catalogue, UnitError
from course.limits import SECONDS_PER_CALL

AnyPath = TypeVar("AnyPath", bound=PurePath)
PUBLISHED_SEED = "0"  # the seed of the published exam
SETTINGS_FILE, LEAST_MB = "foldem.toml", 64  # with less memory, an answer's process cannot start
SETTINGS_HEADER = (
    "# Settings of this course. If you remove a key, its default applies: the value that Foldem has written here.\n"
)


def key_metadata(comment: str, example: str = "") -> dict[str, str]:
    """Return the metadata of a key: its comment in a new settings file, and an example for a key without a value."""
    paragraphs = (fill(line, 120, initial_indent="# ", subsequent_indent="# ") for line in comment.splitlines())
    return {"comment": "\n" + "\n".join(paragraphs), "example": example}


@dataclass(frozen=True)
class Policy:
    """The settings that affect grading. `exercises` names the exercises to grade; if it is empty, all are graded."""

    seed: Annotated[str, Meta(min_length=1, description=f'a text in quotes, like "{PUBLISHED_SEED}"')] = field(
        default=PUBLISHED_SEED,
        repr=False,  # Dask logs the `repr` of tasks that fail
        metadata=key_metadata(
            "The secret seed of the hidden inputs, made for this course. Keep it secret and do not change it: another "
            "seed is another exam.\nDo not remove it, either: then the exam is the published one, which students can "
            "learn by heart."
        ),
    )
    seconds_per_call: Annotated[float, Meta(gt=0, description="a number above 0")] = field(
        default=SECONDS_PER_CALL,
        metadata=key_metadata("Limits: CPU seconds per call, CPU seconds per exercise, and memory per exercise in MB."),
    )
    seconds_per_exercise: Annotated[int, Meta(gt=0, description="a whole number above 0")] = 10
    memory_mb: Annotated[int, Meta(ge=LEAST_MB, description=f"a whole number of at least {LEAST_MB}")] = 512
    seconds_per_submission: Annotated[int, Meta(gt=0, description="a whole number above 0")] = field(
        default=120,
        metadata=key_metadata(
            "Limit of CPU seconds per submission. When it is used up, the remaining exercises are not graded."
        ),
    )
    form_share: Share | None = field(
        default=None,
        metadata=key_metadata(
            "Share of an exercise's points for style (loops, tail calls …). By default, each unit has its own share.",
            example="0.2",
        ),
    )
    sandbox: Annotated[
        str,
        Meta(
            pattern="^(auto|bubblewrap|landlock)$",
            description='"auto", "bubblewrap" or "landlock" (for off, use the option --sandbox=off)',
        ),
    ] = field(
        default="auto",
        metadata=key_metadata(
            '"auto" uses the best sandbox of this machine and never grades without one. "bubblewrap" and "landlock" '
            "use only that one. To grade without a sandbox, run: foldem grade --sandbox=off"
        ),
    )
    exercises: tuple[str, ...] = field(default=(), metadata=NOT_A_TOML_KEY)
    lending: bool | None = field(default=None, metadata=NOT_A_TOML_KEY)
    shows_hidden: bool = field(default=False, metadata=NOT_A_TOML_KEY)

    @property
    def lends_references(self) -> bool:
        """Return whether answers may use reference solutions: in a course with `borrowing`, and outside of courses."""
        return self.shows_hidden or (self.seed == PUBLISHED_SEED if self.lending is None else self.lending)


# The policy for answers that an author wrote: references, known mistakes and mutants.
AUTHOR_POLICY = Policy(seconds_per_call=0.3, seconds_per_exercise=6, form_share=0.0, sandbox="off")


@dataclass(frozen=True)
class Settings(Policy):
    """The settings of a course: each key with its type, default and comment."""

    store: Annotated[str, Meta(min_length=1, description="a database's address")] | None = field(
        default=None,
        metadata=key_metadata(
            "Address of the database of results. The default is the file foldem.db in this folder.",
            example='"postgresql+psycopg://teacher@localhost/marks"',
        ),
    )
    packs: Annotated[tuple[str, ...], Meta(description='a list of paths, like ["../war"]')] = field(
        default=(),
        metadata=key_metadata(
            "Packs: folders made by `foldem new` or `foldem import`. Paths are relative to this folder.",
            example='["../war"]',
        ),
    )
    hints: Switch = field(
        default=True,
        metadata=key_metadata(
            'Help that students can use in their notebooks: hints (`hint("flip")`), and the reference solutions '
            '(`borrow("flip")`, `solution("flip")`).\nA change applies to new assignments and student kits. To update '
            "an assignment, run: nbgrader generate_assignment <name> --force"
        ),
    )
    borrowing: Switch = False
    puzzles: Switch = field(
        default=False,
        metadata=key_metadata(
            "Whether hints begin with a puzzle: the lines of the reference solution, to put in order, with wrong lines "
            "among them. If true, student kits contain these lines."
        ),
    )
    sharing: (
        Annotated[
            bool | Annotated[datetime, Meta(tz=True)],
            Meta(description="true, false, or a time with its UTC offset, like 2026-03-01T23:59:00+01:00"),
        ]
        | None
    ) = field(
        default=None,
        metadata=key_metadata(
            "Links to games (`share()`), which contain a student's code: true, false, or the time when "
            "they begin. By default, they begin at the last of the deadlines below. Without deadlines, they are off.",
            example="false",
        ),
    )
    site: Annotated[str, Meta(pattern=r"^https?://\S+$", description="an address with https://")] | None = field(
        default=None,
        metadata=key_metadata(
            "Address at which `foldem site` is published, for links to games from notebooks that run elsewhere.",
            example='"https://uni.example/cards/"',
        ),
    )
    wheel: (
        Annotated[
            str,
            Meta(
                pattern=r"^https://[A-Za-z0-9._~:/@%+=#-]+$",
                description="an address with https://, of letters, digits and ._~:/@%+=#-",
            ),
        ]
        | None
    ) = field(
        default=None,
        metadata=key_metadata(
            "Address of your student kit's wheel. Notebooks install the course from there where it is missing, as on "
            "Colab.\nWithout an address, notebooks only say that it is missing. A change applies to new assignments.",
            example='"https://uni.example/foldem_course-0.1.0+kit0123456789ab-py3-none-any.whl"',
        ),
    )
    deadlines: Annotated[
        dict[str, Annotated[datetime, Meta(tz=True)]],
        Meta(description="a table of assignments, each with a time and its UTC offset, like 2026-03-01T23:59:00+01:00"),
    ] = field(
        default_factory=dict,
        metadata=key_metadata(
            "Deadline of each assignment, and the share of the earned points that is deducted per day late. A part of "
            "a day counts as a day.\nWith 0, lateness is only reported. `[[extension]]` in adjust.toml sets later "
            "deadlines for single students.",
            example="{ homework = 2026-03-01T23:59:00+01:00 }",
        ),
    )
    late_per_day: Share = field(default=0.0, metadata={"example": "0.1"})
    group_assignments: tuple[str, ...] = field(
        default=(),
        metadata=key_metadata(
            "Assignments that groups hand in together. The file of one member then counts for everybody with the same "
            "`group`\nin roster.csv.",
            example='["homework"]',
        ),
    )
    timezone: Annotated[str, Meta(description='the name of a time zone, like "Europe/Berlin"')] | None = field(
        default=None,
        metadata=key_metadata(
            "Time zone of the course. In it, a day late ends at the deadline's time of day, also when clocks change."
            "\nSubmission times without an offset are in this zone. By default, each deadline's own offset counts.",
            example='"Europe/Berlin"',
        ),
    )

    def in_zone(self, moment: datetime) -> datetime:
        """Return a time in the course's time zone, or unchanged if the course has no time zone."""
        return moment.astimezone(ZoneInfo(self.timezone)) if self.timezone else moment

    @property
    def policy(self) -> Policy:
        """Return only the settings that affect grading."""
        return Policy(**{each.name: getattr(self, each.name) for each in fields(Policy)})

    @property
    def help(self) -> dict[str, bool | str]:
        """Return the settings for students' help: hints, reference solutions, puzzles, and links to games."""
        begins = max(self.deadlines.values(), default=False) if self.sharing is None else self.sharing
        sharing = begins.isoformat() if isinstance(begins, datetime) else begins
        switches = {key: getattr(self, key) for key in ("hints", "borrowing", "puzzles")}
        return switches | {"sharing": sharing, "site": self.site or ""}


class ConfigError(UserError, ValueError):
    """Raised for a `foldem.toml` that cannot be used. The message is one line."""


def cache_folder(name: str = "exams") -> Path:
    """Return the folder of the cache `name`.

    This folder is in the folder that the environment variable FOLDEM_CACHE names, or else in the user's cache folder.
    """
    return Path(os.environ.get("FOLDEM_CACHE") or platformdirs.user_cache_path("foldem")) / name


def make_private_folder(folder: Path) -> None:
    """Make a folder that only its owner and its group can open. An existing folder does not change."""
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(folder.stat().st_mode & ~stat.S_IRWXO)


def secret_folders(catalogue: Catalogue) -> tuple[Path, ...]:
    """Return the folders that no answer may read: the grader, cached exams, and the solutions and checks of packs."""
    return (*catalogue.secrets, Path(__file__).parent, cache_folder())


def settings_text(folder: Path, packs: Sequence[Path] = ()) -> str:
    """Return the text of the settings file for a new course, with a new seed.

    An existing course keeps its seed.
    """
    import secrets  # imported here, because only a new course needs these

    import tomlkit

    begun = folder / SETTINGS_FILE
    seed = read_settings(begun).seed if begun.exists() else secrets.token_hex(16)
    paths = tuple(os.path.relpath(pack.resolve(), folder.resolve()) for pack in packs)
    settings = Settings(seed=seed, packs=paths)
    text = SETTINGS_HEADER
    for key, each in toml_keys_of(Settings).items():  # a key without a value is commented out
        value, comment, example = getattr(settings, key), each.metadata.get("comment", ""), each.metadata.get("example")
        line = f"# {key} = {example}" if example and not value else f"{key} = {tomlkit.item(value).as_string()}"
        text += f"{comment}\n{line}\n" if comment else f"{line}\n"
    return text


def policy_for(folder: Path) -> Policy:
    """Return the policy for a folder, from its course's `foldem.toml`.

    Outside of courses, return the default policy.
    """
    return settings_for(folder).policy


def help_settings_for(folder: Path) -> dict[str, bool | str] | None:
    """Return the settings for the help that students of a folder's course can use; None outside of courses."""
    return settings_for(folder).help if settings_file_for(folder) else None


def with_course_packs(catalogue: Catalogue, folder: Path, but: Iterable[Path] = ()) -> Catalogue:
    """Return the catalogue together with the packs that a folder's course lists in its settings.

    A settings file in one of the paths `but` is ignored, because a student may have written it to run the code of a
    pack.
    """
    file = settings_file_for(folder)
    if file and is_among_submissions(file, but):
        with suppress(ConfigError):  # invalid settings are reported only where they apply
            unused = {root.resolve() for root in packs_named_by(file)} - {pack.root for pack in catalogue.packs}
            if unused:  # `--pack` does not name them, either
                where = f"{shown_name(str(file))} is in the folder to grade, so the packs that it names are not used"
                print(
                    f"foldem: {where}: to use them, grade only the folder with the submissions, or add --pack",
                    file=sys.stderr,
                )
    elif file and (roots := packs_named_by(file)):
        try:
            return catalogue.with_packs(roots)
        except UnitError as error:
            raise ConfigError(f"{file}:{line_number_of(file.read_text(encoding='utf-8'), 'packs')}: {error}") from None
    return catalogue


def is_among_submissions(file: Path, graded: Iterable[Path]) -> bool:
    """Return whether a course's settings file is inside the paths to grade, where a student may have written it.

    If the file is a symbolic link, this function checks the location of the link, not of its target.
    """
    folders = (path if path.is_dir() else path.parent for path in graded)
    is_inside = any(file.parent.resolve().is_relative_to(folder.resolve()) for folder in folders)
    return is_inside and not made_here_marker(file.parent).exists()


def made_here_marker(folder: Path) -> Path:
    """Return the path of the marker file for a course folder. The file is in Foldem's cache.

    The marker exists if `foldem course` made the course folder on this machine, so that no student made it.
    """
    return cache_folder("courses") / sha256(os.fsencode(folder.resolve())).hexdigest()


def packs_named_by(file: Path | None) -> tuple[Path, ...]:
    """Return the absolute paths of the packs that a `foldem.toml` names."""
    return tuple((file.parent / path).resolve() for path in read_settings(file).packs) if file else ()


def settings_file_for(folder: Path) -> Path | None:
    """Return the `foldem.toml` that applies to a folder, or None.

    If several parent folders contain a `foldem.toml`, the outermost one applies, so a file inside a submission is never
    used. A file in a folder like `/tmp` is never used, because any user of the machine could have put it there.
    """
    files = (each / SETTINGS_FILE for each in reversed((folder.resolve(), *folder.resolve().parents)))
    return next((file for file in files if file.is_file() and not _may_be_from_stranger(file)), None)


def _may_be_from_stranger(file: Path) -> bool:
    """Return whether any user may have written a file: in a folder with the sticky bit, or open to all users.

    In a folder open to all users, your own file applies, since some drives show all folders as open.
    """
    mode = file.parent.stat().st_mode
    is_open = bool(mode & stat.S_IWOTH)
    return bool(mode & stat.S_ISVTX) or (is_open and file.lstat().st_uid not in (0, getattr(os, "geteuid", int)()))


def folder_with_settings(path: Path) -> Path:
    """Return the innermost folder whose settings apply to a path.

    A settings file next to notebooks may be a student's, so it applies only if the current directory is in the file's
    folder.
    """
    folder = (path if path.is_dir() else path.parent).resolve()
    is_handed_in = not path.is_dir() or any(folder.glob("*.ipynb"))
    return folder.parent if is_handed_in and not Path.cwd().is_relative_to(folder) else folder


def common_settings_folder(paths: Iterable[Path]) -> Path:
    """Return the innermost folder whose settings apply to all of these paths.

    Print a warning about settings that do not apply. Settings inside one submission never apply to another submission.
    """
    folders = [folder_with_settings(path) for path in paths]
    shared = common_folder(folders)
    for file in sorted(
        {file for folder in folders if (file := settings_file_for(folder)) and file != settings_file_for(shared)}
    ):
        warning = f"{shown_name(str(file))} is ignored: it applies to only some of the files to grade"
        print(f"foldem: {warning}", file=sys.stderr)
    return shared


def common_folder(folders: Sequence[AnyPath]) -> AnyPath:
    """Return the innermost folder that contains all of these folders.

    If the folders are on several drives, return the drive of the first folder.

    >>> from pathlib import PureWindowsPath
    >>> print(common_folder([PureWindowsPath("C:/hw/ann"), PureWindowsPath("C:/hw/ben/work")]).as_posix())
    C:/hw
    >>> print(common_folder([PureWindowsPath("C:/hw/ann"), PureWindowsPath("D:/hw")]).as_posix())
    C:/
    """
    first = folders[0]
    candidates = (first, *first.parents)
    return next(
        (candidate for candidate in candidates if all(each.is_relative_to(candidate) for each in folders)),
        candidates[-1],
    )


def settings_for(folder: Path) -> Settings:
    """Return the settings that apply to a folder, or the defaults."""
    file = settings_file_for(folder)
    return read_settings(file) if file else Settings()


def read_settings(path: Path) -> Settings:
    """Return the settings in a file. Raises ConfigError, with file and line, if the file is invalid."""
    settings = read_toml(path, Settings, ConfigError)
    if settings.timezone and settings.timezone not in available_timezones():
        there = f"{path}:{line_number_of(read_text(path, ConfigError), 'timezone')}"
        raise ConfigError(f"{there}: there is no time zone {settings.timezone!r}. Write a name such as Europe/Berlin")
    return replace(settings, lending=settings.borrowing)
