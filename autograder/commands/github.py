"""`foldem github`: make a starter repository on GitHub, whose workflow grades each push.

Students can change the workflow, so its mark is only feedback. For the real marks, grade on your own machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from autograder.commands.wheel import own_wheels
from autograder.config import ConfigError
from autograder.term.assignments import chosen_assignment
from autograder.term.course import Course
from autograder.units.build import built_notebook
from autograder.units.pack import demand_ours
from autograder.units.unit import read_unit

AS_RELEASED = ".github/foldem"
WORKFLOW = """# Written by `foldem github`. Grades the notebook at each push; the run's summary shows the results.
name: Foldem
on: [push, workflow_dispatch]
permissions:
  contents: read
jobs:
  grade:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install .github/foldem/*.whl pytest
      - name: grade
        # The sandbox is Landlock or, where the runner allows namespaces, bubblewrap.
        # Only the exercises of the released notebook count.
        run: foldem pytest {notebook} --released {released} --junitxml report.xml -q
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: report
          path: report.xml
"""


def make_starter(
    folder: Path, course: Course, assignment: str | None, unit: str | None, force: bool = False
) -> Iterator[str]:
    """Write a notebook and a workflow into a folder. Raises ConfigError if one of them exists already."""
    name, unit = chosen_assignment(course, course.assignments, assignment, unit)
    demand_ours(course.catalogue.pack_of(unit), unit, "a starter repository")
    notebook = f"{course.catalogue.stem(unit)}.ipynb"
    text = released_notebook(course.root, name, notebook) if course.root and name else _built(course, unit)
    released = f"{AS_RELEASED}/{notebook}"
    workflow = WORKFLOW.format(notebook=notebook, released=released)
    texts = {notebook: text, released: text, ".github/workflows/foldem.yml": workflow}
    there = [name for name in texts if (folder / name).exists()]
    if there and not force:
        raise ConfigError(f"{folder / there[0]} exists already: name a new folder, or add --force")
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        yield f"wrote  {folder / name}"
    yield from _wheel_lines(folder / AS_RELEASED)
    yield "Next: push this folder to GitHub, as the repository that students copy"


def _wheel_lines(folder: Path) -> Iterator[str]:
    """Put our wheels into a folder, so that the workflow installs them and no other package of this name."""
    for old in folder.glob("foldem*.whl"):
        old.unlink()
    yield from (f"wrote  {wheel}" for wheel in own_wheels(folder))
    yield "note   the wheels contain reference answers, as every installation of Foldem does"


def _built(course: Course, unit: str) -> str:
    return built_notebook(read_unit(course.catalogue, unit))


def released_notebook(course: Path, assignment: str, name: str) -> str:
    """Return a released notebook of a course. Raises ConfigError if there is none."""
    path = course / "release" / assignment / name
    if not path.is_file():
        raise ConfigError(
            f"{path} does not exist yet: run `nbgrader generate_assignment {assignment}` in {course} first"
        )
    return path.read_text(encoding="utf-8")
