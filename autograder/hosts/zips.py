"""nbgrader's `zip_collect`, in which students choose what is in a zip."""

from __future__ import annotations

from pathlib import Path

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin
from nbgrader.utils import parse_utc

from autograder.term.archive import ZIP, ArchiveError, unpack
from autograder.text import shown_name


class Extract(ExtractorPlugin):  # type: ignore[misc]
    """Opens the archives of an assignment as `foldem collect` does: one that cannot be opened is named and left out.

    In nbgrader, it ends the command for the class.
    """

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack the platform's download, which is the only zip of the folder, or else a folder of students' files."""
        archives, target = [*Path(archive_path).iterdir()], Path(extracted_path)
        is_zip = len(archives) == 1 and archives[0].suffix.lower() == ZIP
        download, folder = (archives[0], target / archives[0].stem) if is_zip else (Path(archive_path), target)
        try:
            unpack(download, folder, lambda line: self.log.warning("%s", line))
        except ArchiveError as error:
            raise SystemExit(f"foldem: {error}") from None
        for file in sorted(folder.rglob("*.gz")):
            self.log.warning("%s: not opened. Ask the student for the .ipynb file", shown_name(file.name))


class ZipNames(FileNameCollectorPlugin):  # type: ignore[misc]
    """Finds a file's student by its name as nbgrader does, but a name with an impossible time ends nothing."""

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return the parts of a file's name, or None if the file is not collected."""
        parts: dict[str, str] | None = super().collect(submitted_file)
        try:
            parse_utc((parts or {}).get("timestamp") or "2000-01-01")
        except (ValueError, OverflowError):
            return None
        return parts
