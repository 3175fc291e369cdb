"""The start page of a site: notebooks, progress, and downloads of the learner's work."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import jinja2
import nbformat
from markdown_it import MarkdownIt
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course.learner.opening import DAILY, KERNEL, PRACTICE
from course.show.pictures import unit_picture
from course.show.results import duration

HERE = Path(__file__).parent
TODAY = "today.ipynb"  # at the top, because its questions cover the folders below
FIRST = '<head><script src="../foldem.js"></script>'


@dataclass(frozen=True)
class Card:
    """A notebook on the start page: its path, its stamp and a description of its unit."""

    path: str
    title: str
    summary: str
    size: str
    picture: str
    unit: str
    exercises: tuple[str, ...]
    stamp: str
    game: str = ""
    """The end of the address at which the reference solutions play the game, or ""."""


def notebook_card(path: str, notebook: Mapping[str, Any], stated: Mapping[str, Any]) -> Card:
    """Return the card of a notebook, with the number of its exercises."""
    data = notebook.get("metadata", {}).get("foldem", {})
    every = {each["name"]: each["points"] for each in stated.get("exercises", ())}
    names = [name for name in every if name in data.get("exercises", every)]
    size = f"{len(names)} exercises, about {duration([every[name] for name in names])}" if names else ""
    title = stated.get("title", Path(path).stem)
    unit, stamp = (str(data.get(key, "")) for key in ("unit", "site"))
    return Card(
        path, title, stated.get("summary", ""), size, unit_picture(stated.get("picture", "")), unit, tuple(names), stamp
    )


def add_start(site: Path, name: str, cards: Iterable[Card], version: str) -> None:
    """Write the start page, and let the notebook pages show the progress of loading Python."""
    template = jinja2.Environment(autoescape=True).from_string((HERE / "start.html").read_text(encoding="utf-8"))
    shown = [*cards]
    exercises = {each.path: each.exercises for each in shown if each.unit}
    page = template.render(name=name, cards=shown, exercises=json.dumps(exercises), version=version, today=TODAY)
    (site / "index.html").write_text(page, encoding="utf-8")
    for script in ("foldem.js", "work.js"):
        (site / script).write_text((HERE / script).read_text(encoding="utf-8"), encoding="utf-8")
    for app in ("lab", "notebooks"):
        file = site / app / "index.html"
        file.write_text(file.read_text(encoding="utf-8").replace("<head>", FIRST, 1), encoding="utf-8")


def today_notebook() -> str:
    """Return the notebook with the questions of today."""
    cells = [new_markdown_cell(f"# Today\n\n{DAILY}", id="title"), new_code_cell(PRACTICE, id="today")]
    language = {"name": "python"}  # without it, JupyterLite asks which kernel to start
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNEL, "language_info": language})
    return nbformat.writes(notebook) + "\n"


def add_texts(site: Path, notebooks: Mapping[str, str]) -> None:
    """Write the text of each notebook as HTML, which its page shows until JupyterLite has drawn the notebook.

    It has no links, since they work only in the notebook itself.
    """
    for path, text in notebooks.items():
        parts = []
        for cell in json.loads(text).get("cells", ()):
            if cell["cell_type"] == "markdown":
                html = re.sub(r"</?a\b[^>]*>", "", MarkdownIt().enable("table").render("".join(cell["source"])))
                parts.append(f'<div id="text-{escape(cell.get("id", ""))}">{html}</div>')
        file = site / "texts" / f"{path}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(parts), encoding="utf-8")
