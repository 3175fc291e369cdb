"""Which store a run uses."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from autograder.config import cache_folder, make_private
from autograder.exam.store import delete_unused
from autograder.term.files import ensure_writable
from autograder.term.locations import SUBMITTED, CourseFolder, Home, course_of
from autograder.term.store import DATABASE_FILE, IN_MEMORY, Store

NOWHERE = "sqlite://"


def open_store(course: CourseFolder, address: str | None, out: Path | None) -> Store:
    """Return the store: the one at this address, or else that of the course, the output folder or the user's cache."""
    root = course.root
    if address:
        return Store(address)
    if root or out:
        return Store(store_address(course) if root else (out or course.start) / DATABASE_FILE)
    return _in_cache(course.start)


def store_address(course: CourseFolder) -> str | Path:
    """Return the address of a course's own store."""
    address = course.settings.store
    return _in_course(address, course.folder) if address else course.folder / DATABASE_FILE


def _in_course(address: str, root: Path) -> str:
    """Return the store's address in a course's settings. The path of a file is relative to the course folder."""
    scheme, separator, path = address.rpartition(":///")
    if "://" in address and not (separator and scheme.startswith("sqlite")):
        return address
    return f"{scheme}{separator}{root / path}" if path and path not in IN_MEMORY else address


def course_in(store: Store, root: Path | None) -> str:
    """Return a course's name in its store: the name of its folder.

    In the course's own store, the name that was used first stays valid. So results remain when the folder is renamed.
    """
    name, file = course_of(root), store.file
    known = store.courses() if root and file and file.resolve().is_relative_to(root.resolve()) else []
    return next((each for each in known if each and "/" not in each), name) if name not in known else name


def collected_in(store: Store, root: Path | None) -> str:
    """Return the name under which a store has results of files that are only in `collected/`."""
    return f"{course_in(store, root)}/collected"


def home_in(store: Store, root: Path | None, out: Path | None) -> Home:
    """Return the folder to which locations are relative: the course, or else the output folder."""
    if root:
        return Home(root, course_in(store, root))
    if out is None or store.file != (out / DATABASE_FILE).absolute():
        return Home()
    return Home(folder=out.resolve())


def _in_cache(folder: Path) -> Store:
    """Return the store for submissions without a course. Stores that are not used for a while are deleted."""
    folder_of_results = cache_folder().with_name("results")
    try:
        make_private(folder_of_results)
        ensure_writable(folder_of_results)
    except OSError:
        return Store(NOWHERE)
    delete_unused(folder_of_results)
    return Store(
        folder_of_results
        / f"{sha256(str(_course_around(folder)).encode(errors='surrogateescape')).hexdigest()[:24]}.db"
    )


def _course_around(folder: Path) -> Path:
    """Return the folder that contains the `submitted/` around a folder."""
    resolved = folder.resolve()
    return next((each.parent for each in resolved.parents if each.name == SUBMITTED), resolved)
