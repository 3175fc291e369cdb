"""A stranger's notebook: it does not stop JupyterLab, and runs nothing until the user runs a cell."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import anywidget
import nbformat
import pytest
from jupyterlab_server.config import get_page_config
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.commands.lab import START, make_working_copy, settings_folder
from course.kernel.files import text_here
from course.learner.answer import answer_among
from course.learner.opening import LAYOUT_FILE, LAYOUTS
from course.learner.practising import IdeaReview, save_review
from course.learner.progress import load, update
from course.limits import LARGEST_FILE
from tests.classroom import write_files
from tests.command import PATIENCE
from tests.test_tables_browser import READY, chromium, jupyter_lab
from tests.units import read_unit

ODD = {
    "a number of exercises": '{"cells": [], "metadata": {"foldem": {"unit": "dominoes", "exercises": 5}}}',
    "exercises that are none": '{"cells": [], "metadata": {"foldem": {"unit": "dominoes", "exercises": [[]]}}}',
    "no version": '{"cells": 5, "metadata": {"foldem": {"unit": [], "course": {}, "version": {}}}}',
    "deep lists": "[" * 100_000,
    "no notebook": "null",
}
MARK = "document.body.dataset.ran = true;"
WIDGET = "application/vnd.jupyter.widget-%s+json"


@pytest.mark.parametrize("kind", ODD)
def test_odd_notebook_in_the_folder_stops_no_lab(tmp_path: Path, kind: str) -> None:
    (tmp_path / "1_dominoes.ipynb").write_text(ODD[kind])
    assert not [*make_working_copy(tmp_path, (read_unit("dominoes"),))]
    assert (tmp_path / START).exists() and (tmp_path / "1_dominoes.ipynb").read_text() == ODD[kind]


LAYOUT = f".foldem/lab/{LAYOUTS}/{LAYOUT_FILE}"
PLACES = (
    "1_dominoes.ipynb",
    "foldem.toml",
    START,
    ".foldem/progress/dominoes.json",
    ".foldem/lab/overrides.json",
    LAYOUT,
)


@pytest.mark.parametrize("place", PLACES)
def test_pipe_or_device_in_a_strangers_folder_keeps_no_lab_waiting(tmp_path: Path, place: str) -> None:
    for name, make in {"pipe": os.mkfifo, "device": partial(os.symlink, "/dev/zero")}.items():
        path = tmp_path / name / place
        path.parent.mkdir(parents=True)
        make(path)
        list(make_working_copy(tmp_path / name, (read_unit("dominoes"),)))
        settings_folder(tmp_path / name)
        assert place != LAYOUT or (path.is_file() and not path.is_symlink())


def test_huge_file_in_a_strangers_folder_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.ipynb").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(OSError, match="this is a folder, a device or a huge file, and cannot be read"):
        text_here(tmp_path / "huge.ipynb")


def test_links_in_a_strangers_folder_let_no_lab_write_elsewhere(tmp_path: Path) -> None:
    folder, outside = tmp_path / "strange", tmp_path / "thesis.tex"
    lab = folder / ".foldem" / "lab"
    outside.write_text("precious")
    (lab / "custom").mkdir(parents=True)
    links = {lab / name: outside for name in ("overrides.json", "page_config.json", "custom/custom.css")}
    links |= {folder / name: tmp_path / "missing" for name in (START, "1_dominoes.ipynb")}
    for link, target in links.items():
        link.symlink_to(target)
    list(make_working_copy(folder, (read_unit("dominoes"),)))
    settings_folder(folder)
    assert outside.read_text() == "precious" and not (tmp_path / "missing").exists()
    assert "notification" in (lab / "overrides.json").read_text()


@pytest.mark.parametrize("link", [".foldem", ".foldem/lab", ".foldem/lab/custom", ".foldem/lab/workspaces"])
def test_linked_folders_in_a_strangers_folder_let_no_lab_write_elsewhere(tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "strange" / link).parent.mkdir(parents=True)
    (tmp_path / "strange" / link).symlink_to(outside)
    settings_folder(tmp_path / "strange")
    assert not [*outside.iterdir()] and (tmp_path / "strange" / ".foldem" / "lab" / "custom" / "custom.css").is_file()


def test_links_in_a_strangers_folder_let_no_check_write_elsewhere(tmp_path: Path) -> None:
    (outside := tmp_path / "outside").mkdir()
    for link in (".foldem", ".foldem/progress"):
        folder = tmp_path / link.replace("/", "_")
        (folder / link).parent.mkdir(parents=True)
        (folder / link).symlink_to(outside)
        answer = answer_among({"FOLDEM_FOLDER": folder}, "flip", "dominoes")
        update(answer, lambda entry: replace(entry, hints=1))
        save_review(folder, IdeaReview(1, "uno", "fold", True))
        assert not [*outside.rglob("*")] and load(folder, "dominoes")["flip"].hints == 1


def test_settings_in_a_strangers_folder_bring_no_shortcut_and_no_page(tmp_path: Path) -> None:
    lab = tmp_path / ".foldem" / "lab"
    strange = ("overrides.json5", "overrides.d/a.json", "custom/page.html", "page_config.json5", "workspaces/own.json")
    write_files(lab, dict.fromkeys(strange, '{"fullStaticUrl": "//example.org"}'))
    assert "fullStaticUrl" not in get_page_config([], str(settings_folder(tmp_path)))  # scripts of another server
    assert [name for name in strange if (lab / name).exists()] == ["workspaces/own.json"]


def hostile() -> nbformat.NotebookNode:
    """Return a notebook whose outputs, text and widget try to run a script."""
    module = {"_model_module": "anywidget", "_model_name": "AnyModel", "_view_module": "anywidget"}
    module["_model_module_version"] = module["_view_module_version"] = f"~{anywidget.__version__}.*"
    code = f"export default {{initialize() {{{MARK}}}, render() {{{MARK}}}}}; {MARK}"
    model = {name[1:]: module[name] for name in ("_model_module", "_model_name", "_model_module_version")}
    model["state"] = module | {"_esm": code, "_view_name": "AnyView", "_anywidget_id": "strange.Widget"}
    state = {"version_major": 2, "version_minor": 0, "state": {"strange": model}}
    bundles = (
        {WIDGET % "view": {"version_major": 2, "version_minor": 0, "model_id": "strange"}},
        {"text/html": f'<script>{MARK}</script><img src="x" onerror="{MARK}"><b>seen</b>'},
        {"application/javascript": MARK},
        {"image/svg+xml": f'<svg xmlns="http://www.w3.org/2000/svg" onload="{MARK}"><script>{MARK}</script></svg>'},
    )
    outputs = [new_output("display_data", bundle) for bundle in bundles]
    cells = new_markdown_cell(f'<img src="x" onerror="{MARK}">'), new_code_cell("1", outputs=outputs, execution_count=1)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=list(cells), metadata={"kernelspec": kernel, "widgets": {WIDGET % "state": state}})


@pytest.mark.proof
@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_strangers_notebook_runs_no_script_when_it_is_opened(tmp_path: Path) -> None:
    (tmp_path / "strange.ipynb").write_text(json.dumps(hostile()))
    with jupyter_lab(tmp_path) as lab, chromium(tmp_path / "profile") as browser:
        page = browser.new_page()
        page.goto(lab % "strange.ipynb")
        page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context", timeout=1000 * PATIENCE)
        page.wait_for_function(READY, timeout=1000 * PATIENCE)
        page.get_by_text("seen").wait_for(timeout=1000 * PATIENCE)
        time.sleep(3)  # for what would run a little later
        assert page.evaluate("document.body.dataset.ran") is None
