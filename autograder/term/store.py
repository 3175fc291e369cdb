"""The store: the result of each submission, saved at once in SQLite or another database. Also, which store a run uses.

Each result is written in one transaction with the submission's code. Because of this, an interrupted run never leaves
half a result.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from toolz import partition_all

from autograder.config import cache_folder, make_private_folder
from autograder.errors import install_command
from autograder.exam.store import delete_unused_files
from autograder.term import TermError
from autograder.term.files import SUBMITTED_FOLDER, CourseFolder, ensure_writable, locked_path
from autograder.text import shown_name

STORE_FORMAT = 4
TEXT_COLUMNS = "course", "place", "name", "student", "assignment", "unit", "content", "judged_by", "report", "marks"
SQL_METADATA = sql.MetaData()
FORMAT_TABLE = sql.Table(
    "foldem_format",
    SQL_METADATA,
    sql.Column("key", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("since", sql.Text, nullable=False),
)


def _table_with_key(name: str, *columns: sql.Column[Any]) -> sql.Table:
    return sql.Table(name, SQL_METADATA, sql.Column("key", sql.String(64), primary_key=True), *columns)


RESULTS_TABLE = _table_with_key(
    "foldem_entry",
    *(sql.Column(name, sql.Text, nullable=False) for name in TEXT_COLUMNS),
    sql.Column("is_final", sql.Boolean, nullable=False),
)
CODES_TABLE = _table_with_key("foldem_code", sql.Column("code", sql.Text, nullable=False))
MATCHES_TABLE = _table_with_key("foldem_match", sql.Column("match", sql.Text, nullable=False))


def store_format_of(connection: sql.Connection) -> int:
    """Return the number of a store's format, or 0 for a new store."""
    if not sql.inspect(connection).has_table(FORMAT_TABLE.name):
        return 0
    return connection.scalar(sql.select(sql.func.max(FORMAT_TABLE.c.key))) or 0


def make_tables(engine: sql.Engine, file: Path | None) -> None:
    """Make the tables of a new store. If two processes make tables at the same time, one of them waits."""
    with locked_path(file) if file else nullcontext(), engine.begin() as connection:
        if connection.dialect.name == "postgresql":  # if two processes created the tables at once, one would fail
            connection.execute(sql.text("SELECT pg_advisory_xact_lock(19)"))
        for table in SQL_METADATA.sorted_tables:
            connection.execute(sql.schema.CreateTable(table, if_not_exists=True))
        if not store_format_of(connection):
            connection.execute(sql.insert(FORMAT_TABLE), [{"key": STORE_FORMAT, "since": "0.1.0"}])


DATABASE_FILE = "foldem.db"
SQLITE_TIMEOUT = 60  # seconds that SQLite waits for another process's transaction
IN_MEMORY_NAMES = None, "", ":memory:"
ROWS_AT_ONCE = 50
DAMAGED_STORE_MESSAGE = "the store is damaged: restore a backup, or move it away, and grade again"


class StoreError(TermError):
    """Raised for a store that cannot be used. The exception's message is one line."""


@dataclass(frozen=True)
class StoredResult:
    """A stored result: location and student of a submission, its report, and digests of what the report depends on.

    `content` is the digest of the file, and `judged_by` is the digest of everything else that the report depends on.
    `marks` are the marks that were shown last, by exercise. If `is_final` is false, some exercises are ungraded, so the
    file is graded again.
    """

    course: str
    place: str
    name: str
    student: str
    assignment: str
    unit: str
    content: str
    judged_by: str
    is_final: bool
    report: str
    marks: str


class Store:
    """An open store. All its methods raise StoreError, with a message of one line, if there is a problem."""

    def __init__(self, where: str | Path) -> None:
        self.where = "that was asked for"
        with one_line_errors(f"the store {self.where}"):
            address = sql.make_url(str(where)) if "://" in str(where) else sql.URL.create("sqlite", database=str(where))
            self.where = address.render_as_string(hide_password=True) if "://" in str(where) else str(where)
            self._engine = _engine(address)
            self.dialect = self._engine.dialect.name
        with one_line_errors(f"the store {self.where}"):
            with self._engine.connect() as connection:
                number = store_format_of(connection)
            if number not in (0, STORE_FORMAT):
                other = "was written by another version of Foldem: use that one, or move the file away, and grade again"
                raise StoreError(f"the store {self.where} {other}")
            if not number:
                make_tables(self._engine, self.file)

    @property
    def file(self) -> Path | None:
        """Return the path of the store's file, or None for a database server."""
        url = self._engine.url
        return (
            None if self.dialect != "sqlite" or url.database in IN_MEMORY_NAMES else Path(str(url.database)).absolute()
        )

    def result(self, course: str, location: str) -> StoredResult | None:
        """Return the stored result of a submission, or None if the store has no such result."""
        rows = self._rows(sql.select(RESULTS_TABLE).where(RESULTS_TABLE.c.key == result_key(course, location)))
        return _result_in_row(rows[0]) if rows else None

    def results(self, course: str, with_reports: bool = True) -> Iterator[StoredResult]:
        """Yield the stored results of a course in the order of their locations.

        Only some of the results are in memory at the same time.
        """
        columns = [column for column in RESULTS_TABLE.c if with_reports or column.name != "report"]
        order = sql.collate(RESULTS_TABLE.c.place, "C") if self.dialect == "postgresql" else RESULTS_TABLE.c.place
        chosen = sql.select(*columns).where(RESULTS_TABLE.c.course == course).order_by(order).limit(ROWS_AT_ONCE)
        page = self._rows(chosen)
        while page:
            yield from map(_result_in_row, page)
            page = self._rows(chosen.where(order > page[-1].place))

    def results_without_reports(self, course: str) -> Iterator[StoredResult]:
        """Yield the stored results of a course, but do not load their reports."""
        return self.results(course, with_reports=False)

    def save_result(self, entry: StoredResult, codes: Mapping[str, str] | None = None) -> None:
        """Save a result, and the code of the submission."""
        with one_line_errors(f"the store {self.where}"), self._engine.begin() as connection:
            self._write_texts(connection, CODES_TABLE, codes or {})
            self._upsert_rows(
                connection, RESULTS_TABLE, [{"key": result_key(entry.course, entry.place), **asdict(entry)}]
            )

    def change_result(self, entry: StoredResult, **columns: str) -> None:
        """Change columns of a stored result, unless another process has replaced or deleted the result meanwhile."""
        key, columns_then = result_key(entry.course, entry.place), ("content", "judged_by", "report")
        is_same = (RESULTS_TABLE.c[name] == getattr(entry, name) for name in columns_then)
        with one_line_errors(f"the store {self.where}"), self._engine.begin() as connection:
            connection.execute(sql.update(RESULTS_TABLE).where(RESULTS_TABLE.c.key == key, *is_same).values(**columns))

    def delete_students(self, course: str, students: Collection[str]) -> None:
        """Delete everything about these students of a course, so that no byte of their data stays in the file.

        Also delete all matches of leagues, since the code of a bot may contain a student's name. If another
        student submitted the same file, its code stays.
        """
        with one_line_errors(f"the store {self.where}"), self._engine.begin() as connection:
            if self.dialect == "sqlite":
                connection.execute(sql.text("PRAGMA secure_delete = ON"))
            is_theirs = sql.and_(RESULTS_TABLE.c.course == course, RESULTS_TABLE.c.student.in_(students))
            connection.execute(sql.delete(RESULTS_TABLE).where(is_theirs))
            used = {content for (content,) in connection.execute(sql.select(RESULTS_TABLE.c.content))}
            for (key,) in connection.execute(sql.select(CODES_TABLE.c.key)).all():
                if key not in used:
                    connection.execute(sql.delete(CODES_TABLE).where(CODES_TABLE.c.key == key))
            connection.execute(sql.delete(MATCHES_TABLE))
        if self.dialect == "sqlite":
            with one_line_errors(f"the store {self.where}"), self._engine.connect() as connection:
                connection.execution_options(isolation_level="AUTOCOMMIT").execute(sql.text("VACUUM"))

    def texts(self, table: sql.Table, keys: Sequence[str]) -> dict[str, str]:
        """Return the texts with these keys in the table `CODES_TABLE` or `MATCHES_TABLE`.

        Keys that the table does not have are left out.
        """
        known = dict[str, str]()
        _, column = table.c
        for some in partition_all(ROWS_AT_ONCE, keys):
            rows = self._rows(sql.select(table).where(table.c.key.in_(some)))
            known |= {row.key: row._mapping[column] for row in rows}
        return known

    def save_texts(self, table: sql.Table, texts: Mapping[str, str]) -> None:
        """Save texts by key in the table `CODES_TABLE` or `MATCHES_TABLE`."""
        with one_line_errors(f"the store {self.where}"), self._engine.begin() as connection:
            self._write_texts(connection, table, texts)

    def _rows(self, chosen: sql.Executable) -> Sequence[sql.Row[Any]]:
        with one_line_errors(f"the store {self.where}"), self._engine.connect() as connection:
            return connection.execute(chosen).all()

    def _write_texts(self, connection: sql.Connection, table: sql.Table, texts: Mapping[str, str]) -> None:
        _, column = table.c
        self._upsert_rows(connection, table, [{"key": key, column.name: text} for key, text in sorted(texts.items())])

    def _upsert_rows(self, connection: sql.Connection, table: sql.Table, rows: list[dict[str, object]]) -> None:
        """Insert rows, or replace those with the same keys."""
        if rows:
            statement = import_module(f"sqlalchemy.dialects.{self.dialect}").insert(table)
            rest = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
            connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_=rest), rows)


@contextmanager
def one_line_errors(where: str) -> Iterator[None]:
    """Turn an error of the database in the `with` block into a StoreError, whose message is one line."""
    try:
        yield
    except ModuleNotFoundError as error:
        reason = f"{error.name} is not installed (for PostgreSQL: {install_command('postgresql')})"
        raise StoreError(f"{where}: {reason}") from None
    except (NoSuchModuleError, ArgumentError):
        reason = "not a database address like sqlite:///marks.db or postgresql+psycopg://user@host/marks"
        raise StoreError(f"{where}: {reason}") from None
    except (SQLAlchemyError, json.JSONDecodeError) as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())[:300]
        raise StoreError(f"{where}: {reason}") from None


def result_key(course: str, location: str) -> str:
    """Return a short key for the submission at a location in a course."""
    return sha256(json.dumps([course, location]).encode()).hexdigest()


def _result_in_row(row: sql.Row[object]) -> StoredResult:
    return StoredResult(**{"report": ""} | {name: value for name, value in row._mapping.items() if name != "key"})


def _engine(address: sql.URL) -> sql.Engine:
    if address.get_backend_name() == "sqlite":
        # A database in memory has one connection, for one thread at a time; releasing it rolls back.
        alone = {"poolclass": sql.QueuePool, "pool_size": 1, "max_overflow": 0, "pool_timeout": SQLITE_TIMEOUT}
        return sql.create_engine(
            address,
            connect_args={"timeout": SQLITE_TIMEOUT, "check_same_thread": False},
            **{} if address.database not in IN_MEMORY_NAMES else alone,
        )
    if address.get_backend_name() != "postgresql":
        raise NoSuchModuleError
    return sql.create_engine(address, pool_pre_ping=True)


# ------------------------------------------------------------------------------------------------ which store

IN_MEMORY_ADDRESS = "sqlite://"


def open_store(course: CourseFolder, address: str | None, out: Path | None) -> Store:
    """Open the store at this address, or else the store of the course, of the output folder, or of the user's cache.

    In the cache, each folder outside of courses has a store. All folders inside the same `submitted/` share a store.
    Stores in the cache that are not used for a while are deleted.
    """
    if address:
        return Store(address)
    if course.root:
        return Store(store_address(course))
    if out:
        return Store(out / DATABASE_FILE)
    folder, there = course.start.resolve(), cache_folder().with_name("results")
    try:
        make_private_folder(there)
        ensure_writable(there)
    except OSError:
        return Store(IN_MEMORY_ADDRESS)
    delete_unused_files(there)
    around = next((each.parent for each in folder.parents if each.name == SUBMITTED_FOLDER), folder)
    return Store(there / f"{sha256(str(around).encode(errors='surrogateescape')).hexdigest()[:24]}.db")


def store_address(course: CourseFolder) -> str | Path:
    """Return the address of a course's own store.

    If the settings name a file, its path is relative to the course folder.
    """
    address = (course.settings.store or DATABASE_FILE).removeprefix("sqlite:///")
    return address if "://" in address else course.folder / address


def course_name_in(store: Store, root: Path | None) -> str:
    """Return a course's name in a store: the name of its folder, or `course` if the store is a file in this folder.

    With the fixed name `course`, the results in this file can be found even after the folder is renamed.
    """
    if root and store.file and store.file.resolve().is_relative_to(root.resolve()):
        return "course"
    return shown_name(root.name) if root else ""  # as in nbgrader
