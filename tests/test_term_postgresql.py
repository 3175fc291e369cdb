"""A store in a real PostgreSQL server, which the system brings along (Debian: apt-get install postgresql)."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.term.store import MATCHES, Store, StoredResult
from tests.conftest import SERVERS
from tests.test_term_store import files, grade_at_once, names_of

pytestmark = [
    pytest.mark.postgresql,
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Provide the address of a new server's database; the server listens in a folder of its own only."""
    user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
    with tempfile.TemporaryDirectory(prefix="foldem-pg-") as folder:
        if user:
            shutil.chown(folder, user)
        data, control = f"{folder}/data", f"{SERVERS[0]}/pg_ctl"
        quiet = {"user": user, "check": True, "stdout": subprocess.DEVNULL, "cwd": folder}
        subprocess.run([f"{SERVERS[0]}/initdb", "-D", data, "-U", "foldem", "-A", "trust", "--no-sync"], **quiet)  # type: ignore[call-overload]
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        subprocess.run([control, "-D", data, "-w", "-l", f"{folder}/log", "-o", options, "start"], **quiet)  # type: ignore[call-overload]
        try:
            yield f"postgresql+psycopg://foldem@/postgres?host={folder}"
        finally:
            subprocess.run([control, "-D", data, "-w", "-m", "immediate", "stop"], **quiet)  # type: ignore[call-overload]


def test_twenty_students_graded_by_two_processes_at_once(tmp_path: Path, address: str) -> None:
    students = [f"s{number:02}" for number in range(20)]
    one, other = grade_at_once(tmp_path / "shared", students, store=address)
    assert one == other and set(one) == names_of(students)
    (alone, _) = grade_at_once(tmp_path / "own", students, store=str(tmp_path / "own.db"))
    assert alone.keys() == one.keys()
    assert files(tmp_path / "shared" / "one").keys() == one.keys()


def test_entries_come_in_the_order_that_they_have_in_any_store(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.term.store.ROWS_AT_ONCE", 3)
    store, places = Store(address), ["B", "a", "a-b", "a/b", "ä", "\x01", "z" * 3000]
    for place in places:
        store.keep(StoredResult("order", place, "", "", "", "", "", "", True, "{}", "{}"), {place[:60]: "known"})
        store.keep_texts(MATCHES, {place[:60]: "known"})
    assert [entry.place for entry in store.outlines("order")] == sorted(places)
    assert store.texts(MATCHES, ["ä", "b"]) == {"ä": "known"}
