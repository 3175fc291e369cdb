"""The files of a download, which is a folder or a zip. A zip may be an attack."""

from __future__ import annotations

import re
import shutil
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePath, PurePosixPath
from unicodedata import normalize

from autograder.config import SETTINGS_FILE
from autograder.submission.find import is_hidden
from autograder.submission.notebook import NotebookError
from autograder.submission.reading import LARGEST_FILE, MODULE, read_file
from autograder.term import TermError
from autograder.term.files import alone_in, files_below, folder_key
from autograder.term.locations import path_text
from autograder.text import short_name, shown_name

MOST_MEMBERS = 20_000
TOO_LARGE, NO_LINKS = "larger than 20 MB", "links are not followed"
CANNOT_BE_UNPACKED = "its path is too long, or it is a settings file"
MOST_BYTES = 1_000_000_000
SHARE = 20_000_000  # limit for each zip from a student, whatever the others' zips contain
SHARES = 5  # all zips of one student have at most so many
LONGEST_PATH, MOST_LEVELS = 2_000, 200
ZIP = ".zip"
UTF8_FLAG = 0x800
NO_TIME = datetime(1980, 1, 1)  # the earliest time that a zip can store
ZIP_OF_DOTS = "_"  # the folder for "...zip", since ".." would be another student's
WAYS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # with other methods, the zip itself decides how much memory is used
DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, OSError)


class ArchiveError(TermError):
    """Raised for a download that cannot be read. The message is one line."""


@dataclass(frozen=True)
class DownloadedFile:
    """A file of a download: path, local time, and content or the reason why it was skipped.

    Platforms set the file times to the time of the download. The files are in the order of the zip. If a file is in
    a zip in the download, `zip_levels` is the number of folders down to the zip, which is one of them.
    """

    path: PurePosixPath
    written: datetime
    content: bytes = b""
    problem: str = ""
    order: int = 0
    zip_levels: int = 0


def files_of(download: Path) -> Iterator[DownloadedFile]:
    """Return the files of a download by path. Raises ArchiveError if it is unsafe or not an archive."""
    if download.is_dir():
        return _opened(_of_folder(download))
    if not zipfile.is_zipfile(download):
        raise ArchiveError(f"{download} is neither a folder nor a zip file")
    return _opened(_of_zip(download))


def _opened(files: Iterable[DownloadedFile]) -> Iterator[DownloadedFile]:
    """Yield files, including those of nested zips. A dangerous nested zip is not opened."""
    outer = list(files)
    tops = {file.path.parts[0] for file in outer if not is_hidden(file.path.parts[0])}
    left, used = MOST_BYTES, Counter[str]()
    for file in outer:
        is_zip, owner = file.path.suffix.lower() == ZIP and not file.problem, _owner(file.path, len(tops) == 1)
        inside = _inside(file, min(max(SHARE, left // 10), SHARES * SHARE - used[owner])) if is_zip else [file]
        size = sum(len(each.content) for each in inside) if is_zip else 0
        left, used[owner] = left - size, used[owner] + size
        yield from inside


def _owner(path: PurePosixPath, has_folder_around: bool) -> str:
    """Return the part of a path that says whose file it is, without the student's own name for it.

    >>> _owner(PurePosixPath("leeann_77_991_a.zip"), False), _owner(PurePosixPath("all/s1/a.zip"), True)
    ('leeann_77_', 's1')
    """
    part = path.parts[min(int(has_folder_around), len(path.parts) - 1)]
    label = re.match(r".+?_\d+_(?=\d+_|assignsubmission_)", part)
    return label[0] if label else part


def _inside(file: DownloadedFile, left: int) -> list[DownloadedFile]:
    """Return the files of a student's zip with the time of the zip, since students can choose the times inside."""
    try:
        files = list(_members(BytesIO(file.content), left))
    except ArchiveError as error:
        return [replace(file, content=b"", problem=str(error))]
    folder = file.path.with_name(stem_of(file.path))
    shared = DownloadedFile(folder, file.written, order=file.order, zip_levels=len(folder.parts))
    return [replace(shared, path=folder / each.path, content=each.content, problem=each.problem) for each in files]


def stem_of(path: PurePath) -> str:
    """Return the name of the folder for a zip."""
    return path.stem if path.stem.strip(".") else ZIP_OF_DOTS


def _of_folder(folder: Path) -> Iterator[DownloadedFile]:
    for path in sorted(files_below(folder)):
        name = PurePosixPath(normalize("NFC", path_text(PurePosixPath(path.relative_to(folder).as_posix()))))
        if path.is_symlink():
            yield DownloadedFile(name, NO_TIME, problem=NO_LINKS)
        elif path.is_file():
            yield _file_of_folder(name, path)


def _file_of_folder(name: PurePosixPath, path: Path) -> DownloadedFile:
    """Return a file of a folder, or the reason why it cannot be read. Students may be changing the folder."""
    try:
        state = path.stat()
        written = clock_time(state.st_mtime)
        if state.st_size > LARGEST_FILE:
            return DownloadedFile(name, written, problem=TOO_LARGE)
        return DownloadedFile(name, written, read_file(path))
    except NotebookError as error:
        return DownloadedFile(name, NO_TIME, problem=str(error))
    except OSError as error:
        return DownloadedFile(name, NO_TIME, problem=f"it cannot be read: {error.strerror}")


def clock_time(seconds: float) -> datetime:
    """Return a file's time as local time without a zone, as in zips."""
    try:
        return datetime.fromtimestamp(seconds).replace(microsecond=0)
    except (OSError, OverflowError, ValueError):
        return NO_TIME


def _of_zip(path: Path) -> Iterator[DownloadedFile]:
    try:
        yield from _members(path, MOST_BYTES)
    except ArchiveError as error:
        raise ArchiveError(f"{path}: {error}") from None


def _members(file: Path | BytesIO, most: int) -> Iterator[DownloadedFile]:
    """Yield the files of a zip. If two have one path, only the last one counts, as for other programs."""
    try:
        with zipfile.ZipFile(file) as archive:
            members = [*{_path_in_zip(member): member for member in archive.infolist() if _is_file(member)}.values()]
            _demand_harmless(members, most)
            orders = {id(member): order for order, member in enumerate(members)}
            for member in sorted(members, key=lambda member: member.filename):
                yield replace(_member(archive, member), order=orders[id(member)])
    except ArchiveError:
        raise
    except (*DAMAGED, ValueError) as error:
        raise ArchiveError(f"the zip cannot be read: {' '.join(str(error).split())}") from None


def _demand_harmless(members: list[zipfile.ZipInfo], most: int) -> None:
    """Raise ArchiveError if a zip is dangerous, before unpacking any of it."""
    if len(members) > MOST_MEMBERS:
        raise ArchiveError(f"the zip contains more than {MOST_MEMBERS:,} files")
    if sum(member.file_size for member in members) > most:
        raise ArchiveError(f"more than {most / 1e6:,.0f} MB unpacked")
    if not {member.compress_type for member in members} <= WAYS:
        raise ArchiveError("the zip cannot be read: its compression is not supported")
    for member in members:
        name = _path_in_zip(member)
        if name.is_absolute() or ".." in name.parts or "\0" in member.filename:
            raise ArchiveError(f"the zip contains a path outside of it: {member.filename!r}")


def _path_in_zip(member: zipfile.ZipInfo) -> PurePosixPath:
    """Return a file's path in a zip. Some programs write UTF-8 without marking it."""
    name = member.filename
    if not member.flag_bits & UTF8_FLAG:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return PurePosixPath(normalize("NFC", name.replace("\\", "/")))


def _is_file(member: zipfile.ZipInfo) -> bool:
    """Return whether a zip's entry is a file with a name."""
    return bool(_path_in_zip(member).parts) and not member.filename.endswith(("/", "\\"))


def _written(member: zipfile.ZipInfo) -> datetime:
    """Return the time of a file in a zip, or NO_TIME if it is invalid."""
    try:
        return datetime(*member.date_time)
    except ValueError:
        return NO_TIME


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> DownloadedFile:
    name, written = _path_in_zip(member), _written(member)
    if (member.external_attr >> 16) & 0o170000 == 0o120000:
        return DownloadedFile(name, written, problem=NO_LINKS)
    with archive.open(member) as file:
        content = file.read(LARGEST_FILE + 1)  # the size that the zip states may be false
    if len(content) > LARGEST_FILE:
        return DownloadedFile(name, written, problem=TOO_LARGE)
    return DownloadedFile(name, written, content)


def unpack(path: Path, folder: Path, tell: Callable[[str], object] = str) -> Path:
    """Unpack a zip into a folder, replacing old files. A dangerous zip changes nothing.

    Settings files are left out. Otherwise the folder would be a course, whose `adjust.toml` can name code to run. An
    up-to-date folder is not changed, because another run may be reading it. `tell` gets a line for each file left out.
    """
    found = [replace(each, path=_short_path(each.path)) for each in files_of(path)]
    files = [each for each in found if not each.problem and _can_be_unpacked(each.path, folder)]
    for each in found:
        if each.problem or not _can_be_unpacked(each.path, folder):
            tell(f"{shown_name(str(each.path))}: {shown_name(each.problem) or CANNOT_BE_UNPACKED}")
    paths = _distinct_paths([each.path for each in files])
    contents = {folder / to: each.content for to, each in zip(paths, files, strict=True)}
    folder.parent.mkdir(parents=True, exist_ok=True)
    with alone_in(folder.parent):
        if not _holds(folder, contents):
            _put_fresh(folder, contents)
    return folder


def _short_path(path: PurePosixPath) -> PurePosixPath:
    """Return a path whose parts are short enough for a file system."""
    suffix = path.suffix if path.suffix in (".ipynb", MODULE) else ""
    return PurePosixPath(*map(short_name, path.parts[:-1]), short_name(path.name.removesuffix(suffix)) + suffix)


def _distinct_paths(paths: Iterable[PurePosixPath]) -> Iterator[PurePosixPath]:
    """Yield where to unpack each path, so that two students never share a folder.

    Names of students that differ only in case get a number, since macOS and Windows take them for the same folder.

    >>> [*map(str, _distinct_paths(map(PurePosixPath, ("Ann/x.ipynb", "ann/x.ipynb", "hw/Bob", "hw/bob/y.ipynb"))))]
    ['Ann/x.ipynb', 'ann~2/x.ipynb', 'hw/Bob', 'hw/bob~2/y.ipynb']
    """
    names, taken, counts = dict[PurePosixPath, PurePosixPath](), set[str](), Counter[str]()
    for path in paths:
        start = PurePosixPath()
        for depth, part in enumerate(path.parts[:2], 1):
            old, new = PurePosixPath(*path.parts[:depth]), start / part
            if old not in names:
                names[old], key = new, folder_key(str(new))
                while (own := folder_key(str(names[old]))) in taken:
                    counts[key] += 1
                    names[old] = new.with_stem(f"{new.stem}~{counts[key] + 1}")
                taken.add(own)
            start = names[old]
        yield start.joinpath(*path.parts[2:])


def _can_be_unpacked(path: PurePosixPath, folder: PurePath) -> bool:
    """Return whether a path stays in a folder, is no settings file, and is short enough for a file system.

    On Windows, a path that begins with a drive does not stay in the folder. Dots and spaces at its end do not count.

    >>> from pathlib import PureWindowsPath
    >>> names = map(PurePosixPath, ("a/x.ipynb", "D:/x.ipynb", "a/Foldem.toml. "))
    >>> [_can_be_unpacked(name, PureWindowsPath("C:/in")) for name in names]
    [True, False, False]
    """
    is_short = len(bytes(path)) < LONGEST_PATH and len(path.parts) < MOST_LEVELS
    is_settings = path.name.lower().rstrip(". ") == SETTINGS_FILE
    return is_short and not is_settings and (folder / path).is_relative_to(folder)


def _holds(folder: Path, contents: Mapping[Path, bytes]) -> bool:
    there = {path for path in files_below(folder) if path.is_file()}
    return folder.is_dir() and there == set(contents) and all(path.read_bytes() == contents[path] for path in there)


def _put_fresh(folder: Path, contents: Mapping[Path, bytes]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path, content in contents.items():
        with suppress(FileExistsError, NotADirectoryError, IsADirectoryError):  # a file where a folder should be
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def file_in(files: Iterable[DownloadedFile], name: str, is_platforms: Callable[[str], bool]) -> bytes | None:
    """Return the only file with a name, at the top of a download or in the one folder around everything; else None.

    That folder counts only if it has a name from the platform. Otherwise it may be a student's, as a zip in it is.
    """
    own = [each for each in files if not is_hidden(each.path.parts[0])]
    tops = {each.path.parts[0] for each in own}
    around = [PurePosixPath(top) for top in tops if len(tops) == 1 and is_platforms(top)]
    paths = [folder / name for folder in (PurePosixPath(), *around)]
    return next((each.content for each in own if each.path in paths and not (each.zip_levels or each.problem)), None)
