"""The state of an output folder: what it was made from, and its files as they were written.

If nothing has changed, a run without new results does not write it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from autograder.sandbox.sources import COURSE, HOUSE, digest_of_files
from autograder.term.adjust import Adjustments
from autograder.term.store import DATABASE_FILE, Store


def folder_state(folder: Path, store: Store, course: str, adjust: Adjustments, words: Iterable[str]) -> str:
    """Return a text that changes when the inputs or the files of an output folder change."""
    digest = sha256(makers_digest().encode())
    for entry in store.outlines(course):
        late = adjust.deadlines.late(entry.student, entry.assignment)
        digest.update(repr((entry, late)).encode(errors="surrogatepass"))
    digest.update(repr((adjust, store.count_earlier(), *words)).encode(errors="surrogatepass"))
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if not path.name.startswith(DATABASE_FILE):
            facts, name = path.stat(), str(path.relative_to(folder))
            digest.update(repr((name, facts.st_size, facts.st_mtime_ns)).encode(errors="surrogatepass"))
    return digest.hexdigest()


@cache
def makers_digest() -> str:
    """Return a text that changes when Foldem's code changes."""
    return digest_of_files(sorted(file for half in (HOUSE, COURSE) for file in half.rglob("*.py")))
