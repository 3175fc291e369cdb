"""Which store a run keeps its results in."""

from __future__ import annotations

import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from autograder.config import cache_folder, settings_for
from autograder.exam.store import KEPT_SECONDS
from autograder.term.files import demand_writable
from autograder.term.places import SUBMITTED, root_of
from autograder.term.store import DATABASE_FILE, Store

NOWHERE = "sqlite://"


def open_store(asked: str | None, folder: Path, out: Path | None) -> Store:
    """Give the store that was asked for, else the course's, else the output folder's, else one in the user's cache."""
    root = root_of(folder)
    address = asked or settings_for(folder).store
    if address:
        return Store(address)
    if root or out:
        return Store((root or out or folder) / DATABASE_FILE)
    return _in_cache(folder)


def _in_cache(folder: Path) -> Store:
    """Give the store for hand-ins that belong to no course; one that nobody has used for long is dropped."""
    kept = cache_folder().with_name("results")
    try:
        demand_writable(kept)
    except OSError:
        return Store(NOWHERE)
    for file in kept.glob("*.db"):
        with suppress(OSError):
            if time.time() - file.stat().st_mtime > KEPT_SECONDS:
                file.unlink()
    return Store(kept / f"{sha256(str(_above(folder)).encode(errors='surrogateescape')).hexdigest()[:24]}.db")


def _above(folder: Path) -> Path:
    """Give the folder that holds `submitted/`, where a folder lies in one."""
    whole = folder.resolve()
    return next((place.parent for place in whole.parents if place.name == SUBMITTED), whole)
