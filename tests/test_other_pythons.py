"""The course in a browser's Python, and with the versions of IPython and ipykernel that Colab has."""

from __future__ import annotations

import json
import subprocess
import venv
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.commands.site import make_site
from autograder.commands.student_kit import build_wheel, sealed_exams
from course.show.results import BAD, GOOD
from tests.classroom import reference_answers, solved_notebook
from tests.command import PATIENCE
from tests.slips import SLIPS
from tests.units import known, read_unit, unit_names

HERE = Path(__file__).parent
RIGHT = {unit: reference_answers(read_unit(unit)) for unit in unit_names()}
ENDLESS = ("ran longer", "too deep", "calls itself", "never ends")  # messages that depend on the machine's limits
PLAIN = [slip for slip in SLIPS if not any(text in " ".join(slip["message"]) for text in ENDLESS)][::12]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the version of Pyodide's Python, and the result of `check` for each right answer and each slip."""
    folder = tmp_path_factory.mktemp("pyodide")
    list(make_site(folder / "site", known()))
    right = [(unit, name, "") for unit, answers in RIGHT.items() for name in answers]
    slips = [(slip.get("unit", "warmup"), slip["exercise"], slip["answer"].strip()) for slip in PLAIN]
    (folder / "input.json").write_text(json.dumps({"right": RIGHT, "answers": right + slips}), encoding="utf-8")
    python = folder / "site" / "static" / "pyodide"
    words = ["node", HERE / "pyodide.mjs", python, HERE / "inside_pyodide.py", folder / "input.json"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=10 * PATIENCE)
    assert done.returncode == 0, done.stderr[-3000:]
    version, *results = map(json.loads, done.stdout.splitlines())
    assert len(results) == len(right) + len(slips)
    return {"version": version, "right": dict(zip(right, results, strict=False)), "slips": results[len(right) :]}


@pytest.mark.npm
@pytest.mark.proof
def test_right_answers_are_right_in_a_browsers_python(shown: dict[str, Any]) -> None:
    assert shown["version"] == {"python": [3, 14]} and len(shown["right"]) > 100
    assert [key for key, result in shown["right"].items() if result["state"] != GOOD] == []


@pytest.mark.npm
@pytest.mark.proof
def test_slips_get_their_messages_in_a_browsers_python(shown: dict[str, Any]) -> None:
    pairs = list(zip(PLAIN, shown["slips"], strict=True))
    assert [slip["name"] for slip, result in pairs if result["state"] != BAD] == []
    missing = {
        slip["name"]: result["message"]
        for slip, result in pairs
        if not result["belief"] and not all(text in result["message"] for text in slip["message"])
    }
    assert missing == {}


VERSIONS = ("ipython==7.34.0", "ipykernel==6.17.1", "setuptools", "nbclient", "nbformat")
RUN = """
import json, sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
texts = []
for cell in notebook.cells:
    outputs = cell.get("outputs", [])
    shown_on_colab = [output.get("data", {}).get("text/plain", output.get("text", "")) for output in outputs]
    texts.append(["".join(shown_on_colab), [output["evalue"] for output in outputs if output.output_type == "error"]])
print(json.dumps(texts))
"""


@pytest.fixture(scope="module")
def colab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an environment with these versions and the course only."""
    folder = tmp_path_factory.mktemp("colab")
    notebooks = [json.dumps(solved_notebook(unit)) for unit in unit_names()]
    wheel = build_wheel(folder, known().packs[0], True, {"sealed": dict(sealed_exams(notebooks, known()))})
    venv.create(folder / "env", with_pip=True)
    subprocess.run([folder / "env/bin/pip", "install", "--quiet", *VERSIONS, wheel], check=True, timeout=PATIENCE)
    return folder


def shown_on_colab(colab: Path, notebook: nbformat.NotebookNode) -> list[tuple[str, list[str]]]:
    """Run a notebook, and return what each cell shows, and its errors."""
    (colab / "run.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8")
    command = [colab / "env/bin/python", "-c", RUN, "run.ipynb"]
    done = subprocess.run(command, cwd=colab, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr[-2000:]
    return [(text, errors) for text, errors in json.loads(done.stdout)]


@pytest.mark.proof
@pytest.mark.parametrize("unit", unit_names())
def test_solved_notebook_runs_to_its_end_with_the_versions_of_colab(colab: Path, unit: str) -> None:
    notebook = solved_notebook(unit)
    results = zip(notebook.cells, shown_on_colab(colab, notebook), strict=True)
    cells = ((cell.source, text) for cell, (text, _) in results if cell.cell_type == "code")
    checks = {source.split('"')[1]: text for source, text in cells if 'check("' in source}
    assert len(checks) >= 2
    assert {name: text for name, text in checks.items() if not text.startswith("✓")} == {}


@pytest.mark.proof
def test_cell_that_stopped_is_named_with_the_versions_of_colab(colab: Path) -> None:
    sources = (
        "from course.dominoes import *\nfrom course.check import check",
        "1 / 0\ndef flip(domino): return Domino(domino.right, domino.left)",
        'check("flip")',
    )
    cells = [new_code_cell(source, metadata={"tags": ["raises-exception"]}) for source in sources]
    text, errors = shown_on_colab(colab, new_notebook(cells=cells))[-1]
    assert "stopped" in text and "ZeroDivisionError" in text and "not run" not in text and errors == []
