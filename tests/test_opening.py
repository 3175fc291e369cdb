"""The start page, the kernel that begins with a notebook's imports, and strangers' notebooks, of which nothing runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path

import anywidget
import nbformat
import pytest
from jupyterlab_server.config import get_page_config
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.commands.lab import make_working_copy, settings_folder
from course.kernel.notebook import text_here
from course.learner.answer import answer_among
from course.learner.opening import LAYOUT_FILE, LAYOUTS, START, import_unit, with_startup, write_start_page
from course.learner.practising import IdeaReview, save_review
from course.learner.progress import load, update
from course.limits import LARGEST_FILE
from tests.classroom import write_files
from tests.command import PATIENCE
from tests.kernel import RIGHT, Kernel, save, working_in
from tests.test_tables_browser import READY, chromium, jupyter_lab
from tests.units import read_unit

ROOT = Path(__file__).parents[1]


def test_kernel_begins_with_the_imports_of_its_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", str(save(tmp_path, {})))
    with working_in(tmp_path):
        kernel = Kernel(has_imports=False)
        import_unit(kernel.shell.user_ns)
        kernel.run(RIGHT)
        assert "✓ flip" in kernel.run('check("flip")')


def test_kernel_of_another_notebook_imports_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path, {})
    (tmp_path / "own.ipynb").write_text("{}")
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "own.ipynb"))
    import_unit(names := dict[str, object]())
    assert names == {}


def in_ipython(folder: Path, typed: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Type lines in IPython as JupyterLab would start it in a folder."""
    command = [sys.executable, "-m", "IPython", "--no-banner", "--colors=NoColor", "--simple-prompt"]
    environment = with_startup(dict(os.environ)) | settings
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, input=typed)


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("from course.kernel.notebook import units_imported as units\nprint(units(globals()))", "['dominoes']"),
        ("append(Domino(1, 2), EMPTY, '<')", "append is not defined yet (exercise 2)"),
        ("print(Domino(1, 2), check)", "1-2 <function check"),
    ],
)
def test_any_cell_can_run_first_in_a_started_kernel(tmp_path: Path, cell: str, shown: str) -> None:
    done = in_ipython(tmp_path, cell, JPY_SESSION_NAME=str(save(tmp_path, {})))
    assert shown in done.stdout, done.stdout


MARK = "open('ran.txt', 'w').close()"
STARTED, PROGRESS = "print('it', 'started')", "from course.check import progress\nprogress()"
IMPORTED = f"{PROGRESS}\nfrom course.learner.opening import import_names\nimport_names(globals(), 'mine', 'toys')"
WARMUP = json.loads((ROOT / "course" / "statements" / "warmup.json").read_text())
TOYS = {"mine/statements/toys.json": json.dumps(WARMUP | {"unit": "toys", "title": "Toys", "module": "wide.toys"})}
PLUGINS = {
    "mine-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: mine\nVersion: 1\n",
    "mine-1.dist-info/entry_points.txt": "[foldem.examiner]\na = mine:a\n[foldem.references]\na = mine:a\n"
    "[foldem.packs]\na = mine\n",
}
# An imported package without `__init__.py` also has the files in any folder of its name, such as a stranger's.
WIDE = {"wide/statements/toys.json": TOYS["mine/statements/toys.json"], "wide/toys/unit.toml": ""}


def marked(*names: str) -> dict[str, str]:
    """Return files of a stranger that write another file when they run."""
    return dict.fromkeys(names, MARK)


# What a stranger's notebook says about its unit, the files beside it, what is typed, and what is shown then.
STRANGE: dict[str, tuple[dict[str, str], dict[str, str], str, str]] = {
    "code in place of a unit": ({"unit": f"dominoes import *\n{MARK}\n#"}, {}, STARTED, "it started"),
    "code in place of a package": (
        {"unit": "dominoes", "course": f"course.uno import *\n{MARK}\nfrom course"},
        {},
        STARTED,
        "it started",
    ),
    "a package beside": (
        {"unit": "own", "course": "mine"},
        marked("mine/__init__.py", "mine/own.py", "mine/statements/own.json"),
        STARTED,
        "it started",
    ),
    "a part of a package beside": (
        {"unit": "own", "course": "mine.part"},
        marked("mine/__init__.py", "mine/statements/own.json"),
        STARTED,
        "it started",
    ),
    "a folder called course": ({"unit": "dominoes"}, marked("course/__init__.py"), STARTED, "it started"),
    "modules called like imported ones": ({"unit": "dominoes"}, marked("toolz.py", "symtable.py"), STARTED, "started"),
    "a package with a unit": ({"unit": "toys", "course": "mine"}, TOYS | marked("mine/__init__.py"), IMPORTED, "of 12"),
    "a part of an imported package": (
        {"unit": "toys", "course": "wide"},
        WIDE | marked("wide/toys/__init__.py", "wide/toys/pictures.py"),
        f"import wide.part\n{PROGRESS}",
        "Begin",
    ),
    "plugins and a grader": (
        {},
        PLUGINS | marked("mine.py", "autograder/__init__.py", "doctest.py", "msgspec.py"),
        PROGRESS,
        "Begin",
    ),
}


@pytest.mark.promise("others")
@pytest.mark.parametrize("what", STRANGE)
def test_opening_a_strangers_notebook_runs_none_of_its_code(what: str, tmp_path: Path) -> None:
    metadata, files, typed, wanted = STRANGE[what]
    here, settings = tmp_path / "here", {"PYTHONPATH": str(tmp_path / "installed")}
    write_files(tmp_path / "installed", {"wide/part.py": ""})
    write_files(here, files | {"strange.ipynb": json.dumps({"cells": [], "metadata": {"foldem": metadata}})})
    done = in_ipython(here, typed, JPY_SESSION_NAME=str(here / "strange.ipynb"), **settings)
    assert wanted in done.stdout and "Toys" not in done.stdout, done.stdout + done.stderr
    assert not (here / "ran.txt").exists()


def test_an_imported_package_next_to_a_notebook_is_part_of_the_progress(tmp_path: Path) -> None:
    notebook = json.dumps({"cells": [], "metadata": {"foldem": {"unit": "toys", "course": "mine"}}})
    write_files(tmp_path, TOYS | marked("mine/__init__.py") | {"toys.ipynb": notebook})
    done = in_ipython(tmp_path, f"import mine\n{PROGRESS}")
    assert "Toys" in done.stdout and (tmp_path / "ran.txt").exists()


@pytest.mark.promise("others")
def test_kernel_starts_with_no_module_beside_its_notebook(tmp_path: Path) -> None:
    (tmp_path / "ipykernel_launcher.py").write_text(MARK)
    (tmp_path / "mine.py").write_text("print('it is', 'mine')")
    launch = [sys.executable, "-m", "ipykernel_launcher", "--version"]
    assert subprocess.run(launch, cwd=tmp_path, env=with_startup(dict(os.environ)), capture_output=True).returncode == 0
    assert not (tmp_path / "ran.txt").exists()
    (tmp_path / "jedi.py").write_text(MARK)  # IPython imports it to complete a name
    done = in_ipython(tmp_path, f"import mine, jedi\n!{sys.executable} -c 'import mine'\n")
    assert done.stdout.count("it is mine") == 2, done.stdout + done.stderr
    assert not (tmp_path / "ran.txt").exists()


def test_lab_starts_without_error_and_runs_no_code_of_its_folder(tmp_path: Path) -> None:
    for name in ("jupyterlab.py", "jupyter_server_config.py", "autograder/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(MARK)
    pack = shutil.copytree(ROOT / "packs" / "kalah", tmp_path / "pack")
    (pack / "kalah_course" / "__init__.py").write_text(MARK)
    (tmp_path / "foldem.toml").write_text('packs = ["pack"]\n')
    command = [Path(sys.executable).with_name("foldem"), "lab", ".", "--no-browser"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True) as lab:
        assert lab.stderr
        before = takewhile(lambda line: "is running at" not in line, lab.stderr)
        assert [line for line in before if line.startswith("[E")] == [] and "http" in next(lab.stderr)
        os.killpg(lab.pid, signal.SIGTERM)
    assert not (tmp_path / "ran.txt").exists()


def start_page(folder: Path) -> str:
    """Write the start page, and return its text."""
    assert write_start_page(folder)
    return (folder / START).read_text(encoding="utf-8")


def test_start_page_is_renewed_and_a_page_of_the_learner_is_kept(tmp_path: Path) -> None:
    save(tmp_path, {"flip": RIGHT}, -9)
    first = start_page(tmp_path)
    assert "Begin: flip in " in first and "Program games in Python" in first and "today()" not in first
    with working_in(tmp_path):
        Kernel().after(RIGHT)
    assert "today()" in start_page(tmp_path)
    (tmp_path / START).write_text("{}")
    assert not write_start_page(tmp_path) and (tmp_path / START).read_text() == "{}"


@pytest.mark.parametrize("borrowing", ["true", "false"])
def test_start_page_offers_to_borrow_only_where_it_works(tmp_path: Path, borrowing: str) -> None:
    save(tmp_path, {})
    (tmp_path / "foldem.toml").write_text(f"borrowing = {borrowing}")
    assert ("borrow(" in start_page(tmp_path)) is (borrowing == "true")


def test_kernel_of_a_site_begins_with_the_imports_that_the_page_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", "")
    script = (ROOT / "autograder/site/foldem.js").read_text(encoding="utf-8")
    (code,) = re.findall(r"code = `(from course.*?)`;", script)
    names: dict[str, object] = {}
    exec(code.replace("\\n  ", "\n").replace("${values}", "'course', 'dominoes', '/drive/own.ipynb'"), names)
    assert os.environ["JPY_SESSION_NAME"] == "/drive/own.ipynb"
    assert {"Domino", "check"} <= {*names} and "import_names" not in names


# ------------------------------------------------------------------------------------------------ strangers' notebooks

ODD = {
    "a number of exercises": '{"cells": [], "metadata": {"foldem": {"unit": "dominoes", "exercises": 5}}}',
    "exercises that are none": '{"cells": [], "metadata": {"foldem": {"unit": "dominoes", "exercises": [[]]}}}',
    "no version": '{"cells": 5, "metadata": {"foldem": {"unit": [], "course": {}, "version": {}}}}',
    "deep lists": "[" * 100_000,
    "no notebook": "null",
}
SCRIPT = "document.body.dataset.ran = true;"
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
    code = f"export default {{initialize() {{{SCRIPT}}}, render() {{{SCRIPT}}}}}; {SCRIPT}"
    model = {name[1:]: module[name] for name in ("_model_module", "_model_name", "_model_module_version")}
    model["state"] = module | {"_esm": code, "_view_name": "AnyView", "_anywidget_id": "strange.Widget"}
    state = {"version_major": 2, "version_minor": 0, "state": {"strange": model}}
    bundles = (
        {WIDGET % "view": {"version_major": 2, "version_minor": 0, "model_id": "strange"}},
        {"text/html": f'<script>{SCRIPT}</script><img src="x" onerror="{SCRIPT}"><b>seen</b>'},
        {"application/javascript": SCRIPT},
        {"image/svg+xml": f'<svg xmlns="http://www.w3.org/2000/svg" onload="{SCRIPT}"><script>{SCRIPT}</script></svg>'},
    )
    outputs = [new_output("display_data", bundle) for bundle in bundles]
    cells = (
        new_markdown_cell(f'<img src="x" onerror="{SCRIPT}">'),
        new_code_cell("1", outputs=outputs, execution_count=1),
    )
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
