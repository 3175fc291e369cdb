"""Read the files in a download, which is a folder or a zip. A zip may be made to do harm."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePath, PurePosixPath
from unicodedata import normalize

from autograder.submission.reading import NotebookError, read_file
from autograder.term import TermError
from autograder.term.files import files_below, path_text
from course.limits import LARGEST_FILE, LARGEST_ZIP_RATIO, MOST_COPIED_BYTES, MOST_FILES

TOO_LARGE, NO_LINKS = f"larger than {LARGEST_FILE // 1_000_000} MB", "links are not followed"
ZIP_SUFFIX = ".zip"
UTF8_FLAG = 0x800
UNKNOWN_TIME = datetime(1980, 1, 1)  # the earliest time that a zip can store
FOLDER_FOR_DOTS = "_"  # the folder for "...zip", since ".." would be another student's
SAFE_COMPRESSIONS = {
    zipfile.ZIP_STORED,
    zipfile.ZIP_DEFLATED,
}  # with other methods, the zip itself decides how much memory is used
UNZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)


class ArchiveError(TermError):
    """Raised for a download that cannot be read. The exception's message is one line."""


@dataclass(frozen=True)
class DownloadedFile:
    """A file in a download: its path, when it was written, and its content, or the reason why it was skipped.

    `written` is a local time. Platforms set the times of the files to the time of the download. `order` is the file's
    position in its zip. If the file was in a zip inside the download, `zip_path` is the path of that zip, otherwise
    None.
    """

    path: PurePosixPath
    written: datetime
    content: bytes = b""
    problem: str = ""
    order: int = 0
    zip_path: PurePosixPath | None = None

    @property
    def platform_path(self) -> PurePosixPath:
        """Return the path that the platform gave to the file, or to the student's zip that contains the file."""
        return self.zip_path or self.path


def files_of(download: Path) -> Iterator[DownloadedFile]:
    """Yield the files in a download, and the files in students' zips inside it.

    Zips inside students' zips are not opened. Raises ArchiveError if the download is dangerous, or is neither a folder
    nor a zip. If a student's zip is dangerous, yield it as a file with a problem.
    """
    if not download.is_dir() and not zipfile.is_zipfile(download):
        raise ArchiveError(f"{download} is neither a folder nor a zip file")
    for file in (
        _files_of_folder(download) if download.is_dir() else _files_of_zip(download, MOST_COPIED_BYTES, f"{download}: ")
    ):
        if file.problem or file.path.suffix.lower() != ZIP_SUFFIX:
            yield file
            continue
        folder = file.path.with_name(zip_folder_name(file.path))
        shared = replace(file, content=b"", zip_path=file.path)  # students can choose the times in a zip
        try:
            inside = [*_files_of_zip(BytesIO(file.content), min(LARGEST_FILE, LARGEST_ZIP_RATIO * len(file.content)))]
            yield from (replace(shared, path=folder / e.path, content=e.content, problem=e.problem) for e in inside)
        except ArchiveError as error:
            yield replace(file, content=b"", problem=str(error))


def zip_folder_name(path: PurePath) -> str:
    """Return a folder name. In the paths of files from a student's zip, this folder replaces the zip."""
    return path.stem if path.stem.strip(".") else FOLDER_FOR_DOTS


def _files_of_folder(folder: Path) -> Iterator[DownloadedFile]:
    """Yield the files of a folder. Students may change this folder at the same time."""
    for path in sorted(files_below(folder)):
        name = PurePosixPath(normalize("NFC", path_text(PurePosixPath(path.relative_to(folder).as_posix()))))
        try:
            written = local_time(path.lstat().st_mtime)
            yield DownloadedFile(name, written, read_file(path))
        except NotebookError as error:
            yield DownloadedFile(name, UNKNOWN_TIME, problem=str(error))
        except OSError as error:
            yield DownloadedFile(name, UNKNOWN_TIME, problem=f"it cannot be read: {error.strerror}")


def local_time(seconds: float) -> datetime:
    """Return a time in seconds as a local time without a time zone, like the times of files in zips."""
    with suppress(OSError, OverflowError, ValueError):
        return datetime.fromtimestamp(seconds).replace(microsecond=0)
    return UNKNOWN_TIME


def _files_of_zip(file: Path | BytesIO, most: int, where: str = "") -> Iterator[DownloadedFile]:
    """Yield the files of a zip. If two files have the same path, only the last file counts, as in other programs.

    Raises ArchiveError if the zip is damaged, or dangerous; then no file of the zip is unpacked.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            named = {path: each for each in archive.infolist() if (path := _path_in_zip(each)) and not each.is_dir()}
            outside = [path for path in named if path.is_absolute() or ".." in path.parts or "\0" in str(path)]
            size, ways = sum(each.file_size for each in named.values()), {each.compress_type for each in named.values()}
            dangers = {
                f"the zip contains more than {MOST_FILES:,} files": len(named) > MOST_FILES,
                f"more than {most / 1e6:,.0f} MB unpacked": size > most,
                "the zip cannot be read: its compression is not supported": ways - SAFE_COMPRESSIONS,
                f"the zip contains a path outside of it: {str(*outside[:1])!r}": outside,
            }
            if danger := next((danger for danger, is_so in dangers.items() if is_so), ""):
                raise ArchiveError(where + danger)
            orders = {path: order for order, path in enumerate(named)}
            for path in sorted(named):
                yield replace(_file_of_zip(archive, named[path], path), order=orders[path])
    except ArchiveError:
        raise
    except UNZIP_ERRORS as error:
        raise ArchiveError(f"{where}the zip cannot be read: {' '.join(str(error).split())}") from None


def _path_in_zip(member: zipfile.ZipInfo) -> PurePosixPath | None:
    """Return a file's path in a zip, or None if the file has no name.

    Some programs write names in UTF-8 without marking them as UTF-8.
    """
    name = member.filename
    if not member.flag_bits & UTF8_FLAG:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    path = PurePosixPath(normalize("NFC", name.replace("\\", "/")))
    return path if path.parts and not name.endswith("\\") else None


def _file_of_zip(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: PurePosixPath) -> DownloadedFile:
    written = UNKNOWN_TIME
    with suppress(ValueError):  # a time that does not exist
        written = datetime(*member.date_time)
    if (member.external_attr >> 16) & 0o170000 == 0o120000:
        return DownloadedFile(name, written, problem=NO_LINKS)
    with archive.open(member) as file:
        content = file.read(LARGEST_FILE + 1)  # the size that the zip states may be false
    is_large = len(content) > LARGEST_FILE
    return DownloadedFile(name, written, b"" if is_large else content, TOO_LARGE * is_large)
