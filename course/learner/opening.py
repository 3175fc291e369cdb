"""Prepare the notebooks for a learner who opens them: write the start page, and import the names of the notebook.

The command `foldem-course` copies the notebooks to a folder.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from course.exam.calls import Names
from course.kernel import catalogue
from course.kernel.notebook import STARTED_UNIT_VARIABLE, make_real_folder, read_safely, remove_path, write_safely
from course.kernel.workspace import Workspace, running_notebook_path, workspace_of
from course.learner.progress import has_game, shown_progress, unit_progress, units_here

START_PAGE_NAME = "start.ipynb"
# An installed course contains the notebooks; in a checkout they are beside it.
FOLDERS_WITH_NOTEBOOKS = Path(__file__).parents[1:3]
STARTUP_FILE = str(Path(__file__).with_name("startup.py"))
KERNEL_SPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
# Messages name lines.
LINE_NUMBER_SETTINGS = {"@jupyterlab/notebook-extension:tracker": {"codeCellConfig": {"lineNumbers": True}}}
# JupyterLab asks for news on its first start, which needs the network. Saving soon lets `check` detect a cell that was
# edited but not run.
LAB_SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},
    **LINE_NUMBER_SETTINGS,
}
# JupyterLab opens with closed sidebars. On a phone, an open sidebar would leave 50 pixels for a notebook.
LAB_LAYOUT = {
    "left": {
        "collapsed": True,
        "visible": True,
        "widgets": ["@jupyterlab/toc:plugin", "filebrowser", "running-sessions", "extensionmanager.main-view"],
    },
    "relativeSizes": [0, 1, 0],
}
LAYOUTS_FOLDER = "workspaces"
LAYOUT_FILE = "default-37a8.jupyterlab-workspace"  # JupyterLab's name for the file of the workspace `default`
GAMES_TITLE = "Program games in Python: write the functions, one by one, and play the games with them."
PROGRAMS_TITLE = "Write programs in Python, function by function, and run them."
WELCOME_TEXT = """\
*Continue* leads to your next exercise. Write your answer where you see `raise NotImplementedError`. Run
the cell (Shift-Enter), then run the `check` under it. If you are stuck, `hint("{name}")` shows a hint.{borrow}

Do not write on this page: Foldem creates it again at each start.
"""
TODAY_TEXT = """\
**Five minutes a day.** Run the cell below (Shift-Enter). The cell asks a few questions about exercises that
you have solved. After a wrong answer, you get another question about the same idea tomorrow. After a right answer, you
get the next question some days later.
"""
TODAY_CELL_CODE = "from course.check import today\n\ntoday()"
PLAY_FIRST_TEXT = """\
**Play first.** On this page, all functions of a game are reference solutions. To play with functions
that you have written, run `open_game()` in the notebook of the game. (If you see no buttons, run the cell below with
Shift-Enter.)
"""
PLAY_CELL_CODE = 'from course.check import open_game; open_game("{}")'
# A click on a game puts its name into the cell, and runs it. Without JavaScript, the cell is there to be run.
PLAY_CLICK_SCRIPT = """const app = window.jupyterapp, book = app?.shell.currentWidget?.content;
const at = book?.widgets?.findIndex((each) => each.model.id === 'play') ?? -1;
if (at >= 0) { book.widgets[at].model.sharedModel.setSource(this.dataset.code); book.activeCellIndex = at;
app.commands.execute('notebook:run-cell'); book.widgets[at].node.scrollIntoView(); }"""
PLAY_BUTTON_STYLE = (
    "font:inherit;font-weight:600;padding:.3em .9em;border:0;border-radius:.4em;background:#1a8754;color:#fff"
)
BORROW_TEXT = """ `borrow("{name}")`
gives you a reference solution, so that you can continue. Once your own answer is right, `solution("{name}")` shows
the reference solution below yours."""


def main() -> None:
    """Run the command `foldem-course FOLDER`, which copies the course's notebooks to a folder."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("Copies the notebooks to a folder: foldem-course FOLDER")
    try:
        for line in copy_notebooks(Path(sys.argv[1])):
            print(line)
    except OSError as error:
        sys.exit(f"foldem-course: {error.filename}: {error.strerror}")


def copy_notebooks(folder: Path) -> Iterator[str]:
    """Copy the notebooks of the course to a folder, and yield a message for each. Existing files are not changed."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted(path for home in FOLDERS_WITH_NOTEBOOKS for path in home.glob("notebooks/[0-9]_*.ipynb")):
        target = folder / source.name
        if os.path.lexists(target):
            yield f"kept   {target}"
        else:
            target.write_bytes(source.read_bytes())
            yield f"new    {target}"
    write_start_page(folder)
    yield f"Next: jupyter lab {shlex.quote(str(folder / START_PAGE_NAME))}"


def import_unit(names: Names) -> None:
    """Run the imports of the notebook for which the kernel was started, so that its cells can be run in any order."""
    path = running_notebook_path(names)
    book = next((each for each in workspace_of(names).saved_notebooks if path and each.path.name == path.name), None)
    if book is not None:
        import_names(names, book.package, book.unit)


def import_names(names: Names, home: str, unit: str, path: str = "") -> None:
    """Import a unit's names, and `check` and the other cell functions.

    A site calls this function when a kernel has started. A site also passes the notebook's path. Outside a site,
    Jupyter puts the notebook's path into an environment variable. Only installed units are imported, because the
    notebook that names the unit may come from a stranger.
    """
    if path:
        os.environ["JPY_SESSION_NAME"] = path
    if catalogue.has_unit(home, unit):
        exec(f"from {home}.{unit} import *\nfrom course.check import *", names)
        names[STARTED_UNIT_VARIABLE] = f"{home}.{unit}"


def environment_with_startup(environment: dict[str, str]) -> dict[str, str]:
    """Return `environment` with variables that make a kernel begin with the imports of its notebook.

    With these variables, Python does not import modules from the notebook's folder.
    """
    return environment | {"PYTHONSTARTUP": STARTUP_FILE, "PYTHONSAFEPATH": "1"}


def write_start_page(folder: Path) -> bool:
    """Write the start page of JupyterLab, which shows the progress so far.

    Return False if another file has the name of the start page.
    """
    page, space = folder / START_PAGE_NAME, Workspace({}, folder.resolve())
    if page.exists():
        try:
            is_ours = bool(json.loads(read_safely(page))["metadata"]["foldem"]["start"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            is_ours = False
        if not is_ours:
            return False
    can_borrow = space.is_allowed("borrowing") and catalogue.reference_provider() is not None
    units, shown = units_here(space), shown_progress(space)._repr_mimebundle_()
    first = catalogue.statements(units[0]).exercises[0].name
    games = [unit for unit in units if has_game(unit)]
    cells = [
        _text_cell("title", f"# Foldem\n\n{GAMES_TITLE if games else PROGRAMS_TITLE}"),
        *_play_cells(games),
        _code_cell(
            "progress",
            "# after a check, run this cell (Shift-Enter): it shows your progress and your next exercise\n"
            "from course.check import progress\n\nprogress()",
            shown,
            is_hidden=True,
        ),
        _text_cell(
            "welcome", WELCOME_TEXT.format(name=first, borrow=BORROW_TEXT.format(name=first) if can_borrow else "")
        ),
    ]
    if any(unit_progress(space, unit).solved_count for unit in units):
        cells += [_text_cell("daily", TODAY_TEXT), _code_cell("today", TODAY_CELL_CODE)]
    metadata = {"kernelspec": KERNEL_SPEC, "foldem": {"start": True}}
    book = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    write_safely(page, f"{json.dumps(book, ensure_ascii=False, indent=1)}\n")
    return True


def _play_cells(games: list[str]) -> Iterator[dict[str, object]]:
    """Yield the cells for playing a game first: a button for each game, and the cell that the buttons run."""
    if not games:
        return
    buttons = "".join(
        f'<button type="button" style="{PLAY_BUTTON_STYLE}" data-code="{escape(PLAY_CELL_CODE.format(unit))}" '
        f'onclick="{escape(PLAY_CLICK_SCRIPT)}">▶ Play {escape(unit.capitalize())}</button>'
        for unit in games
    )
    row = f'<div style="display:flex;flex-wrap:wrap;gap:.6em;margin:.6em 0">{buttons}</div>'
    yield _text_cell("play-first", PLAY_FIRST_TEXT)
    yield _code_cell(
        "games", "# a click on a game runs the cell below", {"text/html": row, "text/plain": ""}, is_hidden=True
    )
    yield _code_cell("play", PLAY_CELL_CODE.format(games[0]))


def _code_cell(
    name: str, source: str, shown: dict[str, str] | None = None, is_hidden: bool = False
) -> dict[str, object]:
    """Return a cell of code, with its output if it has one."""
    outputs = [{"output_type": "display_data", "metadata": {}, "data": shown}] if shown else []
    metadata = {"jupyter": {"source_hidden": True}} if is_hidden else {}
    return {"cell_type": "code", "id": name, "execution_count": None} | {
        "metadata": metadata,
        "outputs": outputs,
        "source": source,
    }


def _text_cell(name: str, text: str) -> dict[str, object]:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": text}


def write_settings(folder: Path) -> Path:
    """Write the settings of JupyterLab for learners to a folder, and return the folder.

    Other files in the folder are removed, except layouts. The removed files may be a stranger's settings, which could
    load scripts from any server, or run all cells when a key is pressed.
    """
    make_real_folder(folder.parent)
    make_real_folder(folder)
    for path in folder.iterdir():
        if path.name != LAYOUTS_FOLDER:
            remove_path(path)
    write_safely(folder / "overrides.json", json.dumps(LAB_SETTINGS, indent=1))
    return folder


def write_layout(folder: Path) -> None:
    """Write the initial layout of JupyterLab. A layout that the learner has changed is not overwritten."""
    make_real_folder(folder)
    for path in folder.iterdir():
        if path.is_symlink() or not path.is_file():
            remove_path(path)
    if not any(folder.iterdir()):
        layout = {"data": {"layout-restorer:data": LAB_LAYOUT}, "metadata": {"id": "default"}}
        write_safely(folder / LAYOUT_FILE, json.dumps(layout))
