"""If a folder has several notebooks of a unit, the running one counts, in every front end."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.kernel import RIGHT, Kernel, save
from tests.kernel import folder as folder

OLDER = "def flip(domino):\n    a, b = domino.left, domino.right\n    return Domino(b, a)"
OLD, NEW = "old_dominoes.ipynb", "1_dominoes.ipynb"


def solved_beside_an_old_one(folder: Path) -> Kernel:
    """Return the kernel of 1_dominoes, which is solved, run and saved. The other notebook was saved even later."""
    kernel = Kernel()
    kernel.run(RIGHT)
    save(folder, {"flip": RIGHT}, seconds_later=1)
    save(folder, {"flip": OLDER}, seconds_later=2, name=OLD)
    return kernel


def in_jupyter(kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", str(folder / NEW))


def renamed_since_the_kernel_started(kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a kernel that was started under the name of another notebook. Only the running one has the cell."""
    monkeypatch.setenv("JPY_SESSION_NAME", str(folder / OLD))
    save(folder, {"flip": RIGHT}, seconds_later=1, cells={"mine": 'check("flip")'})
    tells_cell(kernel, "mine", monkeypatch)


def tells_cell(kernel: Kernel, cell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(kernel.shell), "get_parent", lambda _: {"metadata": {"cellId": cell}}, raising=False)


def in_a_browser(kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate JupyterLite, whose kernel is not ipykernel and reports the cell itself."""
    save(folder, {"flip": RIGHT}, seconds_later=1, cells={"mine": 'check("flip")'})
    lite = SimpleNamespace(get_parent=lambda: {"metadata": {"cellId": "mine"}})
    monkeypatch.setattr(kernel.shell, "kernel", lite, raising=False)


FRONT_ENDS = (
    in_a_browser,
    in_jupyter,
    lambda kernel, folder, _: kernel.shell.user_ns.update({"__vsc_ipynb_file__": str(folder / NEW)}),  # VS Code
    renamed_since_the_kernel_started,
    lambda *_: None,  # a front end that tells nothing
)


@pytest.mark.parametrize("tell", FRONT_ENDS)
def test_a_right_answer_is_right_whatever_files_are_beside_the_notebook(
    folder: Path, tell: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = solved_beside_an_old_one(folder)
    tell(kernel, folder, monkeypatch)  # type: ignore[operator]
    assert "✓ flip: right in all" in kernel.run('check("flip")')


def test_the_running_notebook_determines_the_exercises_to_solve(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = solved_beside_an_old_one(folder)
    save(folder, {}, seconds_later=3, name=OLD, metadata={"exercises": ["flip", "append"]})
    in_jupyter(kernel, folder, monkeypatch)
    assert "1 of 22" in kernel.run('check("flip")')


def test_an_edited_cell_of_the_running_notebook_is_detected(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = solved_beside_an_old_one(folder)
    in_jupyter(kernel, folder, monkeypatch)
    save(folder, {"flip": RIGHT.replace("domino", "tile")}, seconds_later=3)
    assert "you changed the cell, but did not run it" in kernel.run('check("flip")')


def test_progress_of_one_notebook_does_not_count_for_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = solved_beside_an_old_one(folder)
    in_jupyter(kernel, folder, monkeypatch)
    kernel.run('check("flip")')
    save(folder, {"flip": RIGHT}, seconds_later=9, name=OLD)
    save(folder, {}, seconds_later=9)
    assert "↻ flip" in Kernel().run('print(progress("dominoes"))')


def test_a_notebook_that_is_no_unit_has_none_of_theirs_checked_against_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = solved_beside_an_old_one(folder)
    (folder / "scratch.ipynb").write_text('{"cells": [], "metadata": {}}')
    monkeypatch.setenv("JPY_SESSION_NAME", str(folder / "scratch.ipynb"))
    assert "✓ flip: right in all" in kernel.run('check("flip")')


def test_nbgraders_validation_grades_the_notebook_it_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    kernel = Kernel()
    kernel.run(RIGHT)
    save(folder, {"flip": "def flip(domino):\n    return domino"})
    save(folder, {"flip": RIGHT}, name="zzz.ipynb")
    assert "✓ flip: right in all" in kernel.run('check("flip")')
