"""`foldem bundle --for github`: make a starter repository on GitHub, whose workflow grades each push.

Students can change the workflow, so its mark is only feedback. For the real marks, grade on your own machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from autograder.commands.bundled import own_wheels
from autograder.commands.chosen import chosen_course, packs_or_own
from autograder.commands.options import BundleOptions
from autograder.commands.student_kit import allowed_help, build_wheel, packs_in, unit_files
from autograder.config import ConfigError
from autograder.term.assignments import chosen_assignment
from autograder.term.course import Course
from autograder.units.build import built_notebook
from autograder.units.pack import OURS, Pack
from autograder.units.unit import read_unit

AS_RELEASED = ".github/foldem"
WORKFLOW = """# Written by `foldem bundle`. Grades the notebook at each push; the run's summary shows the results.
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
      - run: pip install .github/foldem/*.whl {tools}
{steps}"""
GRADING_STEPS = """      - name: grade
        # The sandbox is Landlock or, where the runner allows namespaces, bubblewrap.
        # Only the exercises of the released notebook count.
        run: foldem pytest {notebook} --released {released} --junitxml report.xml -q
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: report
          path: report.xml
"""
CHECKING_STEPS = """      - name: check
        run: python .github/foldem/check.py {notebook}
"""
CHECKING_PROGRAM = '''"""Run a notebook, print its checks, and fail if one is not right. Made by `foldem bundle`."""

import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=900, allow_errors=True).execute()
outputs = [each for cell in notebook.cells if cell.id.endswith("-check") for each in cell.outputs]
for output in outputs:
    print(output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue", ""), end="\\n\\n")
sys.exit(any(output.output_type == "error" for output in outputs))
'''


def run(options: BundleOptions) -> Iterator[str]:
    """Write a notebook and a workflow into a folder. Raises ConfigError if one of them exists already."""
    folder, course = options.target, chosen_course(packs_or_own(options.pack), options.course)
    name, unit = chosen_assignment(course, course.assignments, options.assignment, options.unit)
    pack, notebook = course.catalogue.pack_of(unit), f"{course.catalogue.stem(unit)}.ipynb"
    if course.root and name:
        text = released_notebook(course.root, name, notebook)
    else:
        text = built_notebook(read_unit(course.catalogue, unit))
    texts = {notebook: text} | _texts(pack, notebook, text)
    there = [name for name in texts if (folder / name).exists()]
    if there and not options.force:
        raise ConfigError(f"{folder / there[0]} exists already: name a new folder, or add --force")
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        yield f"wrote  {folder / name}"
    yield from _wheel_lines(folder / AS_RELEASED, pack, course, texts[notebook])
    yield "Next: push this folder to GitHub, as the repository that students copy"


def _texts(pack: Pack, notebook: str, text: str) -> dict[str, str]:
    """Return the files of the workflow. The references of other people's packs must not be in the repository."""
    released = f"{AS_RELEASED}/{notebook}"
    if pack.root == OURS:
        steps, tools, files = GRADING_STEPS.format(notebook=notebook, released=released), "pytest", {released: text}
    else:
        steps, tools = CHECKING_STEPS.format(notebook=notebook), "nbclient ipykernel"
        files = {f"{AS_RELEASED}/check.py": CHECKING_PROGRAM}
    return files | {".github/workflows/foldem.yml": WORKFLOW.format(tools=tools, steps=steps)}


def _wheel_lines(folder: Path, pack: Pack, course: Course, notebook: str) -> Iterator[str]:
    """Put wheels into a folder, so that the workflow installs them and no other packages of these names."""
    for old in folder.glob("*.whl"):
        old.unlink()
    if pack.root == OURS:
        yield from (f"wrote  {wheel}" for wheel in own_wheels(folder))
        yield "note   the wheels contain reference answers, as every installation of Foldem does"
        return
    hints = bool(allowed_help(course.root)["hints"])
    files = unit_files([notebook], course.catalogue, course.root)
    for each in packs_in([notebook], course.catalogue):
        yield f"wrote  {build_wheel(folder, each, hints, files)}"
    yield "note   the workflow runs what `check` runs, without reference answers: it leaves contests to you"


def released_notebook(course: Path, assignment: str, name: str) -> str:
    """Return a released notebook of a course. Raises ConfigError if there is none."""
    path = course / "release" / assignment / name
    if not path.is_file():
        raise ConfigError(
            f"{path} does not exist yet: run `nbgrader generate_assignment {assignment}` in {course} first"
        )
    return path.read_text(encoding="utf-8")
