"""A learner who comes back: the start page, and a kernel that begins with the imports of its notebook."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest

from course.learner.opening import START, import_unit, with_startup, write_start_page
from tests.classroom import write_files
from tests.kernel import RIGHT, Kernel, save, working_in

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
STRANGE = {
    "code in place of a unit": ({"unit": f"dominoes import *\n{MARK}\n#"}, ()),
    "code in place of a package": ({"unit": "dominoes", "course": f"course.uno import *\n{MARK}\nfrom course"}, ()),
    "a package beside": ({"unit": "own", "course": "mine"}, ("mine/__init__.py", "mine/own.py")),
    "a part of a package beside": ({"unit": "own", "course": "mine.part"}, ("mine/__init__.py",)),
    "a folder called course": ({"unit": "dominoes"}, ("course/__init__.py",)),
    "modules called like those that Foldem imports": ({"unit": "dominoes"}, ("toolz.py", "symtable.py")),
}


@pytest.mark.parametrize("what", STRANGE)
def test_opening_a_stranger_s_notebook_runs_none_of_its_code(what: str, tmp_path: Path) -> None:
    metadata, files = STRANGE[what]
    (tmp_path / "strange.ipynb").write_text(json.dumps({"cells": [], "metadata": {"foldem": metadata}}))
    (tmp_path / "mine" / "statements").mkdir(parents=True)
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(MARK)
    done = in_ipython(tmp_path, "print('it', 'started')", JPY_SESSION_NAME=str(tmp_path / "strange.ipynb"))
    assert "it started" in done.stdout, done.stderr
    assert not (tmp_path / "ran.txt").exists()


def toys() -> str:
    """Return the statements of a unit `toys`."""
    warmup = json.loads((ROOT / "course" / "statements" / "warmup.json").read_text())
    return json.dumps(warmup | {"unit": "toys", "title": "Toys", "module": "wide.toys"})


@pytest.mark.promise("others")
def test_package_next_to_a_notebook_is_not_imported_by_progress(tmp_path: Path) -> None:
    write_files(tmp_path, {"mine/statements/toys.json": toys(), "mine/__init__.py": MARK})
    write_files(
        tmp_path, {"toys.ipynb": json.dumps({"cells": [], "metadata": {"foldem": {"unit": "toys", "course": "mine"}}})}
    )
    cells = "from course.check import progress\nprogress()\nfrom course.learner.opening import import_names\n"
    done = in_ipython(tmp_path, f"{cells}import_names(globals(), 'mine', 'toys')\n")
    assert "of 12" in done.stdout and "Toys" not in done.stdout and not (tmp_path / "ran.txt").exists()
    done = in_ipython(tmp_path, f"import mine\n{cells}")
    assert "Toys" in done.stdout and (tmp_path / "ran.txt").exists()


@pytest.mark.promise("others")
def test_progress_imports_no_part_of_a_package_next_to_a_notebook(tmp_path: Path) -> None:
    """An imported package without `__init__.py` also has the files in any folder of its name, such as a stranger's."""
    here = tmp_path / "here"
    write_files(tmp_path, {"installed/wide/part.py": "", "here/wide/toys/pictures.py": MARK})
    write_files(here, {"wide/statements/toys.json": toys(), "wide/toys/__init__.py": MARK, "wide/toys/unit.toml": ""})
    write_files(here, {"toys.ipynb": '{"cells": [], "metadata": {"foldem": {"unit": "toys", "course": "wide"}}}'})
    typed = "import wide.part\nfrom course.check import progress\nprogress()"
    done = in_ipython(here, typed, PYTHONPATH=str(tmp_path / "installed"))
    assert "Begin" in done.stdout and "Toys" not in done.stdout and not (here / "ran.txt").exists()


@pytest.mark.promise("others")
def test_progress_loads_no_plugin_and_no_grader_next_to_a_notebook(tmp_path: Path) -> None:
    plugins = "[foldem.examiner]\na = mine:a\n[foldem.references]\na = mine:a\n[foldem.packs]\na = mine\n"
    files = dict.fromkeys(("mine.py", "autograder/__init__.py", "doctest.py", "msgspec.py"), MARK)
    about = {"METADATA": "Metadata-Version: 2.1\nName: mine\nVersion: 1\n", "entry_points.txt": plugins}
    write_files(tmp_path, files | {f"mine-1.dist-info/{name}": text for name, text in about.items()})
    done = in_ipython(tmp_path, "from course.check import progress\nprogress()")
    assert "Begin" in done.stdout and not (tmp_path / "ran.txt").exists()


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
