"""nbgrader's `zip_collect` with archives and names that a student may hand in."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory

from autograder.hosts.nbgrader import course_config
from tests.classroom import write_files
from tests.downloads import write_zip

PLATFORM = r".*?/extracted/[^_]+_(?P<student_id>[^_]+)_attempt_(?P<timestamp>[\d-]+)_(?P<file_id>\w+)"


def collected(folder: Path) -> dict[str, str]:
    """Collect what is in the folder of archives, and return the contents of the collected notebooks."""
    config = course_config()
    config.CourseDirectory.root, config.CourseDirectory.assignment_id = str(folder), "hw"
    config.FileNameCollectorPlugin.named_regexp = PLATFORM
    app = ZipCollectApp(config=config)
    app.coursedir = CourseDirectory(config=config)
    app.init_plugins()
    app.extract_archive_files()
    app.process_extracted_files()
    paths = folder.glob("submitted/*/hw/*.ipynb")
    return {str(path.relative_to(folder / "submitted")): path.read_text() for path in paths}


@pytest.mark.promise("batch")
def test_an_archive_that_cannot_be_opened_ends_no_zip_collect(tmp_path: Path) -> None:
    archive = tmp_path / "downloaded" / "hw" / "archive"
    write_files(archive, {"a_ann_attempt_2026-01-30_1.ipynb": "ann's", "a_bob_attempt_2026-01-30_1.zip": "Rar!"})
    write_files(archive, {"a_cid_attempt_2026-01-30_1.ipynb.gz": "no gz", f"a_dan_attempt_{10**22}_1.ipynb": "no time"})
    write_zip(
        archive / "a_eve_attempt_2026-01-30_1.zip", {f"{'d/' * 1500}1.ipynb": "deep", "a": "file", "a/b": "in it"}
    )
    write_zip(archive / "a_fay_attempt_2026-01-30_1.zip", {f"{'d' * 300}.ipynb": "fay's"})
    assert collected(tmp_path) == {"ann/hw/1.ipynb": "ann's", "fay/hw/1.ipynb": "fay's"}


@pytest.mark.promise("others")
@pytest.mark.parametrize("inside", ["a_bob_attempt_2099-01-01_1.ipynb", "extracted/a_bob_attempt_2099-01-01_1.ipynb"])
def test_a_zip_in_zip_collect_hands_in_for_nobody_else(tmp_path: Path, inside: str) -> None:
    eve = write_zip(tmp_path / "eve.zip", {inside: "eve's"}).read_bytes()
    files = {"a_bob_attempt_2026-01-30_1.ipynb": "bob's", "a_eve_attempt_2026-01-30_1.zip": eve}
    (archive := tmp_path / "downloaded" / "hw" / "archive").mkdir(parents=True)
    write_zip(archive / "gradebook.zip", {f"x/{name}": content for name, content in files.items()})
    assert collected(tmp_path) == {"bob/hw/1.ipynb": "bob's", "eve/hw/1.ipynb": "eve's"}
