"""The tables of a store, and their format number. Called by `store.py`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import sqlalchemy as sql

from autograder.term.files import held

FORMAT = 3
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
    sql.Column("course", sql.Text),
    sql.Column("student", sql.Text),
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


def make_tables(engine: sql.Engine, file: Path | None) -> None:
    """Make the tables of a new store. If two processes do this at once, one waits."""
    with held(file) if file else nullcontext(), engine.begin() as connection:
        if connection.dialect.name == "postgresql":  # if two processes created the tables at once, one would fail
            connection.execute(sql.text("SELECT pg_advisory_xact_lock(19)"))
        for table in METADATA.sorted_tables:
            connection.execute(sql.schema.CreateTable(table, if_not_exists=True))
        if not format_of(connection):
            connection.execute(sql.insert(FORMAT_TABLE), [{"key": FORMAT, "since": "0.1.0"}])
