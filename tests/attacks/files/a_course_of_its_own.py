"""Lays a whole course beside the notebook: pins with easier references, a store, a roster and a key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat


def hand_in(path: Path, notebook: Any) -> None:
    nbformat.write(notebook, path)
    for name in ("pinned", "source/dominoes"):
        (path.parent / name).mkdir(parents=True)
    (path.parent / "pinned" / "versions.json").write_text('{"dominoes": "0.0.1"}')
    (path.parent / "pinned" / "dominoes.toml").write_text("")
    (path.parent / "pinned" / "dominoes.py").write_text("def flip(domino):\n    return domino\n")
    (path.parent / "roster.csv").write_text(f"id,name\n{path.parent.parent.name},m_neighbor\n")
    (path.parent / "foldem.db").write_bytes(b"SQLite format 3\0" + bytes(84))
    (path.parent / "moodle.csv").write_text("assignment,student,name\ndominoes,m_neighbor,me\n")
    (path.parent / "timestamp.txt").write_text("1999-01-01 00:00:00 UTC\n")
