"""The tables of a store, their format number, and how an older store is upgraded. Called by `store.py`.

Format 2 added the course and the student to earlier reports. Format 3 keeps the matches of leagues in a table, and no
verdicts on single answers.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, nullcontext
from pathlib import Path

import sqlalchemy as sql

from autograder.term.files import held

FORMAT = 3
OWNER = "course", "student"  # the columns of an earlier report that format 2 added
TEXTS = "course", "place", "name", "student", "assignment", "unit", "content", "judged_by", "report", "marks"
METADATA = sql.MetaData()
FORMAT_TABLE = sql.Table(
    "foldem_format",
    METADATA,
    sql.Column("key", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("since", sql.Text, nullable=False),
)
ENTRIES = sql.Table(
    "foldem_entry",
    METADATA,
    sql.Column("key", sql.String(64), primary_key=True),
    *(sql.Column(name, sql.Text, nullable=False) for name in TEXTS),
    sql.Column("is_final", sql.Boolean, nullable=False),
)
EARLIER = sql.Table(
    "foldem_earlier",
    METADATA,
    sql.Column("key", sql.String(64), primary_key=True),
    sql.Column("of", sql.String(64), nullable=False, index=True),
    sql.Column("number", sql.Integer, nullable=False),
    sql.Column("report", sql.Text, nullable=False),
    *(sql.Column(name, sql.Text) for name in OWNER),
)
SHOWN_STATES = sql.Table(
    "foldem_shown",
    METADATA,
    sql.Column("key", sql.String(64), primary_key=True),
    sql.Column("state", sql.String(64), nullable=False),
)
CODES = sql.Table(
    "foldem_code",
    METADATA,
    sql.Column("key", sql.String(64), primary_key=True),
    sql.Column("code", sql.Text, nullable=False),
)
MATCHES = sql.Table(
    "foldem_match",
    METADATA,
    sql.Column("key", sql.String(64), primary_key=True),
    sql.Column("match", sql.Text, nullable=False),
)


def format_of(database: sql.Engine | sql.Connection) -> int:
    """Return the format number of a store; 0 for a new one."""
    with database.connect() if isinstance(database, sql.Engine) else nullcontext(database) as connection:
        if not sql.inspect(connection).has_table(FORMAT_TABLE.name):
            return 0
        return connection.scalar(sql.select(sql.func.max(FORMAT_TABLE.c.key))) or 0


def upgrade(engine: sql.Engine, file: Path | None) -> None:
    """Make the tables of a new store, or upgrade an older one. An SQLite file is copied first.

    If two processes do this at once, one waits. Each step can be repeated after an interruption.
    """
    with held(file) if file else nullcontext():
        before = format_of(engine)
        if file and 0 < before < FORMAT:
            _back_up(file, backup_of(file, before))
        with engine.begin() as connection:
            _make_current(connection)


def backup_of(file: Path, number: int) -> Path:
    """Return the name of the copy of a store with an older format.

    >>> backup_of(Path("cs101/foldem.db"), 1).name
    'foldem-backup-of-format-1.db'
    """
    return file.with_name(f"{file.stem}-backup-of-format-{number}{file.suffix}")


def _back_up(file: Path, copy: Path) -> None:
    """Copy a store, unless there is a copy already."""
    if copy.exists():
        return
    draft = copy.with_name(f"{copy.name}.part")
    draft.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(draft)) as target:
        source.backup(target)
    draft.replace(copy)


def _make_current(connection: sql.Connection) -> None:
    if connection.dialect.name == "postgresql":  # if two processes created the tables at once, one would fail
        connection.execute(sql.text("SELECT pg_advisory_xact_lock(19)"))
    for table in METADATA.sorted_tables:
        connection.execute(sql.schema.CreateTable(table, if_not_exists=True))
    if format_of(connection) < FORMAT:
        _add_owners(connection)
        connection.execute(sql.text("DROP TABLE IF EXISTS foldem_verdict"))
        connection.execute(sql.insert(FORMAT_TABLE), [{"key": FORMAT, "since": "0.1.0"}])


def _add_owners(connection: sql.Connection) -> None:
    """Add the course and the student to earlier reports. Both are taken from the current result."""
    present = {column["name"] for column in sql.inspect(connection).get_columns(EARLIER.name)}
    for name in OWNER:
        if name not in present:
            column = sql.schema.CreateColumn(EARLIER.c[name]).compile(dialect=connection.dialect)
            connection.execute(sql.text(f"ALTER TABLE {EARLIER.name} ADD COLUMN {column}"))
    of_its_result = ENTRIES.c.key == EARLIER.c.of
    owner = {name: sql.select(ENTRIES.c[name]).where(of_its_result).scalar_subquery() for name in OWNER}
    connection.execute(sql.update(EARLIER).values(owner))
